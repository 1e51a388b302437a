import type { Codebase } from "./codebase.ts";
import { findCommunities, type Group } from "./communities.ts";
import { GraphBuilder } from "./graph-builder.ts";
import { EdgeColumns, Graph } from "./graph.ts";
import { packNodes, unpackNodes, type PackedNodes } from "./node-columns.ts";
import { findProcesses, type Flow } from "./processes.ts";

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

/** Finds the clusters of an input: in the app in a Worker, since it takes a second where there are 50,000 symbols. */
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

/** Finds communities and processes; the same for the same graph. */
export function findClusters({ nodes, from, to, type, confidence }: ClusterInput): Clusters {
  const edges = new EdgeColumns();
  for (let e = 0; e < from.length; e++) edges.push(from[e]!, to[e]!, type[e]!, confidence[e]!, 0);
  const graph = new Graph(unpackNodes(nodes), edges);
  const communities = findCommunities(graph);
  const builder = GraphBuilder.of(graph, graph.nodes.length);
  communities.forEach(({ label, members }, i) => {
    const node = builder.node({ id: `Community:${i}`, kind: "Community", name: label });
    for (const member of members) builder.edge(member, node, "MEMBER_OF");
  });
  return { communities, processes: findProcesses(builder.build()) };
}
