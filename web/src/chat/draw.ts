/** Draws a picture on a canvas, and says where its nodes are. */
import type { Picture, PictureNode } from "../engine/view/picture.ts";
import type { Palette } from "../ui/graph/palette.ts";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where everything is, in CSS pixels. */
export interface Plan {
  width: number;
  height: number;
  /** Of each node, by its index: what can be pressed. */
  boxes: Box[];
  /** Of each node: its mark's middle and radius. */
  marks: { x: number; y: number; r: number }[];
  /** Of each head: where it begins, and the middle of its line. */
  heads: { x: number; y: number }[];
  /** Room for a name from its mark on. */
  room: number;
}

const PAD = 16;
const HEAD = 26;
const NARROWEST = 168;
/** Narrower than this, columns that do not fit are stacked: fewer than three would be seen at once. */
const STACKED = 2 * PAD + 3 * NARROWEST;
/** Between a name and the next column, for edges. */
const GUTTER = 34;
/** A map is as high as a chat shows at once. */
const MAP_HEIGHT = 430;
const NAME_FONT = 12;
const SMALL_FONT = 11;

/** Text widths; measured once for each text. */
export type Measure = (text: string, font: string) => number;

export interface Fonts {
  name: string;
  main: string;
  small: string;
}

export function fontsOf(sans: string, mono: string): Fonts {
  return { name: `${NAME_FONT}px ${mono}`, main: `600 ${NAME_FONT}px ${mono}`, small: `${SMALL_FONT}px ${sans}` };
}

/** Lays a picture out for a width. It may come out wider: then it is scrolled. */
export function planOf(picture: Picture, wide: number): Plan {
  switch (picture.layout) {
    case "columns": return planColumns(picture, wide);
    case "chain": return planChain(picture, wide);
    case "map": return planMap(picture, wide);
  }
}

function planColumns({ nodes, heads = [] }: Picture, wide: number): Plan {
  const columns = Math.max(1, ...nodes.map(({ x }) => x + 1));
  if (wide < STACKED && columns * NARROWEST > wide - 2 * PAD) return planStacked(nodes, heads, columns, wide);
  const column = Math.max(NARROWEST, (wide - 2 * PAD) / columns);
  const top = Math.min(0, ...nodes.map(({ y }) => y));
  const rows = Math.max(1, Math.max(...nodes.map(({ y }) => y)) - top + 1);
  const row = rows > 16 ? 22 : 26;
  const head = heads.some((text) => text !== "") ? HEAD : 4;
  const marks = nodes.map(({ x, y, main }) => ({ x: PAD + x * column + 6, y: PAD / 2 + head + (y - top + 0.5) * row, r: main ? 6 : 4 }));
  return {
    width: Math.max(wide, 2 * PAD + columns * column), height: Math.max(120, PAD + head + rows * row), marks,
    boxes: marks.map(({ x, y }) => ({ x: x - 10, y: y - row / 2, width: column - GUTTER + 10, height: row })), room: column - GUTTER - 14,
    heads: heads.map((_, i) => ({ x: PAD + i * column, y: PAD / 2 + HEAD / 2 - 2 })),
  };
}

/** Columns below one another, where they do not fit side by side; edges run at the left. */
function planStacked(nodes: readonly PictureNode[], heads: readonly string[], columns: number, wide: number): Plan {
  const row = 26;
  const marks: Plan["marks"] = nodes.map(({ main }) => ({ x: PAD + 24, y: 0, r: main ? 6 : 4 }));
  const places: Plan["heads"] = [];
  let y = PAD / 2;
  for (let column = 0; column < columns; column++) {
    places.push({ x: PAD + 20, y: y + HEAD / 2 }); // right of the edges
    if ((heads[column] ?? "") !== "") y += HEAD;
    const members = nodes.flatMap((node, i) => node.x === column ? [i] : []).sort((a, b) => nodes[a]!.y - nodes[b]!.y);
    for (const i of members) {
      marks[i]!.y = y + row / 2;
      y += row;
    }
  }
  const room = wide - 2 * PAD - 38;
  return { width: wide, height: y + PAD / 2, marks, boxes: marks.map((at) => ({ x: at.x - 10, y: at.y - row / 2, width: room + 22, height: row })), room, heads: places };
}

function planChain({ nodes }: Picture, wide: number): Plan {
  let y = PAD / 2;
  const boxes = nodes.map(({ code }) => {
    const box = { x: PAD - 8, y, width: wide - 2 * PAD + 16, height: code === undefined ? 32 : 48 };
    y += box.height;
    return box;
  });
  return { width: wide, height: y + PAD / 2, boxes, marks: boxes.map((box, i) => ({ x: PAD + 4, y: box.y + 16, r: nodes[i]!.main ? 6 : 4 })), room: wide - 2 * PAD - 24, heads: [] };
}

function planMap({ nodes }: Picture, wide: number): Plan {
  const left = Math.min(...nodes.map(({ x, r = 1 }) => x - r));
  const right = Math.max(...nodes.map(({ x, r = 1 }) => x + r));
  const top = Math.min(...nodes.map(({ y, r = 1 }) => y - r));
  const bottom = Math.max(...nodes.map(({ y, r = 1 }) => y + r));
  // Names stand below their circles, and may be wider than those.
  const scale = Math.min(46, (wide - 2 * PAD - 90) / Math.max(1, right - left), MAP_HEIGHT / Math.max(1, bottom - top));
  const height = Math.max(160, (bottom - top) * scale + 2 * PAD + 26);
  const across = wide / 2 - ((left + right) / 2) * scale;
  const marks = nodes.map(({ x, y, r = 1 }) => ({ x: across + x * scale, y: PAD + (y - top) * scale, r: Math.max(7, r * scale * 0.82) }));
  return {
    width: wide, height, marks, room: 132, heads: [],
    boxes: marks.map(({ x, y, r }) => ({ x: x - Math.max(r, 20), y: y - r, width: 2 * Math.max(r, 20), height: 2 * r + 18 })),
  };
}

export interface Look {
  palette: Palette;
  fonts: Fonts;
  measure: Measure;
  /** Index of the node under the pointer, or of the chosen one; -1 for none. */
  hover: number;
  chosen: number;
}

export function draw(context: CanvasRenderingContext2D, picture: Picture, plan: Plan, look: Look): void {
  const near = nearTo(picture, look.hover >= 0 ? look.hover : look.chosen);
  if (picture.layout === "map") drawMap(context, picture, plan, look, near);
  else if (picture.layout === "chain") drawChain(context, picture, plan, look);
  else drawColumns(context, picture, plan, look, near);
}

/** The nodes that a node has an edge with, and itself; undefined for all. */
function nearTo({ edges }: Picture, node: number): ReadonlySet<number> | undefined {
  if (node < 0) return undefined;
  const near = new Set([node]);
  for (let e = 0; e < edges.length; e += 3) {
    if (edges[e] === node) near.add(edges[e + 1]!);
    if (edges[e + 1] === node) near.add(edges[e]!);
  }
  return near;
}

function drawColumns(context: CanvasRenderingContext2D, picture: Picture, plan: Plan, look: Look, near: ReadonlySet<number> | undefined): void {
  const { nodes, edges, heads = [] } = picture;
  const { palette, fonts, measure } = look;
  context.textBaseline = "middle";
  context.font = fonts.small;
  context.fillStyle = palette.muted;
  heads.forEach((text, i) => {
    const at = plan.heads[i];
    if (at) context.fillText(cutTo(text, plan.room, measure, fonts.small), at.x, at.y);
  });

  const words = nodes.map((node) => namesOf(node, plan.room, look));
  const focus = look.hover >= 0 ? look.hover : look.chosen;
  for (const lit of [false, true]) {
    for (let e = 0; e < edges.length; e += 3) {
      const [from, to, calls] = [edges[e]!, edges[e + 1]!, edges[e + 2]!];
      if ((from === focus || to === focus) !== lit) continue;
      const [a, b] = [plan.marks[from]!, plan.marks[to]!];
      const start = a.x + 14 + words[from]!.width;
      context.strokeStyle = lit ? palette.accent : palette.edge;
      context.globalAlpha = lit ? 1 : near ? 0.14 : 0.42;
      context.lineWidth = Math.min(2.6, 1 + Math.log10(Math.max(1, calls)));
      context.setLineDash(calls === 0 ? [4, 3] : []);
      context.beginPath();
      if (b.x > a.x) {
        const end = b.x - b.r - 4;
        // Straight along its own name's column, then over to the other's.
        const turn = Math.max(start, a.x + plan.room - 4);
        const bend = Math.max(14, (end - turn) / 2);
        context.moveTo(start, a.y);
        context.lineTo(turn, a.y);
        context.bezierCurveTo(turn + bend, a.y, end - bend, b.y, end, b.y);
      } else {
        const out = Math.min(a.x, b.x) - 12 - Math.min(14, Math.abs(b.y - a.y) / 16);
        context.moveTo(a.x - a.r - 2, a.y);
        context.bezierCurveTo(out, a.y, out, b.y, b.x - b.r - 2, b.y);
      }
      context.stroke();
    }
  }
  context.setLineDash([]);
  nodes.forEach((node, i) => {
    context.globalAlpha = near && !near.has(i) ? 0.4 : 1;
    mark(context, node, plan.marks[i]!, look, i === look.chosen);
    name(context, node, words[i]!, plan.marks[i]!, look);
  });
  context.globalAlpha = 1;
}

function drawChain(context: CanvasRenderingContext2D, { nodes, edges }: Picture, plan: Plan, look: Look): void {
  const { palette, fonts, measure } = look;
  context.textBaseline = "middle";
  for (let e = 0; e < edges.length; e += 3) {
    const [a, b] = [plan.marks[edges[e]!]!, plan.marks[edges[e + 1]!]!];
    context.strokeStyle = palette.edge;
    context.globalAlpha = 0.7;
    context.lineWidth = 1.5;
    context.setLineDash(edges[e + 2] === 0 ? [4, 3] : []);
    context.beginPath();
    context.moveTo(a.x, a.y + a.r + 3);
    context.lineTo(b.x, b.y - b.r - 3);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(b.x - 3.5, b.y - b.r - 8);
    context.lineTo(b.x, b.y - b.r - 3);
    context.lineTo(b.x + 3.5, b.y - b.r - 8);
    context.stroke();
  }
  nodes.forEach((node, i) => {
    const at = plan.marks[i]!;
    if (i === look.hover || i === look.chosen) {
      const { x, y, width, height } = plan.boxes[i]!;
      context.globalAlpha = i === look.chosen ? 0.14 : 0.08;
      context.fillStyle = palette.accent;
      rounded(context, x, y + 2, width, height - 4, 6);
      context.fill();
    }
    context.globalAlpha = 1;
    mark(context, node, at, look, i === look.chosen);
    name(context, node, namesOf(node, plan.room, look, true), at, look);
    if (node.code !== undefined) {
      context.font = fonts.name;
      context.fillStyle = palette.muted;
      context.fillText(cutTo(node.code, plan.room, measure, fonts.name), at.x + 16, at.y + 18);
    }
  });
}

function drawMap(context: CanvasRenderingContext2D, { nodes, edges }: Picture, plan: Plan, look: Look, near: ReadonlySet<number> | undefined): void {
  const { palette, fonts, measure } = look;
  const focus = look.hover >= 0 ? look.hover : look.chosen;
  let most = 1;
  for (let e = 2; e < edges.length; e += 3) most = Math.max(most, edges[e]!);
  for (const lit of [false, true]) {
    for (let e = 0; e < edges.length; e += 3) {
      const [from, to, calls] = [edges[e]!, edges[e + 1]!, edges[e + 2]!];
      if ((from === focus || to === focus) !== lit) continue;
      const [a, b] = [plan.marks[from]!, plan.marks[to]!];
      const distance = Math.hypot(b.x - a.x, b.y - a.y) || 1;
      const [dx, dy] = [(b.x - a.x) / distance, (b.y - a.y) / distance];
      // Both ways between two circles are two curves.
      const bend = Math.min(18, distance / 8);
      const [sx, sy, ex, ey] = [a.x + dx * (a.r + 2), a.y + dy * (a.r + 2), b.x - dx * (b.r + 4), b.y - dy * (b.r + 4)];
      const [mx, my] = [(sx + ex) / 2 - dy * bend, (sy + ey) / 2 + dx * bend];
      const width = 0.8 + 2.4 * Math.sqrt(calls / most);
      context.strokeStyle = context.fillStyle = lit ? palette.accent : palette.edge;
      context.globalAlpha = lit ? 0.95 : near ? 0.1 : 0.2 + 0.5 * Math.sqrt(calls / most);
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(sx, sy);
      context.quadraticCurveTo(mx, my, ex, ey);
      context.stroke();
      const angle = Math.atan2(ey - my, ex - mx);
      const size = 4 + width;
      context.beginPath();
      context.moveTo(ex + 2 * Math.cos(angle), ey + 2 * Math.sin(angle));
      context.lineTo(ex - size * Math.cos(angle - 0.45), ey - size * Math.sin(angle - 0.45));
      context.lineTo(ex - size * Math.cos(angle + 0.45), ey - size * Math.sin(angle + 0.45));
      context.fill();
    }
  }
  nodes.forEach((_, i) => {
    const { x, y, r } = plan.marks[i]!;
    context.globalAlpha = near && !near.has(i) ? 0.35 : 1;
    context.fillStyle = palette.stage;
    circle(context, x, y, r);
    context.fill();
    context.fillStyle = palette.cluster(i);
    context.globalAlpha *= 0.24;
    circle(context, x, y, r);
    context.fill();
    context.globalAlpha = near && !near.has(i) ? 0.35 : 1;
    context.strokeStyle = palette.cluster(i);
    context.lineWidth = i === look.chosen || i === look.hover ? 2.5 : 1.5;
    circle(context, x, y, r);
    context.stroke();
  });
  context.textAlign = "center";
  context.textBaseline = "middle";
  const taken: Box[] = [];
  nodes.forEach(({ name: label, count }, i) => {
    const { x, y, r } = plan.marks[i]!;
    context.globalAlpha = near && !near.has(i) ? 0.35 : 1;
    if (count !== undefined && r > 11) {
      context.font = fonts.small;
      context.fillStyle = palette.text;
      context.fillText(String(count), x, y);
    }
    context.font = fonts.small;
    const text = cutTo(label, plan.room, measure, fonts.small);
    const wide = measure(text, fonts.small);
    const middle = Math.min(Math.max(x, wide / 2 + 4), plan.width - wide / 2 - 4);
    const free = [y + r + 10, y - r - 10].find((at) => taken.every((box) => middle + wide / 2 < box.x || middle - wide / 2 > box.x + box.width || at + 7 < box.y || at - 7 > box.y + box.height));
    if (free === undefined && i !== focus) return;
    const at = free ?? y + r + 10;
    taken.push({ x: middle - wide / 2 - 3, y: at - 7, width: wide + 6, height: 14 });
    // A rim in the ground's colour keeps a name readable on an edge.
    context.strokeStyle = palette.stage;
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeText(text, middle, at);
    context.fillStyle = palette.text;
    context.fillText(text, middle, at);
  });
  context.textAlign = "start";
  context.globalAlpha = 1;
}

interface Names {
  text: string;
  aside: string;
  /** Where the file begins, from the name's beginning. */
  asideAt: number;
  width: number;
}

/** A node's name and, where there is room, its file. */
function namesOf(node: PictureNode, room: number, { fonts, measure }: Look, long = false): Names {
  const font = node.main ? fonts.main : fonts.name;
  const text = cutTo(node.name, room, measure, font);
  const wide = measure(text, font);
  const place = node.count !== undefined ? `${node.count}` : long ? `${node.file}${node.line > 0 ? `:${node.line}` : ""}` : node.file.slice(node.file.lastIndexOf("/") + 1);
  const left = room - wide - 8;
  const aside = place !== "" && left > 36 && place !== text ? cutTo(place, left, measure, fonts.small) : "";
  return { text, aside, asideAt: wide + 8, width: aside === "" ? wide : wide + 8 + measure(aside, fonts.small) };
}

function name(context: CanvasRenderingContext2D, node: PictureNode, { text, aside, asideAt }: Names, at: { x: number; y: number }, { palette, fonts }: Look): void {
  context.font = node.main ? fonts.main : fonts.name;
  context.fillStyle = palette.text;
  context.fillText(text, at.x + 12, at.y);
  if (aside === "") return;
  context.font = fonts.small;
  context.fillStyle = palette.muted;
  context.fillText(aside, at.x + 12 + asideAt, at.y);
}

function mark(context: CanvasRenderingContext2D, { kind, count, main, test }: PictureNode, { x, y, r }: { x: number; y: number; r: number }, { palette }: Look, chosen: boolean): void {
  context.fillStyle = context.strokeStyle = palette.kind(kind);
  context.lineWidth = 1.5;
  if (count !== undefined) rounded(context, x - r, y - r, 2 * r, 2 * r, 2);
  else circle(context, x, y, main ? r - 2 : r);
  if (test) context.stroke();
  else context.fill();
  if (!main && !chosen) return;
  if (chosen) context.strokeStyle = palette.accent;
  circle(context, x, y, r + 1);
  context.stroke();
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
}

function rounded(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, r: number): void {
  context.beginPath();
  context.roundRect(x, y, width, height, r);
}

/** As much of a text as fits, with … where that is not all. */
export function cutTo(text: string, room: number, measure: Measure, font: string): string {
  if (measure(text, font) <= room) return text;
  let [fits, over] = [0, text.length];
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (measure(`${text.slice(0, middle)}…`, font) <= room) fits = middle;
    else over = middle;
  }
  return `${text.slice(0, fits)}…`;
}
