import type { ClusterInput, Clusters } from "./clusters.ts";
import { findCommunities } from "./communities.ts";
import { GraphBuilder } from "./graph-builder.ts";
import { EdgeColumns, Graph } from "./graph.ts";
import { unpackNodes } from "./node-columns.ts";
import { findProcesses } from "./processes.ts";

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
