/** What the browser's storage would keep, in memory. */
import type { CacheStore } from "../src/engine/cache.ts";

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
