import { spend } from "../../effort.ts";
import { annotated } from "./annotations.ts";
import { attributeOf, memberOf } from "./attributes.ts";
import { callValue, expectedParameter } from "./calls.ts";
import type { Member } from "./classes.ts";
import { opOf } from "./classes.ts";
import { isMapping } from "./externals.ts";
import { Const, FunctionFlag, Op, ParamKind } from "./facts.ts";
import { narrowed } from "./narrowing.ts";
import { awaitedOf, binaryOf, caughtOf, enteredOf, itemOf, sliceOf, subscriptOf, unpackedOf } from "./protocols.ts";
import type { Binding, Callable, Cls, Meaning, Program, SourceFile, Value } from "./program.ts";
import type { Type } from "./types.ts";
import { BOOL, EXTERNAL, INT, NONE, STR, UNKNOWN, bounded, ext, instanceOf, itemsOf, substitute, union, withoutNone } from "./types.ts";

/** Deeper evaluation than this is given up: nobody reads such code, and the stack is finite. */
export const MAX_DEPTH = 150;
/** Classes that wait for classes, of which people have some six; and evaluations that wait for them, since each starts anew. */
const MAX_CLASSES = 40;
const MAX_DEPTHS = 400;
/** Evaluations in circles that one question may take before partial answers are kept as they are. */
const FUEL = 2_000;
/** Steps that one stands for: it takes some microseconds. */
const EVALUATION = 10;
/** Items of a display that are looked at for the type of its elements. */
const DISPLAY = 24;

/** How sure an edge is that follows from ... */
export const SURE = { declared: 0.9, inferred: 0.8, weak: 0.7, possible: 0.6 } as const;

/**
 * Finds types of expressions, lazily, each at most once. What is found without going in a circle is the same whoever asks first, and is
 * kept for all. What lies on a circle, or was given up, depends on where evaluation came from: it is kept until `forget`, so that what is
 * found for one file does not depend on which others were looked at before.
 */
export class Evaluator {
  readonly program: Program;
  /** Depth of the evaluation that is going on. */
  depth = 0;
  /** Classes of which something is being found, and the depth of the evaluations that wait for them. */
  private classes = 0;
  private depths = 0;
  /** How sure the types are that were used since it was last set to 1. */
  sure = 1;
  /** Whether what was used since this was last set to false lies on a circle, or was given up. */
  circular = false;
  /** How much deeper evaluation went since this was last set to 0. */
  height = 0;
  /** Whether classes led to classes for longer than anybody follows. Where that ends depends on what was looked at before. */
  gaveUp = false;
  /** Evaluations so far, and those that lay on a circle. */
  evaluations = 0;
  circles = 0;
  /** Whether what calls pass counts. */
  private informed = false;
  private readonly asked = new Set<string>();
  /** What is kept until `forget`. */
  private readonly passing: [kept: Map<number, unknown>, id: number][] = [];
  private readonly passingClasses: Cls[] = [];
  /** The outermost running evaluation that a result depends on without knowing its type. */
  private pending = Infinity;
  /** Evaluations that are going on. */
  private running = 0;
  private fuel = FUEL;

  /** `exact`: nothing that is found depends on what was looked at before `forget`. */
  constructor(program: Program, readonly exact: boolean) {
    this.program = program;
  }

  /** Forgets what depends on where evaluation came from. */
  forget(): void {
    for (const [kept, id] of this.passing) kept.delete(id);
    for (const cls of this.passingClasses) {
      cls.mro = cls.typeVars = undefined;
      cls.circular = false;
      cls.members.clear();
    }
    this.passing.length = this.passingClasses.length = 0;
    this.fuel = FUEL;
  }

  /** Keeps something until `forget`. */
  passes(kept: Map<number, unknown>, id: number): void {
    if (this.exact) this.passing.push([kept, id]);
  }

  /** Takes down that the code of a file asks for something of a class. */
  ask({ word }: Cls, name: string): void {
    this.program.ask(word, name);
  }

  /** What is asked meanwhile, the code of this file asks; without one, nobody's. */
  readBy<T>(file: SourceFile | undefined, read: () => T): T {
    const { reader } = this.program;
    this.program.reader = file;
    const found = read();
    this.program.reader = reader;
    return found;
  }

  private isCircular(): boolean {
    return this.circular;
  }

  /** Asks with what calls pass as the type of parameters that declare none. */
  informedly<T>(ask: () => T): T {
    this.informed = true;
    const answer = ask();
    this.informed = false;
    return answer;
  }

  /** Asks a class for one thing; while it is being asked for the same, it has no answer. */
  once(what: string, cls: Cls, ask: () => Type): Type {
    const key = `${what} ${cls.file.index}:${cls.index}`;
    if (this.asked.has(key)) {
      this.circular = true;
      return UNKNOWN;
    }
    this.asked.add(key);
    const type = ask();
    this.asked.delete(key);
    return type;
  }

  /**
   * Finds something that is kept by itself, beside the values: without what calls pass, and what it takes to find it makes nobody less
   * sure. Says whether it lies on a circle, and how deep it went.
   */
  apart<T>(find: () => T): { found: T; circular: boolean; height: number } {
    const { sure, circular, height, informed } = this;
    this.circular = this.informed = false;
    this.height = 0;
    const result = { found: find(), circular: this.isCircular(), height: this.height };
    this.sure = sure;
    this.informed = informed;
    this.circular ||= circular;
    if (this.height < height) this.height = height;
    return result;
  }

  /** Finds something about a class, the same at any depth; `otherwise` where classes lead to classes for longer than anybody follows. */
  ofClass<T>(cls: Cls, otherwise: T, find: () => T): T {
    if (this.classes >= MAX_CLASSES || this.depths + this.depth > MAX_DEPTHS) {
      this.gaveUp = true;
      this.circular = true;
      return this.ofCircle(cls, otherwise);
    }
    const { depth, height } = this;
    this.classes++;
    this.depths += depth;
    this.depth = 1;
    const { found, circular } = this.apart(find);
    this.depth = depth;
    this.depths -= depth;
    this.classes--;
    this.height = height;
    return circular ? this.ofCircle(cls, found) : found;
  }

  private ofCircle<T>(cls: Cls, found: T): T {
    if (!cls.circular) {
      cls.circular = true;
      this.passingClasses.push(cls);
    }
    return found;
  }

  /** At most so sure. */
  weaken(to: number): void {
    if (to < this.sure) this.sure = to;
  }

  /** The type of an expression's value. */
  value(file: SourceFile, id: number): Type {
    spend();
    const kept = this.informed ? file.informed : file.values;
    const known = kept.get(id);
    if (known) {
      if (known.level >= 0) {
        if (known.level < this.pending) this.pending = known.level;
        this.circular = true;
        return UNKNOWN;
      }
      if (known.circular || !this.exact || this.depth + known.height <= MAX_DEPTH) {
        if (known.height > this.height) this.height = known.height;
        if (known.circular) this.circular = true;
        this.weaken(known.sure);
        return known.type;
      }
    }
    if (this.depth > MAX_DEPTH) {
      this.pending = 0;
      this.circular = true;
      return UNKNOWN;
    }
    if (this.running === 0) this.fuel = FUEL;
    const { sure, circular, height, pending } = this;
    this.sure = 1;
    this.circular = false;
    this.height = 0;
    this.pending = Infinity;
    const value: Value = { type: UNKNOWN, sure: 1, circular: false, height: 0, level: this.running++ };
    kept.set(id, value);
    spend(EVALUATION);
    this.evaluations++;
    this.depth++;
    const { reader } = this.program;
    this.program.reader = file;
    const type = bounded(this.evaluate(file, id));
    this.program.reader = reader;
    this.depth--;
    this.running--;
    this.height++;
    if (this.isCircular()) {
      this.fuel--;
      this.circles++;
    }
    if (this.pending >= value.level || this.fuel <= 0) {
      value.type = type;
      value.sure = this.sure;
      value.circular = this.isCircular();
      value.height = this.height;
      value.level = -1;
      this.pending = Infinity;
      if (value.circular) this.passes(kept, id);
    } else {
      // Built on something unfinished further out: right for now, to be found again once that is known.
      kept.delete(id);
    }
    if (pending < this.pending) this.pending = pending;
    if (sure < this.sure) this.sure = sure;
    if (height > this.height) this.height = height;
    this.circular ||= circular;
    return type;
  }

  private evaluate(file: SourceFile, id: number): Type {
    const { nodes, strings } = file.facts;
    const a = nodes[id + 1]!;
    const b = nodes[id + 2]!;
    switch (nodes[id] as unknown as Op) {
      case Op.Unknown: return UNKNOWN;
      case Op.Name: return this.meaning(this.program.lookup(file, a, b));
      case Op.Local: return this.local(file, id);
      case Op.Attr: return attributeOf(this, this.value(file, a), strings[b]!);
      case Op.FlowAttr: {
        const known = union(this.list(file, id + 3));
        return isWeak(known) ? this.orElse(attributeOf(this, this.value(file, a), strings[b]!), known) : known;
      }
      case Op.Call: return callValue(this, this.value(file, a), { file, id });
      case Op.Sub: return subscriptOf(this, this.value(file, a), file, b);
      case Op.Const: return constant(a);
      case Op.Str: case Op.Quoted: return STR;
      case Op.List: return ext("list", this.elements(file, id + 1));
      case Op.Set: return ext("set", this.elements(file, id + 1));
      case Op.Tuple: return this.tuple(file, id);
      case Op.Dict: return this.dict(file, id);
      case Op.ListComp: return ext("list", this.value(file, a));
      case Op.SetComp: return ext("set", this.value(file, a));
      case Op.GenComp: return ext("Generator", this.value(file, a));
      case Op.DictComp: return ext("dict", this.value(file, a), this.value(file, b));
      case Op.Binary: return binaryOf(this, strings[a]!, this.value(file, b), this.value(file, nodes[id + 3]!));
      case Op.Either: return union([withoutNone(this.value(file, a)), this.value(file, b)]);
      case Op.Await: return this.awaited(this.value(file, a));
      case Op.Lambda: return { k: "fn", fn: this.program.fn(file, a), self: undefined, solved: undefined };
      case Op.Star: return this.item(this.value(file, a));
      case Op.Slice: return sliceOf(this, this.value(file, a));
      case Op.Param: return this.parameter(this.program.fn(file, a), b);
      case Op.Import: return union(this.program.follow(file, a).map((m) => this.meaning(m)));
      case Op.Function: return this.functionValue(this.program.fn(file, a));
      case Op.Class: return { k: "class", cls: this.program.cls(file, a), args: [] };
      case Op.Item: return this.item(this.value(file, a), b === 1);
      case Op.Enter: return this.entered(this.value(file, a), b === 1);
      case Op.Unpack: return unpackedOf(this, this.value(file, a), b);
      case Op.Rest: return ext("list", this.item(this.value(file, a)));
      case Op.Caught: return caughtOf(this.value(file, a));
      case Op.Declared: return this.declared(file, a, b);
      case Op.Narrow: return narrowed(this, this.value(file, a), this.value(file, b), nodes[id + 3]!);
      case Op.Phi: return union(file.facts.phis[a]!.map((d) => this.value(file, d)));
      case Op.TypeVar: return {
        k: "var", key: `${file.index}:${id}`, bound: b < 0 ? UNKNOWN : annotated(this, file, b), meta: false,
      };
      case Op.Super: {
        const method = this.program.fn(file, a);
        if (!method.owner) return UNKNOWN;
        const meta = (method.fact.flags & FunctionFlag.ClassMethod) !== 0 || method.name === "__new__";
        this.weaken(SURE.declared);
        return { k: "super", cls: method.owner, self: this.selfOf(method, meta) };
      }
      default: return UNKNOWN;
    }
  }

  /** The type of what a name means. */
  meaning(meaning: Meaning): Type {
    if (!meaning) return UNKNOWN;
    switch (meaning.k) {
      case "external": return { k: "extobj", name: meaning.name };
      case "module": return "file" in meaning.module ? { k: "module", file: meaning.module.file } : { k: "folder", folder: meaning.module.folder };
      case "definitions": return this.definitions(meaning.binding);
    }
  }

  /** The type of a variable, from all that it was ever bound to: what is declared counts before what is assigned. */
  definitions({ file, definitions }: Binding): Type {
    const declared = this.declaration(file, definitions);
    if (declared) return declared;
    if (definitions.length > 1) this.weakenBy(file, definitions);
    return union(definitions.map((d) => this.value(file, d)));
  }

  private weakenBy(file: SourceFile, definitions: readonly number[]): void {
    for (const d of definitions) {
      const op = opOf(file, d);
      if (op !== Op.Function && op !== Op.Class && op !== Op.Import) {
        this.weaken(SURE.inferred);
        return;
      }
    }
  }

  /** The declared type among bindings, the last one where there are several; undefined when none says anything. */
  declaration(file: SourceFile, definitions: readonly number[]): Type | undefined {
    for (let i = definitions.length - 1; i >= 0; i--) {
      const definition = definitions[i]!;
      if (opOf(file, definition) !== Op.Declared) continue;
      const type = annotated(this, file, file.facts.nodes[definition + 1]!);
      if (type.k === "unknown") continue;
      this.weaken(SURE.declared);
      return type;
    }
    return undefined;
  }

  private local(file: SourceFile, id: number): Type {
    const { nodes } = file.facts;
    const type = union(this.list(file, id + 3));
    if (!isWeak(type)) return type;
    const meaning = this.program.lookup(file, nodes[id + 1]!, nodes[id + 2]!);
    if (meaning?.k !== "definitions") return type;
    const declared = this.declaration(meaning.binding.file, meaning.binding.definitions);
    return declared ? this.orElse(declared, type) : type;
  }

  /** The first type, unless it says nothing. */
  private orElse(type: Type, otherwise: Type): Type {
    return type.k === "unknown" ? otherwise : type;
  }

  private list(file: SourceFile, count: number): Type[] {
    const { nodes } = file.facts;
    const types: Type[] = [];
    for (let i = count + 1; i <= count + nodes[count]!; i++) types.push(this.value(file, nodes[i]!));
    return types;
  }

  private elements(file: SourceFile, count: number): Type {
    const { nodes } = file.facts;
    const types: Type[] = [];
    for (let i = count + 1; i <= count + Math.min(nodes[count]!, DISPLAY); i++) types.push(this.value(file, nodes[i]!));
    return union(types);
  }

  private tuple(file: SourceFile, id: number): Type {
    const { nodes } = file.facts;
    const items: Type[] = [];
    for (let i = id + 2; i < id + 2 + Math.min(nodes[id + 1]!, DISPLAY); i++) {
      if (opOf(file, nodes[i]!) === Op.Star) return { k: "tuple", items: [], rest: union(this.list(file, id + 1)) };
      items.push(this.value(file, nodes[i]!));
    }
    return { k: "tuple", items, rest: undefined };
  }

  private dict(file: SourceFile, id: number): Type {
    const { nodes } = file.facts;
    const keys: Type[] = [];
    const values: Type[] = [];
    for (let i = 0; i < Math.min(nodes[id + 1]!, DISPLAY); i++) {
      keys.push(this.value(file, nodes[id + 2 + 2 * i]!));
      values.push(this.value(file, nodes[id + 3 + 2 * i]!));
    }
    return ext("dict", union(keys), union(values));
  }

  /** An annotated assignment, where it stands: the assigned type where that says more. */
  private declared(file: SourceFile, annotation: number, value: number): Type {
    const type = annotated(this, file, annotation);
    this.weaken(SURE.declared);
    if (value < 0) return type;
    const assigned = this.value(file, value);
    return type.k === "unknown" || !isWeak(assigned) ? assigned : type;
  }

  /** A method's `self` or `cls`. */
  selfOf(method: Callable, meta: boolean): Type {
    return { k: "var", key: "self", bound: { k: "inst", cls: method.owner!, args: [] }, meta };
  }

  private parameter(fn: Callable, index: number): Type {
    const { fact, file } = fn;
    const param = fact.params[index]!;
    if (index === 0 && fn.owner && (fact.flags & FunctionFlag.Static) === 0 && param.kind !== ParamKind.Args) {
      this.weaken(SURE.declared);
      const meta = (fact.flags & FunctionFlag.ClassMethod) !== 0 || /^(__new__|__init_subclass__|__class_getitem__)$/.test(fn.name);
      return this.selfOf(fn, meta);
    }
    if (param.type >= 0) {
      this.weaken(SURE.declared);
      return collected(param.kind, annotated(this, file, param.type));
    }
    const passed = fact.passedTo === undefined ? UNKNOWN : expectedParameter(this, fn, fact.passedTo, index);
    if (passed.k !== "unknown") return passed;
    const inherited = this.inheritedParameter(fn, index);
    if (inherited) return collected(param.kind, inherited);
    if (param.kind === ParamKind.Args) return { k: "tuple", items: [], rest: UNKNOWN };
    if (param.kind === ParamKind.Keywords) return ext("dict", STR, UNKNOWN);
    let bound = UNKNOWN;
    if (param.value >= 0) {
      this.weaken(SURE.weak);
      const value = this.value(file, param.value);
      if (value.k !== "none") bound = value;
    }
    if (bound.k === "unknown") {
      const passed = union((this.informed ? this.program.passed(fn, index) : []).map((site) => closed(withoutNone(this.value(site.file, site.id)))));
      if (passed.k !== "none") bound = passed;
      if (bound.k !== "unknown") this.weaken(SURE.weak);
    }
    return { k: "var", key: `${file.index}.${fn.index}.${index}`, bound, meta: false };
  }

  /** What the overridden method says about a parameter of the same name. */
  private inheritedParameter(fn: Callable, index: number): Type | undefined {
    if (!fn.owner || /^__(init|new)__$/.test(fn.name)) return undefined;
    const name = fn.file.facts.strings[fn.fact.params[index]!.name]!;
    const member = this.member({ k: "super", cls: fn.owner, self: UNKNOWN }, fn.name);
    if (!member || !("definitions" in member)) return undefined;
    const { file } = member.cls;
    for (const definition of member.definitions) {
      if (opOf(file, definition) !== Op.Function) continue;
      const base = this.program.fn(file, file.facts.nodes[definition + 1]!);
      const param = base.fact.params.findIndex((p) => file.facts.strings[p.name] === name);
      if (param <= 0 || base.fact.params[param]!.type < 0) continue;
      this.weaken(SURE.declared);
      return annotated(this, file, base.fact.params[param]!.type);
    }
    return undefined;
  }

  /** A function with what its decorators make of it. */
  private functionValue(fn: Callable): Type {
    let type: Type = { k: "fn", fn, self: undefined, solved: undefined };
    for (const decorator of [...fn.fact.decorators].reverse()) {
      type = this.decorated(type, this.value(fn.file, decorator));
    }
    return type;
  }

  private decorated(fn: Type, decorator: Type): Type {
    if (decorator.k === "extobj") {
      const name = decorator.name;
      if (/contextmanager$/.test(name) && fn.k === "fn") {
        return { k: "callable", result: ext("ContextManager", this.item(this.resultOf(fn), name.includes("async"))) };
      }
      return fn;
    }
    // A decorator of the repository changes the result only where it says so.
    if (decorator.k !== "fn" && decorator.k !== "callable" && decorator.k !== "union") return fn;
    const result = callValue(this, decorator, { types: [fn] });
    switch (result.k) {
      case "callable": return result.result.k === "unknown" ? fn : result;
      case "inst": return result;
      case "fn": return result.fn.fact.returns >= 0 ? result : fn;
      default: return fn;
    }
  }

  /** What a plain call of a function gives, without looking at arguments. */
  resultOf(type: Type & { k: "fn" }): Type {
    const { fn } = type;
    const { fact, file } = fn;
    let result: Type;
    if (fact.returns >= 0) {
      this.weaken(SURE.declared);
      result = annotated(this, file, fact.returns);
      if ((fact.flags & FunctionFlag.Async) !== 0 && (fact.flags & FunctionFlag.Generator) === 0) result = ext("Coroutine", result);
    } else {
      this.weaken(SURE.inferred);
      result = this.inferredResult(fn);
    }
    const solved = new Map(type.solved);
    if (type.self) solved.set("self", type.self);
    return substitute(result, solved);
  }

  private inferredResult(fn: Callable): Type {
    const { fact, file } = fn;
    if ((fact.flags & FunctionFlag.Generator) !== 0) {
      const item = union(fact.yields.map((y) => this.value(file, y)));
      return ext((fact.flags & FunctionFlag.Async) !== 0 ? "AsyncGenerator" : "Generator", item);
    }
    if ((fact.flags & FunctionFlag.Abstract) !== 0) return UNKNOWN;
    const result = fact.results.length === 0 ? NONE : union(fact.results.map((r) => this.value(file, r)));
    return (fact.flags & FunctionFlag.Async) !== 0 ? ext("Coroutine", result) : result;
  }

  /** Asks the bound of a type variable. */
  bounded(type: Type & { k: "var" }, ask: (bound: Type) => Type): Type {
    return type.bound.k === "unknown" || type.meta ? UNKNOWN : substitute(ask(type.bound), new Map([["self", type]]));
  }

  /** A call without arguments. */
  call(callee: Type): Type {
    return callValue(this, callee, { types: [] });
  }

  /** What `await` gives. */
  awaited(type: Type): Type {
    return awaitedOf(this, type);
  }

  /** What iterating gives. */
  item(type: Type, isAsync = false): Type {
    return itemOf(this, type, isAsync);
  }

  /** What `with ... as` binds. */
  entered(type: Type, isAsync = false): Type {
    return enteredOf(this, type, isAsync);
  }

  /** Where an attribute of an object is bound: a member of a class of the repository, or the external type that has it. */
  member(object: Type, name: string): Member | Type | undefined {
    return memberOf(this, object, name);
  }

  /** What an expression in a class's list of bases means. */
  bases(file: SourceFile, id: number): Type[] {
    const type = annotated(this, file, id);
    const known = itemsOf(type).filter((t) => t.k === "inst" || t.k === "ext" || t.k === "tuple");
    if (known.length > 0) return known.map((t) => (t.k === "tuple" ? ext("tuple", t.rest ?? union(t.items)) : t));
    const value = itemsOf(this.value(file, id));
    const classes = value.filter((t) => t.k === "class").map((t) => instanceOf(t));
    return classes.length > 0 ? classes : [EXTERNAL];
  }
}

function constant(kind: number): Type {
  switch (kind as unknown as Const) {
    case Const.None: return NONE;
    case Const.Bool: return BOOL;
    case Const.Int: return INT;
    case Const.Float: return ext("float");
    case Const.Str: return STR;
    case Const.Bytes: return ext("bytes");
    case Const.Ellipsis: return ext("ellipsis");
  }
}

function collected(kind: ParamKind, type: Type): Type {
  if (kind === ParamKind.Args) return { k: "tuple", items: [], rest: type };
  return kind === ParamKind.Keywords ? ext("dict", STR, type) : type;
}

/** What a value is at least, without type variables on the outside. */
function closed(type: Type): Type {
  if (type.k === "union") return union(type.items.map(closed));
  return type.k === "var" && !type.meta ? closed(type.bound) : type;
}

/** Says so little that a declaration says more. */
function isWeak(type: Type): boolean {
  switch (type.k) {
    case "unknown": case "none": return true;
    case "ext": return type.args.length === 0 ? type.name === "?" || isMapping(type) || /^(list|set|deque)$/.test(type.name) : type.args.every(isWeak);
    case "tuple": return type.items.length === 0;
    case "union": return type.items.every(isWeak);
    case "callable": return isWeak(type.result);
    default: return false;
  }
}
