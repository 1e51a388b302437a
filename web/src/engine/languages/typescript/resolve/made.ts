import { SLOT, type Slot } from "../../../language.ts";
import { type Offset, Op } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { mayHold, withoutNarrowing } from "./expressions.ts";
import { fieldsOf } from "./field-slots.ts";
import type { HeldValues } from "./held.ts";
import { namesOf } from "./members.ts";
import type { Target } from "./program.ts";
import type { SlotWriter } from "./slot-writer.ts";
import { partOf, unnamed } from "./slots.ts";
import { typeAt } from "./typenodes.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Names for names, objects in objects. */
const MAX_DEPTH = 8;
/** No more members of what a call is given are told. */
const MAX_MEMBERS = 100;

/** The slot of what a library's function gives where a file calls it, or of an object literal. */
export function madeAt(unit: Unit, at: Offset): Slot {
  return { owner: { file: unit.index, symbol: -1 }, name: `${at}()` };
}

/** Whether values are data alone, of which no object with functions is made. Without any, functions may be given to it later. */
export function isData(unit: Unit, values: readonly Offset[]): boolean {
  const given = values.filter((value) => value !== 0 && !(unit.op(value) === Op.Primitive && ["null", "undefined"].includes(unit.text(value, 1))));
  return given.length > 0 && given.every((value) => unit.op(value) === Op.Global || !mayHold(unit, value));
}

/** Whether an object literal has members that may be functions, or objects with such. */
export function hasMembers(unit: Unit, literal: Offset): boolean {
  return unit.facts.shapes[unit.at(literal, 1)]!.members.some(({ kind, functions, initialiser }) => (kind === "method" && functions.length > 0) || (initialiser !== 0 && mayHold(unit, initialiser)));
}

/** Whether an expression is something that a library exports, or a part of that, or what that gives. */
export function isOfLibrary(c: Checker, unit: Unit, at: Offset): boolean {
  for (let depth = 0; at !== 0 && depth < MAX_DEPTH; depth++) {
    switch (unit.op(at)) {
      case Op.Member:
      case Op.Call:
      case Op.Narrow:
        at = unit.at(at, 1);
        break;
      case Op.Module:
        return isOutside(c.program.imported(unit, unit.at(at, 1), "="));
      case Op.Name: {
        const binding = unit.at(at, 1);
        const [declared = 0, ...others] = unit.declarations(binding);
        if (declared === 0 || others.length > 0) return false;
        if (unit.op(declared) === Op.Import) return isOutside(c.program.follow({ k: "binding", unit, binding }));
        // `const { once } = require("x")`
        at = unit.op(declared) === Op.Variable ? unit.at(declared, 3) : 0;
        while (at !== 0 && unit.op(at) === Op.Member) at = unit.at(at, 1);
        if (at === 0 || unit.op(at) !== Op.Module) return false;
        break;
      }
      default:
        return false;
    }
  }
  return false;
}

/** Whether what an import leads to is none of the project's. */
function isOutside(target: Target | undefined): boolean {
  return target === undefined || target.unit.index < 0;
}

/**
 * Tells what libraries make of what they are given. Nothing is known of it but that the members of the objects that it was made of are somewhere
 * in it: `create((set) => ({ open() {} }))`, `createSlice({ reducers: { add() {} } })`, `reactive({ close })`.
 */
export class MadeObjects {
  constructor(private readonly c: Checker, private readonly values: HeldValues, private readonly writer: SlotWriter) {}

  /** What an object literal of the file has. */
  literal(unit: Unit, at: Offset): void {
    const whole = madeAt(unit, at);
    const prefix = whole.name.slice(0, -"()".length);
    this.writer.put(unit, whole, { functions: [], slots: [{ owner: whole.owner, name: `${prefix}${SLOT.LITERAL}` }] });
    for (const { name, kind, functions, initialiser } of unit.facts.shapes[unit.at(at, 1)]!.members) {
      const member = { owner: whole.owner, name: `${prefix}.(${name})` };
      const symbols = kind === "method" ? functions.flatMap((index) => unit.facts.functions[index]!.symbol) : [];
      this.writer.put(unit, member, { functions: symbols.filter((symbol) => symbol >= 0).map((symbol) => ({ file: unit.index, symbol })), slots: [] });
      if (initialiser === 0 || !mayHold(unit, initialiser)) continue;
      const { functions: held, slots } = this.values.heldBy(unit, initialiser);
      // Calling an object within it calls nothing.
      this.writer.put(unit, member, { functions: unit.op(initialiser) === Op.Object ? [] : held, slots });
    }
  }

  /** What a call of the file makes. */
  call(unit: Unit, call: Offset): void {
    const made = madeAt(unit, call);
    const prefix = made.name.slice(0, -"()".length);
    const memberOf = (name: string): Slot => ({ owner: made.owner, name: `${prefix}.(${name})` });
    this.writer.put(unit, made, { functions: [], slots: [{ owner: made.owner, name: `${prefix}${SLOT.MADE}` }] });
    const values = unit.list(call, 3 + unit.at(call, 2));
    const members = new Members(unit);
    for (const value of values) {
      members.of(value, 0);
      if (value !== 0 && mayHold(unit, value) && unit.op(value) !== Op.Object && unit.op(value) !== Op.Function) this.writer.put(unit, memberOf("*"), { functions: [], slots: this.values.heldBy(unit, value).slots });
    }
    for (const [name, symbol, value] of members.found) {
      this.writer.put(unit, memberOf(name), value === 0 ? { functions: [{ file: unit.index, symbol }], slots: [] } : this.values.heldBy(unit, value));
    }
    this.given(unit, values, [made]);
    for (const value of values) this.declared(unit, value, memberOf);
  }

  /** The members that a function declares its parameters to have are those of what is made: `memo((props: Props) => …)`, whose attributes an element gives it. */
  private declared(unit: Unit, value: Offset, memberOf: (name: string) => Slot): void {
    const type = value === 0 || unit.op(value) !== Op.Function && unit.op(value) !== Op.Name ? undefined : valueOf(this.c, unit, value);
    const [signature] = type?.k === "function" ? type.signatures : [];
    const parameter = signature?.fact.parameters[0]?.type ?? 0;
    if (!signature || parameter === 0) return;
    const declared = typeAt(this.c, signature.unit, parameter);
    for (const name of namesOf(this.c, declared).slice(0, MAX_MEMBERS)) {
      for (const slot of fieldsOf(this.c, declared, name)) this.writer.put(unit, slot, { functions: [], slots: [memberOf(name)] });
    }
  }

  /** Functions are given what their call gives, or parts of it: `create((set, get) => …)`, `useStore((state) => state.open)`. */
  given(unit: Unit, values: readonly Offset[], called: readonly Slot[]): void {
    for (const value of values) {
      if (value === 0 || unit.op(value) !== Op.Function) continue;
      const index = unit.at(value, 1);
      const { symbol, parameters } = unit.facts.functions[index]!;
      const slots = called.map((slot) => partOf(slot, SLOT.AS_MADE));
      parameters.forEach((_, i) => {
        this.writer.put(unit, symbol < 0 ? unnamed(unit, index, String(i)) : { owner: { file: unit.index, symbol }, name: String(i) }, { functions: [], slots });
      });
    }
  }
}

/** The members of objects, of objects in these, and of those that functions give. */
class Members {
  /** The name, and the symbol of a function or the expression of another value. */
  readonly found: [name: string, symbol: number, value: Offset][] = [];

  constructor(private readonly unit: Unit) {}

  of(value: Offset, depth: number): void {
    const { unit } = this;
    const at = withoutNarrowing(unit, value);
    if (at === 0 || depth > MAX_DEPTH || this.found.length > MAX_MEMBERS) return;
    switch (unit.op(at)) {
      case Op.Object: {
        const { members, spreads } = unit.facts.shapes[unit.at(at, 1)]!;
        for (const { name, kind, functions, initialiser } of members) {
          for (const index of kind === "method" ? functions : []) {
            const { symbol } = unit.facts.functions[index]!;
            if (symbol >= 0) this.found.push([name, symbol, 0]);
          }
          if (initialiser === 0) continue;
          if (unit.op(initialiser) === Op.Object) this.of(initialiser, depth + 1);
          else if (mayHold(unit, initialiser)) this.found.push([name, -1, initialiser]);
        }
        for (const spread of spreads) this.of(spread, depth + 1);
        break;
      }
      case Op.Function:
        for (const result of unit.facts.functions[unit.at(at, 1)]!.results) this.of(result, depth + 1);
        break;
      case Op.As:
      case Op.AsConst:
      case Op.Await:
        this.of(unit.at(at, 1), depth + 1);
        break;
      case Op.Or:
        for (const one of unit.list(at, 1)) this.of(one, depth + 1);
        break;
      case Op.Name:
        for (const declared of unit.declarations(unit.at(at, 1))) {
          if (unit.op(declared) === Op.Variable) this.of(unit.at(declared, 3), depth + 1);
          else if (unit.op(declared) === Op.FunctionDeclaration) for (const result of unit.facts.functions[unit.at(declared, 2)]!.results) this.of(result, depth + 1);
        }
        break;
    }
  }
}
