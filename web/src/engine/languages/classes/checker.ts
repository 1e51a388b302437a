import { Depth, Memo } from "../memo.ts";
import { Calls } from "./calls.ts";
import { lengthOf, type Offset, Op } from "./facts.ts";
import { type Found, Hierarchy, LOOPED } from "./hierarchy.ts";
import { Implied } from "./implied.ts";
import { DECLARED, INFERRED, isNull, NO_CALL, NOTHING, type Operand } from "./operand.ts";
import { Lookups } from "./lookups.ts";
import { type Declaration, isStruct, type Program, type Source } from "./program.ts";
import { NUMBERS } from "./overloads.ts";
import { Positions } from "./positions.ts";
import { isByCode, typeByCode } from "./returns.ts";
import type { Rules } from "./rules.ts";
import { foreign, plain, sizes, substitute, type Type, UNKNOWN, unionOf } from "./types.ts";

/** Expressions nested deeper (a chain through that many initialisers) are given up. */
const MAX_DEPTH = 600;
/** What a trait's code calls is looked for in so many of the classes that use it. */
const MAX_USERS = 500;
/** Files that give a variable outside of functions something: of more nothing is said. */
const MAX_OUTSIDE = 8;
/** Files that have a variable of one name: more are not looked through. */
const MAX_NAMED = 200;
/** What may be one of several classes. */
const ONE_OF_SEVERAL = 0.5;

/** Answers what the records of all files stand for, lazily and once each. What cannot be known is UNKNOWN; nothing throws. */
export class Checker {
  readonly hierarchy: Hierarchy;
  readonly calls: Calls;
  readonly implied: Implied;
  readonly positions = new Positions();
  readonly lookups: Lookups;
  private readonly operands: Memo<Source, Operand>;
  private readonly types: Memo<Source, Type>;
  private readonly selected = new Map<Source, ReadonlyMap<Offset, string>>();

  constructor(readonly program: Program, readonly rules: Rules) {
    this.lookups = new Lookups(program);
    this.hierarchy = new Hierarchy(program, (source, at) => this.type(source, at), rules, this.lookups);
    this.operands = new Memo<Source, Operand>(program.sources, NOTHING, (source, at) => {
      const before = this.lookups.by(source);
      const operand = sizes.boundedIn(this.evaluate(source, at));
      this.lookups.back(before);
      return operand;
    }, new Depth(MAX_DEPTH));
    this.types = new Memo<Source, Type>(program.sources, UNKNOWN, (source, at) => this.readType(source, at));
    this.calls = new Calls(this, rules);
    this.implied = new Implied(this, rules.overloads);
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
        const { tuple } = this.rules.functions ?? {};
        if (tuple !== undefined && name.startsWith(`${tuple}:`)) return { ...foreign(tuple, args), names: name.slice(tuple.length + 1).split(",") };
        const declaration = this.program.typeNamed(source, name, code[at + 2]!, args.length, this.hierarchy.inherited);
        const [part] = declaration?.parts ?? [];
        if (part?.fact.alias) return this.type(part.source, part.fact.supers[0]!.type);
        // What an alias stands for is imported without its type arguments (C#).
        const open = this.rules.arityCounts && args.length === 0 ? (part?.fact.typeParameters ?? args).map(() => UNKNOWN) : args;
        return declaration ? { kind: "class", declaration, args: open } : foreign(this.program.foreignNamed(source, name, code[at + 2]!), args);
      }
      case Op.Parameter: {
        const [home, record] = this.program.parameterFor(source, at);
        return { kind: "parameter", source: home, at: record };
      }
      case Op.Array:
        return { kind: "array", element: this.type(source, code[at + 1]!) };
      case Op.Union:
      case Op.OneOf:
        return unionOf(code.slice(at + 2, at + 2 + code[at + 1]!).map((term) => this.type(source, term)));
      case Op.Said: {
        const said = this.type(source, code[at + 1]!);
        return said.kind === "class" || said.kind === "parameter" ? said : this.type(source, code[at + 2]!);
      }
      case Op.Local:
        return this.hierarchy.own(this.program.declaration(source, code[at + 1]!));
      case Op.Inner: {
        const [outer] = this.termsOf(this.operand(source, code[at + 1]!).type);
        const name = strings[code[at + 2]!]!;
        const nested = outer?.kind === "class" ? this.program.nested(outer.declaration, name, 0, this.hierarchy.inherited) : undefined;
        return nested ? this.hierarchy.own(nested) : foreign(name);
      }
      case Op.Of:
        return this.operand(source, code[at + 1]!).type;
      case Op.Made:
        return unionOf(this.termsOf(this.operand(source, code[at + 1]!).type).flatMap((term) => this.namedBy(term)).filter(({ kind }) => kind === "class"));
      case Op.Taken:
        return this.calls.taken(source, code[at + 1]!, code[at + 2]!);
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
  termsOf(type: Type): readonly Type[] {
    if (type.kind === "union") return type.terms.flatMap((term) => this.termsOf(term));
    if (type.kind !== "parameter") return [type];
    const bound = this.type(type.source, type.source.data.code[type.at + 2]!);
    return bound.kind === "parameter" ? [UNKNOWN] : this.termsOf(bound);
  }

  /** The classes that a value of a type may be the name of (PHP); else the type itself. */
  namedBy(type: Type): readonly Type[] {
    const [named] = type.kind === "foreign" && type.name === "class-string" ? type.args : [];
    return named ? this.termsOf(named) : [type];
  }

  elementOf(type: Type, index = false): Type {
    return unionOf(this.termsOf(type).map((term) => {
      if (term.kind === "array") return term.element;
      if (term.kind === "foreign") return this.rules.element(term, index) ?? UNKNOWN;
      if (term.kind !== "class") return UNKNOWN;
      const [read] = index && this.rules.indexMethod !== undefined ? this.hierarchy.methods(term, this.rules.indexMethod) : [];
      const given = read ? substitute(this.type(read.member.source, read.member.fact.type), read.bindings) : UNKNOWN;
      if (given.kind !== "unknown") return given;
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
    for (const name of LOOPED) {
      const [method] = this.hierarchy.methods(type, name);
      if (!method) continue;
      const given = substitute(this.type(method.member.source, method.member.fact.type), method.bindings);
      const current = given.kind === "class" ? this.hierarchy.field(given, "Current", method.member.source) : undefined;
      // An iterator that is declared in the collection gives what that holds.
      const inner = (current && substitute(this.fieldValue(current).type, method.bindings)) ?? (given.kind === "class" ? this.currentOf(given) : undefined);
      const element = given.kind === "array" ? given.element : given.kind === "foreign" ? this.rules.element(given, false) : inner;
      if (element) return element;
    }
    return this.currentOf(type);
  }

  /** What an iterator of the repository gives (PHP). */
  private currentOf(type: Type & { kind: "class" }): Type | undefined {
    const { currentMethod } = this.rules;
    if (currentMethod === undefined || ![...this.hierarchy.foreignAncestors(type.declaration)].some((name) => name.endsWith("Iterator"))) return undefined;
    const [method] = this.hierarchy.methods(type, currentMethod);
    return method && substitute(isByCode(method.member) ? typeByCode(this, method.member) : this.type(method.member.source, method.member.fact.type), method.bindings);
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
        return this.calls.call(source, at);
      case Op.Operator: {
        const { targets, type, certainty } = strings[code[at + 1]!]! === "" ? NO_CALL : this.implied.operator(source, at);
        if (targets.length > 0) return { type, certainty };
        return calculated(code.slice(at + 3, at + 3 + code[at + 2]!).map((one) => this.operand(source, one)));
      }
      case Op.Self:
        return { type: this.type(source, at), certainty: 1 };
      case Op.Super: {
        // What is above is in the repository or unknown: nothing to guess about.
        const type = this.type(source, at);
        return { type: type.kind === "unknown" ? foreign("object") : type, certainty: 1 };
      }
      case Op.Static:
        return { type: this.type(source, code[at + 1]!), certainty: code[code[at + 1]!] === Op.OneOf ? INFERRED : 1, static: true };
      case Op.Value:
        return { type: this.type(source, code[at + 1]!), certainty: DECLARED };
      case Op.Element: {
        const { type, certainty } = this.operand(source, code[at + 1]!);
        return { type: this.elementOf(type), certainty };
      }
      case Op.Ranged: {
        const each = this.operand(source, code[at + 1]!);
        return each.type.kind === "unknown" ? this.operand(source, code[at + 2]!) : each;
      }
      case Op.Keyed:
        return this.operand(source, code[at + 2]!);
      case Op.Index: {
        const own = this.implied.indexers(source, at).map(({ found }) => this.fieldValue(found).type);
        const { type, certainty } = this.operand(source, code[at + 1]!);
        return { type: own.length > 0 ? unionOf(own) : this.elementOf(type, true), certainty };
      }
      case Op.Entry: {
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
        const known = all.filter(({ type }) => type.kind !== "unknown");
        return { type: { kind: "array", element: unionOf(known.map(({ type }) => type)) }, certainty: Math.min(known.length < all.length ? INFERRED : DECLARED, ...known.map((one) => one.certainty)) };
      }
      case Op.Variable: {
        const declared = code[at + 1]!;
        if (declared) return { type: this.type(source, declared), certainty: DECLARED };
        const { type, certainty } = this.operand(source, code[at + 2]!);
        return { type, certainty: Math.min(certainty, DECLARED) };
      }
      case Op.Argument:
        return { type: this.calls.lambdaArgument(source, code[at + 1]!, code[at + 2]!), certainty: INFERRED };
      default:
        return NOTHING;
    }
  }

  private name(source: Source, name: string, within: number): Operand {
    if (name.startsWith(".$")) return this.outside(source, name);
    const { types } = source.data;
    for (let at = within; at >= 0; at = types[at]!.outer) {
      const found = this.hierarchy.field(this.hierarchy.own(this.program.declaration(source, at)), name, source);
      if (found) return this.fieldValue(found);
    }
    for (const { owner } of this.staticImports(source, within, name)) {
      const found = this.hierarchy.field(this.hierarchy.own(owner), name, source);
      if (found) return this.fieldValue(found);
    }
    const declaration = this.program.typeNamed(source, name, within, 0, this.hierarchy.inherited);
    if (declaration) return { type: this.hierarchy.own(declaration), certainty: 1, static: true };
    const namespace = this.program.namespaceAt(source, within);
    // `global::A` begins with a dot.
    const plain = name.replace(/^\./, "");
    if (this.program.isNamespace(plain)) return { ...NOTHING, namespace: plain };
    if (this.rules.outerNamespaces) {
      for (let prefix = namespace; prefix !== ""; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(".")))) {
        if (this.program.isNamespace(`${prefix}.${name}`)) return { ...NOTHING, namespace: `${prefix}.${name}` };
      }
    }
    // By the languages' habit a name that begins with a capital and is declared nowhere is a library's type.
    return /^\p{Lu}/u.test(name) ? { type: foreign(name), certainty: INFERRED, static: true } : NOTHING;
  }

  /** What a variable outside of functions holds (PHP): what the file gives it there, else what all files do. */
  private outside(source: Source, name: string): Operand {
    const named = this.program.functionNamed(source, name, -1);
    const all = named.length > MAX_NAMED ? [] : named.filter(({ fact }) => fact.initialiser !== 0);
    const own = all.filter((member) => member.source === source && !member.fact.said);
    const given = own.length > 0 ? own : all;
    if (given.length > MAX_OUTSIDE) return NOTHING;
    const known = given.map((member) => this.operand(member.source, member.fact.initialiser)).filter(({ type }) => type.kind !== "unknown");
    const type = unionOf(known.map((one) => one.type));
    return { type, certainty: Math.min(type.kind === "union" ? ONE_OF_SEVERAL : INFERRED, ...known.map(({ certainty }) => certainty)) };
  }

  private fieldValue({ member: { fact, source }, bindings, said }: Found): Operand {
    if (said) return this.fieldValue(said);
    if (fact.type) return { type: substitute(this.type(source, fact.type), bindings), certainty: DECLARED };
    const { type, certainty } = this.operand(source, fact.initialiser);
    return { type: substitute(type, bindings), certainty: Math.min(certainty, DECLARED) };
  }

  select(source: Source, of: Offset, name: string): Operand {
    const operand = this.operand(source, of);
    if (operand.namespace !== undefined) {
      const whole = `${operand.namespace}.${name}`;
      const declaration = this.program.absolute(whole, 0) ?? this.program.absolute(whole, -1);
      if (declaration) return { type: this.hierarchy.own(declaration), certainty: 1, static: true };
      return this.program.isNamespace(whole) ? { ...NOTHING, namespace: whole } : NOTHING;
    }
    const found = this.fieldsOf(operand, source, of, name);
    if (found.length > 0) {
      const values = found.map((field) => this.fieldValue(field));
      const known = values.filter(({ type }) => type.kind !== "unknown");
      return { type: unionOf(known.map(({ type }) => type)), certainty: Math.min(operand.certainty, known.length < values.length ? INFERRED : DECLARED, ...known.map((v) => v.certainty)) };
    }
    for (const term of this.termsOf(operand.type)) {
      if (term.kind === "class" && operand.static) {
        const nested = this.program.nested(term.declaration, name, 0, this.hierarchy.inherited) ?? this.program.nested(term.declaration, name, -1, this.hierarchy.inherited);
        if (nested) return { type: this.hierarchy.own(nested), certainty: 1, static: true };
      }
      const part = term.kind === "class" && !operand.static ? this.partOf(term, name) : undefined;
      if (part) return { type: part, certainty: Math.min(operand.certainty, DECLARED) };
      // `money?.Value`, of `Money?`
      if (isStruct(term) && name === "Value") return { type: term, certainty: Math.min(operand.certainty, DECLARED) };
      const type = term.kind === "array" ? (/^length$/i.test(name) ? foreign("int") : undefined) : term.kind === "foreign" ? this.rules.library(term, name) : undefined;
      if (type) return { type, certainty: Math.min(operand.certainty, term.kind === "foreign" && term.name === this.rules.functions?.tuple ? DECLARED : INFERRED) };
      // `Calendar.DAY_OF_MONTH` is a value of whatever type, `Map.Entry` a class.
      if (term.kind === "foreign" && operand.static && /^\p{Lu}(?![\p{Lu}\d]*_)/u.test(name)) return { type: foreign(name), certainty: INFERRED, static: true };
    }
    return NOTHING;
  }

  /** What a value gives at a place (`Item2`) when it is taken apart, by its own `Deconstruct` or as a record (C#). */
  private partOf(type: Type & { kind: "class" }, name: string): Type | undefined {
    const place = this.rules.functions?.tuple === undefined ? undefined : /^Item([1-9])$/.exec(name)?.[1];
    if (place === undefined) return undefined;
    const declared = this.hierarchy.methods(type, "Deconstruct");
    const all = declared.length > 0 ? declared : this.hierarchy.constructors(type, false).filter(({ member: { fact } }) => fact.symbol < 0 && fact.parameters.length > 0);
    return all.length === 1 ? this.hierarchy.parameters(all[0]!)[Number(place) - 1] : undefined;
  }

  fieldsOf(operand: Operand, source: Source, of: Offset, name: string): Found[] {
    const fields = this.termsOf(operand.type).flatMap((term) => {
      const found = term.kind === "class" ? this.hierarchy.field(term, name, source) : undefined;
      return found ? [found] : [];
    });
    if (fields.length > 0) return fields;
    const behind = this.typeBehind(source, of);
    return [...(behind ? [behind] : []), ...this.usersOf(source, of)].flatMap((type) => this.hierarchy.field(type, name, source) ?? []);
  }

  /** The classes that have the code of a trait, where a record stands for its `$this`; what these inherit from, for its `parent`. */
  usersOf(source: Source, of: Offset): (Type & { kind: "class" })[] {
    const { code } = source.data;
    if ((code[of] !== Op.Self && code[of] !== Op.Super) || code[of + 1]! < 0) return [];
    const declaration = this.program.declaration(source, code[of + 1]!);
    if (declaration.kind !== "trait") return [];
    const users = this.hierarchy.descendants(declaration).slice(0, MAX_USERS);
    if (code[of] === Op.Self) return users.map((user) => this.hierarchy.own(user));
    // A class below has the code by the class that uses the trait.
    const traits = new Set([declaration, ...users.filter(({ kind }) => kind === "trait")]);
    const direct = users.map((user) => this.hierarchy.supers(user)).filter((supers) => supers.some(({ type, how }) => how === "mixes" && traits.has(type.declaration)));
    return direct.flatMap((supers) => supers.flatMap(({ type, how }) => (how === "extends" ? [type] : [])));
  }

  /** The type that a name means beside the member of that name: `Color Color`. */
  typeBehind(source: Source, of: Offset): (Type & { kind: "class" }) | undefined {
    const { code, strings } = source.data;
    if (code[of] !== Op.Name) return undefined;
    const declaration = this.program.typeNamed(source, strings[code[of + 1]!]!, code[of + 2]!, 0, this.hierarchy.inherited);
    return declaration && this.hierarchy.own(declaration);
  }

  /**
   * How sure it is that a name of which a member is taken means the field of that name, and not its type (`Color Color`): not where the type itself
   * has the member. Of a library's type that is unknown, unless the code belongs to no object, or the type is one of those that have none.
   */
  readsField(source: Source, at: Offset, field: Found, isStatic: boolean): number {
    const { code, strings } = source.data;
    const { type } = this.fieldValue(field);
    const selected = type.kind === "class" || type.kind === "foreign" ? this.selectedOf(source).get(at) : undefined;
    if (selected === undefined) return 1;
    if (type.kind === "foreign") return type.name !== strings[code[at + 1]!]! || type.name.endsWith("Exception") || field.member.fact.static ? 1 : isStatic ? 0 : INFERRED;
    if (type.kind !== "class" || this.typeBehind(source, at)?.declaration !== type.declaration) return 1;
    const { hierarchy } = this;
    const member = hierarchy.field(type, selected, source)?.member.fact;
    const methods = member ? [] : hierarchy.methods(type, selected);
    const isOfType = member ? member.variable === true || member.static === true
      : methods.length > 0 ? methods.every((method) => method.member.fact.static) : this.program.nested(type.declaration, selected, -1, hierarchy.inherited) !== undefined;
    return isOfType ? 0 : 1;
  }

  /** By the record that a member is taken of, the member's name. */
  private selectedOf(source: Source): ReadonlyMap<Offset, string> {
    let known = this.selected.get(source);
    if (!known) {
      const { code, strings } = source.data;
      const all = new Map<Offset, string>();
      for (let at = 1; at < code.length; at += lengthOf(code, at)) if (code[at] === Op.Select) all.set(code[at + 1]!, strings[code[at + 2]!]!);
      this.selected.set(source, (known = all));
    }
    return known;
  }

  *staticImports(source: Source, within: number, name: string): Iterable<{ owner: Declaration }> {
    for (const { fact, namespace } of this.program.importsAt(source, within)) {
      if (fact.kind !== "static" || (fact.alias !== "" && fact.alias !== name)) continue;
      const path = fact.alias === "" ? fact.path : fact.path.slice(0, Math.max(0, fact.path.lastIndexOf(".")));
      const owner = this.program.importedName({ ...fact, path }, namespace, -1);
      if (owner) yield { owner };
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
}

/** What an operator gives that no type declares: a text where one operand is one, of numbers the widest, at least an `int`. */
function calculated(operands: readonly Operand[]): Operand {
  const [first = NOTHING] = operands;
  const text = operands.find(({ type }) => type.kind === "foreign" && /^[sS]tring$/.test(type.name));
  if (text || operands.length < 2) return text ?? first;
  const widths = operands.map(({ type }) => (type.kind === "foreign" ? NUMBERS.indexOf(plain(type.name)) : -1));
  if (widths.includes(-1)) return first;
  return { type: foreign(NUMBERS[Math.max(...widths, NUMBERS.indexOf("int"))]!), certainty: Math.min(...operands.map(({ certainty }) => certainty)) };
}
