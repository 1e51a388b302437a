import type { Codebase, Community, Process } from "../codebase.ts";
import type { EdgeType, GraphNode } from "../graph.ts";
import { connectionsOf } from "../summary.ts";

/** Edges that say "depends on"; the others are structure. */
export const DEPENDENCE: readonly EdgeType[] = ["CALLS", "IMPORTS", "EXTENDS", "IMPLEMENTS"];

/** What several tools look up in a codebase, made once for each. */
export interface CodebaseIndex {
  /** Node indexes of symbols by their simple name. */
  symbolsByName: ReadonlyMap<string, readonly number[]>;
  /** Node indexes of files by the last element of their path, in lower case. */
  filesByName: ReadonlyMap<string, readonly number[]>;
  /** How many CALLS, IMPORTS, EXTENDS and IMPLEMENTS a node has, both ways. */
  connections: Uint32Array;
  /** The processes that a node is a step of, with its steps in each, from 1. */
  processesOf: (node: number) => readonly { process: Process; step: number }[];
  /** The community of a symbol. */
  communityOf: (node: number) => Community | undefined;
}

const indexes = new WeakMap<Codebase, CodebaseIndex>();

export function indexOf(codebase: Codebase): CodebaseIndex {
  let index = indexes.get(codebase);
  if (!index) {
    index = makeIndex(codebase);
    indexes.set(codebase, index);
  }
  return index;
}

function makeIndex({ graph, communities, processes }: Codebase): CodebaseIndex {
  const symbolsByName = new Map<string, number[]>();
  const filesByName = new Map<string, number[]>();
  graph.nodes.forEach((node, i) => {
    if (isSymbol(node)) push(symbolsByName, node.name, i);
    else if (node.kind === "File") push(filesByName, node.name.toLowerCase(), i);
  });

  const stepsOf = new Map<number, { process: Process; step: number }[]>();
  for (const process of processes) {
    const seen = new Set<number>();
    process.steps.forEach((node, at) => {
      if (seen.has(node)) return;
      seen.add(node);
      push(stepsOf, node, { process, step: at + 1 });
    });
  }
  const communityByNode = new Map(communities.map((community) => [community.node, community]));
  return {
    symbolsByName, filesByName,
    connections: connectionsOf(graph),
    processesOf: (node) => stepsOf.get(node) ?? [],
    communityOf: (node) => communityByNode.get(graph.community[node]!),
  };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** A declaration in code, as opposed to a file, a folder or something derived. */
export function isSymbol(node: GraphNode): boolean {
  return node.kind !== "File" && node.kind !== "Folder" && node.kind !== "Community" && node.kind !== "Process";
}
