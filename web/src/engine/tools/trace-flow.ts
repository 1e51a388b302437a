import type { Codebase } from "../codebase.ts";
import { ToolError, type Tool } from "../tools.ts";
import { count, cut, cutSome, doubt, present, qualifiedName, refOf } from "./answers.ts";
import { number, optionalText, text } from "./arguments.ts";
import { indexOf } from "./codebase-index.ts";
import { excerpt, linesIn } from "./excerpts.ts";
import { candidatesFor, resolveNode } from "./names.ts";
import { Page } from "./page.ts";
import { shortestPath, type CallPath } from "./paths.ts";
import { partsOf } from "./reach.ts";
import { answerAbout } from "./several.ts";

/** A call below this is a guess by name. */
const MIN_CONFIDENCE = 0.5;
/** The longest path that can be asked for. */
const MAX_CALLS = 20;
/** Flows told step by step; the others by their labels. */
const TRACED = 2;
const NAMED = 15;
/** Lines of the last function, where a path has come to its point. */
const LAST_LINES = 8;

/**
 * With `to` the shortest path of calls, without it the processes through `from`. A step's code is the head of its
 * function and the lines where it calls the next, each after its number.
 */
export const traceFlow: Tool = async (args, { codebase: graphAlone, clustered }) => {
  const target = optionalText(args, "to");
  const codebase = target === undefined ? await clustered() : graphAlone;
  const maxSteps = number(args, "maxSteps", 10);
  const name = text(args, "from");
  if (target !== undefined) return pathBetween(codebase, anyOf(codebase, name), anyOf(codebase, target), maxSteps);
  const page = new Page(args);
  return answerAbout(codebase, name, (node) => Promise.resolve(processesThrough(codebase, callable(codebase, node), maxSteps, page)));
};

const HANDS_ON = "A step with handsOn names the next function without calling it: it returns, passes or stores that. What calls it then is not known.";

/** All that a name may mean, without tests where it is code, too. */
function anyOf(codebase: Codebase, name: string): number[] {
  const found = candidatesFor(codebase, name);
  if (found.length === 0) return [resolveNode(codebase, name)];
  const code = found.filter((node) => !codebase.graph.nodes[node]!.test);
  return (code.length > 0 ? code : found).map((node) => callable(codebase, node));
}

/** A symbol or file. */
function callable({ graph }: Codebase, node: number): number {
  const { id, kind } = graph.nodes[node]!;
  if (kind === "Folder" || kind === "Community" || kind === "Process") throw new ToolError(`${id} calls nothing by itself. Name a symbol or a file of it; explore lists its members.`);
  return node;
}

/** Of ambiguous ends the shortest path between any of them. */
function pathBetween(codebase: Codebase, from: readonly number[], to: readonly number[], maxSteps: number): object {
  const { graph } = codebase;
  if (from.length === 1 && from[0] === to[0]) throw new ToolError(`from and to are both ${graph.nodes[from[0]!]!.id}. Name two symbols, or leave out to for the flows through one.`);
  const find = (a: readonly number[], b: readonly number[], maxCalls: number, minConfidence: number, handsOn = false): CallPath | undefined => {
    const target = new Set(b.flatMap((node) => [...partsOf(graph, node)]));
    const start = new Set(a.flatMap((node) => [...partsOf(graph, node)]).filter((node) => a.length === 1 || !target.has(node)));
    const anyTest = [...start, ...target].some((node) => graph.nodes[node]!.test);
    return shortestPath(graph, start, target, { maxCalls, minConfidence, handsOn, through: (node) => anyTest || !graph.nodes[node]!.test }).path;
  };
  const end = (nodes: readonly number[]): object => (nodes.length === 1 ? refOf(graph, nodes[0]!) : { anyOf: cut(nodes, NAMED, (node) => graph.nodes[node]!.id, "search") });
  const ends = { from: end(from), to: end(to) };
  const found = find(from, to, maxSteps, MIN_CONFIDENCE);
  if (found) return { ...ends, ...tell(codebase, found) };

  const handed = find(from, to, maxSteps, MIN_CONFIDENCE, true);
  if (handed) return { ...ends, ...tell(codebase, handed), note: `No calls alone lead there. ${HANDS_ON}` };
  const guessed = find(from, to, maxSteps, 0);
  if (guessed) return { ...ends, ...tell(codebase, guessed), note: "Some of these calls are guesses (confidence under 0.5): by a name, or one of many functions that are kept where the call is; no path is surer." };
  const notes = [`No calls lead from ${qualifiedName(graph.nodes[from[0]!]!)} to ${qualifiedName(graph.nodes[to[0]!]!)} in ${count(maxSteps, "step")}.`];
  const longer = maxSteps < MAX_CALLS ? find(from, to, MAX_CALLS, MIN_CONFIDENCE) : undefined;
  if (longer) notes.push(`There is a path of ${longer.edges.length}: set maxSteps to that.`);
  const back = longer ? undefined : find(to, from, MAX_CALLS, MIN_CONFIDENCE);
  if (back) notes.push(`There is one of ${count(back.edges.length, "step")} the other way round: swap from and to.`);
  if (longer || back) return { ...ends, found: false, note: notes.join(" ") };
  notes.push("Nor the other way round. That is no proof: calls through values, events and reflection may be missing. What is known at both ends follows; read the code between.");
  return { ...ends, found: false, note: notes.join(" "), ...knownAt(codebase, from, to) };
}

/** Calls told at an end that no path leads to. */
const AT_END = 8;

/** Where no path is found: what the beginning calls, who calls the end and who names it without calling it, as `file:line name confidence`, the surest first. */
function knownAt({ graph }: Codebase, from: readonly number[], to: readonly number[]): object {
  const edges = (nodes: readonly number[], way: "in" | "out", type: "CALLS" | "REFERENCES"): number[] =>
    [...new Set(nodes.flatMap((node) => [...partsOf(graph, node)]))].flatMap((node) => [...(way === "in" ? graph.in(node, type) : graph.out(node, type))])
      .filter((e) => way === "out" || !graph.nodes[graph.from[e]!]!.test || graph.nodes[to[0]!]!.test)
      .sort((a, b) => graph.confidence[b]! - graph.confidence[a]! || a - b);
  const told = (all: readonly number[], end: "from" | "to", rest: string): object | undefined => {
    // A line that calls several parts of an end counts once, as its surest call.
    const places = new Map<string, number | undefined>();
    for (const e of all) {
      const node = graph.nodes[graph[end][e]!]!;
      const place = `${graph.nodes[graph.from[e]!]!.file}:${graph.line[e] || node.line} ${qualifiedName(node)}`;
      if (!places.has(place)) places.set(place, doubt(graph.confidence[e]!).confidence);
    }
    return cutSome([...places], AT_END, ([place, confidence]) => (confidence === undefined ? place : `${place} ${confidence}`), rest);
  };
  return present({
    fromCalls: told(edges(from, "out", "CALLS"), "to", "deep_dive"),
    callersOfTo: told(edges(to, "in", "CALLS"), "from", "impact"),
    toNamedBy: told(edges(to, "in", "REFERENCES"), "from", "impact"),
  });
}

/** The path with its code, told once for each step. */
function tell(codebase: Codebase, { nodes, edges }: CallPath): object {
  return {
    steps: edges.length,
    path: nodes.map((node, i) => step(codebase, node, edges[i], true)),
  };
}

/** `edge` is the call of the next step, undefined at the end. */
function step(codebase: Codebase, node: number, edge: number | undefined, withEnd: boolean): object {
  const { graph } = codebase;
  const { file, line, startLine, endLine } = graph.nodes[node]!;
  const lines = linesIn(codebase, file);
  const numbers = new Set(line > 0 ? [line] : []);
  if (edge !== undefined) for (const site of graph.sites(edge).slice(0, 2)) numbers.add(site);
  else if (withEnd && line > 0) for (let n = startLine; n <= endLine && numbers.size < LAST_LINES; n++) if (lines[n - 1]?.trim()) numbers.add(n);
  const code = excerpt(lines, [...numbers].sort((a, b) => a - b));
  return {
    id: graph.nodes[node]!.id,
    ...(edge === undefined ? {} : doubt(graph.confidence[edge]!)),
    ...(edge !== undefined && graph.edge(edge).type === "REFERENCES" ? { handsOn: true } : {}),
    ...(code === "" ? {} : { code }),
  };
}

/** Two flows step by step, the others by their labels; a page that is not the first goes on with the labels. */
function processesThrough(codebase: Codebase, from: number, maxSteps: number, page: Page): object {
  const { graph } = codebase;
  const { processesOf } = indexOf(codebase);
  const parts = [...partsOf(graph, from)];
  const found = new Map(parts.flatMap((part) => processesOf(part)).map((flow) => [flow.process, flow]));
  if (found.size === 0) return wayFromEntry(codebase, from, maxSteps);

  const flows = [...found.values()].sort((a, b) => a.process.node - b.process.node);
  const traced = (page.isFirst ? flows.slice(0, TRACED) : []).map(({ process: { node, label, steps } }, i) => {
    // What a flow shares with the one before is told there.
    const before = i > 0 ? flows[i - 1]!.process.steps : [];
    const shared = Math.max(0, firstDifference(steps, before) - 1);
    return {
      id: graph.nodes[node]!.id,
      label,
      ...(shared > 0 ? { asBefore: shared } : {}),
      trace: steps.slice(shared).map((at, j, rest) => {
        const next = rest[j + 1];
        return step(codebase, at, next === undefined ? undefined : graph.out(at, "CALLS").find((e) => graph.to[e] === next), false);
      }),
    };
  });
  return present({
    ...refOf(graph, from),
    processes: flows.length,
    traced: page.isFirst ? traced : undefined,
    others: page.list(flows.slice(TRACED), NAMED, () => "", ({ process, step: at }) => ({ id: graph.nodes[process.node]!.id, label: process.label, step: at })),
  });
}

/** The index of the first step that is not the same. */
function firstDifference(a: readonly number[], b: readonly number[]): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}

/** For what is in no process: how control comes there from where it enters the program. */
function wayFromEntry(codebase: Codebase, from: number, maxSteps: number): object {
  const { graph, processes } = codebase;
  const entries = new Set(processes.map(({ steps }) => steps[0]!));
  graph.nodes.forEach(({ entry, kind, test }, node) => {
    if ((kind === "Route" || (entry !== "" && entry !== "test")) && !test) entries.add(node);
  });
  const find = (handsOn: boolean): CallPath | undefined => shortestPath(graph, entries, partsOf(graph, from), {
    maxCalls: maxSteps, minConfidence: MIN_CONFIDENCE, handsOn, through: (node) => !graph.nodes[node]!.test,
  }).path;
  const path = find(false);
  const head = { ...refOf(graph, from), processes: 0 };
  if (path && path.edges.length > 0) return { ...head, note: "In none of the processes that overview lists. This is the shortest way there from an entry point.", ...tell(codebase, path) };
  const handed = path ? undefined : find(true);
  if (handed) return { ...head, note: `In none of the processes that overview lists, and no calls alone lead there from an entry point. ${HANDS_ON}`, ...tell(codebase, handed) };
  return {
    ...head,
    note: path
      ? "It is an entry point, and in none of the processes that overview lists: it calls too little. explore tells what it calls."
      : `No entry point leads there in ${count(maxSteps, "step")}: events, reflection and tests are not followed. impact tells who calls it.`,
  };
}
