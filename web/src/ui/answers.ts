/**
 * Reads the tools' answers (search, explore) for the view. They arrive as JSON made for agents, so each field is
 * looked at before it is used; what is missing is left out, and an answer of another form gives an empty result.
 */
import type { NodeRef } from "./state.ts";
import { strings } from "./strings.ts";

type Json = Record<string, unknown>;

/** A symbol that `search` found. */
export interface Hit extends NodeRef {
  connections: number;
}

/** Neighbours of one sort. */
export interface Relation {
  title: string;
  nodes: NodeRef[];
  /** How many there are in all; `nodes` may be fewer. */
  total: number;
}

export function hits(answer: unknown): Hit[] {
  return list(object(answer)["results"]).flatMap((item) => {
    const ref = nodeRef(item);
    return ref ? [{ ...ref, connections: numeric(object(item)["connections"]) }] : [];
  });
}

/** Sorts of neighbours by their field in `explore`'s answer, in the order in which they are shown. */
const RELATIONS: readonly [field: string, title: string][] = [
  ["callers", strings.answers.calledBy], ["callees", strings.answers.calls], ["trace", strings.answers.steps], ["entryPoints", strings.answers.entryPoints], ["members", strings.answers.members],
  ["extends", strings.answers.extends], ["extendedBy", strings.answers.extendedBy], ["implements", strings.answers.implements], ["implementedBy", strings.answers.implementedBy],
  ["imports", strings.answers.imports], ["importedBy", strings.answers.importedBy], ["in", strings.answers.definedIn], ["cluster", strings.answers.cluster], ["processes", strings.answers.processes],
];

/** Neighbours by sort, those that `explore` cut with their full number. */
export function relations(answer: unknown): Relation[] {
  const fields = object(answer);
  return RELATIONS.flatMap(([field, title]) => {
    const value = fields[field];
    const { items = Array.isArray(value) ? value : [value], total } = object(value);
    const nodes = unique(list(items).flatMap((item) => nodeRef(item) ?? []));
    // Several calls from one place are one neighbour here; only what was cut is known by its number alone.
    const cut = numeric(object(value)["more"]) > 0;
    return nodes.length > 0 ? [{ title, nodes, total: cut ? Math.max(numeric(total), nodes.length) : nodes.length }] : [];
  });
}

/** The lines that a declaration spans, 1-based and inclusive, where an answer tells. */
export function span(answer: unknown): { start: number; end: number } | undefined {
  const [, start, end] = /^(\d+)-(\d+)$/u.exec(text(object(answer)["lines"])) ?? [];
  return start === undefined ? undefined : { start: Number(start), end: Number(end) };
}

/** A node, from an object with an id or from an id alone: `Method:src/a.ts:Store.save` tells kind, file and name. */
export function nodeRef(value: unknown): NodeRef | undefined {
  const fields = typeof value === "string" ? { id: value } : object(value);
  const id = text(fields["id"]);
  const [, kind, rest] = /^([A-Za-z]+):(.*)$/s.exec(id) ?? [];
  if (kind === undefined || rest === undefined) return undefined;
  const isPath = kind === "File" || kind === "Folder";
  const colon = rest.lastIndexOf(":");
  // A number tells apart what has the same name.
  const name = isPath ? rest.slice(rest.lastIndexOf("/") + 1) : rest.slice(colon + 1).replace(/#\d+$/, "");
  return {
    id,
    kind,
    name: text(fields["name"]) || text(fields["label"]) || name || id,
    file: text(fields["file"]) || (isPath ? rest : colon > 0 ? rest.slice(0, colon) : ""),
    // A file begins at its top.
    line: isPath ? 0 : numeric(fields["line"]) || numeric(fields["startLine"]) || (span(fields)?.start ?? 0),
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
