/** How much of a scene is drawn at a scale: an open group that is too small on the screen is one disc, and hides what is in it. */
import type { PaintedNode, PaintedScene, SceneEdge } from "./scene.ts";

/** Pixels of an open group's radius up to which it is one disc, and from which on all of what is in it is there. */
const CLOSED = 11;
const OPEN = 19;

/** From 0, one disc, to 1: how far an open group of a radius in pixels is drawn as what is in it. */
export function openness(r: number): number {
  return Math.max(0, Math.min(1, (r - CLOSED) / (OPEN - CLOSED)));
}

export class Detail {
  /** Index of the node that a node is drawn as: its own, or that of the smallest group around it that is drawn; groups come before what is in them. */
  as = new Int32Array(0);
  /** Opacity of a node by the size of the group around it. */
  alpha = new Float32Array(0);
  /** Nodes that are drawn. */
  drawn = 0;
  private scale = 0;
  private scene: { nodes: readonly PaintedNode[]; edges: readonly SceneEdge[] } | undefined;
  private edgesOf: { edges: readonly SceneEdge[]; closed: number } | undefined;
  private bundled: readonly SceneEdge[] = [];
  /** Tells one set of closed groups from another; 0: all are open. */
  private closed = 0;

  /** Looks at a scene at a scale, in pixels for a unit of the picture. */
  look(scene: PaintedScene, scale: number): void {
    const { nodes } = scene;
    if (this.scene?.nodes === nodes && this.scale === scale) return;
    this.scene = scene;
    this.scale = scale;
    if (this.as.length < nodes.length) {
      this.as = new Int32Array(nodes.length);
      this.alpha = new Float32Array(nodes.length);
    }
    const { as, alpha } = this;
    this.drawn = 0;
    this.closed = 0;
    for (let i = 0; i < nodes.length; i++) {
      const { parent } = nodes[i]!;
      const isHidden = parent >= 0 && (as[parent] !== parent || nodes[parent]!.r * scale <= CLOSED);
      as[i] = isHidden ? as[parent]! : i;
      if (isHidden) continue;
      this.drawn++;
      alpha[i] = parent < 0 ? 1 : openness(nodes[parent]!.r * scale) * alpha[parent]!;
      if (nodes[i]!.shape === "open" && nodes[i]!.r * scale <= CLOSED) this.closed = (Math.imul(this.closed, 31) + i + 1) | 0;
    }
  }

  /** What a node of the scene that was looked at is drawn as. */
  shape(i: number): PaintedNode["shape"] {
    const node = this.scene!.nodes[i]!;
    return node.shape === "open" && node.r * this.scale <= CLOSED ? "group" : node.shape;
  }

  /** The relations between what is drawn, the heaviest first. `settled` is false while the camera moves: then those from before will do. */
  edges(settled: boolean): readonly SceneEdge[] {
    const { edges } = this.scene!;
    if (this.closed === 0) return edges;
    const known = this.edgesOf;
    if (known?.edges === edges && (known.closed === this.closed || !settled)) return this.bundled;
    this.edgesOf = { edges, closed: this.closed };
    this.bundled = bundle(edges, this.as);
    return this.bundled;
  }
}

/** Relations added up by what their ends are drawn as. */
function bundle(edges: readonly SceneEdge[], as: Int32Array): SceneEdge[] {
  const sums = new Map<number, { from: number; to: number; weight: number; doubtful: number }>();
  for (const { from, to, weight, doubtful } of edges) {
    const [a, b] = [as[from]!, as[to]!];
    if (a === b) continue;
    const key = a * 2 ** 24 + b;
    let sum = sums.get(key);
    if (!sum) sums.set(key, (sum = { from: a, to: b, weight: 0, doubtful: 0 }));
    sum.weight += weight;
    if (doubtful) sum.doubtful += weight;
  }
  return [...sums.values()].sort((a, b) => b.weight - a.weight).map(({ from, to, weight, doubtful }) => ({ from, to, weight, doubtful: 2 * doubtful >= weight }));
}
