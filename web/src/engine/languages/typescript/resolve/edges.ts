import { type Emit, FEW, type Stores } from "../../../language.ts";
import { MAY_CALL } from "../../passed.ts";
import { CALL, Op } from "../facts.ts";
import type { FunctionFact, MemberFact, Offset, ShapeFact } from "../facts.ts";
import { instanceOfClass } from "./bases.ts";
import type { Checker } from "./checker.ts";
import { certainty, Confidence } from "./confidence.ts";
import { isIteration, memberName, patternAt } from "./expressions.ts";
import { force } from "./deferred.ts";
import { Guesses } from "./guesses.ts";
import { type Below, Heritage } from "./heritage.ts";
import { keysAt } from "./keys.ts";
import { find, foundAt, foundType } from "./members.ts";
import type { Global, Target } from "./program.ts";
import type { Reached } from "./reached.ts";
import { References } from "./references.ts";
import { Stored } from "./stored.ts";
import type { Found, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { bindingValue, valueOf } from "./values.ts";

/** Names for names for names: enough of them is a circle. */
const MAX_HOPS = 5;
/** Files that declare one global name: of more of them nothing is said. */
const MAX_RIVALS = 8;

/** Emits CALLS, EXTENDS, IMPLEMENTS and IMPORTS of a program, and tells what is stored. */
export class Edges {
  private readonly heritage: Heritage;
  private readonly references: References;
  private readonly stored: Stored | undefined;
  private readonly guesses: Guesses;

  constructor(private readonly c: Checker, private readonly emit: Emit, stores?: Stores) {
    this.heritage = new Heritage(c, emit);
    const below = ({ unit, shape, member }: Found): readonly Below[] => this.below(unit, shape, member);
    this.references = new References(c, below);
    this.guesses = new Guesses(c, (unit, callee) => this.reachedBy(unit, callee, false, 0), (found) => this.ofFound(found, false, Confidence.Guess, 0, false));
    this.stored = stores && new Stored(c, stores, (unit, call) => this.reachedByCall(unit, call), below);
  }

  imports(units: readonly Unit[]): void {
    for (const unit of units) {
      unit.facts.specifiers.forEach(({ line }, i) => {
        const target = this.c.program.module(unit, i);
        if (target && target !== unit) this.emit("IMPORTS", { file: unit.index, symbol: -1 }, { file: target.index, symbol: -1 }, 1, line);
      });
    }
  }

  calls(units: readonly Unit[]): void {
    for (const unit of units) {
      const { calls, references, members, reads, unbound } = unit.facts;
      const writes = new Set(unit.facts.writes);
      this.c.file(unit);
      this.references.enter();
      this.stored?.enter(unit);
      this.c.within(unit.asked, () => {
        for (let i = 0; i < calls.length; i += 3) {
          this.c.question();
          if (isIteration(unit, calls[i]!)) {
            this.edgesFrom(unit, calls[i + 1]!, this.reachedByIteration(unit, calls[i]!), calls[i + 2]!);
            continue;
          }
          // What is put in the place of a method most often calls the method, and not itself: `const open = this.open; this.open = () => open()`.
          const reached = this.reachedByCall(unit, calls[i]!).filter((r) => r.confidence !== Confidence.Stored || r.unit !== unit || r.symbol !== calls[i + 1]);
          this.edgesFrom(unit, calls[i + 1]!, reached, calls[i + 2]!);
          if (!this.stored) continue;
          const by = { file: unit.index, symbol: calls[i + 1]! };
          const held = this.stored.call(unit, calls[i]!, by, calls[i + 2]!, reached);
          const confidence = held.length > FEW ? Confidence.OneOfMany : Confidence.Stored;
          for (const to of held) this.emit("CALLS", by, to, confidence, calls[i + 2]!);
        }
        for (let i = 0; i < references.length; i += 3) {
          this.c.question();
          this.edgesFrom(unit, references[i + 1]!, lowered(this.references.handedOn(unit, references[i]!), MAY_CALL), references[i + 2]!);
        }
        this.stored?.file(unit);
        for (let i = 0; i < members.length; i += 3) {
          this.c.question();
          this.edgesFrom(unit, members[i + 1]!, this.references.member(unit, members[i]!), members[i + 2]!, "REFERENCES");
          const accessors = this.references.accessors(unit, members[i]!, writes.has(members[i]!));
          this.edgesFrom(unit, members[i + 1]!, accessors, members[i + 2]!);
          if (accessors.every(({ confidence }) => confidence <= Confidence.Dynamic)) this.stored?.access(unit, members[i]!, writes.has(members[i]!), { file: unit.index, symbol: members[i + 1]! }, members[i + 2]!);
        }
        for (let i = 0; i < reads.length; i += 3) {
          this.c.question();
          this.edgesFrom(unit, reads[i + 1]!, this.references.name(unit, reads[i]!), reads[i + 2]!, "REFERENCES");
        }
        for (let i = 0; i < unbound.length; i += 3) {
          this.c.question();
          this.edgesFrom(unit, unbound[i + 1]!, this.references.global(unit, unit.facts.strings[unbound[i]!]!), unbound[i + 2]!, "REFERENCES");
        }
        this.stored?.made(unit);
      });
      unit.found.clear();
    }
  }

  private edgesFrom(unit: Unit, symbol: number, reached: readonly Reached[], line: number, type: "CALLS" | "REFERENCES" = "CALLS"): void {
    for (const r of reached) {
      if (r.unit.index >= 0 && r.symbol >= 0) {
        this.emit(type, { file: unit.index, symbol }, { file: r.unit.index, symbol: r.symbol }, Math.round(r.confidence * 100) / 100, line);
      }
    }
  }

  /**
   * Going through the elements of a value calls its `[Symbol.iterator]`, and the `next` of what that gives. Only types tell: what is known to hold an
   * object may hold its elements as well.
   */
  private reachedByIteration(unit: Unit, call: Offset): Reached[] {
    const callee = unit.at(call, 1);
    const type = valueOf(this.c, unit, unit.at(callee, 1));
    if (type.k === "unknown" || type.k === "primitive" || type.k === "tuple" || (type.k === "instance" && type.unit === this.c.program.lib)) return [];
    const reached = this.reachedBy(unit, callee, false, 0);
    if (reached.length === 0) return [];
    this.c.tell("next");
    const sure = certainty(this.c, unit, call);
    return [...reached, ...find(this.c, valueOf(this.c, unit, call), "next").flatMap((f) => this.ofFound(f, false, sure, 0, false))];
  }

  private reachedByCall(unit: Unit, at: Offset): Reached[] {
    return this.reachedBy(unit, unit.at(at, 1), unit.op(at) === Op.New, 0);
  }

  /** Whom a callee stands for; `hops` counts the names that were only other names for it. */
  private reachedBy(unit: Unit, callee: Offset, isNew: boolean, hops: number): Reached[] {
    if (callee === 0) return [];
    switch (unit.op(callee)) {
      case Op.Super: {
        const shape = unit.facts.shapes[unit.at(callee, 1)]!;
        return this.constructed(valueOf(this.c, unit, shape.superclass), Confidence.Certain);
      }
      case Op.Name:
      case Op.Global:
        return this.byName(unit, callee, isNew, hops);
      case Op.Narrow:
        return this.reachedBy(unit, unit.at(callee, 1), isNew, hops);
      case Op.Member: {
        const object = unit.at(callee, 1);
        const name = unit.text(callee, 2);
        const found = foundAt(this.c, unit, callee);
        const isChosen = unit.op(object) === Op.Index;
        // `f.call(x)` calls f.
        if ((name === "call" || name === "apply") && (isChosen || (found.length > 0 && isPath(unit, object))) && found.every((f) => f.unit === this.c.program.lib)) {
          return lowered(this.reachedBy(unit, object, isNew, hops), Confidence.Declared);
        }
        if (found.length === 0) return isNew ? [] : this.guesses.call(unit, object, name);
        return this.ofMember(unit, callee, found, isNew, hops);
      }
      case Op.Module: {
        const reached = this.ofExport(this.c.program.imported(unit, unit.at(callee, 1), "="), isNew, hops);
        return reached.length > 0 ? reached : this.ofType(valueOf(this.c, unit, callee), isNew, Confidence.Dynamic);
      }
      case Op.Index:
        // What is named in part is found with what is stored.
        if (patternAt(unit, unit.at(callee, 2))) return [];
        return this.byKey(unit, callee, isNew, hops) ?? this.ofMember(unit, callee, memberName(unit, callee) === "" ? [] : foundAt(this.c, unit, callee), isNew, hops);
      case Op.Function:
        return this.ofType(valueOf(this.c, unit, callee), false, Confidence.Certain);
      case Op.Class:
        return isNew ? this.constructed(valueOf(this.c, unit, callee), Confidence.Certain) : [];
      default:
        return this.ofType(valueOf(this.c, unit, callee), isNew, Confidence.Dynamic);
    }
  }

  /** Whom the members that were found for a Member or an Index stand for. */
  private ofMember(unit: Unit, callee: Offset, found: readonly Found[], isNew: boolean, hops: number): Reached[] {
    if (found.length === 0) return this.ofType(valueOf(this.c, unit, callee), isNew, Confidence.Dynamic);
    const object = unit.at(callee, 1);
    const rivals = found.length > 1 && valueOf(this.c, unit, object).k === "global" ? this.rivals(unit, memberName(unit, callee), isNew, hops) : undefined;
    if (rivals) return rivals;
    const isOnly = found.length === 1 && unit.op(callee) === Op.Member;
    const sure = Math.min(certainty(this.c, unit, object), isOnly ? Confidence.Certain : Confidence.Declared);
    const isExact = unit.op(object) === Op.Super || this.isNewOf(unit, object);
    const reached = found.flatMap((f) => this.ofFound(f, isNew, sure, hops, isExact));
    for (const f of found) if (f.replaced) reached.push(...this.replacing(f.replaced, hops));
    if (isConstructor(unit, isNew ? callee : object)) reached.push(...this.ofClassesBelow(found, isNew, sure));
    return reached;
  }

  /** What classes below have in the place of what `this.constructor` leads to: its `this` may be of any of them. */
  private ofClassesBelow(found: readonly Found[], isNew: boolean, sure: number): Reached[] {
    return found.flatMap(({ unit, shape, member, type }) => {
      const [home, of, what] = isNew && type?.k === "class" ? [type.unit, type.shape, { name: "constructor" }] : [unit, shape, member];
      if (!of || !what || (!isNew && !member?.static)) return [];
      this.c.askHeirs(home, of, what.name);
      return this.heritage.overriders(of, what).map((one) => ({ unit: one.unit, symbol: one.member.symbol, confidence: Math.min(sure, Confidence.Dynamic) }));
    });
  }

  /** `this[name]()` where a few names are all that the name may be. Undefined where they are not known, or no member has any of them. */
  private byKey(unit: Unit, callee: Offset, isNew: boolean, hops: number): Reached[] | undefined {
    const keys = keysAt(this.c, unit, unit.at(callee, 2));
    if (keys.length === 0) return undefined;
    const object = unit.at(callee, 1);
    const type = force(this.c, valueOf(this.c, unit, object));
    const confidence = Math.min(certainty(this.c, unit, object), keys.length > 1 ? Confidence.Dynamic : Confidence.Inferred);
    const found = keys.flatMap((key) => find(this.c, type, key)).filter((one) => one.unit.index >= 0);
    return found.length === 0 ? undefined : found.flatMap((f) => this.ofFound(f, isNew, confidence, hops, false));
  }

  /** `module.exports = f`: what a module is as a whole stands for f. */
  private ofExport(target: Target | undefined, isNew: boolean, hops: number): Reached[] {
    if (target?.k !== "member" || target.name !== undefined || hops >= MAX_HOPS) return [];
    return lowered(this.reachedBy(target.unit, target.of, isNew, hops + 1).filter((r) => r.confidence > Confidence.Guess), Confidence.Declared);
  }

  /** A call of a plain name: its declaration, whatever its type. */
  private byName(unit: Unit, at: Offset, isNew: boolean, hops: number): Reached[] {
    const { program } = this.c;
    const rivals = unit.op(at) === Op.Global ? this.rivals(unit, unit.text(at, 1), isNew, hops) : undefined;
    if (rivals) return rivals;
    const global = unit.op(at) === Op.Global ? program.globalIn(unit, unit.text(at, 1))[0] : undefined;
    const sure = unit.op(at) === Op.Name ? Confidence.Certain : global?.put === "later" ? Confidence.Stored : Confidence.Declared;
    const target = unit.op(at) === Op.Name ? program.follow({ k: "binding", unit, binding: unit.at(at, 1) }) : global && { k: "binding" as const, ...global };
    const exported = this.ofExport(target, isNew, hops);
    if (exported.length > 0) return exported;
    const reached = target?.k === "binding" ? this.ofBinding(target.unit, target.binding, isNew, sure, hops) : [];
    if (reached.length > 0) return reached;
    return this.ofType(valueOf(this.c, unit, at), isNew, Confidence.Inferred);
  }

  /** What a call of a global name may run where several other files declare it, as each may be on a page of its own; undefined where none or one does. */
  private rivals(unit: Unit, name: string, isNew: boolean, hops: number): Reached[] | undefined {
    const all = this.c.program.global(name);
    if (all.length < 2 || all.some((one) => one.unit === unit)) return undefined;
    const given: Global[] = [];
    for (const one of all) {
      if (one.unit.index < 0 || !hasCode(one)) continue;
      if (given.push(one) > MAX_RIVALS) return [];
    }
    return given.length < 2 ? undefined : given.flatMap((one) => lowered(this.ofBinding(one.unit, one.binding, isNew, Confidence.Stored, hops), Confidence.Stored));
  }

  private ofBinding(unit: Unit, binding: number, isNew: boolean, confidence: number, hops: number): Reached[] {
    const symbol = callableSymbol(unit, binding);
    const kind = unit.symbols[symbol]?.kind;
    if (kind === "Function" || kind === "Method") {
      const others = functionsGiven(unit, binding).filter((other) => other !== symbol);
      return [symbol, ...others].map((each) => ({ unit, symbol: each, confidence: others.length > 0 ? Math.min(confidence, Confidence.Dynamic) : confidence }));
    }
    const value = bindingValue(this.c, unit, binding);
    if (declaresClass(unit, binding)) return this.constructed(value, confidence);
    const reached: Reached[] = kind === "Variable" ? [{ unit, symbol, confidence }] : [];
    // A variable that holds another's function stands for that one.
    const alias = hops < MAX_HOPS ? aliasOf(unit, binding) : 0;
    const behind = alias === 0 ? [] : this.reachedBy(unit, alias, isNew, hops + 1).filter((r) => r.confidence > Confidence.Guess);
    reached.push(...lowered(behind, Math.min(confidence, Confidence.Declared)));
    if (behind.length === 0) reached.push(...this.ofType(value, isNew, Confidence.Dynamic));
    return reached;
  }

  /** `new C()`: the class, and the constructor that runs. */
  private constructed(type: Type, confidence: number): Reached[] {
    switch (type.k) {
      case "class": {
        const { unit, shape } = type;
        if (shape.symbol < 0) return [];
        const reached: Reached[] = [{ unit, symbol: shape.symbol, confidence }];
        this.c.tell("constructor");
        const constructor = find(this.c, instanceOfClass(this.c, type, []), "constructor")[0];
        if (constructor?.member && constructor.member.symbol >= 0) reached.push({ unit: constructor.unit, symbol: constructor.member.symbol, confidence });
        return reached;
      }
      case "union":
      case "intersection":
        return type.of.flatMap((t) => this.constructed(t, Math.min(confidence, Confidence.Declared)));
      case "function":
        return this.ofType(type, false, confidence);
      default:
        return [];
    }
  }

  /** Whether an expression makes an object of a class by its name, so that the object is of no class below. */
  private isNewOf(unit: Unit, at: Offset): boolean {
    if (unit.op(at) !== Op.New) return false;
    const callee = unit.at(at, 1);
    const target = unit.op(callee) === Op.Name ? this.c.program.follow({ k: "binding", unit, binding: unit.at(callee, 1) }) : undefined;
    return target?.k === "binding" && target.unit.declarations(target.binding).some((d) => target.unit.op(d) === Op.ShapeDeclaration);
  }

  private ofFound(found: Found, isNew: boolean, confidence: number, hops: number, isExact: boolean): Reached[] {
    const { unit, member, shape } = found;
    if (found.binding !== undefined) return this.ofBinding(unit, found.binding, isNew, confidence, hops);
    const type = foundType(this.c, found);
    if (found.symbol !== undefined && found.symbol >= 0) return isNew && type.k === "class" ? this.constructed(type, confidence) : [{ unit, symbol: found.symbol, confidence }];
    const getter = found.accessors?.findLast((one) => one.accessor === "getter");
    if (getter && !isNew && hops < MAX_HOPS) return [...lowered(this.reachedBy(unit, getter.value, false, hops + 1), confidence), ...this.ofType(type, false, Math.min(confidence, Confidence.Inferred))];
    // `{ read, load: fetch }`: the member is another name for what it holds.
    const alias = member && member.symbol < 0 && member.type === 0 && hops < MAX_HOPS && isPath(unit, member.initialiser) ? member.initialiser : 0;
    if (isNew) {
      // A field that is given a value may hold one of several classes.
      const behind = member?.assigned ? [] : this.reachedBy(unit, alias, isNew, hops + 1).filter((r) => r.confidence > Confidence.Guess);
      return behind.length > 0 ? lowered(behind, Math.min(confidence, Confidence.Declared)) : this.constructed(type, Math.min(confidence, Confidence.Dynamic));
    }
    if (!member || !shape || member.symbol < 0) {
      const behind = this.reachedBy(unit, alias, isNew, hops + 1).filter((r) => r.confidence > Confidence.Guess);
      return behind.length > 0 ? lowered(behind, Math.min(confidence, Confidence.Declared)) : this.ofType(type, false, Math.min(confidence, Confidence.Inferred));
    }
    const isInterface = shape.kind === "interface" || shape.kind === "type";
    const reached: Reached[] = [{ unit, symbol: member.symbol, confidence: isInterface ? Math.min(confidence, Confidence.Declared) : confidence }];
    // Classes below change nothing in what a call on `super`, on a new object or on a class runs.
    for (const other of isExact ? [] : this.below(unit, shape, member)) {
      reached.push({ unit: other.unit, symbol: other.member.symbol, confidence: Math.min(confidence, Confidence.Dynamic) });
    }
    // Calling what a getter gives runs the getter and then that.
    if (member.kind === "getter") reached.push(...this.ofType(type, false, Math.min(confidence, Confidence.Inferred)));
    return reached;
  }

  /** What code puts in the place of a method. */
  private replacing({ unit, values }: NonNullable<Found["replaced"]>, hops: number): Reached[] {
    if (hops >= MAX_HOPS) return [];
    return lowered(values.flatMap((value) => this.reachedBy(unit, value, false, hops + 1)).filter((r) => r.confidence > Confidence.Guess), Confidence.Stored);
  }

  /** The members that take one's place in derived classes. */
  private below(unit: Unit, shape: ShapeFact | undefined, member: MemberFact | undefined): readonly Below[] {
    if (!shape || !member || member.static) return [];
    this.c.askHeirs(unit, shape, member.name);
    return this.heritage.overriders(shape, member);
  }

  /** The functions by name that a value of a type is. */
  private ofType(type: Type, isNew: boolean, confidence: number): Reached[] {
    if (isNew) return this.constructed(type, Math.min(confidence, Confidence.Dynamic));
    switch (type.k) {
      case "function":
        return symbolsOf(type.signatures, confidence);
      case "instance": {
        const own = find(this.c, type, CALL);
        return symbolsOf(own.flatMap((f) => (f.member?.functions ?? []).map((i) => ({ unit: f.unit, fact: f.unit.facts.functions[i]! }))), confidence);
      }
      case "union":
      case "intersection":
        return type.of.flatMap((t) => this.ofType(t, false, Math.min(confidence, Confidence.Inferred)));
      default:
        return [];
    }
  }
}

function lowered(reached: readonly Reached[], limit: number): Reached[] {
  return reached.map((r) => ({ ...r, confidence: Math.min(r.confidence, limit) }));
}

/** Whether an expression only names something: `a`, `a.b`. */
function isPath(unit: Unit, at: Offset): boolean {
  return at !== 0 && (unit.op(at) === Op.Name || unit.op(at) === Op.Member);
}

/** What a variable without a type of its own is another name for, or 0. */
function aliasOf(unit: Unit, binding: number): Offset {
  const [only, ...others] = unit.declarations(binding);
  if (only === undefined || others.length > 0 || unit.op(only) !== Op.Variable || unit.at(only, 2) !== 0) return 0;
  const initialiser = unit.at(only, 3);
  return isPath(unit, initialiser) || (initialiser !== 0 && unit.op(initialiser) === Op.Module) ? initialiser : 0;
}

function symbolsOf(functions: readonly { unit: Unit; fact: FunctionFact; bound?: number }[], confidence: number): Reached[] {
  return functions.filter(({ fact }) => fact.symbol >= 0).map(({ unit, fact, bound }) => ({ unit, symbol: fact.symbol, confidence, bound }));
}

/** The symbol of a function, or of a variable, that a binding declares. */
function callableSymbol(unit: Unit, binding: number): number {
  for (const d of unit.declarations(binding)) {
    const op = unit.op(d);
    if (op === Op.FunctionDeclaration) return unit.facts.functions[unit.at(d, 2)]!.symbol;
    if (op === Op.Variable) return unit.at(d, 4);
  }
  return -1;
}

/** The symbols of the functions that a variable is declared with, each of them in another branch. */
function functionsGiven(unit: Unit, binding: number): number[] {
  const given = unit.declarations(binding).flatMap((d) => (unit.op(d) === Op.Variable && unit.at(d, 3) !== 0 && unit.op(unit.at(d, 3)) === Op.Function ? [unit.at(d, 4)] : []));
  return [...new Set(given)].filter((symbol) => symbol >= 0);
}

/** Whether a declaration of a name has code, or a value, where others only promise one. */
function hasCode({ unit, binding }: Global): boolean {
  return unit.declarations(binding).some((d) => {
    if (unit.op(d) === Op.FunctionDeclaration) return unit.facts.functions[unit.at(d, 2)]!.body;
    if (unit.op(d) === Op.Variable) return unit.at(d, 3) !== 0;
    return unit.op(d) === Op.ShapeDeclaration && unit.facts.shapes[unit.at(d, 2)]!.kind === "class" && !unit.path.endsWith(".d.ts");
  });
}

/** Whether a binding is a class, not a variable that holds one. */
function declaresClass(unit: Unit, binding: number): boolean {
  return unit.declarations(binding).some((d) => (unit.op(d) === Op.ShapeDeclaration && unit.facts.shapes[unit.at(d, 2)]!.kind === "class")
    || (unit.op(d) === Op.Variable && unit.at(d, 3) !== 0 && unit.op(unit.at(d, 3)) === Op.Class));
}

function isConstructor(unit: Unit, at: Offset): boolean {
  return unit.op(at) === Op.Member && unit.text(at, 2) === "constructor";
}
