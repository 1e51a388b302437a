/** Makes the picture of an impact: what is reached stands on a ring for each step, those of one file side by side. */
import type { Palette } from "./palette.ts";
import { EMPTY, type Scene, type SceneNode } from "./scene.ts";
import { strings } from "../strings.ts";
import { counted } from "../words.ts";

export interface RingNode {
  id: string;
  name: string;
  kind: string;
  file: string;
  depth: number;
  /** Id of the node that it was reached from; "" where that is not told. */
  via: string;
  possible: boolean;
}

const DOT = 7;
/** Between rings, and between the dots of one. */
const APART = 130;
const BESIDE = 24;

export function ringsScene(target: { id: string; name: string; kind: string; file: string }, reached: readonly RingNode[], totals: readonly number[], palette: Palette): Scene {
  if (target.id === "") return EMPTY;
  const nodes: SceneNode[] = [dot(target, 0, 0, DOT * 1.8, palette)];
  const at = new Map([[target.id, 0]]);
  const angles = new Map([[target.id, 0]]);
  const guides: { x: number; y: number; r: number; label: string }[] = [];
  const edges: { from: number; to: number; weight: number; doubtful: boolean }[] = [];
  let radius = 0;
  totals.forEach((total, i) => {
    const level = reached.filter(({ depth }) => depth === i + 1);
    radius = Math.max(radius + APART, (level.length * BESIDE) / (2 * Math.PI));
    guides.push({ x: 0, y: 0, r: radius, label: level.length < total ? strings.ringsScene.ringToldInPart(counted(i + 1, "step"), total, level.length) : strings.ringsScene.ring(counted(i + 1, "step"), total) });
    // Where what they were reached from stands decides, then the file: lines cross little.
    const sorted = [...level].sort((a, b) => folder(a.file) < folder(b.file) ? -1 : folder(a.file) > folder(b.file) ? 1 : a.file < b.file ? -1 : a.file > b.file ? 1 : a.id < b.id ? -1 : 1);
    sorted.forEach((node, n) => {
      const angle = -Math.PI / 2 + 0.25 + (2 * Math.PI - 0.5) * ((n + 0.5) / sorted.length);
      angles.set(node.id, angle);
      const index = nodes.push({ ...dot(node, radius * Math.cos(angle), radius * Math.sin(angle), DOT, palette), side: Math.cos(angle) < 0 ? "left" : "right", room: BESIDE }) - 1;
      at.set(node.id, index);
      const from = at.get(node.via) ?? (i === 0 ? 0 : undefined);
      if (from !== undefined && from !== index) edges.push({ from: index, to: from, weight: 1, doubtful: node.possible });
    });
  });
  const reach = radius + 190;
  return { nodes, edges, guides, bounds: { x: -reach, y: -radius - 60, width: 2 * reach, height: 2 * radius + 120 } };
}

function dot({ id, name, kind, file }: { id: string; name: string; kind: string; file: string }, x: number, y: number, r: number, palette: Palette): SceneNode {
  return { id, name, kind, x, y, r, colour: palette.kind(kind), shape: "dot", detail: file.slice(file.lastIndexOf("/") + 1), parent: -1, side: "right" };
}

export function folder(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf("/")));
}
