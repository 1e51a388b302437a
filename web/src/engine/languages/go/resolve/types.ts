import { spend } from "../../../effort.ts";
import type { SymbolRef } from "../../../language.ts";
import { Sizes } from "../../size.ts";

/** Go types as the resolver knows them. Made once where possible; compare them by `keyOf`. */
export type Type =
  | Basic | Named | Pointer | Sequence | MapType | Chan | Func | Struct | Interface | TypeParameter | Tuple | Union | Foreign | Unknown;

/** string, int, untyped nil ... `untyped` constants take a default type when they are bound. */
export interface Basic {
  kind: "basic";
  name: string;
  untyped?: boolean;
}
/** A declared type, with arguments when it is generic. */
export interface Named {
  kind: "named";
  entity: Entity;
  args: readonly Type[];
  key?: string;
  underlying?: Type;
  lookups?: Map<string, unknown>;
}
export interface Pointer { kind: "pointer"; element: Type; key?: string }
/** A slice or an array; lengths are not kept. */
export interface Sequence { kind: "slice" | "array"; element: Type; key?: string }
export interface MapType { kind: "map"; keys: Type; element: Type; key?: string }
export interface Chan { kind: "chan"; element: Type; key?: string }
export interface Func {
  kind: "func";
  parameters: readonly Type[];
  results: readonly Type[];
  variadic: boolean;
  /** Of a generic function that is not instantiated yet. */
  typeParameters?: readonly TypeParameter[];
  key?: string;
  /** Once they were asked: whether a parameter may hold functions (`handed.ts`), and the type in words (`signatures.ts`). */
  takes?: boolean;
  spelled?: string;
}
export const UNEXPORTED = /^[^\p{Lu}]/u;

export interface Field { name: string; type: Type; embedded: boolean }
export interface Struct { kind: "struct"; fields: readonly Field[]; key?: string; of?: number | undefined }
export interface InterfaceMethod {
  name: string;
  type: Func;
  /** Its symbol, when a declared interface of the repository has it. */
  ref?: SymbolRef;
  /** The place of the package, of an unexported method without a symbol: others have none of it. */
  home?: number;
}
/** `of`: the place of the type that is declared as it stands here, and the same of a struct. */
export interface Interface { kind: "interface"; methods: readonly InterfaceMethod[]; embedded: readonly Type[]; key?: string; of?: number | undefined }
export interface TypeParameter {
  kind: "parameter";
  name: string;
  id: number;
  /** Asked for when needed: constraints may be circular. */
  constraint: () => Type | undefined;
}
export interface Tuple { kind: "tuple"; elements: readonly Type[] }
export interface Union { kind: "union"; terms: readonly Type[]; key?: string }
/** Something of a package outside the repository whose type is not known. */
export interface Foreign { kind: "foreign" }
/** Nothing is known, not even where it comes from. */
export interface Unknown { kind: "unknown" }

/** What a declared type is, however many instances and build variants it has. */
export interface Entity {
  id: number;
  name: string;
  /** Import path of a package outside the repository, or a package's directory and name inside. */
  home: string;
  /** What its members are asked for by (`asks.ts`); undefined outside the repository. */
  place: number | undefined;
  /** Where it is declared; undefined outside the repository. */
  ref: SymbolRef | undefined;
  parameters: readonly TypeParameter[];
  /** The underlying type with its own parameters in it. */
  underlying: () => Type;
  method: (name: string) => Method | undefined;
  methodNames: () => Iterable<string>;
}

export interface Method {
  name: string;
  refs: readonly SymbolRef[];
  type: Func;
  /** What the receiver calls its type's parameters. */
  receiverParameters: readonly TypeParameter[];
}

export const UNKNOWN: Unknown = { kind: "unknown" };
export const FOREIGN: Foreign = { kind: "foreign" };
export const NOTHING: Tuple = { kind: "tuple", elements: [] };
export const ANY: Interface = { kind: "interface", methods: [], embedded: [] };
/** The constraint `comparable`. Compare it by identity: it has the key of ANY. */
export const COMPARABLE: Interface = { kind: "interface", methods: [], embedded: [] };

export type Bindings = ReadonlyMap<TypeParameter, Type>;

const sizes = new Sizes<Type>(partsOf, UNKNOWN);

/** The types that a type is written with: what is declared elsewhere is no part of it. */
export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "named":
      return type.args;
    case "pointer":
    case "slice":
    case "array":
    case "chan":
      return [type.element];
    case "map":
      return [type.keys, type.element];
    case "func":
      return [...type.parameters, ...type.results];
    case "struct":
      return type.fields.map((field) => field.type);
    case "interface":
      return [...type.methods.map((method) => method.type), ...type.embedded];
    case "tuple":
      return type.elements;
    case "union":
      return type.terms;
    default:
      return NO_PARTS;
  }
}

const NO_PARTS: readonly Type[] = [];

/** The type with its parameters replaced; the same object when it has none of them. */
export function substitute(type: Type, bindings: Bindings): Type {
  if (bindings.size === 0) return type;
  spend();
  switch (type.kind) {
    case "parameter":
      return bindings.get(type) ?? type;
    case "named": {
      const args = put(type.args, bindings);
      return args === type.args ? type : { kind: "named", entity: type.entity, args };
    }
    case "pointer":
    case "slice":
    case "array":
    case "chan": {
      const element = part(type.element, bindings);
      return element === type.element ? type : { kind: type.kind, element };
    }
    case "map": {
      const [keys, element] = [part(type.keys, bindings), part(type.element, bindings)];
      return keys === type.keys && element === type.element ? type : { kind: "map", keys, element };
    }
    case "func":
      return substituteFunc(type, bindings);
    case "struct": {
      const types = type.fields.map((f) => f.type);
      const next = put(types, bindings);
      return next === types ? type : { kind: "struct", fields: type.fields.map((f, i) => ({ ...f, type: next[i]! })), of: type.of };
    }
    case "interface": {
      const embedded = put(type.embedded, bindings);
      const methods = type.methods.map((m) => ({ ...m, type: substituteFunc(m.type, bindings) }));
      return embedded === type.embedded && methods.every((m, i) => m.type === type.methods[i]!.type) ? type : { kind: "interface", methods, embedded, of: type.of };
    }
    case "tuple":
    case "union": {
      const list = type.kind === "tuple" ? type.elements : type.terms;
      const next = put(list, bindings);
      if (next === list) return type;
      return type.kind === "tuple" ? { kind: "tuple", elements: next } : { kind: "union", terms: next };
    }
    default:
      return type;
  }
}

/** What becomes of a part of a type: nothing is known of one that is too large to go on with. */
function part(type: Type, bindings: Bindings): Type {
  const now = substitute(type, bindings);
  return now === type ? type : sizes.bounded(now);
}

function put(list: readonly Type[], bindings: Bindings): readonly Type[] {
  const out = list.map((type) => part(type, bindings));
  return out.every((type, i) => type === list[i]) ? list : out;
}

export function substituteFunc(type: Func, bindings: Bindings): Func {
  if (bindings.size === 0) return type;
  const parameters = put(type.parameters, bindings);
  const results = put(type.results, bindings);
  if (parameters === type.parameters && results === type.results) return type;
  return { kind: "func", parameters, results, variadic: type.variadic, ...(type.typeParameters ? { typeParameters: type.typeParameters } : {}) };
}

/** Go's type identity as a string. `?` in it stands for what is not known. */
export function keyOf(type: Type): string {
  switch (type.kind) {
    case "basic":
      return type.name;
    case "named":
      return (type.key ??= type.args.length === 0 ? `#${type.entity.id}` : `#${type.entity.id}[${keysOf(type.args)}]`);
    case "pointer":
      return (type.key ??= `*${keyOf(type.element)}`);
    case "slice":
      return (type.key ??= `[]${keyOf(type.element)}`);
    case "array":
      return (type.key ??= `[n]${keyOf(type.element)}`);
    case "map":
      return (type.key ??= `map[${keyOf(type.keys)}]${keyOf(type.element)}`);
    case "chan":
      return (type.key ??= `chan ${keyOf(type.element)}`);
    case "func":
      return (type.key ??= `func(${keysOf(type.parameters)}${type.variadic ? "..." : ""})(${keysOf(type.results)})`);
    case "struct":
      return (type.key ??= `struct{${type.fields.map((f) => `${f.embedded ? "" : f.name} ${keyOf(f.type)}`).join(";")}}`);
    case "interface":
      return (type.key ??= `interface{${[...type.methods.map((m) => `${m.name}${m.home ?? ""}${keyOf(m.type)}`), ...type.embedded.map(keyOf)].sort().join(";")}}`);
    case "parameter":
      return `$${type.id}`;
    case "tuple":
      return `(${keysOf(type.elements)})`;
    case "union":
      return (type.key ??= type.terms.map(keyOf).join("|"));
    default:
      return "?";
  }
}

function keysOf(list: readonly Type[]): string {
  return list.map(keyOf).join(",");
}

/** True when a type has no part that is unknown. */
export function isKnown(type: Type): boolean {
  return !keyOf(type).includes("?");
}
