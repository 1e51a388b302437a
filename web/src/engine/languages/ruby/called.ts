import { isAmong } from "../patterns.ts";
import { SENDS } from "./arguments.ts";
import type { Checker } from "./checker.ts";
import { type Offset, Op, type RubyFacts } from "./facts.ts";
import type { Source } from "./program.ts";
import { recordsOf } from "./surface.ts";
import { textsOf } from "./types.ts";

/** What a value is called beyond so many names says no more about it. */
const MAX_CALLED = 8;

const called = new WeakMap<RubyFacts, ReadonlyMap<Offset, readonly string[]>>();

/** By record, the names of the methods that a file calls on its value: the first few. */
function allCalled(data: RubyFacts): ReadonlyMap<Offset, readonly string[]> {
  const known = called.get(data);
  if (known) return known;
  const all = new Map<Offset, string[]>();
  const { code, strings, uses } = data;
  for (let i = 0; i < uses.length; i += 3) {
    const at = uses[i]!;
    if (code[at] !== Op.Call || code[at + 1] === 0) continue;
    const name = strings[code[at + 2]!]!;
    const names = all.get(code[at + 1]!);
    if (!names) all.set(code[at + 1]!, [name]);
    else if (names.length < MAX_CALLED && !names.includes(name)) names.push(name);
  }
  called.set(data, all);
  return all;
}

/** The names of the methods that a file calls on the value of a record. */
export function calledOn(data: RubyFacts, receiver: Offset): readonly string[] {
  return allCalled(data).get(receiver) ?? [];
}

/** The records of a file on whose values other methods are called than before; `records` has by record where it is now. */
export function calledOtherwise(before: RubyFacts, now: RubyFacts, records: Int32Array): ReadonlySet<Offset> {
  const others = new Set<Offset>();
  for (const [old, names] of allCalled(before)) {
    const at = records[old]!;
    if (at > 0 && calledOn(now, at).join() !== names.join()) others.add(at);
  }
  // On some nothing was called.
  records.forEach((at, old) => {
    if (at > 0 && calledOn(before, old).length === 0 && calledOn(now, at).length > 0) others.add(at);
  });
  return others;
}

const sent = new WeakMap<RubyFacts, readonly Offset[]>();

/** The calls of a file whose name is a value: `object.send(name)`. */
function sentIn(data: RubyFacts): readonly Offset[] {
  const known = sent.get(data);
  if (known) return known;
  const { code, strings } = data;
  const isSent = (at: Offset): boolean => code[at] === Op.Call && code[at + 5]! > 0 && SENDS.has(strings[code[at + 2]!]!);
  const all = strings.some((text) => SENDS.has(text)) ? [...recordsOf(code)].filter(isSent) : [];
  sent.set(data, all);
  return all;
}

/** By their numbers, the strings of a file that are, or mean, one of some names. */
export function stringsAmong({ strings }: RubyFacts, names: ReadonlySet<string>): Set<number> {
  const found = new Set<number>();
  for (const [i, text] of strings.entries()) if (isAmong(text, names)) found.add(i);
  return found;
}

/**
 * The calls of a file that rest on methods of some names though they have another: on a value that is called by one of these as well, or by a name
 * that is a value. `named` are the strings of the file that are among the names.
 */
export function* restingOn({ data }: Source, named: ReadonlySet<number>, names: ReadonlySet<string>, peek: (at: Offset) => readonly string[]): Generator<Offset> {
  const { code } = data;
  for (const at of sentIn(data)) if (peek(code[at + 6]!).some((text) => isAmong(text, names))) yield at;
  if (named.size === 0) return;
  const receivers = new Set<Offset>();
  for (const at of recordsOf(code)) if (code[at] === Op.Call && code[at + 1] !== 0 && named.has(code[at + 2]!)) receivers.add(code[at + 1]!);
  if (receivers.size > 0) for (const at of recordsOf(code)) if (code[at] === Op.Call && receivers.has(code[at + 1]!)) yield at;
}

/** What a record may say, in any round. */
export function textsAt(checkers: readonly Checker[], source: Source, at: Offset): readonly string[] {
  return checkers.flatMap((checker) => textsOf(checker.peek(source, at)));
}
