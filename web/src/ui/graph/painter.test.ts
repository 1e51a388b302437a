import { expect, test } from "vitest";
import { unpackScene } from "./packed-scene.ts";
import { Painter, type CanvasMessage, type Frame, type Painted, type PainterMessage } from "./painter.ts";
import { EMPTY, type Scene } from "./scene.ts";

/** Stands for a canvas: a buffer can be handed over as well. */
const canvas = (): HTMLCanvasElement => ({ transferControlToOffscreen: () => new ArrayBuffer(1) }) as unknown as HTMLCanvasElement;

/** In place of paint.worker.ts. */
class FakeWorker extends EventTarget {
  readonly got: PainterMessage[] = [];
  port!: MessagePort;

  postMessage({ port }: CanvasMessage): void {
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<PainterMessage>) => void this.got.push(data);
  }

  answer(painted: Painted): void {
    this.port.postMessage(painted);
  }
}

function painter(): { worker: FakeWorker; made: Painter; broken: string[] } {
  const worker = new FakeWorker();
  const broken: string[] = [];
  return { worker, made: new Painter(worker as unknown as Worker, canvas(), "sans-serif", (why) => broken.push(why)), broken };
}

const frame = { camera: { x: 1, y: 2, span: 3 }, time: 7, minimap: undefined } as unknown as Frame;

test("a scene comes before the pictures of it, and is handed over whole", async () => {
  const { worker, made } = painter();
  const scene: Scene = { ...EMPTY, nodes: [{ id: "a", name: "a", kind: "File", x: 1, y: 2, r: 3, colour: "#112233", shape: "dot", detail: "", parent: -1 }] };
  const origins = Int32Array.of(-1);
  made.update(scene, { origins, edited: true, still: false, time: 5 });
  made.addMinimap(canvas());
  made.show(frame, () => undefined);
  await expect.poll(() => worker.got.length).toBe(3);
  const [first, second, third] = worker.got as [{ scene: Parameters<typeof unpackScene>[0]; change: object }, object, object];
  expect(unpackScene(first.scene).nodes.map(({ name, x }) => [name, x])).toEqual([["a", 1]]);
  expect(first.change).toEqual({ origins: Int32Array.of(-1), edited: true, still: false, time: 5 });
  expect(origins).toHaveLength(0);
  expect([Object.keys(second), third]).toEqual([["minimap"], { frame }]);
  made.dispose();
});

test("is busy until its picture is painted, and gives the labels then", async () => {
  const { worker, made } = painter();
  expect(made.busy).toBe(false);
  const painted = new Promise<Painted>((resolve) => made.show(frame, resolve));
  expect(made.busy).toBe(true);
  const labels = [{ node: 0, x: 1, y: 2, width: 3, height: 4 }];
  worker.answer({ labels, moves: true });
  expect(await painted).toEqual({ labels, moves: true });
  expect(made.busy).toBe(false);
  made.dispose();
});

test("says why nothing is painted any more, as long as it is wanted", () => {
  const { worker, made, broken } = painter();
  const fails = (message: string): void => void worker.dispatchEvent(Object.assign(new Event("error"), { message }));
  fails("Uncaught RangeError: out of memory");
  fails("");
  made.dispose();
  fails("later");
  expect(broken).toEqual(["Uncaught RangeError: out of memory", "What paints in this page has stopped. Reload the page."]);
});
