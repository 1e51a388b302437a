/** Places of a tree from left to right: a row for each leaf, groups at the middle of what is in them. `inner`: has something beside it that is shown. */
import type { MapAnswer } from "../../engine/view/map.ts";
import type { Disc } from "./pack.ts";

const COLUMN = 230;
const ROW = 24;
/** Between what stands in different groups. */
const APART = 10;
const DOT = 6;

export function treePlaces({ nodes }: MapAnswer): { inner: boolean[]; discs: Disc[] } {
  const level = new Int32Array(nodes.length);
  const children = nodes.map((): number[] => []);
  nodes.forEach(({ parent }, i) => {
    if (parent < 0) return;
    level[i] = level[parent]! + 1;
    if (!nodes[i]!.out) children[parent]!.push(i);
  });
  const discs: Disc[] = nodes.map(({ group, weight }, i) => ({ x: (level[i]! + 1) * COLUMN, y: 0, r: group ? DOT + Math.min(6, Math.log2(weight) / 2) : DOT }));
  let y = 0;
  let before = -1;
  // Groups come before what is in them, so leaves come in the order of their rows.
  nodes.forEach(({ parent, out }, i) => {
    if (out || children[i]!.length > 0) return;
    if (before !== -1 && nodes[before]!.parent !== parent) y += APART;
    discs[i]!.y = y;
    y += ROW;
    before = i;
  });
  for (let i = nodes.length - 1; i >= 0; i--) {
    const list = children[i]!;
    if (list.length > 0) discs[i]!.y = (discs[list[0]!]!.y + discs[list.at(-1)!]!.y) / 2;
  }
  return { inner: children.map((list) => list.length > 0), discs };
}
