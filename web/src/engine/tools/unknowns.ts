/** Why the dependents of a symbol or file may be more than the graph has, and which ones an answer left out. */
import type { Codebase } from "../codebase.ts";
import { EDGE_TYPES, type Graph, type GraphNode } from "../graph.ts";
import { isTemplate } from "../languages/ruby/paths.ts";
import { SURE } from "../summary.ts";
import { count, cutSome, qualifiedName, type CutList } from "./answers.ts";
import { DEPENDENCE } from "./codebase-index.ts";
import { marksOf } from "./marks.ts";
import { ANY, COMMENT, isAlike, MENTIONS, mentionsOf, mentionTexts, patternOf, useOf } from "./mentions.ts";
import { reasonsOfMany } from "./one-of-many.ts";
import { dependentsAtAnyDepth, type Omitted, partsOf, type Reached } from "./reach.ts";
import { ANY_DEPTH } from "./risk.ts";
import { isConstructor, ownerOf, TYPES, unnamedCalls } from "./unnamed-calls.ts";

/** Dependents that were left out, of each sort. */
const LISTED = 8;
/** Languages whose code need not say what the receiver of a call is. JavaScript is parsed as TypeScript: its files say which it is, but for components, which may be either. */
const UNTYPED: ReadonlySet<string> = new Set(["python", "ruby", "php"]);
const JAVASCRIPT = /\.(?:[cm]?jsx?|vue|svelte)$/;
/** Methods that the language calls: all classes have such, and a line with their name tells of no class. */
const UNNAMED = /^(?:__\w+|constructor|initialize)$/;

/** Languages whose files run when they are loaded. */
const RUN_AS_FILES: ReadonlySet<string> = new Set([...UNTYPED, "typescript"]);

export interface Unknowns {
  /** Empty where nothing can depend on it but what was found. */
  reasons: string[];
  /** Of types alone, one more reason, told at every level of risk: in how many lines the name stands that no edge stands for. */
  named?: string;
  leftOut?: {
    /** Dependents below the confidence asked for, as `file:line name confidence`. */
    unsure?: CutList<string>;
    tests?: CutList<string>;
    /** Symbols in whose lines the name stands with no edge, each as `file:line,line symbol`, and files as `file:line,line`. */
    mentions?: CutList<string>;
  };
}

/**
 * `parts` is the target with all that belongs to it. `found` is how many dependents were found. `isLow`: nothing that was found makes it
 * a risk. The text is searched for the name where there are none, and where it would be called LOW.
 */
export function unknownsOf(codebase: Codebase, target: number, parts: ReadonlySet<number>, omitted: Omitted, found: number, isLow: boolean): Unknowns {
  const { graph } = codebase;
  const node = graph.nodes[target]!;
  const reasons: string[] = [];
  if (!node.test) {
    const own = [...parts].map((part) => graph.nodes[part]!).filter(({ line }) => line > 0);
    const exported = own.filter((part) => part.exported).length;
    if (node.exported) reasons.push("exported: uses outside of this repository are not seen");
    else if (exported > 0) reasons.push(`${count(exported, "symbol")} of it exported: uses outside of this repository are not seen`);
    const entry = own.find(isEntered);
    if (entry) reasons.push(`${entry === node ? "it" : qualifiedName(entry)} is an entry (${entry.entry}): control comes from outside of this code`);
  }
  reasons.push(...reasonsOfMany(codebase, target));
  const { unsure, tests } = omitted;
  if (tests.length > 0) reasons.push(`${count(tests.length, "dependent")} in tests left out`);
  if (unsure.length > 0) reasons.push(`${count(unsure.length, "dependent")} below the confidence left out`);
  reasons.push(...unresolvedAround(codebase, node));
  const isOpen = isLow && reasons.length === 0;
  // A test runner runs tests and their files by their names; what else is in these may be used like any code.
  const isRun = node.test && (node.line === 0 || node.entry === "test");
  const isTyped = !UNTYPED.has(node.language) && !JAVASCRIPT.test(node.file);
  const isType = TYPES.has(node.kind);
  const isLooked = found === 0 || isOpen || isType || !(isTyped || UNNAMED.test(node.name));
  // Who runs a constructor names its class, and `constructor` stands for those of all.
  const sought = UNNAMED.test(node.name) && isConstructor(node) ? ownerOf(graph, target) ?? target : target;
  const manner = found === 0 || (isType && isOpen) ? undefined : isType || isOpen ? ANY : useOf(node.name);
  const mentions = isRun || node.line === 0 || !isLooked ? [] : mentionsOf(codebase, sought, sought === target ? parts : partsOf(graph, sought), manner);
  const lines = mentions.length > MENTIONS ? `more than ${MENTIONS} other lines` : count(mentions.length, "other line");
  const whose = sought === target ? "its name" : "its class's name";
  if (mentions.length > 0 && !isType) reasons.push(`${whose} stands in ${lines} of code or text, and no edge says why`);
  if (isOpen && node.test && !isRun) reasons.push(...runUnnamed(codebase, [target], found));
  if (isOpen && !node.test) {
    const symbols = node.line > 0 ? [target] : [...parts].filter((part) => graph.nodes[part]!.line > 0);
    if (node.line === 0) reasons.push(...mentionedOf(codebase, symbols));
    if (node.kind === "File" && isTemplate(node.file)) reasons.push("it is a template, which code may render by a name that it puts together");
    else if (node.kind === "File" && found === 0 && RUN_AS_FILES.has(node.language)) reasons.push("nothing here imports it: it may be run by itself, or loaded by its path");
    reasons.push(...markedOf(codebase, symbols), ...runUnnamed(codebase, symbols, found));
    const put = putTogether(codebase, symbols.map((symbol) => graph.nodes[symbol]!));
    if (put !== undefined) reasons.push(put);
    if (found > 0 && reasons.length === 0) reasons.push(...runFromOutside(codebase, target, parts));
  }
  const named = isType && mentions.length > 0 ? `its name stands in ${lines}: declarations and the like are no edges` : undefined;
  if (isType && !named) reasons.push("what has the type without naming it is no edge");
  const listed = (reached: readonly Reached[], rest: string): CutList<string> | undefined => cutSome(reached, LISTED, (r) => dependentText(codebase, r), rest);
  const leftOut = {
    ...some("unsure", listed(unsure, "impact with minConfidence 0")), ...some("tests", listed(tests, "impact with includeTests")),
    ...some("mentions", cutSome(mentionTexts(codebase, mentions), LISTED, (at) => at, `grep ${patternOf(graph.nodes[sought]!.name)}`)),
  };
  return { reasons, ...some("named", named), ...(Object.keys(leftOut).length > 0 ? { leftOut } : {}) };
}

/** What looks like a call: a name, brackets or a closing parenthesis before an opening one. */
const CALL = /([\p{L}_$][\p{L}\p{N}_$]*|[)\]>])[?!]?\.?\s*\(/gu;
const NO_CALL = /^(?:if|for|foreach|while|switch|match|catch|return|function|func|fn|def|sizeof|typeof|elif|unless|until|await|and|or|not|in|with|new|throw|case|assert|except|using|lock)$/;
/** Lines that are named. */
const NAMED = 3;

/** Why a symbol may depend on more than was found: what was left out, and, where nothing was found, its calls that no edge stands for. */
export function unknownsBelow(codebase: Codebase, target: number, parts: ReadonlySet<number>, { unsure }: Omitted, found: number): Unknowns {
  const { graph, files } = codebase;
  const node = graph.nodes[target]!;
  const reasons = unsure.length > 0 ? [`${unsure.length === 1 ? "1 dependency" : `${unsure.length} dependencies`} below the confidence left out`] : [];
  reasons.push(...unresolvedAround(codebase, node).filter((reason) => reason.startsWith("its file")));
  if (found === 0 && node.line > 0) {
    const known = new Set([...parts].flatMap((part) => graph.out(part).flatMap((e) => graph.sites(e))));
    const declared = new Set([...parts].map((part) => graph.nodes[part]!.line));
    const isCall = (text: string): boolean => !COMMENT.test(text) && [...text.matchAll(CALL)].some(([, name]) => !NO_CALL.test(name!));
    const lines = (files.text(node.file) ?? "").split("\n").slice(0, node.endLine);
    // Of a line that declares a symbol, its body alone: what follows the first { or =>.
    const codeOf = (text: string, line: number): string => (declared.has(line) ? /(?:\{|=>)(.*)/.exec(text)?.[1] ?? "" : text);
    const calls = lines.flatMap((text, i) => (i + 1 >= node.startLine && !known.has(i + 1) && isCall(codeOf(text, i + 1)) ? [i + 1] : []));
    if (calls.length > 0) reasons.push(`it calls what no edge stands for, in a library or known only when it runs (${calls.length === 1 ? "line" : "lines"} ${calls.slice(0, NAMED).join(", ")}${calls.length > NAMED ? ` and ${calls.length - NAMED} more` : ""})`);
  }
  const listed = cutSome(unsure, LISTED, (r) => dependentText(codebase, r), "impact with minConfidence 0");
  return { reasons, ...(listed ? { leftOut: { unsure: listed } } : {}) };
}

function some<K extends string, V>(key: K, value: V | undefined): { [k in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [k in K]?: V };
}

/** Whether control comes from outside of the code, so that no caller is no surprise. */
export function isEntered({ entry }: GraphNode): boolean {
  return entry !== "" && entry !== "export";
}

/** `src/a.ts:12 Server.run 0.6`: the line of the call where it is known. */
function dependentText({ graph }: Codebase, { node, edge, confidence }: Reached): string {
  const { file, line } = graph.nodes[node]!;
  const at = edge < 0 ? line : graph.line[edge]! || line;
  return `${file}${at > 0 ? `:${at}` : ""}${line > 0 ? ` ${qualifiedName(graph.nodes[node]!)}` : ""}${confidence < 0.7 ? ` ${Math.round(confidence * 100) / 100}` : ""}`;
}

/**
 * Why code that is not in the graph may run a target that little here depends on: of the target and of what depends on it, at whatever
 * depth, something is handed on as a value, or is exported or a handler and used by nothing here, or has callers that are only possible.
 */
function runFromOutside(codebase: Codebase, target: number, parts: ReadonlySet<number>): string[] {
  const { graph } = codebase;
  const { nodes, ends } = dependentsAtAnyDepth(graph, parts, ANY_DEPTH);
  for (const node of nodes) {
    const at = handedOnAt(graph, node);
    if (at !== undefined) return [`${node === target ? "it" : qualifiedName(graph.nodes[node]!)} is handed on as a value (${at}): what calls it there is not seen`];
  }
  const named = (some: readonly number[]): string => `${some.slice(0, NAMED).map((node) => qualifiedName(graph.nodes[node]!)).join(", ")}${some.length > NAMED ? ` and ${some.length - NAMED} more` : ""}`;
  const isOpen = (node: number): boolean => {
    const { exported, entry, kind } = graph.nodes[node]!;
    return kind !== "Route" && (exported && entry !== "main" || entry === "handler");
  };
  const open = ends.filter(isOpen);
  if (open.length > 0) return [`it is reached from ${named(open)}, which code outside of this repository may use`];
  const isPossible = (node: number): boolean => graph.in(node).some((e) => DEPENDENCE.includes(EDGE_TYPES[graph.type[e]!]!) && !graph.nodes[graph.from[e]!]!.test);
  const possible = ends.filter((node) => !parts.has(node) && graph.nodes[node]!.entry !== "main" && (isPossible(node) || unnamedCalls(codebase, node, 0).length > 0));
  return possible.length > 0 ? [`it is reached from ${named(possible)}, and what calls that is not known for sure`] : [];
}

/** Where code outside of tests names a function and does not call it, as `file:line`. */
function handedOnAt(graph: Graph, node: number): string | undefined {
  const { kind } = graph.nodes[node]!;
  // What a route is handled by is run for that.
  if ((kind !== "Function" && kind !== "Method") || graph.in(node, "HANDLES").length > 0) return undefined;
  const called = new Set(graph.in(node, "CALLS").filter((e) => graph.confidence[e]! >= SURE - 1e-6).flatMap((e) => graph.sites(e).map((line) => `${graph.nodes[graph.from[e]!]!.file}:${line}`)));
  for (const e of graph.in(node, "REFERENCES")) {
    const { test, file } = graph.nodes[graph.from[e]!]!;
    const line = test || graph.confidence[e]! < SURE - 1e-6 ? undefined : graph.sites(e).find((at) => !called.has(`${file}:${at}`));
    if (line !== undefined) return `${file}:${line}`;
  }
  return undefined;
}

/** Files of its language whose relations are missing, its own first. */
function unresolvedAround({ graph, skipped, syntaxErrors }: Codebase, { file, language }: GraphNode): string[] {
  const missing = skipped.filter(({ unresolved }) => unresolved).filter(({ path }) =>
    path === file || path.startsWith("*") ? file.endsWith(path.replace("*", "")) : graph.nodes[graph.find(`File:${path}`) ?? -1]?.language === language);
  const reasons: string[] = [];
  if (missing.some(({ path }) => path === file || path.startsWith("*"))) reasons.push("its file could not be resolved");
  else if (missing.length > 0) reasons.push(`${count(missing.length, "file")} that could not be resolved may use it`);
  if (syntaxErrors.some(({ path }) => path === file)) reasons.push("its file has syntax errors");
  return reasons;
}

/** The symbols of a file, none of them exported, that code elsewhere names without an edge that says why. */
function mentionedOf(codebase: Codebase, symbols: readonly number[]): string[] {
  const { graph } = codebase;
  const looked = symbols.slice(0, MAX_SYMBOLS);
  const mentioned = looked.filter((symbol) => mentionsOf(codebase, symbol, new Set([symbol]), ANY).length > 0).map((symbol) => qualifiedName(graph.nodes[symbol]!));
  return [
    ...(mentioned.length > 0 ? [`code names ${mentioned.slice(0, 3).join(", ")}${mentioned.length > 3 ? ` and ${mentioned.length - 3} more of its symbols` : ""} in lines that no edge stands for`] : []),
    ...(symbols.length > looked.length ? [`of its ${symbols.length} symbols only ${looked.length} were looked for in texts`] : []),
  ];
}

/** Symbols that a decorator gets, or that other code may find by an annotation or attribute. */
function markedOf({ graph, files }: Codebase, symbols: readonly number[]): string[] {
  return symbols.slice(0, MAX_SYMBOLS).flatMap((symbol) => {
    const node = graph.nodes[symbol]!;
    const marks = marksOf((files.text(node.file) ?? "").split("\n"), node);
    return marks.length === 0 ? [] : [`${symbols.length === 1 ? "it" : qualifiedName(node)} is marked with ${marks.join(", ")}, which may hand it to what calls it`];
  });
}

/** Symbols that may be run though no line names them. */
function runUnnamed(codebase: Codebase, symbols: readonly number[], found: number): string[] {
  return symbols.slice(0, MAX_SYMBOLS).flatMap((symbol) =>
    unnamedCalls(codebase, symbol, found).map((reason) => `${symbols.length === 1 ? "it" : qualifiedName(codebase.graph.nodes[symbol]!)} ${reason}`));
}

/** Shorter beginnings and ends of names say nothing: many texts end in `_id`. */
const MIN_HEAD = 3;
const MIN_TAIL = 6;
/** Symbols of one file that texts are searched for. */
const MAX_SYMBOLS = 12;

/**
 * Where code puts a name together of pieces, as of `"visit_" + kind`, `"on${event}"` or C's `handle_##name`, and one of these symbols
 * begins or ends with such a piece: it may be called by it.
 */
function putTogether({ graph, files }: Codebase, symbols: readonly { name: string; language: string }[]): string | undefined {
  const pieces = new Map<string, string>();
  for (const { name } of symbols.slice(0, MAX_SYMBOLS)) {
    for (let at = MIN_HEAD; at <= name.length - 1; at++) {
      const isSnake = name[at - 1] === "_";
      if (!isSnake && !(/\p{Ll}|\d/u.test(name[at - 1]!) && /\p{Lu}/u.test(name[at]!))) continue;
      pieces.set(name.slice(0, at), name);
      const end = isSnake ? name.slice(at - 1) : name.slice(at);
      if (end.length >= MIN_TAIL) pieces.set(`…${end}`, name);
    }
  }
  if (pieces.size === 0) return undefined;
  const escaped = (texts: string[]): string => texts.map((text) => text.replace(/\$/g, "\\$")).join("|") || "(?!)";
  const heads = escaped([...pieces.keys()].filter((piece) => !piece.startsWith("…")));
  const tails = escaped([...pieces.keys()].filter((piece) => piece.startsWith("…")).map((piece) => piece.slice(1)));
  const open = "\\$?\\{|#\\{|\\$\\w|%[svd]";
  const pattern = new RegExp(`["'\`:](?<head>${heads})(?:["'\`]\\s*(?:\\+|\\.(?!\\w)|%|<>|,\\s*\\w+\\))|${open})|\\b(?<pasted>${heads})\\s*##|##\\s*(?<glued>${tails})\\b|(?:\\}|%[svd]|[+.]\\s*["'\`])(?<tail>${tails})["'\`]`, "u");
  for (const path of files.paths) {
    const language = graph.nodes[graph.find(`File:${path}`) ?? -1]?.language ?? "";
    if (language === "" || !isAlike(language, symbols[0]!.language)) continue;
    const text = files.text(path)!;
    const told = (name: string, at: number): string => `code puts names like ${name} together (${path}:${text.slice(0, at).split("\n").length}), so it may be called by that`;
    const found = pattern.exec(text);
    if (!found) {
      const other = fromTemplate(text, [...new Set(pieces.values())]);
      if (other) return told(other.name, other.at);
      continue;
    }
    const { head, pasted, glued, tail } = found.groups!;
    return told(pieces.get(head ?? pasted ?? `…${(glued ?? tail)!}`)!, found.index);
  }
  return undefined;
}

/** What a template has beside its holes, at least: `"${a}_${b}_sql"` has `__sql`. */
const MIN_LITERAL = 5;
const HOLE = /[$#]?\{[^{}\n]*\}|%[svd]/g;
/** A text of holes and parts of names. */
const TEMPLATE = /["'`]((?:\w|[$#]?\{[^{}\n]*\}|%[svd])+)["'`]/g;

/** One of these names that a template in a text may give. */
function fromTemplate(text: string, names: readonly string[]): { name: string; at: number } | undefined {
  for (const { 1: template, index } of text.matchAll(TEMPLATE)) {
    const literals = template!.split(HOLE);
    // Of one hole the name's beginning or end is known, which is looked for above.
    if (literals.length < 3 || literals.join("").length < MIN_LITERAL) continue;
    const made = new RegExp(`^${literals.map((literal) => literal.replace(/\$/g, "\\$")).join("\\w+")}$`);
    const name = names.find((one) => made.test(one));
    if (name !== undefined) return { name, at: index };
  }
  return undefined;
}
