import type { Project, ProjectFile } from "../../language.ts";
import type { Turned } from "../surfaces.ts";
import type { ClassFacts, ImportFact } from "./facts.ts";

/** Imports all that is in a namespace, or in a type, for its own file. */
export function isWildcard({ alias, kind }: ImportFact): boolean {
  return alias === "" && kind === "type";
}

/**
 * What files mean otherwise where they import all of other namespaces than before, or of the same in another order: the names of what is in
 * these. What has come or gone with its namespace is told by its own name.
 */
export function turned(before: Project<ClassFacts>, after: Project<ClassFacts>, changed: ReadonlySet<string>, fold: (name: string) => string): Turned {
  const old = wildcardsOf(before.files, changed);
  const now = wildcardsOf(after.files, changed);
  const different = [...old].filter(([path, was]) => now.has(path) && now.get(path)!.join("\n") !== was.join("\n"));
  if (different.length === 0) return { files: [], names: [] };
  const inside = new Map<string, Set<string>>();
  for (const file of after.files) fill(inside, file, fold);
  const namesIn = (path: string): Iterable<string> => inside.get(fold(path.slice(path.lastIndexOf("\n") + 1))) ?? [];
  return {
    files: [],
    names: different.map(([path, was]) => ({ all: new Set(otherwise(was, now.get(path)!).flatMap((each) => [...namesIn(each)])), of: new Set([path]) })),
  };
}

/** In order, each behind the namespace that it stands in. */
function wildcardsOf(files: readonly ProjectFile<ClassFacts>[], paths: ReadonlySet<string>): Map<string, string[]> {
  return new Map(files.filter(({ path }) => paths.has(path)).map(({ path, facts: { data } }) => (
    [path, data.scopes.flatMap(({ namespace, imports }) => imports.filter(isWildcard).map((fact) => `${namespace}\n${fact.path}`))]
  )));
}

/** What is on one side only; all, where the others are in another order. */
function otherwise(was: readonly string[], is: readonly string[]): readonly string[] {
  const [a, b] = [new Set(was), new Set(is)];
  const common = (list: readonly string[], other: ReadonlySet<string>): string => list.filter((one) => other.has(one)).join("\n\n");
  return common(was, b) === common(is, a) ? [...was.filter((one) => !b.has(one)), ...is.filter((one) => !a.has(one))] : [...was, ...is];
}

/** Takes the names of what is in the namespaces and types of a file, by every end of what those are called: it may be found from one around. */
function fill(inside: Map<string, Set<string>>, { facts: { data: { scopes, types } } }: ProjectFile<ClassFacts>, fold: (name: string) => string): void {
  const add = (container: string, name: string): void => {
    for (let from = 0; from >= 0 && from < container.length;) {
      const end = container.slice(from);
      const names = inside.get(end);
      if (names) names.add(name);
      else inside.set(end, new Set([name]));
      const dot = container.indexOf(".", from);
      from = dot < 0 ? -1 : dot + 1;
    }
  };
  for (const { namespace } of scopes) {
    const parts = fold(namespace).split(".");
    for (let i = 1; i < parts.length; i++) add(parts.slice(0, i).join("."), parts[i]!);
  }
  const called: string[] = [];
  for (const { name, outer } of types) {
    const container = outer >= 0 ? called[outer]! : fold(scopes[-1 - outer]?.namespace ?? "");
    called.push(container === "" ? fold(name) : `${container}.${fold(name)}`);
    add(container, fold(name));
  }
}
