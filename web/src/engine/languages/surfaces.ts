import type { FileFacts } from "../facts.ts";
import type { Project } from "../language.ts";

/**
 * Language.affected for a resolver that reads of other files no more than `surfaceOf` says: a change behind the same
 * surface touches no other file; with another surface, or a file more or less, it may be all.
 */
export function affectedBySurface<D>(surfaceOf: (facts: FileFacts<D>) => string) {
  return (before: Project<D>, after: Project<D>, changed: ReadonlySet<string>): ReadonlySet<string> | undefined => {
    const surfaces = ({ files }: Project<D>): Map<string, string> =>
      new Map(files.filter(({ path }) => changed.has(path)).map(({ path, facts }) => [path, surfaceOf(facts)]));
    const old = surfaces(before);
    const now = surfaces(after);
    for (const path of changed) {
      const surface = now.get(path);
      if (surface === undefined || old.get(path) !== surface) return undefined;
    }
    return changed;
  };
}
