/** A folder or a cluster as a page: what is in it, what it has to do with others, and where one gets in. */
import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES } from "../graph.ts";
import { SURE } from "../summary.ts";
import type { Tool } from "../tools.ts";
import { text } from "../tools/arguments.ts";
import { resolveNode } from "../tools/names.ts";
import { hierarchyOf } from "./hierarchy.ts";
import { cardOf, type Card } from "./symbol.ts";

export interface GroupAnswer {
  group: Card;
  /** Of a folder its folders and files, of a cluster its symbols; the largest, or the most used from outside, first. */
  members: (Card & { symbols: number })[];
  /** Folders or clusters with relations to this one, the most first. `inwards`: relations that lead here; `outwards`: away from here. */
  neighbours: (Card & { inwards: number; outwards: number })[];
  /** What is used from outside, by how many symbols there, and where frameworks or the system begin. */
  entries: (Card & { users: number; entry: string })[];
  total: { members: number; neighbours: number; entries: number; symbols: number };
}

const MEMBERS = 200;
const OTHERS = 60;
const STRUCTURE: ReadonlySet<number> = new Set(["CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS"].map((type) => (EDGE_TYPES as readonly string[]).indexOf(type)));

export const viewGroup: Tool = async (args, { codebase: plain, clustered }): Promise<GroupAnswer> => {
  const id = text(args, "id");
  const isCluster = id.startsWith("Community:");
  const codebase = isCluster ? await clustered() : plain;
  const { graph } = codebase;
  const group = resolveNode(codebase, id);
  const tree = await hierarchyOf(codebase, "folder");
  const inside = new Uint8Array(graph.nodes.length);
  const root = graph.nodes[group]!.file === "";
  const direct = isCluster ? codebase.communities.find(({ node }) => node === group)?.members ?? [] : root ? tree.roots : tree.children(group);
  const below = [...direct];
  for (let node = below.pop(); node !== undefined; node = below.pop()) {
    inside[node] = 1;
    if (!isCluster) below.push(...tree.children(node));
  }
  const groupOf = isCluster ? (node: number): number => graph.community[node] ?? -1 : foldersOf(codebase);
  const relations = new Map<number, { inwards: number; outwards: number }>();
  const users = new Map<number, Set<number>>();
  for (let e = 0; e < graph.edgeCount; e++) {
    const from = graph.from[e]!;
    const to = graph.to[e]!;
    if (inside[from] === inside[to] || STRUCTURE.has(graph.type[e]!) || graph.confidence[e]! < SURE - 1e-6) continue;
    const outer = groupOf(inside[to] === 1 ? from : to);
    if (outer >= 0 && outer !== group) {
      const sum = relations.get(outer) ?? { inwards: 0, outwards: 0 };
      if (inside[to] === 1) sum.inwards++;
      else sum.outwards++;
      relations.set(outer, sum);
    }
    if (inside[to] !== 1) continue;
    const known = users.get(to);
    if (known) known.add(from);
    else users.set(to, new Set([from]));
  }
  const symbols = (node: number): number => tree.weight[node] ?? 0;
  const used = (node: number): number => users.get(node)?.size ?? 0;
  const byId = (a: number, b: number): number => (graph.nodes[a]!.id < graph.nodes[b]!.id ? -1 : 1);
  const members = [...direct].sort((a, b) => (isCluster ? used(b) - used(a) : symbols(b) - symbols(a)) || byId(a, b));
  const neighbours = [...relations].sort(([a, x], [b, y]) => y.inwards + y.outwards - x.inwards - x.outwards || byId(a, b));
  const entries = graph.nodes.flatMap(({ entry }, node) => (inside[node] === 1 && (entry !== "" || used(node) > 0) ? [node] : [])).sort((a, b) => used(b) - used(a) || byId(a, b));
  return {
    group: cardOf(codebase, group),
    members: members.slice(0, MEMBERS).map((node) => ({ ...cardOf(codebase, node), symbols: symbols(node) })),
    neighbours: neighbours.slice(0, OTHERS).map(([node, sum]) => ({ ...cardOf(codebase, node), ...sum })),
    entries: entries.slice(0, OTHERS).map((node) => ({ ...cardOf(codebase, node), users: used(node), entry: graph.nodes[node]!.entry })),
    total: { members: members.length, neighbours: neighbours.length, entries: entries.length, symbols: members.reduce((sum, node) => sum + symbols(node), 0) },
  };
};

/** The folder of each node; -1 for what stands in none. */
function foldersOf({ graph }: Codebase): (node: number) => number {
  const folders = new Map(graph.nodes.flatMap(({ kind, file }, node) => (kind === "Folder" ? [[file, node] as const] : [])));
  return (node) => {
    const { file } = graph.nodes[node]!;
    return folders.get(file.slice(0, Math.max(0, file.lastIndexOf("/")))) ?? -1;
  };
}
