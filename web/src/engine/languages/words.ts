/** The words of a file, as the hashes of them, sorted: some hundred numbers, where the words themselves would take ten times as much. */
export type Words = Uint32Array;

/** A number for a name. Two names may have the same one: then a file seems to have a name that it has not, which costs a little time. */
export function wordOf(name: string): number {
  return wordAfter(0x811c9dc5, name);
}

/** The number for a name that begins with another, whose number is given, and goes on so. */
export function wordAfter(begin: number, name: string): number {
  let hash = begin;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** All strings in plain data, and more. */
export function wordsIn(data: unknown, more: Iterable<string> = []): Words {
  const hashes: number[] = [];
  for (const word of more) hashes.push(wordOf(word));
  collect(data, hashes);
  const sorted = Uint32Array.from(hashes).sort();
  let count = 0;
  for (const hash of sorted) if (count === 0 || sorted[count - 1] !== hash) sorted[count++] = hash;
  return sorted.slice(0, count);
}

/** Numbers for names, to be looked for. */
export function wanted(words: Iterable<number>): Words {
  return Uint32Array.from(words).sort();
}

/** Whether a number is among the words. */
export function isAmong(words: Words, word: number): boolean {
  return words[placeOf(words, word, 0, words.length)] === word;
}

/** Whether any of these is among the words. */
export function hasAny(words: Words, some: Words): boolean {
  return meet(words, some, () => true);
}

/** Tells the place in `some` of each that is among the words, until one is taken; whether one was. The fewer leap through the others; where they are as many, both go side by side. */
export function meet(words: Words, some: Words, takes: (at: number) => boolean): boolean {
  const isFewer = some.length <= words.length;
  const [few, many] = isFewer ? [some, words] : [words, some];
  let low = 0;
  for (let at = 0; at < few.length && low < many.length; at++) {
    const hash = few[at]!;
    let step = 1;
    while (low + step < many.length && many[low + step]! < hash) step *= 2;
    low = placeOf(many, hash, low, Math.min(low + step, many.length));
    if (many[low] !== hash) continue;
    if (isFewer) {
      if (takes(at)) return true;
    } else {
      // The same may be there more than once.
      for (; many[low] === hash; low++) if (takes(low)) return true;
    }
  }
  return false;
}

/** The place of the first that is not less, between two places. */
function placeOf(words: Words, word: number, from: number, to: number): number {
  let low = from;
  for (let high = to; low < high;) {
    const middle = (low + high) >>> 1;
    if (words[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function collect(value: unknown, into: number[]): void {
  if (typeof value === "string") {
    into.push(wordOf(value));
  } else if (Array.isArray(value)) {
    // Long lists are of numbers.
    for (const item of value as unknown[]) if (typeof item !== "number") collect(item, into);
  } else if (value !== null && typeof value === "object") {
    for (const key in value) collect((value as Record<string, unknown>)[key], into);
  }
}
