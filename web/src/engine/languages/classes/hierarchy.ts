import { ANY, type Like } from "../patterns.ts";
import { spend } from "../../effort.ts";
import { Conversions } from "./conversions.ts";
import { nextTo } from "./copies.ts";
import { INDEXER } from "./facts.ts";
import type { Lookups } from "./lookups.ts";
import { accepts, Fit } from "./overloads.ts";
import { add, type Alias, type Declaration, type Member, type Program, saidKey, type Source } from "./program.ts";
import type { Rules } from "./rules.ts";
import { type Bindings, type ClassType, keyOf, type ParameterType, plain, sameType, substitute, type Type, UNKNOWN } from "./types.ts";

/** The method of an interface that a lambda is the body of, and who declares it. */
export interface Functional { member: Member; declaration: Declaration }

/** A member as it is reached from a type: what that type's arguments make of its parameters. */
export interface Found {
  member: Member;
  bindings: Bindings;
  /** The type that it was looked for in. */
  receiver?: Declaration;
  /** What code of a class below gives a property that is declared without a type and a value (PHP). */
  said?: Found;
}

const NONE: Bindings = new Map();
/** Overloads beyond so many are not looked at: the most that people write, or have written by programs, are some hundred. */
export const MAX_OVERLOADS = 500;
/** Ancestors beyond so many are not asked, nor such that so many stand between: people write some fifty, in some ten steps. */
const MAX_ANCESTORS = 200;
/** What has more implementations than this says nothing about which of them runs. */
export const MAX_IMPLEMENTATIONS = 100;
/** Methods that give what a loop goes through. */
export const LOOPED = ["iterator", "GetEnumerator", "getIterator"];
/** What a loop runs of an object that is an iterator itself (PHP). */
export const ITERATOR = ["current", "key", "next", "rewind", "valid"];

/** Who extends what, and which members a type has from whom. */
export class Hierarchy {
  private readonly lists = new Map<Declaration, ClassType[]>();
  private readonly owns = new Map<Declaration, ClassType>();
  private readonly open = new Set<Declaration>();
  /** By interface, its one method without a body; see parametersOfFunctional. */
  readonly functional = new Map<Declaration, Functional | undefined>();
  private children: Map<Declaration, Declaration[]> | undefined;
  private foreign: Map<string, Declaration[]> | undefined;

  /** Of a language that has some. */
  readonly conversions: Conversions | undefined;

  /** `typeAt` reads a record as a type. */
  constructor(
    private readonly program: Program, private readonly typeAt: (source: Source, at: number) => Type,
    readonly rules: Pick<Rules, "overloads" | "conversions" | "interfacesApart" | "primitiveArguments" | "foreignAbove" | "supertypes">, private readonly lookups: Lookups,
  ) {
    this.conversions = rules.conversions ? new Conversions(program, this, typeAt) : undefined;
  }

  /** A declaration's type inside of itself. */
  own(declaration: Declaration): ClassType {
    const known = this.owns.get(declaration);
    if (known) return known;
    const [part] = declaration.parts;
    const own: ClassType = { kind: "class", declaration, args: part!.fact.typeParameters.map((at) => this.typeAt(part!.source, at)) };
    this.owns.set(declaration, own);
    return own;
  }

  /** What a type parameter is known to be at least. */
  boundOf({ source, at }: ParameterType): Type | undefined {
    const bound = this.typeAt(source, source.data.code[at + 2]!);
    return bound.kind === "unknown" || bound.kind === "parameter" ? undefined : bound;
  }

  bindings({ declaration, args }: ClassType): Bindings {
    if (args.length === 0) return NONE;
    const bindings = new Map<string, Type>();
    for (const { source, fact } of declaration.parts) {
      for (const [i, at] of fact.typeParameters.entries()) bindings.set(keyOf(source, at), args[i] ?? UNKNOWN);
    }
    return bindings;
  }

  /** The direct super types that are in the repository, traits first, then the class, then interfaces. */
  supers(declaration: Declaration): { type: ClassType; how: "extends" | "implements" | "mixes"; source: Source; line: number }[] {
    const all = declaration.parts.flatMap(({ source, fact }) =>
      fact.supers.flatMap(({ type: at, how, line }) => {
        const type = this.typeAt(source, at);
        if (type.kind !== "class" || type.declaration === declaration) return [];
        const isInterface = type.declaration.kind === "interface";
        const real = how !== "base" ? how : isInterface && declaration.kind !== "interface" ? ("implements" as const) : ("extends" as const);
        return [{ type, how: real, source, line }];
      }));
    const order = { mixes: 0, extends: 1, implements: 2 };
    return all.sort((a, b) => order[a.how] - order[b.how]);
  }

  /** The type itself and all that it inherits from, nearest first; classes before interfaces. */
  ancestors(type: ClassType): ClassType[] {
    if (type.args.length === 0 || type === this.owns.get(type.declaration)) return this.listOf(type.declaration);
    const bindings = this.bindings(type);
    const [, ...rest] = this.listOf(type.declaration);
    return [type, ...rest.map((ancestor) => substitute(ancestor, bindings) as ClassType)];
  }

  private listOf(declaration: Declaration): ClassType[] {
    const known = this.lists.get(declaration);
    if (known) return known;
    const list = [this.own(declaration)];
    if (this.open.has(declaration) || this.open.size >= MAX_ANCESTORS) return list;
    this.open.add(declaration);
    const supers = this.supers(declaration);
    for (const interfaces of [false, true]) {
      for (const { type } of supers) {
        if ((type.declaration.kind === "interface") !== interfaces) continue;
        for (const ancestor of this.ancestors(type)) {
          if (list.length >= MAX_ANCESTORS) break;
          spend();
          if (!list.some(({ declaration: d }) => d === ancestor.declaration)) list.push(ancestor);
        }
      }
    }
    this.open.delete(declaration);
    this.lists.set(declaration, list);
    return list;
  }

  /**
   * Works out what every type inherits, in the order of the declarations: where some inherit from each other in a circle, what comes
   * of it must not depend on who asks first.
   */
  settle(): void {
    for (const declaration of this.program.declarations) this.listOf(declaration);
  }

  inherited = (declaration: Declaration): readonly Declaration[] => this.listOf(declaration).slice(1).map((type) => type.declaration);

  isA(declaration: Declaration, ancestor: Declaration): boolean {
    return this.listOf(declaration).some((type) => type.declaration === ancestor);
  }

  /** Whether it inherits from a type outside the repository, by whose name if asked. */
  hasForeignAncestor(declaration: Declaration): boolean {
    return this.foreignAncestors(declaration).size > 0;
  }

  /** The names of the types outside the repository from which it inherits. */
  foreignAncestors(declaration: Declaration): ReadonlySet<string> {
    return new Set(this.listOf(declaration).flatMap(({ declaration: { parts } }) => parts.flatMap(({ source, fact }) => fact.supers.flatMap(({ type: at }) => {
      const type = this.typeAt(source, at);
      return type.kind === "foreign" ? [type.name] : [];
    }))));
  }

  /** Whether it inherits from a type that is called so, here or outside the repository. */
  isNamedBelow(declaration: Declaration, name: RegExp): boolean {
    return this.inherited(declaration).some((above) => name.test(above.name)) || [...this.foreignAncestors(declaration)].some((one) => name.test(one));
  }

  /** Everything that inherits from a declaration. */
  descendants(declaration: Declaration): Declaration[] {
    if (!this.children) {
      this.children = new Map();
      for (const child of this.program.declarations) {
        for (const { type } of this.supers(child)) {
          const list = this.children.get(type.declaration);
          if (list) list.push(child);
          else this.children.set(type.declaration, [child]);
        }
      }
    }
    const all = new Set<Declaration>();
    const open = [declaration];
    for (let at = open.pop(); at; at = open.pop()) {
      for (const child of this.children.get(at) ?? []) {
        spend();
        if (all.has(child)) continue;
        all.add(child);
        open.push(child);
      }
    }
    return [...all];
  }

  /** By the names of types outside the repository, what inherits from them directly. */
  get foreignChildren(): ReadonlyMap<string, readonly Declaration[]> {
    if (this.foreign) return this.foreign;
    this.foreign = new Map<string, Declaration[]>();
    for (const child of this.program.declarations) {
      for (const { source, fact } of child.parts) {
        for (const { type: at } of fact.supers) {
          const type = this.typeAt(source, at);
          if (type.kind !== "foreign") continue;
          for (const name of [type.name, ...(this.rules.foreignAbove?.get(type.name) ?? [])]) add(this.foreign, name, child);
        }
      }
    }
    return this.foreign;
  }

  // Members

  /** The type and those above whose members it has under their names. */
  private giving(type: ClassType): ClassType[] {
    const all = this.ancestors(type);
    return this.rules.interfacesApart && type.declaration.kind !== "interface" ? all.filter(({ declaration }) => declaration.kind !== "interface") : all;
  }

  /** The methods of a name that a type has, nearest first, without those that a nearer one overrides, nor those that code in `from` does not have. */
  methods(type: ClassType, name: string, hidden = false, from?: Declaration): Found[] {
    this.lookups.ask(type.declaration, name);
    const ancestors = this.giving(type);
    // Eight of them take as long as another step does.
    spend(1 + (ancestors.length >> 3));
    let folded = this.program.fold(name);
    let alias: Alias | undefined;
    const found: Found[] = [];
    for (const ancestor of ancestors) {
      alias = ancestor.declaration.aliases.get(folded) ?? alias;
      if (alias) folded = alias.of;
      if (alias && ancestor.declaration.kind === "trait" && !this.isMeant(alias, ancestor.declaration, ancestors)) continue;
      const methods = ancestor.declaration.methods.get(folded);
      if (!methods) continue;
      const bindings = this.bindings(ancestor);
      // All of one type stand beside each other, the same twice too (a file kept twice).
      const nearer = found.length;
      for (const member of methods) {
        if (member.fact.hidden && !hidden) continue;
        // A static method of an interface is called on that alone (Java, C#).
        if (member.fact.static && !member.fact.abstract && ancestor.declaration.kind === "interface" && ancestor.declaration !== type.declaration) continue;
        if (member.fact.private && from && !isInside(from, ancestor.declaration)) continue;
        if (found.length >= MAX_OVERLOADS) return found;
        spend(1 + nearer);
        if (!found.slice(0, nearer).some((other) => this.overrides(other, { member, bindings }))) found.push({ member, bindings, receiver: type.declaration });
      }
    }
    return found;
  }

  /** A method that only a comment says. */
  saidMethod(type: ClassType, name: string): Found | undefined {
    return this.said(type, saidKey("method", this.program.fold(name)));
  }

  /** A member that nothing declares. */
  private said(type: ClassType, key: string): Found | undefined {
    if (!this.program.hasSaid) return undefined;
    for (const ancestor of this.giving(type)) {
      const [member] = ancestor.declaration.said?.get(key) ?? [];
      if (member) return { member, bindings: this.bindings(ancestor), receiver: type.declaration };
    }
    return undefined;
  }

  /** Whether the methods of a trait are among those that a name stands for: those of the trait that is named, or of one that this uses. */
  private isMeant(alias: Alias, trait: Declaration, all: readonly ClassType[]): boolean {
    const named = this.program.fold(trait.name);
    return !alias.not.includes(named) && (alias.in === undefined || alias.in === named
      || all.some(({ declaration }) => declaration.kind === "trait" && this.program.fold(declaration.name) === alias.in && this.isA(declaration, trait)));
  }

  /** The methods that a type has under names that a pattern means, by name. */
  like(type: ClassType, like: Like): Found[][] {
    this.lookups.ask(type.declaration, ANY);
    const names = new Set(this.ancestors(type).flatMap(({ declaration }) => [...declaration.methods.values()].flatMap(([member]) => (member && like(member.fact.name) ? [member.fact.name] : []))));
    return [...names].map((name) => this.methods(type, name));
  }

  /** Those that only types below it have. */
  likeBelow({ declaration }: ClassType, like: Like): Found[][] {
    const above = new Set(this.listOf(declaration).flatMap((one) => [...one.declaration.methods.keys()]));
    return this.descendants(declaration).flatMap((heir) => {
      this.lookups.ask(heir, ANY);
      spend(heir.methods.size);
      return [...heir.methods].flatMap(([name, [member]]) => (member && !above.has(name) && like(member.fact.name) ? [this.methods(this.own(heir), member.fact.name)] : []));
    });
  }

  /** `by`: the file that names it. */
  field(type: ClassType, name: string, by: Source): Found | undefined {
    this.lookups.ask(type.declaration, name);
    for (const ancestor of this.giving(type)) {
      const named = ancestor.declaration.fields.get(name);
      const member = named && (named.length === 1 ? named[0]! : nextTo(named.filter(({ fact }) => !fact.hidden), ({ source }) => source, by));
      if (!member || member.fact.hidden) continue;
      const isOpen = member.fact.type === 0 && member.fact.initialiser === 0 && !member.fact.variable;
      const said = isOpen ? this.said(type, saidKey("field", name)) : undefined;
      return { member, bindings: this.bindings(ancestor), ...(said ? { said } : {}) };
    }
    return this.said(type, saidKey("field", name));
  }

  /** The index operators of a type, nearest first, without those that a nearer one overrides. */
  indexers(type: ClassType): Found[] {
    this.lookups.ask(type.declaration, INDEXER);
    const found: Found[] = [];
    for (const ancestor of this.giving(type)) {
      for (const member of ancestor.declaration.fields.get(INDEXER) ?? []) {
        const one = { member, bindings: this.bindings(ancestor) };
        spend(1 + found.length);
        if (!member.fact.hidden && found.length < MAX_OVERLOADS && !found.some((other) => this.overrides(other, one))) found.push(one);
      }
    }
    return found;
  }

  /** The constructors that `new` may run; `inherit` looks in the classes above, too. */
  constructors(type: ClassType, inherit: boolean): Found[] {
    for (const ancestor of inherit ? this.ancestors(type) : [type]) {
      const { constructors } = ancestor.declaration;
      if (constructors.length > 0) return constructors.slice(0, MAX_OVERLOADS).map((member) => ({ member, bindings: this.bindings(ancestor) }));
    }
    return [];
  }

  /** What a call of a method may run on a receiver but for the method itself: the same method of everything below, as far as that says something. */
  implementations(method: Member, receiver: Declaration): Member[] {
    const { fact, source, owner } = method;
    if (!owner) return [];
    const all = new Set<Member>();
    for (const below of [receiver, ...this.descendants(receiver)]) {
      this.lookups.ask(below, fact.name);
      if (all.size > MAX_IMPLEMENTATIONS + Number(all.has(method))) continue;
      if (below.kind === "interface") {
        // A default method.
        for (const member of below.methods.get(this.program.fold(fact.name)) ?? []) if (!member.fact.abstract) all.add(member);
        continue;
      }
      const type = this.own(below);
      const asked: Found = { member: { fact, source, owner }, bindings: this.bindings(this.ancestors(type).find((a) => a.declaration === owner) ?? type) };
      const runs = (found: Found): boolean => !found.member.fact.abstract && this.overrides(found, asked);
      const methods = this.methods(type, fact.name, true);
      const first = methods.find(runs)?.member;
      // The method itself is none of its implementations, nor is its copy where a file is kept twice.
      if (first && first.owner !== owner) {
        all.add(first);
        if (first.owner && first.owner.parts.length > 1) for (const found of methods) if (found.member.owner === first.owner && found.member.source !== first.source && runs(found)) all.add(found.member);
      }
      const property = fact.kind === "field" ? this.propertyFor(asked, this.takingAs(asked, below.fields.get(fact.name) ?? [])) : undefined;
      if (property && !property.fact.abstract) all.add(property);
    }
    all.delete(method);
    return [...all];
  }

  /** Those that take what a property takes: of index operators not all do. */
  private takingAs(asked: Found, all: readonly Member[]): readonly Member[] {
    return asked.member.fact.parameters.length === 0 ? all : all.filter((member) => this.overrides({ member, bindings: NONE }, asked));
  }

  /** Of the properties of a name that a type has, the one that stands in for a property above: `object IRow.Current` beside `Cell Current`. */
  private propertyFor({ member: { fact, source }, bindings }: Found, all: readonly Member[]): Member | undefined {
    if (all.length < 2) return all[0];
    const type = substitute(this.typeAt(source, fact.type), bindings);
    return all.find((one) => sameType(this.typeAt(one.source, one.fact.type), type)) ?? all[0];
  }

  /** The methods of a name, for so many arguments, that types have which inherit from one outside the repository, or from one of it that has that from outside. */
  behindForeign(type: Type, name: string, given: number): Member[] {
    const heirs = type.kind === "foreign" ? (this.foreignChildren.get(type.name) ?? []).flatMap((child) => [child, ...this.descendants(child)]) : type.kind === "class" && this.hasForeignAncestor(type.declaration) ? this.descendants(type.declaration) : [];
    const takes = ({ abstract, required, variadic, parameters }: Member["fact"]): boolean => !abstract && required <= given && (variadic || given <= parameters.length);
    return [...new Set(heirs.flatMap((heir) => this.methods(this.own(heir), name).map(({ member }) => member).filter(({ fact }) => takes(fact))))];
  }

  parameters({ member: { fact, source }, bindings }: Found): Type[] {
    return fact.parameters.map((at) => substitute(this.typeAt(source, at), bindings));
  }

  /** Whether one method stands in for another of the same name: it takes as many parameters of types that can be the same. */
  private overrides(near: Found, far: Found): boolean {
    if (!this.rules.overloads) return true;
    if (near.member.fact.parameters.length !== far.member.fact.parameters.length || near.member.fact.modes !== far.member.fact.modes) return false;
    const own = this.parameters(near);
    return this.parameters(far).every((type, i) => {
      const other = own[i]!;
      if (type.kind === "unknown" || other.kind === "unknown") return true;
      if (type.kind === "parameter") return other.kind === "parameter" || this.isOpen(type, far) || this.isErased(type, other);
      return other.kind === "parameter" ? this.isErased(other, type) : accepts(this, type, other) === Fit.Same;
    });
  }

  /** Whether a type parameter is that of the class of a method, of which nobody says what it is: of `new Box<>() { … }`, and where the class is named without. */
  private isOpen(type: ParameterType, { member: { owner } }: Found): boolean {
    return owner !== undefined && this.own(owner).args.some((one) => sameType(one, type));
  }

  /** Whether a type is what a type parameter is at least: a method with the one overrides a method with the other (Java). */
  private isErased(parameter: ParameterType, type: Type): boolean {
    const bound = this.boundOf(parameter);
    return bound ? accepts(this, bound, type) === Fit.Same : type.kind === "foreign" && plain(type.name) === "object";
  }

}

function isInside(declaration: Declaration, outer: Declaration): boolean {
  for (let at: Declaration | undefined = declaration; at; at = at.outer) if (at === outer) return true;
  return false;
}
