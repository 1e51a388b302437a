import { EDGE_TYPES, type EdgeType, type Graph } from "../graph.ts";
import { ToolError, type Tool } from "../tools.ts";
import { count, cut, present, qualifiedName, refOf, round } from "./answers.ts";
import { flag, number, oneOf, text, texts, type Arguments } from "./arguments.ts";
import { DEPENDENCE, indexOf } from "./codebase-index.ts";
import { resolveNode } from "./names.ts";
import { reach, type Reached } from "./reach.ts";
import { riskOf } from "./risk.ts";

/** Symbols told in full at each depth; what is nearer matters more. */
const SHOWN = [15, 6, 4];
/** Symbols that are named at each depth beside those: every direct caller counts, a few words for each will do. */
const NAMED = [100, 30, 15];
const GROUPS_SHOWN = 10;

/**
 * What a change of the target reaches. `refLine` is the line of the call, import or clause in the file of the one
 * that depends; `via` the symbol that it was reached through, where that is not the target itself. `others` has by file
 * what `items` has no room for, each as `name:line` of its declaration.
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
  const { seeds, levels, omitted } = await reach(codebase, target, {
    direction,
    maxDepth: number(args, "maxDepth", 3),
    relationTypes: relationTypes(args),
    minConfidence,
    includeTests: flag(args, "includeTests", false),
    checkpoint: async () => {
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal.throwIfAborted();
    },
  });
  const { connections, processesOf, communityOf } = indexOf(codebase);

  const entry = ({ node, type, confidence, line, via, depth }: Reached): object => ({
    ...refOf(graph, node),
    edge: type,
    confidence: round(confidence),
    ...(line > 0 && line !== graph.nodes[node]!.line ? { refLine: line } : {}),
    ...(depth > 1 || via !== target ? { via: qualifiedName(graph.nodes[via]!) } : {}),
  });
  const telling = (a: Reached, b: Reached): number =>
    Number(graph.nodes[a.node]!.generated) - Number(graph.nodes[b.node]!.generated)
    || round(b.confidence) - round(a.confidence) || connections[b.node]! - connections[a.node]! || a.node - b.node;
  const byDepth = levels.map((level, i) => {
    level.sort(telling);
    const shown = SHOWN[i] ?? SHOWN.at(-1)!;
    const room = shown + (NAMED[i] ?? NAMED.at(-1)!);
    return present({
      depth: i + 1,
      total: level.length,
      items: level.slice(0, shown).map(entry),
      others: level.length > shown ? namesByFile(graph, level.slice(shown, room)) : undefined,
      truncated: level.length > room ? true as const : undefined,
    });
  });

  const reached = levels.flat();
  const processes = new Map<string, { id: string; label: string; steps: string[] }>();
  const entries = new Set<number>();
  for (const node of [...seeds, ...reached.map((r) => r.node)]) {
    for (const { process } of processesOf(node)) {
      const { id } = graph.nodes[process.node]!;
      entries.add(process.steps[0]!);
      const known = processes.get(id);
      if (known) known.steps.push(qualifiedName(graph.nodes[node]!));
      else processes.set(id, { id, label: process.label, steps: [qualifiedName(graph.nodes[node]!)] });
    }
  }
  const clusters = new Map<string, { id: string; label: string; symbols: number }>();
  for (const { node } of reached) {
    const community = communityOf(node);
    if (!community) continue;
    const { id } = graph.nodes[community.node]!;
    const known = clusters.get(id);
    if (known) known.symbols++;
    else clusters.set(id, { id, label: community.label, symbols: 1 });
  }
  const files = new Set(reached.map(({ node }) => graph.nodes[node]!.file));
  const affected = [...processes.values()].sort((a, b) => b.steps.length - a.steps.length);
  const touched = [...clusters.values()].sort((a, b) => b.symbols - a.symbols);
  const spread = { direct: levels[0]?.length ?? 0, total: reached.length, entries: entries.size, clusters: clusters.size };
  return present({
    target: { ...refOf(graph, target), ...(seeds.size > 1 ? { parts: seeds.size - 1 } : {}) },
    direction,
    risk: riskOf(spread, direction),
    direct: spread.direct,
    total: spread.total,
    files: files.size,
    byDepth,
    processes: cut(affected, GROUPS_SHOWN, ({ id, label, steps }) => ({ id, label, steps: steps.length })),
    clusters: cut(touched, GROUPS_SHOWN, (cluster) => cluster),
    omitted: {
      ...(omitted.lowConfidence > 0 ? { lowConfidence: omitted.lowConfidence } : {}),
      ...(omitted.tests > 0 ? { tests: omitted.tests } : {}),
    },
    note: noteOn(omitted, minConfidence, reached.length === 0 && direction === "upstream" ? graph.nodes[target]!.name : undefined),
  });
};

function relationTypes(args: Arguments): readonly EdgeType[] {
  if (args.relationTypes === undefined) return DEPENDENCE;
  return texts(args, "relationTypes").map((name) => {
    const type = EDGE_TYPES.find((t) => t === name);
    if (!type) throw new ToolError(`"${name}" is no relation type. There are ${EDGE_TYPES.join(", ")}.`);
    return type;
  });
}

/** `name:line` of each by its file; a file itself, which has no line, by its name. */
function namesByFile(graph: Graph, level: readonly Reached[]): Record<string, string[]> {
  const files: Record<string, string[]> = {};
  for (const { node } of level) {
    const symbol = graph.nodes[node]!;
    (files[symbol.file] ??= []).push(symbol.line > 0 ? `${qualifiedName(symbol)}:${symbol.line}` : symbol.name);
  }
  return files;
}

/** How to see what was left out. `unused` is the target's name when nothing was found to depend on it. */
function noteOn(omitted: { lowConfidence: number; tests: number }, minConfidence: number, unused: string | undefined): string | undefined {
  const parts: string[] = [];
  if (unused !== undefined) parts.push(`Reads of a variable, mentions of a type and calls by reflection are no edges of the graph: grep "${unused}" before you take it for unused`);
  if (omitted.lowConfidence > 0) parts.push(`${count(omitted.lowConfidence, "edge")} below confidence ${minConfidence} left out (dynamic calls 0.6, guesses under 0.5): lower minConfidence to see more`);
  if (omitted.tests > 0) parts.push(`${count(omitted.tests, "edge")} of tests left out: set includeTests to see more`);
  return parts.length > 0 ? `${parts.join("; ")}.` : undefined;
}
