import { Op, ThisKind } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { resolveCall } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { memberName } from "./expressions.ts";
import { find } from "./members.ts";
import type { Unit } from "./unit.ts";
import { isExports, valueOf } from "./values.ts";

/** Chains longer than this come from somewhere, but who knows where. */
const MAX_STEPS = 20;

/**
 * Whether an expression without a known type may still be an object of the project: it is untyped, `any`, or of a type of the
 * project's, somewhere in the project's own code. What comes from outside (another package, the browser) is not.
 */
export function mayBeOurs(c: Checker, unit: Unit, at: Offset, steps = 0): boolean {
  if (at === 0 || steps > MAX_STEPS) return false;
  const inner = (): boolean => mayBeOurs(c, unit, unit.at(at, 1), steps + 1);
  switch (unit.op(at)) {
    case Op.This:
      return (unit.at(at, 1) !== ThisKind.Value && unit.at(at, 1) !== ThisKind.Given) || mayBeOurs(c, unit, unit.at(at, 2), steps + 1);
    case Op.Name: {
      const target = c.program.follow({ k: "binding", unit, binding: unit.at(at, 1) });
      if (target?.k !== "binding") return false;
      const first = target.unit.facts.bindings[target.binding]!;
      if (target.unit.op(first) !== Op.Variable) return false;
      const type = target.unit.at(first, 2);
      const initialiser = target.unit.at(first, 3);
      return type !== 0 ? typeMayBeOurs(c, target.unit, type) : initialiser === 0 || mayBeOurs(c, target.unit, initialiser, steps + 1);
    }
    case Op.Parameter: {
      const fact = unit.facts.functions[unit.at(at, 1)]!;
      const type = fact.parameters[unit.at(at, 2)]?.type ?? 0;
      return type !== 0 ? typeMayBeOurs(c, unit, type) : fact.context === 0 || isCalledByOurs(c, unit, fact.context, steps);
    }
    case Op.As:
      return typeMayBeOurs(c, unit, unit.at(at, 2));
    case Op.Call: {
      const { signature } = resolveCall(c, unit, at);
      // What a library makes with a type of the project, `create<State>()`, may give an object of it.
      if (!signature) return inner() || unit.list(at, 2).some((type) => typeMayBeOurs(c, unit, type));
      return signature.unit.index >= 0 && (signature.fact.returns === 0 || typeMayBeOurs(c, signature.unit, signature.fact.returns));
    }
    case Op.Module:
      return isWholeOfOurs(c, unit, at, steps);
    case Op.Index:
    case Op.Member:
      return isOfModule(c, unit, at) || inner();
    case Op.New:
    case Op.Await:
    case Op.Element:
    case Op.At:
    case Op.Rest:
    case Op.Narrow:
    case Op.AsConst:
      return inner();
    default:
      return false;
  }
}

/** `require("./internals")[key]`, and `internals.Client` of a module that exports names in a loop: what a module of the project has under a name that is not known is its own. */
function isOfModule(c: Checker, unit: Unit, at: Offset): boolean {
  const object = unit.at(at, 1);
  const type = object === 0 ? undefined : valueOf(c, unit, object);
  if (type?.k !== "module" || type.unit.index < 0) return false;
  const name = memberName(unit, at);
  c.tell(name);
  return name === "" || find(c, type, name).length === 0;
}

/** Whether a member is one of what the file exports, or of an object, a function or a class of the file: `exports.run = function (client) {}`, `internals.run = …`, `Bounds.prototype.equals = …`. */
function isOfFile(unit: Unit, member: Offset): boolean {
  let at = member;
  for (let steps = 0; unit.op(at) === Op.Member && steps < MAX_STEPS; steps++) {
    at = unit.at(at, 1);
    if (isExports(unit, at)) return true;
  }
  return at !== member && unit.op(at) === Op.Name && unit.declarations(unit.at(at, 1)).some((d) => isMade(unit, d));
}

/** Whether a declaration is of an object literal, a function or a class. */
function isMade(unit: Unit, declared: Offset): boolean {
  if (unit.op(declared) !== Op.Variable) return unit.op(declared) === Op.FunctionDeclaration || unit.op(declared) === Op.ShapeDeclaration;
  const value = unit.at(declared, 3);
  return value !== 0 && (unit.op(value) === Op.Object || unit.op(value) === Op.Function || unit.op(value) === Op.Class);
}

/** Whether what a module of the project is as a whole, `module.exports = new Base()`, is an object of the project. */
function isWholeOfOurs(c: Checker, unit: Unit, at: Offset, steps: number): boolean {
  const target = c.program.imported(unit, unit.at(at, 1), "=");
  if (target?.k !== "member" || target.name !== undefined || target.unit.index < 0) return false;
  const type = valueOf(c, target.unit, target.of);
  return type.k === "instance" || type.k === "constructed" ? type.unit.index >= 0 : mayBeOurs(c, target.unit, target.of, steps + 1);
}

/** Whether a function without declared types is handed to code of the project that does not say what it gives to such, or kept where such code may call it. */
function isCalledByOurs(c: Checker, unit: Unit, context: Offset, steps: number): boolean {
  let at = context;
  while (unit.op(at) === Op.ContextProperty || unit.op(at) === Op.ContextElement) at = unit.at(at, 1);
  if (unit.op(at) === Op.ContextExpression) return isOfFile(unit, unit.at(at, 1)) || mayBeOurs(c, unit, unit.at(at, 1), steps + 1);
  // What the file's functions give: `return { created(app) {} }`.
  if (unit.op(at) === Op.ContextReturn) return unit.isUntyped;
  if (unit.op(at) !== Op.ContextArgument || unit.at(at, 1) === 0) return false;
  const call = unit.at(at, 1);
  const { signature } = resolveCall(c, unit, call);
  if (!signature) return mayBeOurs(c, unit, unit.at(call, 1), steps + 1);
  // What a library's method calls a function with is of its object: `this.suites.some((suite) => suite.hasOnly())`.
  if (signature.unit.index < 0) return unit.op(unit.at(call, 1)) === Op.Member && mayBeOurs(c, unit, unit.at(unit.at(call, 1), 1), steps + 1);
  const { parameters } = signature.fact;
  const type = (parameters[unit.at(at, 2)] ?? parameters.at(-1))?.type ?? 0;
  return type === 0 || typeMayBeOurs(c, signature.unit, type);
}

/** Whether a type may be one of the project that is not worked out: `any`, and a declared one of the project, or what is made of one. */
function typeMayBeOurs(c: Checker, unit: Unit, type: Offset, steps = 0): boolean {
  if (type === 0 || steps > MAX_STEPS) return false;
  switch (unit.op(type)) {
    case Op.TypePrimitive:
      return unit.text(type, 1) === "any" || unit.text(type, 1) === "unknown";
    case Op.TypeName: {
      const target = c.program.follow({ k: "binding", unit, binding: unit.at(type, 1) });
      const declared = target?.k === "binding" && target.unit.index >= 0 ? target.unit.op(target.unit.facts.bindings[target.binding]!) : Op.Import;
      // What a type parameter stands for may come from anywhere.
      return declared !== Op.Import && declared !== Op.TypeParameter;
    }
    case Op.TypeIndexed:
      return typeMayBeOurs(c, unit, unit.at(type, 1), steps + 1);
    case Op.TypeUnion:
    case Op.TypeIntersection:
      return unit.list(type, 1).some((of) => typeMayBeOurs(c, unit, of, steps + 1));
    case Op.TypeOf:
      return mayBeOurs(c, unit, unit.at(type, 1), steps + 1);
    default:
      return false;
  }
}
