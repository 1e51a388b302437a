import type { Emit } from "../../../language.ts";
import { CALL, Op } from "../facts.ts";
import type { FunctionFact, Offset } from "../facts.ts";
import { instanceOfClass } from "./bases.ts";
import type { Checker } from "./checker.ts";
import { certainty, Confidence } from "./confidence.ts";
import { Heritage } from "./heritage.ts";
import { find, foundType } from "./members.ts";
import type { Found, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { bindingValue, valueOf } from "./values.ts";

/** What a call reaches, and how sure that is. */
interface Reached {
  unit: Unit;
  symbol: number;
  confidence: number;
}

/** Method names shorter than this, or those that the language's own types have, are too common to guess by. */
const MIN_GUESS = 4;

/** Emits CALLS, EXTENDS, IMPLEMENTS and IMPORTS of a program. */
export class Edges {
  private readonly heritage: Heritage;
  private readonly byMethodName = new Map<string, { unit: Unit; symbol: number } | null>();

  constructor(private readonly c: Checker, private readonly emit: Emit) {
    this.heritage = new Heritage(c, emit);
    for (const unit of c.program.units) {
      unit.symbols.forEach((s, symbol) => {
        if (s.kind !== "Method") return;
        const known = this.byMethodName.get(s.name);
        this.byMethodName.set(s.name, known === undefined ? { unit, symbol } : null);
      });
    }
    for (const shape of c.program.lib.facts.shapes) for (const m of shape.members) this.byMethodName.set(m.name, null);
  }

  imports(): void {
    for (const unit of this.c.program.units) {
      unit.facts.specifiers.forEach(({ line }, i) => {
        const target = this.c.program.module(unit, i);
        if (target && target !== unit) this.emit("IMPORTS", { file: unit.index, symbol: -1 }, { file: target.index, symbol: -1 }, 1, line);
      });
    }
  }

  calls(): void {
    for (const unit of this.c.program.units) {
      const { calls, references } = unit.facts;
      for (let i = 0; i < calls.length; i += 3) {
        this.edgesFrom(unit, calls[i + 1]!, this.reachedByCall(unit, calls[i]!), calls[i + 2]!);
      }
      for (let i = 0; i < references.length; i += 3) {
        this.edgesFrom(unit, references[i + 1]!, this.handedOn(unit, references[i]!), references[i + 2]!);
      }
    }
  }

  private edgesFrom(unit: Unit, symbol: number, reached: Reached[], line: number): void {
    for (const r of reached) {
      if (r.unit.index >= 0 && r.symbol >= 0) {
        this.emit("CALLS", { file: unit.index, symbol }, { file: r.unit.index, symbol: r.symbol }, Math.round(r.confidence * 100) / 100, line);
      }
    }
  }

  private reachedByCall(unit: Unit, at: Offset): Reached[] {
    const callee = unit.at(at, 1);
    if (callee === 0) return [];
    const isNew = unit.op(at) === Op.New;
    switch (unit.op(callee)) {
      case Op.Super: {
        const shape = unit.facts.shapes[unit.at(callee, 1)]!;
        return this.constructed(valueOf(this.c, unit, shape.superclass), Confidence.Certain);
      }
      case Op.Name:
      case Op.Global:
        return this.byName(unit, callee, isNew);
      case Op.Narrow:
        return this.reachedBy(unit, callee, isNew);
      case Op.Member: {
        const object = unit.at(callee, 1);
        const name = unit.text(callee, 2);
        const found = find(this.c, valueOf(this.c, unit, object), name);
        if (found.length === 0) return this.guess(unit, object, name, isNew);
        const sure = certainty(this.c, unit, object);
        return found.flatMap((f) => this.ofFound(f, isNew, found.length > 1 ? Math.min(sure, Confidence.Declared) : sure));
      }
      default:
        return this.ofType(valueOf(this.c, unit, callee), isNew, Confidence.Dynamic);
    }
  }

  private reachedBy(unit: Unit, callee: Offset, isNew: boolean): Reached[] {
    const original = unit.at(callee, 1);
    if (unit.op(original) === Op.Name) return this.byName(unit, original, isNew);
    if (unit.op(original) !== Op.Member) return this.ofType(valueOf(this.c, unit, callee), isNew, Confidence.Inferred);
    const found = find(this.c, valueOf(this.c, unit, unit.at(original, 1)), unit.text(original, 2));
    return found.flatMap((f) => this.ofFound(f, isNew, certainty(this.c, unit, unit.at(original, 1))));
  }

  /** A call of a plain name: its declaration, whatever its type. */
  private byName(unit: Unit, at: Offset, isNew: boolean): Reached[] {
    const { program } = this.c;
    const targets = unit.op(at) === Op.Name
      ? [program.follow({ k: "binding", unit, binding: unit.at(at, 1) })]
      : program.global(unit.text(at, 1)).slice(0, 1).map((g) => ({ k: "binding" as const, ...g }));
    for (const target of targets) {
      if (target?.k !== "binding") break;
      const reached = this.ofBinding(target.unit, target.binding, isNew, Confidence.Certain);
      if (reached.length > 0) return reached;
    }
    return this.ofType(valueOf(this.c, unit, at), isNew, Confidence.Inferred);
  }

  private ofBinding(unit: Unit, binding: number, isNew: boolean, confidence: number): Reached[] {
    const value = bindingValue(this.c, unit, binding);
    if (isNew || value.k === "class") {
      const constructed = this.constructed(value, declaresClass(unit, binding) ? confidence : Confidence.Dynamic);
      if (constructed.length > 0) return constructed;
    }
    const symbol = callableSymbol(unit, binding);
    const reached: Reached[] = symbol < 0 ? [] : [{ unit, symbol, confidence }];
    // A variable that holds another's function stands for that one.
    if (reached.length === 0 || unit.symbols[symbol]?.kind === "Variable") reached.push(...this.ofType(value, isNew, Confidence.Dynamic));
    return reached;
  }

  /** `new C()`: the class, and the constructor that runs. */
  private constructed(type: Type, confidence: number): Reached[] {
    switch (type.k) {
      case "class": {
        const { unit, shape } = type;
        if (shape.symbol < 0) return [];
        const reached: Reached[] = [{ unit, symbol: shape.symbol, confidence }];
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

  private ofFound(found: Found, isNew: boolean, confidence: number): Reached[] {
    const { unit, member, shape } = found;
    if (found.binding !== undefined) return this.ofBinding(unit, found.binding, isNew, confidence);
    if (found.symbol !== undefined && found.symbol >= 0) return [{ unit, symbol: found.symbol, confidence }];
    const type = foundType(this.c, found);
    if (isNew) return this.constructed(type, Math.min(confidence, Confidence.Dynamic));
    if (!member || !shape || member.symbol < 0) return this.ofType(type, false, Math.min(confidence, Confidence.Inferred));
    const isInterface = shape.kind === "interface" || shape.kind === "type";
    const reached: Reached[] = [{ unit, symbol: member.symbol, confidence: isInterface ? Math.min(confidence, Confidence.Declared) : confidence }];
    for (const other of this.heritage.overriders(shape, member)) {
      reached.push({ unit: other.unit, symbol: other.member.symbol, confidence: Math.min(confidence, Confidence.Dynamic) });
    }
    // Calling what a getter gives runs the getter and then that.
    if (member.kind === "getter") reached.push(...this.ofType(type, false, Math.min(confidence, Confidence.Inferred)));
    return reached;
  }

  /** The functions by name that a value of a type is. */
  private ofType(type: Type, isNew: boolean, confidence: number): Reached[] {
    if (isNew) return this.constructed(type, Math.min(confidence, Confidence.Dynamic));
    switch (type.k) {
      case "function":
        return symbolsOf(type.signatures.map((s) => [s.unit, s.fact]), confidence);
      case "instance": {
        const own = find(this.c, type, CALL);
        return symbolsOf(own.flatMap((f) => (f.member?.functions ?? []).map((i): [Unit, FunctionFact] => [f.unit, f.unit.facts.functions[i]!])), confidence);
      }
      case "union":
      case "intersection":
        return type.of.flatMap((t) => this.ofType(t, false, Math.min(confidence, Confidence.Inferred)));
      default:
        return [];
    }
  }

  /** A receiver of which nothing is known: the only method of that name there is. */
  private guess(unit: Unit, object: Offset, name: string, isNew: boolean): Reached[] {
    if (isNew || name.length < MIN_GUESS || valueOf(this.c, unit, object).k !== "unknown") return [];
    const only = this.byMethodName.get(name);
    return only ? [{ ...only, confidence: Confidence.Guess }] : [];
  }

  /** A value that is passed on: the function that it names may be called by whoever gets it. */
  private handedOn(unit: Unit, at: Offset): Reached[] {
    switch (unit.op(at)) {
      case Op.Name: {
        const target = this.c.program.follow({ k: "binding", unit, binding: unit.at(at, 1) });
        if (target?.k !== "binding") return [];
        const symbol = callableSymbol(target.unit, target.binding);
        if (symbol < 0 || target.unit.symbols[symbol]?.kind !== "Function") return [];
        return [{ unit: target.unit, symbol, confidence: Confidence.Dynamic }];
      }
      case Op.Member: {
        const found = find(this.c, valueOf(this.c, unit, unit.at(at, 1)), unit.text(at, 2));
        return found.flatMap((f): Reached[] => {
          if (f.binding !== undefined) {
            const symbol = callableSymbol(f.unit, f.binding);
            return symbol >= 0 && f.unit.symbols[symbol]?.kind === "Function" ? [{ unit: f.unit, symbol, confidence: Confidence.Dynamic }] : [];
          }
          return f.member?.kind === "method" && f.member.symbol >= 0 && f.shape?.kind === "class" ? [{ unit: f.unit, symbol: f.member.symbol, confidence: Confidence.Dynamic }] : [];
        });
      }
      default:
        return [];
    }
  }
}

function symbolsOf(functions: [Unit, FunctionFact][], confidence: number): Reached[] {
  return functions.filter(([, fact]) => fact.symbol >= 0).map(([unit, fact]) => ({ unit, symbol: fact.symbol, confidence }));
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

/** Whether a binding is a class, not a variable that holds one. */
function declaresClass(unit: Unit, binding: number): boolean {
  return unit.declarations(binding).some((d) => unit.op(d) === Op.ShapeDeclaration
    || (unit.op(d) === Op.Variable && unit.at(d, 3) !== 0 && unit.op(unit.at(d, 3)) === Op.Class));
}
