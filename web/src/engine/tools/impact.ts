import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES, type EdgeType, type Graph, type GraphNode } from "../graph.ts";
import { missingRelations, noteOf, stillClustering } from "../summary.ts";
import { ToolError, type Tool } from "../tools.ts";
import { count, doubt, linesOf, present, qualifiedName, refOf, round, sitesOf } from "./answers.ts";
import { flag, number, oneOf, text, texts, type Arguments } from "./arguments.ts";
import { DEPENDENCE, indexOf } from "./codebase-index.ts";
import { resolveNode } from "./names.ts";
import { reach, type Reached } from "./reach.ts";
import { riskOf } from "./risk.ts";
import { touchedBy, touchedLists } from "./touched.ts";

/** Symbols told in full at each depth; what is nearer matters more. */
const SHOWN = [10, 4, 2];
/** Symbols that are named at each depth beside those: every direct caller counts, a few words for each will do. */
const NAMED = [90, 12, 6];
/** Files of each depth. */
const FILES = [60, 12, 6];
/** Where more than this depend directly, those and how many there are behind them matter: of the others half is told. */
const WIDE = 30;

/**
 * What a change of the target reaches. `sites` are the lines of the calls, imports or clauses in the file of the one
 * that depends; `via` the symbol that it was reached through, where that is not the target itself. `others` has by file
 * what `items` has no room for, `files` the files that depend as a whole.
 */
export const impact: Tool = async (args, { codebase, signal }) => {
  const target = resolveNode(codebase, text(args, "target"));
  const direction = oneOf(args, "direction", ["upstream", "downstream"]);
  const minConfidence = number(args, "minConfidence", 0.7);
  const { graph } = codebase;
  const { kind } = graph.nodes[target]!;
  if (kind === "Folder" || kind === "Community" || kind === "Process") {
    throw new ToolError(`${graph.nodes[target]!.id} is no symbol or file. Name one of its members; explore and context (focus structure) list them.`);
  }
  const { seeds, levels, omitted } = await reach(codebase, [target], {
    direction,
    maxDepth: number(args, "maxDepth", 3),
    relationTypes: relationTypes(args),
    minConfidence,
    includeTests: flag(args, "includeTests", false),
    checkpoint: checkpointOf(signal),
  });
  const reached = levels.flat().map(({ node }) => node);
  const touched = touchedBy(codebase, reached, seeds);
  const spread = { direct: levels[0]?.length ?? 0, total: reached.length, entries: touched.entries, clusters: touched.clusters.length };
  return present({
    target: { ...refOf(graph, target), ...(seeds.size > 1 ? { parts: seeds.size - 1 } : {}) },
    direction,
    risk: riskOf(spread, direction),
    total: spread.total,
    files: new Set(reached.map((node) => graph.nodes[node]!.file)).size,
    byDepth: levels.map((level) => tellLevel(codebase, level, target, spread.direct > WIDE)),
    ...touchedLists(touched),
    note: noteOn(codebase, omitted, minConfidence, reached.length === 0 && direction === "upstream" && !isEntered(graph.nodes[target]!) ? graph.nodes[target]!.name : undefined),
  });
};

/** Whether control comes from outside of the code, so that no caller is no surprise. */
export function isEntered({ entry }: GraphNode): boolean {
  return entry !== "" && entry !== "export";
}

/** Lets the thread's other events run, and throws when the call is over. */
export function checkpointOf(signal: AbortSignal): () => Promise<void> {
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
  };
}

/** One depth: the foremost symbols in full, the others by name, files by their paths; `truncated` where `total` is more than all of them. */
export function tellLevel(codebase: Codebase, level: readonly Reached[], target: number, isWide = false): object {
  const { graph } = codebase;
  const { connections } = indexOf(codebase);
  const depth = level[0]!.depth;
  const isFile = ({ node }: Reached): boolean => graph.nodes[node]!.kind === "File";
  const sorted = level.filter((reached) => !isFile(reached)).sort((a, b) =>
    Number(graph.nodes[a.node]!.generated) - Number(graph.nodes[b.node]!.generated)
    || round(b.confidence) - round(a.confidence) || connections[b.node]! - connections[a.node]! || a.node - b.node);
  const limit = (limits: readonly number[]): number => (limits[depth - 1] ?? limits.at(-1)!) / (isWide && depth > 1 ? 2 : 1);
  const shown = limit(SHOWN);
  const room = shown + limit(NAMED);
  const files = level.filter(isFile).sort((a, b) => connections[b.node]! - connections[a.node]! || a.node - b.node);
  const told = limit(FILES);
  return present({
    depth,
    total: level.length,
    items: sorted.slice(0, shown).map(({ node, type, edge, further, confidence, via }) => ({
      ...refOf(graph, node),
      edge: type,
      ...sitesOf(graph, ...edgesOf(edge, further)),
      ...doubt(confidence),
      ...(depth > 1 || via !== target ? { via: qualifiedName(graph.nodes[via]!) } : {}),
    })),
    others: sorted.length > shown ? namesByFile(graph, sorted.slice(shown, room)) : undefined,
    files: files.length > 0 ? files.slice(0, told).map(({ node, edge, further }) => `${graph.nodes[node]!.file}${siteText(graph, edgesOf(edge, further))}`) : undefined,
    truncated: sorted.length > room || files.length > told ? true as const : undefined,
  });
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
function namesByFile(graph: Graph, level: readonly Reached[]): Record<string, string[]> {
  const files: Record<string, string[]> = {};
  for (const { node, edge, further } of level) {
    const symbol = graph.nodes[node]!;
    (files[symbol.file] ??= []).push(qualifiedName(symbol) + (siteText(graph, edgesOf(edge, further)) || `:${symbol.line}`));
  }
  return files;
}

/** `:12,40`; nothing where there are no lines. */
function siteText(graph: Graph, edges: readonly number[]): string {
  const sites = linesOf(graph, edges);
  return sites.length === 0 ? "" : `:${sites.slice(0, 3).join(",")}${sites.length > 3 ? ",…" : ""}`;
}

/** How to see what was left out. `unused` is the target's name when nothing was found to depend on it. */
function noteOn(codebase: Codebase, omitted: { lowConfidence: number; tests: number }, minConfidence: number, unused: string | undefined): string | undefined {
  const parts: string[] = [];
  if (unused !== undefined) parts.push(`Reads of a variable, mentions of a type and calls by reflection are no edges of the graph: grep "${unused}" before you take it for unused`);
  if (omitted.lowConfidence > 0) parts.push(`${count(omitted.lowConfidence, "edge")} below confidence ${minConfidence} left out (dynamic calls 0.6, guesses under 0.5): lower minConfidence to see more`);
  if (omitted.tests > 0) parts.push(`${count(omitted.tests, "edge")} of tests left out: set includeTests to see more`);
  return noteOf(missingRelations(codebase), stillClustering(codebase), parts.length > 0 ? `${parts.join("; ")}.` : undefined);
}
