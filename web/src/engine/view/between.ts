/** Nodes that are known by their ids, and the relations between them: the picture of a query's result. */
import { SURE } from "../summary.ts";
import type { Tool } from "../tools.ts";
import type { LocalAnswer } from "./local.ts";
import { cardOf } from "./symbol.ts";

/** More than these are a cloud. */
const NODES = 150;
/** In rows where nothing leads from one to another. */
const COLUMN = 30;

export const viewBetween: Tool = (args, { codebase }): LocalAnswer & { total: number } => {
  const { graph } = codebase;
  const all = [...new Set((args["ids"] as string[]).flatMap((id) => graph.find(id) ?? []))];
  const shown = all.slice(0, NODES);
  const at = new Map(shown.map((node, i) => [node, i]));
  const edges: number[] = [];
  const into = shown.map(() => [] as number[]);
  shown.forEach((node, from) => {
    for (const e of graph.out(node)) {
      const to = at.get(graph.to[e]!);
      if (to === undefined || to === from) continue;
      edges.push(from, to, graph.type[e]!, graph.confidence[e]! < SURE - 1e-6 ? 1 : 0);
      if (!into[to]!.includes(from)) into[to]!.push(from);
    }
  });
  const steps = layers(into);
  return { nodes: shown.map((node, i) => ({ ...cardOf(codebase, node), step: steps[i]! + 1 })), edges, omitted: [], total: all.length };
};

/** Columns from left to right: each node stands right of those that lead to it, where no cycle forbids that. Nodes without a relation fill columns of their own. */
function layers(into: readonly (readonly number[])[]): number[] {
  const steps = into.map(() => -1);
  const open = new Set<number>();
  const layer = (i: number): number => {
    if (steps[i]! >= 0) return steps[i]!;
    if (open.has(i)) return -1;
    open.add(i);
    const before = Math.max(-1, ...into[i]!.map(layer));
    open.delete(i);
    return (steps[i] = before + 1);
  };
  into.forEach((_, i) => layer(i));
  const linked = new Set(into.flatMap((from, i) => (from.length > 0 ? [i, ...from] : [])));
  const first = linked.size > 0 ? Math.max(...[...linked].map((i) => steps[i]!)) + 1 : 0;
  let alone = 0;
  into.forEach((_, i) => {
    if (!linked.has(i)) steps[i] = first + Math.floor(alone++ / COLUMN);
  });
  return steps;
}

