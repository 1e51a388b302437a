/**
 * From what an agent calls a thing to the thing: a node id, `name`, `Type.method`, `file:name`, `file:line`, a path or
 * its end. Never a guess: an ambiguous name is answered with the candidates, an unknown one with the nearest.
 */
import type { Codebase, Community, Process } from "../codebase.ts";
import type { GraphNode } from "../graph.ts";
import { searchCodebase } from "../search.ts";
import { ToolError } from "../tools.ts";
import { qualifiedName } from "./answers.ts";
import { indexOf, isSymbol } from "./codebase-index.ts";
import { nearest } from "./distance.ts";

/** Candidates told in an error's details; the message names fewer. */
const MAX_CANDIDATES = 20;
const MAX_IN_MESSAGE = 5;

/** The symbol or file (or other node, by id) with this name. Throws ToolError. */
export function resolveNode(codebase: Codebase, name: string): number {
  const found = candidatesFor(codebase, name);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw notFound(codebase, name);
  const rank = (i: number): number => {
    const { test, generated } = codebase.graph.nodes[i]!;
    return test ? 2 : generated ? 1 : 0;
  };
  throw ambiguous(codebase, name, found.sort((a, b) => rank(a) - rank(b) || a - b));
}

/** All nodes that the name may mean, none of them by guess. */
export function candidatesFor(codebase: Codebase, given: string): number[] {
  const { graph } = codebase;
  const name = given.trim();
  const byId = graph.find(name);
  if (byId !== undefined) return [byId];

  const symbols = symbolsNamed(codebase, name);
  if (symbols.length > 0) return symbols;

  // A path may hold a colon, so every one is tried, the last first.
  for (let colon = name.lastIndexOf(":"); colon > 0; colon = name.lastIndexOf(":", colon - 1)) {
    const files = filesEndingWith(codebase, name.slice(0, colon));
    if (files.length === 0) continue;
    const rest = name.slice(colon + 1).trim();
    const inside = new Set(files.map((file) => graph.nodes[file]!.file));
    const matches = /^\d+$/.test(rest)
      ? [...inside].flatMap((file) => symbolAtLine(codebase, file, Number(rest)))
      : symbolsNamed(codebase, rest).filter((node) => inside.has(graph.nodes[node]!.file));
    if (matches.length > 0) return matches;
  }
  return filesEndingWith(codebase, name);
}

/** Symbols by simple name, or by `Type.method` (also `Type::method`, `Type#method`). */
function symbolsNamed(codebase: Codebase, name: string): number[] {
  const { symbolsByName } = indexOf(codebase);
  const simple = symbolsByName.get(name);
  if (simple) return [...simple];
  const parts = /^(.+?)(?:\.|::|#)([^.:#]+)$/.exec(name.replace(/\(\)$/, ""));
  if (!parts) return name.endsWith("()") ? [...(symbolsByName.get(name.slice(0, -2)) ?? [])] : [];
  // Only the last part of `pkg.Type` is the type's name.
  const owner = parts[1]!.slice(Math.max(parts[1]!.lastIndexOf("."), parts[1]!.lastIndexOf(":")) + 1);
  const nodes = codebase.graph.nodes;
  return (symbolsByName.get(parts[2]!) ?? []).filter((node) => nodes[node]!.owner === owner);
}

/** The innermost symbol around a line. */
function symbolAtLine({ graph }: Codebase, file: string, line: number): number[] {
  let best = -1;
  graph.nodes.forEach((node, i) => {
    if (node.file !== file || !isSymbol(node) || node.startLine > line || node.endLine < line) return;
    const held = graph.nodes[best];
    if (!held || node.endLine - node.startLine < held.endLine - held.startLine) best = i;
  });
  return best < 0 ? [] : [best];
}

/** `./src\a.ts`, `/src/a.ts` and `src/a.ts` are one path. */
export function normalPath(path: string): string {
  return path.trim().replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
}

/** Node indexes of the files with this path or, if there is none, with paths that end in it. */
export function filesEndingWith(codebase: Codebase, given: string): number[] {
  const { graph } = codebase;
  const path = normalPath(given);
  if (path === "") return [];
  const exact = graph.find(`File:${path}`);
  if (exact !== undefined) return [exact];
  const named = indexOf(codebase).filesByName.get(path.slice(path.lastIndexOf("/") + 1).toLowerCase()) ?? [];
  const ends = (wanted: string, of: (file: string) => string): number[] =>
    named.filter((node) => `/${of(graph.nodes[node]!.file)}`.endsWith(`/${wanted}`));
  const same = ends(path, (file) => file);
  if (same.length > 0) return same;
  const alike = ends(path.toLowerCase(), (file) => file.toLowerCase());
  return alike.length > 0 ? alike : withinRepository(codebase, path);
}

/** A path on the user's machine goes through a folder of the repository's name; what follows is a path of ours. */
function withinRepository({ graph, name }: Codebase, path: string): number[] {
  const parts = path.split("/");
  for (let at = parts.indexOf(name); at >= 0; at = parts.indexOf(name, at + 1)) {
    const file = graph.find(`File:${parts.slice(at + 1).join("/")}`);
    if (file !== undefined) return [file];
  }
  return [];
}

export interface Candidate {
  id: string;
  name: string;
  kind: string;
  file?: string;
  line?: number;
}

export function candidateOf(node: GraphNode): Candidate {
  return {
    id: node.id, name: qualifiedName(node), kind: node.kind,
    ...(node.file === "" ? {} : { file: node.file }), ...(node.line > 0 ? { line: node.line } : {}),
  };
}

function ambiguous({ graph }: Codebase, name: string, found: readonly number[]): ToolError {
  const shown = found.slice(0, MAX_IN_MESSAGE).map((i) => inWords(graph.nodes[i]!));
  const more = found.length > shown.length ? `; and ${found.length - shown.length} more` : "";
  return new ToolError(
    `"${name}" is ambiguous: ${found.length} match. Call again with the id of one: ${shown.join("; ")}${more}.`,
    { candidates: found.slice(0, MAX_CANDIDATES).map((i) => candidateOf(graph.nodes[i]!)), total: found.length },
  );
}

function notFound(codebase: Codebase, name: string): ToolError {
  const near = nearestNodes(codebase, name);
  const { nodes } = codebase.graph;
  const suggestion = near.length > 0
    ? `Did you mean ${near.slice(0, MAX_IN_MESSAGE).map((i) => inWords(nodes[i]!)).join("; ")}? If not, grep it: not every variable and field is in the graph.`
    : "Use search to find it by topic, or grep to find text.";
  return new ToolError(`Nothing here is called "${name}". ${suggestion}`, { candidates: near.map((i) => candidateOf(nodes[i]!)) });
}

/** At most ten nodes whose names resemble it or, when none does, that search finds. */
export function nearestNodes(codebase: Codebase, name: string): number[] {
  const { symbolsByName, filesByName } = indexOf(codebase);
  const simple = name.slice(Math.max(name.lastIndexOf(":"), name.lastIndexOf("/"), name.lastIndexOf("#")) + 1);
  const last = simple.slice(simple.lastIndexOf(".") + 1) || simple;
  const found = new Set<number>();
  for (const near of nearest(last, symbolsByName.keys(), 5)) for (const node of symbolsByName.get(near)!.slice(0, 3)) found.add(node);
  for (const near of nearest(simple, filesByName.keys(), 2)) for (const node of filesByName.get(near)!.slice(0, 3)) found.add(node);
  if (found.size === 0) for (const { node } of searchCodebase(codebase, simple).slice(0, 5)) found.add(node);
  return [...found].slice(0, 10);
}

function inWords(node: GraphNode): string {
  const place = node.file === "" ? "" : ` in ${node.file}${node.line > 0 ? `:${node.line}` : ""}`;
  return `${node.kind} ${qualifiedName(node)}${place} (${node.id})`;
}

/** A cluster by label or id. Throws ToolError. */
export function resolveCommunity(codebase: Codebase, name: string): Community {
  return byLabel(codebase, name, codebase.communities, "cluster");
}

/** A process by label or id. Throws ToolError. */
export function resolveProcess(codebase: Codebase, name: string): Process {
  return byLabel(codebase, name, codebase.processes, "process");
}

/** The label as written, else without regard to case and arrows, else the only one that holds the words. */
function byLabel<T extends { node: number; label: string }>({ graph }: Codebase, given: string, all: readonly T[], what: "cluster" | "process"): T {
  const name = given.trim();
  const plain = (label: string): string => label.toLowerCase().replace(/\s*(?:→|->)\s*/g, " → ");
  const wanted = plain(name);
  const tests: ((item: T) => boolean)[] = [
    (item) => graph.nodes[item.node]!.id === name,
    (item) => item.label === name,
    (item) => plain(item.label) === wanted,
    (item) => plain(item.label).includes(wanted),
  ];
  const list = (items: readonly T[]): object[] => items.slice(0, MAX_CANDIDATES).map((item) => ({ id: graph.nodes[item.node]!.id, label: item.label }));
  for (const test of tests) {
    const found = all.filter(test);
    if (found.length === 1) return found[0]!;
    if (found.length > 1) {
      const shown = found.slice(0, MAX_IN_MESSAGE).map((item) => `${item.label} (${graph.nodes[item.node]!.id})`);
      throw new ToolError(`"${name}" is ambiguous: ${found.length} ${what === "cluster" ? "clusters" : "processes"} match. Call again with an id: ${shown.join("; ")}.`,
        { candidates: list(found), total: found.length });
    }
  }
  if (all.length === 0) throw new ToolError(`This repository has no ${what === "cluster" ? "clusters" : "processes"}.`);
  const near = nearest(name, all.map((item) => item.label), 5);
  const some = near.length > 0 ? all.filter((item) => near.includes(item.label)) : all.slice(0, 10);
  const shown = some.slice(0, MAX_IN_MESSAGE).map((item) => `${item.label} (${graph.nodes[item.node]!.id})`).join("; ");
  const suggestion = near.length > 0 ? `Did you mean ${shown}?` : `The first are ${shown}.`;
  throw new ToolError(`No ${what} is called "${name}". ${suggestion} The tool overview lists them.`, { candidates: list(some), total: all.length });
}
