import { spend } from "../../effort.ts";
import { type MemberFact, Mode } from "./facts.ts";
import type { Found, Functional, Hierarchy } from "./hierarchy.ts";
import { placeOf, type Said } from "./positions.ts";
import type { Declaration } from "./program.ts";
import { plain, sameType, type Type, UNKNOWN } from "./types.ts";

/** How well an argument's type suits a parameter's. */
export const enum Fit { Never, Unlikely, Unknown, Converted, Above, Same }

/** What an argument is, as far as choosing among overloads goes. */
export interface Argument extends Said {
  type: Type;
  /** The number of parameters of a lambda, or of the methods that a name may mean (C#); -1 for anything else. */
  lambda: number;
  /** Whether such a function gives nothing, where that is known. */
  void?: boolean;
  /** What such a function gives, which may also be dropped: that of a call. */
  gives?: Type;
  spread: boolean;
}

/** What may be more methods than this is none in particular. */
export const MAX_CHOSEN = 100;

/** Primitive numbers, the narrower before the wider. */
export const NUMBERS = ["byte", "sbyte", "short", "ushort", "char", "int", "uint", "long", "ulong", "float", "double", "decimal"];
/** Java's objects for primitive values. */
const BOXES = /^(?:Integer|Long|Short|Byte|Character|Double|Float|Boolean)$/;
const TEXTS = new Set(["CharSequence", "Comparable", "Serializable", "IEnumerable", "IComparable", "IConvertible", "ReadOnlySpan", "Stringable", "Constable"]);
const COLLECTION = /(List|Collection|Set|Dictionary|Map|Queue|Stack|Enumerable|Queryable|Grouping|Lookup|Array|Iterable)$/;
const ARRAY_LIKE = new Set(["IEnumerable", "ICollection", "IList", "IReadOnlyList", "IReadOnlyCollection", "Array", "array", "iterable", "Span", "ReadOnlySpan", "Memory", "Iterable"]);

export function accepts(hierarchy: Hierarchy, parameter: Type, argument: Type): Fit {
  spend();
  if (parameter.kind === "unknown" || argument.kind === "unknown") return Fit.Unknown;
  if (parameter.kind === "union") return best(parameter.terms.map((term) => accepts(hierarchy, term, argument)));
  if (argument.kind === "union") return least(argument.terms.map((term) => accepts(hierarchy, parameter, term)));
  if (parameter.kind === "parameter") {
    const bound = sameType(parameter, argument) ? undefined : hierarchy.boundOf(parameter);
    const fit = bound ? accepts(hierarchy, bound, argument) : Fit.Same;
    return fit === Fit.Unlikely ? Fit.Unknown : atMost(Fit.Converted, fit);
  }
  if (argument.kind === "parameter") {
    const bound = hierarchy.boundOf(argument);
    // A value of which no more is known is no number.
    return bound ? atMost(Fit.Above, accepts(hierarchy, parameter, bound)) : isPrimitive(parameter) ? Fit.Never : Fit.Unknown;
  }
  const to = parameter.kind === "foreign" ? plain(parameter.name) : "";
  const optional = to === "Nullable" && parameter.kind === "foreign" ? parameter.args[0] : undefined;
  const given = argument.kind === "foreign" && argument.name === "Nullable" ? argument.args[0] : undefined;
  if (optional && given) return accepts(hierarchy, optional, given);
  if (optional) {
    const fit = isNull(argument) ? Fit.Unknown : accepts(hierarchy, optional, argument);
    return fit === Fit.Same ? Fit.Above : fit;
  }
  if (given && to !== "object") return Fit.Never;
  if (argument.kind === "array" && parameter.kind === "array") return acceptsArray(hierarchy, parameter.element, argument.element);
  if (argumentsDiffer(parameter, argument)) return Fit.Never;
  if (!hierarchy.rules.primitiveArguments && argument.kind === "foreign" && BOXES.test(argument.name) && parameter.kind === "foreign") return acceptsBox(parameter.name, argument.name);
  // `char` and `Character` are the same but for the choice between the two.
  if (sameType(parameter, argument)) return parameter.kind === "foreign" && argument.kind === "foreign" && parameter.name !== argument.name ? Fit.Above : Fit.Same;
  if (to === "object" || to === "mixed" || to === "dynamic") return Fit.Converted;
  if (argument.kind === "array") return ARRAY_LIKE.has(to) && to !== "Iterable" ? Fit.Above : Fit.Never;
  if (isNull(argument)) return parameter.kind === "foreign" && isSimple(parameter.name) && to !== "string" ? Fit.Never : Fit.Unknown;
  if (parameter.kind === "array") return argument.kind === "foreign" && !isSimple(plain(argument.name)) ? Fit.Unlikely : Fit.Never;
  if (argument.kind === "class") {
    if (parameter.kind === "class") return hierarchy.isA(argument.declaration, parameter.declaration) ? Fit.Above : argument.declaration.kind === "interface" ? Fit.Unlikely : Fit.Never;
    if (isSimple(to)) return Fit.Never;
    if (argument.declaration.kind === "delegate" && /^(?:Multicast)?Delegate$/.test(to)) return Fit.Above;
    const ancestors = [...hierarchy.foreignAncestors(argument.declaration)];
    return ancestors.some((name) => inherits(hierarchy, name, parameter.name)) ? Fit.Above : ancestors.length > 0 ? Fit.Unlikely : Fit.Never;
  }
  const from = plain(argument.name);
  if (parameter.kind === "class") return isSimple(from) ? Fit.Never : Fit.Unlikely;
  const narrow = NUMBERS.indexOf(from);
  if (narrow >= 0) {
    const wide = NUMBERS.indexOf(to);
    return wide >= narrow ? Fit.Above : wide >= 0 || !isSimple(to) ? Fit.Unlikely : Fit.Never;
  }
  if (from === "string") return TEXTS.has(to) ? Fit.Above : isSimple(to) ? Fit.Never : Fit.Unlikely;
  if (isSimple(from)) return isSimple(to) ? Fit.Never : Fit.Unlikely;
  if (ARRAY_LIKE.has(to) && COLLECTION.test(from)) return Fit.Above;
  if (inherits(hierarchy, from, to)) return Fit.Above;
  // Two types of which only the names are known: one may inherit from the other, unless it is a primitive.
  return isSimple(to) ? Fit.Never : Fit.Unlikely;
}

/** Java takes an `Integer` for what it is, an `Object` too, before it takes it for an `int` or a `long`; a `Long` it never is. */
function acceptsBox(to: string, from: string): Fit {
  if (to === from) return Fit.Same;
  if (BOXES.test(to)) return Fit.Never;
  if (to === "Number" || to === "Comparable" || to === "Serializable" || to === "Constable") return Fit.Above;
  if (plain(to) === "object") return Fit.Converted;
  const [wide, narrow] = [NUMBERS.indexOf(to), NUMBERS.indexOf(plain(from))];
  if (to === plain(from) || (wide >= 0 && narrow >= 0 && wide >= narrow)) return Fit.Unknown;
  return isSimple(plain(to)) ? Fit.Never : Fit.Unlikely;
}

/** C#'s `Func<int>` is no `Func<int, int>`, and no `Func<long>`: of what is no object nothing else is one. */
function argumentsDiffer(a: Type, b: Type): boolean {
  if ((a.kind !== "class" && a.kind !== "foreign") || !sameType(a, b)) return false;
  const { args } = b as typeof a;
  if (a.args.length === 0 || args.length === 0) return false;
  return a.args.length !== args.length || a.args.some((one, i) => isOther(one, args[i]!));
}

function isOther(a: Type, b: Type): boolean {
  if (a.kind === "unknown" || b.kind === "unknown" || a.kind === "parameter" || b.kind === "parameter" || a.kind === "union" || b.kind === "union") return false;
  if (a.kind === "foreign" && b.kind === "foreign" && isOptional(a) && isOptional(b)) return isOther(a.args[0]!, b.args[0]!);
  return (isValue(a) || isValue(b)) && !sameType(a, b);
}

function isOptional(type: Type): boolean {
  return type.kind === "foreign" && type.name === "Nullable" && type.args.length === 1;
}

/** Java's type arguments are never primitives, and `? extends Number` takes an `Integer`. */
function isValue(type: Type): boolean {
  return isOptional(type) || (type.kind === "foreign" && (NUMBERS.includes(type.name) || type.name === "bool"));
}

/** An array of objects is one of what these are, and one of primitives is nothing else: `Integer[]` is an `Object[]` and no `int[]`. */
function acceptsArray(hierarchy: Hierarchy, to: Type, from: Type): Fit {
  if (sameType(to, from)) return to.kind === "foreign" && from.kind === "foreign" && to.name !== from.name ? Fit.Unlikely : Fit.Same;
  if (isPrimitive(to) || (isPrimitive(from) && !(to.kind === "parameter" && hierarchy.rules.primitiveArguments))) return Fit.Never;
  const fit = from.kind === "parameter" && to.kind === "foreign" && plain(to.name) === "object" ? Fit.Converted : accepts(hierarchy, to, from);
  return fit === Fit.Unknown ? Fit.Unlikely : fit;
}

/** Whether a type of the library is one of another, by what is known of both and by the names: a StringReader is what a Reader is. */
function inherits({ rules: { supertypes } }: Hierarchy, name: string, of: string): boolean {
  if (isKindOf(name, of) || supertypes?.get(name)?.includes(of)) return true;
  if (!supertypes) return false;
  for (let at = name.length - 1; at > 0; at--) if (/[A-Z]/.test(name[at]!) && supertypes.get(name.slice(at))?.includes(of)) return true;
  return false;
}

/** By habit a kind of Reader is called so: StringReader; and so is one of IReader. */
function isKindOf(name: string, of: string): boolean {
  return of !== "" && (name.endsWith(of) || (/^I\p{Lu}\p{Ll}/u.test(of) && name.endsWith(of.slice(1))));
}

function isPrimitive(type: Type): boolean {
  return type.kind === "foreign" && (NUMBERS.includes(type.name) || type.name === "boolean" || type.name === "bool");
}

function isNull(type: Type): boolean {
  return type.kind === "foreign" && type.name === "null";
}

function isSimple(name: string): boolean {
  return name === "boolean" || name === "string" || NUMBERS.includes(name);
}

function atMost(limit: Fit, fit: Fit): Fit {
  return fit < limit ? fit : limit;
}

function best(fits: readonly Fit[]): Fit {
  return fits.reduce((a, b) => (b > a ? b : a), Fit.Never);
}

function least(fits: readonly Fit[]): Fit {
  return fits.reduce((a, b) => (b < a ? b : a), Fit.Same);
}

/** The candidates that the arguments choose: one if they can, else all that are left, in the order given. `supposed`: an argument of which nothing is known may suit another one. */
export function choose(hierarchy: Hierarchy, candidates: readonly Found[], args: readonly Argument[], extraAllowed: boolean): { chosen: readonly Found[]; fits: boolean; supposed?: boolean } {
  const spread = args.some((argument) => argument.spread);
  const callable = candidates.filter(({ member: { fact } }) =>
    spread || (args.length >= fact.required && (args.length <= fact.parameters.length || fact.variadic || extraAllowed) && (!hierarchy.rules.overloads || (args.every((argument, i) => isPassed(fact, argument, i)) && hasRequired(fact, args)))));
  if (callable.length === 0) return { chosen: candidates, fits: false };
  if (callable.length === 1) return { chosen: callable, fits: true };
  let bestScore: readonly number[] | undefined;
  let chosen: Found[] = [];
  for (const candidate of callable) {
    const score = scoreOf(hierarchy, candidate, args);
    if (!score) continue;
    const order = bestScore ? compare(score, bestScore) : 1;
    if (order > 0) {
      chosen = [candidate];
      bestScore = score;
    } else if (order === 0) {
      chosen.push(candidate);
    }
  }
  if (chosen.length === 0) return { chosen: callable, fits: false };
  if (chosen.length === 1) return { chosen, fits: true, supposed: args.some(({ type, lambda }, i) => type.kind === "unknown" && lambda < 0 && callable.some((other) => mayTakeInstead(hierarchy, chosen[0]!, other, i))) };
  if (chosen.length > MAX_CHOSEN) return { chosen, fits: true };
  const special = chosen.filter((candidate) => chosen.every((other) => other === candidate || isMoreSpecific(hierarchy, candidate, other)));
  if (special.length !== 1) return { chosen, fits: true };
  return { chosen: special, fits: true, supposed: args.some(({ type, lambda }, i) => type.kind === "unknown" && lambda < 0 && chosen.some((other) => !takesSame(hierarchy, special[0]!, other, i))) };
}

/** Whether a method has a parameter for an argument that is passed as this one is. */
function isPassed(fact: MemberFact, argument: Argument, i: number): boolean {
  const { mode = Mode.Value, name } = argument;
  const at = placeOf(fact, name, i);
  if (at < 0) return false;
  const taken = fact.modes?.[at] ?? Mode.Value;
  return mode === taken || (taken === Mode.In && mode !== Mode.Out);
}

/** Whether arguments that go by their names leave out no parameter that has to be given. */
function hasRequired(fact: MemberFact, args: readonly Argument[]): boolean {
  if (!args.some(({ name }) => name !== undefined)) return true;
  const given = new Set(args.map(({ name }, i) => placeOf(fact, name, i)));
  for (let at = 0; at < fact.required; at++) if (!given.has(at)) return false;
  return true;
}

/** Whether an argument of which nothing is known may be one of any number that another method takes, and nothing for the chosen one. */
function mayTakeInstead(hierarchy: Hierarchy, chosen: Found, other: Found, at: number): boolean {
  const last = other.member.fact.parameters.length - 1;
  if (other === chosen || !other.member.fact.variadic || at < last) return false;
  const own = hierarchy.parameters(chosen);
  const its = hierarchy.parameters(other)[last]!;
  const type = own[at];
  const taken = type?.kind === "array" && chosen.member.fact.variadic && at === own.length - 1 ? type.element : type;
  return taken !== undefined && its.kind === "array" && !sameType(taken, its.element);
}

/** Whether two methods take the same at a place. */
function takesSame(hierarchy: Hierarchy, a: Found, b: Found, at: number): boolean {
  const [one, other] = [hierarchy.parameters(a)[at], hierarchy.parameters(b)[at]];
  return one !== undefined && other !== undefined && sameType(one, other);
}

/** Whether a method of the code base could be given the arguments, by their types. */
export function suits(hierarchy: Hierarchy, candidate: Found, args: readonly Argument[]): boolean {
  return scoreOf(hierarchy, candidate, args) !== undefined;
}

/** Whether all that one takes could be given to the other, and not the other way round. */
function isMoreSpecific(hierarchy: Hierarchy, candidate: Found, other: Found): boolean {
  const own = hierarchy.parameters(candidate);
  const others = hierarchy.parameters(other);
  const takes = (to: readonly Type[], from: readonly Type[]): boolean => from.every((type, i) => !to[i] || fitOf(hierarchy, to[i], { type, lambda: -1, spread: false }) >= Fit.Converted);
  return own.length === others.length && takes(others, own) && !takes(own, others);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, x] of a.entries()) if (x !== b[i]) return x - b[i]!;
  return 0;
}

/** Higher is better, part by part; undefined when it cannot take the arguments. */
function scoreOf(hierarchy: Hierarchy, candidate: Found, args: readonly Argument[]): number[] | undefined {
  const { fact } = candidate.member;
  const types = hierarchy.parameters(candidate);
  const last = types.length - 1;
  // A variable number of parameters is taken only where nothing else fits.
  let spreads = fact.variadic && args.length !== types.length;
  let least: Fit = Fit.Same;
  let sum = 0;
  for (const [i, argument] of args.entries()) {
    if (argument.spread) break;
    const at = placeOf(fact, argument.name, i);
    const type = types[Math.min(at, last)];
    if (!type) break;
    let fit = fitOf(hierarchy, type, argument);
    if (fact.variadic && at >= last && type.kind === "array") {
      const element = fitOf(hierarchy, type.element, argument);
      if (args.length !== types.length || element > fit) {
        fit = element;
        spreads = true;
      }
    }
    if (fit === Fit.Never) return undefined;
    if (fit < least) least = fit;
    sum += fit;
  }
  return [least === Fit.Unlikely ? 0 : 1, spreads ? 0 : 1, sum, args.length === types.length ? 1 : 0];
}

/** How well an argument suits a parameter, for which it may be converted. */
export function fitOf(hierarchy: Hierarchy, type: Type, { type: given, lambda, void: isVoid, gives }: Argument): Fit {
  if (lambda < 0) {
    const fit = accepts(hierarchy, type, given);
    return fit <= Fit.Unlikely && hierarchy.conversions?.between(given, type).length ? Fit.Converted : fit;
  }
  if (type.kind === "array" || (type.kind === "foreign" && isSimple(plain(type.name)))) return Fit.Never;
  if (type.kind === "class") {
    const takes = parametersOfFunctional(hierarchy, type);
    // Its method may be declared by a library: `interface Rule extends Predicate<String> {}`.
    if (takes === undefined) return type.declaration.kind === "interface" && type.declaration.methods.size === 0 && hierarchy.hasForeignAncestor(type.declaration) ? Fit.Unknown : Fit.Never;
    return takes.length === lambda ? Fit.Above : Fit.Never;
  }
  if (type.kind !== "foreign") return Fit.Unknown;
  if (isVoid !== undefined && (type.name === "Func" ? isVoid : type.name === "Action" && !isVoid)) return Fit.Never;
  const takes = type.name === "Func" && type.args.length > 0 ? type.args.length - 1 : type.name === "Action" ? type.args.length : FUNCTIONS.get(type.name);
  if (takes === undefined) return Fit.Unknown;
  if (takes !== lambda) return Fit.Never;
  if (gives && type.name === "Func") return accepts(hierarchy, type.args.at(-1) ?? UNKNOWN, gives) === Fit.Never ? Fit.Never : Fit.Above;
  // What gives something is an action only where it is no function.
  return gives && type.name === "Action" ? Fit.Converted : Fit.Above;
}

const FUNCTIONS = new Map(Object.entries({
  Runnable: 0, Supplier: 0, Callable: 0, ThreadStart: 0, Consumer: 1, Predicate: 1, Function: 1, UnaryOperator: 1, ToIntFunction: 1,
  BiFunction: 2, BiConsumer: 2, BiPredicate: 2, BinaryOperator: 2, Comparator: 2, Comparison: 2, EventHandler: 2,
}));

/** Methods that every object has, which an interface may declare again. */
const OF_OBJECTS = /^(?:equals|hashCode|toString)$/;

/** What a lambda is given where such a type is asked for: the parameters of its one method without a body. A type that has several of other names is no function. */
export function parametersOfFunctional(hierarchy: Hierarchy, type: Type): Type[] | undefined {
  if (type.kind !== "class" || !/^(?:interface|delegate)$/.test(type.declaration.kind)) return undefined;
  const only = onlyMethod(hierarchy, type.declaration);
  const home = only && hierarchy.ancestors(type).find(({ declaration }) => declaration === only.declaration);
  return home && hierarchy.parameters({ member: only.member, bindings: hierarchy.bindings(home) });
}

/** The method of an interface that a lambda is the body of, and who declares it. */
function onlyMethod(hierarchy: Hierarchy, declaration: Declaration): Functional | undefined {
  if (hierarchy.functional.has(declaration)) return hierarchy.functional.get(declaration);
  const bodies = new Set<string>();
  const open = new Map<string, Functional>();
  for (const ancestor of [declaration, ...hierarchy.inherited(declaration)]) {
    for (const [name, methods] of ancestor.methods) {
      for (const member of methods) {
        if (!member.fact.abstract) bodies.add(name);
        else if (!open.has(name) && !bodies.has(name) && !OF_OBJECTS.test(name)) open.set(name, { member, declaration: ancestor });
      }
    }
  }
  const only = open.size === 1 ? [...open.values()][0] : undefined;
  hierarchy.functional.set(declaration, only);
  return only;
}
