import type { Node } from "web-tree-sitter";
import type { MountFact, RouterFact } from "../../facts.ts";
import type { Annotated } from "./calls.ts";
import { JAX_RS } from "./frameworks.ts";

/** Classes of the frameworks themselves, which have no path. */
const FRAMEWORK = /^(?:(?:Abstract)?Controller|ControllerBase|ODataController|Object)$/;
const TYPES = /^(?:class|interface|record)_declaration$/;

/** What the types below one have their routes under, where they say no path of their own. */
export const below = (type: string): string => `below ${type}`;

/** A type with routes, and what it inherits from, by simple names. */
export interface Holder {
  name: string;
  bases: readonly Node[];
  /** It has no objects of its own: what inherits from it answers. */
  isAbstract: boolean;
}

/** The type that a node is, or stands in. */
export function holderOf(node: Node): Holder | undefined {
  for (let at: Node | null = node; at; at = at.parent) {
    if (!TYPES.test(at.type)) continue;
    const lists = at.namedChildren.filter(({ type }) => /^(?:superclass|super_interfaces|extends_interfaces|base_list|base_clause)$/.test(type)).flatMap((list) => (list.namedChildren[0]?.type === "type_list" ? list.namedChildren[0].namedChildren : list.namedChildren));
    const modifiers = at.namedChildren.filter(({ type }) => /^(?:modifiers?|abstract_modifier)$/.test(type)).flatMap(({ text }) => text.split(/\s+/));
    return { name: at.childForFieldName("name")?.text ?? "", bases: lists.filter((one) => !FRAMEWORK.test(simple(one))), isAbstract: at.type === "interface_declaration" || modifiers.includes("abstract") };
  }
  return undefined;
}

/** The router of a type's routes, where what it inherits from, or what inherits from it, may say their path; `own`: what the type says. */
export function inheritedRouter({ name, bases, isAbstract }: Holder, own: string | undefined): RouterFact | undefined {
  const names = [...(isAbstract ? [name] : []), ...(own === undefined ? bases.map((base) => below(simple(base))) : [])];
  return names.length === 0 ? undefined : { names, line: 0, ...(isAbstract && own !== undefined ? { own } : {}) };
}

/**
 * What a type with a path puts under it: the routes that it inherits, and those of the types below it that say none. `own`: the path with what
 * names in it stand for where the type has routes of its own. `all`: the router of all routes. `hidden`: the methods whose routes it says anew.
 */
export function inheritedMounts(type: Annotated, path: string, own: string, all: string | undefined, hidden: readonly string[]): MountFact[] {
  const holder = holderOf(type.node);
  if (!holder) return [];
  const into = all === JAX_RS ? { into: { names: [JAX_RS], line: 0 } } : {};
  return [
    ...holder.bases.map((base): MountFact => {
      const line = base.startPosition.row + 1;
      return { prefix: own, target: { text: simple(base), names: [simple(base)], line, endLine: line }, overrides: true, ...(hidden.length > 0 ? { hidden } : {}), ...into };
    }),
    ...(holder.isAbstract ? [{ prefix: path, target: { text: holder.name, names: [below(holder.name)], line: 0, endLine: 0 }, overrides: true, ...into }] : []),
  ];
}

/** Java: a method by its name and how many parameters it has, which an override has in common with what it takes the place of. */
export function overridable({ name, node }: Annotated): string {
  return `${name.text}/${node.childForFieldName("parameters")?.namedChildren.filter(({ type }) => !type.endsWith("comment")).length ?? 0}`;
}

/** The name of a type without its namespace and its arguments. */
export function simple({ text }: Node): string {
  return text.replace(/<.*/s, "").split(/[.\\]/).at(-1)!.trim();
}
