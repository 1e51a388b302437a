import { NarrowKind, Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { asBase, instanceOfClass } from "./bases.ts";
import { resolveCall, signaturesOf } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { force } from "./deferred.ts";
import { find, memberOf } from "./members.ts";
import { related } from "./relation.ts";
import { constraintOf, typeAt } from "./typenodes.ts";
import { intersection, substitute, union } from "./types.ts";
import type { Signature, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** The type of a Narrow record: its expression's, with what the condition says. */
export function narrowedType(c: Checker, unit: Unit, at: Offset): Type {
  const type = force(c, valueOf(c, unit, unit.at(at, 1)));
  const holds = unit.at(at, 5) === 1;
  switch (unit.at(at, 2)) {
    case NarrowKind.InstanceOf:
      return narrowTo(c, type, instanceOfClass(c, valueOf(c, unit, unit.at(at, 3)), []), holds);
    case NarrowKind.Guard: {
      const guarded = guardedType(c, unit, unit.at(at, 3), unit.at(at, 4));
      return guarded ? narrowTo(c, type, guarded, holds) : type;
    }
    case NarrowKind.TypeOf:
      return byTypeOf(c, type, unit.text(at, 3), holds);
    case NarrowKind.In:
      return filter(c, type, (t) => find(c, t, unit.text(at, 3)).length > 0 === holds);
    case NarrowKind.Equals:
      return byValue(c, type, unit.text(at, 3), valueOf(c, unit, unit.at(at, 4)), holds);
    default:
      return type;
  }
}

/** Keeps the members of a union; one that would be left empty stays whole. */
function filter(c: Checker, type: Type, keep: (t: Type) => boolean): Type {
  const whole = type.k === "parameter" ? constraintOf(c, type) : type;
  if (whole.k !== "union") return type;
  const of = whole.of.filter(keep);
  return of.length === 0 || of.length === whole.of.length ? type : union(of);
}

function narrowTo(c: Checker, type: Type, to: Type, holds: boolean): Type {
  if (to.k === "unknown") return type;
  if (!holds) return filter(c, type, (t) => related(c, t, to) !== "yes");
  const whole = type.k === "parameter" ? constraintOf(c, type) : type;
  if (whole.k === "unknown") return type.k === "parameter" ? intersection([to, type]) : to;
  if (whole.k === "union") {
    const certain = whole.of.filter((t) => related(c, t, to) === "yes");
    if (certain.length > 0) return union(certain);
    return to;
  }
  if (to.k === "union") {
    const fitting = to.of.filter((t) => related(c, t, whole) !== "no");
    return fitting.length > 0 ? union(fitting) : to;
  }
  if (related(c, whole, to) === "yes") return type;
  // The narrower of two related types; of unrelated ones it is both.
  if (whole.k === "instance" && asBase(c, to, whole.unit, whole.shape)) return to;
  return intersection([to, type]);
}

/** The type that a call says one of its arguments (-1: its receiver) has, if it is a type guard. */
function guardedType(c: Checker, unit: Unit, call: Offset, position: number): Type | undefined {
  const { signature, env } = resolveCall(c, unit, call);
  if (!signature) return undefined;
  const { unit: home, fact } = signature;
  if (fact.returns === 0 || home.op(fact.returns) !== Op.TypePredicate || home.at(fact.returns, 1) !== position) return undefined;
  const type = home.at(fact.returns, 2);
  return type === 0 ? undefined : substitute(typeAt(c, home, type), env);
}

/** Whether a signature may be a type guard, without asking for any type. */
export function isPredicate({ unit, fact }: Signature): boolean {
  return fact.returns === 0 ? fact.guard !== undefined : unit.op(fact.returns) === Op.TypePredicate && unit.at(fact.returns, 2) !== 0;
}

/** What a type guard's signature says of its first parameter; for one-line arrow functions, what their body says. */
export function predicateType(c: Checker, { unit, fact }: Signature): Type | undefined {
  if (fact.returns !== 0) {
    if (unit.op(fact.returns) !== Op.TypePredicate || unit.at(fact.returns, 2) === 0) return undefined;
    return typeAt(c, unit, unit.at(fact.returns, 2));
  }
  return fact.guard === undefined ? undefined : valueOf(c, unit, fact.guard);
}

function byTypeOf(c: Checker, type: Type, name: string, holds: boolean): Type {
  const fits = (t: Type): boolean => {
    switch (t.k) {
      case "primitive":
        return t.name === name;
      case "function":
      case "constructor":
      case "class":
        return name === "function";
      case "enumMember":
        return name === "string" || name === "number";
      case "instance":
        return name === (signaturesOf(c, t, false).length > 0 ? "function" : "object");
      case "parameter":
      case "deferred":
      case "awaited":
      case "unknown":
        return true;
      default:
        return name === "object";
    }
  };
  // What is asked of something open may be true or not.
  const isOpen = (t: Type): boolean => t.k === "parameter" || t.k === "deferred" || t.k === "awaited" || t.k === "unknown";
  return filter(c, type, (t) => isOpen(t) || fits(t) === holds);
}

function byValue(c: Checker, type: Type, property: string, value: Type, holds: boolean): Type {
  const isUnit = (value.k === "primitive" && value.literal !== undefined) || (value.k === "enumMember" && value.member !== undefined);
  if (!isUnit) return type;
  return filter(c, type, (t) => {
    const own = force(c, memberOf(c, t, property));
    return holds ? related(c, value, own) !== "no" : related(c, own, value) !== "yes";
  });
}

