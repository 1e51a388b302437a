import type { Language as Grammar, Tree } from "web-tree-sitter";
import { FlatTree } from "../../flat-tree.ts";

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
const PLACED = ["function_declaration", "method_declaration", "type_spec", "type_alias", "method_elem", "const_spec", "var_spec", "block"] as const;

/** Nodes that a walker asks for by kind; any other is only walked through. */
const INNER = [
  "source_file", "package_clause", "import_declaration", "import_spec", "import_spec_list", "const_declaration",
  "var_declaration", "var_spec_list", "type_declaration", "type_parameter_list", "type_parameter_declaration", "type_constraint",
  "parameter_list", "parameter_declaration", "variadic_parameter_declaration", "expression_list", "parenthesized_type",
  "generic_type", "type_arguments", "pointer_type", "array_type", "implicit_length_array_type", "slice_type", "struct_type",
  "negated_type", "field_declaration_list", "field_declaration", "interface_type", "type_elem", "map_type", "channel_type",
  "function_type", "qualified_type", "statement_list", "expression_statement", "receive_statement", "assignment_statement",
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
 * A Go syntax tree. Of each node only what its kind makes useful is asked: "" is the kind of a node of no interest,
 * which may hold some, and only names, declarations and an import's path have a text and a line.
 */
export class Syntax extends FlatTree<Kind> {
  constructor(tree: Tree, source: string, grammar: Grammar) {
    super(source);
    const { kinds, roles } = readingOf(grammar);
    this.read(tree, kinds.length, (at, parent, depth) => {
      const id = at.type;
      const role = roles[id] ?? Role.Inner;
      if (role === Role.Drop) return false;
      const placed = role === Role.Text || role === Role.Placed || (role === Role.Token && this.kinds[parent] === "import_spec");
      const start = placed ? at.start : -1;
      this.add(kinds[id] ?? "ERROR", start, !placed ? -1 : role === Role.Text ? endOfName(this.source, start) : at.end);
      return role >= Role.Inner && depth < MAX_DEPTH;
    });
  }

  /** The last name in a node: where a call or a literal is said to stand; 0 without one. */
  lastName(node: number): number {
    for (let at = this.next(node) - 1; at >= node; at--) if (this.starts[at]! >= 0) return at;
    return 0;
  }
}
