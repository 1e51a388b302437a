import type { Codebase } from "../codebase.ts";
import { count } from "./answers.ts";
import { isSymbol } from "./codebase-index.ts";

interface Folder {
  name: string;
  folders: Map<string, Folder>;
  /** Below it, at any depth. */
  files: number;
  symbols: number;
}

/**
 * The folders as an indented text of at most some `maxLines` lines, each with how many files and symbols are below
 * it. The folders with the most symbols are opened first; what is left closed says how many folders it holds.
 */
export function folderTree(codebase: Codebase, maxLines: number, isWanted: (path: string) => boolean = () => true): { tree: string; folders: number; truncated?: true } {
  const root = readFolders(codebase, isWanted);
  const open = new Set<Folder>([root]);
  let lines = 1 + root.folders.size;
  const closed = [...root.folders.values()].map(joinChain);
  // Always the largest that fits; a folder is opened whole, so that no part of a level is missing in silence.
  for (;;) {
    const next = closed
      .filter((folder) => folder.folders.size > 0 && lines + folder.folders.size <= maxLines)
      .sort((a, b) => b.symbols - a.symbols || b.files - a.files || (a.name < b.name ? -1 : 1))[0];
    if (!next) break;
    open.add(next);
    closed.splice(closed.indexOf(next), 1, ...[...next.folders.values()].map(joinChain));
    lines += next.folders.size;
  }

  const text: string[] = [];
  const write = (folder: Folder, depth: number): void => {
    const shut = !open.has(folder) && folder.folders.size > 0 ? `, ${count(folderCount(folder), "folder")}` : "";
    const symbols = folder.symbols > 0 ? `, ${count(folder.symbols, "symbol")}` : "";
    text.push(`${"  ".repeat(depth)}${folder.name}/ ${count(folder.files, "file")}${symbols}${shut}`);
    if (!open.has(folder)) return;
    const inside = [...folder.folders.values()].map(joinChain).sort((a, b) => (a.name < b.name ? -1 : 1));
    // A wide folder is cut, too: its largest parts are told.
    const told = inside.length <= maxLines ? inside : [...inside].sort((a, b) => b.symbols - a.symbols || b.files - a.files).slice(0, maxLines);
    for (const child of told) write(child, depth + 1);
    if (told.length < inside.length) text.push(`${"  ".repeat(depth + 1)}… ${count(inside.length - told.length, "more folder")}`);
  };
  write(root, 0);
  const truncated = closed.some((folder) => folder.folders.size > 0) || root.folders.size > maxLines;
  return { tree: text.join("\n"), folders: folderCount(root), ...(truncated ? { truncated: true } : {}) };
}

function readFolders({ name, files, graph }: Codebase, isWanted: (path: string) => boolean): Folder {
  const symbolsIn = new Map<string, number>();
  for (const node of graph.nodes) if (isSymbol(node)) symbolsIn.set(node.file, (symbolsIn.get(node.file) ?? 0) + 1);
  const root: Folder = { name, folders: new Map(), files: 0, symbols: 0 };
  for (const path of files.paths.filter(isWanted)) {
    const symbols = symbolsIn.get(path) ?? 0;
    let folder = root;
    folder.files++;
    folder.symbols += symbols;
    for (const part of path.split("/").slice(0, -1)) {
      let next = folder.folders.get(part);
      if (!next) {
        next = { name: part, folders: new Map(), files: 0, symbols: 0 };
        folder.folders.set(part, next);
      }
      next.files++;
      next.symbols += symbols;
      folder = next;
    }
  }
  return root;
}

const joined = new WeakMap<Folder, Folder>();

/** `src/main/java` where each holds nothing but the next is one line. The same folder gives the same object. */
function joinChain(folder: Folder): Folder {
  let known = joined.get(folder);
  if (!known) {
    const only = folder.folders.size === 1 ? [...folder.folders.values()][0]! : undefined;
    known = only?.files === folder.files ? joinChain({ ...only, name: `${folder.name}/${only.name}` }) : folder;
    joined.set(folder, known);
  }
  return known;
}

function folderCount(folder: Folder): number {
  let n = 0;
  for (const child of folder.folders.values()) n += 1 + folderCount(child);
  return n;
}
