import { describe, expect, it } from "vitest";
import { fakeGraph } from "../../../test/fake-workers.ts";
import type { ViewGraph } from "../../messages.ts";
import { isSettled, Layout, layoutInput, startPositions } from "./layout.ts";

function run(view: ViewGraph): { layout: Layout; positions: Float32Array } {
  const layout = new Layout(layoutInput(view));
  while (!layout.settled) layout.step();
  return { layout, positions: layout.positions() };
}

/** Mean distance between the members of a cluster, over that between any two nodes. */
function tightness(view: ViewGraph, positions: Float32Array): number {
  const symbols = view.nodes.flatMap((node, i) => (node.community >= 0 ? [i] : []));
  let [own, owns, all, alls] = [0, 0, 0, 0];
  for (const a of symbols) {
    for (const b of symbols) {
      const distance = Math.hypot(positions[2 * a]! - positions[2 * b]!, positions[2 * a + 1]! - positions[2 * b + 1]!);
      all += distance;
      alls++;
      if (view.nodes[a]!.community !== view.nodes[b]!.community) continue;
      own += distance;
      owns++;
    }
  }
  return own / owns / (all / alls);
}

describe("layout", () => {
  const { view } = fakeGraph(300);

  it("starts with every node in a place of its own", () => {
    const positions = startPositions(view);
    expect(positions.every((value) => Number.isFinite(value))).toBe(true);
    const places = new Set(view.nodes.map((_, i) => `${positions[2 * i]} ${positions[2 * i + 1]}`));
    expect(places.size).toBe(view.nodes.length);
  });

  it("stops by itself, clusters apart, and the same each time", () => {
    const { layout, positions } = run(view);
    expect(layout.iterations).toBeLessThanOrEqual(700);
    expect(positions.every((value) => Number.isFinite(value))).toBe(true);
    expect(tightness(view, positions)).toBeLessThan(0.6);
    expect(run(view).positions).toEqual(positions);
  });

  it("moves nodes nearer that are joined", () => {
    const pair: ViewGraph = {
      nodes: Array.from({ length: 12 }, (_, i) => ({ id: String(i), name: "", kind: "File", file: "", line: 0, community: -1, degree: 0 })),
      edges: Uint32Array.of(0, 6), edgeTypes: Uint8Array.of(0), communities: [], totalNodes: 12, totalEdges: 1,
    };
    const { positions } = run(pair);
    const distance = (a: number, b: number): number => Math.hypot(positions[2 * a]! - positions[2 * b]!, positions[2 * a + 1]! - positions[2 * b + 1]!);
    const others = [1, 2, 3, 4, 5, 7, 8, 9, 10, 11].map((i) => distance(0, i));
    expect(distance(0, 6)).toBeLessThan(others.reduce((sum, d) => sum + d, 0) / others.length);
  });

  it("takes no graph, one node and a loop", () => {
    const none: ViewGraph = { nodes: [], edges: new Uint32Array(), edgeTypes: new Uint8Array(), communities: [], totalNodes: 0, totalEdges: 0 };
    expect(run(none).positions).toHaveLength(0);
    const one = { ...none, nodes: [{ id: "a", name: "", kind: "File", file: "", line: 0, community: -1, degree: 0 }] };
    expect(run({ ...one, edges: Uint32Array.of(0, 0), edgeTypes: Uint8Array.of(0) }).positions.every((value) => Number.isFinite(value))).toBe(true);
  });
});

it("after a change what is still there stays where it was, and what is new comes beside its neighbours", () => {
  const node = (id: string): ViewGraph["nodes"][number] => ({ id, name: id, kind: "Function", file: "a.ts", line: 1, community: 0, degree: 1 });
  const old = Array.from({ length: 19 }, (_, i) => `f${i}`);
  const places = new Map(old.map((id, i) => [id, { x: 100 + i, y: -i }]));
  const view: ViewGraph = {
    nodes: [...old, "new"].map(node), edges: Uint32Array.of(19, 3), edgeTypes: Uint8Array.of(0), communities: [{ id: 0, label: "c" }], totalNodes: 20, totalEdges: 1,
  };
  expect(isSettled(view, places)).toBe(true);
  const positions = startPositions(view, places);
  old.forEach((_, i) => expect([positions[2 * i], positions[2 * i + 1]]).toEqual([100 + i, -i]));
  expect(Math.hypot(positions[38]! - 103, positions[39]! + 3)).toBeCloseTo(3, 3);
  expect(isSettled({ ...view, nodes: ["x", "y", "f1"].map(node) }, places)).toBe(false);
});
