import { EDGE_TYPES, EdgeColumns, Graph, type EdgeType, type GraphNode } from "./graph.ts";

/** What a caller must say of a node; the rest has the values of "nothing known". */
export type NodeInit = Pick<GraphNode, "id" | "kind" | "name"> & Partial<GraphNode>;

/** Field by field: nodes of one shape are quick to make and to read, and there are tens of thousands. */
export function nodeOf(init: NodeInit): GraphNode {
  return {
    id: init.id, kind: init.kind, name: init.name, file: init.file ?? "", line: init.line ?? 0, startLine: init.startLine ?? 0, endLine: init.endLine ?? 0,
    owner: init.owner ?? "", language: init.language ?? "", exported: init.exported ?? false, test: init.test ?? false,
    generated: init.generated ?? false, origin: init.origin ?? "", signature: init.signature ?? "", entry: init.entry ?? "",
  };
}

/**
 * Collects nodes and edges and makes a Graph of them. An id given a second time gets `#2` appended, then `#3`; so ids
 * are stable as long as the order of nodes is.
 */
export class GraphBuilder {
  private readonly ids = new Map<string, number>();
  /** How often an id was given that somebody had. */
  private readonly again = new Map<string, number>();

  /** Begins with the first `count` nodes of a graph, and the edges between them. What is added must have other ids. `room`: for the edges. */
  static of(graph: Graph, count: number, room = new EdgeColumns()): GraphBuilder {
    graph.copyEdges(room.clear(), count);
    return new GraphBuilder(room, graph.nodes.slice(0, count));
  }

  /** Goes on with edges, which belong to it until the graph is built, and with nodes whose ids are all different. What is added must have other ids. */
  constructor(private readonly edges = new EdgeColumns(), readonly nodes: GraphNode[] = []) {}

  /** Returns the node's index. Other graphs may share the node. */
  node(init: NodeInit): number {
    return this.add(nodeOf(init));
  }

  /** The same with a node that is made; it is not changed. */
  add(node: GraphNode): number {
    const id = this.unique(node.id);
    const index = this.nodes.push(id === node.id ? node : { ...node, id }) - 1;
    this.ids.set(id, index);
    return index;
  }

  /** The node's index, or undefined. */
  find(id: string): number | undefined {
    return this.ids.get(id);
  }

  /** An edge, given once for the same ends and type. */
  edge(from: number, to: number, type: EdgeType, confidence = 1, line = 0, moreLines: readonly number[] = []): void {
    this.edges.push(from, to, EDGE_TYPES.indexOf(type), confidence, line);
    for (const more of moreLines) this.edges.site(more);
  }

  build(): Graph {
    return new Graph(this.nodes, this.edges, this.ids.size === this.nodes.length ? this.ids : undefined);
  }

  private unique(id: string): string {
    if (!this.ids.has(id)) return id;
    const count = (this.again.get(id) ?? 1) + 1;
    this.again.set(id, count);
    // A file may really be called "a.ts#2": go on until the id is free.
    return this.unique(`${id}#${count}`);
  }
}
