import { GLOBAL_OBJECTS, Op, ThisKind } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { resolveCall } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { foundAt } from "./members.ts";
import type { Signature } from "./types.ts";
import type { Unit } from "./unit.ts";
import { isExports } from "./values.ts";

/** How sure an edge is; see `Emit`. */
export const Confidence = {
  Certain: 1,
  Declared: 0.9,
  Returned: 0.8,
  Inferred: 0.7,
  Dynamic: 0.6,
  Stored: 0.5,
  Guess: 0.4,
  OneOfMany: 0.3,
} as const;

/** Chains longer than this are inferred, whatever they begin with. */
const MAX_STEPS = 30;

/** How sure the type of an expression is: by what its parts declare. */
export function certainty(c: Checker, unit: Unit, at: Offset, steps = 0): number {
  if (at === 0 || steps > MAX_STEPS) return Confidence.Inferred;
  if (isExports(unit, at)) return Confidence.Certain;
  switch (unit.op(at)) {
    case Op.Name: {
      const target = c.program.follow({ k: "binding", unit, binding: unit.at(at, 1) });
      if (target?.k !== "binding") return Confidence.Certain;
      return ofBinding(c, target.unit, target.binding, steps);
    }
    case Op.This:
      if (unit.at(at, 1) === ThisKind.Value) return Math.min(certainty(c, unit, unit.at(at, 2), steps + 1), Confidence.Declared);
      // Others may call the function with another object.
      if (unit.at(at, 1) === ThisKind.Given) return Math.min(certainty(c, unit, unit.at(at, 2), steps + 1), Confidence.Inferred);
      return unit.at(at, 1) === ThisKind.Typed ? Confidence.Declared : Confidence.Certain;
    case Op.Super:
    case Op.Class:
    case Op.Module:
    case Op.ImportCall:
      return Confidence.Certain;
    case Op.Object: {
      // `Object.create(prototype)` and `{ ...defaults }` have nothing but what others have.
      const { members, spreads } = unit.facts.shapes[unit.at(at, 1)]!;
      return members.length > 0 ? Confidence.Certain : Math.min(Confidence.Certain, ...spreads.map((one) => certainty(c, unit, one, steps + 1)));
    }
    case Op.Global:
      return GLOBAL_OBJECTS.has(unit.text(at, 1)) ? Confidence.Declared : Confidence.Inferred;
    case Op.New:
    case Op.As:
      return Confidence.Declared;
    case Op.Parameter: {
      const fact = unit.facts.functions[unit.at(at, 1)]!;
      return fact.parameters[unit.at(at, 2)]?.type ? Confidence.Declared : Confidence.Inferred;
    }
    case Op.Member: {
      if (unit.text(at, 2) === "prototype") return certainty(c, unit, unit.at(at, 1), steps + 1);
      const [found] = foundAt(c, unit, at);
      const object = certainty(c, unit, unit.at(at, 1), steps + 1);
      if (found?.binding !== undefined) return Math.min(object, ofBinding(c, found.unit, found.binding, steps));
      if (!found?.member) return Math.min(object, Confidence.Inferred);
      const { member } = found;
      if (member.type !== 0) return Math.min(object, Confidence.Declared);
      if (member.kind === "getter") return Math.min(object, declared(found.unit, member.functions) ? Confidence.Declared : Confidence.Inferred);
      return Math.min(object, certainty(c, found.unit, member.initialiser, steps + 1), Confidence.Declared);
    }
    case Op.Call: {
      const { signature } = resolveCall(c, unit, at);
      return signature && signature.fact.returns !== 0 && signature.unit.index >= 0 && signature.fact.typeParameters.length === 0
        ? Math.min(Confidence.Declared, certainty(c, unit, unit.at(at, 1), steps + 1))
        : signature && (signature.fact.returns !== 0 || givesLiteral(signature)) ? Confidence.Returned : Confidence.Inferred;
    }
    case Op.Await:
    case Op.AsConst:
      return certainty(c, unit, unit.at(at, 1), steps + 1);
    case Op.Narrow:
      return Math.min(Confidence.Declared, certainty(c, unit, unit.at(at, 1), steps + 1));
    case Op.Or:
      return Math.min(Confidence.Declared, ...unit.list(at, 1).map((one) => certainty(c, unit, one, steps + 1)));
    case Op.Element:
    case Op.At:
    case Op.Index:
    case Op.Rest:
      return Math.min(Confidence.Returned, certainty(c, unit, unit.at(at, 1), steps + 1));
    default:
      return Confidence.Inferred;
  }
}

function ofBinding(c: Checker, unit: Unit, binding: number, steps: number): number {
  const first = unit.facts.bindings[binding]!;
  if (unit.op(first) !== Op.Variable) return Confidence.Certain;
  if (unit.at(first, 2) !== 0) return Confidence.Declared;
  return Math.min(Confidence.Declared, certainty(c, unit, unit.at(first, 3), steps + 1));
}

/** Whether all that a function returns is one object literal. */
function givesLiteral({ unit, fact: { results, generator } }: Signature): boolean {
  const [only, ...others] = results;
  return !generator && only !== undefined && only !== 0 && others.length === 0 && unit.op(only) === Op.Object;
}

function declared(unit: Unit, functions: number[]): boolean {
  return functions.some((f) => unit.facts.functions[f]!.returns !== 0);
}
