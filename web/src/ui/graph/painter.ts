/** Has a canvas painted by a Worker, so that the page's thread only says what is in the picture. One picture is on its way at a time. */
import { Recorder, type Recording } from "./recording.ts";
import type { Size } from "./paint.ts";

/** The Worker's message for a canvas; what is to be painted on it comes through the port. */
export interface Canvas {
  canvas: OffscreenCanvas;
  port: MessagePort;
  /** Of fonts. */
  family: string;
}

export interface Frame extends Size {
  ratio: number;
  picture: Recording;
}

export class Painter {
  /** Writes down the next picture. */
  readonly pen: Recorder;
  private readonly port: MessagePort;
  private painted: (() => void) | undefined;

  /** Throws in a browser that has no canvas for Workers. */
  constructor(worker: Pick<Worker, "postMessage">, canvas: HTMLCanvasElement, family: string) {
    this.pen = new Recorder(family);
    const { port1, port2 } = new MessageChannel();
    const offscreen = canvas.transferControlToOffscreen();
    worker.postMessage({ canvas: offscreen, port: port2, family } satisfies Canvas, [offscreen, port2]);
    this.port = port1;
    this.port.onmessage = () => {
      const { painted } = this;
      this.painted = undefined;
      painted?.();
    };
  }

  /** A picture is on its way: the next has to wait, so that they never queue. */
  get busy(): boolean {
    return this.painted !== undefined;
  }

  /** Shows what the pen has written down, once. `ratio`: pixels of the screen for one of the picture. */
  show(size: Size, ratio: number, painted: () => void): void {
    this.painted = painted;
    const picture = this.pen.take();
    this.port.postMessage({ ...size, ratio, picture } satisfies Frame, [picture.numbers.buffer]);
  }

  dispose(): void {
    this.port.close();
    this.painted = undefined;
  }
}
