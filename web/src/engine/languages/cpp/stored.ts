import { spend } from "../../effort.ts";
import { SLOT, type Slot, type Stores, type SymbolRef } from "../../language.ts";
import { isTestPath } from "../../test-paths.ts";
import type { Checker } from "./checker.ts";
import { Flag, type Offset, Op } from "./facts.ts";
import { isData, isFunctionType, isThread, mayGive, passes, stores as storesArguments, takes, uncast } from "./functions.ts";
import { POSSIBLE, type Resolution } from "./operand.ts";
import type { Source, Space, Variable } from "./program.ts";
import type { Type } from "./types.ts";

/** Variables, casts and calls of the library that are looked through, and types in types. */
const MAX_DEPTH = 8;
/** What a value may be beyond so many says nothing, and so many records are looked at to find it. */
const MAX_VALUES = 100;
const MAX_SEEN = 400;
/** Braces in braces. */
const MAX_BRACES = 20;
/** The slot of a signal of Qt with what is connected to it. */
const EMITTED = ":emitted";
/** What a call hands on to more functions than these is not followed. */
const MAX_TARGETS = 20;

/** All slots have an owner here. */
type OwnedSlot = Slot & { owner: SymbolRef };

/** What a value may hold. */
interface Values {
  functions: SymbolRef[];
  slots: OwnedSlot[];
  seen: Set<Offset>;
}

/** Tells what the code of one file does with functions as values; see Stores. */
export class Stored {
  private readonly file: number;
  private readonly isTest: boolean;
  /** The slots of parameters, and what is put into local variables after their declaration. */
  private readonly parameters = new Map<Offset, OwnedSlot>();
  private readonly puts = new Map<Offset, Offset[]>();

  constructor(private readonly source: Source, private readonly checker: Checker, private readonly stores: Stores) {
    this.file = source.index;
    this.isTest = isTestPath(source.path);
    const { code, uses, functions } = source.data;
    for (const { symbol, variables } of functions) {
      if (symbol >= 0) for (const [i, at] of variables.entries()) this.parameters.set(at, { owner: { file: this.file, symbol }, name: String(i) });
    }
    for (let i = 0; i < uses.length; i += 3) {
      const at = uses[i]!;
      if (code[at] === Op.Assign) this.putLocal(code[at + 1]!, [code[at + 2]!]);
      else if (code[at] === Op.Call && this.isStore(code[at + 1]!)) this.putLocal(code[code[at + 1]! + 1]!, argumentsOf(code, at));
    }
  }

  private putLocal(into: Offset, values: readonly Offset[]): void {
    const { code } = this.source.data;
    let at = into;
    while (code[at] === Op.Index || code[at] === Op.Deref) at = code[at + 1]!;
    if (code[at] !== Op.Variable) return;
    const known = this.puts.get(at) ?? [];
    for (const value of values) if (known.length < MAX_VALUES && mayGive(this.source.data, value)) known.push(value);
    if (known.length > 0) this.puts.set(at, known);
  }

  /** Whether what is called is a member that puts its arguments into a container, by its name. */
  private isStore(callee: Offset): boolean {
    const { code, strings } = this.source.data;
    return code[callee] === Op.Select && storesArguments(strings[code[callee + 2]!]!);
  }

  /** What the file's globals and fields are made of, and its signals run. */
  variables(): void {
    const { code, variables, functions } = this.source.data;
    for (const { symbol, signal } of functions) {
      const owner: SymbolRef = { file: this.file, symbol };
      if (signal !== undefined && symbol >= 0) this.stores.call(owner, { owner, name: EMITTED }, signal);
    }
    for (const fact of variables) {
      // What is one name is an Assign, too.
      if (!mayGive(this.source.data, fact.initialiser) || code[uncast(code, fact.initialiser)] === Op.Name) continue;
      const slot = this.slotOf({ source: this.source, fact });
      if (!slot) continue;
      const type = this.checker.type(this.source, fact.type);
      // What is in the braces of a struct is put into its fields.
      if (code[fact.initialiser] === Op.Braces && isStruct(type)) continue;
      this.put(slot, fact.initialiser);
    }
  }

  /** What an Assign puts into a field, a variable, a list or a table. */
  assign(at: Offset): void {
    const { code } = this.source.data;
    const [into, value] = [code[at + 1]!, code[at + 2]!];
    if (!this.mayHold(value)) return;
    // `all()[k] = f`; where a function only gave the place, it gives others as well.
    const isResult = code[code[into] === Op.Index ? code[into + 1]! : 0] === Op.Call;
    for (const slot of this.valuesOf(into).slots) if (!this.isParameter(slot) && (isResult || slot.name !== "()")) this.put(slot, value);
  }

  /** What the braces of an Init put into the fields of a struct. */
  init(at: Offset): void {
    const { code } = this.source.data;
    if (!this.givesFunction(code[at + 2]!)) return;
    const type = this.checker.type(this.source, code[at + 1]!);
    // What a constructor does with it, its parameters tell.
    if (type.kind === "class" && !type.space.functions.has(type.space.name)) this.putAll(type, code[at + 2]!);
  }

  /** What a Return of a function gives. */
  returned(at: Offset, symbol: number): void {
    const value = this.source.data.code[at + 1]!;
    if (symbol >= 0 && this.mayHold(value)) this.put({ owner: { file: this.file, symbol }, name: "()" }, value);
  }

  /** What a Call or a New puts into parameters and containers, and the slots whose functions it calls. */
  call(at: Offset, by: SymbolRef, line: number, { targets, macro, made, type }: Resolution): void {
    if (macro && targets.length === 0) return;
    const { code } = this.source.data;
    const what = code[at + 1]!;
    const args = argumentsOf(code, at);
    // By their places.
    const given = [...args.entries()].filter(([, value]) => this.mayHold(value));
    const values = given.map(([, value]) => value);
    if (given.length > 0 && targets.length <= MAX_TARGETS) {
      for (const { function: { source: home, fact: { symbol } }, confidence } of targets) {
        if (confidence >= POSSIBLE) for (const [i, value] of given) this.put({ owner: { file: home.index, symbol }, name: String(i) }, value);
      }
    }
    if (code[at] === Op.New) {
      if (targets.length === 0 && !isStruct(type)) this.makes(what, values);
      if (type.kind === "foreign" && isThread(type.name)) this.callArguments(values, by, line);
      return;
    }
    if (targets.length === 0) this.connect(what, args);
    if (targets.length === 0 && this.isStore(what)) this.storeIn(code[what + 1]!, values);
    if (targets.length > 0 && code[what] !== Op.Variable) return;
    if (!made) this.callValue(what, by, line);
    if (targets.length === 0 && !made && code[what] === Op.Name && !this.isPassing(what) && !this.checker.operand(this.source, what).variable) this.callArguments(values, by, line);
  }

  /** Qt: `connect(model, &Model::changed, view, &View::show)`, or with a lambda in place of the last two. */
  private connect(what: Offset, args: readonly Offset[]): void {
    const { code, strings } = this.source.data;
    const name = code[what] === Op.Name ? strings[code[what + 1]!]! : code[what] === Op.Select ? strings[code[what + 2]!]! : "";
    const [, signal, object, slot = object] = args;
    if (signal === undefined || slot === undefined || !/(?:^|::)connect$/.test(name)) return;
    for (const owner of this.valuesOf(this.chosen(signal)).functions) this.put({ owner, name: EMITTED }, this.chosen(slot));
  }

  /** The function of which a call chooses an overload: `qOverload<int>(&Model::changed)`. */
  private chosen(at: Offset): Offset {
    const { code } = this.source.data;
    const [only, ...others] = code[at] === Op.Call ? argumentsOf(code, at) : [];
    return only !== undefined && others.length === 0 && this.checker.operand(this.source, only).functions ? only : at;
  }

  /** What an initialiser of a constructor puts into a field. */
  private makes(what: Offset, args: readonly Offset[]): void {
    if (args.length === 0) return;
    const slot = this.source.data.code[what] === Op.Name ? this.slotNamed(what) : undefined;
    if (slot) for (const value of args) this.put(slot, value);
  }

  /** What a member of a container puts into it. */
  private storeIn(container: Offset, args: readonly Offset[]): void {
    const { type } = this.checker.operand(this.source, container);
    if (type.kind !== "foreign" || args.length === 0) return;
    for (const slot of this.valuesOf(container).slots) if (!this.isParameter(slot)) for (const value of args) this.put(slot, value);
  }

  /** A call of what a variable, a field or an element holds. */
  private callValue(callee: Offset, by: SymbolRef, line: number): void {
    const { code } = this.source.data;
    const { functions: named, type } = this.checker.operand(this.source, callee);
    if ((code[callee] === Op.Name || code[callee] === Op.Select) && named) return;
    if (isStruct(type)) return;
    const { functions, slots } = this.valuesOf(callee);
    for (const slot of slots) this.stores.call(by, slot, line);
    if (functions.length > 0) this.callAll(functions, `:${callee}`, by, line);
  }

  /** A call of what some place of a function holds. */
  private callAll(functions: readonly SymbolRef[], name: string, by: SymbolRef, line: number): void {
    const local: Slot = { owner: by, name };
    for (const one of functions) this.stores.put(this.file, local, one);
    this.stores.call(by, local, line);
  }

  /** Functions that are handed to what is not known here may be called by it: `qsort(list, n, size, compare)`. */
  private callArguments(args: readonly Offset[], by: SymbolRef, line: number): void {
    const { code } = this.source.data;
    for (const argument of args) {
      const value = uncast(code, argument);
      const operators = this.operators(this.checker.operand(this.source, value).type);
      if (operators.length > 0) this.callAll(operators, `:${value}`, by, line);
      if (code[value] !== Op.Variable && code[value] !== Op.Select && code[value] !== Op.Name) continue;
      const { type } = this.checker.operand(this.source, value);
      if (type.kind !== "unknown" && this.isFunction(type)) for (const slot of this.valuesOf(value).slots) this.stores.call(by, slot, line);
    }
  }

  // What is put

  /** Whether an expression may hold functions: most are numbers, and pointers to something else. */
  private mayHold(value: Offset): boolean {
    const { source, checker } = this;
    const { code } = source.data;
    if (!mayGive(source.data, value)) return false;
    if (code[value] === Op.Address) return this.mayHold(code[value + 1]!);
    if (code[value] === Op.Braces || code[value] === Op.Cast || code[value] === Op.Either || code[value] === Op.Code) return true;
    const { type, functions, variable } = checker.operand(source, value);
    if (functions) return true;
    return (code[value] !== Op.Name || variable !== undefined) && this.holds(type);
  }

  private put(into: OwnedSlot, value: Offset): void {
    // What tests put into the code that they test is no part of it.
    if (this.isTest && !isTestPath(this.checker.program.sources[into.owner.file]!.path)) return;
    const { functions, slots } = this.valuesOf(value);
    for (const one of functions) this.stores.put(this.file, into, one);
    for (const one of slots) this.stores.put(this.file, into, one);
  }

  /** Whether a value, or one in braces, may be a function. */
  private givesFunction(value: Offset, depth = 0): boolean {
    const { code } = this.source.data;
    if (code[value] !== Op.Braces) return this.mayHold(value);
    if (depth > MAX_BRACES) return false;
    for (let i = 0; i < code[value + 1]!; i++) if (this.givesFunction(code[value + 3 + 2 * i]!, depth + 1)) return true;
    return false;
  }

  /** Puts what braces hold into the fields of a type. */
  private putAll(type: Type, braces: Offset, depth = 0): void {
    // No braces reach through a pointer.
    if (!isStruct(type) || type.kind !== "class" || (depth > 0 && type.flags & Flag.Pointer) || depth > MAX_BRACES) return;
    const { source, checker } = this;
    const { code, strings } = source.data;
    const { fields } = type.space;
    const array = (type.flags & Flag.Array) !== 0;
    let position = 0;
    for (let i = 0; i < code[braces + 1]!; i++) {
      const name = code[braces + 2 + 2 * i]!;
      const value = code[braces + 3 + 2 * i]!;
      if (array && code[value] === Op.Braces) {
        this.putAll({ ...type, flags: type.flags & ~Flag.Array }, value, depth + 1);
        continue;
      }
      let field: Variable | undefined;
      if (name >= 0) {
        field = checker.program.inSpace(source, type.space, strings[name]!)?.variables[0];
        position = field ? fields.indexOf(field) + 1 : position;
      } else {
        field = fields[array ? position % Math.max(1, fields.length) : position];
        position++;
      }
      if (!field) continue;
      const inner = checker.type(field.source, field.fact.type);
      if (code[value] === Op.Braces && isStruct(inner)) this.putAll(inner, value, depth + 1);
      else if (this.mayHold(value)) {
        const slot = this.slotOf(field);
        if (slot) this.put(slot, value);
      }
    }
  }

  // What expressions hold

  /** What an expression may hold: functions, and what other slots hold. */
  private valuesOf(at: Offset): Values {
    const values: Values = { functions: [], slots: [], seen: new Set() };
    this.gather(at, values, 0);
    return values;
  }

  private gather(at: Offset, into: Values, depth: number): void {
    if (at === 0 || depth > MAX_DEPTH || into.seen.size > MAX_SEEN || into.seen.has(at) || into.functions.length + into.slots.length > MAX_VALUES) return;
    into.seen.add(at);
    spend();
    const { source, checker } = this;
    const { code } = source.data;
    const operators = code[at] === Op.Name && checker.operand(source, at).functions ? [] : this.operators(checker.operand(source, at).type);
    if (operators.length > 0) {
      into.functions.push(...operators);
      return;
    }
    switch (code[at]) {
      case Op.Name: {
        if (checker.operand(source, at).functions) this.gatherNamed(at, into);
        const slot = this.slotNamed(at);
        if (slot) into.slots.push(slot);
        break;
      }
      case Op.Select: {
        const { variable, functions } = checker.operand(source, at);
        const slot = variable && this.slotOf(variable);
        if (functions) this.gatherNamed(at, into);
        else if (slot) into.slots.push(slot);
        else if (!variable && this.isPart(at)) this.gather(code[at + 1]!, into, depth + 1);
        break;
      }
      case Op.Variable: {
        const slot = this.parameters.get(at);
        if (slot) into.slots.push(slot);
        this.gather(code[at + 2]!, into, depth + 1);
        for (const value of this.puts.get(at) ?? []) this.gather(value, into, depth + 1);
        break;
      }
      case Op.Index:
      case Op.Deref:
      case Op.Address:
      case Op.Element:
        this.gather(code[at + 1]!, into, depth + 1);
        break;
      case Op.Cast:
        this.gather(code[at + 2]!, into, depth + 1);
        break;
      case Op.Either:
        this.gather(code[at + 1]!, into, depth + 1);
        this.gather(code[at + 2]!, into, depth + 1);
        break;
      case Op.Braces:
        for (let i = 0; i < code[at + 1]!; i++) this.gather(code[at + 3 + 2 * i]!, into, depth + 1);
        break;
      case Op.New:
        if (checker.calls.of(source, at).targets.length === 0 && !isStruct(checker.operand(source, at).type)) for (const value of argumentsOf(code, at)) this.gather(value, into, depth + 1);
        break;
      case Op.Code:
        if (this.runsOnly(code[at + 2]!, into)) break;
        into.slots.push({ owner: { file: this.file, symbol: code[at + 1]! }, name: SLOT.CODE });
        break;
      case Op.Call:
        this.result(at, into, depth);
        break;
    }
  }

  /** Adds the functions that a name stands for. */
  private gatherNamed(at: Offset, into: Values): void {
    for (const { function: { source: home, fact }, confidence } of this.checker.calls.passed(this.source, at)) if (confidence >= POSSIBLE) into.functions.push({ file: home.index, symbol: fact.symbol });
  }

  /** `it->second`, `pair.first` */
  private isPart(at: Offset): boolean {
    const { code, strings } = this.source.data;
    return /^(?:first|second)$/.test(strings[code[at + 2]!]!) && this.checker.operand(this.source, code[at + 1]!).type.kind !== "class";
  }

  /** Adds the functions that a call is known to run, which is all that a lambda does. */
  private runsOnly(call: Offset, into: Values): boolean {
    const targets = call === 0 ? [] : this.checker.calls.of(this.source, call).targets.filter(({ confidence }) => confidence >= POSSIBLE);
    if (targets.length === 0 || targets.length > MAX_TARGETS) return false;
    for (const { function: { source: home, fact } } of targets) into.functions.push({ file: home.index, symbol: fact.symbol });
    return true;
  }

  /** What a call gives. */
  private result(at: Offset, into: Values, depth: number): void {
    const { source, checker } = this;
    const { code, strings } = source.data;
    const { targets, macro, made } = checker.calls.of(source, at);
    if ((macro && targets.length === 0) || made) return;
    if (targets.length <= MAX_TARGETS) {
      for (const { function: { source: home, fact }, confidence } of targets) if (confidence >= POSSIBLE) into.slots.push({ owner: { file: home.index, symbol: fact.symbol }, name: "()" });
    }
    if (targets.length > 0) return;
    const callee = code[at + 1]!;
    if (code[callee] === Op.Select) {
      const receiver = code[callee + 1]!;
      if (takes(strings[code[callee + 2]!]!) && checker.operand(source, receiver).type.kind !== "class") this.gather(receiver, into, depth + 1);
    } else if (code[callee] === Op.Name) {
      if (this.isPassing(callee)) for (const value of argumentsOf(code, at)) this.gather(value, into, depth + 1);
    }
  }

  /** Whether a Name is that of a function of the library that gives what it is given. */
  private isPassing(callee: Offset): boolean {
    const { code, strings } = this.source.data;
    const name = strings[code[callee + 1]!]!;
    return passes(name.slice(name.lastIndexOf(":") + 1));
  }

  /** The slot of the variable that a name stands for. */
  private slotNamed(at: Offset): OwnedSlot | undefined {
    const { variable } = this.checker.operand(this.source, at);
    if (!variable) return undefined;
    const slot = this.slotOf(variable);
    if (slot) return slot;
    const defined = this.checker.variable(this.source, at);
    if (defined) return this.slotOf(defined);
    // Defined where that cannot be read: the file that declares it has it.
    return variable.fact.declared ? { owner: { file: variable.source.index, symbol: -1 }, name: `:${variable.fact.name}` } : undefined;
  }

  /** The slot of a global, a static member or a field; undefined where nothing in the code base declares what has it. */
  private slotOf({ source, fact }: Variable): OwnedSlot | undefined {
    if (fact.symbol >= 0) return { owner: { file: source.index, symbol: fact.symbol }, name: "" };
    const space = this.checker.program.spaceAt(source, fact.scope);
    if (!space?.isClass) return undefined;
    if (fact.shared) {
      const defined = space.variables.get(fact.name)?.find((one) => one.fact.symbol >= 0);
      return defined && { owner: { file: defined.source.index, symbol: defined.fact.symbol }, name: "" };
    }
    const owner = ownerOf(space);
    // A struct without a name that stands in no other is told by its scope in the file.
    return owner ? { owner, name: fact.name } : { owner: { file: source.index, symbol: -1 }, name: `:${fact.scope}.${fact.name}` };
  }

  private isParameter({ name }: Slot): boolean {
    return /^\d/.test(name);
  }

  // Types

  /** Whether values of a type are functions, or have some in them, or what they are is not known. */
  private holds(type: Type, depth = 0): boolean {
    if (type.kind === "unknown" || this.isFunction(type)) return true;
    if (type.kind === "class") return this.operators(type).length > 0;
    if (type.args.length > 0) return depth < MAX_DEPTH && type.args.some((inner) => inner.kind !== "unknown" && this.holds(inner, depth + 1));
    // `void *` is what a generic list holds; a name that nothing declares may be that of a pointer to a function.
    return type.name === "void" || ((type.flags & (Flag.Pointer | Flag.Array)) === 0 && !isData(type.name));
  }

  /** The functions that an object is called by: those of its `operator()`. */
  private operators(type: Type): SymbolRef[] {
    if (type.kind !== "class" || type.flags & (Flag.Pointer | Flag.Array | Flag.Function) || !this.checker.program.mayRun("operator()")) return [];
    const all = this.checker.program.inSpace(this.source, type.space, "operator()")?.functions ?? [];
    return all.flatMap(({ source: { index }, fact: { symbol } }) => (symbol >= 0 ? [{ file: index, symbol }] : []));
  }

  private isFunction(type: Type): boolean {
    return type.kind !== "unknown" && ((type.flags & Flag.Function) !== 0 || (type.kind === "foreign" && isFunctionType(type.name)));
  }
}

/** Whether a type is a struct or class, not a pointer to a function that gives one. */
function isStruct(type: Type): boolean {
  return type.kind === "class" && (type.flags & Flag.Function) === 0;
}

/** The class of a field: of one without a name, the class around it. */
function ownerOf(space: Space): SymbolRef | undefined {
  for (let at: Space | undefined = space; at?.isClass; at = at.parent) {
    if (at.type && at.type.fact.symbol >= 0) return { file: at.type.source.index, symbol: at.type.fact.symbol };
  }
  return undefined;
}

function argumentsOf(code: readonly number[], at: Offset): number[] {
  return code.slice(at + 3, at + 3 + Math.max(0, code[at + 2]!));
}
