/**
 * Which symbols have words of a question in their code: identifiers, texts and comments. The texts are read at each search and
 * nothing is kept, so that an edit costs nothing, nor does memory.
 */
import type { Codebase } from "./codebase.ts";
import { stem } from "./search-words.ts";
import { isSymbol } from "./tools/codebase-index.ts";

/** How often a symbol's code has a word that fits a term counts, and how often it has one that only begins so. */
const BEGINS = 0.4;
/** How much less a word counts for each symbol around the innermost that has it. */
const AROUND = 0.3;
/** Saturation and normalisation by length of BM25. */
const K = 1.2;
const B = 0.75;
/** Shorter words than this stand in too much. */
const MIN_TERM = 3;
/** Characters that are read at most. */
const MAX_CHARS = 64 << 20;

const LETTER = /\p{L}/u;
const UPPER = /\p{Lu}/u;
/** A word of an identifier from where it begins. */
const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/uy;

export interface BodyHit {
  score: number;
  terms: readonly string[];
}

export interface Bodies {
  /** By node. */
  hits: Map<number, BodyHit>;
  /** How much a term tells: the more, the fewer symbols have it in their code. */
  rarity: Map<string, number>;
}

/** BM25 of the code of symbols for terms, which are stems. */
export function searchBodies({ graph, files }: Codebase, terms: readonly string[]): Bodies {
  const wanted = terms.filter((term) => term.length >= MIN_TERM && LETTER.test(term));
  if (wanted.length === 0) return { hits: new Map(), rarity: new Map() };
  const find = new RegExp(wanted.map((term) => term.replace(/[^\p{L}\p{N}]/gu, "\\$&")).sort((a, b) => b.length - a.length).join("|"), "giu");
  const fits = fitting(wanted);
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
        if (!known) counts.set(node, (known = new Float32Array(wanted.length)));
        for (const [term, weight] of fit) known[term]! += weight * share;
        share *= AROUND;
      }
    }
  }
  return scored(graph.nodes, counts, wanted, symbols, lines / Math.max(1, symbols));
}

function linesOf({ startLine, endLine }: { startLine: number; endLine: number }): number {
  return endLine - startLine + 1;
}

/** Which terms a word fits, and how well; remembered by word. */
function fitting(terms: readonly string[]): (word: string) => readonly (readonly [term: number, weight: number])[] {
  const known = new Map<string, readonly (readonly [number, number])[]>();
  return (word) => {
    let fit = known.get(word);
    if (!fit) {
      const stemmed = stem(word);
      fit = terms.flatMap((term, i): [number, number][] => stemmed === term ? [[i, 1]] : stemmed.startsWith(term) ? [[i, BEGINS]] : []);
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

function scored(nodes: Codebase["graph"]["nodes"], counts: ReadonlyMap<number, Float32Array>, terms: readonly string[], symbols: number, average: number): Bodies {
  const having = terms.map(() => 0);
  for (const count of counts.values()) count.forEach((n, term) => { if (n > 0) having[term]!++; });
  const rarity = having.map((n) => Math.log(1 + (symbols - n + 0.5) / (n + 0.5)));
  const hits = new Map<number, BodyHit>();
  for (const [node, count] of counts) {
    const long = K * (1 - B + B * linesOf(nodes[node]!) / average);
    let score = 0;
    count.forEach((n, term) => { score += rarity[term]! * n * (K + 1) / (n + long); });
    hits.set(node, { score, terms: terms.filter((_, term) => count[term]! > 0) });
  }
  return { hits, rarity: new Map(terms.map((term, i) => [term, rarity[i]!])) };
}
