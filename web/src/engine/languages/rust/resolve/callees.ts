import { Memo } from "../../memo.ts";
import type { SymbolRef } from "../../../language.ts";
import { wordAfter, wordOf } from "../../words.ts";
import { type Offset, Op } from "../facts.ts";
import { guessOf } from "./asks.ts";
import { ALTERNATIVE } from "./alternatives.ts";
import { type Candidate, evenShare, MAX_CANDIDATES } from "./impls.ts";
import { isCommon, methodResult } from "./library.ts";
import type { Declaration, Func, Impl, Source } from "./program.ts";
import { foreign, type ForeignType, mayBe, substitute, type Type, UNKNOWN } from "./types.ts";
import type { Typing } from "./typing.ts";

/** What an expression is. */
export interface Operand {
  type: Type;
  /** How sure the type is. */
  certainty: number;
}

/** What a call's callee is: functions of the repository, a struct or variant that is made, a value, or the library's. */
export interface Callee {
  functions: readonly Candidate[];
  certainty: number;
  made?: { type: Type; declaration: Declaration };
  /** A closure, or a pointer to a function. */
  value?: Type;
  /** The constant, static or variant that is named. */
  constant?: SymbolRef;
  /** The same in other builds. */
  otherConstants?: readonly SymbolRef[];
  /** A method's receiver, where the library has it; or what the function is of. */
  library?: { receiver: ForeignType; name: string } | { owner: string | undefined; args: readonly Type[]; name: string };
  /** Pointers of the repository through which a method is found. */
  through?: readonly Type[];
  /** What is given when nothing else tells: the receiver of `clone`. */
  otherwise?: Type;
}

export const DECLARED = 0.9;
export const INFERRED = 0.7;
/** What another impl may be meant instead of, which the library has. */
const UNDECIDED = 0.5;
const GUESS = 0.4;
const NO_CALLEE: Callee = { functions: [], certainty: 0 };
/** Methods that derived or blanket impls give every type, and that give that type again; `project` gives its fields, pinned. */
const SAME = /^(?:clone|to_owned|by_ref|borrow|borrow_mut|as_ref|as_mut|into_iter|iter|add|sub|mul|max|min|deref|deref_mut|as_deref|project|project_ref)$/;
/** Of these, what gives a type itself even where a trait of the library's that it has would give something else, such as an iterator. */
const ITSELF = /^(?:clone|to_owned|by_ref)$/;
/** Functions that are made by `derive` and give the type. */
const MADE = /^(?:clone|from|new|try_from|parse)$/;

/** Answers what is called, or named as a value, by the records of all files. */
export class Callees {
  private readonly callees: Memo<Source, Callee>;
  private readonly patterns: Memo<Source, Callee>;
  /** Methods by name; undefined where several have it. */
  private readonly byName = new Map<string, Func | undefined>();

  /** `operand` says what an expression is. */
  constructor(private readonly types: Typing, private readonly operand: (source: Source, at: Offset) => Operand) {
    const { program, depth } = types;
    this.callees = new Memo<Source, Callee>(program.sources, NO_CALLEE, (source, at) => this.read(source, at, false), depth);
    this.patterns = new Memo<Source, Callee>(program.sources, NO_CALLEE, (source, at) => this.read(source, at, true), depth);
    const note = (func: Func): void => {
      const { name, method } = func.fact;
      if (method) this.byName.set(name, this.byName.has(name) ? undefined : func);
    };
    for (const impl of program.impls) {
      // What a trait of the repository declares is one method, however many implement it.
      if (types.impls.traitOf(impl)?.kind !== "own") for (const fact of impl.fact.functions) note({ fact, source: impl.source, impl });
    }
    for (const trait of program.declarations) for (const fact of trait.fact.functions) note({ fact, source: trait.source, trait });
  }

  /** What a call's callee, or a path, stands for. */
  of(source: Source, at: Offset): Callee {
    return this.callees.get(source, at);
  }

  /** What the path of a pattern stands for, which may be a struct with named fields. */
  ofPattern(source: Source, at: Offset): Callee {
    return this.patterns.get(source, at);
  }

  private read(source: Source, at: Offset, pattern: boolean): Callee {
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
        const found = this.of(source, callee);
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
    const named = this.types.named(source, at, "values") ?? (pattern ? this.types.named(source, at, "types") : undefined);
    if (named?.kind === "values") {
      const all = named.values.length > MAX_CANDIDATES ? [] : named.values;
      const functions = all.flatMap((value) => (value.kind === "function" ? [{ func: value.func, bindings: new Map<string, Type>(), share: named.values.length > 1 ? ALTERNATIVE : 1 }] : []));
      const [constant, ...others] = all.filter((value) => value.kind === "constant");
      if (!constant) return { functions, certainty: 1 };
      const refs = others.map(({ source: { index: file }, fact: { symbol } }) => ({ file, symbol }));
      const value = this.types.type(constant.source, constant.fact.type);
      return { functions, certainty: DECLARED, value, constant: { file: constant.source.index, symbol: constant.fact.symbol }, ...(refs.length > 0 ? { otherConstants: refs } : {}) };
    }
    if (named?.kind === "variant") return this.variant(named.declaration, named.name);
    if (named?.kind === "type") {
      const type = this.types.declared(named, this.types.argumentsOf(source, at).args, undefined);
      return type.kind === "own" ? { functions: [], certainty: 1, made: { type: pad(type), declaration: type.declaration } } : NO_CALLEE;
    }
    if (named?.kind === "foreign" && prefix === 0) return { functions: [], certainty: INFERRED, library: { owner: undefined, args: [], name: named.name } };
    if (prefix === 0) return { functions: [], certainty: INFERRED, library: { owner: undefined, args: [], name } };
    const before = this.types.named(source, prefix, "types");
    if (before?.kind === "module") return NO_CALLEE;
    return this.associatedValue(source, prefix, name);
  }

  private variant(declaration: Declaration, name: string): Callee {
    // A function from the variant's name, so that a pattern can tell which one it is.
    const type: Type = { kind: "function", parameters: [foreign(`:${name}`)], result: pad({ kind: "own", declaration, args: [] }) };
    const symbol = declaration.fact.variants.find((variant) => variant.name === name)?.symbol ?? -1;
    return { functions: [], certainty: 1, made: { type, declaration }, constant: { file: declaration.source.index, symbol } };
  }

  /** `Type::name`, `Trait::name`, `<T as Trait>::name`. */
  private associatedValue(source: Source, prefix: Offset, name: string): Callee {
    const { code } = source.data;
    const type = this.types.type(source, prefix);
    const by = code[prefix] === Op.As ? this.types.type(source, code[prefix + 2]!) : undefined;
    if (type.kind === "own" && !by) {
      this.types.program.asks.one(wordAfter(type.declaration.place, name));
      if (type.declaration.fact.variants.some((variant) => variant.name === name)) return this.variant(type.declaration, name);
      const constant = this.constantOf(type, name);
      if (constant) return { functions: [], certainty: DECLARED, ...constant };
    }
    const trait = by?.kind === "own" ? by.declaration : undefined;
    const functions = by && !trait ? [] : this.functionsOf(type, name, trait);
    if (functions.length > 0) return { functions, certainty: functions.some(({ virtual }) => virtual) ? DECLARED : 1 };
    if (trait) return { functions: this.types.impls.inTraits([by!], name, type), certainty: DECLARED };
    if (type.kind === "foreign") return { functions: [], certainty: INFERRED, library: { owner: type.name, args: type.args, name } };
    // What is derived makes one.
    if (name === "default" && type.kind === "own") return { functions: [], certainty: DECLARED, made: { type: pad(type), declaration: type.declaration } };
    return { functions: [], certainty: INFERRED, ...(MADE.test(name) && type.kind === "own" ? { otherwise: pad(type) } : {}) };
  }

  private constantOf(type: Type, name: string): Pick<Callee, "value" | "constant"> | undefined {
    for (const impl of this.types.impls.holding(type, name)) {
      this.types.program.asks.one(wordAfter(impl.place, name));
      const constant = impl.fact.constants.find((one) => one.name === name);
      if (!constant) continue;
      return { value: substitute(this.types.type(impl.source, constant.type), this.types.impls.bindingsOf(impl, type)), constant: { file: impl.source.index, symbol: constant.symbol } };
    }
    return undefined;
  }

  /** The functions of a name that a type itself has. */
  private functionsOf(type: Type, name: string, by?: Declaration): readonly Candidate[] {
    switch (type.kind) {
      case "own":
      case "foreign":
        return this.types.impls.functions(type, name, by);
      case "parameter":
      case "bounds":
      case "associated": {
        const bounds = this.types.boundsOf(type);
        const found = this.types.impls.inTraits(by ? [{ kind: "own", declaration: by, args: [] }] : bounds, name, type);
        if (found.length > 0) return found;
        const dyn = type.kind === "bounds" ? type.traits.flatMap((trait) => (trait.kind === "own" ? this.types.impls.functions(trait, name, by) : [])) : [];
        return dyn.length > 0 ? dyn : this.types.impls.functions(this.types.functionType(type) ?? UNKNOWN, name, by);
      }
      case "function":
        return this.types.impls.functions(type, name, by);
      default:
        return [];
    }
  }

  /** `Trait::method(&x)`: what x has of the trait, where its type is known. */
  private byArgument(source: Source, call: Offset, functions: readonly Candidate[]): readonly Candidate[] {
    const [only] = functions;
    const [first] = argumentRecords(source, call);
    if (functions.length !== 1 || !only?.virtual || !only.func.fact.method || first === undefined) return functions;
    const { type } = this.operand(source, first);
    const own = type.kind === "own" ? this.types.impls.functions(type, only.func.fact.name, only.virtual) : [];
    return own.length > 0 ? own : functions;
  }

  /** `Display::fmt(&self.0, f)`: what the first argument's type has of a library's trait. */
  private byForeignTrait(source: Source, call: Offset, { owner, name }: { owner: string | undefined; name: string }): readonly Candidate[] {
    const [first, ...others] = argumentRecords(source, call);
    if (owner === undefined || first === undefined) return [];
    const { type } = this.operand(source, first);
    // A type of the library may have the trait itself, for other arguments.
    if (type.kind !== "own" && !(type.kind === "foreign" && others.some((one) => this.operand(source, one).type.kind === "own"))) return [];
    // Of `From::from(x)` the argument does not tell whose it is.
    const found = this.types.impls.functions(type, name).filter(({ func: { impl, fact } }) => {
      const trait = fact.method && impl && this.types.impls.traitOf(impl);
      return trait && trait.kind === "foreign" && trait.name === owner;
    });
    const own = this.byReference(source, first, type.kind === "own" ? found : found.filter((one) => this.takes(source, call, one)));
    return own.length === 1 ? [{ ...own[0]!, share: 1 }] : own;
  }

  private method(source: Source, at: Offset): Callee {
    const { code, strings } = source.data;
    const receiver = this.operand(source, code[at + 1]!);
    const name = strings[code[at + 2]!]!;
    if (receiver.type.kind === "unknown") return this.guess(name);
    let last: Callee | undefined;
    const through: Type[] = [];
    for (const type of this.types.derefs(receiver.type)) {
      // Of the library's types its own methods go before those of traits here.
      const isLibrary = type.kind === "foreign" && (methodResult(type, name, []) !== undefined || (name === "parse" && /^(?:str|String)$/.test(type.name)));
      const functions = isLibrary ? [] : this.narrowed(source, at, this.byReference(source, code[at + 1]!, this.functionsOf(type, name).filter(({ func }) => func.fact.method)));
      if (functions.length > 0) {
        const isOpen = ({ func, blanket }: Candidate): boolean => this.isOneOfSeveral(func) || (blanket !== undefined && this.lacksBounds(type, blanket));
        const most = type.kind === "foreign" && functions.every(isOpen) ? UNDECIDED : DECLARED;
        const found = { functions, certainty: Math.min(receiver.certainty, most), ...(through.length > 0 ? { through } : {}) };
        // A method with `self: Pin<&mut Self>` is one of what is pinned; and what is for all types may not be for this one.
        if (!(type.kind === "foreign" && type.name === "Pin") && !functions.every(({ blanket }) => blanket)) return found;
        last ??= found;
        continue;
      }
      if (last) continue;
      if (ITSELF.test(name) && type.kind !== "foreign" && type.kind !== "unknown") return { functions: [], certainty: Math.min(receiver.certainty, DECLARED), otherwise: type };
      for (const view of this.types.libraryViews(type)) {
        const known = methodResult(view, name, []);
        if (known) return { functions: [], certainty: Math.min(receiver.certainty, INFERRED), library: { receiver: view, name }, ...(through.length > 0 ? { through } : {}) };
      }
      // What the pointer's target has not been found to have may be the library's all the same.
      if (type.kind === "unknown") return this.guess(name);
      if (type.kind === "own") through.push(type);
    }
    if (last) return last;
    const [view] = this.types.libraryViews(receiver.type);
    if (SAME.test(name)) return { functions: [], certainty: Math.min(receiver.certainty, INFERRED), otherwise: receiver.type };
    return { functions: [], certainty: receiver.certainty, ...(view ? { library: { receiver: view, name } } : {}) };
  }

  /** Whether a function is of a trait of the library with type arguments, and takes nothing that tells them: of a type of the library's that has such traits itself (`AsRef<…>`). */
  private isOneOfSeveral({ fact, impl }: Func): boolean {
    const trait = impl && this.types.impls.traitOf(impl);
    return trait?.kind === "foreign" && trait.args.length > 0 && fact.parameters.length === 0;
  }

  /** Whether neither a type of the library's nor what it points to is seen to have the traits that an impl for all types asks for. */
  private lacksBounds(type: Type, impl: Impl): boolean {
    return [...this.types.derefs(type)].every((one) => one.kind === "foreign" && !this.types.impls.hasBounds(one, impl));
  }

  /** Of impls for T, &T and &mut T those for what the receiver is. */
  private byReference(source: Source, receiver: Offset, functions: readonly Candidate[]): readonly Candidate[] {
    const held = new Set(functions.map(({ func: { impl } }) => (impl ? referenceOf(impl.source, impl.fact.self) : "")));
    if (held.size < 2) return functions;
    const wanted = heldAs(source, receiver);
    const fitting = functions.filter(({ func: { impl } }) => impl && referenceOf(impl.source, impl.fact.self) === wanted);
    return fitting.length === 1 ? [{ ...fitting[0]!, share: 1 }] : fitting.length > 0 ? fitting : functions;
  }

  /** Whether any method of the repository has a name. */
  isMethod(name: string): boolean {
    this.types.program.asks.one(wordOf(guessOf(name)));
    return this.byName.has(name);
  }

  /** Where nothing is known of the receiver: the only method of that name, if the library has none like it. */
  private guess(name: string): Callee {
    if (isCommon(name)) return NO_CALLEE;
    const { asks } = this.types.program;
    asks.one(wordOf(guessOf(name)));
    const func = this.byName.get(name);
    if (!func) return NO_CALLEE;
    asks.one(wordAfter((func.impl ?? func.trait!).place, name));
    return { functions: [{ func, bindings: new Map(), share: 1, ...(func.trait ? { virtual: func.trait } : {}) }], certainty: GUESS };
  }

  /** Of several functions (impls of one trait for several arguments) those that take what the call gives. */
  private narrowed(source: Source, at: Offset, functions: readonly Candidate[]): readonly Candidate[] {
    if (functions.length < 2) return functions;
    const fitting = functions.filter((candidate) => this.takes(source, at, candidate));
    if (fitting.length === 0 || fitting.length === functions.length) return functions;
    const share = fitting.length === 1 ? 1 : evenShare(fitting.length);
    return fitting.map((one) => ({ ...one, share: Math.max(share, one.share) }));
  }

  /** Whether a type is a struct's or an enum's name, which stands for no reference. */
  private isPlain(source: Source, at: Offset): boolean {
    const named = source.data.code[at] === Op.Path ? this.types.named(source, at, "types") : undefined;
    return named?.kind === "type" && /^(?:struct|enum)$/.test(named.declaration.fact.kind);
  }

  /** Whether a function takes as many arguments as a call gives, and such ones. */
  private takes(source: Source, at: Offset, candidate: Candidate): boolean {
    const { code } = source.data;
    const { fact } = candidate.func;
    const args = argumentRecords(source, at);
    const byPath = code[at] === Op.Call;
    const receivers = byPath && fact.method ? 1 : 0;
    return fact.parameters.length + receivers === args.length && args.every((one, i) => {
      const parameter = this.types.parameterOf(candidate, i, byPath);
      if (!parameter || code[one] === Op.Closure) return true;
      // A reference is no value of a struct or an enum.
      if (i >= receivers && this.isPlain(candidate.func.source, fact.parameters[i - receivers]!) && heldAs(source, one) !== "") return false;
      return mayBe(substitute(parameter, candidate.bindings), this.operand(source, one).type);
    });
  }
}

/** The arguments that a call's record has. */
export function argumentRecords({ data: { code } }: Source, call: Offset): number[] {
  const start = code[call] === Op.Method ? call + 4 + code[call + 3]! : call + 2;
  return code.slice(start + 1, start + 1 + code[start]!);
}

/** How a value is held: "&", "&mut", or "" for the value itself. */
export function heldAs(source: Source, value: Offset): string {
  const { code } = source.data;
  let at = value;
  while (code[at] === Op.Variable && code[at + 1] === 0) at = code[at + 2]!;
  if (code[at] === Op.Borrow) return code[at + 1] ? "&mut" : "&";
  return code[at] === Op.Variable ? referenceOf(source, code[at + 1]!) : "";
}

/** How a type is held: "&" for `&T`, "&mut" for `&mut T`, or "" for the type itself. */
export function referenceOf({ data: { code } }: Source, at: Offset): string {
  return code[at] === Op.Reference ? (code[at + 1] ? "&mut" : "&") : "";
}

/** With as many arguments as the type has parameters. */
export function pad(type: Type & { kind: "own" }): Type & { kind: "own" } {
  const { typeParameters } = type.declaration.fact;
  return type.args.length >= typeParameters.length ? type : { ...type, args: typeParameters.map((_, i) => type.args[i] ?? UNKNOWN) };
}
