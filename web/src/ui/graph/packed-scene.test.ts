import { expect, test } from "vitest";
import { packScene, unpackScene } from "./packed-scene.ts";
import type { PaintedScene } from "./scene.ts";

test("a scene is the same after it was packed", () => {
  const node = { x: 1 / 3, y: -2.5e-9, r: 12, colour: "#112233", detail: "1,204", parent: -1 };
  const scene: PaintedScene = {
    nodes: [
      { ...node, name: "src", shape: "open" },
      { ...node, name: "Wörter · 1", shape: "group", parent: 0, side: "left", beside: true },
      { ...node, name: "", shape: "dot", parent: 1, detail: "", side: "right", room: 0.25 },
      { ...node, name: "b", shape: "dot", parent: 1, colour: "#445566", beside: true, room: 0 },
    ],
    edges: [
      { from: 1, to: 2, weight: 70_000, doubtful: true },
      { from: 0, to: 1, weight: 1, doubtful: false, trunk: true },
      { from: 2, to: 3, weight: 2, doubtful: true, quiet: true },
      { from: 3, to: 2, weight: 1, doubtful: false, trunk: true, quiet: true },
    ],
    guides: [{ x: 0, y: 1, r: 2, label: "one step" }],
  };
  expect(unpackScene(structuredClone(packScene(scene)))).toEqual(scene);
});
