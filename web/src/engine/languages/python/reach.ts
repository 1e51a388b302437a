import type { FileFacts } from "../../facts.ts";
import type { Project, ProjectFile } from "../../language.ts";
import type { Entry, Surface } from "../surfaces.ts";
import { hasAny, wanted, wordOf, wordsIn, type Words } from "../words.ts";
import type { PyFacts } from "./facts.ts";
import { surfaceOf, wordsOf } from "./surface.ts";

type File = ProjectFile<PyFacts>;

const surfaces = new WeakMap<object, Surface>();
const words = new WeakMap<object, Words>();

function surface({ facts }: File): Surface {
  let found = surfaces.get(facts);
  if (!found) surfaces.set(facts, (found = surfaceOf(facts)));
  return found;
}

/** The words of a file, in numbers. */
export function wordNumbers(facts: FileFacts<PyFacts>): Words {
  let found = words.get(facts);
  if (!found) words.set(facts, (found = wordsIn([], wordsOf(facts))));
  return found;
}

/** The names that may mean something else by what is different in the surfaces of the changed files; undefined when that may be all. */
export function difference(before: Project<PyFacts>, after: Project<PyFacts>, changed: ReadonlySet<string>): Set<string> | undefined {
  const touched = new Set<string>();
  for (const [i, now] of after.files.entries()) {
    const was = before.files[i]!;
    if (was.path !== now.path) return undefined;
    if (!changed.has(now.path)) continue;
    const [a, b] = [surface(was), surface(now)];
    if (a.frame !== b.frame) return undefined;
    for (const [own, other] of [[a, b], [b, a]] as const) {
      const known = new Set(other.entries.map(keyOf));
      for (const entry of own.entries) if (!known.has(keyOf(entry))) touch(touched, entry);
    }
  }
  return touched;
}

const keyOf = ({ text, names }: Entry): string => JSON.stringify([text, names]);

function touch(touched: Set<string>, { names }: Entry): string[] {
  const fresh = names.filter((name) => !touched.has(name));
  for (const name of fresh) touched.add(name);
  return fresh;
}

/** More names than this are nearly all. */
const MAX_NAMES = 400;

/** Adds all names whose meaning follows from those that are there; false when these are too many. `more`: further entries of a file. */
export function spread(after: Project<PyFacts>, touched: Set<string>, more: (file: number) => readonly Entry[]): boolean {
  const reached = new Set<Entry>();
  for (let fresh = [...touched]; fresh.length > 0;) {
    if (touched.size > MAX_NAMES) return false;
    const next: string[] = [];
    const written = wanted(fresh.map(wordOf));
    const follow = (entry: Entry): void => {
      if (reached.has(entry) || !fresh.some((name) => entry.uses.has(name))) return;
      reached.add(entry);
      next.push(...touch(touched, entry));
    };
    after.files.forEach((file, i) => {
      if (!hasAny(wordNumbers(file.facts), written)) return;
      surface(file).entries.forEach(follow);
      more(i).forEach(follow);
    });
    fresh = next;
  }
  return true;
}

/** The files in which one of the names stands. */
export function mentioning(after: Project<PyFacts>, names: ReadonlySet<string>): string[] {
  const written = wanted([...names].map(wordOf));
  return after.files.filter(({ facts }) => hasAny(wordNumbers(facts), written)).map(({ path }) => path);
}
