import { FEW, ONE_OF_MANY } from "../../language.ts";
import { isTestPath } from "../../test-paths.ts";
import { type Like, likeliness, likeOf } from "../patterns.ts";
import type { Checker } from "./checker.ts";
import { type MemberFact, type Offset, Op } from "./facts.ts";
import { type Found, MAX_IMPLEMENTATIONS, MAX_OVERLOADS } from "./hierarchy.ts";
import type { Inference } from "./inference.ts";
import { DECLARED, GUESS, INFERRED, type Operand } from "./operand.ts";
import { accepts, Fit } from "./overloads.ts";
import { add, type Declaration, isStruct, type Member, type Source } from "./program.ts";
import type { Rules } from "./rules.ts";
import { foreign, sameType, substitute, type Type, UNKNOWN, unionOf } from "./types.ts";

/** What only a class below the declared one has. */
const BELOW = 0.6;

interface Guess {
  found: readonly Found[];
  certainty: number;
}

export interface Reached {
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

/** Tells whom a call may mean, before its arguments choose among them. */
export class Callees {
  private readonly byName = new Map<string, Member[]>();
  /** By name, the methods that a call on an unknown object is taken for. */
  private readonly guesses = new Map<string, Guess>();
  /** By class and name, the methods of classes below, and what was looked for to find them. */
  private readonly heirs = new Map<string, { found: readonly (readonly Found[])[]; asked: ReadonlySet<number> }>();
  private readonly extensions = new Map<string, Member[]>();
  /** Extension methods that a file sees, by its index and their name. */
  private readonly seen = new Map<string, readonly Member[]>();

  constructor(private readonly checker: Checker, private readonly rules: Rules, private readonly inference: Inference) {
    for (const { methods } of checker.program.declarations) {
      for (const [name, members] of methods) {
        for (const member of members) {
          if (member.fact.symbol < 0) continue;
          add(this.byName, name, member);
          if (member.fact.extension) add(this.extensions, name, member);
        }
      }
    }
  }

  constructorsOf(type: Type): Reached {
    const groups = this.checker.termsOf(type).flatMap((term) => (term.kind === "class" ? [this.checker.hierarchy.constructors(term, this.rules.inheritedConstructors)] : []));
    return { groups, certainty: 1, types: [] };
  }

  of(source: Source, callee: Offset): Reached {
    const { code, strings, functions } = source.data;
    switch (code[callee]) {
      case Op.Self:
      case Op.Super:
        return this.constructorsOf(this.checker.operand(source, callee).type);
      case Op.Function:
        return { groups: [[{ member: { fact: functions[code[callee + 1]!]!.member, source }, bindings: new Map() }]], certainty: 1, types: [] };
      case Op.Generic: {
        const explicit = code.slice(callee + 3, callee + 3 + code[callee + 2]!).map((arg) => this.checker.type(source, arg));
        const reached = this.of(source, code[callee + 1]!);
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
        // `var next = (Node node) => node.Next;`
        const lambda = this.rules.functions?.calledFields === true && code[callee] === Op.Variable && code[callee + 1] === 0 && code[code[callee + 2]!] === Op.Lambda ? code[callee + 2]! : 0;
        return { groups, certainty, types: [lambda ? this.checker.operand(source, code[lambda + 3]!).type : this.invoked(type)] };
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
    for (const term of this.checker.termsOf(operand.type).flatMap((one) => this.checker.namedBy(one))) {
      if (term.kind === "class") {
        const methods = this.checker.hierarchy.methods(term, name, false, from);
        if (methods.length > 0) {
          receiver = term;
          groups.push(methods);
          continue;
        }
        const said = this.checker.hierarchy.saidMethod(term, name);
        if (said) types.push(givenBy(said, term, this.checker));
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
  like({ type, static: isStatic }: Operand, like: Like): Pick<Reached, "groups" | "certainty"> {
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
  extensionsOf(source: Source, receiver: Type, name: string): { found: readonly Found[]; likely: boolean } {
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
        const own: MemberFact = { ...fact, parameters: fact.parameters.slice(1), required: Math.max(0, fact.required - 1), ...(fact.modes === undefined ? {} : { modes: fact.modes.slice(1) }) };
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
}

const NO_GUESS: Guess = { found: [], certainty: GUESS };

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

/** What a method without type parameters gives that is called on an object of a type. */
function givenBy({ member: { fact, source }, bindings }: Found, receiver: Type, checker: Checker): Type {
  return source.data.code[fact.type] === Op.Self ? receiver : substitute(checker.type(source, fact.type), bindings);
}
