import type { Method, Module } from "./program.ts";
import { identical, type Type, UNKNOWN } from "./types.ts";

/** What an expression is. */
export interface Operand {
  type: Type;
  /** How sure the type is. */
  certainty: number;
  /** Of a constant that is given a value: which one it is, whatever that value is. */
  constant?: string;
}

export interface Target {
  method: Method;
  confidence: number;
}

/** What a call runs and gives. `made` is the class of a new object, `others` those that it may be of as well. */
export interface Resolution {
  targets: readonly Target[];
  made?: { module: Module; confidence: number; others?: readonly Module[] };
  type: Type;
  certainty: number;
}

/** What an object of a class of the code base, or `self`, runs. */
export const KNOWN = 0.9;
export const INFERRED = 0.7;
/** One of several things that may run. */
export const POSSIBLE = 0.6;
/** By name alone. */
export const GUESS = 0.4;
export const NOTHING: Operand = { type: UNKNOWN, certainty: 0 };
export const NO_CALL: Resolution = { targets: [], type: UNKNOWN, certainty: 0 };

/** The least certainty of those that say something, `most` at most. */
export function lowest(most: number, operands: readonly Operand[]): number {
  return operands.reduce((least, { type, certainty }) => (type.kind === "unknown" ? least : Math.min(least, certainty)), most);
}

export function sameOperand(a: Operand, b: Operand): boolean {
  return a.certainty === b.certainty && a.constant === b.constant && identical(a.type, b.type);
}

export function sameResolution(a: Resolution, b: Resolution): boolean {
  return sameOperand(a, b) && a.made?.module === b.made?.module && a.made?.confidence === b.made?.confidence && a.made?.others?.length === b.made?.others?.length
    && (a.made?.others ?? []).every((one, i) => one === b.made!.others![i]) && a.targets.length === b.targets.length
    && a.targets.every(({ method, confidence }, i) => method === b.targets[i]!.method && confidence === b.targets[i]!.confidence);
}
