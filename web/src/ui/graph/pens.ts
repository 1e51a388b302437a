/** What a picture is painted with: a canvas, or SVG for print. Coordinates are pixels. */
import { visible } from "../visible.ts";

export interface TextLook {
  size: number;
  weight: number;
  colour: string;
  align: "start" | "center" | "end";
  /** Drawn around the letters, so that lines behind them don't cut through. */
  halo?: string;
}

export interface Pen {
  alpha(value: number): void;
  disc(x: number, y: number, r: number, fill: string | null, stroke: string | null, width: number): void;
  /** For dots so small that nobody sees the corners. `r` is half a side. */
  square(x: number, y: number, r: number, fill: string): void;
  /** A curve with one control point; with an arrow's head at its end when `head` is more than 0. */
  curve(x1: number, y1: number, cx: number, cy: number, x2: number, y2: number, colour: string, width: number, dashed: boolean, head: number): void;
  box(x: number, y: number, width: number, height: number, fill: string, stroke: string): void;
  /** `y` is the middle of the letters. */
  text(x: number, y: number, text: string, look: TextLook): void;
  width(text: string, look: Pick<TextLook, "size" | "weight">): number;
}

/** In pixels: of this size every text is measured. Larger letters stand closer together in fonts that space them by size, so no width is too small. */
const MEASURED = 11;
/** Of texts, by their weight and family: measuring takes longer than looking up, and pictures show the same names. */
const widths = new Map<string, Map<string, number>>();
let ruler: { context: OffscreenCanvasRenderingContext2D; font: string } | undefined;

/** Pixels that a text is wide in a family of fonts, or a little more. */
export function widthOf(text: string, { size, weight }: Pick<TextLook, "size" | "weight">, family: string): number {
  const font = fontOf({ size: MEASURED, weight }, family);
  let known = widths.get(font);
  if (!known) widths.set(font, (known = new Map<string, number>()));
  let width = known.get(text);
  if (width === undefined) {
    ruler ??= { context: new OffscreenCanvas(1, 1).getContext("2d")!, font: "" };
    if (ruler.font !== font) ruler.context.font = ruler.font = font;
    width = ruler.context.measureText(visible(text)).width;
    if (known.size > 20_000) known.clear();
    known.set(text, width);
  }
  return (width * size) / MEASURED;
}

function fontOf({ size, weight }: Pick<TextLook, "size" | "weight">, family: string): string {
  return `${weight} ${size}px ${family}`;
}

export class CanvasPen implements Pen {
  private font = "";

  constructor(private readonly context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D, private readonly family: string) {
    this.reset();
  }

  /** To be called when the canvas has another size: the context has forgotten what it was told. */
  reset(): void {
    this.font = "";
    this.context.lineJoin = "round";
    this.context.textBaseline = "middle";
  }

  alpha(value: number): void {
    this.context.globalAlpha = value;
  }

  disc(x: number, y: number, r: number, fill: string | null, stroke: string | null, width: number): void {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    if (fill !== null) {
      context.fillStyle = fill;
      context.fill();
    }
    if (stroke === null) return;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.stroke();
  }

  square(x: number, y: number, r: number, fill: string): void {
    this.context.fillStyle = fill;
    this.context.fillRect(x - r, y - r, 2 * r, 2 * r);
  }

  curve(x1: number, y1: number, cx: number, cy: number, x2: number, y2: number, colour: string, width: number, dashed: boolean, head: number): void {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = width;
    if (dashed) context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(x1, y1);
    context.quadraticCurveTo(cx, cy, x2, y2);
    context.stroke();
    if (dashed) context.setLineDash([]);
    if (head <= 0) return;
    const [a, b] = headOf(cx, cy, x2, y2, head);
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(a.x, a.y);
    context.lineTo(b.x, b.y);
    context.fill();
  }

  box(x: number, y: number, width: number, height: number, fill: string, stroke: string): void {
    const { context } = this;
    context.beginPath();
    context.roundRect(x, y, width, height, 5);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = stroke;
    context.lineWidth = 1.2;
    context.stroke();
  }

  text(x: number, y: number, written: string, look: TextLook): void {
    const { context } = this;
    const { colour, align, halo } = look;
    const text = visible(written);
    const font = fontOf(look, this.family);
    if (font !== this.font) context.font = this.font = font;
    context.textAlign = align;
    if (halo !== undefined) {
      context.lineWidth = 3.5;
      context.strokeStyle = halo;
      context.strokeText(text, x, y);
    }
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }

  width(text: string, look: Pick<TextLook, "size" | "weight">): number {
    return widthOf(text, look, this.family);
  }
}

/** Writes SVG. */
export class SvgPen implements Pen {
  private readonly parts: string[] = [];
  private opacity = 1;

  constructor(private readonly family: string) {}

  alpha(value: number): void {
    this.opacity = value;
  }

  disc(x: number, y: number, r: number, fill: string | null, stroke: string | null, width: number): void {
    this.parts.push(`<circle cx="${f(x)}" cy="${f(y)}" r="${f(r)}" fill="${fill ?? "none"}"${stroke === null ? "" : ` stroke="${stroke}" stroke-width="${f(width)}"`}${this.faint()}/>`);
  }

  square(x: number, y: number, r: number, fill: string): void {
    this.parts.push(`<rect x="${f(x - r)}" y="${f(y - r)}" width="${f(2 * r)}" height="${f(2 * r)}" fill="${fill}"${this.faint()}/>`);
  }

  curve(x1: number, y1: number, cx: number, cy: number, x2: number, y2: number, colour: string, width: number, dashed: boolean, head: number): void {
    this.parts.push(`<path d="M${f(x1)} ${f(y1)}Q${f(cx)} ${f(cy)} ${f(x2)} ${f(y2)}" fill="none" stroke="${colour}" stroke-width="${f(width)}"${dashed ? ' stroke-dasharray="5 4"' : ""}${this.faint()}/>`);
    if (head <= 0) return;
    const [a, b] = headOf(cx, cy, x2, y2, head);
    this.parts.push(`<path d="M${f(x2)} ${f(y2)}L${f(a.x)} ${f(a.y)}L${f(b.x)} ${f(b.y)}Z" fill="${colour}"${this.faint()}/>`);
  }

  box(x: number, y: number, width: number, height: number, fill: string, stroke: string): void {
    this.parts.push(`<rect x="${f(x)}" y="${f(y)}" width="${f(width)}" height="${f(height)}" rx="5" fill="${fill}" stroke="${stroke}"${this.faint()}/>`);
  }

  text(x: number, y: number, text: string, { size, weight, colour, align, halo }: TextLook): void {
    const anchor = { start: "start", center: "middle", end: "end" }[align];
    this.parts.push(`<text x="${f(x)}" y="${f(y)}" dominant-baseline="central" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="${colour}"${halo === undefined ? "" : ` stroke="${halo}" stroke-width="3.5" paint-order="stroke"`}${this.faint()}>${escaped(visible(text))}</text>`);
  }

  width(text: string, look: Pick<TextLook, "size" | "weight">): number {
    return widthOf(text, look, this.family);
  }

  document(width: number, height: number, ground: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(this.family)}"><rect width="${width}" height="${height}" fill="${ground}"/>${this.parts.join("")}</svg>`;
  }

  private faint(): string {
    return this.opacity === 1 ? "" : ` opacity="${f(this.opacity)}"`;
  }
}

/** The other two corners of an arrow's head that ends at x2, y2. */
function headOf(cx: number, cy: number, x2: number, y2: number, size: number): [{ x: number; y: number }, { x: number; y: number }] {
  const angle = Math.atan2(y2 - cy, x2 - cx);
  const corner = (turn: number): { x: number; y: number } => ({ x: x2 - size * Math.cos(angle + turn), y: y2 - size * Math.sin(angle + turn) });
  return [corner(0.42), corner(-0.42)];
}

function f(n: number): string {
  return String(Math.round(n * 100) / 100);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/gu, (c) => `&#${c.charCodeAt(0)};`);
}
