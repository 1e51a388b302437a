/** Paints a scene as a camera sees it. No DOM and no state: the same input paints the same picture. */
import type { Camera } from "../address.ts";
import { openness, type Detail } from "./detail.ts";
import { paintLabels } from "./labels.ts";
import type { Inks } from "./palette.ts";
import type { Pen } from "./pens.ts";
import type { PaintedNode, PaintedScene, SceneEdge } from "./scene.ts";

export interface Size {
  width: number;
  height: number;
}

/** What stands out. */
export interface Emphasis {
  palette: Inks;
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
  /** The camera moves: what takes long may be as it was before. */
  moving?: boolean;
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
const SMALLEST = 1.3;
const LARGEST = 20;
/** Edges that are painted when nothing stands out: the heaviest of each node, and so many in all. */
const EDGES_A_NODE = 3;
const EDGES = 900;
/** Fewer while something stands out: they are background then. */
const EDGES_BEHIND = 300;
/** Pixels of a dot's radius up to which nobody sees that it is a square. */
const SQUARE = 1.7;
/** Opacity of what does not stand out while something does. */
const DIM = 0.22;

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

  radius({ r }: Pick<PaintedNode, "r">, shape: PaintedNode["shape"]): number {
    return shape === "dot" ? Math.min(LARGEST, Math.max(SMALLEST, r * this.scale * 0.8)) : r * this.scale;
  }

  sees(x: number, y: number, r: number): boolean {
    return x + r > 0 && y + r > 0 && x - r < this.size.width && y - r < this.size.height;
  }
}

/** Indexes of the nodes that stand out, with the groups around them; null when none do. */
export function litNodes(scene: PaintedScene, { selected, spotlight, hovered, pointed }: Pick<Emphasis, "selected" | "spotlight" | "hovered" | "pointed">): Set<number> | null {
  const centre = hovered >= 0 ? hovered : spotlight ? selected : -1;
  if (centre < 0 && pointed.size === 0) return null;
  const lit = new Set(pointed);
  if (centre >= 0) {
    lit.add(centre);
    // Of an open group what stands in it, else the neighbours. Groups come before what is in them.
    if (scene.nodes[centre]?.shape === "open") scene.nodes.forEach(({ parent }, i) => parent >= centre && lit.has(parent) && lit.add(i));
    for (const { from, to } of scene.edges) {
      if (from === centre) lit.add(to);
      if (to === centre) lit.add(from);
    }
  }
  for (const node of [...lit]) for (let at = scene.nodes[node]!.parent; at >= 0; at = scene.nodes[at]!.parent) lit.add(at);
  return lit;
}

/** `detail` has looked at the same scene at the eye's scale. Returns the labels. */
export function paint(pen: Pen, scene: PaintedScene, eye: Eye, told: Emphasis, detail: Detail): Placed[] {
  // What stands out is drawn as the group around it while that is one disc.
  const at = (i: number): number => (i >= 0 && i < scene.nodes.length ? detail.as[i]! : -1);
  const emphasis = { ...told, selected: at(told.selected), hovered: at(told.hovered), pointed: new Set([...told.pointed].map(at)) };
  const edges = detail.edges(told.moving !== true);
  const lit = litNodes({ ...scene, edges }, emphasis);
  paintGuides(pen, scene, eye, emphasis);
  paintGrounds(pen, scene, eye, emphasis, detail, lit);
  paintEdges(pen, scene, edges, eye, emphasis, detail, lit);
  paintNodes(pen, scene, eye, emphasis, detail, lit);
  pen.alpha(1);
  const placed = paintLabels(pen, scene, eye, emphasis, detail, lit);
  paintNotes(pen, scene, eye, emphasis, at);
  return placed;
}

function paintGuides(pen: Pen, { guides }: PaintedScene, eye: Eye, { palette }: Emphasis): void {
  pen.alpha(1);
  for (const { x, y, r, label } of guides) {
    if (r > 0) pen.disc(eye.x(x), eye.y(y), r * eye.scale, null, palette.line, 1);
    if (label !== "") pen.text(eye.x(x), eye.y(y) - r * eye.scale - (r > 0 ? 9 : 0), label, { size: 11.5, weight: 550, colour: palette.muted, align: "center", halo: palette.stage });
  }
}

function paintGrounds(pen: Pen, { nodes }: PaintedScene, eye: Eye, { palette, selected, opacity, pointed, pointColour }: Emphasis, detail: Detail, lit: Set<number> | null): void {
  nodes.forEach((node, i) => {
    if (node.shape !== "open" || detail.as[i] !== i || detail.shape(i) !== "open") return;
    const [x, y, r] = [eye.x(node.x), eye.y(node.y), node.r * eye.scale];
    if (!eye.sees(x, y, r)) return;
    pen.alpha((opacity?.get(i) ?? 1) * detail.alpha[i]! * (lit && !lit.has(i) ? 0.35 : 1));
    pen.disc(x, y, r, palette.ground, i === selected ? palette.accent : palette.groundLine, i === selected ? 2 : 1);
    const t = openness(r);
    if (t < 1) paintGroup(pen, x, y, r, node.colour, (opacity?.get(i) ?? 1) * detail.alpha[i]! * (1 - t), lit !== null && !lit.has(i));
    if (pointed.has(i)) pen.disc(x, y, r + 3, null, pointColour, 2);
  });
}

function paintEdges(pen: Pen, { nodes }: PaintedScene, edges: readonly SceneEdge[], eye: Eye, emphasis: Emphasis, detail: Detail, lit: Set<number> | null): void {
  const { palette, selected, spotlight, hovered, pointed, opacity } = emphasis;
  const centre = hovered >= 0 ? hovered : spotlight ? selected : -1;
  const one = ({ from, to, weight, doubtful, trunk }: SceneEdge, isStrong: boolean): void => {
    const a = nodes[from]!;
    const b = nodes[to]!;
    const [ax, ay, bx, by] = [eye.x(a.x), eye.y(a.y), eye.x(b.x), eye.y(b.y)];
    const distance = Math.hypot(bx - ax, by - ay);
    const [ra, rb] = [eye.radius(a, detail.shape(from)) + 1, eye.radius(b, detail.shape(to)) + 2];
    if (distance < ra + rb + 2) return;
    const [ux, uy] = [(bx - ax) / distance, (by - ay) / distance];
    const [x1, y1, x2, y2] = [ax + ux * ra, ay + uy * ra, bx - ux * rb, by - uy * rb];
    const fade = Math.min(opacity?.get(from) ?? 1, opacity?.get(to) ?? 1) * Math.min(detail.alpha[from]!, detail.alpha[to]!);
    if (trunk === true) {
      pen.alpha(fade * (lit && !(lit.has(from) && lit.has(to)) ? 0.35 : 1));
      pen.curve(ax, ay, (ax + bx) / 2, by, bx, by, palette.line, 1.2, false, 0);
      return;
    }
    const bend = Math.min(60, distance * 0.12);
    const [cx, cy] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
    // What is uncertain never shouts; and a dashed line of one pixel takes the processor half as long as one of 1.1.
    const width = doubtful ? 1 : Math.min(5, 0.8 + 0.55 * Math.log2(weight));
    const between = pointed.has(from) && pointed.has(to);
    pen.alpha(fade * (isStrong ? 0.9 : lit ? 0.06 : doubtful ? 0.42 : 0.34));
    pen.curve(x1, y1, cx, cy, x2, y2, isStrong ? (between ? emphasis.pointColour : palette.accent) : palette.edge, isStrong ? Math.max(1.6, width) : width, doubtful,
      isStrong || !lit ? Math.min(9, 5 + width) : 0);
  };
  const inView = (i: number): boolean => eye.sees(eye.x(nodes[i]!.x), eye.y(nodes[i]!.y), eye.radius(nodes[i]!, detail.shape(i)));
  const most = lit ? EDGES_BEHIND : EDGES;
  const taken = new Uint8Array(nodes.length);
  const strong: SceneEdge[] = [];
  const standOut = centre >= 0 || pointed.size > 0;
  let plain = 0;
  for (const edge of edges) {
    const { from, to } = edge;
    if (plain >= most && !standOut && edge.trunk !== true) break; // trunks come first
    if (edge.trunk === true) {
      if (detail.as[from] === from && detail.as[to] === to && (inView(from) || inView(to))) one(edge, false);
    } else if (from === centre || to === centre || (pointed.has(from) && pointed.has(to))) {
      strong.push(edge);
    } else if (edge.quiet !== true && plain < most && (taken[from]! < EDGES_A_NODE || taken[to]! < EDGES_A_NODE) && (inView(from) || inView(to))) {
      taken[from]!++;
      taken[to]!++;
      plain++;
      one(edge, false);
    }
  }
  for (const edge of strong) one(edge, true);
}

function paintNodes(pen: Pen, { nodes }: PaintedScene, eye: Eye, { palette, selected, hovered, pointed, pointColour, opacity, glow }: Emphasis, detail: Detail, lit: Set<number> | null): void {
  nodes.forEach((node, i) => {
    if (detail.as[i] !== i) return;
    const shape = detail.shape(i);
    if (shape === "open") return;
    const [x, y, r] = [eye.x(node.x), eye.y(node.y), eye.radius(node, shape)];
    if (!eye.sees(x, y, r + 30)) return;
    const visible = (opacity?.get(i) ?? 1) * detail.alpha[i]!;
    const isDim = lit !== null && !lit.has(i);
    const bright = glow?.get(i) ?? 0;
    if (bright > 0) {
      pen.alpha(0.5 * bright);
      pen.disc(x, y, r + 4 + 10 * (1 - bright), palette.accent, null, 0);
    }
    if (shape === "group" && r > SQUARE) {
      // Relations pass behind it.
      pen.alpha(visible);
      pen.disc(x, y, r, palette.stage, null, 0);
      paintGroup(pen, x, y, r, node.colour, visible, isDim);
    } else {
      pen.alpha(visible * (isDim ? DIM : 1));
      if (r <= SQUARE) pen.square(x, y, r * 0.9, node.colour);
      else pen.disc(x, y, r, node.colour, null, 0);
    }
    pen.alpha(1);
    if (pointed.has(i)) pen.disc(x, y, r + 3.5, null, pointColour, 2);
    if (i === selected) pen.disc(x, y, r + (pointed.has(i) ? 7 : 3.5), null, palette.text, 2);
    else if (i === hovered) pen.disc(x, y, r + 2.5, null, palette.text, 1.5);
  });
}

function paintGroup(pen: Pen, x: number, y: number, r: number, colour: string, alpha: number, isDim: boolean): void {
  pen.alpha(alpha * (isDim ? DIM : 1) * 0.24);
  pen.disc(x, y, r, colour, null, 0);
  pen.alpha(alpha * (isDim ? DIM : 1));
  pen.disc(x, y, r, null, colour, r < 8 ? 1 : 1.5);
}

/** Pixels of a minimap's smallest disc: of many, those that are smaller are left out. */
const SPECK = 0.9;

/** All of a picture, small, for the corner of the stage. */
export function paintMinimap(pen: Pen, { nodes }: PaintedScene, eye: Eye, inks: Inks): void {
  for (const node of nodes) {
    const r = Math.max(nodes.length < 400 ? SPECK : 0, node.r * eye.scale);
    if (r < SPECK) continue;
    const isOpen = node.shape === "open";
    pen.alpha(isOpen ? 1 : 0.6);
    pen.disc(eye.x(node.x), eye.y(node.y), r, isOpen ? inks.ground : node.colour, isOpen ? inks.groundLine : null, 0.6);
  }
}

/** Tags above nodes, as agents wrote them. */
function paintNotes(pen: Pen, { nodes }: PaintedScene, eye: Eye, { palette, notes }: Emphasis, drawnAs: (i: number) => number): void {
  for (const { node, label, colour } of notes) {
    const at = nodes[drawnAs(node)];
    if (!at) continue;
    const [x, y] = [eye.x(at.x), eye.y(at.y) - eye.radius(at, at.shape) - 8];
    const look = { size: 12, weight: 600 };
    const width = pen.width(label, look) + 14;
    pen.curve(x, y - 4, x, y, x, y + 7, colour, 1.5, false, 0);
    pen.box(x - width / 2, y - 26, width, 22, palette.surface, colour);
    pen.text(x, y - 15, label, { ...look, colour: palette.text, align: "center" });
  }
}
