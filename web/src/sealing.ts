/** Text under the key that the hub gives after its proof (AES-GCM): 12 random bytes, then what is encrypted. */

/** `text` is the key in base64url, as the hub says it. */
export async function importStorageKey(text: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** `name` is bound to it: under another one it cannot be opened. */
export async function seal(text: string, key: CryptoKey, name = ""): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(IV));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters(iv, name), key, new TextEncoder().encode(text)));
  const body = new Uint8Array(IV + sealed.length);
  body.set(iv);
  body.set(sealed, IV);
  return body;
}

/** Rejects for what is not as `seal` made it, or is for another key or name. */
export async function unseal(body: Uint8Array<ArrayBuffer>, key: CryptoKey, name = ""): Promise<string> {
  return new TextDecoder().decode(await crypto.subtle.decrypt(parameters(body.subarray(0, IV), name), key, body.subarray(IV)));
}

const IV = 12;

function parameters(iv: Uint8Array<ArrayBuffer>, name: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(name) };
}
