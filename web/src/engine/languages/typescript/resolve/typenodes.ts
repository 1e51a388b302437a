import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { instanceOfClass } from "./bases.ts";
import { BOOLEAN, VOID } from "./checker.ts";
import type { Checker } from "./checker.ts";
import { entity } from "./entities.ts";
import type { Target } from "./program.ts";
import { Env, envOf, intersection, primitiveType, substitute, union, UNKNOWN } from "./types.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { bindingValue, valueOf } from "./values.ts";

/** The type that a type record means, with its type parameters left open. */
export function typeAt(c: Checker, unit: Unit, at: Offset): Type {
  if (at === 0) return UNKNOWN;
  return c.once(unit, unit.types, at, read);
}

function read(c: Checker, unit: Unit, at: Offset): Type {
  switch (unit.op(at)) {
    case Op.TypeName:
      return named(c, c.program.follow({ k: "binding", unit, binding: unit.at(at, 1) }), typesAt(c, unit, unit.list(at, 2)));
    case Op.TypeGlobal:
      return globalType(c, unit.text(at, 1), typesAt(c, unit, unit.list(at, 2)));
    case Op.TypeMember: {
      const home = entity(c, unit, unit.at(at, 1));
      return named(c, home?.member(unit.text(at, 2)), typesAt(c, unit, unit.list(at, 3)));
    }
    case Op.TypePrimitive: {
      const name = unit.text(at, 1);
      if (name === "any" || name === "unknown" || name === "object") return UNKNOWN;
      return primitiveType(name === "true" || name === "false" ? "boolean" : name);
    }
    case Op.TypeLiteral: {
      const literal = unit.text(at, 1);
      return { k: "primitive", name: /^-?\d/.test(literal) ? "number" : "string", literal };
    }
    case Op.TypeArray:
      return c.arrayOf(typeAt(c, unit, unit.at(at, 1)));
    case Op.TypeTuple:
      return tuple(c, unit, unit.list(at, 1));
    case Op.TypeUnion:
      return union(typesAt(c, unit, unit.list(at, 1)));
    case Op.TypeIntersection:
      return intersection(typesAt(c, unit, unit.list(at, 1)));
    case Op.TypeFunction:
      return { k: "function", signatures: [{ unit, fact: unit.facts.functions[unit.at(at, 1)]!, env: undefined }] };
    case Op.TypeConstructor:
      return { k: "constructor", signatures: [{ unit, fact: unit.facts.functions[unit.at(at, 1)]!, env: undefined }] };
    case Op.TypeShape:
      return { k: "instance", unit, shape: unit.facts.shapes[unit.at(at, 1)]!, env: undefined };
    case Op.TypeOf:
      return valueOf(c, unit, unit.at(at, 1));
    case Op.TypeKeyOf:
    case Op.TypeIndexed:
    case Op.TypeConditional:
    case Op.TypeMapped:
      return { k: "deferred", unit, at, env: undefined };
    case Op.TypeThis: {
      const shape = unit.facts.shapes[unit.at(at, 1)];
      return shape ? unit.thisType(shape) : UNKNOWN;
    }
    case Op.TypePredicate:
      return unit.at(at, 3) === 1 ? VOID : BOOLEAN;
    case Op.TypeImport: {
      const module = c.program.module(unit, unit.at(at, 1));
      return module ? { k: "module", unit: module } : UNKNOWN;
    }
    case Op.TypeInfer:
      return unit.parameter(unit.at(at, 1));
    case Op.TypeSpread:
      return typeAt(c, unit, unit.at(at, 1));
    default:
      return UNKNOWN;
  }
}

function typesAt(c: Checker, unit: Unit, list: Offset[]): Type[] {
  return list.map((at) => typeAt(c, unit, at));
}

function tuple(c: Checker, unit: Unit, elements: Offset[]): Type {
  const of: Type[] = [];
  let rest: Type | undefined;
  for (const at of elements) {
    const type = typeAt(c, unit, at);
    if (unit.op(at) !== Op.TypeSpread) of.push(type);
    else if (type.k === "tuple") {
      of.push(...type.of);
      rest = type.rest;
    } else if (c.isBuiltin(type, "Array", "ReadonlyArray")) rest = type.env?.values[0] ?? UNKNOWN;
    else rest = UNKNOWN;
  }
  return { k: "tuple", of, rest };
}

/** The type that a name means which no scope has. */
export function globalType(c: Checker, name: string, typeArguments: Type[]): Type {
  // The one type function that no declaration of ours could express.
  if (name === "Awaited") return { k: "awaited", of: typeArguments[0] ?? UNKNOWN };
  for (const { unit, binding, put } of c.program.global(name)) {
    if (put) continue;
    const type = named(c, { k: "binding", unit, binding }, typeArguments);
    if (type !== UNKNOWN) return type;
  }
  return UNKNOWN;
}

/** The type that a declaration's name means with these type arguments. */
export function named(c: Checker, target: Target | undefined, typeArguments: Type[]): Type {
  if (!target) return UNKNOWN;
  if (target.k === "module") return { k: "module", unit: target.unit };
  // What a module exports may be what another does, and that what the first does.
  if (target.k === "member") return c.deeper(() => exportEquals(c, target, typeArguments));
  const { unit, binding } = target;
  let besides = 0;
  for (const d of unit.declarations(binding)) {
    switch (unit.op(d)) {
      case Op.ShapeDeclaration: {
        const own = unit.facts.shapes[unit.at(d, 2)]!;
        const { unit: home, shape } = c.program.augmentations.mainOf(own) ?? { unit, shape: own };
        return { k: "instance", unit: home, shape, env: bindParameters(c, home, shape.typeParameters, typeArguments) };
      }
      case Op.Alias: {
        const alias = unit.facts.aliases[unit.at(d, 2)]!;
        return substitute(typeAt(c, unit, alias.type), bindParameters(c, unit, alias.typeParameters, typeArguments));
      }
      case Op.TypeParameter:
        return unit.parameter(d);
      case Op.Enum:
        return { k: "enumMember", unit, index: unit.at(d, 2), member: undefined };
      case Op.ImportAlias:
        return named(c, entity(c, unit, unit.at(d, 2))?.self, typeArguments);
      case Op.Variable: {
        // In JavaScript a class may be in any variable: const Server = require("./server").
        const made = instanceOfClass(c, bindingValue(c, unit, binding), typeArguments);
        if (made !== UNKNOWN) return made;
        break;
      }
      case Op.Import:
        besides = d;
        break;
    }
  }
  // What is imported beside declarations may lead back to them: a type among these wins.
  const found = besides === 0 ? undefined : c.program.imported(unit, unit.at(besides, 2), unit.text(besides, 3));
  return found ? c.deeper(() => named(c, found, typeArguments)) : UNKNOWN;
}

function exportEquals(c: Checker, target: Extract<Target, { k: "member" }>, typeArguments: Type[]): Type {
  const home = entity(c, target.unit, target.of);
  return named(c, target.name === undefined ? home?.self : home?.member(target.name), typeArguments);
}

/** Type parameters with their arguments, defaults for those that were left out. */
export function bindParameters(c: Checker, unit: Unit, parameters: Offset[], typeArguments: Type[]): Env | undefined {
  if (parameters.length === 0) return undefined;
  const env = new Map<Type, Type>();
  parameters.forEach((p, i) => {
    const given = typeArguments[i];
    const fallback = unit.at(p, 3);
    env.set(unit.parameter(p), given ?? (fallback !== 0 ? substitute(typeAt(c, unit, fallback), envOf(env)) : UNKNOWN));
  });
  return envOf(env);
}

/** What a type parameter extends. */
export function constraintOf(c: Checker, type: Extract<Type, { k: "parameter" }>): Type {
  const at = type.unit.at(type.at, 2);
  const constraint = typeAt(c, type.unit, at);
  return constraint === type ? UNKNOWN : constraint;
}

