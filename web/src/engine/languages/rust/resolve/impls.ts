import { type Declaration, type Func, type Impl, type Program, push, type Source } from "./program.ts";
import { type Bindings, keyOf, mayBe, type Type, unify } from "./types.ts";

/** A function that a name may mean on a type, with what is known of the type parameters around it. */
export interface Candidate {
  func: Func;
  bindings: Bindings;
  /** The chance that it is meant, of all that the name may mean. */
  share: number;
  /** The trait by which it was found where the type is not known: its implementations may run instead. */
  virtual?: Declaration;
}

/** Of several that fit equally (one for each platform) each is meant in its own build. */
const ALTERNATIVE = 0.8;

/** What may be more functions than this is none in particular. */
const MAX_CANDIDATES = 100;

/** Impls by the names of the functions that they declare, of those that their traits provide, and by traits of the library. */
interface Index {
  declaring: Map<string, Impl[]>;
  providing: Map<string, Impl[]>;
  foreign: Map<string, Impl[]>;
}

/** Which types have which functions: by their own impls, by traits, by what they are bound by. */
export class Impls {
  /** By trait, what implements it. */
  private readonly ofTrait = new Map<Declaration, Impl[]>();
  private readonly ofType = new Map<Declaration, Impl[]>();
  /** By name, of the library's types. */
  private readonly ofForeign = new Map<string, Impl[]>();
  /** `impl<T> Trait for T`. */
  private readonly blanket: Impl[] = [];
  private readonly supers = new Map<Declaration, readonly Type[]>();
  private readonly indexes = new Map<readonly Impl[], Index>();

  /** Whether all impls are known; until then no type can be asked what it has. */
  ready = false;

  constructor(private readonly program: Program, private readonly type: (source: Source, at: number) => Type) {}

  /** Finds what each impl is for. */
  fill(): void {
    const { program, type } = this;
    for (const impl of program.impls) {
      const self = type(impl.source, impl.fact.self);
      const trait = this.traitOf(impl);
      if (trait?.kind === "own") push(this.ofTrait, trait.declaration, impl);
      if (self.kind === "own") push(this.ofType, self.declaration, impl);
      else if (self.kind === "foreign") push(this.ofForeign, self.name, impl);
      else if (self.kind === "parameter") this.blanket.push(impl);
      else if (self.kind === "bounds") for (const bound of self.traits) if (bound.kind === "own") push(this.ofType, bound.declaration, impl);
    }
    this.ready = true;
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

  implementers(trait: Declaration): readonly Impl[] {
    return this.ofTrait.get(trait) ?? [];
  }

  /** The impls of a type, those for other type arguments left out. */
  of(type: Type): readonly Impl[] {
    return this.all(type).filter((impl) => this.isFor(impl, type));
  }

  /** The impls of a type, with whatever arguments. */
  private all(type: Type): readonly Impl[] {
    return (type.kind === "own" ? this.ofType.get(type.declaration) : type.kind === "foreign" ? this.ofForeign.get(type.name) : undefined) ?? [];
  }

  private isFor({ source, fact }: Impl, type: Type): boolean {
    return mayBe(this.type(source, fact.self), type);
  }

  /** Impls of a list by what they have. Only when all impls are known. */
  private index(list: readonly Impl[]): Index {
    let index = this.indexes.get(list);
    if (!index) {
      index = { declaring: new Map(), providing: new Map(), foreign: new Map() };
      for (const impl of list) {
        for (const name of new Set(impl.fact.functions.map((fact) => fact.name))) push(index.declaring, name, impl);
        const trait = this.traitOf(impl);
        if (trait?.kind === "foreign") push(index.foreign, trait.name, impl);
        else if (trait?.kind === "own") for (const { name } of trait.declaration.fact.functions) push(index.providing, name, impl);
      }
      this.indexes.set(list, index);
    }
    return index;
  }

  /** What a type has for a trait of the library: its impl of `Iterator`, `Deref`, `Future`. */
  foreignTrait(type: Type, name: string): Impl | undefined {
    return this.index(this.all(type)).foreign.get(name)?.find((impl) => this.isFor(impl, type));
  }

  /** An associated type of an impl, as it is for a type. */
  associatedIn(impl: Impl, type: Type, name: string): { at: number; source: Source; bindings: Bindings } | undefined {
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
    let known = this.supers.get(trait);
    if (!known) {
      known = trait.fact.supers.map(({ type }) => this.type(trait.source, type));
      this.supers.set(trait, known);
    }
    return known;
  }

  /** The functions that a name means on a type itself (not on what it points to); `by` names a trait. */
  functions(type: Type, name: string, by?: Declaration): readonly Candidate[] {
    const all = this.all(type);
    const declaring = (this.index(all).declaring.get(name) ?? []).filter((impl) => this.isFor(impl, type));
    if (type.kind === "own" && type.declaration.fact.kind === "trait") {
      const own = shared(declaring.flatMap((impl) => this.inImpl(impl, name, type)), ALTERNATIVE);
      return own.length > 0 && !by ? own : this.inTraits([type], name, type);
    }
    if (!by) {
      const inherent = declaring.filter(({ fact }) => fact.trait === 0).flatMap((impl) => this.inImpl(impl, name, type));
      if (inherent.length > 0) return shared(inherent, ALTERNATIVE);
    }
    const isBy = (impl: Impl): boolean => {
      const trait = by && this.traitOf(impl);
      return !by || (trait?.kind === "own" && trait.declaration === by);
    };
    // What an impl for this very type says goes before one for all types.
    for (const list of [all, this.blanket]) {
      const written = (list === all ? declaring.filter(({ fact }) => fact.trait > 0) : this.index(list).declaring.get(name) ?? []).filter(isBy);
      if (written.length > 0) return shared(written.flatMap((impl) => this.inImpl(impl, name, type)));
      const providing = (this.index(list).providing.get(name) ?? []).filter((impl) => isBy(impl) && (list !== all || this.isFor(impl, type)));
      const provided = providing.flatMap((impl) => this.provided(impl, name, type));
      if (provided.length > 0) return shared(provided);
    }
    return [];
  }

  /** The methods that traits declare, where no more of the type is known. */
  inTraits(traits: readonly Type[], name: string, self: Type): readonly Candidate[] {
    const seen = new Set<Declaration>();
    const search = (trait: Type): Candidate[] => {
      if (trait.kind !== "own" || trait.declaration.fact.kind !== "trait" || seen.has(trait.declaration)) return [];
      seen.add(trait.declaration);
      const { declaration } = trait;
      const fact = declaration.fact.functions.find((one) => one.name === name);
      if (!fact) return this.supersOf(declaration).flatMap(search);
      return [{ func: { fact, source: declaration.source, trait: declaration }, bindings: this.traitBindings(declaration, trait, self), share: 1, virtual: declaration }];
    };
    return shared(traits.flatMap(search));
  }

  private traitBindings({ source, fact }: Declaration, trait: Type, self: Type): Map<string, Type> {
    const bindings = new Map([[keyOf(source, fact.type), self]]);
    if (trait.kind === "own") fact.typeParameters.forEach((at, i) => trait.args[i] && bindings.set(keyOf(source, at), trait.args[i]));
    return bindings;
  }

  private inImpl(impl: Impl, name: string, type: Type): Candidate[] {
    return impl.fact.functions.filter((fact) => fact.name === name).map((fact) => ({
      func: { fact, source: impl.source, impl }, bindings: this.bindingsOf(impl, type), share: 1,
    }));
  }

  /** What a trait gives to all that implement it. */
  private provided(impl: Impl, name: string, type: Type): Candidate[] {
    const trait = this.traitOf(impl);
    if (trait?.kind !== "own") return [];
    const { declaration } = trait;
    const fact = declaration.fact.functions.find((one) => one.name === name);
    return fact ? [{ func: { fact, source: declaration.source, trait: declaration }, bindings: this.traitBindings(declaration, trait, type), share: 1 }] : [];
  }
}

function shared(all: readonly Candidate[], each = all.length <= 2 ? 0.5 : Math.round(100 / all.length) / 100): readonly Candidate[] {
  if (all.length > MAX_CANDIDATES) return [];
  return all.length < 2 ? all : all.map((one) => ({ ...one, share: each }));
}
