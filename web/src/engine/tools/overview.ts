import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES } from "../graph.ts";
import { missingRelations, SURE } from "../summary.ts";
import { ToolError, type Tool } from "../tools.ts";
import { round } from "./answers.ts";
import { flag, number } from "./arguments.ts";
import { indexOf } from "./codebase-index.ts";
import { Page } from "./page.ts";

/** The parts of the code, the flows through them and the calls between them, in rows under the names of their columns. */
export const overview: Tool = async (args, { clustered }) => {
  const page = new Page({ ...args, limit: number(args, "limit", 20) });
  const clusters = flag(args, "showClusters", true);
  const flows = flag(args, "showProcesses", true);
  if (!clusters && !flows) throw new ToolError("With showClusters and showProcesses both false there is nothing to show. Leave out one of them.");
  const codebase = await clustered();
  const { graph, communities, processes } = codebase;
  const incomplete = missingRelations(codebase);
  const isWanted = (nodes: readonly number[]): boolean => nodes.some((node) => page.wants(graph.nodes[node]!.file));
  const matching = page.isFiltered ? communities.filter(({ members }) => isWanted(members)) : communities;
  const labels = new Set(matching.map(({ label }) => label));
  const cross = crossCalls(codebase);
  return {
    ...(incomplete === undefined ? {} : { note: incomplete }),
    ...(clusters
      ? {
          clusters: {
            columns: ["id", "label", "size", "cohesion", "best connected member"],
            ...page.part(communities, matching, ({ node, label, members, cohesion }) =>
              [graph.nodes[node]!.id, label, members.length, round(cohesion), graph.nodes[members[0]!]!.id]),
          },
          crossCluster: page.part(cross, cross.filter(({ from, to }) => labels.has(from) || labels.has(to)), ({ from, to, calls }) => `${from} → ${to}: ${calls}`),
        }
      : {}),
    ...(flows
      ? {
          processes: {
            columns: ["id", "label", "steps", "entry point"],
            ...page.part(processes, page.isFiltered ? processes.filter(({ steps }) => isWanted(steps)) : processes, ({ node, label, steps }) => {
              const { file, line } = graph.nodes[steps[0]!]!;
              return [graph.nodes[node]!.id, label, steps.length, `${file}:${line}`];
            }),
          },
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
