import { UndirectedGraph } from "graphology";
import louvain from "graphology-communities-louvain";
import type { EdgeType, Graph } from "./graph.ts";
import { labelGroups } from "./labels.ts";
import { SURE } from "./summary.ts";
import { isExamplePath } from "./test-paths.ts";

/** A community before it has a node. */
export interface Group {
  label: string;
  /** Node indexes, most connected first, tests last. */
  members: number[];
  cohesion: number;
}

/** Fewer members than this are a pair that talks, not a part of the system. */
const MIN_MEMBERS = 3;
/** A test, what it uses, and what that uses: enough for the helpers of tests. */
const JOIN_ROUNDS = 3;
/** Weight of "stands in": a method belongs to its type even where nothing calls it, but a call says more. */
const DEFINES_WEIGHT = 0.5;
/** What stands in one file was meant to be together: that decides where calls do not. */
const FILE_WEIGHT = 0.2;

/**
 * Groups symbols that call, extend or implement each other more than they do others (Louvain, weighted by
 * confidence, less the more others use the target; one type and one file count a little too). Tests make no
 * groups, they join those that they test: what tests share says nothing about the system. Examples may be groups of their
 * own, or join what they show. Largest group first, generated ones last; the same graph gives the same groups. Symbols
 * without relations are in none.
 */
export function findCommunities(graph: Graph): Group[] {
  const all = relationsBetweenSymbols(graph);
  const isTest = (node: number): boolean => graph.nodes[node]!.test;
  const isShown = graph.nodes.map(({ file }) => isExamplePath(file));
  const rank = (node: number): number => (isTest(node) ? 3 : isShown[node] ? 2 : graph.nodes[node]!.generated ? 1 : 0);
  const own = all.filter(({ from, to }) => !isTest(from) && !isTest(to) && isShown[from] === isShown[to]);
  // A repository of tests alone is a system, too.
  const found = partition(graph, own.length > 0 ? own : all);
  const communityOf = own.length > 0 ? join(found, all, (node) => isTest(node) || isShown[node]!) : found;

  const degrees = new Uint32Array(graph.nodes.length);
  for (const { from, to, sure } of all) {
    if (!sure) continue;
    degrees[from]!++;
    degrees[to]!++;
  }
  const members = new Map<number, number[]>();
  for (const [node, community] of communityOf) {
    const known = members.get(community);
    if (known) known.push(node);
    else members.set(community, [node]);
  }
  const groups = [...members.values()]
    .filter((group) => group.length >= MIN_MEMBERS)
    .map((group) => group.sort((a, b) => rank(a) - rank(b) || degrees[b]! - degrees[a]! || a - b))
    .sort((a, b) => rank(a[0]!) - rank(b[0]!) || b.length - a.length || a[0]! - b[0]!);
  const cohesions = cohesionOf(groups, all);
  const telling = groups.map((group) => (isTest(group[0]!) ? group : group.filter((node) => !isTest(node))));
  return labelGroups(graph, telling).map((label, i) => ({ label, members: groups[i]!, cohesion: cohesions[i]! }));
}

/** Louvain over the relations: a community's number for each symbol that has one. */
function partition(graph: Graph, relations: readonly Relation[]): Map<number, number> {
  const network = new UndirectedGraph<object, { weight: number }>();
  for (const { from, to, weight } of relations) {
    network.mergeNode(from);
    network.mergeNode(to);
    if (from !== to) network.updateEdge(from, to, (known) => ({ weight: (known.weight ?? 0) + weight }));
  }
  if (network.size === 0) return new Map();
  for (let e = 0; e < graph.edgeCount; e++) {
    const { from, to, type } = graph.edge(e);
    if (type === "DEFINES" && graph.nodes[from]!.kind === "File" && network.hasNode(to)) network.mergeEdge(from, to, { weight: FILE_WEIGHT });
  }
  const communities = louvain(network, { rng: seeded(1), getEdgeWeight: "weight" });
  return new Map(network.nodes().map(Number).filter((node) => isSymbol(graph, node)).map((node) => [node, communities[node]!]));
}

/** Adds tests and examples to the community that they have most to do with, helpers of tests after those that use them. */
function join(found: ReadonlyMap<number, number>, relations: readonly Relation[], joins: (node: number) => boolean): Map<number, number> {
  const communityOf = new Map(found);
  for (let round = 0; round < JOIN_ROUNDS; round++) {
    const ties = new Map<number, Map<number, number>>();
    const tie = (node: number, other: number, weight: number): void => {
      const community = communityOf.get(other);
      if (community === undefined || communityOf.has(node) || !joins(node)) return;
      let known = ties.get(node);
      if (!known) ties.set(node, (known = new Map<number, number>()));
      known.set(community, (known.get(community) ?? 0) + weight);
    };
    for (const { from, to, weight } of relations) {
      tie(from, to, weight);
      tie(to, from, weight);
    }
    for (const [node, weights] of ties) {
      const [best] = [...weights].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a));
      communityOf.set(node, best);
    }
  }
  return communityOf;
}

interface Relation {
  from: number;
  to: number;
  weight: number;
  /** How one uses the other; absent where it only stands in it. */
  use?: EdgeType;
  /** Not just what a dynamic call may reach. */
  sure: boolean;
}

/** CALLS, EXTENDS, IMPLEMENTS and symbol-to-symbol DEFINES, in an order that depends on the graph alone. */
function relationsBetweenSymbols(graph: Graph): Relation[] {
  const relations: Relation[] = [];
  const uses = new Uint32Array(graph.nodes.length);
  for (let e = 0; e < graph.edgeCount; e++) {
    const { from, to, type, confidence } = graph.edge(e);
    if (!isSymbol(graph, from) || !isSymbol(graph, to)) continue;
    if (type === "DEFINES") {
      relations.push({ from, to, weight: DEFINES_WEIGHT, sure: true });
    } else if (type === "CALLS" || type === "EXTENDS" || type === "IMPLEMENTS") {
      relations.push({ from, to, weight: confidence, use: type, sure: confidence >= SURE - 1e-6 });
      uses[to]!++;
    }
  }
  // What everybody uses ties nobody together: joining paths does not make two modules one, and fulfilling a common contract even less.
  for (const relation of relations) {
    if (relation.use) relation.weight /= relation.use === "IMPLEMENTS" ? uses[relation.to]! : Math.sqrt(uses[relation.to]!);
  }
  return relations;
}

function isSymbol(graph: Graph, node: number): boolean {
  const { kind } = graph.nodes[node]!;
  return kind !== "File" && kind !== "Folder" && kind !== "Community" && kind !== "Process";
}

/** For each group the share of the relations that touch it which stay inside. */
function cohesionOf(groups: readonly number[][], relations: readonly Relation[]): number[] {
  const groupOf = new Map<number, number>();
  groups.forEach((members, group) => members.forEach((node) => groupOf.set(node, group)));
  const inside = new Array<number>(groups.length).fill(0);
  const touching = new Array<number>(groups.length).fill(0);
  for (const { from, to } of relations) {
    if (from === to) continue;
    const a = groupOf.get(from);
    const b = groupOf.get(to);
    if (a !== undefined) touching[a]!++;
    if (b !== undefined && b !== a) touching[b]!++;
    if (a !== undefined && a === b) inside[a]!++;
  }
  return groups.map((_, group) => (touching[group] === 0 ? 0 : inside[group]! / touching[group]!));
}

/** Mulberry32: small, fast and even enough for the order of a walk. Values in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
