/** The tables of the graph database: the one place where their names and columns stand. */
import type { SymbolKind } from "../facts.ts";
import type { GraphNode, NodeKind } from "../graph.ts";

export interface Column {
  name: string;
  type: "STRING" | "INT32" | "BOOLEAN" | "DOUBLE";
  /** For agents: what stands in it. */
  about: string;
}

export const RELATION = "CodeRelation";

export const SYMBOL_KINDS: readonly SymbolKind[] = [
  "Function", "Method", "Class", "Interface", "Struct", "Enum", "TypeAlias", "Variable",
];
export const NODE_TABLES: readonly NodeKind[] = ["File", "Folder", ...SYMBOL_KINDS, "Community", "Process"];

const ID: Column = { name: "id", type: "STRING", about: "primary key; other tools take it" };
const NAME: Column = { name: "name", type: "STRING", about: "simple name; a label for Community and Process" };
const PATH: Column = { name: "filePath", type: "STRING", about: "path from the repository's root" };
const IN_FILE: readonly Column[] = [
  { name: "language", type: "STRING", about: "typescript, go, python …" },
  { name: "test", type: "BOOLEAN", about: "is a test or stands in one" },
  { name: "generated", type: "BOOLEAN", about: "made by a tool" },
];

const FILE: readonly Column[] = [ID, NAME, PATH, ...IN_FILE];
const FOLDER: readonly Column[] = [ID, NAME, PATH];
const SYMBOL: readonly Column[] = [
  ID, NAME, PATH,
  { name: "line", type: "INT32", about: "of the name, from 1" },
  { name: "startLine", type: "INT32", about: "first line of the declaration" },
  { name: "endLine", type: "INT32", about: "last line, inclusive" },
  { name: "owner", type: "STRING", about: "the type a method belongs to, else NULL" },
  { name: "exported", type: "BOOLEAN", about: "visible outside its file or package" },
  { name: "signature", type: "STRING", about: "the declaration's head" },
  { name: "entry", type: "STRING", about: "main, test, route, handler, export, else NULL" },
  ...IN_FILE,
];
const COMMUNITY: readonly Column[] = [
  ID, NAME,
  { name: "symbolCount", type: "INT32", about: "number of members" },
  { name: "cohesion", type: "DOUBLE", about: "share of its members' edges that stay inside, 0 to 1" },
];
const PROCESS: readonly Column[] = [
  ID, NAME,
  { name: "stepCount", type: "INT32", about: "number of steps" },
  { name: "crossCommunity", type: "BOOLEAN", about: "crosses from one community to another" },
];

export const RELATION_COLUMNS: readonly Column[] = [
  { name: "type", type: "STRING", about: "CALLS, IMPORTS, EXTENDS, IMPLEMENTS, CONTAINS, DEFINES, MEMBER_OF, STEP_IN_PROCESS" },
  { name: "confidence", type: "DOUBLE", about: "0 to 1" },
  { name: "line", type: "INT32", about: "of the call or import, in the source's file, else NULL" },
  { name: "step", type: "INT32", about: "for STEP_IN_PROCESS, from 1, else NULL" },
];

export function columnsOf(table: NodeKind): readonly Column[] {
  switch (table) {
    case "File": return FILE;
    case "Folder": return FOLDER;
    case "Community": return COMMUNITY;
    case "Process": return PROCESS;
    default: return SYMBOL;
  }
}

/** A cell before it is written as CSV; null is NULL. */
export type Cell = string | number | boolean | null;

/** The cells of File, Folder and symbol nodes; Community and Process have figures that stand elsewhere. */
export function cellOf(node: GraphNode, column: string): Cell {
  switch (column) {
    case "id": return node.id;
    case "name": return node.name;
    case "filePath": return node.file;
    case "line": return node.line;
    case "startLine": return node.startLine;
    case "endLine": return node.endLine;
    case "owner": return node.owner;
    case "exported": return node.exported;
    case "signature": return node.signature;
    case "entry": return node.entry;
    case "language": return node.language;
    case "test": return node.test;
    case "generated": return node.generated;
    default: return null;
  }
}

const define = (columns: readonly Column[]): string => columns.map((c) => `${c.name} ${c.type}`).join(", ");

export function createNodeTable(table: NodeKind): string {
  return `CREATE NODE TABLE ${table}(${define(columnsOf(table))}, PRIMARY KEY(id))`;
}

/**
 * One relation over the given pairs of tables, and over no others: each pair costs every variable-length query
 * some 2 MB of buffer pool, and a query over a pair that is not there finds nothing, without an error.
 */
export function createRelation(pairs: readonly (readonly [NodeKind, NodeKind])[]): string {
  const ends = pairs.map(([from, to]) => `FROM ${from} TO ${to}`).join(", ");
  return `CREATE REL TABLE GROUP ${RELATION}(${ends}, ${define(RELATION_COLUMNS)})`;
}

/** Queries that show how to ask; all of them run on every graph. */
export const EXAMPLE_QUERIES: readonly { about: string; query: string }[] = [
  {
    about: "who calls a symbol, and where",
    query: "MATCH (caller)-[r:CodeRelation {type: 'CALLS'}]->(f {name: 'main'}) RETURN caller.name, caller.filePath, r.line, r.confidence ORDER BY r.confidence DESC LIMIT 20",
  },
  {
    about: "the most called functions",
    query: "MATCH (a)-[r:CodeRelation {type: 'CALLS'}]->(f:Function) WHERE r.confidence >= 0.7 RETURN f.id, f.filePath, f.line, count(a) AS callers ORDER BY callers DESC LIMIT 10",
  },
  {
    about: "what a symbol reaches in up to three calls",
    query: "MATCH (a:Function {name: 'main'})-[r:CodeRelation*1..3 (r, n | WHERE r.type = 'CALLS')]->(b) RETURN DISTINCT label(b), b.name, b.filePath LIMIT 50",
  },
  {
    about: "the steps of processes, in order",
    query: "MATCH (s)-[r:CodeRelation {type: 'STEP_IN_PROCESS'}]->(p:Process) RETURN p.name, r.step, s.name, s.filePath, s.line ORDER BY p.name, r.step LIMIT 50",
  },
];

/** The schema in one paragraph, for an error that a wrong name in a query gets. */
export function schemaHint(): string {
  const names = (columns: readonly Column[]): string => columns.map((c) => c.name).join(", ");
  return `Node tables: ${NODE_TABLES.join(", ")}. Properties of symbols: ${names(SYMBOL)}; of File: ${names(FILE)}; `
    + `of Folder: ${names(FOLDER)}; of Community: ${names(COMMUNITY)}; of Process: ${names(PROCESS)}. `
    + `One relation: ${RELATION} (${names(RELATION_COLUMNS)}); its type is a property: [r:${RELATION} {type: 'CALLS'}].`;
}
