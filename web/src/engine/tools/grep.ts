import { startWorker } from "../../code.ts";
import { compile, type GrepMatch, type ScanResult } from "../grep/scan.ts";
import { GrepRunner, runHere, type GrepQuery } from "../grep/runner.ts";
import type { Codebase, FileStore } from "../codebase.ts";
import { ToolError, type Tool } from "../tools.ts";
import { present, qualifiedName, shorten } from "./answers.ts";
import { flag, number, oneOf, text } from "./arguments.ts";
import { enclosing } from "./enclosing.ts";
import { linesIn } from "./excerpts.ts";
import { literal } from "./literal.ts";
import { Page } from "./page.ts";

const MAX_LINE = 300;

let runner: GrepRunner | undefined;

async function run(files: FileStore, query: GrepQuery): Promise<ScanResult> {
  if (typeof Worker === "undefined") return runHere(files, query);
  runner ??= new GrepRunner(() => startWorker("grep"));
  return runner.run(files, query);
}

/**
 * Lines that match, by path and line, each with the symbol that it stands in and, when asked for, the lines around it; or the
 * files that have such lines, or how many there are in each.
 */
export const grep: Tool = async (args, { codebase, signal, deadline }) => {
  const pattern = text(args, "pattern");
  const caseSensitive = flag(args, "caseSensitive", true);
  const output = oneOf({ output: "lines", ...args }, "output", ["lines", "files", "count"]);
  const context = number(args, "context", 0);
  const limit = number(args, "maxResults", 50);
  const page = new Page({ ...args, limit });
  check(pattern, caseSensitive);
  const paths = page.filter(codebase.files.paths, (path) => path);
  const { matches, total, files } = await run({ paths, text: (path) => codebase.files.text(path) }, {
    pattern, caseSensitive, maxResults: output === "lines" ? page.offset + limit : 0, signal, deadline,
  });
  const figures = { total, files: files.length, ...(total === 0 ? present({ searchedFiles: paths.length, hint: hintFor(pattern, paths.length) }) : {}) };
  if (output !== "lines") {
    const part = files.slice(page.offset, page.offset + limit);
    return { list: part.map(([path, lines]) => (output === "files" ? path : `${path}: ${lines}`)), ...figures, ...rest(files.length - page.offset - part.length, page.offset + part.length) };
  }
  const part = matches.slice(page.offset);
  return { matches: tellMatches(codebase, part, context), ...figures, ...rest(total - page.offset - part.length, page.offset + part.length) };
};

/** Why nothing was found, where that is to be seen. */
function hintFor(pattern: string, searched: number): string | undefined {
  if (searched === 0) return "No file has that path, from the repository's root or as its end: context with focus structure tells the folders.";
  return /\\[nr]|\[\\s\\S\]|\[\^\]/.test(pattern) ? "A pattern is looked for in each line alone, so none goes over the end of one." : undefined;
}

function rest(more: number, next: number): object {
  return more > 0 ? { more, rest: `offset ${next}` } : {};
}

interface Told {
  file: string;
  line: number;
  text: string;
  /** The symbol that the line stands in. */
  in?: string;
  before?: string[];
  after?: string[];
}

/** Lines that two matches would both have around them are those of the first. */
function tellMatches(codebase: Codebase, matches: readonly GrepMatch[], context: number): Told[] {
  // A declaration says itself what it is.
  const inside = enclosing(codebase.graph, matches).map((node, i) => (node && node.line !== matches[i]!.line ? qualifiedName(node) : undefined));
  let shown = { file: "", line: 0 };
  return matches.map(({ file, line, text: own }, i) => {
    if (context === 0) return present({ file, line, text: own, in: inside[i] });
    const lines = linesIn(codebase, file);
    const next = matches[i + 1];
    const from = Math.max(1, line - context, shown.file === file ? shown.line + 1 : 1);
    const to = Math.min(lines.length, line + context, next?.file === file ? next.line - 1 : lines.length);
    shown = { file, line: to };
    return present({
      file, line, text: shorten(lines[line - 1] ?? own, MAX_LINE), in: inside[i],
      before: from < line ? lines.slice(from - 1, line - 1).map((code) => shorten(code, MAX_LINE)) : undefined,
      after: to > line ? lines.slice(line, to).map((code) => shorten(code, MAX_LINE)) : undefined,
    });
  });
}

function check(pattern: string, caseSensitive: boolean): void {
  try {
    compile(pattern, caseSensitive);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const advice = /\(\?[a-z]+\)/.test(pattern)
      ? "JavaScript has no inline flags such as (?i): use caseSensitive."
      : "To search for these characters themselves, escape them; details.literal is the escaped pattern.";
    throw new ToolError(`${words}. ${advice}`, { literal: literal(pattern) });
  }
}
