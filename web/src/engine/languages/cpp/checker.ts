import { Depth, Memo } from "../memo.ts";
import { Choice } from "./choice.ts";
import { type AliasFact, Flag, isIterator, type MacroFact, type Offset, Op, type ScopeId } from "./facts.ts";
import { calledGives, elementOf, foreign, givesFirst, indexedIn, isCommon, memberOf, pointedBy } from "./library.ts";
import { DECLARED, GUESS, INFERRED, MAX_POSSIBLE, NO_CALL, NOTHING, type Operand, POSSIBLE, type Resolution, type Target } from "./operand.ts";
import { isComparison, Operators } from "./operators.ts";
import type { Found, Function, Of, Program, Source, Space, Variable } from "./program.ts";
import { sizes, substitute, type Type, UNKNOWN } from "./types.ts";

const MAX_DEPTH = 300;
/** Classes above a class that are gone through for the arguments of a template. */
const MAX_BASES = 20;

/** Answers what the records of all files stand for, lazily and once each. What cannot be known is UNKNOWN; nothing throws. */
export class Checker {
  private readonly operands: Memo<Source, Operand>;
  private readonly types: Memo<Source, Type>;
  private readonly calls: Memo<Source, Resolution>;
  private readonly choice: Choice;
  private readonly operators: Operators;
  private readonly byName = new Map<string, Function | undefined>();

  constructor(readonly program: Program) {
    const { sources } = program;
    const depth = new Depth(MAX_DEPTH);
    this.operands = new Memo<Source, Operand>(sources, NOTHING, (source, at) => sizes.boundedIn(this.evaluate(source, at)), depth);
    this.types = new Memo<Source, Type>(sources, UNKNOWN, (source, at) => this.readType(source, at), depth);
    this.calls = new Memo<Source, Resolution>(sources, NO_CALL, (source, at) => {
      const kind = source.data.code[at];
      return kind === Op.New ? this.making(source, at) : kind === Op.Operator ? this.operating(source, at) : this.calling(source, at);
    });
    this.choice = new Choice(program, (source, at) => this.type(source, at));
    this.operators = new Operators(program, this.choice, (source, at) => this.type(source, at));
    for (const space of program.classes) {
      for (const [name, all] of space.functions) {
        for (const one of all) if (one.fact.symbol >= 0) this.byName.set(name, this.byName.has(name) ? undefined : one);
      }
    }
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
    if (name.startsWith("#")) {
      const space = source.spaces[Number(name.slice(1))];
      return space ? { kind: "class", space, args: [], flags } : UNKNOWN;
    }
    const found = this.program.lookup(source, code[at + 2]!, name, true);
    const type = found && this.typeOf(source, found, at);
    if (type && type.kind !== "unknown") return this.ofQualifier(source, at, name, { ...type, args: args.length > 0 ? args : type.args, flags: type.flags | flags }, found.aliases[0]);
    if (isIterator(name)) return this.iterator(source, name, at, args, flags);
    const of = this.classAt(source, code[at + 2]!);
    return { kind: "foreign", name: name.slice(name.lastIndexOf(":") + 1), args, flags, ...(of && parametersOf(of).includes(name) ? { of } : {}) };
  }

  /** What a class calls a type, with the template arguments that its name has: `Names::Iterator` where `Names` is a `List<Name>`. */
  private ofQualifier(source: Source, at: Offset, name: string, type: Type, alias: Of<AliasFact> | undefined): Type {
    const cut = name.lastIndexOf("::");
    const home = cut > 0 && alias ? this.program.spaceAt(alias.source, alias.fact.scope) : undefined;
    if (!home || parametersOf(home).length === 0) return type;
    const { code } = source.data;
    const found = this.program.lookup(source, code[at + 2]!, name.slice(0, cut), true);
    const of = found && this.typeOf(source, found, at);
    return of?.kind === "class" ? this.inObject(type, of, home) : type;
  }

  /** What a container of the library, which may go by another name here, calls its iterator. */
  private iterator(source: Source, name: string, at: Offset, args: readonly Type[], flags: number): Type {
    const container = name.slice(0, name.lastIndexOf("::"));
    const found = this.program.lookup(source, source.data.code[at + 2]!, container, true);
    const type = (found && this.typeOf(source, found, at)) ?? foreign(container.slice(container.lastIndexOf(":") + 1), args);
    return foreign(name.endsWith("reverse_iterator") ? "reverse_iterator" : "iterator", [elementOf(type)], flags);
  }

  /** The type that a name means. */
  private typeOf(source: Source, { spaces, aliases }: Found, at: Offset): Type | undefined {
    const space = this.program.oneClass(source, spaces);
    if (space) return { kind: "class", space, args: [], flags: 0 };
    const alias = this.program.first<Of<AliasFact>>(source, aliases);
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
      case Op.New:
      case Op.Operator: {
        const { type, certainty } = this.call(source, at);
        return { type, certainty };
      }
      case Op.This: {
        const space = this.classAt(source, code[at + 1]!);
        return space ? { type: { kind: "class", space, args: [], flags: isInConst(source, at) ? Flag.Pointer | Flag.Const : Flag.Pointer }, certainty: 1 } : NOTHING;
      }
      case Op.Value:
      case Op.Cast:
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
    const variable = this.seen(source, found.variables);
    if (variable) return this.variableValue(variable);
    if (found.functions.length > 0) return { type: UNKNOWN, certainty: 0, functions: found.functions, ...(args ? { args } : {}) };
    const type = this.typeOf(source, found, at);
    if (type?.kind === "class") return { type: { ...type, ...(args ? { args } : {}) }, certainty: 1, made: type.space };
    return NOTHING;
  }

  /** The global variable, or static member, that a name stands for, where it is defined. */
  variable(source: Source, at: Offset): Variable | undefined {
    const { variable } = this.operand(source, at);
    if (!variable || variable.fact.symbol >= 0) return variable;
    const { code, strings } = source.data;
    const all = this.program.lookup(source, code[at + 2]!, strings[code[at + 1]!]!)?.variables ?? [];
    return this.program.nearest(source, all.filter(({ fact }) => fact.symbol >= 0 && !fact.local))[0];
  }

  private variableValue(variable: Variable): Operand {
    const { source, fact } = variable;
    if (fact.type) return { type: this.type(source, fact.type), certainty: DECLARED, variable };
    const { type, certainty } = this.operand(source, fact.initialiser);
    return { type, certainty, variable };
  }

  /** Globals that are the file's own, or no other's. */
  private seen(source: Source, all: readonly Variable[]): Variable | undefined {
    return this.program.once(source, all, () => this.program.nearest(source, all.filter(({ source: home, fact }) => !fact.local || this.program.sees(source, home.index)))[0]);
  }

  private select(source: Source, of: Offset, name: string, arrow: boolean): Operand {
    const operand = this.operand(source, of);
    return this.selected(source, arrow ? { ...operand, type: this.pointed(operand.type) } : operand, name);
  }

  private selected(source: Source, operand: Operand, name: string, byMacro = true): Operand {
    const { type } = operand;
    if (type.kind === "class") {
      const found = this.program.inSpace(source, type.space, name);
      const path = found || !byMacro ? [] : this.memberPath(source, name);
      if (path.length > 0) return path.reduce((at, part) => this.selected(source, at, part, false), operand);
      if (found?.variables[0]) {
        const value = this.variableValue(found.variables[0]);
        const [{ source: home, fact: { scope } }] = found.variables as [Variable];
        return { ...value, type: this.inObject(value.type, type, this.program.spaceAt(home, scope)), certainty: Math.min(value.certainty, operand.certainty) };
      }
      if (found && found.functions.length > 0) return { type: UNKNOWN, certainty: operand.certainty, functions: found.functions };
      return { type: UNKNOWN, certainty: operand.certainty };
    }
    const given = memberOf(type, name);
    return { type: given, certainty: given.kind === "unknown" ? 0 : Math.min(operand.certainty, INFERRED) };
  }

  /** The members that a macro for a member of a member names: `#define done head.done`. */
  private memberPath(source: Source, name: string): readonly string[] {
    const alias = this.program.macro(source, name)?.fact.alias ?? "";
    const path = alias.split(".");
    return path.length > 1 ? path : [];
  }

  private pointed(type: Type): Type {
    if (type.kind !== "unknown" && type.flags & (Flag.Pointer | Flag.Array)) return { ...type, flags: type.flags & ~(Flag.Pointer | Flag.Array) | Flag.Reference };
    if (type.kind === "class") return this.operator(type, "operator->") ?? this.operator(type, "operator*") ?? type;
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
    return method && this.inObject(this.type(method.source, method.fact.returns), type, method.space);
  }

  /** The type that a member of an object has, with the template arguments of its class for the parameters: `T` of `List<T>` in a `Names : List<Name>`. */
  private inObject(type: Type, of: Type & { kind: "class" }, home: Space | undefined, depth = 0): Type {
    if (type.kind === "unknown" || !home || home === of.space || depth > MAX_BASES) return substitute(type, parametersOf(of.space), of.args);
    if (parametersOf(home).length === 0) return type;
    for (const { type: at } of of.space.type?.fact.bases ?? []) {
      const base = this.type(of.space.type!.source, at);
      if (base.kind !== "class" || (base.space !== home && !this.program.ancestors(base.space).has(home))) continue;
      const args = base.args.map((arg) => substitute(arg, parametersOf(of.space), of.args));
      return this.inObject(type, { ...base, args }, home, depth + 1);
    }
    return type;
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
    const args = count < 0 ? [] : code.slice(at + 3, at + 3 + count);
    return count < 0 || args.some((arg) => code[arg] === Op.Pack) ? undefined : args.map((arg) => this.operand(source, arg).type);
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
    // `T x;` runs a constructor, and makes by name what has none and is no enum; what an initialiser of a field or base runs is no object of its own.
    const isPlain = code[at + 2] === 0 && (code[what + 3]! & Flag.Pointer) === 0;
    const silent = named || (code[what + 3]! & Flag.Reference) !== 0 || (isPlain && (type.space.type?.fact.inner === 0 || type.space.functions.has(type.space.name)));
    return this.made(source, type, this.argumentsOf(source, at), silent);
  }

  private made(source: Source, type: Type & { kind: "class" }, args: readonly Type[] | undefined, silent: boolean): Resolution {
    const declared = type.space.functions.get(type.space.name) ?? [];
    const constructors = args?.length === 1 ? this.givenOne(declared, type.space, args[0]!) : declared;
    const targets = constructors.length > 0 ? this.choice.choose(source, constructors, args).map((target) => ({ ...target, confidence: Math.min(target.confidence, DECLARED) })) : [];
    return { targets, ...(silent ? {} : { made: type.space }), type, certainty: DECLARED };
  }

  /** The constructors that may take one argument. An object of the class is copied, which a class need not say how; its address looks the same. */
  private givenOne(constructors: readonly Function[], space: Space, argument: Type): readonly Function[] {
    const isOne = (type: Type): boolean => type.kind === "class" && (type.space === space || this.program.ancestors(type.space).has(space));
    if (isOne(argument)) return constructors.filter(({ source, fact: { parameters } }) => parameters.length > 0 && isOne(this.type(source, parameters[0]!)));
    return constructors.some(({ fact: { parameters, required, variadic } }) => required <= 1 && (variadic || parameters.length > 0)) ? constructors : [];
  }

  /** What an operator runs; one that no class declares gives what its first known operand is. */
  private operating(source: Source, at: Offset): Resolution {
    const { code, strings } = source.data;
    const name = strings[code[at + 1]!]!;
    const operands = code.slice(at + 3, at + 3 + code[at + 2]!).map((operand) => this.operand(source, operand));
    const targets = this.operators.targets(source, name, operands.map(({ type }) => type));
    if (targets.length > 0) {
      const certainty = Math.min(DECLARED, ...operands.filter(({ type }) => type.kind === "class").map((operand) => operand.certainty));
      const [left] = operands;
      const given = this.result(source, targets.map((target) => ({ ...target, confidence: Math.min(target.confidence, certainty) })), NOTHING);
      return left?.type.kind === "class" ? { ...given, type: substitute(given.type, parametersOf(left.type.space), left.type.args) } : given;
    }
    if (isComparison(name)) return { ...NO_CALL, type: foreign("bool"), certainty: DECLARED };
    const { type, certainty } = operands.find((operand) => operand.type.kind !== "unknown") ?? NOTHING;
    return { targets, type, certainty };
  }

  /** What a loop over an object runs: `begin`, `end`, and what the iterator declares. */
  looping(source: Source, at: Offset): readonly Target[] {
    const { type, certainty } = this.operand(source, source.data.code[at + 1]!);
    if (type.kind !== "class" || (type.flags & (Flag.Pointer | Flag.Array)) !== 0) return [];
    const constant = (type.flags & Flag.Const) !== 0;
    const ends = ["begin", "end"].flatMap((name) => this.choice.choose(source, this.program.inSpace(source, type.space, name)?.functions ?? [], [], constant));
    const iterator = this.operator(type, "begin");
    const steps = iterator ? ["operator!=", "operator++", "operator*"].flatMap((name) => this.operators.targets(source, name, name === "operator!=" ? [iterator, iterator] : [iterator])) : [];
    return [...ends, ...steps].map((target) => ({ ...target, confidence: Math.min(target.confidence, certainty, DECLARED) }));
  }

  private calling(source: Source, at: Offset): Resolution {
    const { code, strings } = source.data;
    const callee = code[at + 1]!;
    const args = this.argumentsOf(source, at);
    if (code[callee] === Op.Name) {
      const name = strings[code[callee + 1]!]!;
      const macro = this.program.macro(source, name);
      if (macro && macro.fact.symbol >= 0) return this.program.mayRun(name) ? this.callMacro(source, at, macro, args) : { targets: [], macro, ...this.givenByMacro(source, at) };
    }
    if (code[callee] === Op.Select) return this.callMember(source, callee, args);
    const operand = this.operand(source, callee);
    if (code[callee] === Op.Variable || code[callee] === Op.Deref || code[callee] === Op.Index) {
      if (operand.functions) return this.result(source, this.choice.choose(source, operand.functions, args).map((t) => ({ ...t, confidence: Math.min(t.confidence, INFERRED) })), operand);
    }
    if (operand.functions) return this.callFunctions(source, operand, args, code[callee] === Op.Name ? strings[code[callee + 1]!]! : "", isInConst(source, callee));
    if (operand.made && operand.type.kind === "class") return this.made(source, operand.type, args, false);
    if (operand.variable || code[callee] === Op.Variable) return this.callValue(source, operand, args);
    return code[callee] === Op.Name ? this.callUnknown(source, callee, args) : NO_CALL;
  }

  /** A macro, or the function of its name that another build has in its place, or that its text calls. */
  private callMacro(source: Source, at: Offset, macro: Of<MacroFact>, args: readonly Type[] | undefined): Resolution {
    const { functions = [] } = this.operand(source, source.data.code[at + 1]!);
    const isMeant = functions.some((one) => !one.space.isClass && this.program.sees(source, one.source.index));
    const targets = isMeant ? this.choice.choose(source, functions, args).map((target) => ({ ...target, confidence: Math.min(target.confidence, INFERRED) })) : [];
    return targets.length > 0 ? { ...this.result(source, targets, NOTHING), macro } : { targets, macro, ...this.givenByMacro(source, at) };
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

  private callFunctions(source: Source, operand: Operand, args: readonly Type[] | undefined, name: string, constant: boolean): Resolution {
    const functions = operand.functions!;
    const [first] = functions;
    if (first?.space.isClass) {
      // A method of the class around, or of a class by its name, which does not run another's.
      const targets = this.choice.choose(source, functions, args, constant).map((t) => ({ ...t, confidence: Math.min(t.confidence, DECLARED) }));
      const owner = name.includes("::") ? undefined : first.space;
      return this.result(source, owner ? this.choice.withOverriding(targets, functions, owner, args) : targets, operand, functions);
    }
    const targets = this.choice.choose(source, functions, args);
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
      if (found?.variables[0] || (!found && this.memberPath(source, simple).length > 0)) return this.callValue(source, this.operand(source, callee), args);
      if (found && found.functions.length > 0) {
        const constant = (type.flags & Flag.Const) !== 0;
        const confidence = Math.min(receiver.certainty, DECLARED);
        const targets = this.choice.choose(source, found.functions, args, constant).map((t) => ({ ...t, confidence: Math.min(t.confidence, confidence) }));
        const byReference = (type.flags & (Flag.Pointer | Flag.Reference)) !== 0 || receiver.type !== type;
        const all = byReference && cut < 0 ? this.choice.withOverriding(targets, found.functions, type.space, args) : targets;
        const resolution = this.result(source, all, receiver, found.functions);
        return { ...resolution, type: this.inObject(resolution.type, type, (all[0]?.function ?? found.functions[0]!).space) };
      }
      return NO_CALL;
    }
    if (type.kind === "foreign") {
      const heirs = this.inHeirs(source, type, simple, args);
      if (heirs.length > 0) return this.result(source, heirs, { type: UNKNOWN, certainty: POSSIBLE });
      const given = memberOf(type, simple);
      return { targets: [], type: given, certainty: given.kind === "unknown" ? 0 : INFERRED };
    }
    if (isCommon(simple)) return NO_CALL;
    const guess = this.byName.get(simple);
    return guess ? { targets: [{ function: guess, confidence: GUESS }], type: UNKNOWN, certainty: 0 } : NO_CALL;
  }

  /** What heirs have that give themselves to their base: `struct Circle : Shape<Circle>`, where `Shape` calls a method of its parameter. */
  private inHeirs(source: Source, { of, name }: Type & { kind: "foreign" }, method: string, args: readonly Type[] | undefined): Target[] {
    const found: Target[] = [];
    for (const { type: heir } of of ? this.choice.heirs(of) : []) {
      for (const { type: at } of heir?.fact.bases ?? []) {
        const base = this.type(heir!.source, at);
        const given = base.kind === "class" && base.space === of ? base.args[parametersOf(of).indexOf(name)] : undefined;
        if (given?.kind !== "class") continue;
        for (const target of this.choice.choose(source, this.program.inSpace(source, given.space, method)?.functions ?? [], args)) found.push({ ...target, confidence: Math.min(target.confidence, POSSIBLE) });
        if (found.length > MAX_POSSIBLE) return [];
      }
    }
    return found;
  }

  /** A call of what a field or variable holds: which functions that may be, `Stored` tells. */
  private callValue(source: Source, operand: Operand, args: readonly Type[] | undefined): Resolution {
    const { type } = operand;
    if (type.kind === "class" && !(type.flags & Flag.Pointer)) {
      const methods = this.program.inSpace(source, type.space, "operator()")?.functions ?? [];
      if (methods.length > 0) return this.result(source, this.choice.choose(source, methods, args).map((t) => ({ ...t, confidence: Math.min(t.confidence, DECLARED) })), operand);
    }
    const given = calledGives(type);
    return { targets: [], type: given.kind === "unknown" ? given : { ...given, flags: given.flags & ~Flag.Function }, certainty: Math.min(operand.certainty, INFERRED) };
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
        if (found && found.functions.length > 0) return this.result(source, this.choice.choose(source, found.functions, args), { type: UNKNOWN, certainty: DECLARED }, found.functions);
      }
    }
    return NO_CALL;
  }

  /** What the functions give that a call runs. */
  private result(source: Source, targets: readonly Target[], operand: Operand, all: readonly Function[] = []): Resolution {
    const chosen = targets[0]?.function ?? this.program.first(source, all);
    if (!chosen) return { ...NO_CALL, targets };
    let type = this.type(chosen.source, chosen.fact.returns);
    if (operand.args) type = substitute(type, chosen.fact.templates, operand.args);
    return { targets, type, certainty: Math.min(DECLARED, targets[0]?.confidence ?? DECLARED) };
  }

  // Functions as values

  /** The functions that a name stands for as a value; none when it may be one of several. */
  passed(source: Source, at: Offset): readonly Target[] {
    const { functions } = this.operand(source, at);
    if (!functions || functions.some(({ space }) => space.isClass && !source.data.cpp)) return [];
    const targets = this.choice.choose(source, functions);
    if (targets.length > 2) return [];
    const [first] = functions;
    return first?.space.isClass ? this.choice.withOverriding(targets, functions, first.space, undefined) : targets;
  }

  /** The functions that one of several declarations stands for, where a macro puts its name together. */
  chosen(source: Source, functions: readonly Function[]): readonly Target[] {
    const targets = this.choice.choose(source, functions).map((target) => ({ ...target, confidence: Math.min(target.confidence, DECLARED) }));
    return targets.length > 2 ? [] : targets;
  }

  destructor(source: Source, at: Offset): readonly Target[] {
    const { type } = this.operand(source, at);
    if (type.kind !== "class") return [];
    return this.choice.choose(source, type.space.functions.get(`~${type.space.name}`) ?? []).map((t) => ({ ...t, confidence: Math.min(t.confidence, DECLARED) }));
  }
}

function parametersOf({ type }: Space): readonly string[] {
  return type?.fact.parameters ?? [];
}

/** Whether a record stands in a const method, whose own object may not change. */
function isInConst({ data: { constants } }: Source, at: Offset): boolean {
  for (let i = 0; i < constants.length; i += 2) if (at >= constants[i]! && at < constants[i + 1]!) return true;
  return false;
}
