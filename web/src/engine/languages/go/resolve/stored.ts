import { spend } from "../../../effort.ts";
import type { SymbolRef } from "../../../language.ts";
import { type GoFacts, type Offset, Op } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { underlying } from "./members.ts";
import type { Package, Source } from "./packages.ts";

/** What may hold more functions than this says nothing about which of them runs. */
const MAX_HELD = 100;
/** Conversions and wrapping calls that are looked through. */
const MAX_DEPTH = 6;

/**
 * The functions that the fields of a package's structs, and its variables, may hold: a field-based analysis (Feldthaus et al., ICSE
 * 2013) within one package, where types tell fields apart. A function that is passed to a call is taken to be in what the call returns,
 * as where a handler is wrapped. Parameters are not followed.
 */
export class Stored {
  private readonly packages = new Map<Package, Map<string, Map<string, SymbolRef>>>();

  constructor(private readonly checker: Checker) {}

  /** What a call may run because its callee, or the receiver of an interface's method, holds it. */
  calledBy(source: Source, callee: Offset): Iterable<SymbolRef> {
    if (this.in(source.package).size === 0) return [];
    const { code } = source.data;
    let slot = this.slotOf(source, callee, 0);
    if (slot === undefined && code[callee] === Op.Select) {
      const { mode, type } = this.checker.operand(source, code[callee + 1]!);
      const { kind } = underlying(type);
      // A function in an interface has a type whose method calls it, such as http.HandlerFunc.
      if (mode === "value" && (kind === "interface" || kind === "foreign" || kind === "func")) slot = this.slotOf(source, code[callee + 1]!, 0);
    }
    const held = slot === undefined ? undefined : this.in(source.package).get(slot);
    return held && held.size <= MAX_HELD ? held.values() : [];
  }

  private in(home: Package): Map<string, Map<string, SymbolRef>> {
    let slots = this.packages.get(home);
    if (!slots) {
      this.packages.set(home, (slots = new Map<string, Map<string, SymbolRef>>()));
      for (const source of home.sources) this.hold(source, slots);
    }
    return slots;
  }

  private hold(source: Source, slots: Map<string, Map<string, SymbolRef>>): void {
    const { stores } = source.data;
    for (let i = 0; i < stores.length; i += 2) {
      const functions = this.functionsIn(source, stores[i + 1]!, 0);
      const slot = functions.length > 0 ? this.slotOf(source, stores[i]!, 0) : undefined;
      if (slot === undefined) continue;
      let held = slots.get(slot);
      if (!held) slots.set(slot, (held = new Map<string, SymbolRef>()));
      for (const one of functions) held.set(`${one.file} ${one.symbol}`, one);
    }
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
        return mode === "value" ? refs.filter((to) => this.isFunction(to)) : [];
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
        const variable = refs?.find((to) => this.symbolOf(to) === "Variable");
        return variable && `${variable.file}:${variable.symbol}`;
      }
      case Op.Index:
      case Op.Star:
      case Op.Slice:
      case Op.Element:
      case Op.Receive:
        return this.slotOf(source, code[at + 1]!, depth + 1);
      case Op.Variable:
        return this.slotOf(source, code[at + 2]!, depth + 1);
      default:
        return undefined;
    }
  }

  private isFunction(to: SymbolRef): boolean {
    const kind = this.symbolOf(to);
    return kind === "Function" || kind === "Method";
  }

  private symbolOf({ file, symbol }: SymbolRef): string | undefined {
    return this.checker.packages.sources[file]!.facts.symbols[symbol]?.kind;
  }
}

/** The names of the fields and variables that a file gives functions. */
export function storedNames({ stores, code, strings }: GoFacts): Set<string> {
  const names = new Set<string>();
  for (let i = 0; i < stores.length; i += 2) {
    const at = stores[i]!;
    names.add(strings[code[at + (code[at] === Op.Select ? 2 : 1)]!]!);
  }
  return names;
}
