/** Full-text search over symbols and files. */
import MiniSearch, { type Options } from "minisearch";
import type { Codebase } from "./codebase.ts";
import { docOf, docOfFile } from "./doc-comments.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { fitSentence, type Field, type Fields } from "./search-sentence.ts";
import { asksForTests, queryWords, stem, telling, wordsOf } from "./search-words.ts";
import { qualifiedName, routeNames } from "./tools/answers.ts";
import { indexOf, isSymbol } from "./tools/codebase-index.ts";
import { routesFor } from "./tools/route-paths.ts";
import { Pieces, type Turns } from "./turns.ts";

export interface SearchHit {
  node: number;
  /** Higher is better; comparable within one search only. */
  score: number;
}

interface Index {
  /** Documents by node id. It passes on to the codebase that follows after a change, and is that one's then. */
  search: MiniSearch<Document>;
  /** Node indexes by lower-case simple and qualified name, for exact matches; made when it is first asked for: after an edit nobody waits for it. */
  exact: Pieces<ReadonlyMap<string, readonly number[]>>;
}

const indexes = new WeakMap<Codebase, Pieces<Index>>();
/** Indexes as they were written down, until they are wanted. */
const packed = new WeakMap<Codebase, Uint8Array>();

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NEWLINE = 10;

/** A name is worth more than the type it belongs to, that more than a signature or a path, those more than a word in a comment. */
const BOOST = { name: 6, owner: 2, signature: 1, path: 1, doc: 0.7 };
/** So many words that tell something, or one more of any kind, are a sentence that says what code does; fewer are a name, or parts of one. */
const SENTENCE = 3;
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
export function prepareSearch(codebase: Codebase, turns: Pick<Turns, "next">): Promise<void> {
  return searchIndex(codebase).prepare(turns);
}

/** The codebase's index, written down piece by piece, while it is that codebase's; undefined when it has none. */
export function packSearch(codebase: Codebase): Iterable<Uint8Array<ArrayBuffer>> | undefined {
  const index = indexes.get(codebase)?.whole;
  return index && piecesOf(index.search);
}

/** A line of what is written down: as JSON, something of what MiniSearch's own `toJSON` gives, which takes the thread for a second where there are 40,000 symbols. */
type Line =
  | { documentCount: number; nextId: number; fieldIds: Record<string, number>; averageFieldLength: number[]; dirtCount: number }
  | { documents: [short: number, id: string, fieldLengths: number[]][] }
  | { terms: [term: string, fields: [field: number, frequencies: [short: number, frequency: number][]][]][] };

/** Searching meanwhile may take gone documents out of the index, which changes nothing that it says. */
function* piecesOf(search: Index["search"]): Generator<Uint8Array<ArrayBuffer>> {
  const line = (said: Line): Uint8Array<ArrayBuffer> => encoder.encode(`${JSON.stringify(said)}\n`);
  yield line({ documentCount: search.documentCount, nextId: search["_nextId"], fieldIds: search["_fieldIds"], averageFieldLength: search["_avgFieldLength"], dirtCount: search.dirtCount });
  for (const ids of hundreds([...search["_documentIds"]])) {
    yield line({ documents: ids.map(([short, id]) => [short, id as string, search["_fieldLength"].get(short) ?? []]) });
  }
  const terms = search["_index"];
  for (const some of hundreds([...terms.keys()])) yield line({ terms: some.map((term) => [term, [...terms.get(term) ?? []].map(([field, frequencies]) => [field, [...frequencies]])]) });
}

function* hundreds<T>(things: readonly T[]): Generator<T[]> {
  for (let at = 0; at < things.length; at += 100) yield things.slice(at, at + 100);
}

/** The index that was written down. */
function* read(bytes: Uint8Array): Generator<undefined, Index["search"]> {
  let search: Index["search"] | undefined;
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, at);
    const line = JSON.parse(decoder.decode(bytes.subarray(at, end))) as Line;
    at = end + 1;
    if ("documentCount" in line) search = MiniSearch.loadJS<Document>({ ...line, documentIds: {}, fieldLength: {}, storedFields: {}, index: [], serializationVersion: 2 }, OPTIONS);
    else if ("documents" in line) {
      for (const [short, id, lengths] of line.documents) {
        search!["_documentIds"].set(short, id);
        search!["_idToShortId"].set(id, short);
        search!["_fieldLength"].set(short, lengths);
      }
    } else for (const [term, fields] of line.terms) search!["_index"].set(term, new Map(fields.map(([field, frequencies]) => [field, new Map(frequencies)])));
    yield;
  }
  return search!;
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
  const { search } = known.now;
  for (const node of before.graph.nodes) if (changed.has(node.file) && search.has(node.id)) search.discard(node.id);
  const document = documents(codebase);
  for (const node of codebase.graph.nodes) if (changed.has(node.file) && isDocument(node)) search.add(document(node));
  indexes.set(codebase, Pieces.of({ search, exact: new Pieces(exactNames(codebase)) }));
}

/** Symbols and files by relevance, all that match. */
export function searchCodebase(codebase: Codebase, query: string): SearchHit[] {
  const index = searchIndex(codebase).now;
  const exact = index.exact.now;
  const { connections } = indexOf(codebase);
  const { graph } = codebase;
  const { nodes } = graph;
  const isStub = (node: number): boolean => /\.(?:d\.[cm]?ts|pyi)$/.test(nodes[node]!.file)
    || nodes[node]!.kind === "Method" && graph.in(node, "DEFINES").some((e) => nodes[graph.from[e]!]!.kind === "Interface");
  const name = query.trim();
  const words = queryWords(query);
  const isSentence = Math.max(words.length, wordsOf(query).length - 1) >= SENTENCE && !exact.has(name.toLowerCase());
  const scores = isSentence ? fitSentence(codebase, fieldsOf(index.search, graph), query) : fitWords(index.search, graph, [...new Set(words.map(stem))]);
  const named = exact.get(name.toLowerCase()) ?? [];
  for (const node of named) {
    const { name: simple, file } = nodes[node]!;
    const same = name === simple || routeNames(nodes[node]!).includes(name) || name === qualifiedName(nodes[node]!) || name === file;
    scores.set(node, (scores.get(node) ?? 0) + (same ? EXACT : name === name.toLowerCase() ? EXACT_BUT_CASE : OTHER_CASE));
  }
  for (const { node, fit } of routesFor(graph, name)) if (!named.includes(node)) scores.set(node, (scores.get(node) ?? 0) + EXACT * fit);
  const forTests = asksForTests(words) || (named.length > 0 && named.every((node) => nodes[node]!.test));
  return [...scores]
    .map(([node, score]) => {
      const { kind, test, generated } = nodes[node]!;
      const known = isSentence ? 1 : 1 + Math.log1p(connections[node]!) / 12;
      return { node, score: score * known * (kind === "Variable" ? VARIABLE : 1) * (test && !forTests ? LOWER : 1) * (generated ? LOWER : 1) * (isStub(node) ? STUB : 1) };
    })
    .sort((a, b) => b.score - a.score || a.node - b.node);
}

/** By node, how well its fields fit a name or parts of one, which are stems: all of them in one place are worth more than one of them often. */
function fitWords(search: Index["search"], graph: Graph, stems: readonly string[]): Map<number, number> {
  const scores = new Map<number, number>();
  if (stems.length === 0) return scores;
  for (const { id, score, queryTerms } of search.search(stems.join(" "))) {
    const node = graph.find(id as string);
    if (node !== undefined) scores.set(node, score * (queryTerms.length / stems.length) ** 2);
  }
  return scores;
}

function fieldsOf(search: Index["search"], graph: Graph): Fields {
  const ids = Object.entries(search["_fieldIds"]) as [Field, number][];
  return {
    size: search.documentCount,
    find: (word, tell) => {
      for (const [known, places] of search["_index"].atPrefix(word)) {
        for (const [field, id] of ids) {
          for (const short of places.get(id)?.keys() ?? []) {
            const node = graph.find((search["_documentIds"].get(short) ?? "") as string);
            if (node !== undefined) tell(node, field, known === word);
          }
        }
      }
    },
    like: (word) => (OPTIONS.searchOptions.fuzzy(word) === false ? [] : [...search["_index"].fuzzyGet(word, Math.round(word.length * FUZZY)).keys()]),
  };
}

function searchIndex(codebase: Codebase): Pieces<Index> {
  let index = indexes.get(codebase);
  if (!index) indexes.set(codebase, index = new Pieces(makeIndex(codebase)));
  return index;
}

/** The share of a word's letters that may be wrong. */
const FUZZY = 0.2;

const OPTIONS = {
  fields: ["name", "owner", "signature", "path", "doc"],
  // Fields arrive as words with blanks between them; see wordsOf.
  tokenize: (text: string) => text === "" ? [] : text.split(" "),
  processTerm: (term: string) => term,
  searchOptions: {
    boost: BOOST,
    prefix: (term: string) => term.length >= 2,
    fuzzy: (term: string) => (term.length >= 5 ? FUZZY : false),
    weights: { prefix: 0.4, fuzzy: 0.15 },
  },
} satisfies Options<Document>;

function* makeIndex(codebase: Codebase): Generator<unknown, Index> {
  const known = packed.get(codebase);
  packed.delete(codebase);
  const search = known ? yield* read(known) : yield* build(codebase);
  return { search, exact: Pieces.of(yield* exactNames(codebase)) };
}

function* build(codebase: Codebase): Generator<undefined, Index["search"]> {
  const search = new MiniSearch<Document>(OPTIONS);
  const document = documents(codebase);
  for (const node of codebase.graph.nodes) {
    if (!isDocument(node)) continue;
    search.add(document(node));
    yield;
  }
  return search;
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

function* exactNames({ graph }: Codebase): Generator<undefined, Map<string, number[]>> {
  const exact = new Map<string, number[]>();
  const remember = (name: string, node: number): void => {
    const known = exact.get(name);
    if (known) known.push(node);
    else exact.set(name, [node]);
  };
  for (const [i, node] of graph.nodes.entries()) {
    if (i % 1_000 === 999) yield;
    if (!isDocument(node)) continue;
    remember(node.name.toLowerCase(), i);
    for (const path of routeNames(node).slice(1)) remember(path.toLowerCase(), i);
    if (node.owner !== "") remember(`${node.owner}.${node.name}`.toLowerCase(), i);
    if (node.kind === "File" && node.file !== node.name) remember(node.file.toLowerCase(), i);
  }
  return exact;
}
