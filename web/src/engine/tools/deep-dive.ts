import type { Codebase } from "../codebase.ts";
import { missingRelations, noteOf, stillClustering } from "../summary.ts";
import { ToolError, type Tool } from "../tools.ts";
import { linesText, present, refOf } from "./answers.ts";
import { text } from "./arguments.ts";
import { DEPENDENCE, indexOf } from "./codebase-index.ts";
import { possibleCallees } from "./dynamic.ts";
import { block, linesIn } from "./excerpts.ts";
import { countsByFile, neighboursOf } from "./explore.ts";
import { checkpointOf, spreadOf, tellLevels } from "./impact.ts";
import { Page } from "./page.ts";
import { implementations, reach, type ReachOptions } from "./reach.ts";
import { riskOf } from "./risk.ts";
import { answerAbout } from "./several.ts";
import { processesOf } from "./touched.ts";
import { unknownsOf, type Unknowns } from "./unknowns.ts";

const MAX_LINES = 120;
const MAX_CHARS = 6_000;
const LISTED = 15;
/** Direct dependents that are told with their edges. */
const TOLD = 100;
/** Where an answer is one of several. */
const BRIEF = 5;
const BRIEF_LINES = 40;
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
export const deepDive: Tool = (args, { codebase, signal }) =>
  answerAbout(codebase, text(args, "name"), (target, brief) => diveInto(codebase, target, new Page(brief ? { limit: BRIEF, ...args } : args), brief, signal));

async function diveInto(codebase: Codebase, target: number, page: Page, brief: boolean, signal: AbortSignal): Promise<object> {
  const { graph } = codebase;
  const node = graph.nodes[target]!;
  if (node.line === 0) {
    const instead = node.kind === "File" ? "review_file" : node.kind === "Folder" ? "context with focus structure" : "explore";
    throw new ToolError(`${node.id} is no symbol. Use ${instead} for it, or name a symbol.`);
  }
  const options: ReachOptions = {
    direction: "upstream", maxDepth: DEPTH, relationTypes: DEPENDENCE, minConfidence: MIN_CONFIDENCE, includeTests: node.test, checkpoint: checkpointOf(signal),
  };
  const { seeds, levels, omitted } = await reach(codebase, [target], options);
  const tests = new Map<string, number>();
  if (!node.test) {
    for (const { node: by } of (await reach(codebase, [target], { ...options, includeTests: true })).levels.flat()) {
      const { test, file, line } = graph.nodes[by]!;
      // A test file's import of it says less than the tests that use it.
      if (test) tests.set(file, (tests.get(file) ?? 0) + (line > 0 ? 1 : 0));
    }
  }
  const spread = spreadOf(codebase, seeds, levels, "upstream");
  const unknowns = unknownsOf(codebase, target, seeds, omitted, levels.length, riskOf(spread, "upstream").level === "LOW");
  const { arriving, leaving } = neighboursOf(codebase, target, LISTED, page);
  const shown = block(linesIn(codebase, node.file), node.startLine, node.endLine, brief ? BRIEF_LINES : MAX_LINES, MAX_CHARS);
  const shownTo = shown.shownTo ?? node.endLine;
  // What stands in the code above needs no list.
  const elsewhere = graph.out(target, "DEFINES").map((e) => graph.to[e]!)
    .filter((part) => graph.nodes[part]!.file !== node.file || graph.nodes[part]!.startLine > shownTo || graph.nodes[part]!.startLine < node.startLine);
  // What inherits from it, or takes its place, stands among the dependents: in a list of its own only where one is missing there. Tests stand below, by file.
  const told = new Set(page.isFirst && page.limit === undefined ? (levels[0] ?? []).slice(0, TOLD).map(({ node: by }) => by) : []);
  const isMissing = (heirs: readonly number[]): boolean => heirs.some((heir) => !told.has(heir) && (node.test || !graph.nodes[heir]!.test));
  const followers = node.kind === "Method" ? [...implementations(graph, target)].map((other) => other.node) : [];
  const heirs = (relation: "EXTENDS" | "IMPLEMENTS"): number[] => graph.in(target, relation).map((e) => graph.from[e]!);
  const owner = graph.in(target, "DEFINES").map((e) => graph.nodes[graph.from[e]!]!).find(({ kind }) => kind !== "File");
  return present({
    ...refOf(graph, target),
    in: owner?.id,
    exported: node.exported ? true as const : undefined,
    test: node.test ? true as const : undefined,
    origin: node.origin || undefined,
    entry: node.entry || undefined,
    cluster: indexOf(codebase).communityOf(target)?.label,
    ...(page.isFirst
      ? {
          risk: riskOf(spread, "upstream", unknowns),
          lines: linesText(node),
          code: shown.code,
          shownTo: shown.shownTo,
          dependents: levels.length > 0 ? tellLevels(codebase, levels, target, page, `impact upstream with maxDepth ${DEPTH} and offset`) : undefined,
          // Tests stand below, by file.
          leftOut: leftOutOf(unknowns),
        }
      : {}),
    handledBy: leaving("HANDLES"),
    callees: leaving("CALLS"),
    references: leaving("REFERENCES"),
    possibleCallees: page.list(possibleCallees(codebase, target), LISTED, () => "", (call) => call),
    members: page.list(elsewhere, LISTED, (part) => graph.nodes[part]!.file, (part) => refOf(graph, part)),
    extends: leaving("EXTENDS"),
    implements: leaving("IMPLEMENTS"),
    extendedBy: isMissing(heirs("EXTENDS")) ? arriving("EXTENDS") : undefined,
    implementedBy: isMissing(heirs("IMPLEMENTS")) ? arriving("IMPLEMENTS")
      : isMissing(followers) ? page.list(followers, LISTED, (other) => graph.nodes[other]!.file, (other) => refOf(graph, other)) : undefined,
    processes: processesOf(codebase, target, PROCESSES, page),
    tests: countsByFile(tests, TESTS, page),
    note: noteOf(missingRelations(codebase), stillClustering(codebase)),
  });
}

function leftOutOf({ leftOut = {} }: Unknowns): Unknowns["leftOut"] {
  const rest = present({ unsure: leftOut.unsure, mentions: leftOut.mentions });
  return Object.keys(rest).length > 0 ? rest : undefined;
}
