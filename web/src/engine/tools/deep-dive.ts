import type { Codebase } from "../codebase.ts";
import { missingRelations, noteOf, stillClustering } from "../summary.ts";
import { ToolError, type Tool } from "../tools.ts";
import { cutSome, linesText, present, refOf } from "./answers.ts";
import { text } from "./arguments.ts";
import { DEPENDENCE, indexOf } from "./codebase-index.ts";
import { block, linesIn } from "./excerpts.ts";
import { countsByFile, neighboursOf } from "./explore.ts";
import { checkpointOf, isEntered, tellLevel } from "./impact.ts";
import { resolveNode } from "./names.ts";
import { implementations, reach, type ReachOptions } from "./reach.ts";
import { riskOf } from "./risk.ts";
import { processesOf, touchedBy } from "./touched.ts";

const MAX_LINES = 120;
const MAX_CHARS = 6_000;
const LISTED = 15;
const PROCESSES = 5;
const TESTS = 10;
/** Callers of callers; impact goes further. */
const DEPTH = 2;
/** As impact has it by itself. */
const MIN_CONFIDENCE = 0.7;

/**
 * All of one symbol that a change of it needs: its code, who depends on it and at which lines, what it calls, the tests
 * that reach it, and the risk.
 */
export const deepDive: Tool = async (args, { codebase, signal }) => {
  const { graph } = codebase;
  const target = resolveNode(codebase, text(args, "name"));
  const node = graph.nodes[target]!;
  if (node.line === 0) {
    const instead = node.kind === "File" ? "review_file" : node.kind === "Folder" ? "context with focus structure" : "explore";
    throw new ToolError(`${node.id} is no symbol. Use ${instead} for it, or name a symbol.`);
  }
  const options: ReachOptions = {
    direction: "upstream", maxDepth: DEPTH, relationTypes: DEPENDENCE, minConfidence: MIN_CONFIDENCE, includeTests: false, checkpoint: checkpointOf(signal),
  };
  const { seeds, levels, omitted } = await reach(codebase, [target], options);
  const reached = levels.flat().map((r) => r.node);
  const touched = touchedBy(codebase, reached, seeds);
  const tests = new Map<string, number>();
  if (!node.test) {
    for (const { node: by } of (await reach(codebase, [target], { ...options, includeTests: true })).levels.flat()) {
      const { test, file, line } = graph.nodes[by]!;
      // A test file's import of it says less than the tests that use it.
      if (test) tests.set(file, (tests.get(file) ?? 0) + (line > 0 ? 1 : 0));
    }
  }
  const { arriving, leaving } = neighboursOf(codebase, target, LISTED);
  const shown = block(linesIn(codebase, node.file), node.startLine, node.endLine, MAX_LINES, MAX_CHARS);
  const shownTo = shown.shownTo ?? node.endLine;
  // What stands in the code above needs no list.
  const elsewhere = graph.out(target, "DEFINES").map((e) => graph.to[e]!)
    .filter((part) => graph.nodes[part]!.file !== node.file || graph.nodes[part]!.startLine > shownTo || graph.nodes[part]!.startLine < node.startLine);
  const owner = graph.in(target, "DEFINES").map((e) => graph.nodes[graph.from[e]!]!).find(({ kind }) => kind !== "File");
  return present({
    ...refOf(graph, target),
    in: owner?.id,
    exported: node.exported ? true as const : undefined,
    test: node.test ? true as const : undefined,
    origin: node.origin || undefined,
    entry: node.entry || undefined,
    cluster: indexOf(codebase).communityOf(target)?.label,
    risk: riskOf({ direct: levels[0]?.length ?? 0, total: reached.length, entries: touched.entries, clusters: touched.clusters.length }, "upstream"),
    lines: linesText(node),
    code: shown.code,
    shownTo: shown.shownTo,
    dependents: levels.length > 0 ? levels.map((level) => tellLevel(codebase, level, target)) : undefined,
    callees: leaving("CALLS"),
    members: cutSome(elsewhere, LISTED, (part) => refOf(graph, part)),
    extends: leaving("EXTENDS"),
    implements: leaving("IMPLEMENTS"),
    extendedBy: arriving("EXTENDS"),
    implementedBy: arriving("IMPLEMENTS")
      ?? (node.kind === "Method" ? cutSome([...implementations(graph, target)], LISTED, (other) => refOf(graph, other.node)) : undefined),
    processes: processesOf(codebase, target, PROCESSES),
    tests: countsByFile(tests, TESTS),
    note: noteOn(codebase, omitted.lowConfidence, reached.length === 0 && !isEntered(node) ? { name: node.name, tested: tests.size > 0 } : undefined),
  });
};

function noteOn(codebase: Codebase, unsure: number, unused: { name: string; tested: boolean } | undefined): string | undefined {
  return noteOf(
    missingRelations(codebase), stillClustering(codebase),
    unused && `Nothing in the graph ${unused.tested ? "but tests " : ""}depends on it; reads of a variable, mentions of a type and reflection are no edges: grep "${unused.name}" before you take it for unused.`,
    unsure > 0 ? `${unsure} unsure ${unsure === 1 ? "dependent" : "dependents"} left out: impact with a lower minConfidence tells them.` : undefined,
  );
}
