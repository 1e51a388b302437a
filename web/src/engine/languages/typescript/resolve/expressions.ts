import { ASYNC_ITERATOR, type FunctionFact, ITERATOR, type Offset, Op, ThisKind } from "../facts.ts";
import { type Like, likeOf } from "../../patterns.ts";
import { FILLS } from "./containers.ts";
import type { Unit } from "./unit.ts";

/** Alternatives in alternatives. */
const MAX_DEPTH = 8;

/** What variables of a file are given beside their initialisers, alone or as elements. */
export function givenIn(unit: Unit): Map<number, Offset[]> {
  const given = new Map<number, Offset[]>();
  const { stores, calls } = unit.facts;
  for (let i = 0; i < stores.length; i += 2) give(given, unit, stores[i]!, [stores[i + 1]!]);
  for (let i = 0; i < calls.length; i += 3) {
    const at = calls[i]!;
    const callee = unit.op(at) === Op.Call ? withoutNarrowing(unit, unit.at(at, 1)) : 0;
    const first = callee !== 0 && unit.op(callee) === Op.Member ? FILLS.get(unit.text(callee, 2)) : undefined;
    if (first !== undefined) give(given, unit, unit.at(callee, 1), unit.list(at, 3 + unit.at(at, 2)).slice(first));
  }
  return given;
}

/** Takes what is put into a local variable, or into what it holds. */
function give(given: Map<number, Offset[]>, unit: Unit, target: Offset, values: readonly Offset[]): void {
  let at = withoutNarrowing(unit, target);
  if (at !== 0 && unit.op(at) === Op.Index) at = withoutNarrowing(unit, unit.at(at, 1));
  if (at === 0 || unit.op(at) !== Op.Name) return;
  const binding = unit.at(at, 1);
  const list = given.get(binding);
  if (list) list.push(...values);
  else given.set(binding, [...values]);
}

/** Whether an expression may have functions in it, or be an object whose members are called. */
export function mayHold(unit: Unit, at: Offset): boolean {
  const op = unit.op(at);
  if (op === Op.Function) {
    const { symbol, within = -1, parameters } = unit.facts.functions[unit.at(at, 1)]!;
    return symbol >= 0 || within >= 0 || parameters.some(({ type }) => type === 0);
  }
  return op !== Op.String && op !== Op.Primitive && op !== Op.Key && op !== Op.Pattern && op !== Op.Class && (op !== Op.Module || unit.isUntyped) && (op !== Op.This || unit.at(at, 1) === ThisKind.Unknown || unit.isUntyped);
}

export function isFunction(unit: Unit, symbol: number): boolean {
  const kind = unit.symbols[symbol]?.kind;
  return kind === "Function" || kind === "Method";
}

/** What a pattern begins and ends with that an expression is, or that a variable was given once; undefined for others. */
export function patternAt(unit: Unit, at: Offset): Like | undefined {
  let text = withoutNarrowing(unit, at);
  if (text !== 0 && unit.op(text) === Op.Name) {
    const [declared = 0, ...others] = unit.declarations(unit.at(text, 1));
    text = declared !== 0 && others.length === 0 && unit.op(declared) === Op.Variable ? unit.at(declared, 3) : 0;
  }
  return text !== 0 && unit.op(text) === Op.Pattern ? likeOf(unit.text(text, 1)) : undefined;
}

/** The positions of the parameters that a function returns as they are: `function same(f) { return f; }`. What a declared result says is left to types. */
export function returnedParameters(unit: Unit, fact: FunctionFact | undefined): readonly number[] {
  if (!fact || fact.returns !== 0 || fact.async || fact.generator) return [];
  const inResult = (result: Offset, depth: number): readonly number[] => {
    const at = withoutNarrowing(unit, result);
    if (at !== 0 && unit.op(at) === Op.Or && depth < MAX_DEPTH) return unit.list(at, 1).flatMap((one) => inResult(one, depth + 1));
    if (at === 0 || unit.op(at) !== Op.Name) return [];
    const [declared = 0] = unit.declarations(unit.at(at, 1));
    const value = declared !== 0 && unit.op(declared) === Op.Variable ? unit.at(declared, 3) : 0;
    if (value === 0 || unit.op(value) !== Op.Parameter || unit.facts.functions[unit.at(value, 1)] !== fact) return [];
    const position = unit.at(value, 2);
    return fact.parameters[position]?.rest ? [] : [position];
  };
  return fact.results.flatMap((result) => inResult(result, 0));
}

/** Whether a Call is the one that going through the elements of a value makes. */
export function isIteration(unit: Unit, call: Offset): boolean {
  const callee = unit.at(call, 1);
  if (callee === 0 || unit.op(callee) !== Op.Member) return false;
  const name = unit.text(callee, 2);
  return name === ITERATOR || name === ASYNC_ITERATOR;
}

/** The name of the member that a Member, or an Index by a constant, means. */
export function memberName(unit: Unit, at: Offset): string {
  return unit.text(at, unit.op(at) === Op.Index ? 3 : 2);
}

export function withoutNarrowing(unit: Unit, at: Offset): Offset {
  while (at !== 0 && unit.op(at) === Op.Narrow) at = unit.at(at, 1);
  return at;
}
