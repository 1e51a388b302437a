/** Paints pictures beside the page's thread, which has the user to answer: where there is no GPU the processor takes long for that. */
import { Detail } from "./detail.ts";
import { unpackScene } from "./packed-scene.ts";
import { Eye, paint, paintMinimap } from "./paint.ts";
import type { CanvasMessage, Frame, Painted, PainterMessage, View } from "./painter.ts";
import { CanvasPen } from "./pens.ts";
import { EMPTY, type PaintedScene } from "./scene.ts";
import { Transition } from "./transition.ts";

/** A canvas that has been handed over. */
class Canvas {
  private readonly context: OffscreenCanvasRenderingContext2D;
  private readonly pen: CanvasPen;

  constructor(private readonly canvas: OffscreenCanvas, family: string) {
    this.context = canvas.getContext("2d")!;
    this.pen = new CanvasPen(this.context, family);
  }

  /** Ready for a picture of such a size. */
  cleared({ size: { width, height }, ratio }: View): CanvasPen {
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
      this.pen.reset();
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    return this.pen;
  }
}

self.onmessage = ({ data: { canvas, port, family } }: MessageEvent<CanvasMessage>) => {
  const stage = new Canvas(canvas, family);
  const transition = new Transition();
  const detail = new Detail();
  let scene: PaintedScene = EMPTY;
  let minimap: Canvas | undefined;
  const painted = (frame: Frame): Painted => {
    const { camera, size, time, told } = frame;
    const eye = new Eye(camera, size);
    const shown = transition.sceneAt(scene, time);
    detail.look(shown, eye.scale);
    const labels = paint(stage.cleared(frame), shown, eye, { ...told, ...transition.at(time) }, detail);
    if (minimap && frame.minimap) paintMinimap(minimap.cleared(frame.minimap), scene, new Eye(frame.minimap.camera, frame.minimap.size), told.palette);
    return { labels, moves: transition.runs(time) };
  };
  port.onmessage = ({ data }: MessageEvent<PainterMessage>) => {
    if ("minimap" in data) minimap = new Canvas(data.minimap, family);
    else if ("frame" in data) port.postMessage(painted(data.frame));
    else {
      transition.begin(scene.nodes, data.change);
      scene = unpackScene(data.scene);
    }
  };
};
