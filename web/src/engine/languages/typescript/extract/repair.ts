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
  [/[ \t](?=<)(?<=\n[ \t]+)(?=<\s*[A-Za-z_$](?:[^;()]|\((?:[^;()]|\([^;()]{0,300}\)){0,500}\)){0,800}?>\s*\()(?<!(?:[,;{(<=|&?:[]|=>)\s*)/g, () => ";"],
  // export type * from "x"
  [/\btype(?<=\bexport\s+type)(?=\s*\*)/g, blank],
  // Names that are words of the language elsewhere: a property `abstract` or `in`, a variable `using` or `as`, a method `accessor`, an export `type`.
  [/\babstract(?=\s*\??\s*[:=;])/g, capitals],
  [/\bin(?<=\n\s{0,99}in)(?=\s{0,99}\??:)/g, capitals],
  [/\busing(?=\s{0,99}(?:[(.,:;)}]|=(?!=)))/g, capitals],
  [/\bas(?=\s{0,99}(?:[.;,)]|=(?![=>])))/g, capitals],
  [/\baccessor(?=\s{0,99}[(=,})])/g, capitals],
  [/\btype(?<=[{,]\s{0,99}type)(?=\s{0,99}[,}])/g, capitals],
  // A type parameter that is called type, at the start of a parenthesis: the grammar takes it for a parameter of a function type.
  [/\btype(?<=\(\s*type)(?=\s*(?:extends\b|[)&|[]))/g, capitals],
  // for (using handle of handles)
  [/\busing(?<=\bfor\s{0,99}(?:await\s{0,99})?\(\s{0,99}using)(?=\s+[A-Za-z_$][\w$]*\s+of\b)/g, () => "const"],
  // export default abstract class { }: one without a name.
  [/\babstract(?<=\bexport\s+default\s+abstract)(?=\s+class\s*(?:\{|extends\b|implements\b|<))/g, blank],
  // sql<{ id: number }>`…`
  [/<(?<=[\w$]<)(?:[^`<>()]|<[^`<>()]{0,200}>){1,500}>(?=`)/g, blank],
  // A type of a text that has such a sign in it: `a \` b`.
  [/\\`/g, () => "__"],
  // f<typeof import("x")>(): the grammar takes the angles for comparisons.
  [/\bimport(?<=<\s*typeof\s+import)\(\s*(["'])[^"'\n]*\1\s*\)(?=[\w$.]*\s*>\s*\()/g, (m) => "i".repeat(m.length)],
  // import("x").T in a type: a name for the time being; see `importedName`.
  [/\bimport(?<!\btypeof\s*import)\(\s*(["'])[^"'\n]*\1\s*\)(?=\s*\.)/g, (m) => "i".repeat(m.length)],
];

function capitals(match: string): string {
  return match.toUpperCase();
}

function blank(match: string): string {
  return " ".repeat(match.length);
}

/** A text of the same length without the comments that begin a line: what stands around them counts for the rules. */
function withoutComments(source: string): string {
  let text = "";
  let done = 0;
  for (const { index, 0: opening } of source.matchAll(/^[ \t]*\/[/*]/gm)) {
    if (index < done) continue;
    const end = source.indexOf(opening.endsWith("*") ? "*/" : "\n", index + opening.length);
    if (end < 0) break;
    const next = source[end] === "*" ? end + 2 : end;
    text += source.slice(done, index) + source.slice(index, next).replace(/[^\n]/g, " ");
    done = next;
  }
  return text + source.slice(done);
}

/** Reads a text once more that did not parse cleanly, or not as what it is, with what the grammar lacks put differently; the better of both. */
export function repaired(first: Syntax, grammar: Grammar, maxDepth: number): Syntax {
  const { source } = first;
  const isMisread = source.includes("typeof import(");
  if (first.errors === 0 && !isMisread) return first;
  const bare = withoutComments(source);
  let text = bare;
  for (const [pattern, replacement] of RULES) text = text.replace(pattern, replacement);
  if (text === bare) return first;
  const second = parseAgain(grammar, text, (tree) => new Syntax(tree, source, grammar, maxDepth));
  return second && (second.errors < first.errors || (isMisread && second.errors === first.errors)) ? second : first;
}

/** The specifier in a name that stands for `import("x")`. */
export function importedName(text: string): string | undefined {
  return text.startsWith("import(") ? /["'](.*)["']/.exec(text)?.[1] : undefined;
}
