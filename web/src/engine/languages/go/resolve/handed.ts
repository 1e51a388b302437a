import { spend } from "../../../effort.ts";
import type { Slot, Stores, SymbolRef } from "../../../language.ts";
import { isTestPath } from "../../../test-paths.ts";
import { type Offset, Op } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { underlying } from "./members.ts";
import { DECLARED } from "./operand.ts";
import type { Source } from "./packages.ts";
import type { Type } from "./types.ts";

/** Conversions and wrapping calls that are looked through, and containers in containers. */
const MAX_DEPTH = 6;

/** A slot whose owner is known: a parameter, a field of a declared struct, a variable of a package. */
type OwnedSlot = Slot & { owner: SymbolRef };

/** Tells how the code of one file hands functions on: to parameters, from these into fields and variables, and which of them it calls; see Stores. */
export class Handed {
  private readonly parameters = new Map<Offset, OwnedSlot>();

  constructor(private readonly source: Source, private readonly checker: Checker, private readonly stores: Stores) {
    for (const { symbol, variables } of source.data.functions) {
      variables.forEach((at, i) => {
        if (at > 0) this.parameters.set(at, { owner: { file: source.index, symbol }, name: String(i) });
      });
    }
  }

  tell(): void {
    const { uses, stores, code } = this.source.data;
    for (let i = 0; i < stores.length; i += 2) {
      const values = this.valuesOf(stores[i + 1]!, 0);
      const slot = values.length > 0 ? this.slotOf(stores[i]!) : undefined;
      if (slot) this.put(slot, values);
    }
    for (let i = 0; i < uses.length; i += 3) {
      if (code[uses[i]!] === Op.Call) this.call(uses[i]!, { file: this.source.index, symbol: uses[i + 1]! }, uses[i + 2]!);
    }
  }

  private call(at: Offset, by: SymbolRef, line: number): void {
    const { code } = this.source.data;
    const callee = code[at + 1]!;
    const { mode, refs = [], certainty } = this.checker.operand(this.source, callee);
    const functions = mode === "value" && certainty >= DECLARED ? refs.filter((to) => this.checker.isFunction(to)) : [];
    for (let i = 0; functions.length > 0 && i < code[at + 2]!; i++) {
      const values = this.valuesOf(code[at + 3 + i]!, 0);
      if (values.length > 0) for (const to of functions) this.put({ owner: to, name: String(this.placeIn(to, i)) }, values);
    }
    if (functions.length > 0) return;
    const slot = this.slotOf(callee) ?? this.heldIn(callee);
    if (slot) this.stores.call(by, slot, line);
  }

  /** What has a function in an interface, whose method calls it, such as http.HandlerFunc. */
  private heldIn(callee: Offset): OwnedSlot | undefined {
    const { code } = this.source.data;
    if (code[callee] !== Op.Select) return undefined;
    const { mode, type } = this.checker.operand(this.source, code[callee + 1]!);
    const { kind } = underlying(type);
    return mode === "value" && (kind === "interface" || kind === "foreign" || kind === "func") ? this.slotOf(code[callee + 1]!) : undefined;
  }

  /** The place of the parameter that takes an argument: the last, where that takes several. */
  private placeIn({ file, symbol }: SymbolRef, i: number): number {
    const { code, functions } = this.checker.packages.sources[file]!.data;
    const type = functions.find((one) => one.symbol === symbol)?.type ?? 0;
    return code[type] === Op.Func && code[type + 1] === 1 ? Math.min(i, code[type + 2]! - 1) : i;
  }

  private put(into: OwnedSlot, values: readonly (SymbolRef | OwnedSlot)[]): void {
    // What tests hand to the code that they test is no part of it.
    if (isTestPath(this.source.path) && !isTestPath(this.checker.packages.sources[into.owner.file]!.path)) return;
    for (const what of values) this.stores.put(this.source.index, into, what);
  }

  /** The functions that an expression names, directly, converted or wrapped, and what holds others. */
  private valuesOf(at: Offset, depth: number): (SymbolRef | OwnedSlot)[] {
    if (at === 0 || depth > MAX_DEPTH) return [];
    spend();
    const { code } = this.source.data;
    switch (code[at]) {
      case Op.Call:
        return code.slice(at + 3, at + 3 + code[at + 2]!).flatMap((argument) => this.valuesOf(argument, depth + 1));
      case Op.Spread:
      case Op.Address:
        return this.valuesOf(code[at + 1]!, depth + 1);
      case Op.Variable:
        // What a variable of a function begins as.
        if (!this.parameters.has(at)) return this.valuesOf(code[at + 2]!, depth + 1);
        break;
      case Op.Name:
      case Op.Select: {
        const { mode, refs } = this.checker.operand(this.source, at);
        const functions = mode === "value" ? refs?.filter((to) => this.checker.isFunction(to)) : [];
        if (functions && functions.length > 0) return functions;
        break;
      }
      case Op.Index:
      case Op.Star:
      case Op.Slice:
      case Op.Element:
      case Op.Key:
      case Op.Receive:
        break;
      default:
        return [];
    }
    const slot = this.slotOf(at);
    return slot && mayHold(this.checker.operand(this.source, at).type) ? [slot] : [];
  }

  /** The parameter, field or variable that an expression reads, or an element of. */
  private slotOf(at: Offset, depth = 0): OwnedSlot | undefined {
    if (at === 0 || depth > MAX_DEPTH) return undefined;
    const { code, strings } = this.source.data;
    switch (code[at]) {
      case Op.Name:
      case Op.Select: {
        const { owner, refs } = this.checker.operand(this.source, at);
        if (owner) return code[at] === Op.Select ? { owner, name: strings[code[at + 2]!]! } : undefined;
        const variable = refs?.find((to) => this.checker.kindOf(to) === "Variable");
        return variable && { owner: variable, name: "" };
      }
      case Op.Index:
      case Op.Star:
      case Op.Slice:
      case Op.Element:
      case Op.Key:
      case Op.Receive:
        return this.slotOf(code[at + 1]!, depth + 1);
      case Op.Variable:
        return this.parameters.get(at) ?? this.slotOf(code[at + 2]!, depth + 1);
      default:
        return undefined;
    }
  }
}

/** Whether values of a type may be functions, or hold some: most are numbers and texts. */
function mayHold(type: Type, depth = 0): boolean {
  const under = underlying(type);
  switch (under.kind) {
    case "func":
    case "interface":
    case "foreign":
      return true;
    case "pointer":
    case "slice":
    case "array":
    case "map":
    case "chan":
      return depth < MAX_DEPTH && mayHold(under.element, depth + 1);
    default:
      return false;
  }
}
