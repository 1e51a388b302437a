import type { Before, Project } from "../../../language.ts";
import { bySurface } from "../../surfaces.ts";
import type { GoFacts } from "../facts.ts";
import { homeOf } from "./asks.ts";
import { dirOf } from "./packages.ts";
import { isExported, storedNames } from "./stored.ts";
import { surfaces } from "./surface.ts";

const plain = bySurface(surfaces);

/**
 * As the surfaces tell; and where a file that is resolved again stores functions, or stored some, the files that name one of the fields or
 * variables that hold them, of its package alone where others cannot: what is called there may be others now.
 */
function affected(before: Before<GoFacts>, after: Project<GoFacts>, changed: ReadonlySet<string>): ReadonlySet<string> | undefined {
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
  if (names.size === 0) return found;
  const all = new Set(found);
  for (const { path, facts: { data } } of after.files) {
    const stored = names.get(homeOf(dirOf(path), data.package));
    if (data.strings.some((text) => everywhere.has(text) || stored?.has(text))) all.add(path);
  }
  return all;
}

export const bySurfaces = { ...plain, affected };
