/** A browser's storage and locks for `memories`. */
import type { SealedHost } from "../src/ui/sealed.ts";

/** What a hub gives: 256 bits in base64url. */
export const sealedKey = "A".repeat(43);

export interface FakeSealedHost extends SealedHost {
  items: Map<string, string>;
  /** Resolves when nobody uses the storage. */
  rest(): Promise<void>;
}

export function sealedHost(items: Record<string, string> = {}): FakeSealedHost {
  const kept = new Map(Object.entries(items));
  let last: Promise<unknown> = Promise.resolve();
  return {
    items: kept,
    storage: () => ({ getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value), removeItem: (key) => void kept.delete(key) }),
    alone(work) {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
    async rest() {
      // What waits for the import of a key comes later than this is asked.
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (let seen: unknown; seen !== last;) {
        seen = last;
        await last;
      }
    },
  };
}
