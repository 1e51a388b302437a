/**
 * Reads what an agent was told, for a picture of exactly that. Answers are made for agents: each field is looked at before it
 * is used, and what has another form than expected is shown as it is.
 */
import { nodeRef } from "./answers.ts";
import type { RingNode } from "./graph/rings-scene.ts";
import type { Call, NodeRef } from "./state.ts";
import { strings } from "./strings.ts";

type Json = Record<string, unknown>;

export type Told =
  | { form: "rings"; target: NodeRef; direction: string; risk: string; nodes: RingNode[]; totals: number[] }
  /** `ends`: they lead to what was asked for, and not as far as the graph knows. */
  | { form: "steps"; title: string; flows: { title: string; steps: Step[] }[]; note: string; ends?: true }
  | { form: "table"; columns: string[]; rows: unknown[][]; total: number }
  | { form: "list"; groups: { title: string; nodes: NodeRef[] }[]; text: string }
  | { form: "text"; text: string };

/** One step of a path or a process. */
export interface Step {
  node: NodeRef;
  code: string;
  /** Of the call of the next one; 1 where nothing is told. */
  confidence: number;
}

export function toldTo({ name, answer, object: behind = "" }: Pick<Call, "name" | "answer"> & Partial<Pick<Call, "object">>): Told {
  const value = parsed(answer);
  const words = typeof value === "string" ? value : value === undefined ? answer : JSON.stringify(value, null, 2);
  const fields = object(typeof value === "string" && !TEXTS.has(name) ? parsed(behind) : value);
  if (Object.keys(fields).length === 0) return { form: "text", text: words };
  if (name === "impact" && Array.isArray(fields["byDepth"])) return rings(fields) ?? listed(fields, words);
  const path = list(fields["path"]);
  if (path.length > 0) return { form: "steps", title: strings.words.path, flows: [{ title: "", steps: path.flatMap(step) }], note: text(fields["note"]), ends: true };
  const traced = list(fields["traced"]);
  if (traced.length > 0) return { form: "steps", title: strings.clusters.processes, flows: traced.map((flow) => ({ title: text(object(flow)["label"]), steps: list(object(flow)["trace"]).flatMap(step) })), note: text(fields["note"]) };
  const trace = list(fields["trace"]);
  if (trace.length > 0) return { form: "steps", title: text(fields["label"]), flows: [{ title: "", steps: trace.flatMap(step) }], note: "" };
  if (Array.isArray(fields["columns"]) && Array.isArray(fields["rows"])) {
    return { form: "table", columns: list(fields["columns"]).map(String), rows: list(fields["rows"]).map(list), total: typeof fields["totalRows"] === "number" ? fields["totalRows"] : list(fields["rows"]).length };
  }
  return listed(fields, words);
}

/** What they answer is code, which is best read as it stands. */
const TEXTS: ReadonlySet<string> = new Set(["read", "grep"]);

/** Undefined for what is no JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function rings(fields: Json): Told | undefined {
  const target = nodeRef(fields["target"]);
  if (!target) return undefined;
  const nodes: RingNode[] = [];
  const byName = new Map([[qualified(target), target.id]]);
  const totals: number[] = [];
  const add = (id: string, file: string, depth: number, via: string, confidence: unknown): void => {
    const ref = nodeRef(id);
    if (!ref || nodes.some((node) => node.id === id)) return;
    byName.set(qualified(ref), id);
    nodes.push({ id, name: ref.name, kind: ref.kind, file: ref.file || file, depth, via: depth === 1 && via === "" ? target.id : byName.get(via) ?? "", possible: typeof confidence === "number" && confidence < 0.695 });
  };
  for (const level of list(fields["byDepth"]).map(object)) {
    const depth = Number(level["depth"]) || totals.length + 1;
    totals[depth - 1] = Number(level["total"]) || 0;
    for (const item of list(level["items"]).map(object)) add(text(item["id"]), "", depth, text(item["via"]), item["confidence"]);
    // By file `name:lines`: named, and not told in full.
    for (const [file, names] of Object.entries(object(level["others"]))) {
      for (const each of list(names).map(String)) add(`Symbol:${file}:${each.replace(/:[\d,…]+$/u, "")}`, file, depth, "", undefined);
    }
    for (const file of list(level["files"]).map(String)) add(`File:${file.replace(/:[\d,…]+$/u, "")}`, file, depth, "", undefined);
  }
  for (let i = 0; i < totals.length; i++) totals[i] ??= 0;
  const risk = fields["risk"];
  return { form: "rings", target, direction: text(fields["direction"]), risk: typeof risk === "string" ? risk : text(object(risk)["level"]), nodes, totals };
}

/** `Server.run` for a method, as answers name it. */
function qualified({ id }: NodeRef): string {
  return id.slice(id.lastIndexOf(":") + 1).replace(/#\d+$/u, "");
}

function step(value: unknown): Step[] {
  const node = nodeRef(value);
  const { code, confidence } = object(value);
  return node ? [{ node, code: text(code), confidence: typeof confidence === "number" ? confidence : 1 }] : [];
}

/** Every node that is named anywhere, under the name of its field. */
function listed(fields: Json, words: string): Told {
  const groups: { title: string; nodes: NodeRef[] }[] = [];
  const look = (title: string, value: unknown, depth: number): void => {
    if (depth > 5) return;
    if (Array.isArray(value)) {
      const nodes = value.flatMap((item) => (typeof item === "object" || /^[A-Z][a-zA-Z]+:.+/u.test(String(item)) ? nodeRef(item) ?? [] : []));
      if (nodes.length > 0) groups.push({ title, nodes });
      else for (const item of value) look(title, item, depth + 1);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) look(key === "items" ? title : key, inner, depth + 1);
    }
  };
  const self = nodeRef(fields);
  if (self) groups.push({ title: strings.call.about, nodes: [self] });
  look("", fields, 0);
  return groups.length > 0 ? { form: "list", groups, text: words } : { form: "text", text: words };
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
