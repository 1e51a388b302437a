import { FEW } from "../../../language.ts";
import { isTestPath } from "../../../test-paths.ts";
import { type ModuleFacts, type Offset, Op, ThisKind } from "../facts.ts";
import { madeAs } from "./asked.ts";
import { callableMembers, importedMembers, madeFields } from "./callable.ts";
import type { Checker } from "./checker.ts";
import { Confidence } from "./confidence.ts";
import { force } from "./deferred.ts";
import { isFunction, withoutNarrowing } from "./expressions.ts";
import { mayBeOurs } from "./guess.ts";
import { find } from "./members.ts";
import type { Reached } from "./reached.ts";
import type { Found, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { valueOf } from "./values.ts";

/** Method names shorter than this, or those that the language's own types have, are too common to guess by. */
const MIN_GUESS = 4;

/** Names for names. */
const MAX_HOPS = 5;

/** An expression of a file. */
interface Place {
  readonly unit: Unit;
  readonly at: Offset;
}

/** Guesses what a call runs on an object of which nothing is known, or not enough. */
export class Guesses {
  // Of all files; made when somebody has to guess.
  /** The only member of a name that runs anything, outside of tests if it has one there, null where there are several. */
  private methods: ReadonlyMap<string, { unit: Unit; symbol: number } | null> | undefined;
  /** The members that hold something of an import. */
  private imported: ReadonlyMap<string, readonly Place[]> | undefined;
  /** What fields are given that is made with `new`. */
  private made: ReadonlyMap<string, readonly Place[]> | undefined;
  private isGuessing = false;

  /** `reachedBy` gives whom a callee stands for, `ofFound` what a call of a member runs. */
  constructor(private readonly c: Checker, private readonly reachedBy: (unit: Unit, callee: Offset) => readonly Reached[], private readonly ofFound: (found: Found) => readonly Reached[]) {}

  /** Whom `object.name()` calls: the only member of that name that runs anything, or that of what fields are given that are called like the object's. */
  call(unit: Unit, object: Offset, name: string): Reached[] {
    if (!(mayHaveMore(valueOf(this.c, unit, object)) || isOfLiteral(unit, object)) || !mayBeOurs(this.c, unit, object)) return [];
    const reached = name.length < MIN_GUESS ? [] : this.byName(name);
    return reached.length > 0 ? reached : this.byField(unit, object, name);
  }

  private byName(name: string): Reached[] {
    this.c.guess(name);
    const only = (this.methods ??= this.callableMembers()).get(name);
    if (only === undefined) return this.ofImport(name);
    return only ? [{ ...only, confidence: Confidence.Guess }] : [];
  }

  /** The only function of an import that an object has under a name: `{ decorate: decorator.add }`. */
  private ofImport(name: string): Reached[] {
    const places = (this.imported ??= this.placesOf(importedMembers)).get(name) ?? [];
    if (this.isGuessing || places.length === 0 || places.length > FEW) return [];
    this.isGuessing = true;
    const reached = places.flatMap(({ unit, at }) => this.reachedBy(unit, at)).filter((r) => r.confidence > Confidence.Guess && isFunction(r.unit, r.symbol));
    this.isGuessing = false;
    const [first] = reached;
    return first && reached.every(({ unit, symbol }) => unit === first.unit && symbol === first.symbol) ? [{ ...first, confidence: Confidence.Guess }] : [];
  }

  /** `app.metrics.add()`, where all fields that are called `metrics` and are given a new object are given one of the same class. */
  private byField(unit: Unit, object: Offset, name: string): Reached[] {
    const field = fieldAt(unit, object);
    if (field === "") return [];
    this.c.guess(madeAs(field));
    const places = (this.made ??= this.placesOf(madeFields)).get(field) ?? [];
    if (places.length === 0 || places.length > FEW) return [];
    const types = places.map((place) => force(this.c, valueOf(this.c, place.unit, place.at)));
    const [first] = types;
    if (!first || !isOurs(first) || !types.every((type) => isSameClass(type, first))) return [];
    this.c.tell(name);
    return find(this.c, first, name).flatMap((found) => this.ofFound(found)).map((r) => ({ ...r, confidence: Math.min(r.confidence, Confidence.Guess) }));
  }

  private placesOf(members: (facts: ModuleFacts) => ReadonlyMap<string, readonly Offset[]>): ReadonlyMap<string, readonly Place[]> {
    const all = new Map<string, Place[]>();
    for (const unit of this.c.program.units) {
      if (isTestPath(unit.path)) continue;
      for (const [name, places] of members(unit.facts)) {
        const same = all.get(name) ?? [];
        all.set(name, same);
        for (const at of places) same.push({ unit, at });
      }
    }
    return all;
  }

  private callableMembers(): ReadonlyMap<string, { unit: Unit; symbol: number } | null> {
    const { units, lib } = this.c.program;
    const methods = new Map<string, { unit: Unit; symbol: number } | null>();
    const ofTests = new Map<string, { unit: Unit; symbol: number } | null>();
    for (const unit of units) {
      const into = isTestPath(unit.path) ? ofTests : methods;
      for (const [name, [symbol, ...others]] of callableMembers(unit.facts, unit.symbols)) {
        into.set(name, into.has(name) || others.length > 0 ? null : { unit, symbol: symbol! });
      }
    }
    // What tests put in the place of a method is no other method of the name.
    for (const [name, only] of ofTests) if (!methods.has(name)) methods.set(name, only);
    for (const shape of lib.facts.shapes) for (const { name } of shape.members) methods.set(name, null);
    return methods;
  }
}

/** Whether a value may have members that its type does not tell. */
function mayHaveMore(type: Type): boolean {
  return type.k === "unknown" || type.k === "union";
}

/** Whether an expression is the `this` of an object literal's method, which other objects may have, too: `extend({ rules() { return this.addRule(); } })`. */
function isOfLiteral(unit: Unit, at: Offset): boolean {
  return unit.op(at) === Op.This && unit.at(at, 1) === ThisKind.Object;
}

/** The name of the field that an expression reads, also through variables: `app.metrics`, `const { metrics } = app`. "" for any other. */
function fieldAt(unit: Unit, at: Offset, hops = 0): string {
  const value = withoutNarrowing(unit, at);
  if (value === 0 || hops > MAX_HOPS) return "";
  if (unit.op(value) === Op.Member) return unit.text(value, 2);
  if (unit.op(value) !== Op.Name) return "";
  const [declared = 0, ...others] = unit.declarations(unit.at(value, 1));
  return declared !== 0 && others.length === 0 && unit.op(declared) === Op.Variable && unit.at(declared, 2) === 0 ? fieldAt(unit, unit.at(declared, 3), hops + 1) : "";
}

function isOurs(type: Type): boolean {
  return (type.k === "instance" || type.k === "constructed") && type.unit.index >= 0;
}

function isSameClass(one: Type, other: Type): boolean {
  if (one.k === "instance") return other.k === "instance" && one.unit === other.unit && one.shape === other.shape;
  return one.k === "constructed" && other.k === "constructed" && one.unit === other.unit && one.binding === other.binding;
}
