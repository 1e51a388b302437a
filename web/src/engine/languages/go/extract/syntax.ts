import type { Language as Grammar, Tree } from "web-tree-sitter";
import { walk } from "../../../tree-walk.ts";

/** Nodes nested deeper are left out: the walkers over a Syntax are recursive. */
const MAX_DEPTH = 800;

const Role = { Drop: 0, Token: 1, Text: 2, Inner: 3, Placed: 4 } as const;
type Role = (typeof Role)[keyof typeof Role];

/** Tokens that say more than their place does; all other punctuation is dropped. */
const TOKENS = ["*", "&", "<-", ":=", "...", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "!", "range", "<<", ">>"] as const;

/** Nodes that are read as one: what they say is their kind. */
const ATOMS = [
  "int_literal", "float_literal", "imaginary_literal", "rune_literal", "nil", "true", "false", "iota", "dot",
  "interpreted_string_literal", "raw_string_literal", "label_name", "blank_identifier",
] as const;

/** Leaves whose text matters. */
const NAMES = ["identifier", "field_identifier", "package_identifier", "type_identifier"] as const;

/** Nodes whose place in the source matters. */
const PLACED = ["function_declaration", "method_declaration", "type_spec", "type_alias", "method_elem", "var_spec", "block"] as const;

/** Nodes that a walker asks for by kind; any other is only walked through. */
const INNER = [
  "source_file", "package_clause", "import_declaration", "import_spec", "import_spec_list", "const_declaration", "const_spec",
  "var_declaration", "var_spec_list", "type_declaration", "type_parameter_list", "type_parameter_declaration", "type_constraint",
  "parameter_list", "parameter_declaration", "variadic_parameter_declaration", "expression_list", "parenthesized_type",
  "generic_type", "type_arguments", "pointer_type", "array_type", "implicit_length_array_type", "slice_type", "struct_type",
  "negated_type", "field_declaration_list", "field_declaration", "interface_type", "type_elem", "map_type", "channel_type",
  "function_type", "qualified_type", "statement_list", "receive_statement", "assignment_statement",
  "short_var_declaration", "return_statement", "send_statement", "if_statement", "for_statement", "range_clause",
  "expression_switch_statement", "expression_case", "default_case", "type_switch_statement", "type_case", "select_statement",
  "communication_case", "parenthesized_expression", "call_expression", "variadic_argument", "argument_list",
  "selector_expression", "index_expression", "slice_expression", "type_assertion_expression", "type_conversion_expression",
  "type_instantiation_expression", "composite_literal", "literal_value", "literal_element", "keyed_element", "func_literal",
  "unary_expression", "binary_expression",
] as const;

/** "" is a node of no interest, "ERROR" what the parser could not place. */
export type Kind = "" | "ERROR" | (typeof TOKENS | typeof ATOMS | typeof NAMES | typeof PLACED | typeof INNER)[number];

interface Reading {
  kinds: Kind[];
  roles: Role[];
}

const readings = new WeakMap<Grammar, Reading>();

/** What each of the grammar's node types is to us. */
function readingOf(grammar: Grammar): Reading {
  let reading = readings.get(grammar);
  if (!reading) {
    reading = { kinds: [], roles: [] };
    const roleOf = new Map<string, Role>();
    roleOf.set("comment", Role.Drop);
    for (const kind of ATOMS) roleOf.set(kind, Role.Token);
    for (const kind of NAMES) roleOf.set(kind, Role.Text);
    for (const kind of PLACED) roleOf.set(kind, Role.Placed);
    for (const kind of INNER) roleOf.set(kind, Role.Inner);
    const tokens = new Set<string>(TOKENS);
    for (let id = 0; id < grammar.nodeTypeCount; id++) {
      const name = grammar.nodeTypeForId(id) ?? "";
      const named = grammar.nodeTypeIsNamed(id);
      const role = named ? (roleOf.get(name) ?? Role.Inner) : tokens.has(name) ? Role.Token : Role.Drop;
      reading.roles.push(role);
      reading.kinds.push((named ? (roleOf.get(name) ?? Role.Drop) !== Role.Drop : role === Role.Token) ? (name as Kind) : "");
    }
    readings.set(grammar, reading);
  }
  return reading;
}

/** Where the name that starts there ends; cheaper to see in the source than to ask the tree. */
function endOfName(source: string, start: number): number {
  let end = start;
  for (; end < source.length; end++) {
    const c = source.charCodeAt(end);
    const inName = (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c > 127;
    if (!inName) break;
  }
  return end;
}

/**
 * A Go syntax tree as flat arrays in document order. Every question to a tree-sitter tree is a call into
 * WebAssembly, so each node is asked once, and only for what its kind makes useful.
 * A node is its index; 0 is the root, and stands for "none" where a child is looked for.
 */
export class Syntax {
  /** "" for a node of no interest (it may hold some), "ERROR" for what the parser skipped. */
  readonly kinds: Kind[] = [];
  /** Number of places where the parser recovered from an error. */
  readonly errors: number;
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly nexts: number[] = [];
  private lineStarts: number[] | undefined;

  constructor(tree: Tree, readonly source: string, grammar: Grammar) {
    this.read(tree, readingOf(grammar));
    let errors = 0;
    if (tree.rootNode.hasError) {
      for (const kind of this.kinds) if (kind === "ERROR") errors++;
      // A missing token leaves no node that was read.
      errors = Math.max(errors, 1);
    }
    this.errors = errors;
  }

  private read(tree: Tree, { kinds, roles }: Reading): void {
    walk(tree, (at, parent, depth) => {
      const id = at.type;
      // Error nodes have an id beyond the grammar's own.
      const role = roles[id] ?? Role.Inner;
      if (role === Role.Drop) return -1;
      const node = this.kinds.length;
      this.kinds.push(kinds[id] ?? "ERROR");
      const placed = role === Role.Text || role === Role.Placed || (role === Role.Token && this.kinds[parent] === "import_spec");
      const start = placed ? at.start : -1;
      this.starts.push(start);
      this.ends.push(!placed ? -1 : role === Role.Text ? endOfName(this.source, start) : at.end);
      this.nexts.push(node + 1);
      return role >= Role.Inner && depth < MAX_DEPTH ? node : -1;
    }, (node) => {
      this.nexts[node] = this.kinds.length;
    });
  }

  kind(node: number): Kind {
    return this.kinds[node]!;
  }

  /** The node after this one and all that it holds. */
  next(node: number): number {
    return this.nexts[node]!;
  }

  /** The text of a name, a declaration, or an import's path. */
  text(node: number): string {
    return this.source.slice(this.starts[node], this.ends[node]);
  }

  /** Offset in the source, of nodes that have a text. */
  start(node: number): number {
    return this.starts[node]!;
  }

  end(node: number): number {
    return this.ends[node]!;
  }

  children(node: number): number[] {
    const list: number[] = [];
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) list.push(child);
    return list;
  }

  /** The first child of a kind, or 0. */
  child(node: number, kind: Kind): number {
    const end = this.nexts[node]!;
    for (let child = node + 1; child < end; child = this.nexts[child]!) {
      if (this.kinds[child] === kind) return child;
    }
    return 0;
  }

  /** The last name in a node: where a call or a literal is said to stand; 0 without one. */
  lastName(node: number): number {
    for (let at = this.nexts[node]! - 1; at >= node; at--) if (this.starts[at]! >= 0) return at;
    return 0;
  }

  /** 1-based line of a node that has a text. */
  line(node: number): number {
    return this.lineAt(this.starts[node]!);
  }

  /** 1-based line of its last character. */
  endLine(node: number): number {
    return this.lineAt(Math.max(this.starts[node]!, this.ends[node]! - 1));
  }

  private lineAt(offset: number): number {
    if (!this.lineStarts) {
      this.lineStarts = [0];
      for (let at = this.source.indexOf("\n"); at >= 0; at = this.source.indexOf("\n", at + 1)) this.lineStarts.push(at + 1);
    }
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
