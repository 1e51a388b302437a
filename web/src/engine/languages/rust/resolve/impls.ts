import { spend } from "../../../effort.ts";
import { wordAfter, wordOf } from "../../words.ts";
import { type FunctionFact, Op } from "../facts.ts";
import { ANY_TRAIT, BLANKET, behindAt, foreignKey, implAt, membersAt, memberOf, supersAt } from "./asks.ts";
import { ALTERNATIVE } from "./alternatives.ts";
import { type Declaration, type Func, type Impl, type Program, push, type Source } from "./program.ts";
import { type Bindings, builds, keyOf, mayBe, type OwnType, type Type, unify } from "./types.ts";

/** A function that a name may mean on a type, with what is known of the type parameters around it. */
export interface Candidate {
  func: Func;
  bindings: Bindings;
  /** The chance that it is meant, of all that the name may mean. */
  share: number;
  /** The impl that it is of, for all types or for all that have a trait. */
  blanket?: Impl;
  /** The trait by which it was found where the type is not known: its implementations may run instead. */
  virtual?: Declaration;
}

/** What may be more functions than this is none in particular. */
export const MAX_CANDIDATES = 100;
/** Impls for whatever arguments of a type, that have one name, which are looked at: the most that people write are some hundred. */
const MAX_IMPLS = 1_000;
/** Supertraits, and theirs, beyond so many are not asked. */
export const MAX_SUPERS = 200;

/**
 * Impls by the names of the functions that they declare, of their types and constants, and by traits of the library; by those of the functions
 * that their traits provide as far as that has been asked.
 */
interface Index {
  declaring: Map<string, Declaring[]>;
  holding: Map<string, Impl[]>;
  foreign: Map<string, Impl[]>;
  providing: Map<string, readonly Impl[]>;
}

/** An impl, and its functions of a name. */
interface Declaring {
  impl: Impl;
  functions: FunctionFact[];
}

/** Which types have which functions: by their own impls, by traits, by what they are bound by. */
export class Impls {
  /** By trait, what implements it. */
  private readonly ofTrait = new Map<Declaration, Impl[]>();
  /** By the name of a trait of the library, what implements it. */
  private readonly ofLibraryTrait = new Map<string, Impl[]>();
  private readonly ofType = new Map<Declaration, Impl[]>();
  /** By name, of the library's types. */
  private readonly ofForeign = new Map<string, Impl[]>();
  /** `impl<T> Trait for T`. */
  private readonly blanket: Impl[] = [];
  /** `impl<F: Fn()> Trait for F` */
  private readonly ofFunctions: Impl[] = [];
  private readonly supers = new Map<Declaration, readonly Type[]>();
  private readonly indexes = new Map<readonly Impl[], Index>();
  private readonly behind = new Map<Declaration, Map<string, Func[]>>();
  private readonly ofTraits = new Map<Declaration, Map<string, FunctionFact>>();

  /** Whether all impls are known; until then no type can be asked what it has. */
  ready = false;

  constructor(private readonly program: Program, private readonly type: (source: Source, at: number) => Type) {}

  /** Finds what each impl is for. */
  fill(): void {
    const { program, type } = this;
    for (const impl of program.impls) {
      const self = type(impl.source, impl.fact.self);
      const trait = this.traitOf(impl);
      if (trait?.kind === "own") for (const one of builds(trait)) push(this.ofTrait, one.declaration, impl);
      else if (trait?.kind === "foreign") push(this.ofLibraryTrait, trait.name, impl);
      if (self.kind === "own") for (const one of builds(self)) push(this.ofType, one.declaration, impl);
      else if (self.kind === "foreign") push(this.ofForeign, self.name, impl);
      else if (self.kind === "parameter") (isForFunctions(impl) ? this.ofFunctions : this.blanket).push(impl);
      else if (self.kind === "bounds") for (const bound of self.traits) if (bound.kind === "own") push(this.ofType, bound.declaration, impl);
    }
    this.ready = true;
  }

  private ask(word: number): void {
    this.program.asks.one(word);
  }

  /** Asks what a type has of a name. */
  private askOf(type: Type, name: string): void {
    const place = placeOf(type);
    if (place !== undefined) this.ask(wordAfter(place, name));
  }

  traitOf({ source, fact }: Impl): Type | undefined {
    return fact.trait ? this.type(source, fact.trait) : undefined;
  }

  /** Whether two impls are of one trait, its arguments apart. */
  sameTrait(a: Impl, b: Impl): boolean {
    const [one, other] = [this.traitOf(a), this.traitOf(b)];
    if (one?.kind === "own") return other?.kind === "own" && one.declaration === other.declaration;
    return one?.kind === "foreign" && other?.kind === "foreign" && one.name === other.name;
  }

  /** What impls of a trait have of a name. */
  implementations(trait: Declaration, name: string): readonly Func[] {
    this.ask(behindAt(trait.place, name));
    let byName = this.behind.get(trait);
    if (!byName) {
      byName = new Map<string, Func[]>();
      for (const impl of this.ofTrait.get(trait) ?? []) for (const fact of impl.fact.functions) push(byName, fact.name, { fact, source: impl.source, impl });
      this.behind.set(trait, byName);
    }
    return byName.get(name) ?? [];
  }

  /** What impls of a trait of the library have of a name. */
  libraryImplementations(trait: string, name: string): readonly Func[] {
    this.ask(behindAt(membersAt(foreignKey(trait)), name));
    return (this.ofLibraryTrait.get(trait) ?? []).flatMap((impl) => impl.fact.functions.filter((fact) => fact.name === name).map((fact) => ({ fact, source: impl.source, impl })));
  }

  /** All that a type of the repository has for traits of the library. */
  ofLibrary(type: OwnType): readonly { trait: string; func: Func }[] {
    if (type.others) return builds(type).flatMap((one) => this.ofLibrary(one));
    this.ask(implAt(type.declaration.place, ANY_TRAIT));
    return this.all(type).slice(0, MAX_IMPLS).flatMap((impl) => {
      const trait = impl.fact.functions.length > 0 && this.isFor(impl, type) ? this.traitOf(impl) : undefined;
      return trait?.kind === "foreign" ? impl.fact.functions.map((fact) => ({ trait: trait.name, func: { fact, source: impl.source, impl } })) : [];
    });
  }

  /** The impls of a type that have an associated type or constant of a name, those for other type arguments left out. */
  holding(type: Type, name: string): readonly Impl[] {
    if (type.kind === "own" && type.others) return builds(type).flatMap((one) => this.holding(one, name));
    this.askOf(type, name);
    return this.those(this.index(this.all(type)).holding.get(name), type);
  }

  /** Of the first of these impls those that are for a type. */
  private those(impls: readonly Impl[] | undefined, type: Type): Impl[] {
    return impls ? impls.slice(0, MAX_IMPLS).filter((impl) => this.isFor(impl, type)) : [];
  }

  /** The impls of a type, with whatever arguments. */
  private all(type: Type): readonly Impl[] {
    return (type.kind === "own" ? this.ofType.get(type.declaration) : type.kind === "foreign" ? this.ofForeign.get(type.name) : undefined) ?? [];
  }

  private isFor({ source, fact }: Impl, type: Type): boolean {
    spend();
    return mayBe(this.type(source, fact.self), type);
  }

  /** Impls of a list by what they have. Only when all impls are known. */
  private index(list: readonly Impl[]): Index {
    let index = this.indexes.get(list);
    if (!index) {
      index = { declaring: new Map(), holding: new Map(), foreign: new Map(), providing: new Map() };
      for (const impl of list) {
        const functions = new Map<string, FunctionFact[]>();
        for (const fact of impl.fact.functions) push(functions, fact.name, fact);
        for (const [name, facts] of functions) push(index.declaring, name, { impl, functions: facts });
        for (const name of new Set([...impl.fact.types, ...impl.fact.constants].map((fact) => fact.name))) push(index.holding, name, impl);
        const trait = this.traitOf(impl);
        if (trait?.kind === "foreign") push(index.foreign, trait.name, impl);
      }
      this.indexes.set(list, index);
    }
    return index;
  }

  /** What a type has for a trait of the library: its impl of `Iterator`, `Deref`, `Future`. */
  foreignTrait(type: Type, name: string): Impl | undefined {
    return this.foreignTraits(type, name)[0];
  }

  /** All impls of a trait of the library for a type: `From<A>` and `From<B>`. */
  foreignTraits(type: Type, name: string): readonly Impl[] {
    if (type.kind === "own" && type.others) return builds(type).flatMap((one) => this.foreignTraits(one, name));
    const place = placeOf(type);
    if (place !== undefined) this.ask(implAt(place, name));
    return this.those(this.index(this.all(type)).foreign.get(name), type);
  }

  /** An associated type of an impl, as it is for a type. */
  associatedIn(impl: Impl, type: Type, name: string): { at: number; source: Source; bindings: Bindings } | undefined {
    this.ask(wordAfter(impl.place, name));
    const fact = impl.fact.types.find((one) => one.name === name);
    return fact && { at: fact.type, source: impl.source, bindings: this.bindingsOf(impl, type) };
  }

  bindingsOf(impl: Impl, type: Type): Map<string, Type> {
    const bindings = new Map<string, Type>();
    unify(this.type(impl.source, impl.fact.self), type, bindings);
    return bindings;
  }

  /** The supertraits of a trait. */
  supersOf(trait: Declaration): readonly Type[] {
    this.ask(supersAt(trait.place));
    let known = this.supers.get(trait);
    if (!known) {
      known = trait.fact.supers.map(({ type }) => this.type(trait.source, type));
      this.supers.set(trait, known);
    }
    return known;
  }

  /** The functions that a name means on a type itself (not on what it points to); `by` names a trait. */
  functions(type: Type, name: string, by?: Declaration): readonly Candidate[] {
    if (type.kind === "own" && type.others) return this.ofAlternatives(type, name, by);
    this.askOf(type, name);
    const all = this.all(type);
    const declaring = (this.index(all).declaring.get(name) ?? []).slice(0, MAX_IMPLS).filter(({ impl }) => this.isFor(impl, type));
    if (type.kind === "own" && type.declaration.fact.kind === "trait") {
      const own = this.written(declaring, type, ALTERNATIVE);
      return own.length > 0 && !by ? own : this.inTraits([type], name, type);
    }
    if (!by) {
      const inherent = declaring.filter(({ impl }) => impl.fact.trait === 0);
      if (inherent.length > 0) return this.written(inherent, type, ALTERNATIVE);
    }
    const isBy = (impl: Impl): boolean => {
      const trait = by && this.traitOf(impl);
      return !by || (trait?.kind === "own" && trait.declaration === by);
    };
    // What an impl for this very type says goes before one for all types.
    for (const list of type.kind === "function" ? [all, this.blanket, this.ofFunctions] : [all, this.blanket]) {
      if (list === this.blanket) this.ask(wordOf(memberOf(BLANKET, name)));
      const written = (list === all ? declaring.filter(({ impl }) => impl.fact.trait > 0) : this.index(list).declaring.get(name)?.slice(0, MAX_IMPLS) ?? []).filter(({ impl }) => isBy(impl));
      const mark = (found: readonly Candidate[], impl?: Impl): readonly Candidate[] => (list === this.blanket ? found.map((one) => ({ ...one, blanket: impl ?? one.func.impl! })) : found);
      if (written.length > 0) return mark(this.written(written, type));
      const providing = this.providing(list, name).filter((impl) => isBy(impl) && (list !== all || this.isFor(impl, type)));
      if (providing.length > 0) return providing.length > MAX_CANDIDATES ? [] : shared(providing.flatMap((impl) => mark(this.provided(impl, name, type), impl)));
    }
    return [];
  }

  /** Whether a type of the library is seen to have the traits of this repository that an impl for all types asks for. */
  hasBounds(type: Type, impl: Impl): boolean {
    return this.boundsOf(impl).every((trait) => {
      const [asked] = trait.fact.functions;
      if (!asked) return true;
      this.ask(wordAfter(trait.place, asked.name));
      this.askOf(type, asked.name);
      this.ask(wordOf(memberOf(BLANKET, asked.name)));
      // `impl<W: Put> Put for &mut W` gives the trait to none that lacks it.
      return (this.ofTrait.get(trait) ?? []).slice(0, MAX_IMPLS).some((other) => this.isFor(other, type) && !this.boundsOf(other).includes(trait));
    });
  }

  /** The traits of the repository that the type parameter is bound by which an impl is for. */
  private boundsOf({ source, fact: { self } }: Impl): Declaration[] {
    const { code } = source.data;
    const at = code[self] === Op.Reference ? code[self + 2]! : self;
    const bounds = code[at] === Op.Parameter ? code[at + 2]! : 0;
    const traits = code[bounds] === Op.Bounds ? code.slice(bounds + 2, bounds + 2 + code[bounds + 1]!).map((one) => this.type(source, one)) : [];
    return traits.flatMap((trait) => (trait.kind === "own" ? [trait.declaration] : []));
  }

  private ofAlternatives(type: OwnType, name: string, by?: Declaration): readonly Candidate[] {
    const found = new Map<FunctionFact, Candidate>();
    for (const one of builds(type)) for (const candidate of this.functions(one, name, by)) if (!found.has(candidate.func.fact)) found.set(candidate.func.fact, candidate);
    const all = [...found.values()];
    return all.length < 2 ? all.map((one) => ({ ...one, share: 1 })) : all.map((one) => ({ ...one, share: Math.min(one.share, ALTERNATIVE) }));
  }

  /** The methods that traits declare, where no more of the type is known. */
  inTraits(traits: readonly Type[], name: string, self: Type): readonly Candidate[] {
    const seen = new Set<Declaration>();
    const search = (trait: Type): Candidate[] => {
      if (trait.kind !== "own" || trait.declaration.fact.kind !== "trait" || seen.has(trait.declaration)) return [];
      seen.add(trait.declaration);
      const { declaration } = trait;
      this.ask(wordAfter(declaration.place, name));
      const fact = this.functionOf(declaration, name);
      if (!fact) return seen.size > MAX_SUPERS ? [] : this.supersOf(declaration).flatMap(search);
      return [{ func: { fact, source: declaration.source, trait: declaration }, bindings: this.traitBindings(declaration, trait, self), share: 1, virtual: declaration }];
    };
    return shared(traits.flatMap(search));
  }

  private traitBindings({ source, fact }: Declaration, trait: Type, self: Type): Map<string, Type> {
    const bindings = new Map([[keyOf(source, fact.type), self]]);
    if (trait.kind === "own") fact.typeParameters.forEach((at, i) => trait.args[i] && bindings.set(keyOf(source, at), trait.args[i]));
    return bindings;
  }

  /** What impls declare, as it is for a type; nothing when that is too much. */
  private written(impls: readonly Declaring[], type: Type, each?: number): readonly Candidate[] {
    const count = impls.reduce((sum, { functions }) => sum + functions.length, 0);
    if (count > MAX_CANDIDATES) return [];
    return shared(impls.flatMap(({ impl, functions }) => functions.map((fact) => {
      this.ask(wordAfter(impl.place, fact.name));
      return { func: { fact, source: impl.source, impl }, bindings: this.bindingsOf(impl, type), share: 1 };
    })), each);
  }

  /** Those of the first impls in a list whose traits provide a function. */
  private providing(list: readonly Impl[], name: string): readonly Impl[] {
    const { providing } = this.index(list);
    let impls = providing.get(name);
    if (!impls) {
      impls = list.filter((impl) => {
        const trait = this.traitOf(impl);
        return trait?.kind === "own" && this.functionOf(trait.declaration, name);
      }).slice(0, MAX_IMPLS);
      providing.set(name, impls);
    }
    return impls;
  }

  /** The first function of a name that a trait declares. */
  private functionOf(trait: Declaration, name: string): FunctionFact | undefined {
    let byName = this.ofTraits.get(trait);
    if (!byName) this.ofTraits.set(trait, (byName = new Map(trait.fact.functions.toReversed().map((fact) => [fact.name, fact]))));
    return byName.get(name);
  }

  /** What a trait gives to all that implement it. */
  private provided(impl: Impl, name: string, type: Type): Candidate[] {
    const trait = this.traitOf(impl);
    if (trait?.kind !== "own") return [];
    const { declaration } = trait;
    this.ask(wordAfter(declaration.place, name));
    const fact = this.functionOf(declaration, name);
    return fact ? [{ func: { fact, source: declaration.source, trait: declaration }, bindings: this.traitBindings(declaration, trait, type), share: 1 }] : [];
  }
}

/** The number that all words for what a type has begin with. */
function placeOf(type: Type): number | undefined {
  return type.kind === "own" ? type.declaration.place : type.kind === "foreign" ? membersAt(foreignKey(type.name)) : undefined;
}

/** The share that each of several candidates has. */
export function evenShare(count: number): number {
  return count <= 2 ? 0.5 : Math.round(100 / count) / 100;
}

function shared(all: readonly Candidate[], each = evenShare(all.length)): readonly Candidate[] {
  if (all.length > MAX_CANDIDATES) return [];
  return all.length < 2 ? all : all.map((one) => ({ ...one, share: each }));
}

/** Whether an impl for a type parameter is for functions alone: `impl<F: Fn()> Trait for F`. */
export function isForFunctions({ source: { data: { code } }, fact: { self } }: Impl): boolean {
  const bounds = code[self] === Op.Parameter ? code[self + 2]! : 0;
  return code[bounds] === Op.Bounds && code.slice(bounds + 2, bounds + 2 + code[bounds + 1]!).some((one) => code[one] === Op.Function);
}
