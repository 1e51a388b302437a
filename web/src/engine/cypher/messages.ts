/** What the engine and the database's Workers say to each other: every request gets one reply with its id, in order. */
import type { CypherResult } from "../tools.ts";
import type { TableLoad } from "./csv.ts";
import type { PackedFile } from "./packed-file.ts";

export type WorkerRequest = { id: number } & (
  /* A Worker that builds: create, load for each table, finish. */
  | { type: "create"; statements: readonly string[] }
  | { type: "load"; load: TableLoad }
  | { type: "finish" }
  /* A Worker that answers: open, then queries. */
  | { type: "open"; file: PackedFile; poolBytes: number }
  | { type: "query"; query: string; maxRows: number; timeoutMs: number }
);

export type WorkerReply = { id: number } & (
  | { ok: true; value: null | PackedFile | CypherResult }
  /** `statement`: the database's words about the statement; `broken`: the instance cannot go on. */
  | { ok: false; kind: "statement" | "timeout" | "broken"; message: string }
);

/** The parts of a Worker that are used; tests bring their own. */
export interface CypherWorker {
  postMessage(message: WorkerRequest, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<WorkerReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Starts a Worker; it may throw, or tell of a failure by onerror. */
export type StartWorker = () => CypherWorker;
