import type { Before, Project } from "../../../language.ts";
import { bySurface } from "../../surfaces.ts";
import { hasAny, wanted, wordOf } from "../../words.ts";
import type { GoFacts } from "../facts.ts";
import { homeOf, partsOf } from "./asks.ts";
import { implied } from "./concerned.ts";
import { dirOf } from "./packages.ts";
import { signaturesAsked, valueNames } from "./signatures.ts";
import { isExported, storedNames } from "./stored.ts";
import { surfaces } from "./surface.ts";

/** The names of functions and other things that the surfaces of the last change tell apart. */
let different: ReadonlySet<string>;

const plain = bySurface({
  ...surfaces,
  implied: (told, before, after) => {
    const all = [...told];
    different = new Set(all.map(partsOf).map(({ name, member }) => member ?? name));
    return implied(all, before, after);
  },
});

/**
 * As the surfaces tell; and where a file that is resolved again stores functions, or stored some, the files that name one of the fields or
 * variables that hold them, of its package alone where others cannot: what is called there may be others now. The same goes for files that
 * call values of a signature, where functions of that signature may be others, or other ones are used as values.
 */
function affected(before: Before<GoFacts>, after: Project<GoFacts>, changed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  different = new Set();
  const found = plain.affected(before, after, changed);
  if (!found) return undefined;
  const names = new Map<string, Set<string>>();
  const everywhere = new Set<string>();
  for (const { files } of [before, after]) {
    for (const { path, facts: { data } } of files) {
      if (data.stores.length === 0 || (!found.has(path) && !changed.has(path))) continue;
      const home = homeOf(dirOf(path), data.package);
      const stored = [...storedNames(data)];
      names.set(home, new Set([...names.get(home) ?? [], ...stored]));
      for (const name of stored) if (isExported(name)) everywhere.add(name);
    }
  }
  const all = new Set(found);
  const valued = signaturesAsked(new Set([...different, ...valuedOtherwise(before, after, changed)]), [...before.files, ...after.files]);
  if (valued.size > 0) {
    const words = wanted([...valued].map(wordOf));
    for (const { path } of after.files) if (hasAny(before.asked(path), words)) all.add(path);
  }
  if (names.size === 0) return all;
  for (const { path, facts: { data } } of after.files) {
    const stored = names.get(homeOf(dirOf(path), data.package));
    if (data.strings.some((text) => everywhere.has(text) || stored?.has(text))) all.add(path);
  }
  return all;
}

/** The names that changed files use as values now and did not before, or the other way round. */
function valuedOtherwise(before: Project<GoFacts>, after: Project<GoFacts>, changed: ReadonlySet<string>): ReadonlySet<string> {
  const [was, is] = [before, after].map(({ files }) => new Map(files.filter(({ path }) => changed.has(path)).map(({ path, facts: { data } }) => [path, valueNames(data)])));
  const names = new Set<string>();
  for (const path of changed) {
    const [a, b] = [was!.get(path), is!.get(path)];
    for (const name of [...a ?? [], ...b ?? []]) if (!a?.has(name) || !b?.has(name)) names.add(name);
  }
  return names;
}

export const bySurfaces = { ...plain, affected };
