/** How well symbols fit a sentence that says what code does, in words that may be theirs, stand in their code, or around them. */
import type { Codebase } from "./codebase.ts";
import { countInBodies } from "./search-bodies.ts";
import { BEGINS, stem, type Term, termsOf, wordsOf } from "./search-words.ts";
import { indexOf } from "./tools/codebase-index.ts";

export type Field = "name" | "owner" | "signature" | "path" | "doc";

/** The words of symbols and files by field, as stems. */
export interface Fields {
  /** Symbols and files. */
  size: number;
  /** Tells where a word stands, and where words do that begin so, which are not whole. */
  find(word: string, tell: (node: number, field: Field, isWhole: boolean) => void): void;
  /** Words that may have been meant. */
  like(word: string): string[];
}

/** What one mention counts. A name says what code does; a comment, the code itself and what is around it mention much else. */
const WEIGHTS: Record<Field, number> = { name: 8, owner: 2, doc: 0.8, signature: 0.5, path: 0.5 };
const BODY = 0.5;
const AROUND = 0.5;
/** What of a symbol's score those that it calls get: what a fitting function is made of. */
const CALLED = 0.15;
/** What of its file's score a symbol gets, which is the mean of the best ones in it: what a sentence is about stands in one place, and not each part of it says so. */
const FILE = 0.4;
const BEST_IN_FILE = 3;
/** What a symbol's score gains where the sentence has all words of its name: "load the keys" means `loadKeys` more than `loadKeysOfUnknownHosts`. */
const COVERED = 0.7;
/** Saturation of BM25: with mentions that count so much together, a word is half found. */
const K = 3;
/** A shorter word begins too many others. */
const MIN_BEGINNING = 3;
/** What so large a share of its uses stand in symbols of a name does something for that; what everybody uses does not. */
const USERS = 1 / 3;
/** Methods of a name that more types have than this say nothing of each other. */
const MAX_NAMESAKES = 50;

/**
 * By node a score: BM25F (Robertson, Zaragoza and Taylor, CIKM 2004) over names, comments, code, and what is around, less where words
 * of the sentence are missing. The weights are round ones that suit sentences of comments of 16 code bases, taken out of the code and left in.
 */
export function fitSentence(codebase: Codebase, fields: Fields, sentence: string): Map<number, number> {
  const terms = termsOf(sentence);
  const bodies = countInBodies(codebase, terms);
  const { length } = codebase.graph.nodes;
  const scores = new Float64Array(length);
  const shares = new Float64Array(length);
  let all = 0;
  terms.forEach((term, i) => {
    const counts = new Float64Array(length);
    countInFields(counts, codebase, fields, term.spellings, term.stem);
    for (const [node, count] of bodies) counts[node]! += BODY * count[i]!;
    if (!counts.some((count) => count > 0)) countInFields(counts, codebase, fields, new Map(fields.like(term.stem).map((like) => [like, BEGINS])));
    const having = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
    const tells = term.weight * Math.log(1 + (fields.size - having + 0.5) / (having + 0.5));
    all += tells;
    counts.forEach((count, node) => {
      if (count === 0) return;
      scores[node]! += tells * count / (count + K);
      shares[node]! += tells;
    });
  });
  const found = new Map<number, number>();
  const covers = coveringNames(terms);
  scores.forEach((score, node) => {
    if (score > 0) found.set(node, score * Math.sqrt(shares[node]! / all) * (1 + COVERED * covers(codebase.graph.nodes[node]!.name)));
  });
  return withSurroundings(codebase, found);
}

/** Which share of a name's words the terms have. */
function coveringNames(terms: readonly Term[]): (name: string) => number {
  const weights = new Map<string, number>();
  for (const { spellings, weight } of terms) {
    for (const [spelling, count] of spellings) weights.set(spelling, Math.max(weight * count, weights.get(spelling) ?? 0));
  }
  return (name) => {
    const words = new Set(wordsOf(name).map(stem));
    let sum = 0;
    for (const word of words) sum += weights.get(word) ?? 0;
    return sum / Math.max(1, words.size);
  };
}

/** By node the score, and more where what calls it fits, or what else its file has. */
function withSurroundings({ graph }: Codebase, scores: ReadonlyMap<number, number>): Map<number, number> {
  const best = new Map<number, number>();
  const files = new Map<string, number[]>();
  for (const [node, score] of scores) {
    for (const edge of graph.out(node, "CALLS")) {
      const called = graph.to[edge]!;
      if (called !== node) best.set(called, Math.max(score, best.get(called) ?? 0));
    }
    const { file } = graph.nodes[node]!;
    let first = files.get(file);
    if (!first) files.set(file, (first = new Array<number>(BEST_IN_FILE).fill(0)));
    putIn(first, score);
  }
  const share = FILE / BEST_IN_FILE;
  const ofFiles = new Map([...files].map(([file, first]) => [file, share * first.reduce((sum, score) => sum + score, 0)]));
  return new Map([...scores].map(([node, score]) => [node, score + CALLED * (best.get(node) ?? 0) + ofFiles.get(graph.nodes[node]!.file)!]));
}

/** Puts a score where it belongs among the highest ones, if it is one of them. */
function putIn(highest: number[], score: number): void {
  for (let i = 0; i < highest.length && score > 0; i++) {
    if (score > highest[i]!) [highest[i], score] = [score, highest[i]!];
  }
}

/** Adds by node how often a word is mentioned by the fields of symbols, and around them; words that begin as `beginning` are mentions, too. */
function countInFields(counts: Float64Array, codebase: Codebase, fields: Fields, spellings: ReadonlyMap<string, number>, beginning?: string): void {
  const named = new Set<number>();
  const described = new Set<number>();
  for (const [spelling, weight] of spellings) {
    const begins = spelling === beginning && spelling.length >= MIN_BEGINNING ? BEGINS : 0;
    fields.find(spelling, (node, field, isWhole) => {
      const count = WEIGHTS[field] * (isWhole ? weight : begins);
      if (count === 0) return;
      counts[node]! += count;
      if (field === "name" || field === "owner") named.add(node);
      else if (field === "doc") described.add(node);
    });
  }
  for (const node of around(codebase, named, described)) counts[node]! += AROUND;
}

/** Symbols that are used in good part by what is so named, and those that use, belong to, or are called as something that is so described. */
function around(codebase: Codebase, named: Iterable<number>, described: Iterable<number>): Set<number> {
  const { graph } = codebase;
  const { symbolsByName } = indexOf(codebase);
  const found = new Set<number>();
  const used = new Map<number, number>();
  for (const node of named) {
    for (const type of ["CALLS", "REFERENCES"] as const) {
      for (const edge of graph.out(node, type)) if (graph.to[edge] !== node) used.set(graph.to[edge]!, (used.get(graph.to[edge]!) ?? 0) + 1);
    }
  }
  for (const [node, users] of used) if (users >= USERS * (graph.in(node, "CALLS").length + graph.in(node, "REFERENCES").length)) found.add(node);
  for (const node of described) {
    for (const edge of graph.in(node, "CALLS")) if (graph.from[edge] !== node) found.add(graph.from[edge]!);
    for (const edge of graph.out(node, "DEFINES")) found.add(graph.to[edge]!);
    if (graph.nodes[node]!.kind !== "Method") continue;
    const others = symbolsByName.get(graph.nodes[node]!.name) ?? [];
    if (others.length <= MAX_NAMESAKES) for (const other of others) if (other !== node) found.add(other);
  }
  return found;
}
