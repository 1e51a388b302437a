import type { Slot, SymbolRef } from "../../language.ts";
import { inherits } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { FunctionFlag } from "./facts.ts";
import type { Callable, Cls } from "./program.ts";
import type { Type } from "./types.ts";

/** What a function returns. */
export const RESULT = "()";
export const CALL = "__call__";

/** What an expression may be, or have in it. `functions`: what calling it may run. `objects`: what classes return. */
export interface Held {
  functions: ReadonlyMap<string, SymbolRef>;
  objects: ReadonlyMap<Cls, Slot>;
  slots: ReadonlyMap<string, Slot>;
}

export const NOTHING: Held = { functions: new Map(), objects: new Map(), slots: new Map() };

export function keyOf({ owner, name }: Slot): string {
  return owner ? `${owner.file}:${owner.symbol}:${name}` : `::${name}`;
}

export function refKey({ file, symbol }: SymbolRef): string {
  return `${file}:${symbol}`;
}

export function isEmpty({ functions, objects, slots }: Held): boolean {
  return functions.size + objects.size + slots.size === 0;
}

/** The part of that name of what a slot holds. */
export function partOf({ owner, name }: Slot, part: string): Slot {
  return { ...(owner ? { owner } : {}), name: `${name}.${part}` };
}

export function depthOf({ name }: Slot): number {
  return name.split(".").length - 1;
}

/** A parameter's place among the arguments of a call that gives no object. */
export function placeOf({ owner, fact: { flags } }: Callable, param: number): string {
  return String(owner && (flags & FunctionFlag.Static) === 0 ? param - 1 : param);
}

const PLAIN = new Set(["str", "int", "bool", "float", "bytes", "complex", "bytearray", "Path", "datetime", "date", "timedelta", "Decimal", "UUID", "Logger"]);

/** False for a declared type that neither is a function nor has one in it. */
export function mayHold(e: Evaluator, type: Type): boolean {
  switch (type.k) {
    case "none": return false;
    case "ext": return !PLAIN.has(type.name) && (type.args.length === 0 || type.args.some((arg) => mayHold(e, arg)));
    case "inst": return inherits(e, type.cls, "Protocol");
    case "tuple": return type.items.some((item) => mayHold(e, item)) || (type.rest !== undefined && mayHold(e, type.rest));
    case "union": return type.items.some((item) => mayHold(e, item));
    default: return true;
  }
}
