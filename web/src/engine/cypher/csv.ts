/**
 * A codebase as the statements and CSV files that load it into the graph database.
 *
 * What the database's reader needs: every string quoted, quotes doubled, one thread for strings of several lines,
 * no NUL, valid UTF-8, no key twice and no relation to a node that is not there. An empty string becomes NULL.
 */
import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES, type EdgeType, type Graph, type NodeKind } from "../graph.ts";
import { cellOf, columnsOf, createNodeTable, createRelation, NODE_TABLES, RELATION, type Cell } from "./schema.ts";

/** One COPY: the CSV goes into the file that the statement names. */
export interface TableLoad {
  statement: string;
  csv: Uint8Array<ArrayBuffer>[];
}

export const CSV_PATH = "/load.csv";
const OPTIONS = `HEADER=false, PARALLEL=false, ESCAPE='"'`;
const ROWS_A_TURN = 1000;

/** The statements that make the tables of this codebase, and how many pairs of tables its relation joins. */
export function createTables(codebase: Codebase): { statements: string[]; pairs: number } {
  const pairs = [...edgesByPair(codebase.graph).values()].map(({ pair }) => pair);
  if (pairs.length === 0) pairs.push(["File", "Function"]);
  return { statements: [...NODE_TABLES.map(createNodeTable), createRelation(pairs)], pairs: pairs.length };
}

/**
 * Yields the loads, nodes before relations. Writing rests now and then, so that the engine can answer calls
 * in between; the next turn comes when `rest` resolves.
 */
export async function* tableLoads(codebase: Codebase, rest: () => Promise<void>): AsyncGenerator<TableLoad> {
  const { graph } = codebase;
  const nodes = new Map<NodeKind, number[]>();
  graph.nodes.forEach((node, i) => {
    if (!isFirst(graph, i)) return;
    const list = nodes.get(node.kind);
    if (list) list.push(i);
    else nodes.set(node.kind, [i]);
  });
  for (const table of NODE_TABLES) {
    const rows = nodes.get(table);
    if (!rows) continue;
    const row = nodeRow(codebase, table);
    yield { statement: `COPY ${table} FROM '${CSV_PATH}' (${OPTIONS})`, csv: await write(rows, row, rest) };
  }
  for (const { pair: [from, to], edges } of edgesByPair(graph).values()) {
    yield {
      statement: `COPY ${RELATION} FROM '${CSV_PATH}' (from='${from}', to='${to}', ${OPTIONS})`,
      csv: await write(edges, (e) => edgeRow(graph, e), rest),
    };
  }
}

function nodeRow({ graph, communities, processes }: Codebase, table: NodeKind): (node: number) => string {
  if (table === "Community") {
    const byNode = new Map(communities.map((c) => [c.node, c]));
    return (i) => {
      const c = byNode.get(i);
      return csvRow([graph.nodes[i]!.id, c?.label ?? graph.nodes[i]!.name, c?.members.length ?? 0, c?.cohesion ?? 0]);
    };
  }
  if (table === "Process") {
    const byNode = new Map(processes.map((p) => [p.node, p]));
    return (i) => {
      const p = byNode.get(i);
      return csvRow([graph.nodes[i]!.id, p?.label ?? graph.nodes[i]!.name, p?.steps.length ?? 0, p?.crossCommunity ?? false]);
    };
  }
  const columns = columnsOf(table);
  return (i) => csvRow(columns.map((c) => cellOf(graph.nodes[i]!, c.name)));
}

function edgeRow(graph: Graph, e: number): string {
  const type: EdgeType = EDGE_TYPES[graph.type[e]!]!;
  const line = graph.line[e]! || null;
  const isStep = type === "STEP_IN_PROCESS";
  return csvRow([
    graph.nodes[graph.from[e]!]!.id, graph.nodes[graph.to[e]!]!.id, type,
    // The graph keeps 32 bits: 0.9 would come out as 0.8999999761581421.
    Math.round(graph.confidence[e]! * 1000) / 1000,
    isStep ? null : line, isStep ? line : null,
  ]);
}

interface PairEdges {
  pair: [NodeKind, NodeKind];
  edges: number[];
}

function edgesByPair(graph: Graph): Map<number, PairEdges> {
  const kinds = [...new Set(graph.nodes.map(({ kind }) => kind))];
  const placeOf = new Map(kinds.map((kind, i) => [kind, i]));
  const place = graph.nodes.map(({ kind }, i) => (isFirst(graph, i) ? placeOf.get(kind)! : -1));
  const pairs = new Map<number, PairEdges>();
  for (let e = 0; e < graph.edgeCount; e++) {
    const from = place[graph.from[e]!]!;
    const to = place[graph.to[e]!]!;
    if (from < 0 || to < 0) continue;
    const key = from * kinds.length + to;
    const known = pairs.get(key);
    if (known) known.edges.push(e);
    else pairs.set(key, { pair: [kinds[from]!, kinds[to]!], edges: [e] });
  }
  return pairs;
}

/** Keys must be unique: of two nodes with one id, the one that the graph finds counts. */
function isFirst(graph: Graph, node: number): boolean {
  return graph.find(graph.nodes[node]!.id) === node;
}

async function write(items: readonly number[], row: (item: number) => string, rest: () => Promise<void>): Promise<Uint8Array<ArrayBuffer>[]> {
  const encoder = new TextEncoder();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < items.length; start += ROWS_A_TURN) {
    if (start > 0) await rest();
    chunks.push(encoder.encode(items.slice(start, start + ROWS_A_TURN).map(row).join("")));
  }
  await rest();
  return chunks;
}

/** One line of CSV with its line end. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null || cell === "") return "";
  if (typeof cell !== "string") return String(cell);
  // Lone surrogates need no care: the encoder makes them U+FFFD.
  return `"${cell.replaceAll("\0", "\uFFFD").replaceAll('"', '""')}"`;
}
