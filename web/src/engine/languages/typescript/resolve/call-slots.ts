import type { Slot } from "../../../language.ts";
import { CALL, type FunctionFact, type Offset, Op } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { force, isDeferred } from "./deferred.ts";
import type { HeldValues } from "./held.ts";
import { namesOf } from "./members.ts";
import { constraintOf } from "./typenodes.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";

/** Types in types. */
const MAX_DEPTH = 8;
/** A value that may be called in more ways than this says nothing about what runs. */
const MAX_SIGNATURES = 20;

/**
 * The slots that stand for the call signatures of types that have a name: of interfaces (`interface Creator { (value: number): Action }`), and
 * of function types (`type Handler = (event: Event) => void`). They hold the functions that code puts where such a type is declared.
 */
export class CallSlots {
  /** By file, the symbols of the aliases that function types stand in. */
  private readonly aliases = new Map<Unit, ReadonlyMap<FunctionFact, number>>();

  constructor(private readonly c: Checker, private readonly values: HeldValues) {}

  /** The slots of the signatures that a value of a type may be called by; function types are left out unless asked for. */
  of(type: Type, withFunctionTypes = true): readonly Slot[] {
    const slots: Slot[] = [];
    this.gather(type, slots, withFunctionTypes, 0);
    return slots.length > MAX_SIGNATURES ? [] : slots;
  }

  private gather(type: Type, slots: Slot[], withFunctionTypes: boolean, depth: number): void {
    if (depth > MAX_DEPTH || slots.length > MAX_SIGNATURES || !this.c.step()) return;
    switch (type.k) {
      case "function":
        for (const { unit, fact } of withFunctionTypes ? type.signatures : []) {
          const symbol = unit.index >= 0 && !fact.body ? this.aliasesOf(unit).get(fact) : undefined;
          if (symbol !== undefined) slots.push({ owner: { file: unit.index, symbol }, name: CALL });
        }
        break;
      case "instance":
        if (type.unit.index >= 0 && (type.shape.kind === "interface" || type.shape.kind === "type")) this.instance(type, slots, withFunctionTypes);
        break;
      case "union":
        for (const one of type.of) this.gather(one, slots, withFunctionTypes, depth + 1);
        break;
      case "intersection":
        // `((text: string) => Action) & { type: string }` is as telling as an interface.
        for (const one of type.of) this.gather(one, slots, true, depth + 1);
        break;
      case "parameter":
        this.gather(constraintOf(this.c, type), slots, withFunctionTypes, depth + 1);
        break;
      case "deferred":
      case "awaited": {
        const forced = force(this.c, type);
        if (!isDeferred(forced)) this.gather(forced, slots, withFunctionTypes, depth + 1);
        break;
      }
    }
  }

  /** Of an interface. One that has nothing but call signatures is a function type. */
  private instance(type: Type, slots: Slot[], withFunctionTypes: boolean): void {
    const own = this.values.fieldsOf(type, CALL);
    if (own.length > 0 && (withFunctionTypes || namesOf(this.c, type).some((name) => name !== CALL))) slots.push(...own);
  }

  private aliasesOf(unit: Unit): ReadonlyMap<FunctionFact, number> {
    let aliases = this.aliases.get(unit);
    if (!aliases) {
      const found = new Map<FunctionFact, number>();
      for (const { symbol, type } of unit.facts.aliases) if (symbol >= 0) for (const fact of functionTypes(unit, type, 0)) found.set(fact, symbol);
      this.aliases.set(unit, (aliases = found));
    }
    return aliases;
  }
}

/** The function types that a type is made of: its own, those of its alternatives, and those that it gives to other types. */
function functionTypes(unit: Unit, at: Offset, depth: number): FunctionFact[] {
  if (at === 0 || depth > MAX_DEPTH) return [];
  const within = (types: readonly Offset[]): FunctionFact[] => types.flatMap((one) => functionTypes(unit, one, depth + 1));
  switch (unit.op(at)) {
    case Op.TypeFunction:
      return [unit.facts.functions[unit.at(at, 1)]!];
    case Op.TypeUnion:
    case Op.TypeIntersection:
      return within(unit.list(at, 1));
    case Op.TypeConditional:
      return within([unit.at(at, 3), unit.at(at, 4)]);
    case Op.TypeName:
      return within(unit.list(at, 2));
    default:
      return [];
  }
}
