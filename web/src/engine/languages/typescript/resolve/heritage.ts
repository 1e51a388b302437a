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

/** A class or interface that derives from something. */
interface Heir {
  unit: Unit;
  shape: ShapeFact;
}

/** What has more overriding members than this says nothing about which of them runs. */
const MAX_OVERRIDERS = 100;
/** What derives over more steps than this is not looked for. */
const MAX_STEPS = 1_000;

/** A member of a derived class or interface that takes the place of one above. */
export interface Below {
  unit: Unit;
  shape: ShapeFact;
  member: MemberFact;
}

/** Emits EXTENDS and IMPLEMENTS, and knows who derives from what. */
export class Heritage {
  private readonly bases = new Map<ShapeFact, ShapeFact[]>();
  /** By the names of their members. */
  private readonly heirs = new Map<string, Heir[]>();
  /** By name, static or not, the overriding members of what has some, one more than the limit at most. */
  private readonly known = new Map<string, Map<ShapeFact, Below[]>>();

  constructor(private readonly c: Checker, emit: Emit) {
    for (const unit of c.program.units) {
      c.file(unit);
      for (const shape of unit.facts.shapes) {
        if (shape.kind !== "class" && shape.kind !== "interface") continue;
        c.question();
        c.within(unit.asked, () => {
          this.read(unit, shape, emit);
        });
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
    const parts = bases.flatMap((b) => (b.k === "intersection" ? b.of : [b])).flatMap((base) => (base.k === "instance" ? base.unit.declarationsOf(base.shape) : []));
    if (parts.length === 0) return;
    this.bases.set(shape, parts);
    const heir = { unit, shape };
    for (const name of new Set(shape.members.map((member) => member.name))) {
      const list = this.heirs.get(name);
      if (list) list.push(heir);
      else this.heirs.set(name, [heir]);
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

  /** The members of derived classes and interfaces that take this one's place; none when there are too many to tell anything. */
  overriders(shape: ShapeFact, { name, static: isStatic = false }: Pick<MemberFact, "name" | "static">): readonly Below[] {
    const key = `${isStatic ? "static " : ""}${name}`;
    let byBase = this.known.get(key);
    if (!byBase) this.known.set(key, (byBase = this.overriding(name, isStatic)));
    const found = byBase.get(shape) ?? [];
    return found.length > MAX_OVERRIDERS ? [] : found;
  }

  /** From each that has such a member up: what has enough overriders already has enough all the way up. */
  private overriding(name: string, isStatic: boolean): Map<ShapeFact, Below[]> {
    const byBase = new Map<ShapeFact, Below[]>();
    for (const { unit, shape } of this.heirs.get(name) ?? []) {
      const index = unit.member(shape, name, isStatic);
      const member = index === undefined ? undefined : shape.members[index];
      if (!member || member.symbol < 0) continue;
      const seen = new Set([shape]);
      let next = [shape];
      for (let step = 0; step < MAX_STEPS && next.length > 0; step++) {
        const above: ShapeFact[] = [];
        for (const base of next.flatMap((of) => this.bases.get(of) ?? [])) {
          if (seen.has(base)) continue;
          seen.add(base);
          let found = byBase.get(base);
          if (!found) byBase.set(base, (found = []));
          if (found.length > MAX_OVERRIDERS) continue;
          found.push({ unit, shape, member });
          above.push(base);
        }
        next = above;
      }
    }
    return byBase;
  }
}

/** The symbol of the first declaration that has one; with `asValue`, of one that is no interface and no other name for a type. */
export function declaredSymbol(unit: Unit, binding: number, asValue = false): number {
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
        if (!asValue || shapes[unit.at(d, 2)]!.kind === "class") ({ symbol } = shapes[unit.at(d, 2)]!);
        break;
      case Op.Alias:
        if (!asValue) ({ symbol } = aliases[unit.at(d, 2)]!);
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
