import type { Graph, GraphNode } from "./graph.ts";
import { FOLDER_FILE } from "./labels.ts";
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
/** Flows considered of one entry point, and of those that part at their last step: of most of them what is chosen before tells half. */
const MAX_PER_ENTRY = 50;
const MAX_SIBLINGS = 3;
/** A call that stands for fewer lines than this, and than three quarters of the code base's functions have, is a detail of its caller. */
const DETAIL_LINES = 10;
/** Lines of one function that count: a table of a thousand is no more telling. */
const MAX_LINES = 200;
/** Lines behind a call, and behind an entry, from which on more of them do not make it more telling. */
const MUCH = 250;
const VERY_MUCH = 4_000;
/** Called by the language when an object is made, converted, printed or compared: nobody comes in there from outside. */
const BY_LANGUAGE = new Set([
  // JavaScript, Java, C#.
  "constructor", "toString", "toJSON", "valueOf", "hashCode", "equals", "compareTo", "compare", "clone", "finalize", "ToString", "Equals", "GetHashCode", "CompareTo", "Dispose",
  // Go.
  "String", "Error", "GoString", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalYAML", "UnmarshalYAML", "Len", "Less", "Swap",
  // Rust.
  "default", "fmt", "from", "into", "try_from", "from_str", "eq", "cmp", "partial_cmp", "hash", "drop", "deref", "deref_mut", "as_ref", "borrow",
  // Ruby.
  "initialize", "initialize_copy", "to_s", "to_str", "inspect", "method_missing", "respond_to_missing?", "==", "<=>", "eql?", "===",
]);
/** The same in Python and PHP. */
const MAGIC = /^__(?!call__|invoke$)\w+/;
const CONSTRUCTOR = /^(?:constructor|new|New|initialize|__init__|__new__|__construct)$/;
const LOGGER = /^(?:log|logger|logf|debug|debugf|info|infof|warn|warnf|trace|tracef|print|printf|println)$|^(?:log|warn|trace|debug)(?:_|(?=[A-Z]))(?!in$|out$|on$|off$)/i;
/** What makes or tells failures. */
const FAILURE = /(?:error|errorf|exception)s?$|^(?:raise|throw|fail|abort|die|panic|usage)(?:$|_|(?=[A-Z]))/i;
/** Builds the program and is no part of it. */
const BUILD = /(?:^|\/)(?:build\.rs|setup\.py|(?:gulp|grunt)file\.\w+|[^/]+\.config\.\w+)$/i;
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
    const size = weight * calls.much(entry, VERY_MUCH);
    const paths = withoutEnds(flowsFrom(entry, calls), calls)
      .map((path) => ({ steps: path.steps, sure: weight >= SURE_ENTRY, score: size * (1 + tellingOf(path, calls) + communitiesIn(graph, path.steps) / 4) }))
      .sort(byScore);
    return fewOfEach(paths).slice(0, MAX_PER_ENTRY);
  });
  const functions = graph.nodes.filter(({ kind }) => isFunction(kind)).length;
  const limit = Math.min(MAX_FLOWS, Math.max(MIN_FLOWS, Math.round(functions / 20)));
  const chosen = choose(candidates, limit);
  const labels = labelFlows(graph, chosen, calls);
  return chosen.map((steps, i) => ({ label: labels[i]!, steps, crossCommunity: communitiesIn(graph, steps) > 1 }));
}

/**
 * `entry → end`; an entry of which several files have one is told with its file's name. Where several flows share both, also the first
 * step that sets one apart, `entry → end via step`, else the file of the end.
 */
function labelFlows(graph: Graph, traces: readonly (readonly number[])[], calls: Calls): string[] {
  const flows = traces.map((steps) => steps.slice(0, tellingEnd(steps, 2, calls)));
  const titles = flows.map((steps) => steps.map((step) => titleOf(graph.nodes[step]!)));
  const files = new Map<string, Set<string>>();
  flows.forEach(([entry], i) => files.set(titles[i]![0]!, (files.get(titles[i]![0]!) ?? new Set()).add(graph.nodes[entry!]!.file)));
  const plain = titles.map((title, i) => `${title[0]!}${files.get(title[0]!)!.size > 1 ? ` (${partOf(graph.nodes[flows[i]![0]!]!.file)})` : ""} → ${title.at(-1)!}`);
  const taken = new Set<string>();
  return plain.map((label, i) => {
    const twins = flows.flatMap((_, j) => (j !== i && plain[j] === label ? [j] : []));
    const apart = titles[i]!.slice(1, -1).find((title) => !twins.some((twin) => titles[twin]!.includes(title)));
    const told = twins.length === 0 ? label : apart !== undefined ? `${label} via ${apart}` : `${label} in ${partOf(graph.nodes[flows[i]!.at(-1)!]!.file)}`;
    const longer = `${label}, ${titleOf(graph.nodes[traces[i]!.at(-1)!]!)}`;
    let unique = taken.has(told) ? longer : told;
    for (let n = 2; taken.has(unique); n++) unique = `${told} ${n}`;
    taken.add(unique);
    return unique;
  });
}

/** The name of a file, or of its folder where files are called so by habit. */
function partOf(file: string): string {
  const [name = "", folder] = file.replace(FOLDER_FILE, "").split("/").reverse();
  return name.replace(/(?<=.)\.\w+$/, "") || folder || file;
}

/** The calls that flows may follow. */
class Calls {
  private readonly calls: Call[][];
  /** Functions that call each function. */
  readonly callers: Uint32Array;
  /** Whether code outside of functions calls it. */
  readonly calledOnLoad: Uint8Array;
  /** Lines of code of each function and of what it leads to, where what several call is shared between them. */
  private readonly lines: Float64Array;
  private readonly fewLines: number;

  constructor(private readonly graph: Graph) {
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
    this.lines = this.count();
    const lengths = graph.nodes.filter(({ kind, test }) => isFunction(kind) && !test).map(({ startLine, endLine }) => endLine - startLine + 1).sort((a, b) => a - b);
    this.fewLines = Math.min(DETAIL_LINES, lengths[Math.floor(lengths.length * 0.75)] ?? 0);
  }

  private count(): Float64Array {
    const own = Float64Array.from(this.graph.nodes, ({ startLine, endLine }) => Math.min(MAX_LINES, endLine - startLine + 1));
    let lines = own;
    // As many rounds as a flow has steps; in a circle they would never end.
    for (let round = 1; round < MAX_STEPS; round++) {
      const before = lines;
      lines = own.map((sum, node) => this.calls[node]!.reduce((all, { callee }) => all + before[callee]! / this.callers[callee]!, sum));
    }
    return lines;
  }

  /** How much code a call of a function stands for, from 0 to 1, which is `most` lines and more. */
  much(node: number, most: number): number {
    return Math.min(1, Math.log2(1 + this.share(node)) / Math.log2(1 + most));
  }

  private share(node: number): number {
    return this.lines[node]! / Math.max(1, this.callers[node]!);
  }

  /** Whether one is an overload of the other. */
  isSame(a: number, b: number): boolean {
    const [one, other] = [this.graph.nodes[a]!, this.graph.nodes[b]!];
    return one.name === other.name && one.owner === other.owner && one.file === other.file;
  }

  /** Whether it is called to make an object: on the way that may lead on, as an end it is no news. */
  makes(node: number): boolean {
    const { name, owner } = this.graph.nodes[node]!;
    return name === owner || CONSTRUCTOR.test(name);
  }

  /** Whether a step is no news to whoever knows its caller: an object made, an error, a log entry, a small helper, a part of what many use. */
  isDetail(node: number): boolean {
    const { kind, name, owner } = this.graph.nodes[node]!;
    if (!isFunction(kind)) return true;
    return LOGGER.test(name) || LOGGER.test(owner) || FAILURE.test(name) || FAILURE.test(owner) || this.share(node) < this.fewLines;
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
  if (!isFunction(node.kind)) return 0;
  if (isExamplePath(node.file)) return 0.25;
  if (BUILD.test(node.file)) return 0.5;
  if (node.entry === "main" || (node.kind === "Function" && node.name === "main")) return 4;
  if (node.entry === "route" || node.entry === "handler") return 3;
  if (calls.callers[index]! > 0 || (node.kind === "Method" && BY_LANGUAGE.has(node.name)) || MAGIC.test(node.name) || calls.makes(index)) return 0;
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
      if (node !== entry && (calls.callers[node]! >= SHARED || calls.isDetail(node))) continue;
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

/** The paths without the details that they end in. A path is told once, whatever ends it has. */
function withoutEnds(paths: readonly Path[], calls: Calls): Path[] {
  const told = new Map<string, Path>();
  for (const { steps, chances } of paths) {
    const end = tellingEnd(steps, MIN_STEPS, calls);
    const key = steps.slice(0, tellingEnd(steps, 2, calls)).join(" ");
    if (!told.has(key)) told.set(key, { steps: steps.slice(0, end), chances: chances.slice(0, end) });
  }
  return [...told.values()];
}

/** How many steps are left without the details at the end, `least` at least. */
function tellingEnd(steps: readonly number[], least: number, calls: Calls): number {
  let end = steps.length;
  while (end > least && (calls.isDetail(steps[end - 1]!) || calls.makes(steps[end - 1]!))) end--;
  return end;
}

/** Of flows that differ in their last step alone, the first few: what calls two hundred others would leave no room. */
function fewOfEach(flows: readonly Candidate[]): Candidate[] {
  const counts = new Map<number, number>();
  return flows.filter(({ steps }) => {
    const parent = steps.at(-2)!;
    const count = counts.get(parent) ?? 0;
    counts.set(parent, count + 1);
    return count < MAX_SIBLINGS;
  });
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

/** High for a flow that is likely, and goes through functions that much code stands behind which few others use. Overloads count once. */
function tellingOf({ steps, chances }: Path, calls: Calls): number {
  return steps.reduce((sum, step, i) => (i === 0 || calls.isDetail(step) || calls.isSame(steps[i - 1]!, step) ? sum : sum + chances[i]! * calls.much(step, MUCH)), 0);
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
      const value = score * Math.max(news, 1 / 3) / Math.sqrt(1 + first) / (1 + (ended.get(steps.at(-1)!) ?? 0));
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

function isFunction(kind: GraphNode["kind"]): boolean {
  return kind === "Function" || kind === "Method";
}

function titleOf(node: GraphNode): string {
  return node.owner === "" ? node.name : `${node.owner}.${node.name}`;
}
