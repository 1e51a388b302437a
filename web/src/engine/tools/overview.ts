import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES } from "../graph.ts";
import type { Tool } from "../tools.ts";
import { cut, refOf, round } from "./answers.ts";
import { flag, number } from "./arguments.ts";
import { indexOf } from "./codebase-index.ts";

/** Members told of each cluster: the best connected say what it is about. */
const MEMBERS = 5;

/** The parts of the code, the flows through them and the calls between them. */
export const overview: Tool = (args, { codebase }) => {
  const limit = number(args, "limit", 20);
  const { graph, communities, processes } = codebase;
  return {
    ...(flag(args, "showClusters", true)
      ? {
          clusters: cut(communities, limit, (community) => ({
            id: graph.nodes[community.node]!.id,
            label: community.label,
            size: community.members.length,
            cohesion: round(community.cohesion),
            members: community.members.slice(0, MEMBERS).map((node) => refOf(graph, node)),
          })),
          crossCluster: cut(crossCalls(codebase), limit, (call) => call),
        }
      : {}),
    ...(flag(args, "showProcesses", true)
      ? {
          processes: cut(processes, limit, (process) => ({
            id: graph.nodes[process.node]!.id,
            label: process.label,
            steps: process.steps.length,
            entry: refOf(graph, process.steps[0]!),
            ...(process.crossCommunity ? { crossCluster: true } : {}),
          })),
        }
      : {}),
  };
};

export interface CrossCalls {
  /** Labels of clusters. */
  from: string;
  to: string;
  calls: number;
}

/** Calls below this are guesses by name, which say nothing about how parts are built on each other. */
const SURE_ENOUGH = 0.5;

/** How often clusters call each other, the most first. */
export function crossCalls(codebase: Codebase): CrossCalls[] {
  const { graph } = codebase;
  const { communityOf } = indexOf(codebase);
  const counts = new Map<string, CrossCalls>();
  const calls = EDGE_TYPES.indexOf("CALLS");
  for (let e = 0; e < graph.edgeCount; e++) {
    if (graph.type[e] !== calls || graph.confidence[e]! < SURE_ENOUGH) continue;
    const from = communityOf(graph.from[e]!);
    const to = communityOf(graph.to[e]!);
    if (!from || !to || from === to) continue;
    const key = `${from.node} ${to.node}`;
    const known = counts.get(key);
    if (known) known.calls++;
    else counts.set(key, { from: from.label, to: to.label, calls: 1 });
  }
  return [...counts.values()].sort((a, b) => b.calls - a.calls || (a.from < b.from ? -1 : a.from > b.from ? 1 : a.to < b.to ? -1 : 1));
}
