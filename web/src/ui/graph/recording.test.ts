import { expect, test } from "vitest";
import type { Pen } from "./pens.ts";
import { play, Recorder } from "./recording.ts";

/** Writes down what it is told. */
class Witness implements Pen {
  readonly told: unknown[][] = [];
  alpha = (...step: unknown[]): void => void this.told.push(["alpha", ...step]);
  disc = (...step: unknown[]): void => void this.told.push(["disc", ...step]);
  square = (...step: unknown[]): void => void this.told.push(["square", ...step]);
  curve = (...step: unknown[]): void => void this.told.push(["curve", ...step]);
  box = (...step: unknown[]): void => void this.told.push(["box", ...step]);
  text = (...step: unknown[]): void => void this.told.push(["text", ...step]);
  width = (): number => 0;
}

function everyStep(pen: Pen): void {
  pen.alpha(0.5);
  pen.disc(1, 2, 3, "#112233", null, 0);
  pen.disc(-1.5, 2.25, 3, null, "rgb(1 2 3)", 1.5);
  pen.square(4, 5, 0.75, "#112233");
  pen.curve(1, 2, 3, 4, 5, 6, "#445566", 1.25, true, 0);
  pen.curve(1, 2, 3, 4, 5, 6, "#445566", 2, false, 8);
  pen.box(1, 2, 30, 4, "#000000", "#ffffff");
  pen.text(7, 8, "Wörter · 1", { size: 11.5, weight: 600, colour: "#ffffff", align: "center", halo: "#000000" });
  pen.text(7, 8, "", { size: 12, weight: 400, colour: "#ffffff", align: "end" });
}

test("what is played is what was recorded", () => {
  const direct = new Witness();
  everyStep(direct);
  const recorder = new Recorder("sans-serif");
  everyStep(recorder);
  const played = new Witness();
  play(recorder.take(), played);
  expect(played.told).toEqual(direct.told);
});

test("each recording stands alone", () => {
  const recorder = new Recorder("sans-serif");
  everyStep(recorder);
  recorder.take();
  recorder.alpha(0.5);
  recorder.square(1, 1, 1, "#445566");
  const played = new Witness();
  play(recorder.take(), played);
  expect(played.told).toEqual([["alpha", 0.5], ["square", 1, 1, 1, "#445566"]]);
});

test("a word that is said again is kept once, and an opacity that stays is not said again", () => {
  const recorder = new Recorder("sans-serif");
  for (let i = 0; i < 100; i++) {
    recorder.alpha(0.25);
    recorder.square(i, i, 1, "#445566");
  }
  const { numbers, words } = recorder.take();
  expect(words).toEqual(["#445566"]);
  const played = new Witness();
  play({ numbers, words }, played);
  expect(played.told.filter(([step]) => step === "alpha")).toHaveLength(1);
});
