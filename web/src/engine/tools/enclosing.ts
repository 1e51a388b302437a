import type { Graph, GraphNode } from "../graph.ts";
import { isSymbol } from "./codebase-index.ts";

/** The innermost symbol around each of these lines, also where it is declared by that line. */
export function enclosing(graph: Graph, places: readonly { file: string; line: number }[]): (GraphNode | undefined)[] {
  const symbols = new Map<string, GraphNode[]>(places.map(({ file }) => [file, []]));
  for (const node of graph.nodes) if (isSymbol(node)) symbols.get(node.file)?.push(node);
  return places.map(({ file, line }) => {
    const around = symbols.get(file)!.filter(({ startLine, endLine }) => startLine <= line && endLine >= line);
    return around.sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0];
  });
}
