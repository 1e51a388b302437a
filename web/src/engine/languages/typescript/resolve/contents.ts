import { CALL, CONSTRUCT, INDEX, Op, type Offset, type ParameterFact, type ShapeFact } from "../facts.ts";
import type { Checker } from "./checker.ts";
import { force } from "./deferred.ts";
import { find } from "./members.ts";
import { typeAt } from "./typenodes.ts";
import type { Type } from "./types.ts";
import type { Unit } from "./unit.ts";

/** Types in types. */
const MAX_DEPTH = 8;

/** What values of a type may be, or have in them: functions, or objects of types of the project, whose calls and reads may run something. */
export const enum Content { Data, Objects, Functions }

/** Tells what values of types may be. */
export class Contents {
  // What the file that is being resolved has asked.
  private parameters = new Map<ParameterFact, Content>();
  private callable = new Map<ShapeFact, boolean>();
  /** Whether object literals or functions of the file that is being resolved have accessors. */
  hasAccessors = false;

  constructor(private readonly c: Checker) {}

  /** Begins with another file. */
  enter({ facts: { shapes, expandos } }: Unit): void {
    this.parameters = new Map<ParameterFact, Content>();
    this.callable = new Map<ShapeFact, boolean>();
    this.hasAccessors = expandos.some(({ accessor }) => accessor !== undefined)
      || shapes.some(({ kind, members }) => kind === "object" && members.some((one) => one.kind === "getter" || one.kind === "setter"));
  }

  /** Of a type that code names. */
  ofType(unit: Unit, type: Offset): Content {
    const content = this.of(typeAt(this.c, unit, type), 0);
    return content === Content.Objects && this.isPart(unit, type, 0) ? Content.Functions : content;
  }

  /** Whether calls or reads of a type that code names may run something of an object of the type. */
  mayRun(unit: Unit, type: Offset): boolean {
    return this.hasAccessors || this.ofType(unit, type) !== Content.Data;
  }

  /** Whether a type is one with others of which nothing is known: `Reducer & { initial: State }`, where a library declares the first. */
  private isPart(unit: Unit, type: Offset, depth: number): boolean {
    if (type === 0 || depth > MAX_DEPTH) return false;
    if (unit.op(type) === Op.TypeIntersection) return unit.list(type, 1).some((one) => typeAt(this.c, unit, one).k === "unknown" || this.isPart(unit, one, depth + 1));
    if (unit.op(type) !== Op.TypeName) return false;
    const target = this.c.program.follow({ k: "binding", unit, binding: unit.at(type, 1) });
    if (target?.k !== "binding") return false;
    const declared = target.unit.facts.bindings[target.binding]!;
    return target.unit.op(declared) === Op.Alias && this.isPart(target.unit, target.unit.facts.aliases[target.unit.at(declared, 2)]!.type, depth + 1);
  }

  /** Of what a parameter of any file may be given. */
  ofParameter(home: Unit, parameter: ParameterFact): Content {
    if (parameter.type === 0) return Content.Functions;
    let content = this.parameters.get(parameter);
    if (content === undefined) this.parameters.set(parameter, (content = this.ofType(home, parameter.type)));
    return content;
  }

  private of(type: Type, depth: number): Content {
    if (depth > MAX_DEPTH || !this.c.step()) return Content.Functions;
    switch (type.k) {
      case "primitive":
        return type.name === "object" ? Content.Functions : Content.Data;
      case "enum":
      case "enumMember":
        return Content.Data;
      case "class":
      case "module":
      case "namespace":
      case "this":
      case "constructed":
        return Content.Objects;
      case "union":
      case "intersection":
        return this.ofAny(type.of, depth);
      case "tuple":
        return this.ofAny(type.rest ? [...type.of, type.rest] : type.of, depth);
      case "instance":
        if (type.unit.index < 0) return type.shape.name === "Function" || type.shape.name === "Object" ? Content.Functions : this.ofAny(type.env?.values ?? [], depth);
        return type.shape.kind === "object" || this.isCallable(type) ? Content.Functions : Content.Objects;
      case "deferred":
      case "awaited": {
        const forced = force(this.c, type);
        return forced.k === "deferred" || forced.k === "awaited" ? Content.Functions : this.of(forced, depth + 1);
      }
      default:
        return Content.Functions;
    }
  }

  private ofAny(types: Iterable<Type>, depth: number): Content {
    let most: Content = Content.Data;
    for (const one of types) {
      const content = this.of(one, depth + 1);
      if (content > most) most = content;
      if (most === Content.Functions) break;
    }
    return most;
  }

  /** Whether objects of a type of the project are called, or are tables. */
  private isCallable(type: Type & { k: "instance" }): boolean {
    let callable = this.callable.get(type.shape);
    if (callable === undefined) this.callable.set(type.shape, (callable = [CALL, CONSTRUCT, INDEX].some((name) => find(this.c, type, name).length > 0)));
    return callable;
  }
}
