import type { GraphContext } from "../messages.ts";
import type { Codebase } from "./codebase.ts";
import { SECRET_REASON } from "./secret-files.ts";
import { EDGE_TYPES, type EdgeType, type Graph, type NodeKind } from "./graph.ts";

/** Relations that say how much others have to do with a node; what stands in what, and what was derived, does not. */
const CONNECTIONS: readonly EdgeType[] = ["CALLS", "REFERENCES", "IMPORTS", "EXTENDS", "IMPLEMENTS"];
const HOTSPOTS = 20;

/** From here on an edge is sure; below are the possible targets of dynamic calls, and guesses by name. */
export const SURE = 0.7;

/** What the hub and the agents are told of a loaded codebase. */
export function contextOf(codebase: Codebase): GraphContext {
  const { graph } = codebase;
  const kinds = new Map<NodeKind, number>();
  for (const { kind } of graph.nodes) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const note = noteOf(missingRelations(codebase), stillClustering(codebase));
  const count = (...of: NodeKind[]): number => of.reduce((sum, kind) => sum + (kinds.get(kind) ?? 0), 0);
  const secretFiles = codebase.skipped.filter(({ reason }) => reason === SECRET_REASON).length;
  return {
    repo: codebase.name,
    state: "ready",
    stats: {
      files: count("File"),
      symbols: graph.nodes.length - count("File", "Folder", "Community", "Process"),
      functions: count("Function"), classes: count("Class", "Struct"), interfaces: count("Interface"), methods: count("Method"),
      nodes: graph.nodes.length, edges: graph.edgeCount,
      communities: codebase.communities.length, processes: codebase.processes.length,
    },
    languages: languagesOf(graph),
    hotspots: hotspotsOf(graph, HOTSPOTS),
    ...(secretFiles === 0 ? {} : { secretFiles }),
    indexedAt: codebase.indexedAt,
    ...(note === undefined ? {} : { detail: note }),
  };
}

/** Files that are told of by name when relations of them are missing. */
const NAMED = 3;

/** What an agent should know when relations of some files are missing; undefined when none are. */
export function missingRelations({ skipped }: Codebase): string | undefined {
  const missing = skipped.filter(({ unresolved }) => unresolved);
  if (missing.length === 0) return undefined;
  const named = missing.slice(0, NAMED).map(({ path, reason }) => `${path} (${reason})`);
  const more = missing.length > NAMED ? `, and ${missing.length - NAMED} more (context with focus stats)` : "";
  return `Callers and callees may be missing: ${named.join(", ")}${more}. grep for names there.`;
}

/** What an agent should know while clusters and processes are still being found; undefined when they are there. */
export function stillClustering({ clustering }: Codebase): string | undefined {
  return clustering && "Clusters and processes are still being found: for some seconds none are told or counted.";
}

/** Sentences in a row; undefined when there are none. */
export function noteOf(...sentences: readonly (string | undefined)[]): string | undefined {
  return sentences.filter((sentence) => sentence !== undefined).join(" ") || undefined;
}

/** Before there is a codebase: its name as far as it is known, and why there is none. */
export function emptyContext(repo: string, state: "indexing" | "error", detail: string): GraphContext {
  return {
    repo, state, detail, indexedAt: 0, languages: [], hotspots: [],
    stats: { files: 0, symbols: 0, functions: 0, classes: 0, interfaces: 0, methods: 0, nodes: 0, edges: 0, communities: 0, processes: 0 },
  };
}

/** Files by language, most first; files in none of our languages are not counted. */
export function languagesOf(graph: Graph): { language: string; files: number }[] {
  const files = new Map<string, number>();
  for (const { kind, language } of graph.nodes) {
    if (kind === "File" && language !== "") files.set(language, (files.get(language) ?? 0) + 1);
  }
  return [...files].map(([language, count]) => ({ language, files: count })).sort((a, b) => b.files - a.files);
}

/** The best connected symbols, most connections first; tests and generated code are not what a reader looks for. */
export function hotspotsOf(graph: Graph, limit: number): GraphContext["hotspots"] {
  const connections = connectionsOf(graph);
  return graph.nodes
    .map((node, index) => ({ node, connections: connections[index]! }))
    .filter(({ node, connections }) => connections > 0 && node.line > 0 && !node.test && !node.generated)
    .sort((a, b) => b.connections - a.connections || (a.node.id < b.node.id ? -1 : 1))
    .slice(0, limit)
    .map(({ node, connections }) => ({ id: node.id, name: node.name, kind: node.kind, file: node.file, line: node.line, connections }));
}

/** For each node the number of calls, references, imports, extensions and implementations that touch it, without those that are only possible. */
export function connectionsOf(graph: Graph): Uint32Array {
  const connections = new Uint32Array(graph.nodes.length);
  const counts = EDGE_TYPES.map((type) => CONNECTIONS.includes(type));
  const { from, to, type, confidence } = graph;
  for (let e = 0; e < graph.edgeCount; e++) {
    if (!counts[type[e]!] || from[e] === to[e] || confidence[e]! < SURE - 1e-6) continue;
    connections[from[e]!]!++;
    connections[to[e]!]!++;
  }
  return connections;
}
