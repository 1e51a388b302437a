/** Paints a scene as a camera sees it. No DOM and no state: the same input paints the same picture. */
import type { Camera } from "../address.ts";
import type { Palette } from "./palette.ts";
import type { Pen } from "./pens.ts";
import type { Scene, SceneNode } from "./scene.ts";

export interface Size {
  width: number;
  height: number;
}

/** What stands out. */
export interface Emphasis {
  palette: Palette;
  /** Indexes into the scene's nodes; -1 for none. */
  selected: number;
  /** The selected node's neighbours stand out. */
  spotlight: boolean;
  hovered: number;
  /** What an agent points at. */
  pointed: ReadonlySet<number>;
  pointColour: string;
  notes: readonly { node: number; label: string; colour: string }[];
  /** Opacity of a node that comes or goes, by index. */
  opacity?: ReadonlyMap<number, number>;
  /** Nodes that glow because they are new, by index: 1 at first, 0 at the end. */
  glow?: ReadonlyMap<number, number>;
  /** Areas that labels keep clear of. */
  covered?: readonly Box[];
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A label that was painted, and whose it is. */
export interface Placed extends Box {
  node: number;
}

/** Pixels of a dot at least and at most. */
const SMALLEST = 1.6;
const LARGEST = 20;
/** Edges that are painted when nothing stands out: the heaviest, so many for each node, and so many in all. */
const EDGES_A_NODE = 2;
const EDGES = 1_600;
const LABELS = 320;

export class Eye {
  readonly scale: number;
  constructor(readonly camera: Camera, readonly size: Size) {
    this.scale = Math.min(size.width, size.height) / camera.span;
  }

  x(x: number): number {
    return (x - this.camera.x) * this.scale + this.size.width / 2;
  }

  y(y: number): number {
    return (y - this.camera.y) * this.scale + this.size.height / 2;
  }

  /** The point of the picture under a pixel. */
  point(px: number, py: number): { x: number; y: number } {
    return { x: (px - this.size.width / 2) / this.scale + this.camera.x, y: (py - this.size.height / 2) / this.scale + this.camera.y };
  }

  radius(node: Pick<SceneNode, "r" | "shape">): number {
    const r = node.r * this.scale;
    return node.shape === "dot" ? Math.min(LARGEST, Math.max(SMALLEST, r * 0.8)) : r;
  }

  sees(x: number, y: number, r: number): boolean {
    return x + r > 0 && y + r > 0 && x - r < this.size.width && y - r < this.size.height;
  }
}

/** Indexes of the nodes that stand out, with the groups around them; null when none do. */
export function litNodes(scene: Scene, { selected, spotlight, hovered, pointed }: Pick<Emphasis, "selected" | "spotlight" | "hovered" | "pointed">): Set<number> | null {
  const centre = hovered >= 0 ? hovered : spotlight ? selected : -1;
  if (centre < 0 && pointed.size === 0) return null;
  const lit = new Set(pointed);
  if (centre >= 0) {
    // Of an open group what stands in it, else the neighbours.
    const within = (node: number): boolean => {
      for (let at = node; at >= 0; at = scene.nodes[at]!.parent) if (at === centre) return true;
      return false;
    };
    const open = scene.nodes[centre]?.shape === "open";
    lit.add(centre);
    if (open) scene.nodes.forEach((_, i) => within(i) && lit.add(i));
    for (const { from, to } of scene.edges) {
      if (from === centre) lit.add(to);
      if (to === centre) lit.add(from);
    }
  }
  for (const node of [...lit]) for (let at = scene.nodes[node]!.parent; at >= 0; at = scene.nodes[at]!.parent) lit.add(at);
  return lit;
}

export function paint(pen: Pen, scene: Scene, eye: Eye, emphasis: Emphasis): Placed[] {
  const lit = litNodes(scene, emphasis);
  paintGuides(pen, scene, eye, emphasis);
  paintGrounds(pen, scene, eye, emphasis, lit);
  paintEdges(pen, scene, eye, emphasis, lit);
  paintNodes(pen, scene, eye, emphasis, lit);
  pen.alpha(1);
  const placed = paintLabels(pen, scene, eye, emphasis, lit);
  paintNotes(pen, scene, eye, emphasis);
  return placed;
}

function paintGuides(pen: Pen, { guides }: Scene, eye: Eye, { palette }: Emphasis): void {
  pen.alpha(1);
  for (const { x, y, r, label } of guides) {
    if (r > 0) pen.disc(eye.x(x), eye.y(y), r * eye.scale, null, palette.line, 1);
    if (label !== "") pen.text(eye.x(x), eye.y(y) - r * eye.scale - (r > 0 ? 9 : 0), label, { size: 11.5, weight: 550, colour: palette.muted, align: "center", halo: palette.stage });
  }
}

function paintGrounds(pen: Pen, { nodes }: Scene, eye: Eye, { palette, selected, opacity }: Emphasis, lit: Set<number> | null): void {
  nodes.forEach((node, i) => {
    if (node.shape !== "open") return;
    const [x, y, r] = [eye.x(node.x), eye.y(node.y), node.r * eye.scale];
    if (!eye.sees(x, y, r)) return;
    const fade = opacity?.get(i) ?? 1;
    pen.alpha(fade * (lit && !lit.has(i) ? 0.35 : 1));
    pen.disc(x, y, r, palette.ground, i === selected ? palette.accent : palette.groundLine, i === selected ? 2 : 1);
  });
}

function paintEdges(pen: Pen, { nodes, edges }: Scene, eye: Eye, emphasis: Emphasis, lit: Set<number> | null): void {
  const { palette, selected, spotlight, hovered, pointed, opacity } = emphasis;
  const centre = hovered >= 0 ? hovered : spotlight ? selected : -1;
  const touches = (i: number): boolean => i === centre;
  const strong: number[] = [];
  let plain = 0;
  const one = (e: number, isStrong: boolean): void => {
    const { from, to, weight, doubtful } = edges[e]!;
    const a = nodes[from]!;
    const b = nodes[to]!;
    const [ax, ay, bx, by] = [eye.x(a.x), eye.y(a.y), eye.x(b.x), eye.y(b.y)];
    const distance = Math.hypot(bx - ax, by - ay);
    const [ra, rb] = [eye.radius(a) + 1, eye.radius(b) + 2];
    if (distance < ra + rb + 2 || !eye.sees((ax + bx) / 2, (ay + by) / 2, distance / 2)) return;
    const [ux, uy] = [(bx - ax) / distance, (by - ay) / distance];
    const [x1, y1, x2, y2] = [ax + ux * ra, ay + uy * ra, bx - ux * rb, by - uy * rb];
    const bend = Math.min(60, distance * 0.12);
    const [cx, cy] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
    const width = Math.min(7, 0.8 + 0.75 * Math.log2(weight));
    const fade = Math.min(opacity?.get(from) ?? 1, opacity?.get(to) ?? 1);
    const between = pointed.has(from) && pointed.has(to);
    pen.alpha(fade * (isStrong ? 0.9 : lit ? 0.07 : a.shape === "dot" && b.shape === "dot" ? 0.3 : 0.24));
    pen.curve(x1, y1, cx, cy, x2, y2, isStrong ? (between ? emphasis.pointColour : palette.accent) : palette.edge, isStrong ? Math.max(1.6, width) : width, doubtful,
      isStrong || !lit ? Math.min(9, 4 + width) : 0);
  };
  const most = Math.min(EDGES, Math.max(60, EDGES_A_NODE * nodes.length));
  edges.forEach(({ from, to }, e) => {
    if (touches(from) || touches(to) || (pointed.has(from) && pointed.has(to))) strong.push(e);
    else if (plain++ < most) one(e, false);
  });
  for (const e of strong) one(e, true);
}

function paintNodes(pen: Pen, { nodes }: Scene, eye: Eye, { palette, selected, hovered, pointed, pointColour, opacity, glow }: Emphasis, lit: Set<number> | null): void {
  nodes.forEach((node, i) => {
    const [x, y, r] = [eye.x(node.x), eye.y(node.y), eye.radius(node)];
    if (node.shape === "open" || !eye.sees(x, y, r + 30)) {
      if (node.shape === "open" && pointed.has(i)) pen.disc(x, y, r + 3, null, pointColour, 2);
      return;
    }
    const fade = (opacity?.get(i) ?? 1) * (lit && !lit.has(i) ? 0.22 : 1);
    const bright = glow?.get(i) ?? 0;
    if (bright > 0) {
      pen.alpha(0.5 * bright);
      pen.disc(x, y, r + 4 + 10 * (1 - bright), palette.accent, null, 0);
    }
    pen.alpha(fade);
    if (node.shape === "group") {
      // Relations pass behind it.
      pen.alpha(opacity?.get(i) ?? 1);
      pen.disc(x, y, r, palette.stage, null, 0);
      pen.alpha(fade * 0.24);
      pen.disc(x, y, r, node.colour, null, 0);
      pen.alpha(fade);
      pen.disc(x, y, r, null, node.colour, 1.5);
    } else {
      pen.disc(x, y, r, node.colour, null, 0);
    }
    pen.alpha(1);
    if (pointed.has(i)) pen.disc(x, y, r + 3.5, null, pointColour, 2);
    if (i === selected) pen.disc(x, y, r + (pointed.has(i) ? 7 : 3.5), null, palette.text, 2);
    else if (i === hovered) pen.disc(x, y, r + 2.5, null, palette.text, 1.5);
  });
}

/** Names, the weightiest first, each only where it covers no other and nothing that lies over the picture. */
function paintLabels(pen: Pen, { nodes }: Scene, eye: Eye, { palette, selected, hovered, pointed, opacity, covered = [] }: Emphasis, lit: Set<number> | null): Placed[] {
  const placed: Placed[] = [];
  const order = nodes.map((node, i) => ({ i, weight: weightOf(node, i) }))
    .filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight || a.i - b.i);
  function weightOf(node: SceneNode, i: number): number {
    if (lit && !lit.has(i)) return 0;
    const r = node.r * eye.scale;
    const [x, y] = [eye.x(node.x), eye.y(node.y)];
    if (!eye.sees(x, y, node.shape === "open" ? r : 0)) return 0;
    if (i === selected || i === hovered) return 1e9;
    if (pointed.has(i) || lit?.has(i) === true) return 1e6 + r;
    if (node.shape === "open") return r < 26 ? 0 : 1e4 + r;
    return node.shape === "group" ? (r < 7 ? 0 : 1e3 + r) : r < 3.4 ? 0 : r;
  }
  for (const { i } of order) {
    if (placed.length >= LABELS) break;
    const node = nodes[i]!;
    for (const label of labelsFor(pen, node, eye)) {
      if (i !== hovered && i !== selected && !isFree(label.box, placed, covered, eye.size)) continue;
      pen.alpha(opacity?.get(i) ?? 1);
      const strong = i === selected || i === hovered;
      for (const { text, x, y, align, size, weight, quiet } of label.lines) {
        pen.text(x, y, text, { size, weight, align, colour: quiet && !strong ? palette.muted : palette.text, halo: palette.stage });
      }
      placed.push({ ...label.box, node: i });
      break;
    }
  }
  pen.alpha(1);
  return placed;
}

interface Line {
  text: string;
  x: number;
  y: number;
  align: "start" | "center" | "end";
  size: number;
  weight: number;
  quiet: boolean;
}

/** The places that a node's label may have, the best first. */
function* labelsFor(pen: Pen, node: SceneNode, eye: Eye): Generator<{ box: Box; lines: Line[] }> {
  const [x, y] = [eye.x(node.x), eye.y(node.y)];
  const r = eye.radius(node);
  if (node.shape === "open") {
    const look = { size: 12.5, weight: 620 };
    const text = shortened(pen, node.name, look, Math.max(60, 1.7 * r));
    const width = pen.width(text, look);
    // On its upper rim; while that is out of sight at the top of the stage.
    for (const at of [Math.max(y - r, y + r > 60 ? 16 : y - r), y + r]) {
      yield { box: { x: x - width / 2 - 4, y: at - 9, width: width + 8, height: 18 }, lines: [{ text, x, y: at, align: "center", ...look, quiet: true }] };
    }
    return;
  }
  if (node.shape === "group") {
    const look = { size: r > 46 ? 13 : 12, weight: 600 };
    const width = pen.width(node.name, look);
    if (width < 1.8 * r) {
      const both = r > 24 && node.detail !== "";
      const lines: Line[] = [{ text: node.name, x, y: both ? y - 7 : y, align: "center", ...look, quiet: false }];
      if (both) lines.push({ text: node.detail, x, y: y + 9, align: "center", size: 11, weight: 450, quiet: true });
      yield { box: { x: x - width / 2, y: y - (both ? 16 : 8), width, height: both ? 32 : 16 }, lines };
    }
    const text = shortened(pen, node.name, look, 150);
    const short = pen.width(text, look);
    for (const at of [y + r + 10, y - r - 10]) {
      yield { box: { x: x - short / 2 - 2, y: at - 8, width: short + 4, height: 16 }, lines: [{ text, x, y: at, align: "center", ...look, quiet: false }] };
    }
    return;
  }
  const look = { size: 11.5, weight: 500 };
  const text = shortened(pen, node.name, look, 190);
  const width = pen.width(text, look);
  for (const side of node.side === "left" ? ["left"] : node.side === "right" ? ["right"] : ["right", "left"]) {
    const from = side === "right" ? x + r + 5 : x - r - 5;
    const align = side === "right" ? "start" : "end";
    const lines: Line[] = [{ text, x: from, y, align, ...look, quiet: false }];
    let whole = width;
    if (node.detail !== "" && node.side !== undefined) {
      const detail = shortened(pen, node.detail, { size: 10.5, weight: 400 }, 150);
      lines[0]!.y = y - 6;
      lines.push({ text: detail, x: from, y: y + 7, align, size: 10.5, weight: 400, quiet: true });
      whole = Math.max(width, pen.width(detail, { size: 10.5, weight: 400 }));
    }
    const tall = lines.length > 1 ? 15 : 8;
    yield { box: { x: side === "right" ? from : from - whole, y: y - tall, width: whole, height: 2 * tall }, lines };
  }
}

function isFree(box: Box, placed: readonly Box[], covered: readonly Box[], size: Size): boolean {
  if (box.x < 2 || box.y < 2 || box.x + box.width > size.width - 2 || box.y + box.height > size.height - 2) return false;
  const meets = (other: Box): boolean => box.x < other.x + other.width + 3 && other.x < box.x + box.width + 3 && box.y < other.y + other.height && other.y < box.y + box.height;
  return !placed.some(meets) && !covered.some(meets);
}

function shortened(pen: Pen, text: string, look: { size: number; weight: number }, most: number): string {
  if (pen.width(text, look) <= most) return text;
  let end = Math.max(3, Math.floor((text.length * most) / pen.width(text, look)) - 1);
  while (end > 3 && pen.width(`${text.slice(0, end)}…`, look) > most) end--;
  return `${text.slice(0, end)}…`;
}

/** Tags above nodes, as agents wrote them. */
function paintNotes(pen: Pen, { nodes }: Scene, eye: Eye, { palette, notes }: Emphasis): void {
  for (const { node, label, colour } of notes) {
    const at = nodes[node];
    if (!at) continue;
    const [x, y] = [eye.x(at.x), eye.y(at.y) - eye.radius(at) - 8];
    const look = { size: 12, weight: 600 };
    const width = pen.width(label, look) + 14;
    pen.curve(x, y - 4, x, y, x, y + 7, colour, 1.5, false, 0);
    pen.box(x - width / 2, y - 26, width, 22, palette.surface, colour);
    pen.text(x, y - 15, label, { ...look, colour: palette.text, align: "center" });
  }
}
