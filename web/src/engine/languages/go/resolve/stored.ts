import { spend } from "../../../effort.ts";
import type { SymbolRef } from "../../../language.ts";
import { type GoFacts, type Offset, Op } from "../facts.ts";
import { homeOf } from "./asks.ts";
import type { Checker } from "./checker.ts";
import { ONE_OF_MANY, STORED } from "./operand.ts";
import { underlying } from "./members.ts";
import type { Package, Source } from "./packages.ts";

/** What may hold more functions than this says nothing about which of them runs. */
const MAX_HELD = 100;
/** Where other packages store more functions than this, any of them is as good as a guess. */
const MAX_ELSEWHERE = 8;
/** Conversions and wrapping calls that are looked through. */
const MAX_DEPTH = 6;

/** A place where a field or a variable is given something. */
interface Store {
  source: Source;
  /** Index in the file's `stores`. */
  at: number;
}

/**
 * The functions that fields of declared structs, and variables of packages, may hold: a field-based analysis (Feldthaus et al., ICSE
 * 2013), where the declaring type tells fields apart. A function that is passed to a call is taken to be in what the call returns,
 * as where a handler is wrapped. What goes through parameters is told by `Handed`.
 */
export class Stored {
  private stores: Map<string, Store[]> | undefined;
  /** By the name of a field or variable, and, where only its package can name it, by that: what holds which functions. */
  private readonly held = new Map<string, ReadonlyMap<string, ReadonlyMap<string, SymbolRef>>>();

  constructor(private readonly checker: Checker) {}

  /** What a call may run because its callee, or the receiver of an interface's method, holds it. */
  calledBy(source: Source, callee: Offset): { to: SymbolRef; certainty: number }[] {
    if (this.byName.size === 0) return [];
    const { code } = source.data;
    let slot = this.slotOf(source, callee, 0);
    if (slot === undefined && code[callee] === Op.Select) {
      const { mode, type } = this.checker.operand(source, code[callee + 1]!);
      const { kind } = underlying(type);
      // A function in an interface has a type whose method calls it, such as http.HandlerFunc.
      if (mode === "value" && (kind === "interface" || kind === "foreign" || kind === "func")) slot = this.slotOf(source, code[callee + 1]!, 0);
    }
    const held = slot === undefined ? undefined : this.heldIn(slot, source.package).get(slot);
    if (!held) return [];
    const { sources } = this.checker.packages;
    const elsewhere = [...held.values()].filter(({ file }) => sources[file]!.package !== source.package);
    const own = [...held.values()].filter(({ file }) => sources[file]!.package === source.package);
    const among = (functions: readonly SymbolRef[], max: number): { to: SymbolRef; certainty: number }[] =>
      functions.length > MAX_HELD ? [] : functions.map((to) => ({ to, certainty: functions.length > max ? ONE_OF_MANY : STORED }));
    return [...among(own, MAX_HELD), ...among(elsewhere, MAX_ELSEWHERE)];
  }

  /** What has the name of a field or variable, with the functions in it; `home` calls it. */
  private heldIn(slot: string, home: Package): ReadonlyMap<string, ReadonlyMap<string, SymbolRef>> {
    const [place = "", field] = slot.split(" ");
    const [file, symbol] = place.split(":").map(Number);
    const name = field ?? this.checker.packages.sources[file!]!.facts.symbols[symbol!]!.name;
    const key = isExported(name) ? name : `${homeOf(home.sources[0]!.dir, home.name)} ${name}`;
    let slots = this.held.get(key);
    if (!slots) {
      slots = this.gathered((this.byName.get(name) ?? []).filter(({ source }) => isExported(name) || source.package === home));
      this.held.set(key, slots);
    }
    return slots;
  }

  private get byName(): Map<string, Store[]> {
    if (this.stores) return this.stores;
    const all = new Map<string, Store[]>();
    for (const source of this.checker.packages.sources) {
      for (let at = 0; at < source.data.stores.length; at += 2) {
        const name = storedName(source.data, at);
        const known = all.get(name);
        if (known) known.push({ source, at });
        else all.set(name, [{ source, at }]);
      }
    }
    return (this.stores = all);
  }

  private gathered(stores: readonly Store[]): Map<string, Map<string, SymbolRef>> {
    const slots = new Map<string, Map<string, SymbolRef>>();
    for (const { source, at } of stores) {
      const functions = this.functionsIn(source, source.data.stores[at + 1]!, 0);
      const slot = functions.length > 0 ? this.slotOf(source, source.data.stores[at]!, 0) : undefined;
      if (slot === undefined) continue;
      let held = slots.get(slot);
      if (!held) slots.set(slot, (held = new Map<string, SymbolRef>()));
      for (const one of functions) held.set(`${one.file} ${one.symbol}`, one);
    }
    return slots;
  }

  /** The functions that an expression names, directly, converted or wrapped. */
  private functionsIn(source: Source, at: Offset, depth: number): SymbolRef[] {
    if (at === 0 || depth > MAX_DEPTH) return [];
    spend();
    const { code } = source.data;
    switch (code[at]) {
      case Op.Name:
      case Op.Select: {
        const { mode, refs = [] } = this.checker.operand(source, at);
        return mode === "value" ? refs.filter((to) => this.checker.isFunction(to)) : [];
      }
      case Op.Call:
        return code.slice(at + 3, at + 3 + code[at + 2]!).flatMap((argument) => this.functionsIn(source, argument, depth + 1));
      case Op.Spread:
      case Op.Address:
        return this.functionsIn(source, code[at + 1]!, depth + 1);
      case Op.Variable:
        return this.functionsIn(source, code[at + 2]!, depth + 1);
      default:
        return [];
    }
  }

  /** The field or variable that an expression reads, or an element of. */
  private slotOf(source: Source, at: Offset, depth: number): string | undefined {
    if (at === 0 || depth > MAX_DEPTH) return undefined;
    const { code } = source.data;
    switch (code[at]) {
      case Op.Name:
      case Op.Select: {
        const { slot, refs } = this.checker.operand(source, at);
        if (slot !== undefined) return slot;
        const variable = refs?.find((to) => this.checker.kindOf(to) === "Variable");
        return variable && `${variable.file}:${variable.symbol}`;
      }
      case Op.Index:
      case Op.Star:
      case Op.Slice:
      case Op.Element:
      // What comes out of a channel is the first variable of a range.
      case Op.Key:
      case Op.Receive:
        return this.slotOf(source, code[at + 1]!, depth + 1);
      case Op.Variable:
        return this.slotOf(source, code[at + 2]!, depth + 1);
      default:
        return undefined;
    }
  }
}

function storedName({ stores, code, strings }: GoFacts, i: number): string {
  const at = stores[i]!;
  return strings[code[at + (code[at] === Op.Select ? 2 : 1)]!]!;
}

/** Other packages can name it. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** The names of the fields and variables that a file gives functions. */
export function storedNames(facts: GoFacts): Set<string> {
  const names = new Set<string>();
  for (let i = 0; i < facts.stores.length; i += 2) names.add(storedName(facts, i));
  return names;
}
