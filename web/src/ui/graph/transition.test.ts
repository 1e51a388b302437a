import { expect, it } from "vitest";
import { EMPTY, type PaintedNode, type PaintedScene } from "./scene.ts";
import { Transition } from "./transition.ts";

const node = (name: string, x: number): PaintedNode => ({ name, x, y: 0, r: 1, shape: "dot", parent: -1, colour: "", detail: "" });
const scene = (...nodes: PaintedNode[]): PaintedScene => ({ ...EMPTY, nodes });

it("after an edit what is gone fades where it was, what is new comes up and glows, and what stays moves over", () => {
  const transition = new Transition();
  const [before, after] = [scene(node("gone", 3), node("stays", 5)), scene(node("stays", 9), node("new", 7))];
  transition.begin(before.nodes, { origins: Int32Array.of(1, -1), edited: true, still: false, time: 1000 });
  const during = transition.sceneAt(after, 1100);
  expect(during.nodes.slice(0, 2).map(({ name }) => name)).toEqual(["stays", "new"]);
  expect(during.nodes[0]!.x).toBeGreaterThan(5);
  expect(during.nodes[0]!.x).toBeLessThan(9);
  expect(during.nodes[2]).toEqual({ ...node("gone", 3), name: "" });
  const fading = (time: number): number | undefined => transition.at(time).opacity.get(2);
  expect([fading(1000), fading(1100)! < 1, fading(1200)! < fading(1100)!, fading(1300)]).toEqual([1, true, true, undefined]);
  expect([transition.at(1000).opacity.get(1), transition.at(1100).opacity.get(0)]).toEqual([0, undefined]);
  expect([...transition.at(1300).glow.keys()]).toEqual([1]);
  expect([transition.runs(2000), transition.runs(3000), transition.at(3000).glow.size]).toEqual([true, false, 0]);
  expect(transition.sceneAt(after, 1300)).toBe(after);
});

it("without motion the new picture is there at once, and what is new glows all the same", () => {
  const transition = new Transition();
  const after = scene(node("a", 9), node("new", 7));
  transition.begin([node("a", 5), node("gone", 1)], { origins: Int32Array.of(0, -1), edited: true, still: true, time: 1000 });
  expect(transition.sceneAt(after, 1000)).toBe(after);
  expect([...transition.at(1000).glow.keys()]).toEqual([1]);
});

it("a whole other picture is there at once: nothing of the one before moves or fades", () => {
  const transition = new Transition();
  const after = scene(node("a", 9), node("b", 7));
  transition.begin([node("c", 5), node("d", 1)], { origins: Int32Array.of(-1, -1), edited: false, still: false, time: 1000 });
  expect(transition.sceneAt(after, 1100).nodes).toEqual(after.nodes);
});
