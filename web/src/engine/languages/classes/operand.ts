import type { Declaration, Member } from "./program.ts";
import { type Type, UNKNOWN } from "./types.ts";

/** What an expression is. */
export interface Operand {
  type: Type;
  /** How sure the type is. */
  certainty: number;
  /** It names a type. */
  static?: boolean;
  namespace?: string;
}

export interface Target {
  member: Member;
  confidence: number;
  /** The type that it was reached by. */
  receiver?: Declaration | undefined;
  /** A method that is named without being called. */
  named?: true;
}

/** What a call runs and gives. `made` has the class of a new object, or those that it may be of. */
export interface Resolution {
  targets: readonly Target[];
  made?: readonly Declaration[];
  type: Type;
  certainty: number;
}

export const DECLARED = 0.9;
export const INFERRED = 0.7;
export const GUESS = 0.4;
export const NOTHING: Operand = { type: UNKNOWN, certainty: 0 };
export const NO_CALL: Resolution = { targets: [], type: UNKNOWN, certainty: 0 };

export function isNull(type: Type): boolean {
  return type.kind === "foreign" && type.name === "null";
}

/** A confidence without the digits that arithmetic adds. */
export function rounded(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
