import type { Codebase } from "./codebase.ts";
import type { Group } from "./communities.ts";
import { packNodes, type PackedNodes } from "./node-columns.ts";
import type { Flow } from "./processes.ts";

/** What is found in a graph: communities first, then processes, which may cross them. */
export interface Clusters {
  communities: Group[];
  processes: Flow[];
}

/** A graph without clusters and processes, as another thread can take it: all in arrays, nothing of it shared. */
export interface ClusterInput {
  nodes: PackedNodes;
  from: Uint32Array<ArrayBuffer>;
  to: Uint32Array<ArrayBuffer>;
  type: Uint8Array<ArrayBuffer>;
  confidence: Float32Array<ArrayBuffer>;
}

/** Finds the clusters of an input, as `find-clusters.ts` does: in the app in a Worker, since it takes a second where there are 50,000 symbols. */
export type FindClusters = (input: ClusterInput) => Clusters | Promise<Clusters>;

/** What `findClusters` looks at. Nodes that clusters are made of keep their indexes. */
export function clusterInput({ graph, communities, processes }: Codebase): ClusterInput {
  const count = graph.nodes.length - communities.length - processes.length;
  // Edges of what was derived all lead to a node that was, and those are the last.
  const kept = graph.to.reduce((sum, to) => sum + (to < count ? 1 : 0), 0);
  const input: ClusterInput = {
    nodes: packNodes(graph.nodes.slice(0, count), { ids: false, signatures: false }),
    from: new Uint32Array(kept), to: new Uint32Array(kept), type: new Uint8Array(kept), confidence: new Float32Array(kept),
  };
  for (let e = 0, at = 0; e < graph.edgeCount; e++) {
    if (graph.to[e]! >= count) continue;
    input.from[at] = graph.from[e]!;
    input.to[at] = graph.to[e]!;
    input.type[at] = graph.type[e]!;
    input.confidence[at++] = graph.confidence[e]!;
  }
  return input;
}

/** The buffers of an input, to be handed over. */
export function buffersOf({ nodes, from, to, type, confidence }: ClusterInput): ArrayBuffer[] {
  return [nodes.numbers.buffer, from.buffer, to.buffer, type.buffer, confidence.buffer];
}
