/** What is drawn in 2D around the WebGL nodes: labels, rings, names of clusters. */
import type Sigma from "sigma";
import type { ViewGraph } from "../../messages.ts";
import type { Palette } from "./palette.ts";

export interface OverlayLook {
  palette: Palette;
  /** Names of clusters behind the nodes. */
  labels: boolean;
  hidden: (index: number) => boolean;
  /** Ids of nodes that an agent points at. */
  rings: readonly string[];
  ringColour: string;
  selected: string | null;
  /** Labels that agents wrote, by the nodes' ids. */
  notes: readonly { id: string; label: string; colour: string }[];
}

interface Spot {
  x: number;
  y: number;
  size: number;
  label: string | null;
}

/** Clusters whose name is written, and members from which on. */
const NAMED_CLUSTERS = 9;
const NAMED_FROM = 6;
const PULSE = 1600;

/** Draws on a layer of its own between sigma's nodes and their labels. */
export class Overlay {
  private readonly canvas: HTMLCanvasElement;
  private look: OverlayLook | null = null;
  private centres: { label: string; x: number; y: number; rank: number }[] | null = null;
  private pulseFrom = -PULSE;
  private frame = 0;
  private readonly draw = (): void => this.render();

  constructor(
    // The attributes don't matter here, and Sigma is invariant in them.
    private readonly sigma: Pick<Sigma, "getDimensions" | "getCamera" | "getNodeDisplayData" | "framedGraphToViewport" | "scaleSize"> & {
      scheduleRender(): unknown;
      createCanvas: Sigma["createCanvas"];
      on(type: "afterRender", listener: () => void): unknown;
    },
    private readonly view: ViewGraph,
    private readonly ranks: ReadonlyMap<number, number>,
  ) {
    this.canvas = sigma.createCanvas("overlay", { afterLayer: "nodes" });
    this.canvas.style.pointerEvents = "none";
    sigma.on("afterRender", this.draw);
  }

  set(look: OverlayLook): void {
    this.look = look;
    this.centres = null;
  }

  /** The nodes stand elsewhere now. */
  moved(): void {
    this.centres = null;
  }

  /** Draws the eye to the rings once. */
  pulse(): void {
    this.pulseFrom = performance.now();
    const tick = (): void => {
      // With a frame of sigma's own, for only then are positions those on the screen.
      this.sigma.scheduleRender();
      if (performance.now() - this.pulseFrom < PULSE) this.frame = requestAnimationFrame(tick);
    };
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(tick);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
  }

  private render(): void {
    const context = this.canvas.getContext("2d");
    if (!context || !this.look) return;
    const { width, height } = this.sigma.getDimensions();
    const ratio = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    if (this.look.labels) this.drawClusterNames(context, this.look);
    const age = performance.now() - this.pulseFrom;
    for (const id of this.look.rings) this.drawRing(context, id, this.look.ringColour, age);
    if (this.look.selected !== null) this.drawRing(context, this.look.selected, this.look.palette.text, PULSE);
    for (const note of this.look.notes) this.drawNote(context, note, this.look.palette);
  }

  /** A tag above the node. */
  private drawNote(context: CanvasRenderingContext2D, { id, label, colour }: OverlayLook["notes"][number], palette: Palette): void {
    const node = this.sigma.getNodeDisplayData(id);
    if (!node) return;
    const { x, y } = this.sigma.framedGraphToViewport(node);
    const foot = y - this.sigma.scaleSize(node.size) - 4;
    context.font = `600 12px ${palette.labelFont}`;
    const width = context.measureText(label).width + 14;
    context.beginPath();
    context.roundRect(x - width / 2, foot - 28, width, 22, 5);
    context.moveTo(x - 5, foot - 6);
    context.lineTo(x, foot);
    context.lineTo(x + 5, foot - 6);
    context.fillStyle = palette.surface;
    context.fill();
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.stroke();
    context.fillStyle = palette.text;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(label, x, foot - 17);
    context.textAlign = "start";
    context.textBaseline = "alphabetic";
  }

  private drawRing(context: CanvasRenderingContext2D, id: string, colour: string, age: number): void {
    const node = this.sigma.getNodeDisplayData(id);
    if (!node) return;
    const { x, y } = this.sigma.framedGraphToViewport(node);
    const radius = this.sigma.scaleSize(node.size);
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, radius + 3.5, 0, 2 * Math.PI);
    context.stroke();
    if (age >= PULSE) return;
    // Two waves that run outwards and fade.
    for (const start of [0, 0.5]) {
      const t = age / PULSE * 1.5 - start;
      if (t <= 0 || t >= 1) continue;
      context.globalAlpha = 1 - t;
      context.beginPath();
      context.arc(x, y, radius + 3.5 + 26 * t, 0, 2 * Math.PI);
      context.stroke();
      context.globalAlpha = 1;
    }
  }

  private drawClusterNames(context: CanvasRenderingContext2D, { palette, hidden }: OverlayLook): void {
    // From near, the nodes' own names say more.
    if (this.sigma.getCamera().ratio < 0.45) return;
    this.centres ??= this.findCentres(hidden);
    context.font = `600 13px ${palette.labelFont}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    for (const { label, x, y, rank } of this.centres) {
      const at = this.sigma.framedGraphToViewport({ x, y });
      context.lineWidth = 5;
      context.strokeStyle = palette.stage;
      context.globalAlpha = 0.85;
      context.strokeText(label, at.x, at.y);
      context.globalAlpha = 1;
      context.fillStyle = palette.cluster(rank);
      context.fillText(label, at.x, at.y);
    }
    context.textAlign = "start";
    context.textBaseline = "alphabetic";
  }

  private findCentres(hidden: (index: number) => boolean): { label: string; x: number; y: number; rank: number }[] {
    const sums = new Map<number, { x: number; y: number; yy: number; n: number }>();
    this.view.nodes.forEach((node, i) => {
      const rank = this.ranks.get(node.community);
      if (rank === undefined || rank >= NAMED_CLUSTERS || hidden(i)) return;
      const at = this.sigma.getNodeDisplayData(node.id);
      if (!at) return;
      const sum = sums.get(node.community) ?? { x: 0, y: 0, yy: 0, n: 0 };
      sums.set(node.community, { x: sum.x + at.x, y: sum.y + at.y, yy: sum.yy + at.y * at.y, n: sum.n + 1 });
    });
    return this.view.communities.flatMap(({ id, label }) => {
      const sum = sums.get(id);
      if (!sum || sum.n < NAMED_FROM) return [];
      const mean = sum.y / sum.n;
      // Above most members (y grows upwards), as a heading, where it hides least.
      const above = 1.5 * Math.sqrt(Math.max(0, sum.yy / sum.n - mean * mean));
      return [{ label, x: sum.x / sum.n, y: mean + above, rank: this.ranks.get(id) ?? -1 }];
    });
  }
}

export function drawLabel(context: CanvasRenderingContext2D, node: Partial<Spot> & Pick<Spot, "x" | "y" | "size">, palette: Palette): void {
  if (!node.label) return;
  context.font = `500 12px ${palette.labelFont}`;
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = palette.stage;
  context.strokeText(node.label, node.x + node.size + 4, node.y + 4);
  context.fillStyle = palette.text;
  context.fillText(node.label, node.x + node.size + 4, node.y + 4);
}

export function drawHover(context: CanvasRenderingContext2D, node: Partial<Spot> & Pick<Spot, "x" | "y" | "size">, palette: Palette): void {
  context.strokeStyle = palette.text;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(node.x, node.y, node.size + 2.5, 0, 2 * Math.PI);
  context.stroke();
  if (!node.label) return;
  context.font = `500 12px ${palette.labelFont}`;
  const width = context.measureText(node.label).width + 14;
  const left = node.x + node.size + 7;
  context.beginPath();
  context.roundRect(left, node.y - 12, width, 24, 5);
  context.fillStyle = palette.surface;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.stroke();
  context.fillStyle = palette.text;
  context.fillText(node.label, left + 7, node.y + 4);
}
