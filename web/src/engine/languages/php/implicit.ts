import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";

/* Methods of objects that PHP runs where no code names them. */

const LOOP = "getIterator current key next rewind valid";
const TEXT = "__toString";

/** Functions of PHP's, by what they run of their first argument. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["count", "count"], ["sizeof", "count"], ["json_encode", "jsonSerialize"], ["iterator_to_array", LOOP], ["iterator_count", LOOP], ["iterator_apply", LOOP],
  ...["strval", "strlen", "strtolower", "strtoupper", "trim", "ucfirst", "lcfirst", "htmlspecialchars", "print_r"].map((name): [string, string] => [name, TEXT]),
]);

/** A property, as a Select, is used otherwise than the class around declares it. */
export function touched(u: Unit, at: Offset, how: string, node: number): void {
  if (at > 0 && !isDeclared(u, at)) u.runs(u.code[at + 1]!, `.${how}${u.stringAt(u.code[at + 2]!)}`, node);
}

/** Whether a property is one that the class around declares itself, or has nothing else for: it neither inherits anything nor answers for properties. */
function isDeclared(u: Unit, at: Offset): boolean {
  const type = u.code[u.code[at + 1]!] === Op.Self && u.within >= 0 ? u.types[u.within] : undefined;
  if (!type) return false;
  const name = u.stringAt(u.code[at + 2]!);
  return (type.supers.length === 0 && !u.answering.has(u.within)) || type.members.some((member) => member.kind === "field" && member.name === name && !member.said && member.initialiser === 0 && member.symbol < 0);
}

/** What a loop goes through. */
export function looped(u: Unit, of: Offset, node: number): void {
  u.runs(of, LOOP, node);
}

/** What an object is made a text by: `"$order"`, `(string) $order`, `echo $order`. */
export function asText(u: Unit, of: Offset, node: number): void {
  if (!u.plain.has(of)) u.runs(of, TEXT, node);
}

/** Functions that make texts of all that they are given behind the format. */
const FORMATS = /^s?printf$/;
/** Functions that make texts of what the array holds that they are given first or last. */
const JOINS = /^(?:implode|join)$/;

/** What a function of PHP's runs of its arguments. */
export function givenTo(u: Unit, name: string, args: readonly Offset[], node: number): void {
  const run = FUNCTIONS.get(name);
  if (run !== undefined && !u.plain.has(args[0] ?? 0)) u.runs(args[0] ?? 0, run, node);
  if (FORMATS.test(name)) for (const argument of args.slice(1)) asText(u, argument, node);
  const joined = JOINS.test(name) ? (args.at(-1) ?? 0) : 0;
  if (joined) asText(u, u.emit(Op.Element, joined), node);
}
