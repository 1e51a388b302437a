import type { Language as Grammar, Tree } from "web-tree-sitter";
import { walk } from "../../../tree-walk.ts";

/** Tokens that say more than their place does; all other punctuation is dropped. */
const TOKENS = new Set([
  "async", "static", "get", "set", "*", "const", "let", "var", "type", "typeof", "default", "export", "=", "await",
  "of", "in", "instanceof", "&&", "||", "??", "!", "===", "==", "!==", "!=", "global", "new", "abstract",
  "declare", "readonly", "namespace", "module", "?", "+", "&&=", "||=", "??=", "void", "using",
]);

/** Nodes whose inside nobody asks for. */
const LEAVES = new Set([
  "identifier", "property_identifier", "private_property_identifier", "type_identifier", "shorthand_property_identifier",
  "shorthand_property_identifier_pattern", "statement_identifier", "string", "number", "regex", "comment", "html_comment",
  "true", "false", "null", "undefined", "this", "super", "import", "predefined_type", "hash_bang_line",
  "accessibility_modifier", "override_modifier", "optional_chain", "jsx_text", "this_type", "escape_sequence", "string_fragment",
]);

const enum Role { Drop, Leaf, Inner }

interface Roles {
  kinds: string[];
  role: Role[];
}

const rolesOf = new WeakMap<Grammar, Roles>();

function roles(grammar: Grammar): Roles {
  let known = rolesOf.get(grammar);
  if (!known) {
    known = { kinds: [], role: [] };
    for (let id = 0; id < grammar.nodeTypeCount; id++) {
      const kind = grammar.nodeTypeForId(id) ?? "";
      known.kinds.push(kind);
      known.role.push(grammar.nodeTypeIsNamed(id) ? (LEAVES.has(kind) ? Role.Leaf : Role.Inner) : TOKENS.has(kind) ? Role.Leaf : Role.Drop);
    }
    rolesOf.set(grammar, known);
  }
  return known;
}

/**
 * A syntax tree as flat arrays in document order. Asking a tree-sitter tree costs a call into
 * WebAssembly for every node and field; it is read once, and everything else works on this.
 * A node is its index; 0 is the root. Tokens that carry no meaning of their own are left out.
 */
export class Syntax {
  /** The text that names are read from. */
  readonly source: string;
  /** Number of syntax errors that the parser recovered from. */
  errors = 0;
  private readonly kinds: string[] = [];
  private readonly fields: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly nexts: number[] = [];
  private readonly fieldNames: readonly (string | null)[];
  private readonly lineStarts: number[] = [0];

  /** Nodes nested deeper than `maxDepth` are left out: the walkers over a Syntax are recursive. */
  constructor(tree: Tree, source: string, grammar: Grammar, maxDepth: number) {
    this.source = source;
    this.fieldNames = grammar.fields;
    for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) this.lineStarts.push(at + 1);
    this.readTree(tree, roles(grammar), maxDepth);
  }

  private readTree(tree: Tree, { kinds, role }: Roles, maxDepth: number): void {
    const broken = tree.rootNode.hasError;
    walk(tree, (at, _, depth) => {
      const id = at.type;
      if (broken && (id >= role.length || at.missing)) this.errors++;
      // Error nodes have an id beyond the grammar's own.
      const what = role[id] ?? Role.Inner;
      if (what === Role.Drop) return -1;
      const node = this.kinds.length;
      this.kinds.push(kinds[id] ?? "ERROR");
      this.fields.push(at.field);
      this.starts.push(at.start);
      this.ends.push(at.end);
      this.nexts.push(node + 1);
      return what === Role.Inner && depth < maxDepth ? node : -1;
    }, (node) => {
      this.nexts[node] = this.kinds.length;
    });
  }

  kind(node: number): string {
    return this.kinds[node]!;
  }

  field(node: number): string | null {
    const id = this.fields[node]!;
    return id === 0 ? null : (this.fieldNames[id] ?? null);
  }

  start(node: number): number {
    return this.starts[node]!;
  }

  text(node: number): string {
    return this.source.slice(this.starts[node], this.ends[node]);
  }

  /** The node after this one and all that it holds; equals the parent's `next` for a last child. */
  next(node: number): number {
    return this.nexts[node]!;
  }

  children(node: number): number[] {
    const list: number[] = [];
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) list.push(child);
    return list;
  }

  /** The first child in a field, or 0. */
  child(node: number, field: string): number {
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) {
      if (this.fields[child] !== 0 && this.fieldNames[this.fields[child]!] === field) return child;
    }
    return 0;
  }

  /** The first child of a kind (or token), or 0. */
  childOf(node: number, kind: string): number {
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) {
      if (this.kinds[child] === kind) return child;
    }
    return 0;
  }

  has(node: number, token: string): boolean {
    return this.childOf(node, token) !== 0;
  }

  /** The first child that is neither a token nor a comment, or 0. */
  inner(node: number): number {
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) {
      if (!TOKENS.has(this.kinds[child]!) && this.kinds[child] !== "comment") return child;
    }
    return 0;
  }

  /** 1-based line of a node's first character. */
  line(node: number): number {
    return this.lineAt(this.starts[node]!);
  }

  /** 1-based line of a node's last character. */
  endLine(node: number): number {
    return this.lineAt(Math.max(this.starts[node]!, this.ends[node]! - 1));
  }

  /** The offset at which a 1-based line starts. */
  offsetOfLine(line: number): number {
    return this.lineStarts[line - 1] ?? this.source.length;
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
