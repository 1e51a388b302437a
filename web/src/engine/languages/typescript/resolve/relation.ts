import { CALL, CONSTRUCT } from "../facts.ts";
import { asBase, asBuiltin, typeArgument } from "./bases.ts";
import type { Checker } from "./checker.ts";
import { force } from "./deferred.ts";
import { find, namesOf } from "./members.ts";
import { isPredicate } from "./narrowing.ts";
import { constraintOf } from "./typenodes.ts";
import { isNothing } from "./types.ts";
import type { Type } from "./types.ts";

export type Answer = "yes" | "no" | "maybe";

/** Members of an interface that are compared before it is taken to fit. */
const MAX_MEMBERS = 12;

/** Built-in interfaces that nothing fits by its members alone. */
const OPAQUE = new Set(["Array", "ReadonlyArray", "Map", "ReadonlyMap", "Set", "ReadonlySet", "Promise", "Function", "Date", "RegExp"]);

/** Whether a value of type `a` can stand where `b` is expected, roughly: enough to choose an overload or a branch. */
export function related(c: Checker, a: Type, b: Type, depth = 0): Answer {
  if (a === b || b.k === "unknown") return "yes";
  if (a.k === "constructed" && b.k === "constructed" && a.unit === b.unit && a.binding === b.binding) return "yes";
  if (a.k === "unknown" || depth > 6 || !c.step()) return "maybe";
  if (a.k === "deferred" || a.k === "awaited") {
    const forced = force(c, a);
    return forced.k === "deferred" || forced.k === "awaited" ? "maybe" : related(c, forced, b, depth + 1);
  }
  if (b.k === "deferred" || b.k === "awaited") {
    const forced = force(c, b);
    return forced.k === "deferred" || forced.k === "awaited" ? "maybe" : related(c, a, forced, depth + 1);
  }
  if (b.k === "parameter") {
    const bound = constraintOf(c, b);
    return bound.k === "unknown" ? "maybe" : related(c, a, bound, depth + 1) === "no" ? "no" : "maybe";
  }
  if (a.k === "parameter") {
    const bound = constraintOf(c, a);
    return bound.k === "unknown" ? "maybe" : related(c, bound, b, depth + 1) === "yes" ? "yes" : "maybe";
  }
  if (isNothing(a)) return isNothing(b) && a.k === "primitive" && b.k === "primitive" && (a.name === b.name || b.name === "void") ? "yes" : b.k === "union" ? "maybe" : "no";
  if (a.k === "union") return all(a.of.map((t) => related(c, t, b, depth + 1)));
  if (b.k === "union") return any(b.of.map((t) => related(c, a, t, depth + 1)));
  if (b.k === "intersection") return all(b.of.map((t) => related(c, a, t, depth + 1)));
  if (a.k === "intersection") return any(a.of.map((t) => related(c, t, b, depth + 1)));
  switch (b.k) {
    case "primitive":
      if (a.k === "enumMember") return b.name === "string" || b.name === "number" ? "maybe" : "no";
      if (a.k !== "primitive" || a.name !== b.name) return "no";
      return b.literal === undefined || a.literal === b.literal ? "yes" : a.literal === undefined ? "maybe" : "no";
    case "enumMember":
      if (a.k !== "enumMember" || a.unit !== b.unit || a.index !== b.index) return "no";
      return b.member === undefined || a.member === b.member ? "yes" : a.member === undefined ? "maybe" : "no";
    case "function":
      // What filters by a type guard is for type guards alone.
      if (a.k === "function" && b.signatures[0] && a.signatures[0] && isPredicate(b.signatures[0]) && !isPredicate(a.signatures[0])) return "no";
      return a.k === "function" || find(c, a, CALL).length > 0 || a.k === "class" ? "yes" : "no";
    case "constructor":
      return a.k === "class" || a.k === "constructor" || (a.k === "instance" && find(c, a, CONSTRUCT).length > 0) ? "yes" : "no";
    case "class":
      return a.k === "class" ? (a.shape === b.shape ? "yes" : "maybe") : "no";
    case "tuple":
      if (a.k === "tuple") return all(b.of.map((t, i) => { const own = a.of[i] ?? a.rest; return own ? related(c, own, t, depth + 1) : "no"; }));
      return asBuiltin(c, a, "ReadonlyArray") ? "maybe" : "no";
    case "this":
      return asBase(c, a, b.unit, b.shape) ? "yes" : "maybe";
    case "instance":
      return toInstance(c, a, b, depth);
    default:
      return "maybe";
  }
}

function toInstance(c: Checker, a: Type, b: Extract<Type, { k: "instance" }>, depth: number): Answer {
  const base = asBase(c, a, b.unit, b.shape);
  if (base) {
    if (!base.env || !b.env) return "yes";
    const answers = b.shape.typeParameters.map((_, i) => related(c, typeArgument(base, i), typeArgument(b, i), depth + 2));
    return answers.includes("no") ? "no" : "yes";
  }
  // Two classes are alike by name alone, near enough.
  if (b.shape.kind === "class") return a.k === "this" ? "maybe" : "no";
  const wanted = namesOf(c, b).slice(0, MAX_MEMBERS);
  if (wanted.length === 0) return "yes";
  if (a.k === "primitive") return c.isBuiltin(b, "String", "Number", "Boolean") ? "maybe" : "no";
  if (wanted.includes(CALL)) return a.k === "function" || find(c, a, CALL).length > 0 ? "yes" : "no";
  if (wanted.includes(CONSTRUCT)) return a.k === "class" || a.k === "constructor" || find(c, a, CONSTRUCT).length > 0 ? "yes" : "no";
  if (wanted.length === 1 && wanted[0] === "[]") return a.k === "instance" || a.k === "tuple" ? "maybe" : "no";
  if (a.k !== "instance" && a.k !== "class" && a.k !== "module" && a.k !== "this") return a.k === "function" || a.k === "tuple" ? "no" : "maybe";
  if (b.unit === c.program.lib && OPAQUE.has(b.shape.name)) return "no";
  for (const name of wanted) {
    const member = b.shape.members.find((m) => m.name === name);
    const own = find(c, a, name);
    if (own.length === 0 && (!member || !isOptional(b, name))) return "no";
  }
  return "maybe";
}

/** Whether a value may do without a member. */
function isOptional(type: Extract<Type, { k: "instance" }>, name: string): boolean {
  return type.shape.members.find((m) => m.name === name)?.optional ?? false;
}

function all(answers: Answer[]): Answer {
  return answers.includes("no") ? "no" : answers.includes("maybe") ? "maybe" : "yes";
}

function any(answers: Answer[]): Answer {
  return answers.includes("yes") ? "yes" : answers.includes("maybe") ? "maybe" : "no";
}
