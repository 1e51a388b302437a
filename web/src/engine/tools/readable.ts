/**
 * Answers that carry code or many names, as text: a path, then lines with their numbers, without the escapes of JSON. Agents
 * get these; the view asks for the objects.
 */

import { searchText, type SearchAnswer } from "./search-text.ts";

type Json = Record<string, unknown>;

/** The text of an answer of one of these tools; of the others the object itself. */
export function readable(tool: string, answer: unknown): unknown {
  const { asOf, ...plain } = answer as Json;
  const text = textOf(tool, asOf === undefined ? answer : plain);
  if (asOf === undefined) return text;
  // Before the rest: a reader may see no more than the beginning.
  return typeof text === "string" ? `${asOfText(asOf as AsOf)}\n\n${text}` : answer;
}

interface AsOf {
  time: string;
  why: string;
  files?: string[];
  more?: number;
}

/** `As of 2026-11-24T05:00:00.000Z: why (src/a.ts, src/b.ts and 3 more)`. */
function asOfText({ time, why, files, more }: AsOf): string {
  return `As of ${time}: ${why}${files ? ` (${files.join(", ")}${more === undefined ? "" : ` and ${more} more`})` : ""}`;
}

function textOf(tool: string, answer: unknown): unknown {
  switch (tool) {
    case "read": return readText(answer as Json);
    case "grep": return grepText(answer as Json);
    case "deep_dive": case "review_file": case "trace_flow": return describe(answer as Json).join("\n");
    // As an object, what names hits behind its results is a quarter longer.
    case "search": return (answer as Json).others === undefined ? answer : searchText(answer as SearchAnswer);
    // With hunks it carries code.
    case "diff": return (answer as { files: { items: Json[] } }).files.items.some(({ hunks }) => hunks !== undefined) ? describe(answer as Json).join("\n") : answer;
    case "explore": {
      const { note, found, ...rest } = answer as Json;
      return Array.isArray(found) ? [...(typeof note === "string" ? [note, ""] : []), ...(found as Json[]).flatMap((about) => [...describe(about), ""]), ...describe(rest)].join("\n").trimEnd() : answer;
    }
    default: return answer;
  }
}

function readText(answer: Json): string {
  if (Array.isArray(answer.parts)) return (answer.parts as Json[]).map(readText).join("\n\n");
  if (Array.isArray(answer.answers)) {
    const { ambiguous, answers, ...others } = answer as { ambiguous: string; answers: Json[] };
    return [ambiguous, ...answers.map(readText), ...(Object.keys(others).length > 0 ? [describe(others).join("\n")] : [])].join("\n\n");
  }
  if (answer.error !== undefined) return describe(answer).join("\n");
  const { file, symbol, outline, elsewhere, note, content, startLine, endLine, totalLines, symbolEnds } = answer as { file: string; symbol?: string; symbolEnds?: number; outline?: string[]; elsewhere?: Record<string, string[]>; note?: string; content: string; startLine: number; endLine: number; totalLines: number };
  if (outline) return [file, ...outline, ...Object.entries(elsewhere ?? {}).flatMap(([path, heads]) => ["", path, ...heads]), ...restOf(answer), ...(note === undefined ? [] : [note])].join("\n");
  const head = startLine <= 1 && endLine === totalLines ? `${file} (${totalLines} lines)` : `${file} ${startLine}-${endLine} of ${totalLines}`;
  return [symbol === undefined ? head : `${head} ${symbol}${symbolEnds === undefined ? "" : `, which ends at ${symbolEnds}`}`, ...numbered(content, startLine)].join("\n");
}

function grepText(answer: Json): string {
  const { matches, list, total, files, searchedFiles, hint } = answer as { hint?: string; matches?: { file: string; line: number; text: string; in?: string; before?: string[]; after?: string[] }[]; list?: string[]; total: number; files: number; searchedFiles?: number };
  const found = `${total} ${total === 1 ? "line" : "lines"} in ${files} ${files === 1 ? "file" : "files"}${searchedFiles === undefined ? "" : ` of ${searchedFiles}`}`;
  const out: string[] = [...(list ?? [])];
  let file = "";
  let inside: string | undefined;
  for (const match of matches ?? []) {
    if (match.file !== file) {
      if (file !== "") out.push("");
      out.push(match.file);
    }
    if (match.in !== undefined && (match.file !== file || match.in !== inside)) out.push(`in ${match.in}`);
    [file, inside] = [match.file, match.in];
    const first = match.line - (match.before?.length ?? 0);
    (match.before ?? []).forEach((line, i) => out.push(`${first + i}- ${line}`));
    out.push(`${match.line}: ${match.text}`);
    (match.after ?? []).forEach((line, i) => out.push(`${match.line + 1 + i}- ${line}`));
  }
  return [...out, ...(out.length > 0 ? [""] : []), found, ...restOf(answer), ...(hint === undefined ? [] : [hint])].join("\n");
}

function restOf({ more, rest }: Json): string[] {
  return typeof more === "number" ? [`${more} more${typeof rest === "string" ? `: ${rest}` : ""}`] : [];
}

/** `12: code` for each line of a text that begins in line `start`. */
function numbered(content: string, start: number): string[] {
  if (content === "") return [];
  return content.replace(/\n$/, "").split("\n").map((line, i) => `${start + i}: ${line}`);
}

/** An object in lines: what it is first, then `key: value`, lists with an item a line, code as it stands. */
function describe(value: Json, indent = ""): string[] {
  const { id, code, content, hunks, ...rest } = value;
  const span = rest.lines;
  const out: string[] = [];
  if (typeof id === "string") out.push(indent + (typeof code === "string" && "confidence" in value ? stepText(value) : refText(value)));
  for (const [key, item] of Object.entries(rest)) if (!(typeof id === "string" && REF_KEYS.has(key))) out.push(...entry(key, item, indent));
  if (typeof code === "string") out.push(...(/^\d+: /.test(code) ? code.split("\n") : numbered(code, typeof span === "string" ? Number(span.split("-")[0]) : 1)));
  if (typeof content === "string") out.push(...numbered(content, 1));
  if (typeof hunks === "string") out.push(...hunks.split("\n"));
  return out;
}

/** What stands in the line of a reference. */
const REF_KEYS = new Set(["edge", "sites", "moreSites", "confidence", "via", "test", "label", "step", "symbols", "line"]);

interface Ref {
  id: string;
  line?: number;
  edge?: string;
  sites?: number[];
  moreSites?: string;
  via?: string;
  confidence?: number;
  test?: boolean;
  label?: string;
  step?: number;
  symbols?: number;
}

function refText(value: Json): string {
  const { id, line, edge, sites, moreSites, confidence, via, test, label, step, symbols } = value as unknown as Ref;
  return [
    edge, id, line && `(${line})`, label, sites && `at ${sites.join(",")}${moreSites ? ` and ${moreSites.replace(": ", " more: ")}` : ""}`, via && `via ${via}`,
    confidence !== undefined && `confidence ${confidence}`, test && "test", step && `step ${step}`, symbols && `${symbols} symbols`,
  ].filter((part) => part !== undefined && part !== false && part !== 0).join(" ");
}

/** A step of a path: its confidence is that of the call of the next one, which its code shows. */
function stepText({ confidence, ...step }: Json): string {
  return `${refText(step)}, to the next with confidence ${String(confidence)}`;
}

function entry(key: string, value: unknown, indent: string): string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === "number" || typeof item === "string" && !item.includes(" "))) return value.length === 0 ? [] : [`${indent}${key}: ${value.join(", ")}`];
  if (Array.isArray(value)) return value.length === 0 ? [] : [`${indent}${key}:`, ...value.flatMap((item) => listItem(item, `${indent}  `))];
  if (typeof value !== "object" || value === null) return [`${indent}${key}: ${String(value)}`];
  const object = value as Json;
  if (typeof object.level === "string" && Array.isArray(object.reasons)) return [`${indent}${key}: ${object.level}: ${object.reasons.join("; ")}`];
  if (Array.isArray(object.items) && typeof object.total === "number") {
    const { total, matching, items, more, rest, columns, ...others } = object as Json & { total: number; matching?: number };
    if (total === 0) return [];
    const counts = [`${total}${matching === undefined ? "" : `, ${matching} match`}`, ...(typeof more === "number" ? [`${more} more${typeof rest === "string" ? `: ${rest}` : ""}`] : [])].join(", ");
    return [
      `${indent}${key} (${counts})${Array.isArray(columns) ? ` ${columns.join(" | ")}` : ""}:`,
      ...(items as unknown[]).flatMap((item) => listItem(item, `${indent}  `)),
      ...Object.entries(others).flatMap(([name, item]) => entry(name, item, `${indent}  `)),
    ];
  }
  return typeof object.id === "string" ? [`${indent}${key}: ${refText(object)}`] : [`${indent}${key}:`, ...describe(object, `${indent}  `)];
}

function listItem(item: unknown, indent: string): string[] {
  if (Array.isArray(item)) return [indent + item.map(String).join(" | ")];
  if (typeof item !== "object" || item === null) return [indent + String(item)];
  const { depth, others, edges, ...level } = item as Json;
  if (typeof depth !== "number") return describe(item as Json, indent);
  // One depth of an impact: what is told in full, then the others by file.
  const [head, ...lines] = entry(`depth ${depth}`, { items: [], ...level }, indent);
  const counted = edges === undefined ? head! : `${head!.slice(0, -1)} ${Object.entries(edges as Json).map(([type, n]) => `${String(n)} ${type}`).join(", ")}:`;
  return [counted, ...lines, ...Object.entries((others ?? {}) as Record<string, string[]>).map(([file, names]) => `${indent}  ${file}: ${names.join(", ")}`)];
}
