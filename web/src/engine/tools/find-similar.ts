import type { Codebase } from "../codebase.ts";
import type { Graph } from "../graph.ts";
import { wordsOf } from "../search-words.ts";
import { SURE } from "../summary.ts";
import { ToolError, type Tool } from "../tools.ts";
import { count, qualifiedName, refOf, round } from "./answers.ts";
import { number, text } from "./arguments.ts";
import { indexOf, isSymbol } from "./codebase-index.ts";
import { Page } from "./page.ts";
import { answerAbout } from "./several.ts";

/** Less alike than this is chance. */
const MIN_SIMILARITY = 0.25;
/** Told of each of several targets. */
const BRIEF = 3;
/** Named in a reason; what they are more is a number. */
const NAMED = 3;

/** Where more symbols than this share something, it brings nobody into question by itself. */
const COMMON = 300;

/** What makes two symbols alike, with its weight. */
const WEIGHTS = { callees: 0.35, callers: 0.1, members: 0.35, bases: 0.15, words: 0.25, signature: 0.15, size: 0.05 } as const;
type Trait = Exclude<keyof typeof WEIGHTS, "size">;

/** One symbol as it is compared: callees, callers and bases are node indexes. */
type Traits = Record<Trait, ReadonlySet<number | string>>;

/** Symbols of one sort that are built alike: that call the same, are called by the same, are named and shaped alike. */
export const findSimilar: Tool = (args, { codebase }) =>
  answerAbout(codebase, text(args, "name"), (target, brief) => Promise.resolve(similarTo(codebase, target, new Page({ ...args, limit: number(args, "limit", brief ? BRIEF : 5) }))));

function similarTo(codebase: Codebase, target: number, page: Page): object {
  const { graph } = codebase;
  const node = graph.nodes[target]!;
  if (!isSymbol(node)) throw new ToolError(`${node.id} is no symbol. Name a function, a method or a type.`);

  const mine = traitsOf(graph, target);
  const { candidates, worth, sort } = candidatesFor(codebase, target, mine);
  const found = page.filter(candidates, (other) => graph.nodes[other]!.file)
    .map((other) => ({ other, ...compare(graph, target, mine, other, worth) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity || a.other - b.other);
  const end = page.offset + page.limit!;
  return {
    ...refOf(graph, target),
    similar: found.slice(page.offset, end).map(({ other, similarity, why }) => ({ ...refOf(graph, other), similarity: round(similarity), why })),
    ...(found.length > end ? { more: found.length - end, rest: `offset ${end}` } : {}),
    ...(found.length === 0 ? { note: `Of ${count(sort, "symbol")} of its sort none${page.isFiltered ? " with that path" : ""} is built like it. ${page.isFiltered ? "Leave path out to look everywhere." : "search finds what is named like it."}` } : {}),
  };
}

/** Kinds that can stand for each other. */
function sortOf(kind: string): string {
  if (kind === "Function" || kind === "Method") return "callable";
  return kind === "Variable" || kind === "Route" ? kind : "type";
}

function traitsOf(graph: Graph, i: number): Traits {
  const { name, signature } = graph.nodes[i]!;
  const ends = (edges: number[], end: Uint32Array): number[] => edges.filter((e) => graph.confidence[e]! >= SURE - 1e-6).map((e) => end[e]!).filter((other) => other !== i);
  return {
    callees: new Set(ends(graph.out(i, "CALLS"), graph.to)),
    callers: new Set(ends(graph.in(i, "CALLS"), graph.from).filter((caller) => !graph.nodes[caller]!.test)),
    members: new Set(graph.out(i, "DEFINES").map((e) => graph.nodes[graph.to[e]!]!.name)),
    bases: new Set([...ends(graph.out(i, "EXTENDS"), graph.to), ...ends(graph.out(i, "IMPLEMENTS"), graph.to)]),
    words: new Set(wordsOf(name)),
    signature: new Set(shapeOf(signature, name)),
  };
}

/** How telling an element of a trait is: what many have says little. */
type Worth = (trait: Trait, element: number | string) => number;

/** The symbols that share more than a shape with the target, in the graph's order. `sort` is how many there are of its sort. */
function candidatesFor(codebase: Codebase, target: number, mine: Traits): { candidates: number[]; worth: Worth; sort: number } {
  const { graph } = codebase;
  const { symbolsByName } = indexOf(codebase);
  const node = graph.nodes[target]!;
  const found = new Set<number>();
  const propose = (nodes: readonly number[]): void => {
    if (nodes.length <= COMMON) for (const other of nodes) found.add(other);
  };
  for (const callee of mine.callees) propose(graph.in(Number(callee), "CALLS").map((e) => graph.from[e]!));
  for (const caller of mine.callers) propose(graph.out(Number(caller), "CALLS").map((e) => graph.to[e]!));
  for (const base of mine.bases) for (const type of ["EXTENDS", "IMPLEMENTS"] as const) propose(graph.in(Number(base), type).map((e) => graph.from[e]!));
  for (const member of mine.members) propose((symbolsByName.get(String(member)) ?? []).flatMap((part) => graph.in(part, "DEFINES").map((e) => graph.from[e]!)));

  const isOfSort = (other: number): boolean => sortOf(graph.nodes[other]!.kind) === sortOf(node.kind) && isSymbol(graph.nodes[other]!);
  const named = new Map<string, number[]>();
  let sort = 0;
  graph.nodes.forEach((other, i) => {
    if (!isOfSort(i)) return;
    sort++;
    for (const word of new Set(wordsOf(other.name))) {
      const known = named.get(word);
      if (known) known.push(i);
      else named.set(word, [i]);
    }
  });
  for (const word of mine.words) propose(named.get(String(word)) ?? []);

  const candidates = [...found]
    .filter((i) => i !== target && isOfSort(i) && (node.test || !graph.nodes[i]!.test) && (node.generated || !graph.nodes[i]!.generated))
    .sort((a, b) => a - b);
  const holders = (trait: Trait, element: number | string): number => {
    switch (trait) {
      case "callees": return graph.in(Number(element), "CALLS").length;
      case "callers": return graph.out(Number(element), "CALLS").length;
      case "bases": return graph.in(Number(element), "EXTENDS").length + graph.in(Number(element), "IMPLEMENTS").length;
      case "members": return symbolsByName.get(String(element))?.length ?? 1;
      case "words": return named.get(String(element))?.length ?? 1;
      // Of a head every part counts the same.
      case "signature": return sort;
    }
  };
  return { candidates, sort, worth: (trait, element) => Math.log(1 + sort / Math.max(1, holders(trait, element))) };
}

/** What a head says after its name: parameters by their number, and the types and words in it. */
function shapeOf(signature: string, name: string): string[] {
  const rest = signature.slice(signature.indexOf(name) + name.length);
  const open = rest.indexOf("(");
  if (open < 0) return [];
  let depth = 0;
  let parameters = /^\(\s*\)/.test(rest.slice(open)) ? 0 : 1;
  for (const sign of rest.slice(open)) {
    if ("([{<".includes(sign)) depth++;
    else if (")]}>".includes(sign) && --depth === 0) break;
    else if (sign === "," && depth === 1) parameters++;
  }
  return [...(rest.match(/\p{L}[\p{L}\d_]+/gu) ?? []), count(parameters, "parameter")];
}

function compare(graph: Graph, a: number, mine: Traits, b: number, worth: Worth): { similarity: number; why: string } {
  const theirs = traitsOf(graph, b);
  const parts: { trait: Trait; gain: number; shared: string[] }[] = [];
  let possible: number = WEIGHTS.size;
  for (const trait of Object.keys(mine) as Trait[]) {
    const both = overlap(mine[trait], theirs[trait], (element) => worth(trait, element));
    if (!both) continue;
    possible += WEIGHTS[trait];
    const names = both.shared.map((element) => (typeof element === "number" ? qualifiedName(graph.nodes[element]!) : element));
    parts.push({ trait, gain: WEIGHTS[trait] * both.likeness, shared: names });
  }
  const lines = (i: number): number => graph.nodes[i]!.endLine - graph.nodes[i]!.startLine + 1;
  const size = Math.min(lines(a), lines(b)) / Math.max(lines(a), lines(b));

  // Where names and heads are all that there is to compare, likeness is half chance.
  const telling = Math.min(1, possible / 0.6);
  const similarity = (telling * parts.reduce((sum, { gain }) => sum + gain, WEIGHTS.size * size)) / possible;
  const why = parts
    .filter(({ gain }) => gain > 0.02)
    .sort((x, y) => y.gain - x.gain)
    .slice(0, 2)
    .map(({ trait, shared }) => inWords(trait, shared))
    .join("; ");
  return { similarity, why };
}

/** The share of what both have in what either has, by worth; undefined where neither has anything. `shared` has the most telling first. */
function overlap<T>(a: ReadonlySet<T>, b: ReadonlySet<T>, worth: (element: T) => number): { likeness: number; shared: T[] } | undefined {
  if (a.size === 0 && b.size === 0) return undefined;
  const shared = [...a].filter((element) => b.has(element));
  if (shared.length === 0) return { likeness: 0, shared };
  const sum = (elements: Iterable<T>): number => [...elements].reduce((total, element) => total + worth(element), 0);
  const both = sum(shared);
  return { likeness: both / (sum(a) + sum(b) - both), shared: shared.sort((x, y) => worth(y) - worth(x)) };
}

function inWords(trait: Trait, shared: readonly string[]): string {
  const names = shared.slice(0, NAMED).join(", ");
  const list = shared.length > NAMED ? `${names} and ${shared.length - NAMED} more` : names;
  switch (trait) {
    case "callees": return `both call ${list}`;
    case "callers": return `${list} ${shared.length === 1 ? "calls" : "call"} both`;
    case "members": return `both have ${list}`;
    case "bases": return `both extend or implement ${list}`;
    case "words": return `named ${list}`;
    case "signature": return `heads share ${list}`;
  }
}
