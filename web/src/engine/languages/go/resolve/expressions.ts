import { type Offset, Op } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { defaultType, infer } from "./infer.ts";
import { core, INT, isPlace, lookUp, rangeTypes } from "./members.ts";
import { CERTAIN, DECLARED, FOREIGN_VALUE, INFERRED, memberOutside, type Operand, typeOperand, UNKNOWN_VALUE, valueOf } from "./operand.ts";
import type { Source } from "./packages.ts";
import { lookupStandard } from "./standard.ts";
import { type Bindings, FOREIGN, type Func, NOTHING, substitute, substituteFunc, type Type, type TypeParameter, UNKNOWN } from "./types.ts";
import { UNTYPED } from "./universe.ts";

/** What a record stands for that is no type by itself. */
export function expressionOperand(c: Checker, source: Source, at: Offset): Operand {
  const { code, strings } = source.data;
  const operand = (index: number): Operand => c.operand(source, code[at + index]!);
  switch (code[at]) {
    case Op.Select:
      return select(c, source, operand(1), strings[code[at + 2]!]!);
    case Op.Index:
      return index(c, source, at);
    case Op.Star: {
      const inner = operand(1);
      if (inner.mode === "type") return typeOperand({ kind: "pointer", element: inner.type });
      const type = core(inner.type);
      return type.kind === "pointer" ? valueOf(type.element, inner.certainty) : passOn(inner);
    }
    case Op.Call:
      return call(c, source, at);
    case Op.Value:
      return valueOf(c.type(source, code[at + 1]!));
    case Op.Untyped:
      return valueOf(UNTYPED[code[at + 1]!] ?? UNKNOWN);
    case Op.Slice: {
      const inner = operand(1);
      let type = inner.type;
      const under = core(type);
      if (under.kind === "array") type = { kind: "slice", element: under.element };
      else if (under.kind === "pointer") {
        const array = core(under.element);
        if (array.kind === "array") type = { kind: "slice", element: array.element };
      }
      return valueOf(type, inner.certainty);
    }
    case Op.Address: {
      const inner = operand(1);
      return inner.type.kind === "unknown" || inner.type.kind === "foreign" ? passOn(inner) : valueOf({ kind: "pointer", element: inner.type }, inner.certainty);
    }
    case Op.Receive: {
      const inner = operand(1);
      const type = core(inner.type);
      return type.kind === "chan" ? valueOf(type.element, inner.certainty) : passOn(inner);
    }
    case Op.Binary: {
      const left = operand(1);
      return left.type.kind === "basic" && left.type.untyped ? valueOf(operand(2).type) : valueOf(left.type, left.certainty);
    }
    case Op.Result: {
      const inner = operand(1);
      if (inner.type.kind === "tuple") return valueOf(inner.type.elements[code[at + 2]!] ?? UNKNOWN, inner.certainty);
      return code[at + 2] === 0 || inner.type.kind === "foreign" ? valueOf(inner.type, inner.certainty) : UNKNOWN_VALUE;
    }
    case Op.Key:
    case Op.Element: {
      const inner = operand(1);
      const types = rangeTypes(inner.type);
      return types ? valueOf(code[at] === Op.Key ? types.key : types.element, inner.certainty) : UNKNOWN_VALUE;
    }
    case Op.Spread:
      return operand(1);
    case Op.Variable: {
      if (code[at + 1]) return valueOf(c.type(source, code[at + 1]!));
      const inner = operand(2);
      if (inner.mode === "foreign") return lookupStandard(inner.name!) ?? FOREIGN_VALUE;
      return inner.mode === "value" ? valueOf(defaultType(inner.type), inner.certainty) : UNKNOWN_VALUE;
    }
    default:
      return UNKNOWN_VALUE;
  }
}

/** What is made of a foreign thing is foreign, of an unknown one unknown. */
function passOn(inner: Operand): Operand {
  return inner.mode === "foreign" || inner.type.kind === "foreign" ? FOREIGN_VALUE : UNKNOWN_VALUE;
}

function select(c: Checker, source: Source, on: Operand, name: string): Operand {
  if (on.mode === "package") {
    if (!on.package) return { mode: "foreign", type: FOREIGN, certainty: CERTAIN, name: `${on.name!}.${name}` };
    return c.packageName(source, name, on.package) ?? UNKNOWN_VALUE;
  }
  if (on.mode === "foreign") return FOREIGN_VALUE;
  const { member, words } = lookUp(on.type, name);
  c.asks.all(source, words);
  if (!member && isPlace(name)) return UNKNOWN_VALUE;
  if (!member) return on.type.kind === "unknown" ? { ...UNKNOWN_VALUE, guess: name } : passOn(on);
  if (member.kind === "foreign") return member.from && (on.type.kind !== "pointer" || on.type.element !== member.from) ? memberOutside(member.from) : FOREIGN_VALUE;
  if (member.kind === "field") return { ...valueOf(member.type, on.certainty), field: member.name, ...(member.owner === undefined ? {} : { owner: member.owner }) };
  // T.Method and (*T).Method are functions whose first parameter is the receiver.
  const type = on.mode === "type" ? { ...member.type, parameters: [on.type, ...member.type.parameters] } : member.type;
  return {
    mode: "value", type, refs: member.refs, certainty: Math.min(DECLARED, on.certainty),
    ...(member.through ? { through: member.through } : {}),
  };
}

function index(c: Checker, source: Source, at: Offset): Operand {
  const { code } = source.data;
  const on = c.operand(source, code[at + 1]!);
  const count = code[at + 2]!;
  const args = (): Type[] => c.types(source, at + 3, count);
  if (on.mode === "foreign") {
    const known = lookupStandard(on.name!);
    return known?.type.kind === "func" && known.type.typeParameters ? { ...known, type: instantiate(known.type, args()) } : on;
  }
  if (on.mode === "type") {
    if (on.parameters) return typeOperand(substitute(on.type, bind(on.parameters, args())));
    return on.type.kind === "named" ? typeOperand({ kind: "named", entity: on.type.entity, args: args() }) : UNKNOWN_VALUE;
  }
  if (on.type.kind === "func" && on.type.typeParameters) return { ...on, type: instantiate(on.type, args()) };
  let type = core(on.type);
  if (type.kind === "pointer") type = core(type.element);
  switch (type.kind) {
    case "slice":
    case "array":
    case "map":
      return valueOf(type.element, on.certainty);
    case "basic":
      return valueOf({ kind: "basic", name: "uint8" });
    default:
      return passOn(on);
  }
}

function bind(parameters: readonly TypeParameter[], args: readonly Type[]): Bindings {
  return new Map(parameters.flatMap((p, i) => (args[i] ? [[p, args[i]] as const] : [])));
}

/** Gives a generic function its first type arguments; those that are missing stay open. */
function instantiate(generic: Func, args: readonly Type[]): Func {
  const parameters = generic.typeParameters ?? [];
  const { kind, parameters: inputs, results, variadic } = substituteFunc(generic, bind(parameters, args));
  const open = parameters.slice(args.length);
  return { kind, parameters: inputs, results, variadic, ...(open.length > 0 ? { typeParameters: open } : {}) };
}

function call(c: Checker, source: Source, at: Offset): Operand {
  const { code } = source.data;
  const count = code[at + 2]!;
  let callee = c.operand(source, code[at + 1]!);
  const { mode } = callee;
  if (callee.mode === "type") return valueOf(callee.type);
  if (callee.mode === "builtin") return builtin(c, source, callee.name!, at);
  if (callee.mode === "foreign") {
    const known = lookupStandard(callee.name!);
    if (!known) return FOREIGN_VALUE;
    callee = known;
  }
  const type = core(callee.type);
  if (type.kind !== "func") return passOn(callee);
  let { results } = type;
  let { certainty } = callee;
  if (type.typeParameters) {
    const last = count > 0 && code[code[at + 2 + count]!] === Op.Spread;
    const inferred = infer(type, argumentTypes(c, source, at, count), last, (words) => c.asks.all(source, words));
    results = results.map((result) => substitute(result, inferred));
    certainty = Math.min(certainty, INFERRED);
  }
  if (results.length === 0) return mode === "foreign" ? FOREIGN_VALUE : valueOf(NOTHING);
  return valueOf(results.length === 1 ? results[0]! : { kind: "tuple", elements: results }, certainty);
}

/** f(g()) hands on all results of g. */
function argumentTypes(c: Checker, source: Source, at: Offset, count: number): Type[] {
  const types = source.data.code.slice(at + 3, at + 3 + count).map((argument) => c.operand(source, argument).type);
  const [only] = types;
  return only?.kind === "tuple" && types.length === 1 ? [...only.elements] : types;
}

function builtin(c: Checker, source: Source, name: string, at: Offset): Operand {
  const { code } = source.data;
  const first = code[at + 2]! > 0 ? code[at + 3]! : 0;
  switch (name) {
    case "new": {
      const given = c.operand(source, first);
      // new(x) with a value makes a pointer to a copy of it.
      const type = given.mode === "value" && given !== UNKNOWN_VALUE ? defaultType(given.type) : c.type(source, first);
      return valueOf({ kind: "pointer", element: type });
    }
    case "make":
      return valueOf(c.type(source, first));
    case "append":
      return valueOf(c.operand(source, first).type);
    case "min":
    case "max": {
      const types = argumentTypes(c, source, at, code[at + 2]!);
      return valueOf(types.find((t) => !(t.kind === "basic" && t.untyped)) ?? types[0] ?? UNKNOWN);
    }
    case "len":
    case "cap":
    case "copy":
      return valueOf(INT);
    default:
      return valueOf(UNKNOWN);
  }
}
