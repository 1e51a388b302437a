/** From one scene to the next: what stays moves over, what is new comes up and glows, what is gone fades. */
import type { Scene, SceneNode } from "./scene.ts";

const MOVE = 260;
const GLOW = 1_800;

export class Transition {
  private start = -Infinity;
  private from = new Map<string, SceneNode>();
  private fresh = new Set<string>();
  private gone: SceneNode[] = [];
  private glows = false;
  private shown: readonly SceneNode[] = [];

  /** `still`: the new scene is there at once; what is new glows all the same, since that is what the user is to see. */
  begin(before: Scene, after: Scene, edited: boolean, still: boolean): void {
    const old = new Map(before.nodes.map((node) => [node.id, node]));
    const next = new Set(after.nodes.map(({ id }) => id));
    this.start = performance.now() - (still ? MOVE : 0);
    this.fresh = new Set(after.nodes.flatMap(({ id }) => (old.has(id) || before.nodes.length === 0 ? [] : [id])));
    this.from = still ? new Map<string, SceneNode>() : old;
    // Whole other pictures don't fade into each other.
    const akin = before.nodes.some(({ id }) => next.has(id));
    this.gone = still || !akin ? [] : before.nodes.filter(({ id, shape }) => !next.has(id) && shape !== "open").slice(0, 400);
    if (!akin) this.from = new Map();
    this.glows = edited;
    this.shown = after.nodes;
  }

  runs(time: number): boolean {
    return time - this.start < (this.glows && this.fresh.size > 0 ? GLOW : MOVE);
  }

  /** The scene as it is on its way: the same nodes at the same indexes, and after them those that fade. */
  sceneAt(scene: Scene, time: number): Scene {
    const t = this.progress(time);
    if (t >= 1) return scene;
    const nodes = scene.nodes.map((node) => {
      const from = this.from.get(node.id);
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
    if (t < 1 || left > 0) {
      this.shown.forEach(({ id }, i) => {
        if (!this.fresh.has(id)) return;
        if (t < 1) opacity.set(i, t);
        if (this.glows && left > 0) glow.set(i, left);
      });
      if (t < 1) for (let i = 0; i < this.gone.length; i++) opacity.set(this.shown.length + i, 1 - t);
    }
    return { opacity, glow };
  }

  private progress(time: number): number {
    const t = Math.min(1, Math.max(0, (time - this.start) / MOVE));
    return 1 - (1 - t) ** 2;
  }
}
