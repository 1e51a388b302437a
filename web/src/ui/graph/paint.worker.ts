/** Paints pictures beside the page's thread: where there is no GPU the processor takes longest for that. */
import type { Canvas, Frame } from "./painter.ts";
import { CanvasPen } from "./pens.ts";
import { play } from "./recording.ts";

self.onmessage = ({ data: { canvas, port, family } }: MessageEvent<Canvas>) => {
  const context = canvas.getContext("2d")!;
  const pen = new CanvasPen(context, family);
  port.onmessage = ({ data: { width, height, ratio, picture } }: MessageEvent<Frame>) => {
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
      pen.reset();
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    play(picture, pen);
    port.postMessage(null);
  };
};
