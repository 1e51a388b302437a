/** Words that stand in questions and tell nothing about code. */
const STOP_WORDS = new Set(["a", "an", "the", "of", "to", "in", "on", "for", "and", "or", "is", "are", "how", "does", "do", "where", "what", "which", "with", "by"]);

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
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}
