import type { EntryKind, SymbolKind } from "./facts.ts";
import type { Origin } from "./origin.ts";

export type NodeKind = "File" | "Folder" | SymbolKind | "Community" | "Process";

export const EDGE_TYPES = [
  "CALLS", "IMPORTS", "EXTENDS", "IMPLEMENTS", "CONTAINS", "DEFINES", "MEMBER_OF", "STEP_IN_PROCESS",
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
  /** 1-based line of the call or import in `from`'s file; for STEP_IN_PROCESS the 1-based step; else 0. */
  line: number;
  /** Lines of further calls or imports between the same two, in any order. */
  moreLines?: number[];
}

/** Edges in columns, in the order they were added: a hundred thousand of them leave nothing to collect. */
export class EdgeColumns {
  length = 0;
  /** Ends, EDGE_TYPES index and line, side by side. */
  private numbers: Uint32Array<ArrayBuffer>;
  private confidences: Float64Array<ArrayBuffer>;
  /** `moreLines` of those that have some. */
  readonly moreLines = new Map<number, readonly number[]>();

  /** `room`: for how many edges there is room at first. */
  constructor(room = 0) {
    const size = Math.max(1024, room);
    this.numbers = new Uint32Array(4 * size);
    this.confidences = new Float64Array(size);
  }

  static of(edges: readonly Edge[]): EdgeColumns {
    const columns = new EdgeColumns(edges.length);
    for (const { from, to, type, confidence, line, moreLines } of edges) columns.push(from, to, EDGE_TYPES.indexOf(type), confidence, line, moreLines);
    return columns;
  }

  push(from: number, to: number, type: number, confidence: number, line: number, moreLines?: readonly number[]): void {
    if (this.length === this.confidences.length) this.grow();
    const at = 4 * this.length;
    this.numbers[at] = from;
    this.numbers[at + 1] = to;
    this.numbers[at + 2] = type;
    this.numbers[at + 3] = line;
    this.confidences[this.length] = confidence;
    if (moreLines) this.moreLines.set(this.length, moreLines);
    this.length++;
  }

  from(index: number): number {
    return this.numbers[4 * index]!;
  }

  to(index: number): number {
    return this.numbers[4 * index + 1]!;
  }

  type(index: number): number {
    return this.numbers[4 * index + 2]!;
  }

  line(index: number): number {
    return this.numbers[4 * index + 3]!;
  }

  confidence(index: number): number {
    return this.confidences[index]!;
  }

  /** Another site of an edge, as `addSite` has it. */
  addSite(index: number, confidence: number, line: number): void {
    const edge: Parameters<typeof addSite>[0] = { confidence: this.confidence(index), line: this.line(index) };
    const moreLines = this.moreLines.get(index);
    if (moreLines) edge.moreLines = [...moreLines];
    addSite(edge, confidence, line);
    this.confidences[index] = edge.confidence;
    this.numbers[4 * index + 3] = edge.line;
    if (edge.moreLines) this.moreLines.set(index, edge.moreLines);
  }

  private grow(): void {
    const { numbers, confidences } = this;
    this.numbers = new Uint32Array(2 * numbers.length);
    this.numbers.set(numbers);
    this.confidences = new Float64Array(2 * confidences.length);
    this.confidences.set(confidences);
  }
}

/** The same relation once more: the surest site's line comes first, the others after it. */
export function addSite(edge: Pick<Edge, "confidence" | "line" | "moreLines">, confidence: number, line: number): void {
  let other = line;
  if (line > 0 && (confidence > edge.confidence || edge.line === 0)) {
    other = edge.line;
    edge.line = line;
  }
  edge.confidence = Math.max(edge.confidence, confidence);
  if (other > 0 && other !== edge.line && !edge.moreLines?.includes(other)) (edge.moreLines ??= []).push(other);
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
    const m = given.length;
    this.from = new Uint32Array(m);
    this.to = new Uint32Array(m);
    this.type = new Uint8Array(m);
    this.confidence = new Float32Array(m);
    this.line = new Uint32Array(m);
    this.community = new Int32Array(n).fill(-1);
    this.outStart = new Uint32Array(n + 1);
    this.inStart = new Uint32Array(n + 1);
    this.inEdges = new Uint32Array(m);
    for (let i = 0; i < m; i++) {
      this.outStart[given.from(i) + 1]!++;
      this.inStart[given.to(i) + 1]!++;
    }
    for (let i = 0; i < n; i++) {
      this.outStart[i + 1]! += this.outStart[i]!;
      this.inStart[i + 1]! += this.inStart[i]!;
    }
    const outNext = this.outStart.slice();
    const inNext = this.inStart.slice();
    const memberOf = EDGE_TYPES.indexOf("MEMBER_OF");
    const several: { at: number; lines: readonly number[] }[] = [];
    for (let i = 0; i < m; i++) {
      const from = given.from(i);
      const at = outNext[from]!++;
      this.from[at] = from;
      this.to[at] = given.to(i);
      this.type[at] = given.type(i);
      this.confidence[at] = given.confidence(i);
      this.line[at] = given.line(i);
      if (this.type[at] === memberOf) this.community[from] = this.to[at]!;
      const lines = given.moreLines.get(i);
      if (lines) several.push({ at, lines });
    }
    for (let at = 0; at < m; at++) this.inEdges[inNext[this.to[at]!]!++] = at;
    const further = several.reduce((sum, { lines }) => sum + lines.length, 0);
    this.siteEdge = new Uint32Array(further);
    this.siteLine = new Uint32Array(further);
    let site = 0;
    for (const { at, lines } of several.sort((a, b) => a.at - b.at)) {
      for (const line of lines) {
        this.siteEdge[site] = at;
        this.siteLine[site++] = line;
      }
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

  /** The lines of all calls or imports that an edge stands for, in the file of its `from`, ascending; none for an edge without a line. */
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

  /** The lines that `line` does not have, by edge, of those edges that have some; ascending by edge. */
  moreLines(): Map<number, number[]> {
    const lines = new Map<number, number[]>();
    this.siteEdge.forEach((edge, site) => {
      const known = lines.get(edge);
      if (known) known.push(this.siteLine[site]!);
      else lines.set(edge, [this.siteLine[site]!]);
    });
    return lines;
  }

  /** Copies the edges between the first `count` nodes, in the same order, but those that leave the nodes marked; `now` has the nodes' new indexes. */
  copyEdges(into: EdgeColumns, count: number, now: Int32Array, marked: Uint8Array): void {
    const { from, to, type, confidence, line, siteEdge, siteLine } = this;
    for (let e = 0, site = 0; e < from.length; e++) {
      let lines: number[] | undefined;
      for (; siteEdge[site] === e; site++) (lines ??= []).push(siteLine[site]!);
      if (from[e]! >= count || to[e]! >= count || marked[from[e]!]) continue;
      if (now[to[e]!]! < 0) throw new GoneNode(`${EDGE_TYPES[type[e]!]!} from ${this.nodes[from[e]!]!.id} to what is gone, ${this.nodes[to[e]!]!.id}`);
      into.push(now[from[e]!]!, now[to[e]!]!, type[e]!, confidence[e]!, line[e]!, lines);
    }
  }

  /** The edges between the first `count` nodes, in the same order. */
  edgesBetween(count: number): EdgeColumns {
    const edges = new EdgeColumns();
    const more = this.moreLines();
    for (let e = 0; e < this.edgeCount; e++) {
      const lines = more.get(e);
      const from = this.from[e]!;
      const to = this.to[e]!;
      if (from < count && to < count) edges.push(from, to, this.type[e]!, this.confidence[e]!, this.line[e]!, lines);
    }
    return edges;
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
