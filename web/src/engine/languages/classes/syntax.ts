import type { Language as Grammar, Tree } from "web-tree-sitter";
import { walk } from "../../tree-walk.ts";

/** Nodes nested deeper are left out: the walkers over a Syntax are recursive. */
const MAX_DEPTH = 500;

/** What of a grammar an extractor reads. */
export interface Reading {
  /** Tokens that say more than their place does. */
  tokens: readonly string[];
  /** Named nodes that are left out with all they hold. */
  skip: readonly string[];
  /** Named nodes that are read without what they hold. */
  leaves: readonly string[];
}

const enum Role { Drop, Leaf, Inner }

interface Table {
  kinds: string[];
  roles: Role[];
  fields: string[];
}

const tables = new WeakMap<Grammar, Table>();

function tableOf(grammar: Grammar, reading: Reading): Table {
  let table = tables.get(grammar);
  if (!table) {
    const tokens = new Set(reading.tokens);
    const skip = new Set(reading.skip);
    const leaves = new Set(reading.leaves);
    table = { kinds: [], roles: [], fields: grammar.fields.map((name) => name ?? "") };
    for (let id = 0; id < grammar.nodeTypeCount; id++) {
      const kind = grammar.nodeTypeForId(id) ?? "";
      const named = grammar.nodeTypeIsNamed(id);
      table.kinds.push(kind);
      table.roles.push(!named ? (tokens.has(kind) ? Role.Leaf : Role.Drop) : skip.has(kind) ? Role.Drop : leaves.has(kind) ? Role.Leaf : Role.Inner);
    }
    tables.set(grammar, table);
  }
  return table;
}

/**
 * A syntax tree as flat arrays in document order. Every question to a tree-sitter tree is a call into WebAssembly, so
 * each node is asked once. A node is its index; 0 is the root, and stands for "none" where a child is looked for.
 */
export class Syntax {
  /** "ERROR" for what the parser could not place. */
  readonly kinds: string[] = [];
  /** Number of places where the parser recovered from an error. */
  readonly errors: number;
  private readonly fields: string[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly nexts: number[] = [];
  private readonly lineStarts: number[] = [0];

  constructor(tree: Tree, readonly source: string, grammar: Grammar, reading: Reading) {
    for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) this.lineStarts.push(at + 1);
    this.read(tree, tableOf(grammar, reading));
    let errors = 0;
    if (tree.rootNode.hasError) {
      for (const kind of this.kinds) if (kind === "ERROR") errors++;
      // A missing token leaves no node that was read.
      errors = Math.max(errors, 1);
    }
    this.errors = errors;
  }

  private read(tree: Tree, { kinds, roles, fields }: Table): void {
    walk(tree, (at, _, depth) => {
      const id = at.type;
      // Error nodes have an id beyond the grammar's own.
      const role = roles[id] ?? Role.Inner;
      if (role === Role.Drop) return -1;
      const node = this.kinds.length;
      this.kinds.push(kinds[id] ?? "ERROR");
      this.fields.push(fields[at.field] ?? "");
      this.starts.push(at.start);
      this.ends.push(at.end);
      this.nexts.push(node + 1);
      return role === Role.Inner && depth < MAX_DEPTH ? node : -1;
    }, (node) => {
      this.nexts[node] = this.kinds.length;
    });
  }

  kind(node: number): string {
    return this.kinds[node]!;
  }

  /** The part that a node plays in its parent, as the grammar calls it; "" for none. */
  field(node: number): string {
    return this.fields[node]!;
  }

  text(node: number): string {
    return this.source.slice(this.starts[node], this.ends[node]);
  }

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

  /** The first child of one of the kinds, or 0. */
  child(node: number, ...kinds: readonly string[]): number {
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) if (kinds.includes(this.kinds[child]!)) return child;
    return 0;
  }

  /** The first child that plays a part, or 0. */
  part(node: number, field: string): number {
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) if (this.fields[child] === field) return child;
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

  private lineAt(offset: number): number {
    let low = 0;
    let high = this.lineStarts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}
