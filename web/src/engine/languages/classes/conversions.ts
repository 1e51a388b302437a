import type { Found, Hierarchy } from "./hierarchy.ts";
import { accepts, choose, Fit } from "./overloads.ts";
import type { Declaration, Member, Program } from "./program.ts";
import { type ClassType, substitute, type Type } from "./types.ts";

/** What the names of conversions begin with: `implicit operator Money`. */
const CONVERSION = /^(?:im|ex)plicit operator /;

/** The conversions that types declare, `implicit operator Money(int amount)` (C#). */
export class Conversions {
  private known: ReadonlyMap<Declaration, readonly Member[]> | undefined;
  /** By class, its conversions and those of its bases. */
  private readonly inherited = new Map<Declaration, readonly Declaration[]>();

  /** `typeAt` reads a record as a type. */
  constructor(private readonly program: Program, private readonly hierarchy: Hierarchy, private readonly typeAt: (source: Member["source"], at: number) => Type) {}

  /** By type, the conversions that it declares; most programs have none. */
  get declared(): ReadonlyMap<Declaration, readonly Member[]> {
    this.known ??= new Map(this.program.declarations.flatMap((declaration) => {
      const all = [...declaration.methods].flatMap(([name, members]) => (CONVERSION.test(name) ? members : []));
      return all.length > 0 ? [[declaration, all] as const] : [];
    }));
    return this.known;
  }

  /**
   * The conversions that may turn a value of one type into another, where the language has none itself: the most special one, if there is one.
   * `cast`: they are asked for, so those are meant, too, that only a cast runs.
   */
  between(from: Type, to: Type, cast = false): readonly Found[] {
    if (this.declared.size === 0 || !isConcrete(from) || !isConcrete(to)) return [];
    const declaring = [from, to].flatMap((type) => (type.kind === "class" ? this.above(type) : []));
    if (declaring.length === 0 || accepts(this.hierarchy, to, from) >= Fit.Converted) return [];
    const fitting = declaring.flatMap((type) => this.declared.get(type.declaration)!.flatMap((member): Found[] => {
      const found = { member, bindings: this.hierarchy.bindings(type) };
      const [parameter] = this.hierarchy.parameters(found);
      const isAsked = cast || member.fact.name.startsWith("implicit");
      const takes = isAsked && parameter !== undefined && accepts(this.hierarchy, parameter, from) >= (cast ? Fit.Unlikely : Fit.Converted);
      return takes && accepts(this.hierarchy, to, this.result(found)) >= Fit.Above ? [found] : [];
    }));
    const exact = fitting.filter((found) => accepts(this.hierarchy, to, this.result(found)) === Fit.Same);
    return choose(this.hierarchy, exact.length > 0 ? exact : fitting, [{ type: from, lambda: -1, spread: false }], false).chosen;
  }

  /** What a conversion gives. */
  result({ member: { source, fact }, bindings }: Found): Type {
    return substitute(this.typeAt(source, fact.type), bindings);
  }

  /** The type and its bases, as far as they declare conversions. */
  private above(type: ClassType): readonly ClassType[] {
    let all = this.inherited.get(type.declaration);
    if (!all) this.inherited.set(type.declaration, (all = this.hierarchy.ancestors(type).map(({ declaration }) => declaration).filter((one) => this.declared.has(one))));
    return all.length === 0 ? NONE : this.hierarchy.ancestors(type).filter(({ declaration }) => all.includes(declaration));
  }
}

const NONE: readonly ClassType[] = [];

/** Whether conversions are looked for from and to a type: not for what may be anything, nor for interfaces, which none is declared for. */
function isConcrete(type: Type): boolean {
  switch (type.kind) {
    case "class":
      return type.declaration.kind !== "interface";
    case "foreign":
      return type.name !== "null" && !/^(?:[Oo]bject|dynamic|void)$|^I\p{Lu}\p{Ll}/u.test(type.name);
    default:
      return type.kind === "array";
  }
}
