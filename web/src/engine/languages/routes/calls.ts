import type { Node } from "web-tree-sitter";

/** What tells of routes in a grammar: its calls, its texts, its functions without a name, and what stands before declarations. */
export interface Grammar {
  /** Types of nodes that call something, or make an object. */
  calls: readonly string[];
  /** Functions and blocks without a name. */
  functions: RegExp;
  strings: RegExp;
  /** Decorators, annotations and attributes; and what they stand before. */
  annotations: readonly string[];
  declarations: RegExp;
}

export const GRAMMARS: Readonly<Record<string, Grammar>> = {
  go: { calls: ["call_expression"], functions: /^func_literal$/, strings: /string_literal$/, annotations: [], declarations: /^$/ },
  typescript: {
    calls: ["call_expression", "new_expression"], functions: /^(?:arrow_function|function_expression|generator_function|function)$/, strings: /^(?:string|template_string)$/,
    annotations: ["decorator"], declarations: /^(?:class_declaration|abstract_class_declaration|method_definition|class)$/,
  },
  python: { calls: ["call"], functions: /^lambda$/, strings: /^string$/, annotations: ["decorator"], declarations: /^(?:function_definition|class_definition)$/ },
  java: {
    calls: ["method_invocation"], functions: /^lambda_expression$/, strings: /^string_literal$/, annotations: ["annotation", "marker_annotation"],
    declarations: /^(?:class_declaration|interface_declaration|record_declaration|annotation_type_declaration|method_declaration)$/,
  },
  csharp: {
    calls: ["invocation_expression"], functions: /^(?:lambda_expression|anonymous_method_expression)$/, strings: /string_literal$|^interpolated_string_expression$/,
    annotations: ["attribute"], declarations: /^(?:class_declaration|record_declaration|method_declaration)$/,
  },
  php: {
    calls: ["scoped_call_expression", "member_call_expression"], functions: /^(?:anonymous_function|anonymous_function_creation_expression|arrow_function)$/,
    strings: /^(?:string|encapsed_string)$/, annotations: ["attribute"], declarations: /^(?:class_declaration|method_declaration)$/,
  },
  ruby: { calls: ["call"], functions: /^(?:do_block|block)$/, strings: /^(?:string|simple_symbol|symbol|bare_string|bare_symbol)$/, annotations: [], declarations: /^$/ },
  rust: { calls: ["call_expression"], functions: /^closure_expression$/, strings: /string_literal$/, annotations: ["attribute_item"], declarations: /^function_item$/ },
};

/** What calls something is no name if it is longer, and in a chain each call is on all of the ones before it. */
const MAX_RECEIVER = 1_000;

export interface Argument {
  /** Of a named one, such as `prefix="/api"`. */
  name: string;
  node: Node;
}

export interface Call {
  node: Node;
  /** Its callee without blanks: `api.v1.Get`; of one that is called on more than `MAX_RECEIVER` characters, `….Get`. */
  callee: string;
  /** The last part of that. */
  name: string;
  /** What it is called on. */
  receiver: Node | undefined;
  args: Argument[];
}

/** A call with its parts; undefined for a node that is none. */
export function callOf(node: Node, grammar: Grammar): Call | undefined {
  if (!grammar.calls.includes(node.type)) return undefined;
  const callee = fieldOf(node, "function", "constructor");
  const receiver = fieldOf(node, "receiver", "object", "scope") ?? (callee && fieldOf(callee, "operand", "object", "expression", "value", "path"));
  // JavaScript: `app["delete"]("/x", remove)`
  const index = callee?.type === "subscript_expression" ? callee.childForFieldName("index") : null;
  const named = index?.type === "string" ? index : fieldOf(node, "method", "name") ?? (callee && (fieldOf(callee, "field", "property", "attribute", "name") ?? callee));
  if (!named) return undefined;
  const name = named === index ? unquoted(named.text) : named.text.replace(/<.*/s, "");
  const list = fieldOf(node, "arguments");
  const args = (list?.namedChildren ?? []).filter((child) => child.type !== "comment").map(argumentOf);
  const block = fieldOf(node, "block");
  if (block) args.push({ name: "", node: block });
  return { node, callee: receiver ? `${toldOf(receiver)}.${name}` : name, name, receiver, args };
}

function toldOf(receiver: Node): string {
  return receiver.endIndex - receiver.startIndex > MAX_RECEIVER ? "…" : receiver.text.replace(/\s+/g, "");
}

/** The first of some fields that a node has; each is asked for only after the ones before it. */
function fieldOf(node: Node, ...names: string[]): Node | undefined {
  for (const name of names) {
    const found = node.childForFieldName(name);
    if (found) return found;
  }
  return undefined;
}

/** An argument without what the grammar puts around it. */
export function argumentOf(node: Node): Argument {
  if (node.type === "keyword_argument") return { name: node.childForFieldName("name")?.text ?? "", node: node.childForFieldName("value") ?? node };
  if (node.type === "pair" || node.type === "element_value_pair") return { name: unquoted(node.childForFieldName("key")?.text ?? ""), node: node.childForFieldName("value") ?? node };
  if (node.type === "argument" || node.type === "attribute_argument") {
    const name = node.childForFieldName("name")?.text ?? /^\s*(\w+)\s*[=:](?![=:])/.exec(node.text)?.[1] ?? "";
    const value = node.namedChildren.at(-1) ?? node;
    return { name, node: value.type === "assignment_expression" ? argumentOf(value).node : value };
  }
  if (node.type === "assignment_expression") return { name: node.childForFieldName("left")?.text ?? "", node: node.childForFieldName("right") ?? node };
  return { name: "", node };
}

/** Of arguments, the one of some names, else the first without one. */
export function argument(args: readonly Argument[], names: readonly string[]): Node | undefined {
  return args.find(({ name }) => names.includes(name))?.node ?? args.find(({ name }) => name === "")?.node;
}

function unquoted(text: string): string {
  return text.replace(/^[:"']+|[:"']+$/g, "");
}

/** The text that a node says; `…` stands for what only the run tells. Undefined for what is no text. */
export function literal(node: Node | undefined, grammar: Grammar): string | undefined {
  if (!node) return undefined;
  if (!grammar.strings.test(node.type)) return undefined;
  const { text } = node;
  if (node.type === "simple_symbol") return text.slice(1);
  if (/^bare_/.test(node.type)) return text;
  const [, prefix = "", , inside = ""] = /^([a-zA-Z@$]*)#*("""|'''|"|'|`)([\s\S]*)\2#*$/.exec(text) ?? [];
  const open = node.type === "template_string" ? /\$\{[^}]*\}/g : /f/i.test(prefix) || prefix.includes("$") ? /\{\{|\}\}|\{[^}]*\}/g : node.type === "encapsed_string" ? /\{?\$[\w>-]+\}?/g : /#\{[^}]*\}/g;
  // Braces are doubled where they stand for themselves.
  return inside.replace(open, (gap) => (gap === "{{" ? "{" : gap === "}}" ? "}" : "…"));
}

/** What stands in brackets or braces, by name; those without one under "". */
export function entriesOf(node: Node): Argument[] {
  return node.namedChildren.filter((child) => child.type !== "comment").map((child) => {
    if (child.type === "shorthand_property_identifier") return { name: child.text, node: child };
    if (child.type === "method_definition") return { name: child.childForFieldName("name")?.text ?? "", node: child };
    return argumentOf(child);
  });
}

/** The name that the value of an expression is given where it stands: `api := …`, `const api = …`, `$api = …`, `self.api = …`. */
export function givenTo(node: Node, source: string): string | undefined {
  const list = node.parent;
  if (list?.type === "expression_list" && list.namedChildCount > 1) {
    // `a, b := f(), g()`
    const at = list.namedChildren.findIndex(({ id }) => id === node.id);
    const names = list.parent?.childForFieldName("left")?.namedChildren ?? list.parent?.childrenForFieldName("name") ?? [];
    return names[at]?.text;
  }
  const before = source.slice(Math.max(0, node.startIndex - 120), node.startIndex);
  return /([\w.$@]+)[ \t]*(?::[ \t]*[\w.<>[\], |]+)?\s*(?::=|=)\s*(?:await\s+|new\s+)?$/.exec(before)?.[1];
}

export interface Annotation {
  /** The last part of its name: `GetMapping`, `get`. */
  name: string;
  receiver: Node | undefined;
  callee: string;
  args: Argument[];
  node: Node;
}

/** What is annotated, with what stands before it. */
export interface Annotated {
  node: Node;
  name: Node;
  annotations: Annotation[];
  /** The class around a method, when it is annotated, too. */
  outer: Annotated | undefined;
}

/** All declarations with decorators, annotations or attributes, in the order of the file. */
export function annotated(root: Node, source: string, grammar: Grammar): Annotated[] {
  const found = new Map<number, Annotated>();
  const all: Annotated[] = [];
  const nodes = root.descendantsOfType([...grammar.annotations]);
  const declarations: (Node | undefined)[] = [];
  for (let i = nodes.length - 1; i >= 0; i--) {
    const [node, next] = [nodes[i]!, nodes[i + 1]];
    // An annotation right before another one has the same declaration.
    const isInRow = next !== undefined && next.startIndex >= node.endIndex && source.slice(node.endIndex, next.startIndex).trim() === "";
    declarations[i] = isInRow ? declarations[i + 1] : declarationOf(node, grammar);
  }
  for (const [i, node] of nodes.entries()) {
    const of = declarations[i];
    const name = of?.childForFieldName("name");
    if (!of || !name) continue;
    let known = found.get(of.id);
    if (!known) {
      let outer: Annotated | undefined;
      for (let up = of.parent; up && !outer; up = up.parent) outer = found.get(up.id);
      found.set(of.id, (known = { node: of, name, annotations: [], outer }));
      all.push(known);
    }
    const annotation = annotationOf(node, grammar);
    if (annotation) known.annotations.push(annotation);
  }
  return all;
}

/** The declaration that an annotation stands before, or in. */
function declarationOf(node: Node, grammar: Grammar): Node | undefined {
  for (let at: Node | null = node.parent; at; at = at.parent) {
    if (grammar.declarations.test(at.type)) return at;
    if (at.type === "decorated_definition") return at.childForFieldName("definition") ?? undefined;
    if (at.type === "export_statement" || at.type === "class_body" || at.type === "source_file" || at.type === "declaration_list" || at.type === "program") break;
  }
  for (let at = node.nextNamedSibling; at; at = at.nextNamedSibling) {
    if (grammar.declarations.test(at.type)) return at;
    if (!/decorator|attribute|comment/.test(at.type)) return undefined;
  }
  return undefined;
}

/** Rust: `"/x", method = "GET"` is not parsed further. */
function namedIn(nodes: readonly Node[]): Argument[] {
  return nodes.flatMap((node, i) => {
    const name = nodes[i - 1]?.type === "identifier" && node.previousSibling?.text === "=" ? nodes[i - 1]!.text : "";
    return node.type === "identifier" && node.nextSibling?.text === "=" ? [] : [{ name, node }];
  });
}

function annotationOf(node: Node, grammar: Grammar): Annotation | undefined {
  if (node.type === "attribute_item") {
    const attribute = node.namedChildren[0];
    const name = attribute?.namedChildren[0]?.text.split("::").at(-1);
    const list = attribute?.childForFieldName("arguments");
    return name === undefined ? undefined : { name, receiver: undefined, callee: name, node, args: namedIn(list?.namedChildren ?? []) };
  }
  const inner = node.namedChildren.find((child) => child.type !== "comment");
  const call = node.type === "decorator" && inner ? callOf(inner, grammar) : undefined;
  if (call) return { name: call.name, receiver: call.receiver, callee: call.callee, args: call.args, node };
  if (node.type === "decorator") {
    return inner ? { name: inner.text.split(".").at(-1)!, receiver: inner.childForFieldName("object") ?? undefined, callee: inner.text, args: [], node } : undefined;
  }
  const name = node.childForFieldName("name") ?? inner;
  const list = node.childForFieldName("arguments") ?? node.childForFieldName("parameters") ?? node.namedChildren.find((child) => child.type === "attribute_argument_list");
  return name ? { name: name.text.split(/[.\\]/).at(-1)!, receiver: undefined, callee: name.text, args: (list?.namedChildren ?? []).map(argumentOf), node } : undefined;
}
