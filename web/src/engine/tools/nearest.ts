/** What was probably meant by a name that nothing has. */
import type { Codebase } from "../codebase.ts";
import { searchCodebase } from "../search.ts";
import { queryWords, stem, wordsOf } from "../search-words.ts";
import { indexOf, isSymbol } from "./codebase-index.ts";
import { nearest } from "./distance.ts";
import { filesEndingWith } from "./file-names.ts";
import { partsOfName } from "./spellings.ts";

/** Nodes offered at most, and of one name. */
const MAX_NEAR = 8;
const MAX_OF_NAME = 3;

/**
 * Symbols and files whose names resemble it: in the file or type that it names, if there is one, else everywhere; if
 * there are none, what has all of its words.
 */
export function nearestNodes(codebase: Codebase, given: string): number[] {
  const { nodes } = codebase.graph;
  const name = given.trim();
  const colon = name.lastIndexOf(":");
  const wanted = name.slice(colon + 1) || name;
  if (isPath(codebase, wanted)) return resembling(codebase, stemOf(wanted.slice(wanted.lastIndexOf("/") + 1)), (i) => nodes[i]!.kind === "File").slice(0, MAX_NEAR);
  const { modules, last } = partsOfName(wanted);
  const files = colon > 0 ? new Set(filesEndingWith(codebase, name.slice(0, colon).replace(/^[A-Z]\w+:/, "")).map((file) => nodes[file]!.file)) : new Set<string>();
  const owner = modules.at(-1);
  const near = [
    () => resembling(codebase, last, (i) => files.has(nodes[i]!.file)),
    () => resembling(codebase, last, (i) => owner !== undefined && nodes[i]!.owner === owner),
    () => resembling(codebase, last, () => true),
    () => withAllWords(codebase, last),
  ];
  for (const found of near) {
    const some = found();
    if (some.length > 0) return some.slice(0, MAX_NEAR);
  }
  return [];
}

/** Whether it has folders, or an ending that files here have. */
function isPath({ files }: Codebase, name: string): boolean {
  const ending = /\.\w+$/.exec(name)?.[0];
  return name.includes("/") || (ending !== undefined && files.paths.some((path) => path.endsWith(ending)));
}

/** A file's name without its endings, which many have in common. */
export function stemOf(name: string): string {
  return name.replace(/(?<=.)\..*$/, "");
}

/** The nearest first; of one name code before tests, the best connected first. */
function resembling(codebase: Codebase, name: string, isWanted: (node: number) => boolean): number[] {
  const { nodes } = codebase.graph;
  const { connections } = indexOf(codebase);
  const byName = new Map<string, number[]>();
  const add = (key: string, node: number): void => {
    const known = byName.get(key);
    if (known) known.push(node);
    else byName.set(key, [node]);
  };
  nodes.forEach((node, i) => {
    if (!isWanted(i)) return;
    if (isSymbol(node)) add(node.name, i);
    else if (node.kind === "File") add(stemOf(node.name), i);
  });
  const same = [...byName.keys()].filter((key) => key.toLowerCase() === name.toLowerCase());
  // Where something has the name itself, or in another case, nothing else is meant.
  return (same.length > 0 ? same : nearest(name, byName.keys(), MAX_NEAR)).flatMap((key) =>
    byName.get(key)!.sort((a, b) => Number(nodes[a]!.test) - Number(nodes[b]!.test) || connections[b]! - connections[a]! || a - b).slice(0, MAX_OF_NAME));
}

function withAllWords(codebase: Codebase, name: string): number[] {
  const words = queryWords(name).map(stem);
  return searchCodebase(codebase, name).map(({ node }) => node).filter((i) => {
    const { name: own, owner, file } = codebase.graph.nodes[i]!;
    const has = new Set(wordsOf(`${own} ${owner} ${file}`).map(stem));
    return words.every((word) => has.has(word));
  });
}
