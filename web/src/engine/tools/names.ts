/**
 * From what an agent calls a thing to the thing: a node id, `name`, `Type.method`, `module.name`, `file:name`,
 * `file:line`, a line of a stack trace, a path or its end. Never a guess: an ambiguous name is answered with the
 * candidates, an unknown one with the nearest.
 */
import type { Codebase, Community, Process } from "../codebase.ts";
import { GLOBAL_OBJECTS } from "../languages/typescript/facts.ts";
import { ToolError } from "../tools.ts";
import { refOf } from "./answers.ts";
import { indexOf, isPlain, isSymbol } from "./codebase-index.ts";
import { nearest } from "./distance.ts";
import { declaredField, fieldLines, NO_NODE } from "./fields.ts";
import { filesEndingWith, normalPath } from "./file-names.ts";
import { nearestNodes } from "./nearest.ts";
import { routesFor, SAME_PATH } from "./route-paths.ts";
import { partsOfName, spellings } from "./spellings.ts";

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

/** All nodes that the name may mean, none of them by guess: of several that one spelling means, the only one that another means, too. */
export function candidatesFor(codebase: Codebase, given: string): number[] {
  let several: number[] = [];
  for (const name of spellings(given)) {
    const all = withoutDeclarations(codebase, candidatesNamed(codebase, withoutModule(codebase, name)));
    const found = several.length > 0 ? all.filter((node) => several.includes(node)) : all;
    if (found.length === 1) return found;
    if (several.length === 0) several = found;
  }
  return several;
}

/** What a file of types (.d.ts) declares is not meant where the code that it is about is here as well. */
function withoutDeclarations({ graph }: Codebase, found: readonly number[]): number[] {
  const own = found.filter((node) => graph.nodes[node]!.origin !== "declarations");
  return own.length > 0 ? own : [...found];
}

/** A name that begins with the path of a Go module of ours, from that module's folder on. */
function withoutModule({ files }: Codebase, name: string): string {
  if (!name.includes("/")) return name;
  for (const path of files.paths) {
    if (path !== "go.mod" && !path.endsWith("/go.mod")) continue;
    const module = /^module\s+(\S+)/m.exec(files.text(path) ?? "")?.[1];
    if (module !== undefined && name.startsWith(module) && /^[./]/.test(name.slice(module.length))) {
      return `${path.slice(0, -"go.mod".length)}${name.slice(module.length + 1)}`;
    }
  }
  return name;
}

function candidatesNamed(codebase: Codebase, name: string): number[] {
  const { graph } = codebase;
  const byId = graph.find(name);
  if (byId !== undefined) return [byId];

  const symbols = symbolsNamed(codebase, name);
  if (symbols.length > 0) return symbols;
  const routes = routesNamed(codebase, name);
  if (routes.length > 0) return routes;

  // A path may hold a colon, so every one is tried, the last first.
  for (let colon = name.lastIndexOf(":"); colon > 0; colon = name.lastIndexOf(":", colon - 1)) {
    const files = filesEndingWith(codebase, name.slice(0, colon));
    if (files.length === 0) continue;
    const rest = name.slice(colon + 1).trim();
    const inside = new Set(files.map((file) => graph.nodes[file]!.file));
    const matches = /^\d+$/.test(rest)
      ? [...inside].flatMap((file) => symbolAtLine(codebase, file, Number(rest)))
      : symbolsNamed(codebase, rest, inside);
    if (matches.length > 0) return matches;
  }
  const files = filesEndingWith(codebase, name);
  if (files.length > 0) return files;
  const inModule = symbolsOfModule(codebase, name);
  // `Cart.total` in cart.ts is the field of Cart, where it has one, and no function beside it.
  if (inModule.length > 0) return declaredField(codebase, name) ? [] : inModule;
  const named = filesNamed(codebase, name);
  return named.length > 0 ? named : routesNamed(codebase, name, true);
}

/** The routes that a request or a path names: those that fit best. Paths with values for parameters count where `withValues` says so: without a method they may be of files. */
function routesNamed({ graph }: Codebase, name: string, withValues = /^[A-Z]+ /.test(name)): number[] {
  const found = routesFor(graph, name);
  const best = found[0]?.fit ?? 0;
  if (best < SAME_PATH && !withValues) return [];
  // One spelling of a path is as good as another where no method is said.
  const least = best >= SAME_PATH && name.startsWith("/") ? SAME_PATH : best;
  return found.filter(({ fit }) => fit >= least).map(({ node }) => node);
}

/** The file of a component of Vue or Svelte, `CartLine`, or of a module of Python: `shop.cart` is shop/cart.py or shop/cart/__init__.py. */
function filesNamed(codebase: Codebase, name: string): number[] {
  if (/^\p{Lu}\w*$/u.test(name)) return [`${name}.vue`, `${name}.svelte`].flatMap((file) => filesEndingWith(codebase, file));
  if (!/^\w+(?:\.\w+)+$/.test(name)) return [];
  const path = name.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__init__.py`].flatMap((file) => filesEndingWith(codebase, file));
}

/** Of those with one name what stands by itself: a member is meant with its type before it. A function within another stands no more by itself than a member. */
function topLevel({ graph }: Codebase, named: readonly number[]): number[] {
  const alone = named.filter((node) => graph.nodes[node]!.owner === "");
  const isInner = (node: number): boolean => graph.in(node, "DEFINES").some((e) => isPlain(graph.nodes[graph.from[e]!]!.kind));
  return alone.length > 0 && !alone.every(isInner) ? alone : [...named];
}

/** Symbols, of these files alone if some are given, by simple name, or by `Type.method` (also `Type::method`, `Type#method`, with modules before it). */
function symbolsNamed(codebase: Codebase, name: string, inside?: ReadonlySet<string>): number[] {
  const { symbolsByName } = indexOf(codebase);
  const named = (one: string): number[] => (symbolsByName.get(one) ?? []).filter((node) => inside?.has(nodes[node]!.file) !== false);
  const { nodes } = codebase.graph;
  const [simple, called] = [named(name), named(name.replace(/\(\)$/, ""))];
  if (simple.length + called.length > 0) return topLevel(codebase, simple.length > 0 ? simple : called);
  const { modules, last } = partsOfName(name);
  const owner = modules.pop();
  const own = owner === undefined ? [] : named(last).filter((node) => nodes[node]!.owner === owner);
  const found = own.length > 0 || owner === undefined ? own : inherited(codebase, named(owner), last);
  const inModule = found.length > 1 && modules.length > 0 ? found.filter((node) => isIn(codebase, node, modules)) : [];
  // `window.App` is the global App of pages.
  if (found.length === 0 && owner !== undefined && modules.length === 0 && GLOBAL_OBJECTS.has(owner)) return topLevel(codebase, named(last));
  return inModule.length > 0 ? inModule : found;
}

/** The members of a name that types have from others: of the nearest above that declare one; or that the nearest below declare. */
function inherited({ graph }: Codebase, types: readonly number[], name: string, isBelow = false): number[] {
  const seen = new Set(types);
  const next = (type: number, relation: "EXTENDS" | "IMPLEMENTS"): number[] => (isBelow ? graph.in(type, relation).map((e) => graph.from[e]!) : graph.out(type, relation).map((e) => graph.to[e]!));
  for (let level = [...types]; level.length > 0;) {
    level = level.flatMap((type) => (["EXTENDS", "IMPLEMENTS"] as const).flatMap((relation) => next(type, relation))).filter((type) => !seen.has(type));
    for (const type of level) seen.add(type);
    const found = [...new Set(level)].flatMap((type) => graph.out(type, "DEFINES").map((e) => graph.to[e]!).filter((member) => graph.nodes[member]!.name === name));
    if (found.length > 0) return found;
  }
  return [];
}

/** Symbols by the module, package or namespace that they are in: `starlette.routing.Router`, `org.jsoup.Jsoup`, `tools.NewServer`. */
function symbolsOfModule(codebase: Codebase, name: string): number[] {
  const { modules, last } = partsOfName(name);
  if (modules.length === 0) return [];
  return topLevel(codebase, (indexOf(codebase).symbolsByName.get(last) ?? []).filter((node) => isIn(codebase, node, modules)));
}

/**
 * Whether the folders of a symbol's file, with or without the file itself, and the modules and types around it in the file end in these
 * modules; or all of them are namespaces of the file.
 */
function isIn({ graph, files, name }: Codebase, node: number, modules: readonly string[]): boolean {
  const { file: path, owner } = graph.nodes[node]!;
  const file = [name, ...path.replace(/\.[^/]*$/, "").split("/")];
  const around = partsAround(graph, node);
  const inner = around.at(-1) === owner ? around.slice(0, -1) : around;
  const ending = modules.join("/").toLowerCase();
  if ([file, file.slice(0, -1)].some((folders) => `/${[...folders, ...inner].join("/")}`.toLowerCase().endsWith(`/${ending}`))) return true;
  const outer = modules.slice(0, Math.max(0, modules.length - inner.length));
  if (inner.length > 0 && modules.slice(outer.length).join() !== inner.join()) return false;
  const text = files.text(path) ?? "";
  if (!outer.every((module) => text.includes(module))) return false;
  const namespaces = [...text.matchAll(/^.*\b(?:namespace|module|package)\s+([\w.:\\]+)/gm)].map(([, said]) => said!.split(/[.:\\]+/));
  const isSaid = (parts: readonly string[]): boolean => namespaces.some((said) => `/${said.join("/")}`.endsWith(`/${parts.join("/")}`));
  return isSaid(outer) || outer.every((module) => isSaid([module]));
}

/** The names of the modules and types that a symbol stands in, the outermost first: Rust's `mod m { … }`, a class around a class. */
function partsAround(graph: Codebase["graph"], node: number): string[] {
  const [edge] = graph.in(node, "DEFINES");
  const around = edge === undefined ? -1 : graph.from[edge]!;
  const { kind, name } = graph.nodes[around] ?? { kind: "File", name: "" };
  return kind === "File" ? [] : [...partsAround(graph, around), name];
}

/** The innermost symbol that a line stands in. */
function symbolAtLine({ graph }: Codebase, file: string, line: number): number[] {
  let best = -1;
  graph.nodes.forEach((node, i) => {
    if (node.file !== file || !isSymbol(node) || node.startLine > line || node.endLine < line) return;
    const held = graph.nodes[best];
    if (!held || node.endLine - node.startLine < held.endLine - held.startLine) best = i;
  });
  return best < 0 ? [] : [best];
}

function ambiguous({ graph }: Codebase, name: string, found: readonly number[]): ToolError {
  return new ToolError(
    `"${name}" is ambiguous: ${found.length} match. Call again with the id of one of the candidates.`,
    { name, candidates: found.slice(0, MAX_CANDIDATES).map((i) => refOf(graph, i)), total: found.length, ...moreOf(found.length, "`file:name`, or search with a path") },
  );
}

function moreOf(found: number, rest: string): object {
  return found > MAX_CANDIDATES ? { more: found - MAX_CANDIDATES, rest } : {};
}

/** Why a place that a file has is nobody's: `src/a.ts:900`, `src/a.ts:3` between its symbols. */
function emptyLine(codebase: Codebase, given: string): string | undefined {
  for (const name of spellings(given)) {
    const [, path, line] = /^(.+):(\d+)$/.exec(name) ?? [];
    const [file] = path === undefined ? [] : filesEndingWith(codebase, path);
    if (file === undefined) continue;
    const stored = codebase.graph.nodes[file]!.file;
    const lines = (codebase.files.text(stored) ?? "").replace(/\n$/, "").split("\n").length;
    return Number(line) > lines ? `${stored} has ${lines} lines, and no line ${line!}.` : `No symbol stands in line ${line!} of ${stored}: name one, or the file itself.`;
  }
  return undefined;
}

/** The files that stand in a folder, directly or deeper; none for what is no folder. */
function filesIn({ files, graph }: Codebase, folder: string): number[] {
  return folder === "" ? [] : files.paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => graph.find(`File:${path}`)!);
}

/** What is near, and the lines where a text search finds the word: of a field, which is no node, that is all there is. */
function notFound(codebase: Codebase, name: string): ToolError {
  const empty = emptyLine(codebase, name);
  if (empty !== undefined) return new ToolError(empty);
  const below = declaredBelow(codebase, name);
  if (below) return below;
  const near = nearestNodes(codebase, name);
  const word = partsOfName(name.trim()).last;
  const isMisspelt = near.some((i) => codebase.graph.nodes[i]!.name.toLowerCase() === word.toLowerCase());
  const inside = isMisspelt ? [] : filesIn(codebase, normalPath(name));
  if (inside.length > 0) {
    return new ToolError(`${normalPath(name)} is a folder with ${inside.length} files. Name one of them, or a symbol.`,
      { candidates: inside.slice(0, MAX_CANDIDATES).map((i) => refOf(codebase.graph, i)), total: inside.length, ...moreOf(inside.length, `context with focus structure and path ${normalPath(name)}`) });
  }
  const field = isMisspelt ? declaredField(codebase, name) : fieldLines(codebase, name);
  const owners = near.length > 0 || field !== undefined ? [] : typesNamed(codebase, partsOfName(name.trim()).modules.at(-1) ?? "");
  const suggestion = near.length > 0
    ? "Did you mean one of the candidates? If not, grep it: not every variable and field is in the graph."
    : owners.length > 0 ? "The type before it is here, without such a member: read with outline tells those that it has."
    : "Use search to find it by topic, or grep to find text.";
  const candidates = [...near, ...owners];
  const details = {
    ...(candidates.length > 0 ? { candidates: candidates.map((i) => refOf(codebase.graph, i)) } : {}),
    ...field,
  };
  const said = field === undefined ? `Nothing here is called "${name}". ${suggestion}`
    : `"${name}" ${NO_NODE}`;
  return new ToolError(said, Object.keys(details).length > 0 ? details : undefined);
}

/** Of a member that its type does not declare, and that types below do; undefined for all others. */
function declaredBelow(codebase: Codebase, name: string): ToolError | undefined {
  const { modules, last } = partsOfName(name.trim());
  const type = modules.at(-1);
  const found = type === undefined ? [] : inherited(codebase, typesNamed(codebase, type), last, true);
  if (found.length === 0) return undefined;
  return new ToolError(
    `"${name}" is no node of the graph, but types that inherit from ${type!} have one of that name: call again with the id of a candidate. The lines that a text search finds follow; what they mean is not checked.`,
    { candidates: found.slice(0, MAX_CANDIDATES).map((i) => refOf(codebase.graph, i)), total: found.length, ...moreOf(found.length, `grep \\b${last}\\b`), ...fieldLines(codebase, name) },
  );
}

/** The types with a name, some of them where it has many. */
function typesNamed(codebase: Codebase, name: string): number[] {
  return (indexOf(codebase).symbolsByName.get(name) ?? []).filter((node) => !isPlain(codebase.graph.nodes[node]!.kind)).slice(0, MAX_CANDIDATES);
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
        { name: given, candidates: list(found), total: found.length, ...moreOf(found.length, "overview") });
    }
  }
  if (all.length === 0) throw new ToolError(`This repository has no ${what === "cluster" ? "clusters" : "processes"}.`);
  const near = nearest(name, all.map((item) => item.label), 5);
  const some = near.length > 0 ? all.filter((item) => near.includes(item.label)) : all.slice(0, 10);
  const suggestion = near.length > 0 ? "Did you mean one of the candidates?" : "The candidates are the largest.";
  throw new ToolError(`No ${what} is called "${name}". ${suggestion} overview lists them all.`, { candidates: list(some), total: all.length });
}
