/** How hub and page prove to each other that they know the token, which neither sends (docs/protocol.md, "The proof"). */

/** The beginning of the second subprotocol, by which a browser hands over its proof. */
const PROOF_SUBPROTOCOL = "gitnexus.proof.";

/** HMAC-SHA256 in hexadecimal. */
export type Mac = (key: string, message: string) => Promise<string>;

const encoder = new TextEncoder();

export const webMac: Mac = async (key, message) => {
  const imported = await crypto.subtle.importKey("raw", encoder.encode(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(message)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** No field holds a newline, so that no other fields have the same text. */
const text = (...fields: readonly string[]): string => fields.join("\n");

export function hubProof(mac: Mac, token: string, port: string, nonce: string): Promise<string> {
  return mac(token, text("gitnexus-mcp hub", port, nonce));
}

/** The subprotocol that proves that this page knows the token. */
export async function pageProof(mac: Mac, token: string, port: string, nonce: string, hubNonce: string): Promise<string> {
  const proof = await mac(token, text("gitnexus-mcp client", port, "page", nonce, hubNonce));
  return PROOF_SUBPROTOCOL + ["page", nonce, hubNonce, proof].join(".");
}

/** 128 bits. */
export function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
