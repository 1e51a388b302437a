import type { Codebase } from "../codebase.ts";
import { columnsOf, EXAMPLE_QUERIES, NODE_TABLES, RELATION, RELATION_COLUMNS, SYMBOL_KINDS, type Column } from "../cypher/schema.ts";
import { EDGE_TYPES } from "../graph.ts";
import { hotspotsOf, languagesOf, stillClustering } from "../summary.ts";
import type { Tool } from "../tools.ts";
import { cut, refOf } from "./answers.ts";
import { oneOf } from "./arguments.ts";
import { isSure } from "./dynamic.ts";
import { folderTree } from "./folder-tree.ts";
import { Page } from "./page.ts";

const FOCUSES = ["stats", "hotspots", "structure", "tools", "schema"] as const;
type Focus = (typeof FOCUSES)[number];

/**
 * What is loaded. With a focus that section in full, without one all of them in short.
 * `summaries` says of every tool that the engine has, in one line, what it is for.
 */
export function contextTool(summaries: () => Readonly<Record<string, string>>): Tool {
  const sections: Record<Focus, (codebase: Codebase, full: boolean, page: Page) => object> = {
    stats, hotspots, structure, schema,
    tools: (_codebase, full) => (full ? summaries() : Object.keys(summaries())),
  };
  return (args, { codebase }) => {
    const page = new Page(args);
    const head = { repo: codebase.name, indexedAt: new Date(codebase.indexedAt).toISOString() };
    if (args.focus !== undefined) {
      const focus = oneOf(args, "focus", FOCUSES);
      return { ...head, [focus]: sections[focus](codebase, true, page) };
    }
    return { ...head, ...Object.fromEntries(FOCUSES.map((focus) => [focus, sections[focus](codebase, false, page)])) };
  };
}

function stats(codebase: Codebase, full: boolean, page: Page): object {
  const { graph, communities, processes, skipped, syntaxErrors, phases, bytes } = codebase;
  const kinds = new Map<string, number>();
  let tests = 0;
  for (const node of graph.nodes) {
    kinds.set(node.kind, (kinds.get(node.kind) ?? 0) + 1);
    if (node.kind === "File" && node.test) tests++;
  }
  const symbols = SYMBOL_KINDS.reduce((sum, kind) => sum + (kinds.get(kind) ?? 0), 0);
  const figures = {
    files: codebase.files.paths.length,
    ...(tests > 0 ? { testFiles: tests } : {}),
    languages: Object.fromEntries(languagesOf(graph).map(({ language, files }) => [language, files])),
    symbols,
    kinds: byCount(new Map(SYMBOL_KINDS.map((kind) => [kind as string, kinds.get(kind) ?? 0]))),
    nodes: graph.nodes.length,
    edges: graph.edgeCount,
    ...(codebase.clustering ? { note: stillClustering(codebase) } : { clusters: communities.length, processes: processes.length }),
    ...(skipped.length > 0 ? { skipped: full ? leftOut(skipped, page) : skipped.length } : {}),
    ...(syntaxErrors.length > 0 ? { filesWithSyntaxErrors: full ? page.list([...syntaxErrors].sort((a, b) => b.count - a.count), 15, ({ path }) => path, (file) => file) : syntaxErrors.length } : {}),
  };
  if (!full) return figures;
  return {
    ...figures,
    edgeTypes: edgeCounts(codebase),
    bytes,
    indexingMs: Object.fromEntries(phases.map(({ phase, ms }) => [phase, Math.round(ms)])),
  };
}

/** Files left out by reason, the rarest first: hundreds of pictures must not hide the one file that was too large. */
function leftOut(skipped: Codebase["skipped"], page: Page): object {
  const reasons = new Map<string, string[]>();
  for (const { path, reason } of skipped) {
    const paths = reasons.get(reason);
    if (paths) paths.push(path);
    else reasons.set(reason, [path]);
  }
  return {
    total: skipped.length,
    reasons: [...reasons].sort((a, b) => a[1].length - b[1].length).map(([reason, paths]) => ({ reason, files: page.part(paths, page.filter(paths, (path) => path), (path) => path, 5) })),
  };
}

/** How many there are of each, the most first, without those that there are none of. */
function byCount(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]));
}

function edgeCounts({ graph }: Codebase): Record<string, number> {
  const counts = new Map<string, number>();
  for (const index of graph.type) counts.set(EDGE_TYPES[index]!, (counts.get(EDGE_TYPES[index]!) ?? 0) + 1);
  return byCount(counts);
}

/** The best connected symbols; tests and generated code are none. */
function hotspots(codebase: Codebase, full: boolean, page: Page): object {
  const { graph } = codebase;
  const all = hotspotsOf(graph, graph.nodes.length);
  if (!full) return cut(all, 8, ({ id, connections }) => ({ ...refOf(graph, graph.find(id)!), connections }), "focus hotspots");
  const sure = (edges: readonly number[]): number => edges.filter((e) => isSure(codebase, e)).length;
  return page.part(all, page.filter(all, ({ file }) => file), ({ id, connections }) => {
    const node = graph.find(id)!;
    return { ...refOf(graph, node), connections, callers: sure(graph.in(node, "CALLS")), callees: sure(graph.out(node, "CALLS")) };
  }, 25);
}

function structure(codebase: Codebase, full: boolean, page: Page): object {
  const { truncated, ...tree } = folderTree(codebase, full ? 120 : 25, (path) => page.wants(path));
  return { ...tree, ...(truncated ? { truncated, rest: full ? "the path of a folder" : "focus structure" } : {}) };
}

function schema(codebase: Codebase, full: boolean): object {
  const { graph } = codebase;
  if (!full) {
    return {
      nodes: NODE_TABLES.filter((table) => graph.nodes.some((node) => node.kind === table)),
      relation: `${RELATION} (${RELATION_COLUMNS.map((c) => c.name).join(", ")})`,
      types: edgeCounts(codebase),
    };
  }
  const kinds = new Map<string, number>();
  for (const node of graph.nodes) kinds.set(node.kind, (kinds.get(node.kind) ?? 0) + 1);
  const describe = (columns: readonly Column[]): Record<string, string> =>
    Object.fromEntries(columns.map(({ name, type, about }) => [name, `${type}: ${about}`]));
  return {
    dialect: "Kuzu's Cypher, read-only. label(n) gives a node's table; a relation's type is a property, not a label.",
    nodes: Object.fromEntries(NODE_TABLES.map((table) => [table, kinds.get(table) ?? 0])),
    properties: {
      symbols: describe(columnsOf("Function")),
      File: describe(columnsOf("File")),
      Folder: describe(columnsOf("Folder")),
      Community: describe(columnsOf("Community")),
      Process: describe(columnsOf("Process")),
    },
    relation: { name: RELATION, properties: describe(RELATION_COLUMNS) },
    types: edgeEnds(codebase),
    examples: EXAMPLE_QUERIES,
  };
}

/** Of each relation type: how many there are and between which tables most of them go. */
function edgeEnds({ graph }: Codebase): Record<string, { count: number; between: string[] }> {
  const types = new Map<string, { count: number; between: Map<string, number> }>();
  for (let e = 0; e < graph.edgeCount; e++) {
    const type = EDGE_TYPES[graph.type[e]!]!;
    let known = types.get(type);
    if (!known) types.set(type, (known = { count: 0, between: new Map() }));
    known.count++;
    const ends = `${graph.nodes[graph.from[e]!]!.kind} → ${graph.nodes[graph.to[e]!]!.kind}`;
    known.between.set(ends, (known.between.get(ends) ?? 0) + 1);
  }
  return Object.fromEntries([...types]
    .sort((a, b) => b[1].count - a[1].count)
    .map(([type, { count, between }]) => [type, { count, between: Object.keys(byCount(between)) }]));
}
