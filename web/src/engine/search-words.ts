/** Words that stand in questions and tell nothing about code. */
const STOP_WORDS = new Set([
  "a", "an", "the", "this", "that", "it", "its", "of", "to", "in", "on", "for", "and", "or", "is", "are", "be", "was", "how", "does", "do", "did",
  "where", "what", "when", "which", "who", "why", "with", "by", "we", "i",
]);

/** Words that ask for tests themselves. */
const TEST_WORDS = new Set(["test", "tests", "testing", "spec", "bench", "benchmark", "fuzz", "fake", "mock", "fixture"]);

/**
 * The words of identifiers, paths and sentences, in lower case: `parseHTTPHeader_v2` gives parse, http, header, v2.
 * Digits stay with the letters before them, so that `utf8` and `v2` can be found.
 */
export function wordsOf(text: string): string[] {
  return (text.match(/\p{Lu}+(?![\p{Ll}])\d*|\p{Lu}?\p{Ll}+\d*|\p{Lo}+|\d+/gu) ?? []).map((word) => word.toLowerCase());
}

/** The words to look for. Stop words count only when there is nothing else. */
export function queryWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))];
  const some = telling(words);
  return some.length > 0 ? some : words;
}

/** Without the words that stand in every sentence. */
export function telling(words: readonly string[]): string[] {
  return words.filter((word) => !STOP_WORDS.has(word));
}

/** Whether tests are what is looked for. */
export function asksForTests(words: readonly string[]): boolean {
  return words.some((word) => TEST_WORDS.has(word));
}

/**
 * What the English forms of a word have in common: `checked`, `checks` and `checking` are `check`, `parsed` and `parse`
 * are `pars`. Only to compare stems with stems.
 */
export function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const singular = word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/(?<=ss|x|ch|sh)es$|(?<=[^siu])s$/, "");
  const bare = singular.replace(/(?<=[aeiouy].*[^aeiou])(?:ed|ing|e)$/, "");
  // A short rest is not what the word is a form of: `need`, `being`.
  if (bare === singular || bare.length < 3) return singular;
  return bare.replace(/([bdgmnprt])\1$/, "$1");
}
