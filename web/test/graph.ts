/** Graphs from a few words, for tests of what works on graphs. */
import { GraphBuilder } from "../src/engine/graph-builder.ts";
import type { EdgeType, Graph, GraphNode } from "../src/engine/graph.ts";

/**
 * `edges` are like "a > b" (a call) or "A EXTENDS B 0.6" (type, confidence). A node is a function in a file of its own folder
 * "src/NAME.ts" unless `nodes` says otherwise; nodes stand in the order of their first mention.
 */
export function graphOf(edges: readonly string[], nodes: Record<string, Partial<GraphNode>> = {}): Graph {
  const builder = new GraphBuilder();
  const indexes = new Map<string, number>();
  const nodeOf = (name: string): number => {
    let index = indexes.get(name);
    if (index === undefined) {
      const init = { kind: "Function" as const, name, file: `src/${name}.ts`, line: 1, startLine: 1, endLine: 20, language: "typescript", ...nodes[name] };
      index = builder.node({ id: `${init.kind}:${init.file}:${init.name}`, ...init });
      indexes.set(name, index);
    }
    return index;
  };
  for (const name of Object.keys(nodes)) nodeOf(name);
  for (const edge of edges) {
    const [from, type, to, confidence = "1"] = edge.split(" ");
    builder.edge(nodeOf(from!), nodeOf(to!), type === ">" ? "CALLS" : type as EdgeType, Number(confidence), 1);
  }
  return builder.build();
}
