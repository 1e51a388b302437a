import type { Node } from "web-tree-sitter";

const PARAMETERS = /(?:_parameters?|^exception_variable|^left_assignment_list|^destructured_left_assignment|^rest_assignment|^for)$/;
const NO_VALUES = new Set(["alias", "undef", "setter", "keyword_pattern", "hash_pattern"]);

/** The calls in a Ruby file, with their 1-based lines: those with a receiver or arguments, super, and names alone that nothing binds. */
export function rubySites(root: Node): { line: number; name: string }[] {
  return root.descendantsOfType(["call", "super", "identifier"]).flatMap((node) => {
    if (node.type === "identifier" && !isBareCall(node)) return [];
    if (node.type === "super" && node.parent?.type === "call") return [];
    const method = node.type === "call" ? node.childForFieldName("method") : node;
    return method ? [{ line: method.startPosition.row + 1, name: method.text }] : [];
  });
}

/** Whether a name is a call: it stands where a value does, and nothing around it in the method binds it. */
function isBareCall(node: Node): boolean {
  const { parent } = node;
  if (!parent || NO_VALUES.has(parent.type) || binds(node, parent)) return false;
  if (["method", "singleton_method", "call"].some((type) => parent.type === type) && isOneOf(node, parent, ["name", "method"])) return false;
  let around: Node = node;
  while (around.parent && around.type !== "method" && around.type !== "singleton_method") around = around.parent;
  return !around.descendantsOfType("identifier").some((other) => other.text === node.text && other.parent !== null && binds(other, other.parent));
}

function binds(name: Node, parent: Node): boolean {
  if (PARAMETERS.test(parent.type)) return !isOneOf(name, parent, ["value"]);
  return parent.type.endsWith("assignment") && isOneOf(name, parent, ["left"]);
}

function isOneOf(node: Node, parent: Node, fields: readonly string[]): boolean {
  return fields.some((field) => parent.childForFieldName(field)?.equals(node) === true);
}
