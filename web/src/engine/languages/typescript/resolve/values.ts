import { GLOBAL_OBJECTS, INDEX, Op, ThisKind } from "../facts.ts";
import type { Offset, ShapeFact } from "../facts.ts";
import { supertypes } from "./bases.ts";
import { resolveCall, signaturesOf } from "./calls.ts";
import { NUMBER, STRING } from "./checker.ts";
import type { Checker } from "./checker.ts";
import { expected, parameterValue } from "./context.ts";
import { force, valuesOf } from "./deferred.ts";
import { entity } from "./entities.ts";
import { awaited, elementOf, find, foundAt, foundType, memberNamed, memberOf, typeOf } from "./members.ts";
import { narrowedType } from "./narrowing.ts";
import { isCommonJs } from "./program.ts";
import type { Target } from "./program.ts";
import { typeAt } from "./typenodes.ts";
import { GLOBAL, intersection, primitiveType, substitute, union, UNKNOWN } from "./types.ts";
import type { Signature, Type } from "./types.ts";
import type { Unit } from "./unit.ts";

/** Array literals longer than this are lists, not tuples. */
const MAX_TUPLE = 16;

/** The type of an expression, with the type parameters around it left open. */
export function valueOf(c: Checker, unit: Unit, at: Offset): Type {
  if (at === 0) return UNKNOWN;
  return c.once(unit, unit.expressions, at, read);
}

function read(c: Checker, unit: Unit, at: Offset): Type {
  switch (unit.op(at)) {
    case Op.Name:
      return bindingValue(c, unit, unit.at(at, 1));
    case Op.Global:
      return isExports(unit, at) ? { k: "module", unit } : globalValue(c, unit, unit.text(at, 1));
    case Op.This:
      return thisValue(c, unit, at);
    case Op.Super: {
      const shape = unit.facts.shapes[unit.at(at, 1)]!;
      return unit.at(at, 2) === 1 ? valueOf(c, unit, shape.superclass) : supertypes(c, unit, shape)[0] ?? UNKNOWN;
    }
    case Op.Member:
      return isExports(unit, at) ? { k: "module", unit } : typeOf(c, foundAt(c, unit, at));
    case Op.Index:
      return indexed(c, force(c, valueOf(c, unit, unit.at(at, 1))), valueOf(c, unit, unit.at(at, 2)), unit.text(at, 3));
    case Op.Call:
    case Op.New:
      return resolveCall(c, unit, at).result;
    case Op.Await:
      return awaited(c, valueOf(c, unit, unit.at(at, 1)));
    case Op.Function: {
      const fact = unit.facts.functions[unit.at(at, 1)]!;
      const binding = unit.holder(fact);
      return { k: "function", signatures: [{ unit, fact, env: undefined }], ...(binding === undefined ? {} : { home: { unit, binding } }) };
    }
    case Op.Class:
      return { k: "class", unit, shape: unit.facts.shapes[unit.at(at, 1)]!, env: undefined };
    case Op.Object:
      return { k: "instance", unit, shape: unit.facts.shapes[unit.at(at, 1)]!, env: undefined };
    case Op.Array:
      return arrayLiteral(c, unit, unit.list(at, 1));
    case Op.Or:
      return union(unit.list(at, 1).map((a) => valueOf(c, unit, a)));
    case Op.As:
      return typeAt(c, unit, unit.at(at, 2));
    case Op.AsConst:
      return valueOf(c, unit, unit.at(at, 1));
    case Op.String:
      return { k: "primitive", name: "string", literal: unit.text(at, 1) };
    case Op.Key:
    case Op.Pattern:
      return STRING;
    case Op.Primitive: {
      const name = unit.text(at, 1);
      return name === "RegExp" ? c.builtin("RegExp") : primitiveType(name);
    }
    case Op.Parameter: {
      const fact = unit.facts.functions[unit.at(at, 1)]!;
      const type = fact.parameters[unit.at(at, 2)]?.type ?? 0;
      return type !== 0 ? typeAt(c, unit, type) : parameterValue(c, unit, fact, unit.at(at, 2));
    }
    case Op.Element:
      return elementOf(c, force(c, valueOf(c, unit, unit.at(at, 1))), unit.at(at, 2) === 1);
    case Op.At: {
      const whole = force(c, valueOf(c, unit, unit.at(at, 1)));
      return memberAt(c, whole, unit.at(at, 2));
    }
    case Op.Rest: {
      const whole = force(c, valueOf(c, unit, unit.at(at, 1)));
      return unit.at(at, 2) === 1 ? c.arrayOf(elementOf(c, whole)) : whole;
    }
    case Op.Module: {
      const target = c.program.imported(unit, unit.at(at, 1), "=");
      return target ? targetValue(c, target) : UNKNOWN;
    }
    case Op.ImportCall: {
      const target = c.program.module(unit, unit.at(at, 1));
      return target ? c.promiseOf({ k: "module", unit: target }) : UNKNOWN;
    }
    case Op.Narrow:
      return narrowedType(c, unit, at);
    case Op.TypeImport: {
      const target = c.program.module(unit, unit.at(at, 1));
      return target ? { k: "module", unit: target } : UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}

/** Whether an expression is what a CommonJS module gives to others: `exports`, `module.exports`. */
export function isExports(unit: Unit, at: Offset): boolean {
  const op = unit.op(at);
  if (op === Op.Member) return unit.text(at, 2) === "exports" && isGlobal(unit, unit.at(at, 1), "module") && isCommonJs(unit);
  return op === Op.Global && isGlobal(unit, at, "exports") && isCommonJs(unit);
}

function isGlobal(unit: Unit, at: Offset, name: string): boolean {
  return unit.op(at) === Op.Global && unit.text(at, 1) === name;
}

function memberAt(c: Checker, whole: Type, position: number): Type {
  if (whole.k === "tuple") return whole.of[position] ?? whole.rest ?? UNKNOWN;
  if (whole.k === "union") return union(whole.of.map((t) => memberAt(c, force(c, t), position)));
  return elementOf(c, whole);
}

function thisValue(c: Checker, unit: Unit, at: Offset): Type {
  const operand = unit.at(at, 2);
  switch (unit.at(at, 1)) {
    case ThisKind.Instance:
      return unit.thisType(unit.facts.shapes[operand]!);
    case ThisKind.Static:
      return { k: "class", unit, shape: unit.facts.shapes[operand]!, env: undefined };
    case ThisKind.Object:
      return thisOfMethod(c, unit, unit.at(at, 3)) ?? thisOfLiteral(c, unit, unit.facts.shapes[operand]!);
    case ThisKind.Typed:
      return typeAt(c, unit, operand);
    case ThisKind.Constructed:
      return { k: "constructed", unit, binding: operand };
    case ThisKind.Function:
      return declaredValue(c, unit, operand);
    case ThisKind.Value:
      // What a CommonJS module exports is as often called with `new`.
      return isExports(unit, operand) ? UNKNOWN : valueOf(c, unit, operand);
    case ThisKind.Given:
      return valueOf(c, unit, operand);
    default:
      return UNKNOWN;
  }
}

/** `this` that the function is expected to declare which an object literal has: `{ open?: (this: Shop) => void }`. */
function thisOfMethod(c: Checker, unit: Unit, method: number): Type | undefined {
  const { context = 0 } = unit.facts.functions[method] ?? {};
  if (context === 0) return undefined;
  const declaring = signaturesOf(c, expected(c, unit, context), false).find(({ fact }) => fact.thisType !== 0);
  return declaring && substitute(typeAt(c, declaring.unit, declaring.fact.thisType), declaring.env);
}

/** `this` in a function of an object literal: the object, and what it is expected to be, or what `ThisType` says there. */
function thisOfLiteral(c: Checker, unit: Unit, shape: ShapeFact): Type {
  const own: Type = { k: "instance", unit, shape, env: undefined };
  const [first] = shape.members.find(({ functions }) => functions.length > 0)?.functions ?? [];
  const context = first === undefined ? 0 : unit.facts.functions[first]!.context;
  if (context === 0 || unit.op(context) !== Op.ContextProperty) return own;
  const whole = expected(c, unit, unit.at(context, 1));
  const told = (whole.k === "intersection" ? whole.of : [whole]).find((part) => c.isBuiltin(part, "ThisType"));
  return intersection([own, told?.k === "instance" ? told.env?.values[0] ?? UNKNOWN : whole]);
}

/** A spread gives an array; anything short without one is a tuple, which is an array where one is asked for. */
function arrayLiteral(c: Checker, unit: Unit, elements: Offset[]): Type {
  const spread = elements.some((e) => e !== 0 && unit.op(e) === Op.Spread);
  const types = elements.map((e) => (e !== 0 && unit.op(e) === Op.Spread ? elementOf(c, force(c, valueOf(c, unit, unit.at(e, 1)))) : valueOf(c, unit, e)));
  if (elements.length === 0 || spread || elements.length > MAX_TUPLE) return c.arrayOf(elements.length === 0 ? UNKNOWN : union(types));
  return { k: "tuple", of: types, rest: undefined };
}

function indexed(c: Checker, object: Type, index: Type, constant: string): Type {
  if (object.k === "union") return union(object.of.map((t) => indexed(c, force(c, t), index, constant)));
  if (constant !== "") {
    const member = find(c, object, constant)[0];
    if (member?.member) return foundType(c, member);
  }
  if (index.k === "primitive" && index.literal !== undefined) {
    const member = memberOf(c, object, index.literal);
    if (member.k !== "unknown") return member;
  }
  if (object.k === "tuple") return elementOf(c, object);
  const byIndex = memberOf(c, object, INDEX);
  if (byIndex.k !== "unknown") return byIndex;
  if (object.k === "deferred") return memberOf(c, object, index.k === "primitive" && index.literal !== undefined ? index.literal : "*");
  return object.k === "instance" && object.shape.kind === "object" ? valuesOf(c, object) : UNKNOWN;
}

/** The type that a name stands for as a value. */
export function bindingValue(c: Checker, unit: Unit, binding: number): Type {
  return c.once(unit, unit.bindingValues, binding, followed);
}

function followed(c: Checker, unit: Unit, binding: number): Type {
  const target = c.program.follow({ k: "binding", unit, binding });
  if (!target) return UNKNOWN;
  if (target.k !== "binding" || (target.unit === unit && target.binding === binding)) return targetValue(c, target);
  return bindingValue(c, target.unit, target.binding);
}

function targetValue(c: Checker, target: Target): Type {
  switch (target.k) {
    case "module":
      return { k: "module", unit: target.unit };
    case "member": {
      const home = valueOf(c, target.unit, target.of);
      return target.name === undefined ? home : memberNamed(c, home, target.name);
    }
    case "binding":
      return declaredValue(c, target.unit, target.binding);
  }
}

function declaredValue(c: Checker, unit: Unit, binding: number): Type {
  const parts: Type[] = [];
  const functions: Signature[] = [];
  let besides = 0;
  for (const d of unit.declarations(binding)) {
    switch (unit.op(d)) {
      case Op.Variable: {
        const type = unit.at(d, 2);
        let value = type !== 0 ? typeAt(c, unit, type) : valueOf(c, unit, unit.at(d, 3));
        if (value.k === "function" && !value.home && type === 0 && unit.expandos(binding).length > 0) value = { ...value, home: { unit, binding } };
        parts.push(value);
        break;
      }
      case Op.FunctionDeclaration:
        functions.push({ unit, fact: unit.facts.functions[unit.at(d, 2)]!, env: undefined });
        break;
      case Op.ShapeDeclaration: {
        const shape = unit.facts.shapes[unit.at(d, 2)]!;
        if (shape.kind === "class") parts.push({ k: "class", unit, shape, env: undefined });
        break;
      }
      case Op.Enum:
        parts.push({ k: "enum", unit, index: unit.at(d, 2) });
        break;
      case Op.Namespace:
        parts.push({ k: "namespace", unit, index: unit.at(d, 2) });
        break;
      case Op.ImportAlias: {
        const target = entity(c, unit, unit.at(d, 2))?.self;
        parts.push(target ? targetValue(c, target) : valueOf(c, unit, unit.at(d, 2)));
        break;
      }
      case Op.Import:
        besides = d;
        break;
    }
  }
  if (functions.length > 0) {
    const overloads = functions.filter((s) => !s.fact.body);
    parts.unshift({ k: "function", signatures: overloads.length > 0 ? overloads : functions, home: { unit, binding } });
  }
  // What is imported beside declarations may lead back to them: a value among these wins.
  if (parts.length === 0 && besides !== 0) {
    const target = c.program.imported(unit, unit.at(besides, 2), unit.text(besides, 3));
    if (target) return target.k === "binding" ? bindingValue(c, target.unit, target.binding) : targetValue(c, target);
  }
  return parts.length === 0 ? UNKNOWN : parts.length === 1 ? parts[0]! : intersection(parts);
}

function globalValue(c: Checker, from: Unit, name: string): Type {
  for (const { unit, binding } of c.program.globalIn(from, name)) {
    const value = bindingValue(c, unit, binding);
    if (value.k !== "unknown") return value;
  }
  if (GLOBAL_OBJECTS.has(name)) return GLOBAL;
  return name === "NaN" || name === "Infinity" ? NUMBER : UNKNOWN;
}
