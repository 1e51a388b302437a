import { Depth, Memo } from "../memo.ts";
import { Flag, type Offset, Op, type ScopeId } from "./facts.ts";
import { elementOf, foreign, givesFirst, indexedIn, isCommon, isLibrary, memberOf, pointedBy } from "./library.ts";
import { type Found, type Function, type Of, type Program, type Source, type Space, type Variable } from "./program.ts";
import type { AliasFact, MacroFact, VariableFact } from "./facts.ts";
import { fit, substitute, type Type, UNKNOWN } from "./types.ts";

/** What an expression is: a value of a type, or what a name stands for. */
export interface Operand {
  type: Type;
  /** How sure the type is. */
  certainty: number;
  functions?: readonly Function[];
  /** Template arguments of a function's name. */
  args?: readonly Type[];
  variable?: Variable;
  /** It names a class. */
  made?: Space;
}

export interface Target {
  function: Function;
  confidence: number;
}

/** What a call runs, and gives. */
export interface Resolution {
  targets: readonly Target[];
  macro?: Of<MacroFact>;
  made?: Space;
  type: Type;
  certainty: number;
}

const SURE = 1;
const DECLARED = 0.9;
const UNSEEN = 0.8;
const INFERRED = 0.7;
const POSSIBLE = 0.6;
const GUESS = 0.4;
/** What has more overriding methods, or more functions in a field, says nothing about which of them runs. */
const MAX_POSSIBLE = 100;
const MAX_DEPTH = 300;
/** What is defined in more places than there are platforms is no one function. */
const MAX_PLATFORMS = 10;
const NOTHING: Operand = { type: UNKNOWN, certainty: 0 };
const NO_CALL: Resolution = { targets: [], type: UNKNOWN, certainty: 0 };

/** Answers what the records of all files stand for, lazily and once each. What cannot be known is UNKNOWN; nothing throws. */
export class Checker {
  private readonly operands: Memo<Source, Operand>;
  private readonly types: Memo<Source, Type>;
  private readonly calls: Memo<Source, Resolution>;
  /** The functions that a field or a variable may hold. */
  private readonly held = new Map<VariableFact, Set<Function>>();
  private readonly derived = new Map<Space, Space[]>();
  private readonly byName = new Map<string, Function | undefined>();
  private readonly fieldByName = new Map<string, Variable | undefined>();

  constructor(readonly program: Program) {
    const { sources } = program;
    const depth = new Depth(MAX_DEPTH);
    this.operands = new Memo<Source, Operand>(sources, NOTHING, (source, at) => this.evaluate(source, at), depth);
    this.types = new Memo<Source, Type>(sources, UNKNOWN, (source, at) => this.readType(source, at), depth);
    this.calls = new Memo<Source, Resolution>(sources, NO_CALL, (source, at) => (source.data.code[at] === Op.New ? this.making(source, at) : this.calling(source, at)));
    for (const space of program.classes) {
      for (const base of program.basesOf(space)) {
        const list = this.derived.get(base);
        if (list) list.push(space);
        else this.derived.set(base, [space]);
      }
      for (const [name, all] of space.functions) {
        for (const one of all) if (one.fact.symbol >= 0) this.byName.set(name, this.byName.has(name) ? undefined : one);
      }
      for (const field of space.fields) this.fieldByName.set(field.fact.name, this.fieldByName.has(field.fact.name) ? undefined : field);
    }
    for (const source of program.sources) this.hold(source);
  }

  // Types

  type(source: Source, at: Offset): Type {
    return this.types.get(source, at);
  }

  private readType(source: Source, at: Offset): Type {
    const { code, strings } = source.data;
    if (code[at] !== Op.Named) return UNKNOWN;
    const name = strings[code[at + 1]!]!;
    const flags = code[at + 3]!;
    const args = code.slice(at + 5, at + 5 + code[at + 4]!).map((arg) => this.type(source, arg));
    const found = this.program.lookup(source, code[at + 2]!, name, true);
    const type = found && this.typeOf(source, found, at);
    if (type && type.kind !== "unknown") return { ...type, args: args.length > 0 ? args : type.args, flags: type.flags | flags };
    return foreign(name.slice(name.lastIndexOf(":") + 1), args, flags);
  }

  /** The type that a name means. */
  private typeOf(source: Source, { spaces, aliases }: Found, at: Offset): Type | undefined {
    const space = this.program.oneSpace(source, spaces.filter(({ isClass }) => isClass));
    if (space) return { kind: "class", space, args: [], flags: 0 };
    const [alias] = this.program.nearest<Of<AliasFact>>(source, aliases);
    if (!alias || (alias.source === source && alias.fact.type === at)) return undefined;
    return this.type(alias.source, alias.fact.type);
  }

  // Expressions

  operand(source: Source, at: Offset): Operand {
    return this.operands.get(source, at);
  }

  private evaluate(source: Source, at: Offset): Operand {
    const { code, strings } = source.data;
    switch (code[at]) {
      case Op.Name:
        return this.name(source, at);
      case Op.Select:
        return this.select(source, code[at + 1]!, strings[code[at + 2]!]!, code[at + 3] === 1);
      case Op.Call:
      case Op.New: {
        const { type, certainty } = this.call(source, at);
        return { type, certainty };
      }
      case Op.This: {
        const space = this.classAt(source, code[at + 1]!);
        return space ? { type: { kind: "class", space, args: [], flags: Flag.Pointer }, certainty: 1 } : NOTHING;
      }
      case Op.Value:
        return { type: this.type(source, code[at + 1]!), certainty: DECLARED };
      case Op.Deref:
      case Op.Index: {
        const inner = this.operand(source, code[at + 1]!);
        if (inner.functions) return inner;
        const type = code[at] === Op.Deref ? this.pointed(inner.type) : this.indexed(inner.type);
        return { type, certainty: Math.min(inner.certainty, DECLARED), ...(inner.variable ? { variable: inner.variable } : {}) };
      }
      case Op.Element: {
        const { type, certainty } = this.operand(source, code[at + 1]!);
        return { type: this.looped(type), certainty: Math.min(certainty, DECLARED) };
      }
      case Op.Either: {
        const first = this.operand(source, code[at + 1]!);
        const second = this.operand(source, code[at + 2]!);
        if (first.functions && second.functions) return { ...first, functions: [...first.functions, ...second.functions] };
        return first.type.kind === "class" || second.type.kind === "unknown" ? first : second;
      }
      case Op.Variable: {
        const declared = code[at + 1]!;
        const given = this.operand(source, code[at + 2]!);
        if (!declared) return { ...given, certainty: Math.min(given.certainty, DECLARED) };
        return { type: this.type(source, declared), certainty: DECLARED, ...(given.functions ? { functions: given.functions } : given.variable ? { variable: given.variable } : {}) };
      }
      default:
        return NOTHING;
    }
  }

  private name(source: Source, at: Offset): Operand {
    const { code, strings } = source.data;
    const name = strings[code[at + 1]!]!;
    const scope = code[at + 2]!;
    const macro = this.program.macro(source, name);
    let found = this.program.lookup(source, scope, name);
    if (macro && macro.fact.alias !== "" && !found?.functions.some(({ fact }) => fact.symbol >= 0)) found = this.program.lookup(source, scope, macro.fact.alias) ?? found;
    if (!found) return NOTHING;
    const args = code[at + 3]! > 0 ? code.slice(at + 4, at + 4 + code[at + 3]!).map((arg) => this.type(source, arg)) : undefined;
    const variable = this.seen(source, found.variables)[0];
    if (variable) return this.variableValue(variable);
    if (found.functions.length > 0) return { type: UNKNOWN, certainty: 0, functions: found.functions, ...(args ? { args } : {}) };
    const type = this.typeOf(source, found, at);
    if (type?.kind === "class") return { type: { ...type, ...(args ? { args } : {}) }, certainty: 1, made: type.space };
    return NOTHING;
  }

  private variableValue(variable: Variable): Operand {
    const { source, fact } = variable;
    if (fact.type) return { type: this.type(source, fact.type), certainty: DECLARED, variable };
    const { type, certainty } = this.operand(source, fact.initialiser);
    return { type, certainty, variable };
  }

  /** Globals that are the file's own, or no other's. */
  private seen(source: Source, all: readonly Variable[]): readonly Variable[] {
    return this.program.nearest(source, all.filter(({ source: home, fact }) => !fact.local || this.program.sees(source, home.index)));
  }

  private select(source: Source, of: Offset, name: string, arrow: boolean): Operand {
    const operand = this.operand(source, of);
    const type = arrow ? this.pointed(operand.type) : operand.type;
    if (type.kind === "class") {
      const found = this.program.inSpace(source, type.space, name);
      if (found?.variables[0]) {
        const value = this.variableValue(found.variables[0]);
        return { ...value, type: substitute(value.type, parametersOf(type.space), type.args), certainty: Math.min(value.certainty, operand.certainty) };
      }
      if (found && found.functions.length > 0) return { type: UNKNOWN, certainty: operand.certainty, functions: found.functions };
      return { type: UNKNOWN, certainty: operand.certainty };
    }
    const given = memberOf(type, name);
    return { type: given, certainty: given.kind === "unknown" ? 0 : Math.min(operand.certainty, INFERRED) };
  }

  private pointed(type: Type): Type {
    if (type.kind === "class" && !(type.flags & (Flag.Pointer | Flag.Array))) return this.operator(type, "operator->") ?? this.operator(type, "operator*") ?? type;
    const inner = pointedBy(type);
    return inner.kind === "unknown" ? type : inner;
  }

  private indexed(type: Type): Type {
    if (type.kind === "unknown") return type;
    if (type.flags & (Flag.Array | Flag.Pointer)) return { ...type, flags: type.flags & ~(type.flags & Flag.Array ? Flag.Array : Flag.Pointer) };
    if (type.kind === "class") return this.operator(type, "operator[]") ?? UNKNOWN;
    return indexedIn(type);
  }

  private looped(type: Type): Type {
    if (type.kind !== "unknown" && type.flags & Flag.Array) return { ...type, flags: type.flags & ~Flag.Array };
    if (type.kind !== "class") return elementOf(type);
    const begin = this.operator(type, "begin");
    return begin ? this.pointed(begin) : UNKNOWN;
  }

  /** What an operator of a class gives. */
  private operator(type: Type & { kind: "class" }, name: string): Type | undefined {
    const [method] = this.program.inSpace(this.program.sources[0]!, type.space, name)?.functions ?? [];
    return method && substitute(this.type(method.source, method.fact.returns), parametersOf(type.space), type.args);
  }

  /** The class that code of a scope is a member of. */
  classAt(source: Source, scope: ScopeId): Space | undefined {
    for (let at = scope; at > 0; at = source.data.scopes[at]!.parent) {
      const space = this.program.spaceAt(source, at);
      if (space?.isClass) return space;
    }
    return undefined;
  }

  // Calls

  call(source: Source, at: Offset): Resolution {
    return this.calls.get(source, at);
  }

  private argumentsOf(source: Source, at: Offset): Type[] | undefined {
    const { code } = source.data;
    const count = code[at + 2]!;
    return count < 0 ? undefined : code.slice(at + 3, at + 3 + count).map((arg) => this.operand(source, arg).type);
  }

  private making(source: Source, at: Offset): Resolution {
    const { code } = source.data;
    const what = code[at + 1]!;
    const named = code[what] === Op.Name;
    let type = named ? UNKNOWN : this.type(source, what);
    if (named) {
      // A constructor's initialiser: a field, or a base.
      const value = this.operand(source, what);
      if (value.variable && value.type.kind === "class" && value.type.flags & (Flag.Pointer | Flag.Reference)) return NO_CALL;
      type = value.variable || value.made ? value.type : this.type(source, what);
    }
    if (type.kind !== "class") return { targets: [], type, certainty: DECLARED };
    // `T x;` runs a constructor if there is one; what an initialiser of a field or base runs is no object of its own.
    const silent = named || (code[at + 2] === 0 && (code[what + 3]! & Flag.Pointer) === 0);
    return this.made(source, type, this.argumentsOf(source, at), silent);
  }

  private made(source: Source, type: Type & { kind: "class" }, args: readonly Type[] | undefined, silent: boolean): Resolution {
    const constructors = type.space.functions.get(type.space.name) ?? [];
    const targets = constructors.length > 0 ? this.choose(source, constructors, args).map((target) => ({ ...target, confidence: Math.min(target.confidence, DECLARED) })) : [];
    return { targets, ...(silent ? {} : { made: type.space }), type, certainty: DECLARED };
  }

  private calling(source: Source, at: Offset): Resolution {
    const { code, strings } = source.data;
    const callee = code[at + 1]!;
    const args = this.argumentsOf(source, at);
    if (code[callee] === Op.Name) {
      const name = strings[code[callee + 1]!]!;
      const macro = this.program.macro(source, name);
      if (macro && macro.fact.symbol >= 0) return { targets: [], macro, ...this.givenByMacro(source, at) };
    }
    if (code[callee] === Op.Select) return this.callMember(source, callee, args);
    const operand = this.operand(source, callee);
    if (code[callee] === Op.Variable || code[callee] === Op.Deref || code[callee] === Op.Index) {
      if (operand.functions) return this.result(source, this.choose(source, operand.functions, args).map((t) => ({ ...t, confidence: Math.min(t.confidence, INFERRED) })), operand);
    }
    if (operand.functions) return this.callFunctions(source, operand, args, code[callee] === Op.Name ? strings[code[callee + 1]!]! : "");
    if (operand.made && operand.type.kind === "class") return this.made(source, operand.type, args, false);
    if (operand.variable || code[callee] === Op.Variable) return this.callValue(source, operand, args);
    return code[callee] === Op.Name ? this.callUnknown(source, callee, args) : NO_CALL;
  }

  /** `container_of(p, struct s, field)` gives what it names. */
  private givenByMacro(source: Source, at: Offset): Pick<Resolution, "type" | "certainty"> {
    const { code } = source.data;
    for (const arg of code.slice(at + 3, at + 3 + Math.max(0, code[at + 2]!))) {
      const { made, type } = code[arg] === Op.Name ? this.operand(source, arg) : NOTHING;
      if (made && type.kind === "class") return { type: { ...type, flags: Flag.Pointer }, certainty: INFERRED };
    }
    return { type: UNKNOWN, certainty: 0 };
  }

  private callFunctions(source: Source, operand: Operand, args: readonly Type[] | undefined, name: string): Resolution {
    const functions = operand.functions!;
    const [first] = functions;
    if (first?.space.isClass) {
      // A method of the class around, or of a class by its name, which does not run another's.
      const targets = this.choose(source, functions, args).map((t) => ({ ...t, confidence: Math.min(t.confidence, DECLARED) }));
      const owner = name.includes("::") ? undefined : first.space;
      return this.result(source, owner ? this.withOverriding(targets, functions, owner, args) : targets, operand, functions);
    }
    const targets = this.choose(source, functions, args);
    return this.result(source, targets, operand, functions);
  }

  private callMember(source: Source, callee: Offset, args: readonly Type[] | undefined): Resolution {
    const { code, strings } = source.data;
    const name = strings[code[callee + 2]!]!;
    const cut = name.lastIndexOf("::");
    const simple = name.slice(cut + 2 - (cut < 0 ? 1 : 0));
    const receiver = this.operand(source, code[callee + 1]!);
    const type = code[callee + 3] === 1 ? this.pointed(receiver.type) : receiver.type;
    if (type.kind === "class") {
      const found = this.program.inSpace(source, type.space, simple);
      if (found?.variables[0]) return this.callValue(source, this.operand(source, callee), args);
      if (found && found.functions.length > 0) {
        const constant = (type.flags & Flag.Const) !== 0;
        const confidence = Math.min(receiver.certainty, DECLARED);
        const targets = this.choose(source, found.functions, args, constant).map((t) => ({ ...t, confidence: Math.min(t.confidence, confidence) }));
        const byReference = (type.flags & (Flag.Pointer | Flag.Reference)) !== 0 || receiver.type !== type;
        const all = byReference && cut < 0 ? this.withOverriding(targets, found.functions, type.space, args) : targets;
        const resolution = this.result(source, all, receiver, found.functions);
        return { ...resolution, type: substitute(resolution.type, parametersOf(type.space), type.args) };
      }
      return NO_CALL;
    }
    if (type.kind === "foreign") {
      const given = memberOf(type, simple);
      return { targets: [], type: given, certainty: given.kind === "unknown" ? 0 : INFERRED };
    }
    if (isCommon(simple)) return NO_CALL;
    const guess = this.byName.get(simple);
    if (guess) return { targets: [{ function: guess, confidence: GUESS }], type: UNKNOWN, certainty: 0 };
    const field = this.fieldByName.get(simple);
    const held = field ? [...this.held.get(field.fact) ?? []] : [];
    return { ...NO_CALL, targets: held.length <= MAX_POSSIBLE ? held.map((one) => ({ function: one, confidence: GUESS })) : [] };
  }

  /** A call of what a field or variable holds. */
  private callValue(source: Source, operand: Operand, args: readonly Type[] | undefined): Resolution {
    const { type, variable } = operand;
    const held = variable ? this.held.get(variable.fact) : undefined;
    if (held && held.size <= MAX_POSSIBLE) {
      return { targets: [...held].map((one) => ({ function: one, confidence: POSSIBLE })), type, certainty: Math.min(operand.certainty, INFERRED) };
    }
    if (type.kind === "class" && !(type.flags & Flag.Pointer)) {
      const methods = this.program.inSpace(source, type.space, "operator()")?.functions ?? [];
      if (methods.length > 0) return this.result(source, this.choose(source, methods, args).map((t) => ({ ...t, confidence: Math.min(t.confidence, DECLARED) })), operand);
    }
    return { targets: [], type, certainty: Math.min(operand.certainty, INFERRED) };
  }

  /** A name that means nothing where it stands. */
  private callUnknown(source: Source, callee: Offset, args: readonly Type[] | undefined): Resolution {
    const { code, strings } = source.data;
    const name = strings[code[callee + 1]!]!;
    const simple = name.slice(name.lastIndexOf(":") + 1);
    const templateArgs = code.slice(callee + 4, callee + 4 + code[callee + 3]!).map((arg) => this.type(source, arg));
    if (/^(?:make_unique|make_shared|make_optional|MakeUnique|make_ref)$/.test(simple) && templateArgs[0]) {
      const [type] = templateArgs;
      const pointer = foreign("unique_ptr", [type]);
      return type.kind === "class" ? { ...this.made(source, type, args, false), type: pointer } : { ...NO_CALL, type: pointer, certainty: DECLARED };
    }
    if (givesFirst(simple) && args?.[0]) return { targets: [], type: args[0], certainty: DECLARED };
    // Among the arguments' own names.
    if (!name.includes("::") && source.data.cpp) {
      for (const arg of args ?? []) {
        if (arg.kind !== "class" || !arg.space.parent) continue;
        const found = this.program.inSpace(source, arg.space.parent, name);
        if (found && found.functions.length > 0) return this.result(source, this.choose(source, found.functions, args), { type: UNKNOWN, certainty: DECLARED }, found.functions);
      }
    }
    return NO_CALL;
  }

  /** What the functions give that a call runs. */
  private result(source: Source, targets: readonly Target[], operand: Operand, all: readonly Function[] = []): Resolution {
    const chosen = targets[0]?.function ?? this.program.nearest(source, all)[0];
    if (!chosen) return { ...NO_CALL, targets };
    let type = this.type(chosen.source, chosen.fact.returns);
    if (operand.args) type = substitute(type, chosen.fact.templates, operand.args);
    return { targets, type, certainty: Math.min(DECLARED, targets[0]?.confidence ?? DECLARED) };
  }

  /**
   * The definitions that a call means: those that take its arguments, and of several that are the same function the
   * file's own, those that it includes, or the nearest.
   */
  choose(source: Source, functions: readonly Function[], args?: readonly Type[], constant?: boolean): Target[] {
    const { program } = this;
    const reachable = functions.filter(({ source: home, fact }) => !fact.local || program.sees(source, home.index));
    let defined = reachable.filter(({ fact }) => fact.symbol >= 0);
    if (defined.length === 0) return [];
    const overloaded = defined.some(({ source: { data } }) => data.cpp) && defined.length > 1;
    if (overloaded && args) defined = this.fitting(reachable, defined, args);
    const kinds = new Map<string, Function[]>();
    for (const one of defined) {
      const key = overloaded ? one.fact.key : "";
      const same = kinds.get(key);
      if (same) same.push(one);
      else kinds.set(key, [one]);
    }
    // What is declared without a body may have one all the same.
    let sets = [...kinds.values()].map((set) => (set.some(({ fact }) => !fact.pure) ? set.filter(({ fact }) => !fact.pure) : set));
    if (sets.length === 2 && sets[0]![0]!.fact.const !== sets[1]![0]!.fact.const) {
      // One for what may change, one for what may not.
      const [one] = sets.filter(([first]) => first!.fact.const === (constant ?? false));
      if (one) sets = [one];
    }
    const placed = sets.map((set) => this.placed(source, set, reachable));
    if (sets.length === 1) return placed[0]!;
    // Which of the overloads it is, is not known.
    const all = placed.flat();
    const share = all.length <= 2 ? 0.5 : GUESS;
    return all.map((target) => ({ ...target, confidence: Math.min(share, target.confidence) }));
  }

  /** Of one function's definitions those that are meant. */
  private placed(source: Source, set: readonly Function[], all: readonly Function[]): Target[] {
    const { program } = this;
    const near = program.nearest(source, set);
    const [first] = near;
    if (!first) return [];
    const declared = all.some((one) => program.sees(source, one.source.index)) || first.space.isClass;
    if (near.length === 1) {
      if (declared) return [{ function: first, confidence: SURE }];
      if (isLibrary(first.fact.name)) return [];
      return [{ function: first, confidence: set.length === 1 ? UNSEEN : INFERRED }];
    }
    if (!declared && isLibrary(first.fact.name)) return [];
    // Branches of a condition, or one for each platform: one of them is built.
    const same = near.every((one) => one.source === first.source);
    const confidence = same ? INFERRED : near.length <= MAX_PLATFORMS && declared ? POSSIBLE : GUESS;
    return near.slice(0, MAX_POSSIBLE).map((one) => ({ function: one, confidence }));
  }

  private fitting(all: readonly Function[], defined: Function[], args: readonly Type[]): Function[] {
    const takes = (one: Function): boolean => {
      const { fact } = one;
      // Default values are said where it is declared.
      const required = Math.min(...all.filter((other) => other.fact.key === fact.key || other.fact.parameters.length === fact.parameters.length && other.fact.symbol < 0).map((other) => other.fact.required), fact.required);
      return args.length >= required && (fact.variadic || args.length <= fact.parameters.length);
    };
    const byNumber = defined.filter(takes);
    if (byNumber.length === 0) return defined;
    if (byNumber.length === 1) return byNumber;
    const scores = byNumber.map((one) => {
      const fits = args.slice(0, one.fact.parameters.length).map((arg, i) => fit(arg, this.type(one.source, one.fact.parameters[i]!), (space, base) => this.derives(space, base)));
      return fits.includes(0) ? -1 : fits.reduce((sum, each) => sum + each, 0);
    });
    const best = Math.max(...scores);
    return best < 0 ? byNumber : byNumber.filter((_, i) => scores[i] === best);
  }

  private derives(space: Space, base: Space): boolean {
    return this.program.ancestors(space).has(base);
  }

  // Methods that override

  private withOverriding(targets: readonly Target[], functions: readonly Function[], receiver: Space, args: readonly Type[] | undefined): readonly Target[] {
    const [first] = functions;
    if (!first || !this.isVirtual(first)) return targets;
    const { name } = first.fact;
    const known = new Set(targets.map((target) => target.function));
    const overriding: Target[] = [];
    const count = (targets[0]?.function ?? first).fact.parameters.length;
    const queue = [...(this.derived.get(receiver) ?? [])];
    const met = new Set(queue);
    for (let space = queue.pop(); space; space = queue.pop()) {
      for (const one of space.functions.get(name) ?? []) {
        if (one.fact.symbol < 0 || known.has(one) || (args && one.fact.parameters.length !== count)) continue;
        overriding.push({ function: one, confidence: POSSIBLE });
      }
      for (const next of this.derived.get(space) ?? []) {
        if (met.has(next)) continue;
        met.add(next);
        queue.push(next);
      }
    }
    return overriding.length > MAX_POSSIBLE ? targets : [...targets, ...overriding];
  }

  /** Whether a method, or one that it overrides, is declared as virtual. */
  private isVirtual({ fact: { name }, space }: Function): boolean {
    return [space, ...this.program.ancestors(space)].some(({ functions }) => functions.get(name)?.some(({ fact }) => fact.virtual || fact.pure));
  }

  // Functions as values

  /** The functions that a name stands for as a value; none when it may be one of several. */
  passed(source: Source, at: Offset): readonly Target[] {
    const { functions } = this.operand(source, at);
    if (!functions || functions.some(({ space }) => space.isClass && !source.data.cpp)) return [];
    const targets = this.choose(source, functions);
    return targets.length > 2 ? [] : targets.map((target) => ({ ...target, confidence: Math.min(target.confidence, POSSIBLE) }));
  }

  destructor(source: Source, at: Offset): readonly Target[] {
    const { type } = this.operand(source, at);
    if (type.kind !== "class") return [];
    return this.choose(source, type.space.functions.get(`~${type.space.name}`) ?? []).map((t) => ({ ...t, confidence: Math.min(t.confidence, DECLARED) }));
  }

  private hold(source: Source): void {
    const { code, uses } = source.data;
    for (let i = 0; i < uses.length; i += 3) {
      const at = uses[i]!;
      if (code[at] === Op.Assign) {
        const { variable } = this.operand(source, code[at + 1]!);
        if (variable) this.give(source, variable, code[at + 2]!);
      } else if (code[at] === Op.Init) {
        this.giveAll(source, this.type(source, code[at + 1]!), code[at + 2]!);
      }
    }
  }

  private giveAll(source: Source, type: Type, braces: Offset, depth = 0): void {
    if (type.kind !== "class" || depth > 20) return;
    const { code, strings } = source.data;
    const count = code[braces + 1]!;
    const array = (type.flags & Flag.Array) !== 0;
    let position = 0;
    for (let i = 0; i < count; i++) {
      const name = code[braces + 2 + 2 * i]!;
      const value = code[braces + 3 + 2 * i]!;
      const { fields } = type.space;
      if (array && code[value] === Op.Braces) {
        this.giveAll(source, { ...type, flags: type.flags & ~Flag.Array }, value, depth + 1);
        continue;
      }
      let field: Variable | undefined;
      if (name >= 0) {
        field = this.program.inSpace(source, type.space, strings[name]!)?.variables[0];
        position = field ? fields.indexOf(field) + 1 : position;
      } else {
        field = fields[array ? position % Math.max(1, fields.length) : position];
        position++;
      }
      if (!field) continue;
      if (code[value] === Op.Braces) this.giveAll(source, this.type(field.source, field.fact.type), value, depth + 1);
      else if (code[value] === Op.Name) this.give(source, field, value);
    }
  }

  private give(source: Source, { fact }: Variable, value: Offset): void {
    for (const { function: one, confidence } of this.passed(source, value)) {
      if (confidence < POSSIBLE) continue;
      const held = this.held.get(fact);
      if (held) held.add(one);
      else this.held.set(fact, new Set([one]));
    }
  }
}

function parametersOf({ type }: Space): readonly string[] {
  return type?.fact.parameters ?? [];
}
