/** What runs where objects come and go without a call: destructors, and the constructors of bases and fields that no initialiser names. */
import { spend } from "../../effort.ts";
import type { Checker } from "./checker.ts";
import type { Choice } from "./choice.ts";
import { Flag, type FunctionFact, type Offset, type TypeFact, type VariableFact } from "./facts.ts";
import { DECLARED, INFERRED, type Target } from "./operand.ts";
import type { Function, Program, Source, Space } from "./program.ts";

/** What the initialisers of a constructor name: bases, its own class, fields. */
export type Initialised = Space | VariableFact;

const NONE: readonly Target[] = [];
/** Classes that are looked at for a destructor. */
const MAX_CLASSES = 100;
/** Fields of a class that are objects. */
const MAX_FIELDS = 100;

export class Lifetimes {
  private readonly objects = new Map<Space, readonly { fact: VariableFact; space: Space }[]>();

  constructor(private readonly program: Program, private readonly checker: Checker, private readonly choice: Choice) {}

  /** What runs when the block of a local variable ends. */
  ofLocal(source: Source, at: Offset): readonly Target[] {
    const { type, certainty } = this.checker.operand(source, at);
    if (type.kind !== "class" || (type.flags & (Flag.Pointer | Flag.Reference | Flag.Function)) !== 0) return NONE;
    return atMost(certainty, this.destructors(source, type.space));
  }

  /** What `delete` runs. */
  ofDelete(source: Source, at: Offset): readonly Target[] {
    const { type } = this.checker.operand(source, at);
    return type.kind === "class" ? this.destructors(source, type.space) : NONE;
  }

  /** What a constructor or destructor runs of the bases and fields of its class. `named`: what its initialisers name. */
  ofParts(source: Source, { name, qualifier, scope, parameters }: FunctionFact, named: ReadonlySet<Initialised>): readonly Target[] {
    const space = qualifier === "" ? source.spaces[scope] : this.program.spaceNamed(source, scope, qualifier);
    if (!space?.isClass) return NONE;
    if (name === `~${space.name}`) return this.destructorsOfParts(source, space);
    if (name !== space.name || named.has(space)) return NONE;
    const first = parameters.length === 1 ? this.checker.type(source, parameters[0]!) : undefined;
    // One that copies may be the default, which copies the bases.
    if (first?.kind === "class" && first.space === space) return NONE;
    return this.constructorsOfParts(source, space, named);
  }

  /** What making an object of a class runs that declares no constructor, deleted ones neither, and destroying one of a class without a destructor. Braces may give the fields. */
  ofUndeclared(source: Source, { inner, deleted = [] }: TypeFact): readonly Target[] {
    const space = source.spaces[inner];
    if (inner === 0 || !space?.isClass) return NONE;
    const declares = (name: string): boolean => space.functions.has(name) || deleted.includes(name);
    return [
      ...(declares(space.name) ? NONE : atMost(INFERRED, this.constructorsOfParts(source, space, new Set()))),
      ...(declares(`~${space.name}`) ? NONE : this.destructorsOfParts(source, space)),
    ];
  }

  private constructorsOfParts(source: Source, space: Space, named: ReadonlySet<Initialised>): readonly Target[] {
    return [
      ...this.program.basesOf(space).filter((base) => !named.has(base)),
      ...this.fields(space).flatMap(({ fact, space: type }) => (fact.initialiser > 0 || named.has(fact) ? [] : [type])),
    ].flatMap((part) => this.defaultConstructor(source, part));
  }

  private destructorsOfParts(source: Source, space: Space): readonly Target[] {
    return [...this.program.basesOf(space), ...this.fields(space).map(({ space: type }) => type)].flatMap((part) => this.destructors(source, part));
  }

  /** The fields of a class that are objects, each made and destroyed with it; those of a union are neither. */
  private fields(space: Space): readonly { fact: VariableFact; space: Space }[] {
    if (space.type?.fact.union) return [];
    let objects = this.objects.get(space);
    if (!objects) {
      spend(space.fields.length);
      objects = space.fields.flatMap(({ source, fact }) => {
        const type = this.checker.type(source, fact.type);
        return type.kind === "class" && (type.flags & (Flag.Pointer | Flag.Reference | Flag.Function)) === 0 ? [{ fact, space: type.space }] : [];
      }).slice(0, MAX_FIELDS);
      this.objects.set(space, objects);
    }
    return objects;
  }

  private defaultConstructor(source: Source, space: Space): readonly Target[] {
    const all = space.functions.get(space.name) ?? [];
    // Default values are said where it is declared.
    const keys = new Set(all.flatMap(({ fact: { required, key } }) => (required === 0 ? [key] : [])));
    return atMost(DECLARED, this.choice.choose(source, all.filter(({ fact: { key } }) => keys.has(key)), []));
  }

  /** The destructor of a class, or those of the nearest classes above it that declare one. */
  private destructors(source: Source, space: Space): readonly Target[] {
    const found: Target[] = [];
    const spaces = new Set([space]);
    // It grows while it is gone through.
    for (const one of spaces) {
      spend();
      const own = declaredIn(one);
      if (own.length > 0) found.push(...this.choice.choose(source, own, []));
      else for (const base of this.program.basesOf(one)) if (spaces.size < MAX_CLASSES) spaces.add(base);
    }
    return atMost(DECLARED, found);
  }
}

function declaredIn(space: Space): readonly Function[] {
  return space.functions.get(`~${space.name}`) ?? [];
}

function atMost(confidence: number, targets: readonly Target[]): readonly Target[] {
  return targets.map((target) => ({ ...target, confidence: Math.min(target.confidence, confidence) }));
}
