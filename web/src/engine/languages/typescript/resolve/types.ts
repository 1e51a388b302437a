import type { ExpandoFact, FunctionFact, MemberFact, Offset, ShapeFact } from "../facts.ts";
import type { Unit } from "./unit.ts";

/** Type arguments nested deeper are cut off: some types grow each time they are looked at. */
const MAX_HEIGHT = 10;

/** What is put for type parameters and for `this`; keys are interned types, few enough to look through. Not changed once made. */
export class Env {
  /** How deep types are nested in it. */
  readonly height: number;
  private results: Map<Type, Type> | undefined;
  /** What it is with one more type, by what that is put for. */
  private extended: Map<Type, Map<Type, Env>> | undefined;

  /** `values[i]` is put for `keys[i]`, of which each is another. */
  constructor(readonly keys: readonly Type[], readonly values: readonly Type[]) {
    let height = 0;
    for (const value of values) height = Math.max(height, heightOf(value));
    this.height = height + 1;
  }

  /** What types became with it: large types share their parts, and each part is done once. */
  get done(): Map<Type, Type> {
    return (this.results ??= new Map());
  }

  /** The one environment that puts `value` for `key`, too: what is asked for through it is done once. */
  with(key: Type, value: Type): Env {
    this.extended ??= new Map<Type, Map<Type, Env>>();
    let byValue = this.extended.get(key);
    if (!byValue) this.extended.set(key, (byValue = new Map<Type, Env>()));
    let env = byValue.get(value);
    if (!env) {
      const at = this.keys.indexOf(key);
      env = at < 0 ? new Env([...this.keys, key], [...this.values, value]) : new Env(this.keys, this.values.with(at, value));
      byValue.set(value, env);
    }
    return env;
  }

  get(key: Type): Type | undefined {
    const at = this.keys.indexOf(key);
    return at < 0 ? undefined : this.values[at];
  }

  has(key: Type): boolean {
    return this.keys.includes(key);
  }
}

/** An environment, or none where there is nothing to put. */
export function envOf(entries: ReadonlyMap<Type, Type>): Env | undefined {
  return entries.size === 0 ? undefined : new Env([...entries.keys()], [...entries.values()]);
}

/** Type parameters with their arguments, unknown where these are left out, beside what `before` puts. */
export function bindArguments(unit: Unit, parameters: readonly Offset[], typeArguments: readonly (Type | undefined)[], before?: Env): Env | undefined {
  if (parameters.length === 0) return before;
  const keys = parameters.map((p) => unit.parameter(p));
  const values = keys.map((_, i) => typeArguments[i] ?? UNKNOWN);
  const kept = before?.keys.filter((key) => !keys.includes(key)) ?? [];
  return new Env([...kept, ...keys], [...kept.map((key) => before!.get(key)!), ...values]);
}

/** Of types that are made of others: large types share their parts. */
const heights = new WeakMap<Type, number>();

function heightOf(type: Type): number {
  if (type.k !== "union" && type.k !== "intersection" && type.k !== "tuple") return heightIn(type);
  let height = heights.get(type);
  if (height === undefined) heights.set(type, (height = heightIn(type)));
  return height;
}

function heightIn(type: Type): number {
  switch (type.k) {
    case "instance":
    case "class":
    case "deferred":
      return type.env?.height ?? 0;
    case "function":
    case "constructor":
      return Math.max(0, ...type.signatures.map((s) => s.env?.height ?? 0));
    case "union":
    case "intersection":
      return Math.max(0, ...type.of.map(heightOf));
    case "tuple":
      return Math.max(type.rest ? heightOf(type.rest) : 0, ...type.of.map(heightOf));
    case "awaited":
      return heightOf(type.of);
    default:
      return 0;
  }
}

/** One way to call a function. */
export interface Signature {
  unit: Unit;
  fact: FunctionFact;
  env: Env | undefined;
  /** How many of its first parameters `bind` has given it. */
  bound?: number;
}

/** A type as far as it matters for knowing whom a call reaches. Null and undefined are left out of unions. */
export type Type =
  | { k: "unknown" }
  | { k: "primitive"; name: string; literal?: string }
  /** Of a class, an interface, an object type or an object literal. */
  | { k: "instance"; unit: Unit; shape: ShapeFact; env: Env | undefined }
  /** A class itself, whose members are static. */
  | { k: "class"; unit: Unit; shape: ShapeFact; env: Env | undefined }
  /** `home` is the binding that declares it: a function can have properties. */
  | { k: "function"; signatures: Signature[]; home?: { unit: Unit; binding: number } }
  | { k: "constructor"; signatures: Signature[] }
  /** What `new` makes of a plain function. */
  | { k: "constructed"; unit: Unit; binding: number }
  | { k: "module"; unit: Unit }
  | { k: "namespace"; unit: Unit; index: number }
  /** The object that has all global names. */
  | { k: "global" }
  | { k: "enum"; unit: Unit; index: number }
  | { k: "enumMember"; unit: Unit; index: number; member: string | undefined }
  | { k: "union"; of: Type[] }
  | { k: "intersection"; of: Type[] }
  | { k: "tuple"; of: Type[]; rest: Type | undefined }
  | { k: "parameter"; unit: Unit; at: Offset }
  | { k: "this"; unit: Unit; shape: ShapeFact }
  /** A type function that waits for its type parameters: a conditional, mapped, indexed or keyof record ... */
  | { k: "deferred"; unit: Unit; at: Offset; env: Env | undefined }
  /** ... or `Awaited<of>`. */
  | { k: "awaited"; of: Type };

export type Instance = Extract<Type, { k: "instance" }>;

export const UNKNOWN: Type = { k: "unknown" };
export const GLOBAL: Type = { k: "global" };
export const NEVER: Type = { k: "union", of: [] };

const primitives = new Map<string, Type>();

export function primitiveType(name: string): Type {
  let type = primitives.get(name);
  if (!type) primitives.set(name, (type = { k: "primitive", name }));
  return type;
}

/** Members beyond this many say nothing any more about a call. */
const MAX_UNION = 100;

export function union(types: readonly Type[]): Type {
  const flat: Type[] = [];
  for (const type of types) {
    for (const t of type.k === "union" ? type.of : [type]) {
      if (t.k === "unknown" || isNothing(t) || flat.some((o) => same(o, t))) continue;
      if (flat.length < MAX_UNION) flat.push(t);
    }
  }
  if (flat.length === 1) return flat[0]!;
  if (flat.length === 0) return types.some((t) => t.k === "unknown") || types.length === 0 ? UNKNOWN : types[0]!;
  return { k: "union", of: flat };
}

export function intersection(types: readonly Type[]): Type {
  const flat: Type[] = [];
  for (const type of types) {
    for (const t of type.k === "intersection" ? type.of : [type]) {
      if (t.k !== "unknown" && flat.length < MAX_UNION && !flat.some((o) => same(o, t))) flat.push(t);
    }
  }
  return flat.length === 0 ? UNKNOWN : flat.length === 1 ? flat[0]! : { k: "intersection", of: flat };
}

/** Null, undefined, void, never: no member of a union that a call could be on. */
export function isNothing(t: Type): boolean {
  return t.k === "primitive" && (t.name === "undefined" || t.name === "null" || t.name === "void" || t.name === "never");
}

/** Whether two types are the same thing; false where that would take work to find out. */
export function same(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.k !== b.k) return false;
  switch (a.k) {
    case "primitive":
      return b.k === "primitive" && a.name === b.name && a.literal === b.literal;
    case "instance":
    case "class":
      return (b.k === "instance" || b.k === "class") && a.shape === b.shape && sameEnv(a.env, b.env);
    case "module":
      return b.k === "module" && a.unit === b.unit;
    case "enumMember":
      return b.k === "enumMember" && a.unit === b.unit && a.index === b.index && a.member === b.member;
    case "function":
      return b.k === "function" && a.signatures.length === b.signatures.length
        && a.signatures.every((s, i) => s.fact === b.signatures[i]!.fact && s.env === b.signatures[i]!.env);
    default:
      return false;
  }
}

function sameEnv(a: Env | undefined, b: Env | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.keys.length !== b.keys.length) return false;
  return a.keys.every((key, i) => {
    const other = b.get(key);
    return other !== undefined && same(a.values[i]!, other);
  });
}

/** Puts types for type parameters. */
export function substitute(type: Type, env: Env | undefined): Type {
  if (!env) return type;
  switch (type.k) {
    case "parameter":
    case "this":
      return env.get(type) ?? type;
    case "instance":
    case "class":
      if (!type.env && !type.shape.open) return type;
      break;
    case "function":
    case "constructor":
      if (!type.signatures.some((s) => s.fact.open)) return type;
      break;
    case "union":
    case "intersection":
    case "tuple":
    case "deferred":
    case "awaited":
      break;
    default:
      return type;
  }
  let done = env.done.get(type);
  if (!done) {
    // A type that holds itself ends here.
    env.done.set(type, type);
    done = put(type, env);
    env.done.set(type, done);
  }
  return done;
}

function put(type: Type, env: Env): Type {
  switch (type.k) {
    case "instance":
    case "class": {
      const inner = compose(type.env, env, type.shape.open ?? false);
      return inner === type.env ? type : { ...type, env: inner };
    }
    case "function":
    case "constructor":
      return { ...type, signatures: type.signatures.map((s) => (s.fact.open ? { ...s, env: compose(s.env, env, true) } : s)) };
    case "union": {
      const of = map(type.of, (t) => substitute(t, env));
      return of === type.of ? type : union(of);
    }
    case "intersection": {
      const of = map(type.of, (t) => substitute(t, env));
      return of === type.of ? type : intersection(of);
    }
    case "tuple":
      return { k: "tuple", of: type.of.map((t) => substitute(t, env)), rest: type.rest && substitute(type.rest, env) };
    case "deferred":
      return { ...type, env: compose(type.env, env, true) };
    case "awaited":
      return { k: "awaited", of: substitute(type.of, env) };
    default:
      return type;
  }
}

function map(types: readonly Type[], f: (t: Type) => Type): readonly Type[] {
  const out = types.map(f);
  return out.every((t, i) => t === types[i]) ? types : out;
}

/** The environment that does what `inner` and then `outer` do; `open` lets outer names through that inner does not bind. */
export function compose(inner: Env | undefined, outer: Env | undefined, open: boolean): Env | undefined {
  if (!outer) return inner;
  if (!inner) return open ? outer : inner;
  const values = map(inner.values, (value) => {
    const next = substitute(value, outer);
    return next !== value && heightOf(next) >= MAX_HEIGHT ? UNKNOWN : next;
  });
  const more = open ? outer.keys.filter((key) => !inner.has(key)) : [];
  if (more.length > 0) return new Env([...inner.keys, ...more], [...values, ...more.map((key) => outer.get(key)!)]);
  return values === inner.values ? inner : new Env(inner.keys, values);
}

/** A member that was found, and how its type is to be read. */
export interface Found {
  unit: Unit;
  /** The shape that declares it. */
  shape: ShapeFact | undefined;
  member: MemberFact | undefined;
  env: Env | undefined;
  /** For what is no member of a shape: an export, an enum's member. */
  type?: Type;
  /** By an index signature, or by a mapped type whose keys do not name it: what declares it by its name goes first. */
  open?: boolean;
  /** The export's binding, when it is one. */
  binding?: number;
  /** The symbol of what was assigned to a function's property. */
  symbol?: number;
  /** Of a mapped type, the members that it keeps under that name: `{ [K in keyof T]?: T[K] | undefined }` has those of T. */
  kept?: readonly Found[];
  /** What that was assigned to, where accessors describe the property. */
  accessors?: readonly Pick<ExpandoFact, "accessor" | "symbol" | "value">[];
  /** Of a method, what code puts in its place, in a file. */
  replaced?: { unit: Unit; values: readonly Offset[] };
}
