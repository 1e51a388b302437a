/** Events that an emitter of a library has by name: `server.on("listening", f)`, `this.emit("listening")`. */
import type { Slot } from "../../../language.ts";
import { type Offset, Op } from "../facts.ts";
import { supertypes } from "./bases.ts";
import type { Checker } from "./checker.ts";
import { force } from "./deferred.ts";
import { objectOf } from "./slots.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

const LISTENS = /^(?:on|once|addListener|prependListener|prependOnceListener)$/;
const EMITS = /^(?:emit|trigger)$/;
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
  // A dot in a slot's name is for its parts.
  return owner === undefined && COMMON.test(said.literal) ? undefined : { slot: { owner, name: `on ${said.literal.replaceAll(".", " ")}` }, emits };
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

/** The topmost class of the project that an emitter is an object of. */
function emitterOf(c: Checker, type: Type): Slot["owner"] {
  let above = type;
  for (let i = 0; i < MAX_ABOVE && (above.k === "instance" || above.k === "this"); i++) {
    const base = supertypes(c, above.unit, above.shape).map((one) => force(c, one)).find((one) => objectOf(one));
    if (!base) break;
    above = base;
  }
  return objectOf(above);
}
