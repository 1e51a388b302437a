/** The object of a file's exports, which other files get by `require`: its slot, and the slots of its members. */
import { SLOT, type Slot } from "../../../language.ts";
import { isTestPath } from "../../../test-paths.ts";
import type { Checker } from "./checker.ts";
import { force } from "./deferred.ts";
import type { HeldValues } from "./held.ts";
import { namesOf } from "./members.ts";
import type { Target } from "./program.ts";
import type { Held } from "./slots.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Begins the names of these slots. */
const EXPORTS = "exports";

/** Adds the slot of all that a file exports, unless that is a function or a class. */
export function exportsSlot(c: Checker, target: Target | undefined, held: Held): void {
  if (target && target.k !== "binding" && target.unit.index >= 0 && exportsOf(c, target.unit)) held.slot({ file: target.unit.index, symbol: -1 }, `${EXPORTS}${SLOT.LITERAL}`);
}

/** What a file exports, each with the slot of that member of the file's exports. */
export function exported(c: Checker, values: HeldValues, unit: Unit): { into: Slot; held: Held }[] {
  c.question();
  const type = exportsOf(c, unit);
  return type === undefined ? [] : namesOf(c, type).map((name) => {
    c.question();
    return { into: { owner: { file: unit.index, symbol: -1 }, name: `${EXPORTS}.(${name})` }, held: values.heldByMember(unit, type, name) };
  });
}

/** The type of all that a file without types exports; undefined where it is a function or a class, or the file is a test. */
function exportsOf(c: Checker, unit: Unit): Type | undefined {
  if (!unit.isUntyped || isTestPath(unit.path)) return undefined;
  const { equals } = unit.facts.exports;
  if (equals === 0) return { k: "module", unit };
  const type = force(c, valueOf(c, unit, equals));
  return type.k === "instance" || type.k === "intersection" || type.k === "module" ? type : undefined;
}
