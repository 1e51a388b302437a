import type { ProjectFile } from "../../language.ts";
import { Op, type PyFacts } from "./facts.ts";
import { isSpecial } from "./names.ts";

/** A method by its place. */
export interface Method {
  path: string;
  fn: number;
}

/** The methods of files by name; beside others, which are taken over. */
export function methodsOf(files: readonly ProjectFile<PyFacts>[], methods = new Map<string, readonly Method[]>()): Map<string, readonly Method[]> {
  const own = new Map<string, Method[]>();
  for (const { path, facts } of files) {
    for (const [name, fn] of methodsIn(facts.data)) {
      const same = own.get(name);
      if (same) same.push({ path, fn });
      else own.set(name, [{ path, fn }]);
    }
  }
  for (const [name, list] of own) methods.set(name, methods.has(name) ? [...methods.get(name)!, ...list] : list);
  return methods;
}

/** The methods of a file by the names that they have in their classes, which may be several: `__repr__ = __str__`. */
export function methodsIn({ classes, functions, nodes, scopes, strings }: PyFacts): [name: string, fn: number][] {
  const found: [name: string, fn: number][] = [];
  const first = new Map<number, number>();
  functions.forEach(({ owner, symbol, name }, fn) => {
    if (owner < 0 || symbol < 0) return;
    found.push([strings[name]!, fn]);
    if (!first.has(owner)) first.set(owner, fn);
  });
  classes.forEach(({ scope }, cls) => {
    for (const [name, definitions] of Object.entries(scopes[scope]!.names)) {
      for (const definition of definitions) {
        // What a call gives is no method of its own: the first one of the class stands for it.
        const standIn = nodes[definition] === (Op.Call as number) && isSpecial(strings[Number(name)]!) ? first.get(cls) : undefined;
        if (standIn !== undefined) found.push([strings[Number(name)]!, standIn]);
        if (nodes[definition] !== (Op.Local as number) || nodes[definition + 2] !== scope) continue;
        for (const of of nodes.slice(definition + 4, definition + 4 + nodes[definition + 3]!)) {
          if (nodes[of] === (Op.Function as number)) found.push([strings[Number(name)]!, nodes[of + 1]!]);
        }
      }
    }
  });
  return found;
}
