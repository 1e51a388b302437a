import type { Codebase } from "../codebase.ts";
import type { EdgeType } from "../graph.ts";
import { stillClustering } from "../summary.ts";
import type { Tool } from "../tools.ts";
import { doubt, linesText, present, refOf, round, sitesOf, type CutList } from "./answers.ts";
import { number, oneOf, text } from "./arguments.ts";
import { indexOf } from "./codebase-index.ts";
import { isSure, possibleCallees, possibleCallers } from "./dynamic.ts";
import { exploreQuestion } from "./explore-question.ts";
import { ANY, mentionsOf, mentionTexts } from "./mentions.ts";
import { resolveCommunity, resolveProcess } from "./names.ts";
import { crossCalls } from "./overview.ts";
import { Page } from "./page.ts";
import { implementations, partsOf } from "./reach.ts";
import { answerAbout } from "./several.ts";
import { usedFirst } from "./telling.ts";
import { processesOf } from "./touched.ts";
import { TYPES } from "./unnamed-calls.ts";

/** Tokens of an answer to a question. */
const BUDGET = 6_000;
const NEIGHBOURS = 25;
/** Of each list, where an answer is one of several. */
const BRIEF = 5;
const TESTS = 10;
const POSSIBLE = 8;
const MEMBERS = 25;
const PROCESSES = 10;
const ENTRY_POINTS = 10;
const CROSS = 15;

/** One symbol (or file), cluster or process with what is around it; without a type what answers a question. */
export const explore: Tool = async (args, { codebase, clustered }) => {
  const name = text(args, "name");
  const page = new Page(args);
  if (args.type === undefined) return exploreQuestion(codebase, name, number(args, "budget", BUDGET));
  switch (oneOf(args, "type", ["symbol", "cluster", "process"])) {
    case "cluster": return exploreCluster(await clustered(), name, page);
    case "process": return exploreProcess(await clustered(), name);
    case "symbol": return answerAbout(codebase, name, (node, brief) => Promise.resolve(exploreAny(codebase, node, brief ? new Page({ limit: BRIEF, ...args }) : page)));
  }
};

/** An id says what it is, whatever the type says. */
function exploreAny(codebase: Codebase, node: number, page: Page): object {
  const { id, kind } = codebase.graph.nodes[node]!;
  return kind === "Community" ? exploreCluster(codebase, id, page) : kind === "Process" ? exploreProcess(codebase, id) : exploreNode(codebase, node, page);
}

function exploreNode(codebase: Codebase, index: number, page: Page): object {
  const { graph } = codebase;
  const node = graph.nodes[index]!;
  const cluster = indexOf(codebase).communityOf(index);

  const { arriving, leaving } = neighboursOf(codebase, index, NEIGHBOURS, page);
  const members = graph.out(index, "DEFINES").concat(graph.out(index, "CONTAINS"));
  const owner = graph.in(index, "DEFINES").map((e) => graph.from[e]!).find((from) => graph.nodes[from]!.kind !== "File");
  return present({
    ...refOf(graph, index),
    lines: linesText(node),
    signature: node.signature === "" ? undefined : node.signature,
    exported: node.exported ? true : undefined,
    test: node.test ? true : undefined,
    origin: node.origin || undefined,
    entry: node.entry === "" ? undefined : node.entry,
    in: owner === undefined ? undefined : graph.nodes[owner]!.id,
    cluster: cluster ? { id: graph.nodes[cluster.node]!.id, label: cluster.label } : undefined,
    processes: processesOf(codebase, index, PROCESSES, page),
    routes: arriving("HANDLES"),
    handledBy: leaving("HANDLES"),
    callers: arriving("CALLS"),
    referencedBy: arriving("REFERENCES"),
    possibleCallers: page.list(possibleCallers(codebase, index), POSSIBLE, fileOfText, (call) => call),
    tests: node.test ? undefined : testsCalling(codebase, index, page),
    callees: leaving("CALLS"),
    references: leaving("REFERENCES"),
    possibleCallees: page.list(possibleCallees(codebase, index), POSSIBLE, () => "", (call) => call),
    members: page.list(members, MEMBERS, (e) => graph.nodes[graph.to[e]!]!.file, (e) => ({ ...refOf(graph, graph.to[e]!), ...signatureOf(codebase, graph.to[e]!) })),
    extends: leaving("EXTENDS"),
    extendedBy: arriving("EXTENDS"),
    implements: leaving("IMPLEMENTS"),
    implementedBy: arriving("IMPLEMENTS") ?? implementedBy(codebase, index, page),
    imports: leaving("IMPORTS"),
    importedBy: arriving("IMPORTS"),
    mentions: TYPES.has(node.kind) ? page.list(mentionTexts(codebase, mentionsOf(codebase, index, partsOf(graph, index), ANY)), POSSIBLE, fileOfText, (place) => place) : undefined,
    note: stillClustering(codebase),
  });
}

/**
 * Lists of what stands at the other ends of a node's edges, each with the lines of its calls. Calls that are only possible
 * are none: see dynamic.ts; nor are tests that call code: see testsCalling.
 */
export function neighboursOf(codebase: Codebase, index: number, max: number, page: Page): Record<"arriving" | "leaving", (type: EdgeType) => object | undefined> {
  const { graph } = codebase;
  const { connections } = indexOf(codebase);
  const neighbour = (e: number, at: number): object => ({
    ...refOf(graph, at),
    ...sitesOf(graph, [e], page.isFiltered),
    ...doubt(graph.confidence[e]!),
    ...(graph.nodes[at]!.test ? { test: true } : {}),
  });
  // Sure before unsure, code before tests, what matters before what hardly does.
  const telling = (edges: number[]): number[] => edges.sort((a, b) =>
    Number(graph.nodes[graph.from[a]!]!.test) - Number(graph.nodes[graph.from[b]!]!.test)
    || round(graph.confidence[b]!) - round(graph.confidence[a]!) || connections[graph.from[b]!]! - connections[graph.from[a]!]! || a - b);
  return {
    arriving: (type) => page.list(telling(graph.in(index, type).filter((e) => type !== "CALLS" && type !== "REFERENCES" || isSure(codebase, e) && (graph.nodes[index]!.test || !graph.nodes[graph.from[e]!]!.test))), max, (e) => graph.nodes[graph.from[e]!]!.file, (e) => neighbour(e, graph.from[e]!)),
    leaving: (type) => page.list(usedFirst(codebase, graph.out(index, type).filter((e) => type !== "CALLS" || isSure(codebase, e)), type), max, (e) => graph.nodes[graph.to[e]!]!.file, (e) => neighbour(e, graph.to[e]!)),
  };
}

/** Test files with the number of their functions that call or reference a node, the most first. */
function testsCalling({ graph }: Codebase, index: number, page: Page): CutList<string> | undefined {
  const files = new Map<string, number>();
  for (const from of new Set([...graph.in(index, "CALLS"), ...graph.in(index, "REFERENCES")].map((e) => graph.from[e]!))) {
    const { test, file } = graph.nodes[from]!;
    if (test) files.set(file, (files.get(file) ?? 0) + 1);
  }
  return countsByFile(files, TESTS, page);
}

/** `file: 3`, the most first; a file alone where there is none to count. */
export function countsByFile(files: ReadonlyMap<string, number>, max: number, page: Page): CutList<string> | undefined {
  return page.list([...files].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)), max, ([file]) => file, ([file, n]) => (n > 0 ? `${file}: ${n}` : file));
}

function signatureOf({ graph }: Codebase, index: number): { signature?: string } {
  const { signature } = graph.nodes[index]!;
  return signature === "" ? {} : { signature };
}

function fileOfText(text: string): string {
  return text.slice(0, text.indexOf(":"));
}

/** For a method: the methods that implement or override it. */
function implementedBy({ graph }: Codebase, index: number, page: Page): object | undefined {
  if (graph.nodes[index]!.kind !== "Method") return undefined;
  return page.list([...implementations(graph, index)], NEIGHBOURS, ({ node }) => graph.nodes[node]!.file, ({ node, confidence }) => ({
    ...refOf(graph, node), ...doubt(confidence),
  }));
}

function exploreCluster(codebase: Codebase, name: string, page: Page): object {
  const { graph } = codebase;
  const { connections, communityOf } = indexOf(codebase);
  const community = resolveCommunity(codebase, name);
  const inside = new Set(community.members);

  const outsideCallers = (member: number): number =>
    graph.in(member, "CALLS").filter((e) => isSure(codebase, e) && !inside.has(graph.from[e]!) && !graph.nodes[graph.from[e]!]!.test).length;
  const entries = community.members
    .map((node) => ({ node, callers: outsideCallers(node), entry: graph.nodes[node]!.entry }))
    .filter(({ node, callers, entry }) => !graph.nodes[node]!.test && (callers > 0 || (entry !== "" && entry !== "export")))
    .sort((a, b) => b.callers - a.callers || connections[b.node]! - connections[a.node]! || a.node - b.node);
  const files = new Map<string, number>();
  for (const member of community.members) {
    const { file } = graph.nodes[member]!;
    files.set(file, (files.get(file) ?? 0) + 1);
  }
  const processes = codebase.processes
    .map((process) => ({ process, steps: process.steps.filter((step) => communityOf(step) === community).length }))
    .filter(({ steps }) => steps > 0)
    .sort((a, b) => b.steps - a.steps);
  const isTest = (path: string): boolean => graph.nodes[graph.find(`File:${path}`)!]!.test;
  const cross = crossCalls(codebase);
  const calls = cross.filter(({ from }) => from === community.label);
  const calledBy = cross.filter(({ to }) => to === community.label);
  return present({
    id: graph.nodes[community.node]!.id,
    label: community.label,
    size: community.members.length,
    cohesion: round(community.cohesion),
    files: page.list([...files].sort((a, b) => Number(isTest(a[0])) - Number(isTest(b[0])) || b[1] - a[1]), CROSS, ([file]) => file, ([file, symbols]) => ({ file, symbols })),
    members: page.list(community.members, MEMBERS, (node) => graph.nodes[node]!.file, (node) => refOf(graph, node)),
    entryPoints: page.list(entries, ENTRY_POINTS, ({ node }) => graph.nodes[node]!.file, ({ node, callers, entry }) => ({
      ...refOf(graph, node), callersOutside: callers, ...(entry === "" || entry === "export" ? {} : { entry }),
    })),
    calls: page.list(calls, CROSS, () => "", ({ to, calls: n }) => ({ cluster: to, calls: n })),
    calledBy: page.list(calledBy, CROSS, () => "", ({ from, calls: n }) => ({ cluster: from, calls: n })),
    processes: page.list(processes, CROSS, () => "", ({ process, steps }) => ({ id: graph.nodes[process.node]!.id, label: process.label, steps })),
  });
}

function exploreProcess(codebase: Codebase, name: string): object {
  const { graph } = codebase;
  const { communityOf } = indexOf(codebase);
  const process = resolveProcess(codebase, name);
  let last: string | undefined;
  const trace = process.steps.map((node, at) => {
    const from = process.steps[at - 1];
    const call = from === undefined ? undefined : graph.out(from, "CALLS").find((e) => graph.to[e] === node);
    const cluster = communityOf(node)?.label;
    const entered = cluster !== last ? cluster : undefined;
    last = cluster;
    return present({
      step: at + 1,
      ...refOf(graph, node),
      // Where the step before calls this one, in that one's file.
      calledAt: call !== undefined && graph.line[call]! > 0 ? `${graph.nodes[from!]!.file}:${graph.line[call]!}` : undefined,
      ...(call === undefined ? {} : doubt(graph.confidence[call]!)),
      // Told where the flow enters it.
      cluster: entered,
    });
  });
  return present({
    id: graph.nodes[process.node]!.id,
    label: process.label,
    entry: graph.nodes[process.steps[0]!]?.entry || undefined,
    crossCluster: process.crossCommunity ? true : undefined,
    steps: process.steps.length,
    trace,
  });
}
