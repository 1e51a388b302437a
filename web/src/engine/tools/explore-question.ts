/** What answers a question about the code within a budget: the symbols that matter, with code and what is around them. */
import type { Codebase } from "../codebase.ts";
import { searchCodebase } from "../search.ts";
import { ToolError } from "../tools.ts";
import { SURE } from "../summary.ts";
import type { GraphNode } from "../graph.ts";
import { cut, cutSome, linesText, present, qualifiedName, refOf, round } from "./answers.ts";
import { indexOf } from "./codebase-index.ts";
import { isSure, possibleCallees, possibleCallers } from "./dynamic.ts";
import { type Block, block, linesIn } from "./excerpts.ts";
import { candidatesFor } from "./names.ts";
import { nearestNodes } from "./nearest.ts";
import { shortestPath } from "./paths.ts";
import { implementations } from "./reach.ts";
import { readable } from "./readable.ts";
import { docLine } from "./search.ts";
import { splitNames } from "./several.ts";
import { usedFirst } from "./telling.ts";

/** Code and names have about so many characters a token. */
const CHARS_A_TOKEN = 3.5;
/** Symbols looked at; what does not fit is named. */
const SYMBOLS = 12;
const AROUND = 6;
const POSSIBLE_CALLERS = 3;
/** Each is a call with its targets. */
const POSSIBLE_CALLEES = 2;
const MAX_LINES = 80;
/** Lines told of each that uses a symbol. */
const PLACES = 3;
/** Of the budget for the code of one symbol. */
const CODE_SHARE = 0.35;
/** Symbols between which ways are looked for, and the longest way. */
const ENDS = 4;
const MAX_CALLS = 6;
/** Symbols of one name that are told before those of others. */
const NAMESAKES = 2;
/** Names told that resemble one that nothing has. */
const NEAR = 3;

/** `question` is names, or words as search takes them; `budget` is in tokens. The most telling comes first. */
export function exploreQuestion(codebase: Codebase, question: string, budget: number): object {
  const { graph } = codebase;
  const symbols = symbolsFor(codebase, question);
  if (symbols.length === 0) throw new ToolError(`Nothing has the words of "${question}" in its name, signature, path or comment. Ask with other words, or grep for text.`);
  const room = budget * CHARS_A_TOKEN;
  const flows = flowsBetween(codebase, symbols.slice(0, ENDS));
  const size = (about: object): number => (readable("explore", { found: [about] }) as string).length;
  let left = room - size({ flows });
  const found: object[] = [];
  const others: number[] = [];
  const shown = new ShownLines();
  for (const node of symbols.slice(0, SYMBOLS)) {
    let code = codeOf(codebase, node, shown, Math.min(left * 0.7, room * CODE_SHARE));
    let about = aboutOne(codebase, node, code);
    if (size(about) > left) about = aboutOne(codebase, node, (code = {}));
    if (size(about) <= left || found.length === 0) {
      found.push(about);
      left -= size(about);
      shown.add(graph.nodes[node]!, code);
    } else {
      others.push(node);
    }
  }
  others.push(...symbols.slice(SYMBOLS));
  return present({
    note: unknownNames(codebase, question),
    found,
    flows: flows.length > 0 ? flows : undefined,
    others: others.length > 0 ? cut(others, SYMBOLS, (node) => refOf(graph, node), "search, or a larger budget") : undefined,
  });
}

/** The symbols that a question names, of a file those in it, the best connected first; else those that search finds. */
export function symbolsFor(codebase: Codebase, question: string): number[] {
  const { graph } = codebase;
  const { connections } = indexOf(codebase);
  const inFile = (file: number): number[] => graph.out(file, "DEFINES").map((e) => graph.to[e]!).sort((a, b) => connections[b]! - connections[a]! || a - b);
  const named = splitNames(question).flatMap((name) => candidatesFor(codebase, name))
    .flatMap((node) => (graph.nodes[node]!.kind === "File" ? inFile(node) : [node])).filter((node) => graph.nodes[node]!.line > 0);
  return named.length > 0 ? [...new Set(named)] : hitsFor(codebase, question);
}

/** Which names of a question, written without spaces, nothing has, and what resembles them. */
function unknownNames(codebase: Codebase, question: string): string | undefined {
  const unknown = splitNames(question).filter((name) => !/\s/.test(name) && candidatesFor(codebase, name).length === 0);
  if (unknown.length === 0) return undefined;
  const near = unknown.flatMap((name) => nearestNodes(codebase, name).slice(0, NEAR)).map((node) => qualifiedName(codebase.graph.nodes[node]!));
  return `Nothing here is called ${unknown.map((name) => `"${name}"`).join(", ")}.${near.length === 0 ? "" : ` Nearest: ${[...new Set(near)].join(", ")}.`}${unknown.length === splitNames(question).length ? " What follows has words like it." : ""}`;
}

/** Symbols that search finds, the best first; behind those what is one more of a name, and tests, unless the question is about them. */
function hitsFor(codebase: Codebase, question: string): number[] {
  const { nodes } = codebase.graph;
  const found = searchCodebase(codebase, question).map(({ node }) => node).filter((node) => nodes[node]!.line > 0).slice(0, 3 * SYMBOLS);
  const aboutTests = /\btest(?:s|ed|ing)?\b/i.test(question);
  const times = new Map<string, number>();
  const rank = new Map(found.map((node) => {
    const { name, test } = nodes[node]!;
    times.set(name, (times.get(name) ?? 0) + 1);
    return [node, test && !aboutTests ? 2 : times.get(name)! > NAMESAKES ? 1 : 0];
  }));
  return found.sort((a, b) => rank.get(a)! - rank.get(b)!);
}

/** Which lines an answer has, each of them once: a class and a method of it may both be told. */
class ShownLines {
  private readonly shown = new Map<string, { from: number; to: number }[]>();

  add({ file, startLine, endLine }: GraphNode, { code, shownTo = endLine }: Partial<Block>): void {
    if (code !== undefined) this.shown.set(file, [...this.of(file), { from: startLine, to: shownTo }]);
  }

  /** Whether all lines of a symbol are there. */
  has({ file, startLine, endLine }: GraphNode): boolean {
    return this.of(file).some(({ from, to }) => from <= startLine && endLine <= to);
  }

  /** The last line of a symbol before the first one within it that is there. */
  endOf({ file, startLine, endLine }: GraphNode): number {
    return Math.min(endLine, ...this.of(file).filter(({ from }) => from > startLine).map(({ from }) => from - 1));
  }

  private of(file: string): readonly { from: number; to: number }[] {
    return this.shown.get(file) ?? [];
  }
}

/** Code, as far as there is room for it and it is not there yet. */
type Code = Partial<Block> & { isAbove?: boolean };

function codeOf(codebase: Codebase, node: number, shown: ShownLines, room: number): Code {
  const symbol = codebase.graph.nodes[node]!;
  if (shown.has(symbol)) return { isAbove: true };
  if (room <= 0) return {};
  const end = shown.endOf(symbol);
  const { code, shownTo = end } = block(linesIn(codebase, symbol.file), symbol.startLine, end, MAX_LINES, room);
  return { code, ...(shownTo < symbol.endLine ? { shownTo } : {}) };
}

function aboutOne(codebase: Codebase, node: number, { code, shownTo, isAbove }: Code): object {
  const { graph } = codebase;
  const symbol = graph.nodes[node]!;
  const { connections, processesOf } = indexOf(codebase);
  const place = (e: number, other: number): string => `${graph.nodes[other]!.file}:${placesText(graph.sites(e)) || graph.nodes[other]!.line} ${qualifiedName(graph.nodes[other]!)}`;
  const named = (other: number): string => `${qualifiedName(graph.nodes[other]!)} ${graph.nodes[other]!.file}:${graph.nodes[other]!.line}`;
  const around = (way: "in" | "out", type: "CALLS" | "REFERENCES" | "HANDLES" | "EXTENDS" | "IMPLEMENTS"): object | undefined => {
    const end = way === "in" ? graph.from : graph.to;
    const edges = (way === "in" ? graph.in(node, type) : graph.out(node, type)).filter((e) => isSure(codebase, e) && (way === "out" || symbol.test || !graph.nodes[end[e]!]!.test));
    const ordered = way === "out" ? usedFirst(codebase, edges, type) : edges.sort((a, b) => connections[end[b]!]! - connections[end[a]!]! || a - b);
    return cutSome(ordered, AROUND, (e) => (way === "in" ? place(e, end[e]!) : named(end[e]!)), "deep_dive");
  };
  return present({
    ...refOf(graph, node),
    lines: isAbove ? `${linesText(symbol)!}, shown above` : linesText(symbol),
    signature: code !== undefined || symbol.signature === "" ? undefined : symbol.signature,
    ...docLine(codebase, symbol),
    entry: symbol.entry || undefined,
    routes: around("in", "HANDLES"),
    handledBy: around("out", "HANDLES"),
    extends: around("out", "EXTENDS"),
    extendedBy: around("in", "EXTENDS"),
    implements: around("out", "IMPLEMENTS"),
    implementedBy: symbol.kind === "Method" ? overridden(codebase, node, named) : around("in", "IMPLEMENTS"),
    callers: around("in", "CALLS"),
    referencedBy: around("in", "REFERENCES"),
    possibleCallers: cutSome(possibleCallers(codebase, node), POSSIBLE_CALLERS, (call) => call, "deep_dive"),
    callees: around("out", "CALLS"),
    references: around("out", "REFERENCES"),
    possibleCallees: cutSome(possibleCallees(codebase, node), POSSIBLE_CALLEES, (call) => call, "deep_dive"),
    processes: cutSome(processesOf(node), 2, ({ process, step }) => `${process.label}, step ${step}`, "deep_dive"),
    code,
    shownTo,
  });
}

/** `12,40,61+2`: the first lines, and how many more there are; "" for none. */
function placesText(lines: readonly number[]): string {
  const more = lines.length - PLACES;
  return `${lines.slice(0, PLACES).join(",")}${more > 0 ? `+${more}` : ""}`;
}

/** The methods that implement a method or take its place in types below, those of tests only for a test. */
function overridden(codebase: Codebase, node: number, named: (method: number) => string): object | undefined {
  const { graph } = codebase;
  const all = [...implementations(graph, node)].filter((one) => graph.nodes[node]!.test || !graph.nodes[one.node]!.test);
  return cutSome(all, AROUND, (one) => (one.confidence < SURE - 1e-6 ? `${named(one.node)} ${round(one.confidence)}` : named(one.node)), "deep_dive");
}

/** The shortest ways of sure calls between some symbols. */
function flowsBetween(codebase: Codebase, symbols: readonly number[]): string[] {
  const { graph } = codebase;
  const flows: string[] = [];
  for (const from of symbols) {
    for (const to of symbols) {
      if (from === to) continue;
      const { path } = shortestPath(graph, [from], [to], { maxCalls: MAX_CALLS, minConfidence: 0.5, through: (node) => !graph.nodes[node]!.test });
      if (path) flows.push(path.nodes.map((node, i) => `${qualifiedName(graph.nodes[node]!)}${i > 0 && !isSure(codebase, path.edges[i - 1]!) ? " (possible)" : ""}`).join(" → "));
    }
  }
  return flows;
}
