import type { ViewGraph } from "../messages.ts";
import type { Codebase } from "./codebase.ts";
import { connectionsOf } from "./summary.ts";

/** More would neither be smooth nor tell more. */
const MAX_NODES = 4_000;
/** A guess by name is not drawn: it is more likely wrong than right. */
const MIN_CONFIDENCE = 0.5;

const drawn = new WeakMap<Codebase, ReadonlySet<number>>();

/** The nodes of a codebase that `viewOf` draws. */
export function drawnNodes(codebase: Codebase): ReadonlySet<number> {
  let nodes = drawn.get(codebase);
  if (!nodes) drawn.set(codebase, (nodes = choose(codebase, connectionsOf(codebase.graph), MAX_NODES)));
  return nodes;
}

/** Everything but clusters and processes when that is little enough, else the best connected with what they stand in. */
function choose({ graph }: Codebase, connections: Uint32Array, maxNodes: number): Set<number> {
  const parents = new Int32Array(graph.nodes.length).fill(-1);
  for (let e = 0; e < graph.edgeCount; e++) {
    const { from, to, type } = graph.edge(e);
    if (type === "CONTAINS" || (type === "DEFINES" && graph.nodes[from]!.kind === "File")) parents[to] = from;
    // A symbol inside of another one stands in a file by that one.
    else if (type === "DEFINES" && parents[to]! < 0) parents[to] = from;
  }
  const ranked = graph.nodes
    .map((_, index) => index)
    .filter((index) => !isDerived(graph.nodes[index]!.kind))
    .sort((a, b) => connections[b]! - connections[a]! || a - b);

  const chosen = new Set<number>();
  for (const node of ranked) {
    const missing: number[] = [];
    for (let at = node; at >= 0 && !chosen.has(at); at = parents[at]!) missing.push(at);
    // One deep in folders may not fit where a later one does.
    if (chosen.size + missing.length <= maxNodes) for (const each of missing) chosen.add(each);
    if (chosen.size === maxNodes) break;
  }
  return chosen;
}

/**
 * The part of a codebase that is drawn: everything but clusters and processes when that is little enough, else the
 * best connected symbols with the files and folders around them. A node's `community` is an index into `communities`,
 * -1 for none; its `degree` counts the whole graph.
 */
export function viewOf(codebase: Codebase, maxNodes = MAX_NODES): ViewGraph {
  const { graph } = codebase;
  const connections = connectionsOf(graph);
  const chosen = choose(codebase, connections, maxNodes);
  const shown = [...chosen].sort((a, b) => a - b);
  const position = new Map(shown.map((node, i) => [node, i]));
  const communityOf = new Map(codebase.communities.map(({ node }, i) => [node, i]));

  const ends: number[] = [];
  const types: number[] = [];
  for (let e = 0; e < graph.edgeCount; e++) {
    const from = position.get(graph.from[e]!);
    const to = position.get(graph.to[e]!);
    if (from === undefined || to === undefined || from === to || graph.confidence[e]! < MIN_CONFIDENCE) continue;
    ends.push(from, to);
    types.push(graph.type[e]!);
  }
  return {
    nodes: shown.map((index) => {
      const { id, name, kind, file, line } = graph.nodes[index]!;
      return { id, name, kind, file, line, community: communityOf.get(graph.community[index]!) ?? -1, degree: connections[index]! };
    }),
    edges: Uint32Array.from(ends),
    edgeTypes: Uint8Array.from(types),
    communities: codebase.communities.map(({ label }, id) => ({ id, label })),
    totalNodes: graph.nodes.length,
    totalEdges: graph.edgeCount,
  };
}

function isDerived(kind: string): boolean {
  return kind === "Community" || kind === "Process";
}
