import type { Node, Tree } from "web-tree-sitter";

const FUNCTIONS: readonly string[] = [
  "func_literal", "function_declaration", "method_declaration", "function_definition", "function_expression", "function", "arrow_function", "method_definition", "function_item", "lambda", "anonymous_function",
  "anonymous_function_creation_expression", "closure_expression", "lambda_expression", "local_function_statement",
];
const CLASSES: readonly string[] = ["class_declaration", "abstract_class_declaration", "class_definition", "class"];

/** A node of the types that are looked for, with the place in the list of the one that it stands in; -1 for none. */
interface Nested {
  node: Node;
  start: number;
  end: number;
  outer: number;
}

/** By tree, its functions and its classes as they begin. */
const NESTED = new Map([FUNCTIONS, CLASSES].map((types) => [types, new WeakMap<Tree, readonly Nested[]>()]));

/** The innermost function that a node stands in. */
export function functionAround(node: Node): Node | undefined {
  return around(node, FUNCTIONS);
}

/** By tree, its functions by the names that they have, or that they are given where they are declared. */
const NAMED = new WeakMap<Tree, ReadonlyMap<string, Node>>();

/** JavaScript: the function of the file that has a name. */
export function functionNamed({ tree, text }: Node): Node | undefined {
  let known = NAMED.get(tree);
  if (!known) {
    known = new Map(nestedIn(tree, FUNCTIONS).map(({ node }): [string, Node] => [(node.childForFieldName("name") ?? (node.parent?.type === "variable_declarator" ? node.parent.childForFieldName("name") : null))?.text ?? "", node]));
    NAMED.set(tree, known);
  }
  return known.get(text);
}

/** The innermost class that a node stands in. */
export function classAround(node: Node): Node | undefined {
  return around(node, CLASSES);
}

/** To go up from each call of a long chain would take the cube of its length. */
function around(node: Node, types: readonly string[]): Node | undefined {
  const all = nestedIn(node.tree, types);
  const [start, end] = [node.startIndex, node.endIndex];
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (all[middle]!.start <= start) from = middle + 1;
    else to = middle;
  }
  let at = from - 1;
  while (at >= 0 && (all[at]!.end < end || (all[at]!.start === start && all[at]!.end === end))) at = all[at]!.outer;
  return all[at]?.node;
}

function nestedIn(tree: Tree, types: readonly string[]): readonly Nested[] {
  const byTree = NESTED.get(types)!;
  const known = byTree.get(tree);
  if (known) return known;
  const all: Nested[] = [];
  let outer = -1;
  for (const node of tree.rootNode.descendantsOfType([...types])) {
    const [start, end] = [node.startIndex, node.endIndex];
    while (outer >= 0 && all[outer]!.end < end) outer = all[outer]!.outer;
    outer = all.push({ node, start, end, outer }) - 1;
  }
  byTree.set(tree, all);
  return all;
}
