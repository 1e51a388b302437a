import type { Language as Grammar, Tree } from "web-tree-sitter";
import { FlatTree } from "../../flat-tree.ts";

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
  hasJsx: boolean;
}

const rolesOf = new WeakMap<Grammar, Roles>();

function roles(grammar: Grammar): Roles {
  let known = rolesOf.get(grammar);
  if (!known) {
    known = { kinds: [], role: [], hasJsx: grammar.idForNodeType("jsx_element", true) !== null };
    for (let id = 0; id < grammar.nodeTypeCount; id++) {
      const kind = grammar.nodeTypeForId(id) ?? "";
      known.kinds.push(kind);
      known.role.push(grammar.nodeTypeIsNamed(id) ? (LEAVES.has(kind) ? Role.Leaf : Role.Inner) : TOKENS.has(kind) ? Role.Leaf : Role.Drop);
    }
    rolesOf.set(grammar, known);
  }
  return known;
}

/** A syntax tree of TypeScript, TSX or JavaScript. Tokens that carry no meaning of their own are left out. */
export class Syntax extends FlatTree {
  private readonly fields: number[] = [];
  private readonly fieldNames: readonly (string | null)[];
  /** The grammar is the one of files that may have JSX. */
  readonly hasJsx: boolean;

  /** Nodes nested deeper than `maxDepth` are left out: the walkers over a Syntax are recursive. */
  constructor(tree: Tree, source: string, grammar: Grammar, maxDepth: number) {
    super(source);
    this.fieldNames = grammar.fields;
    const { kinds, role, hasJsx } = roles(grammar);
    this.hasJsx = hasJsx;
    this.read(tree, kinds.length, (at, _, depth) => {
      const id = at.type;
      const what = role[id] ?? Role.Inner;
      if (what === Role.Drop) return false;
      this.add(kinds[id] ?? "ERROR", at.start, at.end);
      this.fields.push(at.field);
      return what === Role.Inner && depth < maxDepth;
    });
  }

  field(node: number): string | null {
    const id = this.fields[node]!;
    return id === 0 ? null : (this.fieldNames[id] ?? null);
  }

  /** The first child in a field, or 0. */
  child(node: number, field: string): number {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) {
      if (this.fields[child] !== 0 && this.fieldNames[this.fields[child]!] === field) return child;
    }
    return 0;
  }

  has(node: number, token: string): boolean {
    return this.childOf(node, token) !== 0;
  }

  /** The first child that is neither a token nor a comment, or 0. */
  inner(node: number): number {
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) {
      if (!TOKENS.has(this.kinds[child]!) && this.kinds[child] !== "comment") return child;
    }
    return 0;
  }
}
