import type { EntryKind, SymbolKind } from "./facts.ts";
import type { Origin } from "./origin.ts";

export type NodeKind = "File" | "Folder" | SymbolKind | "Community" | "Process";

export const EDGE_TYPES = [
  "CALLS", "REFERENCES", "HANDLES", "IMPORTS", "EXTENDS", "IMPLEMENTS", "CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS",
] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

export interface GraphNode {
  /** Stable across runs: `File:src/a.ts`, `Function:src/a.ts:main`, `Method:src/a.ts:Server.run`, `#2` appended to a second one of the same name. `Community:3`, `Process:7`. */
  id: string;
  kind: NodeKind;
  /** Simple name; for File and Folder the last path element, for Community and Process a label for people. */
  name: string;
  /** Path from the repository's root; "" for Community and Process and for the root folder. */
  file: string;
  /** 1-based line of the name; 0 for nodes that are no declarations. */
  line: number;
  startLine: number;
  endLine: number;
  /** The type a method belongs to; "" where there is none. */
  owner: string;
  language: string;
  exported: boolean;
  /** The file is a test or the symbol is in one. */
  test: boolean;
  /** Not written here; `origin` says why. What is comes first, and hotspots are only there. */
  generated: boolean;
  origin: Origin;
  signature: string;
  entry: EntryKind | "";
}

/** One edge as an object, for the places where speed does not matter. */
export interface Edge {
  from: number;
  to: number;
  type: EdgeType;
  confidence: number;
  /** 1-based line of the call, reference or import in `from`'s file; for STEP_IN_PROCESS the 1-based step; else 0. */
  line: number;
}

/** Edges in columns, in the order they were added: a hundred thousand of them leave nothing to collect. Numbers beyond `length` mean nothing. */
export class EdgeColumns {
  length = 0;
  from: Uint32Array<ArrayBuffer>;
  to: Uint32Array<ArrayBuffer>;
  /** Index into EDGE_TYPES. */
  type: Uint8Array<ArrayBuffer>;
  confidence: Float32Array<ArrayBuffer>;
  line: Uint32Array<ArrayBuffer>;
  /** Further lines of few edges, as edge and line side by side, in the order of the edges. */
  sites = 0;
  siteEdge = new Uint32Array(1024);
  siteLine = new Uint32Array(1024);

  /** `room`: for how many edges there is room at first. */
  constructor(room = 0) {
    const size = Math.max(1024, room);
    this.from = new Uint32Array(size);
    this.to = new Uint32Array(size);
    this.type = new Uint8Array(size);
    this.confidence = new Float32Array(size);
    this.line = new Uint32Array(size);
  }

  static of(edges: readonly Edge[]): EdgeColumns {
    const columns = new EdgeColumns(edges.length);
    for (const { from, to, type, confidence, line } of edges) columns.push(from, to, EDGE_TYPES.indexOf(type), confidence, line);
    return columns;
  }

  push(from: number, to: number, type: number, confidence: number, line: number): void {
    const at = this.length;
    if (at === this.from.length) this.grow();
    this.from[at] = from;
    this.to[at] = to;
    this.type[at] = type;
    this.confidence[at] = confidence;
    this.line[at] = line;
    this.length = at + 1;
  }

  /** Takes all edges out. What comes next needs no new memory. */
  clear(): this {
    this.length = this.sites = 0;
    return this;
  }

  /** A further line of the edge that was pushed last. */
  site(line: number): void {
    const at = this.sites;
    if (at === this.siteEdge.length) {
      this.siteEdge = longer(this.siteEdge);
      this.siteLine = longer(this.siteLine);
    }
    this.siteEdge[at] = this.length - 1;
    this.siteLine[at] = line;
    this.sites = at + 1;
  }

  private grow(): void {
    this.from = longer(this.from);
    this.to = longer(this.to);
    this.type = longer(this.type);
    this.confidence = longer(this.confidence);
    this.line = longer(this.line);
  }
}

type Column = Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** The same column with twice the room. */
function longer<T extends Column>(column: T): T {
  const twice = new (column.constructor as new (length: number) => T)(2 * column.length);
  twice.set(column);
  return twice;
}

/** An edge leads to a node that is there no more. */
export class GoneNode extends Error {}

/** A table of ids is worth making from this question on: a graph that is being edited is asked little before the next one is there. */
const TABLE_FROM = 4;

/**
 * An immutable graph: nodes by index, edges in columns sorted by source, and an
 * index of edges by target. Build one with GraphBuilder.
 */
export class Graph {
  readonly nodes: readonly GraphNode[];
  /** Index of the Community node that a node is a member of; -1 for none. */
  readonly community: Int32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Index into EDGE_TYPES. */
  readonly type: Uint8Array;
  readonly confidence: Float32Array;
  /** Of the surest site; `sites` has them all. */
  readonly line: Uint32Array;
  /** Further lines of few edges, as edge and line side by side, sorted by edge. */
  private readonly siteEdge: Uint32Array;
  private readonly siteLine: Uint32Array;
  /** For walks that must not allocate: a node's edges are `outStart[node]` up to `outStart[node + 1]` … */
  readonly outStart: Uint32Array;
  /** … and `inEdges[i]` for i from `inStart[node]` up to `inStart[node + 1]`. */
  readonly inStart: Uint32Array;
  readonly inEdges: Uint32Array;
  /** How often a node was looked for without a table. */
  private asked = 0;

  /** `byId`: the nodes' indexes, when somebody has them; others may be among them. */
  constructor(nodes: readonly GraphNode[], edges: readonly Edge[] | EdgeColumns, private byId?: ReadonlyMap<string, number>) {
    this.nodes = nodes;
    const given = edges instanceof EdgeColumns ? edges : EdgeColumns.of(edges);
    const n = nodes.length;
    // All loops are over constants of this function: after an edit they run in code that is not yet optimised, and there are many edges.
    const { length: m, from: sources, to: targets, type: types, confidence: confidences, line: lines, sites, siteEdge: edgeOf, siteLine: lineOf } = given;
    const outStart = (this.outStart = new Uint32Array(n + 1));
    const inStart = (this.inStart = new Uint32Array(n + 1));
    for (let i = 0; i < m; i++) {
      outStart[sources[i]! + 1]!++;
      inStart[targets[i]! + 1]!++;
    }
    for (let i = 0; i < n; i++) {
      outStart[i + 1]! += outStart[i]!;
      inStart[i + 1]! += inStart[i]!;
    }
    const from = (this.from = new Uint32Array(m));
    const to = (this.to = new Uint32Array(m));
    const type = (this.type = new Uint8Array(m));
    const confidence = (this.confidence = new Float32Array(m));
    const line = (this.line = new Uint32Array(m));
    const community = (this.community = new Int32Array(n).fill(-1));
    const outNext = outStart.slice();
    const memberOf = EDGE_TYPES.indexOf("MEMBER_OF");
    /** Where the edges of the sites are now. */
    const placed = new Uint32Array(sites);
    for (let i = 0, site = 0; i < m; i++) {
      const source = sources[i]!;
      const at = outNext[source]!++;
      from[at] = source;
      to[at] = targets[i]!;
      type[at] = types[i]!;
      confidence[at] = confidences[i]!;
      line[at] = lines[i]!;
      if (type[at] === memberOf) community[source] = to[at];
      for (; site < sites && edgeOf[site] === i; site++) placed[site] = at;
    }
    const inEdges = (this.inEdges = new Uint32Array(m));
    const inNext = inStart.slice();
    for (let at = 0; at < m; at++) inEdges[inNext[to[at]!]!++] = at;

    // The edges of one node have kept their order: by node they are sorted.
    const siteNext = new Uint32Array(n + 1);
    for (let site = 0; site < sites; site++) siteNext[from[placed[site]!]! + 1]!++;
    for (let i = 0; i < n; i++) siteNext[i + 1]! += siteNext[i]!;
    const siteEdge = (this.siteEdge = new Uint32Array(sites));
    const siteLine = (this.siteLine = new Uint32Array(sites));
    for (let site = 0; site < sites; site++) {
      const at = siteNext[from[placed[site]!]!]!++;
      siteEdge[at] = placed[site]!;
      siteLine[at] = lineOf[site]!;
    }
  }

  get edgeCount(): number {
    return this.from.length;
  }

  /** The node's index, or undefined. */
  find(id: string): number | undefined {
    if (!this.byId && ++this.asked < TABLE_FROM) {
      const { nodes } = this;
      for (let i = 0; i < nodes.length; i++) if (nodes[i]!.id === id) return i;
      return undefined;
    }
    this.byId ??= new Map(this.nodes.map((node, i) => [node.id, i]));
    return this.byId.get(id);
  }

  edge(index: number): Edge {
    return {
      from: this.from[index]!, to: this.to[index]!, type: EDGE_TYPES[this.type[index]!]!,
      confidence: this.confidence[index]!, line: this.line[index]!,
    };
  }

  /** The lines of all calls, references or imports that an edge stands for, in the file of its `from`, ascending; none for an edge without a line. */
  sites(index: number): number[] {
    if (this.line[index] === 0) return [];
    let low = 0;
    for (let high = this.siteEdge.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (this.siteEdge[middle]! < index) low = middle + 1;
      else high = middle;
    }
    const lines = new Set([this.line[index]!]);
    for (; this.siteEdge[low] === index; low++) lines.add(this.siteLine[low]!);
    return [...lines].sort((a, b) => a - b);
  }

  /** The lines that `line` does not have, as edge and line by turns; ascending by edge. */
  moreLines(): Uint32Array<ArrayBuffer> {
    const { siteEdge, siteLine } = this;
    const lines = new Uint32Array(2 * siteEdge.length);
    for (let site = 0; site < siteEdge.length; site++) {
      lines[2 * site] = siteEdge[site]!;
      lines[2 * site + 1] = siteLine[site]!;
    }
    return lines;
  }

  /**
   * Adds the edges between the first `count` nodes to others, in the same order. For nodes that are others now: `now` has their new
   * indexes, and of those that are marked in `left` no edges are wanted.
   */
  copyEdges(edges: EdgeColumns, count: number, now?: Int32Array, left?: Uint8Array): void {
    const { from, to, type, confidence, line, siteEdge, siteLine } = this;
    const end = this.outStart[count]!;
    for (let e = 0, site = 0; e < end; e++) {
      while (siteEdge[site]! < e) site++;
      const source = from[e]!;
      const target = to[e]!;
      if (target >= count || left?.[source] === 1) continue;
      if (now && now[target]! < 0) throw new GoneNode(`${EDGE_TYPES[type[e]!]!} from ${this.nodes[source]!.id} to what is gone, ${this.nodes[target]!.id}`);
      edges.push(now ? now[source]! : source, now ? now[target]! : target, type[e]!, confidence[e]!, line[e]!);
      for (; siteEdge[site] === e; site++) edges.site(siteLine[site]!);
    }
  }

  /** Indexes of the edges that leave a node, all types or one. */
  out(node: number, type?: EdgeType): number[] {
    const edges: number[] = [];
    const want = type === undefined ? -1 : EDGE_TYPES.indexOf(type);
    for (let e = this.outStart[node]!; e < this.outStart[node + 1]!; e++) {
      if (want < 0 || this.type[e] === want) edges.push(e);
    }
    return edges;
  }

  /** Indexes of the edges that arrive at a node, all types or one. */
  in(node: number, type?: EdgeType): number[] {
    const edges: number[] = [];
    const want = type === undefined ? -1 : EDGE_TYPES.indexOf(type);
    for (let i = this.inStart[node]!; i < this.inStart[node + 1]!; i++) {
      const e = this.inEdges[i]!;
      if (want < 0 || this.type[e] === want) edges.push(e);
    }
    return edges;
  }
}
