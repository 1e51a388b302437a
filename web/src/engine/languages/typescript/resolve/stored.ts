import { spend } from "../../../effort.ts";
import type { Slot as AnySlot, Stores, SymbolRef } from "../../../language.ts";
import { isTestPath } from "../../../test-paths.ts";
import { CALL, INDEX, Op, ThisKind } from "../facts.ts";
import type { FunctionFact, Offset, ParameterFact, ShapeFact } from "../facts.ts";
import { supertypes } from "./bases.ts";
import { resolveCall } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { Confidence } from "./confidence.ts";
import { expected } from "./context.ts";
import { force } from "./deferred.ts";
import { declaredSymbol } from "./heritage.ts";
import { find, parameterType } from "./members.ts";
import { typeAt } from "./typenodes.ts";
import { type Found, type Type, UNKNOWN } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** What a call reaches, and how sure that is. */
export interface Reached {
  unit: Unit;
  symbol: number;
  confidence: number;
}

/** Names, conversions and calls that are looked through, types in types, and bases above bases. */
const MAX_DEPTH = 8;
/** What an expression may hold beyond so many says nothing. */
const MAX_HELD = 100;
/** Each name of a member in a slot's name is a step away from what owns it. */
const MAX_NAMES = 2;

/** Methods of arrays, sets and maps that put their arguments into them: from which argument on. */
const FILLS: ReadonlyMap<string, number> = new Map([["push", 0], ["unshift", 0], ["add", 0], ["set", 1], ["splice", 2]]);
/** Classes of the language that hold what they are made with. */
const COLLECTIONS = new Set(["Array", "Map", "Set", "WeakMap", "WeakSet"]);
/** Methods that give what is in an array, a set or a map. */
const GIVES = new Set(["get", "values", "entries", "at", "pop", "shift", "slice", "splice", "filter", "concat", "reverse", "toReversed", "find", "findLast", "flat", "sort", "toSorted"]);
/** Functions of the language that give what is in their argument. */
const LISTS = new Set(["values", "entries", "from", "of", "assign", "freeze", "seal", "fromEntries"]);
/** Methods of arrays, sets and maps that call a function with what is in them. */
const ITERATES = new Set(["forEach", "map", "filter", "some", "every", "find", "findLast", "findIndex", "flatMap", "reduce", "reduceRight"]);
/** What else of the language calls a function that it is given. */
const CALLS = new Set([...ITERATES, "then", "catch", "finally", "sort", "toSorted", "replace", "replaceAll", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"]);

/** What an expression may hold. */
class Held {
  readonly functions: SymbolRef[] = [];
  readonly slots: Slot[] = [];

  get isEmpty(): boolean {
    return this.functions.length + this.slots.length === 0;
  }

  get isFull(): boolean {
    return this.functions.length + this.slots.length > MAX_HELD;
  }

  function(file: number, symbol: number): void {
    if (!this.functions.some((one) => one.file === file && one.symbol === symbol)) this.functions.push({ file, symbol });
  }

  slot(owner: SymbolRef, name: string): void {
    if (!this.slots.some((one) => isSame(one, owner, name))) this.slots.push({ owner, name });
  }

  all({ functions, slots }: Held): void {
    for (const { file, symbol } of functions) this.function(file, symbol);
    for (const { owner, name } of slots) this.slot(owner, name);
  }
}

/** A slot with an owner. */
type Slot = Required<AnySlot>;

const NOTHING = new Held();

/** In the place of a symbol that has not been looked for. */
const UNKNOWN_SYMBOL = -2;

/** Tells what the code of files does with functions as values; see `Stores`. */
export class Stored {
  /** The file that is told of. What follows is its. */
  private of: Unit | undefined;
  /** By binding, what local variables are given beside their initialisers. */
  private given = new Map<number, Offset[]>();
  /** By binding, what local variables hold. */
  private locals = new Map<number, Held>();
  private reached = new Map<Offset, readonly Reached[]>();
  /** Whether parameters that its calls pass something to may be given functions. */
  private taking = new Map<ParameterFact, boolean>();
  /** By offset, the last search that came by. */
  private rounds = new Uint32Array();
  private round = 0;

  // Of all files.
  private readonly functions = new Map<Unit, Map<number, FunctionFact>>();
  private readonly open = new Map<Unit, Set<number>>();
  private readonly tests: boolean[] = [];
  /** By binding, the symbols that they declare. */
  private readonly symbols = new Map<Unit, Int32Array>();

  /** `reachedBy` gives what a call reaches, and `foundAt` the members that a Member may mean. */
  constructor(
    private readonly c: Checker, private readonly stores: Stores,
    private readonly reachedBy: (unit: Unit, call: Offset) => readonly Reached[], private readonly foundAt: (unit: Unit, member: Offset) => readonly Found[],
  ) {}

  /** Begins with another file. */
  enter(unit: Unit): void {
    this.of = unit;
    this.given = givenIn(unit);
    this.rounds = new Uint32Array(unit.facts.code.length);
    this.locals = new Map<number, Held>();
    this.reached = new Map<Offset, readonly Reached[]>();
    this.taking = new Map<ParameterFact, boolean>();
  }

  /** What the file puts into fields and variables, and what its functions return. */
  file(unit: Unit): void {
    const { stores, functions, bindings } = unit.facts;
    for (let i = 0; i < stores.length; i += 2) {
      this.c.question();
      const [target, value] = [stores[i]!, stores[i + 1]!];
      const held = this.heldBy(unit, value);
      if (!held.isEmpty) for (const slot of this.into(unit, target)) this.put(unit, slot, held);
    }
    const returnTypes = new Map<number, Offset[]>();
    for (const { symbol, returns } of functions) if (symbol >= 0 && returns !== 0) returnTypes.set(symbol, [...(returnTypes.get(symbol) ?? []), returns]);
    for (const { symbol, body, returns, results, yields } of functions) {
      if (symbol < 0 || !body || results.length + yields.length === 0) continue;
      this.c.question();
      for (const type of returnTypes.get(symbol) ?? []) for (const result of results) this.knownAs(unit, result, () => typeAt(this.c, unit, type));
      if (returns !== 0 && !this.holds(typeAt(this.c, unit, returns))) continue;
      const slot = { owner: { file: unit.index, symbol }, name: "()" };
      for (const result of results) this.returned(unit, slot, result);
      for (const result of yields) this.returned(unit, slot, result);
    }
    for (let binding = 0; binding < bindings.length; binding++) {
      const first = bindings[binding]!;
      if (first === 0 || unit.op(first) !== Op.Variable || unit.at(first, 4) < 0) continue;
      const slot = this.variable(unit, binding);
      const [type, value] = [unit.at(first, 2), unit.at(first, 3)];
      if (!slot || value === 0) continue;
      this.c.question();
      if (type === 0 || this.holds(typeAt(this.c, unit, type))) this.put(unit, slot, this.heldBy(unit, value));
    }
  }

  /** What is put on a function that a call gives, or in an object literal: calls of the type that it is then known by may run it. */
  private knownAs(unit: Unit, value: Offset, typeOf: () => Type): void {
    const at = withoutNarrowing(unit, value);
    // Literals are told what they are expected to be where they stand.
    if (at === 0 || unit.op(at) !== Op.Name) return;
    const functions = functionsOn(unit, valueOf(this.c, unit, at));
    const type = functions.length > 0 ? typeOf() : UNKNOWN;
    for (const { name, symbol } of functions) {
      this.c.tell(name);
      const held = new Held();
      for (const found of find(this.c, type, name)) this.fieldSlots(found, held, true, 0);
      for (const slot of held.slots) this.put(unit, slot, { functions: [{ file: unit.index, symbol }], slots: [] });
    }
  }

  /** What a function returns. */
  private returned(unit: Unit, slot: Slot, result: Offset): void {
    const held = this.heldBy(unit, result);
    const { functions, slots } = held;
    // What is handed back is what the call is given.
    const isOwn = ({ owner, name }: Slot): boolean => owner.symbol === slot.owner.symbol && owner.file === unit.index && name !== "" && name !== "()";
    this.put(unit, slot, slots.some(isOwn) ? { functions, slots: slots.filter((one) => !isOwn(one)) } : held);
  }

  /** What a Call or a New puts into parameters, lists and tables, and the slots whose functions it calls. */
  call(unit: Unit, at: Offset, by: SymbolRef, line: number, reached: readonly Reached[], emit: (to: SymbolRef) => void): void {
    this.reached.set(at, reached);
    let callee = withoutNarrowing(unit, unit.at(at, 1));
    const name = callee !== 0 && unit.op(callee) === Op.Member ? unit.text(callee, 2) : "";
    const indirect = (name === "call" || name === "apply") && this.isBuiltIn(unit, callee);
    if (indirect) callee = withoutNarrowing(unit, unit.at(callee, 1));
    if (callee !== 0 && unit.op(at) === Op.Call && !this.isSure(unit, callee, reached)) {
      const held = this.heldBy(unit, callee);
      for (const one of held.functions) emit(one);
      for (const slot of held.slots) this.stores.call(by, slot, line);
    }
    if (!passesSome(unit, at) || (indirect && name === "apply")) return;
    const values = unit.list(at, 3 + unit.at(at, 2));
    for (const [i, value] of indirect ? [] : values.entries()) this.knownAs(unit, value, () => {
      const { signature } = resolveCall(this.c, unit, at);
      return signature ? parameterType(this.c, signature, i) : UNKNOWN;
    });
    // `f.call(x, y)` passes y to f.
    if (indirect) values.shift();
    const targets = reached.filter(({ confidence, unit: home, symbol }) => confidence >= Confidence.Dynamic && home.index >= 0 && symbol >= 0);
    if (targets.length === 0 && !indirect && unit.op(at) === Op.Call) this.library(unit, callee, name, values, by, line);
    const given = new Map<Offset, Held>();
    for (const { unit: home, symbol } of targets) {
      const fact = this.functionOf(home, symbol);
      if (fact) this.pass(unit, values, home, fact, given);
    }
  }

  /** Whether a call is known to run functions and methods that are not put anywhere. */
  private isSure(unit: Unit, callee: Offset, reached: readonly Reached[]): boolean {
    const isName = unit.op(callee) === Op.Name || unit.op(callee) === Op.Global;
    return reached.length > 0 && reached.every(({ unit: home, symbol, confidence }) => {
      const kind = home.symbols[symbol]?.kind;
      return isName ? kind === "Function" && confidence === Confidence.Certain : kind === "Method" && confidence > Confidence.Guess && !this.isOpen(home, symbol);
    });
  }

  /** What the arguments of a call put into the parameters of a function. `known`: what arguments hold, once that is known. */
  private pass(unit: Unit, values: readonly Offset[], home: Unit, fact: FunctionFact, known: Map<Offset, Held>): void {
    const last = fact.parameters.length - 1;
    const rest = fact.parameters[last]?.rest === true;
    for (const [i, value] of values.entries()) {
      const spread = value !== 0 && unit.op(value) === Op.Spread;
      const position = rest && (spread || i >= last) ? last : i;
      const parameter = fact.parameters[position];
      if (!parameter || (spread && !rest)) return;
      if (value === 0 || !mayHold(unit, value)) continue;
      const owner = { file: home.index, symbol: fact.symbol };
      if (!this.takes(home, parameter)) continue;
      let held = known.get(value);
      if (!held) known.set(value, (held = this.heldBy(unit, value)));
      this.put(unit, { owner, name: String(position) }, held);
    }
  }

  /** Whether a parameter may be given functions. */
  private takes(home: Unit, parameter: ParameterFact): boolean {
    if (parameter.type === 0) return true;
    let takes = this.taking.get(parameter);
    if (takes === undefined) this.taking.set(parameter, (takes = this.holds(typeAt(this.c, home, parameter.type))));
    return takes;
  }

  /** A call of what the language has, or of what nothing is known of. */
  private library(unit: Unit, callee: Offset, name: string, values: readonly Offset[], by: SymbolRef, line: number): void {
    if (callee === 0 || (name !== "" && this.isOurs(unit, callee))) return;
    const first = FILLS.get(name);
    if (first !== undefined && unit.op(callee) === Op.Member) {
      const container = unit.at(callee, 1);
      const into = this.heldBy(unit, container).slots;
      if (into.length === 0) return;
      for (const value of values.slice(first)) {
        if (value === 0 || !mayHold(unit, value)) continue;
        const held = this.heldBy(unit, value);
        for (const slot of into) this.put(unit, slot, held);
      }
      return;
    }
    // `setTimeout(this.callback)`, `promise.then(this.done)`
    if (!CALLS.has(name === "" && unit.op(callee) === Op.Global ? unit.text(callee, 1) : name) || (name !== "" && this.foundAt(unit, callee).length === 0)) return;
    for (const value of values) {
      if (value === 0 || !isRead(unit, value)) continue;
      const held = this.heldBy(unit, value);
      for (const slot of held.slots) this.stores.call(by, slot, line);
      // `handlers.forEach(run)`
      if (!ITERATES.has(name) || held.functions.length === 0 || unit.op(callee) !== Op.Member) continue;
      const elements = this.heldBy(unit, unit.at(callee, 1));
      for (const owner of held.functions) this.put(unit, { owner, name: name.startsWith("reduce") ? "1" : "0" }, elements);
    }
  }

  /** Puts what an expression holds into a slot. */
  private put(unit: Unit, slot: Slot, { functions, slots }: Pick<Held, "functions" | "slots">): void {
    // What tests put into the code that they test is no part of it.
    if (functions.length + slots.length === 0 || (this.isTest(unit.index) && !this.isTest(slot.owner.file))) return;
    for (const one of functions) this.stores.put(unit.index, slot, one);
    for (const one of slots) if (!isSame(one, slot.owner, slot.name)) this.stores.put(unit.index, slot, one);
  }

  private isTest(file: number): boolean {
    return (this.tests[file] ??= isTestPath(this.c.program.units[file]!.path));
  }

  /** The slots that an assignment or an object literal's member is put into. */
  private into(unit: Unit, target: Offset): readonly Slot[] {
    const at = withoutNarrowing(unit, target);
    if (at === 0) return [];
    const held = new Held();
    switch (unit.op(at)) {
      case Op.Name: {
        const slot = this.variable(unit, unit.at(at, 1));
        if (slot) held.slots.push(slot);
        break;
      }
      case Op.Member:
        this.memberSlots(unit, at, held, true, 0, ++this.round);
        break;
      case Op.Index:
        if (!this.keyed(unit, at, held, true, 0)) return this.heldBy(unit, unit.at(at, 1)).slots;
        break;
      case Op.ContextProperty: {
        const name = unit.text(at, 2);
        const type = expected(this.c, unit, unit.at(at, 1));
        this.c.tell(name);
        for (const found of find(this.c, type, name)) this.fieldSlots(found, held, true, 0);
        if (held.isEmpty) this.partOfArgument(unit, unit.at(at, 1), name, held);
        break;
      }
    }
    return held.slots;
  }

  /** The slots that a member of an argument has in the parameters that it is passed to, where these have no type that tells. */
  private partOfArgument(unit: Unit, context: Offset, name: string, held: Held): void {
    if (unit.op(context) !== Op.ContextArgument) return;
    for (const { unit: home, symbol, confidence } of this.reached.get(unit.at(context, 1)) ?? []) {
      if (confidence >= Confidence.Dynamic && home.index >= 0 && isFunction(home, symbol)) held.slot({ file: home.index, symbol }, `${unit.at(context, 2)}.${name}`);
    }
  }

  /** What an expression may hold. */
  private heldBy(unit: Unit, at: Offset): Held {
    if (at === 0 || !mayHold(unit, at)) return NOTHING;
    if (unit.op(at) === Op.Name) {
      const binding = unit.at(at, 1);
      if (unit.op(unit.facts.bindings[binding]!) !== Op.Import && this.symbolOf(unit, binding) < 0) return this.local(binding, 0);
    }
    const held = new Held();
    this.gather(unit, at, held, 0, ++this.round);
    return held;
  }

  /**
   * Adds what an expression may hold. `round` is the number of the search, which comes by each expression once. `far` is there when the
   * expression is another file's, of which no more is read than a declaration says: the places where the search has been.
   */
  private gather(unit: Unit, at: Offset, held: Held, depth: number, round: number, far?: Set<number>): void {
    if (at === 0 || depth > MAX_DEPTH || held.isFull) return;
    if (far) {
      const place = unit.index * 2 ** 26 + at;
      if (far.has(place)) return;
      far.add(place);
    } else {
      if (this.rounds[at] === round) return;
      this.rounds[at] = round;
    }
    spend();
    switch (unit.op(at)) {
      case Op.Name:
        this.named(unit, unit.at(at, 1), held, depth, round, far);
        break;
      case Op.Global: {
        const [first] = this.c.program.global(unit.text(at, 1));
        if (first && first.unit.index >= 0) this.named(first.unit, first.binding, held, depth, round, far ?? (first.unit === unit ? undefined : new Set()));
        break;
      }
      case Op.Member:
        this.memberSlots(unit, at, held, false, depth, round, far);
        break;
      case Op.Function: {
        const { symbol } = unit.facts.functions[unit.at(at, 1)]!;
        if (symbol >= 0) held.function(unit.index, symbol);
        break;
      }
      case Op.Object:
        for (const { functions, initialiser } of unit.facts.shapes[unit.at(at, 1)]!.members) this.member(unit, functions, initialiser, held, depth, round, far);
        this.gatherAll(unit, unit.facts.shapes[unit.at(at, 1)]!.spreads, held, depth, round, far);
        break;
      case Op.Array:
      case Op.Or:
        this.gatherAll(unit, unit.list(at, 1), held, depth, round, far);
        break;
      case Op.Index:
        if (!this.keyed(unit, at, held, false, depth)) this.gather(unit, unit.at(at, 1), held, depth + 1, round, far);
        break;
      case Op.Spread:
      case Op.As:
      case Op.AsConst:
      case Op.Await:
      case Op.Element:
      case Op.At:
      case Op.Rest:
      case Op.Narrow:
        this.gather(unit, unit.at(at, 1), held, depth + 1, round, far);
        break;
      case Op.Parameter:
        if (!far) this.parameter(unit, unit.at(at, 1), unit.at(at, 2), held, depth, round);
        break;
      case Op.Call:
        if (!far) this.result(unit, at, held, depth, round);
        break;
      case Op.New:
        // `new Map([["a", handler]])`
        if (unit.op(unit.at(at, 1)) === Op.Global && COLLECTIONS.has(unit.text(unit.at(at, 1), 1))) this.gatherAll(unit, unit.list(at, 3 + unit.at(at, 2)), held, depth, round, far);
        break;
    }
  }

  private gatherAll(unit: Unit, list: readonly Offset[], held: Held, depth: number, round: number, far?: Set<number>): void {
    for (const one of list) this.gather(unit, one, held, depth + 1, round, far);
  }

  /** What a member of an object literal holds. */
  private member(unit: Unit, functions: readonly number[], initialiser: Offset, held: Held, depth: number, round: number, far?: Set<number>): void {
    for (const index of functions) {
      const { symbol } = unit.facts.functions[index]!;
      if (symbol >= 0) held.function(unit.index, symbol);
    }
    this.gather(unit, initialiser, held, depth + 1, round, far);
  }

  /** What a name holds: a function, what is put into a variable of a module, or what a local one is given. */
  private named(from: Unit, of: number, held: Held, depth: number, round: number, far?: Set<number>): void {
    let [unit, binding] = [from, of];
    if (from.op(from.facts.bindings[of]!) === Op.Import) {
      const target = this.c.program.follow({ k: "binding", unit: from, binding: of });
      if (target?.k !== "binding" || target.unit.index < 0) return;
      ({ unit, binding } = target);
    }
    const symbol = this.symbolOf(unit, binding);
    if (symbol >= 0) {
      const kind = unit.symbols[symbol]?.kind;
      if (kind === "Function") held.function(unit.index, symbol);
      else if (kind === "Variable") held.slot({ file: unit.index, symbol }, "");
    } else if (!far && unit === from) held.all(this.local(binding, depth));
    else for (const d of unit.declarations(binding)) if (unit.op(d) === Op.Variable && unit.at(d, 2) === 0) this.gather(unit, unit.at(d, 3), held, depth + 1, round, far ?? new Set());
  }

  private symbolOf(unit: Unit, binding: number): number {
    let symbols = this.symbols.get(unit);
    if (!symbols) this.symbols.set(unit, (symbols = new Int32Array(unit.facts.bindings.length).fill(UNKNOWN_SYMBOL)));
    if (symbols[binding] === UNKNOWN_SYMBOL) symbols[binding] = declaredSymbol(unit, binding);
    return symbols[binding]!;
  }

  /** What a local variable of the file holds. */
  private local(binding: number, depth: number): Held {
    const known = this.locals.get(binding);
    if (known) return known;
    // One that is given itself has nothing of that.
    this.locals.set(binding, NOTHING);
    const unit = this.of!;
    const held = new Held();
    const round = ++this.round;
    for (const d of unit.declarations(binding)) if (unit.op(d) === Op.Variable) this.gather(unit, unit.at(d, 3), held, depth + 1, round);
    for (const value of this.given.get(binding) ?? []) this.gather(unit, value, held, depth + 1, round);
    this.locals.set(binding, held);
    return held;
  }

  /** The slot of a variable of this file's module. */
  private variable(unit: Unit, binding: number): Slot | undefined {
    const symbol = this.symbolOf(unit, binding);
    return unit.symbols[symbol]?.kind === "Variable" ? { owner: { file: unit.index, symbol }, name: "" } : undefined;
  }

  /** What a Member holds, or where what is put into it is kept. */
  private memberSlots(unit: Unit, at: Offset, held: Held, written: boolean, depth: number, round: number, far?: Set<number>): void {
    const object = unit.at(at, 1);
    const name = unit.text(at, 2);
    const type = valueOf(this.c, unit, object);
    const found = this.foundAt(unit, at);
    const isElement = found.length > 0 && found.every(({ binding, symbol, member, shape }) => binding === undefined && symbol === undefined && !member && !shape);
    let some = false;
    for (const one of found) {
      if (one.unit.index < 0) some ||= !isElement;
      else if (one.binding !== undefined) {
        some = true;
        this.named(one.unit, one.binding, held, depth, round, far ?? (one.unit === unit ? undefined : new Set()));
      } else if (one.symbol !== undefined && one.symbol >= 0) {
        some = true;
        if (isFunction(one.unit, one.symbol)) held.function(one.unit.index, one.symbol);
      } else if (this.fieldSlots(one, held, written, depth)) some = true;
      else if (one.member && !written) {
        // `{ read, load: fetch }`
        const { functions, initialiser, type: declared } = one.member;
        if (declared === 0) this.member(one.unit, functions, initialiser, held, depth, round, far ?? (one.unit === unit ? undefined : new Set()));
      }
    }
    if (some) return;
    const owner = ownerOf(type);
    if (owner) {
      held.slot(owner, name);
      return;
    }
    if (type.k === "this") return;
    // A part of what is in a variable, a parameter or a field. Whatever is put into it is one of its elements, too.
    const whole = new Held();
    this.gather(unit, object, whole, depth + 1, round, far);
    for (const { owner: of, name: slot } of whole.slots) {
      if (slot.split(".").length <= MAX_NAMES) held.slot(of, `${slot}.${name}`);
      if (written || isElement) held.slot(of, slot);
    }
  }

  /** The slots of a member under a constant, `this[kHandler]`; false where the type of the object has none. */
  private keyed(unit: Unit, at: Offset, held: Held, written: boolean, depth: number): boolean {
    const constant = unit.text(at, 3);
    if (constant === "") return false;
    let some = false;
    for (const found of find(this.c, force(this.c, valueOf(this.c, unit, unit.at(at, 1))), constant)) if (this.fieldSlots(found, held, written, depth)) some = true;
    return some;
  }

  /** The slots of a field that was found: those of the topmost types that declare it. False for what is no field of a type by name. */
  private fieldSlots(found: Found, held: Held, written: boolean, depth: number): boolean {
    const { unit, shape, member } = found;
    if (!member || !shape || unit.index < 0 || depth > 2 * MAX_DEPTH || !this.c.step()) return false;
    const isSignature = shape.kind === "interface" || shape.kind === "type";
    if (member.kind === "method" && !isSignature) {
      if (member.symbol >= 0 && !written) held.function(unit.index, member.symbol);
      return member.symbol >= 0;
    }
    if (member.kind === "getter" || member.kind === "setter") {
      const accessor = member.symbol;
      if (accessor >= 0) held.slot({ file: unit.index, symbol: accessor }, written ? "0" : "()");
      return accessor >= 0;
    }
    if (shape.symbol < 0) return false;
    let above = false;
    for (const base of member.static ? [] : this.basesOf(unit, shape)) {
      for (const one of find(this.c, base, member.name)) if (this.fieldSlots(one, held, written, depth + 1)) above = true;
    }
    if (!above) held.slot({ file: unit.index, symbol: shape.symbol }, member.name);
    return true;
  }

  private basesOf(unit: Unit, shape: ShapeFact): readonly Type[] {
    return [...supertypes(this.c, unit, shape), ...shape.implements.map((at) => typeAt(this.c, unit, at))];
  }

  /** What a parameter holds. */
  private parameter(unit: Unit, index: number, position: number, held: Held, depth: number, round: number): void {
    const { symbol, context, parameters } = unit.facts.functions[index]!;
    if (symbol >= 0) held.slot({ file: unit.index, symbol }, String(position));
    else if (context !== 0 && unit.op(context) === Op.ContextArgument && unit.at(context, 1) !== 0) {
      // `handlers.forEach((handler) => handler())`
      const callee = withoutNarrowing(unit, unit.at(unit.at(context, 1), 1));
      if (callee !== 0 && unit.op(callee) === Op.Member && ITERATES.has(unit.text(callee, 2)) && !this.isOurs(unit, callee)) this.gather(unit, unit.at(callee, 1), held, depth + 1, round);
    }
    this.gather(unit, parameters[position]?.initialiser ?? 0, held, depth + 1, round);
  }

  /** What a call gives. */
  private result(unit: Unit, at: Offset, held: Held, depth: number, round: number): void {
    const callee = withoutNarrowing(unit, unit.at(at, 1));
    if (callee === 0) return;
    let all = this.reached.get(at);
    if (!all) this.reached.set(at, (all = this.reachedBy(unit, at)));
    const reached = all.filter(({ confidence, unit: home, symbol }) => confidence >= Confidence.Inferred && home.index >= 0 && isFunction(home, symbol));
    const values = unit.list(at, 3 + unit.at(at, 2));
    for (const { unit: home, symbol } of reached) {
      held.slot({ file: home.index, symbol }, "()");
      for (const position of this.handedBack(home, symbol)) this.gather(unit, values[position] ?? 0, held, depth + 1, round);
    }
    if (reached.length > 0 || unit.op(callee) !== Op.Member) return;
    const object = unit.at(callee, 1);
    const name = unit.text(callee, 2);
    if (unit.op(object) === Op.Global && LISTS.has(name)) {
      for (const value of unit.list(at, 3 + unit.at(at, 2))) this.gather(unit, value, held, depth + 1, round);
    } else if ((name === "bind" || GIVES.has(name)) && !this.isOurs(unit, callee)) this.gather(unit, object, held, depth + 1, round);
  }

  /** The parameters that a function gives back as they are: `function same(f) { return f; }`. What a declared result says is left to types. */
  private handedBack(unit: Unit, symbol: number): readonly number[] {
    const fact = this.functionOf(unit, symbol);
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

  /** The function that a symbol is, its implementation among overloads. */
  private functionOf(unit: Unit, symbol: number): FunctionFact | undefined {
    let functions = this.functions.get(unit);
    if (!functions) {
      this.functions.set(unit, (functions = new Map<number, FunctionFact>()));
      for (const fact of unit.facts.functions) if (fact.symbol >= 0 && (fact.body || !functions.has(fact.symbol))) functions.set(fact.symbol, fact);
    }
    return functions.get(symbol);
  }

  /** Whether a symbol is a member of an interface or an object type, or an accessor. */
  private isOpen(unit: Unit, symbol: number): boolean {
    let open = this.open.get(unit);
    if (!open) {
      this.open.set(unit, (open = new Set<number>()));
      for (const { kind, members } of unit.facts.shapes) {
        for (const member of members) if (kind === "interface" || kind === "type" || member.kind === "getter" || member.kind === "setter") open.add(member.symbol);
      }
    }
    return open.has(symbol);
  }

  /** Whether a Member is found in what the language declares. */
  private isBuiltIn(unit: Unit, at: Offset): boolean {
    return this.foundAt(unit, at).every((one) => one.unit.index < 0);
  }

  /** Whether a Member is found in the project. */
  private isOurs(unit: Unit, at: Offset): boolean {
    return this.foundAt(unit, at).some((one) => one.unit.index >= 0);
  }

  /** Whether values of a type may be functions, or have some in them. */
  private holds(type: Type, depth = 0): boolean {
    if (depth > MAX_DEPTH || !this.c.step()) return true;
    switch (type.k) {
      case "primitive":
      case "enum":
      case "enumMember":
      case "class":
      case "module":
      case "namespace":
      case "constructor":
        return false;
      case "union":
      case "intersection":
        return type.of.some((one) => this.holds(one, depth + 1));
      case "tuple":
        return [...type.of, ...(type.rest ? [type.rest] : [])].some((one) => this.holds(one, depth + 1));
      case "instance":
        if (type.unit.index < 0) return type.shape.name === "Function" || type.shape.name === "Object" || [...(type.env?.values() ?? [])].some((one) => this.holds(one, depth + 1));
        return type.shape.kind === "object" || find(this.c, type, CALL).length > 0 || find(this.c, type, INDEX).length > 0;
      case "deferred":
      case "awaited": {
        const forced = force(this.c, type);
        return forced.k === "deferred" || forced.k === "awaited" || this.holds(forced, depth + 1);
      }
      case "this":
      case "constructed":
        return false;
      default:
        return true;
    }
  }
}

function isSame(slot: Slot, owner: SymbolRef, name: string): boolean {
  return slot.name === name && slot.owner.symbol === owner.symbol && slot.owner.file === owner.file;
}

function isFunction(unit: Unit, symbol: number): boolean {
  const kind = unit.symbols[symbol]?.kind;
  return kind === "Function" || kind === "Method";
}

/** What has the members that code gives it, by the symbol that it is known by: a class, or a function that is used as one. */
function ownerOf(type: Type): SymbolRef | undefined {
  let symbol = -1;
  if (type.k === "class" || type.k === "this") ({ symbol } = type.shape);
  else if (type.k === "constructed") symbol = declaredSymbol(type.unit, type.binding);
  else if (type.k === "function" && type.home) symbol = declaredSymbol(type.home.unit, type.home.binding);
  else return undefined;
  return symbol >= 0 && type.k !== "function" && type.unit.index >= 0 ? { file: type.unit.index, symbol } : undefined;
}

/** The functions by name that an object literal of a file has, or that are put on a function of it. */
function functionsOn(unit: Unit, type: Type): readonly { name: string; symbol: number }[] {
  if (type.k === "instance" && type.unit === unit && type.shape.kind === "object") return type.shape.members.filter(({ kind, symbol }) => kind === "method" && symbol >= 0);
  return type.k === "function" && type.home?.unit === unit ? unit.expandos(type.home.binding).filter(({ prototype, symbol }) => !prototype && symbol >= 0) : [];
}

function withoutNarrowing(unit: Unit, at: Offset): Offset {
  while (at !== 0 && unit.op(at) === Op.Narrow) at = unit.at(at, 1);
  return at;
}

/** Whether an argument of a Call or a New may have functions in it. */
function passesSome(unit: Unit, at: Offset): boolean {
  const list = at + 3 + unit.at(at, 2);
  for (let i = unit.at(list, 0); i > 0; i--) if (unit.at(list, i) !== 0 && mayHold(unit, unit.at(list, i))) return true;
  return false;
}

/** Whether an expression may have functions in it that are known by name. */
function mayHold(unit: Unit, at: Offset): boolean {
  const op = unit.op(at);
  if (op === Op.Function) return unit.facts.functions[unit.at(at, 1)]!.symbol >= 0;
  return op !== Op.String && op !== Op.Primitive && op !== Op.Class && op !== Op.Module && (op !== Op.This || unit.at(at, 1) === ThisKind.Unknown);
}

/** Whether an expression reads a variable, a field or an element. */
function isRead(unit: Unit, at: Offset): boolean {
  const op = unit.op(at);
  return op === Op.Name || op === Op.Member || op === Op.Narrow || op === Op.Index;
}

/** What variables of a file are given beside their initialisers, alone or as elements. */
function givenIn(unit: Unit): Map<number, Offset[]> {
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
