import { SLOT, type Slot, type SymbolRef } from "../../../language.ts";
import { Op, ThisKind } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { declaredSymbol } from "./heritage.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";

export function isSame(slot: Slot, owner: SymbolRef | undefined, name: string): boolean {
  return slot.name === name && slot.owner?.symbol === owner?.symbol && slot.owner?.file === owner?.file;
}

/** The slot of a part of what another one holds; of a function without a name that stands there itself its parameters. */
export function partOf({ owner, name }: Slot, part: string): Slot {
  const parameter = name.endsWith(SLOT.FUNCTION) ? /^\((\d+)\)$/.exec(part) : undefined;
  const whole = parameter ? `${name.slice(0, -SLOT.FUNCTION.length)}${parameter[1]!}` : `${name}.${part}`;
  return owner ? { owner, name: whole } : { name: whole };
}

/** The slot of the getters, or the setters, that a field may have instead of a value. */
export function accessorOf({ owner, name }: Slot, kind: "getter" | "setter"): Slot {
  return { ...(owner ? { owner } : {}), name: `${kind} ${name}` };
}

/** The slot of a function without a name, of which `name` is a parameter's place or what stands for the function itself. */
export function unnamed(unit: Unit, index: number, name: string): Required<Slot> {
  return { owner: { file: unit.index, symbol: -1 }, name: `(${index})${name}` };
}

/** Whether a file's code declares no types, so that what its functions are given is told by what calls them. */
export function isUntyped({ path }: Unit): boolean {
  return /\.[cm]?jsx?$/.test(path);
}

export function isFunction(unit: Unit, symbol: number): boolean {
  const kind = unit.symbols[symbol]?.kind;
  return kind === "Function" || kind === "Method";
}

/** What has the members that code gives it, by the symbol that it is known by: a class, or a function that is used as one. */
export function ownerOf(type: Type): SymbolRef | undefined {
  let symbol = -1;
  if (type.k === "class" || type.k === "this") ({ symbol } = type.shape);
  else if (type.k === "constructed") symbol = declaredSymbol(type.unit, type.binding);
  else if (type.k === "function" && type.home) symbol = declaredSymbol(type.home.unit, type.home.binding);
  else return undefined;
  return symbol >= 0 && type.k !== "function" && type.unit.index >= 0 ? { file: type.unit.index, symbol } : undefined;
}

/** The class of the project, or the function that is used as one, of whose objects a value is. */
export function objectOf(type: Type): SymbolRef | undefined {
  let symbol = -1;
  if (type.k === "this" || (type.k === "instance" && type.shape.kind === "class")) ({ symbol } = type.shape);
  else if (type.k === "constructed") symbol = declaredSymbol(type.unit, type.binding);
  else return undefined;
  return symbol >= 0 && type.unit.index >= 0 ? { file: type.unit.index, symbol } : undefined;
}

export function withoutNarrowing(unit: Unit, at: Offset): Offset {
  while (at !== 0 && unit.op(at) === Op.Narrow) at = unit.at(at, 1);
  return at;
}

/** Whether an expression may have functions in it that are known by name or are given something, or be an object whose members are called. */
export function mayHold(unit: Unit, at: Offset): boolean {
  const op = unit.op(at);
  if (op === Op.Function) return unit.facts.functions[unit.at(at, 1)]!.symbol >= 0 || unit.facts.functions[unit.at(at, 1)]!.parameters.some(({ type }) => type === 0);
  return op !== Op.String && op !== Op.Primitive && op !== Op.Class && op !== Op.Module && (op !== Op.This || unit.at(at, 1) === ThisKind.Unknown || isUntyped(unit));
}
