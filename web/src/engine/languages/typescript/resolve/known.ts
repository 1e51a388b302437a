import { spend } from "../../../effort.ts";
import { Op } from "../facts.ts";
import type { FunctionFact, MemberFact, Offset, ShapeFact } from "../facts.ts";
import type { CallSlots } from "./call-slots.ts";
import type { Checker } from "./checker.ts";
import { Confidence } from "./confidence.ts";
import { expected, expectedArgument, expectedResult } from "./context.ts";
import { isTable } from "./defined.ts";
import { force } from "./deferred.ts";
import { withoutNarrowing } from "./expressions.ts";
import { fieldsOf } from "./field-slots.ts";
import type { HeldValues } from "./held.ts";
import { elementOf, memberNamed, namesOf } from "./members.ts";
import type { ReachedCalls } from "./reached.ts";
import type { SlotWriter } from "./slot-writer.ts";
import { accessorOf } from "./slots.ts";
import { typeAt } from "./typenodes.ts";
import { same, type Type, UNKNOWN } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Alternatives in alternatives. */
const MAX_DEPTH = 8;

/** A function by name that an object has, or the value of a field. */
type Member = Pick<MemberFact, "name" | "kind" | "symbol" | "initialiser">;

/** The members of an object literal, or those that are put on a function. `of`: the fact, or the list of facts, that they stand in. */
interface Whole {
  readonly of: object;
  readonly members: readonly Member[];
}

/** Puts functions where the type says that an object, or a function, is known by: what calls and reads of the type's members may run. */
export class KnownTypes {
  /**
   * Of the file: the types that members were told as, and the smallest depth at which that happened. Functions whose object literals hold what
   * the others give lead to the same members along ever more ways.
   */
  private readonly told = new Map<Whole["of"], { readonly type: Type; depth: number }[]>();

  constructor(
    private readonly c: Checker, private readonly values: HeldValues, private readonly calls: ReachedCalls, private readonly callSlots: CallSlots,
    private readonly writer: SlotWriter,
  ) {}

  /** Begins with another file. */
  enter(): void {
    this.told.clear();
  }

  /** The accessors of a file's object literals, each in the member that the literal is expected to have. */
  accessors(unit: Unit): void {
    for (const { kind, members } of unit.facts.shapes) {
      if (kind !== "object") continue;
      for (const { name, kind: member, symbol, functions: [f] } of members) {
        if (symbol < 0 || f === undefined || (member !== "getter" && member !== "setter")) continue;
        const { context } = unit.facts.functions[f]!;
        if (context === 0 || unit.op(context) !== Op.ContextProperty) continue;
        this.c.question();
        const whole = unit.at(context, 1);
        const type = expected(this.c, unit, whole);
        // `any` may be read as an object of whatever type.
        if (type.k === "unknown" && isDeclared(unit, whole)) this.writer.put(unit, accessorOf({ name }, member), { functions: [{ file: unit.index, symbol }], slots: [] });
        else this.member(unit, type, { name, kind: member, symbol, initialiser: 0 });
      }
    }
  }

  /** A value that is put into a variable or a member, known by the type of that: `{ auth: value }` where an object with an `auth` is expected, `this.auth = value`. */
  assigned(unit: Unit, target: Offset, value: Offset): void {
    if (!mayBeKnown(unit, value)) return;
    const at = withoutNarrowing(unit, target);
    if (unit.op(at) === Op.ContextProperty) this.value(unit, value, () => expected(this.c, unit, at));
    else if (!unit.isUntyped && (unit.op(at) === Op.Member || unit.op(at) === Op.Name)) this.value(unit, value, () => valueOf(this.c, unit, at));
  }

  /** An argument, known by the type that its call expects there. */
  argument(unit: Unit, call: Offset, position: number, value: Offset): void {
    if (!mayBeKnown(unit, value)) return;
    this.value(unit, value, () => expectedArgument(this.c, unit, call, position));
    this.cast(unit, value);
  }

  /** What a function returns, known by its result type. `declared`: the result types of the function and its overloads; where there are none, the type that the function is expected to be decides. */
  results(unit: Unit, fact: FunctionFact, declared: readonly Offset[] = []): void {
    for (const result of fact.results) {
      for (const type of declared) this.value(unit, result, () => typeAt(this.c, unit, type));
      if (declared.length === 0 && fact.context !== 0) this.value(unit, result, () => expectedResult(this.c, unit, fact));
      this.cast(unit, result);
    }
  }

  /** What is put on a function, or on an object, that is then known by a type. */
  value(unit: Unit, value: Offset, typeOf: () => Type, depth = 0): void {
    const at = withoutNarrowing(unit, value);
    if (at === 0 || depth > MAX_DEPTH) return;
    spend();
    if (unit.op(at) === Op.As) {
      this.value(unit, unit.at(at, 1), typeOf, depth + 1);
      return;
    }
    if (unit.op(at) === Op.Or) {
      for (const one of unit.list(at, 1)) this.value(unit, one, typeOf, depth + 1);
      return;
    }
    if (unit.op(at) === Op.Object) {
      for (const spread of unit.facts.shapes[unit.at(at, 1)]!.spreads) this.spread(unit, spread, typeOf);
      return;
    }
    if (unit.op(at) === Op.Array) {
      for (const one of unit.list(at, 1)) if (mayBeKnown(unit, one)) this.value(unit, one, () => elementOf(this.c, typeOf()), depth + 1);
      return;
    }
    this.function(unit, at, typeOf);
    for (const { of, members } of this.wholesOf(unit, at)) {
      const type = members.length > 0 ? typeOf() : UNKNOWN;
      if (members.length > 0 && !this.wasTold(of, type, depth)) for (const one of members) this.member(unit, type, one, depth);
    }
  }

  /** Whether members were told as being of a type, at this depth or a smaller one: from there as much is reached. Else notes that they are. */
  private wasTold(of: Whole["of"], type: Type, depth: number): boolean {
    const all = this.told.get(of) ?? [];
    this.told.set(of, all);
    const known = all.find((one) => same(one.type, type) || isSameUnion(one.type, type));
    if (known && known.depth <= depth) return true;
    if (known) known.depth = depth;
    else all.push({ type, depth });
    return false;
  }

  /** A function that is expected to be of a type with call signatures: calls by these may run it. */
  function(unit: Unit, value: Offset, typeOf: () => Type): void {
    const op = value === 0 ? 0 : unit.op(value);
    if (op === Op.Name ? !this.values.mayNameFunction(unit, unit.at(value, 1)) : op !== Op.Function || unit.facts.functions[unit.at(value, 1)]!.symbol < 0) return;
    const { functions } = this.values.heldBy(unit, value);
    if (functions.length === 0) return;
    for (const slot of this.callSlots.of(typeOf())) this.writer.put(unit, slot, { functions, slots: [] });
  }

  /** `creator as Creator` */
  cast(unit: Unit, value: Offset): void {
    if (value !== 0 && unit.op(value) === Op.As) this.value(unit, unit.at(value, 1), () => typeAt(this.c, unit, unit.at(value, 2)));
  }

  /** `{ ...readers }`: what an object literal has of another object. */
  private spread(unit: Unit, spread: Offset, typeOf: () => Type): void {
    const from = force(this.c, valueOf(this.c, unit, spread));
    if ((from.k !== "instance" && from.k !== "module") || from.unit.index < 0) return;
    const type = force(this.c, typeOf());
    for (const name of namesOf(this.c, from)) {
      const into = fieldsOf(this.c, type, name);
      if (into.length === 0) continue;
      const held = this.values.heldByMember(unit, from, name);
      if (held.functions.length + held.slots.length > 0) for (const slot of into) this.writer.put(unit, slot, held);
    }
  }

  private member(unit: Unit, type: Type, { name, kind, symbol, initialiser }: Member, depth = 0): void {
    if (symbol < 0 && mayBeKnown(unit, initialiser)) this.value(unit, initialiser, () => memberNamed(this.c, type, name), depth + 1);
    const held = symbol >= 0 ? { functions: [{ file: unit.index, symbol }], slots: [] } : this.values.heldBy(unit, initialiser);
    if (held.functions.length + held.slots.length === 0) return;
    for (const slot of fieldsOf(this.c, type, name)) this.writer.put(unit, kind === "getter" || kind === "setter" ? accessorOf(slot, kind) : slot, held);
  }

  /**
   * The object literals that an expression of the file stands for: what a variable holds, or what a function of the
   * file gives. Literals themselves are told what they are expected to be where they stand.
   */
  private wholesOf(unit: Unit, at: Offset): readonly Whole[] {
    if (unit.op(at) === Op.Name) return mayHaveMembers(unit, unit.at(at, 1)) ? wholesOn(unit, valueOf(this.c, unit, at)) : [];
    if (unit.op(at) !== Op.Call) return [];
    if (isAssign(unit, unit.at(at, 1))) return unit.list(at, 3 + unit.at(at, 2)).flatMap((one) => literals(unit, one, 0)).map(wholeOf);
    const reached = this.calls.functions(unit, at, Confidence.Inferred).filter((one) => one.unit === unit);
    return reached.flatMap(({ symbol }) => unit.functionOf(symbol)?.results ?? []).flatMap((result) => literals(unit, result, 0)).map(wholeOf);
  }
}

/** Whether an expression may stand for a function by name, or for an object literal: other ones are told where they stand, or are no objects. */
function mayBeKnown(unit: Unit, value: Offset): boolean {
  if (value === 0) return false;
  switch (unit.op(withoutNarrowing(unit, value))) {
    case Op.Name:
    case Op.Function:
    case Op.Call:
    case Op.As:
    case Op.Or:
    case Op.Array:
      return true;
    default:
      return isTable(unit, value);
  }
}

/** Whether code says, where an object literal stands, what it is: by the result type of the function around it, or by `as`. */
function isDeclared(unit: Unit, context: Offset): boolean {
  return unit.op(context) === Op.ContextType || (unit.op(context) === Op.ContextReturn && unit.facts.functions[unit.at(context, 1)]!.returns !== 0);
}

/** `Object.assign`, also as `const { assign } = Object` */
function isAssign(unit: Unit, callee: Offset): boolean {
  if (callee !== 0 && unit.op(callee) === Op.Name) {
    const declared = unit.facts.bindings[unit.at(callee, 1)]!;
    return unit.op(declared) === Op.Variable && unit.op(unit.at(declared, 3)) === Op.Member && isAssign(unit, unit.at(declared, 3));
  }
  return callee !== 0 && unit.op(callee) === Op.Member && unit.text(callee, 2) === "assign" && unit.op(unit.at(callee, 1)) === Op.Global && unit.text(unit.at(callee, 1), 1) === "Object";
}

/** The object literals that an expression is. */
function literals(unit: Unit, value: Offset, depth: number): readonly ShapeFact[] {
  if (value === 0 || depth > MAX_DEPTH) return [];
  switch (unit.op(value)) {
    case Op.Object:
      return [unit.facts.shapes[unit.at(value, 1)]!];
    case Op.Or:
      return unit.list(value, 1).flatMap((one) => literals(unit, one, depth + 1));
    case Op.As:
    case Op.AsConst:
      return literals(unit, unit.at(value, 1), depth + 1);
    default:
      return [];
  }
}

function isSameUnion(one: Type, other: Type): boolean {
  return one.k === "union" && other.k === "union" && one.of.length === other.of.length && one.of.every((part, i) => same(part, other.of[i]!));
}

function wholeOf(shape: ShapeFact): Whole {
  return { of: shape, members: shape.members.filter(({ symbol, initialiser }) => symbol >= 0 || initialiser !== 0) };
}

/** Whether a name of a file may stand for a function of it, or for an object literal: not what is imported, given to a function, or of a declared type. */
function mayHaveMembers(unit: Unit, binding: number): boolean {
  return unit.declarations(binding).some((declared) => {
    if (unit.op(declared) !== Op.Variable) return unit.op(declared) === Op.FunctionDeclaration && unit.expandos(binding).length > 0;
    const value = unit.at(declared, 2) === 0 ? unit.at(declared, 3) : 0;
    return value !== 0 && unit.op(value) !== Op.Parameter && unit.op(value) !== Op.New;
  });
}

/** An object literal of a file, or what is put on a function of it. */
function wholesOn(unit: Unit, type: Type): readonly Whole[] {
  if (type.k === "instance" && type.unit === unit && type.shape.kind === "object") return [wholeOf(type.shape)];
  if (type.k !== "function" || type.home?.unit !== unit) return [];
  const all = unit.expandos(type.home.binding);
  const members = all.filter(({ prototype }) => !prototype)
    .map(({ name, symbol, value, accessor = "method" as const }) => ({ name, symbol, kind: accessor, initialiser: symbol >= 0 ? 0 : value }));
  return [{ of: all, members }];
}
