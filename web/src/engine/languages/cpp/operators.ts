/** Operators that classes may declare: which expressions may run one, and which functions one means. */
import type { Choice } from "./choice.ts";
import { type CppFacts, Flag, type Offset, Op } from "./facts.ts";
import { isNumber } from "./functions.ts";
import type { Target } from "./operand.ts";
import type { Function, Program, Source, Space } from "./program.ts";
import type { Type } from "./types.ts";

/** What may be an object, by its record alone: all but numbers, texts and pointers. */
export function mayBeObject({ code, strings }: Pick<CppFacts, "code" | "strings">, at: Offset): boolean {
  switch (at === 0 ? 0 : code[at]) {
    case Op.Value:
    case Op.Variable:
    case Op.Cast:
    case Op.New: {
      const type = code[at + 1]!;
      return code[type] !== Op.Named || ((code[type + 3]! & (Flag.Pointer | Flag.Array)) === 0 && !isNumber(strings[code[type + 1]!]!));
    }
    case 0:
    case Op.Address:
    case Op.This:
    case Op.Braces:
    case Op.Code:
      return false;
    default:
      return true;
  }
}

/** What operators that compare give, whatever they compare. */
export function isComparison(name: string): boolean {
  return /^operator(?:[<>]=?|[=!]=)$/.test(name);
}

/** Where operators are looked for that are members, or are declared beside a class or in it as friends. */
export class Operators {
  constructor(private readonly program: Program, private readonly choice: Choice, private readonly type: (source: Source, at: Offset) => Type, private readonly converts: (from: Type, to: Type) => boolean) {}

  /** The functions that an operator with these operands runs. */
  targets(source: Source, name: string, operands: readonly Type[]): readonly Target[] {
    if (!this.program.mayRun(name)) return [];
    const [left, ...others] = operands;
    const own = left && objectOf(left);
    if (own) {
      const members = this.functionsIn(source, own, name).filter((one) => one.space.isClass && takes(one, others.length));
      if (members.length > 0) return this.choice.choose(source, members, others, left.kind === "class" && (left.flags & Flag.Const) !== 0);
    }
    const classes = new Set(operands.flatMap((operand) => objectOf(operand) ?? []));
    const spaces = new Set([...classes].flatMap((space) => [space, ...this.program.ancestors(space)].flatMap((one) => [one, ...(one.parent ? [one.parent] : [])])));
    // One that is declared outside of all namespaces is found as any name is.
    if (classes.size > 0) spaces.add(this.program.root);
    const beside = [...spaces].flatMap((space) => this.functionsIn(source, space, name));
    return this.choice.choose(source, [...new Set(beside)].filter((one) => takes(one, operands.length) && this.suits(one, operands)), operands);
  }

  private functionsIn(source: Source, space: Space, name: string): readonly Function[] {
    return this.program.inSpace(source, space, name)?.functions ?? [];
  }

  /** Whether some parameter is of the class of its operand, of one above it or of one that makes an object of it, and none of another class. */
  private suits({ source, fact: { parameters } }: Function, operands: readonly Type[]): boolean {
    let any = false;
    for (const [i, operand] of operands.entries()) {
      const space = objectOf(operand);
      const parameter = this.type(source, parameters[i]!);
      if (!space || parameter.kind !== "class") continue;
      if (parameter.space !== space && !this.program.ancestors(space).has(parameter.space) && !this.converts(operand, parameter)) return false;
      any = true;
    }
    return any;
  }
}

/** The class of an object, or of a reference to one. */
function objectOf(type: Type): Space | undefined {
  return type.kind === "class" && (type.flags & (Flag.Pointer | Flag.Array)) === 0 ? type.space : undefined;
}

function takes({ fact: { parameters, required } }: Function, count: number): boolean {
  return required <= count && count <= parameters.length;
}
