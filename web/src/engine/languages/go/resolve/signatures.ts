import { SLOT, type Slot } from "../../../language.ts";
import { wordOf } from "../../words.ts";
import { type GoFacts, type Offset, Op } from "../facts.ts";
import { underlying } from "./members.ts";
import type { Source } from "./packages.ts";
import type { Func, Struct, Type } from "./types.ts";

/**
 * The slot of the functions of a type that some code uses as values, those that tests declare apart by folder. Undefined for a signature
 * without a declared type: functions that have nothing in common have it.
 */
export function slotOfType(type: Type, declaring?: Source): Slot | undefined {
  const func = underlying(type);
  if (func.kind !== "func") return undefined;
  const text = (func.spelled ??= isTelling(func) ? spelled(func) : "?");
  return text.includes("?") ? undefined : { name: `${SLOT.TYPE}${wordOf(declaring?.test ? `${declaring.dir}\n${text}` : text)}` };
}

/** The slot of a field of a struct type without a name: types with the same fields are the same. Those of tests are apart by folder. */
export function slotOfField(struct: Struct, field: string, declaring: Source): Slot | undefined {
  const text = spelled(struct);
  return text.includes("?") ? undefined : { name: `(field)${wordOf(declaring.test ? `${declaring.dir}\n${text} ${field}` : `${text} ${field}`)}` };
}

function isTelling({ parameters, results, typeParameters }: Func): boolean {
  return !typeParameters && (parameters.some(hasName) || results.some(hasName));
}

/** Whether a called value comes from elsewhere: a parameter, a field, an element, a channel. A call mostly gives a function literal. */
export function isGiven({ code }: GoFacts, callee: Offset): boolean {
  const at = code[callee] === Op.Variable ? code[callee + 2]! : callee;
  const op = code[at];
  return at === 0 || op === Op.Select || op === Op.Index || op === Op.Element || op === Op.Receive;
}

/** Whether a type has a declared type in front, other than `error`. */
function hasName(type: Type): boolean {
  if (type.kind === "pointer" || type.kind === "slice") return hasName(type.element);
  return type.kind === "named" && !(type.entity.home === "" && type.entity.name === "error");
}

/** A type in words that stay the same when other code changes; with `?` where a part is open, or not known. */
function spelled(type: Type): string {
  switch (type.kind) {
    case "basic":
      return type.name;
    case "named":
      return `${type.entity.home} ${type.entity.name}[${type.args.map(spelled).join()}]`;
    case "pointer":
      return `*${spelled(type.element)}`;
    case "slice":
    case "array":
    case "chan":
      return `${type.kind} ${spelled(type.element)}`;
    case "map":
      return `map[${spelled(type.keys)}]${spelled(type.element)}`;
    case "func":
      return `func(${type.parameters.map(spelled).join()}${type.variadic ? "..." : ""})(${type.results.map(spelled).join()})`;
    case "struct":
      return `struct{${type.fields.map(({ name, type: of }) => `${name} ${spelled(of)}`).join(";")}}`;
    case "interface":
      return type.methods.length + type.embedded.length === 0 ? "any" : "?";
    default:
      return "?";
  }
}
