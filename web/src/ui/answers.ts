/**
 * Reads the tools' answers (search, read, explore) for the view. They arrive as JSON made for agents, so each field is
 * looked at before it is used; what is missing is left out, and an answer of another form gives an empty result.
 */
import type { NodeRef } from "./state.ts";

type Json = Record<string, unknown>;

/** A symbol that `search` found. */
export interface Hit extends NodeRef {
  cluster: string;
  connections: number;
}

/** A file, or the part of it that `read` gave. */
export interface Code {
  file: string;
  language: string;
  content: string;
  /** 1-based number of the content's first line. */
  firstLine: number;
  /** Lines of the whole file; 0 when not told. */
  totalLines: number;
}

/** Neighbours of one sort. */
export interface Relation {
  title: string;
  nodes: NodeRef[];
  /** How many there are in all; `nodes` may be fewer. */
  total: number;
}

export function hits(answer: unknown): Hit[] {
  const lists = ["results", "symbols", "hits", "matches"].map((key) => list(object(answer)[key])).filter((l) => l.length > 0);
  return (lists[0] ?? []).flatMap((item) => {
    const ref = nodeRef(item);
    const fields = object(item);
    return ref ? [{ ...ref, cluster: text(fields["cluster"]), connections: numeric(fields["connections"]) }] : [];
  });
}

export function code(answer: unknown): Code {
  const fields = object(answer);
  const lines = object(fields["lines"]);
  return {
    file: text(fields["file"] ?? fields["filePath"] ?? fields["path"]),
    language: text(fields["language"]),
    content: text(fields["content"]),
    firstLine: numeric(fields["startLine"] ?? lines["start"] ?? lines["startLine"]) || 1,
    totalLines: numeric(fields["totalLines"] ?? lines["total"] ?? fields["lines"]),
  };
}

/** Sorts of neighbours by their field in `explore`'s answer, in the order in which they are shown. */
const RELATIONS: readonly [field: string, title: string][] = [
  ["callers", "Called by"], ["callees", "Calls"], ["members", "Members"], ["steps", "Steps"], ["trace", "Steps"],
  ["extends", "Extends"], ["extendedBy", "Extended by"], ["subclasses", "Extended by"],
  ["implements", "Implements"], ["implementedBy", "Implemented by"], ["implementations", "Implemented by"],
  ["imports", "Imports"], ["importedBy", "Imported by"], ["importers", "Imported by"], ["defines", "Defines"],
  ["entryPoints", "Entry points"], ["processes", "Processes"],
];

export function relations(answer: unknown): Relation[] {
  const fields = object(answer);
  const inner = object(fields["symbol"] ?? fields["cluster"] ?? fields["process"]);
  const found = new Map<string, Relation>();
  for (const [field, title] of RELATIONS) {
    if (found.has(title)) continue;
    const value = fields[field] ?? inner[field];
    const items = Array.isArray(value) ? value : list(object(value)["items"]);
    const nodes = unique(items.flatMap((item) => nodeRef(item) ?? []));
    const total = Math.max(nodes.length, numeric(object(value)["total"]), numeric(fields[`${field}Total`]));
    if (nodes.length > 0) found.set(title, { title, nodes, total });
  }
  return [...found.values()];
}

/** The lines that a declaration spans, 1-based and inclusive, where `explore` tells. */
export function span(answer: unknown): { start: number; end: number } | undefined {
  const fields = object(answer);
  const symbol = "symbol" in fields ? object(fields["symbol"]) : fields;
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text(symbol["lines"])) ?? [];
  const start = numeric(symbol["startLine"]) || Number(first ?? 0);
  const end = numeric(symbol["endLine"]) || Number(last ?? 0);
  return start > 0 && end >= start ? { start, end } : undefined;
}

function nodeRef(value: unknown): NodeRef | undefined {
  const outer = object(value);
  const fields = "id" in outer ? outer : object(outer["symbol"] ?? outer["node"]);
  const id = text(fields["id"] ?? fields["nodeId"]);
  if (id === "") return undefined;
  // `Function:src/a.ts:main` tells kind and name where the answer does not.
  const [kind = "", ...path] = id.split(":");
  const place = /^(.*):(\d+)$/.exec(text(fields["at"] ?? fields["location"]));
  return {
    id,
    name: text(fields["name"] ?? fields["label"]) || (path.at(-1) ?? id),
    kind: text(fields["kind"] ?? fields["type"]) || kind,
    file: text(fields["file"] ?? fields["filePath"]) || (place?.[1] ?? ""),
    line: numeric(fields["line"] ?? fields["startLine"]) || Number(place?.[2] ?? 0),
  };
}

function unique(nodes: NodeRef[]): NodeRef[] {
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numeric(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
