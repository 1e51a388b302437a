import type { Tree } from "web-tree-sitter";
import { type TreePosition, walk } from "../tree-walk.ts";
import { lastUpTo } from "./ascending.ts";

/**
 * A syntax tree as flat arrays in document order. Every question to a tree-sitter tree is a call into WebAssembly, so
 * each node is asked once, by a subclass that knows what is worth keeping of its grammar.
 * A node is its index; 0 is the root, and stands for "none" where a child is looked for.
 */
export abstract class FlatTree<Kind extends string = string> {
  /** Number of places where the parser recovered from an error: what it could not place, or made up to get on. */
  errors = 0;
  /** How many of these are no more than a sign that ends the statement of a call: of `EACH(a, list) { … }` and its like nothing is lost. */
  unended = 0;
  protected readonly kinds: Kind[] = [];
  protected readonly starts: number[] = [];
  protected readonly ends: number[] = [];
  /** The node after each and all that it holds; equals the parent's for a last child. */
  protected readonly nexts: number[] = [];
  private lineStarts: number[] | undefined;

  protected constructor(readonly source: string) {}

  /**
   * Walks the tree. `keep` is asked about each node, with the kept node around it and its depth: it adds the node, or
   * not, and says whether to look inside; `types` is how many node types the grammar has, where an error's begins.
   */
  protected read(tree: Tree, types: number, keep: (at: TreePosition, parent: number, depth: number) => boolean): void {
    const broken = tree.rootNode.hasError;
    walk(tree, (at, parent, depth) => {
      if (broken && (at.type >= types || at.missing)) this.errors++;
      const node = this.kinds.length;
      return keep(at, parent, depth) ? node : -1;
    }, (node) => {
      this.nexts[node] = this.kinds.length;
    });
  }

  protected add(kind: Kind, start: number, end: number): void {
    this.kinds.push(kind);
    this.starts.push(start);
    this.ends.push(end);
    this.nexts.push(this.kinds.length);
  }

  kind(node: number): Kind {
    return this.kinds[node]!;
  }

  text(node: number): string {
    return this.source.slice(this.starts[node], this.ends[node]);
  }

  /** Offset in the source of a node's first character, in UTF-16 units. */
  start(node: number): number {
    return this.starts[node]!;
  }

  end(node: number): number {
    return this.ends[node]!;
  }

  /** The node after this one and all that it holds. */
  next(node: number): number {
    return this.nexts[node]!;
  }

  children(node: number): number[] {
    const list: number[] = [];
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) list.push(child);
    return list;
  }

  /** The first child of a kind, or 0. */
  childOf(node: number, kind: Kind): number {
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) if (this.kinds[child] === kind) return child;
    return 0;
  }

  /** 1-based line of a node's first character. */
  line(node: number): number {
    return this.lineAt(this.starts[node]!);
  }

  /** 1-based line of its last character. */
  endLine(node: number): number {
    return this.lineAt(Math.max(this.starts[node]!, this.ends[node]! - 1));
  }

  /** The offset at which a 1-based line starts. */
  offsetOfLine(line: number): number {
    return this.lines()[line - 1] ?? this.source.length;
  }

  /** The line of an offset, from 1. */
  lineAt(offset: number): number {
    return lastUpTo(this.lines(), offset) + 1;
  }

  private lines(): readonly number[] {
    if (!this.lineStarts) {
      this.lineStarts = [0];
      for (let at = this.source.indexOf("\n"); at >= 0; at = this.source.indexOf("\n", at + 1)) this.lineStarts.push(at + 1);
    }
    return this.lineStarts;
  }
}
