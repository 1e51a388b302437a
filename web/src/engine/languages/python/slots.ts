import type { Slot, SymbolRef } from "../../language.ts";
import { inherits } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { FunctionFlag } from "./facts.ts";
import type { Callable } from "./program.ts";
import type { Type } from "./types.ts";

/** What a function returns. */
export const RESULT = "()";
export const CALL = "__call__";

/** What an expression may be, or have in it, each once. `functions`: what calling it may run. `objects`: what classes return. */
export interface Held {
  functions: readonly Owner[];
  objects: readonly OneSlot[];
  slots: readonly OneSlot[];
}

export const NOTHING: Held = { functions: [], objects: [], slots: [] };

/** So many are looked through one by one. */
const FEW = 8;

/** Different things, in the order in which they came: mostly one or two, for which a set would be large. */
export class Distinct<T> {
  readonly all: T[] = [];
  private index: Set<T> | undefined;

  /** False for one that is among them. */
  add(one: T): boolean {
    const { all, index } = this;
    if (index ? index.has(one) : all.includes(one)) return false;
    all.push(one);
    if (index) index.add(one);
    else if (all.length > FEW) this.index = new Set(all);
    return true;
  }
}

/** A symbol that may have slots, and these by name. */
export interface Owner extends SymbolRef {
  readonly slots: Map<string, OneSlot>;
}

/** A slot of a `SlotTable`. */
export interface OneSlot extends Slot {
  readonly owner: Owner | undefined;
  /** How many names of parts it has. */
  readonly depth: number;
  /** The slots of its parts, by the parts' names. */
  parts: Map<string, OneSlot> | undefined;
}

/** Slots and their owners, one object for each. */
export class SlotTable {
  /** By file and symbol. */
  private readonly owners: Owner[][] = [];
  private readonly some = new Map<string, OneSlot>();

  owner(file: number, symbol: number): Owner {
    return ((this.owners[file] ??= [])[symbol] ??= { file, symbol, slots: new Map() });
  }

  of(owner: Owner | undefined, name: string): OneSlot {
    const slots = owner ? owner.slots : this.some;
    let slot = slots.get(name);
    if (!slot) slots.set(name, (slot = { owner, name, depth: 0, parts: undefined }));
    return slot;
  }

  /** The part of that name of what a slot holds. */
  part(slot: OneSlot, name: string): OneSlot {
    const parts = (slot.parts ??= new Map<string, OneSlot>());
    let part = parts.get(name);
    if (!part) parts.set(name, (part = { owner: slot.owner, name: `${slot.name}.${name}`, depth: slot.depth + 1, parts: undefined }));
    return part;
  }
}

export function isEmpty({ functions, objects, slots }: Held): boolean {
  return functions.length + objects.length + slots.length === 0;
}

/** A parameter's place among the arguments of a call that gives no object. */
export function placeOf({ owner, fact: { flags } }: Callable, param: number): string {
  return String(owner && (flags & FunctionFlag.Static) === 0 ? param - 1 : param);
}

const PLAIN = new Set(["str", "int", "bool", "float", "bytes", "complex", "bytearray", "Path", "datetime", "date", "timedelta", "Decimal", "UUID", "Logger"]);

/** Whether an object of a type is neither a function nor has one in it, whatever code does with it. */
export function isPlain(type: Type): boolean {
  return type.k === "ext" && PLAIN.has(type.name);
}

/** False for a declared type that neither is a function nor has one in it. */
export function mayHold(e: Evaluator, type: Type): boolean {
  switch (type.k) {
    case "none": return false;
    case "ext": return !isPlain(type) && (type.args.length === 0 || type.args.some((arg) => mayHold(e, arg)));
    case "inst": return inherits(e, type.cls, "Protocol") || inherits(e, type.cls, "TypedDict");
    case "tuple": return type.items.some((item) => mayHold(e, item)) || (type.rest !== undefined && mayHold(e, type.rest));
    case "union": return type.items.some((item) => mayHold(e, item));
    default: return true;
  }
}
