/** Has a canvas painted by a Worker: the page's thread only says what is to be seen. One picture is on its way at a time. */
import type { Camera } from "../address.ts";
import { buffersOf, packScene, type PackedScene } from "./packed-scene.ts";
import type { Emphasis, Placed, Size } from "./paint.ts";
import type { Scene } from "./scene.ts";
import type { Change } from "./transition.ts";
import { strings } from "../strings.ts";

/** The Worker's message for a canvas; all else about it comes through the port. */
export interface CanvasMessage {
  canvas: OffscreenCanvas;
  port: MessagePort;
  /** Of fonts. */
  family: string;
}

/** What is asked of a canvas: a scene to be shown from now on, another canvas for all of it in small, or a picture. */
export type PainterMessage = { scene: PackedScene; change: Change } | { minimap: OffscreenCanvas } | { frame: Frame };

/** As seen by a camera on so many pixels of the page, `ratio` for each of them. */
export interface View {
  camera: Camera;
  size: Size;
  ratio: number;
}

export interface Frame extends View {
  /** By the clock of Change's. */
  time: number;
  told: Omit<Emphasis, "opacity" | "glow">;
  /** Where the minimap has to be painted, too. */
  minimap: View | undefined;
}

/** The answer to a frame. */
export interface Painted {
  labels: Placed[];
  /** The scene is not yet where it will come to rest. */
  moves: boolean;
}

export class Painter {
  private readonly port: MessagePort;
  private readonly ended = new AbortController();
  private painted: ((painted: Painted) => void) | undefined;

  /** Throws in a browser that has no canvas for Workers. `broken`: the Worker has failed, and why. */
  constructor(worker: Worker, canvas: HTMLCanvasElement, family: string, broken: (why: string) => void) {
    worker.addEventListener("error", ({ message }) => broken(message || strings.picture.noPainter), { signal: this.ended.signal });
    const { port1, port2 } = new MessageChannel();
    const offscreen = canvas.transferControlToOffscreen();
    worker.postMessage({ canvas: offscreen, port: port2, family } satisfies CanvasMessage, [offscreen, port2]);
    this.port = port1;
    this.port.onmessage = ({ data }: MessageEvent<Painted>) => {
      const { painted } = this;
      this.painted = undefined;
      painted?.(data);
    };
  }

  /** A picture is on its way: the next has to wait, so that they never queue. */
  get busy(): boolean {
    return this.painted !== undefined;
  }

  /** Of this scene are the pictures from now on. */
  update(scene: Scene, change: Change): void {
    const packed = packScene(scene);
    this.post({ scene: packed, change }, [...buffersOf(packed), change.origins.buffer]);
  }

  /** Gives the canvas on which minimaps are painted. */
  addMinimap(canvas: HTMLCanvasElement): void {
    const minimap = canvas.transferControlToOffscreen();
    this.post({ minimap }, [minimap]);
  }

  /** Has a picture painted. */
  show(frame: Frame, painted: (painted: Painted) => void): void {
    this.painted = painted;
    this.post({ frame });
  }

  dispose(): void {
    this.ended.abort();
    this.port.close();
    this.painted = undefined;
  }

  private post(message: PainterMessage, transfer: Transferable[] = []): void {
    this.port.postMessage(message, transfer);
  }
}
