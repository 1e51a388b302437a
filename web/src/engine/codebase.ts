import type { SymbolFact } from "./facts.ts";
import type { Graph } from "./graph.ts";

/** Text of the repository's files, by path. */
export interface FileStore {
  /** All stored paths, sorted. */
  readonly paths: readonly string[];
  /** The text, lines ended by \n as in the file; undefined for a path that is not stored. */
  text(path: string): string | undefined;
}

/** A group of symbols that call each other more than they call others. */
export interface Community {
  /** Index of its node in the graph. */
  node: number;
  label: string;
  /** Node indexes of its members, most connected first, tests last. */
  members: readonly number[];
  /** Share of its members' edges that stay inside, 0..1. */
  cohesion: number;
}

/** A flow of calls from an entry point. */
export interface Process {
  /** Index of its node in the graph. */
  node: number;
  label: string;
  /** Node indexes of its steps in order; the first is the entry point. */
  steps: readonly number[];
  /** Crosses from one community to another. */
  crossCommunity: boolean;
}

/** A file that could not be indexed, and why. */
export interface SkippedFile {
  path: string;
  reason: string;
  /** It is in the graph, but relations of it are missing. Of a whole language the path is `*` and an ending. */
  unresolved?: true;
}

/** Time and volume of one phase of indexing, in milliseconds. */
export interface PhaseTime {
  phase: Phase;
  ms: number;
}

export type Phase = "read" | "parse" | "resolve" | "cluster" | "search" | "database";

/** What a repository that is followed was when it was loaded. */
export interface Baseline {
  /** Milliseconds since the epoch. */
  at: number;
  /** The files that were changed since then, as they were; undefined for one that was not there. */
  files: ReadonlyMap<string, { text: string; symbols: readonly SymbolFact[] } | undefined>;
}

/** Everything known of one loaded repository. Immutable; a re-index makes a new one. */
export interface Codebase {
  /** Repository name, for people: the folder's or the zip's. */
  name: string;
  files: FileStore;
  graph: Graph;
  communities: readonly Community[];
  processes: readonly Process[];
  /** Communities and processes are still being found: there are none yet. */
  clustering?: true;
  skipped: readonly SkippedFile[];
  /** Files parsed with errors that the parser recovered from. */
  syntaxErrors: readonly { path: string; count: number }[];
  /** Milliseconds since the epoch. */
  indexedAt: number;
  phases: readonly PhaseTime[];
  /** Bytes of text read. */
  bytes: number;
  /** Absent for a repository whose changes nobody tells of. */
  baseline?: Baseline;
}
