import { spend } from "../../../effort.ts";
import { SLOT, type Slot, type Stores, type SymbolRef } from "../../../language.ts";
import { type Offset, Op, type RustFacts } from "../facts.ts";
import { CHANNELS, GIVES, LAZY, PASSES, RUNS, STORES } from "../functions.ts";
import { argumentRecords, INFERRED } from "./callees.ts";
import type { Checker, Target } from "./checker.ts";
import type { Declaration, Impl, Source } from "./program.ts";
import type { Type } from "./types.ts";

/** Variables, wrappers and calls of the library that are looked through, and types in types. */
const MAX_DEPTH = 8;
/** What a value may be beyond so many says nothing. */
const MAX_VALUES = 100;

/** Records that stand for a variable, a field or an element. */
const READ = new Set<number>([Op.Variable, Op.Field, Op.Part, Op.Index, Op.Element, Op.Argument, Op.Borrow]);

/** Begins the names of the slots of what is in channels. */
const CHANNEL = "channel ";

/** What a value may hold. */
interface Values {
  functions: SymbolRef[];
  slots: Slot[];
  seen: Set<Offset>;
}

/** Tells what the code of one file does with functions as values; see Stores. */
export class Stored {
  private readonly puts = new Map<Offset, Offset[]>();
  private readonly parameters = new Map<Offset, Slot>();
  private readonly holding = new WeakMap<Type, boolean>();
  private readonly functions = new WeakMap<Type, boolean>();

  /** `reach` gives what a target may run. */
  constructor(private readonly source: Source, private readonly checker: Checker, private readonly stores: Stores, private readonly reach: (target: Target) => SymbolRef[]) {
    const { data, index: file } = source;
    for (let i = 0; i < data.stores.length; i += 2) {
      const list = this.puts.get(data.stores[i]!);
      if (list) list.push(data.stores[i + 1]!);
      else this.puts.set(data.stores[i]!, [data.stores[i + 1]!]);
    }
    for (const { symbol, variables } of functionsOf(data)) {
      for (const [i, at] of variables.entries()) this.parameters.set(at, { owner: { file, symbol }, name: String(i) });
    }
  }

  /** What the file puts into fields, constants, lists and tables, and what its functions return. */
  all(): void {
    const { code, returns } = this.source.data;
    for (const [into, values] of this.puts) {
      if (code[into] === Op.Closure || code[into] === Op.Value) continue;
      const possible = values.filter((value) => this.mayBeFunction(value));
      if (possible.length === 0) continue;
      const { type } = this.checker.operand(this.source, into);
      const holds = this.holds(type);
      // What has functions by its declared type is not asked what it is made of: `HashMap::from([("open", open)])`.
      const given = holds ? possible : mayTake(type) ? possible.filter((value) => this.mayHold(value)) : [];
      if (given.length === 0) continue;
      // `let list = self.lists.entry(key).or_default(); list.push(f)`
      const { slots } = this.valuesOf(code[into] === Op.Variable ? code[into + 2]! : into);
      for (const value of given) for (const slot of slots) this.put(slot, value, holds);
    }
    for (let i = 0; i < returns.length; i += 2) this.put({ owner: { file: this.source.index, symbol: returns[i]! }, name: "()" }, returns[i + 1]!, false);
  }

  /** What a Call or a Method puts into parameters and into what it makes, and the slots whose functions it calls. */
  call(at: Offset, by: SymbolRef, line: number, around: Impl | undefined): void {
    const { source, checker } = this;
    const { code, strings } = source.data;
    const args = argumentRecords(source, at);
    const targets = checker.targets(source, at, around);
    const byPath = code[at] === Op.Call;
    for (const target of targets) {
      if (target.confidence < INFERRED) continue;
      const { fact, source: home } = target.func;
      const shift = byPath && fact.method ? 1 : 0;
      for (const [i, argument] of args.entries()) {
        const parameter = fact.parameters[i - shift];
        if (parameter === undefined || !this.mayBeFunction(argument)) continue;
        const type = checker.types.type(home, parameter);
        if (!mayTake(type) && !this.holds(type)) continue;
        for (const owner of this.reach(target)) this.put({ owner, name: String(i - shift) }, argument, this.holds(type));
      }
    }
    const made = targets.length === 0 ? checker.madeBy(source, at) : undefined;
    if (made) for (const [i, argument] of args.entries()) if (this.mayBeFunction(argument)) this.put(fieldOf(made.declaration, made.variant, String(i)), argument, false);
    if (targets.length > 0 || made) return;
    const callee = code[at + 1]!;
    // What is called is a value: a field, a parameter, an element.
    if (byPath && (code[callee] !== Op.Path || checker.constant(source, callee))) for (const slot of this.valuesOf(callee).slots) this.stores.call(by, slot, line);
    const name = byPath ? (code[callee] === Op.Path ? strings[code[callee + 2]!]! : "") : strings[code[at + 2]!]!;
    if (byPath ? !RUNS.test(name) : STORES.test(name) || PASSES.test(name)) return;
    // The library runs what it is given.
    for (const argument of args) {
      if (!READ.has(code[argument]!) || !this.isFunction(checker.operand(source, argument).type)) continue;
      for (const slot of this.valuesOf(argument).slots) this.stores.call(by, slot, line);
    }
  }

  /** Most arguments are literals, and values made. */
  private mayBeFunction(at: Offset): boolean {
    const op = this.source.data.code[at];
    return at !== 0 && op !== Op.Literal && (op !== Op.Value || this.puts.has(at)) && (op !== Op.Closure || this.puts.has(at));
  }

  /** Whether the type of a value lets it hold functions. */
  private mayHold(value: Offset): boolean {
    const { type } = this.checker.operand(this.source, value);
    return mayTake(type) || this.holds(type);
  }

  /** `sure`: the slot is known to hold functions. */
  private put(into: Slot, value: Offset, sure: boolean): void {
    const { functions, slots } = this.valuesOf(value);
    for (const one of functions) this.stores.put(this.source.index, into, one);
    const isKnown = sure || (slots.length > 0 && this.holds(this.checker.operand(this.source, value).type));
    for (const one of slots) {
      if (isKnown || one.name === SLOT.CODE) this.stores.put(this.source.index, into, one);
      // What is put where one end of a channel is kept comes out of the other.
      if (one.name.startsWith(CHANNEL)) this.stores.put(this.source.index, one, into);
    }
  }

  /** What an expression may hold: functions, and what other slots hold. */
  private valuesOf(at: Offset): Values {
    const values: Values = { functions: [], slots: [], seen: new Set() };
    this.gather(at, values, 0);
    return values;
  }

  private gather(at: Offset, into: Values, depth: number): void {
    if (at === 0 || depth > MAX_DEPTH || into.seen.has(at) || into.functions.length + into.slots.length > MAX_VALUES) return;
    into.seen.add(at);
    spend();
    const { source, checker } = this;
    const { code, strings } = source.data;
    const all = (list: readonly Offset[]): void => {
      for (const one of list) this.gather(one, into, depth + 1);
    };
    switch (code[at]) {
      case Op.Path: {
        const constant = checker.constant(source, at);
        if (constant) into.slots.push({ owner: constant, name: "" });
        for (const target of checker.targets(source, at)) if (target.confidence >= INFERRED) into.functions.push(...this.reach(target));
        break;
      }
      case Op.Closure:
        for (const call of this.puts.get(at) ?? []) {
          if (code[call] === Op.Code) into.slots.push({ owner: { file: source.index, symbol: code[call + 1]! }, name: SLOT.CODE });
          else for (const target of checker.targets(source, call)) if (target.confidence >= INFERRED) into.functions.push(...this.reach(target));
        }
        break;
      case Op.Variable: {
        const slot = this.parameters.get(at);
        if (slot) into.slots.push(slot);
        all([code[at + 2]!, ...this.puts.get(at) ?? []]);
        break;
      }
      case Op.Field:
        this.field(code[at + 1]!, strings[code[at + 2]!]!, into, depth);
        break;
      case Op.Part: {
        const made = checker.takenApart(source, code[at + 2]!);
        const name = strings[code[at + 3]!]!;
        if (made) into.slots.push(fieldOf(made.declaration, made.variant, name));
        else all([code[at + 1]!]);
        break;
      }
      case Op.Argument: {
        const call = code[code[at + 1]! + 1]!;
        if (call !== 0 && code[call] === Op.Method && checker.targets(source, call).length === 0) this.receiver(call, into, depth);
        break;
      }
      case Op.Value:
        all(this.puts.get(at) ?? []);
        break;
      case Op.Try:
      case Op.Await:
      case Op.Element:
      case Op.Index:
      case Op.Deref:
        all([code[at + 1]!]);
        break;
      case Op.Borrow:
        all([code[at + 2]!]);
        break;
      case Op.Either:
      case Op.Tuple:
        all(code.slice(at + 2, at + 2 + code[at + 1]!));
        break;
      case Op.Array:
        all(code.slice(at + 3, at + 3 + code[at + 2]!));
        break;
      case Op.Call:
      case Op.Method:
        this.result(at, into, depth);
        break;
    }
  }

  /** A field of a struct; of a tuple, what that holds. */
  private field(of: Offset, name: string, into: Values, depth: number): void {
    const { source, checker } = this;
    if (this.isChannel(of)) {
      into.slots.push({ owner: { file: source.index, symbol: -1 }, name: `${CHANNEL}${of}` });
      return;
    }
    if (source.data.code[of] === Op.Literal) {
      const path = source.data.code[of + 1]!;
      const struct = checker.types.type(source, path);
      const made = struct.kind === "own" && struct.declaration.fact.kind === "struct" ? { declaration: struct.declaration, variant: "" } : checker.takenApart(source, path);
      if (made) into.slots.push(fieldOf(made.declaration, made.variant, name));
      return;
    }
    for (const type of checker.types.derefs(checker.operand(source, of).type)) {
      if (type.kind === "own" && type.declaration.fact.fields.some((field) => field.name === name)) {
        into.slots.push(fieldOf(type.declaration, "", name));
        return;
      }
      if (type.kind === "foreign" && type.name === "()") {
        this.gather(of, into, depth + 1);
        return;
      }
    }
  }

  /** `mpsc::channel()`, and its like of other crates. */
  private isChannel(at: Offset): boolean {
    const { code, strings } = this.source.data;
    if (code[at] !== Op.Call) return false;
    const callee = code[at + 1]!;
    return code[callee] === Op.Path && CHANNELS.test(strings[code[callee + 2]!]!) && this.checker.targets(this.source, at).length === 0;
  }

  /** What a call gives. */
  private result(at: Offset, into: Values, depth: number): void {
    const { source, checker } = this;
    const { code, strings } = source.data;
    const targets = checker.targets(source, at);
    for (const target of targets) if (target.confidence >= INFERRED) for (const owner of this.reach(target)) into.slots.push({ owner, name: "()" });
    if (targets.length > 0 || checker.made(source, at).length > 0) return;
    const callee = code[at + 1]!;
    const isLazy = code[at] === Op.Method ? GIVES.test(strings[code[at + 2]!]!) : code[callee] === Op.Path && code[code[callee + 1]!] === Op.Path && LAZY.test(strings[code[code[callee + 1]! + 2]!]!);
    if (isLazy) for (const argument of argumentRecords(source, at)) this.given(argument, into, depth);
    // `Some(f)`, `Box::new(f)`
    else if (code[at] === Op.Method ? PASSES.test(strings[code[at + 2]!]!) : code[callee] === Op.Path && !RUNS.test(strings[code[callee + 2]!]!)) {
      for (const argument of argumentRecords(source, at)) this.gather(argument, into, depth + 1);
    }
    if (code[at] === Op.Method) this.receiver(at, into, depth);
  }

  /** What a function gives that a library's type runs for its value. */
  private given(argument: Offset, into: Values, depth: number): void {
    const { source, checker } = this;
    if (source.data.code[argument] === Op.Closure) this.gather(source.data.code[argument + 3]!, into, depth + 1);
    else for (const target of checker.targets(source, argument)) if (target.confidence >= INFERRED) for (const owner of this.reach(target)) into.slots.push({ owner, name: "()" });
  }

  /** What a library's method is called on, when that may hold functions. */
  private receiver(call: Offset, into: Values, depth: number): void {
    const receiver = this.source.data.code[call + 1]!;
    const { type } = this.checker.operand(this.source, receiver);
    if (type.kind === "unknown" || this.holds(type)) this.gather(receiver, into, depth + 1);
  }

  /** Whether values of a type are functions, or have some in them. */
  private holds(type: Type): boolean {
    const known = this.holding.get(type);
    if (known !== undefined) return known;
    const found = this.holdsInside(type, 0);
    this.holding.set(type, found);
    return found;
  }

  private holdsInside(type: Type, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (type.kind === "foreign" && type.args.some((argument) => this.holdsInside(argument, depth + 1))) return true;
    return this.isFunction(type);
  }

  private isFunction(type: Type): boolean {
    const known = this.functions.get(type);
    if (known !== undefined) return known;
    const found = this.checker.types.functionType(type) !== undefined;
    this.functions.set(type, found);
    return found;
  }
}

/** Whether a type says nothing of what has it. */
function mayTake(type: Type): boolean {
  return type.kind === "unknown" || type.kind === "parameter";
}

/** A field of a struct, or of a variant of an enum. */
function fieldOf({ source, fact }: Declaration, variant: string, name: string): Slot {
  return { owner: { file: source.index, symbol: fact.symbol }, name: variant === "" ? name : `${variant}.${name}` };
}

function functionsOf({ functions, types, impls }: RustFacts): RustFacts["functions"][number]["fact"][] {
  return [...functions.map(({ fact }) => fact), ...[...types, ...impls].flatMap((one) => one.functions)].filter(({ symbol }) => symbol >= 0);
}
