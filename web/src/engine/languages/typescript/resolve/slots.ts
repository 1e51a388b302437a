import { SLOT, type Slot, type SymbolRef } from "../../../language.ts";
import type { Offset } from "../facts.ts";
import { declaredSymbol } from "./heritage.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";

/** What an expression may hold beyond so many says nothing. */
const MAX_HELD = 100;
/** Each name of a member in a slot's name is a step away from what owns it. */
const MAX_NAMES = 2;

const NONE: readonly never[] = [];

/** What an expression may hold. */
export class Held {
  functions: readonly SymbolRef[] = NONE;
  slots: readonly Slot[] = NONE;
  /** Members of object literals in a file without types: the name, and the expression of its value. */
  fields: readonly [name: string, value: Offset][] = NONE;
  /** The functions and slots are those of an object literal's members, too. */
  hasLiteral = false;

  get isEmpty(): boolean {
    return this.functions.length + this.slots.length === 0;
  }

  get isFull(): boolean {
    return this.functions.length + this.slots.length > MAX_HELD;
  }

  function(file: number, symbol: number): void {
    if (!this.functions.some((one) => one.file === file && one.symbol === symbol)) this.functions = added(this.functions, { file, symbol });
  }

  slot(owner: SymbolRef | undefined, name: string): void {
    if (!this.slots.some((one) => isSame(one, owner, name))) this.slots = added(this.slots, { owner, name });
  }

  field(name: string, value: Offset): void {
    this.fields = added(this.fields, [name, value]);
  }

  all({ functions, slots, fields, hasLiteral }: Held): void {
    if (this.fields.length < MAX_HELD && fields.length > 0) this.fields = [...this.fields, ...fields];
    this.hasLiteral ||= hasLiteral;
    for (const { file, symbol } of functions) this.function(file, symbol);
    for (const { owner, name } of slots) this.slot(owner, name);
  }
}

export const NOTHING = new Held();

/** Most expressions hold nothing: a list is made for the first that is in it. */
function added<T>(list: readonly T[], one: T): readonly T[] {
  if (list.length === 0) return [one];
  (list as T[]).push(one);
  return list;
}

export function isSame(slot: Slot, owner: SymbolRef | undefined, name: string): boolean {
  return slot.name === name && slot.owner?.symbol === owner?.symbol && slot.owner?.file === owner?.file;
}

/** The slot of a part of what another one holds; of a function without a name, or an object literal, that stands there itself what it is given. */
export function partOf({ owner, name }: Slot, part: string): Slot {
  const parameter = name.endsWith(SLOT.FUNCTION) ? /^\((\d+|:.+)\)$/.exec(part) : undefined;
  const whole = parameter ? `${name.slice(0, -SLOT.FUNCTION.length)}${parameter[1]!}` : `${name}.${part}`;
  return { owner, name: whole };
}

/** Whether a slot is so far from what owns it that parts of it are left out. What a call gives is no step. */
export function isFar({ name }: Slot): boolean {
  const dot = name.indexOf(".");
  return dot >= 0 && name.includes(".", dot + 1) && name.split(".").filter((part) => part !== "()").length > MAX_NAMES;
}

/** The slot of the getters, or the setters, that a field may have instead of a value. */
export function accessorOf({ owner, name }: Slot, kind: "getter" | "setter"): Slot {
  return { owner, name: `${kind} ${name}` };
}

/** The slot of a function without a name, of which `name` is a parameter's place or what stands for the function itself. */
export function unnamed(unit: Unit, index: number, name: string): Slot {
  return { owner: { file: unit.index, symbol: -1 }, name: `(${index})${name}` };
}

/** What has the members that code gives it, by the symbol that it is known by: a class, or a function that is used as one. */
export function ownerOf(type: Type): SymbolRef | undefined {
  let symbol = -1;
  if (type.k === "class" || type.k === "this") ({ symbol } = type.shape);
  else if (type.k === "constructed") symbol = declaredSymbol(type.unit, type.binding);
  else if (type.k === "function" && type.home) {
    const { unit, binding } = type.home;
    symbol = declaredSymbol(unit, binding);
    return symbol >= 0 && unit.index >= 0 ? { file: unit.index, symbol } : undefined;
  } else return undefined;
  return symbol >= 0 && type.unit.index >= 0 ? { file: type.unit.index, symbol } : undefined;
}

/** The class of the project, or the function that is used as one, of whose objects a value is. */
export function objectOf(type: Type): SymbolRef | undefined {
  let symbol = -1;
  if (type.k === "this" || (type.k === "instance" && type.shape.kind === "class")) ({ symbol } = type.shape);
  else if (type.k === "constructed") symbol = declaredSymbol(type.unit, type.binding);
  else return undefined;
  return symbol >= 0 && type.unit.index >= 0 ? { file: type.unit.index, symbol } : undefined;
}
