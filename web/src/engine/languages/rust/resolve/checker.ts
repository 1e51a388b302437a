import { Depth, Memo } from "../../memo.ts";
import { type Offset, Op } from "../facts.ts";
import { type Candidate, Impls } from "./impls.ts";
import { awaited, closureParameter, elementOf, functionResult, indexed, isCommon, methodResult, pointee, tried } from "./library.ts";
import type { Declaration, Func, Impl, Named, Program, Source } from "./program.ts";
import { type Bindings, foreign, type ForeignType, keyOf, MAX_NESTING, mayBe, substitute, type Type, unify, UNIT, UNKNOWN } from "./types.ts";

/** What an expression is. */
export interface Operand {
  type: Type;
  /** How sure the type is. */
  certainty: number;
}

/** What a call's callee is: functions of the repository, a struct or variant that is made, a value, or the library's. */
interface Callee {
  functions: readonly Candidate[];
  certainty: number;
  made?: { type: Type; declaration: Declaration };
  /** A closure, or a pointer to a function. */
  value?: Type;
  /** A method's receiver, where the library has it; or what the function is of. */
  library?: { receiver: ForeignType; name: string } | { owner: string | undefined; args: readonly Type[]; name: string };
  /** What is given when nothing else tells: the receiver of `clone`. */
  otherwise?: Type;
}

export interface Target {
  func: Func;
  confidence: number;
  virtual?: Declaration;
}

/** Expressions nested deeper (a chain through that many initialisers) are given up. */
const MAX_DEPTH = 400;
/** Pointers to pointers are followed so far. */
const MAX_DEREFS = 8;
const DECLARED = 0.9;
const INFERRED = 0.7;
const GUESS = 0.4;
const NOTHING: Operand = { type: UNKNOWN, certainty: 0 };
const NO_CALLEE: Callee = { functions: [], certainty: 0 };
/** Methods that derived or blanket impls give every type, and that give that type again. */
const SAME = /^(?:clone|to_owned|by_ref|borrow|borrow_mut|as_ref|as_mut|into_iter|iter|add|sub|mul|max|min|deref|deref_mut|as_deref)$/;
/** Functions that are made by `derive` and give the type. */
const MADE = /^(?:default|clone|from|new|try_from|parse)$/;

/** Answers what the records of all files stand for, lazily and once each. What cannot be known is UNKNOWN; nothing throws. */
export class Checker {
  readonly impls: Impls;
  private readonly operands: Memo<Source, Operand>;
  private readonly types: Memo<Source, Type>;
  private readonly callees: Memo<Source, Callee>;
  /** Paths of patterns, which may be of a struct with named fields. */
  private readonly patterns: Memo<Source, Callee>;
  /** Methods by name; undefined where several have it. */
  private readonly byName = new Map<string, Candidate | undefined>();
  private readonly depth = new Depth(MAX_DEPTH);

  constructor(readonly program: Program) {
    const { sources } = program;
    this.operands = new Memo<Source, Operand>(sources, NOTHING, (source, at) => this.evaluate(source, at), this.depth);
    this.types = new Memo<Source, Type>(sources, UNKNOWN, (source, at) => this.readType(source, at), this.depth);
    this.callees = new Memo<Source, Callee>(sources, NO_CALLEE, (source, at) => this.readCallee(source, at, false), this.depth);
    this.patterns = new Memo<Source, Callee>(sources, NO_CALLEE, (source, at) => this.readCallee(source, at, true), this.depth);
    this.impls = new Impls(program, (source, at) => this.type(source, at));
    this.impls.fill();
    const note = (func: Func): void => {
      const { name, method } = func.fact;
      if (method) this.byName.set(name, this.byName.has(name) ? undefined : { func, bindings: new Map(), share: 1 });
    };
    for (const impl of program.impls) for (const fact of impl.fact.functions) note({ fact, source: impl.source, impl });
    for (const trait of program.declarations) for (const fact of trait.fact.functions) note({ fact, source: trait.source, trait });
  }

  // Types

  type(source: Source, at: Offset): Type {
    return this.types.get(source, at);
  }

  private readType(source: Source, at: Offset): Type {
    const { code, strings } = source.data;
    const list = (start: number): Type[] => code.slice(start + 1, start + 1 + code[start]!).map((one) => this.type(source, one));
    switch (code[at]) {
      case Op.Path:
        return this.typePath(source, at);
      case Op.As:
        return this.type(source, code[at + 1]!);
      case Op.Reference:
        return this.type(source, code[at + 2]!);
      case Op.Parameter:
        return { kind: "parameter", source, at };
      case Op.Bounds:
        return { kind: "bounds", traits: list(at + 1) };
      case Op.Built:
        return foreign(strings[code[at + 1]!]!, ...list(at + 2));
      case Op.Function:
        return { kind: "function", parameters: list(at + 2), result: code[at + 1] ? this.type(source, code[at + 1]!) : UNIT };
      default:
        return UNKNOWN;
    }
  }

  private typePath(source: Source, at: Offset): Type {
    const { code, strings } = source.data;
    const name = strings[code[at + 2]!]!;
    const named = this.named(source, at, "types");
    if (named?.kind === "module") return UNKNOWN;
    const { args, bindings } = this.argumentsOf(source, at);
    if (named?.kind === "type") return this.declared(named.declaration, args, bindings);
    if (named?.kind === "variant") return this.declared(named.declaration, args, undefined);
    const plainForeign: ForeignType = { kind: "foreign", name, args, ...(bindings ? { bindings } : {}) };
    if (named) return { ...plainForeign, name: named.kind === "foreign" ? named.name : name };
    const prefix = code[at + 1]!;
    if (prefix === 0) return plainForeign;
    const owner = this.type(source, prefix);
    if (owner.kind === "foreign") return plainForeign;
    return this.associated(owner, name, code[prefix] === Op.As ? this.type(source, code[prefix + 2]!) : undefined);
  }

  private argumentsOf(source: Source, at: Offset): { args: Type[]; bindings?: Map<string, Type> } {
    const { code, strings } = source.data;
    const args: Type[] = [];
    let bindings: Map<string, Type> | undefined;
    for (const one of code.slice(at + 5, at + 5 + code[at + 4]!)) {
      if (code[one] === Op.Binding) (bindings ??= new Map<string, Type>()).set(strings[code[one + 1]!]!, this.type(source, code[one + 2]!));
      else args.push(this.type(source, one));
    }
    return bindings ? { args, bindings } : { args };
  }

  private declared(declaration: Declaration, args: readonly Type[], bindings: Bindings | undefined): Type {
    const { fact, source } = declaration;
    if (fact.kind !== "alias") return { kind: "own", declaration, args, ...(bindings ? { bindings } : {}) };
    const given = new Map<string, Type>();
    fact.typeParameters.forEach((at, i) => args[i] && given.set(keyOf(source, at), args[i]));
    return substitute(this.type(source, fact.type), given);
  }

  /** A type by a name in another: `I::Item`, `Self::Error`. */
  private associated(of: Type, name: string, trait: Type | undefined): Type {
    // `impl Trait for Type<<T as Other>::Item>`: what that is, is asked when all impls are known.
    if (!this.impls.ready) return { kind: "associated", of, name, trait };
    if (!this.depth.enter()) return UNKNOWN;
    try {
      for (const impl of this.impls.of(of)) {
        const by = trait && this.impls.traitOf(impl);
        if (trait && by && !mayBe(by, trait)) continue;
        const found = this.impls.associatedIn(impl, of, name);
        if (found) return this.settle(substitute(this.type(found.source, found.at), found.bindings));
      }
      for (const bound of this.boundsOf(of)) {
        if (bound.kind !== "own" && bound.kind !== "foreign") continue;
        const found = bound.bindings?.get(name);
        if (found) return found;
      }
      return of.kind === "unknown" || of.kind === "foreign" || of.kind === "own" ? UNKNOWN : { kind: "associated", of, name, trait };
    } finally {
      this.depth.leave();
    }
  }

  /** A type with the associated types in it whose owners are known by now. */
  private settle(type: Type, depth = 0): Type {
    if (depth > MAX_NESTING) return type;
    switch (type.kind) {
      case "associated":
        return this.associated(this.settle(type.of, depth + 1), type.name, type.trait);
      case "own":
      case "foreign":
        return type.args.some(({ kind }) => kind === "associated" || kind === "foreign" || kind === "own") ? { ...type, args: type.args.map((arg) => this.settle(arg, depth + 1)) } : type;
      default:
        return type;
    }
  }

  /** The traits that a type of which no more is known has. */
  private boundsOf(type: Type): readonly Type[] {
    switch (type.kind) {
      case "bounds":
        return type.traits;
      case "parameter": {
        const at = type.source.data.code[type.at + 2]!;
        const bounds = this.type(type.source, at);
        return bounds.kind === "bounds" ? bounds.traits : [];
      }
      case "associated": {
        const traits = type.trait ? [type.trait] : this.boundsOf(type.of);
        return this.withSupers(traits).flatMap((trait) => {
          const fact = trait.kind === "own" ? trait.declaration.fact.types.find(({ name }) => name === type.name) : undefined;
          const bounds = fact && trait.kind === "own" ? this.type(trait.declaration.source, fact.type) : UNKNOWN;
          return bounds.kind === "bounds" ? bounds.traits : [];
        });
      }
      default:
        return [];
    }
  }

  /** Traits with all that they require. */
  private withSupers(traits: readonly Type[]): Type[] {
    const all = [...traits];
    for (let i = 0; i < all.length; i++) {
      const trait = all[i]!;
      if (trait.kind !== "own") continue;
      for (const above of this.impls.supersOf(trait.declaration)) if (!all.some((one) => one.kind === "own" && above.kind === "own" && one.declaration === above.declaration)) all.push(above);
    }
    return all;
  }

  /** A type, and what its methods are looked for in next. */
  private *derefs(type: Type): Iterable<Type> {
    let at: Type | undefined = type;
    for (let i = 0; at && i < MAX_DEREFS; i++) {
      yield at;
      at = this.deref(at);
    }
  }

  private deref(type: Type): Type | undefined {
    if (type.kind === "foreign") return pointee(type);
    if (type.kind !== "own") {
      const by = this.withSupers(this.boundsOf(type)).find((bound) => bound.kind === "foreign" && /^Deref(?:Mut)?$/.test(bound.name));
      return by?.kind === "foreign" ? by.bindings?.get("Target") : undefined;
    }
    const impl = this.impls.foreignTrait(type, "Deref");
    return impl && this.ofImpl(impl, type, "Target");
  }

  private ofImpl(impl: Impl, type: Type, name: string): Type | undefined {
    const found = this.impls.associatedIn(impl, type, name);
    return found && this.settle(substitute(this.type(found.source, found.at), found.bindings));
  }

  /** The library's traits that a type has, as types that have their methods: an iterator of its items. */
  private libraryViews(type: Type): ForeignType[] {
    if (type.kind === "foreign") return [type];
    if (type.kind === "own") {
      const impl = this.impls.foreignTrait(type, "Iterator");
      const item = impl && this.ofImpl(impl, type, "Item");
      return item ? [foreign("Iterator", item)] : [];
    }
    return this.withSupers(this.boundsOf(type)).flatMap((bound) => {
      if (bound.kind !== "foreign") return [];
      const item = bound.bindings?.get("Item") ?? (/Iterator$/.test(bound.name) ? this.associated(type, "Item", undefined) : undefined);
      return [item ? foreign("Iterator", item) : bound];
    });
  }

  private functionType(type: Type): (Type & { kind: "function" }) | undefined {
    if (type.kind === "function") return type;
    for (const one of this.derefs(type)) {
      if (one.kind === "function") return one;
      const found = this.boundsOf(one).find(({ kind }) => kind === "function");
      if (found?.kind === "function") return found;
    }
    return undefined;
  }

  private elementOf(type: Type): Type {
    for (const one of this.derefs(type)) {
      for (const view of this.libraryViews(one)) {
        const element = elementOf(view);
        if (element.kind !== "unknown") return this.settle(element);
      }
      const impl = one.kind === "own" ? this.impls.foreignTrait(one, "IntoIterator") : undefined;
      const item = impl && this.ofImpl(impl, one, "Item");
      if (item) return item;
    }
    return UNKNOWN;
  }

  // Names

  /** What a path leads to, as far as modules, types and variants go. */
  named(source: Source, at: Offset, space: "types" | "values" | "macros"): Named | undefined {
    const { code, strings } = source.data;
    if (code[at] !== Op.Path) return undefined;
    const name = strings[code[at + 2]!]!;
    const prefix = code[at + 1]!;
    const module = source.modules[code[at + 3]!]!;
    if (prefix === 0) return name === "" ? undefined : this.program.first(module, name, space);
    // `::name`
    if (code[prefix] === Op.Path && strings[code[prefix + 2]!] === "" && code[prefix + 1] === 0) return this.program.crateNamed(module, name) ?? { kind: "foreign", name };
    const before = this.named(source, prefix, "types");
    return before && this.program.step(before, name, space);
  }

  // Expressions

  operand(source: Source, at: Offset): Operand {
    return this.operands.get(source, at);
  }

  private evaluate(source: Source, at: Offset): Operand {
    const { code, strings } = source.data;
    const first = (): Operand => this.operand(source, code[at + 1]!);
    const several = (start: number): Operand[] => code.slice(start + 1, start + 1 + code[start]!).map((one) => this.operand(source, one));
    switch (code[at]) {
      case Op.Path:
        return this.valueOf(this.callee(source, at));
      case Op.Call:
      case Op.Method:
        return this.callResult(source, at);
      case Op.Literal: {
        const type = this.type(source, code[at + 1]!);
        return { type: type.kind === "foreign" ? UNKNOWN : type, certainty: DECLARED };
      }
      case Op.Value:
        return { type: this.type(source, code[at + 1]!), certainty: DECLARED };
      case Op.Variable:
        return this.variable(source, at);
      case Op.Field:
        return this.field(first(), strings[code[at + 2]!]!);
      case Op.Part:
        return this.part(first(), this.callee(source, code[at + 2]!, true), strings[code[at + 3]!]!);
      case Op.Try: {
        const { type, certainty } = first();
        return { type: type.kind === "foreign" ? tried(type) : UNKNOWN, certainty };
      }
      case Op.Await: {
        const { type, certainty } = first();
        return { type: this.awaited(type), certainty };
      }
      case Op.Element: {
        const { type, certainty } = first();
        return { type: this.elementOf(type), certainty };
      }
      case Op.Index: {
        const { type, certainty } = first();
        // A range takes a slice of a vector, a `str` of a String.
        return { type: code[at + 2] ? ((type.kind === "foreign" && /^(?:Vec|String)$/.test(type.name) ? pointee(type) : undefined) ?? type) : this.indexed(type), certainty };
      }
      case Op.Borrow:
        return this.operand(source, code[at + 2]!);
      case Op.Deref: {
        const { type, certainty } = first();
        if (type.kind === "foreign" && type.name === "*") return { type: type.args[0] ?? UNKNOWN, certainty };
        // References are left out, so `*x` may be of one: a pointer type is opened only where its target is another pointer or known.
        return { type: this.deref(type) ?? type, certainty };
      }
      case Op.Either:
        return mostTelling(several(at + 1));
      case Op.Tuple: {
        const parts = several(at + 1);
        return { type: foreign("()", ...parts.map(({ type }) => type)), certainty: Math.min(DECLARED, ...parts.map(({ certainty }) => certainty || INFERRED)) };
      }
      case Op.Array: {
        const known = several(at + 2).find(({ type }) => type.kind !== "unknown") ?? NOTHING;
        return { type: foreign(code[at + 1] ? "Vec" : "[]", known.type), certainty: known.certainty || INFERRED };
      }
      case Op.Closure: {
        const declared = code[at + 4]!;
        const parameters = code.slice(at + 6, at + 6 + code[at + 5]!);
        const body = declared ? { type: this.type(source, declared), certainty: DECLARED } : this.operand(source, code[at + 3]!);
        return {
          type: { kind: "function", parameters: parameters.map((one) => (code[one] === Op.Variable ? this.type(source, code[one + 1]!) : UNKNOWN)), result: body.type },
          certainty: Math.max(body.certainty, INFERRED),
        };
      }
      case Op.Argument:
        return { type: this.closureArgument(source, code[at + 1]!, code[at + 2]!), certainty: INFERRED };
      default:
        return NOTHING;
    }
  }

  private variable(source: Source, at: Offset): Operand {
    const { code } = source.data;
    const declared = this.type(source, code[at + 1]!);
    if (code[at + 1] && !isOpen(declared)) return { type: declared, certainty: DECLARED };
    const given = this.operand(source, code[at + 2]!);
    const type = code[at + 1] ? declared : given.type;
    const certainty = code[at + 1] ? DECLARED : Math.min(given.certainty, DECLARED);
    if (type.kind !== "foreign" || !isOpen(type)) return { type, certainty };
    // `let x: Vec<_> = ….collect()`; `let mut x = Vec::new(); x.push(…)`.
    const element = code[at + 1] ? this.elementOf(given.type) : UNKNOWN;
    if (element.kind !== "unknown") return { type: { ...type, args: isMap(type) && element.kind === "foreign" ? element.args : [element] }, certainty: INFERRED };
    const filled = code[at + 3]! > 0 ? this.argumentRecords(source, code[at + 3]!).map((one) => this.operand(source, one).type) : [];
    return filled.length > 0 ? { type: { ...type, args: filled }, certainty: INFERRED } : { type, certainty };
  }

  private awaited(type: Type): Type {
    for (const one of this.derefs(type)) {
      for (const bound of this.boundsOf(one)) if (bound.kind === "foreign" && bound.name === "Future") return bound.bindings?.get("Output") ?? UNKNOWN;
      const impl = one.kind === "own" ? this.impls.foreignTrait(one, "Future") : undefined;
      const output = impl && this.ofImpl(impl, one, "Output");
      if (output) return output;
    }
    // An async function's result is written without the future around it.
    return type.kind === "foreign" ? awaited(type) : type;
  }

  private indexed(type: Type): Type {
    for (const one of this.derefs(type)) {
      const impl = one.kind === "own" ? this.impls.foreignTrait(one, "Index") : undefined;
      const output = impl && this.ofImpl(impl, one, "Output");
      if (output) return output;
      const element = one.kind === "foreign" ? indexed(one) : UNKNOWN;
      if (element.kind !== "unknown") return element;
    }
    return UNKNOWN;
  }

  private field({ type, certainty }: Operand, name: string): Operand {
    for (const one of this.derefs(type)) {
      if (one.kind === "own") {
        const field = one.declaration.fact.fields.find((fact) => fact.name === name);
        if (field) return { type: this.settle(substitute(this.type(one.declaration.source, field.type), this.ownBindings(one))), certainty: Math.min(certainty, DECLARED) };
      } else if (one.kind === "foreign" && one.name === "()" && one.args[Number(name)]) {
        return { type: one.args[Number(name)]!, certainty };
      } else if (one.kind === "foreign" && name === "0" && /^(?:Reverse|Wrapping|Saturating)$/.test(one.name)) {
        return { type: one.args[0] ?? UNKNOWN, certainty };
      }
    }
    return NOTHING;
  }

  private ownBindings({ declaration: { fact, source }, args }: Type & { kind: "own" }): Bindings {
    const bindings = new Map<string, Type>();
    fact.typeParameters.forEach((at, i) => args[i] && bindings.set(keyOf(source, at), args[i]));
    return bindings;
  }

  /** What a pattern takes out of a value. */
  private part({ type, certainty }: Operand, { made, library }: Callee, name: string): Operand {
    if (made) {
      const { fact, source } = made.declaration;
      const fields = made.type.kind === "function" ? fact.variants.find((one) => one.name === variantOf(made.type))?.fields : fact.fields;
      const field = fields?.find((one) => one.name === name);
      if (!field) return NOTHING;
      let own: Type | undefined;
      for (const one of this.derefs(type)) if (one.kind === "own" && one.declaration === made.declaration) own ??= one;
      const bindings = own?.kind === "own" ? this.ownBindings(own) : new Map<string, Type>();
      return { type: this.settle(substitute(this.type(source, field.type), bindings)), certainty: own ? Math.min(certainty, DECLARED) : DECLARED };
    }
    if (!library || !("owner" in library) || type.kind !== "foreign") return NOTHING;
    const position = library.name === "Err" ? 1 : /^(?:Some|Ok|Ready|Owned|Borrowed|Break|Included|Excluded)$/.test(library.name) ? 0 : -1;
    return position < 0 ? NOTHING : { type: type.args[position] ?? UNKNOWN, certainty };
  }

  /** What a closure is given, where its type does not stand with it. */
  private closureArgument(source: Source, closure: Offset, index: number): Type {
    const { code } = source.data;
    const call = code[closure + 1]!;
    const position = code[closure + 2]!;
    if (call === 0) return UNKNOWN;
    const callee = this.callee(source, call);
    const args = this.argumentRecords(source, call);
    for (const candidate of callee.functions) {
      const parameter = this.parameterOf(candidate, position, code[call] === Op.Call);
      const given = parameter && this.functionType(parameter);
      if (!given) continue;
      const bindings = this.learned(source, call, candidate, args.map((at) => (code[at] === Op.Closure ? UNKNOWN : this.operand(source, at).type)));
      return this.settle(substitute(given.parameters[index] ?? UNKNOWN, bindings));
    }
    if (callee.library && "receiver" in callee.library) {
      const types = args.map((at) => (code[at] === Op.Closure ? UNKNOWN : this.operand(source, at).type));
      return closureParameter(callee.library.receiver, callee.library.name, index, types) ?? UNKNOWN;
    }
    const value = callee.value && this.functionType(callee.value)?.parameters[position];
    return (value && this.functionType(value)?.parameters[index]) ?? UNKNOWN;
  }

  /** The type of a function's parameter; a method that is called by its path has its receiver among the arguments. */
  private parameterOf({ func: { fact, source } }: Candidate, position: number, byPath: boolean): Type | undefined {
    const at = fact.parameters[position - (byPath && fact.method ? 1 : 0)];
    return at === undefined ? undefined : this.type(source, at);
  }

  // Calls

  /** What a call may run, each with its chance. Inside of an impl its own trait goes before others that have the name. */
  targets(source: Source, at: Offset, around?: Impl): readonly Target[] {
    const { functions: all, certainty } = this.callee(source, at);
    const same = around && all.length > 1 ? all.filter(({ func: { impl } }) => impl && this.impls.sameTrait(impl, around)) : [];
    const functions = same.length === 1 ? [{ ...same[0]!, share: 1 }] : all;
    return functions.map(({ func, share, virtual }) => ({ func, confidence: share < 1 ? Math.min(certainty, share) : certainty, ...(virtual ? { virtual } : {}) }));
  }

  /** The struct or enum that a call or a path makes a value of. */
  made(source: Source, at: Offset): Declaration | undefined {
    return this.callee(source, at).made?.declaration;
  }

  /** The struct or enum that a literal with named fields makes a value of. */
  literal(source: Source, at: Offset): Declaration | undefined {
    const type = this.type(source, source.data.code[at + 1]!);
    if (type.kind === "own") return type.declaration;
    // `Self::Variant { … }`
    return this.callee(source, source.data.code[at + 1]!, true).made?.declaration;
  }

  /** Whether a path is a function that makes a value of a struct or enum. */
  makesFromArguments(source: Source, at: Offset): boolean {
    return this.made(source, at) !== undefined && this.operand(source, at).type.kind === "function";
  }

  private argumentRecords(source: Source, call: Offset): number[] {
    const { code } = source.data;
    const start = code[call] === Op.Method ? call + 4 + code[call + 3]! : call + 2;
    return code.slice(start + 1, start + 1 + code[start]!);
  }

  /** What a call's callee, or a path, stands for; `pattern` for the path of a pattern, which may be of a struct with named fields. */
  private callee(source: Source, at: Offset, pattern = false): Callee {
    return (pattern ? this.patterns : this.callees).get(source, at);
  }

  private readCallee(source: Source, at: Offset, pattern: boolean): Callee {
    const { code } = source.data;
    switch (code[at]) {
      case Op.Path:
        return this.path(source, at, pattern);
      case Op.Call: {
        const callee = code[at + 1]!;
        if (code[callee] !== Op.Path) {
          const { type, certainty } = this.operand(source, callee);
          return { functions: [], certainty, value: type };
        }
        const found = this.callee(source, callee);
        const functions = found.library && !("receiver" in found.library) ? this.byForeignTrait(source, at, found.library) : this.byArgument(source, at, found.functions);
        return { ...found, functions: this.narrowed(source, at, functions) };
      }
      case Op.Method:
        return this.method(source, at);
      default: {
        const { type, certainty } = this.operand(source, at);
        return { functions: [], certainty, value: type };
      }
    }
  }

  private path(source: Source, at: Offset, pattern: boolean): Callee {
    const { code, strings } = source.data;
    const name = strings[code[at + 2]!]!;
    const prefix = code[at + 1]!;
    const named = this.named(source, at, "values") ?? (pattern ? this.named(source, at, "types") : undefined);
    if (named?.kind === "values") {
      const functions = named.values.flatMap((value) => (value.kind === "function" ? [{ func: value.func, bindings: new Map<string, Type>(), share: named.values.length > 1 ? 0.8 : 1 }] : []));
      const constant = named.values.find((value) => value.kind === "constant");
      return { functions, certainty: 1, ...(constant?.kind === "constant" ? { value: this.type(constant.source, constant.fact.type), certainty: DECLARED } : {}) };
    }
    if (named?.kind === "variant") return this.variant(named.declaration, named.name);
    if (named?.kind === "type") {
      const type = this.declared(named.declaration, this.argumentsOf(source, at).args, undefined);
      return type.kind === "own" ? { functions: [], certainty: 1, made: { type: pad(type), declaration: type.declaration } } : NO_CALLEE;
    }
    if (named?.kind === "foreign" && prefix === 0) return { functions: [], certainty: INFERRED, library: { owner: undefined, args: [], name: named.name } };
    if (prefix === 0) return { functions: [], certainty: INFERRED, library: { owner: undefined, args: [], name } };
    const before = this.named(source, prefix, "types");
    if (before?.kind === "module") return NO_CALLEE;
    return this.associatedValue(source, prefix, name);
  }

  private variant(declaration: Declaration, name: string): Callee {
    // A function from the variant's name, so that a pattern can tell which one it is.
    const type: Type = { kind: "function", parameters: [foreign(`:${name}`)], result: pad({ kind: "own", declaration, args: [] }) };
    return { functions: [], certainty: 1, made: { type, declaration } };
  }

  /** `Type::name`, `Trait::name`, `<T as Trait>::name`. */
  private associatedValue(source: Source, prefix: Offset, name: string): Callee {
    const { code } = source.data;
    const type = this.type(source, prefix);
    const by = code[prefix] === Op.As ? this.type(source, code[prefix + 2]!) : undefined;
    if (type.kind === "own" && !by) {
      if (type.declaration.fact.variants.some((variant) => variant.name === name)) return this.variant(type.declaration, name);
      const constant = this.constantOf(type, name);
      if (constant) return { functions: [], certainty: DECLARED, value: constant };
    }
    const trait = by?.kind === "own" ? by.declaration : undefined;
    const functions = by && !trait ? [] : this.functionsOf(type, name, trait);
    if (functions.length > 0) return { functions, certainty: functions.some(({ virtual }) => virtual) ? DECLARED : 1 };
    if (trait) return { functions: this.impls.inTraits([by!], name, type), certainty: DECLARED };
    if (type.kind === "foreign") return { functions: [], certainty: INFERRED, library: { owner: type.name, args: type.args, name } };
    return { functions: [], certainty: INFERRED, ...(MADE.test(name) && type.kind === "own" ? { otherwise: pad(type) } : {}) };
  }

  private constantOf(type: Type, name: string): Type | undefined {
    for (const impl of this.impls.of(type)) {
      const constant = impl.fact.constants.find((one) => one.name === name);
      if (constant) return substitute(this.type(impl.source, constant.type), this.impls.bindingsOf(impl, type));
    }
    return undefined;
  }

  /** The functions of a name that a type itself has. */
  private functionsOf(type: Type, name: string, by?: Declaration): readonly Candidate[] {
    switch (type.kind) {
      case "own":
      case "foreign":
        return this.impls.functions(type, name, by);
      case "parameter":
      case "bounds":
      case "associated": {
        const bounds = this.boundsOf(type);
        const found = this.impls.inTraits(by ? [{ kind: "own", declaration: by, args: [] }] : bounds, name, type);
        if (found.length > 0) return found;
        const dyn = type.kind === "bounds" ? type.traits.flatMap((trait) => (trait.kind === "own" ? this.impls.functions(trait, name, by) : [])) : [];
        return dyn.length > 0 ? dyn : this.impls.functions(UNKNOWN, name, by);
      }
      default:
        return [];
    }
  }

  /** `Trait::method(&x)`: what x has of the trait, where its type is known. */
  private byArgument(source: Source, call: Offset, functions: readonly Candidate[]): readonly Candidate[] {
    const [only] = functions;
    const [first] = this.argumentRecords(source, call);
    if (functions.length !== 1 || !only?.virtual || !only.func.fact.method || first === undefined) return functions;
    const { type } = this.operand(source, first);
    const own = type.kind === "own" ? this.impls.functions(type, only.func.fact.name, only.virtual) : [];
    return own.length > 0 ? own : functions;
  }

  /** `Display::fmt(&self.0, f)`: what the first argument's type has of a library's trait. */
  private byForeignTrait(source: Source, call: Offset, { owner, name }: { owner: string | undefined; name: string }): readonly Candidate[] {
    const [first] = this.argumentRecords(source, call);
    if (owner === undefined || first === undefined) return [];
    const { type } = this.operand(source, first);
    if (type.kind !== "own") return [];
    const found = this.impls.functions(type, name).filter(({ func: { impl } }) => {
      const trait = impl && this.impls.traitOf(impl);
      return trait?.kind === "foreign" && trait.name === owner;
    });
    return found.length === 1 ? [{ ...found[0]!, share: 1 }] : found;
  }

  private method(source: Source, at: Offset): Callee {
    const { code, strings } = source.data;
    const receiver = this.operand(source, code[at + 1]!);
    const name = strings[code[at + 2]!]!;
    if (receiver.type.kind === "unknown") return this.guess(name);
    for (const type of this.derefs(receiver.type)) {
      const functions = this.narrowed(source, at, this.byReference(source, code[at + 1]!, this.functionsOf(type, name).filter(({ func }) => func.fact.method)));
      if (functions.length > 0) return { functions, certainty: Math.min(receiver.certainty, DECLARED) };
      for (const view of this.libraryViews(type)) {
        const known = methodResult(view, name, []);
        if (known) return { functions: [], certainty: Math.min(receiver.certainty, INFERRED), library: { receiver: view, name } };
      }
      // What the pointer's target has not been found to have may be the library's all the same.
      if (type.kind === "unknown") return this.guess(name);
    }
    const [view] = this.libraryViews(receiver.type);
    if (SAME.test(name)) return { functions: [], certainty: Math.min(receiver.certainty, INFERRED), otherwise: receiver.type };
    return { functions: [], certainty: receiver.certainty, ...(view ? { library: { receiver: view, name } } : {}) };
  }

  /** Of impls for T, &T and &mut T those for what the receiver is. */
  private byReference(source: Source, receiver: Offset, functions: readonly Candidate[]): readonly Candidate[] {
    const held = new Set(functions.map(({ func: { impl } }) => (impl ? reference(impl.source, impl.fact.self) : "")));
    if (held.size < 2) return functions;
    const wanted = this.reference(source, receiver);
    const fitting = functions.filter(({ func: { impl } }) => impl && reference(impl.source, impl.fact.self) === wanted);
    return fitting.length === 1 ? [{ ...fitting[0]!, share: 1 }] : fitting.length > 0 ? fitting : functions;
  }

  /** How a value is held: "&", "&mut", or "" for the value itself. */
  private reference(source: Source, value: Offset): string {
    const { code } = source.data;
    let at = value;
    while (code[at] === Op.Variable && code[at + 1] === 0) at = code[at + 2]!;
    if (code[at] === Op.Borrow) return code[at + 1] ? "&mut" : "&";
    return code[at] === Op.Variable ? reference(source, code[at + 1]!) : "";
  }

  /** Where nothing is known of the receiver: the only method of that name, if the library has none like it. */
  private guess(name: string): Callee {
    const only = isCommon(name) ? undefined : this.byName.get(name);
    return only ? { functions: [only], certainty: GUESS } : NO_CALLEE;
  }

  /** Of several functions (impls of one trait for several arguments) those that take what the call gives. */
  private narrowed(source: Source, at: Offset, functions: readonly Candidate[]): readonly Candidate[] {
    if (functions.length < 2) return functions;
    const { code } = source.data;
    const args = this.argumentRecords(source, at);
    const byPath = code[at] === Op.Call;
    const fitting = functions.filter((candidate) => {
      const { fact } = candidate.func;
      if (fact.parameters.length + (byPath && fact.method ? 1 : 0) !== args.length) return false;
      return args.every((one, i) => {
        const parameter = this.parameterOf(candidate, i, byPath);
        return !parameter || code[one] === Op.Closure || mayBe(substitute(parameter, candidate.bindings), this.operand(source, one).type);
      });
    });
    if (fitting.length === 0) return functions;
    return fitting.length === functions.length ? functions : fitting.map((one) => ({ ...one, share: fitting.length === 1 ? 1 : one.share }));
  }

  /** What a call says of the type parameters: by the receiver, by what it is given, by what stands with it. */
  private learned(source: Source, at: Offset, candidate: Candidate, args: readonly Type[]): Map<string, Type> {
    const { code } = source.data;
    const { func: { fact, source: home }, bindings } = candidate;
    const all = new Map(bindings);
    const callee = code[at] === Op.Call ? code[at + 1]! : 0;
    const explicit = code[at] === Op.Method ? code.slice(at + 4, at + 4 + code[at + 3]!).map((one) => this.type(source, one)) : callee && code[callee] === Op.Path ? this.argumentsOf(source, callee).args : [];
    fact.typeParameters.forEach((one, i) => {
      if (explicit[i] && explicit[i].kind !== "unknown") all.set(keyOf(home, one), explicit[i]);
    });
    args.forEach((arg, i) => {
      const parameter = this.parameterOf(candidate, i, code[at] === Op.Call);
      if (!parameter) return;
      unify(parameter, arg, all);
      // `F: Fn(A) -> B` learns B from the closure.
      const taken = arg.kind === "function" ? this.functionType(parameter) : undefined;
      if (taken) unify(taken, arg, all);
      for (const bound of arg.kind === "own" || arg.kind === "foreign" ? this.boundsOf(parameter) : []) {
        if (bound.kind === "foreign" && /Iterator$/.test(bound.name) && bound.bindings?.has("Item")) unify(bound.bindings.get("Item")!, this.elementOf(arg), all);
      }
    });
    return all;
  }

  private callResult(source: Source, at: Offset): Operand {
    const callee = this.callee(source, at);
    const [candidate] = callee.functions;
    const args = (): Type[] => this.argumentRecords(source, at).map((one) => this.operand(source, one).type);
    if (candidate) {
      const { fact, source: home } = candidate.func;
      const result = fact.result ? this.type(home, fact.result) : UNIT;
      if (result.kind === "foreign" && result.args.length === 0) return { type: result, certainty: Math.min(callee.certainty, DECLARED) };
      return { type: this.settle(substitute(result, this.learned(source, at, candidate, args()))), certainty: Math.min(callee.certainty, DECLARED) };
    }
    if (callee.made) {
      const own = callee.made.type.kind === "function" ? callee.made.type.result : callee.made.type;
      if (own.kind !== "own") return NOTHING;
      const learned = new Map<string, Type>();
      const { fact, source: home } = own.declaration;
      const fields = callee.made.type.kind === "function" ? fact.variants.find((one) => one.name === variantOf(callee.made!.type))?.fields ?? [] : fact.fields;
      if (fact.typeParameters.length > 0) args().forEach((arg, i) => fields[i] && unify(this.type(home, fields[i].type), arg, learned));
      return { type: { ...own, args: fact.typeParameters.map((one, i) => learned.get(keyOf(home, one)) ?? own.args[i] ?? UNKNOWN) }, certainty: DECLARED };
    }
    if (callee.value) {
      const result = this.functionType(callee.value)?.result;
      return result ? { type: result, certainty: Math.min(callee.certainty, INFERRED) } : NOTHING;
    }
    if (callee.library) {
      const { library } = callee;
      const type = "receiver" in library ? this.collected(source, at, library) ?? methodResult(library.receiver, library.name, args()) : functionResult(library.owner, library.args, library.name, args());
      return type ? { type: this.settle(type), certainty: callee.certainty } : NOTHING;
    }
    return callee.otherwise ? { type: callee.otherwise, certainty: callee.certainty } : NOTHING;
  }

  /** `collect::<Vec<_>>()`, `sum::<T>()`, `parse::<T>()`, `into::<T>()`. */
  private collected(source: Source, at: Offset, { receiver, name }: { receiver: ForeignType; name: string }): Type | undefined {
    const { code } = source.data;
    const explicit = code[at] === Op.Method && code[at + 3]! > 0 ? this.type(source, code[at + 4]!) : undefined;
    if (!explicit) return undefined;
    if (name === "parse" || name === "try_into") return foreign("Result", explicit);
    if (name !== "collect" && name !== "sum" && name !== "product" && name !== "into") return undefined;
    if (name !== "collect" || explicit.kind !== "foreign") return explicit;
    const item = this.elementOf(receiver);
    return { ...explicit, args: explicit.args.map((arg) => (arg.kind === "unknown" ? item : arg)) };
  }

  /** What a path is as a value: a constant, or a function that may be handed on. */
  private valueOf(callee: Callee): Operand {
    if (callee.value) return { type: callee.value, certainty: callee.certainty };
    if (callee.made) {
      const { type } = callee.made;
      if (type.kind === "function") {
        const variant = callee.made.declaration.fact.variants.find((one) => one.name === variantOf(type));
        return { type: variant && variant.fields.length > 0 ? type : type.result, certainty: DECLARED };
      }
      return { type: callee.made.declaration.fact.fields.length > 0 ? { kind: "function", parameters: [], result: type } : type, certainty: DECLARED };
    }
    const [candidate] = callee.functions;
    if (candidate) {
      const { fact, source } = candidate.func;
      const result = fact.result ? this.settle(substitute(this.type(source, fact.result), candidate.bindings)) : UNIT;
      return { type: { kind: "function", parameters: fact.parameters.map((one) => this.type(source, one)), result }, certainty: callee.certainty };
    }
    const { library } = callee;
    if (library && !("receiver" in library) && library.owner === undefined && library.name === "None") return { type: foreign("Option"), certainty: INFERRED };
    return NOTHING;
  }
}

/** How a type is held: "&T", "&mut T", or "" for the type itself. */
function reference({ data: { code } }: Source, at: Offset): string {
  return code[at] === Op.Reference ? (code[at + 1] ? "&mut" : "&") : "";
}

/** Whether a library's collection does not say what it holds. */
function isOpen(type: Type): boolean {
  return type.kind === "foreign" && /^(?:Vec|VecDeque|Option|.*(?:Map|Set|Heap)|\[\])$/.test(type.name) && type.args.every(({ kind }) => kind === "unknown");
}

function isMap({ name }: ForeignType): boolean {
  return name.endsWith("Map");
}

/** What branches of one type say of it: `None` less than `Some(x)`, a branch that leaves nothing. */
function mostTelling(branches: readonly Operand[]): Operand {
  const known = branches.filter(({ type }) => type.kind !== "unknown" && type !== UNIT && !(type.kind === "foreign" && type.name === "!"));
  const saysLittle = ({ type }: Operand): boolean => isOpen(type) || (type.kind === "foreign" && type.name === "Result" && type.args[0]?.kind === "unknown");
  return known.find((one) => !saysLittle(one)) ?? known[0] ?? NOTHING;
}

/** With as many arguments as the type has parameters. */
function pad(type: Type & { kind: "own" }): Type & { kind: "own" } {
  const { typeParameters } = type.declaration.fact;
  return type.args.length >= typeParameters.length ? type : { ...type, args: typeParameters.map((_, i) => type.args[i] ?? UNKNOWN) };
}

function variantOf(type: Type): string {
  const [tag] = type.kind === "function" ? type.parameters : [];
  return tag?.kind === "foreign" ? tag.name.slice(1) : "";
}
