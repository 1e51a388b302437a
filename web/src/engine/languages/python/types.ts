import { spend } from "../../effort.ts";
import { Sizes } from "../size.ts";
import type { Callable, Cls } from "./program.ts";

/** What is known of a value. Types are plain and never changed. */
export type Type =
  /** Nothing is known: only a guess by name is left. */
  | { k: "unknown" }
  | { k: "none" }
  /** An instance of a class of the repository, or that class itself. */
  | { k: "inst"; cls: Cls; args: readonly Type[] }
  | { k: "class"; cls: Cls; args: readonly Type[] }
  /** An instance of a class from elsewhere: its short name, `?` when even that is unknown. Nothing of the repository is called on it. */
  | { k: "ext"; name: string; args: readonly Type[] }
  /** A module, class or function from elsewhere, by its dotted name; builtins by their bare name. */
  | { k: "extobj"; name: string }
  /** A method of an instance from elsewhere. */
  | { k: "extmethod"; of: Type & { k: "ext" }; name: string }
  | { k: "tuple"; items: readonly Type[]; rest: Type | undefined }
  | { k: "fn"; fn: Callable; self: Type | undefined; solved: Solved | undefined }
  /** Something that can be called, of which the result is known, and maybe what it runs: that is not what it says of its parameters. */
  | { k: "callable"; result: Type; params?: readonly Type[]; runs?: Type }
  | { k: "module"; file: number }
  | { k: "folder"; folder: string }
  | { k: "union"; items: readonly Type[] }
  /** A type variable; also `self` (key "self") and an unannotated parameter, which take the type of what is passed. `meta`: the class itself. */
  | { k: "var"; key: string; bound: Type; meta: boolean }
  /** `super()` in a method of `cls`. */
  | { k: "super"; cls: Cls; self: Type };

/** Type variables by key, and what they stand for. */
export type Solved = ReadonlyMap<string, Type>;

export const UNKNOWN: Type = { k: "unknown" };
export const NONE: Type = { k: "none" };
/** Something from elsewhere, of no known class. */
export const EXTERNAL: Type & { k: "ext" } = { k: "ext", name: "?", args: [] };

export const ext = (name: string, ...args: Type[]): Type & { k: "ext" } => ({ k: "ext", name, args });
export const STR = ext("str");
export const INT = ext("int");
export const BOOL = ext("bool");

/** More alternatives than this are no knowledge any more. */
const MAX_UNION = 24;

const sizes = new Sizes<Type>(partsOf, UNKNOWN);

/** A type, unless it is too large to go on with. */
export function bounded(type: Type): Type {
  return sizes.bounded(type);
}

function partsOf(type: Type): readonly Type[] {
  switch (type.k) {
    case "inst": case "class": case "ext": return type.args;
    case "tuple": return type.rest ? [...type.items, type.rest] : type.items;
    case "union": return type.items;
    case "callable": return [...type.params ?? [], type.result, ...type.runs ? [type.runs] : []];
    case "extmethod": return [type.of];
    case "fn": return type.self ? [type.self] : NO_PARTS;
    case "var": return [type.bound];
    case "super": return [type.self];
    default: return NO_PARTS;
  }
}

const NO_PARTS: readonly Type[] = [];

/** What `property(get, set, delete)` makes: what that gives, then the three. */
export function isMadeProperty(type: Type): type is Type & { k: "ext" } {
  return type.k === "ext" && type.name === "property";
}

export function itemsOf(type: Type): readonly Type[] {
  return type.k === "union" ? type.items : [type];
}

/** The union of types; what is unknown is left out where anything is known. */
export function union(types: readonly Type[]): Type {
  if (types.length === 1) return types[0]!;
  const items: Type[] = [];
  let unknown = types.length === 0;
  for (const type of types) {
    for (const item of itemsOf(type)) {
      if (item.k === "unknown") unknown = true;
      else if (items.length < MAX_UNION && !items.some((known) => same(known, item))) items.push(item);
    }
  }
  if (items.length === 0) return unknown ? UNKNOWN : NONE;
  return items.length === 1 ? items[0]! : { k: "union", items };
}

export function same(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.k !== b.k) return false;
  switch (a.k) {
    case "unknown": case "none": return true;
    case "inst": case "class": return a.cls === (b as typeof a).cls && sameList(a.args, (b as typeof a).args);
    case "ext": return a.name === (b as typeof a).name && sameList(a.args, (b as typeof a).args);
    case "extobj": return a.name === (b as typeof a).name;
    case "tuple": return sameList(a.items, (b as typeof a).items) && (a.rest === (b as typeof a).rest || (!!a.rest && !!(b as typeof a).rest && same(a.rest, (b as typeof a).rest!)));
    case "fn": return a.fn === (b as typeof a).fn && a.self === (b as typeof a).self;
    case "module": return a.file === (b as typeof a).file;
    case "folder": return a.folder === (b as typeof a).folder;
    case "var": return a.key === (b as typeof a).key && a.meta === (b as typeof a).meta;
    default: return false;
  }
}

function sameList(a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((t, i) => same(t, b[i]!));
}

/** Without `None`, unless that is all. */
export function withoutNone(type: Type): Type {
  return type.k === "union" && type.items.some((t) => t.k === "none") ? union(type.items.filter((t) => t.k !== "none")) : type;
}

/** Whether a type speaks of type variables. */
export function isOpen(type: Type): boolean {
  switch (type.k) {
    case "var": return true;
    case "inst": case "class": case "ext": return type.args.some(isOpen);
    case "tuple": return type.items.some(isOpen) || (type.rest !== undefined && isOpen(type.rest));
    case "union": return type.items.some(isOpen);
    case "callable": return isOpen(type.result) || (type.params?.some(isOpen) ?? false) || (type.runs !== undefined && isOpen(type.runs));
    case "extmethod": return isOpen(type.of);
    case "fn": return type.self !== undefined && isOpen(type.self);
    default: return false;
  }
}

/** Puts types in the place of type variables; those that nobody solved stay. The same object where there are none. */
export function substitute(type: Type, solved: Solved): Type {
  if (solved.size === 0) return type;
  switch (type.k) {
    case "var": {
      const known = solved.get(type.key);
      if (!known) return type;
      return type.meta ? union(itemsOf(known).map(classOf)) : known;
    }
    case "inst": case "class": case "ext": {
      const args = put(type.args, solved);
      return args === type.args ? type : { ...type, args };
    }
    case "tuple": {
      const items = put(type.items, solved);
      const rest = type.rest && putIn(type.rest, solved);
      return items === type.items && rest === type.rest ? type : { ...type, items, rest };
    }
    case "union": {
      const items = put(type.items, solved);
      return items === type.items ? type : union(items);
    }
    case "callable": {
      const result = putIn(type.result, solved);
      const params = type.params && put(type.params, solved);
      const runs = type.runs && putIn(type.runs, solved);
      return result === type.result && params === type.params && runs === type.runs ? type : { k: "callable", result, ...(params ? { params } : {}), ...(runs ? { runs } : {}) };
    }
    case "extmethod": {
      const of = substitute(type.of, solved);
      return of === type.of ? type : { ...type, of: of as Type & { k: "ext" } };
    }
    case "fn": {
      const self = type.self && putIn(type.self, solved);
      return self === type.self ? type : { ...type, self };
    }
    default: return type;
  }
}

function put(types: readonly Type[], solved: Solved): readonly Type[] {
  const now = types.map((type) => putIn(type, solved));
  return now.every((type, i) => type === types[i]) ? types : now;
}

/** What becomes of a part of a type: nothing is known of one that is too large to go on with. */
function putIn(type: Type, solved: Solved): Type {
  spend();
  const now = substitute(type, solved);
  return now === type ? type : bounded(now);
}

/** `type(x)` */
export function classOf(type: Type): Type {
  switch (type.k) {
    case "inst": return { k: "class", cls: type.cls, args: type.args };
    case "var": return { ...type, meta: true };
    case "union": return union(type.items.map(classOf));
    case "super": return classOf(type.self);
    case "ext": return type.name === "?" ? EXTERNAL : { k: "extobj", name: type.name };
    default: return UNKNOWN;
  }
}

/** What calling a class gives, and what an annotation means that names it. */
export function instanceOf(type: Type): Type {
  switch (type.k) {
    case "class": return { k: "inst", cls: type.cls, args: type.args };
    case "var": return type.meta ? { ...type, meta: false } : UNKNOWN;
    case "union": return union(type.items.map(instanceOf));
    case "extobj": return ext(shortName(type.name));
    case "ext": case "none": return type;
    default: return UNKNOWN;
  }
}

export function shortName(dotted: string): string {
  return dotted.slice(dotted.lastIndexOf(".") + 1);
}

/** Nothing is known of what an expression of a type holds: what a class from elsewhere may have is any field that code gives to its heirs. */
export function isUnknown(type: Type): boolean {
  return itemsOf(type).every((one) => one.k === "none" || one.k === "extmethod" || isOpaque(one));
}

/** Nothing is known of it. */
export function isOpaque(type: Type): boolean {
  return type.k === "unknown" || (type.k === "var" && !type.meta && type.bound.k === "unknown") || (type.k === "callable" && type.result.k === "unknown");
}

export function isClass(type: Type): boolean {
  return type.k === "class" || (type.k === "var" && type.meta);
}

/** The class of an object, or that is one. */
export function classBehind(object: Type): Cls | undefined {
  switch (object.k) {
    case "inst": case "class": case "super": return object.cls;
    case "var": return classBehind(object.bound);
    default: return undefined;
  }
}
