import { searchCodebase } from "../search.ts";
import { stillClustering } from "../summary.ts";
import type { Tool } from "../tools.ts";
import { linesText, refOf, round } from "./answers.ts";
import { flag, number, text } from "./arguments.ts";
import { indexOf } from "./codebase-index.ts";

/**
 * Ranked symbols and files. With groupByProcess each process that several hits take part in is told once, in
 * `groups`, with the ranks of its hits; without it each result names its own processes.
 */
export const search: Tool = (args, { codebase }) => {
  const query = text(args, "query");
  const limit = number(args, "limit", 10);
  const group = flag(args, "groupByProcess", true);
  const { graph } = codebase;
  const index = indexOf(codebase);
  const note = stillClustering(codebase);
  const hits = searchCodebase(codebase, query);
  const shown = hits.slice(0, limit);

  const groups = new Map<string, { id: string; label: string; ranks: number[] }>();
  const results = shown.map(({ node: i, score }, at) => {
    const node = graph.nodes[i]!;
    const processes = index.processesOf(i);
    if (group) {
      for (const { process } of processes) {
        const { id } = graph.nodes[process.node]!;
        const known = groups.get(id);
        if (known) known.ranks.push(at + 1);
        else groups.set(id, { id, label: process.label, ranks: [at + 1] });
      }
    }
    const cluster = index.communityOf(i);
    return {
      rank: at + 1,
      ...refOf(graph, i),
      lines: linesText(node),
      ...(cluster ? { cluster: cluster.label } : {}),
      ...(group || processes.length === 0 ? {} : { processes: processes.map(({ process }) => process.label) }),
      connections: index.connections[i]!,
      score: round(score, 1),
      ...(node.test ? { test: true } : {}),
      ...(node.origin === "" ? {} : { origin: node.origin }),
    };
  });
  return {
    results,
    ...(group && groups.size > 0 ? { groups: [...groups.values()].sort((a, b) => b.ranks.length - a.ranks.length || a.ranks[0]! - b.ranks[0]!) } : {}),
    total: hits.length,
    ...(hits.length > shown.length ? { truncated: true } : {}),
    ...(note === undefined ? {} : { note }),
    ...(hits.length === 0 ? { hint: "Nothing has these words in its name, signature, path or doc comment. Try fewer or other words, or grep for text inside files." } : {}),
  };
};
