/** The page of bench/map.ts: our drawing of a made-up code base whose groups are all open, and the same picture for others to draw. */
import { answer, fakeRepository } from "../test/fake-repository.ts";
import type { MapAnswer } from "../src/engine/view/map.ts";
import { arrange } from "../src/ui/graph/arrange.ts";
import { GraphDrawing } from "../src/ui/graph/drawing.ts";
import { mapScene, unarranged } from "../src/ui/graph/map-scene.ts";
import { readPalette } from "../src/ui/graph/palette.ts";
import PaintWorker from "../src/ui/graph/paint.worker.ts?worker&inline";
import { Places } from "../src/ui/graph/places.ts";
import type { Scene } from "../src/ui/graph/scene.ts";
import "../src/ui/styles/frame.css";
import "../src/ui/styles/app.css";

const palette = readPalette(document.documentElement);

/** Makes the picture of so many nodes; milliseconds that arranging it took. */
async function picture(nodes: number): Promise<{ scene: Scene; arranged: number }> {
  const map = await answer(fakeRepository(nodes), "view_map", { by: "folder", open: ["*"] }) as MapAnswer;
  const places = new Places();
  const started = performance.now();
  for (const task of unarranged(map, "folder", "near", places)) places.set(task, arrange(task));
  const arranged = performance.now() - started;
  return { scene: mapScene(map, "folder", "near", places, { palette, colourBy: "cluster", hiddenKinds: new Set() }), arranged };
}

interface Camera {
  x: number;
  y: number;
  span: number;
}

/** What a renderer offers: milliseconds until its first picture, and a camera. */
export interface Renderer {
  first: number;
  /** Done when the picture is painted. */
  place(camera: Camera): Promise<void> | void;
  dispose(): void;
}

function canvas(container: HTMLElement, scene: Scene): Renderer {
  const started = performance.now();
  const drawing = new GraphDrawing(container, { palette, selected: null, spotlight: true, highlight: null, annotations: [], still: true, covered: 0 }, {
    onSelect: () => undefined, onEnter: () => undefined, onCamera: () => undefined, onDrag: () => undefined, onBroken: (why) => { throw new Error(why); },
  }, new PaintWorker());
  drawing.update(scene);
  const place = async (camera: Camera): Promise<void> => {
    const before = drawing.frames.at(-1);
    drawing.place(camera);
    while (drawing.frames.at(-1) === before) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { first: performance.now() - started, place, dispose: () => drawing.dispose() };
}

/** The same move for each renderer: from all of the picture down to a folder, along it, and back. Milliseconds between frames. */
async function move(renderer: Renderer, frames: number): Promise<number[]> {
  const times: number[] = [];
  let before = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
  for (let i = 0; i < frames; i++) {
    const t = i / (frames - 1);
    const near = Math.sin(Math.PI * t);
    await renderer.place({ x: 500 * near * Math.cos(7 * t), y: 500 * near * Math.sin(7 * t), span: 2_100 / 12 ** near });
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    times.push(now - before);
    before = now;
  }
  return times;
}

Object.assign(window, { bench: { picture, canvas, move } });
