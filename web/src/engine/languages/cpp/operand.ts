import type { MacroFact } from "./facts.ts";
import type { Function, Of, Space, Variable } from "./program.ts";
import { type Type, UNKNOWN } from "./types.ts";

/** What an expression is: a value of a type, or what a name stands for. */
export interface Operand {
  type: Type;
  /** How sure the type is. */
  certainty: number;
  functions?: readonly Function[];
  /** Template arguments of a function's name. */
  args?: readonly Type[];
  variable?: Variable;
  /** It names a class. */
  made?: Space;
}

export interface Target {
  function: Function;
  confidence: number;
}

/** What a call runs, and gives. */
export interface Resolution {
  targets: readonly Target[];
  macro?: Of<MacroFact>;
  made?: Space;
  type: Type;
  certainty: number;
}

export const SURE = 1;
export const DECLARED = 0.9;
export const UNSEEN = 0.8;
export const INFERRED = 0.7;
export const POSSIBLE = 0.6;
export const GUESS = 0.4;
/** What has more overriding methods says nothing about which of them runs. */
export const MAX_POSSIBLE = 100;
export const NOTHING: Operand = { type: UNKNOWN, certainty: 0 };
export const NO_CALL: Resolution = { targets: [], type: UNKNOWN, certainty: 0 };
