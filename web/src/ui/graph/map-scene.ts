/** Makes the picture of the map. What has a place keeps it, whatever is opened, folded or edited. */
import type { MapAnswer, MapNode } from "../../engine/view/map.ts";
import { count } from "../words.ts";
import { join, pack, type Child, type Disc, type Tie } from "./pack.ts";
import type { Palette } from "./palette.ts";
import { EMPTY, type Scene, type SceneNode } from "./scene.ts";

/** Radius of the disc that has everything. */
const WORLD = 1000;
/** When less of a group's children is known than this, they are all placed anew. */
const KNOWN = 0.5;

export interface MapLook {
  palette: Palette;
  colourBy: "cluster" | "kind";
  hiddenKinds: ReadonlySet<string>;
}

/** Places of children by group, in units of the group's radius. One for each page. */
export class MapPlaces {
  private readonly groups = new Map<string, Map<string, Disc>>();

  /** Moves a child to where the user has dragged it, in units of its group's radius. */
  drag(group: string, id: string, x: number, y: number): void {
    const disc = this.groups.get(group)?.get(id);
    if (!disc) return;
    disc.x = x;
    disc.y = y;
  }

  of(group: string, children: readonly Child[], ties: () => readonly Tie[]): Disc[] {
    const known = this.groups.get(group);
    const kept = children.map(({ id }) => known?.get(id));
    const n = kept.filter((disc) => disc !== undefined).length;
    const discs = n === children.length ? (kept as Disc[])
      : n >= KNOWN * children.length && n > 0 ? join(children, kept, ties()) : pack(children, ties());
    this.groups.set(group, new Map(children.map(({ id }, i) => [id, discs[i]!])));
    return discs;
  }
}

/** Key of the group of a node: groupings don't share places. */
export function groupKey(by: string, parent: { id: string } | undefined): string {
  return `${by} ${parent?.id ?? ""}`;
}

export function mapScene(answer: MapAnswer, by: string, places: MapPlaces, look: MapLook): Scene {
  const { nodes, edges } = answer;
  if (nodes.length === 0) return EMPTY;
  const childrenOf = new Map<number, number[]>();
  nodes.forEach(({ parent }, i) => {
    const list = childrenOf.get(parent);
    if (list) list.push(i);
    else childrenOf.set(parent, [i]);
  });
  const ties = lazily(() => tiesByGroup(nodes, edges, childrenOf));
  const discs: Disc[] = nodes.map(() => ({ x: 0, y: 0, r: WORLD }));
  for (const [parent, children] of childrenOf) {
    const ground = parent < 0 ? { x: 0, y: 0, r: WORLD } : discs[parent]!;
    const inside = places.of(groupKey(by, nodes[parent]), children.map((i) => ({ id: nodes[i]!.id, weight: nodes[i]!.weight })), () => ties().get(parent) ?? []);
    children.forEach((child, i) => {
      const disc = inside[i]!;
      discs[child] = { x: ground.x + disc.x * ground.r, y: ground.y + disc.y * ground.r, r: disc.r * ground.r };
    });
  }
  const at = new Map<number, number>();
  const shown: SceneNode[] = [];
  nodes.forEach((node, i) => {
    if (!node.group && look.hiddenKinds.has(node.kind)) return;
    at.set(i, shown.length);
    shown.push({
      ...discs[i]!, id: node.id, name: node.name, kind: node.kind, colour: colourOf(node, look),
      shape: node.open ? "open" : node.group ? "group" : "dot",
      detail: node.group ? count(node.weight) : "",
      parent: node.parent < 0 ? -1 : at.get(node.parent) ?? -1,
    });
  });
  const links: { from: number; to: number; weight: number; doubtful: boolean }[] = [];
  for (let e = 0; e < edges.length; e += 6) {
    const from = at.get(edges[e]!);
    const to = at.get(edges[e + 1]!);
    const weight = edges[e + 3]!;
    if (from !== undefined && to !== undefined && weight > 0) links.push({ from, to, weight, doubtful: 2 * edges[e + 4]! >= weight });
  }
  // The heaviest first: not all may be painted.
  links.sort((a, b) => b.weight - a.weight);
  return { nodes: shown, edges: links, guides: [], bounds: { x: -WORLD, y: -WORLD, width: 2 * WORLD, height: 2 * WORLD } };
}

function colourOf(node: MapNode, { palette, colourBy }: MapLook): string {
  return colourBy === "kind" && !node.group ? palette.kind(node.kind) : colourBy === "kind" && node.kind !== "Community" ? palette.kind(node.kind) : palette.cluster(node.cluster);
}

/** What the children of each group have to do with each other: the relations below them, added up. */
function tiesByGroup(nodes: readonly MapNode[], edges: readonly number[], childrenOf: ReadonlyMap<number, number[]>): Map<number, Tie[]> {
  const position = new Int32Array(nodes.length);
  for (const children of childrenOf.values()) children.forEach((child, i) => (position[child] = i));
  const sums = new Map<number, Map<number, number>>();
  const above = (node: number): number[] => {
    const path = [node];
    for (let at = nodes[node]!.parent; at >= 0; at = nodes[at]!.parent) path.push(at);
    return path.reverse();
  };
  for (let e = 0; e < edges.length; e += 6) {
    const from = above(edges[e]!);
    const to = above(edges[e + 1]!);
    let level = 0;
    while (level < from.length && level < to.length && from[level] === to[level]) level++;
    const [a, b] = [from[level], to[level]];
    if (a === undefined || b === undefined) continue;
    const parent = nodes[a]!.parent;
    const [low, high] = [Math.min(position[a]!, position[b]!), Math.max(position[a]!, position[b]!)];
    let sum = sums.get(parent);
    if (!sum) sums.set(parent, (sum = new Map<number, number>()));
    const key = low * 65_536 + high;
    sum.set(key, (sum.get(key) ?? 0) + edges[e + 2]!);
  }
  return new Map([...sums].map(([parent, sum]) => [parent, [...sum].sort((a, b) => a[0] - b[0]).map(([key, weight]) => [Math.floor(key / 65_536), key % 65_536, weight] as const)]));
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
