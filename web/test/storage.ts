/** What the browser's storage would keep, in memory. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import type { CacheStore } from "../src/engine/cache.ts";

const key = crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

/** What it is encrypted with. */
export const storageKey = (): Promise<CryptoKey> => key;

export function storage(): CacheStore & { kept: Map<string, Blob> } {
  const kept = new Map<string, Blob>();
  return {
    kept,
    read: (key) => Promise.resolve(kept.get(key)),
    write: async (key, fill) => {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      await fill((chunk) => {
        chunks.push(chunk.slice());
        return Promise.resolve();
      });
      kept.set(key, new Blob(chunks));
    },
  };
}

/** Encrypts without a wait that fake timers do not know of. */
export function encryptAtOnce(): void {
  const secret = Buffer.alloc(32, 1);
  crypto.subtle.encrypt = (parameters, _, data) => {
    const { iv, additionalData } = parameters as AesGcmParams;
    const cipher = createCipheriv("aes-256-gcm", secret, iv as Uint8Array).setAAD(additionalData as Uint8Array);
    return Promise.resolve(copy(Buffer.concat([cipher.update(data as Uint8Array), cipher.final(), cipher.getAuthTag()])));
  };
  crypto.subtle.decrypt = (parameters, _, data) => {
    const { iv, additionalData } = parameters as AesGcmParams;
    const bytes = Buffer.from(data as ArrayBuffer);
    try {
      const cipher = createDecipheriv("aes-256-gcm", secret, iv as Uint8Array).setAAD(additionalData as Uint8Array).setAuthTag(bytes.subarray(-16));
      return Promise.resolve(copy(Buffer.concat([cipher.update(bytes.subarray(0, -16)), cipher.final()])));
    } catch (error) {
      return Promise.reject(new Error("damaged", { cause: error }));
    }
  };
}

const copy = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
