import { SLOT, type Slot, type Stores } from "../../../language.ts";
import { isTestPath } from "../../../test-paths.ts";
import { Op } from "../facts.ts";
import type { FunctionFact, Offset } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { Content, type Contents } from "./contents.ts";
import { isTable, literalSlot } from "./defined.ts";
import { mayHold } from "./expressions.ts";
import type { HeldValues } from "./held.ts";
import { type Held, isFar, isSame, partOf } from "./slots.ts";
import type { Unit } from "./unit.ts";

/** An object's member, or an argument of a stored function, that may hold more functions and slots than this is left out. */
const MAX_PASSED = 8;

/** Puts what expressions hold into slots, and arguments into the slots of parameters. */
export class SlotWriter {
  /** By index of a file, whether it is a test. */
  private readonly tests: boolean[] = [];

  constructor(private readonly c: Checker, private readonly stores: Stores, private readonly values: HeldValues, private readonly contents: Contents) {}

  /** Puts what an expression holds into a slot, and what its members of a name hold into that part of the slot. */
  put(unit: Unit, slot: Slot, { functions, slots, fields = [], hasLiteral = false }: Pick<Held, "functions" | "slots"> & Partial<Held>): void {
    // Code under test calls no function of its tests, but passes arguments to it.
    const isForeign = this.isTest(unit.index) && slot.owner !== undefined && !this.isTest(slot.owner.file);
    if (hasLiteral && !slot.owner) {
      // The members of an object that is put where any object may have it are known by their names alone.
      functions = [];
      slots = [];
    }
    for (const one of functions) this.stores.put(unit.index, slot, isForeign ? { owner: one, name: SLOT.FUNCTION } : one);
    for (const one of slots) {
      if (!isSame(one, slot.owner, slot.name) && (!isForeign || one.name.endsWith(SLOT.FUNCTION))) this.stores.put(unit.index, slot, one);
    }
    if (isFar(slot)) return;
    for (const [name, value] of fields) {
      const held = this.values.heldBy(unit, value);
      if (held.functions.length + held.slots.length <= MAX_PASSED) this.put(unit, partOf(slot, name), { functions: held.functions, slots: held.slots });
    }
  }

  /** Puts the arguments of a call into the parameters of a function. */
  passTo(unit: Unit, args: readonly Offset[], home: Unit, fact: FunctionFact): void {
    const last = fact.parameters.length - 1;
    const rest = fact.parameters[last]?.rest === true;
    for (let i = 0; i < args.length; i++) {
      const value = args[i]!;
      const spread = value !== 0 && unit.op(value) === Op.Spread;
      const position = rest && (spread || i >= last) ? last : i;
      const parameter = fact.parameters[position];
      if (!parameter || (spread && !rest)) return;
      if (value === 0 || !mayHold(unit, value)) continue;
      const owner = { file: home.index, symbol: fact.symbol };
      if (this.contents.ofParameter(home, parameter) !== Content.Functions) continue;
      const slot = { owner, name: String(position) };
      this.put(unit, slot, this.values.heldBy(unit, value));
      if (isTable(unit, value)) this.put(unit, slot, { functions: [], slots: [literalSlot(unit, unit.at(value, 1))] });
    }
  }

  /** Puts the arguments of a call into the parameters of the functions that slots hold. */
  passToStored(unit: Unit, args: readonly Offset[], called: readonly Slot[]): void {
    if (called.length === 0) return;
    for (let i = 0; i < args.length; i++) {
      const value = args[i]!;
      if (value !== 0 && unit.op(value) === Op.Spread) return;
      if (value === 0 || !mayHold(unit, value)) continue;
      const held = this.values.heldBy(unit, value);
      if (held.functions.length + held.slots.length > MAX_PASSED) continue;
      // The members of an object are known by their names alone here.
      const passed = held.hasLiteral ? { functions: [], slots: [], fields: held.fields } : held;
      for (const slot of called) this.put(unit, partOf(slot, `(${i})`), passed);
    }
  }

  private isTest(file: number): boolean {
    return (this.tests[file] ??= isTestPath(this.c.program.units[file]!.path));
  }
}
