/** The forms that all answers share. Keys that would say nothing (false, empty, cut nowhere) are left out. */
import type { Graph, GraphNode } from "../graph.ts";

/** A node as it stands in lists: `id` is what other tools take, and says kind, file and name; `line` is that of the name. */
export interface NodeRef {
  id: string;
  line?: number;
  /** Of a route whose whole path other files say. */
  name?: string;
}

export function refOf(graph: Graph, index: number): NodeRef {
  const { id, line, kind, name } = graph.nodes[index]!;
  return { id, ...(line > 0 ? { line } : {}), ...(kind === "Route" && !id.endsWith(`:${name}`) ? { name } : {}) };
}

/** All names of a route, which its signature begins with: `GET /v1/users, GET /v2/users → list`. */
export function routeNames({ kind, signature }: GraphNode): string[] {
  return kind === "Route" ? signature.split(" → ", 1)[0]!.split(", ") : [];
}

/** `3-9`; nothing for what has no lines. */
export function linesText({ startLine, endLine }: GraphNode): string | undefined {
  return startLine > 0 ? `${startLine}-${endLine}` : undefined;
}

/** From here on a confidence is not told: a type or an import says where the call goes. */
const CERTAIN = 0.9;

/** A confidence where there is doubt. */
export function doubt(confidence: number): { confidence?: number } {
  return confidence < CERTAIN - 0.005 ? { confidence: round(confidence) } : {};
}

/** All lines of edges that have one source. */
export function linesOf(graph: Graph, edges: readonly number[]): number[] {
  return [...new Set(edges.flatMap((edge) => graph.sites(edge)))].sort((a, b) => a - b);
}

/** Lines told of one dependent, unless its file is asked for. */
const SITES = 6;

/**
 * The lines where the calls or imports of edges stand, in the file of their source. `moreSites` says how many are not told, and
 * how to get them: with the path of that file. `all`: it was given.
 */
export function sitesOf(graph: Graph, edges: readonly number[], all: boolean): { sites?: number[]; moreSites?: string } {
  const lines = linesOf(graph, edges);
  if (lines.length === 0) return {};
  if (all || lines.length <= SITES) return { sites: lines };
  return { sites: lines.slice(0, SITES), moreSites: `${lines.length - SITES}: path ${graph.nodes[graph.from[edges[0]!]!]!.file}` };
}

/** `Server.run` for a method, else the simple name. */
export function qualifiedName(node: GraphNode): string {
  return node.owner === "" ? node.name : `${node.owner}.${node.name}`;
}

/** A list that may be cut: `total` is how many there are, `more` how many are left after the last of `items`. */
export interface CutList<T> {
  total: number;
  /** How many of them a filter lets through, where that is not all. */
  matching?: number;
  items: T[];
  more?: number;
  /** How to get those. */
  rest?: string;
}

export function cut<T, U>(all: readonly T[], max: number, form: (item: T, at: number) => U, rest?: string): CutList<U> {
  const items = all.slice(0, max).map(form);
  return { total: all.length, items, ...(all.length > max ? { more: all.length - max, ...(rest === undefined ? {} : { rest }) } : {}) };
}

/** The same, or undefined for an empty list: spread with `present`. */
export function cutSome<T, U>(all: readonly T[], max: number, form: (item: T) => U, rest?: string): CutList<U> | undefined {
  return all.length === 0 ? undefined : cut(all, max, form, rest);
}

/** The object without its undefined values. */
export function present<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}

/** So many characters of a text, and that there are more. */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

/** Two digits are enough to compare by, and cheap to read. */
export function round(value: number, digits = 2): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}

/** "1 caller", "2 callers". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
