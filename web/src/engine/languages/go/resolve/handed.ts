import { spend } from "../../../effort.ts";
import { SLOT, type Slot, type Stores, type SymbolRef } from "../../../language.ts";
import { isTestPath } from "../../../test-paths.ts";
import { type Offset, Op } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { interfaceMethods, underlying } from "./members.ts";
import { DECLARED, type Operand } from "./operand.ts";
import type { Source } from "./packages.ts";
import { isGiven, slotOfField, slotOfType } from "./signatures.ts";
import { type Func, keyOf, type Type } from "./types.ts";
import { Unification } from "./unify.ts";

/** Conversions and wrapping calls that are looked through, and containers in containers. */
const MAX_DEPTH = 6;
/** A variable, a list or a table that is given more than this says nothing about which of it runs. */
const MAX_FILLED = 100;

/** Tells how the code of one file hands functions on: to parameters, from these into fields and variables, and which of them it calls; see Stores. */
export class Handed {
  private readonly isTest: boolean;
  private readonly parameters = new Map<Offset, Slot>();
  private readonly receivers = new Set<Offset>();
  /** What is put into local variables, lists and tables. */
  private readonly filled = new Map<Offset, Offset[]>();
  /** What local variables hold; nothing while that is worked out. */
  private readonly variables = new Map<Offset, readonly (SymbolRef | Slot)[]>();
  /** Results of interfaces' methods that what their implementations give is put into. */
  private readonly behindGiven = new Set<string>();
  /** By function literal, the function around it, and the call that is all it does or 0. */
  private readonly literals = new Map<Offset, { around: Slot; only: Offset }>();

  /** `behind`: the methods that one of an interface may stand for. */
  constructor(
    private readonly source: Source, private readonly checker: Checker, private readonly stores: Stores, private readonly behind: (at: Offset) => readonly SymbolRef[],
  ) {
    this.isTest = isTestPath(source.path);
    for (const { symbol, variables, receiver } of source.data.functions) {
      if (receiver > 0) this.receivers.add(receiver);
      variables.forEach((at, i) => {
        if (at > 0) this.parameters.set(at, { owner: { file: source.index, symbol }, name: String(i) });
      });
    }
    const { literals, given, code } = source.data;
    for (let i = 0; i < given.length; i += 2) {
      const into = given[i]!;
      if (code[into] !== Op.Variable && code[into] !== Op.Value) continue;
      const list = this.filled.get(into);
      if (list && list.length < MAX_FILLED) list.push(given[i + 1]!);
      else if (!list) this.filled.set(into, [given[i + 1]!]);
    }
    for (let i = 0; i < literals.length; i += 3) {
      this.literals.set(literals[i]!, { around: { owner: { file: source.index, symbol: literals[i + 1]! }, name: SLOT.CODE }, only: literals[i + 2]! });
    }
  }

  /** What the file puts into fields, variables, lists and tables, and what its functions give. */
  tell(): void {
    const { given, returns, functions } = this.source.data;
    for (let i = 0; i < given.length; i += 2) {
      const into = given[i]!;
      if (this.filled.has(into) || !mayBe(this.checker.operand(this.source, into).type)) continue;
      const values = this.valuesOf(given[i + 1]!, 0);
      const slot = values.length > 0 ? this.slotOf(into) : undefined;
      if (slot) this.put(slot, given[i + 1]!, values);
    }
    let at = 0;
    for (let i = 0; i < returns.length; i += 3) {
      const symbol = returns[i]!;
      // Both are in the order of the file.
      while (functions[at] && functions[at]!.symbol !== symbol) at++;
      const fact = functions[at];
      const place = returns[i + 2]!;
      const result = fact && this.checker.functionType(this.source, fact).results[place];
      if (result && mayBe(result)) this.put({ owner: { file: this.source.index, symbol }, name: nameOfResult(place) }, returns[i + 1]!, this.valuesOf(returns[i + 1]!, 0));
    }
  }

  /** Functions are used as values of a type. */
  use(functions: readonly SymbolRef[], type: Type): void {
    if (!this.areFunctions(functions)) return;
    for (const to of functions) {
      const slot = slotOfType(type, this.checker.packages.sources[to.file]);
      if (slot) this.stores.put(this.source.index, slot, to);
    }
  }

  /** A conversion to a type: what is a function of a declared type is what its methods have as their receiver. */
  convert(at: Offset, type: Type): void {
    const slot = slotOfReceiver(type);
    const argument = this.source.data.code[at + 3]!;
    if (slot && this.source.data.code[at + 2] === 1) this.put(slot, argument, this.valuesOf(argument, 0));
  }

  /** A call, or a loop through a function, with what its callee stands for. */
  call(at: Offset, operand: Operand, by: SymbolRef, line: number): void {
    const { code } = this.source.data;
    const callee = code[at + 1]!;
    if (operand.refs && this.areFunctions(operand.refs)) {
      if (code[at] === Op.Call && operand.certainty >= DECLARED) this.pass(at, operand.refs, underlying(operand.type));
      this.receive(callee);
      return;
    }
    const slot = this.slotOf(callee) ?? this.heldIn(callee) ?? this.local(callee);
    const otherwise = !operand.refs && isGiven(this.source.data, callee) ? this.slotOfType(operand.type) : undefined;
    if (slot) this.stores.call(by, slot, line, otherwise);
    else if (otherwise) this.stores.call(by, otherwise, line);
  }

  /** A call puts its arguments into the parameters of functions of a type: into the last one, where that takes several. */
  private pass(call: Offset, functions: readonly SymbolRef[], type: Type): void {
    if (type.kind !== "func" || !mayTake(type)) return;
    const { code } = this.source.data;
    const all = [...functions, ...this.behind(code[call + 1]!)];
    for (let i = 0; i < code[call + 2]!; i++) {
      const place = type.variadic ? Math.min(i, type.parameters.length - 1) : i;
      const parameter = type.parameters[place];
      if (!parameter || !mayHold(parameter)) continue;
      const argument = code[call + 3 + i]!;
      const values = this.valuesOf(argument, 0);
      if (values.length > 0) for (const owner of all) this.put({ owner, name: String(place) }, argument, values);
    }
  }

  /** A method of a function type runs on what is called so. */
  private receive(callee: Offset): void {
    const { code } = this.source.data;
    if (code[callee] !== Op.Select) return;
    const on = code[callee + 1]!;
    const { mode, type } = this.checker.operand(this.source, on);
    const slot = mode === "value" ? slotOfReceiver(type) : undefined;
    if (slot) this.put(slot, on, this.valuesOf(on, 0));
  }

  /** What a local variable holds that is called, or a list that one holds. */
  private local(callee: Offset): Slot | undefined {
    const { code } = this.source.data;
    if (code[callee] === Op.Name || code[callee] === Op.Select) return undefined;
    const values = this.valuesOf(callee, 0);
    const local = this.slotOfLocal(callee);
    for (const what of values) this.stores.put(this.source.index, local, what);
    return values.length > 0 ? local : undefined;
  }

  private slotOfLocal(callee: Offset): Slot {
    return { owner: { file: this.source.index, symbol: -1 }, name: `:${callee}` };
  }

  /** What may be called of a type: by tests, what they declare and what they test. */
  private slotOfType(type: Type): Slot | undefined {
    const own = slotOfType(type, this.source);
    const general = own && this.source.test ? slotOfType(type) : undefined;
    if (own && general) this.stores.put(this.source.index, own, general);
    return own;
  }

  /** The functions that a callee surely is. */
  private functionsOf(callee: Offset): readonly SymbolRef[] {
    const { mode, refs, certainty } = this.checker.operand(this.source, callee);
    return refs && mode === "value" && certainty >= DECLARED && this.areFunctions(refs) ? refs : NONE;
  }

  /** Whether all are, since what one operand refers to is of one kind. */
  private areFunctions([first]: readonly SymbolRef[]): boolean {
    return first !== undefined && this.checker.isFunction(first);
  }

  /** What has a function in an interface, whose method in the library calls it, such as http.HandlerFunc. */
  private heldIn(callee: Offset): Slot | undefined {
    const { code } = this.source.data;
    if (code[callee] !== Op.Select) return undefined;
    const { mode, type } = this.checker.operand(this.source, code[callee + 1]!);
    const { kind } = underlying(type);
    return mode === "value" && (kind === "interface" || kind === "foreign" || kind === "func") ? this.slotOf(code[callee + 1]!) : undefined;
  }

  /** Puts what an expression is, `values`, into a slot. */
  private put(into: Slot, at: Offset, values: readonly (SymbolRef | Slot)[]): void {
    const all = this.isTest && into.owner && !this.isTestFile(into.owner.file) ? this.ownOf(at, values) : values;
    for (const what of all) this.stores.put(this.source.index, into, what);
  }

  /** Tests run the code that they test with functions of their own, which are no part of it: only those that it has, and what it gives. */
  private ownOf(at: Offset, values: readonly (SymbolRef | Slot)[]): (SymbolRef | Slot)[] {
    const functions = this.functionsOf(at).filter(({ file }) => !this.isTestFile(file));
    return [...functions, ...values.filter((what) => "owner" in what && what.owner && !this.isTestFile(what.owner.file))];
  }

  private isTestFile(file: number): boolean {
    return isTestPath(this.checker.packages.sources[file]!.path);
  }

  /** The functions that an expression names, directly, converted or wrapped, and what holds others. */
  private valuesOf(at: Offset, depth: number): readonly (SymbolRef | Slot)[] {
    const { code } = this.source.data;
    const op = code[at]!;
    if (op < Op.Name || op > Op.Spread && op !== Op.Variable || op === Op.Untyped || depth > MAX_DEPTH) return NONE;
    spend();
    const { mode, type, refs } = this.checker.operand(this.source, at);
    if (mode !== "value" || !mayBe(type)) return NONE;
    switch (op) {
      case Op.Call:
        // What it tells of a function runs none.
        if (this.checker.operand(this.source, code[at + 1]!).name?.startsWith("reflect.")) return NONE;
        return [...this.resultOf(at), ...this.storedResultOf(at), ...this.wrapped(at, at, depth)];
      case Op.Result:
        return [...this.resultOf(code[at + 1]!, at), ...this.wrapped(code[at + 1]!, at, depth)];
      case Op.Value: {
        const literal = this.literals.get(at);
        if (!literal) return (this.filled.get(at) ?? []).flatMap((value) => this.valuesOf(value, depth + 1));
        const called = literal.only === 0 ? [] : this.functionsOf(code[literal.only + 1]!);
        return called.length > 0 ? [...called] : [literal.around];
      }
      case Op.Spread:
      case Op.Address:
        return this.valuesOf(code[at + 1]!, depth + 1);
      case Op.Variable:
        return this.variable(at, depth);
      case Op.Name:
      case Op.Select:
        if (refs && this.areFunctions(refs)) return [...refs, ...this.behind(at)];
        break;
      case Op.Index:
      case Op.Star:
      case Op.Slice:
      case Op.Element:
      case Op.Key:
      case Op.Receive:
        if (!this.slotOf(at)) return this.valuesOf(code[at + 1]!, depth + 1);
        break;
      default:
        return NONE;
    }
    return this.read(at);
  }

  /**
   * What is in what a call gives since it was passed to it, as where a handler is wrapped; no list of functions is in a single one, and no function
   * in one with other parameters, as in the option that `onClose(f)` gives.
   */
  private wrapped(call: Offset, result: Offset, depth: number): (SymbolRef | Slot)[] {
    const { code } = this.source.data;
    const typeOf = (at: Offset): Type => underlying(this.checker.operand(this.source, at).type);
    const given = typeOf(result);
    const isWrapped = (argument: Offset): boolean => {
      const type = typeOf(argument);
      if (given.kind === "func" && type.kind === "func") return new Unification(() => false).same(given, type);
      return "element" in given || !("element" in type);
    };
    return code.slice(call + 3, call + 3 + code[call + 2]!).flatMap((argument) => (isWrapped(argument) ? this.valuesOf(argument, depth + 1) : []));
  }

  /** What a variable of a function begins as, or is given, and what is put into it. */
  private variable(at: Offset, depth: number): readonly (SymbolRef | Slot)[] {
    const known = this.variables.get(at);
    if (known) return known;
    this.variables.set(at, []);
    const own = this.parameters.has(at) || this.receivers.has(at) ? this.read(at) : this.valuesOf(this.source.data.code[at + 2]!, depth + 1);
    const all = [...own, ...(this.filled.get(at) ?? []).flatMap((value) => this.valuesOf(value, depth + 1))];
    this.variables.set(at, all);
    return all;
  }

  /** The slot that an expression reads, where that may hold functions. */
  private read(at: Offset): Slot[] {
    const slot = this.slotOf(at);
    return slot && mayHold(this.checker.operand(this.source, at).type) ? [slot] : [];
  }

  /** What the functions give that a call runs, where that may be a function; `result` is one of several, or the call. */
  private resultOf(call: Offset, result = call): Slot[] {
    const { code } = this.source.data;
    const functions = this.functionsOf(code[call + 1]!);
    if (functions.length === 0 || !mayHold(this.checker.operand(this.source, result).type)) return [];
    const name = nameOfResult(result === call ? 0 : code[result + 2]!);
    const slots = functions.map((owner) => ({ owner, name }));
    this.giveBehind(code[call + 1]!, slots[0]!);
    return slots;
  }

  /** A method of an interface gives what its implementations give. */
  private giveBehind(callee: Offset, into: Required<Slot>): void {
    const { through } = this.checker.operand(this.source, callee);
    if (!through) return;
    const key = `${keyOf(through)} ${into.owner!.file} ${into.owner!.symbol} ${into.name}`;
    if (this.behindGiven.has(key)) return;
    this.behindGiven.add(key);
    for (const owner of this.behind(callee)) this.stores.put(this.source.index, into, { owner, name: into.name });
  }

  /** What the functions give that what a call calls holds, where that may be a function. */
  private storedResultOf(call: Offset): Slot[] {
    const callee = this.source.data.code[call + 1]!;
    const { mode, refs, type } = this.checker.operand(this.source, callee);
    if (mode !== "value" || (refs && this.areFunctions(refs)) || underlying(type).kind !== "func" || !mayHold(this.checker.operand(this.source, call).type)) return [];
    // A call fills the slot of a local variable with what that holds, among it what calls of it give.
    const slot = this.slotOf(callee) ?? (this.source.data.code[callee] === Op.Variable ? this.slotOfLocal(callee) : undefined);
    return slot && !slot.name.includes(".") ? [{ owner: slot.owner, name: `${slot.name}.()` }] : [];
  }

  /** The slot of a field of an object whose type has no name. */
  private fieldOf(object: Offset, field: string): Slot | undefined {
    const { type } = this.checker.operand(this.source, object);
    const struct = type.kind === "pointer" ? type.element : type;
    return struct.kind === "struct" ? slotOfField(struct, field, this.source) : undefined;
  }

  /** The parameter, field or variable that an expression reads, or an element of; what a call gives. */
  private slotOf(at: Offset, depth = 0): Slot | undefined {
    if (at === 0 || depth > MAX_DEPTH) return undefined;
    const { code } = this.source.data;
    switch (code[at]) {
      case Op.Name:
      case Op.Select: {
        const { owner, field, refs } = this.checker.operand(this.source, at);
        if (field !== undefined) return code[at] === Op.Select ? owner ? { owner, name: field } : this.fieldOf(code[at + 1]!, field) : undefined;
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
        if (this.receivers.has(at)) return slotOfReceiver(this.checker.operand(this.source, at).type);
        return this.parameters.get(at) ?? this.slotOf(code[at + 2]!, depth + 1);
      case Op.Call:
        return this.resultOf(at)[0];
      case Op.Result:
        return this.resultOf(code[at + 1]!, at)[0];
      default:
        return undefined;
    }
  }
}

const NONE: readonly never[] = [];

/** What is converted to a declared function type, which is what its methods run on. */
function slotOfReceiver(type: Type): Slot | undefined {
  return type.kind === "named" && type.entity.ref && underlying(type).kind === "func" ? { owner: type.entity.ref, name: ":receiver" } : undefined;
}

/** The slot of what a function gives in a place. */
function nameOfResult(place: number): string {
  return place === 0 ? "()" : `():${place}`;
}

/** Whether a function has a parameter that may hold functions: few do. */
function mayTake(type: Func): boolean {
  return (type.takes ??= type.parameters.some((parameter) => mayHold(parameter)));
}

/** The same as `mayHold`, of a type that may be unknown. */
function mayBe(type: Type): boolean {
  return type.kind === "unknown" || mayHold(type);
}

/**
 * Whether values of a type may be functions, or lists or tables of some, that calls run. A call of a method that the program declares runs that,
 * whatever its interface holds, and an `any` is called as another type.
 */
function mayHold(type: Type, depth = 0): boolean {
  const under = underlying(type);
  switch (under.kind) {
    case "func":
    case "foreign":
      return true;
    case "interface": {
      const { methods, complete } = interfaceMethods(under);
      const [only] = methods.values();
      return !complete || type.kind === "parameter" || (methods.size === 1 && !only!.ref && only!.name !== "Error");
    }
    case "pointer":
      // Pointers to declared types are mostly to structs.
      return under.element.kind !== "named" && under.element.kind !== "foreign" && depth < MAX_DEPTH && mayHold(under.element, depth + 1);
    case "slice":
    case "array":
    case "map":
    case "chan":
      return depth < MAX_DEPTH && mayHold(under.element, depth + 1);
    default:
      return false;
  }
}
