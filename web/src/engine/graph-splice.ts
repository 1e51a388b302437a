import { GraphBuilder } from "./graph-builder.ts";
import type { EdgeColumns, Graph, GraphNode } from "./graph.ts";
import { ownedMethods, type FileNodes, type FileStructure } from "./structure.ts";

/** A file of a graph, with its place there. */
export interface PlacedFile {
  path: string;
  at: FileNodes;
  structure: FileStructure;
}

/** A file whose nodes are others now. */
export interface ChangedFile extends PlacedFile {
  /** Its nodes as they were. */
  before: FileStructure;
  /** Where each of its symbols stands now, -1 where it does not. */
  now: readonly number[];
}

/** A graph with some files' nodes and edges put in anew. */
export interface Spliced {
  /** All but what leaves the files that are open; to be completed. */
  builder: GraphBuilder;
  /** The new node of each old one, -1 for none. */
  now: Int32Array;
}

/** The first `count` nodes of a graph with other nodes for some files, by their order, and the edges between them but those that leave `open` files. `room`: for the edges. */
export function spliced(graph: Graph, count: number, changed: readonly ChangedFile[], open: readonly PlacedFile[], room: EdgeColumns): Spliced {
  const now = new Int32Array(count);
  const parts: (readonly GraphNode[])[] = [];
  let copied = 0;
  let length = 0;
  const copy = (to: number): void => {
    for (let node = copied; node < to; node++) now[node] = length + node - copied;
    parts.push(graph.nodes.slice(copied, to));
    length += to - copied;
    copied = to;
  };
  for (const { at, before, now: symbols, structure } of changed) {
    copy(at.symbols);
    symbols.forEach((symbol, i) => {
      now[at.symbols + i] = symbol < 0 ? -1 : length + symbol;
    });
    parts.push(unique(structure.symbols));
    length += structure.symbols.length;
    copied += before.symbols.length;
  }
  copy(count);
  const nodes = parts.flat();
  for (const { at, structure } of changed) nodes[at.file] = structure.file;

  const leaves = new Uint8Array(count);
  const before = new Map(changed.map((file) => [file.path, file.before]));
  for (const { path, at, structure } of open) {
    leaves[at.file] = 1;
    leaves.fill(1, at.symbols, at.symbols + (before.get(path) ?? structure).symbols.length);
  }
  graph.copyEdges(room.clear(), count, now, leaves);
  return { builder: new GraphBuilder(room, nodes), now };
}

/** Adds what files define: their own symbols, and methods of their types in files of the folder. `folders` has all files of theirs. */
export function addDefinitions(builder: GraphBuilder, files: readonly PlacedFile[], folders: ReadonlyMap<string, readonly PlacedFile[]>): void {
  const sources = new Set<number>();
  for (const { at, structure: { symbols, parents } } of files) {
    symbols.forEach((_, i) => {
      sources.add(at.symbols + i);
      builder.edge(parents[i]! < 0 ? at.file : at.symbols + parents[i]!, at.symbols + i, "DEFINES");
    });
  }
  for (const folder of new Set(files.map(({ structure }) => structure.folder))) {
    ownedMethods(folders.get(folder)!, (type, method) => {
      if (sources.has(type)) builder.edge(type, method, "DEFINES");
    });
  }
}

/** With the ids that they get in a graph. */
function unique(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const builder = new GraphBuilder();
  for (const node of nodes) builder.add(node);
  return builder.nodes;
}
