import type { Codebase } from "../codebase.ts";
import { docOf, docOfFile } from "../doc-comments.ts";
import type { Graph, GraphNode } from "../graph.ts";
import { searchCodebase, type SearchHit } from "../search.ts";
import { stillClustering } from "../summary.ts";
import type { Tool } from "../tools.ts";
import { linesText, qualifiedName, refOf, shorten } from "./answers.ts";
import { flag, number, oneOf, optionalText, text } from "./arguments.ts";
import { indexOf } from "./codebase-index.ts";
import { linesIn } from "./excerpts.ts";
import { fieldLines, NO_NODE } from "./fields.ts";
import { candidatesFor } from "./names.ts";
import { Page } from "./page.ts";

const MAX_DOC = 140;
/** That of a route ends with its handler, and stays whole. */
const MAX_SIGNATURE = 120;
/** Further hits of several words that are named for each that is told, and at most: what code does is often said in other words than its own, and the right hit comes late. */
const OTHERS = 6;
const MAX_OTHERS = 60;
/** Hits of one name that are told as one. */
const MAX_NAMESAKES = 20;
/** Lines with a name that is no node's. */
const TEXT_LINES = 8;

/** What may be a field, with or without its type: `size`, `Conn.size`, `(*Conn).size`, `conn->size`, `Conn::size`. */
const FIELD = /^[\w$.#:*()>-]+$/;

const FILTERED = "Nothing of that path, kind or tests has these words: leave a filter out.";
const NOTHING = "Nothing has these words in its name, signature, path or doc comment. Try fewer or other words, or grep for text inside files.";

/**
 * Symbols and files, the best first, each with its head and what its comment says first. With groupByProcess each process
 * that two hits or more take part in is told once, in `groups`, with their places in `results`, from 1; without it each result names its own.
 * So is each cluster, in `clusters`. A result's `line` is told where its `lines` begin elsewhere, as with a decorator.
 * Of several words the hits of one name are told as one, the further ones in its `namesakes`, and the next hits by name and line, by file, in `others`.
 * A single name that is no node's, and stands in the code, is first told with its lines, in `inText`.
 */
export const search: Tool = (args, { codebase }) => {
  const query = text(args, "query").trim();
  const page = new Page({ ...args, limit: number(args, "limit", 10) });
  const kind = optionalText(args, "kind");
  const tests = oneOf({ tests: "last", ...args }, "tests", ["last", "none", "only"]);
  const group = flag(args, "groupByProcess", true);
  const { graph } = codebase;
  const note = stillClustering(codebase);
  const isWanted = (node: GraphNode): boolean => (kind === undefined || node.kind === kind) && (tests === "last" || node.test === (tests === "only"));
  const hits = page.filter(searchCodebase(codebase, query), ({ node }) => graph.nodes[node]!.file).filter(({ node }) => isWanted(graph.nodes[node]!));
  const isQuestion = /\s/.test(query);
  const { told, end } = pageOf(graph, hits, page, isQuestion);
  const nodes = told.map(({ node }) => node);
  const groups = group ? processesOf(codebase, nodes) : [];
  const clusters = clustersOf(codebase, nodes);
  const others = namesByFile(graph, hits.slice(end, end + (isQuestion ? Math.min(OTHERS * page.limit!, MAX_OTHERS) : 0)).map(({ node }) => node));
  const mayBeField = page.isFirst && kind === undefined && FIELD.test(query) && candidatesFor(codebase, query).length === 0;
  const inText = mayBeField ? fieldLines(codebase, query, TEXT_LINES, (path) => page.wants(path) && (tests === "last" || isWanted(graph.nodes[graph.find(`File:${path}`)!]!))) : undefined;
  const isFiltered = kind !== undefined || tests !== "last" || optionalText(args, "path") !== undefined;
  return {
    ...(inText ? { inText: { note: `${query} ${NO_NODE}`, ...inText } } : {}),
    results: told.map(({ node, namesakes }) => resultOf(codebase, node, namesakes, !group)),
    ...(groups.length > 0 ? { groups } : {}),
    ...(Object.keys(clusters).length > 0 ? { clusters } : {}),
    ...(Object.keys(others).length > 0 ? { others } : {}),
    total: hits.length,
    ...(hits.length > end ? { more: hits.length - end, rest: `offset ${end}` } : {}),
    ...(note === undefined ? {} : { note }),
    ...(hits.length === 0 ? { hint: isFiltered ? FILTERED : NOTHING } : {}),
  };
};

/** One result. `withProcesses`: with those that it takes part in, which are told in groups otherwise. */
function resultOf(codebase: Codebase, at: number, namesakes: readonly number[], withProcesses: boolean): Record<string, unknown> {
  const { graph } = codebase;
  const node = graph.nodes[at]!;
  const index = indexOf(codebase);
  const processes = withProcesses ? index.processesOf(at).map(({ process }) => process.label) : [];
  return {
    ...(node.line === node.startLine ? { id: node.id } : refOf(graph, at)),
    lines: linesText(node),
    ...(saysMore(node) ? { signature: node.kind === "Route" ? node.signature : shorten(node.signature, MAX_SIGNATURE) } : {}),
    ...docLine(codebase, node),
    ...(processes.length > 0 ? { processes } : {}),
    connections: index.connections[at]!,
    ...(node.test ? { test: true } : {}),
    ...(node.origin === "" ? {} : { origin: node.origin }),
    ...(namesakes.length > 0 ? { namesakes: namesByFile(graph, namesakes) } : {}),
  };
}

/** The processes that two results or more take part in, those of most first, with the places of these. */
function processesOf(codebase: Codebase, results: readonly number[]): { id: string; label: string; ranks: number[] }[] {
  const groups = new Map<string, { id: string; label: string; ranks: number[] }>();
  results.forEach((node, at) => {
    for (const { process } of indexOf(codebase).processesOf(node)) {
      const { id } = codebase.graph.nodes[process.node]!;
      const known = groups.get(id);
      if (known) known.ranks.push(at + 1);
      else groups.set(id, { id, label: process.label, ranks: [at + 1] });
    }
  });
  return [...groups.values()].filter(({ ranks }) => ranks.length > 1).sort((a, b) => b.ranks.length - a.ranks.length || a.ranks[0]! - b.ranks[0]!);
}

/** The places of the results in each cluster, by its label. */
function clustersOf(codebase: Codebase, results: readonly number[]): Record<string, number[]> {
  const clusters: Record<string, number[]> = {};
  results.forEach((node, at) => {
    const cluster = indexOf(codebase).communityOf(node);
    if (cluster) (clusters[cluster.label] ??= []).push(at + 1);
  });
  return clusters;
}

/**
 * The hits that are told from the page's first on, and where the next page begins. In answer to a question those of one name are told
 * as one: the methods of many classes that do the same leave room for what else there is. Routes of one name are of several applications.
 */
function pageOf({ nodes }: Graph, hits: readonly SearchHit[], { offset, limit }: Page, isQuestion: boolean): { told: { node: number; namesakes: number[] }[]; end: number } {
  const told: { node: number; namesakes: number[] }[] = [];
  const byName = new Map<string, number[]>();
  let end = offset;
  for (; end < hits.length; end++) {
    const { node } = hits[end]!;
    const { name, kind } = nodes[node]!;
    const known = isQuestion && kind !== "File" && kind !== "Route" ? byName.get(name) : undefined;
    if (known && known.length < MAX_NAMESAKES) {
      known.push(node);
      continue;
    }
    if (told.length === limit) break;
    const namesakes: number[] = [];
    told.push({ node, namesakes });
    byName.set(name, namesakes);
  }
  return { told, end };
}

/** `Store.load:12` by file; files have no names of their own. */
function namesByFile({ nodes }: Graph, symbols: readonly number[]): Record<string, string[]> {
  const named: Record<string, string[]> = {};
  for (const symbol of symbols.map((node) => nodes[node]!)) if (symbol.kind !== "File") (named[symbol.file] ??= []).push(`${qualifiedName(symbol)}:${symbol.line}`);
  return named;
}

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
