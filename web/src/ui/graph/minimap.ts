/** All of a picture in a corner of the stage, with a frame around what the stage shows; a press there moves the camera. */
import { Eye } from "./paint.ts";
import type { Painter, View } from "./painter.ts";
import type { Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";

/** Pixels, as the styles have it. */
const SIZE = 132;
/** It is there while the stage shows less than this share of the picture, and has so many pixels for it. */
const PART = 0.7;
const ROOM = { width: 640, height: 480 };
/** What is very near is still a frame. Pixels. */
const SMALLEST_FRAME = 6;

export class Minimap {
  private readonly element = document.createElement("div");
  private readonly frame = document.createElement("div");
  private readonly canvas = document.createElement("canvas");
  private painted: { nodes: unknown; palette: Palette; ratio: number } | undefined;
  private eye: Eye | undefined;

  constructor(container: HTMLElement, private readonly painter: Painter, move: (x: number, y: number) => void) {
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

  /** Shows what the stage shows as part of all of it. Returns how it is to be painted; undefined where it is hidden or was painted so before. */
  draw(scene: Scene, stage: Eye, palette: Palette): View | undefined {
    const { x, y, width, height } = scene.bounds;
    const seen = { width: stage.size.width / stage.scale, height: stage.size.height / stage.scale };
    this.element.hidden = stage.size.width < ROOM.width || stage.size.height < ROOM.height || (seen.width > PART * width && seen.height > PART * height);
    if (this.element.hidden) return undefined;
    const eye = (this.eye = new Eye({ x: x + width / 2, y: y + height / 2, span: 1.04 * Math.max(width, height) }, { width: SIZE, height: SIZE }));
    const corner = stage.point(0, 0);
    const [w, h] = [Math.max(SMALLEST_FRAME, seen.width * eye.scale), Math.max(SMALLEST_FRAME, seen.height * eye.scale)];
    const [left, top] = [eye.x(corner.x + seen.width / 2) - w / 2, eye.y(corner.y + seen.height / 2) - h / 2];
    Object.assign(this.frame.style, { transform: `translate(${left}px,${top}px)`, width: `${w}px`, height: `${h}px` });
    const ratio = window.devicePixelRatio || 1;
    const { nodes } = scene;
    if (this.painted?.nodes === nodes && this.painted.palette === palette && this.painted.ratio === ratio) return undefined;
    if (!this.painted) this.painter.addMinimap(this.canvas);
    this.painted = { nodes, palette, ratio };
    return { camera: eye.camera, size: eye.size, ratio };
  }

  dispose(): void {
    this.element.remove();
  }
}
