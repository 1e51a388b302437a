import { FEW, ONE_OF_MANY } from "../../language.ts";
import { isTestPath } from "../../test-paths.ts";
import { Memo } from "../memo.ts";
import type { Checker } from "./checker.ts";
import { INDEXER, type MemberFact, type Offset, Op } from "./facts.ts";
import { type Found, MAX_IMPLEMENTATIONS, MAX_OVERLOADS } from "./hierarchy.ts";
import { Inference } from "./inference.ts";
import { DECLARED, GUESS, INFERRED, NO_CALL, type Operand, type Resolution, type Target } from "./operand.ts";
import { accepts, type Argument, choose, Fit, MAX_CHOSEN, suits } from "./overloads.ts";
import { add, type Declaration, isStruct, type Member, type Source } from "./program.ts";
import type { Rules } from "./rules.ts";
import { type Like, likeliness, likeOf } from "../patterns.ts";
import { type ClassType, foreign, keyOf, sameType, substitute, type Type, UNKNOWN, unionOf } from "./types.ts";

/** What only a class below the declared one has. */
const BELOW = 0.6;

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

interface Guess {
  found: readonly Found[];
  certainty: number;
}

interface Reached {
  /** Candidates, for each type that the receiver may have. */
  groups: readonly (readonly Found[])[];
  certainty: number;
  /** What is given when there are no candidates. */
  types: readonly Type[];
  receiver?: Type;
  /** The type arguments that are written. */
  explicit?: readonly Type[];
  /** What runs in the place of a method that is not there, with other arguments. */
  standIns?: readonly Found[];
  /** What a call means that suits none of a group: extension methods, and how sure they are. */
  extensions?: () => { found: readonly Found[]; certainty: number };
}

/** Answers what calls run and give, and what members are run or handed on without one. */
export class Calls {
  private readonly inference: Inference;
  private readonly chosen: Memo<Source, Chosen>;
  private readonly calls: Memo<Source, Resolution>;
  private readonly byName = new Map<string, Member[]>();
  /** By name, the methods that a call on an unknown object is taken for. */
  private readonly guesses = new Map<string, Guess>();
  /** By class and name, the methods of classes below, and what was looked for to find them. */
  private readonly heirs = new Map<string, { found: readonly (readonly Found[])[]; asked: ReadonlySet<number> }>();
  private readonly extensions = new Map<string, Member[]>();
  private constants: ReadonlyMap<string, readonly Member[]> | undefined;
  /** Extension methods that a file sees, by its index and their name. */
  private readonly seen = new Map<string, readonly Member[]>();

  constructor(private readonly checker: Checker, private readonly rules: Rules) {
    const { program } = checker;
    this.inference = new Inference(checker);
    const asking = <V>(work: (source: Source, at: Offset) => V) => (source: Source, at: Offset): V => {
      const before = checker.lookups.by(source);
      const found = work(source, at);
      checker.lookups.back(before);
      return found;
    };
    this.chosen = new Memo<Source, Chosen>(program.sources, NOTHING_CHOSEN, asking((source, at) => this.choose(source, at)));
    this.calls = new Memo<Source, Resolution>(program.sources, NO_CALL, asking((source, at) => this.resolve(source, at)));
    for (const { methods } of program.declarations) {
      for (const [name, members] of methods) {
        for (const member of members) {
          if (member.fact.symbol < 0) continue;
          add(this.byName, name, member);
          if (member.fact.extension) add(this.extensions, name, member);
        }
      }
    }
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
    const base = { targets, ...(made?.kind === "class" || code[callee] === Op.OneOf ? { made: all } : {}) };
    if (made) return { ...base, type: made, certainty: code[callee] === Op.OneOf ? INFERRED : DECLARED };
    const given = code.slice(at + 3, at + 3 + code[at + 2]!);
    const types = first.map((found) => this.returned(source, found, given, reached));
    const type = types.length > 0 ? unionOf(types) : this.madeByLibrary(source, callee, given) ?? unionOf(reached.types);
    const object = type.kind === "unknown" ? this.madeByName(source, callee, given, isOurs) : undefined;
    return { ...base, ...(object ?? { type, certainty: Math.min(DECLARED, first.length > 0 ? reached.certainty : INFERRED) }) };
  }

  private choose(source: Source, at: Offset): Chosen {
    const { code } = source.data;
    const made = code[at] === Op.New ? this.checker.type(source, code[at + 1]!) : undefined;
    const reached = made ? { ...this.constructorsOf(made, this.rules.inheritedConstructors), ...(code[code[at + 1]!] === Op.OneOf ? { certainty: INFERRED } : {}) } : this.callees(source, code[at + 1]!);
    const args = code.slice(at + 3, at + 3 + code[at + 2]!).map((argument) => this.argument(source, argument));
    const groups = reached.groups.flatMap((group) => (group.length > 0 ? [this.chooseOf(group, args, reached)] : []));
    // Of a value that may be of several types the method may be the same in all.
    const several = new Set(groups.map(({ chosen }) => chosen[0]?.member.fact)).size > 1;
    const targets = groups.flatMap(({ chosen, fits, certainty }): Target[] => {
      if (chosen.length > MAX_CHOSEN) return [];
      const nearest = this.nearest(chosen, source);
      const confidence = round(fits ? Math.min(certainty, several ? INFERRED : 1) / nearest.length : GUESS / nearest.length);
      return nearest.map(({ member, receiver }) => ({ member, confidence, receiver }));
    });
    for (const { member, receiver } of reached.standIns ?? []) targets.push({ member, confidence: INFERRED, receiver });
    const { certainty, types, receiver, explicit } = reached;
    return { targets, made, first: groups.map(({ chosen }) => chosen[0]!), isOurs: groups.length > 0, reached: { certainty, types, ...(receiver ? { receiver } : {}), ...(explicit ? { explicit } : {}) } };
  }

  /** What of a group is called: where no method takes the arguments, an extension method that does. */
  private chooseOf(group: readonly Found[], args: readonly Argument[], { certainty, extensions, explicit }: Reached): { chosen: readonly Found[]; fits: boolean; certainty: number } {
    const { hierarchy } = this.checker;
    const callable = this.rules.arityCounts ? group.flatMap((found) => this.withTypes(found, explicit)) : group;
    const own = choose(hierarchy, callable.length > 0 ? callable : group, args, this.rules.extraArguments);
    if (!extensions || (own.fits && callable.length > 0 && own.chosen.some((found) => suits(hierarchy, found, args)))) return { ...own, certainty };
    const others = extensions();
    const found = others.found.flatMap((one) => this.withTypes(one, explicit));
    const other = found.length > 0 ? choose(hierarchy, found, args, false) : undefined;
    return other?.fits && other.chosen.every((one) => suits(hierarchy, one, args)) ? { ...other, certainty: others.certainty } : { ...own, certainty };
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
    const { code } = source.data;
    if (code[at] === Op.Lambda) return this.checker.operand(source, code[at + 3]!).type;
    // `A::new`
    if (code[at] === Op.Static) return this.checker.type(source, code[at + 1]!);
    if (code[at] === Op.Reference || ((code[at] === Op.Name || code[at] === Op.Select) && this.rules.methodGroups)) {
      const named = this.mentioned(source, at).filter((target) => target.named);
      if (named.length > 0) return unionOf(named.map(({ member }) => this.checker.type(member.source, member.fact.type)));
    }
    return this.checker.operand(source, at).type;
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

  private argument(source: Source, at: Offset): Argument {
    const { code } = source.data;
    if (code[at] === Op.Lambda) return { type: UNKNOWN, lambda: code[at + 4]!, spread: false };
    const group = this.rules.methodGroups && (code[at] === Op.Name || code[at] === Op.Select || code[at] === Op.Function) ? this.mentioned(source, at).filter(({ named }) => named) : [];
    const counts = new Set(group.map(({ member }) => member.fact.parameters.length));
    if (counts.size === 1) {
      const given = new Set(group.map(({ member }) => isVoid(this.checker.type(member.source, member.fact.type))));
      return { type: UNKNOWN, lambda: [...counts][0]!, ...(given.size === 1 ? { void: given.has(true) } : {}), spread: false };
    }
    // `new(…)`, whose type is the parameter's
    const isOpen = code[at] === Op.New && code[code[at + 1]!] === Op.Taken;
    return { type: isOpen ? UNKNOWN : this.checker.operand(source, at).type, lambda: -1, spread: code[at] === Op.Spread };
  }

  /** Where a file is kept twice, the copy that is next to the caller. */
  private nearest(all: readonly Found[], source: Source): readonly Found[] {
    if (all.length < 2) return all;
    const near = all.map(({ member }) => commonPrefix(member.source.path, source.path));
    const most = Math.max(...near);
    const files = new Set(all.map(({ member }) => member.source));
    return files.size < all.length ? all : all.filter((_, i) => near[i] === most);
  }

  private constructorsOf(type: Type, inherit: boolean): Reached {
    const groups = this.checker.termsOf(type).flatMap((term) => (term.kind === "class" ? [this.checker.hierarchy.constructors(term, inherit)] : []));
    return { groups, certainty: 1, types: [] };
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
    return nearest.map(({ member }) => ({ member, confidence: round(1 / nearest.length) }));
  }

  private callees(source: Source, callee: Offset): Reached {
    const { code, strings, functions } = source.data;
    switch (code[callee]) {
      case Op.Self:
      case Op.Super:
        return this.constructorsOf(this.checker.operand(source, callee).type, this.rules.inheritedConstructors);
      case Op.Function:
        return { groups: [[{ member: { fact: functions[code[callee + 1]!]!.member, source }, bindings: new Map() }]], certainty: 1, types: [] };
      case Op.Generic: {
        const explicit = code.slice(callee + 3, callee + 3 + code[callee + 2]!).map((arg) => this.checker.type(source, arg));
        const reached = this.callees(source, code[callee + 1]!);
        // By habit what takes one type gives that type: `Get<Service>()`.
        const types = reached.groups.length === 0 && reached.types.length === 0 && explicit.length === 1 ? [this.ofType(source, code[callee + 1]!, explicit[0]!)] : reached.types;
        return { ...reached, types, explicit };
      }
      case Op.Name:
        return this.calledName(source, strings[code[callee + 1]!]!, code[callee + 2]!, callee);
      case Op.Select:
        return this.calledMember(source, code[callee + 1]!, strings[code[callee + 2]!]!);
      default: {
        // A value that is called: what a delegate or a function object gives.
        const { type, certainty } = this.checker.operand(source, callee);
        const groups = this.checker.termsOf(type).map((term) => (term.kind === "class" ? this.checker.hierarchy.methods(term, "__invoke") : [])).filter((methods) => methods.length > 0);
        return { groups, certainty, types: [this.invoked(type)] };
      }
    }
  }

  /** What a library's method gives that is given one type. */
  private ofType(source: Source, callee: Offset, type: Type): Type {
    const { code, strings } = source.data;
    return (code[callee] === Op.Select ? this.rules.ofType?.(strings[code[callee + 2]!]!, type) : undefined) ?? type;
  }

  private calledName(source: Source, name: string, within: number, callee: Offset): Reached {
    if (this.rules.freeFunctions) {
      const all = this.checker.program.functionNamed(source, name, within).slice(0, MAX_OVERLOADS);
      return { groups: all.length > 0 ? [all.map((member) => ({ member, bindings: new Map<string, Type>() }))] : [], certainty: 1, types: [] };
    }
    const { types } = source.data;
    let certainty = 1;
    for (let at = within; at >= 0; at = types[at]!.outer) {
      const declaration = this.checker.program.declaration(source, at);
      const methods = this.checker.hierarchy.methods(this.checker.hierarchy.own(declaration), name, false, declaration);
      if (methods.length > 0) return { groups: [methods], certainty, types: [] };
      // Its foreign part may have a method of that name.
      if (this.checker.hierarchy.hasForeignAncestor(declaration)) certainty = DECLARED;
    }
    const imported = [...this.checker.staticImports(source, within, name)].map(({ owner }) => this.checker.hierarchy.methods(this.checker.hierarchy.own(owner), name));
    const methods = imported.find((list) => list.length > 0);
    if (methods) return { groups: [methods], certainty, types: [] };
    return { groups: [], certainty: 0, types: [this.invoked(this.checker.operand(source, callee).type)] };
  }

  private calledMember(source: Source, of: Offset, name: string): Reached {
    const { code } = source.data;
    const operand = this.checker.operand(source, of);
    const sure = (operand.static === true && !(code[of] === Op.Static && code[code[of + 1]!] === Op.OneOf)) || operand.certainty === 1;
    const groups: Found[][] = [];
    const types: Type[] = [];
    let receiver: Type | undefined;
    let foreignPart = false;
    const standIns: Found[] = [];
    const like = likeOf(name);
    if (like) return { ...this.like(operand, like), types: [] };
    const from = (code[of] === Op.Self || code[of] === Op.Super) && code[of + 1]! >= 0 ? this.checker.program.declaration(source, code[of + 1]!) : undefined;
    for (const term of this.checker.termsOf(operand.type)) {
      if (term.kind === "class") {
        const methods = this.checker.hierarchy.methods(term, name, false, from);
        if (methods.length > 0) {
          receiver = term;
          groups.push(methods);
          continue;
        }
        const hasForeign = this.checker.hierarchy.hasForeignAncestor(term.declaration);
        if (hasForeign) foreignPart = true;
        const found = this.standIns(term, name, operand.static === true, hasForeign);
        standIns.push(...found);
        if (this.rules.query && found.some(isScope)) types.push(this.rules.query(term));
        if (isStruct(term) && name === "GetValueOrDefault") types.push(term);
        const inherited = (operand.static === true && hasForeign ? this.rules.inheritedStatic?.(term, name) : undefined) ?? this.inheritedLibrary(term, name);
        if (inherited) types.push(inherited);
      } else if (term.kind === "foreign") {
        foreignPart ||= this.rules.methodsOf?.(term.name)?.has(name) !== false;
        const type = this.rules.library(term, name);
        if (type) types.push(type);
        const held = term.args.at(-1);
        const found = held?.kind === "class" ? this.standIns(held, name, false, true).filter(isScope) : [];
        standIns.push(...found);
        if (this.rules.query && found.length > 0) types.push(this.rules.query(held!));
      } else if (term.kind === "array") {
        foreignPart ||= this.rules.methodsOf?.("[]")?.has(name) !== false;
        const type = this.rules.library(foreign("[]", [term.element]), name);
        if (type) types.push(type);
      }
    }
    const extensions = (): { found: readonly Found[]; certainty: number } => {
      const { found, likely } = this.extensionsOf(source, operand.type, name);
      return { found, certainty: Math.min(operand.certainty || GUESS, !likely ? BELOW : foreignPart ? INFERRED : DECLARED) };
    };
    if (groups.length > 0) {
      foreignPart ||= receiver?.kind === "class" && this.checker.hierarchy.hasForeignAncestor(receiver.declaration);
      return { groups, certainty: sure ? 1 : operand.certainty, types, ...(receiver ? { receiver } : {}), standIns, ...(operand.static || this.extensions.size === 0 ? {} : { extensions }) };
    }
    if (standIns.length > 0) return { groups, certainty: INFERRED, types, standIns };
    const behind = this.checker.typeBehind(source, of);
    const methods = behind ? this.checker.hierarchy.methods(behind, name) : [];
    if (methods.length > 0) return { groups: [methods], certainty: 1, types };
    if (operand.static !== true) {
      const { found, certainty } = extensions();
      if (found.length > 0) return { groups: [found], certainty, types, receiver: operand.type };
    }
    const isField = this.rules.functions?.calledFields === true && (types.length === 0 || this.rules.functions.parts?.test(name) === true);
    const delegate = isField ? this.invoked(this.checker.select(source, of, name).type) : UNKNOWN;
    if (delegate.kind !== "unknown") return { groups: [], certainty: 0, types: [delegate] };
    const mixed = this.mixedIn(source, of, name);
    if (mixed.length > 0) return { groups: mixed, certainty: INFERRED, types };
    const below = this.rules.narrows && operand.static !== true && !foreignPart ? this.checker.termsOf(operand.type).flatMap((term) => (term.kind === "class" ? this.below(term, name) : [])) : [];
    if (below.length > 0) return { groups: below, certainty: below.length > FEW ? ONE_OF_MANY : BELOW, types };
    const guessed = operand.namespace === undefined && !foreignPart && (operand.type.kind === "unknown" || (this.rules.narrows && operand.static !== true && code[of] !== Op.Self));
    if (guessed) this.checker.lookups.askAny(name);
    const { found, certainty } = guessed ? this.guess(this.checker.program.fold(name), isTestPath(source.path)) : NO_GUESS;
    return { groups: found.length > 0 ? [found] : [], certainty, types };
  }

  /** What a call by a name on an unknown object is taken for: the method that all others of the name override. Those of tests are nothing to other code. */
  private guess(folded: string, inTest: boolean): Guess {
    const key = `${folded} ${inTest}`;
    const known = this.guesses.get(key);
    if (known) return known;
    const all = (this.byName.get(folded) ?? []).filter((member) => inTest || !isTestPath(member.source.path));
    const { hierarchy } = this.checker;
    const top = all.reduce<Declaration | undefined>((above, { owner }) => (above && owner && !hierarchy.isA(above, owner) ? above : owner), undefined);
    const found = top && all.every(({ owner }) => owner && hierarchy.isA(owner, top)) ? all.filter(({ owner }) => owner === top).map((member) => ({ member, bindings: new Map<string, Type>() })) : [];
    const guess = { found, certainty: all.length > FEW ? ONE_OF_MANY : GUESS };
    this.guesses.set(key, guess);
    return guess;
  }

  /** The methods of a name that a value may have which is of a class below the declared one. */
  private below({ declaration }: Type & { kind: "class" }, name: string): readonly (readonly Found[])[] {
    const { hierarchy, program, lookups } = this.checker;
    const key = `${declaration.id} ${name}`;
    let known = this.heirs.get(key);
    if (!known) {
      let found: Found[][] = [];
      const asked = lookups.during(() => {
        const having = hierarchy.descendants(declaration).filter((heir) => {
          lookups.ask(heir, name);
          return heir.methods.has(program.fold(name));
        });
        if (having.length > MAX_IMPLEMENTATIONS) return;
        found = having.filter((heir) => !having.some((other) => other !== heir && hierarchy.isA(heir, other))).map((heir) => hierarchy.methods(hierarchy.own(heir), name));
      });
      this.heirs.set(key, (known = { found, asked }));
    }
    lookups.again(known.asked);
    return known.found;
  }

  /** The methods that run where a class has none of a name. */
  private standIns(type: Type & { kind: "class" }, name: string, isStatic: boolean, hasForeign: boolean): readonly Found[] {
    for (const one of this.rules.standIns?.(name, { isStatic, hasForeign }) ?? []) {
      const found = this.checker.hierarchy.methods(type, one);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The methods of a value, which may be of a class below the declared one, whose names a pattern means, each name for itself. */
  private like({ type, static: isStatic }: Operand, like: Like): Pick<Reached, "groups" | "certainty"> {
    const { hierarchy } = this.checker;
    const terms = this.checker.termsOf(type).filter((term) => term.kind === "class");
    const own = terms.flatMap((term) => hierarchy.like(term, like));
    const all = isStatic ? own : [...own, ...terms.flatMap((term) => hierarchy.likeBelow(term, like))];
    // What too many classes below have says nothing.
    const groups = likeliness(all.length) === undefined ? own : all;
    const certainty = likeliness(groups.length);
    return certainty === undefined ? { groups: [], certainty: 0 } : { groups, certainty };
  }

  /** What a method gives that a class of the repository has from a library's type: `Nodes extends ArrayList<Node>`. */
  private inheritedLibrary(type: Type & { kind: "class" }, name: string): Type | undefined {
    for (const ancestor of this.checker.hierarchy.ancestors(type)) {
      for (const { source, fact } of ancestor.declaration.parts) {
        for (const { type: at } of fact.supers) {
          const above = this.checker.type(source, at);
          const given = above.kind === "foreign" ? this.rules.library(above, name) : undefined;
          if (given) return substitute(given, this.checker.hierarchy.bindings(ancestor));
        }
      }
    }
    return undefined;
  }

  /** A trait's code calls what the classes have that use it. */
  private mixedIn(source: Source, of: Offset, name: string): Found[][] {
    const seen = new Set<Member>();
    return this.checker.usersOf(source, of).flatMap((user) => {
      const methods = this.checker.hierarchy.methods(user, name).filter(({ member }) => !seen.has(member));
      for (const { member } of methods) seen.add(member);
      return methods.length > 0 ? [methods] : [];
    });
  }

  /**
   * Extension methods, without the parameter that they are called on. Where none is for the receiver's type, those that may be for what
   * its class inherits from outside of the code base, which are not `likely`.
   */
  private extensionsOf(source: Source, receiver: Type, name: string): { found: readonly Found[]; likely: boolean } {
    this.checker.lookups.askExtension(name);
    const all = this.extensionsSeen(source, this.checker.program.fold(name)).map((member) => {
      const first = this.checker.hierarchy.parameters({ member, bindings: new Map() })[0] ?? UNKNOWN;
      return { member, fit: accepts(this.checker.hierarchy, first, receiver), isOpen: receiver.kind === "class" && first.kind === "foreign" };
    });
    const { hierarchy } = this.checker;
    const rest = (member: Member): readonly Type[] => hierarchy.parameters({ member, bindings: new Map() }).slice(1);
    const alike = (a: readonly Type[], b: readonly Type[]): boolean => a.length === b.length && a.every((type, i) => sameType(type, b[i]!) || type.kind === "parameter" && b[i]!.kind === "parameter");
    // Of those that differ in what they are called on alone, the one that suits the receiver.
    const likely = all.filter(({ member, fit }) => fit >= Fit.Unknown && (all.length > FEW || !all.some((other) => other.fit > fit && other.fit > Fit.Converted && alike(rest(member), rest(other.member)))));
    const found = likely.length > 0 ? likely : all.filter(({ fit, isOpen }) => fit === Fit.Unlikely && isOpen);
    return {
      likely: likely.length > 0,
      found: found.map(({ member }) => {
        const { fact } = member;
        const own: MemberFact = { ...fact, parameters: fact.parameters.slice(1), required: Math.max(0, fact.required - 1) };
        return { member: { ...member, fact: own }, bindings: this.inference.unified(member.source, fact.parameters[0]!, receiver) };
      }),
    };
  }

  private extensionsSeen(source: Source, folded: string): readonly Member[] {
    const all = this.extensions.get(folded);
    if (!all) return [];
    const key = `${source.index} ${folded}`;
    let seen = this.seen.get(key);
    if (!seen) this.seen.set(key, (seen = all.filter((member) => this.checker.program.seesNamespace(source, namespaceOf(member))).slice(0, MAX_OVERLOADS)));
    return seen;
  }

  /** The result of calling a value. */
  private invoked(type: Type): Type {
    return unionOf(this.checker.termsOf(type).map((term) => {
      if (term.kind === "foreign") return term.name === "Func" || term.name === "Supplier" ? (term.args.at(-1) ?? UNKNOWN) : UNKNOWN;
      if (term.kind !== "class" || term.declaration.kind !== "delegate") return UNKNOWN;
      const [method] = this.checker.hierarchy.methods(term, "Invoke");
      return method ? substitute(this.checker.type(method.member.source, method.member.fact.type), method.bindings) : UNKNOWN;
    }));
  }

  private returned(source: Source, { member, bindings }: Found, given: readonly Offset[], { receiver, explicit }: Chosen["reached"]): Type {
    const { fact, source: home } = member;
    if (home.data.code[fact.type] === Op.Self && receiver) return receiver;
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
    const given = code.slice(call + 3, call + 3 + code[call + 2]!).map((arg) => (code[arg] === Op.Lambda || code[arg] === Op.New ? 0 : arg));
    // A receiver's arguments are known to the candidates, not to the target.
    const found = code[call] === Op.New ? { member, bindings: new Map<string, Type>() } : this.callees(source, code[call + 1]!).groups.flat().find((one) => one.member.fact.symbol === member.fact.symbol && one.member.source === member.source);
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
    if (receiver.static) return UNKNOWN;
    const [term] = this.checker.termsOf(receiver.type);
    // `handlers.put("save", form -> form.save())`
    if (term?.kind === "foreign" && term.args.length > 0 && this.rules.functions?.fills.test(source.data.strings[code[callee + 2]!]!)) {
      const taken = this.inference.takes(term.args.at(-1)!, position);
      if (taken.kind !== "unknown") return taken;
    }
    const element = term ? this.checker.elementOf(term) : UNKNOWN;
    // A loop over a table gives its pairs, one over a group what is in the group.
    if (position === 0 && element.kind !== "unknown") return element;
    if (term?.kind === "foreign" && term.args.length > 0) return term.args[Math.min(position, term.args.length - 1)]!;
    return element;
  }

  /** What is run or handed on where a member is named without being called; `isStatic`: by code that belongs to no object. */
  mentioned(source: Source, at: Offset, isStatic = false): readonly Target[] {
    const { code, strings } = source.data;
    if (code[at] === Op.Index) {
      const { type, certainty } = this.checker.operand(source, code[at + 1]!);
      return this.checker.termsOf(type).flatMap((term) => {
        const indexer = term.kind === "class" ? this.checker.hierarchy.field(term, INDEXER) : undefined;
        return indexer ? [{ member: indexer.member, confidence: certainty }] : [];
      });
    }
    if (code[at] === Op.Function) return this.handedOn(this.callees(source, at).groups.flat(), 1);
    const name = strings[code[at + (code[at] === Op.Name ? 1 : 2)]!]!;
    if (code[at] === Op.Name) {
      if (this.rules.freeFunctions) return this.handedOn(this.callees(source, at).groups.flat(), 1);
      const { types } = source.data;
      for (let within = code[at + 2]!; within >= 0; within = types[within]!.outer) {
        const own = this.checker.hierarchy.own(this.checker.program.declaration(source, within));
        const field = this.checker.hierarchy.field(own, name);
        const certainty = field && this.rules.methodGroups ? this.checker.readsField(source, at, field, isStatic) : 1;
        if (field) return certainty > 0 ? [{ member: field.member, confidence: certainty, receiver: own.declaration }] : [];
        const methods = this.rules.methodGroups ? this.checker.hierarchy.methods(own, name) : [];
        if (methods.length > 0) return this.handedOn(methods, 1);
      }
      for (const { owner } of this.checker.staticImports(source, code[at + 2]!, name)) {
        const field = this.checker.hierarchy.field(this.checker.hierarchy.own(owner), name);
        if (field) return [{ member: field.member, confidence: 1 }];
      }
      return [];
    }
    const operand = this.checker.operand(source, code[at + 1]!);
    const like = code[at] === Op.Reference ? likeOf(name) : undefined;
    if (like) {
      const { groups, certainty } = this.like(operand, like);
      return groups.flatMap((methods) => this.handedOn(methods, certainty));
    }
    if (code[at] === Op.Select) {
      const fields = this.checker.fieldsOf(operand, source, code[at + 1]!, name);
      if (fields.length === 0 && operand.type.kind === "unknown" && this.rules.narrows && isConstant(name)) return this.guessedConstant(name);
      if (fields.length > 0) return fields.map(({ member }) => ({ member, confidence: round(Math.min(operand.certainty || DECLARED, fields.length > 1 ? INFERRED : 1)) }));
      if (!this.rules.methodGroups) return [];
    }
    const terms = this.checker.termsOf(operand.type);
    const behind = code[at] === Op.Select ? this.checker.typeBehind(source, code[at + 1]!) : undefined;
    const methods = [...terms, ...(behind ? [behind] : [])].map((term) => (term.kind === "class" ? this.checker.hierarchy.methods(term, name) : [])).find((list) => list.length > 0);
    return methods ? this.handedOn(methods, operand.certainty) : [];
  }

  /** The only constant of a name, of a class that is known when it runs: `$host::HOOK`. */
  private guessedConstant(name: string): readonly Target[] {
    this.checker.lookups.askAny(name);
    const all = this.constants ??= this.constantsByName();
    const [only, other] = all.get(name) ?? [];
    return only && !other ? [{ member: only, confidence: INFERRED }] : [];
  }

  private constantsByName(): ReadonlyMap<string, readonly Member[]> {
    const all = new Map<string, Member[]>();
    for (const { fields } of this.checker.program.declarations) for (const [name, members] of fields) if (isConstant(name)) for (const member of members) add(all, name, member);
    return all;
  }

  private handedOn(methods: readonly Found[], certainty: number): Target[] {
    return methods.length > MAX_CHOSEN ? [] : methods.map(({ member }) => ({ member, confidence: round(Math.min(certainty, member.fact.variable ? 1 : DECLARED) / methods.length), named: true }));
  }
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

const NO_GUESS: Guess = { found: [], certainty: GUESS };
const NOTHING_CHOSEN: Chosen = { targets: [], made: undefined, first: [], isOurs: false, reached: { certainty: 0, types: [] } };

/** PHP's constants have names apart. */
function isConstant(name: string): boolean {
  return name.startsWith("::");
}

/** Not what runs whatever name is called. */
function isScope({ member }: Found): boolean {
  return !member.fact.name.startsWith("__");
}

/** The namespace that a member's type is declared in. */
function namespaceOf({ owner }: Member): string {
  let outermost = owner;
  while (outermost?.outer) outermost = outermost.outer;
  const first = outermost?.parts[0];
  return first?.source.data.scopes[-1 - first.fact.outer]?.namespace ?? "";
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}

function commonPrefix(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}
