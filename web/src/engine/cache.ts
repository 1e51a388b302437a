import type { SkippedFile } from "./codebase.ts";
import type { FileFacts } from "./facts.ts";
import type { ResolvedEdgeType } from "./language.ts";

/** Changes with the form below. What the extractors say changes with the build, which is a part of the key, too. */
export const CACHE_FORMAT = 1;

/** A workspace as it is kept: plain data, small enough to be read within a second. */
export interface Snapshot {
  format: number;
  build: string;
  name: string;
  files: SnapshotFile[];
  skipped: readonly SkippedFile[];
  /** By language. */
  relations: Record<string, { read: string[]; failure?: string; edges: SnapshotEdge[] }>;
  communities: { label: string; members: readonly number[]; cohesion: number }[];
  processes: { label: string; steps: readonly number[]; crossCommunity: boolean }[];
  /** Versions of the files, as the hub gave them. */
  versions: Record<string, string>;
}

export interface SnapshotFile {
  path: string;
  text: string;
  bytes: number;
  facts?: FileFacts;
  reason?: string;
}

/** Type, file and symbol that it leaves, file and symbol that it leads to, confidence, and the lines. Files by index. */
export type SnapshotEdge = [type: ResolvedEdgeType, from: number, symbol: number, to: number, other: number, confidence: number, ...lines: number[]];

/** Where snapshots are kept: OPFS in the app. It may lose them at any time. */
export interface CacheStore {
  /** The bytes that were kept under a key; undefined when there are none. */
  read(key: string): Promise<string | undefined>;
  write(key: string, text: string): Promise<void>;
}

/** Repositories with more text are not kept: writing them down would hold the engine up for long. */
const MAX_BYTES = 64 << 20;

/** Keeps one snapshot a folder. Whatever goes wrong with it, a load without it goes on. */
export class Cache {
  /** `build` names this build of the app: one never uses what another has kept. */
  constructor(private readonly store: CacheStore, private readonly build: string) {}

  async find(key: string): Promise<Snapshot | undefined> {
    try {
      const text = await this.store.read(key);
      if (text === undefined) return undefined;
      const snapshot = JSON.parse(text) as Partial<Snapshot> | null;
      return snapshot?.format === CACHE_FORMAT && snapshot.build === this.build ? snapshot as Snapshot : undefined;
    } catch {
      return undefined;
    }
  }

  async keep(key: string, bytes: number, make: (format: number, build: string) => Snapshot): Promise<void> {
    if (bytes > MAX_BYTES) return;
    try {
      await this.store.write(key, JSON.stringify(make(CACHE_FORMAT, this.build)));
    } catch {
      // No room, a private window: the next load is a cold one.
    }
  }
}
