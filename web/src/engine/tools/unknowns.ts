/** Why the dependents of a symbol or file may be more than the graph has, and which ones an answer left out. */
import type { Codebase } from "../codebase.ts";
import type { GraphNode } from "../graph.ts";
import { count, cutSome, qualifiedName, type CutList } from "./answers.ts";
import type { Omitted, Reached } from "./reach.ts";
import { linesWithWord } from "./words-in-text.ts";

/** Dependents that were left out, of each sort. */
const LISTED = 8;
/** Where a name stands more often than this, the exact number says nothing more. */
const MENTIONS = 100;

/** A line that is a comment and nothing else. */
const COMMENT = /^\s*(?:\/\/|\/?\*|#|--)/;

const TYPES: ReadonlySet<string> = new Set(["Class", "Interface", "Struct", "Enum", "TypeAlias", "Module"]);

export interface Unknowns {
  /** Empty where nothing can depend on it but what was found. */
  reasons: string[];
  leftOut?: {
    /** Dependents below the confidence asked for, as `file:line name confidence`. */
    unsure?: CutList<string>;
    tests?: CutList<string>;
    /** Lines that have the name and that no edge stands for, as `file:line`. */
    mentions?: CutList<string>;
  };
}

/**
 * `parts` is the target with all that belongs to it. `found` is how many dependents were found: the text is searched
 * for the name only where there are none.
 */
export function unknownsOf(codebase: Codebase, target: number, parts: ReadonlySet<number>, omitted: Omitted, found: number): Unknowns {
  const { graph } = codebase;
  const node = graph.nodes[target]!;
  const reasons: string[] = [];
  if (!node.test) {
    const own = [...parts].map((part) => graph.nodes[part]!).filter(({ line }) => line > 0);
    const exported = own.filter((part) => part.exported).length;
    if (node.exported) reasons.push("exported: uses outside of this repository are not seen");
    else if (exported > 0) reasons.push(`${count(exported, "symbol")} of it exported: uses outside of this repository are not seen`);
    const entry = own.find(isEntered);
    if (entry) reasons.push(`${entry === node ? "it" : qualifiedName(entry)} is an entry (${entry.entry}): control comes from outside of this code`);
  }
  const { unsure, tests } = omitted;
  if (tests.length > 0) reasons.push(`${count(tests.length, "dependent")} in tests left out`);
  if (unsure.length > 0) reasons.push(`${count(unsure.length, "dependent")} below the confidence left out`);
  reasons.push(...unresolvedAround(codebase, node));
  const mentions = found === 0 && node.line > 0 && !node.test ? mentionsOf(codebase, target, parts) : [];
  if (mentions.length > 0) {
    reasons.push(`its name stands in ${mentions.length > MENTIONS ? `more than ${MENTIONS} other lines` : count(mentions.length, "other line")} of code or text, and no edge says why`);
  }
  if (TYPES.has(node.kind)) {
    reasons.push("declarations that only mention the type are no edges");
  }
  const listed = (reached: readonly Reached[], rest: string): CutList<string> | undefined => cutSome(reached, LISTED, (r) => dependentText(codebase, r), rest);
  const leftOut = {
    ...some("unsure", listed(unsure, "impact with minConfidence 0")), ...some("tests", listed(tests, "impact with includeTests")),
    ...some("mentions", cutSome(mentions, LISTED, (at) => at, `grep \\b${node.name}\\b`)),
  };
  return { reasons, ...(Object.keys(leftOut).length > 0 ? { leftOut } : {}) };
}

function some<K extends string, V>(key: K, value: V | undefined): { [k in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [k in K]?: V };
}

/** Whether control comes from outside of the code, so that no caller is no surprise. */
export function isEntered({ entry }: GraphNode): boolean {
  return entry !== "" && entry !== "export";
}

/** `src/a.ts:12 Server.run 0.6`: the line of the call where it is known. */
function dependentText({ graph }: Codebase, { node, edge, confidence }: Reached): string {
  const { file, line } = graph.nodes[node]!;
  const at = edge < 0 ? line : graph.line[edge]! || line;
  return `${file}${at > 0 ? `:${at}` : ""}${line > 0 ? ` ${qualifiedName(graph.nodes[node]!)}` : ""}${confidence < 0.7 ? ` ${Math.round(confidence * 100) / 100}` : ""}`;
}

/** Files of its language whose relations are missing, its own first. */
function unresolvedAround({ graph, skipped, syntaxErrors }: Codebase, { file, language }: GraphNode): string[] {
  const missing = skipped.filter(({ unresolved }) => unresolved).filter(({ path }) =>
    path === file || path.startsWith("*") ? file.endsWith(path.replace("*", "")) : graph.nodes[graph.find(`File:${path}`) ?? -1]?.language === language);
  const reasons: string[] = [];
  if (missing.some(({ path }) => path === file || path.startsWith("*"))) reasons.push("its file could not be resolved");
  else if (missing.length > 0) reasons.push(`${count(missing.length, "file")} that could not be resolved may use it`);
  if (syntaxErrors.some(({ path }) => path === file)) reasons.push("its file has syntax errors");
  return reasons;
}

/**
 * Lines that have the target's name and that nothing explains, those of code first; MENTIONS and one at most. Declarations
 * of the name, the comments above them and lines that an edge stands for, whatever of that name it leads to, are explained.
 */
function mentionsOf({ graph, files }: Codebase, target: number, parts: ReadonlySet<number>): string[] {
  const { name, file, startLine, endLine } = graph.nodes[target]!;
  const explained = new Set<string>();
  for (const [index, node] of graph.nodes.entries()) {
    if (node.line === 0 || node.name !== name && !parts.has(index)) continue;
    explained.add(`${node.file}:${node.line}`);
    const lines = (files.text(node.file) ?? "").split("\n");
    for (let at = node.startLine - 1; at > 0 && COMMENT.test(lines[at - 1]!); at--) explained.add(`${node.file}:${at}`);
    if (node.name !== name) continue;
    for (const e of graph.in(index)) for (const site of graph.sites(e)) explained.add(`${graph.nodes[graph.from[e]!]!.file}:${site}`);
  }
  const isOwn = (path: string, line: number): boolean => path === file && line >= startLine && line <= endLine;
  const isCode = (path: string): boolean => (graph.nodes[graph.find(`File:${path}`) ?? -1]?.language ?? "") !== "";
  const lines = (code: boolean): string[] => linesWithWord(files, name, MENTIONS + 1, (path, line) =>
    isCode(path) === code && !isOwn(path, line) && !explained.has(`${path}:${line}`)).map(({ path, line }) => `${path}:${line}`);
  return [...lines(true), ...lines(false)].slice(0, MENTIONS + 1);
}
