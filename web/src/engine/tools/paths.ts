/** Shortest paths along calls, searched from both ends at once. */
import { EDGE_TYPES, type Graph } from "../graph.ts";

export interface PathOptions {
  maxCalls: number;
  minConfidence: number;
  /** Whether a path may go through a node. Ends are not asked about. Default: all. */
  through?: (node: number) => boolean;
  /** Whether a path may go to functions that are named and not called, too: returned, passed or stored. Default: no. */
  handsOn?: boolean;
}

export interface CallPath {
  /** One more than there are edges. */
  nodes: number[];
  /** The call from each node to the next. */
  edges: number[];
}

export interface PathSearch {
  /** The shortest path; of several of that length the one whose calls are together the surest, then the first in the graph. */
  path: CallPath | undefined;
  /** Nodes that were looked at. */
  visited: number;
}

const CALLS = EDGE_TYPES.indexOf("CALLS");
/** From a route to what it runs. */
const HANDLES = EDGE_TYPES.indexOf("HANDLES");
const REFERENCES = EDGE_TYPES.indexOf("REFERENCES");
/** How sure it is that a function that is handed on runs: less so than any call that is told. */
const HANDED_ON = 0.2;

/**
 * The shortest way along calls from one of some nodes to one of others. Each round widens the smaller of the two
 * frontiers by one call, so that a path of n calls costs two searches of n / 2.
 */
export function shortestPath(graph: Graph, from: Iterable<number>, to: Iterable<number>, options: PathOptions): PathSearch {
  const [starts, ends] = [new Set(from), new Set(to)];
  const { through } = options;
  const passable = (node: number): boolean => !through || through(node) || starts.has(node) || ends.has(node);
  const ahead = new Side(graph, starts, "out", options, passable);
  const behind = new Side(graph, ends, "in", options, passable);
  const search = (path?: CallPath): PathSearch => ({ path, visited: ahead.visited + behind.visited });
  let meeting = [...ahead.frontier].filter((node) => behind.distance[node]! >= 0);
  while (meeting.length === 0) {
    if (ahead.frontier.length === 0 || behind.frontier.length === 0 || ahead.depth + behind.depth >= options.maxCalls) return search();
    const [side, other] = ahead.frontier.length <= behind.frontier.length ? [ahead, behind] : [behind, ahead];
    side.widen();
    // Nothing met before, so what meets now is as far from the other end as that side has come.
    meeting = side.frontier.filter((node) => other.distance[node]! >= 0);
  }
  let best = meeting[0]!;
  for (const node of meeting) {
    const more = ahead.surest(node).chance * behind.surest(node).chance - ahead.surest(best).chance * behind.surest(best).chance;
    if (more > 0 || (more === 0 && node < best)) best = node;
  }
  const first = ahead.edgesFrom(best).reverse();
  const edges = [...first, ...behind.edgesFrom(best)];
  const start = edges.length > 0 ? graph.from[edges[0]!]! : best;
  return search({ nodes: [start, ...edges.map((e) => graph.to[e]!)], edges });
}

/** The search from one end. */
class Side {
  /** From this end, in calls; -1 where it has not come yet. */
  readonly distance: Int16Array;
  frontier: number[];
  depth = 0;
  visited: number;
  private readonly known = new Map<number, { chance: number; edge: number }>();

  constructor(
    private readonly graph: Graph, ends: ReadonlySet<number>, private readonly way: "out" | "in",
    private readonly options: PathOptions, private readonly passable: (node: number) => boolean,
  ) {
    this.distance = new Int16Array(graph.nodes.length).fill(-1);
    this.frontier = [...ends];
    for (const node of this.frontier) this.distance[node] = 0;
    this.visited = this.frontier.length;
  }

  widen(): void {
    const { graph, way } = this;
    const next: number[] = [];
    this.depth++;
    for (const node of this.frontier) {
      const [start, end] = way === "out" ? [graph.outStart[node]!, graph.outStart[node + 1]!] : [graph.inStart[node]!, graph.inStart[node + 1]!];
      for (let i = start; i < end; i++) {
        const e = way === "out" ? i : graph.inEdges[i]!;
        if (!this.follows(e)) continue;
        const other = way === "out" ? graph.to[e]! : graph.from[e]!;
        if (this.distance[other]! >= 0 || !this.passable(other)) continue;
        this.distance[other] = this.depth;
        next.push(other);
      }
    }
    this.visited += next.length;
    this.frontier = next;
  }

  /** How sure the surest shortest way between this end and a node is, and its call that is next to the node; -1 at the end itself. */
  surest(node: number): { chance: number; edge: number } {
    const known = this.known.get(node);
    if (known) return known;
    const { graph, way, distance } = this;
    let best = { chance: distance[node] === 0 ? 1 : 0, edge: -1 };
    if (distance[node]! > 0) {
      for (const e of way === "out" ? graph.in(node) : graph.out(node)) {
        const before = way === "out" ? graph.from[e]! : graph.to[e]!;
        if (!this.follows(e) || distance[before] !== distance[node]! - 1) continue;
        const chance = this.surest(before).chance * (graph.type[e] === REFERENCES ? HANDED_ON : graph.confidence[e]!);
        if (best.edge < 0 || chance > best.chance) best = { chance, edge: e };
      }
    }
    this.known.set(node, best);
    return best;
  }

  /** The calls of that way, from the node to this end. */
  edgesFrom(node: number): number[] {
    const edges: number[] = [];
    for (let { edge } = this.surest(node); edge >= 0; { edge } = this.surest(this.way === "out" ? this.graph.from[edge]! : this.graph.to[edge]!)) edges.push(edge);
    return edges;
  }

  private follows(e: number): boolean {
    const { graph, options } = this;
    const type = graph.type[e];
    if (graph.confidence[e]! < options.minConfidence - 1e-6) return false;
    if (type === CALLS || type === HANDLES) return true;
    if (options.handsOn !== true || type !== REFERENCES) return false;
    const { kind } = graph.nodes[graph.to[e]!]!;
    return kind === "Function" || kind === "Method";
  }
}
