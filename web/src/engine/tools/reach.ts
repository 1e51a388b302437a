/** Walks the graph from one or several targets along what depends on them, or what they depend on, breadth first. */
import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES, type EdgeType, type Graph } from "../graph.ts";
import { SURE } from "../summary.ts";
import { DEPENDENCE, isSymbol } from "./codebase-index.ts";

export type Direction = "upstream" | "downstream";

export interface ReachOptions {
  direction: Direction;
  maxDepth: number;
  relationTypes: readonly EdgeType[];
  minConfidence: number;
  includeTests: boolean;
  /** Called now and then; throws to stop. */
  checkpoint: () => Promise<void>;
  /** Ends the walk at the first depth that has such a node. */
  until?: (node: number) => boolean;
}

/** A node that was reached, by the surest of the edges that lead to it at its depth. */
export interface Reached {
  node: number;
  depth: number;
  type: EdgeType;
  confidence: number;
  /** The edge between it and `via`; -1 where its type is what depends. */
  edge: number;
  /** Upstream: its edges to others of the same depth as `via`, which are about its own lines, too. */
  further: number[];
  /** The node that it was reached from. */
  via: number;
  /** No edge on the way is only possible or a guess. */
  sure: boolean;
}

/** Dependents that were met and left out, the nearest first; none that another edge reached. */
export interface Omitted {
  /** Below the confidence asked for. */
  unsure: Reached[];
  tests: Reached[];
}

export interface Reach {
  /** Where the walk began: the targets and what belongs to them. */
  seeds: ReadonlySet<number>;
  /** By depth, from 1; the last is not empty. */
  levels: Reached[][];
  omitted: Omitted;
  /** How many the next depth would add, of those that were asked for. */
  beyond: number;
}

const STEPS_A_TURN = 5000;
/** How sure it is that what is handed a class calls a method of its objects. */
const POSSIBLE = 0.5;

/**
 * A type stands for itself and its members, a file for itself and all that it defines: what depends on a part
 * depends on it. Upstream, the methods that implement or override a method depend on it, since they have to follow a
 * change of it; their callers are at the next depth. That a call through an interface may end in one of the
 * implementations is in the graph itself, as calls of low confidence, so nothing of the kind is added here. What uses a variable depends
 * on what is named where its file gives it a value; who hands on a class as a value, perhaps on its methods that nothing is sure to call.
 */
export async function reach(codebase: Codebase, targets: readonly number[], options: ReachOptions): Promise<Reach> {
  const { graph } = codebase;
  const seeds = new Set(targets.flatMap((target) => [...partsOf(graph, target)]));
  const seen = new Set(seeds);
  const unsure = new Map<number, Reached>();
  const tests = new Map<number, Reached>();
  const sureOf = new Map<number, boolean>();
  const levels: Reached[][] = [];
  const wanted = new Set(options.relationTypes);
  let last: ReadonlyMap<number, Reached> = new Map();
  let frontier = [...seeds];
  let steps = 0;
  for (let depth = 1; depth <= options.maxDepth && frontier.length > 0; depth++) {
    const level = new Map<number, Reached>();
    for (const via of frontier) {
      if (++steps % STEPS_A_TURN === 0) await options.checkpoint();
      for (const next of neighbours(graph, via, options.direction, wanted, last.get(via))) {
        if (seen.has(next.node)) continue;
        const sure = (sureOf.get(via) ?? true) && next.confidence >= SURE - 1e-6;
        const left = !options.includeTests && graph.nodes[next.node]!.test ? tests : next.confidence < options.minConfidence - 1e-6 ? unsure : undefined;
        if (left) {
          if (!left.has(next.node)) left.set(next.node, { ...next, depth, via, further: [], sure });
        } else {
          const known = level.get(next.node);
          const further = known && options.direction === "upstream" ? [...known.further, known.edge, next.edge].filter((e) => e >= 0) : [];
          if (!known || next.confidence > known.confidence) level.set(next.node, { ...next, depth, via, further, sure: sure || known?.sure === true });
          else known.further = further;
        }
      }
    }
    if (level.size === 0) break;
    levels.push([...level.values()]);
    for (const { node, sure } of level.values()) {
      seen.add(node);
      sureOf.set(node, sure);
    }
    last = level;
    frontier = [...level.keys()];
    if (options.until && frontier.some(options.until)) break;
  }
  const beyond = new Set<number>();
  for (const via of frontier) {
    if (++steps % STEPS_A_TURN === 0) await options.checkpoint();
    for (const { node, confidence } of neighbours(graph, via, options.direction, wanted, last.get(via))) {
      if (!seen.has(node) && (options.includeTests || !graph.nodes[node]!.test) && confidence >= options.minConfidence - 1e-6) beyond.add(node);
    }
  }
  const unreached = (left: ReadonlyMap<number, Reached>): Reached[] => [...left.values()].filter(({ node }) => !seen.has(node));
  return { seeds, levels, omitted: { unsure: unreached(unsure), tests: unreached(tests) }, beyond: beyond.size };
}

/** Dependents at whatever depth. */
export interface AnyDepth {
  /** The seeds and what surely depends on them outside of tests, the nearest first. */
  nodes: ReadonlySet<number>;
  /** Those on which nothing of the kind depends. */
  ends: number[];
}

/** Walks on from `seeds` without a depth, and stops at `enough` dependents. */
export function dependentsAtAnyDepth(graph: Graph, seeds: ReadonlySet<number>, enough: number): AnyDepth {
  const nodes = new Set(seeds);
  const wanted = new Set(DEPENDENCE);
  const ends: number[] = [];
  const last = new Map<number, Reached>();
  for (const via of nodes) {
    let isEnd = true;
    for (const next of neighbours(graph, via, "upstream", wanted, last.get(via))) {
      if (next.node === via || next.confidence < SURE - 1e-6 || graph.nodes[next.node]!.test) continue;
      isEnd = false;
      if (nodes.has(next.node)) continue;
      nodes.add(next.node);
      last.set(next.node, { ...next, depth: 0, via, further: [], sure: true });
      if (nodes.size - seeds.size >= enough) return { nodes, ends };
    }
    if (isEnd) ends.push(via);
  }
  return { nodes, ends };
}

/** The node and everything that it defines, directly or inside. */
export function partsOf(graph: Graph, node: number): Set<number> {
  const parts = new Set([node]);
  const { kind } = graph.nodes[node]!;
  // What is nested in a function is reached through its calls.
  if (kind === "Function" || kind === "Method" || kind === "Variable" || kind === "Route") return parts;
  for (const part of parts) {
    for (const e of graph.out(part, "DEFINES")) parts.add(graph.to[e]!);
  }
  return parts;
}

type Neighbour = Pick<Reached, "node" | "type" | "confidence" | "edge">;

/** `reached`: how a node was reached that is no seed. */
function* neighbours(graph: Graph, node: number, direction: Direction, wanted: ReadonlySet<EdgeType>, reached?: Reached): Generator<Neighbour> {
  const upstream = direction === "upstream";
  if (upstream && reached && graph.nodes[node]!.kind === "File") yield* variablesAt(graph, node, reached);
  for (const e of upstream ? graph.in(node) : graph.out(node)) {
    const type = EDGE_TYPES[graph.type[e]!]!;
    if (!wanted.has(type)) continue;
    yield { node: upstream ? graph.from[e]! : graph.to[e]!, type, confidence: graph.confidence[e]!, edge: e };
  }
  if (!upstream || graph.nodes[node]!.kind !== "Method") return;
  for (const follower of implementations(graph, node)) if (wanted.has(follower.type)) yield follower;
  if (wanted.has("REFERENCES")) yield* handedOn(graph, node);
}

/** Who hands on the class of a method that no code is sure to call: what gets the class may make objects, and call it. */
function* handedOn(graph: Graph, method: number): Generator<Neighbour> {
  if (graph.in(method, "CALLS").some((e) => graph.confidence[e]! >= SURE - 1e-6)) return;
  for (const owned of graph.in(method, "DEFINES")) {
    for (const e of graph.in(graph.from[owned]!, "REFERENCES")) yield { node: graph.from[e]!, type: "REFERENCES", confidence: Math.min(POSSIBLE, graph.confidence[e]!), edge: e };
  }
}

/** The variables of a file that get their values on the lines where it names what it was reached from. */
function* variablesAt(graph: Graph, file: number, { edge, further, type, confidence }: Reached): Generator<Neighbour> {
  const lines = [edge, ...further].filter((e) => e >= 0).flatMap((e) => graph.sites(e));
  for (const e of graph.out(file, "DEFINES")) {
    const { kind, startLine, endLine } = graph.nodes[graph.to[e]!]!;
    if (kind === "Variable" && lines.some((line) => line >= startLine && line <= endLine)) yield { node: graph.to[e]!, type, confidence, edge };
  }
}

/**
 * The methods that implement or override a method: those of its name in the types that implement or extend its type,
 * directly or through others. `type` is the relation of the types, `confidence` that of the least sure link.
 */
export function* implementations(graph: Graph, method: number): Generator<Neighbour> {
  const { name } = graph.nodes[method]!;
  const subtypes = new Map<number, Pick<Neighbour, "type" | "confidence">>();
  const collect = (type: number, via: Pick<Neighbour, "type" | "confidence"> | undefined): void => {
    for (const relation of ["IMPLEMENTS", "EXTENDS"] as const) {
      for (const e of graph.in(type, relation)) {
        const subtype = graph.from[e]!;
        if (subtypes.has(subtype)) continue;
        const link = { type: via?.type === "IMPLEMENTS" ? via.type : relation, confidence: Math.min(via?.confidence ?? 1, graph.confidence[e]!) };
        subtypes.set(subtype, link);
        collect(subtype, link);
      }
    }
  };
  for (const e of graph.in(method, "DEFINES")) {
    const owner = graph.from[e]!;
    if (isSymbol(graph.nodes[owner]!)) collect(owner, undefined);
  }
  for (const [type, link] of subtypes) {
    for (const e of graph.out(type, "DEFINES")) {
      const node = graph.to[e]!;
      const { kind, name: other } = graph.nodes[node]!;
      if (node !== method && kind === "Method" && other === name) yield { node, ...link, edge: -1 };
    }
  }
}
