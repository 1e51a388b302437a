import { CALL, CONSTRUCT } from "../facts.ts";
import { asBase, tupleAsArray } from "./bases.ts";
import { returnOf, signaturesOf } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { force, isDeferred } from "./deferred.ts";
import { elementOf, find, foundType, namesOf, parameterType } from "./members.ts";
import { predicateType } from "./narrowing.ts";
import { constraintOf } from "./typenodes.ts";
import { isNothing, same, substitute, union } from "./types.ts";
import type { Signature, Type } from "./types.ts";

/** Members of an options object that are looked at. */
const MAX_MEMBERS = 16;

/**
 * Finds what type parameters must be for `given` to fit `declared`; `wanted` says which are looked for.
 * The first answer stays, later ones join it when they are different things.
 */
export function infer(c: Checker, declared: Type, given: Type, wanted: (t: Type) => boolean, into: Map<Type, Type>, depth = 0): void {
  if (depth > 7 || given.k === "unknown" || (declared === given && declared.k !== "parameter")) return;
  switch (declared.k) {
    case "parameter":
      if (wanted(declared)) add(declared, given, into);
      return;
    case "union": {
      const naked = declared.of.filter((t) => t.k === "parameter" && wanted(t));
      const others = declared.of.filter((t) => !naked.includes(t));
      const rest: Type[] = [];
      for (const t of given.k === "union" ? given.of : [given]) {
        if (isNothing(t) || others.some((o) => same(o, t))) continue;
        const matched = others.filter((o) => sameFamily(c, o, t));
        if (matched.length === 0) rest.push(t);
        for (const o of matched) infer(c, o, t, wanted, into, depth + 1);
      }
      if (naked.length > 0 && rest.length > 0) infer(c, naked[0]!, union(rest), wanted, into, depth + 1);
      return;
    }
    case "intersection":
      for (const t of declared.of) infer(c, t, given, wanted, into, depth + 1);
      return;
    case "deferred":
    case "awaited": {
      const forced = force(c, declared);
      if (!isDeferred(forced)) infer(c, forced, given, wanted, into, depth + 1);
      else if (forced.k === "awaited") infer(c, forced.of, given, wanted, into, depth + 1);
      return;
    }
  }
  if (isDeferred(given)) {
    const forced = force(c, given);
    if (!isDeferred(forced)) infer(c, declared, forced, wanted, into, depth + 1);
    return;
  }
  if (given.k === "union") {
    for (const t of given.of) infer(c, declared, t, wanted, into, depth + 1);
    return;
  }
  switch (declared.k) {
    case "instance":
      toInstance(c, declared, given, wanted, into, depth);
      return;
    case "tuple":
      if (given.k === "tuple") declared.of.forEach((t, i) => { const own = given.of[i] ?? given.rest; if (own) infer(c, t, own, wanted, into, depth + 1); });
      if (declared.rest) {
        const rest = given.k === "tuple" ? given.of.slice(declared.of.length) : [];
        infer(c, declared.rest, rest.length > 0 ? union(rest) : elementOf(c, given), wanted, into, depth + 1);
      }
      return;
    case "function":
      toSignatures(c, declared.signatures, signaturesOf(c, given, false), wanted, into, depth);
      return;
    case "constructor":
      toSignatures(c, declared.signatures, signaturesOf(c, given, true), wanted, into, depth);
      return;
  }
}

function add(parameter: Type, given: Type, into: Map<Type, Type>): void {
  const known = into.get(parameter);
  if (!known || known.k === "unknown") into.set(parameter, given);
  else if (!same(known, given)) {
    // The same class with and without its arguments known is one thing.
    if (known.k === "instance" && given.k === "instance" && known.shape === given.shape) return;
    into.set(parameter, union([known, given]));
  }
}

/** Whether two types are made the same way, so that one tells something of the other's arguments. */
function sameFamily(c: Checker, declared: Type, given: Type): boolean {
  switch (declared.k) {
    case "instance":
      return (given.k === "instance" || given.k === "tuple" || given.k === "this" || given.k === "parameter" || given.k === "intersection")
        && (asBase(c, given, declared.unit, declared.shape) !== undefined
          || (declared.shape.kind === "type" && given.k === "instance" && given.shape.kind === "object"));
    case "function":
      return given.k === "function" || (given.k === "instance" && find(c, given, CALL).length > 0);
    case "constructor":
      return given.k === "class" || given.k === "constructor";
    case "tuple":
      return given.k === "tuple";
    case "primitive":
      return given.k === "primitive" && given.name === declared.name;
    case "deferred":
    case "awaited":
    case "intersection":
      return true;
    default:
      return false;
  }
}

function toInstance(c: Checker, declared: Extract<Type, { k: "instance" }>, given: Type, wanted: (t: Type) => boolean, into: Map<Type, Type>, depth: number): void {
  if (given.k === "parameter") {
    const bound = constraintOf(c, given);
    if (bound.k !== "unknown") toInstance(c, declared, bound, wanted, into, depth + 1);
    return;
  }
  const base = asBase(c, given, declared.unit, declared.shape);
  if (base) {
    for (const [key, value] of declared.env ?? []) {
      const own = base.env?.get(key);
      if (own) infer(c, value, own, wanted, into, depth + 1);
    }
    return;
  }
  if (declared.shape.kind === "class") return;
  // By structure: what the members say.
  const value = given.k === "tuple" ? tupleAsArray(c, given) : given;
  for (const name of namesOf(c, declared).slice(0, MAX_MEMBERS)) {
    if (name === CALL || name === CONSTRUCT) {
      toSignatures(c, signaturesOf(c, declared, name === CONSTRUCT), signaturesOf(c, value, name === CONSTRUCT), wanted, into, depth);
      continue;
    }
    const [want] = find(c, declared, name);
    const own = name === "[]" ? undefined : find(c, value, name)[0];
    if (want && own) infer(c, foundType(c, want), foundType(c, own), wanted, into, depth + 1);
    else if (want && name === "[]" && value.k === "instance" && value.shape.kind === "object") {
      for (const key of namesOf(c, value).slice(0, MAX_MEMBERS)) {
        const [member] = find(c, value, key);
        if (member) infer(c, foundType(c, want), foundType(c, member), wanted, into, depth + 1);
      }
    }
  }
}

function toSignatures(
  c: Checker, declared: Signature[], given: Signature[], wanted: (t: Type) => boolean, into: Map<Type, Type>, depth: number,
): void {
  const want = declared[0];
  const own = given.at(-1);
  if (!want || !own) return;
  const count = Math.min(want.fact.parameters.length, own.fact.parameters.length);
  for (let i = 0; i < count; i++) {
    if (own.fact.parameters[i]!.type === 0) continue;
    infer(c, parameterType(c, want, i), parameterType(c, own, i), wanted, into, depth + 1);
  }
  const predicate = predicateOf(c, want);
  const ownPredicate = predicateOf(c, own);
  if (predicate && ownPredicate) infer(c, predicate, ownPredicate, wanted, into, depth + 1);
  infer(c, returnOf(c, want), returnOf(c, own), wanted, into, depth + 1);
}

function predicateOf(c: Checker, signature: Signature): Type | undefined {
  const type = predicateType(c, signature);
  return type && substitute(type, signature.env);
}
