import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES, type EdgeType, type Graph } from "../graph.ts";
import { missingRelations, noteOf, stillClustering } from "../summary.ts";
import { ToolError, type Tool } from "../tools.ts";
import { doubt, linesOf, present, qualifiedName, refOf, round, sitesOf } from "./answers.ts";
import { flag, number, oneOf, text, texts, type Arguments } from "./arguments.ts";
import { DEPENDENCE, indexOf } from "./codebase-index.ts";
import { Page } from "./page.ts";
import { dependentsAtAnyDepth, reach, type Direction, type Omitted, type Reached } from "./reach.ts";
import { ANY_DEPTH, riskOf, type Spread } from "./risk.ts";
import { answerAbout } from "./several.ts";
import { touchedBy, touchedLists } from "./touched.ts";
import { unknownsBelow, unknownsOf } from "./unknowns.ts";

/** Symbols told in full at each depth; what is nearer matters more. */
const SHOWN = [10, 4, 2];
/** Symbols that are named at each depth beside those: every direct caller counts, a few words for each will do. */
const NAMED = [90, 12, 6];
/** Files of each depth. */
const FILES = [60, 12, 6];
/** Dependents of each depth where an answer is one of several. */
const BRIEF = 15;
/** Dependents of a page that has no limit. */
const PAGE = 100;
/** Where more than this depend directly, those and how many there are behind them matter: of the others half is told. */
const WIDE = 30;

/**
 * What a change of the target reaches. `sites` are the lines of the calls, imports or clauses in the file of the one
 * that depends; `via` the symbol that it was reached through, where that is not the target itself. `others` has by file
 * what `items` has no room for, `files` the files that depend as a whole. `beyond` is how many the next depth would add.
 */
export const impact: Tool = (args, { codebase, signal }) =>
  answerAbout(codebase, text(args, "target"), (target, brief) => impactOf(codebase, target, brief ? { limit: BRIEF, ...args } : args, signal));

async function impactOf(codebase: Codebase, target: number, args: Arguments, signal: AbortSignal): Promise<object> {
  const page = new Page(args);
  const direction = oneOf(args, "direction", ["upstream", "downstream"]);
  const minConfidence = number(args, "minConfidence", 0.7);
  const { graph } = codebase;
  const { kind } = graph.nodes[target]!;
  if (kind === "Folder" || kind === "Community" || kind === "Process") {
    throw new ToolError(`${graph.nodes[target]!.id} is no symbol or file. Name one of its members; explore and context (focus structure) list them.`);
  }
  const { seeds, levels, omitted, beyond } = await reach(codebase, [target], {
    direction,
    maxDepth: number(args, "maxDepth", 3),
    relationTypes: relationTypes(args),
    minConfidence,
    // What uses a test, and what it uses, are tests.
    includeTests: flag(args, "includeTests", false) || graph.nodes[target]!.test,
    checkpoint: checkpointOf(signal),
  });
  const reached = levels.flat().map(({ node }) => node);
  const touched = touchedBy(codebase, reached, seeds);
  const spread = spreadOf(codebase, seeds, levels, direction);
  const isLow = riskOf(spread, direction).level === "LOW";
  const unknowns = direction === "upstream" ? unknownsOf(codebase, target, seeds, omitted, reached.length, isLow) : unknownsBelow(codebase, target, seeds, omitted, reached.length);
  return present({
    target: { ...refOf(graph, target), ...(seeds.size > 1 ? { parts: seeds.size - 1 } : {}) },
    direction,
    risk: riskOf(spread, direction, unknowns),
    total: reached.length,
    files: new Set(reached.map((node) => graph.nodes[node]!.file)).size,
    byDepth: tellLevels(codebase, levels, target, page, "offset"),
    beyond: beyond > 0 ? beyond : undefined,
    leftOut: page.isFirst ? unknowns.leftOut : undefined,
    ...touchedLists(touched, page),
    note: page.isFirst ? noteOn(codebase, omitted, minConfidence) : undefined,
  });
}

/** The figures of the risk. */
export function spreadOf(codebase: Codebase, seeds: ReadonlySet<number>, levels: readonly Reached[][], direction: Direction): Spread {
  const all = levels.flat();
  const sure = all.filter((reached) => reached.sure);
  const { entries, clusters } = touchedBy(codebase, sure.map(({ node }) => node), seeds);
  return {
    direct: sure.filter(({ depth }) => depth === 1).length, total: sure.length, possible: all.length - sure.length, entries, clusters: clusters.length,
    anyDepth: direction === "upstream" && sure.length < ANY_DEPTH ? dependentsAtAnyDepth(codebase.graph, seeds, ANY_DEPTH).nodes.size - seeds.size : 0,
  };
}

/** Lets the thread's other events run, and throws when the call is over. */
export function checkpointOf(signal: AbortSignal): () => Promise<void> {
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
  };
}

/**
 * All depths: of each the foremost symbols in full, the others by name, files by their paths. A page that is not the first,
 * or one with a limit, has by name what stands there in the order of depths. `rest` says how to get what is cut.
 */
export function tellLevels(codebase: Codebase, levels: readonly Reached[][], target: number, page: Page, rest: string): object[] {
  const isWide = (levels[0]?.length ?? 0) > WIDE;
  const told: object[] = [];
  let start = 0;
  for (const level of levels) {
    const wanted = page.filter(level, ({ node }) => codebase.graph.nodes[node]!.file);
    if (wanted.length === 0) continue;
    const own = page.isFirst && page.limit === undefined ? tellHead(codebase, wanted, target, isWide, start, page, rest) : tellPart(codebase, wanted, start, page, rest);
    const types = new Map<EdgeType, number>();
    for (const { type } of level) types.set(type, (types.get(type) ?? 0) + 1);
    if (own) {
      told.push(present({
        depth: level[0]!.depth, total: level.length, matching: wanted.length < level.length ? wanted.length : undefined,
        edges: types.size > 1 ? Object.fromEntries(types) : undefined, ...own,
      }));
    }
    start += wanted.length;
  }
  return told;
}

/** One depth in the order in which it is told: symbols, the most telling first, then files. */
function ordered(codebase: Codebase, level: readonly Reached[]): { symbols: Reached[]; files: Reached[] } {
  const { graph } = codebase;
  const { connections } = indexOf(codebase);
  const isFile = ({ node }: Reached): boolean => graph.nodes[node]!.kind === "File";
  return {
    symbols: level.filter((reached) => !isFile(reached)).sort((a, b) =>
      Number(graph.nodes[a.node]!.generated) - Number(graph.nodes[b.node]!.generated)
      || round(b.confidence) - round(a.confidence) || connections[b.node]! - connections[a.node]! || a.node - b.node),
    files: level.filter(isFile).sort((a, b) => connections[b.node]! - connections[a.node]! || a.node - b.node),
  };
}

/** `start` is how many dependents the depths before have. */
function tellHead(codebase: Codebase, level: readonly Reached[], target: number, isWide: boolean, start: number, page: Page, rest: string): object {
  const { graph } = codebase;
  const { depth } = level[0]!;
  const { symbols, files } = ordered(codebase, level);
  const limit = (limits: readonly number[]): number => (limits[depth - 1] ?? limits.at(-1)!) / (isWide && depth > 1 ? 2 : 1);
  const shown = limit(SHOWN);
  const room = shown + limit(NAMED);
  const told = limit(FILES);
  const more = Math.max(0, symbols.length - room) + Math.max(0, files.length - told);
  const next = start + (symbols.length > room ? room : symbols.length + told);
  return present({
    items: symbols.slice(0, shown).map(({ node, type, edge, further, confidence, via }) => ({
      ...refOf(graph, node),
      edge: type,
      ...sitesOf(graph, edgesOf(edge, further), page.isFiltered),
      ...doubt(confidence),
      ...(depth > 1 || via !== target ? { via: qualifiedName(graph.nodes[via]!) } : {}),
    })),
    others: symbols.length > shown ? namesByFile(graph, symbols.slice(shown, room), page) : undefined,
    files: files.length > 0 ? files.slice(0, told).map((file) => fileText(graph, file, page)) : undefined,
    more: more > 0 ? more : undefined,
    rest: more > 0 ? `${rest} ${next}` : undefined,
  });
}

/** What a page has of one depth; undefined for nothing. */
function tellPart(codebase: Codebase, level: readonly Reached[], start: number, page: Page, rest: string): object | undefined {
  const { graph } = codebase;
  const end = page.offset + (page.limit ?? PAGE);
  const from = Math.max(0, page.offset - start);
  const to = Math.min(level.length, end - start);
  if (from >= to) return undefined;
  const { symbols, files } = ordered(codebase, level);
  const named = symbols.slice(from, to);
  const paths = files.slice(Math.max(0, from - symbols.length), Math.max(0, to - symbols.length));
  return present({
    others: named.length > 0 ? namesByFile(graph, named, page) : undefined,
    files: paths.length > 0 ? paths.map((file) => fileText(graph, file, page)) : undefined,
    more: to < level.length ? level.length - to : undefined,
    rest: to < level.length ? `${rest} ${start + to}` : undefined,
  });
}

function fileText(graph: Graph, { node, edge, further }: Reached, page: Page): string {
  return `${graph.nodes[node]!.file}${siteText(graph, edgesOf(edge, further), page)}`;
}

function relationTypes(args: Arguments): readonly EdgeType[] {
  if (args.relationTypes === undefined) return DEPENDENCE;
  return texts(args, "relationTypes").map((name) => {
    const type = EDGE_TYPES.find((t) => t === name);
    if (!type) throw new ToolError(`"${name}" is no relation type. There are ${EDGE_TYPES.join(", ")}.`);
    return type;
  });
}

function edgesOf(edge: number, further: readonly number[]): number[] {
  return edge < 0 ? [...further] : [edge, ...further];
}

/** Of each by its file `name:lines`, the lines where it calls or imports, or its own where there are none: `file:line` is its name, too. */
function namesByFile(graph: Graph, level: readonly Reached[], page: Page): Record<string, string[]> {
  const files: Record<string, string[]> = {};
  for (const { node, edge, further } of level) {
    const symbol = graph.nodes[node]!;
    (files[symbol.file] ??= []).push(qualifiedName(symbol) + (siteText(graph, edgesOf(edge, further), page) || `:${symbol.line}`));
  }
  return files;
}

/** `:12,40`, `:12,40,51+2` where two more are told by a page of that path alone; nothing where there are no lines. */
function siteText(graph: Graph, edges: readonly number[], page: Page): string {
  const sites = linesOf(graph, edges);
  const told = page.isFiltered ? sites.length : 3;
  return sites.length === 0 ? "" : `:${sites.slice(0, told).join(",")}${sites.length > told ? `+${sites.length - told}` : ""}`;
}

/** How to see what was left out. */
function noteOn(codebase: Codebase, { unsure, tests }: Omitted, minConfidence: number): string | undefined {
  const parts: string[] = [];
  if (unsure.length > 0) parts.push(`${unsure.length} below confidence ${minConfidence} left out (dynamic calls 0.6, guesses under 0.5): lower minConfidence to see more`);
  if (tests.length > 0) parts.push(`${tests.length} in tests left out: set includeTests to see more`);
  return noteOf(missingRelations(codebase), stillClustering(codebase), parts.length > 0 ? `${parts.join("; ")}.` : undefined);
}
