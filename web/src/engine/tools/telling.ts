/** In which order what a symbol uses is told. */
import type { Codebase } from "../codebase.ts";
import type { EdgeType } from "../graph.ts";
import { indexOf } from "./codebase-index.ts";

/** Orders edges from a node by what is most telling: what little else uses, for a log is used by all; of this what has most around it; tests last. */
export function usedFirst(codebase: Codebase, edges: readonly number[], type: EdgeType): number[] {
  const { graph } = codebase;
  const { connections } = indexOf(codebase);
  const rank = new Map(edges.map((e) => {
    const to = graph.to[e]!;
    return [e, { test: Number(graph.nodes[to]!.test), uses: graph.in(to, type).length, around: connections[to]! }];
  }));
  const by = (a: number, b: number): number => {
    const [x, y] = [rank.get(a)!, rank.get(b)!];
    return x.test - y.test || x.uses - y.uses || y.around - x.around || a - b;
  };
  return [...edges].sort(by);
}
