import { SLOT, type Slot, type SymbolRef } from "../../../language.ts";
import { type FunctionFact, type Offset, Op, ThisKind } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { expectedArgument } from "./context.ts";
import { withoutNarrowing } from "./expressions.ts";
import { fieldsOf } from "./field-slots.ts";
import type { HeldValues } from "./held.ts";
import { memberOf } from "./members.ts";
import type { SlotWriter } from "./slot-writer.ts";
import { accessorOf, partOf } from "./slots.ts";
import type { Found } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Names for names. */
const MAX_DEPTH = 8;

const ACCESSORS = ["getter", "setter"] as const;
type Accessor = (typeof ACCESSORS)[number];

/** Puts accessors that code defines under names that are values into the slots of the members of these names. */
export class DefinedAccessors {
  constructor(
    private readonly c: Checker, private readonly values: HeldValues,
    private readonly writer: SlotWriter,
  ) {}

  /** `for (const key in table) Object.defineProperty(object, key, { get() {} })` */
  file(unit: Unit): void {
    for (const { key, accessor, symbol } of unit.facts.keyed ?? []) {
      this.c.question();
      this.eachName(unit, key, accessor, { file: unit.index, symbol });
    }
  }

  /** `defineLazy(object, "shape", compute)`: reading the `shape` of what it is given may run the getter that the function defines. */
  call(unit: Unit, values: readonly Offset[], home: Unit, fact: FunctionFact): void {
    for (const { object, parameter, accessor, symbol } of fact.defines ?? []) {
      const key = values[parameter] ?? 0;
      if (key === 0) continue;
      const defined = { file: home.index, symbol };
      if (unit.op(key) !== Op.String) {
        this.eachName(unit, key, accessor, defined);
        continue;
      }
      const path = pathFrom(home, object, fact, 0);
      // Where the object comes from something else, it may be any that is given.
      const objects = path ? [values[path.parameter] ?? 0] : values;
      for (const value of objects) {
        if (value === 0 || value === key) continue;
        const type = (path?.names ?? []).reduce((whole, name) => memberOf(this.c, whole, name), valueOf(this.c, unit, value));
        for (const slot of fieldsOf(this.c, type, unit.text(key, 1))) this.writer.put(unit, accessorOf(slot, accessor), { functions: [defined], slots: [] });
      }
    }
  }

  /** `Object.defineProperty(object, "shape", { get })`, where the type of the object declares the member. */
  property(unit: Unit, call: Offset): void {
    const [object = 0, key = 0, descriptor = 0] = unit.list(call, 3 + unit.at(call, 2));
    if (object === 0 || key === 0 || unit.op(key) !== Op.String || descriptor === 0 || unit.op(descriptor) !== Op.Object) return;
    for (const { name, symbol, initialiser } of unit.facts.shapes[unit.at(descriptor, 1)]!.members) {
      const accessor = name === "get" ? "getter" : name === "set" ? "setter" : undefined;
      if (!accessor) continue;
      const held = symbol >= 0 ? { functions: [{ file: unit.index, symbol }], slots: [] } : this.values.heldBy(unit, initialiser);
      for (const slot of fieldsOf(this.c, valueOf(this.c, unit, object), unit.text(key, 1))) this.writer.put(unit, accessorOf(slot, accessor), held);
    }
  }

  /** An object literal that is an argument: accessors may be defined under the names of its functions. */
  argument(unit: Unit, call: Offset, position: number, value: Offset): void {
    if (unit.isUntyped || !isTable(unit, value)) return;
    const type = expectedArgument(this.c, unit, call, position);
    for (const { name, symbol } of unit.facts.shapes[unit.at(value, 1)]!.members) {
      if (symbol < 0) continue;
      for (const slot of fieldsOf(this.c, type, name)) {
        for (const accessor of ACCESSORS) this.writer.put(unit, accessorOf(slot, accessor), { functions: [], slots: [partOf(literalSlot(unit, unit.at(value, 1)), definedUnderNames(accessor))] });
      }
    }
  }

  /** The slots of what reading a member of `this` may run in an object literal that is handed on, whose names may be given accessors. */
  ofThis(unit: Unit, object: Offset, found: readonly Found[], accessor: Accessor): readonly Slot[] {
    if (object === 0 || unit.op(object) !== Op.This || unit.at(object, 1) !== ThisKind.Object || !found.some(({ shape }) => shape?.kind === "object")) return [];
    return [partOf(literalSlot(unit, unit.at(object, 2)), definedUnderNames(accessor))];
  }

  /** An accessor that is defined under each name of the members of a table. */
  private eachName(unit: Unit, key: Offset, accessor: Accessor, defined: SymbolRef): void {
    const table = tableOf(unit, key, 0);
    if (table === 0) return;
    for (const slot of this.values.heldBy(unit, table).slots) this.writer.put(unit, partOf(slot, definedUnderNames(accessor)), { functions: [defined], slots: [] });
  }
}

/** Whether an expression is an object literal with functions in it. */
export function isTable(unit: Unit, value: Offset): boolean {
  return unit.op(value) === Op.Object && unit.facts.shapes[unit.at(value, 1)]!.members.some(({ symbol }) => symbol >= 0);
}

/** What an object literal is known by where it is put, to be given accessors. */
export function literalSlot(unit: Unit, shape: number): Slot {
  return { owner: { file: unit.index, symbol: -1 }, name: `(literal ${shape})${SLOT.FUNCTION}` };
}

/** The part of what holds a table that is given what is defined under the names of the table's members. */
function definedUnderNames(accessor: Accessor): string {
  return `(:${accessor})`;
}

/** The parameter of a function that an expression in it begins with, and the names of the members that lead on: `Object.getPrototypeOf(of.inner)`. */
function pathFrom(unit: Unit, value: Offset, fact: FunctionFact, depth: number): { parameter: number; names: string[] } | undefined {
  const at = withoutNarrowing(unit, value);
  if (at === 0 || depth > MAX_DEPTH) return undefined;
  switch (unit.op(at)) {
    case Op.Name:
      return pathFrom(unit, onlyValue(unit, unit.at(at, 1)), fact, depth + 1);
    case Op.As:
      return pathFrom(unit, unit.at(at, 1), fact, depth + 1);
    case Op.Member: {
      const path = pathFrom(unit, unit.at(at, 1), fact, depth + 1);
      return path && { ...path, names: [...path.names, unit.text(at, 2)] };
    }
    case Op.Call:
      return pathFrom(unit, argumentOf(unit, at, "getPrototypeOf"), fact, depth + 1);
    case Op.Parameter:
      return unit.facts.functions[unit.at(at, 1)] === fact ? { parameter: unit.at(at, 2), names: [] } : undefined;
    default:
      return undefined;
  }
}

/** What a variable that is declared once starts with; 0 for others. */
function onlyValue(unit: Unit, binding: number): Offset {
  const [declared = 0, ...others] = unit.declarations(binding);
  return declared !== 0 && others.length === 0 && unit.op(declared) === Op.Variable ? unit.at(declared, 3) : 0;
}

/** The object that a value is the name of a member of: `table` for the `key` of `for (const key in table)`, or of a loop over `Object.keys(table)`; 0 for other values. */
function tableOf(unit: Unit, value: Offset, depth: number): Offset {
  const at = withoutNarrowing(unit, value);
  if (at === 0 || depth > MAX_DEPTH) return 0;
  switch (unit.op(at)) {
    case Op.Name:
      return tableOf(unit, onlyValue(unit, unit.at(at, 1)), depth + 1);
    case Op.As:
      return tableOf(unit, unit.at(at, 1), depth + 1);
    case Op.Key:
      return unit.at(at, 1);
    case Op.Element:
      return argumentOf(unit, unit.at(at, 1), "keys");
    case Op.At: {
      const entry = unit.at(at, 1);
      return unit.at(at, 2) === 0 && entry !== 0 && unit.op(entry) === Op.Element ? argumentOf(unit, unit.at(entry, 1), "entries") : 0;
    }
    case Op.Parameter: {
      // `Object.keys(table).forEach((key) => {})`
      const { context } = unit.facts.functions[unit.at(at, 1)]!;
      if (unit.at(at, 2) !== 0 || context === 0 || unit.op(context) !== Op.ContextArgument || unit.at(context, 1) === 0) return 0;
      const callee = unit.at(unit.at(context, 1), 1);
      return callee !== 0 && unit.op(callee) === Op.Member && unit.text(callee, 2) === "forEach" ? argumentOf(unit, unit.at(callee, 1), "keys") : 0;
    }
    default:
      return 0;
  }
}

/** The first argument of a call of a function of `Object`, such as `Object.keys(table)`; 0 for other expressions. */
function argumentOf(unit: Unit, at: Offset, method: "keys" | "entries" | "getPrototypeOf"): Offset {
  return at !== 0 && unit.op(at) === Op.Call && isOfObject(unit, unit.at(at, 1), method) ? unit.list(at, 3 + unit.at(at, 2))[0] ?? 0 : 0;
}

/** Whether a callee is a function of `Object`, or of `Reflect`. */
export function isOfObject(unit: Unit, callee: Offset, method: string): boolean {
  if (callee === 0 || unit.op(callee) !== Op.Member || unit.text(callee, 2) !== method) return false;
  const object = unit.at(callee, 1);
  return object !== 0 && unit.op(object) === Op.Global && (unit.text(object, 1) === "Object" || unit.text(object, 1) === "Reflect");
}
