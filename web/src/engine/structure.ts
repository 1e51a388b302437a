import type { FileFacts, SymbolFact } from "./facts.ts";
import type { GraphBuilder } from "./graph-builder.ts";
import { originOf, type Origin } from "./origin.ts";
import { isTestPath } from "./test-paths.ts";

/** A file as the structure sees it. */
export interface StructureFile {
  path: string;
  lines: number;
  /** "" for a file in none of our languages. */
  language: string;
  /** Absent when the file is in none of our languages or could not be parsed. */
  facts?: FileFacts;
}

/** Where a file's nodes are: its own, and those of its symbols in the facts' order. */
export interface FileNodes {
  file: number;
  symbols: readonly number[];
}

/**
 * Adds folders, files and symbols with CONTAINS (folder to folder and file) and DEFINES (file to what stands at
 * its top level, symbol to what stands in it, type to its methods wherever they stand in its folder). `files` are
 * sorted by path. Returns the nodes by path.
 */
export function addStructure(builder: GraphBuilder, name: string, files: readonly StructureFile[]): Map<string, FileNodes> {
  const folders = new Map<string, number>();
  const folderNode = (path: string): number => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const parent = path === "" ? undefined : folderNode(folderOf(path));
    const node = builder.node({
      id: `Folder:${path}`, kind: "Folder", name: path === "" ? name : lastOf(path), file: path, test: isTestPath(`${path}/`),
    });
    folders.set(path, node);
    if (parent !== undefined) builder.edge(parent, node, "CONTAINS");
    return node;
  };
  folderNode("");
  for (const file of files) folderNode(folderOf(file.path));

  const nodes = new Map<string, FileNodes>();
  for (const { path, lines, language, facts } of files) {
    const origin = originOf(path, facts?.generated === true);
    const file = builder.node({
      id: `File:${path}`, kind: "File", name: lastOf(path), file: path, startLine: 1, endLine: lines, language,
      test: isTestPath(path), generated: origin !== "", origin,
    });
    builder.edge(folderNode(folderOf(path)), file, "CONTAINS");
    nodes.set(path, { file, symbols: [] });
  }
  const methods: { folder: string; owner: string; file: string; node: number }[] = [];
  const types = new Map<string, number>();
  for (const { path, language, facts } of files) {
    if (!facts) continue;
    const at = nodes.get(path)!;
    const test = isTestPath(path);
    const symbols: number[] = [];
    for (const symbol of facts.symbols) {
      const parent = symbols[symbol.parent];
      const node = addSymbol(builder, path, language, symbol, {
        test: test || (parent !== undefined && builder.nodes[parent]!.test),
        origin: builder.nodes[at.file]!.origin,
      });
      symbols.push(node);
      builder.edge(parent ?? at.file, node, "DEFINES");
      if (symbol.owner !== undefined && parent === undefined) methods.push({ folder: folderOf(path), owner: symbol.owner, file: path, node });
      if (parent === undefined && isType(symbol)) {
        types.set(`${path}:${symbol.name}`, node);
        // In one folder the first type of a name wins; a Go package has only one.
        const key = `${folderOf(path)}/:${symbol.name}`;
        if (!types.has(key)) types.set(key, node);
      }
    }
    nodes.set(path, { file: at.file, symbols });
  }
  for (const { folder, owner, file, node } of methods) {
    const type = types.get(`${file}:${owner}`) ?? types.get(`${folder}/:${owner}`);
    if (type !== undefined && builder.nodes[type]!.language === builder.nodes[node]!.language) builder.edge(type, node, "DEFINES");
  }
  return nodes;
}

function addSymbol(builder: GraphBuilder, path: string, language: string, symbol: SymbolFact, marks: { test: boolean; origin: Origin }): number {
  const owner = symbol.owner ?? "";
  return builder.node({
    id: `${symbol.kind}:${path}:${owner === "" ? "" : `${owner}.`}${symbol.name}`,
    kind: symbol.kind, name: symbol.name, file: path, line: symbol.line, startLine: symbol.startLine, endLine: symbol.endLine,
    owner, language, exported: symbol.exported, test: marks.test || symbol.entry === "test", generated: marks.origin !== "", origin: marks.origin,
    signature: symbol.signature ?? "", entry: symbol.entry ?? "",
  });
}

function isType(symbol: SymbolFact): boolean {
  return symbol.kind !== "Function" && symbol.kind !== "Method" && symbol.kind !== "Variable";
}

/** The folder of a path; "" for one at the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
