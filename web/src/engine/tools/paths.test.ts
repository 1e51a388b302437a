import { describe, expect, it } from "vitest";
import { handmade } from "../../../test/graphs.ts";
import { Graph, type Edge, type GraphNode } from "../graph.ts";
import { shortestPath, type PathOptions } from "./paths.ts";

function path(edges: readonly string[], from: string, to: string, options: Partial<PathOptions> = {}): string | undefined {
  const ends = edges.map((edge) => /^(\S+) > (\S+)(?: (\S+))?$/.exec(edge)!);
  const names = [...new Set(ends.flatMap(([, a, b]) => [a!, b!]))];
  const { graph } = handmade(names, ends.map(([, a, b, confidence = "1"]) => ({ from: a!, to: b!, confidence: Number(confidence) })));
  const found = shortestPath(graph, [names.indexOf(from)], [names.indexOf(to)], { maxCalls: 20, minConfidence: 0.5, ...options }).path;
  found?.edges.forEach((e, i) => expect([graph.from[e], graph.to[e]]).toEqual([found.nodes[i], found.nodes[i + 1]]));
  return found?.nodes.map((node) => names[node]).join(" ");
}

describe("a path", () => {
  it("is the shortest", () => {
    expect(path(["a > b", "b > c", "c > d", "a > x", "x > d"], "a", "d")).toBe("a x d");
    expect(path(["a > b", "b > c", "c > d", "d > e", "e > f"], "a", "f")).toBe("a b c d e f");
    expect(path(["a > b"], "a", "b")).toBe("a b");
    expect(path(["a > b"], "a", "a")).toBe("a");
  });

  it("goes by the surest calls where several are as short", () => {
    expect(path(["a > b 0.6", "b > z", "a > c 0.9", "c > z 0.9", "a > d 0.9", "d > z 0.6"], "a", "z")).toBe("a c z");
    // The best half on one side does not make the best whole.
    expect(path(["a > b", "b > c", "c > d 0.6", "d > z 0.6", "a > p 0.9", "p > q 0.9", "q > r 0.9", "r > z 0.9"], "a", "z")).toBe("a p q r z");
    expect(path(["a > b", "a > c", "b > z", "c > z"], "a", "z")).toBe("a b z");
  });

  it("is not there against the calls, over guesses, or beyond the limit", () => {
    expect(path(["a > b"], "b", "a")).toBeUndefined();
    expect(path(["a > b 0.4", "b > c"], "a", "c")).toBeUndefined();
    expect(path(["a > b 0.4", "b > c"], "a", "c", { minConfidence: 0 })).toBe("a b c");
    expect(path(["a > b", "b > c", "c > d"], "a", "d", { maxCalls: 2 })).toBeUndefined();
    expect(path(["a > b", "b > c", "c > d"], "a", "d", { maxCalls: 3 })).toBe("a b c d");
  });

  it("goes around what it may not go through, which may still be an end", () => {
    const edges = ["a > t", "t > d", "a > b", "b > c", "c > d"];
    const through = (node: number): boolean => node !== 1;
    expect(path(edges, "a", "d")).toBe("a t d");
    expect(path(edges, "a", "d", { through })).toBe("a b c d");
    expect(path(edges, "t", "d", { through })).toBe("t d");
    expect(path(edges, "a", "t", { through })).toBe("a t");
  });
});

describe("on 20,000 nodes and 60,000 edges", () => {
  const WIDTH = 1_000;
  const DEPTH = 20;
  // Layers, each node calling three of the next: between the first and the last lie 19 calls and every node.
  const nodes = Array.from({ length: WIDTH * DEPTH }, (_, i): GraphNode => ({
    id: `Function:f.ts:n${i}`, kind: "Function", name: `n${i}`, file: "f.ts", line: 1, startLine: 1, endLine: 1, owner: "", language: "go",
    exported: false, test: false, generated: false, origin: "", signature: "", entry: "",
  }));
  const edges: Edge[] = [];
  for (let i = 0; i < WIDTH * DEPTH; i++) {
    // The last layer calls itself: edges that no path needs.
    const next = Math.min(Math.floor(i / WIDTH) + 1, DEPTH - 1) * WIDTH;
    for (const call of [1, 2, 3]) {
      const scattered = (Math.imul(3 * i + call, 0x9e3779b1) >>> 0) % WIDTH;
      edges.push({ from: i, to: next + scattered, type: "CALLS", confidence: call === 1 ? 0.6 : 0.9, line: 1 });
    }
  }
  const graph = new Graph(nodes, edges);

  it("finds a path of 19 calls by looking at less than one search from one end would", () => {
    const target = (DEPTH - 1) * WIDTH + 5;
    const { path: found, visited } = shortestPath(graph, [0], [target], { maxCalls: 20, minConfidence: 0.5 });
    expect(found!.edges.length).toBe(DEPTH - 1);
    expect([found!.nodes[0], found!.nodes.at(-1)]).toEqual([0, target]);
    expect(visited).toBeLessThan(0.8 * reachable(graph, 0, DEPTH - 1));
  });

  it("looks at a few nodes for a path of six calls", () => {
    const target = [...reached(graph, 0, 6)].at(-1)!;
    const { path: found, visited } = shortestPath(graph, [0], [target], { maxCalls: 20, minConfidence: 0.5 });
    expect(found!.edges.length).toBe(6);
    expect(visited).toBeLessThan(150);
    expect(reachable(graph, 0, 6)).toBeGreaterThan(800);
  });

  it("looks at no more than there is when there is no path", () => {
    const { path: found, visited } = shortestPath(graph, [5 * WIDTH], [0], { maxCalls: 20, minConfidence: 0.5 });
    expect(found).toBeUndefined();
    // Nothing calls the first layer, so the smaller side ends at once.
    expect(visited).toBeLessThan(10);
  });
});

/** All nodes within some calls of one, in the order of their distance. */
function reached(graph: Graph, from: number, calls: number): Set<number> {
  const seen = new Set([from]);
  let level = [from];
  for (let depth = 0; depth < calls; depth++) {
    level = level.flatMap((node) => graph.out(node, "CALLS").map((e) => graph.to[e]!)).filter((node) => !seen.has(node) && seen.add(node));
  }
  return seen;
}

function reachable(graph: Graph, from: number, calls: number): number {
  return reached(graph, from, calls).size;
}
