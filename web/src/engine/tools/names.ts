/**
 * From what an agent calls a thing to the thing: a node id, `name`, `Type.method`, `module.name`, `file:name`,
 * `file:line`, a path or its end. Never a guess: an ambiguous name is answered with the candidates, an unknown one with
 * the nearest.
 */
import type { Codebase, Community, Process } from "../codebase.ts";
import { ToolError } from "../tools.ts";
import { refOf } from "./answers.ts";
import { indexOf, isSymbol } from "./codebase-index.ts";
import { nearest } from "./distance.ts";
import { nearestNodes } from "./nearest.ts";

/** Candidates told in an error's details; the message leaves them to these. */
const MAX_CANDIDATES = 20;

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
  const files = filesEndingWith(codebase, name);
  return files.length > 0 ? files : symbolsOfModule(codebase, name);
}

/** Symbols by simple name, or by `Type.method` (also `Type::method`, `Type#method`, with modules before it). */
function symbolsNamed(codebase: Codebase, name: string): number[] {
  const { symbolsByName } = indexOf(codebase);
  const simple = symbolsByName.get(name) ?? symbolsByName.get(name.replace(/\(\)$/, ""));
  if (simple) return [...simple];
  const { modules, last } = partsOfName(name);
  const owner = modules.pop();
  const nodes = codebase.graph.nodes;
  const found = owner === undefined ? [] : (symbolsByName.get(last) ?? []).filter((node) => nodes[node]!.owner === owner);
  const inModule = found.length > 1 && modules.length > 0 ? found.filter((node) => isIn(codebase, node, modules)) : [];
  return inModule.length > 0 ? inModule : found;
}

/** Symbols by the module, package or namespace that they are in: `starlette.routing.Router`, `org.jsoup.Jsoup`, `tools.NewServer`. */
function symbolsOfModule(codebase: Codebase, name: string): number[] {
  const { modules, last } = partsOfName(name);
  if (modules.length === 0) return [];
  return (indexOf(codebase).symbolsByName.get(last) ?? []).filter((node) => isIn(codebase, node, modules));
}

/** `a.b::C#d()` as the modules or types a, b, C and the last name, d. */
export function partsOfName(name: string): { modules: string[]; last: string } {
  const modules = name.replace(/\(\)$/, "").split(/(?:\.|::|#|\\|\/|->)+/);
  const last = modules.pop()!;
  // How Rust calls the place where it is.
  while (/^(?:|crate|self|super)$/.test(modules[0] ?? "-")) modules.shift();
  return { modules, last };
}

/** Whether the folders of a symbol's file, with or without the file itself, end in these modules. */
function isIn({ graph, name }: Codebase, node: number, modules: readonly string[]): boolean {
  const path = [name, ...graph.nodes[node]!.file.replace(/\.[^/]*$/, "").split("/")].map((part) => part.toLowerCase());
  const ending = modules.map((part) => part.toLowerCase()).join("/");
  return [path, path.slice(0, -1)].some((folders) => `/${folders.join("/")}`.endsWith(`/${ending}`));
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

function ambiguous({ graph }: Codebase, name: string, found: readonly number[]): ToolError {
  return new ToolError(
    `"${name}" is ambiguous: ${found.length} match. Call again with the id of one of the candidates.`,
    { candidates: found.slice(0, MAX_CANDIDATES).map((i) => refOf(graph, i)), total: found.length },
  );
}

function notFound(codebase: Codebase, name: string): ToolError {
  const near = nearestNodes(codebase, name);
  const suggestion = near.length > 0
    ? "Did you mean one of the candidates? If not, grep it: not every variable and field is in the graph."
    : "Use search to find it by topic, or grep to find text.";
  return new ToolError(`Nothing here is called "${name}". ${suggestion}`, near.length > 0 ? { candidates: near.map((i) => refOf(codebase.graph, i)) } : undefined);
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
      throw new ToolError(`"${name}" is ambiguous: ${found.length} ${what === "cluster" ? "clusters" : "processes"} match. Call again with the id of one of the candidates.`,
        { candidates: list(found), total: found.length });
    }
  }
  if (all.length === 0) throw new ToolError(`This repository has no ${what === "cluster" ? "clusters" : "processes"}.`);
  const near = nearest(name, all.map((item) => item.label), 5);
  const some = near.length > 0 ? all.filter((item) => near.includes(item.label)) : all.slice(0, 10);
  const suggestion = near.length > 0 ? "Did you mean one of the candidates?" : "The candidates are the largest.";
  throw new ToolError(`No ${what} is called "${name}". ${suggestion} overview lists them all.`, { candidates: list(some), total: all.length });
}
