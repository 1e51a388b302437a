/** The map: which groups are open, what stands in them, and the relations between what is seen, added up. */
import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES } from "../graph.ts";
import { SURE } from "../summary.ts";
import type { Tool } from "../tools.ts";
import { flag, number, oneOf, text, texts, type Arguments } from "../tools/arguments.ts";
import { changedNodes } from "../tools/diff.ts";
import { hierarchyOf, type Hierarchy } from "./hierarchy.ts";

export interface MapNode {
  id: string;
  name: string;
  kind: string;
  file: string;
  line: number;
  /** Index into `nodes` of the open group that it stands in; -1 at the top. */
  parent: number;
  open: boolean;
  /** Has something inside. */
  group: boolean;
  /** Symbols at and below it. */
  weight: number;
  /** Rank of its cluster by size; -1 for none. */
  cluster: number;
  test: boolean;
  /** Neither it nor anything in it passes the filter by folder and changes. */
  out: boolean;
}

export interface MapAnswer {
  /** Parents before children. */
  nodes: MapNode[];
  /**
   * Six numbers an edge: from, to (indexes into `nodes`), relations in all, those that pass the filter, those of them that
   * are uncertain, and their types as bits of EDGE_TYPES. The layout goes by all, so that a filter moves nothing.
   */
  edges: number[];
  /** Where each id of `mark` is seen: an index into `nodes`, -1 for nowhere. */
  marks: number[];
  /** Ids of the open groups, or ALL_OPEN and the others: as `toggledOpen` has it. */
  open: string[];
  /** Some of them were opened for what was to be revealed. */
  revealed: boolean;
  clusters: { rank: number; label: string; size: number }[];
  /** Nodes in the whole tree. */
  total: number;
}

/** Stands for every group in a list of open ones; ids with CLOSED before them are then those that are not. */
export const ALL_OPEN = "*";
const CLOSED = "-";

/** A list of open groups in which one is opened or closed. */
export function toggledOpen(open: readonly string[], id: string, isOpen: boolean): string[] {
  const all = open.includes(ALL_OPEN);
  const word = all ? CLOSED + id : id;
  const others = open.filter((each) => each !== word);
  return all === isOpen ? others : [...others, word];
}

/** Filters that all pictures share. */
export interface EdgeFilter {
  /** One flag for each of EDGE_TYPES. */
  types: readonly boolean[];
  minConfidence: number;
  tests: boolean;
}

/** Nodes that are seen before anybody opens a group; a code base of fewer nodes is open from the start. */
const FIRST = 60;
/** A group with more than this share of all symbols is open even then. */
const DOMINANT = 0.4;
/** Containment is shown by position, and membership by colour. */
const INSIDE = ["CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS"];
const STRUCTURE: ReadonlySet<number> = new Set(EDGE_TYPES.flatMap((type, i) => (INSIDE.includes(type) ? [i] : [])));

export function filterOf(args: Arguments): EdgeFilter {
  const hidden = new Set<string>([...INSIDE, ...(args["hiddenTypes"] === undefined ? [] : texts(args, "hiddenTypes"))]);
  return { types: EDGE_TYPES.map((type) => !hidden.has(type)), minConfidence: number(args, "minConfidence", 0.5), tests: flag(args, "tests", true) };
}

/**
 * `open`: ids of open groups, absent for the default; `reveal`: ids whose groups are to be opened, too; `mark`: ids to be found in the answer;
 * `within`: path of a folder, `changed`: since the load. What these two leave out keeps its place: see `out`.
 */
export const viewMap: Tool = async (args, { codebase: plain, clustered }): Promise<MapAnswer> => {
  const by = oneOf(args, "by", ["folder", "cluster"]);
  const codebase = by === "cluster" ? await clustered() : plain;
  const tree = await hierarchyOf(codebase, by);
  const asked = args["open"] === undefined ? undefined : texts(args, "open");
  const open = asked ? openOf(codebase, tree, asked) : openAtFirst(tree);
  const before = open.size;
  let words = asked?.includes(ALL_OPEN) === true ? asked : undefined;
  for (const id of args["reveal"] === undefined ? [] : texts(args, "reveal")) {
    const node = codebase.graph.find(id);
    if (node === undefined || !tree.has(node)) continue;
    for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) {
      if (words && !open.has(at)) words = toggledOpen(words, tree.node(at).id, true);
      open.add(at);
    }
  }
  const passes = passing(codebase, tree, args["within"] === undefined ? "" : text(args, "within"), flag(args, "changed", false));
  const told = tell(codebase, tree, open, filterOf(args), passes, args["mark"] === undefined ? [] : texts(args, "mark"));
  return { ...told, ...(words ? { open: words } : {}), revealed: open.size > before };
};

function openOf(codebase: Codebase, tree: Hierarchy, words: readonly string[]): Set<number> {
  const extra = codebase.graph.nodes.length;
  const indexOf = (id: string): number => codebase.graph.find(id) ?? (tree.has(extra) && tree.node(extra).id === id ? extra : -1);
  const all = words.includes(ALL_OPEN);
  const named = new Set(words.map((word) => indexOf(all && word.startsWith(CLOSED) ? word.slice(CLOSED.length) : word)));
  const open = new Set<number>();
  for (const node of all ? tree.parent.keys() : named) if (node >= 0 && tree.has(node) && tree.children(node).length > 0 && named.has(node) !== all) open.add(node);
  return open;
}

/** Which nodes of the tree pass the filter, with the groups around them; undefined for all. */
function passing(codebase: Codebase, tree: Hierarchy, within: string, changed: boolean): Uint8Array | undefined {
  if (within === "" && !changed) return undefined;
  const { nodes } = codebase.graph;
  const differ = changed ? changedNodes(codebase) ?? new Set<number>() : undefined;
  const passes = new Uint8Array(tree.parent.length);
  nodes.forEach(({ file }, node) => {
    if (!tree.has(node) || (differ && !differ.has(node)) || (within !== "" && file !== within && !file.startsWith(`${within}/`))) return;
    for (let at = node; at >= 0 && passes[at] === 0; at = tree.parent[at]!) passes[at] = 1;
  });
  return passes;
}

/** Opens level by level as long as the picture stays small, and then what most of the code is in. */
function openAtFirst(tree: Hierarchy): Set<number> {
  const open = new Set<number>();
  const all = tree.roots.reduce((sum, node) => sum + tree.weight[node]!, 0);
  let seen = tree.roots.length;
  let level = tree.roots;
  while (level.length > 0) {
    const closed = level.filter((node) => tree.children(node).length > 0);
    const inside = (nodes: readonly number[]): number => nodes.reduce((sum, node) => sum + tree.children(node).length, 0);
    const next = seen + inside(closed) <= FIRST ? closed
      : closed.filter((node) => tree.weight[node]! > DOMINANT * all && seen + tree.children(node).length <= 1.5 * FIRST);
    for (const node of next) open.add(node);
    seen += inside(next);
    level = next.flatMap((node) => tree.children(node));
  }
  return open;
}

function tell(codebase: Codebase, tree: Hierarchy, open: ReadonlySet<number>, filter: EdgeFilter, passes: Uint8Array | undefined, marked: readonly string[]): Omit<MapAnswer, "revealed"> {
  const { graph, communities } = codebase;
  const ranks = ranksOf(communities);
  const nodes: MapNode[] = [];
  /** Where a graph node is seen: its own entry, or that of the closed group around it; -1 for nowhere. */
  const seenAt = new Int32Array(tree.parent.length).fill(-1);
  const put = (node: number, parent: number): void => {
    const isOpen = open.has(node);
    seenAt[node] = nodes.length;
    nodes.push({
      ...tree.node(node), parent, open: isOpen, group: tree.children(node).length > 0, weight: Math.max(1, tree.weight[node]!),
      cluster: ranks[tree.cluster[node]!] ?? -1, out: passes !== undefined && passes[node] === 0,
    });
    const at = nodes.length - 1;
    if (isOpen) for (const child of tree.children(node)) put(child, at);
    else hide(tree, node, at, seenAt);
  };
  for (const root of tree.roots) put(root, -1);
  const inTree = seenAt.reduce((count, at) => count + (at >= 0 ? 1 : 0), 0);
  return {
    nodes, edges: addUp(codebase, seenAt, nodes, filter, passes), open: nodes.filter((node) => node.open).map(({ id }) => id),
    clusters: communities.map(({ label, members }, i) => ({ rank: ranks[i]!, label, size: members.length })).sort((a, b) => a.rank - b.rank).slice(0, 12),
    marks: marked.map((id) => {
      const node = graph.find(id);
      return node === undefined ? -1 : seenAt[node]!;
    }),
    total: Math.min(inTree, graph.nodes.length),
  };
}

/** All below a closed group is seen as that group. */
function hide(tree: Hierarchy, group: number, at: number, seenAt: Int32Array): void {
  const below = [...tree.children(group)];
  for (let node = below.pop(); node !== undefined; node = below.pop()) {
    seenAt[node] = at;
    for (const child of tree.children(node)) below.push(child);
  }
}

function addUp({ graph }: Codebase, seenAt: Int32Array, nodes: readonly MapNode[], filter: EdgeFilter, passes: Uint8Array | undefined): number[] {
  const sums = new Map<number, { all: number; shown: number; doubtful: number; types: number }>();
  const size = nodes.length;
  for (let e = 0; e < graph.edgeCount; e++) {
    const type = graph.type[e]!;
    const confidence = graph.confidence[e]!;
    const source = graph.from[e]!;
    const from = seenAt[source]!;
    const to = seenAt[graph.to[e]!]!;
    if (STRUCTURE.has(type) || from < 0 || to < 0 || from === to || isInside(nodes, from, to) || isInside(nodes, to, from)) continue;
    const key = from * size + to;
    let sum = sums.get(key);
    if (!sum) sums.set(key, (sum = { all: 0, shown: 0, doubtful: 0, types: 0 }));
    sum.all++;
    if (!filter.types[type] || confidence < filter.minConfidence - 1e-6 || (!filter.tests && graph.nodes[source]!.test)) continue;
    if (passes && (passes[source] === 0 || passes[graph.to[e]!] === 0)) continue;
    sum.shown++;
    if (confidence < SURE - 1e-6) sum.doubtful++;
    sum.types |= 1 << type;
  }
  const edges: number[] = [];
  for (const [key, { all, shown, doubtful, types }] of sums) edges.push(Math.floor(key / size), key % size, all, shown, doubtful, types);
  return edges;
}

function isInside(nodes: readonly MapNode[], inner: number, outer: number): boolean {
  for (let at = nodes[inner]!.parent; at >= 0; at = nodes[at]!.parent) if (at === outer) return true;
  return false;
}

/** Ranks of communities by size, the largest first: they get the colours that differ most. */
export function ranksOf(communities: Codebase["communities"]): number[] {
  const ranks: number[] = [];
  communities.map((_, i) => i).sort((a, b) => communities[b]!.members.length - communities[a]!.members.length || a - b).forEach((i, rank) => (ranks[i] = rank));
  return ranks;
}
