/** Lines of code and text that have a symbol's name and that no edge stands for. */
import type { Codebase } from "../codebase.ts";
import type { GraphNode } from "../graph.ts";
import { isComponent } from "../languages/typescript/files.ts";
import { qualifiedName } from "./answers.ts";
import { enclosing } from "./enclosing.ts";
import { TYPES } from "./unnamed-calls.ts";
import { linesWithWord, type WordLine } from "./words-in-text.ts";

/** Where a name stands more often than this, the exact number says nothing more. */
export const MENTIONS = 100;
/** Lines of one symbol that are told. */
const LINES = 3;
/** Lines of one import. */
const MAX_IMPORTED = 60;

/** A line that is a comment and nothing else: no directive, attribute or macro, and nothing that begins with an operator. */
export const COMMENT = /^\s*(?:\/\/(?!go:)|\/\*|\*(?:[\s/*]|$)|#(?!\[|\s*(?:define|if|elif|pragma)\b)|--\s)/;

/** A comment at the end of a line of code. */
const TRAILING = /\s(?:#|\/\/)\s.*$/;

/** A line of C or C++ that declares a function or a variable and defines none: words of a type stand before the name. */
const PROTOTYPE = /^(?!(?:return|else|do|case|goto|throw|new|delete|using|co_\w+)\b)[A-Za-z_][\w:<>,&*~ \t]*(?:[\s*&]([A-Za-z_]\w*)|\(([A-Za-z_]\w*)\))\s*\((?:[^{}]*[;,]|[^{}()]*)$|^extern\b[^()="]*\b([A-Za-z_]\w*)(?:\[[^\]]*\])*\s*;/;

/** A line of TypeScript that begins a function: of several, all but one are overloads. */
const OVERLOAD = /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s+([\w$]+)\b/;

/** What hands functions of a component to who holds it. */
const EXPOSES = /\bdefineExpose\b|\bsetup\s*\(|\bsetup\s*:/;

/**
 * Lines that have the target's name and that nothing explains, the nearest first: of its file, of those that import this, of code of its
 * language, of tests, of other code, of texts; MENTIONS and one at most. Declarations of the name, prototypes and overloads among them, the comments
 * above them, lines that an edge stands for, whatever of that name it leads to, and imports in files that have such a line are explained.
 * Of a type so is all in what depends on it.
 * With `inCode`, of code in the target's language that is no comment, those that match.
 */
export function mentionsOf(codebase: Codebase, target: number, parts: ReadonlySet<number>, inCode?: RegExp): WordLine[] {
  const { graph, files } = codebase;
  const { name: called, file, language, exported, owner, kind } = graph.nodes[target]!;
  // In Ruby `x.name = 1` calls `name=`.
  const isWriter = language === "ruby" && /^\w+=$/.test(called);
  const name = isWriter ? called.slice(0, -1) : called;
  const isType = TYPES.has(kind);
  const explained = new Set<string>();
  const users = new Set<string>();
  /** Symbols by file whose lines are none: the target, and what depends on a type. */
  const within = new Map<string, GraphNode[]>();
  const leaveOut = (node: GraphNode): void => {
    if (node.line > 0 && within.get(node.file)?.push(node) === undefined) within.set(node.file, [node]);
  };
  /** Where a type of this name is another one. */
  const others = new Set<string>();
  leaveOut(graph.nodes[target]!);
  const isNamed = (node: GraphNode): boolean => node.name === name || node.name === `${name}=`;
  for (const [index, node] of graph.nodes.entries()) {
    if (node.line === 0 || !isNamed(node) && !parts.has(index)) continue;
    explained.add(`${node.file}:${node.line}`);
    if (!parts.has(index) && TYPES.has(node.kind)) others.add(scopeOf(node));
    const lines = (files.text(node.file) ?? "").split("\n");
    for (let at = node.startLine - 1; at > 0 && COMMENT.test(lines[at - 1]!); at--) explained.add(`${node.file}:${at}`);
    // A line that makes an object of a class, or calls a static method, names the class, and leads to its part.
    for (const e of graph.in(index)) {
      const user = graph.nodes[graph.from[e]!]!;
      users.add(user.file);
      for (const site of graph.sites(e)) explained.add(`${user.file}:${site}`);
      if (isType && parts.has(index)) leaveOut(user);
    }
  }
  // Of a package of Go one file stands for all.
  const imported = language === "go" ? files.paths.filter((path) => path.endsWith(".go") && folderOf(path) === folderOf(file)) : [file];
  const importing = new Set([file, ...imported.flatMap((path) => graph.in(graph.find(`File:${path}`) ?? -1, "IMPORTS").map((e) => graph.nodes[graph.from[e]!]!.file))]);
  others.delete(scopeOf(graph.nodes[target]!));
  const isInside = (path: string, line: number): boolean => within.get(path)?.some(({ startLine, endLine }) => startLine <= line && line <= endLine) ?? false;
  const isPrototype = (text: string): boolean => (isAlike(language, "c") ? PROTOTYPE.exec(text)?.slice(1).includes(name) === true : isAlike(language, "typescript") && OVERLOAD.exec(text)?.[1] === name);
  const languageOf = (path: string): string => graph.nodes[graph.find(`File:${path}`) ?? -1]?.language ?? "";
  // What components of Vue and Svelte neither export nor expose, they keep to themselves.
  const isKept = isComponent(file) && !exported && owner === "" && !EXPOSES.test(files.text(file) ?? "");
  const escaped = name.replace(/\$/g, "\\$");
  const ofPackage = new RegExp(`\\.\\s*${escaped}\\b`);
  const implementing = new RegExp(`^(?:unsafe\\s+)?impl\\b(?:.*\\bfor\\s+|(?:<.*?>)?\\s+)(?:\\w+::)*${escaped}\\b`);
  const isElsewhere = (path: string): boolean => language === "go" && folderOf(path) !== folderOf(file);
  // What Go's packages keep to themselves others reach by linkname alone, and what they do not, with the package's name.
  const isHidden = (path: string, text: string): boolean => (isKept && path !== file)
    || (isElsewhere(path) && (exported ? isType && languageOf(path) === "go" && !(importing.has(path) && ofPackage.test(text)) : !text.startsWith("//go:linkname")))
    || (others.size > 0 && isType && !importing.has(path) && others.has(scopeOf({ file: path, language: languageOf(path) })));
  const isImplementing = (text: string): boolean => isType && language === "rust" && implementing.test(text);
  const lines = (isWanted: (path: string) => boolean): WordLine[] => linesWithWord(files, name, MENTIONS + 1, (path, line) => isWanted(path) && !isInside(path, line) && !explained.has(`${path}:${line}`))
    .filter(({ path, text }) => !isPrototype(text) && !isImplementing(text) && !isHidden(path, text) && (!isWriter || WRITE.test(text.slice(text.indexOf(name)))) && (!inCode || isCode(text, inCode)))
    .filter(({ path, line }) => !inCode || language !== "python" || !docstringLines(path).has(line));
  const isCode = (text: string, wanted: RegExp): boolean => {
    const code = text.replace(TRAILING, "");
    return !COMMENT.test(text) && code.includes(name) && wanted.test(code);
  };
  const documented = new Map<string, ReadonlySet<number>>();
  const docstringLines = (path: string): ReadonlySet<number> => {
    const known = documented.get(path) ?? docstringsOf(files.text(path) ?? "");
    documented.set(path, known);
    return known;
  };
  const isOfKind = (path: string): boolean => isAlike(languageOf(path), language);
  const isTest = (path: string): boolean => graph.nodes[graph.find(`File:${path}`) ?? -1]?.test === true;
  const nearness = (path: string): number => (path === file ? 0 : !isOfKind(path) ? (languageOf(path) !== "" ? 4 : 5) : isTest(path) ? 3 : importing.has(path) ? 1 : 2);
  const found = (inCode ? [lines((path) => isOfKind(path) || HAS_CODE.test(path))] : [lines((path) => isOfKind(path)), lines((path) => !isOfKind(path) && languageOf(path) !== ""), lines((path) => languageOf(path) === "")])
    .flat().map((one) => ({ one, isImport: importsAt((files.text(one.path) ?? "").split("\n"), one.line) }));
  for (const { one, isImport } of found) if (!isImport) users.add(one.path);
  return found.filter(({ one, isImport }) => !isImport || !users.has(one.path)).map(({ one }) => one)
    .sort((a, b) => nearness(a.path) - nearness(b.path)).slice(0, MENTIONS + 1);
}

/** Symbols with the lines that stand in them, as `src/a.ts:12,15 Server.run`, or files with those that stand in none. */
export function mentionTexts({ graph }: Codebase, lines: readonly WordLine[]): string[] {
  const around = enclosing(graph, lines.map(({ path, line }) => ({ file: path, line })));
  const places = new Map<string, { path: string; symbol: string; at: number[] }>();
  for (const [i, { path, line }] of lines.entries()) {
    const symbol = around[i] ? ` ${qualifiedName(around[i])}` : "";
    const place = places.get(`${path}\n${symbol}`);
    if (place) place.at.push(line);
    else places.set(`${path}\n${symbol}`, { path, symbol, at: [line] });
  }
  return [...places.values()].map(({ path, symbol, at }) => `${path}:${at.slice(0, LINES).join()}${at.length > LINES ? ",…" : ""}${symbol}`);
}

/** Lines of a file of Python that are texts and no code, but for what doctest runs. */
function docstringsOf(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  let line = 1;
  let counted = 0;
  for (const { 0: docstring, index } of text.matchAll(/^[ \t]*[rRuUbBfF]{0,2}("""|''')[^]*?\1/gm)) {
    line += text.slice(counted, index).split("\n").length - 1;
    counted = index;
    for (const [i, one] of docstring.split("\n").entries()) if (!/^\s*(?:>>>|\.\.\.) /.test(one)) found.add(line + i);
  }
  return found;
}

/** What sees a type without its name being qualified or imported. */
function scopeOf({ file, language }: { file: string; language: string }): string {
  return language === "go" ? folderOf(file) : file;
}

/** A line that begins a list of imported names, one that has such a name alone, and one that is an import by itself. */
const IMPORT_OPEN = /^\s*import\b[^'"]*[{,]\s*$|^\s*from\b.*\bimport\s*\(?\s*(?:[\w, ]*,)?\s*\\?$/;
const IMPORTED = /^\s*(?:(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?(?:\s*,\s*[\w$]+(?:\s+as\s+[\w$]+)?)*\s*,?\s*)?(?:[})].*)?$|^\s*(?:\/\/|#)/;
const IMPORT = /^\s*import\b|^\s*from\b.*\bimport\b|^\s*(?:const|let|var)\s.*=\s*require\s*\(|^\s*use\s+[\w\\:]+/;

/** Whether a line, from 1, does nothing but import names. */
function importsAt(lines: readonly string[], line: number): boolean {
  const at = line - 1;
  if (IMPORT.test(lines[at]!)) return true;
  for (let n = at; n > 0 && at - n < MAX_IMPORTED && IMPORTED.test(lines[n]!); n--) {
    if (IMPORT_OPEN.test(lines[n - 1]!)) return true;
  }
  return false;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export const ANY = /./;

/** What gives something a value. */
const WRITE = /(?<![=!<>])=(?![=~>])/;

/** A regular expression for lines with a name. */
export function patternOf(name: string): string {
  const word = name.replace(/=$/, "");
  return `${/^\w/.test(word) ? "\\b" : ""}${word.replace(/\?$/, "\\?")}${/\w$/.test(word) ? "\\b" : ""}`;
}

/** An attribute of a name, or a call of it. */
export function useOf(name: string): RegExp {
  const escaped = name.replace(/=$/, "").replace(/[$?]/g, "\\$&");
  return new RegExp(`(?:\\.|->|::)${escaped}(?![\\w$])|(?<![\\w$])${escaped}\\(`);
}

/** Texts of no language of ours that name functions of it. */
const HAS_CODE = /\.(?:html?|erb|rhtml|haml|slim|vue|svelte|astro|jinja2?|j2|twig|blade\.php|cshtml|razor|jsp|xml|tmpl|gotmpl|s|asm|xaml|storyboard|fxml)$/i;

/** Languages whose code calls each other by name. */
export function isAlike(a: string, b: string): boolean {
  const family = (language: string): string => (/^(?:typescript|javascript|tsx)$/.test(language) ? "typescript" : /^c(?:pp)?$/.test(language) ? "c" : language);
  return family(a) === family(b);
}

