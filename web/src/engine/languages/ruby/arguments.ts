import { type Offset, Op } from "./facts.ts";
import type { Method, Source } from "./program.ts";

/** The argument of a call that a parameter gets, or 0. */
export function argumentFor(source: Source, call: Offset, method: Method, position: number): Offset {
  const { code, strings } = source.data;
  const from = code[call] === Op.Super ? call + 3 : call + 5;
  const args = code[call] === Op.Super && code[from] === -1 ? [] : code.slice(from + 1, from + 1 + code[from]!);
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

