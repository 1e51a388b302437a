import { type Offset, Op, type RubyFacts } from "./facts.ts";
import { likeOf } from "../patterns.ts";
import type { Method, Source } from "./program.ts";
import { recordsOf } from "./surface.ts";

/** What Ruby calls where an object has no method of a name. */
export const MISSING = "method_missing";

/** What a call gives; nothing for a `super` that gives what its method was given. */
export function argumentsOf({ data: { code } }: Source, call: Offset): number[] {
  const from = code[call] === Op.Super ? call + 3 : call + 5;
  return code[call] === Op.Super && code[from] === -1 ? [] : code.slice(from + 1, from + 1 + code[from]!);
}

/** Methods that call the method which their first argument names. */
export const SENDS: ReadonlySet<string> = new Set(["send", "public_send", "__send__", "try", "try!"]);

/** The argument of a call that names what it calls, or 0. */
export function nameSent({ data: { code, strings } }: Source, call: Offset): Offset {
  return code[call] === Op.Call && code[call + 5]! > 0 && SENDS.has(strings[code[call + 2]!]!) ? code[call + 6]! : 0;
}

/** What a call gives to a method: not the name that it calls this by, and 0 for the one that Ruby gives to `method_missing`. */
export function argumentsFor(source: Source, call: Offset, { fact: { name } }: Method): number[] {
  const { code, strings } = source.data;
  const args = argumentsOf(source, call);
  const called = code[call] === Op.Call ? strings[code[call + 2]!]! : name;
  if (called === name) return args;
  const sent = nameSent(source, call) ? args.slice(1) : args;
  return name === MISSING ? [0, ...sent] : sent;
}

/** The name that Ruby gives to `method_missing`, where a call leads there by another one that is written out. */
export function missingName(source: Source, call: Offset, { fact: { name } }: Method): string | undefined {
  const { code, strings } = source.data;
  const called = code[call] === Op.Call && !nameSent(source, call) ? strings[code[call + 2]!]! : MISSING;
  return name === MISSING && called !== MISSING && !likeOf(called) ? called : undefined;
}

/** Whether the name of what a call calls is a value, or put together where the code runs. */
export function isNamedByValue(source: Source, call: Offset): boolean {
  const { code, strings } = source.data;
  return code[call] === Op.Call && (nameSent(source, call) > 0 || likeOf(strings[code[call + 2]!]!) !== undefined);
}

/** The named arguments that a parameter gets as a hash: a `**rest`, or one after the others (`def a(b, options = {})`). */
export function optionsFor(source: Source, call: Offset, method: Method, position: number): Offset[] {
  const { code, strings } = source.data;
  const { parameters } = method.fact;
  const args = argumentsFor(source, call, method);
  const { kind } = parameters[position]!;
  const taken = kind === "keys" ? parameters.filter((parameter) => parameter.kind === "key").map(({ name }) => name) : undefined;
  const plain = args.filter((arg) => code[arg] !== Op.Keyword);
  if (!taken && (kind === "key" || plain.length !== position || plain.some((arg) => code[arg] === Op.Splat) || parameters.some((parameter) => parameter.kind === "key" || parameter.kind === "keys"))) return [];
  return args.filter((arg) => code[arg] === Op.Keyword && !taken?.includes(strings[code[arg + 1]!]!));
}

/** The argument of a call that a parameter gets, or 0. */
export function argumentFor(source: Source, call: Offset, method: Method, position: number): Offset {
  const { code, strings } = source.data;
  const args = argumentsFor(source, call, method);
  const { parameters } = method.fact;
  const parameter = parameters[position]!;
  if (parameter.kind === "key") {
    const given = args.find((arg) => code[arg] === Op.Keyword && strings[code[arg + 1]!] === parameter.name);
    return given ? code[given + 2]! : 0;
  }
  const plain = args.filter((arg) => code[arg] !== Op.Keyword);
  if (plain.some((arg, i) => code[arg] === Op.Splat && i <= position)) return 0;
  const rest = parameters.findIndex(({ kind }) => kind === "rest");
  if (rest >= 0 && position > rest) return 0;
  return plain[position] ?? 0;
}

/** Whether a method takes as many arguments as a call gives. */
export function takes(source: Source, { fact: { parameters } }: Method, args: readonly Offset[]): boolean {
  const { code } = source.data;
  if (args.some((arg) => code[arg] === Op.Splat)) return true;
  const given = args.filter((arg) => code[arg] !== Op.Keyword).length;
  const keywords = given < args.length;
  const required = parameters.filter(({ kind }) => kind === "required").length;
  const most = parameters.some(({ kind }) => kind === "rest") ? Infinity : required + parameters.filter(({ kind }) => kind === "optional").length;
  // Keywords may go into a hash that is the last parameter.
  return given + (keywords ? 1 : 0) >= required && given <= most;
}


const parameters = new WeakMap<RubyFacts, ReadonlyMap<string, Offset>>();

/** The record of a method's parameter, or 0. */
export function parameterAt({ source: { data }, index }: Method, position: number): Offset {
  let known = parameters.get(data);
  if (!known) {
    const { code } = data;
    const all = new Map<string, Offset>();
    for (const at of recordsOf(code)) if (code[at] === Op.Parameter) all.set(`${code[at + 1]!} ${code[at + 2]!}`, at);
    parameters.set(data, (known = all));
  }
  return known.get(`${index} ${position}`) ?? 0;
}
