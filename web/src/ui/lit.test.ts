import { expect, it } from "vitest";
import type { ViewGraph } from "../messages.ts";
import { litNodes } from "./lit.ts";

const node = (id: string, degree: number): ViewGraph["nodes"][number] => ({ id, name: id, kind: "File", file: id, line: 0, community: -1, degree });
const view: ViewGraph = {
  nodes: [node("a", 1), node("b", 5), node("c", 9), node("d", 2)],
  edges: Uint32Array.of(0, 1, 0, 2, 0, 2, 3, 0, 1, 2),
  edgeTypes: new Uint8Array(5),
  communities: [], totalNodes: 4, totalEdges: 5,
};

it("lights what is pointed at, and a selected node with its neighbours", () => {
  expect(litNodes(view, [], undefined)).toBeNull();
  expect([...litNodes(view, [3], undefined)!]).toEqual([3]);
  expect([...litNodes(view, [], 0)!].sort()).toEqual([0, 1, 2, 3]);
  expect([...litNodes(view, [], 3)!].sort()).toEqual([0, 3]);
});
