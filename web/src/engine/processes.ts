import type { Graph, GraphNode } from "./graph.ts";
import { SURE } from "./summary.ts";
import { isExamplePath } from "./test-paths.ts";

/** A process before it has a node. */
export interface Flow {
  label: string;
  /** Node indexes in order of the calls. */
  steps: number[];
  crossCommunity: boolean;
}

/** A call below this is a guess by name: a flow must not be built on it. */
const MIN_CONFIDENCE = 0.5;
/** A flow is as likely as all of its calls together; below this it is not worth telling. */
const MIN_CHANCE = 0.25;
const MIN_STEPS = 3;
const MAX_STEPS = 12;
/** What this many functions call is a tool of the whole code base: a flow may end there, but does not go on through it. */
const SHARED = 16;
/** Functions looked at from one entry point; bounds the work where everything calls everything. */
const MAX_VISITS = 500;
/** Flows considered of one entry point; of most of them what is chosen before tells half. */
const MAX_PER_ENTRY = 50;
/** A function that calls nothing, serves several callers and has at most so many lines is a detail of each. */
const SMALL_LINES = 5;
/** Called by the language when an object is made, printed or compared: nobody comes in there from outside. */
const BY_LANGUAGE = /^(?:constructor|__(?!call__|invoke$)\w+|toString|toJSON|valueOf|hashCode|equals|compareTo|ToString|Equals|GetHashCode|Dispose|String|Error)$/;
const LOGGER = /^(?:log|logger|logf|debug|debugf|info|infof|warn|warnf|trace|tracef|print|printf|println)$/i;
const MIN_FLOWS = 75;
const MAX_FLOWS = 150;

interface Call {
  callee: number;
  confidence: number;
}

interface Path {
  steps: number[];
  /** For each step the chance that the flow comes that far. */
  chances: number[];
}

interface Candidate {
  steps: number[];
  score: number;
  /** Control is known to enter here, as it is not at a function that is merely exported. */
  sure: boolean;
}

/**
 * Finds the flows of calls that start where control enters the program: at functions marked as entries or called main,
 * and at those that no function calls but that are exported or called when a file is loaded. A flow goes the shortest
 * way to where nothing new is called. Tests are no entries and no steps. First come those from real entries, through
 * functions that serve few others, that show what no flow before them showed. The same graph gives the same flows.
 */
export function findProcesses(graph: Graph): Flow[] {
  const calls = new Calls(graph);
  const candidates = graph.nodes.flatMap((node, entry) => {
    const weight = entryWeight(node, entry, calls);
    if (weight === 0) return [];
    return withoutEnds(flowsFrom(entry, calls), graph, calls)
      .map((path) => ({ steps: path.steps, sure: weight >= SURE_ENTRY, score: weight * (1 + specificity(path, calls) + communitiesIn(graph, path.steps) / 4) }))
      .sort(byScore)
      .slice(0, MAX_PER_ENTRY);
  });
  const functions = graph.nodes.filter(({ kind }) => kind === "Function" || kind === "Method").length;
  const limit = Math.min(MAX_FLOWS, Math.max(MIN_FLOWS, Math.round(functions / 20)));
  const chosen = choose(candidates, limit);
  const labels = labelFlows(graph, chosen);
  return chosen.map((steps, i) => ({ label: labels[i]!, steps, crossCommunity: communitiesIn(graph, steps) > 1 }));
}

/**
 * `entry → end`, and where several flows share both, the first step that sets one apart, `entry → end via step`, else the file
 * of the end or of the entry.
 */
function labelFlows(graph: Graph, flows: readonly (readonly number[])[]): string[] {
  const titles = flows.map((steps) => steps.map((step) => titleOf(graph.nodes[step]!)));
  const plain = titles.map((title) => `${title[0]!} → ${title.at(-1)!}`);
  const fileOf = (node: number): string => graph.nodes[node]!.file;
  const taken = new Set<string>();
  return plain.map((label, i) => {
    const twins = flows.flatMap((_, j) => (j !== i && plain[j] === label ? [j] : []));
    const apart = titles[i]!.slice(1, -1).find((title) => !twins.some((twin) => titles[twin]!.includes(title)));
    const end = fileOf(flows[i]!.at(-1)!);
    const file = twins.every((twin) => fileOf(flows[twin]!.at(-1)!) === end) ? fileOf(flows[i]![0]!) : end;
    const told = twins.length === 0 ? label : apart !== undefined ? `${label} via ${apart}` : `${label} in ${file.slice(file.lastIndexOf("/") + 1)}`;
    let unique = told;
    for (let n = 2; taken.has(unique); n++) unique = `${told} ${n}`;
    taken.add(unique);
    return unique;
  });
}

/** The calls that flows may follow. */
class Calls {
  private readonly calls: Call[][];
  /** Functions that call each function. */
  readonly callers: Uint32Array;
  /** Whether code outside of functions calls it. */
  readonly calledOnLoad: Uint8Array;

  constructor(graph: Graph) {
    const n = graph.nodes.length;
    this.calls = Array.from({ length: n }, () => []);
    this.callers = new Uint32Array(n);
    this.calledOnLoad = new Uint8Array(n);
    for (let e = 0; e < graph.edgeCount; e++) {
      const { from, to, type, confidence } = graph.edge(e);
      if (type !== "CALLS" || confidence < MIN_CONFIDENCE || from === to) continue;
      if (graph.nodes[from]!.test || graph.nodes[to]!.test) continue;
      if (graph.nodes[from]!.kind === "File") {
        this.calledOnLoad[to] = 1;
        continue;
      }
      this.callers[to]!++;
      this.calls[from]!.push({ callee: to, confidence });
    }
    for (const [from, calls] of this.calls.entries()) {
      const choices = new Map<string, number>();
      const isChoice = ({ callee, confidence }: Call): boolean => graph.nodes[callee]!.kind === "Method" && confidence < SURE - 1e-6;
      const name = ({ callee }: Call): string => graph.nodes[callee]!.name;
      for (const call of calls) if (isChoice(call)) choices.set(name(call), (choices.get(name(call)) ?? 0) + 1);
      // Which of several methods a call reaches is for the receiver to say: no flow goes on by chance.
      this.calls[from] = calls
        .filter((call) => !isChoice(call) || choices.get(name(call)) === 1)
        .sort((a, b) => b.confidence - a.confidence);
    }
  }

  /** Surest first, then in the order of the graph. */
  from(node: number): readonly Call[] {
    return this.calls[node]!;
  }
}

/** From this weight on an entry is known, not supposed. */
const SURE_ENTRY = 3;

/** How surely control enters the program here: 4 at main, 0 where it does not. */
function entryWeight(node: GraphNode, index: number, calls: Calls): number {
  if (node.test || node.generated || calls.from(index).length === 0) return 0;
  if (node.kind !== "Function" && node.kind !== "Method") return 0;
  if (isExamplePath(node.file)) return 0.25;
  if (node.entry === "main" || (node.kind === "Function" && node.name === "main")) return 4;
  if (node.entry === "route" || node.entry === "handler") return 3;
  if (calls.callers[index]! > 0 || BY_LANGUAGE.test(node.name) || node.name === node.owner) return 0;
  if (node.entry === "export" || calls.calledOnLoad[index] === 1) return 2;
  return node.exported ? 1 : 0;
}

/** Paths of MIN_STEPS to MAX_STEPS functions from an entry to where nothing new is called, each by the shortest way. */
function flowsFrom(entry: number, calls: Calls): Path[] {
  const reached = new Map([[entry, { from: -1, chance: 1, leadsOn: false }]]);
  let level = [entry];
  for (let depth = 1; depth < MAX_STEPS && level.length > 0; depth++) {
    const next: number[] = [];
    for (const node of level) {
      if (calls.callers[node]! >= SHARED && node !== entry) continue;
      const here = reached.get(node)!;
      for (const { callee, confidence } of calls.from(node)) {
        const chance = here.chance * confidence;
        if (reached.has(callee) || reached.size >= MAX_VISITS || chance < MIN_CHANCE) continue;
        reached.set(callee, { from: node, chance, leadsOn: false });
        here.leadsOn = true;
        next.push(callee);
      }
    }
    level = next;
  }
  const paths: Path[] = [];
  for (const [end, { leadsOn }] of reached) {
    if (leadsOn) continue;
    const steps: number[] = [];
    for (let at = end; at >= 0; at = reached.get(at)!.from) steps.push(at);
    if (steps.length < MIN_STEPS) continue;
    steps.reverse();
    paths.push({ steps, chances: steps.map((step) => reached.get(step)!.chance) });
  }
  return paths.length > 0 ? paths : chainFrom(entry, calls);
}

/**
 * The paths without what they end in when that is no news: an object made, a small helper of several, a log entry.
 * A path is told once, whatever small ends it has.
 */
function withoutEnds(paths: readonly Path[], graph: Graph, calls: Calls): Path[] {
  const told = new Map<string, Path>();
  for (const { steps, chances } of paths) {
    let end = steps.length;
    while (end > MIN_STEPS && isSmall(graph.nodes[steps[end - 1]!]!, steps[end - 1]!, calls)) end--;
    const path = { steps: steps.slice(0, end), chances: chances.slice(0, end) };
    told.set(path.steps.join(" "), path);
  }
  return [...told.values()];
}

function isSmall({ kind, name, owner, startLine, endLine }: GraphNode, node: number, calls: Calls): boolean {
  if (kind !== "Function" && kind !== "Method") return true;
  if (LOGGER.test(name) || LOGGER.test(owner)) return true;
  return calls.from(node).length === 0 && calls.callers[node]! > 1 && endLine - startLine < SMALL_LINES;
}

/** Where an entry calls by itself all that its callees call, too: the way down from one to the next. */
function chainFrom(entry: number, calls: Calls): Path[] {
  const steps = [entry];
  const chances = [1];
  while (steps.length < MAX_STEPS) {
    const open = calls.from(steps.at(-1)!).filter(({ callee }) => !steps.includes(callee));
    // A callee that calls on; if there is none, any.
    const next = open.find(({ callee }) => calls.from(callee).some((call) => call.callee !== callee && !steps.includes(call.callee))) ?? open[0];
    const chance = next && chances.at(-1)! * next.confidence;
    if (chance === undefined || chance < MIN_CHANCE) break;
    steps.push(next!.callee);
    chances.push(chance);
  }
  return steps.length >= MIN_STEPS ? [{ steps, chances }] : [];
}

/** High for a flow that is likely and goes through functions that few others use: those tell what it is about. */
function specificity({ steps, chances }: Path, calls: Calls): number {
  return steps.reduce((sum, step, i) => sum + chances[i]! / (1 + Math.log2(1 + calls.callers[step]!)), 0);
}

/**
 * The best candidates, where one counts less the more of it is known from those before, and with every one that begins or
 * ends where it does. What is known by half or more is left out; from a sure entry the first flow never is, others when two
 * thirds are known.
 */
function choose(candidates: readonly Candidate[], limit: number): number[][] {
  const chosen: number[][] = [];
  const shown = new Set<number>();
  const begun = new Map<number, number>();
  const ended = new Map<number, number>();
  const open = new Set([...candidates].sort(byScore));
  while (chosen.length < limit) {
    let best: Candidate | undefined;
    let bestValue = 0;
    for (const candidate of open) {
      // Sorted by score, which the value never exceeds.
      if (candidate.score <= bestValue) break;
      const { steps, sure, score } = candidate;
      const first = begun.get(steps[0]!) ?? 0;
      const news = steps.reduce((sum, step) => sum + (shown.has(step) ? 0 : 1), 0) / steps.length;
      if (sure ? first > 0 && news < 1 / 3 : news <= 1 / 2) {
        // What is known once stays known.
        open.delete(candidate);
        continue;
      }
      const value = score * Math.max(news, 1 / 3) / (1 + first) / (1 + (ended.get(steps.at(-1)!) ?? 0));
      if (value > bestValue) {
        best = candidate;
        bestValue = value;
      }
    }
    if (!best) break;
    open.delete(best);
    const { steps } = best;
    if (chosen.some((other) => contains(other, steps))) continue;
    const part = chosen.findIndex((other) => contains(steps, other));
    if (part >= 0) chosen[part] = steps;
    else chosen.push(steps);
    for (const step of steps) shown.add(step);
    begun.set(steps[0]!, (begun.get(steps[0]!) ?? 0) + 1);
    ended.set(steps.at(-1)!, (ended.get(steps.at(-1)!) ?? 0) + 1);
  }
  return chosen;
}

function communitiesIn(graph: Graph, steps: readonly number[]): number {
  return new Set(steps.map((step) => graph.community[step]!).filter((community) => community >= 0)).size;
}

/** Whether `inner` is a part of `outer` without gaps. */
function contains(outer: readonly number[], inner: readonly number[]): boolean {
  const last = outer.length - inner.length;
  for (let start = outer.indexOf(inner[0]!); start >= 0 && start <= last; start = outer.indexOf(inner[0]!, start + 1)) {
    if (inner.every((node, i) => outer[start + i] === node)) return true;
  }
  return false;
}

function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score;
}

function titleOf(node: GraphNode): string {
  return node.owner === "" ? node.name : `${node.owner}.${node.name}`;
}
