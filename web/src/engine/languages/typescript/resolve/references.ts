import { Op } from "../facts.ts";
import type { MemberFact, Offset, ShapeFact } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { certainty, Confidence } from "./confidence.ts";
import { memberName } from "./expressions.ts";
import { type Below, declaredSymbol } from "./heritage.ts";
import { find, foundAt } from "./members.ts";
import { isCommonJs } from "./program.ts";
import type { Global, Target } from "./program.ts";
import type { Reached } from "./reached.ts";
import type { Found } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Files that declare one global name: more of them may each have their own page. */
const MAX_DECLARATIONS = 8;
/** Names for names for names: more of them are a cycle. */
const MAX_HOPS = 50;

/** Where a global name gets what it stands for: by file, and all of these if they are few; and where `declare var` promises it. */
interface Sharing {
  byUnit: ReadonlyMap<Unit, Global>;
  few: readonly Global[];
  promised: readonly Global[];
}

/** Finds the declarations that names and members stand for, wherever they are used other than to be called. */
export class References {
  /** By binding, what names of the file that is being resolved stand for. */
  private known = new Map<number, readonly Reached[]>();

  private readonly shared = new Map<string, Sharing>();

  /** Global names that are followed: one may stand for itself, `window.App = window.App`. */
  private readonly followed = new Set<string>();

  /** `below` gives the members that take one's place in derived classes. */
  constructor(private readonly c: Checker, private readonly below: (found: Found) => readonly Below[]) {}

  /** Begins with another file. */
  enter(): void {
    this.known = new Map<number, readonly Reached[]>();
  }

  /** What a name of the file stands for: its declaration, or what `require` and the exports of CommonJS modules lead to. */
  name(unit: Unit, binding: number): readonly Reached[] {
    let reached = this.known.get(binding);
    if (!reached) this.known.set(binding, (reached = this.named(unit, binding, 0)));
    return reached;
  }

  /** What a name stands for that no scope of its file has: what files of the project share with all, this one's own first. */
  global(from: Unit, name: string): readonly Reached[] {
    if (this.followed.has(name)) return [];
    this.followed.add(name);
    try {
      return this.sharedBy(from, name);
    } finally {
      this.followed.delete(name);
    }
  }

  private sharedBy(from: Unit, name: string): readonly Reached[] {
    const { byUnit, few, promised } = this.sharing(name);
    const own = byUnit.get(from);
    const others = few.filter((one) => one !== own);
    const reached = (one: Global, sure: number): readonly Reached[] => (
      lowered(this.declaration(one.unit, one.binding, true, 0), one.put === "later" ? Math.min(sure, Confidence.Stored) : sure)
    );
    const doubt = own ? Confidence.OneOfMany : others.length > 1 ? Confidence.Stored : Confidence.Declared;
    return [...[...(own ? [own] : []), ...promised].flatMap((one) => reached(one, Confidence.Declared)), ...others.flatMap((one) => reached(one, doubt))];
  }

  private sharing(name: string): Sharing {
    let sharing = this.shared.get(name);
    if (!sharing) {
      const declared = this.c.program.global(name).filter(({ unit }) => unit.index >= 0);
      const given = declared.filter((one) => isGiven(one));
      sharing = {
        byUnit: new Map(given.map((one) => [one.unit, one])),
        few: given.length > MAX_DECLARATIONS ? [] : given,
        promised: declared.filter((one) => !isGiven(one)).slice(0, MAX_DECLARATIONS),
      };
      this.shared.set(name, sharing);
    }
    return sharing;
  }

  private named(unit: Unit, binding: number, hops: number): readonly Reached[] {
    const target = this.c.program.follow({ k: "binding", unit, binding });
    const isOwn = target?.k === "binding" && target.unit === unit && target.binding === binding;
    return isOwn ? this.declaration(unit, binding, false, hops) : this.target(target, hops);
  }

  /** What a member leads to: a method, an accessor, or whatever a module exports; a function that stands there itself. */
  member(unit: Unit, at: Offset, hops = 0): readonly Reached[] {
    while (unit.op(at) === Op.Narrow) at = unit.at(at, 1);
    if (unit.op(at) === Op.Function) return certain(unit, unit.facts.functions[unit.at(at, 1)]!.symbol);
    if (unit.op(at) !== Op.Member && unit.op(at) !== Op.Index) return [];
    const found = foundAt(this.c, unit, at);
    if (found.some(({ binding }) => binding !== undefined) && valueOf(this.c, unit, unit.at(at, 1)).k === "global") return this.global(unit, memberName(unit, at));
    const reached = found.flatMap((f) => this.found(f, hops));
    if (reached.length === 0) return [];
    const confidence = Math.min(certainty(this.c, unit, unit.at(at, 1)), found.length > 1 ? Confidence.Declared : Confidence.Certain);
    return reached.map((r) => ({ ...r, confidence: Math.min(r.confidence, confidence) }));
  }

  /** The getters that reading a member runs; the setters that giving it a value runs. Of classes below at `Confidence.Dynamic` at most. */
  accessors(unit: Unit, at: Offset, isWrite: boolean): readonly Reached[] {
    while (unit.op(at) === Op.Narrow) at = unit.at(at, 1);
    if (unit.op(at) !== Op.Member && unit.op(at) !== Op.Index) return [];
    const found = foundAt(this.c, unit, at);
    const kind = isWrite ? "setter" : "getter";
    const accessors = found.flatMap((f) => accessor(f, kind) ?? this.namedAccessor(f, kind));
    // What is declared as a field may be an accessor in a class that implements or derives from what declares it.
    const below = unit.op(unit.at(at, 1)) === Op.Super ? [] : found.filter(({ unit: home, member }) => home.index >= 0 && member?.kind !== "method")
      .flatMap((f) => this.below(f)).flatMap((one) => accessor(one, kind) ?? []);
    if (accessors.length + below.length === 0) return [];
    const confidence = Math.min(certainty(this.c, unit, unit.at(at, 1)), found.length > 1 ? Confidence.Declared : Confidence.Certain);
    return [...accessors.map((one) => ({ unit: one.unit, symbol: one.symbol, confidence })), ...below.map((one) => ({ ...one, confidence: Math.min(confidence, Confidence.Dynamic) }))];
  }

  /** The function that a descriptor names as an accessor: `Object.defineProperty(x, "size", { get: measure })`. */
  private namedAccessor({ unit, accessors }: Found, kind: "getter" | "setter"): readonly Reached[] {
    const described = accessors?.findLast((one) => one.accessor === kind);
    return described ? this.expression(unit, described.value, 0).filter((one) => isFunction(one)) : [];
  }

  /** A value that is passed on: the function that it names may be called by whoever gets it. */
  handedOn(unit: Unit, at: Offset): readonly Reached[] {
    while (unit.op(at) === Op.Narrow) at = unit.at(at, 1);
    switch (unit.op(at)) {
      case Op.Name:
        return this.name(unit, unit.at(at, 1)).filter((r) => isFunction(r));
      case Op.Global:
        return this.global(unit, unit.text(at, 1)).filter((r) => isFunction(r));
      case Op.Member: {
        // The object may be of a derived class that has a method of its own.
        const below = unit.op(unit.at(at, 1)) === Op.Super ? [] : foundAt(this.c, unit, at).filter(({ unit: home, member }) => home.index >= 0 && member?.kind === "method").flatMap((f) => this.below(f));
        return [...this.member(unit, at), ...below.map((one) => ({ unit: one.unit, symbol: one.member.symbol, confidence: Confidence.Dynamic }))].filter((r) => isFunction(r));
      }
      case Op.Function:
        return this.member(unit, at).filter((r) => isFunction(r));
      default:
        return [];
    }
  }

  private target(target: Target | undefined, hops: number): readonly Reached[] {
    switch (target?.k) {
      case "binding":
        return this.declaration(target.unit, target.binding, true, hops);
      case "member": {
        if (target.name === undefined) return this.expression(target.unit, target.of, hops + 1);
        const home = valueOf(this.c, target.unit, target.of);
        this.c.tell(target.name);
        return find(this.c, home, target.name).flatMap((f) => this.found(f, hops));
      }
      default:
        return [];
    }
  }

  /** The symbol that a binding declares; of one without, what it imports by `require`, or exports under another name (`exports.a = b`). */
  private declaration(unit: Unit, binding: number, isExport: boolean, hops: number): readonly Reached[] {
    const symbol = declaredSymbol(unit, binding);
    if (symbol >= 0) return certain(unit, symbol);
    const [only, ...others] = unit.declarations(binding);
    if (only === undefined || others.length > 0 || unit.op(only) !== Op.Variable) return [];
    const value = unit.at(only, 3);
    return (isExport && (isCommonJs(unit) || isGlobal(unit, binding))) || isRequired(unit, value) ? this.expression(unit, value, hops + 1) : [];
  }

  private found(f: Found, hops: number): readonly Reached[] {
    // What a descriptor has runs where the property is read, and is no value of its own.
    if (f.accessors) return [];
    if (f.binding !== undefined) return this.declaration(f.unit, f.binding, true, hops);
    // A property of an interface that is declared as a function has a symbol.
    const { initialiser = 0, symbol = -1 } = f.member ?? {};
    if (f.member?.kind === "field" && symbol < 0 && f.unit.op(initialiser) === Op.Function) return lowered(this.expression(f.unit, initialiser, hops + 1), Confidence.Declared);
    if (f.member?.kind === "field" && symbol < 0) return f.shape && isExported(this.c, f.unit, f.shape) ? this.expression(f.unit, f.member.initialiser, hops + 1) : [];
    return certain(f.unit, f.member?.symbol ?? f.symbol ?? -1);
  }

  /** What an expression that only names something stands for. */
  private expression(unit: Unit, at: Offset, hops: number): readonly Reached[] {
    if (at === 0 || hops > MAX_HOPS || !this.c.step()) return [];
    switch (unit.op(at)) {
      case Op.Name:
        return this.named(unit, unit.at(at, 1), hops);
      case Op.Member:
        return this.member(unit, at, hops);
      case Op.Module:
        return this.target(this.c.program.imported(unit, unit.at(at, 1), "="), hops);
      case Op.Function:
        return certain(unit, unit.facts.functions[unit.at(at, 1)]!.symbol);
      case Op.Class:
        return certain(unit, unit.facts.shapes[unit.at(at, 1)]!.symbol);
      default:
        return [];
    }
  }
}

function lowered(reached: readonly Reached[], limit: number): readonly Reached[] {
  return reached.map((r) => ({ ...r, confidence: Math.min(r.confidence, limit) }));
}

function certain(unit: Unit, symbol: number): readonly Reached[] {
  return symbol >= 0 && unit.index >= 0 ? [{ unit, symbol, confidence: Confidence.Certain }] : [];
}

/** The getter or the setter that a member is, or that stands beside it. */
function accessor({ unit, shape, member, accessors }: Pick<Found, "unit" | "shape" | "member" | "accessors">, kind: "getter" | "setter"): Omit<Reached, "confidence"> | undefined {
  const described = accessors?.findLast((one) => one.accessor === kind && one.symbol >= 0);
  if (described) return { unit, symbol: described.symbol };
  if (!shape || (member?.kind !== "getter" && member?.kind !== "setter")) return undefined;
  const isOne = (m: MemberFact): boolean => m.kind === kind && m.name === member.name && m.static === member.static;
  const symbol = (isOne(member) ? member : shape.members.find(isOne))?.symbol ?? -1;
  return symbol < 0 ? undefined : { unit, symbol };
}

function isFunction({ unit, symbol }: Reached): boolean {
  return ["Function", "Method"].includes(unit.symbols[symbol]!.kind);
}

/** Whether a name has a value where it is declared, which `declare var` only promises. */
function isGiven({ unit, binding }: Global): boolean {
  return unit.declarations(binding).some((at) => unit.op(at) !== Op.Variable || unit.at(at, 3) !== 0);
}

/** Whether a binding is that of a name which the file gives to all. */
function isGlobal(unit: Unit, binding: number): boolean {
  return unit.facts.globals.some(([, one]) => one === binding);
}

/** Whether a value is what `require` gives, or a member of that. */
function isRequired(unit: Unit, value: Offset): boolean {
  while (unit.op(value) === Op.Member) value = unit.at(value, 1);
  return unit.op(value) === Op.Module;
}

/** Whether an object literal is what a CommonJS module exports, so that its members are the module's names. */
function isExported(c: Checker, unit: Unit, shape: ShapeFact): boolean {
  const { equals } = unit.facts.exports;
  if (equals === 0) return false;
  const value = valueOf(c, unit, equals);
  return value.k === "instance" && value.unit === unit && value.shape === shape;
}
