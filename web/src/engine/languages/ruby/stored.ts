import { spend } from "../../effort.ts";
import { SLOT, type Slot, type Stores, type SymbolRef } from "../../language.ts";
import { argumentFor, argumentsFor, argumentsOf, optionsFor } from "./arguments.ts";
import type { Checker } from "./checker.ts";
import { type ContextFact, type Offset, Op, type RubyFacts, type ScopeFact } from "./facts.ts";
import type { Hierarchy, Side } from "./hierarchy.ts";
import { INFERRED, POSSIBLE, type Resolution } from "./operand.ts";
import { isModule, mainPart, type Method, type Module, type Source } from "./program.ts";
import { recordsOf } from "./surface.ts";
import { termsOf, type Type } from "./types.ts";

/** Locals, and calls of Ruby's own methods that are looked through. */
const MAX_DEPTH = 6;
/** What a value may be beyond so many says nothing. */
const MAX_VALUES = 100;
/** A variable of objects is looked for in so many classes below at most. */
const MAX_FAMILY = 20;

/** Methods that run the function that they are called on. */
const RUNS = new Set(["call", "()", "yield"]);
/** The same, where what they are called on is surely a function. */
const MAY_RUN = new Set(["[]", "==="]);
/** Methods that put their last argument into a list or a table. */
const FILLS = new Set(["<<", "[]=", "add", "append", "enq", "insert", "prepend", "push", "store", "unshift"]);
/** Methods that give what is in a table under a name. */
const ENTRY = new Set(["[]", "delete", "dig", "fetch"]);
/** Methods that give what they are called on, or some of what is in it. */
const KEEPS = new Set(`
  [] compact concat curry delete detect dig dup each each_value each_with_index fetch filter find first flatten freeze itself last lazy merge merge! min_by
  max_by pop reject reverse rotate sample select shift shuffle slice sort_by take take_while to_a to_h to_proc uniq update values values_at + |
`.trim().split(/\s+/));
/** Those that give what they are given as well. */
const JOINS = new Set(["concat", "fetch", "merge", "merge!", "update", "+", "|"]);
/** Methods that make a function of their block. */
const MAKES = new Set(["lambda", "new", "proc"]);
/** Methods that keep their block and do not run it. */
const KEEP_BLOCK = new Set([...MAKES, "define_method", "define_singleton_method"]);

/** What a value may hold. */
interface Values {
  functions: SymbolRef[];
  slots: Slot[];
  /** Records that were looked at on the way, where there was one. */
  seen?: Set<Offset>;
}

/** The classes and modules in which the code of one may put what its objects' variables hold: its own first. */
export function familyOf(hierarchy: Hierarchy, module: Module, side: Side): Module[] {
  const family = new Set([module, ...hierarchy.order(module, side).map((place) => place.module)]);
  const below = hierarchy.allBelow(module);
  if (below.size <= MAX_FAMILY) for (const one of below) family.add(one);
  return [...family];
}

const readers = new WeakMap<RubyFacts, ReadonlySet<ScopeFact>>();

/** Whether the code of a scope reads variables of objects. */
export function readsVariables(data: RubyFacts, scope: ScopeFact): boolean {
  let known = readers.get(data);
  if (!known) {
    const { code, contexts, scopes } = data;
    known = new Set([...recordsOf(code)].flatMap((at) => (code[at] === Op.Field ? [scopes[contexts[code[at + 2]!]!.scope]!] : [])));
    readers.set(data, known);
  }
  return known.has(scope);
}

/**
 * Tells what the code of one file does with functions as values; see Stores. It asks only what the uses of the file ask: which files' relations
 * may be others after a change is known for these alone (`affected.ts`).
 */
export class Stored {
  private readonly uses: ReadonlySet<Offset>;
  /** What is put into the list or table that a record makes. */
  private readonly filled = new Map<Offset, Offset[]>();
  /** By block, the call that is all it does. */
  private readonly forwards = new Map<Offset, Offset>();
  /** By class and variable, the slots that are written, and those that are read. */
  private readonly written = new Map<string, readonly Slot[]>();
  private readonly read = new Map<string, readonly Slot[]>();
  /** What records hold, once all that is put into lists and tables is known. */
  private values: Map<Offset, Values> | undefined;

  constructor(private readonly checker: Checker, private readonly source: Source, private readonly stores: Stores) {
    const { uses, forwards } = source.data;
    this.uses = new Set(uses.filter((_, i) => i % 3 === 0));
    for (let i = 0; i < forwards.length; i += 2) this.forwards.set(forwards[i]!, forwards[i + 1]!);
  }

  say(): void {
    const { source, source: { data: { code, uses, yielded } } } = this;
    for (const fill of [true, false]) {
      for (let i = 0; i < uses.length; i += 3) {
        const at = uses[i]!;
        if (code[at] !== Op.Call && code[at] !== Op.Super) continue;
        if (fill) this.fill(at);
        else this.call(at, { file: source.index, symbol: uses[i + 1]! }, uses[i + 2]!);
      }
      this.values ??= new Map();
    }
    for (let i = 0; i < yielded.length; i += 3) {
      const slot = this.blockOf(this.checker.program.method(source, yielded[i]!));
      if (slot) this.stores.call({ file: source.index, symbol: yielded[i + 1]! }, slot, yielded[i + 2]!);
    }
    this.variables();
    this.methods();
    this.tables();
  }

  // What is put where

  private variables(): void {
    const { source, source: { data: { fields, contexts, constants } } } = this;
    for (const { name, context, value, element } of fields) {
      if (!element) for (const slot of this.fieldSlots(name, contexts[context]!, true)) this.put(slot, value);
    }
    for (const { symbol, value } of constants) if (symbol >= 0) this.put({ owner: { file: source.index, symbol }, name: "" }, value);
  }

  /** What methods give, and give to their blocks. */
  private methods(): void {
    const { source, source: { data: { code, strings, contexts, methods } } } = this;
    methods.forEach(({ symbol, result, yields }) => {
      if (symbol < 0) return;
      const owner: SymbolRef = { file: source.index, symbol };
      this.put({ owner, name: "()" }, result);
      // Who gets a list from a method may put something into it.
      for (const one of this.either(result)) {
        if (code[one] !== Op.Field) continue;
        for (const slot of this.fieldSlots(strings[code[one + 1]!]!, contexts[code[one + 2]!]!, true)) this.putAll(slot, { functions: [], slots: [{ owner, name: "()" }] });
      }
      for (const values of yields) values.forEach((value, i) => this.put({ owner, name: `(${i}` }, value));
    });
  }

  private tables(): void {
    const { code } = this.source.data;
    for (const at of recordsOf(code)) {
      if (code[at] === Op.Table) for (const one of this.listed(at)) this.entry(one);
    }
  }

  private entry(keyword: Offset): void {
    const { code, strings } = this.source.data;
    if (code[keyword] === Op.Keyword) this.put(entryOf(strings[code[keyword + 1]!]!), code[keyword + 2]!);
  }

  /** `@handlers << x`, `HANDLERS[:a] = x` */
  private fill(call: Offset): void {
    const { code, strings, contexts } = this.source.data;
    if (code[call] !== Op.Call || code[call + 1] === 0 || !FILLS.has(strings[code[call + 2]!]!) || this.resolution(call).targets.length > 0) return;
    const given = argumentsOf(this.source, call);
    const value = given.at(-1);
    if (value === undefined || !this.mayBeFunction(value)) return;
    const [key] = given;
    if (given.length > 1 && code[key!] === Op.Symbol) this.put(entryOf(strings[code[key! + 1]!]!), value);
    for (const into of this.containers(code[call + 1]!, 0)) {
      if (code[into] === Op.Field) for (const slot of this.fieldSlots(strings[code[into + 1]!]!, contexts[code[into + 2]!]!, true)) this.put(slot, value);
      else if (code[into] === Op.List || code[into] === Op.Table || (code[into] === Op.Call && this.resolution(into).targets.length === 0)) {
        const list = this.filled.get(into);
        if (list) list.push(value);
        else this.filled.set(into, [value]);
      } else for (const slot of this.valuesOf(into).slots) this.put(slot, value);
    }
  }

  /** The lists and tables that something is put into, or into what is in them. */
  private containers(at: Offset, depth: number): Offset[] {
    const { code, strings } = this.source.data;
    if (at === 0 || depth > MAX_DEPTH) return [];
    if (code[at] === Op.Either) return this.listed(at).flatMap((one) => this.containers(one, depth + 1));
    const reads = code[at] === Op.Call && code[at + 1] !== 0 && KEEPS.has(strings[code[at + 2]!]!);
    return reads && this.uses.has(at) && this.resolution(at).targets.length === 0 ? this.containers(code[at + 1]!, depth + 1) : [at];
  }

  private put(slot: Slot, value: Offset): void {
    if (this.mayBeFunction(value)) this.putAll(slot, this.valuesOf(value));
  }

  private putAll(slot: Slot, { functions, slots }: Pick<Values, "functions" | "slots">): void {
    const { source, stores } = this;
    // What tests put into the code that they test is no part of it.
    if (functions.length + slots.length === 0 || (source.test && !(slot.owner && this.checker.program.sources[slot.owner.file]!.test))) return;
    for (const one of functions) stores.put(source.index, slot, one);
    for (const one of slots) stores.put(source.index, slot, one);
  }

  /** Most values are texts, numbers and the like. */
  private mayBeFunction(value: Offset): boolean {
    const op = this.source.data.code[value];
    if (op === Op.Call && this.uses.has(value)) {
      const { targets, type } = this.resolution(value);
      return targets.length === 0 || mayHold(type);
    }
    return value !== 0 && op !== Op.Core && op !== Op.Symbol && op !== Op.Text && op !== Op.Self && op !== Op.Instance && op !== Op.Made && op !== Op.Documented && op !== Op.Unknown;
  }

  // Calls

  /** What a call puts into parameters, and the slots whose functions it runs. */
  private call(call: Offset, by: SymbolRef, line: number): void {
    const { targets } = this.resolution(call);
    for (const { method, confidence } of targets) if (confidence >= POSSIBLE) this.pass(call, method);
    // An object with a method `call` may be one of several things that are called.
    const { code, strings } = this.source.data;
    const isOneOf = code[call] === Op.Call && RUNS.has(strings[code[call + 2]!]!) && targets.every(({ confidence }) => confidence < INFERRED);
    if (targets.length === 0 || isOneOf) for (const slot of this.called(call)) this.stores.call(by, slot, line);
  }

  private pass(call: Offset, method: Method): void {
    const { source, source: { data: { code, contexts, methods } } } = this;
    if (method.fact.symbol < 0) return;
    const owner = refOf(method);
    const implicit = code[call] === Op.Super && code[call + 3] === -1;
    const own = implicit ? contexts[code[call + 1]!]!.method : -1;
    method.fact.parameters.forEach(({ kind }, position) => {
      const slot: Slot = { owner, name: String(position) };
      if (kind === "block") return;
      if (implicit) {
        const from = this.parameterSlot(own, position);
        if (from) this.putAll(slot, { functions: [], slots: [from] });
        return;
      }
      const argument = argumentFor(source, call, method, position);
      if (argument) this.put(slot, argument);
      if (kind === "rest") for (const one of argumentsFor(source, call, method).slice(position + (argument ? 1 : 0))) if (code[one] !== Op.Keyword) this.put(slot, one);
      for (const option of argument ? [] : optionsFor(source, call, method, position)) {
        this.put(slot, option);
        this.entry(option);
      }
    });
    const block = this.blockAt(call);
    const into = this.blockOf(method);
    if (into && block) this.put(into, block);
    else if (into && code[call] === Op.Super) {
      const around = contexts[code[call + 1]!]!.method;
      const from = around >= 0 && methods[around]!.symbol >= 0 ? this.blockOf(this.checker.program.method(source, around)) : undefined;
      if (from) this.putAll(into, { functions: [], slots: [from] });
    }
  }

  /** The slots whose functions a call runs that runs no method of the code base. */
  private called(call: Offset): Slot[] {
    const { code, strings } = this.source.data;
    if (code[call] !== Op.Call) return [];
    const name = strings[code[call + 2]!]!;
    const receiver = code[call + 1]!;
    if (receiver !== 0 && (RUNS.has(name) || (MAY_RUN.has(name) && this.isFunction(receiver)))) return this.valuesOf(receiver).slots;
    const block = this.blockAt(call);
    // `list.each(&handler)`, `handlers.each(&:call)`
    if (code[block] === Op.Pass) return KEEP_BLOCK.has(name) ? [] : this.valuesOf(block).slots;
    return code[block] === Op.Each && receiver !== 0 && RUNS.has(strings[code[block + 2]!]!) ? this.valuesOf(receiver).slots : [];
  }

  private blockAt(call: Offset): Offset {
    const { code } = this.source.data;
    return code[call + (code[call] === Op.Super ? 2 : 4)]!;
  }

  /** Whether a value is surely a function, and no table. */
  private isFunction(at: Offset): boolean {
    const { code, methods } = this.source.data;
    const all = this.either(at);
    return all.every((one) => code[one] === Op.Closure || code[one] === Op.Reference || (code[one] === Op.Parameter && methods[code[one + 1]!]!.parameters[code[one + 2]!]?.kind === "block"));
  }

  // What values hold

  private valuesOf(at: Offset): Values {
    const known = this.values?.get(at);
    if (known) return known;
    const values: Values = { functions: [], slots: [] };
    this.gather(at, values, 0);
    this.values?.set(at, values);
    return values;
  }

  private gather(at: Offset, into: Values, depth: number): void {
    if (at === 0 || depth > MAX_DEPTH || into.seen?.has(at) || into.functions.length + into.slots.length > MAX_VALUES) return;
    if (depth > 0) (into.seen ??= new Set()).add(at);
    spend();
    const { checker, source, source: { data: { code, strings, contexts } } } = this;
    const filled = this.filled.get(at);
    if (filled) this.gatherAll(filled, into, depth);
    switch (code[at]) {
      case Op.Reference:
      case Op.Each:
        if (this.uses.has(at)) into.functions.push(...this.run(this.resolution(at)));
        break;
      case Op.Closure:
        this.gatherAll([code[at + 1]!], into, depth);
        break;
      case Op.Block: {
        const call = this.forwards.get(at);
        if (call === undefined && code[at + 4]! >= 0) into.slots.push({ owner: { file: source.index, symbol: code[at + 4]! }, name: SLOT.CODE });
        if (call === undefined || !this.uses.has(call)) break;
        const resolution = this.resolution(call);
        into.functions.push(...this.run(resolution));
        if (resolution.targets.length === 0) into.slots.push(...this.called(call));
        break;
      }
      case Op.Parameter: {
        const slot = this.parameterSlot(code[at + 1]!, code[at + 2]!);
        if (slot) into.slots.push(slot);
        this.gatherAll([source.data.methods[code[at + 1]!]!.parameters[code[at + 2]!]?.value ?? 0], into, depth);
        break;
      }
      case Op.Field:
        into.slots.push(...this.fieldSlots(strings[code[at + 1]!]!, contexts[code[at + 2]!]!, false));
        break;
      case Op.Constant:
      case Op.Top:
      case Op.Scoped: {
        const found = this.uses.has(at) ? checker.constant(source, at) : undefined;
        if (found && !isModule(found) && (found.symbol ?? -1) >= 0) into.slots.push({ owner: { file: found.source.index, symbol: found.symbol! }, name: "" });
        break;
      }
      case Op.List:
      case Op.Table:
      case Op.Either:
        this.gatherAll(this.listed(at), into, depth);
        break;
      case Op.Keyword:
        this.gatherAll([code[at + 2]!], into, depth);
        break;
      case Op.Element:
      case Op.Splat:
      case Op.Pass:
        this.gatherAll([code[at + 1]!], into, depth);
        break;
      case Op.Given:
        this.given(at, into, depth);
        break;
      case Op.Call:
      case Op.Super:
        if (this.uses.has(at)) this.result(at, into, depth);
        break;
    }
  }

  private gatherAll(list: readonly Offset[], into: Values, depth: number): void {
    for (const one of list) this.gather(one, into, depth + 1);
  }

  /** What a block's parameter is given. */
  private given(at: Offset, into: Values, depth: number): void {
    const { code, strings } = this.source.data;
    const call = code[code[at + 1]! + 1]!;
    if (call === 0 || !this.uses.has(call)) return;
    const { targets } = this.resolution(call);
    for (const { method, confidence } of targets) if (confidence >= POSSIBLE && method.fact.symbol >= 0) into.slots.push({ owner: refOf(method), name: `(${code[at + 2]!}` });
    if (targets.length === 0 && code[call] === Op.Call && !KEEP_BLOCK.has(strings[code[call + 2]!]!)) this.gather(code[call + 1]!, into, depth + 1);
  }

  /** What a call gives. */
  private result(at: Offset, into: Values, depth: number): void {
    const { code, strings } = this.source.data;
    const { targets, made, type } = this.resolution(at);
    if (targets.length > 0) {
      if (mayHold(type)) for (const { method, confidence } of targets) if (confidence >= POSSIBLE && method.fact.symbol >= 0 && method.fact.name !== "initialize") into.slots.push({ owner: refOf(method), name: "()" });
      return;
    }
    if (code[at] !== Op.Call) return;
    const name = strings[code[at + 2]!]!;
    const [first] = argumentsOf(this.source, at);
    if (MAKES.has(name) && code[this.blockAt(at)] === Op.Pass) this.gather(this.blockAt(at), into, depth + 1);
    if (name === "new" && !made) for (const one of argumentsOf(this.source, at)) this.gather(one, into, depth + 1);
    if (!KEEPS.has(name) || code[at + 1] === 0) return;
    if (ENTRY.has(name) && code[first!] === Op.Symbol) into.slots.push(entryOf(strings[code[first! + 1]!]!));
    else this.gather(code[at + 1]!, into, depth + 1);
    if (JOINS.has(name)) for (const one of argumentsOf(this.source, at)) this.gather(one, into, depth + 1);
  }

  private run({ targets }: Resolution): SymbolRef[] {
    return targets.flatMap(({ method, confidence }) => (confidence >= POSSIBLE && method.fact.symbol >= 0 ? [refOf(method)] : []));
  }

  // Slots

  private parameterSlot(method: number, position: number): Slot | undefined {
    const { source, source: { data: { methods } } } = this;
    const fact = methods[method];
    if (!fact || fact.symbol < 0 || !fact.parameters[position]) return undefined;
    return fact.parameters[position].kind === "block" ? this.blockOf(this.checker.program.method(source, method)) : { owner: { file: source.index, symbol: fact.symbol }, name: String(position) };
  }

  /** The block of a method, whether or not it has a name. */
  private blockOf(method: Method): Slot | undefined {
    return method.fact.symbol < 0 ? undefined : { owner: refOf(method), name: "(&" };
  }

  /** The slots of a variable: what is put there goes into that of the class around, what is read may be in those of all that have it with it. */
  private fieldSlots(name: string, { scope, singleton }: ContextFact, written: boolean): readonly Slot[] {
    if (name.startsWith("$")) return [{ name }];
    const { checker: { program, hierarchy }, source } = this;
    const module = program.moduleOf(source, scope);
    if (module === program.root || source.data.scopes[scope]!.kind === "variables") return [];
    const side: Side = name.startsWith("@@") || singleton ? "singleton" : "instance";
    const all = written ? this.written : this.read;
    const key = `${module.id}${side === "singleton" ? " self" : ""} ${name}`;
    let slots = all.get(key);
    if (!slots) {
      slots = (written ? [module] : familyOf(hierarchy, module, side)).flatMap((one) => {
        const part = mainPart(one);
        return part ? [{ owner: { file: part.source.index, symbol: part.fact.symbol }, name: side === "singleton" ? `self ${name}` : name }] : [];
      });
      all.set(key, slots);
    }
    return slots;
  }

  // Records

  private resolution(at: Offset): Resolution {
    return this.checker.dispatch.resolution(this.source, at);
  }

  private listed(at: Offset): Offset[] {
    const { code } = this.source.data;
    return code.slice(at + 2, at + 2 + code[at + 1]!);
  }

  private either(at: Offset): Offset[] {
    return this.source.data.code[at] === Op.Either ? this.listed(at) : [at];
  }
}

/** What tables have under a name: they are told apart by that alone. */
function entryOf(name: string): Slot {
  return { name: `[${name}]` };
}

function refOf({ fact, source }: Method): SymbolRef {
  return { file: source.index, symbol: fact.symbol };
}

/** Whether something of a type may be a function or hold some. */
function mayHold(type: Type): boolean {
  const terms = termsOf(type);
  return terms.length === 0 || terms.some((term) => term.kind === "core" && /^(?:\?|Array|Enumerator|Hash|Method|Proc|Set)$/.test(term.name));
}
