/** What can stand at a place of a Cypher query: tables, properties, relation types, keywords, functions and the names that it binds. */
import { strings } from "../strings.ts";

/** As `context` with the focus "schema" tells it. */
export interface CypherSchema {
  nodes: Record<string, number>;
  properties: Record<string, Record<string, string>>;
  relation: { name: string; properties: Record<string, string> };
  types: Record<string, { count: number }>;
  examples: { about: string; query: string }[];
}

export interface Suggestion {
  label: string;
  /** What it is, in a few words. */
  detail: string;
  /** What is written, where that is more than the label. */
  apply?: string;
}

export interface Suggestions {
  /** Where what they take the place of begins. */
  from: number;
  options: Suggestion[];
}

const KEYWORDS = [
  "MATCH", "OPTIONAL MATCH", "WHERE", "RETURN", "DISTINCT", "ORDER BY", "DESC", "ASC", "LIMIT", "SKIP", "WITH", "UNWIND", "UNION", "UNION ALL", "AS", "AND", "OR",
  "NOT", "IN", "IS NULL", "IS NOT NULL", "STARTS WITH", "ENDS WITH", "CONTAINS", "CASE", "WHEN", "THEN", "ELSE", "END", "EXISTS", "true", "false", "null",
];
const FUNCTIONS = ["count", "collect", "label", "min", "max", "sum", "avg", "size", "lower", "upper", "coalesce", "list_contains", "nodes", "rels", "length", "regexp_matches"];

interface Open {
  bracket: string;
  at: number;
}

/** Undefined where nothing is to be suggested. `asked`: by a key, and not by typing alone. */
export function suggest(query: string, at: number, schema: CypherSchema, asked: boolean): Suggestions | undefined {
  const before = query.slice(0, at);
  const { open, quote } = scan(before);
  const relationTypes = Object.entries(schema.types).map(([type, { count }]) => ({ label: type, detail: strings.cypherWords.edges(count) }));
  if (quote >= 0) {
    // The one string whose values are known.
    const isType = /\btype\s*(?::|=|<>|IN\s*\[(?:[^\]]*,)?)\s*$/iu.test(before.slice(0, quote));
    return isType ? { from: quote + 1, options: relationTypes } : undefined;
  }
  if (/(?:\/\/|--)[^\n]*$/u.test(before)) return undefined;
  const word = /\w*$/u.exec(before)![0];
  const from = at - word.length;
  const head = before.slice(0, from);
  const inner = open.at(-1);
  if (/\w\.$/u.test(head)) return { from, options: properties(schema, query, /(\w+)\.$/u.exec(head)![1]!) };
  if (inner?.bracket === "{") {
    const owner = open.at(-2);
    const name = owner && /^\s*(\w*)\s*(?::\s*(\w+))?/u.exec(before.slice(owner.at + 1));
    if (!/[{,]\s*$/u.test(head)) return undefined;
    const known = owner?.bracket === "[" ? describe(schema.relation.properties) : name?.[2] !== undefined ? ofTable(schema, name[2]) : properties(schema, query, name?.[1] ?? "");
    return { from, options: known.map((each) => ({ ...each, apply: `${each.label}: ` })) };
  }
  if (/[:|]\s*$/u.test(head)) {
    if (inner?.bracket === "[") return { from, options: [{ label: schema.relation.name, detail: strings.cypherWords.theOneRelation }] };
    if (inner?.bracket === "(") return { from, options: Object.entries(schema.nodes).map(([table, count]) => ({ label: table, detail: strings.cypherWords.nodes(count) })) };
    return undefined;
  }
  if (word === "" && !asked) return undefined;
  // A new name is the user's own.
  if (/(?<!\w)\(\s*$|\[\s*$/u.test(head) && inner?.at === head.trimEnd().length - 1) return undefined;
  return {
    from, options: [
      ...bindings(query).filter(({ name }) => name !== word).map(({ name, table, bracket }) => ({ label: name, detail: bracket === "[" ? "relation" : table === "" ? "node" : table })),
      ...KEYWORDS.map((keyword) => ({ label: keyword, detail: "" })),
      ...FUNCTIONS.map((name) => ({ label: name, detail: "function", apply: `${name}(` })),
    ],
  };
}

/** The brackets that are open at the end, and where the string begins that is open there; -1 for none. */
function scan(before: string): { open: Open[]; quote: number } {
  const open: Open[] = [];
  let quote = -1;
  for (let i = 0; i < before.length; i++) {
    const c = before.charAt(i);
    if (quote >= 0) {
      if (c === "\\") i++;
      else if (c === before.charAt(quote)) quote = -1;
    } else if (c === "'" || c === '"') quote = i;
    else if ("([{".includes(c)) open.push({ bracket: c, at: i });
    else if (")]}".includes(c)) open.pop();
  }
  return { open, quote };
}

function bindings(query: string): { name: string; table: string; bracket: string }[] {
  const found = [...query.matchAll(/([([])\s*([A-Za-z_]\w*)\s*(?::\s*(\w+))?\s*(?=[\]){*-]|\s)/gu)].map(([, bracket = "", name = "", table = ""]) => ({ name, table, bracket }));
  const named = found.filter(({ name }) => !KEYWORDS.includes(name.toUpperCase()) && !FUNCTIONS.includes(name));
  return [...new Map(named.reverse().map((each) => [each.name, each])).values()].reverse();
}

function properties(schema: CypherSchema, query: string, name: string): Suggestion[] {
  const all = bindings(query).filter((each) => each.name === name);
  if (all.some(({ bracket }) => bracket === "[")) return describe(schema.relation.properties);
  const table = all.find((each) => each.table !== "")?.table;
  return ofTable(schema, table ?? "");
}

/** Of no table in particular: those that any of them has. */
function ofTable({ properties: of }: CypherSchema, table: string): Suggestion[] {
  if (table !== "") return describe(of[table] ?? of["symbols"] ?? {});
  return describe(Object.assign({}, ...Object.values(of).reverse()) as Record<string, string>);
}

function describe(properties: Record<string, string>): Suggestion[] {
  return Object.entries(properties).map(([label, about]) => ({ label, detail: about.replace(/^[A-Z0-9]+: /u, "") }));
}
