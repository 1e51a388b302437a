import type { ViewAction } from "../messages.ts";
import type { Codebase } from "./codebase.ts";
import type { SymbolFact } from "./facts.ts";

/** What a tool may use besides its arguments. */
export interface ToolContext {
  codebase: Codebase;
  /** The codebase with its clusters and processes, for a tool that tells nothing without them. Rejects with ToolError when none will be there. */
  clustered: () => Promise<Codebase>;
  /** Fires when the call is cancelled or late. A tool that loops checks it and awaits now and then. */
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  deadline: number;
  agent: string;
  progress(done: number, total: number | undefined, message: string): void;
  /** Changes what the user sees. */
  view(action: ViewAction): void;
  /** Runs one read-only statement in the graph database. Rejects with ToolError. */
  cypher(query: string, maxRows: number, signal: AbortSignal, deadline: number): Promise<CypherResult>;
  /** What a commit of the folder's git repository has that differs; `have` are git's ids of the content of our files. Rejects with ToolError. */
  revision: (name: string, have: Record<string, string>, signal: AbortSignal) => Promise<Revision>;
}

export interface Revision {
  commit: string;
  /** Texts by path: of the files that differ, and of those that we do not have. */
  files: ReadonlyMap<string, string>;
  /** Our files that the commit does not have. */
  absent: readonly string[];
  /** The symbols in such a text. */
  symbols: (path: string, text: string) => Promise<readonly SymbolFact[]>;
}

export interface CypherResult {
  columns: string[];
  rows: unknown[][];
  /** Rows the query has in all; `rows` may be fewer. */
  totalRows: number;
}

/** A failure of the tool itself that the agent should read: no such file, bad pattern, ambiguous name. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** `denied`: a permission is missing, which only the user can give. */
  constructor(message: string, readonly details?: Record<string, unknown>, readonly retryable = false, readonly denied = false) {
    super(message);
  }
}

/** Answers one call. `args` are validated and have their defaults; the result is the structured content. */
export type Tool = (args: Record<string, unknown>, ctx: ToolContext) => object | Promise<object>;
