import { SLOT, type Stores } from "../../../language.ts";
import { type Offset, Op } from "../facts.ts";
import type { CallSite } from "./call-site.ts";
import type { Checker } from "./checker.ts";
import { FILLS, ITERATES } from "./containers.ts";
import { withoutNarrowing } from "./expressions.ts";
import type { HeldValues } from "./held.ts";
import { foundAt } from "./members.ts";
import type { SlotWriter } from "./slot-writer.ts";
import type { Unit } from "./unit.ts";

const TIMERS = new Set(["setTimeout", "setInterval", "setImmediate"]);
/** Functions of the language that call a function that is their argument. */
const CALLS = new Set([...ITERATES, ...TIMERS, "then", "catch", "finally", "sort", "toSorted", "replace", "replaceAll", "queueMicrotask"]);

/** Tells what functions of the language do with their arguments: bind them, call them, or put them into lists and tables. */
export class LibraryCalls {
  constructor(private readonly c: Checker, private readonly stores: Stores, private readonly values: HeldValues, private readonly writer: SlotWriter) {}

  /** A call that reaches no function of the project. */
  call(site: CallSite): void {
    const { unit, callee, name, args, by, line } = site;
    if (callee === 0 || (name !== "" && this.values.isOurs(unit, callee))) return;
    if (name === "bind") {
      this.bind(unit, unit.at(callee, 1), args.slice(1));
      return;
    }
    const first = FILLS.get(name);
    if (first !== undefined && unit.op(callee) === Op.Member) {
      const { slots } = this.values.heldBy(unit, unit.at(callee, 1));
      for (const value of args.slice(first)) for (const slot of slots) this.writer.put(unit, slot, this.values.heldBy(unit, value));
      return;
    }
    // `setTimeout(this.callback)`, `promise.then(this.done)`
    const global = unit.op(callee) === Op.Global ? unit.text(callee, 1) : "";
    if (!CALLS.has(name || global) || (name !== "" && foundAt(this.c, unit, callee).length === 0)) return;
    // A timer passes its other arguments to its first.
    for (const value of TIMERS.has(global) ? args.slice(0, 1) : args) {
      if (value === 0 || !isRead(unit, value)) continue;
      const held = this.values.heldBy(unit, value);
      for (const slot of held.slots) this.stores.call(by, slot, line);
      // `handlers.forEach(run)`
      if (!ITERATES.has(name) || held.functions.length === 0 || unit.op(callee) !== Op.Member) continue;
      const elements = this.values.heldBy(unit, unit.at(callee, 1));
      for (const owner of held.functions) this.writer.put(unit, { owner, name: name.startsWith("reduce") ? "1" : "0" }, elements);
    }
  }

  /** `Object.setPrototypeOf(A.prototype, B.prototype)`, `inherits(A, B)` */
  inherits({ unit, args }: CallSite): void {
    const [heirs, bases] = args.slice(0, 2).map((value) => {
      const at = withoutNarrowing(unit, value);
      const isPrototype = at !== 0 && unit.op(at) === Op.Member && unit.text(at, 2) === "prototype";
      return this.values.heldBy(unit, isPrototype ? unit.at(at, 1) : at);
    });
    if (heirs && bases) for (const owner of heirs.functions) this.writer.put(unit, { owner, name: SLOT.BASE }, bases);
  }

  /** `f.bind(x, y)` passes y to f. */
  private bind(unit: Unit, bound: Offset, args: readonly Offset[]): void {
    const { functions, slots } = this.values.heldBy(unit, bound);
    for (const { file, symbol } of functions) {
      const home = this.c.program.units[file]!;
      const fact = home.functionOf(symbol);
      if (fact) this.writer.passTo(unit, args, home, fact);
    }
    this.writer.passToStored(unit, args, slots);
  }
}

/** Whether an expression reads a variable, a field or an element. */
function isRead(unit: Unit, at: Offset): boolean {
  const op = unit.op(at);
  return op === Op.Name || op === Op.Member || op === Op.Narrow || op === Op.Index;
}
