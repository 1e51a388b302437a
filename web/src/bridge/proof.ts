/** How hub and page prove to each other that they know a key, which neither sends (docs/protocol.md, "The proof"). */

/** The beginning of the second subprotocol, by which a browser hands over its proof. */
const PROOF_SUBPROTOCOL = "gitnexus.proof.";

/** What a page proves to be: one that has a key, or one that has got a ticket for such a key. */
export interface Identity {
  role: "page" | "ticket";
  id: string;
  key: CryptoKey;
}

/** What is used of WebCrypto. Keys never leave it. */
export interface Crypt {
  /** HMAC-SHA256 in hexadecimal. */
  mac(key: CryptoKey, message: string): Promise<string>;
  /** A ticket's secret, in base64url. Rejects when it is none. */
  read(secret: string): Promise<CryptoKey>;
  /** The HMAC-SHA256 as the key of further ones. */
  derive(key: CryptoKey, message: string): Promise<CryptoKey>;
}

const encoder = new TextEncoder();
const HMAC = { name: "HMAC", hash: "SHA-256" };

const importKey = (bytes: Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<CryptoKey> => crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign"]);

export const webCrypt: Crypt = {
  async mac(key, message) {
    const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(message)));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  },
  async read(secret) {
    const text = atob(secret.replaceAll("-", "+").replaceAll("_", "/"));
    return importKey(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  },
  async derive(key, message) {
    return importKey(await crypto.subtle.sign("HMAC", key, encoder.encode(message)));
  },
};

/** No field holds a newline, so that no other fields have the same text. */
const text = (...fields: readonly string[]): string => fields.join("\n");

export function hubProof(crypt: Crypt, { key }: Identity, port: string, nonce: string): Promise<string> {
  return crypt.mac(key, text("gitnexus-mcp hub", port, nonce));
}

export function clientProof(crypt: Crypt, { role, key }: Identity, port: string, nonce: string, hubNonce: string): Promise<string> {
  return crypt.mac(key, text("gitnexus-mcp client", port, role, nonce, hubNonce));
}

/** The subprotocol that proves who this page is. */
export async function proofProtocol(crypt: Crypt, who: Identity, port: string, nonce: string, hubNonce: string): Promise<string> {
  return PROOF_SUBPROTOCOL + [who.role, who.id, nonce, hubNonce, await clientProof(crypt, who, port, nonce, hubNonce)].join(".");
}

/** The key of the page that exchanges a ticket. The hub computes the same: nobody sends it. */
export function pageKey(crypt: Crypt, ticket: CryptoKey, port: string, nonce: string, hubNonce: string): Promise<CryptoKey> {
  return crypt.derive(ticket, text("gitnexus-mcp page", port, nonce, hubNonce));
}

/** 128 bits. */
export function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
