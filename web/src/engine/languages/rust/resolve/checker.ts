import type { SymbolRef } from "../../../language.ts";
import { Memo } from "../../memo.ts";
import { type FunctionFact, type Offset, Op } from "../facts.ts";
import { ALTERNATIVE, MAX_ALTERNATIVES } from "./alternatives.ts";
import { fieldAt } from "./asks.ts";
import { argumentRecords, type Callee, Callees, DECLARED, INFERRED, type Operand } from "./callees.ts";
import { Implied } from "./implied.ts";
import type { Candidate } from "./impls.ts";
import { closureParameter, functionResult, methodResult, pointee, tried } from "./library.ts";
import type { Declaration, Func, Impl, Program, Source } from "./program.ts";
import { ThroughLibrary } from "./through-library.ts";
import { builds, foreign, type ForeignType, keyOf, oneOf, type OwnType, sizes, substitute, type Type, unify, UNIT, UNKNOWN } from "./types.ts";
import { Typing } from "./typing.ts";

export interface Target {
  func: Func;
  confidence: number;
  virtual?: Declaration;
}

/** A struct, or a variant of an enum. */
export interface Made {
  declaration: Declaration;
  /** "" for a struct. */
  variant: string;
}

const NOTHING: Operand = { type: UNKNOWN, certainty: 0 };

/** Answers what the expressions and calls of all files stand for, lazily and once each. What cannot be known is UNKNOWN; nothing throws. */
export class Checker {
  readonly types: Typing;
  private readonly callees: Callees;
  private readonly implied: Implied;
  private readonly library: ThroughLibrary;
  private readonly operands: Memo<Source, Operand>;

  constructor(program: Program) {
    this.types = new Typing(program);
    this.callees = new Callees(this.types, (source, at) => this.operand(source, at));
    this.implied = new Implied(this.types, (source, at) => this.operand(source, at));
    this.library = new ThroughLibrary(this.types, (source, at) => this.operand(source, at), this.callees);
    this.operands = new Memo<Source, Operand>(program.sources, NOTHING, (source, at) => sizes.boundedIn(this.evaluate(source, at)), this.types.depth);
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
        return this.valueOf(this.callees.of(source, at));
      case Op.Call:
      case Op.Method:
        return this.callResult(source, at);
      case Op.Literal: {
        const type = this.types.type(source, code[at + 1]!);
        return { type: type.kind === "foreign" ? UNKNOWN : type, certainty: DECLARED };
      }
      case Op.Implied: {
        const [target] = this.implied.targets(source, at);
        const { type, certainty } = this.operand(source, code[at + 3]!);
        if (!target || type.kind !== "own") return { type, certainty };
        const { fact, source: home, impl } = target.func;
        const result = fact.result ? substitute(this.types.type(home, fact.result), impl ? this.types.impls.bindingsOf(impl, type) : new Map<string, Type>()) : UNIT;
        return { type: this.types.settle(result), certainty: target.confidence };
      }
      case Op.Value:
        return { type: this.types.type(source, code[at + 1]!), certainty: DECLARED };
      case Op.Variable:
        return this.variable(source, at);
      case Op.Field:
        return this.field(first(), strings[code[at + 2]!]!);
      case Op.Part:
        return this.part(first(), this.callees.ofPattern(source, code[at + 2]!), strings[code[at + 3]!]!);
      case Op.Try: {
        const { type, certainty } = first();
        return { type: type.kind === "foreign" ? tried(type) : UNKNOWN, certainty };
      }
      case Op.Await: {
        const { type, certainty } = first();
        return { type: this.types.awaited(type), certainty };
      }
      case Op.Element: {
        const { type, certainty } = first();
        return { type: this.types.elementOf(type), certainty };
      }
      case Op.Index: {
        const { type, certainty } = first();
        // A range takes a slice of a vector, a `str` of a String.
        return { type: code[at + 2] ? ((type.kind === "foreign" && /^(?:Vec|String)$/.test(type.name) ? pointee(type) : undefined) ?? type) : this.types.indexed(type), certainty };
      }
      case Op.Borrow:
        return this.operand(source, code[at + 2]!);
      case Op.Deref: {
        const { type, certainty } = first();
        if (type.kind === "foreign" && type.name === "*") return { type: type.args[0] ?? UNKNOWN, certainty };
        // References are left out, so `*x` may be of one: a pointer type is opened only where its target is another pointer or known.
        return { type: this.types.deref(type) ?? type, certainty };
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
        const body = declared ? { type: this.types.type(source, declared), certainty: DECLARED } : this.operand(source, code[at + 3]!);
        return {
          type: { kind: "function", parameters: parameters.map((one) => (code[one] === Op.Variable ? this.types.type(source, code[one + 1]!) : UNKNOWN)), result: body.type },
          certainty: Math.max(body.certainty, INFERRED),
        };
      }
      case Op.Taken:
        return this.taken(source, code[at + 1]!, code[at + 2]!);
      case Op.Argument:
        return { type: this.closureArgument(source, code[at + 1]!, code[at + 2]!), certainty: INFERRED };
      default:
        return NOTHING;
    }
  }

  private variable(source: Source, at: Offset): Operand {
    const { code } = source.data;
    const declared = this.types.type(source, code[at + 1]!);
    if (code[at + 1] && !isOpen(declared)) return { type: declared, certainty: DECLARED };
    const given = this.operand(source, code[at + 2]!);
    const type = code[at + 1] ? declared : given.type;
    const certainty = code[at + 1] ? DECLARED : Math.min(given.certainty, DECLARED);
    if (type.kind !== "foreign" || !isOpen(type)) return { type, certainty };
    // `let x: Vec<_> = ….collect()`; `let mut x = Vec::new(); x.push(…)`.
    const element = code[at + 1] ? this.types.elementOf(given.type) : UNKNOWN;
    if (element.kind !== "unknown") return { type: { ...type, args: isMap(type) && element.kind === "foreign" ? element.args : [element] }, certainty: INFERRED };
    const filled = code[at + 3]! > 0 ? argumentRecords(source, code[at + 3]!).map((one) => this.operand(source, one).type) : [];
    return filled.length > 0 ? { type: { ...type, args: filled }, certainty: INFERRED } : { type, certainty };
  }

  private field({ type, certainty }: Operand, name: string): Operand {
    for (const one of this.types.derefs(type)) {
      if (one.kind === "own") {
        const found = builds(one).flatMap((build) => this.fieldOf(build, name) ?? []);
        if (found.length > 0) return { type: oneOf(found), certainty: Math.min(certainty, DECLARED) };
      } else if (one.kind === "foreign" && one.name === "()" && one.args[Number(name)]) {
        return { type: one.args[Number(name)]!, certainty };
      } else if (one.kind === "foreign" && name === "0" && /^(?:Reverse|Wrapping|Saturating)$/.test(one.name)) {
        return { type: one.args[0] ?? UNKNOWN, certainty };
      }
    }
    return NOTHING;
  }

  private fieldOf(type: OwnType, name: string): Type | undefined {
    const { fact, source, place } = type.declaration;
    this.types.program.asks.one(fieldAt(place, name));
    const field = fact.fields.find((one) => one.name === name);
    return field && this.types.settle(substitute(this.types.type(source, field.type), this.types.ownBindings(type)));
  }

  /** What a pattern takes out of a value. */
  private part({ type, certainty }: Operand, { made, library }: Callee, name: string): Operand {
    if (made) {
      const { fact, source, place } = made.declaration;
      // Whoever names a variant has asked for it.
      if (made.type.kind !== "function") this.types.program.asks.one(fieldAt(place, name));
      const fields = made.type.kind === "function" ? fact.variants.find((one) => one.name === variantOf(made.type))?.fields : fact.fields;
      const field = fields?.find((one) => one.name === name);
      if (!field) return NOTHING;
      let own: Type | undefined;
      for (const one of this.types.derefs(type)) if (one.kind === "own" && one.declaration === made.declaration) own ??= one;
      const bindings = own?.kind === "own" ? this.types.ownBindings(own) : new Map<string, Type>();
      return { type: this.types.settle(substitute(this.types.type(source, field.type), bindings)), certainty: own ? Math.min(certainty, DECLARED) : DECLARED };
    }
    if (!library || !("owner" in library) || type.kind !== "foreign") return NOTHING;
    if (type.name === "Entry" && /^(?:Occupied|Vacant)$/.test(library.name)) return { type: foreign(`${library.name}Entry`, ...type.args), certainty };
    const position = library.name === "Err" ? 1 : /^(?:Some|Ok|Ready|Owned|Borrowed|Break|Included|Excluded)$/.test(library.name) ? 0 : -1;
    return position < 0 ? NOTHING : { type: type.args[position] ?? UNKNOWN, certainty };
  }

  /** What a closure is given, where its type does not stand with it. */
  private closureArgument(source: Source, closure: Offset, index: number): Type {
    const { code } = source.data;
    const call = code[closure + 1]!;
    const position = code[closure + 2]!;
    if (call === 0) return UNKNOWN;
    const callee = this.callees.of(source, call);
    const args = argumentRecords(source, call);
    const types = (): Type[] => args.map((at, i) => (i === position || code[at] === Op.Closure ? UNKNOWN : this.operand(source, at).type));
    for (const candidate of callee.functions) {
      const parameter = this.types.parameterOf(candidate, position, code[call] === Op.Call);
      const given = parameter && this.types.functionType(parameter);
      if (!given) continue;
      const bindings = this.learned(source, call, candidate, types());
      return this.types.settle(substitute(given.parameters[index] ?? UNKNOWN, bindings));
    }
    if (callee.library && "receiver" in callee.library) {
      return closureParameter(callee.library.receiver, callee.library.name, index, types()) ?? UNKNOWN;
    }
    const value = callee.value && this.types.functionType(callee.value)?.parameters[position];
    return (value && this.types.functionType(value)?.parameters[index]) ?? UNKNOWN;
  }

  /** What a call has to be given in a place, by the only function or the struct or variant that it may mean. */
  private taken(source: Source, call: Offset, position: number): Operand {
    const { functions: [candidate, other], made, certainty } = this.callees.of(source, call);
    if (candidate) {
      const parameter = other ? undefined : this.types.parameterOf(candidate, position, source.data.code[call] === Op.Call);
      return parameter ? { type: this.types.settle(substitute(parameter, candidate.bindings)), certainty: Math.min(certainty, DECLARED) } : NOTHING;
    }
    if (!made || made.type.kind !== "function" && made.type.kind !== "own") return NOTHING;
    const { fact, source: home } = made.declaration;
    const fields = made.type.kind === "function" ? fact.variants.find(({ name }) => name === variantOf(made.type))?.fields ?? fact.fields : fact.fields;
    const type = fields[position]?.type;
    return type ? { type: this.types.type(home, type), certainty: DECLARED } : NOTHING;
  }

  // Calls

  /** What a call may run, each with its chance. Inside of an impl its own trait goes before others that have the name. */
  targets(source: Source, at: Offset, around?: Impl): readonly Target[] {
    const { functions: all, certainty } = this.callees.of(source, at);
    const same = around && all.length > 1 ? all.filter(({ func: { impl } }) => impl && this.types.impls.sameTrait(impl, around)) : [];
    const functions = same.length === 1 ? [{ ...same[0]!, share: 1 }] : all;
    return functions.map(({ func, share, virtual }) => ({ func, confidence: share < 1 ? Math.min(certainty, share) : certainty, ...(virtual ? { virtual } : {}) }));
  }

  /** What the language runs of a trait: an Implied or a Raised. */
  runs(source: Source, at: Offset): readonly Target[] {
    return this.implied.targets(source, at);
  }

  /** `Deref` of the pointers through which a method is found. */
  through(source: Source, at: Offset): readonly Target[] {
    const { through, certainty } = this.callees.of(source, at);
    return (through ?? []).flatMap((type) => this.implied.pointedBy(type, certainty));
  }

  /** What a call of the library's runs of the traits that types have here: `w.write_all(…)` on a `dyn Write`, or what it is handed. */
  throughLibrary(source: Source, at: Offset): readonly Target[] {
    return this.library.targets(source, at);
  }

  /** The constant, static or variant of an enum that a path names, in an expression or in a pattern, or that a call makes. */
  constant(source: Source, at: Offset): SymbolRef | undefined {
    const { constant } = this.callees.of(source, at);
    return constant && constant.symbol >= 0 ? constant : undefined;
  }

  /** The same in each build. */
  constants(source: Source, at: Offset): readonly SymbolRef[] {
    const constant = this.constant(source, at);
    return constant ? [constant, ...this.callees.of(source, at).otherConstants ?? []] : [];
  }

  /** What the path of a pattern or of a literal with named fields names: a variant, or a struct. */
  matched(source: Source, at: Offset): SymbolRef | undefined {
    const { constant, made } = this.callees.ofPattern(source, at);
    return constant ?? (made && { file: made.declaration.source.index, symbol: made.declaration.fact.symbol });
  }

  /** The struct or enum that a call or a path makes a value of, in each build. */
  made(source: Source, at: Offset): readonly Declaration[] {
    return declarationsOf(this.callees.of(source, at));
  }

  /** The struct, or the variant of an enum, that a call makes a value of. */
  madeBy(source: Source, at: Offset): Made | undefined {
    return madeOf(this.callees.of(source, at));
  }

  /** The same for the path of a pattern, or of a literal. */
  takenApart(source: Source, at: Offset): Made | undefined {
    return madeOf(this.callees.ofPattern(source, at));
  }

  /** The struct or enum that a literal with named fields makes a value of, in each build. */
  literal(source: Source, at: Offset): readonly Declaration[] {
    const type = this.types.type(source, source.data.code[at + 1]!);
    if (type.kind === "own") return builds(type).map(({ declaration }) => declaration);
    // `Self::Variant { … }`
    return declarationsOf(this.callees.ofPattern(source, source.data.code[at + 1]!));
  }

  /** Whether a path is a function that makes a value of a struct or enum. */
  makesFromArguments(source: Source, at: Offset): boolean {
    return this.made(source, at).length > 0 && this.operand(source, at).type.kind === "function";
  }

  /** What a call says of the type parameters: by the receiver, by what it is given, by what stands with it. */
  private learned(source: Source, at: Offset, candidate: Candidate, args: readonly Type[]): Map<string, Type> {
    const { code } = source.data;
    const { func: { fact, source: home }, bindings } = candidate;
    const all = new Map(bindings);
    const callee = code[at] === Op.Call ? code[at + 1]! : 0;
    const explicit = code[at] === Op.Method ? code.slice(at + 4, at + 4 + code[at + 3]!).map((one) => this.types.type(source, one)) : callee && code[callee] === Op.Path ? this.types.argumentsOf(source, callee).args : [];
    fact.typeParameters.forEach((one, i) => {
      if (explicit[i] && explicit[i].kind !== "unknown") all.set(keyOf(home, one), explicit[i]);
    });
    args.forEach((arg, i) => {
      const parameter = this.types.parameterOf(candidate, i, code[at] === Op.Call);
      if (!parameter) return;
      unify(parameter, arg, all);
      // `F: Fn(A) -> B` learns B from the closure.
      const taken = arg.kind === "function" ? this.types.functionType(parameter) : undefined;
      if (taken) unify(taken, arg, all);
      for (const bound of arg.kind === "own" || arg.kind === "foreign" ? this.types.boundsOf(parameter) : []) {
        if (bound.kind === "foreign" && /Iterator$/.test(bound.name) && bound.bindings?.has("Item")) unify(bound.bindings.get("Item")!, this.types.elementOf(arg), all);
      }
    });
    return all;
  }

  private callResult(source: Source, at: Offset): Operand {
    const callee = this.callees.of(source, at);
    const [candidate, ...others] = callee.functions;
    const args = (): Type[] => argumentRecords(source, at).map((one) => this.operand(source, one).type);
    if (candidate) {
      const first = this.resultOf(source, at, candidate, args);
      const alternatives = candidate.share === ALTERNATIVE ? others.slice(0, MAX_ALTERNATIVES) : [];
      return { type: alternatives.length > 0 ? oneOf([first, ...alternatives.map((one) => this.resultOf(source, at, one, args))]) : first, certainty: Math.min(callee.certainty, DECLARED) };
    }
    if (callee.made) {
      const own = callee.made.type.kind === "function" ? callee.made.type.result : callee.made.type;
      if (own.kind !== "own") return NOTHING;
      const learned = new Map<string, Type>();
      const { fact, source: home } = own.declaration;
      const fields = callee.made.type.kind === "function" ? fact.variants.find((one) => one.name === variantOf(callee.made!.type))?.fields ?? [] : fact.fields;
      if (fact.typeParameters.length > 0) args().forEach((arg, i) => fields[i] && unify(this.types.type(home, fields[i].type), arg, learned));
      return { type: { ...own, args: fact.typeParameters.map((one, i) => learned.get(keyOf(home, one)) ?? own.args[i] ?? UNKNOWN) }, certainty: DECLARED };
    }
    if (callee.value) {
      const result = this.types.functionType(callee.value)?.result;
      return result ? { type: result, certainty: Math.min(callee.certainty, INFERRED) } : NOTHING;
    }
    if (callee.library) {
      const { library } = callee;
      const type = "receiver" in library ? this.collected(source, at, library) ?? methodResult(library.receiver, library.name, args()) : functionResult(library.owner, library.args, library.name, args());
      return type ? { type: this.types.settle(type), certainty: callee.certainty } : NOTHING;
    }
    return callee.otherwise ? { type: callee.otherwise, certainty: callee.certainty } : NOTHING;
  }

  /** What a function gives that a call leads to. */
  private resultOf(source: Source, at: Offset, candidate: Candidate, args: () => Type[]): Type {
    const { fact, source: home } = candidate.func;
    const result = fact.result ? this.types.type(home, fact.result) : UNIT;
    if (result.kind === "foreign" && result.args.length === 0) return given(fact, result);
    return given(fact, this.types.settle(substitute(result, this.learned(source, at, candidate, args()))));
  }

  /** `collect::<Vec<_>>()`, `sum::<T>()`, `parse::<T>()`, `into::<T>()`. */
  private collected(source: Source, at: Offset, { receiver, name }: { receiver: ForeignType; name: string }): Type | undefined {
    const { code } = source.data;
    const explicit = code[at] === Op.Method && code[at + 3]! > 0 ? this.types.type(source, code[at + 4]!) : undefined;
    if (!explicit) return undefined;
    if (name === "parse" || name === "try_into") return foreign("Result", explicit);
    if (name !== "collect" && name !== "sum" && name !== "product" && name !== "into") return undefined;
    if (name !== "collect" || explicit.kind !== "foreign") return explicit;
    const item = this.types.elementOf(receiver);
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
      const result = fact.result ? this.types.settle(substitute(this.types.type(source, fact.result), candidate.bindings)) : UNIT;
      return { type: { kind: "function", parameters: fact.parameters.map((one) => this.types.type(source, one)), result: given(fact, result) }, certainty: callee.certainty };
    }
    const { library } = callee;
    if (library && !("receiver" in library) && library.owner === undefined && library.name === "None") return { type: foreign("Option"), certainty: INFERRED };
    return NOTHING;
  }
}

/** What a call of a function gives. */
function given({ waits }: FunctionFact, result: Type): Type {
  return waits ? { kind: "foreign", name: "Future", args: [], bindings: new Map([["Output", result]]) } : result;
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

function declarationsOf({ made }: Callee): readonly Declaration[] {
  if (!made) return [];
  return made.type.kind === "own" ? builds(made.type).map(({ declaration }) => declaration) : [made.declaration];
}

function madeOf({ made }: Callee): Made | undefined {
  return made && { declaration: made.declaration, variant: variantOf(made.type) };
}

function variantOf(type: Type): string {
  const [tag] = type.kind === "function" ? type.parameters : [];
  return tag?.kind === "foreign" ? tag.name.slice(1) : "";
}
