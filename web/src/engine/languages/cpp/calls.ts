import { Memo } from "../memo.ts";
import { type Checker, isInConst, parametersOf } from "./checker.ts";
import { Choice } from "./choice.ts";
import { categoryOf, Conversions } from "./conversions.ts";
import { Flag, type MacroFact, type Offset, Op } from "./facts.ts";
import { calledGives, foreign, givesFirst, isCommon, memberOf } from "./library.ts";
import { Lifetimes } from "./lifetimes.ts";
import { DECLARED, GUESS, INFERRED, MAX_POSSIBLE, NO_CALL, NOTHING, type Operand, POSSIBLE, type Resolution, type Target } from "./operand.ts";
import { isComparison, Operators } from "./operators.ts";
import type { Function, Of, Program, Source } from "./program.ts";
import { substitute, type Type, UNKNOWN } from "./types.ts";

/** Answers which functions the calls of all files run, and what these give. */
export class Calls {
  private readonly known: Memo<Source, Resolution>;
  private readonly choice: Choice;
  private readonly operators: Operators;
  readonly conversions: Conversions;
  readonly lifetimes: Lifetimes;
  /** The only method of a name. */
  private readonly byName = new Map<string, Function | undefined>();

  constructor(private readonly program: Program, private readonly checker: Checker) {
    this.known = new Memo<Source, Resolution>(program.sources, NO_CALL, (source, at) => {
      const kind = source.data.code[at];
      return kind === Op.New ? this.making(source, at) : kind === Op.Operator ? this.operating(source, at) : this.calling(source, at);
    });
    this.choice = new Choice(program, (source, at) => checker.type(source, at), (from, to) => this.conversions.accepts(from, to));
    this.operators = new Operators(program, this.choice, (source, at) => checker.type(source, at), (from, to) => this.conversions.accepts(from, to));
    this.conversions = new Conversions(program, checker, this.choice);
    this.lifetimes = new Lifetimes(program, checker, this.choice);
    for (const space of program.classes) {
      for (const [name, all] of space.functions) {
        for (const one of all) if (one.fact.symbol >= 0) this.byName.set(name, this.byName.has(name) ? undefined : one);
      }
    }
  }

  /** What a Call, a New or an Operator runs, and gives. */
  of(source: Source, at: Offset): Resolution {
    return this.known.get(source, at);
  }

  private argumentsOf(source: Source, at: Offset): Type[] | undefined {
    const { code } = source.data;
    const count = code[at + 2]!;
    const args = count < 0 ? [] : code.slice(at + 3, at + 3 + count);
    return count < 0 || args.some((arg) => code[arg] === Op.Pack) ? undefined : args.map((arg) => this.checker.operand(source, arg).type);
  }

  private making(source: Source, at: Offset): Resolution {
    const { code } = source.data;
    const what = code[at + 1]!;
    const named = code[what] === Op.Name;
    let type = named ? UNKNOWN : this.checker.type(source, what);
    if (named) {
      // A constructor's initialiser: a field, or a base.
      const value = this.checker.operand(source, what);
      if (value.variable && value.type.kind === "class" && value.type.flags & (Flag.Pointer | Flag.Reference)) return NO_CALL;
      type = value.variable || value.made ? value.type : this.checker.type(source, what);
    }
    if (type.kind !== "class") return { targets: [], type, certainty: DECLARED };
    // `T x;` runs a constructor, and makes by name what has none and is no enum; what an initialiser of a field or base runs is no object of its own.
    const isPlain = code[at + 2] === 0 && (code[what + 3]! & Flag.Pointer) === 0;
    const silent = named || (code[what + 3]! & Flag.Reference) !== 0 || (isPlain && (type.space.type?.fact.inner === 0 || type.space.functions.has(type.space.name)));
    return this.made(source, type, this.argumentsOf(source, at), silent, code[at + 2] === 1 ? code[at + 3]! : 0);
  }

  /** What making an object runs. `only`: the only argument, by its record. */
  private made(source: Source, type: Type & { kind: "class" }, args: readonly Type[] | undefined, silent: boolean, only: Offset): Resolution {
    const declared = type.space.functions.get(type.space.name) ?? [];
    const constructors = args?.length === 1 ? this.givenOne(source, declared, type, args[0]!, only) : declared;
    const targets = constructors.length > 0 ? this.choice.choose(source, constructors, args).map((target) => ({ ...target, confidence: Math.min(target.confidence, DECLARED) })) : [];
    return { targets, ...(silent ? {} : { made: type.space }), type, certainty: DECLARED };
  }

  /** The constructors that may take one argument. An object of the class is copied, which a class need not say how. */
  private givenOne(source: Source, constructors: readonly Function[], type: Type & { kind: "class" }, argument: Type, only: Offset): readonly Function[] {
    if (this.conversions.isOne(argument, type.space)) return this.conversions.copying(constructors, type, categoryOf(source, only, this.checker.operand(source, only)));
    return constructors.some(({ fact: { parameters, required, variadic } }) => required <= 1 && (variadic || parameters.length > 0)) ? constructors : [];
  }

  /** What an operator runs; one that no class declares gives what its first object is, or its first known operand. */
  private operating(source: Source, at: Offset): Resolution {
    const { code, strings } = source.data;
    const name = strings[code[at + 1]!]!;
    const operands = code.slice(at + 3, at + 3 + code[at + 2]!).map((operand) => this.checker.operand(source, operand));
    const targets = this.operators.targets(source, name, operands.map(({ type }) => type));
    if (targets.length > 0) {
      const certainty = Math.min(DECLARED, ...operands.filter(({ type }) => type.kind === "class").map((operand) => operand.certainty));
      const [left] = operands;
      const given = this.result(source, targets.map((target) => ({ ...target, confidence: Math.min(target.confidence, certainty) })), NOTHING);
      return left?.type.kind === "class" ? { ...given, type: substitute(given.type, parametersOf(left.type.space), left.type.args) } : given;
    }
    if (isComparison(name)) return { ...NO_CALL, type: foreign("bool"), certainty: DECLARED };
    const { type, certainty } = operands.find((operand) => operand.type.kind === "class") ?? operands.find((operand) => operand.type.kind !== "unknown") ?? NOTHING;
    return { targets, type, certainty };
  }

  /** What a loop over an object runs: `begin`, `end`, and what the iterator declares. */
  looping(source: Source, at: Offset): readonly Target[] {
    const { type, certainty } = this.checker.operand(source, source.data.code[at + 1]!);
    if (type.kind !== "class" || (type.flags & (Flag.Pointer | Flag.Array)) !== 0) return [];
    const constant = (type.flags & Flag.Const) !== 0;
    const ends = ["begin", "end"].flatMap((name) => this.choice.choose(source, this.program.inSpace(source, type.space, name)?.functions ?? [], [], constant));
    const iterator = this.checker.operator(type, "begin");
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
    const operand = this.checker.operand(source, callee);
    if (code[callee] === Op.Variable || code[callee] === Op.Deref || code[callee] === Op.Index) {
      if (operand.functions) return this.result(source, this.choice.choose(source, operand.functions, args).map((t) => ({ ...t, confidence: Math.min(t.confidence, INFERRED) })), operand);
    }
    if (operand.functions) return this.callFunctions(source, operand, args, code[callee] === Op.Name ? strings[code[callee + 1]!]! : "", isInConst(source, callee));
    if (operand.made && operand.type.kind === "class") return this.made(source, operand.type, args, false, code[at + 2] === 1 ? code[at + 3]! : 0);
    if (operand.variable || code[callee] === Op.Variable) return this.callValue(source, operand, args);
    return code[callee] === Op.Name ? this.callUnknown(source, at, args) : NO_CALL;
  }

  /** A macro, or the function of its name that another build has in its place, or that its text calls. */
  private callMacro(source: Source, at: Offset, macro: Of<MacroFact>, args: readonly Type[] | undefined): Resolution {
    const { functions = [] } = this.checker.operand(source, source.data.code[at + 1]!);
    const isMeant = functions.some((one) => !one.space.isClass && this.program.sees(source, one.source.index));
    const targets = isMeant ? this.choice.choose(source, functions, args).map((target) => ({ ...target, confidence: Math.min(target.confidence, INFERRED) })) : [];
    return targets.length > 0 ? { ...this.result(source, targets, NOTHING), macro } : { targets, macro, ...this.givenByMacro(source, at) };
  }

  /** `container_of(p, struct s, field)` gives what it names. */
  private givenByMacro(source: Source, at: Offset): Pick<Resolution, "type" | "certainty"> {
    const { code } = source.data;
    for (const arg of code.slice(at + 3, at + 3 + Math.max(0, code[at + 2]!))) {
      const { made, type } = code[arg] === Op.Name ? this.checker.operand(source, arg) : NOTHING;
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
    const receiver = this.checker.operand(source, code[callee + 1]!);
    const type = code[callee + 3] === 1 ? this.checker.pointed(receiver.type) : receiver.type;
    if (type.kind === "class") {
      const found = this.program.inSpace(source, type.space, simple);
      if (found?.variables[0] || (!found && this.checker.memberPath(source, simple).length > 0)) return this.callValue(source, this.checker.operand(source, callee), args);
      if (found && found.functions.length > 0) {
        const constant = (type.flags & Flag.Const) !== 0;
        const confidence = Math.min(receiver.certainty, DECLARED);
        const targets = this.choice.choose(source, found.functions, args, constant).map((t) => ({ ...t, confidence: Math.min(t.confidence, confidence) }));
        const byReference = (type.flags & (Flag.Pointer | Flag.Reference)) !== 0 || receiver.type !== type;
        const all = byReference && cut < 0 ? this.choice.withOverriding(targets, found.functions, type.space, args) : targets;
        const resolution = this.result(source, all, receiver, found.functions);
        return { ...resolution, type: this.checker.inObject(resolution.type, type, (all[0]?.function ?? found.functions[0]!).space) };
      }
      return NO_CALL;
    }
    if (type.kind === "foreign") {
      const heirs = this.inHeirs(source, type, simple, args);
      if (heirs.length > 0) return this.result(source, heirs, { type: UNKNOWN, certainty: POSSIBLE });
      const given = memberOf(type, simple);
      return { targets: [], type: given, certainty: given.kind === "unknown" ? 0 : INFERRED };
    }
    return this.guessed(simple);
  }

  /** The only method of a name, for an object of which nothing is known. */
  private guessed(name: string): Resolution {
    const guess = isCommon(name) ? undefined : this.byName.get(name);
    return guess ? { targets: [{ function: guess, confidence: GUESS }], type: UNKNOWN, certainty: 0 } : NO_CALL;
  }

  /** What heirs have that give themselves to their base: `struct Circle : Shape<Circle>`, where `Shape` calls a method of its parameter. */
  private inHeirs(source: Source, { of, name }: Type & { kind: "foreign" }, method: string, args: readonly Type[] | undefined): Target[] {
    const found: Target[] = [];
    for (const { type: heir } of of ? this.choice.heirs(of) : []) {
      for (const { type: at } of heir?.fact.bases ?? []) {
        const base = this.checker.type(heir!.source, at);
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
  private callUnknown(source: Source, at: Offset, args: readonly Type[] | undefined): Resolution {
    const { code, strings } = source.data;
    const callee = code[at + 1]!;
    const name = strings[code[callee + 1]!]!;
    const simple = name.slice(name.lastIndexOf(":") + 1);
    const templateArgs = code.slice(callee + 4, callee + 4 + code[callee + 3]!).map((arg) => this.checker.type(source, arg));
    if (/^(?:make_unique|make_shared|make_optional|MakeUnique|make_ref)$/.test(simple) && templateArgs[0]) {
      const [type] = templateArgs;
      const pointer = foreign("unique_ptr", [type]);
      return type.kind === "class" ? { ...this.made(source, type, args, false, args?.length === 1 ? code[at + 3]! : 0), type: pointer } : { ...NO_CALL, type: pointer, certainty: DECLARED };
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
    let type = this.checker.type(chosen.source, chosen.fact.returns);
    if (operand.args) type = substitute(type, chosen.fact.templates, operand.args);
    return { targets, type, certainty: Math.min(DECLARED, targets[0]?.confidence ?? DECLARED) };
  }

  // Functions as values

  /** The functions that a name stands for as a value; none when it may be one of several. */
  passed(source: Source, at: Offset): readonly Target[] {
    const { functions, variable } = this.checker.operand(source, at);
    if (!functions && !variable && source.data.code[at] === Op.Select) return this.guessed(source.data.strings[source.data.code[at + 2]!]!).targets;
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
}
