/** The surroundings of one node: what leads to it and where it leads, some steps far. */
import { EDGE_TYPES } from "../graph.ts";
import { SURE } from "../summary.ts";
import type { Tool } from "../tools.ts";
import { number, text } from "../tools/arguments.ts";
import { resolveNode } from "../tools/names.ts";
import { filterOf } from "./map.ts";
import { cardOf, type Card } from "./symbol.ts";

export interface LocalAnswer {
  /** The first is the node in the middle. `step`: how far it is, negative for what leads there. */
  nodes: (Card & { step: number })[];
  /** Four numbers an edge: from, to (indexes into `nodes`), type, 1 for an uncertain one. */
  edges: number[];
  /** Nodes that were left out, by step, because a column is full. */
  omitted: { step: number; count: number }[];
}

/** Nodes of one step on one side. */
const COLUMN = 36;

export const viewLocal: Tool = (args, { codebase }): LocalAnswer => {
  const { graph } = codebase;
  const centre = resolveNode(codebase, text(args, "id"));
  const depth = Math.min(5, Math.max(1, Math.round(number(args, "depth", 1))));
  const filter = filterOf(args);
  const passes = (e: number): boolean => filter.types[graph.type[e]!]! && graph.confidence[e]! >= filter.minConfidence - 1e-6
    && (filter.tests || !graph.nodes[graph.from[e]!]!.test);
  const steps = new Map<number, number>([[centre, 0]]);
  const omitted: LocalAnswer["omitted"] = [];
  const edge: Record<number, number[]> = { [-1]: [centre], 1: [centre] };
  // Step by step on both sides: what is near on one side is not taken for something far on the other.
  for (let step = 1; step <= depth; step++) {
    for (const side of [1, -1]) {
      const found = new Map<number, number>();
      for (const node of edge[side]!) {
        for (const e of side < 0 ? graph.in(node) : graph.out(node)) {
          const other = side < 0 ? graph.from[e]! : graph.to[e]!;
          if (passes(e) && !steps.has(other)) found.set(other, Math.max(found.get(other) ?? 0, graph.confidence[e]!));
        }
      }
      const ranked = [...found].sort((a, b) => b[1] - a[1] || (graph.nodes[a[0]]!.id < graph.nodes[b[0]]!.id ? -1 : 1)).map(([node]) => node);
      if (ranked.length > COLUMN) omitted.push({ step: side * step, count: ranked.length - COLUMN });
      edge[side] = ranked.slice(0, COLUMN);
      for (const node of edge[side]) steps.set(node, side * step);
    }
  }
  const shown = [...steps.keys()];
  const at = new Map(shown.map((node, i) => [node, i]));
  const edges: number[] = [];
  for (const node of shown) {
    for (const e of graph.out(node)) {
      const to = at.get(graph.to[e]!);
      if (to !== undefined && graph.to[e] !== node && passes(e)) edges.push(at.get(node)!, to, graph.type[e]!, graph.confidence[e]! < SURE - 1e-6 ? 1 : 0);
    }
  }
  return { nodes: shown.map((node) => ({ ...cardOf(codebase, node), step: steps.get(node)! })), edges, omitted };
};

/** What is known of nodes by their ids, in their order; ids that name nothing are left out. */
export const viewNodes: Tool = (args, { codebase }): { nodes: Card[] } => ({
  nodes: (args["ids"] as string[]).flatMap((id) => {
    const index = codebase.graph.find(id);
    return index === undefined ? [] : [cardOf(codebase, index)];
  }),
});

/** How many nodes and edges there are of each kind and type. */
export const viewFigures: Tool = (_, { codebase }): { kinds: Record<string, number>; types: Record<string, number> } => {
  const { graph } = codebase;
  const kinds: Record<string, number> = {};
  const types: Record<string, number> = {};
  for (const { kind } of graph.nodes) kinds[kind] = (kinds[kind] ?? 0) + 1;
  for (const type of graph.type) types[EDGE_TYPES[type]!] = (types[EDGE_TYPES[type]!] ?? 0) + 1;
  return { kinds, types };
};
