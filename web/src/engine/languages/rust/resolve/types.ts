import { spend } from "../../../effort.ts";
import { Sizes } from "../../size.ts";
import type { Offset } from "../facts.ts";
import { MAX_ALTERNATIVES } from "./alternatives.ts";
import type { Declaration, Source } from "./program.ts";

/** A struct, enum or trait of the repository with its type arguments; and what it is in other builds. */
export interface OwnType { kind: "own"; declaration: Declaration; args: readonly Type[]; bindings?: Bindings; others?: readonly OwnType[] }
/** A type from outside the repository, by the last part of its name: "()" a tuple, "[]" a slice or array. */
export interface ForeignType { kind: "foreign"; name: string; args: readonly Type[]; bindings?: Bindings }
export interface ParameterType { kind: "parameter"; source: Source; at: Offset }

export type Type =
  | OwnType
  | ForeignType
  | ParameterType
  /** A type that a trait leaves to its implementations: `I::Item`. */
  | { kind: "associated"; of: Type; name: string; trait: Type | undefined }
  /** `impl A + B`, `dyn A + B`. */
  | { kind: "bounds"; traits: readonly Type[] }
  | { kind: "function"; parameters: readonly Type[]; result: Type }
  | { kind: "unknown" };

/** What names stand for: associated types by name (`Item = T`), type parameters by keyOf. */
export type Bindings = ReadonlyMap<string, Type>;

export const UNKNOWN: Type = { kind: "unknown" };
export const UNIT: ForeignType = { kind: "foreign", name: "()", args: [] };

/** Types nested deeper (a type that holds itself, opened again and again) are not followed. */
export const MAX_NESTING = 12;

export function foreign(name: string, ...args: readonly Type[]): ForeignType {
  return { kind: "foreign", name, args };
}

export function keyOf(source: Source, at: Offset): string {
  return `${source.index}:${at}`;
}

export const sizes = new Sizes<Type>(partsOf, UNKNOWN);

function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "own":
      return type.bindings || type.others ? [...type.args, ...type.bindings?.values() ?? NO_PARTS, ...type.others ?? NO_PARTS] : type.args;
    case "foreign":
      return type.bindings ? [...type.args, ...type.bindings.values()] : type.args;
    case "associated":
      return type.trait ? [type.of, type.trait] : [type.of];
    case "bounds":
      return type.traits;
    case "function":
      return [...type.parameters, type.result];
    default:
      return NO_PARTS;
  }
}

const NO_PARTS: readonly Type[] = [];

/** A type, and what it is in other builds, each by itself. */
export function builds(type: OwnType): readonly OwnType[] {
  const { others, ...alone } = type;
  return others ? [alone, ...others] : [type];
}

/** What is one of these types in each build; what is not of the repository counts where nothing else does. */
export function oneOf(types: readonly Type[]): Type {
  const found: OwnType[] = [];
  for (const type of types) {
    for (const one of type.kind === "own" ? builds(type) : []) {
      if (found.length < MAX_ALTERNATIVES && !found.some(({ declaration }) => declaration === one.declaration)) found.push(one);
    }
  }
  const [first, ...others] = found;
  if (first) return others.length > 0 ? { ...first, others } : first;
  const known = types.filter(({ kind }) => kind !== "unknown");
  const [type] = known;
  if (!type || known.length === 1 || type.kind !== "foreign") return type ?? UNKNOWN;
  // `Result<A, E>` and `Result<B, E>`
  const same = known.flatMap((one) => (one.kind === "foreign" && one.name === type.name ? [one] : []));
  return { ...type, args: type.args.map((_, i) => oneOf(same.map(({ args }) => args[i] ?? UNKNOWN))) };
}

export function substitute(type: Type, bindings: Bindings, depth = 0): Type {
  if (bindings.size === 0 || depth > MAX_NESTING) return type;
  spend();
  const inner = (one: Type): Type => sizes.bounded(substitute(one, bindings, depth + 1));
  switch (type.kind) {
    case "parameter":
      return bindings.get(keyOf(type.source, type.at)) ?? type;
    case "own":
    case "foreign": {
      if (type.args.length === 0 && !type.bindings) return type;
      const args = type.args.map(inner);
      return type.bindings ? { ...type, args, bindings: new Map([...type.bindings].map(([name, one]) => [name, inner(one)])) } : { ...type, args };
    }
    case "associated":
      return { ...type, of: inner(type.of), trait: type.trait && inner(type.trait) };
    case "bounds":
      return { kind: "bounds", traits: type.traits.map(inner) };
    case "function":
      return { kind: "function", parameters: type.parameters.map(inner), result: inner(type.result) };
    case "unknown":
      return type;
  }
}

/** Learns what parameters stand for in `pattern` by laying it over `actual`. */
export function unify(pattern: Type, actual: Type, into: Map<string, Type>, depth = 0): void {
  if (actual.kind === "unknown" || depth > MAX_NESTING) return;
  spend();
  switch (pattern.kind) {
    case "parameter": {
      const key = keyOf(pattern.source, pattern.at);
      if (!into.has(key)) into.set(key, actual);
      return;
    }
    case "own":
      if (actual.kind === "own" && (actual.others || pattern.others)) {
        for (const one of builds(pattern)) for (const other of builds(actual)) unify(one, other, into, depth + 1);
      } else if (actual.kind === "own" && actual.declaration === pattern.declaration) {
        pattern.args.forEach((arg, i) => unify(arg, actual.args[i] ?? UNKNOWN, into, depth + 1));
      }
      return;
    case "foreign":
      if (actual.kind === "foreign" && sameName(actual.name, pattern.name)) pattern.args.forEach((arg, i) => unify(arg, actual.args[i] ?? UNKNOWN, into, depth + 1));
      return;
    case "function":
      if (actual.kind === "function") unify(pattern.result, actual.result, into, depth + 1);
      return;
    default:
  }
}

/** A slice is borrowed from a vector, a `str` from a String. */
function sameName(a: string, b: string): boolean {
  return a === b || plain(a) === plain(b);
}

function plain(name: string): string {
  return name === "Vec" ? "[]" : name === "String" ? "str" : name;
}

/** Whether two types may be the same one, as far as they are known; parameters may be anything. */
export function mayBe(a: Type, b: Type, depth = 0): boolean {
  if (depth > MAX_NESTING) return true;
  spend();
  if (a.kind === "own" && b.kind === "own") {
    if (a.others || b.others) return builds(a).some((one) => builds(b).some((other) => mayBe(one, other, depth + 1)));
    return a.declaration === b.declaration && a.args.every((arg, i) => mayBe(arg, b.args[i] ?? UNKNOWN, depth + 1));
  }
  if (a.kind === "foreign" && b.kind === "foreign") return a.name === b.name && a.args.every((arg, i) => mayBe(arg, b.args[i] ?? UNKNOWN, depth + 1));
  if ((a.kind === "own" && b.kind === "foreign") || (a.kind === "foreign" && b.kind === "own")) return false;
  return true;
}
