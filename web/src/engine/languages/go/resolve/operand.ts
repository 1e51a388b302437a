import type { SymbolRef } from "../../../language.ts";
import type { Package } from "./packages.ts";
import { FOREIGN, type Named, type Type, type TypeParameter, UNKNOWN } from "./types.ts";

/** What a record in a file's code stands for. */
export interface Operand {
  mode: "value" | "type" | "package" | "foreign" | "builtin";
  /** A value's type, or the type itself. */
  type: Type;
  /** Chance that `type` and `refs` are right, as edges state it. */
  certainty: number;
  /** Declarations that a call of it runs; several are build variants. */
  refs?: readonly SymbolRef[];
  /** The interface type through which a method was selected: its implementations may run instead. */
  through?: Type;
  /** The type outside the repository, maybe an interface, through which something was selected: what embeds it may run instead. */
  outside?: Named;
  /** Of a package of the repository. */
  package?: Package;
  /** A builtin's name; the import path of a package outside the repository, or path and name of something in one. */
  name?: string;
  /** Parameters of a generic alias that is not instantiated yet. */
  parameters?: readonly TypeParameter[];
  /** The field that was selected, and the type that has it. */
  field?: string;
  owner?: SymbolRef | undefined;
  /** The name of what was selected on a value of unknown type. */
  guess?: string;
}

export const CERTAIN = 1;
/** Follows from declared types. */
export const DECLARED = 0.9;
/** Rests on inferred type arguments. */
export const INFERRED = 0.8;
/** One of the implementations behind an interface, or a function handed on as a value. */
export const POSSIBLE = 0.6;
/** The only method of that name, on a receiver of unknown type; that of what embeds a receiver's type, which is an interface or not. */
export const GUESSED = 0.4;

export function valueOf(type: Type, certainty = CERTAIN): Operand {
  return { mode: "value", type, certainty };
}

export function typeOperand(type: Type): Operand {
  return { mode: "type", type, certainty: CERTAIN };
}

export const UNKNOWN_VALUE = valueOf(UNKNOWN);
/** What leads back to itself: another value than UNKNOWN_VALUE, since no dot import may bring it. */
export const CIRCULAR_VALUE = valueOf(UNKNOWN);
export const FOREIGN_VALUE = valueOf(FOREIGN);

const outside = new WeakMap<Named, Operand>();

/** What is selected on a type outside the repository. */
export function memberOutside(type: Named): Operand {
  let operand = outside.get(type);
  if (!operand) outside.set(type, (operand = { ...FOREIGN_VALUE, outside: type }));
  return operand;
}
