import type { Graph } from "./graph.ts";

/** A place names a group when it holds at least this share of its members. */
const SHARE = 0.6;
/** With a word beside it, a place that holds this much still says where to look. */
const SMALL_SHARE = 0.35;
/** Words of identifiers that say nothing about what a group is for. */
const EMPTY_WORDS = new Set([
  "get", "set", "new", "init", "add", "is", "has", "to", "of", "from", "with", "the", "and", "or", "for", "in", "on", "by", "do",
  "run", "close", "make", "create", "update", "delete", "remove", "handle", "test", "err", "error", "string", "str", "int", "bool", "value",
  "values", "data", "item", "items", "index", "name", "type", "self", "this", "main", "len", "func", "method", "object", "constructor",
]);

/**
 * A short name for each group of nodes, by what it holds: the folder or file where most of it stands, the word that
 * its identifiers use more than others do, or both where one is not enough, also where it is scattered. No two are the same.
 */
export function labelGroups(graph: Graph, groups: readonly (readonly number[])[]): string[] {
  const words = tellingWords(graph, groups);
  const paths = groups.map((members) => members.map((node) => graph.nodes[node]!.file));
  const places = paths.map((files) => commonPlace(files, SHARE));
  const uses = new Map<string, number>();
  for (const place of places) uses.set(place, (uses.get(place) ?? 0) + 1);

  const taken = new Set<string>();
  return groups.map((members, i) => {
    const place = places[i]!;
    const hub = graph.nodes[members[0]!]!.name;
    const candidates: string[] = [];
    if (place !== "" && uses.get(place) === 1) candidates.push(place);
    for (const word of words[i]!) {
      // "transport: transport" says no more than the place.
      const main = place === "" ? commonPlace(paths[i]!, SMALL_SHARE) : place;
      if (main === "") candidates.push(word);
      else if (!wordsOf(main).includes(word)) candidates.push(`${main}: ${word}`);
    }
    candidates.push(place === "" ? hub : `${place}: ${hub}`);
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
  const parts = best.split("/").slice(-2);
  // Without its ending a file reads as a part of the system.
  const last = parts.pop()!;
  return [...parts, last.replace(/(?<=[^.])\..*$/, "")].join("/");
}

function depth(place: string): number {
  return place === "" ? 0 : place.split("/").length;
}

/** For each group its five most telling words: frequent in it, rare in the other groups. */
function tellingWords(graph: Graph, groups: readonly (readonly number[])[]): string[][] {
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
  return counts.map((count) =>
    [...count]
      .filter(([word, times]) => times > 1 && !EMPTY_WORDS.has(word))
      .map(([word, times]) => ({ word, score: times * Math.log(1 + groups.length / groupsWith.get(word)!) }))
      .sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
      .slice(0, 5)
      .map(({ word }) => word));
}

/** The lower-case words of an identifier, at least three letters long: `parseHTTPHeader_v2` gives parse, http, header. */
function wordsOf(identifier: string): string[] {
  return (identifier.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? []).map((word) => word.toLowerCase()).filter((word) => word.length > 2);
}
