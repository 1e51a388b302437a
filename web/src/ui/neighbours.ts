/** Neighbours by the drawn edges: for nodes that `explore` has no answer for (files, folders). */
import { EDGE_TYPES, type EdgeType } from "../engine/graph.ts";
import type { ViewGraph } from "../messages.ts";
import type { Relation } from "./answers.ts";

const TITLES: Record<EdgeType, { out: string; in: string }> = {
  CALLS: { out: "Calls", in: "Called by" },
  IMPORTS: { out: "Imports", in: "Imported by" },
  EXTENDS: { out: "Extends", in: "Extended by" },
  IMPLEMENTS: { out: "Implements", in: "Implemented by" },
  CONTAINS: { out: "Contains", in: "Contained in" },
  DEFINES: { out: "Defines", in: "Defined in" },
  MEMBER_OF: { out: "Member of", in: "Members" },
  STEP_IN_PROCESS: { out: "Step in", in: "Steps" },
};

/** Sorts of edges in the order of EDGE_TYPES, arriving ones first; each neighbour once a sort. */
export function drawnRelations(view: ViewGraph, id: string): Relation[] {
  const self = view.nodes.findIndex((node) => node.id === id);
  if (self < 0) return [];
  const groups = new Map<string, Set<number>>();
  view.edgeTypes.forEach((type, e) => {
    const from = view.edges[2 * e]!;
    const to = view.edges[2 * e + 1]!;
    if (from !== self && to !== self) return;
    const key = `${type} ${from === self ? "out" : "in"}`;
    const others = groups.get(key) ?? new Set();
    groups.set(key, others.add(from === self ? to : from));
  });
  return EDGE_TYPES.flatMap((type, i) =>
    (["in", "out"] as const).flatMap((way) => {
      const others = groups.get(`${i} ${way}`);
      if (!others) return [];
      const nodes = [...others].map((other) => view.nodes[other]!).sort((a, b) => b.degree - a.degree);
      return [{ title: TITLES[type][way], nodes, total: nodes.length }];
    }));
}
