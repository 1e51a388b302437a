import { Depth, Memo } from "../memo.ts";
import { INDEXER, lengthOf, type MemberFact, type Offset, Op } from "./facts.ts";
import { type Found, Hierarchy } from "./hierarchy.ts";
import { accepts, type Argument, choose, Fit, parametersOfFunctional } from "./overloads.ts";
import { add, type Declaration, type Member, type NameRules, type Program, type Source } from "./program.ts";
import { type Bindings, foreign, type ForeignType, keyOf, substitute, type Type, UNKNOWN, unionOf } from "./types.ts";

/** What a language says about itself and its library. */
export interface Rules extends NameRules {
  /** A class may have several methods of one name, told apart by their parameters. */
  overloads: boolean;
  /** A name that is called is a free function, never a member (PHP). */
  freeFunctions: boolean;
  /** A call may give more arguments than there are parameters (PHP). */
  extraArguments: boolean;
  /** `new` runs a constructor of a class above where there is no own one (PHP). */
  inheritedConstructors: boolean;
  /** A method that is named without a call is handed on (C#). */
  methodGroups: boolean;
  /** What a method or field of the standard library gives. */
  library(receiver: ForeignType, member: string): Type | undefined;
  /** What a loop over a library's type gives, or an index into it. */
  element(type: ForeignType, index: boolean): Type | undefined;
}

/** What an expression is. */
export interface Operand {
  type: Type;
  /** How sure the type is. */
  certainty: number;
  /** It names a type. */
  static?: boolean;
  namespace?: string;
}

export interface Target {
  member: Member;
  confidence: number;
  /** The type that it was reached by. */
  receiver?: Declaration | undefined;
}

/** What a call runs and gives. `made` is the class of a new object. */
export interface Resolution {
  targets: readonly Target[];
  made?: Declaration;
  type: Type;
  certainty: number;
}

/** Expressions nested deeper (a chain through that many initialisers) are given up. */
const MAX_DEPTH = 600;
const DECLARED = 0.9;
const INFERRED = 0.7;
const GUESS = 0.4;
const NOTHING: Operand = { type: UNKNOWN, certainty: 0 };
const NO_CALL: Resolution = { targets: [], type: UNKNOWN, certainty: 0 };

/** Types of the library that stand for a function, with what they take: all arguments, all but the last (the result), or the first, twice. */
const FUNCTION_TYPES = new Map<string, "all" | "but last" | "twice">(Object.entries({
  Consumer: "all", BiConsumer: "all", Predicate: "all", BiPredicate: "all", Action: "all", EventHandler: "all",
  Function: "but last", BiFunction: "but last", Func: "but last", Converter: "but last", ToIntFunction: "all", ToLongFunction: "all", ToDoubleFunction: "all",
  UnaryOperator: "twice", BinaryOperator: "twice", Comparator: "twice", Comparison: "twice",
} as const));

/** Answers what the records of all files stand for, lazily and once each. What cannot be known is UNKNOWN; nothing throws. */
export class Checker {
  readonly hierarchy: Hierarchy;
  private readonly operands: Memo<Source, Operand>;
  private readonly types: Memo<Source, Type>;
  private readonly calls: Memo<Source, Resolution>;
  private readonly byName = new Map<string, Member | undefined>();
  private readonly extensions = new Map<string, Member[]>();

  constructor(readonly program: Program, private readonly rules: Rules) {
    this.hierarchy = new Hierarchy(program, (source, at) => this.type(source, at), rules.overloads);
    this.operands = new Memo<Source, Operand>(program.sources, NOTHING, (source, at) => this.evaluate(source, at), new Depth(MAX_DEPTH));
    this.types = new Memo<Source, Type>(program.sources, UNKNOWN, (source, at) => this.readType(source, at));
    this.calls = new Memo<Source, Resolution>(program.sources, NO_CALL, (source, at) => this.resolve(source, at));
    for (const { methods } of program.declarations) {
      for (const [name, members] of methods) {
        for (const member of members) {
          if (member.fact.symbol < 0) continue;
          this.byName.set(name, this.byName.has(name) ? undefined : member);
          if (member.fact.extension) add(this.extensions, name, member);
        }
      }
    }
  }

  // Types

  type(source: Source, at: Offset): Type {
    return this.types.get(source, at);
  }

  private readType(source: Source, at: Offset): Type {
    const { code, strings } = source.data;
    switch (code[at]) {
      case Op.Named: {
        const name = strings[code[at + 1]!]!;
        const args = code.slice(at + 4, at + 4 + code[at + 3]!).map((arg) => this.type(source, arg));
        const declaration = this.program.typeNamed(source, name, code[at + 2]!, args.length, this.hierarchy.inherited);
        return declaration ? { kind: "class", declaration, args } : foreign(name.slice(name.lastIndexOf(".") + 1), args);
      }
      case Op.Parameter:
        return { kind: "parameter", source, at };
      case Op.Array:
        return { kind: "array", element: this.type(source, code[at + 1]!) };
      case Op.Union:
        return unionOf(code.slice(at + 2, at + 2 + code[at + 1]!).map((term) => this.type(source, term)));
      case Op.Local:
        return this.hierarchy.own(this.program.declaration(source, code[at + 1]!));
      case Op.Inner: {
        const [outer] = this.termsOf(this.operand(source, code[at + 1]!).type);
        const name = strings[code[at + 2]!]!;
        const nested = outer?.kind === "class" ? this.program.nested(outer.declaration, name, 0, this.hierarchy.inherited) : undefined;
        return nested ? this.hierarchy.own(nested) : foreign(name);
      }
      case Op.Super: {
        const [above] = code[at + 1]! >= 0 ? this.hierarchy.supers(this.program.declaration(source, code[at + 1]!)).filter(({ how }) => how === "extends") : [];
        return above?.type ?? UNKNOWN;
      }
      case Op.Self:
        return code[at + 1]! >= 0 ? this.hierarchy.own(this.program.declaration(source, code[at + 1]!)) : UNKNOWN;
      default:
        return UNKNOWN;
    }
  }

  /** What members are looked up in: a type parameter's bound, each of several. */
  private termsOf(type: Type): readonly Type[] {
    if (type.kind === "union") return type.terms.flatMap((term) => this.termsOf(term));
    if (type.kind !== "parameter") return [type];
    const bound = this.type(type.source, type.source.data.code[type.at + 2]!);
    return bound.kind === "parameter" ? [UNKNOWN] : this.termsOf(bound);
  }

  private elementOf(type: Type, index = false): Type {
    return unionOf(this.termsOf(type).map((term) => {
      if (term.kind === "array") return term.element;
      if (term.kind === "foreign") return this.rules.element(term, index) ?? UNKNOWN;
      if (term.kind !== "class") return UNKNOWN;
      const indexer = index ? this.hierarchy.field(term, INDEXER) : undefined;
      if (indexer) return this.fieldValue(indexer).type;
      const looped = index ? undefined : this.looped(term);
      if (looped) return looped;
      // A class of the repository that is a library's collection: `class Nodes extends ArrayList<Node>`.
      for (const ancestor of this.hierarchy.ancestors(term)) {
        const bindings = this.hierarchy.bindings(ancestor);
        for (const { source, fact } of ancestor.declaration.parts) {
          for (const { type: at } of fact.supers) {
            const above = this.type(source, at);
            const element = above.kind === "foreign" ? this.rules.element(above, index) : undefined;
            if (element) return substitute(element, bindings);
          }
        }
      }
      return UNKNOWN;
    }));
  }

  /** What an iterator gives that is declared as a method. */
  private looped(type: Type & { kind: "class" }): Type | undefined {
    for (const name of ["iterator", "GetEnumerator", "getIterator"]) {
      const [method] = this.hierarchy.methods(type, name);
      if (!method) continue;
      const given = substitute(this.type(method.member.source, method.member.fact.type), method.bindings);
      const element = given.kind === "foreign" ? this.rules.element(given, false) : undefined;
      if (element) return element;
    }
    return undefined;
  }

  // Expressions

  operand(source: Source, at: Offset): Operand {
    return this.operands.get(source, at);
  }

  private evaluate(source: Source, at: Offset): Operand {
    const { code, strings } = source.data;
    switch (code[at]) {
      case Op.Name:
        return this.name(source, strings[code[at + 1]!]!, code[at + 2]!);
      case Op.Select:
        return this.select(source, code[at + 1]!, strings[code[at + 2]!]!);
      case Op.Call:
      case Op.New:
        return this.call(source, at);
      case Op.Self:
        return { type: this.type(source, at), certainty: 1 };
      case Op.Super: {
        // What is above is in the repository or unknown: nothing to guess about.
        const type = this.type(source, at);
        return { type: type.kind === "unknown" ? foreign("object") : type, certainty: 1 };
      }
      case Op.Static:
        return { type: this.type(source, code[at + 1]!), certainty: 1, static: true };
      case Op.Value:
        return { type: this.type(source, code[at + 1]!), certainty: DECLARED };
      case Op.Element: {
        const { type, certainty } = this.operand(source, code[at + 1]!);
        return { type: this.elementOf(type), certainty };
      }
      case Op.Index: {
        const { type, certainty } = this.operand(source, code[at + 1]!);
        return { type: this.elementOf(type, true), certainty };
      }
      case Op.Either: {
        const all = code.slice(at + 2, at + 2 + code[at + 1]!).map((one) => this.operand(source, one)).filter(({ type }) => type.kind !== "unknown" && !isNull(type));
        const type = unionOf(all.map((one) => one.type));
        return { type, certainty: Math.min(type.kind === "union" ? INFERRED : DECLARED, ...all.map((one) => one.certainty)) };
      }
      case Op.Several: {
        const all = code.slice(at + 2, at + 2 + code[at + 1]!).map((one) => this.operand(source, one));
        return { type: { kind: "array", element: unionOf(all.map(({ type }) => type)) }, certainty: Math.min(DECLARED, ...all.map((one) => one.certainty)) };
      }
      case Op.Variable: {
        const declared = code[at + 1]!;
        if (declared) return { type: this.type(source, declared), certainty: DECLARED };
        const { type, certainty } = this.operand(source, code[at + 2]!);
        return { type, certainty: Math.min(certainty, DECLARED) };
      }
      case Op.Argument:
        return { type: this.lambdaArgument(source, code[at + 1]!, code[at + 2]!), certainty: INFERRED };
      default:
        return NOTHING;
    }
  }

  private name(source: Source, name: string, within: number): Operand {
    const { types } = source.data;
    for (let at = within; at >= 0; at = types[at]!.outer) {
      const found = this.hierarchy.field(this.hierarchy.own(this.program.declaration(source, at)), name);
      if (found) return this.fieldValue(found);
    }
    for (const { owner } of this.staticImports(source, within, name)) {
      const found = this.hierarchy.field(this.hierarchy.own(owner), name);
      if (found) return this.fieldValue(found);
    }
    const declaration = this.program.typeNamed(source, name, within, 0, this.hierarchy.inherited);
    if (declaration) return { type: this.hierarchy.own(declaration), certainty: 1, static: true };
    const namespace = this.program.namespaceAt(source, within);
    if (this.program.isNamespace(name)) return { ...NOTHING, namespace: name };
    if (this.rules.outerNamespaces) {
      for (let prefix = namespace; prefix !== ""; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(".")))) {
        if (this.program.isNamespace(`${prefix}.${name}`)) return { ...NOTHING, namespace: `${prefix}.${name}` };
      }
    }
    // By the languages' habit a name that begins with a capital and is declared nowhere is a library's type.
    return /^\p{Lu}/u.test(name) ? { type: foreign(name), certainty: INFERRED, static: true } : NOTHING;
  }

  private fieldValue({ member: { fact, source }, bindings }: Found): Operand {
    if (fact.type) return { type: substitute(this.type(source, fact.type), bindings), certainty: DECLARED };
    const { type, certainty } = this.operand(source, fact.initialiser);
    return { type: substitute(type, bindings), certainty: Math.min(certainty, DECLARED) };
  }

  private select(source: Source, of: Offset, name: string): Operand {
    const operand = this.operand(source, of);
    if (operand.namespace !== undefined) {
      const whole = `${operand.namespace}.${name}`;
      const declaration = this.program.absolute(whole, 0);
      if (declaration) return { type: this.hierarchy.own(declaration), certainty: 1, static: true };
      return this.program.isNamespace(whole) ? { ...NOTHING, namespace: whole } : NOTHING;
    }
    const found = this.fieldsOf(operand, source, of, name);
    if (found.length > 0) {
      const values = found.map((field) => this.fieldValue(field));
      return { type: unionOf(values.map(({ type }) => type)), certainty: Math.min(operand.certainty, DECLARED, ...values.map((v) => v.certainty)) };
    }
    for (const term of this.termsOf(operand.type)) {
      if (term.kind === "class" && operand.static) {
        const nested = this.program.nested(term.declaration, name, 0, this.hierarchy.inherited);
        if (nested) return { type: this.hierarchy.own(nested), certainty: 1, static: true };
      }
      const type = term.kind === "array" ? (/^length$/i.test(name) ? foreign("int") : undefined) : term.kind === "foreign" ? this.rules.library(term, name) : undefined;
      if (type) return { type, certainty: Math.min(operand.certainty, INFERRED) };
      if (term.kind === "foreign" && operand.static && /^\p{Lu}/u.test(name)) return { type: foreign(name), certainty: INFERRED, static: true };
    }
    return NOTHING;
  }

  private fieldsOf(operand: Operand, source: Source, of: Offset, name: string): Found[] {
    const fields = this.termsOf(operand.type).flatMap((term) => {
      const found = term.kind === "class" ? this.hierarchy.field(term, name) : undefined;
      return found ? [found] : [];
    });
    if (fields.length > 0) return fields;
    const behind = this.typeBehind(source, of);
    return [...(behind ? [behind] : []), ...this.usersOf(source, of)].flatMap((type) => this.hierarchy.field(type, name) ?? []);
  }

  /** The classes that have the code of a trait, where a record stands for its `$this`. */
  private usersOf(source: Source, of: Offset): (Type & { kind: "class" })[] {
    const { code } = source.data;
    if (code[of] !== Op.Self || code[of + 1]! < 0) return [];
    const declaration = this.program.declaration(source, code[of + 1]!);
    return declaration.kind === "trait" ? this.hierarchy.descendants(declaration).map((user) => this.hierarchy.own(user)) : [];
  }

  /** The type that a name means beside the member of that name: `Color Color`. */
  private typeBehind(source: Source, of: Offset): (Type & { kind: "class" }) | undefined {
    const { code, strings } = source.data;
    if (code[of] !== Op.Name) return undefined;
    const declaration = this.program.typeNamed(source, strings[code[of + 1]!]!, code[of + 2]!, 0, this.hierarchy.inherited);
    return declaration && this.hierarchy.own(declaration);
  }

  private *staticImports(source: Source, within: number, name: string): Iterable<{ owner: Declaration }> {
    for (const { fact, namespace } of this.program.importsAt(source, within)) {
      if (fact.kind !== "static" || (fact.alias !== "" && fact.alias !== name)) continue;
      const path = fact.alias === "" ? fact.path : fact.path.slice(0, Math.max(0, fact.path.lastIndexOf(".")));
      const owner = this.program.importedName({ ...fact, path }, namespace, -1);
      if (owner) yield { owner };
    }
  }

  // Calls

  call(source: Source, at: Offset): Resolution {
    return this.calls.get(source, at);
  }

  private resolve(source: Source, at: Offset): Resolution {
    const { code } = source.data;
    const callee = code[at + 1]!;
    const given = code.slice(at + 3, at + 3 + code[at + 2]!);
    const made = code[at] === Op.New ? this.type(source, callee) : undefined;
    const reached = made ? this.constructorsOf(made, this.rules.inheritedConstructors) : this.callees(source, callee);
    const args = given.map((argument) => this.argument(source, argument));
    const groups = reached.groups.flatMap((group) => {
      const { chosen, fits } = choose(this.hierarchy, group, args, this.rules.extraArguments);
      return group.length > 0 ? [{ chosen, fits }] : [];
    });
    const targets = groups.flatMap(({ chosen, fits }) => {
      const nearest = this.nearest(chosen, source);
      const confidence = round(fits ? Math.min(reached.certainty, groups.length > 1 ? INFERRED : 1) / nearest.length : GUESS / nearest.length);
      return nearest.map(({ member, receiver }) => ({ member, confidence, receiver }));
    });
    const base = { targets, ...(made?.kind === "class" ? { made: made.declaration } : {}) };
    if (made) return { ...base, type: made, certainty: DECLARED };
    // The arguments' lambdas ask what this calls while its type is worked out.
    const first = groups.map(({ chosen }) => chosen[0]!);
    this.calls.set(source, at, { ...base, type: UNKNOWN, certainty: 0 });
    const types = first.map((found) => this.returned(source, found, given, reached));
    const type = unionOf(types.length > 0 ? types : reached.types);
    return { ...base, type, certainty: Math.min(DECLARED, first.length > 0 ? reached.certainty : INFERRED) };
  }

  private argument(source: Source, at: Offset): Argument {
    const { code } = source.data;
    if (code[at] === Op.Lambda) return { type: UNKNOWN, lambda: code[at + 4]!, spread: false };
    return { type: this.operand(source, at).type, lambda: -1, spread: code[at] === Op.Spread };
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
    const groups = this.termsOf(type).flatMap((term) => (term.kind === "class" ? [this.hierarchy.constructors(term, inherit)] : []));
    return { groups, certainty: 1, types: [] };
  }

  private callees(source: Source, callee: Offset): Reached {
    const { code, strings, functions } = source.data;
    switch (code[callee]) {
      case Op.Self:
      case Op.Super:
        return this.constructorsOf(this.operand(source, callee).type, this.rules.inheritedConstructors);
      case Op.Function:
        return { groups: [[{ member: { fact: functions[code[callee + 1]!]!.member, source }, bindings: new Map() }]], certainty: 1, types: [] };
      case Op.Generic: {
        const explicit = code.slice(callee + 3, callee + 3 + code[callee + 2]!).map((arg) => this.type(source, arg));
        const reached = this.callees(source, code[callee + 1]!);
        // By habit what takes one type gives that type: `Get<Service>()`.
        const types = reached.groups.length === 0 && reached.types.length === 0 && explicit.length === 1 ? explicit : reached.types;
        return { ...reached, types, explicit };
      }
      case Op.Name:
        return this.calledName(source, strings[code[callee + 1]!]!, code[callee + 2]!, callee);
      case Op.Select:
        return this.calledMember(source, code[callee + 1]!, strings[code[callee + 2]!]!);
      default: {
        // A value that is called: what a delegate or a function object gives.
        const { type, certainty } = this.operand(source, callee);
        const groups = this.termsOf(type).map((term) => (term.kind === "class" ? this.hierarchy.methods(term, "__invoke") : [])).filter((methods) => methods.length > 0);
        return { groups, certainty, types: [this.invoked(type)] };
      }
    }
  }

  private calledName(source: Source, name: string, within: number, callee: Offset): Reached {
    if (this.rules.freeFunctions) {
      const all = this.program.functionNamed(source, name, within);
      return { groups: all.length > 0 ? [all.map((member) => ({ member, bindings: new Map<string, Type>() }))] : [], certainty: 1, types: [] };
    }
    const { types } = source.data;
    let certainty = 1;
    for (let at = within; at >= 0; at = types[at]!.outer) {
      const declaration = this.program.declaration(source, at);
      const methods = this.hierarchy.methods(this.hierarchy.own(declaration), name);
      if (methods.length > 0) return { groups: [methods], certainty, types: [] };
      // Its foreign part may have a method of that name.
      if (this.hierarchy.hasForeignAncestor(declaration)) certainty = DECLARED;
    }
    const imported = [...this.staticImports(source, within, name)].map(({ owner }) => this.hierarchy.methods(this.hierarchy.own(owner), name));
    const methods = imported.find((list) => list.length > 0);
    if (methods) return { groups: [methods], certainty, types: [] };
    return { groups: [], certainty: 0, types: [this.invoked(this.operand(source, callee).type)] };
  }

  private calledMember(source: Source, of: Offset, name: string): Reached {
    const operand = this.operand(source, of);
    const sure = operand.static === true || operand.certainty === 1;
    const groups: Found[][] = [];
    const types: Type[] = [];
    let receiver: Type | undefined;
    let foreignPart = false;
    for (const term of this.termsOf(operand.type)) {
      if (term.kind === "class") {
        const methods = this.hierarchy.methods(term, name);
        if (methods.length > 0) {
          receiver = term;
          groups.push(methods);
          continue;
        }
        if (this.hierarchy.hasForeignAncestor(term.declaration)) foreignPart = true;
        const inherited = this.inheritedLibrary(term, name);
        if (inherited) types.push(inherited);
      } else if (term.kind === "foreign") {
        foreignPart = true;
        const type = this.rules.library(term, name);
        if (type) types.push(type);
      } else if (term.kind === "array") {
        foreignPart = true;
        const type = this.rules.library(foreign("[]", [term.element]), name);
        if (type) types.push(type);
      }
    }
    if (groups.length > 0) return { groups, certainty: sure ? 1 : operand.certainty, types, ...(receiver ? { receiver } : {}) };
    const behind = this.typeBehind(source, of);
    const methods = behind ? this.hierarchy.methods(behind, name) : [];
    if (methods.length > 0) return { groups: [methods], certainty: 1, types };
    if (operand.static !== true) {
      const extensions = this.extensionsOf(source, operand.type, name);
      if (extensions.length > 0) return { groups: [extensions], certainty: Math.min(operand.certainty || GUESS, foreignPart ? INFERRED : DECLARED), types, receiver: operand.type };
    }
    const delegate = this.invoked(this.select(source, of, name).type);
    if (delegate.kind !== "unknown") return { groups: [], certainty: 0, types: [delegate] };
    const mixed = this.mixedIn(source, of, name);
    if (mixed.length > 0) return { groups: mixed, certainty: INFERRED, types };
    const guess = operand.namespace === undefined && !foreignPart && operand.type.kind === "unknown" ? this.byName.get(this.program.fold(name)) : undefined;
    return { groups: guess ? [[{ member: guess, bindings: new Map() }]] : [], certainty: GUESS, types };
  }

  /** What a method gives that a class of the repository has from a library's type: `Nodes extends ArrayList<Node>`. */
  private inheritedLibrary(type: Type & { kind: "class" }, name: string): Type | undefined {
    for (const ancestor of this.hierarchy.ancestors(type)) {
      for (const { source, fact } of ancestor.declaration.parts) {
        for (const { type: at } of fact.supers) {
          const above = this.type(source, at);
          const given = above.kind === "foreign" ? this.rules.library(above, name) : undefined;
          if (given) return substitute(given, this.hierarchy.bindings(ancestor));
        }
      }
    }
    return undefined;
  }

  /** A trait's code calls what the classes have that use it. */
  private mixedIn(source: Source, of: Offset, name: string): Found[][] {
    const seen = new Set<Member>();
    return this.usersOf(source, of).flatMap((user) => {
      const methods = this.hierarchy.methods(user, name).filter(({ member }) => !seen.has(member));
      for (const { member } of methods) seen.add(member);
      return methods.length > 0 ? [methods] : [];
    });
  }

  /** Extension methods, without the parameter that they are called on. */
  private extensionsOf(source: Source, receiver: Type, name: string): Found[] {
    return (this.extensions.get(this.program.fold(name)) ?? []).flatMap((member) => {
      if (!this.program.seesNamespace(source, namespaceOf(member))) return [];
      const { fact } = member;
      const found: Found = { member, bindings: new Map() };
      if (accepts(this.hierarchy, this.hierarchy.parameters(found)[0] ?? UNKNOWN, receiver) < Fit.Unknown) return [];
      const own: MemberFact = { ...fact, parameters: fact.parameters.slice(1), required: Math.max(0, fact.required - 1) };
      return [{ member: { ...member, fact: own }, bindings: this.unified(member.source, fact.parameters[0]!, receiver) }];
    });
  }

  /** The result of calling a value. */
  private invoked(type: Type): Type {
    return unionOf(this.termsOf(type).map((term) => {
      if (term.kind === "foreign") return term.name === "Func" || term.name === "Supplier" ? (term.args.at(-1) ?? UNKNOWN) : UNKNOWN;
      if (term.kind !== "class" || term.declaration.kind !== "delegate") return UNKNOWN;
      const [method] = this.hierarchy.methods(term, "Invoke");
      return method ? substitute(this.type(method.member.source, method.member.fact.type), method.bindings) : UNKNOWN;
    }));
  }

  private returned(source: Source, { member, bindings }: Found, given: readonly Offset[], { receiver, explicit }: Reached): Type {
    const { fact, source: home } = member;
    if (home.data.code[fact.type] === Op.Self && receiver) return receiver;
    const type = substitute(this.type(home, fact.type), bindings);
    if (fact.typeParameters.length === 0) return type;
    if (explicit) return substitute(type, new Map(fact.typeParameters.map((at, i) => [keyOf(home, at), explicit[i] ?? UNKNOWN])));
    return substitute(type, this.inferred(source, { member, bindings }, given));
  }

  /** What a generic method's own parameters stand for, by the arguments' types. */
  private inferred(source: Source, { member: { fact, source: home } }: Found, given: readonly Offset[]): Bindings {
    const inferred = new Map<string, Type>();
    for (const [i, argument] of given.entries()) {
      const at = fact.parameters[Math.min(i, fact.parameters.length - 1)];
      if (at === undefined) break;
      const lambda = source.data.code[argument] === Op.Lambda;
      const type = lambda ? this.operand(source, source.data.code[argument + 3]!).type : this.operand(source, argument).type;
      const parameter = this.type(home, at);
      this.unify(lambda ? resultOf(parameter) : fact.variadic && i >= fact.parameters.length - 1 && parameter.kind === "array" && type.kind !== "array" ? parameter.element : parameter, type, inferred);
    }
    return inferred;
  }

  private unified(source: Source, at: Offset, type: Type): Bindings {
    const bindings = new Map<string, Type>();
    this.unify(this.type(source, at), type, bindings);
    return bindings;
  }

  private unify(pattern: Type, type: Type, into: Map<string, Type>): void {
    if (type.kind === "unknown" || isNull(type)) return;
    if (pattern.kind === "parameter") {
      const key = keyOf(pattern.source, pattern.at);
      if (!into.has(key)) into.set(key, type);
    } else if (pattern.kind === "array") {
      this.unify(pattern.element, this.elementOf(type), into);
    } else if (pattern.kind === "class" && type.kind === "class") {
      const above = this.hierarchy.ancestors(type).find(({ declaration }) => declaration === pattern.declaration);
      for (const [i, arg] of pattern.args.entries()) if (above?.args[i]) this.unify(arg, above.args[i], into);
    } else if (pattern.kind === "foreign") {
      if (pattern.args.length === 1) this.unify(pattern.args[0]!, type.kind === "foreign" && type.args.length === 1 ? type.args[0]! : this.elementOf(type), into);
      else if (type.kind === "foreign") for (const [i, arg] of pattern.args.entries()) if (type.args[i]) this.unify(arg, type.args[i], into);
    }
  }

  /** Looks up all names of types in a file, so that the program notes where they were imported from. */
  nameAll(source: Source): void {
    const { code, strings } = source.data;
    for (let at = 1; at < code.length; at += lengthOf(code, at)) {
      if (code[at] === Op.Named) this.type(source, at);
      else if (code[at] === Op.Name) this.program.typeNamed(source, strings[code[at + 1]!]!, code[at + 2]!, 0, this.hierarchy.inherited);
    }
  }

  /** What a lambda's parameter is, by the method that the lambda is given to. */
  private lambdaArgument(source: Source, lambda: Offset, position: number): Type {
    const { code } = source.data;
    const call = code[lambda + 1]!;
    if (call === 0) return UNKNOWN;
    const index = code[lambda + 2]!;
    if (index < 0) return this.takes(this.type(source, call), position);
    const [target] = this.call(source, call).targets;
    const callee = code[call + 1]!;
    const given = code.slice(call + 3, call + 3 + code[call + 2]!).map((arg) => (code[arg] === Op.Lambda ? 0 : arg));
    if (target) {
      const { member } = target;
      // A receiver's arguments are known to the candidates, not to the target.
      const found = code[call] === Op.New ? { member, bindings: new Map<string, Type>() } : this.callees(source, callee).groups.flat().find((one) => one.member.fact.symbol === member.fact.symbol && one.member.source === member.source);
      if (!found) return UNKNOWN;
      const parameters = this.hierarchy.parameters(found);
      const type = substitute(parameters[Math.min(index, parameters.length - 1)] ?? UNKNOWN, this.inferred(source, found, given));
      return this.takes(type, position);
    }
    if (code[callee] !== Op.Select) return UNKNOWN;
    const receiver = this.operand(source, code[callee + 1]!);
    if (receiver.static) return UNKNOWN;
    const [term] = this.termsOf(receiver.type);
    if (term?.kind === "foreign" && term.args.length > 0) return term.args[Math.min(position, term.args.length - 1)]!;
    return term ? this.elementOf(term) : UNKNOWN;
  }

  private takes(type: Type, position: number): Type {
    if (type.kind === "foreign") {
      const how = FUNCTION_TYPES.get(type.name);
      if (how === undefined) return type.name === "Expression" && type.args[0] ? this.takes(type.args[0], position) : UNKNOWN;
      return (how === "twice" ? type.args[0] : how === "all" ? type.args[position] : type.args.slice(0, -1)[position]) ?? UNKNOWN;
    }
    return parametersOfFunctional(this.hierarchy, type)?.[position] ?? UNKNOWN;
  }

  /** What is run or handed on where a member is named without being called. */
  mentioned(source: Source, at: Offset): readonly Target[] {
    const { code, strings } = source.data;
    if (code[at] === Op.Index) {
      const { type, certainty } = this.operand(source, code[at + 1]!);
      return this.termsOf(type).flatMap((term) => {
        const indexer = term.kind === "class" ? this.hierarchy.field(term, INDEXER) : undefined;
        return indexer ? [{ member: indexer.member, confidence: certainty }] : [];
      });
    }
    const name = strings[code[at + (code[at] === Op.Name ? 1 : 2)]!]!;
    if (code[at] === Op.Name) {
      const { types } = source.data;
      for (let within = code[at + 2]!; within >= 0; within = types[within]!.outer) {
        const own = this.hierarchy.own(this.program.declaration(source, within));
        const field = this.hierarchy.field(own, name);
        if (field) return [{ member: field.member, confidence: 1, receiver: own.declaration }];
        const methods = this.rules.methodGroups ? this.hierarchy.methods(own, name) : [];
        if (methods.length > 0) return this.handedOn(methods, 1);
      }
      return [];
    }
    const operand = this.operand(source, code[at + 1]!);
    if (code[at] === Op.Select) {
      const fields = this.fieldsOf(operand, source, code[at + 1]!, name);
      if (fields.length > 0) return fields.map(({ member }) => ({ member, confidence: round(Math.min(operand.certainty || DECLARED, fields.length > 1 ? INFERRED : 1)) }));
      if (!this.rules.methodGroups) return [];
    }
    const terms = this.termsOf(operand.type);
    const behind = code[at] === Op.Select ? this.typeBehind(source, code[at + 1]!) : undefined;
    const methods = [...terms, ...(behind ? [behind] : [])].map((term) => (term.kind === "class" ? this.hierarchy.methods(term, name) : [])).find((list) => list.length > 0);
    return methods ? this.handedOn(methods, operand.certainty) : [];
  }

  private handedOn(methods: readonly Found[], certainty: number): Target[] {
    return methods.map(({ member }) => ({ member, confidence: round(Math.min(certainty, DECLARED) / methods.length) }));
  }
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
}

/** The namespace that a member's type is declared in. */
function namespaceOf({ source, owner }: Member): string {
  let outermost = owner;
  while (outermost?.outer) outermost = outermost.outer;
  return source.data.scopes[-1 - (outermost?.parts[0]?.fact.outer ?? -1)]?.namespace ?? "";
}

function isNull(type: Type): boolean {
  return type.kind === "foreign" && type.name === "null";
}

/** What a function type's function gives. */
function resultOf(type: Type): Type {
  if (type.kind !== "foreign") return UNKNOWN;
  return FUNCTION_TYPES.get(type.name) === "but last" || type.name === "Supplier" || type.name === "Callable" ? (type.args.at(-1) ?? UNKNOWN) : UNKNOWN;
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}

function commonPrefix(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}
