import type { Graph } from "./graph.ts";

/** A place names a group when it holds at least this share of its members. */
const SHARE = 0.55;
/** With a word beside it, a place that holds this much still says where to look. */
const SMALL_SHARE = 0.35;
/** A word tells what a group is about when it is in the names of this share of its members, at least. */
const WORD_SHARE = 0.5;
/** Words of identifiers that say nothing about what a group is for. */
const EMPTY_WORDS = new Set([
  "get", "set", "new", "init", "add", "is", "has", "to", "of", "from", "with", "the", "and", "or", "for", "in", "on", "by", "do", "no", "not",
  "run", "close", "make", "create", "update", "delete", "remove", "handle", "test", "err", "error", "string", "str", "int", "bool", "value",
  "data", "item", "index", "name", "type", "self", "this", "main", "len", "func", "function", "method", "object", "constructor", "class",
  "arg", "option", "param", "opt", "callback", "next", "done", "debug", "helper", "util", "base", "impl", "default", "inner", "wrapper",
  // What functions are hung on by habit.
  "export", "module", "proto", "prototype", "req", "res", "ctx", "app", "cls",
]);
/** Files that stand for their folder. */
export const FOLDER_FILE = /\/(?:index|__init__|__main__|mod|main|lib|package-info)\.\w+$/;

/**
 * A short name for each group of nodes, by what it holds: the folder or file where most of it stands, the word that
 * its identifiers use more than others do, or both where one is not enough, also where it is scattered. No two are the same.
 */
export function labelGroups(graph: Graph, groups: readonly (readonly number[])[]): string[] {
  const words = tellingWords(graph, groups);
  const paths = groups.map((members) => members.map((node) => graph.nodes[node]!.file.replace(FOLDER_FILE, "")));
  const places = paths.map((files) => commonPlace(files, SHARE));
  const uses = new Map<string, number>();
  for (const place of places) uses.set(place, (uses.get(place) ?? 0) + 1);

  const taken = new Set<string>();
  return groups.map((members, i) => {
    const place = places[i]!;
    const hub = graph.nodes[members[0]!]!.name;
    const candidates: string[] = [];
    if (place !== "" && uses.get(place) === 1 && isNear(paths[i]!, place)) candidates.push(place);
    // What several groups share tells less than where a good part of this one is.
    const main = candidates.length > 0 ? place : commonPlace(paths[i]!, SMALL_SHARE);
    const said = wordsOf(main);
    // "transport: transport" says no more than the place, and neither does "response: resp".
    const news = words[i]!.filter(({ word }) => !said.some((part) => part.startsWith(word) || word.startsWith(part)));
    const [first, second] = news;
    // Where the first word is true of few, a second one says what else is there.
    if (first && second && first.share < WORD_SHARE && second.share > first.share / 2) news.unshift({ word: `${first.word}, ${second.word}`, share: 1 });
    else if (!first && main !== "") candidates.push(main);
    for (const { word } of news) candidates.push(main === "" ? word : `${main}: ${word}`);
    candidates.push(main === "" ? hub : `${main}: ${hub}`);
    let label = candidates.find((candidate) => !taken.has(candidate));
    for (let n = 2; label === undefined; n++) {
      const numbered = `${candidates.at(-1)!} ${n}`;
      if (!taken.has(numbered)) label = numbered;
    }
    taken.add(label);
    return label;
  });
}

/** The last two elements of the deepest folder or file that holds this share of the paths, at least; "" for the root. */
function commonPlace(paths: readonly string[], share: number): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  let best = "";
  for (const [place, count] of counts) {
    if (count < paths.length * share || depth(place) < depth(best)) continue;
    if (depth(place) > depth(best) || count > (counts.get(best) ?? 0)) best = place;
  }
  // Of `pkg/search/search.go` the folder says it all.
  const all = best.split("/");
  if (all.length > 2 && withoutEnding(all.at(-1)!) === all.at(-2)) all.pop();
  return withoutEnding(all.slice(-2).join("/"));
}

/** Without its ending a file reads as a part of the system. */
function withoutEnding(path: string): string {
  return path.replace(/(?<=[^./])\.[^/]*$/, "");
}

/** Whether a place, of which the last two elements are told, says where most of the paths are: they are in it, or a folder below. */
function isNear(paths: readonly string[], place: string): boolean {
  const near = paths.map(withoutEnding).filter((path) => {
    const at = `/${path}/`.indexOf(`/${place}/`);
    return at >= 0 && depth(path) - depth(path.slice(0, at + place.length)) <= 2;
  });
  return near.length >= paths.length * SHARE;
}

function depth(place: string): number {
  return place === "" ? 0 : place.split("/").length;
}

interface Word {
  word: string;
  /** Of the group's members, those that have it in their names. */
  share: number;
}

/** For each group its five most telling words: frequent in it, rare in the other groups. */
function tellingWords(graph: Graph, groups: readonly (readonly number[])[]): Word[][] {
  const counts = groups.map((members) => {
    const count = new Map<string, number>();
    for (const node of members) {
      const { name, owner } = graph.nodes[node]!;
      for (const word of new Set([...wordsOf(name), ...wordsOf(owner)])) count.set(word, (count.get(word) ?? 0) + 1);
    }
    return count;
  });
  const groupsWith = new Map<string, number>();
  for (const count of counts) for (const word of count.keys()) groupsWith.set(word, (groupsWith.get(word) ?? 0) + 1);
  return counts.map((count, i) =>
    [...count]
      .filter(([word, times]) => times > 1 && !EMPTY_WORDS.has(word))
      // A word that is true of many members counts more than several that are true of few.
      .map(([word, times]) => ({ word, share: times / groups[i]!.length, score: times ** 1.5 * Math.log(1 + groups.length / groupsWith.get(word)!) }))
      .sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
      .slice(0, 5));
}

/** The lower-case words of an identifier in the singular, at least three letters long: `parseHTTPHeaders_v2` gives parse, http, header. */
function wordsOf(identifier: string): string[] {
  return (identifier.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? [])
    .map((word) => singular(word.toLowerCase()))
    .filter((word) => word.length > 2);
}

function singular(word: string): string {
  return word.replace(/(?<=.{2})ies$/, "y").replace(/(?<=ss|x|ch|sh)es$|(?<![siu])s$/, "");
}
