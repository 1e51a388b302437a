/** Events that an emitter, of a library or of the project, has by name: `server.on("listening", f)`, `this.emit("listening")`. */
import type { Slot } from "../../../language.ts";
import { type Offset, Op, type ShapeFact } from "../facts.ts";
import { supertypes } from "./bases.ts";
import type { Checker } from "./checker.ts";
import { force } from "./deferred.ts";
import { withoutNarrowing } from "./expressions.ts";
import { objectOf } from "./slots.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

const LISTENS = /^(?:on|once|addListener|prependListener|prependOnceListener)$/;
const EMITS = /^(?:emit|trigger)$/;
/** Methods of buses that hand a message to what handles its class (NestJS). */
export const SENDS: ReadonlySet<string> = new Set(["execute", "publish"]);
/** Events that streams, sockets and processes have: of an object of which nothing is known, the name says nothing. */
const COMMON = /^(?:abort|aborted|close|connect|connection|data|disconnect|drain|end|error|exit|finish|listening|message|open|pause|pipe|readable|request|response|resume|timeout|upgrade)$/;
/** Classes above a class. */
const MAX_ABOVE = 20;
/** Calls in a chain: `server.on("a", f).on("b", g)`. */
const MAX_CHAINED = 100;

/** What a call does with the functions that listen to an event, and their slot: it adds some, or runs them. Undefined for other calls. */
export function eventOf(c: Checker, unit: Unit, callee: Offset, name: string, [event = 0]: readonly Offset[]): { slot: Slot; emits: boolean } | undefined {
  const emits = EMITS.test(name);
  if ((!emits && !LISTENS.test(name)) || event === 0 || unit.op(callee) !== Op.Member) return undefined;
  const said = force(c, valueOf(c, unit, event));
  if (said.k !== "primitive" || said.literal === undefined) return undefined;
  const owner = emitterOf(c, force(c, valueOf(c, unit, emitterIn(unit, callee))));
  return owner === undefined && COMMON.test(said.literal) ? undefined : { slot: { ...eventNamed(said.literal), owner }, emits };
}

const TAPS = /^tap(?:Async|Promise)?$/;
const RUNS_TAPS = /^(?:call|callAsync|promise)$/;

/** What a call does with the functions that a hook of tapable runs: `compiler.hooks.done.tap("A", f)`, `this.hooks.done.call(x)`. Undefined for other calls. */
export function hookOf(c: Checker, unit: Unit, callee: Offset, name: string): { slot: Slot; emits: boolean } | undefined {
  const emits = RUNS_TAPS.test(name);
  if ((!emits && !TAPS.test(name)) || unit.op(callee) !== Op.Member) return undefined;
  let hook = withoutNarrowing(unit, unit.at(callee, 1));
  // `parser.hooks.call.for("require").tap("A", f)`
  if (hook !== 0 && unit.op(hook) === Op.Call) {
    const keyed = withoutNarrowing(unit, unit.at(hook, 1));
    hook = keyed !== 0 && unit.op(keyed) === Op.Member && unit.text(keyed, 2) === "for" ? withoutNarrowing(unit, unit.at(keyed, 1)) : 0;
  }
  if (hook === 0 || unit.op(hook) !== Op.Member) return undefined;
  const hooks = withoutNarrowing(unit, unit.at(hook, 1));
  const isHooks = hooks !== 0 && unit.op(hooks) === Op.Member && unit.text(hooks, 2) === "hooks";
  if (!isHooks && emits) return undefined;
  const owner = isHooks ? emitterOf(c, force(c, valueOf(c, unit, unit.at(hooks, 1)))) : undefined;
  return { slot: { ...eventNamed(`hooks ${unit.text(hook, 2)}`), owner }, emits };
}

/** What listens to an event of that name, whatever has it. */
export function eventNamed(name: string): Slot {
  // A dot in a slot's name is for its parts.
  return { name: `on ${name.replaceAll(".", " ")}` };
}

/** Methods of a stream of RxJS that give another one with what it gives. */
const STREAMS: ReadonlySet<string> = new Set(["asObservable", "pipe"]);

/** The stream that an expression is, or is made of by `pipe` and `asObservable`. */
export function streamIn(unit: Unit, at: Offset): Offset {
  let stream = at;
  for (let i = 0; i < MAX_CHAINED && stream !== 0 && unit.op(stream) === Op.Call; i++) {
    const callee = unit.at(stream, 1);
    if (callee === 0 || unit.op(callee) !== Op.Member || !STREAMS.has(unit.text(callee, 2))) break;
    stream = unit.at(callee, 1);
  }
  return stream;
}

/** Whether a file uses signals that have `connect` and `emit`, as Lumino's. */
export function hasSignals({ facts: { specifiers } }: Unit): boolean {
  return specifiers.some(({ text }) => /signal/i.test(text));
}

/** Names of events that are called with what listens to them: `model.onSaved(f)`. */
const EVENT = /^on[A-Z]/;

/** The expression of which a value is the event, or stands for it: of `this.saved.event`, `this.saved`; of `model.onSaved`, that itself. 0 for none. */
export function eventIn(unit: Unit, at: Offset): Offset {
  if (at === 0 || unit.op(at) !== Op.Member) return 0;
  const name = unit.text(at, 2);
  return name === "event" ? unit.at(at, 1) : EVENT.test(name) ? at : 0;
}

/** The emitter whose listeners a call runs: of `this.saved.fire(x)` and `this.saved.emit(x)`, `this.saved`. 0 for none. */
export function firedBy(unit: Unit, callee: Offset, name: string): Offset {
  return name === "fire" || name === "emit" ? unit.at(callee, 1) : 0;
}

/** The emitter, or its event, that a call adds a listener to: `saved.event(f)`, `model.onSaved(f)`, `model.saved.connect(f)`. 0 for none. */
export function listenedTo(unit: Unit, callee: Offset, name: string): Offset {
  return name === "connect" ? unit.at(callee, 1) : eventIn(unit, callee);
}

/** What listens to the stream or the emitter that a variable or a field holds. */
export function observersOf({ owner, name }: Slot): Slot {
  return { owner, name: `${name} observers` };
}

/** What handles messages of a class of the project. */
export function sentAs({ unit, shape }: { unit: Unit; shape: ShapeFact }): Slot | undefined {
  return unit.index >= 0 && shape.kind === "class" && shape.symbol >= 0 ? { owner: { file: unit.index, symbol: shape.symbol }, name: ":sent" } : undefined;
}

/** What a member is taken of: of `server.on("a", f).on`, `server`. */
function emitterIn(unit: Unit, member: Offset): Offset {
  let at = unit.at(member, 1);
  for (let i = 0; i < MAX_CHAINED && at !== 0 && unit.op(at) === Op.Call; i++) {
    const callee = unit.at(at, 1);
    if (callee === 0 || unit.op(callee) !== Op.Member || !LISTENS.test(unit.text(callee, 2))) break;
    at = unit.at(callee, 1);
  }
  return at;
}

/** The topmost class of the project that an emitter is an object of. What a function puts on its `this` may be mixed into any object. */
function emitterOf(c: Checker, type: Type): Slot["owner"] {
  if (type.k === "constructed" && type.unit.expandos(type.binding).every(({ prototype, own }) => !prototype || own)) return undefined;
  let above = type;
  for (let i = 0; i < MAX_ABOVE && (above.k === "instance" || above.k === "this"); i++) {
    const base = supertypes(c, above.unit, above.shape).map((one) => force(c, one)).find((one) => objectOf(one));
    if (!base) break;
    above = base;
  }
  return objectOf(above);
}
