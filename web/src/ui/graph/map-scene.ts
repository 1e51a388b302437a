/** Makes the picture of the map. */
import type { MapAnswer, MapNode } from "../../engine/view/map.ts";
import { count } from "../words.ts";
import type { Arrangement, Places, Task } from "./places.ts";
import type { Disc } from "./pack.ts";
import type { Palette } from "./palette.ts";
import { boundsOf, EMPTY, type Scene, type SceneEdge, type SceneNode } from "./scene.ts";
import { treePlaces } from "./tree-places.ts";

/** Radius of the disc that has everything. */
const WORLD = 1000;
const HEAP = 8;
const NOWHERE: Disc = { x: 0, y: 0, r: 0 };

export interface MapLook {
  palette: Palette;
  colourBy: "cluster" | "kind";
  hiddenKinds: ReadonlySet<string>;
}

/** Key of the group of a node: groupings and arrangements don't share places. */
export function groupKey(by: string, arrangement: Arrangement, parent: { id: string } | undefined): string {
  return `${by} ${arrangement} ${parent?.id ?? ""}`;
}

/** Children by group, as indexes; those of the top at -1. Groups come before what is in them. */
function childrenOf({ nodes }: MapAnswer): Map<number, number[]> {
  const children = new Map<number, number[]>();
  nodes.forEach(({ parent }, i) => {
    const list = children.get(parent);
    if (list) list.push(i);
    else children.set(parent, [i]);
  });
  return children;
}

/** The groups of an answer in which something has no place yet. */
export function unarranged(answer: MapAnswer, by: string, arrangement: Arrangement, places: Places): Task[] {
  const { nodes } = answer;
  const groups = childrenOf(answer);
  const tasks = new Map<number, Task>();
  for (const [parent, children] of groups) {
    const group = groupKey(by, arrangement, nodes[parent]);
    const placed = places.of(group);
    const kept = children.map((i) => placed.get(nodes[i]!.id));
    if (kept.every((disc) => disc !== undefined)) continue;
    tasks.set(parent, { group, arrangement, children: children.map((i) => ({ id: nodes[i]!.id, weight: weightOf(nodes[i]!) })), ties: [], kept });
  }
  if (tasks.size > 0) addTies(answer, groups, tasks);
  return [...tasks.values()];
}

/** What is in no cluster is one heap of many small things: it does not get the middle of the picture. */
function weightOf({ kind, weight }: MapNode): number {
  return kind === "Group" ? Math.ceil(weight / HEAP) : weight;
}

/** Everything in the answer has its place. */
export function mapScene(answer: MapAnswer, by: string, arrangement: Arrangement, places: Places, look: MapLook): Scene {
  const { nodes } = answer;
  if (nodes.length === 0) return EMPTY;
  const discs: Disc[] = new Array<Disc>(nodes.length);
  for (const [parent, children] of childrenOf(answer)) {
    const ground = parent < 0 ? { x: 0, y: 0, r: WORLD } : discs[parent]!;
    const placed = places.of(groupKey(by, arrangement, nodes[parent]));
    for (const i of children) {
      const { x, y, r } = placed.get(nodes[i]!.id) ?? NOWHERE;
      discs[i] = { x: ground.x + x * ground.r, y: ground.y + y * ground.r, r: r * ground.r };
    }
  }
  const { shown, at } = shownNodes(answer, discs, look);
  return { nodes: shown, edges: relations(answer, at), guides: [], bounds: places.box(groupKey(by, arrangement, undefined), WORLD) };
}

/** The same as a tree of what contains what, from left to right; relations are shown of what stands out. */
export function treeScene(answer: MapAnswer, root: string, look: MapLook): Scene {
  if (answer.nodes.length === 0) return EMPTY;
  const { inner, discs } = treePlaces(answer);
  const { shown, at } = shownNodes(answer, discs, look);
  const innerIds = new Set(answer.nodes.flatMap(({ id }, i) => (inner[i]! ? [id] : [])));
  const trunk: SceneEdge[] = [];
  const flat = shown.map((node, i): SceneNode => {
    trunk.push({ from: node.parent < 0 ? shown.length : node.parent, to: i, weight: 1, doubtful: false, trunk: true });
    return { ...node, shape: node.shape === "open" ? "group" : node.shape, parent: -1, side: innerIds.has(node.id) ? "left" : "right", beside: true };
  });
  const tops = flat.filter((_, i) => shown[i]!.parent < 0);
  const y = ((tops[0]?.y ?? 0) + (tops.at(-1)?.y ?? 0)) / 2;
  flat.push({ id: "Folder:", name: root, kind: "Folder", x: 0, y, r: 14, colour: look.palette.kind("Folder"), shape: "dot", detail: count(answer.total), parent: -1, side: "left", beside: true });
  return { nodes: flat, edges: [...trunk, ...relations(answer, at).map((edge) => ({ ...edge, quiet: true }))], guides: [], bounds: boundsOf(flat, 170), readable: { scale: 0.72, from: "corner" } };
}

/** The nodes that pass the filters, and where each of the answer's is among them. */
function shownNodes({ nodes }: MapAnswer, discs: readonly Disc[], look: MapLook): { shown: SceneNode[]; at: Int32Array } {
  const at = new Int32Array(nodes.length).fill(-1);
  const shown: SceneNode[] = [];
  nodes.forEach((node, i) => {
    if (node.out || (!node.group && look.hiddenKinds.has(node.kind))) return;
    at[i] = shown.length;
    shown.push({
      ...discs[i]!, id: node.id, name: node.name, kind: node.kind, colour: colourOf(node, look),
      shape: node.open ? "open" : node.group ? "group" : "dot",
      detail: node.group ? count(node.weight) : "",
      parent: node.parent < 0 ? -1 : at[node.parent]!,
    });
  });
  return { shown, at };
}

function relations({ edges }: MapAnswer, at: Int32Array): SceneEdge[] {
  const links: SceneEdge[] = [];
  for (let e = 0; e < edges.length; e += 6) {
    const from = at[edges[e]!]!;
    const to = at[edges[e + 1]!]!;
    const weight = edges[e + 3]!;
    if (from >= 0 && to >= 0 && weight > 0) links.push({ from, to, weight, doubtful: 2 * edges[e + 4]! >= weight });
  }
  return links.sort((a, b) => b.weight - a.weight);
}

function colourOf(node: MapNode, { palette, colourBy }: MapLook): string {
  return colourBy === "kind" ? palette.kind(node.kind) : palette.cluster(node.cluster);
}

/** Gives each task what the children of its group have to do with each other: the relations below them, added up. */
function addTies({ nodes, edges }: MapAnswer, groups: ReadonlyMap<number, readonly number[]>, tasks: ReadonlyMap<number, Task>): void {
  const position = new Int32Array(nodes.length);
  const level = new Int32Array(nodes.length);
  for (const children of groups.values()) children.forEach((child, i) => (position[child] = i));
  nodes.forEach(({ parent }, i) => (level[i] = parent < 0 ? 0 : level[parent]! + 1));
  const sums = new Map<number, number>();
  for (let e = 0; e < edges.length; e += 6) {
    let [a, b] = [edges[e]!, edges[e + 1]!];
    while (level[a]! > level[b]!) a = nodes[a]!.parent;
    while (level[b]! > level[a]!) b = nodes[b]!.parent;
    while (nodes[a]!.parent !== nodes[b]!.parent) [a, b] = [nodes[a]!.parent, nodes[b]!.parent];
    if (a === b || !tasks.has(nodes[a]!.parent)) continue;
    const key = a * nodes.length + b;
    sums.set(key, (sums.get(key) ?? 0) + edges[e + 2]!);
  }
  for (const key of Float64Array.from(sums.keys()).sort()) {
    const a = Math.floor(key / nodes.length);
    tasks.get(nodes[a]!.parent)!.ties.push(position[a]!, position[key % nodes.length]!, sums.get(key)!);
  }
}
