import type { Codebase, Community, Process } from "../codebase.ts";
import type { EdgeType, GraphNode } from "../graph.ts";
import { connectionsOf } from "../summary.ts";

/** Edges that say "depends on"; the others are structure. */
export const DEPENDENCE: readonly EdgeType[] = ["CALLS", "REFERENCES", "HANDLES", "IMPORTS", "EXTENDS", "IMPLEMENTS"];

/** What several tools look up in a codebase, made once for each. */
export interface CodebaseIndex {
  /** Node indexes of symbols by their simple name. */
  symbolsByName: Named;
  /** Node indexes of files by the last element of their path, in lower case. */
  filesByName: Named;
  /** How many edges of DEPENDENCE that are sure a node has, both ways. */
  readonly connections: Uint32Array;
  /** The processes that a node is a step of, with its steps in each, from 1. */
  processesOf: (node: number) => readonly { process: Process; step: number }[];
  /** The community of a symbol. */
  communityOf: (node: number) => Community | undefined;
}

const indexes = new WeakMap<Codebase, CodebaseIndex>();

export function indexOf(codebase: Codebase): CodebaseIndex {
  let index = indexes.get(codebase);
  if (!index) {
    index = makeIndex(codebase);
    indexes.set(codebase, index);
  }
  return index;
}

function makeIndex({ graph, communities, processes }: Codebase): CodebaseIndex {
  let connections: Uint32Array | undefined;
  let stepsOf: ReturnType<typeof stepsIn> | undefined;
  const communityByNode = new Map(communities.map((community) => [community.node, community]));
  return {
    symbolsByName: new Named(graph.nodes, (node, name) => node.name === name && isSymbol(node), (node) => (isSymbol(node) ? node.name : undefined)),
    filesByName: new Named(graph.nodes, (node, name) => node.kind === "File" && node.name.toLowerCase() === name, (node) => (node.kind === "File" ? node.name.toLowerCase() : undefined)),
    get connections() {
      return (connections ??= connectionsOf(graph));
    },
    processesOf: (node) => (stepsOf ??= stepsIn(processes)).get(node) ?? [],
    communityOf: (node) => communityByNode.get(graph.community[node]!),
  };
}

function stepsIn(processes: readonly Process[]): Map<number, { process: Process; step: number }[]> {
  const stepsOf = new Map<number, { process: Process; step: number }[]>();
  for (const process of processes) {
    const seen = new Set<number>();
    process.steps.forEach((node, at) => {
      if (seen.has(node)) return;
      seen.add(node);
      push(stepsOf, node, { process, step: at + 1 });
    });
  }
  return stepsOf;
}

/** A table is worth making from this question on: a codebase that is being edited is asked little before the next one is there. */
const TABLE_FROM = 4;

/** Node indexes by a name. */
export class Named {
  private asked = 0;
  private table: Map<string, number[]> | undefined;

  constructor(
    private readonly nodes: readonly GraphNode[],
    private readonly has: (node: GraphNode, name: string) => boolean,
    private readonly nameOf: (node: GraphNode) => string | undefined,
  ) {}

  get(name: string): readonly number[] | undefined {
    if (this.table || ++this.asked >= TABLE_FROM) return (this.table ??= this.makeTable()).get(name);
    const { nodes, has } = this;
    const found: number[] = [];
    for (let i = 0; i < nodes.length; i++) if (has(nodes[i]!, name)) found.push(i);
    return found.length === 0 ? undefined : found;
  }

  private makeTable(): Map<string, number[]> {
    const table = new Map<string, number[]>();
    this.nodes.forEach((node, i) => {
      const name = this.nameOf(node);
      if (name !== undefined) push(table, name, i);
    });
    return table;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** A declaration in code, as opposed to a file, a folder or something derived. */
export function isSymbol(node: GraphNode): boolean {
  return node.kind !== "File" && node.kind !== "Folder" && node.kind !== "Community" && node.kind !== "Process";
}

/** Not a type: it has no fields. */
export function isPlain(kind: string): boolean {
  return kind === "Function" || kind === "Method" || kind === "Variable" || kind === "Route";
}
