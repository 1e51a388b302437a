import type { Project } from "../../language.ts";
import type { Entry, Turned } from "../surfaces.ts";
import type { CppFacts } from "./facts.ts";
import { type Included, includedBy, Seen } from "./includes.ts";

type Files = Project<CppFacts>["files"];

/** What files include, by path. */
interface Includes {
  files: Files;
  included: readonly (readonly Included[])[];
  seen: Seen;
  at: ReadonlyMap<string, number>;
}

/**
 * Whom a change of what files include touches: those that see more or fewer files than before, as far as they have a name that is declared in
 * one of these; and as a file sees the macros and variables of those that include it, those that are seen by others, as far as they have the name of one.
 */
export function turned(before: Files, after: Files, changed: ReadonlySet<string>, declared: (file: Files[number]) => readonly Entry[]): Turned {
  const [was, is] = [before, after].map(includesOf) as [Includes, Includes];
  // With a file more or less, the same words may mean another one.
  const inPlace = [...changed].every((path) => was.at.has(path) && is.at.has(path));
  const others = [...new Set([...changed, ...(inPlace ? [] : is.at.keys())])].filter((path) => text(was, path) !== text(is, path));
  if (others.length === 0) return { files: [], names: [] };

  const seeing = new Set([...includers(was, others), ...includers(is, others)]);
  const moved = otherwise(was, is, seeing);
  // Whoever sees another header that uses a namespace may find any name there.
  const uses = [was, is].some(({ files, at }) => [...moved].some((path) => at.has(path) && usesNames(files[at.get(path)!]!)));
  const names = new Set<string>();
  const around = new Set<string>();
  for (const { files, at } of [was, is]) {
    for (const path of moved) for (const entry of at.has(path) ? declared(files[at.get(path)!]!) : []) for (const name of entry.names) names.add(name);
    for (const path of seeing) {
      const data = at.has(path) ? files[at.get(path)!]!.facts.data : undefined;
      for (const { name } of data ? [...data.macros, ...data.variables] : []) around.add(name);
    }
  }
  return { files: uses ? [...new Set([...others, ...seeing])] : others, names: [{ all: names, of: seeing }, { all: around, of: moved }] };
}

function usesNames({ facts: { data: { header, scopes } } }: Files[number]): boolean {
  return header && scopes[0]!.spaces.length + scopes[0]!.names.length > 0;
}

function includesOf(files: Files): Includes {
  const included = includedBy(files);
  return { files, included, seen: new Seen(included), at: new Map(files.map(({ path }, i) => [path, i])) };
}

/** What a file includes, in words. */
function text({ files, included, at }: Includes, path: string): string {
  return (included[at.get(path) ?? -1] ?? []).map(({ file, confidence }) => `${files[file]!.path} ${confidence}`).join("\n");
}

/** All files that see one of these, and these. */
function includers({ files, included, at }: Includes, paths: readonly string[]): Set<string> {
  const by = new Map<number, number[]>();
  included.forEach((list, from) => {
    for (const { file } of list) {
      const known = by.get(file);
      if (known) known.push(from);
      else by.set(file, [from]);
    }
  });
  const all = new Set(paths.flatMap((path) => at.get(path) ?? []));
  // It grows while it is gone through.
  for (const file of all) for (const from of by.get(file) ?? []) all.add(from);
  return new Set([...all].map((file) => files[file]!.path));
}

/** The files that some of these see on one side only. */
function otherwise(was: Includes, is: Includes, seeing: ReadonlySet<string>): Set<string> {
  // One number a path, whichever side it is on.
  const paths = is.files.map(({ path }) => path);
  const numbers = was.files.map(({ path }) => is.at.get(path) ?? paths.push(path) - 1);
  const same = numbers.every((number, i) => number === i) && paths.length === was.files.length;
  const moved = new Uint32Array((paths.length >> 5) + 1);
  for (const path of seeing) {
    const [before, after] = [was.at.get(path), is.at.get(path)];
    const old = before === undefined ? [] : same ? was.seen.of(before) : renumbered(was.seen.of(before), numbers, paths.length);
    const now = after === undefined ? [] : is.seen.of(after);
    for (let i = 0; i < moved.length; i++) moved[i]! |= (old[i] ?? 0) ^ (now[i] ?? 0);
  }
  return new Set(paths.filter((_, i) => (moved[i >> 5]! & (1 << (i & 31))) !== 0));
}

function renumbered(bits: Uint32Array, numbers: readonly number[], count: number): Uint32Array {
  const own = new Uint32Array((count >> 5) + 1);
  numbers.forEach((to, from) => {
    if ((bits[from >> 5]! & (1 << (from & 31))) !== 0) own[to >> 5]! |= 1 << (to & 31);
  });
  return own;
}
