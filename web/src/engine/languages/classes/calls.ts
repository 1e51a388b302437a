import { Memo } from "../memo.ts";
import { Callees, type Reached } from "./callees.ts";
import type { Checker } from "./checker.ts";
import { nearestOf } from "./copies.ts";
import { isByValue, type Offset, Op } from "./facts.ts";
import type { Found } from "./hierarchy.ts";
import { Inference } from "./inference.ts";
import { Mentions } from "./mentions.ts";
import { DECLARED, GUESS, INFERRED, NO_CALL, type Resolution, rounded, type Target } from "./operand.ts";
import { type Argument, choose, MAX_CHOSEN, suits } from "./overloads.ts";
import type { Source } from "./program.ts";
import { isByCode, typeByCode } from "./returns.ts";
import type { Rules } from "./rules.ts";
import { type ClassType, foreign, keyOf, substitute, type Type, UNKNOWN, unionOf } from "./types.ts";

/** What a call runs, which does not rest on what its lambdas give. */
interface Chosen {
  targets: readonly Target[];
  made: Type | undefined;
  /** The one of each group whose result counts. */
  first: readonly Found[];
  /** The code base has what is called. */
  isOurs: boolean;
  /** What its result rests on, of what was reached: the candidates of all calls would be kept. */
  reached: Omit<Reached, "groups" | "standIns" | "extensions">;
}

/** Answers what calls run and give. */
export class Calls {
  private readonly inference: Inference;
  private readonly callees: Callees;
  private readonly mentions: Mentions;
  private readonly chosen: Memo<Source, Chosen>;
  private readonly calls: Memo<Source, Resolution>;

  constructor(private readonly checker: Checker, private readonly rules: Rules) {
    const { program } = checker;
    this.inference = new Inference(checker);
    this.callees = new Callees(checker, rules, this.inference);
    this.mentions = new Mentions(checker, rules, this.callees);
    const asking = <V>(work: (source: Source, at: Offset) => V) => (source: Source, at: Offset): V => {
      const before = checker.lookups.by(source);
      const found = work(source, at);
      checker.lookups.back(before);
      return found;
    };
    this.chosen = new Memo<Source, Chosen>(program.sources, NOTHING_CHOSEN, asking((source, at) => this.choose(source, at)));
    this.calls = new Memo<Source, Resolution>(program.sources, NO_CALL, asking((source, at) => this.resolve(source, at)));
  }

  /** What a Call or New runs and gives. */
  call(source: Source, at: Offset): Resolution {
    return this.calls.get(source, at);
  }

  private resolve(source: Source, at: Offset): Resolution {
    const { code } = source.data;
    const callee = code[at + 1]!;
    const { targets, made, first, isOurs, reached } = this.chosen.get(source, at);
    const all = made ? this.checker.termsOf(made).flatMap((term) => (term.kind === "class" ? [term.declaration] : [])) : [];
    const base = { targets, ...(made?.kind === "class" || isByValue(code, callee) ? { made: all } : {}) };
    if (made) return { ...base, type: made, certainty: isByValue(code, callee) ? INFERRED : DECLARED };
    const given = code.slice(at + 3, at + 3 + code[at + 2]!);
    const types = first.map((found) => this.returned(source, found, given, reached));
    const type = types.length > 0 ? unionOf(types) : this.madeByLibrary(source, callee, given) ?? unionOf(reached.types);
    const object = type.kind === "unknown" ? this.madeByName(source, callee, given, isOurs) : undefined;
    return { ...base, ...(object ?? { type, certainty: Math.min(first.some(({ member }) => isByCode(member)) ? INFERRED : DECLARED, first.length > 0 ? reached.certainty : INFERRED) }) };
  }

  private choose(source: Source, at: Offset): Chosen {
    const { code } = source.data;
    const made = code[at] === Op.New ? this.checker.type(source, code[at + 1]!) : undefined;
    const reached = made ? { ...this.callees.constructorsOf(made), ...(isByValue(code, code[at + 1]!) ? { certainty: INFERRED } : {}) } : this.callees.of(source, code[at + 1]!);
    const said = this.checker.positions.saidOf(source, at);
    const args = code.slice(at + 3, at + 3 + code[at + 2]!).map((argument, i) => (said ? { ...this.argument(source, argument), ...said.get(i) } : this.argument(source, argument)));
    const groups = reached.groups.flatMap((group) => (group.length > 0 ? [this.chooseOf(group, args, reached)] : []));
    // Of a value that may be of several types the method may be the same in all.
    const several = new Set(groups.map(({ chosen }) => chosen[0]?.member.fact)).size > 1;
    const targets = groups.flatMap(({ chosen, fits, supposed, certainty }): Target[] => {
      if (chosen.length > MAX_CHOSEN) return [];
      const nearest = this.nearest(chosen, source);
      const confidence = rounded(fits ? Math.min(certainty, several || supposed ? INFERRED : 1) / nearest.length : GUESS / nearest.length);
      return nearest.map(({ member, receiver }) => ({ member, confidence, receiver }));
    });
    for (const { member, receiver } of reached.standIns ?? []) targets.push({ member, confidence: INFERRED, receiver });
    const { certainty, types, receiver, explicit } = reached;
    return { targets, made, first: groups.map(({ chosen }) => chosen[0]!), isOurs: groups.length > 0, reached: { certainty, types, ...(receiver ? { receiver } : {}), ...(explicit ? { explicit } : {}) } };
  }

  /** What of a group is called: where no method takes the arguments, an extension method that does. */
  private chooseOf(group: readonly Found[], args: readonly Argument[], { certainty, extensions, explicit }: Reached): { chosen: readonly Found[]; fits: boolean; supposed?: boolean; certainty: number } {
    const { hierarchy } = this.checker;
    const callable = this.rules.arityCounts ? group.flatMap((found) => this.withTypes(found, explicit)) : group;
    const own = choose(hierarchy, callable.length > 0 ? callable : group, args, this.rules.extraArguments);
    if (own.fits && callable.length > 0 && own.chosen.some((found) => suits(hierarchy, found, args))) return { ...own, certainty };
    const others = extensions?.();
    const found = others?.found.flatMap((one) => this.withTypes(one, explicit)) ?? [];
    const other = found.length > 0 ? choose(hierarchy, found, args, false) : undefined;
    if (others && other?.fits && other.chosen.every((one) => suits(hierarchy, one, args))) return { ...other, certainty: others.certainty };
    // What suits none of a class's own may be a method that it has from outside of the code base.
    const receiver = own.chosen[0]?.receiver;
    return { ...own, fits: own.fits && !(this.rules.overloads && receiver && hierarchy.hasForeignAncestor(receiver)), certainty };
  }

  /** A method with its type arguments, as far as they are written; none where it takes another number of them, or nothing that is given tells them. */
  private withTypes(found: Found, explicit: readonly Type[] | undefined): Found[] {
    const { member: { fact, source }, bindings } = found;
    if (explicit) return fact.typeParameters.length === explicit.length ? [{ ...found, bindings: new Map([...bindings, ...fact.typeParameters.map((at, i): [string, Type] => [keyOf(source, at), explicit[i]!])]) }] : [];
    if (fact.typeParameters.length === 0 || fact.extension) return [found];
    const parameters = this.checker.hierarchy.parameters(found);
    return fact.typeParameters.every((at) => parameters.some((type) => hasParameter(type, source, at))) ? [found] : [];
  }

  /** What a library's method gives that rests on what it is given. */
  private madeByLibrary(source: Source, callee: Offset, given: readonly Offset[]): Type | undefined {
    const { code, strings } = source.data;
    const { rules } = this;
    if (!rules.made) return undefined;
    const givenAt = (position: number): Type => this.givenBy(source, given[position] ?? 0);
    // A static method that is imported by its name.
    if (code[callee] === Op.Name) return rules.made(foreign(""), strings[code[callee + 1]!]!, givenAt, given.length);
    if (code[callee] !== Op.Select) return undefined;
    const name = strings[code[callee + 2]!]!;
    for (const term of this.checker.termsOf(this.checker.operand(source, code[callee + 1]!).type)) {
      const receiver = term.kind === "foreign" ? term : term.kind === "array" ? foreign("[]", [term.element]) : undefined;
      const type = receiver && rules.made(receiver, name, givenAt, given.length);
      if (type) return type;
    }
    return undefined;
  }

  /** What an argument is; of a function, what that gives. */
  private givenBy(source: Source, at: Offset): Type {
    return this.givenByFunction(source, at) ?? this.checker.operand(source, at).type;
  }

  /** What an argument gives when it is called, where it is a lambda or the name of a function. */
  givenByFunction(source: Source, at: Offset): Type | undefined {
    const { code } = source.data;
    if (code[at] === Op.Lambda) return this.checker.operand(source, code[at + 3]!).type;
    // `A::new`
    if (code[at] === Op.Static) return this.checker.type(source, code[at + 1]!);
    if (code[at] !== Op.Reference && ((code[at] !== Op.Name && code[at] !== Op.Select) || !this.rules.methodGroups)) return undefined;
    const named = this.mentioned(source, at).filter((target) => target.named);
    return named.length > 0 ? unionOf(named.map(({ member }) => this.checker.type(member.source, member.fact.type))) : undefined;
  }

  /** By habit what is given the name of a class first gives an object of it: `$container->get(Mailer::class)`. `isOurs`: the code base has it. */
  private madeByName(source: Source, callee: Offset, [first = 0]: readonly Offset[], isOurs: boolean): { type: Type; certainty: number } | undefined {
    const { type } = this.argument(source, first);
    const named = type.kind === "foreign" && type.name === "class-string" ? type.args[0] : undefined;
    if (named?.kind !== "class") return undefined;
    const { code, strings } = source.data;
    const at = code[callee] === Op.Select ? code[callee + 2] : code[callee] === Op.Name ? code[callee + 1] : undefined;
    const isHabit = at !== undefined && this.rules.makes?.test(strings[at]!) === true;
    return isHabit || !isOurs ? { type: named, certainty: isHabit ? DECLARED : INFERRED } : undefined;
  }

  /** An argument, as far as it chooses among methods. */
  argument(source: Source, at: Offset): Argument {
    const { code } = source.data;
    if (code[at] === Op.Lambda) {
      return { type: UNKNOWN, lambda: code[at + 4]!, spread: false, ...(this.rules.methodGroups ? this.resultOf(source, at) : {}) };
    }
    const group = this.rules.methodGroups && (code[at] === Op.Name || code[at] === Op.Select || code[at] === Op.Function) ? this.mentioned(source, at).filter(({ named }) => named) : [];
    const counts = new Set(group.map(({ member }) => member.fact.parameters.length));
    if (counts.size === 1) {
      const given = new Set(group.map(({ member }) => isVoid(this.checker.type(member.source, member.fact.type))));
      return { type: UNKNOWN, lambda: [...counts][0]!, ...(given.size === 1 ? { void: given.has(true) } : {}), spread: false };
    }
    // `new(…)`, whose type is the parameter's
    const isOpen = code[at] === Op.New && code[code[at + 1]!] === Op.Taken;
    const { type, certainty, static: isStatic } = this.checker.operand(source, at);
    // What a guess gives tells nothing for sure, nor does a name that only looks like a type's: the property of a library's class.
    return { type: isOpen || ((certainty <= GUESS || (isStatic === true && code[at] === Op.Name)) && this.rules.overloads) ? UNKNOWN : type, lambda: -1, spread: code[at] === Op.Spread };
  }

  /** What is known of what a lambda gives: of a call, which may be dropped, only where it rests on no parameters, which would rest on the choice (C#). */
  private resultOf(source: Source, lambda: Offset): Pick<Argument, "void" | "gives"> {
    const { code } = source.data;
    const body = code[lambda + 3]!;
    const nothing = givesNothing(source, body);
    if (nothing !== undefined) return { void: nothing };
    if (code[body] !== Op.Call || code[lambda + 4]! > 0) return {};
    const { type, certainty } = this.checker.operand(source, body);
    if (type.kind === "unknown" || certainty < DECLARED) return {};
    return isVoid(type) ? { void: true } : { gives: type };
  }

  /** Where a file is kept twice, the copy that is next to the caller. */
  private nearest(all: readonly Found[], source: Source): readonly Found[] {
    const files = new Set(all.map(({ member }) => member.source));
    return files.size < all.length ? all : nearestOf(all, ({ member }) => member.source, source);
  }

  /**
   * What of a class runs where one below names no constructor: the one that needs no arguments. A class without any stands for the one that it
   * has; that is told (as `class`) where it runs one above.
   */
  implied(above: ClassType, source: Source): readonly Target[] | "class" {
    const { hierarchy } = this.checker;
    const declared = hierarchy.constructors(above, false);
    if (declared.length === 0 && hierarchy.constructors(above, true).length > 0) return "class";
    const { chosen, fits } = choose(hierarchy, declared, [], false);
    if (!fits || chosen.length > MAX_CHOSEN) return [];
    const nearest = this.nearest(chosen, source);
    return nearest.map(({ member }) => ({ member, confidence: rounded(1 / nearest.length) }));
  }

  private returned(source: Source, { member, bindings }: Found, given: readonly Offset[], { receiver, explicit }: Chosen["reached"]): Type {
    const { fact, source: home } = member;
    if (home.data.code[fact.type] === Op.Self && receiver) return receiver;
    if (isByCode(member)) return typeByCode(this.checker, member);
    const type = substitute(this.checker.type(home, fact.type), bindings);
    if (fact.typeParameters.length === 0) return type;
    if (explicit) return substitute(type, new Map(fact.typeParameters.map((at, i) => [keyOf(home, at), explicit[i] ?? UNKNOWN])));
    const inferred = substitute(type, this.inference.inferred(source, { member, bindings }, given));
    // A type parameter of a comment that no argument decides.
    return inferred.kind === "parameter" && home.data.code[fact.type] === Op.Said ? this.checker.type(home, home.data.code[fact.type + 2]!) : inferred;
  }

  /** The type of the parameter that an argument of a call is for. */
  taken(source: Source, call: Offset, position: number): Type {
    const { code } = source.data;
    const [target] = this.chosen.get(source, call).targets;
    if (!target) return UNKNOWN;
    const { member } = target;
    const given = code.slice(call + 3, call + 3 + code[call + 2]!).map((arg, i) => ((code[arg] === Op.Lambda && i >= position) || code[arg] === Op.New ? 0 : arg));
    // What functions before it give is known, as those do not rest on it. A receiver's arguments are known to the candidates, not to the target.
    const found = code[call] === Op.New ? { member, bindings: new Map<string, Type>() } : this.callees.of(source, code[call + 1]!).groups.flat().find((one) => one.member.fact.symbol === member.fact.symbol && one.member.source === member.source);
    if (!found) return UNKNOWN;
    const parameters = this.checker.hierarchy.parameters(found);
    return substitute(parameters[Math.min(position, parameters.length - 1)] ?? UNKNOWN, this.inference.inferred(source, found, given));
  }

  /** What a lambda's parameter is, by the method that the lambda is given to. */
  lambdaArgument(source: Source, lambda: Offset, position: number): Type {
    const { code } = source.data;
    const call = code[lambda + 1]!;
    if (call === 0) return UNKNOWN;
    const index = code[lambda + 2]!;
    if (index < 0) return this.inference.takes(this.checker.type(source, call), position);
    const taken = this.taken(source, call, index);
    if (taken.kind !== "unknown" || this.chosen.get(source, call).targets.length > 0) return this.inference.takes(taken, position);
    const callee = code[call + 1]!;
    if (code[callee] !== Op.Select) return UNKNOWN;
    const receiver = this.checker.operand(source, code[callee + 1]!);
    const [term] = this.checker.termsOf(receiver.type);
    // `Parallel.ForEach(all, one => one.Load())`
    const loops = index > 0 && term?.kind === "foreign" && this.rules.looping?.test(term.name) === true;
    if (receiver.static) return loops && position === 0 ? this.checker.elementOf(this.checker.operand(source, code[call + 3]!).type) : UNKNOWN;
    // `handlers.put("save", form -> form.save())`
    if (term?.kind === "foreign" && term.args.length > 0 && this.rules.functions?.fills.test(source.data.strings[code[callee + 2]!]!)) {
      const taken = this.inference.takes(term.args.at(-1)!, position);
      if (taken.kind !== "unknown") return taken;
    }
    const element = term ? this.checker.elementOf(term) : UNKNOWN;
    const given = (i: number): Type => (i < code[call + 2]! ? this.givenBy(source, code[call + 3 + i]!) : UNKNOWN);
    const other = this.rules.handsOn?.(source.data.strings[code[callee + 2]!]!, index, position, element, (i) => this.checker.elementOf(given(i)), given);
    if (other) return other;
    // A loop over a table gives its pairs, one over a group what is in the group.
    if (position === 0 && element.kind !== "unknown") return element;
    if (term?.kind === "foreign" && term.args.length > 0) return term.args[Math.min(position, term.args.length - 1)]!;
    return element;
  }

  /** The extension methods of a name for a type that has no such method itself (C#). */
  extensions(source: Source, type: Type, name: string): readonly Found[] {
    return this.callees.extensionsOf(source, type, name).found;
  }

  /** What is run or handed on where a member is named without being called; `isStatic`: by code that belongs to no object. */
  mentioned(source: Source, at: Offset, isStatic = false): readonly Target[] {
    return this.mentions.of(source, at, isStatic);
  }
}

/** Whether a lambda gives nothing, where its code alone says so: a call may be of what gives something or not (C#). */
function givesNothing({ data: { code, strings } }: Source, body: Offset): boolean | undefined {
  if (code[body] === Op.Either) return false;
  const type = code[body] === Op.Value ? code[body + 1]! : 0;
  return code[type] === Op.Named && strings[code[type + 1]!] === "void" ? true : undefined;
}

function isVoid(type: Type): boolean {
  return type.kind === "foreign" && type.name === "void";
}

function hasParameter(type: Type, source: Source, at: Offset): boolean {
  switch (type.kind) {
    case "parameter":
      return type.source === source && type.at === at;
    case "array":
      return hasParameter(type.element, source, at);
    case "class":
    case "foreign":
      return type.args.some((one) => hasParameter(one, source, at));
    default:
      return type.kind === "union";
  }
}

const NOTHING_CHOSEN: Chosen = { targets: [], made: undefined, first: [], isOurs: false, reached: { certainty: 0, types: [] } };
