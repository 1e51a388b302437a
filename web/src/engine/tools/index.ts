/** The tools that this engine has, by name. */
import type { Tool } from "../tools.ts";
import { contextTool } from "./context.ts";
import { cypher } from "./cypher.ts";
import { deepDive } from "./deep-dive.ts";
import { diff } from "./diff.ts";
import { explore } from "./explore.ts";
import { findSimilar } from "./find-similar.ts";
import { graphAction } from "./graph-action.ts";
import { grep } from "./grep.ts";
import { highlight } from "./highlight.ts";
import { impact } from "./impact.ts";
import { overview } from "./overview.ts";
import { read } from "./read.ts";
import { reviewFile } from "./review-file.ts";
import { search } from "./search.ts";
import { testImpact } from "./test-impact.ts";
import { traceFlow } from "./trace-flow.ts";

interface Definition {
  /** One line for an agent: what it is for. */
  summary: string;
  run: Tool;
}

const definitions: Readonly<Record<string, Definition>> = {
  context: { summary: "what is loaded: figures, hotspots, folder tree, tools, graph schema", run: contextTool(() => summaries) },
  search: { summary: "find symbols and files by name or topic, best first", run: search },
  grep: { summary: "find lines by regular expression", run: grep },
  read: { summary: "a file or some of its lines", run: read },
  overview: { summary: "clusters, processes and the calls between clusters", run: overview },
  highlight: { summary: "show nodes in the user's view", run: highlight },
  graph_action: { summary: "highlight, focus, annotate or reset in the user's view", run: graphAction },
  cypher: { summary: "a read-only Cypher query over the graph", run: cypher },
  impact: { summary: "what depends on a symbol or file, or what it depends on, by depth, with risk", run: impact },
  explore: { summary: "one symbol, cluster or process and what is around it", run: explore },
  diff: { summary: "what changed since the repository was loaded: files, and the symbols in them", run: diff },
  deep_dive: { summary: "one symbol with its code, dependents, callees, tests and risk", run: deepDive },
  review_file: { summary: "one file with its symbols by heat, imports both ways, tests and text", run: reviewFile },
  trace_flow: { summary: "the shortest path of calls between two symbols, or the processes through one, with code", run: traceFlow },
  find_similar: { summary: "symbols that are built like one", run: findSimilar },
  test_impact: { summary: "what a change of files reaches, its risk and the tests to run", run: testImpact },
};

const summaries = Object.fromEntries(Object.entries(definitions).map(([name, { summary }]) => [name, summary]));

export const tools: Readonly<Record<string, Tool>> = Object.fromEntries(
  Object.entries(definitions).map(([name, { run }]) => [name, run]),
);
