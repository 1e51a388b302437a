import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { Asked } from "./asked.ts";
import { tupleAsArray } from "./bases.ts";
import type { Checker } from "./checker.ts";
import { NUMBER, STRING } from "./checker.ts";
import { Inference } from "./infer.ts";
import { awaited, elementOf, find, foundType, memberOf, namesOf } from "./members.ts";
import { related } from "./relation.ts";
import { constraintOf, typeAt } from "./typenodes.ts";
import { compose, Env, envOf, substitute, union, UNKNOWN } from "./types.ts";
import type { Found, Type } from "./types.ts";
import type { Unit } from "./unit.ts";

type Deferred = Extract<Type, { k: "deferred" | "awaited" }>;

export function isDeferred(type: Type): type is Deferred {
  return type.k === "deferred" || type.k === "awaited";
}

/** Type functions that lead to each other without end. */
const MAX_STEPS = 12;

/**
 * Works a type function out, as far as its type parameters are known. A mapped type that gives its
 * properties a new type stays as it is: see `mappedMember`. Any other type comes back unchanged.
 */
export function force(c: Checker, type: Type, steps = 0): Type {
  if (steps > MAX_STEPS || !c.step()) return UNKNOWN;
  if (type.k === "awaited") {
    const of = force(c, type.of, steps + 1);
    return of.k === "parameter" || isDeferred(of) ? { k: "awaited", of } : awaited(c, of);
  }
  if (type.k !== "deferred") return type;
  const known = forced.get(type);
  if (known) {
    // Whoever gets the type asks for what it was worked out from.
    if (known.asked) c.again(known.asked);
    return known.result;
  }
  // Until it is known, a type that asks for itself is unknown.
  forced.set(type, { result: UNKNOWN });
  const asked = new Asked();
  const result = c.within(asked, () => {
    const next = c.deeper(() => step(c, type, steps));
    return next === type ? next : force(c, next, steps + 1);
  });
  forced.set(type, asked.some ? { result, asked } : { result });
  if (asked.some) c.again(asked);
  return result;
}

const forced = new WeakMap<Type, { result: Type; asked?: Asked }>();

function step(c: Checker, type: Extract<Type, { k: "deferred" }>, steps: number): Type {
  const { unit, at, env } = type;
  const operand = (i: number): Type => force(c, substitute(typeAt(c, unit, unit.at(at, i)), env), steps + 1);
  switch (unit.op(at)) {
    case Op.TypeConditional:
      return conditional(c, unit, at, env, operand(1));
    case Op.TypeIndexed:
      return indexed(c, operand(1), operand(2));
    case Op.TypeKeyOf:
      return keysOf(c, operand(1));
    case Op.TypeMapped:
      return mapped(c, type, steps);
    default:
      return UNKNOWN;
  }
}

function conditional(c: Checker, unit: Unit, at: Offset, env: Env | undefined, checked: Type): Type {
  const checkedAt = unit.at(at, 1);
  if (checked.k === "union" && unit.op(checkedAt) === Op.TypeName) {
    const parameter = typeAt(c, unit, checkedAt);
    // A union is asked about one member at a time.
    return union(checked.of.map((t) => conditional(c, unit, at, compose(new Env([parameter], [t]), env, true), t)));
  }
  const extendedAt = unit.at(at, 2);
  const extended = substitute(typeAt(c, unit, extendedAt), env);
  // `infer R` was read after what is checked and before what follows.
  const inference = new Inference(c, (t) => t.k === "parameter" && t.unit === unit && t.at > checkedAt && t.at < at && !env?.has(t));
  inference.infer(extended, checked);
  const inferred = envOf(inference.found);
  const then = (): Type => substitute(typeAt(c, unit, unit.at(at, 3)), inferred ? compose(inferred, env, true) : env);
  const otherwise = (): Type => substitute(typeAt(c, unit, unit.at(at, 4)), env);
  switch (related(c, checked, substitute(extended, inferred))) {
    case "yes":
      return then();
    case "no":
      return otherwise();
    case "maybe":
      return inferred ? then() : union([then(), otherwise()]);
  }
}

function indexed(c: Checker, object: Type, index: Type): Type {
  if (object.k === "union") return union(object.of.map((t) => indexed(c, t, index)));
  if (index.k === "union") return union(index.of.map((t) => indexed(c, object, t)));
  if (index.k === "primitive" && index.literal !== undefined) return memberOf(c, object, index.literal);
  if (index.k === "primitive" && index.name === "number") return elementOf(c, object);
  if (index.k === "enumMember" && index.member !== undefined) return UNKNOWN;
  if (index.k === "parameter" || isDeferred(index)) return UNKNOWN;
  return valuesOf(c, object);
}

/** The types of all members of a type, joined. */
export function valuesOf(c: Checker, object: Type): Type {
  const index = find(c, object, "[]");
  if (index.length > 0) return union(index.map((f) => foundType(c, f)));
  if (object.k === "tuple") return memberOf(c, tupleAsArray(c, object), "[]");
  const names = namesOf(c, object);
  return names.length === 0 || names.length > MAX_KEYS ? UNKNOWN : union(names.map((name) => memberOf(c, object, name)));
}

/** Keys beyond this many are just strings. */
const MAX_KEYS = 100;

function keysOf(c: Checker, object: Type): Type {
  if (object.k === "tuple") return NUMBER;
  const names = namesOf(c, object).filter((name) => !name.startsWith("@@") && !/^[([n]?.*[)\]]$/.test(name));
  if (names.length === 0 || names.length > MAX_KEYS) return STRING;
  return union(names.map((literal): Type => ({ k: "primitive", name: "string", literal })));
}

interface MappedParts {
  parameter: Type;
  /** The type whose properties it goes through, when its keys are `keyof` one. */
  source: Type | undefined;
  /** Whether each property keeps the type it has in `source`. */
  identity: Type | undefined;
}

function parts(c: Checker, { unit, at, env }: Extract<Type, { k: "deferred" }>): MappedParts {
  const parameter = unit.parameter(unit.at(at, 1));
  const keysAt = unit.at(at, 2);
  const valueAt = unit.at(at, 3);
  let source: Type | undefined;
  if (unit.op(keysAt) === Op.TypeKeyOf) source = force(c, substitute(typeAt(c, unit, unit.at(keysAt, 1)), env));
  else {
    // `[K in P]` where P is a parameter that extends keyof T goes through T as well.
    const keys = typeAt(c, unit, keysAt);
    const bound = keys.k === "parameter" ? unit.at(keys.at, 2) : 0;
    if (bound !== 0 && unit.op(bound) === Op.TypeKeyOf && !env?.has(keys)) source = force(c, substitute(typeAt(c, unit, unit.at(bound, 1)), env));
  }
  let identity: Type | undefined;
  if (unit.op(valueAt) === Op.TypeIndexed && typeAt(c, unit, unit.at(valueAt, 2)) === parameter) {
    identity = force(c, substitute(typeAt(c, unit, unit.at(valueAt, 1)), env));
  }
  return { parameter, source, identity };
}

function mapped(c: Checker, type: Extract<Type, { k: "deferred" }>, steps: number): Type {
  const { unit, at, env } = type;
  const { parameter, source, identity } = parts(c, type);
  // Partial, Readonly, Pick, Omit: the members are those of the type that they are made of.
  if (identity && !isDeferred(identity) && identity.k !== "unknown") {
    const key = identity.k === "parameter" ? constraintOf(c, identity) : identity;
    if (key.k !== "union" && identity.k !== "parameter") return identity;
  }
  if (source?.k === "union") return union(source.of);
  const list = source && (source.k === "tuple" || c.isBuiltin(source, "Array", "ReadonlyArray")) ? source : undefined;
  if (!list) return type;
  const value = (literal: string): Type => force(c, substitute(typeAt(c, unit, unit.at(at, 3)), compose(new Env([parameter], [{ k: "primitive", name: "number", literal }]), env, true)), steps + 1);
  if (list.k === "tuple") return { k: "tuple", of: list.of.map((_, i) => value(String(i))), rest: list.rest && value(String(list.of.length)) };
  return c.arrayOf(value("0"));
}

/** A member of a mapped type that stays one. */
export function mappedMember(c: Checker, type: Type, name: string, receiver: Type, depth: number): Found[] {
  if (type.k === "awaited") return find(c, type.of, name, receiver, depth);
  if (type.k !== "deferred" || type.unit.op(type.at) !== Op.TypeMapped || name.endsWith(")")) return [];
  const { unit, at, env } = type;
  const { parameter, source, identity } = parts(c, type);
  if (identity) return find(c, identity, name, receiver, depth);
  const through = source && source.k !== "parameter" && source.k !== "unknown" && !isDeferred(source) ? find(c, source, name) : undefined;
  if (through?.length === 0) return [];
  const open = through ? through.every((one) => one.open) : !isNamed(force(c, substitute(typeAt(c, unit, unit.at(at, 2)), env)), name);
  const key = new Env([parameter], [{ k: "primitive", name: "string", literal: name }]);
  const value = force(c, substitute(typeAt(c, unit, unit.at(at, 3)), compose(key, env, true)));
  const of = keptIn(unit, unit.at(at, 3), (index) => typeAt(c, unit, index) === parameter);
  const kept = of === 0 ? [] : find(c, force(c, substitute(typeAt(c, unit, of), env)), name, receiver, depth);
  return [{ unit, shape: undefined, member: undefined, env: undefined, type: value, ...(kept.length > 0 ? { kept } : {}), ...(open ? { open } : {}) }];
}

/** Whether a name is among the keys of a type. */
function isNamed(keys: Type, name: string): boolean {
  return keys.k === "union" ? keys.of.some((key) => isNamed(key, name)) : keys.k === "primitive" && keys.literal === name;
}

/** The T where one of the alternatives of a mapped type's value is `T[K]`; 0 where none is. */
function keptIn(unit: Unit, value: Offset, isKey: (index: Offset) => boolean, depth = 0): Offset {
  const alternatives = unit.op(value) === Op.TypeUnion ? unit.list(value, 1)
    : unit.op(value) === Op.TypeConditional ? [unit.at(value, 3), unit.at(value, 4)] : [];
  if (unit.op(value) === Op.TypeIndexed && isKey(unit.at(value, 2))) return unit.at(value, 1);
  if (depth > MAX_STEPS) return 0;
  for (const one of alternatives) {
    const of = keptIn(unit, one, isKey, depth + 1);
    if (of !== 0) return of;
  }
  return 0;
}

