import type { SkippedFile } from "./codebase.ts";
import type { FileFacts } from "./facts.ts";
import type { ResolvedEdgeType } from "./language.ts";

/** Changes with the form below. What the extractors say changes with the build, which is a part of the key, too. */
export const CACHE_FORMAT = 2;

/**
 * A workspace as it is kept: plain data, small enough to be read within a second. In the text that is stored, the languages' own
 * part of the facts is not in the first line with all the rest, but in a line for each file: answers do without it.
 */
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

/** The last line: without it the end is missing. */
const END = "end";
/** So many files are written down before the engine's other work has its turn. */
const FILES_A_TURN = 25;

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
      const [head = "", ...lines] = text.split("\n");
      const snapshot = JSON.parse(head) as Snapshot;
      if (snapshot.format !== CACHE_FORMAT || snapshot.build !== this.build) return undefined;
      let line = 0;
      for (const file of snapshot.files) if (file.facts) file.facts = new KeptFacts(file.facts, lines[line++]!);
      return lines[line] === END && lines.length === line + 1 ? snapshot : undefined;
    } catch {
      return undefined;
    }
  }

  async keep(key: string, bytes: number, make: (format: number, build: string) => Snapshot): Promise<void> {
    if (bytes > MAX_BYTES) return;
    try {
      const snapshot = make(CACHE_FORMAT, this.build);
      const files = snapshot.files.map(({ facts, ...file }) => (facts ? { ...file, facts: { ...facts, data: undefined } } : file));
      const lines = [JSON.stringify({ ...snapshot, files })];
      // Nothing of it changes any more, so it need not be written in one go.
      for (const [i, { facts }] of snapshot.files.entries()) {
        if (facts) lines.push(JSON.stringify(facts.data ?? null));
        if (i % FILES_A_TURN === FILES_A_TURN - 1) await rest();
      }
      await this.store.write(key, [...lines, END].join("\n"));
    } catch {
      // No room, a private window: the next load is a cold one.
    }
  }
}

/** Facts whose own part is read when somebody asks for it. */
class KeptFacts implements FileFacts {
  readonly symbols: FileFacts["symbols"];
  readonly syntaxErrors: number;
  readonly generated?: boolean;
  private text: string | undefined;
  private read: unknown;

  constructor({ symbols, syntaxErrors, generated }: Omit<FileFacts, "data">, text: string) {
    this.symbols = symbols;
    this.syntaxErrors = syntaxErrors;
    if (generated !== undefined) this.generated = generated;
    this.text = text;
  }

  get data(): unknown {
    if (this.text !== undefined) {
      this.read = JSON.parse(this.text);
      this.text = undefined;
    }
    return this.read;
  }
}

/** Gives the thread's other work a turn. */
function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
