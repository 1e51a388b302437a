import { spend } from "../../../effort.ts";
import type { SymbolRef } from "../../../language.ts";
import { wordAfter } from "../../words.ts";
import { EMBEDDED, PLACES } from "./asks.ts";
import { type Bindings, FOREIGN, type Func, type Interface, type InterfaceMethod, type Named, substitute, substituteFunc, type Type, type TypeParameter, UNKNOWN } from "./types.ts";

/** What `x.name` selects. */
export type Member =
  /** `owner`: the type that has it, where that is declared in the repository. */
  | { kind: "field"; name: string; type: Type; owner: SymbolRef | undefined }
  | { kind: "method"; type: Func; refs: readonly SymbolRef[]; through?: Type }
  /** It comes from a type outside the repository that is not known: `from`, where only one may have it and that may be an interface. */
  | { kind: "foreign"; from?: Named };

const FOREIGN_MEMBER: Member = { kind: "foreign" };
/** Embedding deeper than this is not followed; types that embed themselves through pointers would never end. */
const MAX_DEPTH = 12;

function bindingsOf(parameters: readonly TypeParameter[], args: readonly Type[]): Bindings {
  return new Map(parameters.flatMap((p, i) => (args[i] ? [[p, args[i]] as const] : [])));
}

/** What a type is underneath: a declared type's own, a type parameter's constraint. */
export function underlying(type: Type): Type {
  switch (type.kind) {
    case "named": {
      if (type.underlying === undefined) {
        type.underlying = UNKNOWN; // while it is worked out: a cycle ends here
        type.underlying = substitute(type.entity.underlying(), bindingsOf(type.entity.parameters, type.args));
      }
      return type.underlying;
    }
    case "parameter": {
      // No type parameter can be the constraint of one: `[A B, B A]` would go in a circle.
      const constraint = type.constraint() ?? UNKNOWN;
      return constraint.kind === "parameter" ? UNKNOWN : underlying(constraint);
    }
    default:
      return type;
  }
}

/** The type that operations work on: of a type parameter the one type that its constraint allows (`~[]E`). */
export function core(type: Type): Type {
  const under = underlying(type);
  if (type.kind !== "parameter") return under;
  return coreOfConstraint(under, 0) ?? under;
}

function coreOfConstraint(type: Type, depth: number): Type | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (type.kind === "union") {
    const [first] = type.terms;
    return first && coreOfConstraint(first, depth + 1);
  }
  if (type.kind !== "interface") return underlying(type);
  for (const embedded of type.embedded) {
    const under = embedded.kind === "union" ? embedded : underlying(embedded);
    const found = coreOfConstraint(under, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** What a selector means, and what had to be asked to tell (`asks.ts`). */
interface Lookup {
  member: Member | undefined;
  words: readonly number[];
}

/** The field or method that a selector means, through pointers and embedded fields; the shallowest wins. */
export function find(type: Type, name: string): Member | undefined {
  return lookUp(type, name).member;
}

/** `name` may be a number: the field in that place, from 0. */
export function lookUp(type: Type, name: string): Lookup {
  const base = type.kind === "pointer" ? type.element : type;
  if (base.kind !== "named") return search(base, name);
  const known = (base.lookups ??= new Map<string, Lookup>()) as Map<string, Lookup>;
  let found = known.get(name);
  if (!found) known.set(name, (found = search(base, name)));
  return found;
}

function search(start: Type, name: string): Lookup {
  const words: number[] = [];
  return { member: isPlace(name) ? placed(start, Number(name), words) : searched(start, name, words), words };
}

/** Whether the name of a member is a number; no name begins with a digit. */
export function isPlace(name: string): boolean {
  return /^\d/.test(name);
}

/** The field in a place of a struct. */
function placed(type: Type, place: number, words: number[]): Member | undefined {
  const under = underlying(type);
  const field = under.kind === "struct" ? under.fields[place] : undefined;
  if (under.kind === "struct" && under.of !== undefined) words.push(wordAfter(under.of, PLACES), ...field ? [wordAfter(under.of, field.name)] : []);
  return field && { kind: "field", name: field.name, type: field.type, owner: type.kind === "named" ? type.entity.ref : undefined };
}

function searched(start: Type, name: string, words: number[]): Member | undefined {
  let level: Type[] = [start];
  let foreign: Member | undefined;
  const seen = new Set<unknown>();
  for (let depth = 0; level.length > 0 && depth < MAX_DEPTH; depth++) {
    const next: Type[] = [];
    for (let type of level) {
      spend();
      const pointed = type.kind === "pointer";
      if (type.kind === "pointer") type = type.element;
      if (type.kind === "named") {
        if (seen.has(type.entity)) continue;
        seen.add(type.entity);
        if (type.entity.place !== undefined) words.push(wordAfter(type.entity.place, name));
        const method = type.entity.method(name);
        if (method) {
          return { kind: "method", refs: method.refs, type: substituteFunc(method.type, bindingsOf(method.receiverParameters, type.args)) };
        }
      }
      let under = underlying(type);
      if (under.kind === "pointer") under = underlying(under.element);
      if (under.kind === "struct") {
        spend(under.fields.length);
        if (under.of !== undefined) words.push(wordAfter(under.of, name));
        for (const field of under.fields) {
          if (field.name === name) return { kind: "field", name, type: field.type, owner: type.kind === "named" ? type.entity.ref : undefined };
          if (field.embedded) next.push(field.type);
        }
        if (under.of !== undefined) words.push(wordAfter(under.of, EMBEDDED));
      } else if (under.kind === "interface") {
        for (const place of interfaceMethods(under).places) words.push(wordAfter(place, name));
        const method = interfaceMethods(under).methods.get(name);
        if (method) return { kind: "method", type: method.type, refs: method.ref ? [method.ref] : [], through: type };
        if (!interfaceMethods(under).complete) foreign = FOREIGN_MEMBER;
      } else if (under.kind === "foreign") {
        // Nobody points to an interface.
        foreign = foreign || pointed || type.kind !== "named" ? FOREIGN_MEMBER : { kind: "foreign", from: type };
      }
    }
    level = next;
  }
  return foreign;
}

export interface MethodSet {
  methods: Map<string, InterfaceMethod>;
  /** False when it embeds something that is not known. */
  complete: boolean;
  /** The type lists of a constraint (`~int | ~string`): a type has to be in each of them. */
  lists: Type[];
  /** Of all declared interfaces that it is made of. */
  places: Set<number>;
}

const methodSets = new WeakMap<Interface, MethodSet>();

/** All methods of an interface, those of embedded interfaces included. */
export function interfaceMethods(type: Interface): MethodSet {
  let set = methodSets.get(type);
  if (!set) {
    set = { methods: new Map(), complete: true, lists: [], places: new Set() };
    methodSets.set(type, set);
    gather(type, set, new Set());
  }
  return set;
}

/** Interfaces that embed each other have the same methods, whichever of them is asked first. */
function gather(type: Interface, set: MethodSet, seen: Set<Interface>): void {
  if (seen.has(type)) return;
  seen.add(type);
  spend();
  if (type.of !== undefined) set.places.add(type.of);
  const own = new Map(type.methods.map((method) => [method.name, method]));
  for (const [name, method] of own) if (!set.methods.has(name)) set.methods.set(name, method);
  for (const embedded of type.embedded) {
    const under = embedded.kind === "parameter" ? embedded : underlying(embedded);
    if (under.kind === "interface") gather(under, set, seen);
    else if (under.kind === "foreign" || under.kind === "unknown") set.complete = false;
    else set.lists.push(embedded);
  }
}

/** The names of all methods that a declared type has, promoted ones included; not those of unknown types. */
export function methodNames(type: Named): Set<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const collect = (t: Type, depth: number): void => {
    spend();
    if (t.kind === "pointer") t = t.element;
    if (depth > MAX_DEPTH) return;
    if (t.kind === "named") {
      if (seen.has(t.entity)) return;
      seen.add(t.entity);
      for (const name of t.entity.methodNames()) names.add(name);
    }
    const under = underlying(t);
    if (under.kind === "struct") {
      for (const field of under.fields) if (field.embedded) collect(field.type, depth + 1);
    } else if (under.kind === "interface") {
      for (const name of interfaceMethods(under).methods.keys()) names.add(name);
    }
  };
  collect(type, 0);
  return names;
}

/** What a range clause yields. */
export function rangeTypes(type: Type): { key: Type; element: Type } | undefined {
  let over = core(type);
  if (over.kind === "pointer") over = core(over.element);
  switch (over.kind) {
    case "slice":
    case "array":
      return { key: INT, element: over.element };
    case "map":
      return { key: over.keys, element: over.element };
    case "chan":
      return { key: over.element, element: UNKNOWN };
    case "basic":
      if (over.name === "string" || over.name === "untyped string") return { key: INT, element: { kind: "basic", name: "int32" } };
      return { key: type.kind === "basic" && type.untyped ? INT : type, element: UNKNOWN };
    case "func": {
      const yields = over.parameters[0] && core(over.parameters[0]);
      return yields?.kind === "func" ? { key: yields.parameters[0] ?? UNKNOWN, element: yields.parameters[1] ?? UNKNOWN } : undefined;
    }
    case "foreign":
      return { key: FOREIGN, element: FOREIGN };
    default:
      return undefined;
  }
}

export const INT: Type = { kind: "basic", name: "int" };
