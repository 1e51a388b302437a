import { aspect } from "../../surfaces.ts";
import { Op } from "../facts.ts";
import type { ModuleFacts } from "../facts.ts";

/** A module as a whole: by the last element of its path. */
export function moduleName(path: string): string {
  return aspect(path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/u, ""), "module");
}

/** A module as the default export that it has when it is one of CommonJS, which has no other. */
export function defaultName(path: string): string {
  return aspect(moduleName(path), "default");
}

/** What `declare module` says of a module, in whatever file. */
export function ambientName(text: string): string {
  return aspect(text, "ambient");
}

/** Which class or interface a name stands for and what that derives from, whatever its members are. */
export function lineage(name: string): string {
  return aspect(name, "lineage");
}

/** What an import of this name takes of a module that is no name of its exports. */
export function wholeOf(imported: string, path: string): string | undefined {
  return imported === "default" ? defaultName(path) : imported === "*" || imported === "=" ? moduleName(path) : undefined;
}

/** The modules of which a file takes more than some names: with `export *`, `require` and `import()`, too. */
export function wholes({ code, strings, bindings, exports, namespaces, specifiers }: ModuleFacts): string[] {
  const rest = new Set(specifiers.keys());
  const taken: [specifier: number, imported: string][] = [];
  for (const { from } of [exports, ...namespaces.map((each) => each.exports)]) {
    for (const [, specifier, imported] of from) taken.push([specifier, imported]);
  }
  for (const first of bindings) {
    for (let at = first; at !== 0; at = code[at + 1]!) if (code[at] === Op.Import) taken.push([code[at + 2]!, strings[code[at + 3]!]!]);
  }
  for (const [specifier] of taken) rest.delete(specifier);
  const text = (specifier: number): string => specifiers[specifier]!.text;
  return [...[...rest].map((specifier) => moduleName(text(specifier))), ...taken.flatMap(([specifier, imported]) => wholeOf(imported, text(specifier)) ?? [])];
}
