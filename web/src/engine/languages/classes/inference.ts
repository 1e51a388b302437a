import type { Checker } from "./checker.ts";
import { type Offset, Op } from "./facts.ts";
import type { Found } from "./hierarchy.ts";
import { isNull } from "./operand.ts";
import { parametersOfFunctional } from "./overloads.ts";
import type { Source } from "./program.ts";
import { type Bindings, keyOf, type Type, UNKNOWN } from "./types.ts";

/** Types of the library that stand for a function, with what they take: all arguments, all but the last (the result), or the first, twice. */
const FUNCTION_TYPES = new Map<string, "all" | "but last" | "twice">(Object.entries({
  Consumer: "all", BiConsumer: "all", Predicate: "all", BiPredicate: "all", Action: "all", EventHandler: "all",
  Function: "but last", BiFunction: "but last", Func: "but last", Converter: "but last", ToIntFunction: "all", ToLongFunction: "all", ToDoubleFunction: "all",
  UnaryOperator: "twice", BinaryOperator: "twice", Comparator: "twice", Comparison: "twice",
} as const));

/** What the type parameters of generic methods stand for, and what functions that are given take. */
export class Inference {
  constructor(private readonly checker: Checker) {}

  /** What a generic method's own parameters stand for, by the arguments' types. */
  inferred(source: Source, { member: { fact, source: home } }: Found, given: readonly Offset[]): Bindings {
    const inferred = new Map<string, Type>();
    for (const [i, argument] of given.entries()) {
      const at = fact.parameters[Math.min(i, fact.parameters.length - 1)];
      if (at === undefined) break;
      const parameter = this.checker.type(home, at);
      const result = resultOf(parameter);
      const gives = result.kind === "unknown" && source.data.code[argument] !== Op.Lambda ? undefined : this.checker.calls.givenByFunction(source, argument);
      const type = gives ?? this.checker.operand(source, argument).type;
      this.unify(gives ? result : fact.variadic && i >= fact.parameters.length - 1 && parameter.kind === "array" && type.kind !== "array" ? parameter.element : parameter, type, inferred);
    }
    return inferred;
  }

  unified(source: Source, at: Offset, type: Type): Bindings {
    const bindings = new Map<string, Type>();
    this.unify(this.checker.type(source, at), type, bindings);
    return bindings;
  }

  private unify(pattern: Type, type: Type, into: Map<string, Type>): void {
    if (type.kind === "unknown" || isNull(type)) return;
    if (pattern.kind === "parameter") {
      const key = keyOf(pattern.source, pattern.at);
      if (!into.has(key)) into.set(key, type);
    } else if (pattern.kind === "array") {
      this.unify(pattern.element, this.checker.elementOf(type), into);
    } else if (pattern.kind === "class" && type.kind === "class") {
      const above = this.checker.hierarchy.ancestors(type).find(({ declaration }) => declaration === pattern.declaration);
      for (const [i, arg] of pattern.args.entries()) if (above?.args[i]) this.unify(arg, above.args[i], into);
    } else if (pattern.kind === "foreign") {
      if (pattern.args.length === 1) this.unify(pattern.args[0]!, type.kind === "foreign" && type.args.length === 1 ? type.args[0]! : this.checker.elementOf(type), into);
      else if (type.kind === "foreign") for (const [i, arg] of pattern.args.entries()) if (type.args[i]) this.unify(arg, type.args[i], into);
    }
  }

  /** What a function of a type takes. */
  takes(type: Type, position: number): Type {
    if (type.kind === "foreign") {
      const how = FUNCTION_TYPES.get(type.name);
      if (how === undefined) return type.name === "Expression" && type.args[0] ? this.takes(type.args[0], position) : UNKNOWN;
      return (how === "twice" ? type.args[0] : how === "all" ? type.args[position] : type.args.slice(0, -1)[position]) ?? UNKNOWN;
    }
    return parametersOfFunctional(this.checker.hierarchy, type)?.[position] ?? UNKNOWN;
  }
}

/** What a function type's function gives. */
function resultOf(type: Type): Type {
  if (type.kind !== "foreign") return UNKNOWN;
  return FUNCTION_TYPES.get(type.name) === "but last" || type.name === "Supplier" || type.name === "Callable" ? (type.args.at(-1) ?? UNKNOWN) : UNKNOWN;
}
