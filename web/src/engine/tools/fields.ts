/** Names that are no nodes of the graph, as fields and local variables are none: all that is known of them is which lines have the word. */
import type { Codebase } from "../codebase.ts";
import type { GraphNode } from "../graph.ts";
import { cut, type CutList } from "./answers.ts";
import { indexOf, isPlain } from "./codebase-index.ts";
import { enclosing } from "./enclosing.ts";
import { filesEndingWith } from "./file-names.ts";
import { partsOfName, spellings } from "./spellings.ts";
import { linesWithWord, type WordLine } from "./words-in-text.ts";

/** Lines with a name that is no node: those that are counted, and those of which it is asked what they stand in. */
const MAX_LINES = 100_000;
const MAX_PLACED = 1_000;
const MAX_LINE = 160;
const MAX_TOLD = 20;
const MAX_DECLARED = 3;

/** Said of a name that only the text has. */
export const NO_NODE = "is no node of the graph, as fields and local variables are none. The lines that a text search finds follow; what they mean is not checked.";

export interface FieldLines {
  /** In a type and in none of its members, as far as there are such; else where its members give it a value. */
  declared?: string[];
  lines: CutList<string>;
}

interface Found {
  word: string;
  /** A type stands before it, and no module. */
  hasType: boolean;
  lines: WordLine[];
  /** Those of code in a type and in none of its members; where a type is named, in that one. */
  own: WordLine[];
  /** Those anywhere in the type that is named which give it a value, or which declare it in a constructor's parameters. */
  given: WordLine[];
}

type Wanted = (path: string) => boolean;

/**
 * Lines of code that have the last part of a name, as `file:line: text`; first those that seem to declare a field of that
 * name: in the type before it, else in any. After what is neither a type nor a variable, `conn.size`, only those that have it as written. Undefined where no line has it.
 */
export function fieldLines(codebase: Codebase, given: string, max = MAX_TOLD, isWanted: Wanted = () => true): FieldLines | undefined {
  const found = findField(codebase, given, isWanted);
  return found && tell(found, max);
}

/** The same of a name whose type has it in a line that stands in no member: it is that type's, whatever else is called so. */
export function declaredField(codebase: Codebase, given: string): FieldLines | undefined {
  const found = findField(codebase, given, () => true);
  return found?.hasType && found.own.length > 0 ? tell(found, MAX_TOLD) : undefined;
}

function tell({ word, lines, own, given }: Found, max: number): FieldLines {
  const text = ({ path, line, text: said }: WordLine): string => `${path}:${line}: ${said.slice(0, MAX_LINE)}`;
  const declared = (own.length > 0 ? own : given).slice(0, MAX_DECLARED);
  return {
    ...(declared.length > 0 ? { declared: declared.map(text) } : {}),
    lines: cut(lines.filter((line) => !declared.includes(line)), max, text, `grep \\b${word}\\b`),
  };
}

/** By the first spelling of the name that any line has. */
function findField(codebase: Codebase, given: string, isWanted: Wanted): Found | undefined {
  for (const spelling of spellings(given)) {
    const { files, name } = afterFile(codebase, spelling);
    const found = linesOf(codebase, name, (path) => isWanted(path) && files?.has(path) !== false);
    if (found.lines.length > 0) return found;
  }
  return undefined;
}

function linesOf(codebase: Codebase, name: string, isWanted: Wanted): Found {
  const { graph } = codebase;
  const { modules, last } = partsOfName(name);
  const word = last.replace(/^@{1,2}/, "");
  const holders = modules.map((module) => holdersNamed(codebase, module).filter(({ file }) => isWanted(file))).findLast((named) => named.length > 0) ?? [];
  const isPlace = modules.length === 0 || holders.length > 0;
  const fileOf = (path: string): GraphNode | undefined => graph.nodes[graph.find(`File:${path}`) ?? -1];
  // First where the type stands, at last what tests.
  const rank = ({ path }: WordLine): number => (holders.some(({ file }) => file === path) ? 0 : fileOf(path)?.test ? 2 : 1);
  const lines = linesWith(codebase, word, (path, text) => isWanted(path) && (isPlace || startsAsWord(text, name))).sort((a, b) => rank(a) - rank(b));
  const isInside = ({ path, line }: WordLine): boolean => holders.some(({ file, startLine, endLine }) => path === file && line >= startLine && line <= endLine);
  const code = lines.filter(({ text }) => !/^(?:\/\/|\/?\*|#)/.test(text)).filter(modules.length === 0 ? () => true : isInside).slice(0, MAX_PLACED);
  const around = enclosing(graph, code.map(({ path, line }) => ({ file: path, line })));
  const own = code.filter((_, i) => around[i] !== undefined && (holders.includes(around[i]) || !isPlain(around[i].kind)));
  return { word, hasType: holders.some(({ kind }) => kind !== "Module"), lines, own, given: modules.length === 0 ? [] : code.filter(({ text }) => isGiven(text, word)) };
}

/** In PHP a property is declared as `$total`, and read as `$this->total`. */
function linesWith({ graph, files }: Codebase, word: string, isWanted: (path: string, text: string) => boolean): WordLine[] {
  const languageOf = (path: string): string => graph.nodes[graph.find(`File:${path}`) ?? -1]?.language ?? "";
  const lines = linesWithWord(files, word, MAX_LINES, (path, _, text) => languageOf(path) !== "" && isWanted(path, text));
  const other = word.startsWith("$") ? word.slice(1) : `$${word}`;
  const seen = new Set(lines.map(({ path, line }) => `${path}:${line}`));
  const inPhp = linesWithWord(files, other, MAX_LINES, (path, line, text) => languageOf(path) === "php" && isWanted(path, text) && !seen.has(`${path}:${line}`));
  return inPhp.length === 0 ? lines : [...lines, ...inPhp].sort((a, b) => (a.path === b.path ? a.line - b.line : 0));
}

/** `this.total = 1`, `private total` among a constructor's parameters. */
function isGiven(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return /^\s*(?::[^=]*)?=(?![=>])/.test(text.slice(at + word.length)) || /\b(?:private|protected|public|internal|readonly)\b[^(),]*$/.test(text.slice(0, at));
}

function startsAsWord(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at === 0 || at > 0 && !/[\w$]/.test(text[at - 1]!);
}

/** `src/conn.go:Conn.size` as its files and `Conn.size`. */
function afterFile(codebase: Codebase, name: string): { files?: ReadonlySet<string>; name: string } {
  for (let colon = name.lastIndexOf(":"); colon > 0; colon = name.lastIndexOf(":", colon - 1)) {
    const found = filesEndingWith(codebase, name.slice(0, colon));
    if (found.length > 0) return { files: new Set(found.map((file) => codebase.graph.nodes[file]!.file)), name: name.slice(colon + 1).trim() };
  }
  return { name };
}

/** Types, and variables: the fields of an object that one holds stand in it. */
function holdersNamed(codebase: Codebase, name: string): GraphNode[] {
  return (indexOf(codebase).symbolsByName.get(name) ?? []).map((node) => codebase.graph.nodes[node]!).filter(({ kind }) => kind === "Variable" || !isPlain(kind));
}
