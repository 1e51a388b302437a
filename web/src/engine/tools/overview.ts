import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES } from "../graph.ts";
import { SURE } from "../summary.ts";
import { ToolError, type Tool } from "../tools.ts";
import { cut, round } from "./answers.ts";
import { flag, number } from "./arguments.ts";
import { indexOf } from "./codebase-index.ts";

/** Members told of each of the first clusters, and of the others: the best connected say what it is about; explore has them all. */
const MEMBERS = [2, 1] as const;
const FIRST = 8;

/** The parts of the code, the flows through them and the calls between them. Symbols are ids, which hold kind, file and name. */
export const overview: Tool = (args, { codebase }) => {
  const limit = number(args, "limit", 20);
  const clusters = flag(args, "showClusters", true);
  const flows = flag(args, "showProcesses", true);
  if (!clusters && !flows) throw new ToolError("With showClusters and showProcesses both false there is nothing to show. Leave out one of them.");
  const { graph, communities, processes } = codebase;
  return {
    ...(clusters
      ? {
          clusters: cut(communities, limit, (community, at) => ({
            id: graph.nodes[community.node]!.id,
            label: community.label,
            size: community.members.length,
            cohesion: round(community.cohesion),
            members: community.members.slice(0, MEMBERS[at < FIRST ? 0 : 1]).map((node) => graph.nodes[node]!.id),
          })),
          crossCluster: cut(crossCalls(codebase), Math.ceil(limit / 2), ({ from, to, calls }) => `${from} → ${to}: ${calls}`),
        }
      : {}),
    ...(flows
      ? {
          processes: cut(processes, limit, (process) => ({
            id: graph.nodes[process.node]!.id,
            label: process.label,
            steps: process.steps.length,
            entry: graph.nodes[process.steps[0]!]!.id,
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

/** How often clusters surely call each other, the most first. Tests, which call what they like, do not count. */
export function crossCalls(codebase: Codebase): CrossCalls[] {
  const { graph } = codebase;
  const { communityOf } = indexOf(codebase);
  const counts = new Map<string, CrossCalls>();
  const calls = EDGE_TYPES.indexOf("CALLS");
  for (let e = 0; e < graph.edgeCount; e++) {
    if (graph.type[e] !== calls || graph.confidence[e]! < SURE - 1e-6 || graph.nodes[graph.from[e]!]!.test) continue;
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
