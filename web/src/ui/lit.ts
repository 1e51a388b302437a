import type { ViewGraph } from "../messages.ts";

/** The highlighted nodes, the selected one and its neighbours; null when nothing is to stand out. */
export function litNodes(view: ViewGraph, highlighted: readonly number[], selected: number | undefined): Set<number> | null {
  if (highlighted.length === 0 && selected === undefined) return null;
  const lit = new Set(highlighted);
  if (selected === undefined) return lit;
  lit.add(selected);
  for (let e = 0; e < view.edges.length; e += 2) {
    if (view.edges[e] === selected) lit.add(view.edges[e + 1]!);
    if (view.edges[e + 1] === selected) lit.add(view.edges[e]!);
  }
  return lit;
}
