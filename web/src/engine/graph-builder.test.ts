import { expect, test } from "vitest";
import { GraphBuilder } from "./graph-builder.ts";
import type { Graph } from "./graph.ts";

test("an edge has the lines of all its calls, wherever it stands among the others, and so has a copy", () => {
  const builder = new GraphBuilder();
  const [a, b, c] = ["a", "b", "c"].map((id) => builder.node({ id, kind: "Function", name: id })) as [number, number, number];
  builder.edge(b, c, "CALLS", 1, 4, [2, 9]);
  builder.edge(a, b, "CALLS", 0.9, 7, [12, 9]);
  builder.edge(c, a, "CALLS", 1, 5);
  builder.edge(a, c, "EXTENDS");
  builder.edge(a, c, "CALLS", 0.5, 3, [1]);
  builder.edge(b, a, "CALLS", 1, 8, [6]);
  const graph = builder.build();
  const sites = (of: Graph): string[] => Array.from({ length: of.edgeCount }, (_, e) => {
    const { from, to, type } = of.edge(e);
    return `${of.nodes[from]!.id} ${type} ${of.nodes[to]!.id} ${of.sites(e).join(",")}`;
  });
  expect(sites(graph)).toEqual(["a CALLS b 7,9,12", "a EXTENDS c ", "a CALLS c 1,3", "b CALLS c 2,4,9", "b CALLS a 6,8", "c CALLS a 5"]);
  expect(sites(GraphBuilder.of(graph, 3).build())).toEqual(sites(graph));
  expect(sites(GraphBuilder.of(graph, 2).build())).toEqual(["a CALLS b 7,9,12", "b CALLS a 6,8"]);
  expect(graph.edge(graph.out(a, "CALLS")[0]!)).toMatchObject({ to: b, line: 7 });
});

test("a second node of one id gets a number, even when that id is taken", () => {
  const builder = new GraphBuilder();
  const add = (id: string): string => builder.nodes[builder.node({ id, kind: "File", name: id })]!.id;
  expect(["x", "x#2", "x", "x", "y"].map(add)).toEqual(["x", "x#2", "x#2#2", "x#3", "y"]);
});
