import { spend } from "../../effort.ts";
import { SLOT } from "../../language.ts";
import { isTestPath } from "../../test-paths.ts";
import { annotated } from "./annotations.ts";
import { isProperty } from "./attributes.ts";
import type { Callees } from "./callees.ts";
import { isBound, match } from "./calls.ts";
import { callsOf, findMember, functionsOf, isProtocol, mroOf, opOf, ownMember } from "./classes.ts";
import { isLoaded, methodsLike, namedByTexts } from "./computed.ts";
import { FORGETFUL, READS } from "./containers.ts";
import type { Evaluator } from "./evaluate.ts";
import { FunctionFlag, Op, ParamKind, ScopeKind } from "./facts.ts";
import { fixturesFor } from "./injected.ts";
import { COMMON, isPrivate, isSpecial } from "./names.ts";
import { MAX_HEIRS, type Callable, type Cls, type Meaning, type SourceFile } from "./program.ts";
import { MEMBERS } from "./questions.ts";
import { CALL, Distinct, isEmpty, isPlain, mayHold, NOTHING, placeOf, RESULT, type Held, type OneSlot, type Owner, type SlotTable } from "./slots.ts";
import { argumentsOf, isDeclaration, scopeOf } from "./syntax.ts";
import { textsOf } from "./texts.ts";
import { decoratorsOf } from "./decorators.ts";
import type { Type } from "./types.ts";
import { classBehind, classOf, isClass, isOpaque, isUnknown, itemsOf } from "./types.ts";

/** Expressions that are looked at to find what one holds. */
const MAX_EXPRESSIONS = 300;
const ITERATE = "__iter__";
/** Expressions that hold nothing. */
const EMPTY: ReadonlySet<Op> = new Set([Op.Unknown, Op.Const, Op.Str, Op.Quoted]);

/** Parts of parts that are looked for. */
const MAX_NESTED = 3;
/** Slots of which others are parts. */
const MAX_OWNERS = 4;
/** Names of parts behind that of a slot. */
const MAX_WITHIN = 3;

/**
 * Finds what expressions are, or have in them, as far as that may be called: functions and classes by their names, instances that have
 * `__call__`, and whatever is in fields, parameters, variables and results. What is in a list or table is taken to be in what holds that. A function that is given to code from elsewhere
 * is taken to be in what that returns, as `partial(f)`.
 */
export class Contents {
  private file!: SourceFile;
  private filled: ReadonlySet<string> = new Set();
  /** What was found so far; empty between two questions. */
  private functions = new Distinct<Owner>();
  private objects = new Distinct<OneSlot>();
  private slots = new Distinct<OneSlot>();
  private seen: number[] = [];
  /** Expressions whose slots are being looked for. */
  private readonly nested = new Set<number>();
  /** What was found so, by the number of those that it was found for, and by expression. */
  private readonly owners = Array.from({ length: MAX_NESTED }, () => new Map<number, readonly OneSlot[]>());
  /** It is asked where something is put, not what is there. */
  private writing = false;

  /** `isMethod`: whether any class has a method of a name, for code of a file. `overriding`: what may run in a method's place, of an object of a class. */
  constructor(
    private readonly e: Evaluator, private readonly callees: Callees, private readonly constructorsOf: (cls: Cls) => readonly Callable[],
    private readonly isMethod: (file: SourceFile, name: string) => boolean, private readonly heirsOf: (cls: Cls) => readonly Cls[],
    private readonly isPropertyName: (name: string) => boolean, private readonly overriding: (fn: Callable, receiver: Cls | undefined) => readonly Callable[],
    private readonly table: SlotTable,
  ) {}

  /** From here on it is asked of expressions of this file. `filled`: its local variables that hold lists and tables, by scope and name. */
  enter(file: SourceFile, filled: ReadonlySet<string>): void {
    this.file = file;
    this.filled = filled;
    for (const found of this.owners) found.clear();
  }

  /** `withObjects`: what is called needs none. */
  of(id: number, withObjects = true): Held {
    if (EMPTY.has(opOf(this.file, id))) return NOTHING;
    const type = withObjects ? this.e.value(this.file, id) : undefined;
    if (type && isPlain(type)) return NOTHING;
    this.seen.length = 0;
    this.visit(id);
    if (type) this.instances(type);
    const held = { functions: this.functions.all, objects: this.objects.all, slots: this.slots.all };
    if (isEmpty(held)) return NOTHING;
    if (held.functions.length > 0) this.functions = new Distinct();
    if (held.objects.length > 0) this.objects = new Distinct();
    if (held.slots.length > 0) this.slots = new Distinct();
    return {
      functions: held.functions.length > 0 ? held.functions : NOTHING.functions, objects: held.objects.length > 0 ? held.objects : NOTHING.objects, slots: held.slots.length > 0 ? held.slots : NOTHING.slots,
    };
  }

  /** The objects of a type, alone or in lists and tables. */
  private instances(type: Type, depth = 0): void {
    for (const item of itemsOf(type)) {
      if (item.k === "inst") this.takeObject(item.cls);
      else if (item.k === "var" && !item.meta && item.bound.k === "inst") this.takeBound(item.key, item.bound.cls);
      else if ((item.k === "ext" || item.k === "tuple") && depth < MAX_NESTED) for (const part of item.k === "ext" ? item.args : [...item.items, ...item.rest ? [item.rest] : []]) this.instances(part, depth + 1);
    }
  }

  /** Where something is put that is put into what an expression names. */
  slotsOf(id: number): readonly OneSlot[] {
    this.writing = true;
    const { slots } = this.of(id, false);
    this.writing = false;
    return slots;
  }

  private visit(id: number): void {
    if (this.seen.length >= MAX_EXPRESSIONS || this.seen.includes(id)) return;
    this.seen.push(id);
    spend();
    const { file } = this;
    const { nodes, strings, functions, phis } = file.facts;
    const a = nodes[id + 1]!;
    const b = nodes[id + 2]!;
    switch (opOf(file, id)) {
      case Op.Name:
        this.name(id, false);
        return;
      case Op.Local:
        this.name(id, true);
        return;
      case Op.Attr: case Op.FlowAttr:
        this.attribute(a, strings[b]!);
        return;
      case Op.Call:
        this.call(id);
        return;
      case Op.Item: case Op.Rest: case Op.Star:
        this.iterated(a);
        this.visit(a);
        return;
      case Op.Narrow:
        if (nodes[id + 3] === 2) this.subclasses(this.e.value(file, id));
        this.visit(a);
        return;
      case Op.Sub: case Op.Slice: case Op.Await:
      case Op.ListComp: case Op.SetComp: case Op.GenComp:
        this.visit(a);
        return;
      case Op.Unpack: {
        const isList = opOf(file, a) === Op.Tuple || opOf(file, a) === Op.List;
        const items = isList ? nodes.slice(a + 2, a + 2 + nodes[a + 1]!) : [];
        const item = items.some((one) => opOf(file, one) === Op.Star) ? undefined : items.at(b);
        if (item === undefined) this.iterated(a);
        this.visit(item ?? a);
        return;
      }
      case Op.DictComp: case Op.Declared:
        if (b >= 0) this.visit(b);
        return;
      case Op.Either:
        this.visit(a);
        this.visit(b);
        return;
      case Op.Binary:
        if (strings[a] !== "+" && strings[a] !== "|") return;
        this.visit(b);
        this.visit(nodes[id + 3]!);
        return;
      case Op.List: case Op.Tuple: case Op.Set:
        for (let i = id + 2; i < id + 2 + a; i++) this.visit(nodes[i]!);
        return;
      case Op.Dict:
        for (let i = 0; i < a; i++) this.visit(nodes[id + 3 + 2 * i]!);
        return;
      case Op.Lambda: {
        // One that only calls a function is as good as that.
        const body = functions[a]!.results[0];
        if (body !== undefined && opOf(file, body) === Op.Call) this.visit(nodes[body + 1]!);
        return;
      }
      case Op.Function:
        this.take(this.e.program.fn(file, a));
        return;
      case Op.Class:
        this.takeClass(this.e.program.cls(file, a));
        return;
      case Op.Import:
        for (const meaning of this.e.program.follow(file, a)) this.meaning(meaning);
        return;
      case Op.Param:
        this.parameter(id);
        return;
      case Op.Phi:
        for (const definition of phis[a]!) this.visit(definition);
        return;
      default:
    }
  }

  /** `isLocal`: it is known which definitions reach the name. */
  private name(id: number, isLocal: boolean): void {
    const { file } = this;
    const { nodes, scopes, strings } = file.facts;
    const name = nodes[id + 1]!;
    const scope = scopeOf(file, id);
    if (scope < 0) {
      if (isLocal) this.definitions(id);
      else this.meaning(this.e.program.lookup(file, name, nodes[id + 2]!));
      return;
    }
    const { kind, names, symbol } = scopes[scope]!;
    if (scope === 0) {
      const variable = file.variables.get(names[name]!);
      if (variable !== undefined) {
        this.slot(file.index, variable, "");
        return;
      }
    } else if (kind === ScopeKind.Class) {
      const cls = this.writing ? file.facts.classes.findIndex((fact) => fact.scope === scope) : -1;
      if (cls >= 0) this.slots.add(this.fieldOf(this.e.program.cls(file, cls), strings[name]!));
    } else if (symbol !== undefined && this.filled.has(`${scope} ${name}`)) this.slot(file.index, symbol, `:${strings[name]!}`);
    if (isLocal) this.definitions(id);
    else for (const definition of names[name]!) this.visit(definition);
  }

  /** Those that reach a local name. */
  private definitions(local: number): void {
    const { nodes } = this.file.facts;
    for (let at = local + 4; at < local + 4 + nodes[local + 3]!; at++) this.visit(nodes[at]!);
  }

  private meaning(meaning: Meaning): void {
    if (meaning?.k !== "definitions") return;
    const { file, definitions } = meaning.binding;
    const variable = file.variables.get(definitions);
    if (variable !== undefined) {
      this.slot(file.index, variable, "");
      return;
    }
    for (const definition of definitions) {
      const operand = file.facts.nodes[definition + 1]!;
      if (opOf(file, definition) === Op.Function) this.take(this.e.program.fn(file, operand));
      else if (opOf(file, definition) === Op.Class) this.takeClass(this.e.program.cls(file, operand));
      else if (opOf(file, definition) === Op.Import) for (const further of this.e.program.follow(file, operand)) this.meaning(further);
    }
  }

  private parameter(id: number): void {
    const { file } = this;
    const [fn, param] = [file.facts.nodes[id + 1]!, file.facts.nodes[id + 2]!];
    const callable = this.e.program.fn(file, fn);
    const { symbol } = callable.fact;
    if (param === 0 && callable.owner && callable.name === "__init_subclass__") {
      for (const heir of this.heirsFor(callable.owner)) this.takeClass(heir);
      return;
    }
    for (const fixture of fixturesFor(this.e, callable, param)) this.result(fixture);
    if (!this.takes(callable, param)) {
      const declared = this.e.value(file, id);
      this.typed(declared);
      // An object of what derives from the class may be passed as well, or that class be the `cls` of a method.
      for (const item of itemsOf(declared)) {
        if (item.k === "inst") for (const heir of this.heirsFor(item.cls)) this.takeObject(heir);
        else if (item.k === "var" && item.meta && item.key === "self" && item.bound.k === "inst") this.subclasses(classOf(item.bound));
      }
    } else if (symbol >= 0) this.slot(file.index, symbol, placeOf(callable, param));
  }

  /** Whether a parameter may be a function, or have one in it. */
  takes({ file, fact, owner }: Callable, param: number): boolean {
    const { type, kind } = fact.params[param]!;
    if (param === 0 && owner && (fact.flags & FunctionFlag.Static) === 0 && kind !== ParamKind.Args) return false;
    return type < 0 || mayHold(this.e, annotated(this.e, file, type));
  }

  private attribute(object: number, name: string): void {
    if (isSpecial(name)) return;
    const { e, file } = this;
    const own = e.value(file, object);
    const type = isOpaque(own) ? e.informedly(() => e.value(file, object)) : own;
    for (const item of itemsOf(type)) this.member(item, name);
    if (!isUnknown(own) && !itemsOf(own).some((item) => item.k === "inst" && isProtocol(item.cls))) return;
    this.inside(object, this.writing ? `(${name})` : name);
    if (!this.writing && this.isPropertyName(name)) this.inside(object, name, RESULT);
  }

  /** The parts of that name of what an expression holds; of several names the parts of the parts. */
  private inside(id: number, ...names: readonly string[]): void {
    for (const slot of this.ownersIn(id)) {
      if (slot.depth + names.length <= MAX_WITHIN) this.slots.add(names.reduce((whole, name) => this.table.part(whole, name), slot));
    }
  }

  /** The slots of what an expression holds. */
  private ownersIn(id: number): readonly OneSlot[] {
    const known = this.owners[this.nested.size];
    if (!known || this.nested.has(id)) return [];
    return known.get(id) ?? this.findOwners(id, known);
  }

  private findOwners(id: number, known: Map<number, readonly OneSlot[]>): readonly OneSlot[] {
    const { functions, objects, slots, seen, writing } = this;
    this.functions = new Distinct();
    this.objects = new Distinct();
    this.slots = new Distinct();
    this.seen = [];
    this.writing = false;
    this.nested.add(id);
    this.visit(id);
    this.nested.delete(id);
    const found = this.slots.all.filter(({ owner }) => owner).slice(0, MAX_OWNERS);
    this.functions = functions;
    this.objects = objects;
    this.slots = slots;
    this.seen = seen;
    this.writing = writing;
    known.set(id, found);
    return found;
  }

  /** What going through an object gives by its own `__iter__`. */
  private iterated(id: number): void {
    if (!this.isMethod(this.file, ITERATE)) return;
    const type = this.e.value(this.file, id);
    for (const item of itemsOf(type)) {
      const member = item.k === "inst" ? findMember(this.e, item.cls, ITERATE) : undefined;
      if (member && "definitions" in member) for (const run of functionsOf(this.e, member)) this.result(run);
    }
    if (isUnknown(type)) this.inside(id, ITERATE, RESULT);
  }

  private member(object: Type, name: string): void {
    const { e } = this;
    switch (object.k) {
      case "module": case "folder":
        this.meaning(e.program.member(object.k === "module" ? { file: object.file } : { folder: object.folder }, name));
        return;
      case "unknown":
        this.ofAny(name);
        return;
      case "var":
        if (object.bound.k === "unknown" || object.bound.k === "union") {
          for (const item of itemsOf(object.bound)) this.member(object.meta ? classOf(item) : item, name);
          return;
        }
        break;
      case "inst": case "class": case "super": break;
      default: return;
    }
    const member = e.member(object, name);
    if (!member || "k" in member) {
      this.foreign(object, name);
      if (!member && !this.writing && !this.computed(object)) this.ofAny(name);
      return;
    }
    const { file } = member.cls;
    let isField = false;
    for (const definition of member.definitions) {
      const op = opOf(file, definition);
      if (op === Op.Function) {
        const fn = e.program.fn(file, file.facts.nodes[definition + 1]!);
        if (!isProperty(e, fn)) {
          this.take(fn);
          // Another name for a method stays that method.
          if (object.k === "inst" && !this.writing && fn.name === name) for (const other of this.overriding(fn, object.cls)) if (this.mayRun(other)) this.take(other);
        } else if (fn.fact.symbol >= 0) this.result(fn);
      } else if (op !== Op.Class) isField = true;
    }
    if (isField) this.slots.add(this.fieldOf(member.cls, name));
  }

  /** A field that the classes of the repository do not give a value: code outside of them may. */
  private foreign(object: Type, name: string): void {
    const cls = classBehind(object);
    if (!cls) return;
    for (const { cls: above } of this.writing ? [{ cls }] : mroOf(this.e, cls)) {
      if (above) this.slot(above.file.index, above.fact.symbol, name);
    }
  }

  /** What `__getattr__` gives for an attribute that an object does not have. False without one. */
  private computed(object: Type): boolean {
    const member = object.k === "inst" || (object.k === "var" && !object.meta) ? this.e.member(object, "__getattr__") : undefined;
    if (!member || "k" in member) return false;
    for (const run of functionsOf(this.e, member)) this.result(run);
    return true;
  }

  /** A field of that name, whatever has it; what some class has a method for is not taken to be a field. */
  private ofAny(name: string): void {
    if (!COMMON.has(name) && (this.writing || !this.isMethod(this.file, name))) this.slots.add(this.table.of(undefined, name));
  }

  /** A field of a class: that of the last class above it that gives it a value, so that all heirs share it. */
  fieldOf(cls: Cls, name: string): OneSlot {
    this.e.ask(cls, name);
    let owner = cls;
    if (!isPrivate(name)) for (const { cls: above } of mroOf(this.e, cls)) {
      if (above && ownMember(above, name)?.some((definition) => !isDeclaration(opOf(above.file, definition)))) owner = above;
    }
    return this.table.of(this.table.owner(owner.file.index, owner.fact.symbol), name);
  }

  private call(id: number): void {
    const { e, file } = this;
    const { nodes, strings } = file.facts;
    const callee = nodes[id + 1]!;
    const op = opOf(file, callee);
    const { targets } = this.callees.of(file, callee);
    for (const { fn, cls } of targets) {
      if (cls) this.takeInstance(cls);
      if (!fn) continue;
      this.result(fn);
      for (const decorator of decoratorsOf(e, fn)) this.slots.add(this.table.part(this.table.of(this.table.owner(decorator.file.index, decorator.fact.symbol), RESULT), RESULT));
      const { handsBack } = fn.fact;
      if (handsBack) match(fn, isBound(e, file, callee, fn, false), { file, id }, (param, argument) => {
        if (handsBack.includes(param)) this.visit(argument);
      });
    }
    if (targets.some(({ fn, cls }) => fn ?? cls)) return;
    for (const { fn } of e.informedly(() => this.callees.of(file, callee)).targets) if (fn) this.result(fn);
    const given = argumentsOf(file, id);
    const isAttribute = op === Op.Attr || op === Op.FlowAttr;
    const name = isAttribute ? strings[nodes[callee + 2]!]! : "";
    if (READS.has(name)) {
      this.visit(nodes[callee + 1]!);
      for (const argument of given.slice(1)) this.visit(argument);
      return;
    }
    if (name === "__subclasses__") {
      for (const cls of itemsOf(e.value(file, nodes[callee + 1]!)).map(classBehind)) if (cls) for (const heir of this.heirsFor(cls)) this.takeClass(heir);
      return;
    }
    const types = itemsOf(e.value(file, callee)).filter(({ k }) => k !== "none");
    for (const type of types) {
      if (type.k !== "extobj") continue;
      if (type.name === "getattr") {
        const texts = given[1] === undefined ? [] : e.informedly(() => textsOf(e, file, given[1]!));
        if (texts.length === 0 && given[0] !== undefined && isLoaded(e, file, given[0])) {
          for (const { fn, cls } of namedByTexts(this.callees, file)) {
            if (fn) this.take(fn);
            if (cls) this.takeClass(cls);
          }
        }
        for (const { text, isWhole } of texts) {
          if (isWhole) this.attribute(given[0]!, text);
          else if (text !== "") for (const method of methodsLike(e, file, given[0]!, text, this.heirsOf)) this.take(method);
        }
        for (const argument of given.slice(2)) this.visit(argument);
      } else if (/\bpartial(?:method)?$/.test(type.name)) for (const argument of given.slice(0, 1)) this.visit(argument);
      // A class says what is made, or what it is compared with.
      else if (!FORGETFUL.test(type.name)) for (const argument of given) if (!itemsOf(e.value(file, argument)).some(isClass)) this.visit(argument);
    }
    // A class may be what is declared to be called.
    if (types.every((type) => isOpaque(type) || type.k === "callable")) this.inside(callee, RESULT);
    if (!types.every(isOpaque)) return;
    if (this.isMethod(file, CALL)) this.inside(callee, CALL, RESULT);
    // A weak reference gives what it refers to. What some class has a method for is taken to be that.
    if (given.length === 0 && op !== Op.Call && !(isAttribute && this.isMethod(file, name))) this.visit(callee);
  }

  private result(fn: Callable): void {
    const { file, fact } = fn;
    const declared = fact.returns >= 0 ? annotated(this.e, file, fact.returns) : undefined;
    if (declared && !mayHold(this.e, declared)) this.typed(declared);
    else if (fact.symbol >= 0) this.slot(file.index, fact.symbol, RESULT);
  }

  private take({ file, fact: { symbol } }: { file: SourceFile; fact: { symbol: number } }): void {
    if (symbol >= 0) this.functions.add(this.table.owner(file.index, symbol));
  }

  private takeClass(cls: Cls): void {
    if (this.writing) return;
    this.take(cls);
    for (const run of this.constructorsOf(cls)) this.take(run);
  }

  /** What `issubclass` holds for: the class, and what derives from it. */
  private subclasses(type: Type): void {
    for (const item of itemsOf(type)) {
      if (item.k !== "class") continue;
      const heirs = this.heirsFor(item.cls);
      for (const cls of heirs.length > MAX_HEIRS ? [] : [item.cls, ...heirs]) this.takeClass(cls);
    }
  }

  /** What derives from a class; for code that is no test, without that of tests. */
  private heirsFor(cls: Cls): readonly Cls[] {
    this.e.ask(cls, MEMBERS);
    return this.heirsOf(cls).filter((heir) => this.mayRun(heir));
  }

  /** Whether code of the file may run this: what tests declare, tests alone. */
  private mayRun({ file }: Callable | Cls): boolean {
    return isTestPath(this.file.path) || !isTestPath(file.path);
  }

  private takeInstance(cls: Cls): void {
    if (this.writing) return;
    for (const run of callsOf(this.e, cls)) this.take(run);
    this.takeObject(cls);
  }

  /** An object of a class, or of what derives from it where it is a method's own. */
  private takeBound(key: string, cls: Cls): void {
    if (this.writing) return;
    this.takeObject(cls);
    if (key === "self" && cls.fact.symbol >= 0) this.slot(cls.file.index, cls.fact.symbol, SLOT.SELF);
  }

  private takeObject(cls: Cls): void {
    if (cls.fact.symbol >= 0) this.objects.add(this.table.of(this.table.owner(cls.file.index, cls.fact.symbol), SLOT.OBJECT));
  }

  /** What calling something of a declared type runs. */
  private typed(type: Type): void {
    for (const item of itemsOf(type)) {
      if (item.k === "inst") this.takeInstance(item.cls);
      else if (item.k === "class") this.takeClass(item.cls);
      else if (item.k === "var" && item.bound.k === "inst") {
        if (item.meta) this.takeClass(item.bound.cls);
        else {
          this.takeInstance(item.bound.cls);
          this.takeBound(item.key, item.bound.cls);
        }
      }
    }
  }

  private slot(file: number, symbol: number, name: string): void {
    this.slots.add(this.table.of(this.table.owner(file, symbol), name));
  }
}
