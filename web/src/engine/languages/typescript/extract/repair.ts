import type { Language as Grammar } from "web-tree-sitter";
import { parseAgain } from "../../../parse.ts";
import { Syntax } from "./syntax.ts";

/**
 * What the grammar does not know of the language, said in a way that it does. Each rule keeps the length
 * of the text, so that every offset stays true; names are read from the original. What stands before a match is looked at after
 * its first word: a pattern that looks back from everywhere takes a second for each 50,000 blanks.
 */
const RULES: [pattern: RegExp, replacement: (match: string) => string][] = [
  // Variance: <in out T>.
  [/\b(?:in\s+out|in|out)(?<=[<,]\s*(?:in\s+out|in|out))(?=\s+[A-Za-z_$][\w$]*\s*(?:extends\b|[=,>]))/g, blank],
  // A call signature that starts with its type parameters on a line of its own, with no semicolon before it; not after what goes on there.
  [/[ \t](?=<)(?<=\n[ \t]+)(?=<\s*[A-Za-z_$](?:[^;()]|\([^;()]{0,500}\)){0,500}?>\s*\()(?<!(?:[,;{(<=|&?:[]|=>)\s*)/g, () => ";"],
  // export type * from "x"
  [/\btype(?<=\bexport\s+type)(?=\s*\*)/g, blank],
  // A property that is called abstract.
  [/\babstract(?=\s*\??\s*[:=;])/g, (m) => m.toUpperCase()],
  // export default abstract class { }: one without a name.
  [/\babstract(?<=\bexport\s+default\s+abstract)(?=\s+class\s*(?:\{|extends\b|implements\b|<))/g, blank],
  // A variable that is called using: the grammar takes it for a declaration.
  [/\busing(?=\s*=(?!=))/g, (m) => m.toUpperCase()],
  // A type parameter that is called type, at the start of a parenthesis: the grammar takes it for a parameter of a function type.
  [/\btype(?<=\(\s*type)(?=\s*(?:extends\b|[)&|[]))/g, (m) => m.toUpperCase()],
  // f<typeof import("x")>(): the grammar takes the angles for comparisons.
  [/\bimport(?<=<\s*typeof\s+import)\(\s*(["'])[^"'\n]*\1\s*\)(?=[\w$.]*\s*>\s*\()/g, (m) => "i".repeat(m.length)],
  // import("x").T in a type: a name for the time being; see `importedName`.
  [/\bimport(?<!\btypeof\s*import)\(\s*(["'])[^"'\n]*\1\s*\)(?=\s*\.)/g, (m) => "i".repeat(m.length)],
];

function blank(match: string): string {
  return " ".repeat(match.length);
}

/** Reads a text once more that did not parse cleanly, or not as what it is, with what the grammar lacks put differently; the better of both. */
export function repaired(first: Syntax, grammar: Grammar, maxDepth: number): Syntax {
  const { source } = first;
  const isMisread = source.includes("typeof import(");
  if (first.errors === 0 && !isMisread) return first;
  let text = source;
  for (const [pattern, replacement] of RULES) text = text.replace(pattern, replacement);
  if (text === source) return first;
  const second = parseAgain(grammar, text, (tree) => new Syntax(tree, source, grammar, maxDepth));
  return second && (second.errors < first.errors || (isMisread && second.errors === first.errors)) ? second : first;
}

/** The specifier in a name that stands for `import("x")`. */
export function importedName(text: string): string | undefined {
  return text.startsWith("import(") ? /["'](.*)["']/.exec(text)?.[1] : undefined;
}
