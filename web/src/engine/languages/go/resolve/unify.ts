import { spend } from "../../../effort.ts";
import { interfaceMethods, underlying } from "./members.ts";
import { COMPARABLE, keyOf, partsOf, type Type, type TypeParameter } from "./types.ts";

/** Types that take more comparisons than this count as different. */
const MAX_COMPARISONS = 2_000;
/** Constraints nested deeper than this allow any type. */
const MAX_DEPTH = 12;

/**
 * First-order unification: finds arguments for type parameters with which types are identical. A parameter for which `isFixed` is true
 * gets no argument. An unknown type is identical to every type.
 */
export class Unification {
  private found = new Map<TypeParameter, Type>();
  private left = MAX_COMPARISONS;

  constructor(private readonly isFixed: (parameter: TypeParameter) => boolean) {}

  /** Whether two types can be made identical; keeps the arguments that do it. After `false` the arguments mean nothing. */
  same(one: Type, other: Type): boolean {
    spend();
    if (--this.left < 0) return false;
    const [a, b] = [this.bound(one), this.bound(other)];
    if (a === b || !isTold(a) || !isTold(b) || keyOf(a) === keyOf(b)) return true;
    if (this.isOpen(a)) return this.bind(a, b);
    if (this.isOpen(b)) return this.bind(b, a);
    if (a.kind !== b.kind || headOf(a) !== headOf(b)) return false;
    const parts = partsOf(b);
    return partsOf(a).every((part, i) => this.same(part, parts[i]!));
  }

  /** Whether a constraint allows a type: the type, or its underlying type, is identical to a term. */
  allows(terms: Type, type: Type, depth = 0): boolean {
    spend();
    if (depth > MAX_DEPTH || --this.left < 0) return true;
    if (terms.kind === "union") return terms.terms.some((term) => this.allows(term, type, depth + 1));
    const under = underlying(terms);
    if (!isTold(under)) return true;
    if (under === COMPARABLE) return !["slice", "map", "func"].includes(underlying(type).kind);
    if (under.kind === "interface") return interfaceMethods(under).lists.every((more) => this.allows(more, type, depth + 1));
    return [type, underlying(type)].some((each) => {
      const before = new Map(this.found);
      if (this.same(terms, each)) return true;
      this.found = before;
      return false;
    });
  }

  /** Whether each argument is in the type list of its parameter's constraint. Methods of constraints are not looked at. */
  isAllowed(): boolean {
    return [...this.found].every(([parameter, argument]) => {
      const type = this.bound(argument);
      return type.kind === "parameter" || this.allows(underlying(parameter), type);
    });
  }

  /** Whether each argument satisfies its parameter's constraint for certain. Of a constraint with methods or a type list this is not known. */
  isSatisfied(): boolean {
    return this.isAllowed() && [...this.found].every(([parameter, argument]) => {
      const [asked, type] = [underlying(parameter), this.bound(argument)];
      if (asked.kind !== "interface" || asked.methods.length + asked.embedded.length > 0) return false;
      return asked !== COMPARABLE || type.kind !== "parameter" || underlying(type) === COMPARABLE;
    });
  }

  private bound(type: Type): Type {
    while (type.kind === "parameter") {
      const next = this.found.get(type);
      if (!next) break;
      type = next;
    }
    return type;
  }

  private isOpen(type: Type): type is TypeParameter {
    return type.kind === "parameter" && !this.isFixed(type);
  }

  private bind(parameter: TypeParameter, type: Type): boolean {
    if (this.isIn(parameter, type)) return false;
    this.found.set(parameter, type);
    return true;
  }

  /** Whether a parameter is a part of a type, which then cannot be its argument. */
  private isIn(parameter: TypeParameter, type: Type): boolean {
    spend();
    if (--this.left < 0) return true;
    const now = this.bound(type);
    return now === parameter || partsOf(now).some((part) => this.isIn(parameter, part));
  }
}

function isTold({ kind }: Type): boolean {
  return kind !== "unknown" && kind !== "foreign";
}

/** What a type is apart from its parts. */
function headOf(type: Type): string {
  switch (type.kind) {
    case "named":
      return `${type.entity.id} ${type.args.length}`;
    case "func":
      return `${type.parameters.length} ${type.results.length} ${type.variadic}`;
    case "struct":
      return type.fields.map(({ name, embedded }) => `${embedded} ${name}`).join();
    case "interface":
      return `${type.methods.map(({ name }) => name).join()} ${type.embedded.length}`;
    case "union":
      return String(type.terms.length);
    case "basic":
    case "parameter":
      return keyOf(type);
    default:
      return "";
  }
}
