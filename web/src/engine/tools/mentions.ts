/** Lines of code and text that have a symbol's name and that no edge stands for. */
import type { Codebase, FileStore } from "../codebase.ts";
import { EDGE_TYPES, type GraphNode } from "../graph.ts";
import { isComponent } from "../languages/typescript/files.ts";
import { qualifiedName } from "./answers.ts";
import { enclosing } from "./enclosing.ts";
import { literal } from "./literal.ts";
import { TYPES } from "./unnamed-calls.ts";
import { linesWithWord, type WordLine } from "./words-in-text.ts";

/** Where a name stands more often than this, the exact number says nothing more. */
export const MENTIONS = 100;
/** Lines that are looked for: some of them may be imports that others explain. */
const ENOUGH = 3 * MENTIONS;
/** Lines of one symbol that are told. */
const LINES = 3;
/** Lines of one import. */
const MAX_IMPORTED = 60;

const DEFINES = EDGE_TYPES.indexOf("DEFINES");

/** A line that is a comment and nothing else: no directive, attribute or macro, and nothing that begins with an operator. */
export const COMMENT = /^\s*(?:\/\/(?!go:)|\/\*|\*(?:[\s/*]|$)|#(?!\[|\s*(?:define|if|elif|pragma)\b)|--\s)/;

/** A line of C or C++ that declares a function or a variable and defines none: words of a type stand before the name. */
const PROTOTYPE = /^(?!(?:return|else|do|case|goto|throw|new|delete|using|co_\w+)\b)[A-Za-z_][\w:<>,&*~ \t]*(?:[\s*&]([A-Za-z_]\w*)|\(([A-Za-z_]\w*)\))\s*\((?:[^{}]*[;,]|[^{}()]*)$|^extern\b[^()="]*\b([A-Za-z_]\w*)(?:\[[^\]]*\])*\s*;/;

/** A line of TypeScript that begins a function: of several, all but one are overloads. */
const OVERLOAD = /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s+([\w$]+)\b/;

/** A member of JavaScript under a constant. */
const CONSTANT = /^\[(?!Symbol\.)(?:[\w$]+\.)*([\w$]+)\]$/;

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
  const { name: called, file, language, kind } = graph.nodes[target]!;
  // In Ruby `x.name = 1` calls `name=`.
  const isWriter = language === "ruby" && /^\w+=$/.test(called);
  // Who calls `[kHandler]` writes the constant; `[Symbol.iterator]` is called by its name nearly nowhere.
  const name = isWriter ? called.slice(0, -1) : CONSTANT.exec(called)?.[1] ?? called;
  const explained = explanations(codebase, target, parts, name);
  const isDeclaration = declares(language, name, TYPES.has(kind));
  const isHidden = hides(codebase, target, name, explained);
  const docstrings = new Docstrings(files);
  const isCode = (path: string, line: number, text: string): boolean => !COMMENT.test(text) && !(language === "python" && docstrings.has(path, line));
  const lines = (isSearched: (path: string) => boolean): WordLine[] => linesWithWord(files, name, ENOUGH, (path, line, text) => isSearched(path)
    && !explained.has(path, line) && !isDeclaration(text) && !isHidden(path, text)
    && (!isWriter || WRITE.test(text.slice(text.indexOf(name)))) && (!inCode || (inCode.test(text) && isCode(path, line, text))));
  const languageOf = (path: string): string => languageIn(codebase, path);
  const isOfKind = (path: string): boolean => isAlike(languageOf(path), language);
  const isTest = (path: string): boolean => graph.nodes[graph.find(`File:${path}`) ?? -1]?.test === true;
  const nearness = (path: string): number => (path === file ? 0 : !isOfKind(path) ? (languageOf(path) !== "" ? 4 : 5) : isTest(path) ? 3 : explained.importing.has(path) ? 1 : 2);
  const found = inCode ? lines((path) => isOfKind(path) || HAS_CODE.test(path))
    : [...lines(isOfKind), ...lines((path) => !isOfKind(path) && languageOf(path) !== ""), ...lines((path) => languageOf(path) === "")];
  const isImport = ({ path, line }: WordLine): boolean => importsAt((files.text(path) ?? "").split("\n"), line);
  const used = new Set([...explained.users, ...found.filter((one) => !isImport(one)).map(({ path }) => path)]);
  return found.filter((one) => !(used.has(one.path) && isImport(one))).sort((a, b) => nearness(a.path) - nearness(b.path)).slice(0, MENTIONS + 1);
}

/** Why a name stands where it does. */
interface Explained {
  has: (path: string, line: number) => boolean;
  /** Files with edges to what has the name. */
  users: ReadonlySet<string>;
  /** The target's file, and those that import it, in Go its package. */
  importing: ReadonlySet<string>;
  /** Whether a type's name in a line of a file is that of another type. */
  isOther: (path: string, text: string) => boolean;
}

function explanations(codebase: Codebase, target: number, parts: ReadonlySet<number>, name: string): Explained {
  const { graph, files } = codebase;
  const { file, language, kind } = graph.nodes[target]!;
  const lines = new Set<string>();
  const users = new Set<string>();
  const others: GraphNode[] = [];
  /** The target, and what depends on a type. */
  const within = new Map<string, GraphNode[]>();
  const leaveOut = (node: GraphNode): void => {
    if (node.line > 0 && within.get(node.file)?.push(node) === undefined) within.set(node.file, [node]);
  };
  leaveOut(graph.nodes[target]!);
  for (const [index, node] of graph.nodes.entries()) {
    if (node.line === 0 || node.name !== name && node.name !== `${name}=` && !parts.has(index)) continue;
    if (!parts.has(index) && TYPES.has(node.kind)) others.push(node);
    lines.add(`${node.file}:${node.line}`);
    const text = (files.text(node.file) ?? "").split("\n");
    for (let at = node.startLine - 1; at > 0 && COMMENT.test(text[at - 1]!); at--) lines.add(`${node.file}:${at}`);
    // A line that makes an object of a class, or calls a static method, names the class, and leads to its part.
    for (const e of graph.in(index)) {
      const user = graph.nodes[graph.from[e]!]!;
      users.add(user.file);
      for (const site of graph.sites(e)) lines.add(`${user.file}:${site}`);
      // What declares a type within its own code does not depend on it for that.
      if (TYPES.has(kind) && parts.has(index) && graph.type[e] !== DEFINES) leaveOut(user);
    }
  }
  // Of a package of Go one file stands for all.
  const imported = language === "go" ? files.paths.filter((path) => path.endsWith(".go") && folderOf(path) === folderOf(file)) : [file];
  const importing = new Set([file, ...imported.flatMap((path) => graph.in(graph.find(`File:${path}`) ?? -1, "IMPORTS").map((e) => graph.nodes[graph.from[e]!]!.file))]);
  return {
    has: (path, line) => lines.has(`${path}:${line}`) || (within.get(path)?.some(({ startLine, endLine }) => startLine <= line && line <= endLine) ?? false),
    users, importing, isOther: TYPES.has(kind) ? othersIn(codebase, target, others, name, importing) : () => false,
  };
}

/**
 * Whether the name of a type is that of another in a line of a file: of a language in which all of the name are others, or unqualified in one that
 * declares or imports another of the name, or that is of the package of another in Java.
 */
function othersIn(codebase: Codebase, target: number, others: readonly GraphNode[], name: string, importing: ReadonlySet<string>): Explained["isOther"] {
  const { graph, files } = codebase;
  const { language, file } = graph.nodes[target]!;
  const found = new Set<string>();
  const packages = new Set<string>();
  const word = new RegExp(patternOf(name));
  for (const other of others) {
    found.add(other.file);
    if (other.language === "java" && folderOf(other.file) !== folderOf(file)) packages.add(folderOf(other.file));
    for (const e of graph.in(graph.find(`File:${other.file}`) ?? -1, "IMPORTS")) {
      const by = graph.nodes[graph.from[e]!]!.file;
      const lines = (files.text(by) ?? "").split("\n");
      if (graph.sites(e).some((line) => word.test(lines[line - 1] ?? ""))) found.add(by);
    }
  }
  const isElsewhere = (its: string): boolean => its !== "" && !isAlike(its, language) && others.some((other) => isAlike(its, other.language));
  const qualified = new RegExp(`(?:\\.|::|\\\\)\\s*${name}\\b`);
  const isOfAnother = (path: string): boolean => found.has(path) || packages.has(folderOf(path));
  return (path, text) => path !== file && !importing.has(path)
    && (isElsewhere(languageIn(codebase, path)) || (isOfAnother(path) && (IMPORT.test(text) || !qualified.test(text))));
}

/** Whether a line declares the name without being its declaration: a prototype, an overload, Rust's `impl` of a type. */
function declares(language: string, name: string, isType: boolean): (text: string) => boolean {
  if (isAlike(language, "c")) return (text) => PROTOTYPE.exec(text)?.slice(1).includes(name) === true;
  if (isAlike(language, "typescript")) return (text) => OVERLOAD.exec(text)?.[1] === name;
  if (language !== "rust" || !isType) return () => false;
  const implementing = new RegExp(`^(?:unsafe\\s+)?impl\\b(?:.*\\bfor\\s+|(?:<.*?>)?\\s+)(?:\\w+::)*${name}\\b`);
  return (text) => implementing.test(text);
}

/** Whether what stands in a line cannot be the target, for all that it has its name. */
function hides({ graph, files }: Codebase, target: number, name: string, { importing, isOther }: Explained): (path: string, text: string) => boolean {
  const { file, language, exported, owner, kind } = graph.nodes[target]!;
  const isType = TYPES.has(kind);
  // What components of Vue and Svelte neither export nor expose, they keep to themselves.
  if (isComponent(file) && !exported && owner === "" && !EXPOSES.test(files.text(file) ?? "")) return (path) => path !== file;
  if (language === "go") {
    // What packages keep to themselves others reach by linkname alone; a type that they do not, with the package's name.
    const qualified = new RegExp(`\\.\\s*${name}\\b`);
    return (path, text) => folderOf(path) !== folderOf(file)
      && (exported ? isType && (path.endsWith(".go") ? !(importing.has(path) && qualified.test(text)) : isOther(path, text)) : !text.startsWith("//go:linkname"));
  }
  return isOther;
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

/** Lines of docstrings of Python, by file. */
class Docstrings {
  private readonly known = new Map<string, ReadonlySet<number>>();

  constructor(private readonly files: FileStore) {}

  has(path: string, line: number): boolean {
    let lines = this.known.get(path);
    if (!lines) this.known.set(path, (lines = docstringLines(this.files.text(path) ?? "")));
    return lines.has(line);
  }
}

/** A comment or a text of Python; `quote` of one that may have several lines. */
const TOKEN = /#.*|(?<quote>"""|''')[^]*?\k<quote>|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

/**
 * The lines, from 1, of texts that stand alone at the beginning of a module, a class or a function, but for what doctest runs. What is passed or assigned is none: it
 * may be code that is run.
 */
function docstringLines(text: string): Set<number> {
  const found = new Set<number>();
  let line = 1;
  let end = 0;
  let depth = 0;
  /** The last character of code so far. */
  let last = "";
  for (const { 0: token, index, groups } of text.matchAll(TOKEN)) {
    const code = text.slice(end, index);
    end = index + token.length;
    line += code.split("\n").length - 1;
    for (const sign of code) depth += "([{".includes(sign) ? 1 : ")]}".includes(sign) ? -1 : 0;
    const isAlone = /(?:^|\n)[ \t]*[rRuU]?$/.test(code);
    last = code.replace(/[rRuU]$/, "").trimEnd().at(-1) ?? last;
    const lines = token.split("\n");
    if (groups?.["quote"] !== undefined && isAlone && depth === 0 && (last === "" || last === ":")) {
      for (const [i, one] of lines.entries()) if (!/^\s*(?:>>>|\.\.\.) /.test(one)) found.add(line + i);
    }
    line += lines.length - 1;
    if (!token.startsWith("#")) last = token[0]!;
  }
  return found;
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

/** The language of a file; "" for one of none. */
function languageIn({ graph }: Codebase, path: string): string {
  return graph.nodes[graph.find(`File:${path}`) ?? -1]?.language ?? "";
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
  return `${/^\w/.test(word) ? "\\b" : ""}${literal(word)}${/\w$/.test(word) ? "\\b" : ""}`;
}

/** An attribute of a name, or a call of it. */
export function useOf(name: string): RegExp {
  const word = literal(name.replace(/=$/, ""));
  return new RegExp(`(?:\\.|->|::)${word}(?![\\w$])|(?<![\\w$])${word}\\(`);
}

/** Texts of no language of ours that name functions of it. */
const HAS_CODE = /\.(?:html?|erb|rhtml|haml|slim|vue|svelte|astro|jinja2?|j2|twig|blade\.php|cshtml|razor|jsp|xml|tmpl|gotmpl|s|asm|xaml|storyboard|fxml)$/i;

/** Languages whose code calls each other by name. */
export function isAlike(a: string, b: string): boolean {
  const family = (language: string): string => (/^(?:typescript|javascript|tsx)$/.test(language) ? "typescript" : /^c(?:pp)?$/.test(language) ? "c" : language);
  return family(a) === family(b);
}

