import type { Graph, GraphNode } from "./graph.ts";

/** A process before it has a node. */
export interface Flow {
  label: string;
  /** Node indexes in order of the calls. */
  steps: number[];
  crossCommunity: boolean;
}

/** A call below this is a guess by name: a flow must not be built on it. */
const MIN_CONFIDENCE = 0.5;
const MIN_STEPS = 3;
const MAX_STEPS = 12;
/** Callees followed from one function: those that lead furthest. */
const MAX_BRANCHES = 4;
/** Functions entered on the walk from one entry point; bounds the work where everything calls everything. */
const MAX_VISITS = 2_000;
/** Flows kept of one entry point. */
const MAX_PER_ENTRY = 5;
const MIN_FLOWS = 75;
const MAX_FLOWS = 150;

/**
 * Finds the flows of calls that start where control enters the program: at functions marked as entries or called main,
 * and at those that no function calls but that are exported or called when a file is loaded. Tests are no entries and no steps. The best first: real entries before exported
 * functions, long before short. The same graph gives the same flows.
 */
export function findProcesses(graph: Graph): Flow[] {
  const calls = new Calls(graph);
  const candidates: { flow: number[]; score: number }[] = [];
  const entries = graph.nodes
    .map((node, index) => ({ index, weight: entryWeight(node, index, calls) }))
    .filter(({ weight }) => weight > 0);
  for (const { index, weight } of entries) {
    // The first flow of an entry counts fully, further ones less and less, so that no entry crowds out the others.
    diversePaths(walk(index, calls)).forEach((flow, rank) => {
      candidates.push({ flow, score: (weight * 10 + flow.length + communitiesIn(graph, flow)) / (rank + 1) });
    });
  }
  candidates.sort((a, b) => b.score - a.score || compareFlows(a.flow, b.flow));

  const symbols = graph.nodes.filter((node) => node.kind === "Function" || node.kind === "Method").length;
  const limit = Math.min(MAX_FLOWS, Math.max(MIN_FLOWS, Math.round(symbols / 20)));
  const kept: number[][] = [];
  const seen = new Set<string>();
  for (const { flow } of candidates) {
    if (kept.length === limit) break;
    const ends = `${flow[0]!} ${flow.at(-1)!}`;
    if (seen.has(ends) || kept.some((other) => contains(other, flow))) continue;
    seen.add(ends);
    kept.push(flow);
  }
  return kept.map((steps) => ({
    label: `${titleOf(graph.nodes[steps[0]!]!)} → ${titleOf(graph.nodes[steps.at(-1)!]!)}`,
    steps,
    crossCommunity: communitiesIn(graph, steps) > 1,
  }));
}

/** The calls that flows may follow, and how far each function leads. */
class Calls {
  private readonly callees: number[][];
  /** Calls to each function from functions. */
  readonly callers: Uint32Array;
  /** Whether code outside of functions calls it. */
  readonly calledOnLoad: Uint8Array;
  private readonly reach: Uint8Array;

  constructor(graph: Graph) {
    const n = graph.nodes.length;
    this.callees = Array.from({ length: n }, () => []);
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
      this.callees[from]!.push(to);
    }
    // The longest way down is hard to know in a graph with cycles. Rounds of "one more than my best callee" give a
    // bound that is exact for acyclic parts, in time proportional to the calls.
    this.reach = new Uint8Array(n);
    for (let round = 0; round < MAX_STEPS; round++) {
      let changed = false;
      for (let node = 0; node < n; node++) {
        for (const callee of this.callees[node]!) {
          const through = Math.min(MAX_STEPS, this.reach[callee]! + 1);
          if (through > this.reach[node]!) {
            this.reach[node] = through;
            changed = true;
          }
        }
      }
      if (!changed) break;
    }
    for (const callees of this.callees) {
      callees.sort((a, b) => this.reach[b]! - this.reach[a]! || this.callers[b]! - this.callers[a]! || a - b);
    }
  }

  from(node: number): readonly number[] {
    return this.callees[node]!;
  }

  /** Calls in a row that can follow from here, at most MAX_STEPS. */
  depth(node: number): number {
    return this.reach[node]!;
  }
}

function entryWeight(node: GraphNode, index: number, calls: Calls): number {
  if (node.test || node.generated || calls.depth(index) < MIN_STEPS - 1) return 0;
  if (node.kind !== "Function" && node.kind !== "Method") return 0;
  if (node.entry === "main" || (node.kind === "Function" && node.name === "main")) return 4;
  if (node.entry === "route" || node.entry === "handler") return 3;
  if (calls.callers[index]! > 0) return 0;
  if (node.entry === "export" || calls.calledOnLoad[index] === 1) return 2;
  return node.exported ? 1 : 0;
}

/** All paths of MIN_STEPS to MAX_STEPS functions that go down from an entry until nothing new is called. */
function walk(entry: number, calls: Calls): number[][] {
  const paths: number[][] = [];
  const path: number[] = [];
  let visits = 0;
  const visit = (node: number): void => {
    visits++;
    path.push(node);
    let followed = 0;
    if (path.length < MAX_STEPS) {
      for (const callee of calls.from(node)) {
        if (followed === MAX_BRANCHES || visits >= MAX_VISITS) break;
        if (path.includes(callee)) continue;
        followed++;
        visit(callee);
      }
    }
    if (followed === 0 && path.length >= MIN_STEPS) paths.push([...path]);
    path.pop();
  };
  visit(entry);
  return paths;
}

/** The longest path, then those that show most of what the ones before did not. */
function diversePaths(paths: number[][]): number[][] {
  const chosen: number[][] = [];
  const shown = new Set<number>();
  const rest = new Set(paths);
  while (chosen.length < MAX_PER_ENTRY) {
    let best: number[] | undefined;
    let bestNew = 1;
    for (const path of rest) {
      const fresh = path.reduce((count, node) => count + (shown.has(node) ? 0 : 1), 0);
      if (fresh > bestNew) {
        best = path;
        bestNew = fresh;
      }
    }
    if (!best) break;
    chosen.push(best);
    rest.delete(best);
    for (const node of best) shown.add(node);
  }
  return chosen;
}

function communitiesIn(graph: Graph, steps: readonly number[]): number {
  return new Set(steps.map((step) => graph.nodes[step]!.community).filter((community) => community >= 0)).size;
}

/** Whether `inner` is a part of `outer` without gaps. */
function contains(outer: readonly number[], inner: readonly number[]): boolean {
  const last = outer.length - inner.length;
  for (let start = outer.indexOf(inner[0]!); start >= 0 && start <= last; start = outer.indexOf(inner[0]!, start + 1)) {
    if (inner.every((node, i) => outer[start + i] === node)) return true;
  }
  return false;
}

function compareFlows(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}

function titleOf(node: GraphNode): string {
  return node.owner === "" ? node.name : `${node.owner}.${node.name}`;
}
