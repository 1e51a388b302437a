import { aspect } from "../../surfaces.ts";
import { Op } from "../facts.ts";
import type { ModuleFacts } from "../facts.ts";

/** What `declare module` says of a module, in whatever file: what it exports under a name, or what is behind all names. */
export function ambientName(text: string, name?: string): string {
  return aspect(text, name === undefined ? "ambient" : `ambient ${name}`);
}

/** Which class or interface a name stands for and what that derives from, whatever its members are. */
export function lineage(name: string): string {
  return aspect(name, "lineage");
}

/** What a file asks of modules that `declare module` may speak of. */
export function ambientNames({ code, strings, bindings, exports, namespaces, specifiers }: ModuleFacts): string[] {
  const names = specifiers.map(({ text }) => ambientName(text));
  const take = (specifier: number, imported: string): unknown => names.push(ambientName(specifiers[specifier]!.text, imported));
  for (const { from } of [exports, ...namespaces.map((each) => each.exports)]) for (const [, specifier, imported] of from) take(specifier, imported);
  for (const first of bindings) {
    for (let at = first; at !== 0; at = code[at + 1]!) if (code[at] === Op.Import) take(code[at + 2]!, strings[code[at + 3]!]!);
  }
  return names;
}
