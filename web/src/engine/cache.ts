import { Packed, Packer, type Sink } from "./packed.ts";
import { writeSnapshot, type Snapshot } from "./snapshot.ts";

/** Changes with the form of a snapshot. What the extractors say changes with the build, which is written down, too. */
export const CACHE_FORMAT = 7;

/** Where snapshots are kept: OPFS in the app, encrypted. It may lose them at any time. */
export interface CacheStore {
  /** What was kept under a key; undefined when there is nothing. */
  read(key: string): Promise<Blob | undefined>;
  /** Keeps what `fill` hands on, in place of what was there. */
  write(key: string, fill: (sink: Sink) => Promise<void>): Promise<void>;
}

/** Repositories with more text are not kept: writing them down would take long. */
const MAX_BYTES = 64 << 20;

/** Keeps one snapshot a folder. Whatever goes wrong with it, a load without it goes on. */
export class Cache {
  /** `build` names this build of the app: one never uses what another has kept. `secret` is the key that all is encrypted with. */
  constructor(private readonly store: CacheStore, private readonly build: string, private readonly secret: () => Promise<CryptoKey>) {}

  /** What was kept under a key by this build: whole as far as its table says. Undefined when there is none. */
  async find(key: string): Promise<Packed | undefined> {
    try {
      const file = await this.store.read(key);
      if (!file) return undefined;
      const packed = await Packed.open(file, await this.secret(), key);
      const { format, build } = packed.head as { format?: unknown; build?: unknown };
      return format === CACHE_FORMAT && build === this.build ? packed : undefined;
    } catch {
      return undefined;
    }
  }

  async keep(key: string, snapshot: Snapshot): Promise<void> {
    if (snapshot.codebase.bytes > MAX_BYTES) return;
    try {
      const secret = await this.secret();
      await this.store.write(key, (sink) => writeSnapshot(snapshot, new Packer(sink, secret, key), { format: CACHE_FORMAT, build: this.build }));
    } catch {
      // No room, a private window, an edit meanwhile: what was kept before stays, if anything was.
    }
  }
}
