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

/** What the grammar takes as a part of the function that a call with type arguments calls: `await f<T>(x)` as `(await f)<T>(x)`. */
const MISREAD = new Set(["await_expression", "unary_expression", "binary_expression"]);

/** Nodes before the last operand of one: more than people write there. */
const MAX_MOVED = 1_000;

/** What follows an operand, and begins where that does. */
const POSTFIX = new Set(["call_expression", "member_expression", "subscript_expression", "non_null_expression", "instantiation_expression"]);

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
    const called = this.fieldNames.indexOf("function");
    const misread: number[] = [];
    this.read(tree, kinds.length, (at, _, depth) => {
      const id = at.type;
      const what = role[id] ?? Role.Inner;
      if (what === Role.Drop) return false;
      const kind = kinds[id] ?? "ERROR";
      this.add(kind, at.start, at.end);
      this.fields.push(at.field);
      if (at.field === called && MISREAD.has(kind)) misread.push(this.kinds.length - 1);
      return what === Role.Inner && depth < maxDepth;
    });
    for (const node of misread) this.putAround(node);
  }

  /** Puts an operator that was read as a part of what is called around that call, and around what follows it: only its last operand is called. */
  private putAround(node: number): void {
    let first = node;
    while (POSTFIX.has(this.kinds[first - 1] ?? "") && this.starts[first - 1] === this.starts[node]) first--;
    let operand = node + 1;
    const end = this.nexts[node]!;
    while (operand < end && this.nexts[operand]! < end) operand = this.nexts[operand]!;
    if (operand >= end || operand - node > MAX_MOVED) return;
    const [up, down] = [node - first, operand - node];
    const [around, called, within] = [this.fields[first]!, this.fields[node]!, this.fields[operand]!];
    const [last, next] = [this.ends[first]!, this.nexts[first]!];
    for (const list of [this.kinds, this.starts, this.ends, this.nexts, this.fields] as unknown[][]) {
      list.splice(first, up + down, ...list.slice(node, operand), ...list.slice(first, node));
    }
    for (let moved = first; moved < first + down; moved++) this.nexts[moved]! -= up;
    for (let moved = first + down; moved < operand; moved++) this.starts[moved] = this.starts[operand]!;
    this.ends[first] = last;
    this.nexts[first] = next;
    this.fields[first] = around;
    this.fields[first + down] = within;
    this.fields[operand] = called;
    if (MISREAD.has(this.kinds[operand]!)) this.putAround(operand);
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
