import type { Node } from "web-tree-sitter";
import type { NamedCode } from "../../facts.ts";
import { type Grammar, GRAMMARS } from "./calls.ts";

/** What takes more text than this is no handler that one would read the names of. */
const MAX_TEXT = 400;

/** A place of the code by the names in it; of a function by those only where others may stand on its line. */
export function codeOf(node: Node, grammar: Grammar): NamedCode {
  const inline = grammar.functions.test(node.type);
  const text = node.text.slice(0, MAX_TEXT);
  const isWhole = inline && (node.startPosition.row !== node.endPosition.row || node.text.length > MAX_TEXT);
  const names = isWhole ? [] : namesIn(text, grammar);
  const beside = !inline ? [] : isWhole ? namesBefore(node, grammar) : namesBeside(node, grammar).filter((name) => !names.includes(name));
  return { text: inline ? "a function" : text.replace(/\s+/g, " ").replace(/^(["'])(.*)\1$/, "$2").slice(0, 60), names, line: node.startPosition.row + 1, endLine: node.endPosition.row + 1, ...(inline ? { inline } : {}), ...(beside.length > 0 ? { beside } : {}) };
}

/** Places of the code: of a list of PHP each of its elements, `["auth", EnsureAdmin::class]`. */
export function codesOf(node: Node, grammar: Grammar): NamedCode[] {
  if (node.type !== "array_creation_expression") return [codeOf(node, grammar)];
  return node.namedChildren.flatMap((element) => (element.type === "array_element_initializer" && element.namedChildren.at(-1) ? codesOf(element.namedChildren.at(-1)!, grammar) : []));
}

/** Ruby's names may end with a sign of their own: `before_action :authenticate_user!`. */
function namesIn(text: string, grammar: Grammar): string[] {
  const name = grammar === GRAMMARS["ruby"] ? /[\p{L}_][\p{L}\p{N}_]*(?:[!?](?![=\w]))?/gu : /[\p{L}_$][\p{L}\p{N}_$]*/gu;
  return [...new Set(text.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "").match(name) ?? [])];
}

/** The names in the code around a node that is on its line. */
function namesBeside(node: Node, grammar: Grammar): string[] {
  let around = node;
  while (around.parent && around.parent.startPosition.row === node.startPosition.row && around.parent.endPosition.row === node.endPosition.row) around = around.parent;
  return namesIn(around.text.replace(node.text, "").slice(0, MAX_TEXT), grammar);
}

/** The names in the code before a node that are on its first line, and not in it: those of the call that the function is handed to. */
function namesBefore(node: Node, grammar: Grammar): string[] {
  let around = node;
  while (around.parent?.startPosition.row === node.startPosition.row) around = around.parent;
  const inside = new Set(namesIn(node.text, grammar));
  return namesIn(around.text.slice(0, Math.min(node.startIndex - around.startIndex, MAX_TEXT)), grammar).filter((name) => !inside.has(name));
}
