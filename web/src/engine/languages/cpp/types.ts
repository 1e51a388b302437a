import { spend } from "../../effort.ts";
import { Sizes } from "../size.ts";
import { Flag } from "./facts.ts";
import type { Space } from "./program.ts";

/** What a value is. `flags` are those of facts.ts. */
export type Type =
  | { kind: "class"; space: Space; args: readonly Type[]; flags: number }
  /** A type from outside of the repository, or none that has members, by the last part of its name; `of`: the class whose template parameter it is. */
  | { kind: "foreign"; name: string; args: readonly Type[]; flags: number; of?: Space }
  | { kind: "unknown" };

export const UNKNOWN: Type = { kind: "unknown" };

const NO_PARTS: readonly Type[] = [];
export const sizes = new Sizes<Type>((type) => (type.kind === "unknown" ? NO_PARTS : type.args), UNKNOWN);

/** The type with a template's parameters replaced. */
export function substitute(type: Type, names: readonly string[], args: readonly Type[]): Type {
  if (names.length === 0 || args.length === 0 || type.kind === "unknown") return type;
  if (type.kind === "foreign") {
    const at = names.indexOf(type.name);
    const arg = at >= 0 ? args[at] : undefined;
    if (arg && arg.kind !== "unknown") return { ...arg, flags: arg.flags | type.flags };
  }
  if (type.args.length === 0) return type;
  spend();
  return { ...type, args: type.args.map((inner) => sizes.bounded(substitute(inner, names, args))) };
}

const NUMBERS = /^(?:(?:unsigned|signed|long|short|int|char|bool|float|double|size_t|ssize_t|u?int\d+(?:_t)?|u?int(?:ptr|max)_t|ptrdiff_t|off_t|wchar_t|char\d+_t)\s*)+$/;

/** Whether values of a type are pointers, as arrays are where they are handed on. */
export function isPointer(type: Type): boolean {
  return type.kind !== "unknown" && (type.flags & (Flag.Pointer | Flag.Array)) !== 0;
}

/** How well an argument fits a parameter: 3 the same type, 2 the language converts it, 1 nobody knows, 0 it does not. */
export function fit(argument: Type, parameter: Type, derives: (space: Space, base: Space) => boolean): number {
  if (argument.kind === "unknown" || parameter.kind === "unknown") return 1;
  if (argument.kind === "class") {
    if (parameter.kind === "class") return !isPointer(argument) === isPointer(parameter) ? 0.5 : argument.space === parameter.space ? 3 : derives(argument.space, parameter.space) ? 2 : 0.5;
    return NUMBERS.test(parameter.name) ? 0 : 1;
  }
  if (parameter.kind === "class") return NUMBERS.test(argument.name) && argument.flags === 0 ? 0.25 : 0.5;
  const number = NUMBERS.test(argument.name);
  if (number && NUMBERS.test(parameter.name)) {
    if (isPointer(argument) !== isPointer(parameter)) return 0;
    return argument.name === parameter.name ? 3 : isPointer(argument) ? 0.5 : 2;
  }
  if (argument.name === parameter.name) return 3;
  // A text is given for a string, a view of it, and whatever takes one.
  if (argument.name === "char" && argument.flags !== 0) return /string/i.test(parameter.name) ? 2 : 1;
  return number !== NUMBERS.test(parameter.name) ? 0.5 : 1;
}
