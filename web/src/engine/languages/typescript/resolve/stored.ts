import { SLOT, type Slot, type Stores, type SymbolRef } from "../../../language.ts";
import { Op } from "../facts.ts";
import type { FunctionFact, Offset } from "../facts.ts";
import { CallSlots } from "./call-slots.ts";
import { type CallSite, callSite } from "./call-site.ts";
import type { Checker } from "./checker.ts";
import { Confidence } from "./confidence.ts";
import { Content, Contents } from "./contents.ts";
import { expected } from "./context.ts";
import { DefinedAccessors, isOfObject } from "./defined.ts";
import { exported } from "./export-slots.ts";
import { mayHold, memberName, withoutNarrowing } from "./expressions.ts";
import { declaredSlots, fieldsOf } from "./field-slots.ts";
import { HeldValues } from "./held.ts";
import type { Below } from "./heritage.ts";
import { KnownTypes } from "./known.ts";
import { LibraryCalls } from "./library-calls.ts";
import { Listeners } from "./listeners.ts";
import { MadeObjects } from "./made.ts";
import { foundAt } from "./members.ts";
import { type Reached, ReachedCalls } from "./reached.ts";
import { SlotWriter } from "./slot-writer.ts";
import { accessorOf, type Held, isFar, NOTHING, partOf } from "./slots.ts";
import { typeAt } from "./typenodes.ts";
import type { Found } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** A function that a call reaches, or a class, which has no fact. */
interface Target {
  readonly home: Unit;
  readonly fact: FunctionFact | undefined;
  /** How many of its first parameters `bind` has given it. */
  readonly bound: number;
}

/** Tells what the code of files does with functions as values; see `Stores`. */
export class Stored {
  private readonly calls: ReachedCalls;
  private readonly values: HeldValues;
  private readonly contents: Contents;
  private readonly writer: SlotWriter;
  private readonly listeners: Listeners;
  private readonly library: LibraryCalls;
  private readonly callSlots: CallSlots;
  private readonly known: KnownTypes;
  private readonly defined: DefinedAccessors;
  private readonly objects: MadeObjects;

  // Of all files.
  private readonly open = new Map<Unit, Set<number>>();

  /** `reachedBy` gives what a call reaches, `below` the members that take one's place in derived classes. */
  constructor(
    private readonly c: Checker, private readonly stores: Stores, reachedBy: (unit: Unit, call: Offset) => readonly Reached[], below: (found: Found) => readonly Below[],
  ) {
    this.calls = new ReachedCalls(reachedBy);
    this.values = new HeldValues(c, this.calls, below);
    this.contents = new Contents(c);
    this.writer = new SlotWriter(c, stores, this.values, this.contents);
    this.listeners = new Listeners(c, stores, this.values, this.writer);
    this.library = new LibraryCalls(c, stores, this.values, this.writer);
    this.callSlots = new CallSlots(c);
    this.known = new KnownTypes(c, this.values, this.calls, this.callSlots, this.writer);
    this.defined = new DefinedAccessors(c, this.values, this.writer);
    this.objects = new MadeObjects(c, this.values, this.writer);
  }

  /** Begins with another file. */
  enter(unit: Unit): void {
    this.calls.enter();
    this.values.enter(unit);
    this.contents.enter(unit);
    this.known.enter();
  }

  /** What the file puts into fields and variables, and what its functions return. */
  file(unit: Unit): void {
    if (unit.isUntyped) {
      this.members(unit);
      for (const { into, held } of exported(this.c, this.values, unit)) this.writer.put(unit, into, held);
    }
    this.known.accessors(unit);
    this.defined.file(unit);
    this.assignments(unit);
    this.listeners.file(unit);
    this.results(unit);
    this.variables(unit);
  }

  /** What libraries make of what the file gives them, and what its object literals have. Told last, since it is what the rest was found to use. */
  made(unit: Unit): void {
    // An object may hold others, which are added to the set while it is read.
    for (const at of this.values.made) {
      this.c.question();
      if (unit.op(at) === Op.Object) this.objects.literal(unit, at);
      else this.objects.call(unit, at);
    }
  }

  /** What the objects of the file's classes have, and its functions that are used as classes. */
  private members(unit: Unit): void {
    const { shapes, expandos } = unit.facts;
    const give = (symbol: number, name: string, kind: string, member: number): void => {
      if (symbol >= 0 && member >= 0) this.stores.put(unit.index, { owner: { file: unit.index, symbol }, name: kind === "method" ? name : `${kind} ${name}` }, { file: unit.index, symbol: member });
    };
    for (const { kind, symbol, members, superclass } of shapes) {
      if (kind !== "class" || symbol < 0) continue;
      for (const one of members) if (!one.static && one.kind !== "field") give(symbol, one.name, one.kind, one.symbol);
      if (superclass !== 0) this.writer.put(unit, { owner: { file: unit.index, symbol }, name: SLOT.BASE }, this.values.heldBy(unit, superclass));
    }
    for (const { binding, name, prototype, symbol, value, accessor } of expandos) {
      if (!prototype) continue;
      const owner = this.values.symbolOf(unit, binding);
      if (symbol >= 0) give(owner, name, accessor ?? "method", symbol);
      else if (accessor && owner >= 0) this.writer.put(unit, { owner: { file: unit.index, symbol: owner }, name: `${accessor} ${name}` }, this.values.heldBy(unit, value));
    }
  }

  /** What assignments and object literals of the file put into variables and members. */
  private assignments(unit: Unit): void {
    const { stores } = unit.facts;
    for (let i = 0; i < stores.length; i += 2) {
      this.c.question();
      const [target, value] = [stores[i]!, stores[i + 1]!];
      this.known.assigned(unit, target, value);
      const held = this.values.heldBy(unit, value);
      if (held.isEmpty) continue;
      const into = this.into(unit, target);
      for (const slot of into) this.writer.put(unit, slot, held);
      this.listeners.assigned(unit, into, value);
    }
  }

  /** What the functions of the file return. */
  private results(unit: Unit): void {
    const { functions } = unit.facts;
    const returnTypes = new Map<number, Offset[]>();
    for (const { symbol, returns } of functions) if (symbol >= 0 && returns !== 0) returnTypes.set(symbol, [...(returnTypes.get(symbol) ?? []), returns]);
    for (const fact of functions) {
      const { symbol, body, returns, results, yields } = fact;
      if (!body || results.length + yields.length === 0) continue;
      this.c.question();
      const declared = symbol < 0 ? undefined : returnTypes.get(symbol);
      if (!declared || declared.some((type) => this.contents.mayRun(unit, type))) this.known.results(unit, fact, declared);
      if (symbol < 0) continue;
      if (returns !== 0 && this.contents.ofType(unit, returns) !== Content.Functions) continue;
      const slot = { owner: { file: unit.index, symbol }, name: "()" };
      for (const result of results) this.returned(unit, slot, result);
      for (const result of yields) this.returned(unit, slot, result);
    }
  }

  /** The values that variables of the file are declared with. */
  private variables(unit: Unit): void {
    const { bindings } = unit.facts;
    for (let binding = 0; binding < bindings.length; binding++) {
      let declared = bindings[binding]!;
      // `interface Maker {}` may stand before `const Maker`.
      while (declared !== 0 && unit.op(declared) !== Op.Variable) declared = unit.at(declared, 1);
      if (declared === 0) continue;
      const [type, value] = [unit.at(declared, 2), unit.at(declared, 3)];
      this.known.cast(unit, value);
      if (type !== 0 && value !== 0 && this.contents.mayRun(unit, type)) this.known.value(unit, value, () => typeAt(this.c, unit, type));
      if (unit.at(declared, 4) < 0) continue;
      const slot = this.values.variable(unit, binding);
      if (!slot || value === 0) continue;
      this.listeners.assigned(unit, [slot], value);
      this.c.question();
      if (type === 0 || this.contents.ofType(unit, type) === Content.Functions) this.writer.put(unit, slot, this.values.heldBy(unit, value));
    }
  }

  /** What a function returns. */
  private returned(unit: Unit, slot: Slot, result: Offset): void {
    const held = this.values.heldBy(unit, result);
    const { functions, slots } = held;
    // What is handed back is what the call is given.
    const isOwn = ({ owner, name }: Slot): boolean => owner?.symbol === slot.owner?.symbol && owner?.file === unit.index && name !== "" && name !== "()" && name !== SLOT.CODE;
    this.writer.put(unit, slot, slots.some(isOwn) ? { functions, slots: slots.filter((one) => !isOwn(one)), fields: held.fields } : held);
  }

  /** What a Call or a New puts into slots, and the slots whose functions it calls. Returns the functions that its callee itself holds. */
  call(unit: Unit, at: Offset, by: SymbolRef, line: number, reached: readonly Reached[]): readonly SymbolRef[] {
    this.calls.set(at, reached);
    const site = callSite(this.values, unit, at, by, line);
    const { callee, name, isNew, isIndirect } = site;
    // Calling a member reads it first.
    if (!isNew && name !== "" && !isIndirect) this.declaredAccessors(unit, callee, "getter", by, line);
    let held = NOTHING;
    if (callee !== 0 && (isNew ? reached.every(isVariable) : !this.isSure(unit, callee, reached))) {
      held = isNew ? this.values.classes(unit, callee) : this.values.heldBy(unit, callee);
      for (const slot of held.slots) this.stores.call(by, slot, line);
      if (!isNew && !unit.isUntyped) {
        for (const slot of this.callSlots.of(valueOf(this.c, unit, callee), this.isLoose(unit, callee, held))) this.stores.call(by, slot, line);
      }
    }
    const isEvent = this.listeners.call(site);
    if (!isEvent && passesSome(unit, at) && !(isIndirect && name === "apply")) this.pass(site, reached, held.slots);
    return held.functions;
  }

  /** Passes the arguments of a call to the functions that it reaches, and to those that slots hold. */
  private pass(site: CallSite, reached: readonly Reached[], called: readonly Slot[]): void {
    const { unit, at, callee, name, args, isNew, isIndirect } = site;
    const targets = this.targets(reached);
    // Functions without types expect nothing of their arguments.
    const isTyped = !unit.isUntyped || reached.some(({ unit: home }) => home.index >= 0 && !home.isUntyped);
    for (let i = 0; isTyped && !isIndirect && i < args.length; i++) {
      if (!this.mayRun(targets, i, args[i]!)) continue;
      this.known.argument(unit, at, i, args[i]!);
      this.defined.argument(unit, at, i, args[i]!);
    }
    if (name === "defineProperty" && isOfObject(unit, callee, name)) this.defined.property(unit, at);
    if (name === "setPrototypeOf" || name === "inherits") this.library.inherits(site);
    // `f.call(x, y)` passes y to f.
    const passed = isIndirect ? args.slice(1) : args;
    const isPlain = !isIndirect && !isNew;
    const isUnknown = isPlain && unit.isUntyped && callee !== 0 && unit.op(callee) === Op.Member && foundAt(this.c, unit, callee).length === 0;
    this.writer.passToStored(unit, passed, isUnknown ? [...called, { name }] : called);
    if (targets.length === 0 && isPlain) this.library.call(site);
    if (targets.length === 0) this.objects.given(unit, passed, called);
    for (const { home, fact, bound } of targets) {
      if (!fact) continue;
      this.writer.passTo(unit, bound > 0 ? [...new Array<Offset>(bound).fill(0), ...passed] : passed, home, fact);
      this.defined.call(unit, passed, home, fact);
    }
  }

  /** The functions and classes that a call surely enough reaches to pass its arguments to them. */
  private targets(reached: readonly Reached[]): readonly Target[] {
    const targets: Target[] = [];
    for (const { confidence, unit: home, symbol, bound = 0 } of reached) {
      if (confidence >= Confidence.Dynamic && home.index >= 0 && symbol >= 0) targets.push({ home, fact: home.functionOf(symbol), bound });
    }
    return targets;
  }

  /** Whether calls or reads of the type that an argument is expected to have may run something of the argument. */
  private mayRun(targets: readonly Target[], i: number, value: Offset): boolean {
    if (value === 0) return false;
    if (this.contents.hasAccessors || !targets.some(({ fact }) => fact)) return true;
    return targets.some(({ home, fact, bound }) => {
      const parameter = fact?.parameters[Math.min(i + bound, fact.parameters.length - 1)];
      return parameter !== undefined && this.contents.ofParameter(home, parameter) !== Content.Data;
    });
  }

  /** What reading a member, or giving it a value, runs: the accessors of objects that are known by an interface, or of which nothing is known. */
  access(unit: Unit, member: Offset, isWrite: boolean, by: SymbolRef, line: number): void {
    const at = withoutNarrowing(unit, member);
    if (unit.op(at) !== Op.Member && unit.op(at) !== Op.Index) return;
    const kind = isWrite ? "setter" : "getter";
    this.declaredAccessors(unit, at, kind, by, line);
    if (foundAt(this.c, unit, at).length > 0 || !unit.isUntyped) return;
    for (const slot of this.values.heldBy(unit, unit.at(at, 1)).slots) this.stores.call(by, partOf(slot, `${kind} ${memberName(unit, at)}`), line);
  }

  /** Calls the accessors that a member may have of which types, or `this` of an object literal, say no more than the name. */
  private declaredAccessors(unit: Unit, member: Offset, kind: "getter" | "setter", by: SymbolRef, line: number): void {
    const found = foundAt(this.c, unit, member);
    for (const slot of declaredSlots(this.c, found)) this.stores.call(by, accessorOf(slot, kind), line);
    for (const slot of this.defined.ofThis(unit, unit.at(member, 1), found, kind)) this.stores.call(by, slot, line);
  }

  /** Whether only the declared type of a callee tells what it may hold: of the result of a call, and of members of interfaces. */
  private isLoose(unit: Unit, callee: Offset, held: Held): boolean {
    if (held.isEmpty) return true;
    return unit.op(callee) === Op.Member && foundAt(this.c, unit, callee).every(({ shape }) => shape?.kind === "interface" || shape?.kind === "type");
  }

  /** Whether a call is known to run functions and methods that are not put anywhere. */
  private isSure(unit: Unit, callee: Offset, reached: readonly Reached[]): boolean {
    const isName = unit.op(callee) === Op.Name || unit.op(callee) === Op.Global;
    return reached.length > 0 && reached.every(({ unit: home, symbol, confidence }) => {
      const kind = home.symbols[symbol]?.kind;
      return isName ? kind === "Function" && confidence === Confidence.Certain : kind === "Method" && confidence > Confidence.Guess && !this.isOpen(home, symbol);
    });
  }

  /** The slots that an assignment or an object literal's member is put into. */
  private into(unit: Unit, target: Offset): readonly Slot[] {
    const at = withoutNarrowing(unit, target);
    if (at === 0) return [];
    switch (unit.op(at)) {
      case Op.Name: {
        const slot = this.values.variable(unit, unit.at(at, 1));
        return slot ? [slot] : [];
      }
      case Op.Member:
      case Op.Index:
        return this.values.written(unit, at);
      case Op.ContextProperty: {
        const name = unit.text(at, 2);
        const slots = fieldsOf(this.c, expected(this.c, unit, unit.at(at, 1)), name);
        return slots.length > 0 ? slots : this.partOfArgument(unit, unit.at(at, 1), name);
      }
      default:
        return [];
    }
  }

  /** The slots of a member of an argument: in the parameters that the argument is passed to, or, if the call reaches no function of the project, in the slots of its callee. */
  private partOfArgument(unit: Unit, context: Offset, name: string): readonly Slot[] {
    let argument = context;
    while (unit.op(argument) === Op.ContextProperty) argument = unit.at(argument, 1);
    if (unit.op(argument) !== Op.ContextArgument || unit.at(argument, 1) === 0) return [];
    const callee = withoutNarrowing(unit, unit.at(unit.at(argument, 1), 1));
    const reached = this.calls.functions(unit, unit.at(argument, 1), Confidence.Dynamic);
    if (callee !== 0 && reached.length === 0) return this.values.heldBy(unit, callee).slots.filter((slot) => !isFar(slot)).map((slot) => partOf(slot, `(${name})`));
    if (argument !== context) return [];
    // `f.call(x, { name })` passes the object as the first argument.
    const isCall = callee !== 0 && unit.op(callee) === Op.Member && unit.text(callee, 2) === "call" && !this.values.isOurs(unit, callee);
    const position = unit.at(context, 2) - (isCall ? 1 : 0);
    return reached.map(({ unit: home, symbol }) => ({ owner: { file: home.index, symbol }, name: `${position}.${name}` }));
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
}

/** Whether an argument of a Call or a New may have functions in it. */
function passesSome(unit: Unit, at: Offset): boolean {
  const list = at + 3 + unit.at(at, 2);
  for (let i = unit.at(list, 0); i > 0; i--) if (unit.at(list, i) !== 0 && mayHold(unit, unit.at(list, i))) return true;
  return false;
}

/** What a variable holds decides what a call of it runs. */
function isVariable({ unit, symbol }: Reached): boolean {
  return unit.symbols[symbol]?.kind === "Variable";
}
