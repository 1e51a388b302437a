/** From one scene to the next: what stays moves over, what is new comes up and glows, what is gone fades. */
import type { PaintedNode, PaintedScene } from "./scene.ts";

const MOVE = 260;
const GLOW = 1_800;
/** Nodes that fade, at most. */
const FADING = 400;

/** How a scene takes the place of another. */
export interface Change {
  /** For each node its index in the scene before; -1 for one that is new. */
  origins: Int32Array<ArrayBuffer>;
  /** What is new glows. */
  edited: boolean;
  /** The new scene is there at once; what is new glows all the same, since that is what the user is to see. */
  still: boolean;
  /** When, in milliseconds, by the same clock as the other times here. */
  time: number;
}

export class Transition {
  private start = -Infinity;
  private before: readonly PaintedNode[] = [];
  private origins = new Int32Array(0);
  private fresh: number[] = [];
  private gone: readonly PaintedNode[] = [];
  private glows = false;
  private count = 0;

  begin(before: readonly PaintedNode[], { origins, edited, still, time }: Change): void {
    this.start = time - (still ? MOVE : 0);
    this.count = origins.length;
    this.glows = edited;
    this.fresh = [];
    const stays = new Uint8Array(before.length);
    origins.forEach((origin, i) => {
      if (origin >= 0) stays[origin] = 1;
      else if (before.length > 0) this.fresh.push(i);
    });
    // Whole other pictures don't fade into each other.
    const isAkin = stays.includes(1);
    this.gone = still || !isAkin ? [] : before.filter(({ shape }, i) => stays[i] === 0 && shape !== "open").slice(0, FADING);
    [this.before, this.origins] = still ? [[], new Int32Array(0)] : [before, origins];
  }

  runs(time: number): boolean {
    return time - this.start < (this.glows && this.fresh.length > 0 ? GLOW : MOVE);
  }

  /** The scene as it is on its way: the same nodes at the same indexes, and after them those that fade. */
  sceneAt(scene: PaintedScene, time: number): PaintedScene {
    const t = this.progress(time);
    if (t >= 1) return scene;
    const nodes = scene.nodes.map((node, i) => {
      const from = this.before[this.origins[i] ?? -1];
      if (!from || (from.x === node.x && from.y === node.y && from.r === node.r)) return node;
      return { ...node, x: from.x + (node.x - from.x) * t, y: from.y + (node.y - from.y) * t, r: from.r + (node.r - from.r) * t };
    });
    return { ...scene, nodes: [...nodes, ...this.gone.map((node) => ({ ...node, parent: -1, name: "" }))] };
  }

  at(time: number): { opacity: ReadonlyMap<number, number>; glow: ReadonlyMap<number, number> } {
    const opacity = new Map<number, number>();
    const glow = new Map<number, number>();
    const t = this.progress(time);
    const left = 1 - (time - this.start) / GLOW;
    for (const i of this.fresh) {
      if (t < 1) opacity.set(i, t);
      if (this.glows && left > 0) glow.set(i, left);
    }
    if (t < 1) this.gone.forEach((_, i) => opacity.set(this.count + i, 1 - t));
    return { opacity, glow };
  }

  private progress(time: number): number {
    const t = Math.min(1, Math.max(0, (time - this.start) / MOVE));
    return 1 - (1 - t) ** 2;
  }
}
