import { spend } from "../../../effort.ts";
import { Depth, Memo } from "../../memo.ts";
import { wordAfter } from "../../words.ts";
import { type Offset, Op } from "../facts.ts";
import { referenceOf } from "./callees.ts";
import { type Candidate, Impls, MAX_SUPERS } from "./impls.ts";
import { awaited, elementOf, indexed, pointee } from "./library.ts";
import type { Declaration, Impl, Named, Program, Source } from "./program.ts";
import { type Bindings, builds, foreign, type ForeignType, keyOf, MAX_NESTING, mayBe, oneOf, substitute, type Type, UNIT, UNKNOWN } from "./types.ts";

/** Expressions and types nested deeper (a chain through that many initialisers) are given up. */
const MAX_DEPTH = 400;
/** Pointers to pointers are followed so far. */
const MAX_DEREFS = 8;

/** Answers what types the records of all files stand for, and what a type has by its traits. What cannot be known is UNKNOWN. */
export class Typing {
  readonly impls: Impls;
  /** How deep types and expressions stand in each other. */
  readonly depth = new Depth(MAX_DEPTH);
  private readonly types: Memo<Source, Type>;
  /** What aliases stand for as long as not all impls are known. */
  private readonly early: Memo<Source, Type>;
  private inAlias = false;

  constructor(readonly program: Program) {
    const read = (source: Source, at: Offset): Type => {
      const { asks } = program;
      const before = asks.asker;
      asks.asker = source;
      const type = this.readType(source, at);
      asks.asker = before;
      return type;
    };
    this.types = new Memo<Source, Type>(program.sources, UNKNOWN, read, this.depth);
    this.early = new Memo<Source, Type>(program.sources, UNKNOWN, read, this.depth);
    this.impls = new Impls(program, (source, at) => this.type(source, at));
    this.impls.fill();
    program.asks.begin();
  }

  type(source: Source, at: Offset): Type {
    return (this.inAlias ? this.early : this.types).get(source, at);
  }

  /** What an alias stands for, which is asked again when all impls are known. */
  private aliased({ source, fact }: Declaration): Type {
    const before = this.inAlias;
    this.inAlias = !this.impls.ready;
    const type = this.type(source, fact.type);
    this.inAlias = before;
    return type;
  }

  private readType(source: Source, at: Offset): Type {
    const { code, strings } = source.data;
    const list = (start: number): Type[] => code.slice(start + 1, start + 1 + code[start]!).map((one) => this.type(source, one));
    switch (code[at]) {
      case Op.Path:
        return this.typePath(source, at);
      case Op.As:
        return this.type(source, code[at + 1]!);
      case Op.Reference:
        return this.type(source, code[at + 2]!);
      case Op.Parameter:
        return { kind: "parameter", source, at };
      case Op.Bounds:
        return { kind: "bounds", traits: list(at + 1) };
      case Op.Built:
        return foreign(strings[code[at + 1]!]!, ...list(at + 2));
      case Op.Function:
        return { kind: "function", parameters: list(at + 2), result: code[at + 1] ? this.type(source, code[at + 1]!) : UNIT };
      default:
        return UNKNOWN;
    }
  }

  private typePath(source: Source, at: Offset): Type {
    const { code, strings } = source.data;
    const name = strings[code[at + 2]!]!;
    const named = this.named(source, at, "types");
    if (named?.kind === "module") return UNKNOWN;
    const { args, bindings } = this.argumentsOf(source, at);
    if (named?.kind === "type") return this.declared(named, args, bindings);
    if (named?.kind === "variant") return this.declared({ kind: "type", declaration: named.declaration }, args, undefined);
    const plainForeign: ForeignType = { kind: "foreign", name, args, ...(bindings ? { bindings } : {}) };
    if (named) return { ...plainForeign, name: named.kind === "foreign" ? named.name : name };
    const prefix = code[at + 1]!;
    if (prefix === 0) return plainForeign;
    const owner = this.type(source, prefix);
    if (owner.kind === "foreign") return plainForeign;
    const [of, trait] = code[prefix] === Op.As ? [code[prefix + 1]!, this.type(source, code[prefix + 2]!)] : [prefix, undefined];
    return this.associated(owner, name, trait, referenceOf(source, of));
  }

  argumentsOf(source: Source, at: Offset): { args: Type[]; bindings?: Map<string, Type> } {
    const { code, strings } = source.data;
    const args: Type[] = [];
    let bindings: Map<string, Type> | undefined;
    for (const one of code.slice(at + 5, at + 5 + code[at + 4]!)) {
      if (code[one] === Op.Binding) (bindings ??= new Map<string, Type>()).set(strings[code[one + 1]!]!, this.type(source, code[one + 2]!));
      else args.push(this.type(source, one));
    }
    return bindings ? { args, bindings } : { args };
  }

  /** The type that a name declares; where it has a meaning for each platform, one of all of them. */
  declared({ declaration, others }: Named & { kind: "type" }, args: readonly Type[], bindings: Bindings | undefined): Type {
    if (others) return oneOf([{ kind: "type" as const, declaration }, ...others].map((one) => (one.kind === "type" ? this.declared(one, args, bindings) : UNKNOWN)));
    const { fact, source } = declaration;
    if (fact.kind !== "alias") return { kind: "own", declaration, args, ...(bindings ? { bindings } : {}) };
    const given = new Map<string, Type>();
    fact.typeParameters.forEach((at, i) => args[i] && given.set(keyOf(source, at), args[i]));
    return substitute(this.aliased(declaration), given);
  }

  /** A type by a name in another: `I::Item`, `Self::Error`. Of impls for T, &T and &mut T those go first that are for what is `held`. */
  private associated(of: Type, name: string, trait: Type | undefined, held?: string): Type {
    // `impl Trait for Type<<T as Other>::Item>`: what that is, is asked when all impls are known.
    if (!this.impls.ready) return { kind: "associated", of, name, trait };
    if (of.kind === "own" && of.others) return oneOf(builds(of).map((one) => this.associated(one, name, trait)));
    if (!this.depth.enter()) return UNKNOWN;
    try {
      const holding = this.impls.holding(of, name);
      const isHeld = (impl: Impl): boolean => held === undefined || referenceOf(impl.source, impl.fact.self) === held;
      for (const impl of holding.length < 2 ? holding : [...holding.filter(isHeld), ...holding.filter((one) => !isHeld(one))]) {
        const by = trait && this.impls.traitOf(impl);
        if (trait && by && !mayBe(by, trait)) continue;
        const found = this.impls.associatedIn(impl, of, name);
        if (found) return this.settle(substitute(this.type(found.source, found.at), found.bindings));
      }
      for (const bound of this.boundsOf(of)) {
        if (bound.kind !== "own" && bound.kind !== "foreign") continue;
        const found = bound.bindings?.get(name);
        if (found) return found;
      }
      return of.kind === "unknown" || of.kind === "foreign" || of.kind === "own" ? UNKNOWN : { kind: "associated", of, name, trait };
    } finally {
      this.depth.leave();
    }
  }

  /** A type with the associated types in it whose owners are known by now. */
  settle(type: Type, depth = 0): Type {
    if (depth > MAX_NESTING) return type;
    spend();
    switch (type.kind) {
      case "associated":
        return this.associated(this.settle(type.of, depth + 1), type.name, type.trait);
      case "own":
      case "foreign":
        return type.args.some(({ kind }) => kind === "associated" || kind === "foreign" || kind === "own") ? { ...type, args: type.args.map((arg) => this.settle(arg, depth + 1)) } : type;
      default:
        return type;
    }
  }

  /** The traits that a type of which no more is known has. */
  boundsOf(type: Type): readonly Type[] {
    switch (type.kind) {
      case "bounds":
        return type.traits;
      case "parameter": {
        const at = type.source.data.code[type.at + 2]!;
        const bounds = this.type(type.source, at);
        return bounds.kind === "bounds" ? bounds.traits : [];
      }
      case "associated": {
        const said = type.of.kind === "parameter" ? this.whereClausesOf(type.of.source, type.of.at, type.name) : [];
        const traits = type.trait ? [type.trait] : this.boundsOf(type.of);
        return [...said, ...this.withSupers(traits).flatMap((trait) => {
          if (trait.kind === "own") this.program.asks.one(wordAfter(trait.declaration.place, type.name));
          const fact = trait.kind === "own" ? trait.declaration.fact.types.find(({ name }) => name === type.name) : undefined;
          const bounds = fact && trait.kind === "own" ? this.type(trait.declaration.source, fact.type) : UNKNOWN;
          return bounds.kind === "bounds" ? bounds.traits : [];
        })];
      }
      default:
        return [];
    }
  }

  /** What `where` clauses say of a type parameter's associated type. */
  private whereClausesOf(source: Source, parameter: Offset, name: string): readonly Type[] {
    const { code, strings } = source.data;
    const bounds = code[parameter + 2]!;
    return (bounds ? code.slice(bounds + 2, bounds + 2 + code[bounds + 1]!) : []).flatMap((at) => {
      if (code[at] !== Op.Binding || strings[code[at + 1]!] !== name) return [];
      const said = this.type(source, code[at + 2]!);
      return said.kind === "bounds" ? said.traits : [];
    });
  }

  /** Traits with all that they require. */
  withSupers(traits: readonly Type[]): Type[] {
    const all = [...traits];
    const met = new Set(traits.map((one) => (one.kind === "own" ? one.declaration : undefined)));
    for (let i = 0; i < all.length && all.length < MAX_SUPERS; i++) {
      const trait = all[i]!;
      if (trait.kind !== "own") continue;
      for (const above of this.impls.supersOf(trait.declaration)) {
        if (above.kind === "own" && met.has(above.declaration)) continue;
        if (above.kind === "own") met.add(above.declaration);
        all.push(above);
      }
    }
    return all;
  }

  /** A type, and what its methods are looked for in next. */
  *derefs(type: Type): Iterable<Type> {
    let at: Type | undefined = type;
    for (let i = 0; at && i < MAX_DEREFS; i++) {
      yield at;
      at = this.deref(at);
    }
  }

  deref(type: Type): Type | undefined {
    if (type.kind === "foreign") return pointee(type);
    if (type.kind !== "own") {
      const by = this.withSupers(this.boundsOf(type)).find((bound) => bound.kind === "foreign" && /^Deref(?:Mut)?$/.test(bound.name));
      return by?.kind === "foreign" ? by.bindings?.get("Target") : undefined;
    }
    if (type.others) return oneOf(builds(type).map((one) => this.deref(one) ?? UNKNOWN));
    const impl = this.impls.foreignTrait(type, "Deref");
    return impl && this.ofImpl(impl, type, "Target");
  }

  ofImpl(impl: Impl, type: Type, name: string): Type | undefined {
    const found = this.impls.associatedIn(impl, type, name);
    return found && this.settle(substitute(this.type(found.source, found.at), found.bindings));
  }

  /** The library's traits that a type has, as types that have their methods: an iterator of its items. */
  libraryViews(type: Type): ForeignType[] {
    if (type.kind === "foreign") return [this.asIterator(type)];
    if (type.kind === "own") {
      const impl = this.impls.foreignTrait(type, "Iterator");
      const item = impl && this.ofImpl(impl, type, "Item");
      return item ? [foreign("Iterator", item)] : [];
    }
    return this.withSupers(this.boundsOf(type)).flatMap((bound) => {
      if (bound.kind !== "foreign") return [];
      const item = bound.bindings?.get("Item") ?? (/Iterator$/.test(bound.name) ? this.associated(type, "Item", undefined) : undefined);
      return [item ? foreign("Iterator", item) : bound];
    });
  }

  /** The library's types that iterate, as what gives their items: `slice::Iter<T>`, `Peekable<I>`. */
  private asIterator(type: ForeignType): ForeignType {
    const [first = UNKNOWN, second] = type.args;
    if (/^(?:Iter|IterMut|IntoIter|Drain)$/.test(type.name)) return foreign("Iterator", second ? foreign("()", first, second) : first);
    if (!/^(?:Peekable|Rev|Skip|Take|StepBy|Fuse|Cycle|Cloned|Copied|SkipWhile|TakeWhile|Filter|Inspect|Enumerate)$/.test(type.name)) return type;
    const item = this.elementOf(first);
    return foreign("Iterator", type.name === "Enumerate" ? foreign("()", foreign("usize"), item) : item);
  }

  functionType(type: Type): (Type & { kind: "function" }) | undefined {
    if (type.kind === "function") return type;
    for (const one of this.derefs(type)) {
      if (one.kind === "function") return one;
      const found = this.boundsOf(one).find(({ kind }) => kind === "function");
      if (found?.kind === "function") return found;
    }
    return undefined;
  }

  elementOf(type: Type): Type {
    for (const one of this.derefs(type)) {
      for (const view of this.libraryViews(one)) {
        const element = elementOf(view);
        if (element.kind !== "unknown") return this.settle(element);
      }
      const impl = one.kind === "own" ? this.impls.foreignTrait(one, "IntoIterator") : undefined;
      const item = impl && this.ofImpl(impl, one, "Item");
      if (item) return item;
    }
    return UNKNOWN;
  }

  // Names

  /** What a path leads to, as far as modules, types and variants go. */
  named(source: Source, at: Offset, space: "types" | "values" | "macros"): Named | undefined {
    const { code, strings } = source.data;
    if (code[at] !== Op.Path) return undefined;
    const name = strings[code[at + 2]!]!;
    const prefix = code[at + 1]!;
    const module = source.modules[code[at + 3]!]!;
    if (prefix === 0) return name === "" ? undefined : this.program.first(module, name, space);
    // `::name`
    if (code[prefix] === Op.Path && strings[code[prefix + 2]!] === "" && code[prefix + 1] === 0) return this.program.crateNamed(module, name) ?? { kind: "foreign", name };
    const before = this.named(source, prefix, "types");
    return before && this.program.step(before, name, space, source);
  }

  awaited(type: Type): Type {
    for (const one of this.derefs(type)) {
      for (const bound of this.boundsOf(one)) if (bound.kind === "foreign" && bound.name === "Future") return bound.bindings?.get("Output") ?? UNKNOWN;
      const impl = one.kind === "own" ? this.impls.foreignTrait(one, "Future") ?? this.impls.foreignTrait(one, "IntoFuture") : undefined;
      const output = impl && this.ofImpl(impl, one, "Output");
      if (output) return output;
    }
    // A block's value is written without the future around it.
    return type.kind === "foreign" ? awaited(type) : type;
  }

  indexed(type: Type): Type {
    for (const one of this.derefs(type)) {
      const impl = one.kind === "own" ? this.impls.foreignTrait(one, "Index") : undefined;
      const output = impl && this.ofImpl(impl, one, "Output");
      if (output) return output;
      const element = one.kind === "foreign" ? indexed(one) : UNKNOWN;
      if (element.kind !== "unknown") return element;
    }
    return UNKNOWN;
  }

  ownBindings({ declaration: { fact, source }, args }: Type & { kind: "own" }): Bindings {
    const bindings = new Map<string, Type>();
    fact.typeParameters.forEach((at, i) => args[i] && bindings.set(keyOf(source, at), args[i]));
    return bindings;
  }

  /** The type of a function's parameter; a method that is called by its path has its receiver among the arguments. */
  parameterOf({ func: { fact, source } }: Candidate, position: number, byPath: boolean): Type | undefined {
    const at = fact.parameters[position - (byPath && fact.method ? 1 : 0)];
    return at === undefined ? undefined : this.type(source, at);
  }
}
