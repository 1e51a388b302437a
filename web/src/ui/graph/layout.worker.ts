/** Runs a layout off the main thread and streams positions, never faster than they are drawn. One Worker a layout. */
import { collectGarbage } from "../../engine/collect.ts";
import { Layout, type LayoutCommand, type LayoutEvent } from "./layout.ts";

/** How long to compute before looking for messages, in milliseconds. */
const SLICE = 40;
/** A layout that has not settled by then stops as it is. */
const LIMIT = 30_000;
/** A step leaves a megabyte of garbage, which the browser would let grow to a hundred. */
const STEPS_TO_COLLECT = 25;

let drawn = true;

self.onmessage = ({ data }: MessageEvent<LayoutCommand>) => {
  if (data.type === "drawn") {
    drawn = true;
    return;
  }
  run(new Layout(data.input), performance.now() + LIMIT);
};

function run(layout: Layout, end: number): void {
  const until = performance.now() + SLICE;
  while (!layout.settled && performance.now() < until) {
    layout.step();
    if (layout.iterations % STEPS_TO_COLLECT === 0) collectGarbage();
  }
  const done = layout.settled || performance.now() > end;
  if (done || drawn) {
    drawn = false;
    const positions = layout.positions();
    const event: LayoutEvent = { positions, done, iterations: layout.iterations };
    self.postMessage(event, { transfer: [positions.buffer] });
  }
  if (!done) setTimeout(() => run(layout, end));
}
