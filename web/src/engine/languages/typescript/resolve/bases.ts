import type { ShapeFact } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { force, isDeferred } from "./deferred.ts";
import { constraintOf, typeAt } from "./typenodes.ts";
import { bindArguments, same, substitute, union, UNKNOWN } from "./types.ts";
import type { Env, Instance, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** What a class or interface extends, as types of instances, in terms of its own type parameters. */
export function supertypes(c: Checker, unit: Unit, shape: ShapeFact): Type[] {
  const known = unit.superTypes.get(shape);
  if (known !== undefined) return known ?? [];
  unit.superTypes.set(shape, null);
  const found: Type[] = [];
  const parts = unit.declarationsOf(shape);
  c.within(unit.asked, () => {
    for (const { unit: home, shape: part } of [...parts.map((one) => ({ unit, shape: one })), ...c.program.augmentations.partsOf(shape)]) {
      const rename = part === shape ? undefined : renaming(home, part, shape, unit);
      const bases = part.bases.map((at) => typeAt(c, home, at));
      if (part.superclass !== 0) bases.unshift(instanceOfSuper(c, home, part));
      for (const base of bases.map((b) => substitute(b, rename))) {
        // What extends itself has nothing from there, and several declarations of a class may all name the same base.
        if (base.k === "instance" && parts.includes(base.shape)) continue;
        if (part === shape || !found.some((other) => same(other, base))) found.push(base);
      }
    }
  });
  unit.superTypes.set(shape, found);
  return found;
}

/** Type parameters of one declaration of an interface as those of another, in the file `home`. */
export function renaming(unit: Unit, from: ShapeFact, to: ShapeFact, home = unit): Env | undefined {
  return bindArguments(unit, from.typeParameters, to.typeParameters.map((p) => home.parameter(p)));
}

function instanceOfSuper(c: Checker, unit: Unit, shape: ShapeFact): Type {
  const typeArguments = shape.superArguments.map((at) => typeAt(c, unit, at));
  return instanceOfClass(c, valueOf(c, unit, shape.superclass), typeArguments);
}

/** The type of what `new` makes of a class value, given its type arguments. */
export function instanceOfClass(c: Checker, type: Type, typeArguments: Type[], depth = 0): Type {
  if (depth > MAX_BASES) return UNKNOWN;
  switch (type.k) {
    case "class":
      return { k: "instance", unit: type.unit, shape: type.shape, env: bindArguments(type.unit, type.shape.typeParameters, typeArguments, type.env) };
    case "constructor": {
      const [first] = type.signatures;
      return first ? substitute(typeAt(c, first.unit, first.fact.returns), first.env) : UNKNOWN;
    }
    case "intersection": {
      for (const t of type.of) {
        const instance = instanceOfClass(c, t, typeArguments, depth + 1);
        if (instance !== UNKNOWN) return instance;
      }
      return UNKNOWN;
    }
    case "function":
      return type.home ? { k: "constructed", ...type.home } : UNKNOWN;
    case "parameter":
      return instanceOfClass(c, constraintOf(c, type), typeArguments, depth + 1);
    case "deferred":
    case "awaited": {
      // One that waits for its parameters stays as it is.
      const known = force(c, type);
      return isDeferred(known) ? UNKNOWN : instanceOfClass(c, known, typeArguments, depth + 1);
    }
    case "instance": {
      for (const part of type.unit.declarationsOf(type.shape)) {
        const index = type.unit.member(part, "new()", false);
        if (index === undefined) continue;
        const fact = type.unit.facts.functions[part.members[index]!.functions[0]!]!;
        return substitute(typeAt(c, type.unit, fact.returns), bindArguments(type.unit, fact.typeParameters, typeArguments, type.env));
      }
      return UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}

/** Bases that lead on and on. */
const MAX_BASES = 20;

/** The type as an instance of one of its bases (or itself), type arguments and all. */
export function asBase(c: Checker, type: Type, unit: Unit, shape: ShapeFact, depth = 0): Instance | undefined {
  if (depth > MAX_BASES || !c.step()) return undefined;
  switch (type.k) {
    case "instance": {
      if (type.unit === unit && unit.declarationsOf(shape).includes(type.shape)) {
        if (type.shape === shape) return type;
        return { ...type, shape, env: bindArguments(unit, shape.typeParameters, type.shape.typeParameters.map((own) => type.env?.get(unit.parameter(own)))) };
      }
      for (const base of supertypes(c, type.unit, type.shape)) {
        const found = asBase(c, substitute(base, type.env), unit, shape, depth + 1);
        if (found) return found;
      }
      if (type.shape.kind === "class") {
        for (const at of type.shape.implements) {
          const found = asBase(c, substitute(typeAt(c, type.unit, at), type.env), unit, shape, depth + 1);
          if (found) return found;
        }
      }
      return undefined;
    }
    case "this":
      return asBase(c, { k: "instance", unit: type.unit, shape: type.shape, env: undefined }, unit, shape, depth + 1);
    case "tuple":
      return asBase(c, tupleAsArray(c, type), unit, shape, depth + 1);
    case "primitive":
      return type.name === "string" ? asBase(c, c.boxed("string"), unit, shape, depth + 1) : undefined;
    case "intersection":
      for (const t of type.of) {
        const found = asBase(c, t, unit, shape, depth + 1);
        if (found) return found;
      }
      return undefined;
    case "parameter":
      return asBase(c, constraintOf(c, type), unit, shape, depth + 1);
    case "deferred":
    case "awaited": {
      const forced = force(c, type);
      return isDeferred(forced) ? undefined : asBase(c, forced, unit, shape, depth + 1);
    }
    default:
      return undefined;
  }
}

/** The type as an instance of a built-in interface. */
export function asBuiltin(c: Checker, type: Type, name: string): Instance | undefined {
  const target = c.builtin(name);
  return target.k === "instance" ? asBase(c, type, target.unit, target.shape) : undefined;
}

/** A type argument by its position. */
export function typeArgument(type: Instance, position: number): Type {
  const parameter = type.shape.typeParameters[position];
  return parameter === undefined ? UNKNOWN : type.env?.get(type.unit.parameter(parameter)) ?? UNKNOWN;
}

export function tupleAsArray(c: Checker, type: Extract<Type, { k: "tuple" }>): Type {
  const known = tupleArrays.get(type);
  if (known) return known;
  const array = c.arrayOf(union(type.rest ? [...type.of, type.rest] : type.of));
  tupleArrays.set(type, array);
  return array;
}

const tupleArrays = new WeakMap<Type, Type>();


