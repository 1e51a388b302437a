import { expect, test } from "vitest";
import { GraphBuilder } from "./graph-builder.ts";

test("an edge given again keeps the highest confidence and its line", () => {
  const builder = new GraphBuilder();
  const a = builder.node({ id: "a", kind: "Function", name: "a" });
  const b = builder.node({ id: "b", kind: "Function", name: "b" });
  builder.edge(a, b, "CALLS", 0.5, 3);
  builder.edge(a, b, "CALLS", 0.9, 7);
  builder.edge(a, b, "CALLS", 0.7, 9);
  builder.edge(b, a, "CALLS", 0.25, 1);
  builder.edge(a, b, "EXTENDS", 0.5, 2);
  const graph = builder.build();
  expect(graph.edgeCount).toBe(3);
  const [call] = graph.out(a, "CALLS").map((e) => graph.edge(e));
  expect(call).toMatchObject({ to: b, line: 7 });
  expect(call!.confidence).toBeCloseTo(0.9);
});

test("an edge has the lines of all its calls, each once, and others keep theirs", () => {
  const builder = new GraphBuilder();
  const [a, b, c] = ["a", "b", "c"].map((id) => builder.node({ id, kind: "Function", name: id })) as [number, number, number];
  builder.edge(b, c, "CALLS", 1, 4);
  builder.edge(a, b, "CALLS", 0.7, 9);
  builder.edge(b, c, "CALLS", 1, 2);
  for (const line of [9, 12, 7, 12, 0]) builder.edge(a, b, "CALLS", 0.9, line);
  builder.edge(a, b, "CALLS", 1, 12);
  builder.edge(a, c, "EXTENDS");
  builder.edge(a, c, "CALLS", 0.5, 3);
  const graph = builder.build();
  const sites = (from: number, to: number): number[][] => graph.out(from).filter((e) => graph.to[e] === to).map((e) => graph.sites(e));
  expect(sites(a, b)).toEqual([[7, 9, 12]]);
  expect(sites(b, c)).toEqual([[2, 4]]);
  expect(sites(a, c)).toEqual([[], [3]]);
});

test("a second node of one id gets a number, even when that id is taken", () => {
  const builder = new GraphBuilder();
  const add = (id: string): string => builder.nodes[builder.node({ id, kind: "File", name: id })]!.id;
  expect(["x", "x#2", "x", "x", "y"].map(add)).toEqual(["x", "x#2", "x#2#2", "x#3", "y"]);
});
