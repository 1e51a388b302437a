import { FEW, ONE_OF_MANY, SLOT, STORED, type Emit, type Stores, type SymbolRef } from "../../language.ts";
import { isTestPath } from "../../test-paths.ts";
import { annotated } from "./annotations.ts";
import type { Callees, Target } from "./callees.ts";
import { isBound, match } from "./calls.ts";
import { functionsOf, mroOf, opOf } from "./classes.ts";
import { CONNECTS, PUSHES, READS, SENDS, WRITES } from "./containers.ts";
import { decoratorsAt } from "./decorators.ts";
import type { Evaluator } from "./evaluate.ts";
import { FunctionFlag, Op, ParamKind } from "./facts.ts";
import { Contents } from "./held.ts";
import { isSpecial } from "./names.ts";
import type { Callable, Cls, SourceFile } from "./program.ts";
import { BEHIND, FIELDS } from "./questions.ts";
import { CALL, Distinct, isEmpty, mayHold, NOTHING, placeOf, RESULT, SlotTable, type Held, type OneSlot, type Owner } from "./slots.ts";
import { fieldsOf } from "./surface.ts";
import { argumentsOf, isDeclaration, scopeOf } from "./syntax.ts";
import { classBehind, itemsOf, type Type, UNKNOWN } from "./types.ts";

/** What may be more functions than this says nothing about which of them runs. */
const MAX_FUNCTIONS = 100;

/** A call that puts its arguments, from a place on, into a list or table, or its first into a signal. */
interface Filling {
  call: number;
  container: number;
  first: number;
  isSignal: boolean;
}

/** A call whose arguments parameters take: of a function or method, or of a class that has no constructor of its own. */
export interface Passing {
  call: number;
  target: Target;
  /** The target is known only from what other calls pass. */
  informed: boolean;
}

/** Something is done with an object of which nothing is known, which runs its methods of these names. */
export interface Run {
  id: number;
  names: readonly string[];
  symbol: number;
  line: number;
}

/** Holds what is registered with a function of `functools.singledispatch`. */
const REGISTERED = ":registered";

/** Decorators from elsewhere. */
const SINGLEDISPATCH = /\bsingledispatch(?:method)?$/;
const RECEIVER = /\breceiver$/;

/** Methods of Django's records and queries, by what they do to records. */
const SENT: ReadonlyMap<string, string> = new Map([["save", "save"], ["create", "save"], ["get_or_create", "save"], ["update_or_create", "save"], ["delete", "delete"]]);

const CONSTRUCTORS = new Set(["__init__", "__new__"]);

/** Tells what a file's code puts into fields, parameters, variables, lists and tables, and what it calls from there. */
export class Stored {
  private file!: SourceFile;
  private stores!: Stores;
  private isTest = false;
  private readonly contents: Contents;
  private fillings: Filling[] = [];
  /** Lists and tables in local variables of the file: scope and name. */
  private readonly filled = new Set<string>();
  private readonly table = new SlotTable();
  /** What was told already, by the slot that it is put into. */
  private readonly told = new Map<OneSlot, Distinct<Owner | OneSlot>>();

  /** As those of `Contents`. */
  constructor(
    private readonly e: Evaluator, private readonly callees: Callees, private readonly constructorsOf: (cls: Cls) => readonly Callable[],
    private readonly isMethod: (file: SourceFile, name: string) => boolean, heirsOf: (cls: Cls) => readonly Cls[], isPropertyName: (name: string) => boolean,
    overriding: (fn: Callable, receiver: Cls | undefined) => readonly Callable[],
  ) {
    this.contents = new Contents(e, callees, constructorsOf, isMethod, heirsOf, isPropertyName, overriding, this.table);
  }

  /**
   * Tells of a file; `passing`: its calls of which it is known what they run, `open`: what is called that may be a stored function, with
   * symbol, line and the call, -1 for a decorator; `runs`: what is done with objects of which nothing is known.
   */
  tell(file: SourceFile, passing: readonly Passing[], open: readonly number[], runs: readonly Run[], stores: Stores, emit: Emit): void {
    this.file = file;
    this.stores = stores;
    this.isTest = isTestPath(file.path);
    this.told.clear();
    this.findFilled();
    this.contents.enter(file, this.filled);
    this.declared();
    this.assigned();
    for (const one of passing) this.passed(one);
    this.decorated();
    this.connected();
    this.dispatched();
    this.called(open, emit);
    for (const { id, names, symbol, line } of runs) {
      for (const slot of this.contents.of(id, false).slots) {
        if (slot.owner) for (const name of names) this.stores.call({ file: file.index, symbol }, this.table.part(slot, name), line);
      }
    }
  }

  /** Tells that something is put into a slot. */
  private put(into: OneSlot, held: Held): void {
    if (isEmpty(held)) return;
    // What tests put into the code that they test is no part of it, unless it is code that they test; but functions of theirs are given something.
    const isTested = this.isTest && !(into.owner && this.isOfTests(into.owner) && !into.name.includes(".("));
    if (isTested && !into.owner) return;
    let told = this.told.get(into);
    if (!told) this.told.set(into, (told = new Distinct<Owner | OneSlot>()));
    for (const to of held.functions) this.add(told, into, to, to, isTested);
    // What some attribute of that name may hold says too little to be handed on.
    for (const slot of held.slots) if (slot.owner && slot !== into) this.add(told, into, slot, slot.owner, isTested);
    if (into.owner) for (const object of held.objects) this.add(told, into, object, object.owner!, isTested);
  }

  private add(told: Distinct<Owner | OneSlot>, into: OneSlot, what: Owner | OneSlot, of: Owner, isTested: boolean): void {
    const isGiven = isTested && this.isOfTests(of);
    if ((isGiven && "name" in what) || !told.add(what)) return;
    this.stores.put(this.file.index, into, isGiven ? { owner: of, name: SLOT.FUNCTION } : what);
  }

  private isOfTests({ file }: SymbolRef): boolean {
    return isTestPath(this.e.program.files[file]!.path);
  }

  /** Finds what is put into lists and tables, and which local variables hold those. */
  private findFilled(): void {
    const { calls, nodes, stores, strings } = this.file.facts;
    this.filled.clear();
    this.fillings = [];
    const fill = (id: number): void => {
      for (let at = id; ;) {
        const op = opOf(this.file, at);
        if (op === Op.Name || op === Op.Local) {
          const scope = scopeOf(this.file, at);
          if (scope > 0) this.filled.add(`${scope} ${nodes[at + 1]}`);
          return;
        }
        if (op === Op.Call && opOf(this.file, nodes[at + 1]!) === Op.Attr && READS.has(strings[nodes[nodes[at + 1]! + 2]!]!)) at = nodes[nodes[at + 1]! + 1]!;
        else if (op === Op.Sub) at = nodes[at + 1]!;
        else return;
      }
    };
    for (let i = 0; i < stores.length; i += 2) if (opOf(this.file, stores[i]!) !== Op.Attr) fill(stores[i]!);
    for (let i = 0; i < calls.length; i += 3) {
      const filling = this.fillingBy(calls[i]!);
      if (!filling) continue;
      this.fillings.push(filling);
      fill(filling.container);
    }
  }

  /** The list or table that a call puts its arguments into, as `handlers.append(f)`. */
  private fillingBy(call: number): Filling | undefined {
    const { nodes, strings } = this.file.facts;
    const callee = nodes[call + 1]!;
    switch (opOf(this.file, callee)) {
      case Op.Attr: case Op.FlowAttr: {
        const name = strings[nodes[callee + 2]!]!;
        const isSignal = CONNECTS.has(name);
        if (isSignal || WRITES.has(name)) return { call, container: nodes[callee + 1]!, first: 0, isSignal };
        return PUSHES.has(name) && nodes[call + 2]! > 1 ? { call, container: nodes[call + 3]!, first: 1, isSignal: false } : undefined;
      }
      case Op.Name: case Op.Local:
        return PUSHES.has(strings[nodes[callee + 1]!]!) && nodes[call + 2]! > 1 ? { call, container: nodes[call + 3]!, first: 1, isSignal: false } : undefined;
      default: return undefined;
    }
  }

  /** What fields, variables of the module, parameters and results are given where they are declared. */
  private declared(): void {
    const { file } = this;
    const { classes, functions, scopes, strings, variables } = file.facts;
    classes.forEach(({ scope, attrs }, i) => {
      const cls = this.e.program.cls(file, i);
      for (const names of [scopes[scope]!.names, attrs]) {
        for (const name in names) {
          const text = strings[name]!;
          for (const definition of names[name]!) {
            // Another name for a method is looked for like one, whatever the name.
            const isAlias = opOf(file, definition) === Op.Local && file.facts.nodes[definition + 2] === scope;
            if (isDeclaration(opOf(file, definition)) || (isSpecial(text) && !isAlias)) continue;
            const held = this.contents.of(definition);
            if (isEmpty(held)) continue;
            this.put(this.contents.fieldOf(cls, text), held);
          }
        }
      }
    });
    for (let i = 0; i < variables.length; i += 2) {
      for (const definition of scopes[0]!.names[variables[i]!] ?? []) this.put(this.table.of(this.table.owner(file.index, variables[i + 1]!), ""), this.contents.of(definition));
    }
    functions.forEach(({ params, results, yields, returns, symbol }, i) => {
      if (symbol < 0) return;
      const owner = this.table.owner(file.index, symbol);
      const fn = this.e.program.fn(file, i);
      params.forEach(({ name, value }, param) => {
        if (value >= 0 && this.contents.takes(fn, param)) this.put(this.table.of(owner, placeOf(fn, param)), this.contents.of(value));
        // Classes that are kept are called with arguments by name, too.
        if (CONSTRUCTORS.has(fn.name) && this.contents.takes(fn, param)) this.put(this.table.of(owner, placeOf(fn, param)), only(this.table.of(owner, `=${strings[name]!}`)));
      });
      if (fn.owner) this.overridden(fn);
      if (returns >= 0 && !mayHold(this.e, annotated(this.e, file, returns))) return;
      for (const result of [...results, ...yields]) {
        this.put(this.table.of(owner, RESULT), withoutParameters(this.contents.of(result), owner));
      }
    });
  }

  /** A method is given what calls pass to the one that it overrides, and gives that what it returns. */
  private overridden(fn: Callable): void {
    const { e, file } = this;
    if (fn.name.startsWith("__")) return;
    const member = e.member({ k: "super", cls: fn.owner!, self: UNKNOWN }, fn.name);
    const base = member && "definitions" in member ? functionsOf(e, member)[0] : undefined;
    if (!base || base.fact.symbol < 0) return;
    const own = this.table.owner(file.index, fn.fact.symbol);
    const above = this.table.owner(base.file.index, base.fact.symbol);
    fn.fact.params.forEach((_, param) => {
      if (!this.contents.takes(fn, param)) return;
      const name = placeOf(fn, param);
      this.put(this.table.of(own, name), only(this.table.of(above, name)));
    });
    if (fn.fact.returns < 0) this.put(this.table.of(above, RESULT), only(this.table.of(own, RESULT)));
  }

  /** What attributes and items are given elsewhere, and what is put into lists and tables. */
  private assigned(): void {
    const { nodes, stores } = this.file.facts;
    const fill = (container: number, what: readonly number[]): void => {
      const helds = what.map((id) => this.contents.of(id)).filter((held) => !isEmpty(held));
      if (helds.length === 0) return;
      for (const into of this.contents.slotsOf(container)) for (const held of helds) this.put(into, held);
    };
    for (let i = 0; i < stores.length; i += 2) fill(stores[i]!, [stores[i + 1]!]);
    for (const { call, container, first, isSignal } of this.fillings) {
      const given = argumentsOf(this.file, call).slice(first);
      if (this.runs(nodes[call + 1]!)) continue;
      if (isSignal && given.length > 0) this.ofModel(container, call, this.contents.of(given[0]!));
      // `connect` opens databases, too: what that is given is no function.
      fill(container, isSignal ? given.slice(0, 1).filter((id) => this.contents.of(id).functions.length > 0) : given);
    }
  }

  /** Whether it is known that calling an expression runs something of the repository. */
  private runs(callee: number): boolean {
    return this.callees.of(this.file, callee).targets.some(({ fn, cls }) => fn ?? cls);
  }

  /** What calls pass. */
  private passed({ call, target: { fn, cls }, informed }: Passing): void {
    const { file } = this;
    const callee = file.facts.nodes[call + 1]!;
    const constructors = cls ? this.constructorsOf(cls) : [];
    if (cls && constructors.length === 0) this.passedToFields(cls, call);
    for (const run of fn ? [fn] : constructors) {
      if (run.fact.symbol < 0) continue;
      const bound = cls !== undefined || isBound(this.e, file, callee, run, informed);
      match(run, bound, { file, id: call }, (param, argument) => {
        if (!this.contents.takes(run, param)) return;
        const held = this.contents.of(argument);
        if (!isEmpty(held)) this.put(this.table.of(this.table.owner(run.file.index, run.fact.symbol), placeOf(run, param)), held);
      });
    }
  }

  /** What a class without a constructor of its own puts into the fields that it declares, as data classes do. */
  private passedToFields(cls: Cls, call: number): void {
    const { file, e } = this;
    const { nodes, strings } = file.facts;
    const given: [place: number | string, held: Held][] = [];
    const take = (place: number | string | undefined, argument: number): void => {
      if (place === undefined) return;
      const held = this.contents.of(argument);
      if (!isEmpty(held)) given.push([place, held]);
    };
    const count = nodes[call + 2]!;
    for (let i = 0; i < count; i++) take(i, nodes[call + 3 + i]!);
    const keywords = call + 3 + count;
    for (let i = 0; i < nodes[keywords]!; i++) take(strings[nodes[keywords + 1 + 2 * i]!], nodes[keywords + 2 + 2 * i]!);
    if (given.length === 0) return;
    const fields = new Set<string>();
    e.ask(cls, BEHIND);
    for (const { cls: above } of [...mroOf(e, cls)].reverse()) {
      if (!above) continue;
      e.ask(above, FIELDS);
      for (const [name] of fieldsOf(above.file.facts, above.fact)) fields.add(name);
    }
    const inOrder = [...fields];
    for (const [place, held] of given) {
      // What attrs generates takes `name` for a field `_name`.
      const field = typeof place === "number" ? inOrder[place] : [place, `_${place}`].find((name) => fields.has(name));
      if (field !== undefined) this.put(this.contents.fieldOf(cls, field), held);
    }
  }

  /** What decorators are given: the function, and what those behind them make of it. */
  private decorated(): void {
    const { file } = this;
    file.facts.functions.forEach(({ decorators, symbol }) => {
      if (symbol < 0 || decorators.length === 0) return;
      const functions = [this.table.owner(file.index, symbol)];
      const slots = new Distinct<OneSlot>();
      for (const decorator of [...decorators].reverse()) {
        const { targets } = this.callees.of(file, decorator);
        const made: OneSlot[] = [];
        for (const { fn, cls } of targets) {
          for (const run of fn ? [fn] : cls ? this.constructorsOf(cls) : []) {
            if (run.fact.symbol < 0) continue;
            const param = (cls ?? isBound(this.e, file, decorator, run, false)) && run.owner && (run.fact.flags & FunctionFlag.Static) === 0 ? 1 : 0;
            const kind = run.fact.params[param]?.kind;
            if (kind === undefined || kind === ParamKind.KeywordOnly || kind === ParamKind.Keywords) continue;
            const owner = this.table.owner(run.file.index, run.fact.symbol);
            this.put(this.table.of(owner, placeOf(run, param)), { functions, objects: NOTHING.objects, slots: slots.all });
            if (fn) made.push(this.table.of(owner, RESULT));
          }
        }
        for (const slot of made) slots.add(slot);
      }
    });
  }

  /** `@receiver(signal)`, `@signal.connect` */
  private connected(): void {
    const { file, file: { facts: { functions, nodes, strings } } } = this;
    for (const { decorators, symbol } of functions) {
      if (symbol < 0) continue;
      const held = { functions: [this.table.owner(file.index, symbol)], objects: NOTHING.objects, slots: NOTHING.slots };
      for (const decorator of decorators) {
        const callee = opOf(file, decorator) === Op.Call ? nodes[decorator + 1]! : decorator;
        const signals: number[] = [];
        if (opOf(file, callee) === Op.Attr && CONNECTS.has(strings[nodes[callee + 2]!]!)) signals.push(nodes[callee + 1]!);
        else if (callee !== decorator && isNamed(this.e.value(file, callee), RECEIVER)) signals.push(...argumentsOf(file, decorator).slice(0, 1));
        if (callee !== decorator) for (const signal of signals) this.ofModel(signal, decorator, held);
        for (const signal of signals) for (const slot of this.contents.slotsOf(signal)) this.put(slot, held);
      }
    }
  }

  /** A call connects functions to a signal of Django's, or several, that saving or deleting records of a model sends: `sender=Book`. */
  private ofModel(signal: number, call: number, { functions }: Held): void {
    const { e, file, file: { facts: { nodes, strings } } } = this;
    const signals = opOf(file, signal) === Op.List || opOf(file, signal) === Op.Tuple ? nodes.slice(signal + 2, signal + 2 + nodes[signal + 1]!) : [signal];
    const names = new Set(signals.flatMap((one) => itemsOf(e.value(file, one)).map((type) => (type.k === "extobj" ? /\bsignals\.(?:pre|post)_(save|delete)$/.exec(type.name)?.[1] : undefined) ?? [])).flat());
    const keywords = call + 3 + nodes[call + 2]!;
    for (let at = keywords + 1; at < keywords + 1 + 2 * nodes[keywords]!; at += 2) {
      if (names.size === 0 || strings[nodes[at]!] !== "sender") continue;
      for (const type of itemsOf(e.value(file, nodes[at + 1]!))) {
        if (type.k !== "class") continue;
        e.ask(type.cls, BEHIND);
        // Code of a class above saves what is of this one.
        for (const { cls } of mroOf(e, type.cls)) if (cls) for (const name of names) this.put(this.sentBy(cls, name), { functions, objects: NOTHING.objects, slots: NOTHING.slots });
      }
    }
  }

  /** Holds what runs when records of a model are saved, or deleted. */
  private sentBy(cls: Cls, name: string): OneSlot {
    return this.table.of(this.table.owner(cls.file.index, cls.fact.symbol), `:${name}`);
  }

  /** A function that `functools.singledispatch` decorates runs those that are registered with it, by the type of what they are given. */
  private dispatched(): void {
    const { file, file: { facts: { calls, functions, nodes, strings } } } = this;
    const register = (base: number, held: Held): void => {
      for (const owner of this.contents.of(base).functions) this.put(this.table.of(owner, REGISTERED), held);
    };
    /** What the `register` is of that an expression is. */
    const baseOf = (id: number): number => (opOf(file, id) === Op.Attr && strings[nodes[id + 2]!] === "register" ? nodes[id + 1]! : -1);
    for (const { decorators, symbol } of functions) {
      if (symbol < 0 || decorators.length === 0) continue;
      const owner = this.table.owner(file.index, symbol);
      for (const decorator of decorators) {
        const base = baseOf(opOf(file, decorator) === Op.Call ? nodes[decorator + 1]! : decorator);
        if (base >= 0) register(base, { functions: [owner], objects: NOTHING.objects, slots: NOTHING.slots });
        else if (isNamed(this.e.value(file, decorator), SINGLEDISPATCH)) this.stores.call(owner, this.table.of(owner, REGISTERED), file.symbols[symbol]!.line);
      }
    }
    // `show.register(int, show_number)`
    for (let i = 0; i < calls.length; i += 3) {
      const base = baseOf(nodes[calls[i]! + 1]!);
      const given = base < 0 ? [] : argumentsOf(file, calls[i]!);
      if (given.length > 1) register(base, this.contents.of(given[1]!));
    }
  }

  /** What is called from where it is kept, and what it is given. */
  private called(open: readonly number[], emit: Emit): void {
    for (let i = 0; i < open.length; i += 4) {
      const { functions, slots } = this.contents.of(open[i]!, false);
      const by = { file: this.file.index, symbol: open[i + 1]! };
      const line = open[i + 2]!;
      if (functions.length <= MAX_FUNCTIONS) for (const to of functions) emit("CALLS", by, to, functions.length > FEW ? ONE_OF_MANY : STORED, line);
      const owned = slots.filter(({ owner }) => owner);
      const objects = this.isMethod(this.file, CALL) ? owned.map((slot) => this.table.part(slot, CALL)) : [];
      for (const slot of [...slots, ...objects]) this.stores.call(by, slot, line);
      if (open[i + 3]! >= 0) this.given(open[i + 3]!, functions.length <= MAX_FUNCTIONS ? functions : [], [...owned, ...objects]);
      this.wrapped(by, open[i]!, open[i + 3]!, line);
      this.sent(by, open[i]!, open[i + 3]!, line);
      this.saved(by, open[i]!, line);
    }
  }

  /** A call of a decorated function runs what its decorators returned in its place, and gives that what it is given. */
  private wrapped(by: SymbolRef, callee: number, call: number, line: number): void {
    if (call < 0) return;
    const { file, file: { facts: { nodes } } } = this;
    for (const target of this.callees.of(file, callee).targets) {
      const decorators = decoratorsAt(this.e, target);
      if (decorators.length === 0) continue;
      const slots = decorators.map((run) => this.table.of(this.table.owner(run.file.index, run.fact.symbol), RESULT));
      for (const slot of slots) this.stores.call(by, slot, line);
      const { fn, cls } = target;
      const object = fn && isBound(this.e, file, callee, fn, false) && isAttribute(opOf(file, callee)) ? [nodes[callee + 1]!] : cls ? [call] : [];
      [...object, ...argumentsOf(file, call)].forEach((argument, place) => {
        const held = this.contents.of(argument);
        if (!isEmpty(held)) for (const slot of slots) this.put(this.table.part(slot, `(${place})`), held);
      });
    }
  }

  /** `book.save()` and `Book.objects.create()` run what is connected to Django's signals for that model. */
  private saved(by: SymbolRef, callee: number, line: number): void {
    const { e, file, file: { facts: { nodes, strings } } } = this;
    const name = opOf(file, callee) === Op.Attr ? SENT.get(strings[nodes[callee + 2]!]!) : undefined;
    if (name === undefined) return;
    for (const type of itemsOf(e.value(file, nodes[callee + 1]!))) {
      const record = type.k === "super" ? type.cls : classBehind(type.k === "ext" && type.name === "QuerySet" ? type.args[0] ?? UNKNOWN : type);
      if (record) this.stores.call(by, this.sentBy(record, name), line);
    }
  }

  /** `signal.send(x)` runs what is connected. */
  private sent(by: SymbolRef, callee: number, call: number, line: number): void {
    const { file, file: { facts: { nodes, strings } } } = this;
    if (call < 0 || opOf(file, callee) !== Op.Attr || !SENDS.has(strings[nodes[callee + 2]!]!) || this.runs(callee)) return;
    const signals = this.contents.of(nodes[callee + 1]!, false).slots.filter(({ owner }) => owner);
    for (const slot of signals) this.stores.call(by, slot, line);
    this.given(call, [], signals);
  }

  /** What a call gives to functions, and to whatever is in slots. */
  private given(call: number, functions: readonly Owner[], slots: readonly OneSlot[]): void {
    if (functions.length === 0 && slots.length === 0) return;
    const { nodes, strings } = this.file.facts;
    const give = (name: string, argument: number): void => {
      const held = this.contents.of(argument);
      if (isEmpty(held)) return;
      for (const owner of functions) this.put(this.table.of(owner, name.slice(1, -1)), held);
      for (const slot of slots) this.put(this.table.part(slot, name), held);
    };
    const count = nodes[call + 2]!;
    for (let i = 0; i < count && opOf(this.file, nodes[call + 3 + i]!) !== Op.Star; i++) give(`(${i})`, nodes[call + 3 + i]!);
    const keywords = call + 3 + count;
    for (let i = 0; i < nodes[keywords]!; i++) give(`(=${strings[nodes[keywords + 1 + 2 * i]!]!})`, nodes[keywords + 2 + 2 * i]!);
  }
}

function isAttribute(op: Op): boolean {
  return op === Op.Attr || op === Op.FlowAttr;
}

function isNamed(type: Type, name: RegExp): boolean {
  return type.k === "extobj" && name.test(type.name);
}

/** What a function returns that it is not given: what it hands back is what the call is given. */
function withoutParameters(held: Held, owner: Owner): Held {
  const slots = held.slots.filter((slot) => slot.owner !== owner || !/^\d+$/.test(slot.name));
  return slots.length === held.slots.length ? held : { ...held, slots };
}

function only(slot: OneSlot): Held {
  return { functions: NOTHING.functions, objects: NOTHING.objects, slots: [slot] };
}
