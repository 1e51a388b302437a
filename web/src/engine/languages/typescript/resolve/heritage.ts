import type { Emit } from "../../../language.ts";
import { Op } from "../facts.ts";
import type { MemberFact, Offset, ShapeFact } from "../facts.ts";
import { supertypes } from "./bases.ts";
import type { Checker } from "./checker.ts";
import { entity } from "./entities.ts";
import type { Target } from "./program.ts";
import { typeAt } from "./typenodes.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

interface Heir {
  unit: Unit;
  shape: ShapeFact;
}

/** Emits EXTENDS and IMPLEMENTS, and knows who derives from what. */
export class Heritage {
  private readonly heirs = new Map<ShapeFact, Heir[]>();

  constructor(private readonly c: Checker, emit: Emit) {
    for (const unit of c.program.units) {
      for (const shape of unit.facts.shapes) {
        if (shape.kind === "class" || shape.kind === "interface") this.read(unit, shape, emit);
      }
    }
  }

  private read(unit: Unit, shape: ShapeFact, emit: Emit): void {
    const { c } = this;
    const from = { file: unit.index, symbol: shape.symbol };
    const relate = (type: "EXTENDS" | "IMPLEMENTS", target: Target | undefined): void => {
      if (target?.k !== "binding" || shape.symbol < 0 || target.unit.index < 0) return;
      const symbol = declaredSymbol(target.unit, target.binding);
      if (symbol >= 0) emit(type, from, { file: target.unit.index, symbol }, 1, unit.symbols[shape.symbol]?.line ?? 0);
    };
    if (shape.superclass !== 0) {
      const target = superTarget(c, unit, shape.superclass);
      if (target?.k === "binding" && target.unit.index >= 0 && declaredSymbol(target.unit, target.binding) >= 0) relate("EXTENDS", target);
      else this.inferred(unit, shape, emit);
    }
    for (const at of shape.bases) relate("EXTENDS", typeTarget(c, unit, at));
    for (const at of shape.implements) relate("IMPLEMENTS", typeTarget(c, unit, at));
    const bases = [...supertypes(c, unit, shape), ...shape.implements.map((at) => typeAt(c, unit, at))];
    for (const base of bases.flatMap((b) => (b.k === "intersection" ? b.of : [b]))) {
      if (base.k !== "instance") continue;
      for (const part of base.unit.declarationsOf(base.shape)) {
        const list = this.heirs.get(part);
        if (list) list.push({ unit, shape });
        else this.heirs.set(part, [{ unit, shape }]);
      }
    }
  }

  /** The superclass is named by what holds it, such as a variable with what `require` gave. */
  private inferred(unit: Unit, shape: ShapeFact, emit: Emit): void {
    const op = unit.op(shape.superclass);
    if (op !== Op.Name && op !== Op.Member) return;
    const value = valueOf(this.c, unit, shape.superclass);
    if (value.k !== "class" || shape.symbol < 0 || value.unit.index < 0 || value.shape.symbol < 0) return;
    const from = { file: unit.index, symbol: shape.symbol };
    emit("EXTENDS", from, { file: value.unit.index, symbol: value.shape.symbol }, 0.9, unit.symbols[shape.symbol]?.line ?? 0);
  }

  /** The members of derived classes and interfaces that take this one's place. */
  overriders(shape: ShapeFact, member: MemberFact): { unit: Unit; member: MemberFact }[] {
    const found: { unit: Unit; member: MemberFact }[] = [];
    const seen = new Set<ShapeFact>([shape]);
    const visit = (of: ShapeFact): void => {
      for (const heir of this.heirs.get(of) ?? []) {
        if (seen.has(heir.shape)) continue;
        seen.add(heir.shape);
        const index = heir.unit.member(heir.shape, member.name, member.static ?? false);
        const own = index === undefined ? undefined : heir.shape.members[index];
        if (own && own.symbol >= 0) found.push({ unit: heir.unit, member: own });
        visit(heir.shape);
      }
    };
    visit(shape);
    return found;
  }
}

/** The symbol of the first declaration that has one. */
export function declaredSymbol(unit: Unit, binding: number): number {
  const { functions, shapes, aliases, enums } = unit.facts;
  for (const d of unit.declarations(binding)) {
    let symbol = -1;
    switch (unit.op(d)) {
      case Op.Variable:
        symbol = unit.at(d, 4);
        break;
      case Op.FunctionDeclaration:
        ({ symbol } = functions[unit.at(d, 2)]!);
        break;
      case Op.ShapeDeclaration:
        ({ symbol } = shapes[unit.at(d, 2)]!);
        break;
      case Op.Alias:
        ({ symbol } = aliases[unit.at(d, 2)]!);
        break;
      case Op.Enum:
        ({ symbol } = enums[unit.at(d, 2)]!);
        break;
    }
    if (symbol >= 0) return symbol;
  }
  return -1;
}

/** The declaration that `extends a.b` names. */
function superTarget(c: Checker, unit: Unit, at: Offset): Target | undefined {
  return entity(c, unit, at)?.self;
}

function typeTarget(c: Checker, unit: Unit, at: Offset): Target | undefined {
  if (at === 0) return undefined;
  switch (unit.op(at)) {
    case Op.TypeName:
      return c.program.follow({ k: "binding", unit, binding: unit.at(at, 1) });
    case Op.TypeGlobal: {
      const [first] = c.program.global(unit.text(at, 1));
      return first && { k: "binding", ...first };
    }
    case Op.TypeMember:
      return entity(c, unit, unit.at(at, 1))?.member(unit.text(at, 2));
    default:
      return undefined;
  }
}
