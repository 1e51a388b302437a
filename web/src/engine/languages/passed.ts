import type { Emit, SymbolRef } from "../language.ts";

/** A function that is used as a value may be called by the code that it is given to. */
export const MAY_CALL = 0.6;

/** The relations of a function, method or class that is used as a value: the reference, and the call that may follow, by `caller`. */
export function emitPassed(emit: Emit, from: SymbolRef, to: SymbolRef, certainty: number, line: number, caller = from): void {
  emit("REFERENCES", from, to, certainty, line);
  emit("CALLS", caller, to, Math.min(certainty, MAY_CALL), line);
}
