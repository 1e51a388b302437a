/** Full-text search over symbols and files. */
import MiniSearch, { type Options } from "minisearch";
import type { Codebase } from "./codebase.ts";
import { docOf, docOfFile } from "./doc-comments.ts";
import type { GraphNode } from "./graph.ts";
import { asksForTests, queryWords, stem, telling, wordsOf } from "./search-words.ts";
import { qualifiedName } from "./tools/answers.ts";
import { indexOf, isSymbol } from "./tools/codebase-index.ts";

export interface SearchHit {
  node: number;
  /** Higher is better; comparable within one search only. */
  score: number;
}

interface Index {
  /** Documents by node id. It passes on to the codebase that follows after a change, and is that one's then. */
  search: MiniSearch<Document>;
  /** Node indexes by lower-case simple and qualified name, for exact matches; made when it is first asked for: after an edit nobody waits for it. */
  exact: () => ReadonlyMap<string, readonly number[]>;
}

const indexes = new WeakMap<Codebase, Index>();
/** Indexes as they were written down, until they are wanted. */
const packed = new WeakMap<Codebase, Uint8Array>();

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A name is worth more than the type it belongs to, that more than a signature or a path, those more than a word in a comment. */
const BOOST = { name: 6, owner: 2, signature: 1, path: 1, doc: 0.7 };
/** Tests and generated code come after what they are about: a name in them after a signature elsewhere. */
const LOWER = 0.1;
/** A variable comes after the type or function of its name. */
const VARIABLE = 0.5;
/** What only declares comes after what does it: a method of an interface, a stub file. */
const STUB = 0.5;
/** Lifts an exact name above everything that only resembles it. */
const EXACT = 1000;
/** The name in another case is as good where the query has no capitals: it may be a topic as well as a name. */
const EXACT_BUT_CASE = 850;
/** Else it is a good sign, no more. */
const OTHER_CASE = 10;

/** Builds the codebase's index, if it has none yet: some 50 ms for 1,000 symbols. Searching does it too. */
export function prepareSearch(codebase: Codebase): void {
  searchIndex(codebase);
}

/** The codebase's index, written down; undefined when it has none. */
export function packSearch(codebase: Codebase): Uint8Array<ArrayBuffer> | undefined {
  const index = indexes.get(codebase);
  return index && encoder.encode(JSON.stringify(index.search));
}

/** Takes what was written down of this codebase's index: to read it takes a third of the time that building does. */
export function unpackSearch(codebase: Codebase, index: Uint8Array): void {
  packed.set(codebase, index);
}

/** Makes the index of a codebase from that of the one before it, in which only these files were different. */
export function carrySearch(before: Codebase, codebase: Codebase, changed: ReadonlySet<string>): void {
  const known = indexes.get(before);
  if (!known || before === codebase) return;
  indexes.delete(before);
  const { search } = known;
  for (const node of before.graph.nodes) if (changed.has(node.file) && search.has(node.id)) search.discard(node.id);
  const document = documents(codebase);
  for (const node of codebase.graph.nodes) if (changed.has(node.file) && isDocument(node)) search.add(document(node));
  indexes.set(codebase, { search, exact: lazily(codebase) });
}

/** Symbols and files by relevance, all that match. */
export function searchCodebase(codebase: Codebase, query: string): SearchHit[] {
  const index = searchIndex(codebase);
  const { search } = index;
  const exact = index.exact();
  const { connections } = indexOf(codebase);
  const { graph } = codebase;
  const { nodes } = graph;
  const isStub = (node: number): boolean => /\.(?:d\.[cm]?ts|pyi)$/.test(nodes[node]!.file)
    || nodes[node]!.kind === "Method" && graph.in(node, "DEFINES").some((e) => nodes[graph.from[e]!]!.kind === "Interface");
  const scores = new Map<number, number>();
  const words = queryWords(query);
  const stems = new Set(words.map(stem));
  if (words.length > 0) {
    for (const { id, score, queryTerms } of search.search([...stems].join(" "))) {
      // All the words in one place are worth more than one of them often.
      const share = new Set(queryTerms).size / stems.size;
      const node = codebase.graph.find(id as string);
      if (node !== undefined) scores.set(node, score * share * share);
    }
  }
  const name = query.trim();
  for (const node of exact.get(name.toLowerCase()) ?? []) {
    const { name: simple, file } = nodes[node]!;
    const same = name === simple || name === qualifiedName(nodes[node]!) || name === file;
    scores.set(node, (scores.get(node) ?? 0) + (same ? EXACT : name === name.toLowerCase() ? EXACT_BUT_CASE : OTHER_CASE));
  }
  const forTests = asksForTests(words) || exact.get(name.toLowerCase())?.every((node) => nodes[node]!.test) === true;
  return [...scores]
    .map(([node, score]) => {
      const { kind, test, generated } = nodes[node]!;
      const known = 1 + Math.log1p(connections[node]!) / 12;
      return { node, score: score * known * (kind === "Variable" ? VARIABLE : 1) * (test && !forTests ? LOWER : 1) * (generated ? LOWER : 1) * (isStub(node) ? STUB : 1) };
    })
    .sort((a, b) => b.score - a.score || a.node - b.node);
}

function searchIndex(codebase: Codebase): Index {
  let index = indexes.get(codebase);
  if (!index) {
    index = buildIndex(codebase);
    indexes.set(codebase, index);
  }
  return index;
}

const OPTIONS: Options<Document> = {
  fields: ["name", "owner", "signature", "path", "doc"],
  // Fields arrive as words with blanks between them; see wordsOf.
  tokenize: (text) => text === "" ? [] : text.split(" "),
  processTerm: (term) => term,
  searchOptions: {
    boost: BOOST,
    prefix: (term) => term.length >= 2,
    fuzzy: (term) => (term.length >= 5 ? 0.2 : false),
    weights: { prefix: 0.4, fuzzy: 0.15 },
  },
};

function buildIndex(codebase: Codebase): Index {
  const known = packed.get(codebase);
  packed.delete(codebase);
  if (known) return { search: MiniSearch.loadJSON(decoder.decode(known), OPTIONS), exact: lazily(codebase) };
  const search = new MiniSearch(OPTIONS);
  const document = documents(codebase);
  for (const node of codebase.graph.nodes) if (isDocument(node)) search.add(document(node));
  const exact = lazily(codebase);
  exact();
  return { search, exact };
}

interface Document {
  id: string;
  name: string;
  owner: string;
  signature: string;
  path: string;
  /** What the comment at it says. */
  doc: string;
}

function isDocument(node: GraphNode): boolean {
  return isSymbol(node) || node.kind === "File";
}

/** Makes documents of nodes. Many symbols share a path and an owner, so words are kept; those of one file follow each other. */
function documents({ files }: Codebase): (node: GraphNode) => Document {
  const split = new Map<string, string>();
  const stems = new Map<string, string>();
  const stemOf = (word: string): string => {
    let known = stems.get(word);
    if (known === undefined) stems.set(word, (known = stem(word)));
    return known;
  };
  const words = (text: string): string => {
    let known = split.get(text);
    if (known === undefined) {
      known = [...new Set(wordsOf(text).map(stemOf))].join(" ");
      split.set(text, known);
    }
    return known;
  };
  let current = "";
  let lines: readonly string[] = [];
  const doc = ({ kind, file, startLine, language }: GraphNode): string => {
    if (language === "") return "";
    if (file !== current) [current, lines] = [file, files.text(file)?.split("\n") ?? []];
    const text = kind === "File" ? docOfFile(lines, language) : docOf(lines, startLine, language);
    return text === "" ? "" : [...new Set(telling(wordsOf(text)).map(stemOf))].join(" ");
  };
  return (node) => ({ id: node.id, name: words(node.name), owner: words(node.owner), signature: words(node.signature), path: words(node.file), doc: doc(node) });
}

function lazily(codebase: Codebase): Index["exact"] {
  let exact: ReturnType<typeof exactNames> | undefined;
  return () => (exact ??= exactNames(codebase));
}

function exactNames({ graph }: Codebase): Map<string, number[]> {
  const exact = new Map<string, number[]>();
  const remember = (name: string, node: number): void => {
    const known = exact.get(name);
    if (known) known.push(node);
    else exact.set(name, [node]);
  };
  graph.nodes.forEach((node, i) => {
    if (!isDocument(node)) return;
    remember(node.name.toLowerCase(), i);
    if (node.owner !== "") remember(`${node.owner}.${node.name}`.toLowerCase(), i);
    if (node.kind === "File" && node.file !== node.name) remember(node.file.toLowerCase(), i);
  });
  return exact;
}
