import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import type { Checker } from "./checker.ts";
import type { Target } from "./program.ts";
import type { Unit } from "./unit.ts";

/** A name with names inside: a module, a namespace, an enum, or the plain declaration itself. */
export interface Entity {
  self: Target | undefined;
  member(name: string): Target | undefined;
}

/** What stands for something that stands for more than this is a circle. */
const MAX_STEPS = 30;

/** What `a` or `a.b.c` means as a path of namespaces. */
export function entity(c: Checker, unit: Unit, at: Offset, steps = 0): Entity | undefined {
  if (at === 0 || steps > MAX_STEPS) return undefined;
  switch (unit.op(at)) {
    case Op.Name:
      return fromTarget(c, c.program.follow({ k: "binding", unit, binding: unit.at(at, 1) }), steps);
    case Op.Global: {
      const [first] = c.program.global(unit.text(at, 1));
      return first && fromTarget(c, { k: "binding", ...first }, steps);
    }
    case Op.Member:
      return fromTarget(c, entity(c, unit, unit.at(at, 1), steps + 1)?.member(unit.text(at, 2)), steps);
    case Op.Module:
    case Op.TypeImport: {
      const module = c.program.module(unit, unit.at(at, 1));
      return module && fromTarget(c, { k: "module", unit: module }, steps);
    }
    case Op.Call:
      // The grammar reads `import("x")` in a type as a call.
      return undefined;
    case Op.ImportCall: {
      const module = c.program.module(unit, unit.at(at, 1));
      return module && fromTarget(c, { k: "module", unit: module }, steps);
    }
    default:
      return undefined;
  }
}

function fromTarget(c: Checker, target: Target | undefined, steps: number): Entity | undefined {
  if (!target) return undefined;
  switch (target.k) {
    case "module":
      return { self: target, member: (name) => c.exported(target.unit, name, true) };
    case "member": {
      const home = entity(c, target.unit, target.of, steps + 1);
      if (target.name === undefined) return home;
      return fromTarget(c, home?.member(target.name), steps + 1);
    }
    case "binding": {
      const { unit, binding } = target;
      const spaces: number[] = [];
      for (const d of unit.declarations(binding)) {
        if (unit.op(d) === Op.Namespace) spaces.push(unit.at(d, 2));
        if (unit.op(d) === Op.ImportAlias) return entity(c, unit, unit.at(d, 2), steps + 1);
      }
      return {
        self: target,
        member: (name) => {
          for (const index of spaces) {
            const found = c.program.fromTable(unit, unit.facts.namespaces[index]!.exports, name);
            if (found) return found;
          }
          return undefined;
        },
      };
    }
  }
}
