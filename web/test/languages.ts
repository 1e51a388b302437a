/** Runs languages in Node, for tests and for measuring: the same code as in the Workers, without them. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Language as Grammar, Parser } from "web-tree-sitter";
import { Collector } from "../src/engine/collector.ts";
import type { FileFacts } from "../src/engine/facts.ts";
import type { GrammarName, Language, LanguageFiles, ProjectFile, Reader, ResolvedEdgeType, SymbolRef } from "../src/engine/language.ts";
import { languageOf, languages } from "../src/engine/languages/index.ts";
import { readers } from "../src/engine/languages/readers.ts";
import { withRoutes } from "../src/engine/languages/routes/extract.ts";
import { anchored, type Anchor } from "../src/engine/relations.ts";
import { storedCallsWithin, withStored } from "../src/engine/stored.ts";
import { initParser } from "../src/engine/tree-walk.ts";

const require = createRequire(import.meta.url);
const grammars = new Map<GrammarName, Promise<Grammar>>();
let ready: Promise<void> | undefined;

export async function loadGrammar(name: GrammarName): Promise<Grammar> {
  await (ready ??= initParser());
  let grammar = grammars.get(name);
  if (!grammar) {
    grammar = Grammar.load(readFileSync(require.resolve(name === "c" ? "tree-sitter-c/tree-sitter-c.wasm" : `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)));
    grammars.set(name, grammar);
  }
  return grammar;
}

/** The reader of a language. */
export function readerFor({ id }: LanguageFiles): Reader {
  return readers.find((reader) => reader.id === id)!;
}

/** Parses and extracts one file. */
export async function extract(language: LanguageFiles, path: string, source: string, context?: unknown): Promise<FileFacts> {
  const reader = readerFor(language);
  const grammar = await loadGrammar(reader.grammar(path, source));
  const parser = new Parser();
  parser.setLanguage(grammar);
  const code = reader.code?.(path, source) ?? source;
  const tree = parser.parse(code);
  if (!tree) throw new Error(`no tree for ${path}`);
  try {
    return withRoutes(reader.id, reader.extract(tree, code, path, grammar, context), tree, code, path, context);
  } finally {
    tree.delete();
    parser.delete();
  }
}

export interface ResolvedEdge {
  type: ResolvedEdgeType;
  from: SymbolRef;
  to: SymbolRef;
  confidence: number;
  line: number;
}

export interface Analysis {
  language: Language;
  files: ProjectFile<unknown>[];
  edges: ResolvedEdge[];
  parseMs: number;
  resolveMs: number;
}

/** Extracts and resolves a whole repository given as path -> text; one analysis a language found. */
export async function analyse(repo: Record<string, string>): Promise<Analysis[]> {
  const paths = new Set(Object.keys(repo));
  const analyses: Analysis[] = [];
  for (const language of languages) {
    const started = performance.now();
    const files: ProjectFile<unknown>[] = [];
    for (const path of [...paths].sort()) {
      if (languageOf(path, repo[path]!) === language) files.push({ path, facts: await extract(language, path, repo[path]!) });
    }
    if (files.length === 0) continue;
    const contexts = language.contexts?.({ files, paths, read: (path) => repo[path] });
    for (const file of files) if (contexts?.has(file.path)) file.facts = await extract(language, file.path, repo[file.path]!, contexts.get(file.path));
    const parsed = performance.now();
    const anchors = files.map(({ path, facts }) => anchored(path, facts));
    const { emit, stores, byFile } = new Collector(anchors);
    language.resolve({ files, paths, read: (path) => repo[path] }, emit, undefined, undefined, stores);
    const stored = storedCallsWithin(anchors, byFile).calls;
    const index = new Map(files.map(({ path }, i) => [path, i]));
    const refTo = ({ path, symbol }: Anchor): SymbolRef => ({ file: index.get(path)!, symbol });
    const edges = files.flatMap(({ path }) => withStored(byFile.get(path)?.relations ?? [], stored.get(path) ?? []))
      .map(({ type, from, to, confidence, line }) => ({ type, from: refTo(from), to: refTo(to), confidence, line }));
    analyses.push({ language, files, edges, parseMs: parsed - started, resolveMs: performance.now() - parsed });
  }
  return analyses;
}

/** Names one end of an edge as `path` or `path:Owner.name`. */
export function nameOf(files: readonly ProjectFile<unknown>[], ref: SymbolRef): string {
  const file = files[ref.file]!;
  const symbol = file.facts.symbols[ref.symbol];
  if (!symbol) return file.path;
  return `${file.path}:${symbol.owner ? `${symbol.owner}.` : ""}${symbol.name}`;
}

/** Readable edges, sorted: `CALLS a.ts:main -> b.ts:Server.run 0.9`. For fixtures. */
export async function edgesOf(repo: Record<string, string>, type?: ResolvedEdgeType): Promise<string[]> {
  return (await analyse(repo))
    .flatMap(({ files, edges }) =>
      edges
        .filter((e) => type === undefined || e.type === type)
        .map((e) => `${e.type} ${nameOf(files, e.from)} -> ${nameOf(files, e.to)} ${e.confidence}`))
    .sort();
}
