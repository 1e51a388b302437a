import type { Codebase } from "../codebase.ts";
import { branchesByLine } from "../complexity.ts";
import { stillClustering } from "../summary.ts";
import type { Tool } from "../tools.ts";
import { count, present, qualifiedName } from "./answers.ts";
import { text } from "./arguments.ts";
import { DEPENDENCE, indexOf } from "./codebase-index.ts";
import { isSure, possibleCallees } from "./dynamic.ts";
import { block, linesIn } from "./excerpts.ts";
import { Page } from "./page.ts";
import { resolvePath } from "./read.ts";
import { partsOf } from "./reach.ts";
import { touchedBy, touchedLists } from "./touched.ts";

const SYMBOLS = 40;
const FILES = 15;
const TESTS = 8;
const POSSIBLE = 8;
const MAX_LINES = 400;
const MAX_CHARS = 14_000;

/**
 * One file for a reviewer: what to look at first, what hangs on it, and its text. A symbol's complexity is one and the
 * branches in its lines (see branchesByLine), those of symbols inside of it left out. Hot is what is complex and called
 * from many places.
 */
export const reviewFile: Tool = (args, { codebase }) => {
  const { graph } = codebase;
  const path = resolvePath(codebase, text(args, "filePath"));
  const page = new Page(args);
  const file = graph.find(`File:${path}`)!;
  const node = graph.nodes[file]!;
  const lines = linesIn(codebase, path);
  const total = node.endLine;
  const parts = partsOf(graph, file);
  const symbols = symbolsIn(codebase, parts, path);
  const touched = touchedBy(codebase, parts);
  const shown = block(lines, 1, Math.max(1, total), MAX_LINES, MAX_CHARS);
  const uses = filesBeside(codebase, parts, path, "out");
  const usedBy = filesBeside(codebase, parts, path, "in");
  const isTest = ({ test }: Beside): boolean => test;
  const fileOf = ({ file: other }: Beside): string => other;
  const listed = page.list(symbols, SYMBOLS, () => "", (s) => [s.name, s.kind, `${s.start}-${s.end}`, s.complexity, s.callers, s.references, s.callees]);
  return present({
    file: path,
    language: node.language || undefined,
    lines: total,
    complexity: symbols.length > 0 ? symbols.reduce((sum, { complexity }) => sum + complexity, 0) : undefined,
    test: node.test ? true as const : undefined,
    origin: node.origin || undefined,
    ...(parts.size > 1 ? touchedLists(touched, page) : {}),
    symbols: listed
      ? {
          columns: ["name", "kind", "lines", "complexity", "callers", "references", "callees"],
          ...listed,
        }
      : undefined,
    importedBy: page.list(usedBy.filter((f) => f.imported && (node.test || !isTest(f))), FILES, fileOf, inWords),
    usedBy: page.list(usedBy.filter((f) => !f.imported && (node.test || !isTest(f))), FILES, fileOf, inWords),
    tests: node.test ? undefined : page.list(usedBy.filter(isTest), TESTS, fileOf, inWords),
    imports: page.list(uses.filter((f) => f.imported), FILES, fileOf, inWords),
    uses: page.list(uses.filter((f) => !f.imported), FILES, fileOf, inWords),
    possibleCallees: page.list([...parts].flatMap((part) => possibleCallees(codebase, part)), POSSIBLE, () => "", (call) => call),
    note: stillClustering(codebase),
    content: page.isFirst ? shown.code : undefined,
    ...(shown.shownTo === undefined || !page.isFirst ? {} : { shownTo: shown.shownTo, rest: `read from startLine ${shown.shownTo + 1}` }),
  });
};

interface Reviewed {
  name: string;
  kind: string;
  start: number;
  end: number;
  complexity: number;
  callers: number;
  /** Symbols that use it as a value, or read or write it. */
  references: number;
  callees: number;
}

/** The hot ones first. */
function symbolsIn(codebase: Codebase, parts: ReadonlySet<number>, path: string): Reviewed[] {
  const { graph } = codebase;
  const inside = [...parts].filter((part) => graph.nodes[part]!.line > 0 && graph.nodes[part]!.file === path);
  const branches = branchesByLine(codebase.files.text(path)!, graph.nodes[graph.find(`File:${path}`)!]!.language);
  const sum = ({ startLine, endLine }: { startLine: number; endLine: number }): number => branches.slice(startLine - 1, endLine).reduce((a, b) => a + b, 0);
  const isBody = (kind: string): boolean => kind === "Function" || kind === "Method";
  return inside.map((part) => {
    const node = graph.nodes[part]!;
    const within = inside.filter((other) => other !== part && isBody(graph.nodes[other]!.kind)
      && graph.nodes[other]!.startLine >= node.startLine && graph.nodes[other]!.endLine <= node.endLine);
    // Of two inside of each other only the outer one is taken away.
    const outer = within.filter((a) => !within.some((b) => b !== a && graph.nodes[b]!.startLine <= graph.nodes[a]!.startLine && graph.nodes[b]!.endLine >= graph.nodes[a]!.endLine));
    return {
      name: qualifiedName(node), kind: node.kind, start: node.startLine, end: node.endLine,
      complexity: isBody(node.kind) ? Math.max(1, 1 + sum(node) - outer.reduce((less, other) => less + sum(graph.nodes[other]!), 0)) : 0,
      callers: graph.in(part, "CALLS").filter((e) => isSure(codebase, e)).length,
      references: graph.in(part, "REFERENCES").length,
      callees: graph.out(part, "CALLS").filter((e) => isSure(codebase, e)).length,
    };
  }).sort((a, b) => heat(b) - heat(a) || a.start - b.start);
}

function heat({ complexity, callers, references }: Reviewed): number {
  return complexity * (1 + Math.log2(1 + callers + references));
}

interface Beside {
  file: string;
  /** One names the other in an import; else they use each other's symbols without, as files of one package do. */
  imported: boolean;
  /** Lines that call: what one line may call through an interface is one call. */
  calls: ReadonlySet<number>;
  /** Lines that use something as a value. */
  references: ReadonlySet<number>;
  test: boolean;
}

/** The files that a file imports or uses, or that import or use it, most calls first. What is only possible makes no neighbour. */
function filesBeside(codebase: Codebase, parts: ReadonlySet<number>, path: string, way: "in" | "out"): Beside[] {
  const { graph } = codebase;
  const { connections } = indexOf(codebase);
  const files = new Map<string, Beside & { calls: Set<number>; references: Set<number> }>();
  for (const part of parts) {
    for (const type of DEPENDENCE) {
      for (const e of way === "in" ? graph.in(part, type) : graph.out(part, type)) {
        const { file, test } = graph.nodes[way === "in" ? graph.from[e]! : graph.to[e]!]!;
        if (file === path || !isSure(codebase, e)) continue;
        let beside = files.get(file);
        if (!beside) files.set(file, (beside = { file, imported: false, calls: new Set(), references: new Set(), test }));
        if (type === "IMPORTS") beside.imported = true;
        const lines = type === "CALLS" ? beside.calls : type === "REFERENCES" ? beside.references : undefined;
        if (lines) for (const line of graph.sites(e)) lines.add(line);
      }
    }
  }
  const weight = ({ file }: Beside): number => connections[graph.find(`File:${file}`)!]!;
  return [...files.values()].sort((a, b) => b.calls.size - a.calls.size || b.references.size - a.references.size || weight(b) - weight(a) || (a.file < b.file ? -1 : 1));
}

/** `src/a.ts: 3 calls, 1 reference`; a file alone is only imported. */
function inWords({ file, calls, references }: Beside): string {
  const uses = [...(calls.size > 0 ? [count(calls.size, "call")] : []), ...(references.size > 0 ? [count(references.size, "reference")] : [])];
  return uses.length === 0 ? file : `${file}: ${uses.join(", ")}`;
}
