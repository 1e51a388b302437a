import type { FileFacts, SymbolFact } from "./facts.ts";
import { type GraphBuilder, nodeOf } from "./graph-builder.ts";
import type { GraphNode } from "./graph.ts";
import { originOf } from "./origin.ts";
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

/** The nodes of one file, and how they stand in each other: what a graph takes over as long as the file is the same. */
export interface FileStructure {
  path: string;
  folder: string;
  file: GraphNode;
  /** In the order of the facts' symbols. */
  symbols: readonly GraphNode[];
  /** The symbol that each stands in, by its place in this list; -1 for the file. */
  parents: readonly number[];
  /** Top-level types, and methods at the top level, which may be of a type in another file of the folder; by their place in the list. */
  types: readonly number[];
  methods: readonly number[];
}

/** Where a file's nodes are: its own, and the first of its symbols; the others follow in the facts' order. */
export interface FileNodes {
  file: number;
  symbols: number;
}

export function structureOf({ path, lines, language, facts }: StructureFile): FileStructure {
  const origin = originOf(path, facts?.generated === true);
  const inTest = isTestPath(path);
  const file = nodeOf({
    id: `File:${path}`, kind: "File", name: lastOf(path), file: path, startLine: 1, endLine: lines, language,
    test: inTest, generated: origin !== "", origin,
  });
  const symbols: GraphNode[] = [];
  const parents: number[] = [];
  const types: number[] = [];
  const methods: number[] = [];
  for (const symbol of facts?.symbols ?? []) {
    const index = symbols.length;
    const parent = symbols[symbol.parent];
    const owner = symbol.owner ?? "";
    symbols.push(nodeOf({
      id: `${symbol.kind}:${path}:${owner === "" ? "" : `${owner}.`}${symbol.name}`,
      kind: symbol.kind, name: symbol.name, file: path, line: symbol.line, startLine: symbol.startLine, endLine: symbol.endLine,
      owner, language, exported: symbol.exported, test: inTest || parent?.test === true || symbol.entry === "test", generated: origin !== "", origin,
      signature: symbol.signature ?? "", entry: symbol.entry ?? "",
    }));
    parents.push(parent ? symbol.parent : -1);
    if (parent) continue;
    if (symbol.owner !== undefined) methods.push(index);
    if (isType(symbol)) types.push(index);
  }
  return { path, folder: folderOf(path), file, symbols, parents, types, methods };
}

/**
 * Adds folders, files and symbols with CONTAINS (folder to folder and file) and DEFINES (file to what stands at
 * its top level, symbol to what stands in it, type to its methods wherever they stand in its folder). `files` are
 * sorted by path. Returns the nodes in the order of the files.
 */
export function addStructure(builder: GraphBuilder, name: string, files: readonly FileStructure[]): FileNodes[] {
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
  for (const { folder } of files) folderNode(folder);

  const nodes = files.map(({ file, folder }): FileNodes => {
    const node = builder.add(file);
    builder.edge(folders.get(folder)!, node, "CONTAINS");
    return { file: node, symbols: 0 };
  });
  files.forEach(({ symbols, parents }, i) => {
    const at = nodes[i]!;
    at.symbols = builder.nodes.length;
    symbols.forEach((symbol, k) => {
      const parent = parents[k]!;
      builder.edge(parent < 0 ? at.file : at.symbols + parent, builder.add(symbol), "DEFINES");
    });
  });
  ownedMethods(files.map((structure, i) => ({ structure, at: nodes[i]! })), (type, method) => builder.edge(type, method, "DEFINES"));
  return nodes;
}

/** Tells of each method at the top level which type it is of. `files` are all of some folders, sorted by path. */
export function ownedMethods(files: readonly { structure: FileStructure; at: FileNodes }[], tell: (type: number, method: number) => void): void {
  // In one folder the first type of a name wins; a Go package has only one.
  const firstTypes = new Map<string, Map<string, { node: number; language: string }>>();
  for (const { structure: { folder, symbols, types }, at } of files) {
    let inFolder = firstTypes.get(folder);
    if (!inFolder) firstTypes.set(folder, (inFolder = new Map<string, { node: number; language: string }>()));
    for (const type of types) {
      const { name, language } = symbols[type]!;
      if (!inFolder.has(name)) inFolder.set(name, { node: at.symbols + type, language });
    }
  }
  for (const { structure: { folder, symbols, types, methods }, at } of files) {
    for (const method of methods) {
      const { owner, language } = symbols[method]!;
      const own = types.findLast((type) => symbols[type]!.name === owner);
      const type = own === undefined ? firstTypes.get(folder)!.get(owner) : { node: at.symbols + own, language: symbols[own]!.language };
      if (type?.language === language) tell(type.node, at.symbols + method);
    }
  }
}

/** Whether methods elsewhere in its folder are joined to it by its name. */
export function isType(symbol: SymbolFact): boolean {
  return symbol.kind !== "Function" && symbol.kind !== "Method" && symbol.kind !== "Variable" && symbol.kind !== "Module" && symbol.kind !== "Route";
}

/** The folder of a path; "" for one at the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
