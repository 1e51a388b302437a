/** Shows a scene on a canvas, and lets the user move about in it. Knows nothing of the store; another renderer could take its place. */
import type { Camera } from "../address.ts";
import { Detail } from "./detail.ts";
import { Minimap } from "./minimap.ts";
import { Painter, type Painted } from "./painter.ts";
import { Eye, paint, type Box, type Emphasis, type Placed, type Size } from "./paint.ts";
import { normalColour, type Palette } from "./palette.ts";
import { CanvasPen, SvgPen, type Pen } from "./pens.ts";
import { Pointer } from "./pointer.ts";
import { EMPTY, type Scene, type SceneNode } from "./scene.ts";
import { strings } from "../strings.ts";

/** How a scene is to be shown. */
export interface Look {
  palette: Palette;
  /** Id of the selected node, or of the group that it is seen as; null for none. */
  selected: string | null;
  /** Its neighbours stand out. */
  spotlight: boolean;
  /** What an agent points at, by the ids under which it is seen. */
  highlight: { nodeIds: readonly string[]; color: string } | null;
  annotations: readonly { nodeId: string; label: string; color: string }[];
  /** No motion beyond what is asked for. */
  still: boolean;
  /** Pixels at the right that something else lies over. */
  covered: number;
}

export interface DrawingEvents {
  /** A node was clicked; null: the ground beside them. */
  onSelect(id: string | null): void;
  /** A node was double-clicked. */
  onEnter(node: SceneNode): void;
  /** The camera has come to rest where the user moved it. */
  onCamera(camera: Camera): void;
  /** A node was dragged to a point of the picture. */
  onDrag(node: SceneNode, parent: SceneNode | undefined, x: number, y: number): void;
  /** No more pictures are painted. */
  onBroken(why: string): void;
}

/** Pixels on both sides of an open group's rim that are still the rim. */
const RIM = 5;
/** A panel that is this part of the stage's height lies beside the picture, as long as this part of its width is left. */
const TALL = 0.25;
const BESIDE = 0.6;
const REST = 180;
const MOVE = 260;
/** Closer than this a picture cannot be seen, farther than this neither; as shares of its size. */
const NEAREST = 1 / 4_000;
const FARTHEST = 4;

export class GraphDrawing {
  private readonly canvas = document.createElement("canvas");
  private readonly painter: Painter;
  private readonly observer: ResizeObserver;
  /** Of the stage in pixels, once it is laid out. Asking the document for it would have all of it laid out in the middle of a frame. */
  private laidOut: Size | undefined;
  private readonly pointer: Pointer;
  private readonly detail = new Detail();
  private readonly minimap: Minimap;
  private scene: Scene = EMPTY;
  private indexes = new Map<string, number>();
  private camera: Camera | null = null;
  private placed: readonly Placed[] = [];
  private hovered = -1;
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private flight: { from: Camera; to: Camera; start: number } | undefined;
  private moving = false;
  /** Something has changed since the picture that is on its way. */
  private isLate = false;
  private pointColour: string;
  private noteColours: readonly string[];
  /** The last hundred pictures: when each was begun, and when it was painted, by `performance.now()`. */
  readonly frames: { begun: number; painted: number }[] = [];

  /** `worker` runs paint.worker.ts; any number of drawings may have the same. */
  constructor(private readonly container: HTMLElement, private look: Look, private readonly events: DrawingEvents, worker: Worker) {
    if (!("transferControlToOffscreen" in this.canvas)) throw new Error(strings.picture.noCanvas);
    this.painter = new Painter(worker, this.canvas, look.palette.labelFont, (why) => events.onBroken(why));
    container.append(this.canvas);
    this.minimap = new Minimap(container, this.painter, (x, y) => this.setCamera({ x, y, span: this.now.span }));
    [this.pointColour, this.noteColours] = coloursOf(look);
    this.pointer = new Pointer(this.canvas, {
      at: (x, y, reach) => this.nodeAt(x, y, reach),
      canDrag: (node) => this.scene.nodes[node]?.shape !== "open",
      hover: (node) => this.hover(node),
      click: (node) => this.events.onSelect(node < 0 ? null : this.scene.nodes[node]!.id),
      enter: (node) => node >= 0 && this.events.onEnter(this.scene.nodes[node]!),
      pan: (dx, dy) => this.setCamera({ x: this.now.x - dx / this.eye.scale, y: this.now.y - dy / this.eye.scale, span: this.now.span }),
      zoom: (x, y, factor) => this.zoomAt(x, y, factor),
      drag: (node, x, y) => this.drag(node, x, y),
    });
    this.observer = new ResizeObserver(() => {
      this.laidOut = this.measured();
      cancelAnimationFrame(this.frame);
      this.render(performance.now());
    });
    this.observer.observe(container);
  }

  /** Shows another scene, or the same after a change. `edited`: what is new glows for a moment. */
  update(scene: Scene, edited = false): void {
    const before = this.scene;
    const origins = new Int32Array(scene.nodes.length);
    const indexes = new Map<string, number>();
    scene.nodes.forEach(({ id }, i) => {
      origins[i] = this.indexes.get(id) ?? -1;
      indexes.set(id, i);
    });
    this.painter.update(scene, { origins, edited, still: this.look.still || before.nodes.length === 0, time: performance.now() });
    const hoveredId = before.nodes[this.hovered]?.id;
    this.scene = scene;
    this.placed = [];
    this.indexes = indexes;
    this.hovered = hoveredId === undefined ? -1 : this.indexes.get(hoveredId) ?? -1;
    // It was opened: what stands in it is what there is to point at now.
    if (scene.nodes[this.hovered]?.shape === "open") this.hovered = -1;
    this.draw();
  }

  setLook(look: Look): void {
    this.look = look;
    [this.pointColour, this.noteColours] = coloursOf(look);
    this.draw();
  }

  /** Where the camera is, for the address; null: everything is in view. */
  get where(): Camera | null {
    return this.camera;
  }

  /** Puts the camera somewhere at once; null: everything in view. */
  place(camera: Camera | null): void {
    this.flight = undefined;
    clearTimeout(this.rest);
    this.camera = camera;
    this.draw();
  }

  /** Brings nodes into view, in the middle of what nothing lies over; those that are not in the scene are passed over. */
  focus(ids: readonly string[]): void {
    const nodes = ids.flatMap((id) => this.scene.nodes[this.indexes.get(id) ?? -1] ?? []);
    if (nodes.length === 0) return;
    const left = Math.min(...nodes.map(({ x, r }) => x - r));
    const right = Math.max(...nodes.map(({ x, r }) => x + r));
    const top = Math.min(...nodes.map(({ y, r }) => y - r));
    const bottom = Math.max(...nodes.map(({ y, r }) => y + r));
    const around = Math.max(right - left, bottom - top, 0.001);
    const parent = this.scene.nodes[nodes[0]!.parent];
    // One alone is shown in its group.
    const span = nodes.length > 1 ? around * 1.5 : nodes[0]!.shape === "dot" && parent ? Math.max(around * 6, Math.min(Math.max(parent.r * 2.4, this.scene.bounds.height / 12), this.now.span)) : around * 2.6;
    const { width, height } = this.size;
    const shift = (this.look.covered / 2) * (span / Math.min(width, height));
    this.fly({ x: (left + right) / 2 + shift, y: (top + bottom) / 2, span });
  }

  has(id: string): boolean {
    return this.indexes.has(id);
  }

  /** Whether a node is in view, and not covered. */
  sees(id: string): boolean {
    const node = this.scene.nodes[this.indexes.get(id) ?? -1];
    if (!node) return false;
    const { eye } = this;
    const [x, y] = [eye.x(node.x), eye.y(node.y)];
    return x > 20 && y > 20 && x < this.size.width - this.look.covered - 20 && y < this.size.height - 20 && eye.radius(node, node.shape) > 3;
  }

  zoom(factor: number): void {
    this.fly({ ...this.now, span: this.now.span / factor });
  }

  /** Moves the camera by parts of what is seen. */
  pan(right: number, down: number): void {
    const { x, y, span } = this.now;
    this.fly({ x: x + right * span, y: y + down * span, span });
  }

  fit(): void {
    this.fly(this.whole(), true);
  }

  /** The neighbour of a node in a direction: along its edges, else whatever is nearest there. */
  toward(id: string, right: number, down: number): string | undefined {
    const from = this.indexes.get(id);
    if (from === undefined) return undefined;
    const { nodes, edges } = this.scene;
    const best = (candidates: Iterable<number>): number | undefined => {
      let [found, least]: [number | undefined, number] = [undefined, Infinity];
      for (const i of candidates) {
        const dx = nodes[i]!.x - nodes[from]!.x;
        const dy = nodes[i]!.y - nodes[from]!.y;
        const along = dx * right + dy * down;
        if (i === from || along <= 0) continue;
        const cost = along + 2.5 * Math.abs(dx * down - dy * right);
        if (cost < least) [found, least] = [i, cost];
      }
      return found;
    };
    const near = edges.flatMap((edge) => (edge.from === from ? [edge.to] : edge.to === from ? [edge.from] : []));
    const to = best(near) ?? best(nodes.keys());
    return to === undefined ? undefined : nodes[to]!.id;
  }

  get drawn(): readonly SceneNode[] {
    return this.scene.nodes;
  }

  /** Radius of a node on the screen as a share of the stage's shorter side, and whether any of it is in view. */
  share(node: SceneNode): { share: number; inView: boolean } {
    const { eye, size } = this;
    const r = node.r * eye.scale;
    return { share: r / Math.min(size.width, size.height), inView: eye.sees(eye.x(node.x), eye.y(node.y), r * 0.7) };
  }

  labels(): readonly Placed[] {
    return this.placed;
  }

  /** What is seen, three times as fine as on the screen. */
  async png(): Promise<Blob> {
    const { width, height } = this.size;
    const canvas = document.createElement("canvas");
    const fine = 3;
    canvas.width = width * fine;
    canvas.height = height * fine;
    const context = canvas.getContext("2d")!;
    context.scale(fine, fine);
    context.fillStyle = this.look.palette.stage;
    context.fillRect(0, 0, width, height);
    this.paint(new CanvasPen(context, this.look.palette.labelFont));
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(strings.picture.tooLarge))), "image/png"));
  }

  svg(): string {
    const { width, height } = this.size;
    const pen = new SvgPen(this.look.palette.labelFont);
    this.paint(pen);
    return pen.document(width, height, this.look.palette.stage);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.observer.disconnect();
    this.pointer.dispose();
    this.painter.dispose();
    this.minimap.dispose();
    this.canvas.remove();
  }

  private get size(): Size {
    return this.laidOut ?? this.measured();
  }

  private measured(): Size {
    return { width: Math.max(1, this.container.clientWidth), height: Math.max(1, this.container.clientHeight) };
  }

  /** What the camera sees, also while everything is in view. */
  get now(): Camera {
    return this.camera ?? this.whole();
  }

  private get eye(): Eye {
    return new Eye(this.now, this.size);
  }

  /** A camera that sees everything, beside the panels at the edges where there is room for that. */
  private whole(covered: readonly Box[] = this.coveredAreas()): Camera {
    const { x, y, width, height } = this.scene.bounds;
    const size = this.size;
    let [left, right] = [0, size.width];
    for (const box of covered) {
      if (box.height < TALL * size.height) continue;
      if (box.x < size.width / 4) left = Math.max(left, box.x + box.width);
      else right = Math.min(right, box.x);
    }
    if (right - left < BESIDE * size.width) [left, right] = [0, size.width];
    const least = Math.min(size.width, size.height);
    const span = 1.06 * Math.max((width * least) / (right - left), (height * least) / size.height);
    const aside = (left + right - size.width) / 2;
    const { readable } = this.scene;
    if (!readable || least / span >= readable.scale) return { x: x + width / 2 - aside * (span / least), y: y + height / 2, span };
    const { scale } = readable;
    const [seenWidth, seenHeight] = [(right - left) / scale, size.height / scale];
    const middle = readable.from === "origin" ? { x: 0, y: 0 } : {
      x: x + (width < seenWidth ? width : seenWidth) / 2, y: y + (height < seenHeight ? height : seenHeight) / 2,
    };
    return { x: middle.x - aside / scale, y: middle.y, span: least / scale };
  }

  private setCamera(camera: Camera): void {
    const whole = Math.max(this.scene.bounds.width, this.scene.bounds.height);
    this.camera = { ...camera, span: Math.min(whole * FARTHEST, Math.max(whole * NEAREST, camera.span)) };
    this.draw();
    this.moving = true;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.settle(), REST);
  }

  /** The camera as the address has it: digits that nobody sees are no other place. */
  private settle(): void {
    this.moving = false;
    if (!this.camera) return;
    const short = (n: number): number => Number(n.toPrecision(8));
    this.camera = { x: short(this.camera.x), y: short(this.camera.y), span: short(this.camera.span) };
    this.draw();
    this.events.onCamera(this.camera);
  }

  private fly(to: Camera, home = false): void {
    if (this.look.still) {
      this.setCamera(to);
    } else {
      this.flight = { from: this.now, to, start: performance.now() };
      this.draw();
    }
    if (!home) return;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.settle(), REST + MOVE);
  }

  private zoomAt(px: number, py: number, factor: number): void {
    this.flight = undefined;
    const at = this.eye.point(px, py);
    const { x, y, span } = this.now;
    this.setCamera({ x: at.x + (x - at.x) / factor, y: at.y + (y - at.y) / factor, span: span / factor });
  }

  private drag(node: number, px: number, py: number): void {
    const { x, y } = this.eye.point(px, py);
    const at = this.scene.nodes[node]!;
    this.events.onDrag(at, this.scene.nodes[at.parent], x, y);
  }

  private hover(node: number): void {
    if (node === this.hovered) return;
    this.hovered = node;
    this.canvas.style.cursor = node >= 0 ? "pointer" : "";
    this.draw();
  }

  /** The node whose disc or label is at a pixel; -1 for none. Of open groups the label and the rim. */
  private nodeAt(px: number, py: number, reach: number): number {
    const { eye, detail } = this;
    const { nodes } = this.scene;
    detail.look(this.scene, eye.scale);
    const at = eye.point(px, py);
    let [found, least] = [-1, Infinity];
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i]!;
      if (detail.as[i] !== i || detail.shape(i) === "open") continue;
      const [dx, dy] = [node.x - at.x, node.y - at.y];
      const beside = Math.sqrt(dx * dx + dy * dy) * eye.scale - Math.max(6, eye.radius(node, detail.shape(i)) + 2);
      if (beside <= 0) return i;
      if (beside < least) [found, least] = [i, beside];
    }
    if (least <= reach) return found;
    const label = this.placed.find(({ x, y, width, height }) => px >= x && px <= x + width && py >= y && py <= y + height);
    if (label) return label.node;
    return nodes.findLastIndex((node, i) => node.shape === "open" && detail.as[i] === i && Math.abs(Math.hypot(eye.x(node.x) - px, eye.y(node.y) - py) - node.r * eye.scale) <= RIM);
  }

  /** Paints the scene as it will come to rest. */
  private paint(pen: Pen): void {
    const { eye } = this;
    this.detail.look(this.scene, eye.scale);
    paint(pen, this.scene, eye, this.told(this.coveredAreas()), this.detail);
  }

  private told(covered: readonly Box[]): Emphasis {
    const { look } = this;
    const index = (id: string): number => this.indexes.get(id) ?? -1;
    return {
      palette: look.palette.inks,
      selected: look.selected === null ? -1 : index(look.selected),
      spotlight: look.spotlight,
      hovered: this.hovered,
      pointed: new Set((look.highlight?.nodeIds ?? []).map(index).filter((i) => i >= 0)),
      pointColour: this.pointColour,
      notes: look.annotations.map(({ nodeId, label }, i) => ({ node: index(nodeId), label, colour: this.noteColours[i]! })),
      covered,
      moving: this.moving,
    };
  }

  /** Panels that float over the stage. */
  private coveredAreas(): Box[] {
    const from = this.container.getBoundingClientRect();
    return [...(this.container.parentElement?.querySelectorAll<HTMLElement>("[data-floats]") ?? [])].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: left - from.left, y: top - from.top, width, height };
    });
  }

  private draw(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame((time) => this.render(time));
  }

  private render(time: number): void {
    this.frame = 0;
    if (!this.laidOut) return; // it is drawn as soon as it is
    if (this.painter.busy) {
      this.isLate = true;
      return;
    }
    const begun = performance.now();
    if (this.flight) this.advance(this.flight, time);
    const covered = this.coveredAreas();
    const [camera, size] = [this.camera ?? this.whole(covered), this.laidOut];
    const { scene } = this;
    const minimap = this.minimap.draw(scene, new Eye(camera, size), this.look.palette);
    this.painter.show({ camera, size, ratio: window.devicePixelRatio || 1, time, told: this.told(covered), minimap }, (painted) => {
      if (scene === this.scene) this.placed = painted.labels;
      this.shown(painted, size, begun);
    });
  }

  private shown({ moves }: Painted, size: Size, begun: number): void {
    // Until now it has the picture of another size: nothing is stretched meanwhile.
    this.canvas.style.width = `${size.width}px`;
    this.canvas.style.height = `${size.height}px`;
    this.frames.push({ begun, painted: performance.now() });
    if (this.frames.length > 100) this.frames.shift();
    if (this.isLate || moves || this.flight) this.draw();
    this.isLate = false;
  }

  private advance(flight: NonNullable<GraphDrawing["flight"]>, time: number): void {
    const t = Math.min(1, Math.max(0, (time - flight.start) / MOVE));
    const eased = 1 - (1 - t) ** 3;
    const mix = (a: number, b: number): number => a + (b - a) * eased;
    const { from, to } = flight;
    if (t >= 1) this.flight = undefined;
    this.setCamera({ x: mix(from.x, to.x), y: mix(from.y, to.y), span: Math.exp(mix(Math.log(from.span), Math.log(to.span))) });
  }
}

/** The colours that agents named, as ones that can be drawn. */
function coloursOf({ highlight, annotations, palette }: Look): [point: string, notes: string[]] {
  return [normalColour(highlight?.color ?? "", palette.point), annotations.map(({ color }) => normalColour(color, palette.point))];
}
