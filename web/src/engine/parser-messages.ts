import type { FileFacts } from "./facts.ts";

/** Engine to parser Worker: parse these, in this order. */
export interface ParseBatch {
  files: { id: number; path: string; text: string; context?: unknown }[];
}

/** Parser Worker to engine. Every message tells that the Worker is alive. */
export type ParserReport =
  /** The parser's own code is loaded. */
  | { type: "ready" }
  | { type: "parsed"; id: number; facts: FileFacts }
  /** `broken`: the Worker's memory cannot be trusted any more; it takes no further file. */
  | { type: "skipped"; id: number; reason: string; broken: boolean }
  /** Nothing can be parsed: the parser's own code does not load. */
  | { type: "unusable"; reason: string };
