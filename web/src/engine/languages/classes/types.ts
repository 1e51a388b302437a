import { spend } from "../../effort.ts";
import { Sizes } from "../size.ts";
import type { Offset } from "./facts.ts";
import type { Declaration, Source } from "./program.ts";

export interface ClassType { kind: "class"; declaration: Declaration; args: readonly Type[] }
export interface ParameterType { kind: "parameter"; source: Source; at: Offset }
/** `names`: those of a tuple's parts (C#). */
export interface ForeignType { kind: "foreign"; name: string; args: readonly Type[]; names?: readonly string[] }

export type Type =
  | ClassType
  | ParameterType
  /** A type from outside the repository, by the last part of its name. */
  | ForeignType
  | { kind: "array"; element: Type }
  | { kind: "union"; terms: readonly Type[] }
  | { kind: "unknown" };

export const UNKNOWN: Type = { kind: "unknown" };

/** What type parameters stand for, by source and record. */
export type Bindings = ReadonlyMap<string, Type>;

export function keyOf(source: Source, at: Offset): string {
  return `${source.index}:${at}`;
}

export function foreign(name: string, args: readonly Type[] = []): ForeignType {
  return { kind: "foreign", name, args };
}

export const sizes = new Sizes<Type>(partsOf, UNKNOWN);

function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "class":
    case "foreign":
      return type.args;
    case "array":
      return [type.element];
    case "union":
      return type.terms;
    default:
      return NO_PARTS;
  }
}

const NO_PARTS: readonly Type[] = [];

export function substitute(type: Type, bindings: Bindings): Type {
  if (bindings.size === 0) return type;
  spend();
  const inner = (one: Type): Type => sizes.bounded(substitute(one, bindings));
  switch (type.kind) {
    case "parameter":
      return bindings.get(keyOf(type.source, type.at)) ?? type;
    case "class":
    case "foreign":
      return type.args.length === 0 ? type : { ...type, args: type.args.map(inner) };
    case "array":
      return { kind: "array", element: inner(type.element) };
    case "union":
      return { kind: "union", terms: type.terms.map(inner) };
    case "unknown":
      return type;
  }
}

/** One type of several; those that say nothing are left out. */
export function unionOf(terms: readonly Type[]): Type {
  const known = terms.flatMap((term) => (term.kind === "union" ? term.terms : term.kind === "unknown" ? [] : [term]));
  const different = known.filter((term, i) => known.findIndex((other) => sameType(term, other)) === i);
  return different.length === 0 ? UNKNOWN : different.length === 1 ? different[0]! : { kind: "union", terms: different };
}

/** Whether two types are the same as far as they are known; arguments apart. */
export function sameType(a: Type, b: Type): boolean {
  if (a.kind === "class" && b.kind === "class") return a.declaration === b.declaration;
  if (a.kind === "foreign" && b.kind === "foreign") return plain(a.name) === plain(b.name);
  if (a.kind === "array" && b.kind === "array") return sameType(a.element, b.element);
  if (a.kind === "parameter" && b.kind === "parameter") return a.at === b.at && a.source === b.source;
  if (a.kind === "union" && b.kind === "union") return a.terms.length === b.terms.length && a.terms.every((term) => b.terms.some((other) => sameType(term, other)));
  return false;
}

const PLAIN = new Map(Object.entries({
  Integer: "int", Int32: "int", Long: "long", Int64: "long", Short: "short", Int16: "short", Byte: "byte", SByte: "sbyte", UInt16: "ushort", UInt32: "uint", UInt64: "ulong", Decimal: "decimal", Character: "char", Char: "char",
  Double: "double", Float: "float", Single: "float", Boolean: "boolean", bool: "boolean", String: "string", Object: "object",
}));

/** One name for what has several: `Integer` and `int`. */
export function plain(name: string): string {
  return PLAIN.get(name) ?? name;
}
