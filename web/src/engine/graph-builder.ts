import { EDGE_TYPES, Graph, type Edge, type EdgeType, type GraphNode } from "./graph.ts";

/** What a caller must say of a node; the rest has the values of "nothing known". */
export type NodeInit = Pick<GraphNode, "id" | "kind" | "name"> & Partial<GraphNode>;

/**
 * Collects nodes and edges and makes a Graph of them. An edge given several times (same ends, same
 * type) is kept once, with the highest confidence, that one's line, and the lines of the others. An id given a second time gets
 * `#2` appended, then `#3`; so ids are stable as long as the order of nodes is.
 */
export class GraphBuilder {
  readonly nodes: GraphNode[] = [];
  readonly edges: Edge[] = [];
  private readonly ids = new Map<string, number>();
  private readonly edgeByKey = new Map<number, number>();

  /** Returns the node's index. */
  node(init: NodeInit): number {
    const id = this.unique(init.id);
    // Field by field: nodes of one shape are quick to make and to read, and there are tens of thousands.
    const node: GraphNode = {
      id, kind: init.kind, name: init.name, file: init.file ?? "", line: init.line ?? 0, startLine: init.startLine ?? 0, endLine: init.endLine ?? 0,
      owner: init.owner ?? "", language: init.language ?? "", exported: init.exported ?? false, test: init.test ?? false,
      generated: init.generated ?? false, origin: init.origin ?? "", signature: init.signature ?? "", entry: init.entry ?? "", community: init.community ?? -1,
    };
    return this.nodes.push(node) - 1;
  }

  edge(from: number, to: number, type: EdgeType, confidence = 1, line = 0): void {
    // One exact number while there are fewer than 2^24 nodes, which is many times what fits into memory.
    const key = (from * 2 ** 24 + to) * EDGE_TYPES.length + EDGE_TYPES.indexOf(type);
    const known = this.edgeByKey.get(key);
    if (known === undefined) {
      this.edgeByKey.set(key, this.edges.push({ from, to, type, confidence, line }) - 1);
      return;
    }
    addSite(this.edges[known]!, confidence, line);
  }

  /** A relation that is given this once. */
  relate(edge: Edge): void {
    this.edges.push(edge);
  }

  build(): Graph {
    return new Graph(this.nodes, this.edges);
  }

  private unique(id: string): string {
    const count = (this.ids.get(id) ?? 0) + 1;
    this.ids.set(id, count);
    // A file may really be called "a.ts#2": go on until the id is free.
    return count === 1 ? id : this.unique(`${id}#${count}`);
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
