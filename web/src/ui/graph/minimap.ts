/** All of a picture in a corner of the stage, with a frame around what the stage shows; a press there moves the camera. */
import { Eye } from "./paint.ts";
import { Painter } from "./painter.ts";
import type { Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";

/** Pixels, as the styles have it. */
const SIZE = 132;
/** It is there while the stage shows less than this share of the picture, and has so many pixels for it. */
const PART = 0.7;
const ROOM = { width: 640, height: 480 };
/** Pixels of the smallest disc that is drawn. */
const SMALLEST = 0.9;
/** What is very near is still a frame. Pixels. */
const SMALLEST_FRAME = 6;

export class Minimap {
  private readonly element = document.createElement("div");
  private readonly frame = document.createElement("div");
  private readonly canvas = document.createElement("canvas");
  /** From when it is first shown. */
  private painter: Painter | undefined;
  private drawn: { nodes: unknown; palette: Palette; ratio: number } | undefined;
  /** Something has changed since the picture that is on its way. */
  private isLate = false;
  private eye: Eye | undefined;

  /** `worker` runs paint.worker.ts. `again`: to be drawn once more, as what was to be painted had to wait. */
  constructor(container: HTMLElement, private readonly worker: Worker, private readonly family: string, move: (x: number, y: number) => void, private readonly again: () => void) {
    const { element, frame, canvas } = this;
    element.className = "minimap";
    element.hidden = true;
    element.setAttribute("aria-hidden", "true");
    element.dataset["floats"] = "";
    element.append(canvas, frame);
    container.append(element);
    const go = (e: PointerEvent): void => {
      const { left, top } = canvas.getBoundingClientRect();
      const { x, y } = this.eye!.point(e.clientX - left, e.clientY - top);
      move(x, y);
    };
    element.addEventListener("pointerdown", (e) => {
      element.setPointerCapture(e.pointerId);
      go(e);
    });
    element.addEventListener("pointermove", (e) => {
      if (element.hasPointerCapture(e.pointerId)) go(e);
    });
  }

  draw(scene: Scene, stage: Eye, { palette }: { palette: Palette }): void {
    const { x, y, width, height } = scene.bounds;
    const seen = { width: stage.size.width / stage.scale, height: stage.size.height / stage.scale };
    this.element.hidden = stage.size.width < ROOM.width || stage.size.height < ROOM.height || (seen.width > PART * width && seen.height > PART * height);
    if (this.element.hidden) return;
    const eye = (this.eye = new Eye({ x: x + width / 2, y: y + height / 2, span: 1.04 * Math.max(width, height) }, { width: SIZE, height: SIZE }));
    this.paint(scene, eye, palette);
    const corner = stage.point(0, 0);
    const [w, h] = [Math.max(SMALLEST_FRAME, seen.width * eye.scale), Math.max(SMALLEST_FRAME, seen.height * eye.scale)];
    const [left, top] = [eye.x(corner.x + seen.width / 2) - w / 2, eye.y(corner.y + seen.height / 2) - h / 2];
    Object.assign(this.frame.style, { transform: `translate(${left}px,${top}px)`, width: `${w}px`, height: `${h}px` });
  }

  dispose(): void {
    this.painter?.dispose();
    this.element.remove();
  }

  private paint({ nodes }: Scene, eye: Eye, palette: Palette): void {
    const ratio = window.devicePixelRatio || 1;
    if (this.drawn?.nodes === nodes && this.drawn.palette === palette && this.drawn.ratio === ratio) return;
    this.painter ??= new Painter(this.worker, this.canvas, this.family);
    const { painter } = this;
    const { pen } = painter;
    if (painter.busy) {
      this.isLate = true;
      return;
    }
    this.drawn = { nodes, palette, ratio };
    for (const node of nodes) {
      const r = Math.max(nodes.length < 400 ? SMALLEST : 0, node.r * eye.scale);
      if (r < SMALLEST) continue;
      const isOpen = node.shape === "open";
      pen.alpha(isOpen ? 1 : 0.6);
      pen.disc(eye.x(node.x), eye.y(node.y), r, isOpen ? palette.ground : node.colour, isOpen ? palette.groundLine : null, 0.6);
    }
    painter.show({ width: SIZE, height: SIZE }, ratio, () => {
      if (!this.isLate) return;
      this.isLate = false;
      this.again();
    });
  }
}
