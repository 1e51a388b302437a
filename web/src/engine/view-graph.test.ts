import { expect, test } from "vitest";
import { codebaseOf } from "../../test/codebase.ts";
import { graphOf } from "../../test/graph.ts";
import type { ViewGraph } from "../messages.ts";
import type { Codebase } from "./codebase.ts";
import { codeGraphOf } from "./codegraph.ts";
import { EDGE_TYPES, type Graph } from "./graph.ts";
import { contextOf, hotspotsOf } from "./summary.ts";
import { viewOf } from "./view-graph.ts";

function codebase(graph: Graph): Codebase {
  return {
    name: "r", files: { paths: [], text: () => undefined }, graph, communities: [], processes: [], skipped: [], syntaxErrors: [],
    indexedAt: 5, phases: [], bytes: 0,
  };
}

function edgesOf(view: ViewGraph): string[] {
  return Array.from(view.edgeTypes, (type, i) => `${view.nodes[view.edges[2 * i]!]!.name} ${EDGE_TYPES[type]!} ${view.nodes[view.edges[2 * i + 1]!]!.name}`).sort();
}

/** Twenty files with five functions each; every function of a file calls the file's first, which calls "hub". */
function large(): Graph {
  const edges: string[] = [];
  const nodes: Record<string, object> = { root: { kind: "Folder", file: "" }, hub: { kind: "Function" } };
  for (let f = 0; f < 20; f++) {
    nodes[`file${f}`] = { kind: "File", line: 0 };
    edges.push(`root CONTAINS file${f}`);
    for (let s = 0; s < 5; s++) {
      edges.push(`file${f} DEFINES s${f}_${s}`);
      edges.push(s === 0 ? `s${f}_0 > hub` : `s${f}_${s} > s${f}_0`);
    }
  }
  return graphOf(edges, nodes);
}

test("a small graph is drawn whole, without clusters, processes, guesses and loops", () => {
  const view = viewOf(codebase(graphOf(["f DEFINES a", "a > b", "b > a 0.4", "a > a", "a MEMBER_OF c", "a STEP_IN_PROCESS p"], {
    f: { kind: "File" }, c: { kind: "Community" }, p: { kind: "Process" },
  })));
  expect(view.nodes.map(({ name, degree }) => [name, degree])).toEqual([["f", 0], ["a", 2], ["b", 2]]);
  expect(edgesOf(view)).toEqual(["a CALLS b", "f DEFINES a"]);
  expect([view.totalNodes, view.totalEdges]).toEqual([5, 6]);
});

test("of a large one the best connected are drawn, with the files and folders around them, within the bound", () => {
  const graph = large();
  for (const most of [1, 2, 10, 37, 60]) {
    const view = viewOf(codebase(graph), most);
    expect(view.nodes.length).toBeLessThanOrEqual(most);
    expect(view.nodes.length).toBeGreaterThan(most - 3);
    const names = new Set(view.nodes.map(({ name }) => name));
    expect(names).toContain("hub");
    for (const name of names) {
      const file = /^s(\d+)_/.exec(name)?.[1];
      if (file !== undefined) expect(names).toContain(`file${file}`);
    }
    for (const end of view.edges) expect(end).toBeLessThan(view.nodes.length);
  }
  // The functions that the others call come before those.
  expect(viewOf(codebase(graph), 62).nodes.filter(({ name }) => name.endsWith("_0"))).toHaveLength(20);
});

test("communities are numbered as they are listed", async () => {
  const { nodes, communities } = viewOf(await codebaseOf({
    "a.py": "def a():\n    b()\n\ndef b():\n    c()\n\ndef c():\n    a()\n\ndef alone():\n    pass\n",
  }));
  expect(communities).toHaveLength(1);
  expect(nodes.filter(({ community }) => community === 0).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(nodes.find(({ name }) => name === "alone")!.community).toBe(-1);
});

test("the context counts kinds and languages, and its hotspots are neither tests nor generated", () => {
  const graph = graphOf(["a > hub", "b > hub", "b > a", "t > a", "t > b", "t > hub", "g > a", "g > b"], {
    f: { kind: "File", language: "go", line: 0 }, md: { kind: "File", language: "", line: 0 },
    hub: { kind: "Struct" }, a: { kind: "Method" }, b: { kind: "Interface" }, t: { test: true }, g: { generated: true },
  });
  const context = contextOf(codebase(graph));
  expect(context.stats).toEqual({ files: 2, symbols: 5, functions: 2, classes: 1, interfaces: 1, methods: 1, nodes: 7, edges: 8, communities: 0, processes: 0 });
  expect(context.languages).toEqual([{ language: "go", files: 1 }]);
  expect(context).toMatchObject({ repo: "r", state: "ready", indexedAt: 5 });
  // Equals stand in the order of their ids: Interface before Method.
  expect(hotspotsOf(graph, 2).map(({ name, connections }) => [name, connections])).toEqual([["b", 4], ["a", 4]]);
  expect(context.hotspots.map(({ name }) => name)).toEqual(["b", "a", "hub"]);
});

test("the export has the form of code-graph/1 and leaves out what is more likely wrong than right", () => {
  const graph = graphOf(["f CONTAINS m", "f > m", "m > C", "m > guess 0.49", "m > maybe 0.5", "f IMPORTS g", "C EXTENDS B", "C IMPLEMENTS I 0.9"], {
    f: { kind: "File", line: 0, file: "src/f.ts" }, g: { kind: "File", line: 0, file: "src/g.ts" },
    m: { kind: "Method", owner: "C", line: 3, endLine: 9, file: "src/f.ts" }, C: { kind: "Class", line: 2, endLine: 10, file: "src/f.ts" },
  });
  const exported = JSON.parse(JSON.stringify(codeGraphOf(codebase(graph), "gitnexus-mcp 1.2.3"))) as ReturnType<typeof codeGraphOf>;
  const method = { name: "m", file: "src/f.ts", owner: "C", line: 3 };
  const type = { name: "C", file: "src/f.ts", line: 2 };
  expect(exported).toMatchObject({ schema: "code-graph/1", producer: "gitnexus-mcp 1.2.3", repo: "r", commit: "0".repeat(40), options: { minConfidence: 0.5 } });
  expect(exported.calls).toEqual(expect.arrayContaining([
    { from: { name: "<module>", file: "src/f.ts" }, to: method, confidence: 1 }, { from: method, to: type, confidence: 1 },
    { from: method, to: { name: "maybe", file: "src/maybe.ts", line: 1 }, confidence: 0.5 },
  ]));
  expect(exported.calls).toHaveLength(3);
  expect(codeGraphOf(codebase(graph), "gitnexus-mcp 1.2.3", 0).calls.map(({ confidence }) => confidence)).toContain(0.49);
  expect(codeGraphOf(codebase(graph), "gitnexus-mcp 1.2.3", 0.49).calls).toHaveLength(4);
  expect(exported.imports).toEqual([{ from: "src/f.ts", to: "src/g.ts" }]);
  expect(exported.extends).toEqual([{ from: type, to: { name: "B", file: "src/B.ts", line: 1 } }]);
  expect(exported.implements).toHaveLength(1);
  expect(exported.symbols).toContainEqual({ ...method, kind: "Method", endLine: 9 });
  expect(exported.symbols.map(({ name }) => name).sort()).toEqual(["B", "C", "I", "guess", "m", "maybe"]);
});
