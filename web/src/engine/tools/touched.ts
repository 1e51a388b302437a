import type { Codebase } from "../codebase.ts";
import type { CutList } from "./answers.ts";
import { indexOf } from "./codebase-index.ts";
import type { Page } from "./page.ts";

/** The processes and clusters that some nodes take part in, those with most of them first. */
export interface Touched {
  processes: { id: string; label: string; nodes: number }[];
  clusters: { id: string; label: string; nodes: number }[];
  /** Entry points of the processes: many flows from one of them are one thing to test. */
  entries: number;
}

/** `nodes` count for the clusters; those in `alsoSteps` count for the processes as well. */
export function touchedBy({ graph, communities, processes }: Codebase, nodes: Iterable<number>, alsoSteps: Iterable<number> = []): Touched {
  const inClusters = new Set(nodes);
  const inProcesses = new Set([...inClusters, ...alsoSteps]);
  const count = <T extends { node: number; label: string }>(groups: readonly T[], of: (group: T) => readonly number[], inside: ReadonlySet<number>): { group: T; told: Touched["processes"][number] }[] =>
    groups
      .map((group) => ({ group, told: { id: graph.nodes[group.node]!.id, label: group.label, nodes: of(group).filter((node) => inside.has(node)).length } }))
      .filter(({ told }) => told.nodes > 0)
      .sort((a, b) => b.told.nodes - a.told.nodes);
  const flows = count(processes, ({ steps }) => steps, inProcesses);
  return {
    processes: flows.map(({ told }) => told),
    clusters: count(communities, ({ members }) => members, inClusters).map(({ told }) => told),
    entries: new Set(flows.map(({ group }) => group.steps[0]!)).size,
  };
}

/** Told of each: what most of the nodes are in. */
const SHOWN = 6;

/** As they stand in answers. */
export function touchedLists({ processes, clusters }: Touched, page: Page): { processes: CutList<object>; clusters: CutList<object> } {
  return {
    processes: page.part(processes, processes, ({ id, label }) => ({ id, label }), SHOWN),
    clusters: page.part(clusters, clusters, ({ id, label, nodes }) => ({ id, label, symbols: nodes }), SHOWN),
  };
}

/** How a node's own processes stand in answers: with the step it is in each. */
export function processesOf(codebase: Codebase, node: number, max: number, page: Page): CutList<object> | undefined {
  return page.list(indexOf(codebase).processesOf(node), max, () => "", ({ process, step }) => ({ id: codebase.graph.nodes[process.node]!.id, label: process.label, step }));
}
