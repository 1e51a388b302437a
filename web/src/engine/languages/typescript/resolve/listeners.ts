import type { Slot, Stores } from "../../../language.ts";
import { type Offset, Op } from "../facts.ts";
import type { CallSite } from "./call-site.ts";
import type { Checker } from "./checker.ts";
import { force } from "./deferred.ts";
import { eventIn, eventNamed, eventOf, firedBy, hasSignals, hookOf, listenedTo, observersOf, SENDS, sentAs, streamIn } from "./events.ts";
import { withoutNarrowing } from "./expressions.ts";
import { getterSlots } from "./field-slots.ts";
import type { HeldValues } from "./held.ts";
import type { SlotWriter } from "./slot-writer.ts";
import { isSame } from "./slots.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Puts the listeners of events, streams, signals and messages into slots, and tells which calls run them. */
export class Listeners {
  constructor(private readonly c: Checker, private readonly stores: Stores, private readonly values: HeldValues, private readonly writer: SlotWriter) {}

  /** The handlers that decorators of a file declare, and the events that its getters give. */
  file(unit: Unit): void {
    this.handlers(unit);
    this.getters(unit);
  }

  /** Listeners of `source.pipe(…)` listen to `source`, too, and those of `saved.event` to `saved`. `into`: the slots that such a value is put into. */
  assigned(unit: Unit, into: readonly Slot[], value: Offset): void {
    const source = withoutNarrowing(unit, value);
    const stream = streamIn(unit, source);
    this.forward(unit, into, stream === source ? eventIn(unit, source) : stream);
  }

  /** Adds or runs the listeners of the event that a call names. True if the call passes its arguments nowhere else. */
  call(call: CallSite): boolean {
    if (call.isNew) return false;
    const { unit, written, callee, name, args } = call;
    const hook = hookOf(this.c, unit, written, name);
    const event = hook ?? eventOf(this.c, unit, callee, name, args);
    if (event?.emits) this.run(call, [event.slot], hook ? args : args.slice(1));
    else if (event) this.add(unit, [event.slot], args[1]);
    if (!call.isIndirect && (!event || (event.emits && hasSignals(unit)))) this.signal(call);
    // A class of the project that has such methods may pass its arguments on to an emitter, or keep listeners itself.
    if (event && !this.values.isOurs(unit, callee)) return true;
    if ((name === "subscribe" || name === "next") && !this.values.isOurs(unit, callee)) this.stream(call);
    if (SENDS.has(name)) this.send(call);
    return false;
  }

  /** Methods that decorators make handlers of an event by name, or of messages by their class. */
  private handlers(unit: Unit): void {
    const { handles = [] } = unit.facts;
    for (let i = 0; i < handles.length; i += 2) {
      const type = force(this.c, valueOf(this.c, unit, handles[i + 1]!));
      const slot = type.k === "class" ? sentAs(type) : type.k === "primitive" && type.literal !== undefined ? eventNamed(type.literal) : undefined;
      if (slot) this.stores.put(unit.index, slot, { file: unit.index, symbol: handles[i]! });
    }
  }

  /** `get onSaved() { return this.saved.event; }`, `get saved() { return this._saved; }` */
  private getters(unit: Unit): void {
    const isSignal = hasSignals(unit);
    for (const shape of unit.facts.shapes) {
      if (shape.kind !== "class") continue;
      for (const { kind, name, symbol } of shape.members) {
        const fact = kind === "getter" && symbol >= 0 ? unit.functionOf(symbol) : undefined;
        for (const result of fact?.results ?? []) {
          const at = withoutNarrowing(unit, result);
          const event = eventIn(unit, at) || (isSignal && at !== 0 && unit.op(at) === Op.Member ? at : 0);
          if (event === 0) continue;
          this.c.question();
          this.forward(unit, getterSlots(this.c, unit, shape, name, symbol), event);
        }
      }
    }
  }

  /** `bus.execute(new Pay())` */
  private send({ unit, callee, args: [message = 0], by, line }: CallSite): void {
    if (message === 0 || this.values.isOurs(unit, callee)) return;
    const type = force(this.c, valueOf(this.c, unit, message));
    const slot = type.k === "instance" ? sentAs(type) : undefined;
    if (slot) this.stores.call(by, slot, line);
  }

  /** `stream.next(x)` runs the observers that `stream.subscribe(f)` adds. */
  private stream(call: CallSite): void {
    const { unit, callee, name, args } = call;
    const slots = this.values.heldBy(unit, streamIn(unit, unit.at(callee, 1))).slots.map(observersOf);
    if (name === "next") this.run(call, slots, args);
    else for (const value of args.flatMap((one) => this.observers(unit, one, slots))) this.add(unit, slots, value);
  }

  /** The values that an observer is made of, of which its methods are put into slots: `subscribe({ next() {}, error: fail })`. */
  private observers(unit: Unit, observer: Offset, slots: readonly Slot[]): readonly Offset[] {
    if (observer === 0 || unit.op(observer) !== Op.Object) return [observer];
    const { members } = unit.facts.shapes[unit.at(observer, 1)]!;
    for (const { symbol } of members) if (symbol >= 0) for (const slot of slots) this.stores.put(unit.index, slot, { file: unit.index, symbol });
    return members.flatMap(({ symbol, initialiser }) => (symbol >= 0 ? [] : [initialiser]));
  }

  /** `this.saved.fire(x)` runs the listeners that `model.onSaved(f)` adds, where `onSaved` is the event of `saved`; so do `emit` and `connect` of signals. */
  private signal(call: CallSite): void {
    const { unit, callee, name, args } = call;
    const emitter = firedBy(unit, callee, name);
    const slots = this.values.heldBy(unit, emitter || listenedTo(unit, callee, name)).slots.map(observersOf);
    if (emitter === 0) this.add(unit, slots, args[0]);
    else this.run(call, slots, args);
  }

  private add(unit: Unit, slots: readonly Slot[], listener: Offset = 0): void {
    for (const slot of slots) this.writer.put(unit, slot, this.values.heldBy(unit, listener));
  }

  private run({ unit, by, line }: CallSite, slots: readonly Slot[], args: readonly Offset[]): void {
    for (const slot of slots) this.stores.call(by, slot, line);
    this.writer.passToStored(unit, args, slots);
  }

  /** Listeners of the events in slots listen to the events that an expression holds, too. */
  private forward(unit: Unit, slots: readonly Slot[], at: Offset): void {
    if (at === 0) return;
    for (const slot of this.values.heldBy(unit, at).slots) {
      for (const one of slots) if (!isSame(one, slot.owner, slot.name)) this.stores.put(unit.index, observersOf(slot), observersOf(one));
    }
  }
}
