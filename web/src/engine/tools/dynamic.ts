/** The possible targets of calls that are decided at run time, one line for each call: none of them is a fact. */
import type { Codebase } from "../codebase.ts";
import { ONE_OF_MANY, STORED } from "../language.ts";
import { SURE } from "../summary.ts";
import { qualifiedName } from "./answers.ts";
import { callersOfMany, isOnSuper, manyBehind } from "./one-of-many.ts";

/** Targets that are named. */
const NAMED = 3;

/** Whether an edge is known, and not one of several things that may happen. */
export function isSure({ graph }: Codebase, edge: number): boolean {
  return graph.confidence[edge]! >= SURE - 1e-6;
}

/** Calls of one name in the same lines, and what they may run, the likeliest first. */
interface Group {
  name: string;
  isStored: boolean;
  lines: number[];
  /** The confidence of the likeliest. */
  confidence: number;
  targets: number[];
}

/**
 * `Store.save at 12: 2 possible (MemoryStore.save src/a.ts:9, LoggingStore.save src/a.ts:19)`; "guessed by name" under 0.5. Of what is called
 * because it was stored, whatever its name: `a stored function at 12: 3 possible (…)`.
 */
export function possibleCallees(codebase: Codebase, node: number): string[] {
  const { graph } = codebase;
  const calls = graph.out(node, "CALLS");
  const sure = calls.filter((e) => isSure(codebase, e));
  const groups = new Map<string, Group>();
  const named = new Set(graph.out(node, "REFERENCES").map((e) => graph.to[e]!));
  const unsure = calls.filter((e) => !isSure(codebase, e)).sort((a, b) => graph.confidence[b]! - graph.confidence[a]!);
  for (const e of unsure) {
    // What is passed or stored here stands with the references.
    if (named.has(graph.to[e]!)) continue;
    const { name } = graph.nodes[graph.to[e]!]!;
    const lines = graph.sites(e);
    const confidence = graph.confidence[e]!;
    const isStored = [STORED, ONE_OF_MANY].some((one) => Math.abs(confidence - one) < 1e-6);
    const key = `${isStored ? "" : name} ${lines.join()}`;
    const group = groups.get(key);
    if (group) group.targets.push(graph.to[e]!);
    else groups.set(key, { name, isStored, lines, confidence, targets: [graph.to[e]!] });
  }
  for (const e of sure) {
    const { name } = graph.nodes[graph.to[e]!]!;
    const lines = graph.sites(e);
    const targets = groups.has(`${name} ${lines.join()}`) ? [] : manyBehind(graph, graph.to[e]!);
    if (targets.length > 0 && !isOnSuper(codebase, e)) groups.set(`many ${name} ${lines.join()}`, { name, isStored: false, lines, confidence: 1, targets });
  }
  return [...groups.values()].map(({ name, isStored, lines, confidence, targets }) => {
    // What is called surely in the same lines, by the same name, is the interface's method.
    const declared = sure.map((e) => ({ e, to: graph.nodes[graph.to[e]!]! })).find(({ e, to }) => to.name === name && graph.sites(e).some((line) => lines.includes(line)));
    const told = targets.slice(0, NAMED).map((target) => graph.nodes[target]!).map((to) => `${qualifiedName(to)} ${to.file}:${to.line}`).join(", ");
    const how = !isStored && confidence < 0.5 ? "guessed by name" : "possible";
    const more = targets.length - NAMED;
    return `${isStored ? "a stored function" : declared ? qualifiedName(declared.to) : name}${lines.length > 0 ? ` at ${lines.slice(0, NAMED).join(", ")}` : ""}: ${targets.length} ${how} (${told}${more > 0 ? ` and ${more} more: ${isStored ? "impact downstream with minConfidence 0" : `search ${name}`}` : ""})`;
  });
}

/** Who may call a node, as `src/a.ts:12 run 0.6`, the surest first; of tests only those of a test. Behind these, what calls a method that it is one of many to implement. */
export function possibleCallers(codebase: Codebase, node: number): string[] {
  const { graph } = codebase;
  const named = new Set(graph.in(node, "REFERENCES").map((e) => graph.from[e]!));
  const callers = graph.in(node, "CALLS")
    .filter((e) => !named.has(graph.from[e]!) && graph.confidence[e]! < SURE - 1e-6 && (graph.nodes[node]!.test || !graph.nodes[graph.from[e]!]!.test))
    .sort((a, b) => graph.confidence[b]! - graph.confidence[a]! || a - b)
    .map((e) => {
      const from = graph.nodes[graph.from[e]!]!;
      return `${from.file}:${graph.line[e]! || from.line} ${qualifiedName(from)} ${Math.round(graph.confidence[e]! * 100) / 100}`;
    });
  return [...callers, ...callersOfMany(codebase, node)];
}
