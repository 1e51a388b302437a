import { spend } from "../../../effort.ts";
import { SLOT, type Slot } from "../../../language.ts";
import { isTestPath } from "../../../test-paths.ts";
import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { Confidence } from "./confidence.ts";
import { COLLECTIONS, GIVES, ITERATES, LISTS, MAKES } from "./containers.ts";
import { force } from "./deferred.ts";
import { exportsSlot } from "./export-slots.ts";
import { givenIn, isFunction, mayHold, patternAt, returnedParameters, withoutNarrowing } from "./expressions.ts";
import { fieldSlots, keyedSlots } from "./field-slots.ts";
import { type Below, declaredSymbol } from "./heritage.ts";
import { LocalVariables } from "./local-variables.ts";
import { hasMembers, isData, isOfLibrary, madeAt } from "./made.ts";
import { find, foundAt, namesOf } from "./members.ts";
import type { ReachedCalls } from "./reached.ts";
import { Held, isFar, NOTHING, objectOf, ownerOf, partOf, unnamed } from "./slots.ts";
import type { Found, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Names, conversions and calls that are looked through. */
const MAX_DEPTH = 8;

/** A module with more names than this says nothing as a table. */
const MAX_NAMES = 100;

/** In the place of a symbol that has not been looked for. */
const UNKNOWN_SYMBOL = -2;

/** Tells what the expressions of files may hold. */
export class HeldValues {
  /** The file whose expressions are asked for; the following fields are about that file. */
  private of: Unit | undefined;
  /** By binding, what local variables are given beside their initialisers. */
  private given = new Map<number, Offset[]>();
  private readonly locals = new LocalVariables((binding, held, depth) => { this.local(binding, held, depth); });
  /** By offset, what expressions hold that are no names of local variables. */
  private held = new Map<Offset, Held>();
  /** By offset, the last search that came by; what is left of other files is of earlier searches. */
  private rounds = new Uint32Array();
  /** The file is a test: what libraries make there are assertions and doubles, which nothing follows. */
  private isTest = false;
  /** Calls of the file whose results a library makes, and object literals, as far as something was found to hold them. */
  made = new Set<Offset>();
  private round = 0;

  /** Of all files, by binding, the symbols that they declare. */
  private readonly symbols = new Map<Unit, Int32Array>();

  /** `below` gives the members that take one's place in derived classes. */
  constructor(private readonly c: Checker, private readonly calls: ReachedCalls, private readonly below: (found: Found) => readonly Below[]) {}

  /** Begins with another file. */
  enter(unit: Unit): void {
    this.of = unit;
    this.isTest = isTestPath(unit.path);
    this.given = givenIn(unit);
    if (this.rounds.length < unit.facts.code.length) this.rounds = new Uint32Array(unit.facts.code.length);
    this.locals.enter();
    this.held = new Map<Offset, Held>();
    this.made = new Set<Offset>();
  }

  /** What an expression may hold. */
  heldBy(unit: Unit, at: Offset): Held {
    if (at === 0 || !mayHold(unit, at)) return NOTHING;
    if (unit.op(at) === Op.Name) {
      const binding = unit.at(at, 1);
      if (unit.op(unit.facts.bindings[binding]!) !== Op.Import && this.symbolOf(unit, binding) < 0) return this.locals.heldBy(binding, 0);
    }
    let held = this.held.get(at);
    if (held) return held;
    this.held.set(at, (held = new Held()));
    this.gather(unit, at, held, 0, ++this.round);
    return held;
  }

  /** Whether a name of the file may stand for a function by name: not a parameter that is given no other value, nor what `new` makes. */
  mayNameFunction(unit: Unit, binding: number): boolean {
    return this.given.has(binding) || unit.declarations(binding).some((declared) => {
      const value = unit.op(declared) === Op.Variable ? unit.at(declared, 3) : declared;
      if (value === 0 || unit.op(value) === Op.New) return false;
      return unit.op(value) !== Op.Parameter || (unit.facts.functions[unit.at(value, 1)]!.parameters[unit.at(value, 2)]?.initialiser ?? 0) !== 0;
    });
  }

  /** The slots of a Member, or of an Index, that is given something. */
  written(unit: Unit, at: Offset): readonly Slot[] {
    const held = new Held();
    if (unit.op(at) === Op.Member) this.memberSlots(unit, at, held, true, 0, ++this.round);
    else if (!keyedSlots(this.c, unit, at, held, true, 0)) return this.heldBy(unit, unit.at(at, 1)).slots;
    return held.slots;
  }

  /** What the members of a name that a type has hold, for code of a file. */
  heldByMember(unit: Unit, type: Type, name: string): Held {
    const held = new Held();
    for (const found of find(this.c, type, name)) if (found.unit.index >= 0) this.foundSlots(unit, found, held, false, 0, ++this.round);
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
    if (!far && unit.isUntyped && this.object(unit, at, held)) return;
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
        const { symbol, parameters, within = -1, only = 0 } = unit.facts.functions[unit.at(at, 1)]!;
        if (symbol >= 0) held.function(unit.index, symbol);
        else {
          const called = only === 0 || far ? [] : this.calls.functions(unit, only, Confidence.Inferred);
          for (const { unit: home, symbol: to } of called) held.function(home.index, to);
          if (called.length === 0 && within >= 0) held.slot({ file: unit.index, symbol: within }, SLOT.CODE);
          if (parameters.length > 0) {
            const { owner, name } = unnamed(unit, unit.at(at, 1), SLOT.FUNCTION);
            held.slot(owner, name);
          }
        }
        break;
      }
      case Op.Object: {
        const { members, spreads } = unit.facts.shapes[unit.at(at, 1)]!;
        held.hasLiteral ||= members.length + spreads.length > 0;
        for (const { functions, initialiser } of members) this.member(unit, functions, initialiser, held, depth, round, far);
        this.gatherAll(unit, spreads, held, depth, round, far);
        if (far || !unit.isUntyped) break;
        this.literal(unit, at, held);
        for (const { name, initialiser } of members) if (initialiser !== 0 && mayHold(unit, initialiser)) held.field(name, initialiser);
        break;
      }
      case Op.Array:
      case Op.Or:
        this.gatherAll(unit, unit.list(at, 1), held, depth, round, far);
        break;
      case Op.Index:
        if (!this.like(unit, at, held, depth, round, far) && !keyedSlots(this.c, unit, at, held, false, depth)) this.gather(unit, unit.at(at, 1), held, depth + 1, round, far);
        break;
      case Op.Element:
        this.onlyField(unit, unit.at(at, 1), held);
        this.gather(unit, unit.at(at, 1), held, depth + 1, round, far);
        break;
      case Op.Spread:
      case Op.As:
      case Op.AsConst:
      case Op.Await:
      case Op.At:
      case Op.Rest:
      case Op.Narrow:
        this.gather(unit, unit.at(at, 1), held, depth + 1, round, far);
        break;
      case Op.Module:
        if (unit.isUntyped) exportsSlot(this.c, this.c.program.imported(unit, unit.at(at, 1), "="), held);
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
        else if (!far && unit.isUntyped) this.constructed(unit, at, held, depth, round);
        break;
    }
  }

  /** Adds an object of a class of the project that an expression is known to be. */
  private object(unit: Unit, at: Offset, held: Held): boolean {
    const op = unit.op(at);
    if (op !== Op.This && op !== Op.New && op !== Op.Name && op !== Op.Member && op !== Op.Call) return false;
    const owner = objectOf(valueOf(this.c, unit, at));
    if (owner) held.slot(owner, SLOT.OBJECT);
    return owner !== undefined;
  }

  /** Adds what `new` makes of classes that are kept somewhere. */
  private constructed(unit: Unit, at: Offset, held: Held, depth: number, round: number): void {
    const classes = this.classes(unit, unit.at(at, 1), depth, round);
    for (const owner of classes.functions) held.slot(owner, SLOT.OBJECT);
    for (const slot of classes.slots) {
      const { owner, name } = partOf(slot, "new()");
      held.slot(owner, name);
    }
  }

  /** What is used with `new`. Of an object of which nothing is known, it is what any field of the name holds. */
  classes(unit: Unit, callee: Offset, depth = 0, round = ++this.round): Held {
    const held = new Held();
    const at = withoutNarrowing(unit, callee);
    this.gather(unit, at, held, depth + 1, round);
    if (at !== 0 && unit.op(at) === Op.Member && foundAt(this.c, unit, at).length === 0) held.slot(undefined, unit.text(at, 2));
    return held;
  }

  /** Adds an object literal itself, which is followed to what calls its members. */
  private literal(unit: Unit, at: Offset, held: Held): void {
    if (!hasMembers(unit, at)) return;
    this.made.add(at);
    const { owner, name } = madeAt(unit, at);
    held.slot(owner, name);
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
      if (target?.k !== "binding" && from.isUntyped) exportsSlot(this.c, target, held);
      if (target?.k === "module" && !from.isUntyped) this.exports(target.unit, held, depth, round);
      if (target?.k !== "binding" || target.unit.index < 0) return;
      ({ unit, binding } = target);
    }
    const symbol = this.symbolOf(unit, binding);
    if (symbol >= 0) {
      const kind = unit.symbols[symbol]?.kind;
      if (kind === "Function" || kind === "Class") held.function(unit.index, symbol);
      else if (kind === "Variable") held.slot({ file: unit.index, symbol }, "");
    } else if (!far && unit === from) held.all(this.locals.heldBy(binding, depth));
    else for (const d of unit.declarations(binding)) if (unit.op(d) === Op.Variable && unit.at(d, 2) === 0) this.gather(unit, unit.at(d, 3), held, depth + 1, round, far ?? new Set());
  }

  /** What a module exports, which is used as a table: `import * as rules from "./rules"`. */
  private exports(unit: Unit, held: Held, depth: number, round: number): void {
    if (unit.index < 0) return;
    held.hasLiteral = true;
    const module: Type = { k: "module", unit };
    const names = namesOf(this.c, module);
    for (const name of names.length > MAX_NAMES ? [] : names) {
      for (const found of find(this.c, module, name)) if (found.unit.index >= 0) this.foundSlots(unit, found, held, false, depth + 1, round, new Set());
    }
  }

  /** The symbol of the value that a binding declares, -1 for none. */
  symbolOf(unit: Unit, binding: number): number {
    let symbols = this.symbols.get(unit);
    if (!symbols) this.symbols.set(unit, (symbols = new Int32Array(unit.facts.bindings.length).fill(UNKNOWN_SYMBOL)));
    if (symbols[binding] === UNKNOWN_SYMBOL) symbols[binding] = declaredSymbol(unit, binding, true);
    return symbols[binding]!;
  }

  /** Adds what is put into a local variable of the file. */
  private local(binding: number, held: Held, depth: number): void {
    const unit = this.of!;
    const round = ++this.round;
    for (const d of unit.declarations(binding)) if (unit.op(d) === Op.Variable) this.gather(unit, unit.at(d, 3), held, depth + 1, round);
    for (const value of this.given.get(binding) ?? []) this.gather(unit, value, held, depth + 1, round);
  }

  /** The slot of a variable of this file's module. */
  variable(unit: Unit, binding: number): Slot | undefined {
    const symbol = this.symbolOf(unit, binding);
    return unit.symbols[symbol]?.kind === "Variable" ? { owner: { file: unit.index, symbol }, name: "" } : undefined;
  }

  /** What a Member holds, or where what is put into it is kept. */
  private memberSlots(unit: Unit, at: Offset, held: Held, written: boolean, depth: number, round: number, far?: Set<number>): void {
    const object = unit.at(at, 1);
    const name = unit.text(at, 2);
    const type = valueOf(this.c, unit, object);
    const found = foundAt(this.c, unit, at);
    const isElement = found.length > 0 && found.every(({ binding, symbol, member, shape }) => binding === undefined && symbol === undefined && !member && !shape);
    let some = false;
    for (const one of found) {
      if (one.unit === this.c.program.lib) some ||= !isElement;
      if (one.unit.index < 0) continue;
      if (this.foundSlots(unit, one, held, written, depth, round, far)) some = true;
      if (written || one.member?.kind !== "method" || unit.op(object) === Op.Super) continue;
      for (const other of this.below(one)) if (other.member.kind === "method") held.function(other.unit.index, other.member.symbol);
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
    for (const slot of whole.slots) {
      const part = partOf(slot, name);
      if (!isFar(slot)) held.slot(part.owner, part.name);
      if (written || isElement) held.slot(slot.owner, slot.name);
    }
  }

  /** The elements of a member of an object of which nothing is known are those of the only field of the name: `for (const step of request.route.steps)`. */
  private onlyField(unit: Unit, list: Offset, held: Held): void {
    const at = unit.isUntyped ? withoutNarrowing(unit, list) : 0;
    if (at === 0 || unit.op(at) !== Op.Member || valueOf(this.c, unit, unit.at(at, 1)).k !== "unknown" || foundAt(this.c, unit, at).length > 0) return;
    held.slot(undefined, SLOT.ONLY + unit.text(at, 2));
  }

  /** The functions and methods of an object whose names a pattern means: ``this[`on_${kind}`]``. False where there are none. */
  private like(unit: Unit, at: Offset, held: Held, depth: number, round: number, far?: Set<number>): boolean {
    const like = patternAt(unit, unit.at(at, 2));
    if (!like) return false;
    let object = unit.at(at, 1);
    while (object !== 0 && unit.op(object) === Op.As) object = unit.at(object, 1);
    const type = force(this.c, valueOf(this.c, unit, object));
    // What `this` is has the members of its class.
    const whole: Type = type.k === "this" ? { ...type, k: "instance", env: undefined } : type;
    const names = type.k === "constructed" ? type.unit.expandos(type.binding).filter(({ prototype }) => prototype).map(({ name }) => name) : namesOf(this.c, whole);
    const all = [...new Set(names)].filter((name) => like(name)).flatMap((name) => find(this.c, whole, name)).filter((one) => one.unit.index >= 0);
    for (const one of all) this.foundSlots(unit, one, held, false, depth, round, far);
    return all.length > 0;
  }

  /** What a member of the project that was found holds. False where no slot is known for it. */
  private foundSlots(unit: Unit, one: Found, held: Held, written: boolean, depth: number, round: number, far?: Set<number>): boolean {
    const away = far ?? (one.unit === unit ? undefined : new Set<number>());
    if (one.binding !== undefined) {
      this.named(one.unit, one.binding, held, depth, round, away);
      return true;
    }
    if (one.symbol !== undefined && one.symbol >= 0) {
      if (isFunction(one.unit, one.symbol)) held.function(one.unit.index, one.symbol);
      return true;
    }
    if (fieldSlots(this.c, one, held, written, depth)) return true;
    // `{ read, load: fetch }`
    if (one.member?.type === 0 && !written) this.member(one.unit, one.member.functions, one.member.initialiser, held, depth, round, away);
    return false;
  }

  /** What a parameter holds. */
  private parameter(unit: Unit, index: number, position: number, held: Held, depth: number, round: number): void {
    const { symbol, context, parameters } = unit.facts.functions[index]!;
    if (symbol >= 0) held.slot({ file: unit.index, symbol }, String(position));
    else {
      const { owner, name } = unnamed(unit, index, String(position));
      held.slot(owner, name);
    }
    if (symbol < 0 && context !== 0 && unit.op(context) === Op.ContextArgument && unit.at(context, 1) !== 0) {
      // `handlers.forEach((handler) => handler())`
      const callee = withoutNarrowing(unit, unit.at(unit.at(context, 1), 1));
      if (callee !== 0 && unit.op(callee) === Op.Member && ITERATES.has(unit.text(callee, 2)) && !this.isOurs(unit, callee)) {
        this.onlyField(unit, unit.at(callee, 1), held);
        this.gather(unit, unit.at(callee, 1), held, depth + 1, round);
      }
    }
    this.gather(unit, parameters[position]?.initialiser ?? 0, held, depth + 1, round);
  }

  /** What a call gives. */
  private result(unit: Unit, at: Offset, held: Held, depth: number, round: number): void {
    const callee = withoutNarrowing(unit, unit.at(at, 1));
    if (callee === 0) return;
    const reached = this.calls.functions(unit, at, Confidence.Inferred);
    const values = unit.list(at, 3 + unit.at(at, 2));
    for (const { unit: home, symbol } of reached) {
      held.slot({ file: home.index, symbol }, "()");
      for (const position of returnedParameters(home, home.functionOf(symbol))) this.gather(unit, values[position] ?? 0, held, depth + 1, round);
    }
    if (reached.length > 0) return;
    const object = unit.op(callee) === Op.Member ? unit.at(callee, 1) : 0;
    const name = object === 0 ? "" : unit.text(callee, 2);
    if (object !== 0 && unit.op(object) === Op.Global && LISTS.has(name)) this.gatherAll(unit, values, held, depth, round);
    else if ((name === "bind" || GIVES.has(name)) && !this.isOurs(unit, callee)) this.gather(unit, object, held, depth + 1, round);
    else if (!unit.isUntyped && MAKES.has(name) && !this.isOurs(unit, callee)) this.madeOfEach(unit, values, held, depth, round);
    else if (!this.isTest && !isData(unit, values) && isOfLibrary(this.c, unit, callee)) this.madeBy(unit, at, values[0] ?? 0, held, depth, round);
    else if (unit.isUntyped || unit.op(callee) === Op.Call || (!this.isTest && valueOf(this.c, unit, callee).k === "unknown")) {
      this.storedResults(unit, callee, held, depth, round);
      this.resultsOf(unit, values[0] ?? 0, held, depth, round);
    }
  }

  /** What `list.map(make)` and `list.reduce(add, {})` give: what the function gives, and what that begins with. */
  private madeOfEach(unit: Unit, [make = 0, first = 0]: readonly Offset[], held: Held, depth: number, round: number): void {
    if (make !== 0 && unit.op(make) === Op.Function) this.resultsOf(unit, make, held, depth, round);
    else this.storedResults(unit, make, held, depth, round);
    this.gather(unit, first, held, depth + 1, round);
  }

  /** The result of a library's call. A function that is its first argument is taken to be called by the result (`once(f)`), or to return it (`computed(() => f)`). */
  private madeBy(unit: Unit, at: Offset, first: Offset, held: Held, depth: number, round: number): void {
    this.made.add(at);
    const { owner, name } = madeAt(unit, at);
    held.slot(owner, name);
    if (first === 0 || (unit.op(first) !== Op.Function && unit.op(first) !== Op.Name && unit.op(first) !== Op.Call)) return;
    this.gather(unit, first, held, depth + 1, round);
    this.resultsOf(unit, first, held, depth, round);
  }

  /** Adds what a function without a name gives that stands there. */
  private resultsOf(unit: Unit, at: Offset, held: Held, depth: number, round: number): void {
    if (at !== 0 && unit.op(at) === Op.Function) this.gatherAll(unit, unit.facts.functions[unit.at(at, 1)]!.results, held, depth, round);
  }

  /** Adds what functions give that are stored in what is called. */
  private storedResults(unit: Unit, callee: Offset, held: Held, depth: number, round: number): void {
    const called = new Held();
    this.gather(unit, callee, called, depth + 1, round);
    for (const slot of called.slots) {
      const { owner, name } = partOf(slot, "()");
      if (!isFar(slot)) held.slot(owner, name);
    }
  }

  /** Whether a Member is found in the project. */
  isOurs(unit: Unit, at: Offset): boolean {
    return foundAt(this.c, unit, at).some((one) => one.unit.index >= 0);
  }
}
