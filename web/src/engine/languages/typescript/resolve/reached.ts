import type { Offset } from "../facts.ts";
import { isFunction } from "./expressions.ts";
import type { Unit } from "./unit.ts";

/** What a call reaches, and how sure that is. */
export interface Reached {
  unit: Unit;
  symbol: number;
  confidence: number;
  /** How many of its first parameters `bind` has given it. */
  bound?: number | undefined;
}

/** Remembers what the calls of a file reach. */
export class ReachedCalls {
  private reached = new Map<Offset, readonly Reached[]>();

  /** `reachedBy` gives what a call reaches. */
  constructor(private readonly reachedBy: (unit: Unit, call: Offset) => readonly Reached[]) {}

  /** Begins with another file. */
  enter(): void {
    this.reached = new Map<Offset, readonly Reached[]>();
  }

  /** Tells what a call of the file was found to reach. */
  set(call: Offset, reached: readonly Reached[]): void {
    this.reached.set(call, reached);
  }

  /** What a call of the file reaches. */
  by(unit: Unit, call: Offset): readonly Reached[] {
    let reached = this.reached.get(call);
    if (!reached) this.reached.set(call, (reached = this.reachedBy(unit, call)));
    return reached;
  }

  /** The functions and methods of the project that a call of the file reaches with at least this confidence. */
  functions(unit: Unit, call: Offset, confidence: number): readonly Reached[] {
    return this.by(unit, call).filter((one) => one.confidence >= confidence && one.unit.index >= 0 && isFunction(one.unit, one.symbol));
  }
}
