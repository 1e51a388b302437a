/** One folder or file of the file tree, with figures. */
import type { Tool } from "../tools.ts";
import { texts } from "../tools/arguments.ts";
import { hierarchyOf } from "./hierarchy.ts";

export interface TreeEntry {
  id: string;
  name: string;
  kind: string;
  file: string;
  line: number;
  test: boolean;
  /** Has something inside. */
  group: boolean;
  /** Symbols at and below it. */
  symbols: number;
  /** Of a file: other files with something that uses it. */
  dependents: number;
}

/** Entries by the ids of their folders; "" for the root. Folders come first, then by name; symbols by line. */
export type TreeAnswer = Record<string, TreeEntry[]>;

export const viewTree: Tool = async (args, { codebase }): Promise<TreeAnswer> => {
  const { graph } = codebase;
  const tree = await hierarchyOf(codebase, "folder");
  const entry = (node: number): TreeEntry => {
    const { id, name, kind, file, line, test } = tree.node(node);
    return { id, name, kind, file, line, test, group: tree.children(node).length > 0, symbols: tree.weight[node]!, dependents: kind === "File" ? dependents(node) : 0 };
  };
  const dependents = (file: number): number => {
    const files = new Set<string>();
    for (const node of [file, ...tree.children(file)]) {
      for (const e of graph.in(node)) {
        const from = graph.nodes[graph.from[e]!]!;
        if (from.kind !== "Folder" && from.file !== graph.nodes[file]!.file && graph.confidence[e]! >= 0.7) files.add(from.file);
      }
    }
    return files.size;
  };
  const rank = ({ kind }: TreeEntry): number => (kind === "Folder" ? 0 : 1);
  return Object.fromEntries(texts(args, "ids").flatMap((id) => {
    const node = id === "" ? -1 : graph.find(id);
    if (node === undefined) return [];
    const children = (node < 0 ? tree.roots : tree.children(node)).map(entry);
    return [[id, children.sort((a, b) => rank(a) - rank(b) || (a.line > 0 || b.line > 0 ? a.line - b.line : a.name < b.name ? -1 : 1))]];
  }));
};
