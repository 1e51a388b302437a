import { spend } from "../../../effort.ts";
import type { ProjectFile, SymbolRef } from "../../../language.ts";
import { wordOf } from "../../words.ts";
import { type GoFacts, type Offset, Op } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { underlying } from "./members.ts";
import type { Source } from "./packages.ts";
import { type Func, isKnown, keyOf, type Type } from "./types.ts";

/** A signature that more functions have says nothing about which of them runs. */
const MAX_FUNCTIONS = 100;
const ALIASES: Readonly<Record<string, string>> = { any: "", byte: "uint8", rune: "int32" };

/** A function or method, by its file and its index among the file's functions. */
interface Place {
  source: Source;
  index: number;
}

/**
 * What a call of a value may run of which only the type is known: the functions and methods of its signature that some code uses as values.
 * Signatures without a declared type are left out: functions that have nothing in common have them.
 */
export class Signatures {
  private bySignature: Map<string, Place[]> | undefined;
  private readonly known = new Map<string, readonly Place[]>();

  constructor(private readonly checker: Checker) {}

  /** What a call may run, none when that is too much to tell anything. `mayRun`: whether a program with the caller has what a file declares. */
  calledBy(source: Source, callee: Offset, mayRun: (callee: Source) => boolean): SymbolRef[] {
    const { mode, type, refs } = this.checker.operand(source, callee);
    const func = underlying(type);
    if (mode !== "value" || refs || func.kind !== "func" || !isGiven(source.data, callee) || !isTelling(func)) return [];
    const all = this.of(source, func);
    spend(all.length / 10);
    const places = all.filter((place) => mayRun(place.source));
    return places.length > MAX_FUNCTIONS ? [] : places.map(({ source: { index: file, data }, index }) => ({ file, symbol: data.functions[index]!.symbol }));
  }

  private of(source: Source, func: Func): readonly Place[] {
    const signature = signatureOfType(func);
    this.checker.asks.one(source, wordOf(askedFor(signature)));
    const key = keyOf(func);
    let found = this.known.get(key);
    if (!found) {
      found = (this.all.get(signature) ?? []).filter((place) => {
        spend();
        return keyOf(this.checker.functionType(place.source, place.source.data.functions[place.index]!)) === key;
      });
      this.known.set(key, found);
    }
    return found;
  }

  private get all(): Map<string, Place[]> {
    if (this.bySignature) return this.bySignature;
    const { sources } = this.checker.packages;
    const names = new Set<string>();
    for (const { data } of sources) for (const name of valueNames(data)) names.add(name);
    const all = new Map<string, Place[]>();
    for (const source of sources) {
      for (const [index, { name, type, typeParameters }] of source.data.functions.entries()) {
        if (!names.has(name) || typeParameters.length > 0) continue;
        const signature = signatureOf(source.data, type);
        const known = all.get(signature);
        if (known) known.push({ source, index });
        else all.set(signature, [{ source, index }]);
      }
    }
    return (this.bySignature = all);
  }
}

/** The words by which files have asked for functions of the signatures that functions of these names have. */
export function signaturesAsked(names: ReadonlySet<string>, files: readonly ProjectFile<GoFacts>[]): Set<string> {
  const words = new Set<string>();
  if (names.size === 0) return words;
  for (const { facts: { data } } of files) {
    for (const { name, type } of data.functions) if (names.has(name)) words.add(askedFor(signatureOf(data, type)));
  }
  return words;
}

/** The names that a file may use functions by as values. */
export function valueNames({ uses, code, strings }: GoFacts): Set<string> {
  const names = new Set<string>();
  for (let i = 0; i < uses.length; i += 3) {
    const at = uses[i]!;
    if (code[at] === Op.Name) names.add(strings[code[at + 1]!]!);
    else if (code[at] === Op.Select) names.add(strings[code[at + 2]!]!);
  }
  return names;
}

function askedFor(signature: string): string {
  return `( ${signature}`;
}

/** Whether a called value comes from elsewhere: a parameter, a field, an element, a channel. A call mostly gives a function literal. */
function isGiven({ code }: GoFacts, callee: Offset): boolean {
  const at = code[callee] === Op.Variable ? code[callee + 2]! : callee;
  const op = code[at];
  return at === 0 || op === Op.Select || op === Op.Index || op === Op.Element || op === Op.Receive;
}

/** Whether a signature has a declared type, other than `error`, and no part that is open. */
function isTelling(func: Func): boolean {
  const types = [...func.parameters, ...func.results];
  return types.some(hasName) && isKnown(func) && !keyOf(func).includes("$");
}

function hasName(type: Type): boolean {
  if (type.kind === "pointer" || type.kind === "slice") return hasName(type.element);
  return type.kind === "named" && !(type.entity.home === "" && type.entity.name === "error");
}

/** What a signature says by itself, before any name in it is resolved: the same for identical types, unless an alias is among them. */
function signatureOf(data: GoFacts, at: Offset): string {
  const { code } = data;
  if (code[at] !== Op.Func) return "";
  const count = code[at + 2]!;
  const tags = (first: number, length: number): string => code.slice(first, first + length).map((each) => tagOf(data, each)).join();
  return `${code[at + 1]} ${count} ${tags(at + 3, count)} ${tags(at + 4 + count, code[at + 3 + count]!)}`;
}

function signatureOfType({ variadic, parameters, results }: Func): string {
  return `${variadic ? 1 : 0} ${parameters.length} ${parameters.map(tagOfType).join()} ${results.map(tagOfType).join()}`;
}

function tagOf(data: GoFacts, at: Offset): string {
  const { code, strings, types } = data;
  switch (code[at]) {
    case Op.Name: {
      const name = strings[code[at + 1]!]!;
      return ALIASES[name] ?? name;
    }
    case Op.Select:
      return strings[code[at + 2]!]!;
    case Op.LocalType:
      return types[code[at + 1]!]!.name;
    case Op.Index:
      return tagOf(data, code[at + 1]!);
    case Op.Star:
      return `*${tagOf(data, code[at + 1]!)}`;
    default:
      return "";
  }
}

function tagOfType(type: Type): string {
  switch (type.kind) {
    case "named":
      return type.entity.name;
    case "basic":
      return type.name;
    case "pointer":
      return `*${tagOfType(type.element)}`;
    default:
      return "";
  }
}
