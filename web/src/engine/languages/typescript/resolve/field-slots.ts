/** The slots of fields and accessors that types declare: a field belongs to the topmost types that declare it. */
import type { Slot } from "../../../language.ts";
import type { Offset, ShapeFact } from "../facts.ts";
import { supertypes } from "./bases.ts";
import type { Checker } from "./checker.ts";
import { force } from "./deferred.ts";
import { find } from "./members.ts";
import { partOfPath } from "./places.ts";
import { Held } from "./slots.ts";
import { typeAt } from "./typenodes.ts";
import type { Found, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Bases above bases, on top of the steps of the search that led to a field. */
const MAX_DEPTH = 16;

/** The slots of the members of a name that a type has, to put something into them. */
export function fieldsOf(c: Checker, type: Type, name: string): readonly Slot[] {
  c.tell(name);
  const held = new Held();
  for (const found of find(c, type, name)) fieldSlots(c, found, held, true, 0);
  return held.slots;
}

/** The slots of what a getter of a class gives: its own, and those of the members of that name in the classes and interfaces above. */
export function getterSlots(c: Checker, unit: Unit, shape: ShapeFact, name: string, getter: number): readonly Slot[] {
  c.tell(name);
  const held = new Held();
  held.slot({ file: unit.index, symbol: getter }, "()");
  for (const base of basesOf(c, unit, shape)) for (const found of find(c, base, name)) fieldSlots(c, found, held, false, 0);
  return held.slots;
}

/** The slots of the fields and methods, among members that were found, that interfaces and object types declare. */
export function declaredSlots(c: Checker, all: readonly Found[]): readonly Slot[] {
  const held = new Held();
  for (const found of all) {
    for (const one of found.kept ?? [found]) {
      if ((one.member?.kind === "field" || one.member?.kind === "method") && (one.shape?.kind === "interface" || one.shape?.kind === "type")) fieldSlots(c, one, held, false, 0);
    }
  }
  return held.slots;
}

/** Adds the slots of a member under a constant, `this[kHandler]`; false where the type of the object has none and the key may be one of a table's. */
export function keyedSlots(c: Checker, unit: Unit, at: Offset, held: Held, written: boolean, depth: number): boolean {
  const constant = unit.text(at, 3);
  if (constant === "") return false;
  const all = find(c, force(c, valueOf(c, unit, unit.at(at, 1))), constant);
  const some = all.filter((found) => fieldSlots(c, found, held, written, depth)).length > 0;
  const ofLanguage = constant.startsWith("[Symbol.");
  // A symbol of the language is no key of a table.
  if (some || !unit.isUntyped) return some || ofLanguage;
  // A symbol stands for one field, whatever has it, but what libraries are known to have.
  const key = valueOf(c, unit, unit.at(at, 2));
  const isSymbol = ofLanguage || (key.k === "primitive" && key.name === "symbol");
  if (isSymbol && all.every(({ unit: home }) => home.index >= 0)) held.slot(undefined, constant);
  return isSymbol;
}

/** Adds the slots of a member that was found, to read the member or, if `written`, to put something into it. False where the member has none. */
export function fieldSlots(c: Checker, found: Found, held: Held, written: boolean, depth: number): boolean {
  const { unit, shape, member, kept } = found;
  if (kept) return kept.filter((one) => fieldSlots(c, one, held, written, depth + 1)).length > 0;
  if (!member || !shape || unit.index < 0 || depth > MAX_DEPTH || !c.step()) return false;
  const isSignature = shape.kind === "interface" || shape.kind === "type";
  if (member.kind === "method" && !isSignature) {
    if (member.symbol >= 0 && !written) held.function(unit.index, member.symbol);
    return member.symbol >= 0;
  }
  if (member.kind === "getter" || member.kind === "setter") {
    const accessor = member.symbol;
    if (accessor >= 0) held.slot({ file: unit.index, symbol: accessor }, written ? "0" : "()");
    return accessor >= 0;
  }
  if (shape.symbol < 0) {
    const place = isSignature ? unit.placeOf(shape) : undefined;
    if (place) held.slot({ file: unit.index, symbol: place.symbol }, partOfPath(place.path, member.name));
    return place !== undefined;
  }
  let above = false;
  for (const base of member.static ? [] : basesOf(c, unit, shape)) {
    for (const one of find(c, base, member.name)) if (fieldSlots(c, one, held, written, depth + 1)) above = true;
  }
  if (!above) held.slot({ file: unit.index, symbol: shape.symbol }, member.name);
  return true;
}

function basesOf(c: Checker, unit: Unit, shape: ShapeFact): readonly Type[] {
  return [...supertypes(c, unit, shape), ...shape.implements.map((at) => typeAt(c, unit, at))];
}
