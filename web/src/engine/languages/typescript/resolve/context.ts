import { Op } from "../facts.ts";
import type { FunctionFact, Offset } from "../facts.ts";
import { callBefore, returnOf, signaturesOf } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { awaited, elementOf, memberNamed, parameterType } from "./members.ts";
import { typeAt } from "./typenodes.ts";
import { substitute, union, UNKNOWN } from "./types.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** A function that so many modules are made with is a tool, and no part of one. */
const MAX_WHOLES = 4;

/** What an expression is expected to be, by where it stands; see the contexts in facts.ts. */
export function expected(c: Checker, unit: Unit, at: Offset): Type {
  if (at === 0) return UNKNOWN;
  switch (unit.op(at)) {
    case Op.ContextArgument: {
      const call = unit.at(at, 1);
      return call === 0 ? UNKNOWN : expectedArgument(c, unit, call, unit.at(at, 2));
    }
    case Op.ContextType:
      return typeAt(c, unit, unit.at(at, 1));
    case Op.ContextProperty:
      return memberNamed(c, expected(c, unit, unit.at(at, 1)), unit.text(at, 2));
    case Op.ContextElement: {
      const whole = expected(c, unit, unit.at(at, 1));
      return whole.k === "tuple" ? whole.of[unit.at(at, 2)] ?? whole.rest ?? UNKNOWN : elementOf(c, whole);
    }
    case Op.ContextReturn:
      return expectedResult(c, unit, unit.facts.functions[unit.at(at, 1)]!);
    case Op.ContextExpression:
      return valueOf(c, unit, unit.at(at, 1));
    default:
      return UNKNOWN;
  }
}

/** What an argument of a Call or a New is expected to be. */
export function expectedArgument(c: Checker, unit: Unit, call: Offset, index: number): Type {
  const { signature, env } = callBefore(c, unit, call, index);
  return signature ? substitute(parameterType(c, { ...signature, env: undefined }, index), env) : UNKNOWN;
}

/** What a function is expected to return. */
export function expectedResult(c: Checker, unit: Unit, fact: FunctionFact): Type {
  const result = fact.returns !== 0 ? typeAt(c, unit, fact.returns)
    : fact.context === 0 ? UNKNOWN
    : union(signaturesOf(c, expected(c, unit, fact.context), false).map((s) => returnOf(c, s)));
  return fact.async ? awaited(c, result) : result;
}

/** The type of a parameter that declares none: what the function is expected to be given, or its default value. */
export function parameterValue(c: Checker, unit: Unit, fact: FunctionFact, position: number): Type {
  const parameter = fact.parameters[position];
  return parameter ? c.once(unit, unit.parameterTypes, parameter, () => inferredParameter(c, unit, fact, position)) : UNKNOWN;
}

function inferredParameter(c: Checker, unit: Unit, fact: FunctionFact, position: number): Type {
  const parameter = fact.parameters[position]!;
  if (fact.context !== 0) {
    const signatures = signaturesOf(c, expected(c, unit, fact.context), false);
    const types = signatures.map((s) => parameterType(c, s, position));
    if (types.some((t) => t.k !== "unknown")) {
      const type = union(types);
      return parameter.rest ? c.arrayOf(type) : type;
    }
  }
  if (parameter.initialiser !== 0) return valueOf(c, unit, parameter.initialiser);
  return position === 0 ? wholesHandedTo(c, unit, fact) : UNKNOWN;
}

/** What other modules export that hand it to this one, which is that function: `require("./create")(module.exports)`. */
function wholesHandedTo(c: Checker, unit: Unit, fact: FunctionFact): Type {
  const { equals } = unit.facts.exports;
  if (unit.index < 0 || unit.facts.module || equals === 0) return UNKNOWN;
  const own = valueOf(c, unit, equals);
  if (own.k !== "function" || own.signatures[0]?.fact !== fact) return UNKNOWN;
  const wholes = c.handedTo(unit);
  return wholes.length > MAX_WHOLES ? UNKNOWN : union(wholes.map((whole): Type => (
    whole.facts.exports.equals === 0 ? { k: "module", unit: whole } : valueOf(c, whole, whole.facts.exports.equals)
  )));
}
