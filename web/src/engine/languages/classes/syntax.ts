import type { Language as Grammar, Tree } from "web-tree-sitter";
import { FlatTree } from "../flat-tree.ts";

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

/** A syntax tree of any of the grammars that are read by a table. */
export class Syntax extends FlatTree {
  private readonly fields: string[] = [];

  constructor(tree: Tree, source: string, grammar: Grammar, reading: Reading) {
    super(source);
    const { kinds, roles, fields } = tableOf(grammar, reading);
    const broken = tree.rootNode.hasError;
    this.read(tree, kinds.length, (at, parent, depth) => {
      const id = at.type;
      const role = roles[id] ?? Role.Inner;
      if (role === Role.Drop) {
        if (broken && kinds[id] === ";" && this.kinds[parent] === "expression_statement" && this.kinds[parent + 1] === "call_expression" && at.missing) this.unended++;
        return false;
      }
      this.add(kinds[id] ?? "ERROR", at.start, at.end);
      this.fields.push(fields[at.field] ?? "");
      return role === Role.Inner && depth < MAX_DEPTH;
    });
  }

  /** The part that a node plays in its parent, as the grammar calls it; "" for none. */
  field(node: number): string {
    return this.fields[node]!;
  }

  /** The first child of one of the kinds, or 0. */
  child(node: number, ...kinds: readonly string[]): number {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) if (kinds.includes(this.kinds[child]!)) return child;
    return 0;
  }

  /** The first child that plays a part, or 0. */
  part(node: number, field: string): number {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) if (this.fields[child] === field) return child;
    return 0;
  }
}
