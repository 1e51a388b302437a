/** An estimate of cyclomatic complexity from the text alone, the same for all languages. */

/** Comments and texts, in which words mean nothing. */
const C_LIKE_TEXT = String.raw`//[^\n]*|/\*[\s\S]*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|${"`"}(?:\\.|[^${"`"}\\])*${"`"}`;
const HASH_TEXT = String.raw`#[^\n]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;

/** Words and signs at which control branches, each in a group of its own. */
const C_LIKE = String.raw`(\b(?:if|for|foreach|while|case|catch|elseif)\b|&&|\|\||\?\?|(?<=\s)\?(?=\s))`;
const BRANCHES: Readonly<Record<string, RegExp>> = {
  python: new RegExp(String.raw`${HASH_TEXT}|(\b(?:if|elif|for|while|except|case|and|or)\b)`, "g"),
  ruby: new RegExp(String.raw`${HASH_TEXT}|(\b(?:if|elsif|unless|for|while|until|when|rescue|and|or)\b|&&|\|\||(?<=\s)\?(?=\s))`, "g"),
  rust: new RegExp(String.raw`//[^\n]*|/\*[\s\S]*?\*/|"(?:\\.|[^"\\])*"|(\b(?:if|for|while|loop)\b|=>|&&|\|\|)`, "g"),
  php: new RegExp(String.raw`#[^\n\[][^\n]*|${C_LIKE_TEXT}|${C_LIKE}`, "g"),
};
const OTHERS = new RegExp(`${C_LIKE_TEXT}|${C_LIKE}`, "g");

/**
 * Branches on each line of a source text, by 0-based line: conditions, loops, cases, catches, and the operators that
 * skip their right side. Comments and texts are passed over.
 */
export function branchesByLine(text: string, language: string): Uint16Array {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  const branches = new Uint16Array(ends.length + 1);
  let line = 0;
  for (const match of text.matchAll(BRANCHES[language] ?? OTHERS)) {
    if (match[1] === undefined) continue;
    while (line < ends.length && ends[line]! < match.index) line++;
    branches[line]!++;
  }
  return branches;
}
