import type { SymbolRef } from "../../../language.ts";
import { type Offset, Op } from "../facts.ts";
import { withoutNarrowing } from "./expressions.ts";
import type { HeldValues } from "./held.ts";
import type { Unit } from "./unit.ts";

/** A Call or a New, with its arguments. */
export interface CallSite {
  readonly unit: Unit;
  readonly at: Offset;
  /** The expression that is called as it stands: of `f.call(x)`, `f.call`. */
  readonly written: Offset;
  /** Of `f.call(x)`, `f`. */
  readonly callee: Offset;
  /** Of the member that `written` is, "" for none. */
  readonly name: string;
  readonly args: readonly Offset[];
  readonly isNew: boolean;
  /** By `f.call()` or `f.apply()`: the first argument is `this`. */
  readonly isIndirect: boolean;
  /** The caller. */
  readonly by: SymbolRef;
  readonly line: number;
}

/** The call that stands at an offset. */
export function callSite(values: HeldValues, unit: Unit, at: Offset, by: SymbolRef, line: number): CallSite {
  const written = withoutNarrowing(unit, unit.at(at, 1));
  const name = written !== 0 && unit.op(written) === Op.Member ? unit.text(written, 2) : "";
  const isIndirect = (name === "call" || name === "apply") && !values.isOurs(unit, written);
  const callee = isIndirect ? withoutNarrowing(unit, unit.at(written, 1)) : written;
  return { unit, at, written, callee, name, args: unit.list(at, 3 + unit.at(at, 2)), isNew: unit.op(at) === Op.New, isIndirect, by, line };
}
