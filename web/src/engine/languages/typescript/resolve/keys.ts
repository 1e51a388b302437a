import { type Offset, Op } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { ITERATES } from "./containers.ts";
import { force } from "./deferred.ts";
import { withoutNarrowing } from "./expressions.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Names for names. */
const MAX_DEPTH = 8;
/** A key that may be more texts than this says nothing. */
const MAX_KEYS = 40;

/** The texts that a key may be: those of its type, of a list that it is an element of, or the two of a condition. None where it may be others. */
export function keysAt(c: Checker, unit: Unit, at: Offset): readonly string[] {
  const keys: string[] = [];
  const all = textsIn(unit, at, keys, false, 0) || literalsIn(force(c, valueOf(c, unit, at)), keys);
  return all && keys.length <= MAX_KEYS ? [...new Set(keys)] : [];
}

/** Adds the literal texts of a type; false where it has others. */
function literalsIn(type: Type, keys: string[]): boolean {
  keys.length = 0;
  const parts = type.k === "union" ? type.of : [type];
  for (const part of parts) {
    if (part.k !== "primitive" || part.name !== "string" || part.literal === undefined) return false;
    keys.push(part.literal);
  }
  return true;
}

/** Adds the texts that an expression, or each element of a list, is; false where it may be something else. */
function textsIn(unit: Unit, value: Offset, keys: string[], isList: boolean, depth: number): boolean {
  const at = withoutNarrowing(unit, value);
  if (at === 0 || depth > MAX_DEPTH || keys.length > MAX_KEYS) return false;
  const each = (values: readonly Offset[], list: boolean): boolean => values.every((one) => textsIn(unit, one, keys, list, depth + 1));
  switch (unit.op(at)) {
    case Op.String:
      if (!isList) keys.push(unit.text(at, 1));
      return !isList;
    case Op.Or:
      return each(unit.list(at, 1), isList);
    case Op.Array:
      return isList && each(unit.list(at, 1), false);
    case Op.Element:
      return !isList && each([unit.at(at, 1)], true);
    case Op.As:
    case Op.AsConst:
      return each([unit.at(at, 1)], isList);
    case Op.Name: {
      const [declared = 0, ...others] = unit.declarations(unit.at(at, 1));
      return declared !== 0 && others.length === 0 && unit.op(declared) === Op.Variable && each([unit.at(declared, 3)], isList);
    }
    case Op.Parameter: {
      // `names.forEach((name) => this[name]())`
      const { symbol, context } = unit.facts.functions[unit.at(at, 1)]!;
      const call = symbol < 0 && unit.at(at, 2) === 0 && context !== 0 && unit.op(context) === Op.ContextArgument ? unit.at(context, 1) : 0;
      const callee = call === 0 ? 0 : withoutNarrowing(unit, unit.at(call, 1));
      return !isList && callee !== 0 && unit.op(callee) === Op.Member && ITERATES.has(unit.text(callee, 2)) && !unit.text(callee, 2).startsWith("reduce") && each([unit.at(callee, 1)], true);
    }
    default:
      return false;
  }
}
