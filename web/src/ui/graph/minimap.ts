/** All of a picture in a corner of the stage, with a frame around what the stage shows; a press there moves the camera. */
import { Eye } from "./paint.ts";
import type { Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";

const SIZE = 132;
/** It is there while the stage shows less than this share of the picture, and has so many pixels for it. */
const PART = 0.7;
const ROOM = { width: 640, height: 480 };
/** Pixels of the smallest disc that is drawn. */
const SMALLEST = 0.9;

export class Minimap {
  private readonly canvas = document.createElement("canvas");
  private readonly picture = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private drawn: { nodes: unknown; palette: Palette } | undefined;
  private eye: Eye | undefined;

  constructor(container: HTMLElement, move: (x: number, y: number) => void) {
    const { canvas } = this;
    this.context = canvas.getContext("2d")!;
    canvas.className = "minimap";
    canvas.hidden = true;
    canvas.setAttribute("aria-hidden", "true");
    canvas.dataset["floats"] = "";
    container.append(canvas);
    const go = (e: PointerEvent): void => {
      const { left, top } = canvas.getBoundingClientRect();
      const { x, y } = this.eye!.point(e.clientX - left, e.clientY - top);
      move(x, y);
    };
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      go(e);
    });
    canvas.addEventListener("pointermove", (e) => {
      if (canvas.hasPointerCapture(e.pointerId)) go(e);
    });
  }

  draw(scene: Scene, stage: Eye, { palette }: { palette: Palette }): void {
    const { x, y, width, height } = scene.bounds;
    const { canvas, picture } = this;
    const seen = { width: stage.size.width / stage.scale, height: stage.size.height / stage.scale };
    canvas.hidden = stage.size.width < ROOM.width || stage.size.height < ROOM.height || (seen.width > PART * width && seen.height > PART * height);
    if (canvas.hidden) return;
    const eye = (this.eye = new Eye({ x: x + width / 2, y: y + height / 2, span: 1.04 * Math.max(width, height) }, { width: SIZE, height: SIZE }));
    const ratio = window.devicePixelRatio || 1;
    if (this.drawn?.nodes !== scene.nodes || this.drawn.palette !== palette || picture.width !== Math.round(SIZE * ratio)) {
      this.drawn = { nodes: scene.nodes, palette };
      for (const each of [canvas, picture]) each.width = each.height = Math.round(SIZE * ratio);
      const context = picture.getContext("2d")!;
      context.scale(ratio, ratio);
      for (const node of scene.nodes) {
        const r = Math.max(scene.nodes.length < 400 ? SMALLEST : 0, node.r * eye.scale);
        if (r < SMALLEST) continue;
        context.beginPath();
        context.arc(eye.x(node.x), eye.y(node.y), r, 0, 2 * Math.PI);
        context.fillStyle = node.shape === "open" ? palette.ground : node.colour;
        context.globalAlpha = node.shape === "open" ? 1 : 0.6;
        context.fill();
        if (node.shape !== "open") continue;
        context.strokeStyle = palette.groundLine;
        context.lineWidth = 0.6;
        context.stroke();
      }
    }
    const { context } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const corner = stage.point(0, 0);
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.5;
    // What is very near is still a frame.
    const [w, h] = [Math.max(6, seen.width * eye.scale), Math.max(6, seen.height * eye.scale)];
    context.strokeRect(eye.x(corner.x + seen.width / 2) - w / 2, eye.y(corner.y + seen.height / 2) - h / 2, w, h);
  }

  dispose(): void {
    this.canvas.remove();
  }
}
