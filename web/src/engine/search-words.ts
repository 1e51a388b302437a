/** Words that stand in questions and tell nothing about code. */
const STOP_WORDS = new Set([
  "a", "an", "the", "this", "that", "it", "its", "of", "to", "in", "on", "for", "and", "or", "is", "are", "be", "was", "how", "does", "do", "did",
  "where", "what", "when", "which", "who", "why", "with", "by", "we", "i",
]);

/** Words of sentences about code that stand in most of them. */
const WEAK_WORDS = new Set((
  "return returns returned given specified provided whether used using use called if then else from into at as not all any only one least can may will should has have been there their them "
  + "current currently particular corresponding according based other some such each every more most true false value values"
).split(" "));

/** What code says in the place of words that sentences have. Stems are made of both. */
const SAID_OTHERWISE: readonly (readonly [said: string, code: string])[] = [
  ["retrieve obtain fetch look return", "get"], ["create build construct produce", "new make"], ["delete clear empty drop", "remove"], ["remove empty reset", "clear"], ["remove", "delete"],
  ["whether check true", "is has"], ["number amount", "count len size num"], ["length size", "len"], ["append insert register attach", "add"], ["initialize", "init"],
  ["cancel end finish", "stop close abort"], ["begin launch run", "start"], ["execute call invoke", "run"], ["assign change", "set"], ["convert transform", "to from"], ["verify valid ensure", "check validate"],
];

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

/** What of a sentence tells something of what the code does. */
export function strong(words: readonly string[]): readonly string[] {
  const some = words.filter((word) => !WEAK_WORDS.has(word));
  return some.length > 0 ? some : words;
}

/** The stems of words that code may have instead of one, which is a stem, too. */
export function otherwiseOf(term: string): readonly string[] {
  return SAID_OTHERWISE.filter(([said]) => said.split(" ").some((word) => stem(word) === term)).flatMap(([, code]) => code.split(" ").map(stem));
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
