/** Methods with so many implementations that resolvers lead their calls to the declared one alone: what these calls may run is told where it is asked for. */
import type { Codebase } from "../codebase.ts";
import type { Graph } from "../graph.ts";
import { qualifiedName } from "./answers.ts";
import { linesIn } from "./excerpts.ts";
import { implementations } from "./reach.ts";
import { ancestors, isConstructor, ownerOf } from "./unnamed-calls.ts";

/** Of more implementations most resolvers lead a call to none (`MAX_IMPLEMENTATIONS`). */
const MANY = 100;
/** Callers that a reason names. */
const NAMED = 3;

/** The implementations of a method; none where there are not more than `MANY`. */
export function manyBehind(graph: Graph, method: number): number[] {
  const { kind } = graph.nodes[method]!;
  if (kind !== "Method" || isConstructor(graph.nodes[method]!)) return [];
  const all = [...implementations(graph, method)].map(({ node }) => node);
  return all.length > MANY ? all : [];
}

/** Whether a call can mean but the declared method, as `parent::name()` and `super.name()` do. */
export function isOnSuper(codebase: Codebase, edge: number): boolean {
  const { graph } = codebase;
  const { name } = graph.nodes[graph.to[edge]!]!;
  const lines = linesIn(codebase, graph.nodes[graph.from[edge]!]!.file);
  const onSuper = new RegExp(`\\b(?:parent\\s*::|super(?:\\(.*?\\))?\\s*\\.|base\\s*\\.)\\s*${name}\\b`, "i");
  return graph.sites(edge).every((line) => onSuper.test(lines[line - 1] ?? ""));
}

interface Declared {
  method: number;
  /** How many implement or override it. */
  count: number;
  /** Edges of the calls that may run one of these, outside of tests. */
  calls: number[];
}

/** The methods that a method implements or overrides, of which it is one of many. */
function declaredForMany(codebase: Codebase, method: number): Declared[] {
  const { graph } = codebase;
  const type = graph.nodes[method]!.kind === "Method" ? ownerOf(graph, method) : undefined;
  if (type === undefined) return [];
  const { name, test } = graph.nodes[method]!;
  const known = new Set(graph.in(method, "CALLS").map((e) => graph.from[e]!));
  const isOpen = (e: number): boolean => !known.has(graph.from[e]!) && (test || !graph.nodes[graph.from[e]!]!.test);
  return [...ancestors(codebase, type)].flatMap((ancestor) => graph.out(ancestor, "DEFINES").map((e) => graph.to[e]!)).flatMap((declared) => {
    if (declared === method || graph.nodes[declared]!.name !== name) return [];
    const count = manyBehind(graph, declared).length;
    const calls = count > 0 ? graph.in(declared, "CALLS").filter((e) => isOpen(e) && !isOnSuper(codebase, e)) : [];
    return calls.length > 0 ? [{ method: declared, count, calls }] : [];
  });
}

function callText({ graph }: Codebase, edge: number): string {
  const from = graph.nodes[graph.from[edge]!]!;
  return `${from.file}:${graph.line[edge]! || from.line} ${qualifiedName(from)}`;
}

/** What may call a method that is one of many, as `src/a.ts:12 run, by Node.type, which 120 methods implement`. */
export function callersOfMany(codebase: Codebase, method: number): string[] {
  const { nodes } = codebase.graph;
  return declaredForMany(codebase, method).flatMap(({ method: declared, count, calls }) =>
    calls.map((e) => `${callText(codebase, e)}, by ${qualifiedName(nodes[declared]!)}, which ${count} methods implement`));
}

/** The same as a reason for each method that it implements. */
export function reasonsOfMany(codebase: Codebase, method: number): string[] {
  const { nodes } = codebase.graph;
  return declaredForMany(codebase, method).map(({ method: declared, count, calls }) => {
    const told = calls.slice(0, NAMED).map((e) => callText(codebase, e)).join(", ");
    const more = calls.length > NAMED ? ` and ${calls.length - NAMED} more` : "";
    return `${count} methods implement ${qualifiedName(nodes[declared]!)}, it among them, and what calls that may run it (${told}${more})`;
  });
}
