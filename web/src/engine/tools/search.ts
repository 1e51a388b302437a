import type { Codebase } from "../codebase.ts";
import { docOf, docOfFile } from "../doc-comments.ts";
import type { GraphNode } from "../graph.ts";
import { searchCodebase } from "../search.ts";
import { stillClustering } from "../summary.ts";
import type { Tool } from "../tools.ts";
import { linesText, qualifiedName, refOf, shorten } from "./answers.ts";
import { flag, number, oneOf, optionalText, text } from "./arguments.ts";
import { indexOf } from "./codebase-index.ts";
import { linesIn } from "./excerpts.ts";
import { fieldLines, NO_NODE } from "./names.ts";
import { Page } from "./page.ts";

const MAX_DOC = 140;
const MAX_SIGNATURE = 120;
/** Further hits of several words that are named for each that is told, and at most: what code does is often said in other words than its own, and the right hit comes late. */
const OTHERS = 6;
const MAX_OTHERS = 60;
/** Lines with a name that is no node's. */
const TEXT_LINES = 8;

/**
 * Symbols and files, the best first, each with its head and what its comment says first. With groupByProcess each process
 * that two hits or more take part in is told once, in `groups`, with their ranks, from 1; without it each result names its own.
 * So is each cluster, in `clusters`. A result's `line` is told where its `lines` begin elsewhere, as with a decorator.
 * Of several words the next hits are told by name and line, by file, in `others`.
 * A single word that is no node's name, and stands in the code, is first told with its lines, in `inText`.
 */
export const search: Tool = (args, { codebase }) => {
  const query = text(args, "query");
  const page = new Page({ ...args, limit: number(args, "limit", 10) });
  const kind = optionalText(args, "kind");
  const tests = oneOf({ tests: "last", ...args }, "tests", ["last", "none", "only"]);
  const group = flag(args, "groupByProcess", true);
  const { graph } = codebase;
  const index = indexOf(codebase);
  const note = stillClustering(codebase);
  const isWanted = (node: GraphNode): boolean => (kind === undefined || node.kind === kind) && (tests === "last" || node.test === (tests === "only"));
  const hits = page.filter(searchCodebase(codebase, query), ({ node }) => graph.nodes[node]!.file).filter(({ node }) => isWanted(graph.nodes[node]!));
  const shown = hits.slice(page.offset, page.offset + page.limit!);

  const groups = new Map<string, { id: string; label: string; ranks: number[] }>();
  const clusters: Record<string, number[]> = {};
  const results = shown.map(({ node: i }, index0) => {
    const node = graph.nodes[i]!;
    const at = page.offset + index0;
    const processes = index.processesOf(i);
    if (group) {
      for (const { process } of processes) {
        const { id } = graph.nodes[process.node]!;
        const known = groups.get(id);
        if (known) known.ranks.push(at + 1);
        else groups.set(id, { id, label: process.label, ranks: [at + 1] });
      }
    }
    const cluster = index.communityOf(i);
    if (cluster) (clusters[cluster.label] ??= []).push(at + 1);
    return {
      ...(node.line === node.startLine ? { id: node.id } : refOf(graph, i)),
      lines: linesText(node),
      ...(saysMore(node) ? { signature: shorten(node.signature, MAX_SIGNATURE) } : {}),
      ...docLine(codebase, node),
      ...(group || processes.length === 0 ? {} : { processes: processes.map(({ process }) => process.label) }),
      connections: index.connections[i]!,
      ...(node.test ? { test: true } : {}),
      ...(node.origin === "" ? {} : { origin: node.origin }),
    };
  });
  const shared = [...groups.values()].filter(({ ranks }) => ranks.length > 1);
  const others: Record<string, string[]> = {};
  const end = page.offset + shown.length;
  const named = /\s/.test(query.trim()) ? Math.min(OTHERS * page.limit!, MAX_OTHERS) : 0;
  for (const { node } of hits.slice(end, end + named)) {
    const symbol = graph.nodes[node]!;
    if (symbol.kind !== "File") (others[symbol.file] ??= []).push(`${qualifiedName(symbol)}:${symbol.line}`);
  }
  const isWantedPath = (path: string): boolean => page.wants(path) && (tests === "last" || isWanted(graph.nodes[graph.find(`File:${path}`)!]!));
  const isNode = index.symbolsByName.get(query.trim()) !== undefined;
  const inText = isNode || !page.isFirst || kind !== undefined || !/^[\w$]+$/.test(query.trim()) ? undefined : fieldLines(codebase, query, TEXT_LINES, isWantedPath);
  return {
    ...(inText ? { inText: { note: `${query.trim()} ${NO_NODE}`, ...inText } } : {}),
    results,
    ...(shared.length > 0 ? { groups: shared.sort((a, b) => b.ranks.length - a.ranks.length || a.ranks[0]! - b.ranks[0]!) } : {}),
    ...(Object.keys(clusters).length > 0 ? { clusters } : {}),
    ...(Object.keys(others).length > 0 ? { others } : {}),
    total: hits.length,
    ...(hits.length > end ? { more: hits.length - end, rest: `offset ${end}` } : {}),
    ...(note === undefined ? {} : { note }),
    ...(hits.length === 0 && (kind !== undefined || tests !== "last" || optionalText(args, "path") !== undefined) ? { hint: "Nothing of that path, kind or tests has these words: leave a filter out." }
      : hits.length === 0 ? { hint: "Nothing has these words in its name, signature, path or doc comment. Try fewer or other words, or grep for text inside files." } : {}),
  };
};

/** Whether a signature is more than a kind and a name (`class Store`), which the id tells. */
function saysMore({ signature, name }: GraphNode): boolean {
  return signature !== "" && !(/^\w+ [^ ]+$/.test(signature) && signature.endsWith(` ${name}`));
}

/** What the comment at a declaration says first. */
export function docLine(codebase: Codebase, { kind, file, startLine, language }: GraphNode): { doc?: string } {
  if (language === "") return {};
  const lines = linesIn(codebase, file);
  const doc = kind === "File" ? docOfFile(lines, language) : docOf(lines, startLine, language);
  const first = withoutTags(doc).split(/\n\s*\n|(?<=[.!?])\s/)[0]!.replace(/\s+/g, " ").trim();
  return first === "" ? {} : { doc: shorten(first, MAX_DOC) };
}

/** What a comment says without the tags that say no more than the code or the docs' order: `@since 1.0.0`, `@name jake.Task#invoke`. */
function withoutTags(doc: string): string {
  return doc.replace(/^\s*@(?:desc(?:ription)?|summary|brief)\s+/gm, "").replace(/^\s*@[a-z]\w*\b.*$/gim, "").trim();
}
