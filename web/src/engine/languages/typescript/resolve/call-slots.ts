import type { Slot } from "../../../language.ts";
import { CALL } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { force, isDeferred } from "./deferred.ts";
import { fieldsOf } from "./field-slots.ts";
import { namesOf } from "./members.ts";
import { constraintOf } from "./typenodes.ts";
import type { Type } from "./types.ts";

/** Types in types. */
const MAX_DEPTH = 8;
/** A value that may be called in more ways than this says nothing about what runs. */
const MAX_SIGNATURES = 20;

/**
 * The slots that stand for the call signatures of types that have a name: of interfaces (`interface Creator { (value: number): Action }`), and
 * of function types (`type Handler = (event: Event) => void`). They hold the functions that code puts where such a type is declared.
 */
export class CallSlots {
  constructor(private readonly c: Checker) {}

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
          const place = unit.index >= 0 && !fact.body ? unit.placeOf(fact) : undefined;
          if (place?.path === "") slots.push({ owner: { file: unit.index, symbol: place.symbol }, name: CALL });
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
    const own = fieldsOf(this.c, type, CALL);
    if (own.length > 0 && (withFunctionTypes || namesOf(this.c, type).some((name) => name !== CALL))) slots.push(...own);
  }
}
