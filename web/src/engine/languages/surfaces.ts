import type { FileFacts } from "../facts.ts";
import type { Project } from "../language.ts";

/** One thing that the resolution of other files may read of a file. */
export interface Entry {
  /** All that it says: with the same text it is the same. */
  text: string;
  /** The names that lead to it: who reads it has one of them, or has read an entry that uses one. */
  names: readonly string[];
  /** The names in it that others decide: when what they mean is different, so may be what it means. */
  uses: ReadonlySet<string>;
  /** Names that go on meaning the same, but lead calls elsewhere when it is different: who has one is resolved again. */
  leads?: readonly string[];
}

/**
 * Something about what a name stands for that can be another while the name goes on meaning the same, as a name of its own: only
 * who asks for this is concerned.
 */
export function aspect(name: string, of: string): string {
  return `${name} ${of}`;
}

/** The name that stands in the source. */
function plain(name: string): string {
  const end = name.indexOf(" ");
  return end < 0 ? name : name.slice(0, end);
}

/** All that the resolution of other files may read of a file. */
export interface Surface {
  /** What has no name: when it is different, everything may be. */
  frame: string;
  entries: readonly Entry[];
}

/** What a language says for `affectedBySurface`. */
export interface Surfaces<D> {
  surfaceOf: (facts: FileFacts<D>, path: string) => Surface;
  /** Aspects that a file reacts to, beside every string in its facts. */
  words?: (facts: FileFacts<D>) => Iterable<string>;
}

/**
 * Language.affected for a resolver that reads of other files no more than their surfaces say, and gets to it by names. A change
 * behind the same surface touches no other file. With other entries, their names may mean something else, and
 * with them the names of the entries that use those, in whatever file, and so on; a file in whose facts none of
 * all these names stands has the relations that it had. With another frame, or a file more or less, it may be all.
 */
export function affectedBySurface<D>({ surfaceOf, words }: Surfaces<D>) {
  const surfaces = new WeakMap<object, Surface>();
  const known = new WeakMap<object, Set<string>>();
  const surface = (facts: FileFacts<D>, path: string): Surface => {
    let found = surfaces.get(facts);
    if (!found) surfaces.set(facts, (found = surfaceOf(facts, path)));
    return found;
  };
  const wordsIn = (facts: FileFacts<D>): ReadonlySet<string> => {
    let found = known.get(facts);
    if (!found) {
      found = new Set(words?.(facts));
      collect(facts.data, found);
      known.set(facts, found);
    }
    return found;
  };

  return (before: Project<D>, after: Project<D>, changed: ReadonlySet<string>): ReadonlySet<string> | undefined => {
    const old = new Map(before.files.filter(({ path }) => changed.has(path)).map((file) => [file.path, file.facts]));
    const now = new Map(after.files.filter(({ path }) => changed.has(path)).map((file) => [file.path, file.facts]));
    const names = new Set<string>();
    const leads = new Set<string>();
    for (const path of changed) {
      const [a, b] = [old.get(path), now.get(path)];
      if (!a || !b) return undefined;
      const [was, is] = [surface(a, path), surface(b, path)];
      if (was.frame !== is.frame) return undefined;
      for (const entry of difference(was.entries, is.entries)) {
        for (const name of entry.names) names.add(name);
        for (const name of entry.leads ?? []) leads.add(name);
      }
    }
    if (names.size === 0 && leads.size === 0) return changed;

    const reached = new Set<Entry>();
    for (let fresh = [...names]; fresh.length > 0;) {
      const more: string[] = [];
      const written = [...new Set(fresh.flatMap((name) => [name, plain(name)]))];
      for (const { facts, path } of after.files) {
        if (!written.some((name) => wordsIn(facts).has(name))) continue;
        for (const entry of surface(facts, path).entries) {
          if (reached.has(entry) || !fresh.some((name) => entry.uses.has(name))) continue;
          reached.add(entry);
          for (const name of entry.leads ?? []) leads.add(name);
          for (const name of entry.names) {
            if (names.has(name)) continue;
            names.add(name);
            more.push(name);
          }
        }
      }
      fresh = more;
    }
    const affected = new Set(changed);
    const all = [...names, ...leads];
    for (const { facts, path } of after.files) if (all.some((name) => wordsIn(facts).has(name))) affected.add(path);
    return affected;
  };
}

/** The entries of either list that the other one has not. */
function difference(a: readonly Entry[], b: readonly Entry[]): Entry[] {
  const key = ({ text, names, leads }: Entry): string => JSON.stringify([text, names, leads]);
  const without = (list: readonly Entry[], other: readonly Entry[]): Entry[] => {
    const keys = new Set(other.map(key));
    return list.filter((entry) => !keys.has(key(entry)));
  };
  return [...without(a, b), ...without(b, a)];
}

/** All strings in plain data. */
function collect(value: unknown, into: Set<string>): void {
  if (typeof value === "string") {
    into.add(value);
  } else if (Array.isArray(value)) {
    // Long lists are of numbers.
    for (const item of value as unknown[]) if (typeof item !== "number") collect(item, into);
  } else if (value !== null && typeof value === "object") {
    for (const key in value) collect((value as Record<string, unknown>)[key], into);
  }
}
