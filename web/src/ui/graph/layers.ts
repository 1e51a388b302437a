/** Places discs in columns inside a disc of radius 1: what calls stands at the left of what it calls, as far as there are no cycles. */
import { graphlib, layout } from "@dagrejs/dagre";
import { fitted, radiusOf, type Child, type Disc, type Tie } from "./pack.ts";

/** Ties that are taken into account, for each child: the heaviest. More take long and order nothing better. */
const TIES_A_CHILD = 3;
/** Free space between two discs of the median size, as a share of their diameter. */
const ABOVE = 0.9;
const BESIDE = 0.8;

/** `ties` lead from the caller to what it calls. */
export function layered(children: readonly Child[], ties: readonly Tie[]): Disc[] {
  if (children.length === 1) return [{ x: 0, y: 0, r: 0.9 }];
  // Differences in size count for less than in a heap: columns are as wide as their largest.
  const discs = children.map(({ weight }): Disc => ({ x: 0, y: 0, r: radiusOf(weight) ** 0.7 }));
  const usual = 2 * discs.map(({ r }) => r).sort((a, b) => a - b)[Math.floor(discs.length / 2)]!;
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: "LR", acyclicer: "greedy", nodesep: ABOVE * usual, ranksep: BESIDE * usual, edgesep: usual / 3 });
  graph.setDefaultEdgeLabel(() => ({}));
  const heaviest = [...ties].sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1]).slice(0, TIES_A_CHILD * children.length);
  const tied = new Set(heaviest.flatMap(([a, b]) => [a, b]));
  discs.forEach(({ r }, i) => tied.has(i) && graph.setNode(String(i), { width: 2 * r, height: 2 * r }));
  // Whole numbers: with others the search for cycles does not end.
  for (const [a, b, weight] of heaviest) graph.setEdge(String(a), String(b), { weight: 1 + Math.round(Math.log2(weight)) });
  if (tied.size > 0) layout(graph);
  for (const i of tied) {
    const { x, y } = graph.node(String(i)) as { x: number; y: number };
    [discs[i]!.x, discs[i]!.y] = [x, y];
  }
  beside(discs, tied, usual);
  return fitted(discs);
}

/** What has no ties stands in rows below the rest, about as wide as that. */
function beside(discs: readonly Disc[], tied: ReadonlySet<number>, usual: number): void {
  const rest = discs.filter((_, i) => !tied.has(i)).sort((a, b) => b.r - a.r);
  const placed = discs.filter((_, i) => tied.has(i));
  const step = (disc: Disc): number => 2 * disc.r + usual / 2;
  const area = rest.reduce((sum, disc) => sum + step(disc) ** 2, 0);
  const left = placed.reduce((least, { x, r }) => Math.min(least, x - r), placed.length === 0 ? 0 : Infinity);
  const right = Math.max(left + Math.sqrt(area), placed.reduce((most, { x, r }) => Math.max(most, x + r), 0));
  let y = placed.reduce((most, disc) => Math.max(most, disc.y + disc.r), 0) + usual;
  let x = left;
  let high = 0;
  for (const disc of rest) {
    if (x > left && x + 2 * disc.r > right) {
      x = left;
      y += high;
      high = 0;
    }
    disc.x = x + disc.r;
    disc.y = y + disc.r;
    x += step(disc);
    high = Math.max(high, step(disc));
  }
}
