/** Codebases made by hand, for tests that need exact edges or many of them. */
import type { Codebase } from "../src/engine/codebase.ts";
import { Graph, type EdgeType, type GraphNode, type NodeKind } from "../src/engine/graph.ts";

export interface HandmadeEdge {
  from: string;
  to: string;
  type?: EdgeType;
  confidence?: number;
  line?: number;
}

/** Functions of one file by name, or nodes of another kind by `Kind:name`, and edges between them by the same names. */
export function handmade(names: readonly string[], edges: readonly HandmadeEdge[], file = "f.ts"): Codebase {
  const index = new Map(names.map((name, i) => [name, i]));
  const nodes = names.map((full, i): GraphNode => {
    const [kind, name] = full.includes(":") ? [full.slice(0, full.indexOf(":")) as NodeKind, full.slice(full.indexOf(":") + 1)] : ["Function" as const, full];
    return {
      id: `${kind}:${file}:${name}`, kind, name, file, line: i + 1, startLine: i + 1, endLine: i + 1, owner: "",
      language: "typescript", exported: false, test: false, generated: false, origin: "", signature: `function ${name}()`, entry: "",
    };
  });
  const graph = new Graph(nodes, edges.map(({ from, to, type = "CALLS", confidence = 1, line = 0 }) => {
    const [a, b] = [index.get(from), index.get(to)];
    if (a === undefined || b === undefined) throw new Error(`no node for the edge ${from} -> ${to}`);
    return { from: a, to: b, type, confidence, line };
  }));
  return {
    name: "handmade", files: { paths: [file], text: (path) => (path === file ? "" : undefined) }, graph,
    communities: [], processes: [], skipped: [], syntaxErrors: [], indexedAt: 0, phases: [], bytes: 0,
  };
}
