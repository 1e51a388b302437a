import type { Language as Grammar } from "web-tree-sitter";
import { parseAgain } from "../../../parse.ts";
import { Syntax } from "./syntax.ts";

/**
 * What the grammar does not know of the language, said in a way that it does. Each rule keeps the length
 * of the text, so that every offset stays true; names are read from the original.
 */
const RULES: [pattern: RegExp, replacement: (match: string) => string][] = [
  // Variance: <in out T>.
  [/(?<=[<,]\s*)(?:in\s+out|in|out)(?=\s+[A-Za-z_$][\w$]*\s*(?:extends\b|[=,>]))/g, blank],
  // A call signature that starts with its type parameters on a line of its own, with no semicolon before it.
  [/(?<=\n[ \t]*)[ \t](?=<\s*[A-Za-z_$][^;()]*?>\s*\()/g, () => ";"],
  // export type * from "x"
  [/(?<=\bexport\s+)type(?=\s*\*)/g, blank],
  // A property that is called abstract.
  [/\babstract(?=\s*\??\s*[:=;])/g, (m) => m.toUpperCase()],
  // A variable that is called using: the grammar takes it for a declaration.
  [/\busing(?=\s*=(?!=))/g, (m) => m.toUpperCase()],
  // import("x").T in a type: a name for the time being; see `importedName`.
  [/(?<!\btypeof\s*)\bimport\(\s*(["'])[^"'\n]*\1\s*\)(?=\s*\.)/g, (m) => "i".repeat(m.length)],
];

function blank(match: string): string {
  return " ".repeat(match.length);
}

/** Reads a text that did not parse cleanly once more, with what the grammar lacks put differently; the better of both. */
export function repaired(first: Syntax, grammar: Grammar, maxDepth: number): Syntax {
  const { source } = first;
  let text = source;
  for (const [pattern, replacement] of RULES) text = text.replace(pattern, replacement);
  if (text === source) return first;
  const second = parseAgain(grammar, text, (tree) => new Syntax(tree, source, grammar, maxDepth));
  return second && second.errors < first.errors ? second : first;
}

/** The specifier in a name that stands for `import("x")`. */
export function importedName(text: string): string | undefined {
  return text.startsWith("import(") ? /["'](.*)["']/.exec(text)?.[1] : undefined;
}
