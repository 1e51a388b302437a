import type { Checker } from "./checker.ts";
import type { Declaration } from "./program.ts";
import type { FunctionRules } from "./rules.ts";
import type { Type } from "./types.ts";

/** Types in types in which functions are looked for. */
const MAX_DEPTH = 6;

/** Tells which types have functions as their values, or values that hold some. */
export class FunctionTypes {
  private readonly functional = new Map<Declaration, boolean>();
  private readonly holding = new WeakMap<Type, boolean>();

  constructor(private readonly checker: Checker, private readonly rules: FunctionRules) {}

  /** Whether values of a type are functions. */
  isFunction(type: Type): boolean {
    return this.checker.termsOf(type).some((term) => {
      if (term.kind === "foreign") return this.rules.isFunction(term.name);
      return term.kind === "class" && (term.declaration.kind === "delegate" || this.isFunctional(term.declaration));
    });
  }

  private isFunctional(declaration: Declaration): boolean {
    if (!this.rules.interfaces || declaration.kind !== "interface") return false;
    let known = this.functional.get(declaration);
    if (known === undefined) {
      const own = this.checker.hierarchy.own(declaration);
      const names = new Set(this.checker.hierarchy.ancestors(own).flatMap(({ declaration: { methods } }) => [...methods.values()].flat().filter(({ fact }) => fact.abstract).map(({ fact }) => fact.name)));
      this.functional.set(declaration, (known = names.size === 1));
    }
    return known;
  }

  /** Whether a method of a type runs the function that a value of it is. */
  runs(type: Type, name: string): boolean {
    return this.checker.termsOf(type).some((term) => {
      if (term.kind === "foreign") return this.rules.runs(term.name, name);
      if (term.kind === "unknown") return this.rules.runs("", name);
      if (term.kind !== "class") return false;
      if (term.declaration.kind === "delegate") return this.rules.runs("", name);
      return this.isFunctional(term.declaration) && this.checker.hierarchy.methods(term, name).some(({ member }) => member.fact.abstract);
    });
  }

  /** Whether values of a type are functions, or have some in them. */
  holds(type: Type): boolean {
    const known = this.holding.get(type);
    if (known !== undefined) return known;
    const found = this.holdsInside(type, 0);
    this.holding.set(type, found);
    return found;
  }

  private holdsInside(type: Type, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (this.isFunction(type)) return true;
    return this.checker.termsOf(type).some((term) => {
      if (term.kind === "unknown" || term.kind === "foreign") {
        if (this.rules.mayHold?.(term.kind === "foreign" ? term.name : "")) return true;
      }
      if (term.kind === "array") return this.holdsInside(term.element, depth + 1);
      return term.kind === "foreign" && term.args.some((argument) => this.holdsInside(argument, depth + 1));
    });
  }

  /** Whether something of a type may be given functions: it holds some, or nothing tells. */
  mayTake(type: Type): boolean {
    return type.kind === "unknown" || type.kind === "parameter" || (type.kind === "foreign" && /^(?:[oO]bject|dynamic|Delegate)$/.test(type.name)) || this.holds(type);
  }
}
