/** What runs where objects come and go without a call: destructors, and the constructors of bases that no initialiser names. */
import { spend } from "../../effort.ts";
import type { Checker } from "./checker.ts";
import type { Choice } from "./choice.ts";
import { Flag, type FunctionFact, type Offset } from "./facts.ts";
import { DECLARED, type Target } from "./operand.ts";
import type { Function, Program, Source, Space } from "./program.ts";

const NONE: readonly Target[] = [];
/** Classes that are looked at for a destructor. */
const MAX_CLASSES = 100;

export class Lifetimes {
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

  /** What a constructor or destructor runs of the bases of its class. `named`: the classes whose constructors its initialisers name. */
  ofBases(source: Source, { name, qualifier, scope, parameters }: FunctionFact, named: ReadonlySet<Space>): readonly Target[] {
    const space = qualifier === "" ? source.spaces[scope] : this.program.spaceNamed(source, scope, qualifier);
    if (!space?.isClass) return NONE;
    const bases = this.program.basesOf(space);
    if (name === `~${space.name}`) return bases.flatMap((base) => this.destructors(source, base));
    if (name !== space.name || named.has(space)) return NONE;
    const first = parameters.length === 1 ? this.checker.type(source, parameters[0]!) : undefined;
    // One that copies may be the default, which copies the bases.
    if (first?.kind === "class" && first.space === space) return NONE;
    return bases.filter((base) => !named.has(base)).flatMap((base) => this.defaultConstructor(source, base));
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
