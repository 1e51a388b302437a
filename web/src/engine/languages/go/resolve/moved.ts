import type { Project, ProjectFile } from "../../../language.ts";
import type { Moved } from "../../surfaces.ts";
import type { GoFacts } from "../facts.ts";
import { called, filesOf, givenBy } from "./asks.ts";
import { dirOf, givenPackages, hasInit, lastOf } from "./packages.ts";

/**
 * What imports may mean otherwise than before when files come, go, or say of themselves that they belong elsewhere: the package that a
 * directory gives, its files, and which directories there are. Undefined when that may be any import.
 */
export function moved(before: Project<GoFacts>, after: Project<GoFacts>, changed: ReadonlySet<string>): Moved | undefined {
  const dirs = changedDirs(before.files, after.files, changed);
  const turned: string[] = [];
  const asked: string[] = [];
  if (dirs.size === 0) return { turned, asked };
  const [was, is] = [before, after].map(({ files }) => {
    const own = files.filter(({ path }) => dirs.has(dirOf(path)));
    return { given: givenPackages(own), dirs: new Set(own.map(({ path }) => dirOf(path))) };
  });
  for (const dir of dirs) {
    const [a, b] = [was!.given.get(dir), is!.given.get(dir)];
    if (a?.name !== b?.name) turned.push(givenBy(dir));
    // Where all are tests, the first stands for the package.
    const files = (of: typeof a): string => JSON.stringify(of && [of.sources[0]!.path, ...of.sources.filter(({ test }) => !test).map((source) => [source.path, hasInit(source)])]);
    if (files(a) !== files(b)) asked.push(filesOf(dir));
    if (was!.dirs.has(dir) === is!.dirs.has(dir)) continue;
    // Whoever is beside it may have what is vendored there.
    if (/(?:^|\/)vendor(?:\/|$)/u.test(dir)) return undefined;
    turned.push(called(lastOf(dir)));
  }
  return { turned, asked };
}

/** The directories of files that come, go, or have another head. */
function changedDirs(before: readonly ProjectFile<GoFacts>[], after: readonly ProjectFile<GoFacts>[], changed: ReadonlySet<string>): Set<string> {
  const heads = (files: readonly ProjectFile<GoFacts>[]): Map<string, string> => new Map(files.filter(({ path }) => changed.has(path)).map(({ path, facts: { data } }) => [path, JSON.stringify([data.package, data.constraint, hasInit({ data })])]));
  const [was, is] = [heads(before), heads(after)];
  return new Set([...changed].filter((path) => was.get(path) !== is.get(path)).map(dirOf));
}
