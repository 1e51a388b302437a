/** Makes the picture of a node's surroundings: callers in columns at the left, callees at the right. */
import type { LocalAnswer } from "../../engine/view/local.ts";
import type { Palette } from "./palette.ts";
import { boundsOf, EMPTY, type Scene, type SceneNode } from "./scene.ts";
import { strings } from "../strings.ts";

const COLUMN = 300;
const ROW = 34;
const DOT = 7;

export function localScene(answer: LocalAnswer, palette: Palette, hiddenKinds: ReadonlySet<string>): Scene {
  const { nodes, edges, omitted } = answer;
  if (nodes.length === 0) return EMPTY;
  const columns = new Map<number, number[]>();
  nodes.forEach(({ step, kind }, i) => {
    if (step !== 0 && hiddenKinds.has(kind)) return;
    const column = columns.get(step);
    if (column) column.push(i);
    else columns.set(step, [i]);
  });
  const neighbours = nodes.map(() => [] as number[]);
  for (let e = 0; e < edges.length; e += 4) {
    neighbours[edges[e]!]!.push(edges[e + 1]!);
    neighbours[edges[e + 1]!]!.push(edges[e]!);
  }
  const ys = nodes.map(() => 0);
  // From the middle outwards: each beside what it leads to, so that few lines cross.
  for (const step of [...columns.keys()].sort((a, b) => Math.abs(a) - Math.abs(b) || a - b)) {
    const column = columns.get(step)!;
    const inner = (i: number): number => {
      const near = neighbours[i]!.filter((other) => Math.abs(nodes[other]!.step) < Math.abs(step));
      return near.length === 0 ? 0 : near.reduce((sum, other) => sum + ys[other]!, 0) / near.length;
    };
    const wanted = new Map(column.map((i) => [i, inner(i)]));
    column.sort((a, b) => wanted.get(a)! - wanted.get(b)! || (nodes[a]!.file < nodes[b]!.file ? -1 : nodes[a]!.file > nodes[b]!.file ? 1 : nodes[a]!.line - nodes[b]!.line));
    column.forEach((i, row) => (ys[i] = (row - (column.length - 1) / 2) * ROW));
  }
  const at = new Map<number, number>();
  const shown: SceneNode[] = [];
  for (const column of columns.values()) {
    for (const i of column) {
      const { id, name, kind, file, step } = nodes[i]!;
      at.set(i, shown.length);
      shown.push({
        id, name, kind, x: step * COLUMN, y: ys[i]!, r: step === 0 ? DOT * 1.7 : DOT, colour: palette.kind(kind), shape: "dot", parent: -1,
        detail: file.slice(file.lastIndexOf("/") + 1), side: step < 0 ? "left" : "right", room: ROW,
      });
    }
  }
  const links: Scene["edges"] = toLinks(edges, at);
  const bounds = boundsOf(shown, 130);
  const guides = omitted.map(({ step, count }) => ({ x: step * COLUMN, y: ((columns.get(step)?.length ?? 0) / 2) * ROW + 14, r: 0, label: strings.localScene.more(count) }));
  return { nodes: shown, edges: links, guides, bounds, readable: { scale: 0.62, from: "origin" } };
}

function toLinks(edges: readonly number[], at: ReadonlyMap<number, number>): Scene["edges"] {
  const links = [];
  for (let e = 0; e < edges.length; e += 4) {
    const from = at.get(edges[e]!);
    const to = at.get(edges[e + 1]!);
    if (from !== undefined && to !== undefined) links.push({ from, to, weight: 1, doubtful: edges[e + 3] === 1 });
  }
  return links;
}
