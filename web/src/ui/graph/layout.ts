/** Where the drawn nodes stand: a deterministic start, and ForceAtlas2 from there until nothing much moves. */
import iterate from "graphology-layout-forceatlas2/iterate.js";
import { EDGE_TYPES, type EdgeType } from "../../engine/graph.ts";
import type { ViewGraph } from "../../messages.ts";

/** What the layout Worker is given. Positions and sizes have the nodes' order. */
export interface LayoutInput {
  /** x0, y0, x1, y1 … */
  positions: Float32Array;
  /** Pairs of node indexes. */
  edges: Uint32Array;
  /** One an edge; 0 leaves it out. */
  weights: Float32Array;
}

export type LayoutCommand =
  | { type: "start"; input: LayoutInput }
  /** The last positions were drawn: send others. */
  | { type: "drawn" };

export interface LayoutEvent {
  positions: Float32Array;
  /** Nothing more will come. */
  done: boolean;
  iterations: number;
}

/** How strongly an edge pulls. Membership in a cluster is in the start already; the other types say what belongs together. */
const PULL: Record<EdgeType, number> = {
  CALLS: 1, IMPORTS: 0.5, EXTENDS: 1.2, IMPLEMENTS: 1, CONTAINS: 0.8, DEFINES: 0.8, MEMBER_OF: 0, STEP_IN_PROCESS: 0,
};

const FLOATS_PER_NODE = 10;
const MASS = 6;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Where nodes stood, by id. */
export type Places = ReadonlyMap<string, { x: number; y: number }>;

/** When this share of the nodes has a place already, the others find theirs beside them, and nothing is arranged anew. */
const SETTLED = 0.9;

export function isSettled(view: ViewGraph, places: Places): boolean {
  return view.nodes.filter(({ id }) => places.has(id)).length >= SETTLED * view.nodes.length;
}

export function layoutInput(view: ViewGraph): LayoutInput {
  const weights = new Float32Array(view.edgeTypes.length);
  view.edgeTypes.forEach((type, e) => (weights[e] = PULL[EDGE_TYPES[type] ?? "CALLS"]));
  return { positions: startPositions(view), edges: view.edges.slice(), weights };
}

/**
 * Clusters on a sunflower, largest in the middle, their members on a small one of their own; what has no cluster (files,
 * folders) amid its neighbours. The same graph always starts, and so ends, the same.
 */
export function startPositions(view: ViewGraph, places?: Places): Float32Array {
  const n = view.nodes.length;
  const positions = new Float32Array(2 * n).fill(NaN);
  if (places) {
    view.nodes.forEach(({ id }, i) => {
      const place = places.get(id);
      if (place) positions.set([place.x, place.y], 2 * i);
    });
    settleAmidNeighbours(view, positions);
  }
  const groups = new Map<number, number[]>();
  view.nodes.forEach((node, i) => {
    if (node.community < 0) return;
    const members = groups.get(node.community);
    if (members) members.push(i);
    else groups.set(node.community, [i]);
  });
  let before = 0;
  [...groups.entries()]
    .sort(([a, ma], [b, mb]) => mb.length - ma.length || a - b)
    .forEach(([, members], g) => {
      // The area up to a cluster's centre is that of everything placed so far, so clusters get room by their size.
      const radius = 14 * Math.sqrt(before + members.length / 2);
      const cx = g === 0 ? 0 : radius * Math.cos(g * GOLDEN_ANGLE);
      const cy = g === 0 ? 0 : radius * Math.sin(g * GOLDEN_ANGLE);
      members.forEach((node, i) => {
        if (!Number.isNaN(positions[2 * node]!)) return;
        const r = 6 * Math.sqrt(i + 0.5);
        positions[2 * node] = cx + r * Math.cos(i * GOLDEN_ANGLE);
        positions[2 * node + 1] = cy + r * Math.sin(i * GOLDEN_ANGLE);
      });
      before += members.length;
    });
  // Twice: files stand by their symbols, then folders by their files.
  settleAmidNeighbours(view, positions);
  settleAmidNeighbours(view, positions);
  const rim = 14 * Math.sqrt(n);
  for (let i = 0; i < n; i++) {
    if (!Number.isNaN(positions[2 * i]!)) continue;
    positions[2 * i] = rim * Math.cos(i * GOLDEN_ANGLE);
    positions[2 * i + 1] = rim * Math.sin(i * GOLDEN_ANGLE);
  }
  return positions;
}

function settleAmidNeighbours(view: ViewGraph, positions: Float32Array): void {
  const n = view.nodes.length;
  const sums = new Float64Array(3 * n);
  const add = (at: number, other: number): void => {
    if (!Number.isNaN(positions[2 * at]!) || Number.isNaN(positions[2 * other]!)) return;
    sums[3 * at]! += positions[2 * other]!;
    sums[3 * at + 1]! += positions[2 * other + 1]!;
    sums[3 * at + 2]! += 1;
  };
  for (let e = 0; e < view.edges.length; e += 2) {
    add(view.edges[e]!, view.edges[e + 1]!);
    add(view.edges[e + 1]!, view.edges[e]!);
  }
  for (let i = 0; i < n; i++) {
    const neighbours = sums[3 * i + 2]!;
    if (neighbours === 0) continue;
    // Apart by an index's own angle, or two nodes in one place would never be pushed asunder.
    positions[2 * i] = sums[3 * i]! / neighbours + 3 * Math.cos(i * GOLDEN_ANGLE);
    positions[2 * i + 1] = sums[3 * i + 1]! / neighbours + 3 * Math.sin(i * GOLDEN_ANGLE);
  }
}

/** A layout under way: `step` until `settled`. */
export class Layout {
  iterations = 0;
  private readonly nodes: Float32Array;
  private readonly edges: Float32Array;
  private readonly settings: Parameters<typeof iterate>[0];
  private readonly most: number;
  /** Mean way of a node in one step, relative to the drawing's radius; smoothed. */
  private motion = 1;

  constructor({ positions, edges, weights }: LayoutInput) {
    const n = positions.length / 2;
    this.nodes = new Float32Array(n * FLOATS_PER_NODE);
    for (let i = 0; i < n; i++) {
      this.nodes.set([positions[2 * i]!, positions[2 * i + 1]!, 0, 0, 0, 0, 1, 1, 1, 0], i * FLOATS_PER_NODE);
    }
    const matrix: number[] = [];
    weights.forEach((weight, e) => {
      const from = edges[2 * e]! * FLOATS_PER_NODE;
      const to = edges[2 * e + 1]! * FLOATS_PER_NODE;
      if (weight === 0 || from === to) return;
      this.nodes[from + MASS]! += weight;
      this.nodes[to + MASS]! += weight;
      matrix.push(from, to, weight);
    });
    this.edges = Float32Array.from(matrix);
    this.most = Math.round(Math.min(700, Math.max(200, 1_200_000 / Math.max(n, 1))));
    this.settings = {
      linLogMode: false, outboundAttractionDistribution: false, adjustSizes: false, edgeWeightInfluence: 1,
      scalingRatio: 10, strongGravityMode: true, gravity: 0.05, slowDown: 1 + Math.log(n + 1),
      barnesHutOptimize: n > 1000, barnesHutTheta: 0.7,
    };
  }

  get settled(): boolean {
    if (this.nodes.length <= FLOATS_PER_NODE) return true;
    return this.iterations >= this.most || (this.iterations >= 80 && this.motion < 0.0008);
  }

  step(): void {
    const before = this.positions();
    iterate(this.settings, this.nodes, this.edges);
    this.iterations++;
    let way = 0;
    let square = 0;
    const n = before.length / 2;
    for (let i = 0; i < n; i++) {
      const x = this.nodes[i * FLOATS_PER_NODE]!;
      const y = this.nodes[i * FLOATS_PER_NODE + 1]!;
      way += Math.hypot(x - before[2 * i]!, y - before[2 * i + 1]!);
      square += x * x + y * y;
    }
    const radius = Math.sqrt(square / n) || 1;
    this.motion = 0.8 * this.motion + 0.2 * (way / n / radius);
  }

  /** A copy: x0, y0, x1, y1 … */
  positions(): Float32Array {
    const positions = new Float32Array((this.nodes.length / FLOATS_PER_NODE) * 2);
    for (let i = 0; 2 * i < positions.length; i++) {
      positions[2 * i] = this.nodes[i * FLOATS_PER_NODE]!;
      positions[2 * i + 1] = this.nodes[i * FLOATS_PER_NODE + 1]!;
    }
    return positions;
  }
}
