import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import type { Extraction } from "./extraction.ts";

/**
 * Notes functions that no other file can call: those of an object literal whose variable is not exported and stands alone nowhere, under
 * names that the file only calls. `names`: all names that the file uses.
 */
export function noteInner(x: Extraction, names: readonly { at: Offset }[]): void {
  if (x.literals.size === 0) return;
  const { code, strings, exports, globals, members, references } = x.facts;
  const objects = functionsOf(x);
  for (const [, binding] of [...exports.names, ...globals]) objects.delete(binding);
  for (const { at } of names) {
    // A member's record is right behind the name of its object.
    const isObject = code[at + 2] === Op.Member && code[at + 3] === at;
    if (code[at] === Op.Name && !isObject) objects.delete(code[at + 1]!);
  }
  for (const read of [members, references]) {
    for (let i = 0; i < read.length; i += 3) {
      const at = read[i]!;
      if (code[at] === Op.Member && code[code[at + 1]!] === Op.Name) objects.get(code[code[at + 1]! + 1]!)?.delete(strings[code[at + 2]!]!);
    }
  }
  const inner = [...objects.values()].flatMap((functions) => [...functions.values()].flat());
  if (inner.length > 0) x.facts.inner = inner;
}

/** The symbols of the functions that object literals have, by the variable's binding and the member's name. */
function functionsOf({ literals, facts: { code, bindings, shapes, functions, expandos } }: Extraction): Map<number, Map<string, number[]>> {
  const objects = new Map<number, Map<string, number[]>>();
  const add = (binding: number, name: string, index: number | undefined): void => {
    const all = objects.get(binding);
    const symbol = index === undefined ? -1 : functions[index]!.symbol;
    if (!all || symbol < 0) return;
    const same = all.get(name);
    if (same) same.push(symbol);
    else all.set(name, [symbol]);
  };
  const functionAt = (value: Offset): number | undefined => (value !== 0 && code[value] === Op.Function ? code[value + 1] : undefined);
  for (const binding of literals) {
    const declared = bindings[binding]!;
    const value = code[declared + 3]!;
    if (code[declared] !== Op.Variable || code[declared + 1] !== 0 || value === 0 || code[value] !== Op.Object) continue;
    objects.set(binding, new Map());
    for (const { name, initialiser, functions: own } of shapes[code[value + 1]!]!.members) for (const index of [functionAt(initialiser), ...own]) add(binding, name, index);
  }
  for (const { binding, name, value, prototype } of expandos) if (!prototype) add(binding, name, functionAt(value));
  return objects;
}
