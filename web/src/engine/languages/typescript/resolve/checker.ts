import type { Program } from "./program.ts";
import { envOf, primitiveType, UNKNOWN } from "./types.ts";
import type { Instance, Type } from "./types.ts";
import { Op } from "../facts.ts";

/** Questions nested deeper than this get "unknown" for an answer. */
const MAX_DEPTH = 120;

/** A program and what all questions about its types share. */
export class Checker {
  readonly program: Program;
  private depth = 0;

  constructor(program: Program) {
    this.program = program;
  }

  /** Answers from `known`, or works the answer out once. A question that comes back to itself is unknown. */
  once<K>(known: Map<K, Type | null>, key: K, work: () => Type): Type {
    const answer = known.get(key);
    if (answer !== undefined) return answer ?? UNKNOWN;
    if (this.depth >= MAX_DEPTH) return UNKNOWN;
    known.set(key, null);
    const result = this.deeper(work);
    known.set(key, result);
    return result;
  }

  deeper(work: () => Type): Type {
    if (this.depth >= MAX_DEPTH) return UNKNOWN;
    this.depth++;
    try {
      return work();
    } finally {
      this.depth--;
    }
  }

  /** An interface of the built-in declarations with its type arguments. */
  builtin(name: string, ...typeArguments: Type[]): Type {
    const { lib } = this.program;
    const binding = this.program.libBinding(name);
    if (binding === undefined) return UNKNOWN;
    const declaration = lib.declarations(binding).find((d) => lib.op(d) === Op.ShapeDeclaration);
    if (declaration === undefined) return UNKNOWN;
    const shape = lib.facts.shapes[lib.at(declaration, 2)]!;
    return { k: "instance", unit: lib, shape, env: envOf(new Map(shape.typeParameters.map((p, i) => [lib.parameter(p), typeArguments[i] ?? UNKNOWN]))) };
  }

  arrayOf(element: Type): Type {
    return this.builtin("Array", element);
  }

  promiseOf(value: Type): Type {
    return this.builtin("Promise", value);
  }

  /** Whether a type is the built-in interface of a name. */
  isBuiltin(type: Type, ...names: string[]): type is Instance {
    return type.k === "instance" && type.unit === this.program.lib && names.includes(type.shape.name);
  }

  /** The built-in interface that lends its members to a primitive. */
  boxed(name: string): Type {
    switch (name) {
      case "string":
        return this.builtin("String");
      case "number":
        return this.builtin("Number");
      case "boolean":
        return this.builtin("Boolean");
      case "bigint":
        return this.builtin("BigInt");
      case "symbol":
        return this.builtin("Symbol");
      default:
        return UNKNOWN;
    }
  }
}

export const STRING = primitiveType("string");
export const NUMBER = primitiveType("number");
export const BOOLEAN = primitiveType("boolean");
export const VOID = primitiveType("void");
