/**
 * Which symbols have words of a question in their code: identifiers, texts and comments. The texts are read at each search and
 * nothing is kept, so that an edit costs nothing, nor does memory.
 */
import type { Codebase } from "./codebase.ts";
import { BEGINS, beginningsOf, stem, type Term } from "./search-words.ts";
import { isSymbol } from "./tools/codebase-index.ts";

/** How much less a word counts for each symbol around the innermost that has it. */
const OUTSIDE = 0.3;
/** How far a count is by length: 1 is a share of the code, 0 the count itself. */
const NORMALISED = 0.7;
/** Shorter words than this stand in too much. */
const MIN_WORD = 3;
/** Characters that are read at most. */
const MAX_CHARS = 64 << 20;

const LETTER = /\p{L}/u;
const UPPER = /\p{Lu}/u;
/** A word of an identifier from where it begins. */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/uy;

/** By node, how often its code has each of the terms, for code of the mean length. */
export function countInBodies({ graph, files }: Codebase, terms: readonly Term[]): Map<number, Float32Array> {
  const stems = new Set(terms.flatMap(({ spellings }) => [...spellings.keys()]));
  const words = [...new Set([...stems].flatMap((stemmed) => [stemmed, ...beginningsOf(stemmed)]))].filter((word) => word.length >= MIN_WORD && LETTER.test(word)).sort();
  if (words.length === 0) return new Map();
  // Of words that begin alike the shortest finds all.
  const shortest = words.filter((word, i) => !words.slice(0, i).some((other) => word.startsWith(other)));
  const find = new RegExp(shortest.map((word) => word.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|"), "gi");
  const fits = fitting(terms);
  const counts = new Map<number, Float32Array>();
  const { nodes } = graph;
  let symbols = 0;
  let lines = 0;
  let left = MAX_CHARS;
  for (let first = 0; first < nodes.length;) {
    const { file } = nodes[first]!;
    let next = first + 1;
    while (next < nodes.length && nodes[next]!.file === file) next++;
    const own: number[] = [];
    for (let node = first; node < next; node++) if (isSymbol(nodes[node]!) && nodes[node]!.line > 0 && !nodes[node]!.generated) own.push(node);
    first = next;
    const text = own.length === 0 || left < 0 ? undefined : files.text(file);
    if (text === undefined) continue;
    left -= text.length;
    symbols += own.length;
    for (const node of own) lines += linesOf(nodes[node]!);
    own.sort((a, b) => nodes[a]!.startLine - nodes[b]!.startLine || nodes[b]!.endLine - nodes[a]!.endLine);
    let line = 1;
    let counted = 0;
    find.lastIndex = 0;
    for (let found = find.exec(text); found; found = find.exec(text)) {
      const { index } = found;
      if (!begins(text, index)) continue;
      WORD.lastIndex = index;
      const word = WORD.exec(text)?.[0].toLowerCase();
      if (word === undefined) continue;
      for (let end = text.indexOf("\n", counted); end >= 0 && end < index; end = text.indexOf("\n", counted)) {
        line++;
        counted = end + 1;
      }
      const fit = fits(word);
      if (fit.length === 0) continue;
      let share = 1;
      for (let i = own.length - 1; i >= 0; i--) {
        const node = own[i]!;
        if (nodes[node]!.startLine > line || nodes[node]!.endLine < line) continue;
        let known = counts.get(node);
        if (!known) counts.set(node, (known = new Float32Array(terms.length)));
        for (const [term, weight] of fit) known[term]! += weight * share;
        share *= OUTSIDE;
      }
    }
  }
  const mean = lines / Math.max(1, symbols);
  for (const [node, count] of counts) {
    const length = 1 - NORMALISED + NORMALISED * linesOf(nodes[node]!) / mean;
    count.forEach((n, term) => { count[term] = n / length; });
  }
  return counts;
}

function linesOf({ startLine, endLine }: { startLine: number; endLine: number }): number {
  return endLine - startLine + 1;
}

/** Which terms a word fits, and how well; remembered by word. */
function fitting(terms: readonly Term[]): (word: string) => readonly (readonly [term: number, weight: number])[] {
  const known = new Map<string, readonly (readonly [number, number])[]>();
  return (word) => {
    let fit = known.get(word);
    if (!fit) {
      const stemmed = stem(word);
      fit = terms.flatMap(({ stem: term, spellings }, i): [number, number][] => {
        const weight = spellings.get(stemmed) ?? (term.length >= MIN_WORD && stemmed.startsWith(term) ? BEGINS : 0);
        return weight > 0 ? [[i, weight]] : [];
      });
      known.set(word, fit);
    }
    return fit;
  };
}

/** Whether a word of an identifier begins there. */
function begins(text: string, at: number): boolean {
  const before = text[at - 1];
  if (before === undefined || !LETTER.test(before)) return true;
  if (!UPPER.test(text[at]!)) return false;
  const after = text[at + 1];
  return !UPPER.test(before) || after !== undefined && LETTER.test(after) && !UPPER.test(after);
}
