/** Containment trees over a codebase: what the map opens and folds. One by folders, one by clusters. */
import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES } from "../graph.ts";
import { Pieces, Turns } from "../turns.ts";

export type Grouping = "folder" | "cluster";

export interface TreeNode {
  id: string;
  name: string;
  kind: string;
  file: string;
  line: number;
  test: boolean;
}

/** Nodes are the graph's, by index; the cluster tree has one more, for what is in no cluster. */
export interface Hierarchy {
  /** Index of the root's stand-in: the root itself is never drawn. */
  roots: readonly number[];
  /** -1 for a root and for what is not in the tree. */
  parent: Int32Array;
  children(node: number): readonly number[];
  /** Symbols at and below a node; 1 for a leaf. */
  weight: Uint32Array;
  /** Index into `codebase.communities` of the cluster that most symbols below are in; -1 for none. */
  cluster: Int32Array;
  /** Whether a node is in the tree. */
  has(node: number): boolean;
  node(index: number): TreeNode;
}

/** Id of the group of everything that is in no cluster. */
export const UNCLUSTERED = "Group:unclustered";

/** Nodes that are counted without a turn for others. */
const PIECE = 4_000;

const made = new WeakMap<Codebase, Map<Grouping, Pieces<Hierarchy>>>();

/** Made at the first question, with turns for others: it takes some 50 ms for 40,000 nodes. */
export async function hierarchyOf(codebase: Codebase, by: Grouping): Promise<Hierarchy> {
  let both = made.get(codebase);
  if (!both) made.set(codebase, (both = new Map<Grouping, Pieces<Hierarchy>>()));
  let tree = both.get(by);
  if (!tree) both.set(by, (tree = new Pieces(makeTree(codebase, by === "folder" ? parentsByFolder : parentsByCluster))));
  await tree.prepare(new Turns());
  return tree.now;
}

/** Containers of each symbol by declaration: a type before a file. */
function containers({ graph: { nodes, edgeCount, type, from, to } }: Codebase): Int32Array {
  const parent = new Int32Array(nodes.length + 1).fill(-1);
  for (const wanted of [EDGE_TYPES.indexOf("CONTAINS"), EDGE_TYPES.indexOf("DEFINES")]) {
    for (let e = 0; e < edgeCount; e++) {
      if (type[e] !== wanted || from[e] === to[e]) continue;
      const known = parent[to[e]!]!;
      if (known < 0 || nodes[known]!.kind === "File") parent[to[e]!] = from[e]!;
    }
  }
  return parent;
}

function parentsByFolder(codebase: Codebase): Int32Array {
  const { nodes } = codebase.graph;
  const parent = containers(codebase);
  const root = nodes.findIndex(({ kind, file }) => kind === "Folder" && file === "");
  // The root is the page itself.
  for (let node = 0; node < nodes.length; node++) if (parent[node] === root || isDerived(nodes[node]!.kind)) parent[node] = -1;
  if (root >= 0) parent[root] = -2;
  nodes.forEach(({ kind }, node) => {
    if (isDerived(kind)) parent[node] = -2;
  });
  parent[nodes.length] = -2;
  return parent;
}

function parentsByCluster(codebase: Codebase): Int32Array {
  const { nodes, community } = codebase.graph;
  const declared = containers(codebase);
  const parent = new Int32Array(nodes.length + 1).fill(-2);
  nodes.forEach(({ kind }, node) => {
    if (kind === "Community") parent[node] = -1;
    if (isDerived(kind) || kind === "Folder" || kind === "File") return;
    const owner = declared[node]!;
    const own = community[node]!;
    if (owner >= 0 && nodes[owner]!.kind !== "File" && nodes[owner]!.kind !== "Folder" && community[owner] === own) parent[node] = owner;
    else if (own >= 0) parent[node] = own;
    else if (owner >= 0 && nodes[owner]!.kind === "File") {
      parent[node] = owner;
      parent[owner] = nodes.length;
    } else {
      parent[node] = nodes.length;
    }
  });
  if (parent.includes(nodes.length)) parent[nodes.length] = -1;
  return parent;
}

/** Of `parents`, -1 is a root, -2 what is not in the tree. */
function* makeTree(codebase: Codebase, parents: (codebase: Codebase) => Int32Array): Generator<undefined, Hierarchy> {
  const { graph, communities } = codebase;
  const parent = parents(codebase);
  yield;
  const n = parent.length;
  const lists = new Map<number, number[]>();
  const roots: number[] = [];
  for (let node = 0; node < n; node++) {
    const at = parent[node]!;
    if (at === -1) roots.push(node);
    else if (at >= 0) {
      const list = lists.get(at);
      if (list) list.push(node);
      else lists.set(at, [node]);
    }
  }
  yield;
  const none: readonly number[] = [];
  // Parents before children; a cycle of declarations is never reached and so left out.
  const order = [...roots];
  const reached = new Uint8Array(n);
  for (const node of roots) reached[node] = 1;
  for (let at = 0; at < order.length; at++) {
    for (const child of lists.get(order[at]!) ?? none) {
      reached[child] = 1;
      order.push(child);
    }
  }
  yield;
  const clusterAt = new Map(communities.map(({ node }, i) => [node, i]));
  const weight = new Uint32Array(n);
  const counts = new Map<number, Map<number, number>>();
  const cluster = new Int32Array(n).fill(-1);
  for (let at = order.length - 1; at >= 0; at--) {
    if (at % PIECE === 0) yield;
    const node = order[at]!;
    const kind = node < graph.nodes.length ? graph.nodes[node]!.kind : "";
    if (kind !== "" && kind !== "Folder" && !isDerived(kind)) weight[node]!++;
    const own = clusterAt.get(graph.community[node] ?? -1);
    // Most nodes have nothing below them, and need no count of their own.
    const below = counts.get(node);
    if (own !== undefined) {
      if (below) below.set(own, (below.get(own) ?? 0) + 1);
      else cluster[node] = own;
    }
    let most = 0;
    for (const [id, size] of below ?? []) if (size > most || (size === most && id < cluster[node]!)) [cluster[node], most] = [id, size];
    if (kind === "Community") cluster[node] = clusterAt.get(node) ?? -1;
    counts.delete(node);
    const up = parent[node]!;
    if (up < 0) continue;
    weight[up]! += weight[node]!;
    let above = counts.get(up);
    if (!above) counts.set(up, above = new Map<number, number>());
    if (below) for (const [id, size] of below) above.set(id, (above.get(id) ?? 0) + size);
    else if (own !== undefined) above.set(own, (above.get(own) ?? 0) + 1);
  }
  return {
    roots, parent, weight, cluster,
    children: (node) => lists.get(node) ?? none,
    has: (node) => reached[node] === 1,
    node: (index) => {
      const node = graph.nodes[index];
      if (!node) return { id: UNCLUSTERED, name: "In no cluster", kind: "Group", file: "", line: 0, test: false };
      const { id, name, kind, file, line, test } = node;
      return { id, name, kind, file, line, test };
    },
  };
}

function isDerived(kind: string): boolean {
  return kind === "Community" || kind === "Process";
}
