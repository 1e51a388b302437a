import { spend } from "../../effort.ts";
import { SLOT, type Slot, type Stores, type SymbolRef } from "../../language.ts";
import { isTestPath } from "../../test-paths.ts";
import type { Checker } from "./checker.ts";
import { type Offset, Op } from "./facts.ts";
import { FunctionTypes } from "./function-types.ts";
import { INFERRED, type Target } from "./operand.ts";
import { type Declaration, type Member, refOf, type Source } from "./program.ts";
import type { FunctionRules } from "./rules.ts";
import { entryOf, fieldOf, isRead, parameterOf, returnedBy, sentAs } from "./slots.ts";
import type { Type } from "./types.ts";

/** Variables, conversions and calls of the library that are looked through. */
const MAX_DEPTH = 6;
/** What a value may be beyond so many says nothing. */
const MAX_VALUES = 100;

/** The slot of a class with the methods that a type outside the repository declares. */
const HANDED = ":handed";
/** What all objects have, and what keeps an object, compares or prints it: none of these runs its other methods. */
const OF_OBJECTS = /^(?:equals|hashCode|toString|clone|finalize|compareTo|Equals|GetHashCode|ToString|Dispose)$/;
const COLLECTION = /(?:List|Map|Set|Queue|Deque|Collections?|Arrays?|Objects|Optional|Vector|Stack|Dictionary|Stream|Reference|Exception|Entry|Tuple)$/;
const KEEPS = /^(?!removeIf)(?:add|put|set|offer|push|contain|remove|index|last|get|insert|enqueue|try|of)/i;
const PRINTS = /^(?:print\w*|log|trace|debug|info|warn(?:ing)?|error|fatal|Write(?:Line)?|format|append|assert\w*|Assert\w*|verify|when|equals|Equals|writeObject|isInstance|hashCode|toString)$/;

/** Methods that take what is sent, by habit. */
const HANDLES = /^(?:[hH]andle\w*|[cC]onsume\w*|[oO]n[A-Z_]\w*|__invoke)$/;

/** What a value may hold. */
interface Values {
  functions: SymbolRef[];
  slots: Slot[];
  seen: Set<Offset>;
}

/** Tells what the code of files does with functions as values; see Stores. */
export class Stored {
  /** By source, what is put into a record, and the slots of parameters. */
  private readonly puts: Map<Offset, Offset[]>[] = [];
  private readonly parameters: Map<Offset, Slot>[] = [];
  private readonly tests: boolean[] = [];
  private readonly types: FunctionTypes;

  /** `behind` gives what a call of a member without a body may run; `isHandler` tells whether a framework calls the function that a symbol is. */
  constructor(
    private readonly checker: Checker, private readonly rules: FunctionRules, private readonly stores: Stores,
    private readonly behind: (member: Member, receiver: Declaration) => readonly Member[], private readonly isHandler: (source: Source, symbol: number) => boolean,
  ) {
    this.types = new FunctionTypes(checker, rules);
  }

  /** What a file puts into fields, properties, lists and tables, what its functions return, and what its methods handle. */
  file(source: Source): void {
    this.handlers(source);
    this.overriding(source);
    const { stores, returns } = source.data;
    for (let i = 0; i < stores.length; i += 2) {
      const into = stores[i]!;
      const { type } = this.checker.operand(source, into);
      if (this.types.mayTake(type)) for (const slot of this.filled(source, into, type)) this.put(source, slot, stores[i + 1]!);
    }
    for (let i = 0; i < returns.length; i += 2) this.put(source, { owner: { file: source.index, symbol: returns[i]! }, name: "()" }, returns[i + 1]!);
  }

  /** Methods that handle events, messages and jobs, by the type of these. */
  private handlers(source: Source): void {
    source.data.types.forEach(({ members }, i) => {
      for (const { kind, abstract, name, symbol, parameters: [first] } of members) {
        if (kind !== "method" || abstract || symbol < 0) continue;
        const owner: SymbolRef = { file: source.index, symbol };
        // A job may be given services.
        const own = name === "handle" && this.rules.sendsItself ? sentAs(this.checker.program.declaration(source, i)) : undefined;
        if (own) this.stores.put(source.index, own, owner);
        if (first !== undefined && (HANDLES.test(name) || this.isHandler(source, symbol))) {
          const type = this.checker.type(source, first);
          for (const slot of [...this.sent(type, false), ...this.sentBelow(type, true)]) this.stores.put(source.index, slot, owner);
        }
      }
    });
  }

  /** Methods that take the place of what a type outside the repository declares, by their class. */
  private overriding(source: Source): void {
    const { hierarchy, program, lookups } = this.checker;
    source.data.types.forEach(({ kind, members }, i) => {
      const declaration = program.declaration(source, i);
      const owner = kind === "class" ? classOf(declaration) : undefined;
      const outside = owner ? [...hierarchy.foreignAncestors(declaration)] : [];
      if (!owner || outside.length === 0) return;
      const slot: Slot = { owner, name: HANDED };
      for (const { kind: what, name, symbol, overrides } of members) {
        if (what !== "method" || !(overrides ?? outside.some((type) => this.isMethodOf(type, name))) || symbol < 0 || OF_OBJECTS.test(name)) continue;
        lookups.ask(declaration, name);
        const isOurs = hierarchy.inherited(declaration).some((above) => above.methods.get(program.fold(name))?.some(({ fact }) => !fact.overrides));
        if (!isOurs) this.stores.put(source.index, slot, { file: source.index, symbol });
      }
      for (const { type } of hierarchy.supers(declaration)) {
        const above = type.declaration.kind === "class" ? classOf(type.declaration) : undefined;
        if (above) this.stores.put(source.index, slot, { owner: above, name: HANDED });
      }
    });
  }

  /** Whether an interface of the library has a method of a name: the only one that it has, as `run` of `Runnable`, or one that is known. */
  private isMethodOf(type: string, name: string): boolean {
    return this.rules.implemented?.get(type)?.has(name) === true || this.rules.isFunction(type) && this.rules.runs(type, name) && !this.rules.runs(type, "");
  }

  /** `pool.submit(new Job())`, `new Thread(job)`: a library may call what the object has for it. */
  private handed(source: Source, at: Offset, given: readonly Offset[]): readonly Slot[] {
    const { code, strings } = source.data;
    let callee = code[at + 1]!;
    if (code[callee] === Op.Generic) callee = code[callee + 1]!;
    const { made } = this.checker.calls.call(source, at);
    if (made || (code[at] === Op.Call && code[callee] !== Op.Select && code[callee] !== Op.Name)) return [];
    const receiver = code[at] === Op.New ? this.checker.type(source, callee) : code[callee] === Op.Select ? this.checker.operand(source, code[callee + 1]!).type : undefined;
    const name = code[at] === Op.New ? "" : strings[code[callee + (code[callee] === Op.Name ? 1 : 2)]!]!;
    const isPlain = this.rules.fills.test(name) || this.rules.passes.test(name);
    const isKept = receiver?.kind === "foreign" ? COLLECTION.test(receiver.name) && (isPlain || KEEPS.test(name)) : isPlain;
    // A call of a function in a field leads to what the field holds, which is told elsewhere.
    if (isKept || PRINTS.test(name) || (code[at] === Op.Call && this.fields(source, callee, false).length > 0)) return [];
    return given.flatMap((argument) => this.checker.termsOf(this.checker.operand(source, argument).type).flatMap((term) => {
      const owner = term.kind === "class" && term.declaration.kind === "class" && this.checker.operand(source, argument).static !== true ? classOf(term.declaration) : undefined;
      return owner ? [{ owner, name: HANDED }] : [];
    }));
  }

  /** The slots of what handles objects of a type; `above`: of what it inherits from, too. */
  private sent(type: Type, above: boolean): Slot[] {
    return this.checker.termsOf(type).flatMap((term) => {
      // `ConsumeContext<Paid>`
      if (term.kind === "foreign" && term.args.length === 1) return this.sent(term.args[0]!, above);
      if (term.kind !== "class") return [];
      const declarations = above ? this.checker.hierarchy.ancestors(term).map(({ declaration }) => declaration) : [term.declaration];
      return [...new Set(declarations)].flatMap((one) => sentAs(one) ?? []);
    });
  }

  /** The slots of what handles objects of classes below an interface, by the interface; `above`: by those that a class has. */
  private sentBelow(type: Type, above: boolean): Slot[] {
    return this.checker.termsOf(type).flatMap((term) => {
      if (term.kind === "foreign" && term.args.length === 1) return this.sentBelow(term.args[0]!, above);
      if (term.kind !== "class") return [];
      const declarations = above ? this.checker.hierarchy.inherited(term.declaration) : [term.declaration];
      return declarations.flatMap((one) => (one.kind === "interface" ? sentAs(one, ":below") ?? [] : []));
    });
  }

  /** `publisher.publishEvent(new Paid())`, `event(new Paid())`, `Paid::dispatch()` */
  private send(source: Source, at: Offset, by: SymbolRef, line: number, given: readonly Offset[]): void {
    const { code, strings } = source.data;
    const callee = code[at] === Op.Call ? code[at + 1]! : 0;
    if (code[callee] !== Op.Select && code[callee] !== Op.Name) return;
    const name = strings[code[callee + (code[callee] === Op.Name ? 1 : 2)]!]!;
    const slots: Slot[] = [];
    if (code[callee] === Op.Select && this.rules.sendsItself?.test(name)) {
      const operand = this.checker.operand(source, code[callee + 1]!);
      if (operand.static) slots.push(...this.sent(operand.type, true));
    }
    if (this.rules.sends.test(name)) for (const argument of given.slice(0, 2)) {
      const { type } = this.checker.operand(source, argument);
      slots.push(...this.sent(type, true), ...this.sentBelow(type, false));
    }
    for (const slot of slots) this.stores.call(by, slot, line);
  }

  /** The slots of what something is put into. */
  private filled(source: Source, into: Offset, type: Type): readonly Slot[] {
    const { code, strings } = source.data;
    switch (code[into]) {
      case Op.Keyed:
        return [entryOf(strings[code[into + 1]!]!)];
      case Op.Name:
      case Op.Select:
        return this.fields(source, into, true);
      case Op.Variable:
        // `var list = lists.get(key); list.add(f)`
        return this.types.isFunction(type) ? [] : this.valuesOf(source, code[into + 2]!).slots;
      case Op.Lambda:
      case Op.New:
      case Op.Value:
        return [];
      default:
        return this.valuesOf(source, into).slots;
    }
  }

  /** What a Call or a New puts into parameters, and the slots whose functions it calls. */
  call(source: Source, at: Offset, by: SymbolRef, line: number): void {
    const { code } = source.data;
    const { targets } = this.checker.calls.call(source, at);
    const given = code.slice(at + 3, at + 3 + code[at + 2]!);
    for (const { member, confidence, receiver = member.owner } of targets) {
      if (confidence < INFERRED) continue;
      for (const [i, argument] of given.entries()) this.pass(source, argument, member, receiver, this.checker.positions.of(source, at, i, member));
    }
    for (const slot of this.called(source, at)) this.stores.call(by, slot, line);
    if (targets.length > 0) return;
    this.send(source, at, by, line, given);
    if (this.rules.hands) for (const slot of this.handed(source, at, given)) this.stores.call(by, slot, line);
    for (const argument of this.calledByLibrary(source, at, given)) for (const slot of this.valuesOf(source, argument).slots) this.stores.call(by, slot, line);
  }

  private pass(source: Source, argument: Offset, member: Member, receiver: Declaration | undefined, position: number): void {
    const { fact, source: home } = member;
    // Most arguments are literals, and objects made.
    const op = source.data.code[argument];
    if (op === undefined || op === 0 || op === Op.Self || (op === Op.Value && !this.putsOf(source).has(argument))) return;
    const last = fact.parameters.length - 1;
    const at = fact.parameters[Math.min(position, last)];
    if (at === undefined || position < 0 || (position > last && !fact.variadic) || !this.types.mayTake(this.checker.type(home, at))) return;
    const what = this.valuesOf(source, argument);
    if (what.functions.length + what.slots.length === 0) return;
    for (const one of [member, ...(fact.abstract && receiver ? this.behind(member, receiver) : [])]) {
      const slot = parameterOf(one, Math.min(position, last));
      if (slot) this.putAll(source, slot, argument, what, this.types.holds(this.checker.type(home, at)));
    }
  }

  private put(source: Source, slot: Slot, value: Offset): void {
    this.putAll(source, slot, value, this.valuesOf(source, value), false);
  }

  private putAll(source: Source, slot: Slot, value: Offset, { functions, slots }: Values, sure: boolean): void {
    if (functions.length + slots.length === 0 || (this.rules.testsApart && this.isTest(source) && !(slot.owner && this.isTest(this.checker.program.sources[slot.owner.file]!)))) return;
    for (const one of functions) this.stores.put(source.index, slot, one);
    const isKnown = sure || (slots.length > 0 && this.types.holds(this.checker.operand(source, value).type));
    for (const one of slots) if (isKnown || one.name === SLOT.CODE) this.stores.put(source.index, slot, one);
  }

  /** The slots whose functions a call runs. */
  private called(source: Source, at: Offset): readonly Slot[] {
    const { code, strings } = source.data;
    let callee = code[at + 1]!;
    if (code[at] !== Op.Call) return [];
    if (code[callee] === Op.Generic) callee = code[callee + 1]!;
    const isMethod = this.checker.calls.call(source, at).targets.some(({ member }) => !member.fact.abstract);
    if (isMethod) return [];
    if (code[callee] === Op.Select) {
      const name = strings[code[callee + 2]!]!;
      const operand = this.checker.operand(source, code[callee + 1]!);
      if (!operand.static && this.types.runs(operand.type, name)) return this.valuesOf(source, code[callee + 1]!).slots;
      // `handlers.forEach(Runnable::run)`
      for (const argument of code.slice(at + 3, at + 3 + code[at + 2]!)) {
        if (code[argument] !== Op.Reference) continue;
        const of = this.checker.operand(source, code[argument + 1]!);
        if (of.static && this.types.runs(of.type, strings[code[argument + 2]!]!)) return this.valuesOf(source, code[callee + 1]!).slots;
      }
    }
    // `handler(x)`, where a method of the name would be run instead; in Java and PHP a name that is called is never a field's.
    const op = code[callee];
    return op === Op.Self || op === Op.Super || (!this.rules.calledFields && (op === Op.Name || op === Op.Select)) ? [] : this.valuesOf(source, callee).slots;
  }

  /** The functions that a library's method is given to run. */
  private calledByLibrary(source: Source, at: Offset, given: readonly Offset[]): readonly Offset[] {
    const { code, strings } = source.data;
    const callee = code[at + 1]!;
    if (code[at] === Op.Call && code[callee] === Op.Name && this.rules.calls) {
      const position = this.rules.calls(strings[code[callee + 1]!]!);
      return given.filter((_, i) => i === position);
    }
    if (code[at] !== Op.Call || code[callee] !== Op.Select) return [];
    const name = strings[code[callee + 2]!]!;
    if (this.rules.fills.test(name) || this.rules.passes.test(name)) return [];
    return given.filter((argument) => this.isRunOf(source, argument) || (isRead(code[argument]!) && this.types.isFunction(this.checker.operand(source, argument).type)));
  }

  /** `handler::handle`, which is the function that is in the handler. */
  private isRunOf(source: Source, at: Offset): boolean {
    const { code, strings } = source.data;
    if (code[at] !== Op.Reference) return false;
    const of = this.checker.operand(source, code[at + 1]!);
    return of.static !== true && isRead(code[code[at + 1]!]!) && this.types.runs(of.type, strings[code[at + 2]!]!);
  }

  /** What an expression may hold: functions, and what other slots hold. */
  private valuesOf(source: Source, at: Offset): Values {
    const values: Values = { functions: [], slots: [], seen: new Set() };
    this.gather(source, at, values, 0);
    return values;
  }

  private gather(source: Source, at: Offset, into: Values, depth: number): void {
    if (at === 0 || depth > MAX_DEPTH || into.seen.has(at) || into.functions.length + into.slots.length > MAX_VALUES) return;
    into.seen.add(at);
    spend();
    const { code, strings, functions } = source.data;
    const all = (list: readonly Offset[]): void => {
      for (const one of list) this.gather(source, one, into, depth + 1);
    };
    const filled = (): void => all(this.putsOf(source).get(at) ?? []);
    switch (code[at]) {
      case Op.Name:
      case Op.Select:
        into.slots.push(...this.fields(source, at, false));
        into.functions.push(...this.named(source, at));
        // `pair.Value`
        if (code[at] === Op.Select && this.isPart(strings[code[at + 2]!]!, this.checker.operand(source, code[at + 1]!).type)) all([code[at + 1]!]);
        break;
      case Op.Reference:
        if (this.isRunOf(source, at)) all([code[at + 1]!]);
        into.functions.push(...(code[code[at + 1]!] === Op.Text ? this.pair(strings[code[code[at + 1]! + 1]!]!, strings[code[at + 2]!]!) : this.named(source, at)));
        break;
      case Op.Text:
        into.functions.push(...this.free(strings[code[at + 1]!]!));
        break;
      case Op.Function: {
        const ref = refOf({ fact: functions[code[at + 1]!]!.member, source });
        if (ref) into.functions.push(ref);
        break;
      }
      case Op.Static: {
        // `A::new`
        const type = this.checker.type(source, code[at + 1]!);
        const [part] = type.kind === "class" ? type.declaration.parts : [];
        if (part && part.fact.symbol >= 0) into.functions.push({ file: part.source.index, symbol: part.fact.symbol });
        break;
      }
      case Op.Lambda:
        for (const call of this.putsOf(source).get(at) ?? []) {
          if (code[call] === Op.Code) {
            into.slots.push({ owner: { file: source.index, symbol: code[call + 1]! }, name: SLOT.CODE });
            continue;
          }
          for (const target of this.checker.calls.call(source, call).targets) into.functions.push(...this.run(target));
          into.slots.push(...this.called(source, call));
        }
        // `a -> b -> add(a, b)`: what it gives is called in its turn.
        if (code[code[at + 3]!] === Op.Lambda) all([code[at + 3]!]);
        break;
      case Op.Variable: {
        const slot = this.parametersOf(source).get(at);
        if (slot) into.slots.push(slot);
        all([code[at + 2]!]);
        filled();
        break;
      }
      case Op.Argument: {
        const call = code[code[at + 1]! + 1]!;
        const isCall = call !== 0 && code[code[at + 1]! + 2]! >= 0;
        if (isCall && this.checker.calls.call(source, call).targets.length === 0) this.receiver(source, call, into, depth);
        break;
      }
      case Op.Value:
        filled();
        break;
      case Op.New: {
        const type = this.checker.type(source, code[at + 1]!);
        if (type.kind === "foreign" || this.types.isFunction(type)) all(code.slice(at + 3, at + 3 + code[at + 2]!));
        // An object that can be called itself.
        else if (type.kind === "class" && this.rules.mayHold) into.functions.push(...this.checker.hierarchy.methods(type, "__invoke").flatMap(({ member }) => refOf(member) ?? []));
        filled();
        break;
      }
      // `$this`, which may be called itself; in a trait's code, what has the trait.
      case Op.Self:
        if (!this.rules.mayHold) break;
        for (const type of [this.checker.type(source, at), ...this.checker.usersOf(source, at)]) {
          if (type.kind === "class") into.functions.push(...this.checker.hierarchy.methods(type, "__invoke").flatMap(({ member }) => refOf(member) ?? []));
        }
        break;
      case Op.Entry:
        into.slots.push(entryOf(strings[code[at + 2]!]!));
        break;
      case Op.Keyed:
        all([code[at + 2]!]);
        break;
      case Op.Element:
      case Op.Index:
      case Op.Ranged:
      case Op.Spread:
      case Op.Generic:
        all([code[at + 1]!]);
        break;
      case Op.Either:
      case Op.Several:
        all(code.slice(at + 2, at + 2 + code[at + 1]!));
        break;
      case Op.Call:
        this.result(source, at, into, depth);
        break;
    }
  }

  /** Whether a member of a library's type gives what a value of it holds: `pair.Value`, `tuple.Run`. */
  private isPart(name: string, type: Type): boolean {
    return this.rules.parts !== undefined && (this.rules.parts.test(name) || (type.kind === "foreign" && type.name === this.rules.tuple)) && this.types.holds(type);
  }

  /** What a call gives. */
  private result(source: Source, at: Offset, into: Values, depth: number): void {
    const { code, strings } = source.data;
    const { targets, type } = this.checker.calls.call(source, at);
    for (const { member, confidence, receiver = member.owner } of targets) {
      if (confidence < INFERRED || !this.types.mayTake(type)) continue;
      for (const one of [member, ...(member.fact.abstract && receiver ? this.behind(member, receiver) : [])]) {
        const slot = returnedBy(one);
        if (slot) into.slots.push(slot);
      }
    }
    if (targets.length > 0) return;
    const callee = code[at + 1]!;
    const name = code[callee] === Op.Name ? strings[code[callee + 1]!]! : code[callee] === Op.Select ? strings[code[callee + 2]!]! : "";
    if (this.rules.gives?.test(name)) for (const argument of code.slice(at + 3, at + 3 + code[at + 2]!)) this.given(source, argument, into, depth);
    if (this.rules.passes.test(name)) for (const argument of code.slice(at + 3, at + 3 + code[at + 2]!)) this.gather(source, argument, into, depth + 1);
    this.receiver(source, at, into, depth);
  }

  /** What a function gives. */
  private given(source: Source, at: Offset, into: Values, depth: number): void {
    const { code } = source.data;
    if (code[at] === Op.Lambda) this.gather(source, code[at + 3]!, into, depth + 1);
    else if (code[at] === Op.Reference) into.slots.push(...this.named(source, at).map((owner): Slot => ({ owner, name: "()" })));
  }

  /** What a library's method is called on, when that is a list or a table of functions, or one of them. */
  private receiver(source: Source, call: Offset, into: Values, depth: number): void {
    const { code } = source.data;
    const callee = code[call + 1]!;
    if (code[callee] !== Op.Select || this.rules.keeps?.test(source.data.strings[code[callee + 2]!]!) === false) return;
    const operand = this.checker.operand(source, code[callee + 1]!);
    if (!operand.static && (operand.type.kind === "unknown" || this.types.holds(operand.type))) this.gather(source, code[callee + 1]!, into, depth + 1);
  }

  /** The fields and properties that an expression names: what reading them gives, or what is put into them. */
  private fields(source: Source, at: Offset, written: boolean): Slot[] {
    const slots: Slot[] = [];
    for (const { member, receiver = member.owner, named } of this.checker.calls.mentioned(source, at)) {
      if (named || member.fact.kind !== "field") continue;
      for (const one of [member, ...(member.fact.abstract && receiver ? this.behind(member, receiver) : [])]) {
        const slot = fieldOf(one, written);
        if (slot) slots.push(slot);
      }
    }
    return slots;
  }

  private named(source: Source, at: Offset): SymbolRef[] {
    return this.checker.calls.mentioned(source, at).flatMap((target) => (target.named ? this.run(target) : []));
  }

  /** The free functions of a name. */
  private free(name: string): SymbolRef[] {
    return this.checker.program.functionsAt(name).flatMap((member) => (member.fact.kind === "method" ? (refOf(member) ?? []) : []));
  }

  /** Two texts in a list: a class and its method, or two functions. */
  private pair(first: string, second: string): SymbolRef[] {
    const { program, hierarchy } = this.checker;
    const declaration = program.absolute(first, 0);
    const methods = declaration ? hierarchy.methods(hierarchy.own(declaration), second) : [];
    return methods.length > 0 ? methods.flatMap(({ member }) => refOf(member) ?? []) : [...this.free(first), ...this.free(second)];
  }

  /** The functions that a target stands for, if it does so surely. */
  private run({ member, confidence, receiver = member.owner }: Target): SymbolRef[] {
    if (confidence < INFERRED) return [];
    return [member, ...(member.fact.abstract && receiver ? this.behind(member, receiver) : [])].flatMap((one) => refOf(one) ?? []);
  }

  // What a file says

  private isTest({ index, path }: Source): boolean {
    return (this.tests[index] ??= isTestPath(path));
  }

  private putsOf({ index, data: { stores } }: Source): ReadonlyMap<Offset, readonly Offset[]> {
    let puts = this.puts[index];
    if (puts) return puts;
    this.puts[index] = puts = new Map<Offset, Offset[]>();
    for (let i = 0; i < stores.length; i += 2) {
      const list = puts.get(stores[i]!);
      if (list) list.push(stores[i + 1]!);
      else puts.set(stores[i]!, [stores[i + 1]!]);
    }
    return puts;
  }

  private parametersOf({ index, data: { types, functions } }: Source): ReadonlyMap<Offset, Slot> {
    let slots = this.parameters[index];
    if (slots) return slots;
    this.parameters[index] = slots = new Map<Offset, Slot>();
    for (const { symbol, variables = [] } of [...types.flatMap(({ members }) => members), ...functions.map(({ member }) => member)]) {
      if (symbol >= 0) for (const [i, at] of variables.entries()) slots.set(at, { owner: { file: index, symbol }, name: String(i) });
    }
    return slots;
  }
}

/** The symbol of a class. */
function classOf({ parts: [part] }: Declaration): SymbolRef | undefined {
  return part && part.fact.symbol >= 0 ? { file: part.source.index, symbol: part.fact.symbol } : undefined;
}
