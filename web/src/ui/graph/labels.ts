/** Places names beside what they name, so that none covers another or what lies over the picture. */
import type { Detail } from "./detail.ts";
import type { Eye, Box, Emphasis, Placed, Size } from "./paint.ts";
import type { Pen } from "./pens.ts";
import type { PaintedNode, PaintedScene } from "./scene.ts";

const LABELS = 320;
/** Names that are tried. */
const TRIED = 1_200;
/** Pixels beside a column of dots within which the names of all stand, or none: so that they are on one side. */
const COLUMN = 96;
/** Pixels that a label of two lines takes from top to bottom. */
const TWO_LINES = 30;
/** Pixels of a cell of the grid in which boxes are looked up. */
const CELL = 64;

/** Names, the weightiest first. Their boxes keep clear of each other and of `covered`. */
export function paintLabels(pen: Pen, { nodes }: PaintedScene, eye: Eye, emphasis: Emphasis, detail: Detail, lit: Set<number> | null): Placed[] {
  const { palette, selected, hovered, pointed, opacity, covered = [] } = emphasis;
  const weightOf = (node: PaintedNode, i: number): number => {
    if (lit && !lit.has(i)) return 0;
    const r = node.r * eye.scale;
    const shape = detail.shape(i);
    if (!eye.sees(eye.x(node.x), eye.y(node.y), shape === "open" ? r : 0)) return 0;
    if (i === selected || i === hovered) return 1e9;
    if (pointed.has(i) || lit?.has(i) === true) return 1e6 + r;
    if (shape === "open") return r < 26 ? 0 : 1e4 + r;
    // In rows there is room for the names of dots of any size.
    if (node.side !== undefined) return 1e3 + r;
    return shape === "group" ? (r < 7 ? 0 : 1e3 + r) : r < 3.4 ? 0 : r;
  };
  const order: { i: number; weight: number }[] = [];
  nodes.forEach((node, i) => {
    const weight = detail.as[i] === i ? weightOf(node, i) : 0;
    if (weight > 0) order.push({ i, weight });
  });
  order.sort((a, b) => b.weight - a.weight || a.i - b.i);
  const taken = new Grid(eye.size);
  for (const box of covered) taken.put(box);
  // Names stand on the ground rather than on other discs, as far as there is room.
  const discs = new Grid(eye.size);
  for (const { i } of order) {
    const shape = detail.shape(i);
    const r = 0.72 * eye.radius(nodes[i]!, shape);
    if (shape !== "open" && nodes[i]!.side === undefined && r > 2) discs.put({ x: eye.x(nodes[i]!.x) - r, y: eye.y(nodes[i]!.y) - r, width: 2 * r, height: 2 * r });
  }
  const placed: Placed[] = [];
  for (const { i } of order.slice(0, TRIED)) {
    if (placed.length >= LABELS) break;
    const strong = i === selected || i === hovered;
    const labels = [...labelsFor(pen, nodes[i]!, detail.shape(i), eye)].filter(({ box }) => taken.isFree(box, strong));
    // A dot's name says less than the dots that it would cover.
    const label = labels.find(({ box, inside }) => inside === true || discs.isFree(box, true)) ?? (detail.shape(i) === "dot" && !strong && !lit ? undefined : labels[0]);
    if (!label) continue;
    pen.alpha((opacity?.get(i) ?? 1) * Math.min(1, 0.4 + 0.6 * detail.alpha[i]!));
    for (const { text, x, y, align, size, weight, quiet } of label.lines) {
      pen.text(x, y, text, { size, weight, align, colour: quiet && !strong ? palette.muted : palette.text, halo: palette.stage });
    }
    placed.push({ ...label.box, node: i });
    taken.put(label.box);
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

interface Label {
  box: Box;
  lines: Line[];
  /** It stands in its own disc. */
  inside?: boolean;
}

/** The places that a node's label may have, the best first. */
function* labelsFor(pen: Pen, node: PaintedNode, shape: PaintedNode["shape"], eye: Eye): Generator<Label> {
  const [x, y] = [eye.x(node.x), eye.y(node.y)];
  const r = eye.radius(node, shape);
  if (shape === "open") {
    const look = { size: 12.5, weight: 620 };
    const text = shortened(pen, node.name, look, Math.max(60, 1.7 * r));
    const width = pen.width(text, look);
    // On its upper rim; while that is out of sight at the top of the stage.
    for (const at of [Math.max(y - r, y + r > 60 ? 16 : y - r), y + r]) {
      yield { box: { x: x - width / 2 - 4, y: at - 9, width: width + 8, height: 18 }, lines: [{ text, x, y: at, align: "center", ...look, quiet: true }] };
    }
    return;
  }
  if (shape === "group" && node.side === undefined) {
    yield* ofGroup(pen, node, x, y, r);
    return;
  }
  const look = shape === "group" ? { size: 12, weight: 600 } : { size: 11.5, weight: 500 };
  const text = shortened(pen, node.name, look, 190);
  const width = pen.width(text, look);
  const second = node.detail !== "" && node.side !== undefined && (node.room === undefined || node.room * eye.scale >= TWO_LINES);
  for (const side of sidesOf(node, x, r + 5 + Math.max(width, COLUMN), eye)) {
    const from = side === "right" ? x + r + 5 : x - r - 5;
    const align = side === "right" ? "start" : "end";
    const lines: Line[] = [{ text, x: from, y, align, ...look, quiet: false }];
    let whole = width;
    if (second) {
      const small = { size: 10.5, weight: 400 };
      const detail = shortened(pen, node.detail, small, 150);
      if (node.beside === true) {
        const before = side === "right" ? from + width + 6 : from - width - 6;
        lines.push({ text: detail, x: before, y, align, ...small, quiet: true });
        whole = width + 6 + pen.width(detail, small);
      } else {
        lines[0]!.y = y - 6;
        lines.push({ text: detail, x: from, y: y + 7, align, ...small, quiet: true });
        whole = Math.max(width, pen.width(detail, small));
      }
    }
    const tall = lines.length > 1 && node.beside !== true ? 15 : 8;
    yield { box: { x: side === "right" ? from : from - whole, y: y - tall, width: whole, height: 2 * tall }, lines };
  }
}

/** Its own side; where that is out of sight, the other one. */
function sidesOf(node: PaintedNode, x: number, reach: number, { size }: Eye): readonly ("left" | "right")[] {
  if (node.side === undefined) return ["right", "left"];
  if (node.side === "left") return [x - reach < 2 ? "right" : "left"];
  return [x + reach > size.width - 2 ? "left" : "right"];
}

/** Inside where it fits, if need be a little smaller; else below or above. */
function* ofGroup(pen: Pen, node: PaintedNode, x: number, y: number, r: number): Generator<Label> {
  for (const size of r > 60 ? [15, 13, 12, 11] : r > 40 ? [13, 12, 11] : [12, 11]) {
    const look = { size, weight: 600 };
    const width = pen.width(node.name, look);
    if (width > 1.84 * r) continue;
    const both = r > 24 && node.detail !== "";
    const lines: Line[] = [{ text: node.name, x, y: both ? y - 7 : y, align: "center", ...look, quiet: false }];
    if (both) lines.push({ text: node.detail, x, y: y + 9, align: "center", size: 11, weight: 450, quiet: true });
    yield { box: { x: x - width / 2, y: y - (both ? 16 : 8), width, height: both ? 32 : 16 }, lines, inside: true };
    break;
  }
  if (r > 24) {
    const look = { size: 11.5, weight: 600 };
    const [first, second] = halves(node.name).map((half) => shortened(pen, half, look, 1.7 * r)) as [string, string];
    const width = Math.max(pen.width(first, look), pen.width(second, look));
    if (first !== "" && second !== "" && !/^.{0,3}…$/u.test(first)) {
      const lines: Line[] = [first, second].map((text, i) => ({ text, x, y: y - 7 + 14 * i, align: "center", ...look, quiet: false }));
      yield { box: { x: x - width / 2, y: y - 15, width, height: 30 }, lines, inside: true };
    }
  }
  const look = { size: 11.5, weight: 600 };
  const text = shortened(pen, node.name, look, Math.max(90, 2 * r));
  const width = pen.width(text, look);
  for (const at of [y + r + 9, y - r - 9]) {
    yield { box: { x: x - width / 2 - 2, y: at - 8, width: width + 4, height: 16 }, lines: [{ text, x, y: at, align: "center", ...look, quiet: false }] };
  }
  yield { box: { x: x + r + 5, y: y - 8, width, height: 16 }, lines: [{ text, x: x + r + 5, y, align: "start", ...look, quiet: false }] };
  yield { box: { x: x - r - 5 - width, y: y - 8, width, height: 16 }, lines: [{ text, x: x - r - 5, y, align: "end", ...look, quiet: false }] };
}

/** A name broken at its middle, where one may break it. */
function halves(name: string): [string, string] {
  let [at, least] = [0, Infinity];
  for (const { index, 0: sign } of name.matchAll(/[\s/:_.-]+|(?<=[a-z])(?=[A-Z])/gu)) {
    const after = index + sign.length;
    const off = Math.abs(after - name.length / 2);
    if (off < least && after > 2 && after < name.length - 1) [at, least] = [after, off];
  }
  return [name.slice(0, at).trim(), name.slice(at).trim()];
}

/** Boxes on the stage, by the cells that they touch. */
class Grid {
  private readonly cells = new Map<number, Box[]>();

  constructor(private readonly size: Size) {}

  put(box: Box): void {
    this.touched(box, (list) => {
      list.push(box);
      return false;
    });
  }

  isFree(box: Box, beyond: boolean): boolean {
    const { width, height } = this.size;
    if (!beyond && (box.x < 2 || box.y < 2 || box.x + box.width > width - 2 || box.y + box.height > height - 2)) return false;
    const wide = { x: box.x - 3, y: box.y, width: box.width + 6, height: box.height };
    return !this.touched(wide, (list) => list.some((other) => wide.x < other.x + other.width && other.x < wide.x + wide.width && wide.y < other.y + other.height && other.y < wide.y + wide.height));
  }

  /** True as soon as `found` is for one of the cells that a box touches. */
  private touched({ x, y, width, height }: Box, found: (list: Box[]) => boolean): boolean {
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row++) {
      for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column++) {
        const key = row * 65_536 + column;
        let list = this.cells.get(key);
        if (!list) this.cells.set(key, (list = []));
        if (found(list)) return true;
      }
    }
    return false;
  }
}

const shortenedTexts = new Map<string, string>();

function shortened(pen: Pen, text: string, look: { size: number; weight: number }, most: number): string {
  if (pen.width(text, look) <= most) return text;
  const key = `${look.size} ${look.weight} ${Math.floor(most)} ${text}`;
  const known = shortenedTexts.get(key);
  if (known !== undefined) return known;
  let end = Math.max(3, Math.floor((text.length * most) / pen.width(text, look)) - 1);
  while (end > 3 && pen.width(`${text.slice(0, end)}…`, look) > most) end--;
  if (shortenedTexts.size > 5_000) shortenedTexts.clear();
  shortenedTexts.set(key, `${text.slice(0, end)}…`);
  return `${text.slice(0, end)}…`;
}
