import { attend, spend } from "../../../effort.ts";
import { ANYWHERE, Asked, EQUALS, EVERY, handedTo, questionsAbout } from "./asked.ts";
import type { Whole } from "./asked.ts";
import type { Program, Target } from "./program.ts";
import { bindArguments, primitiveType, UNKNOWN } from "./types.ts";
import type { Instance, Type } from "./types.ts";
import type { Unit } from "./unit.ts";
import { Op } from "../facts.ts";

/** Questions nested deeper than this get "unknown" for an answer. */
const MAX_DEPTH = 120;
/**
 * Steps of looking a member, a base or a relation up, or of working a type function out, that one question may take, and all questions of a
 * file together, which in what people write are 30,000 and as many: hierarchies that fork again and again, and type functions that call each
 * other, go on for ever. Each question has a few.
 */
const MAX_STEPS = 100_000;
const MAX_FILE_STEPS = 500_000;
const FEW_STEPS = 500;

/** Answers to questions of one kind; null for one that is being worked out. */
type Known = Map<unknown, Type | null>;

/** A program and what all questions about its types share. */
export class Checker {
  readonly program: Program;
  private readonly anywhere = questionsAbout(ANYWHERE);
  private depth = 0;
  /** Whose expression or type is being worked out. */
  private asker = new Asked();
  /** The name of a member that stands in it. */
  private told: string | undefined;
  /** Steps that are left of a question's, and of a file's when that question began. */
  private steps = MAX_STEPS;
  private given = MAX_STEPS;
  private fileSteps = MAX_FILE_STEPS;

  /** Questions that are being worked out. */
  private readonly open: { known: Known; key: unknown }[] = [];
  /** The first of those on which what is being worked out rests, by number. */
  private rests = Infinity;
  /** Answers that rest on open questions, in the order of being found, and the first of these by number. */
  private readonly loose: { known: Known; key: unknown }[] = [];
  private readonly restsOn = new Map<Known, Map<unknown, number>>();

  constructor(program: Program) {
    this.program = program;
  }

  /** Begins with the questions of another file. */
  file({ index }: Unit): void {
    attend(index);
    this.fileSteps = MAX_FILE_STEPS;
    this.steps = this.given = 0;
  }

  /** Begins a question. */
  question(): void {
    this.fileSteps -= this.given - this.steps;
    this.steps = this.given = Math.min(MAX_STEPS, Math.max(FEW_STEPS, this.fileSteps));
  }

  /** Takes a step; false when the question has taken too many. */
  step(): boolean {
    spend();
    return this.steps-- > 0;
  }

  /**
   * Answers from `known`, or works the answer out once. A question that comes back to itself is unknown there. What rests on such an answer
   * is forgotten when the question that was come back to has its own, or it would be another for who asks first.
   */
  once<K>(unit: Unit, known: Map<K, Type | null>, key: K, work: (c: Checker, unit: Unit, key: K) => Type): Type {
    spend();
    const answer = known.get(key);
    if (answer !== undefined) {
      if (answer === null) this.restOn(this.open.findLastIndex((one) => one.known === known && one.key === key));
      else if (this.loose.length > 0) this.restOn(this.restsOn.get(known)?.get(key) ?? Infinity);
      return answer ?? UNKNOWN;
    }
    if (this.depth >= MAX_DEPTH) return UNKNOWN;
    const outer = this.rests;
    const own = this.open.push({ known, key }) - 1;
    const first = this.loose.length;
    this.rests = Infinity;
    known.set(key, null);
    const { asker, told } = this;
    this.asker = unit.asked;
    this.told = undefined;
    this.depth++;
    const result = work(this, unit, key);
    this.depth--;
    this.asker = asker;
    this.told = told;
    known.set(key, result);
    this.open.pop();
    if (this.rests < own) this.keepFor(known, key, this.rests);
    else {
      if (this.loose.length > first) this.forget(first);
      this.rests = Infinity;
    }
    this.restOn(outer);
    return result;
  }

  /** Forgets the answers that were kept until now, from one on. */
  private forget(first: number): void {
    for (const one of this.loose.splice(first)) {
      one.known.delete(one.key);
      this.restsOn.get(one.known)!.delete(one.key);
    }
  }

  /** Keeps an answer until an open question has its own. */
  private keepFor(known: Known, key: unknown, open: number): void {
    this.loose.push({ known, key });
    let rests = this.restsOn.get(known);
    if (!rests) this.restsOn.set(known, (rests = new Map<unknown, number>()));
    rests.set(key, open);
  }

  private restOn(open: number): void {
    this.rests = Math.min(this.rests, open);
  }

  /** What is worked out is a part of what `asker` says: it asks for what this asks for. */
  within<T>(asker: Asked, work: () => T): T {
    const { asker: outer, told } = this;
    this.asker = asker;
    this.told = undefined;
    const result = work();
    this.asker = outer;
    this.told = told;
    return result;
  }

  /** Whether what is worked out is a part of what a file says. */
  isAsking(unit: Unit): boolean {
    return this.asker === unit.asked;
  }

  /** The source that is being worked out has this name of a member in it. */
  tell(name: string): void {
    this.told = name;
  }

  /** A member is looked for. */
  ask(unit: Unit, whole: Whole, name: string): void {
    if (unit.index >= 0) this.asker.ask(unit.questionsAbout(whole), name, name === this.told);
  }

  /** What takes a member's place in heirs is looked for. */
  askHeirs(unit: Unit, whole: Whole, name: string): void {
    this.asker.askHeirs(unit.questionsAbout(whole), name);
  }

  /** What a module, which is asked for it, exports under a name that stands in the source or was told. */
  exported(unit: Unit, name: string, stands = name === this.told): Target | undefined {
    this.asker.ask(unit.questionsAbout(), name, stands);
    const target = this.program.export(unit, name);
    if (target?.k === "member") this.asker.ask(target.unit.questionsAbout(), EQUALS, false);
    return target;
  }

  /** All names that a module exports are looked for. */
  askAll(unit: Unit): void {
    this.asker.ask(unit.questionsAbout(), EVERY, false);
  }

  /** The only method of a name is looked for, in whatever file. */
  guess(name: string): void {
    this.asker.ask(this.anywhere, name, true);
  }

  /** The modules that hand what they export to one, by calling it. */
  handedTo(unit: Unit): readonly Unit[] {
    for (const part of unit.path.split("/")) this.guess(handedTo(part));
    return this.program.handedTo(unit);
  }

  /** What somebody else asked is asked once more. */
  again(asked: Asked): void {
    this.asker.again(asked);
  }

  deeper(work: () => Type): Type {
    if (this.depth >= MAX_DEPTH) return UNKNOWN;
    this.depth++;
    try {
      return work();
    } finally {
      this.depth--;
    }
  }

  /** An interface of the built-in declarations with its type arguments. */
  builtin(name: string, ...typeArguments: Type[]): Type {
    const { lib } = this.program;
    const binding = this.program.libBinding(name);
    if (binding === undefined) return UNKNOWN;
    const declaration = lib.declarations(binding).find((d) => lib.op(d) === Op.ShapeDeclaration);
    if (declaration === undefined) return UNKNOWN;
    const shape = lib.facts.shapes[lib.at(declaration, 2)]!;
    return { k: "instance", unit: lib, shape, env: bindArguments(lib, shape.typeParameters, typeArguments) };
  }

  arrayOf(element: Type): Type {
    return this.builtin("Array", element);
  }

  promiseOf(value: Type): Type {
    return this.builtin("Promise", value);
  }

  /** Whether a type is the built-in interface of a name. */
  isBuiltin(type: Type, ...names: string[]): type is Instance {
    return type.k === "instance" && type.unit === this.program.lib && names.includes(type.shape.name);
  }

  /** The built-in interface that lends its members to a primitive. */
  boxed(name: string): Type {
    switch (name) {
      case "string":
        return this.builtin("String");
      case "number":
        return this.builtin("Number");
      case "boolean":
        return this.builtin("Boolean");
      case "bigint":
        return this.builtin("BigInt");
      case "symbol":
        return this.builtin("Symbol");
      default:
        return UNKNOWN;
    }
  }
}

export const STRING = primitiveType("string");
export const NUMBER = primitiveType("number");
export const BOOLEAN = primitiveType("boolean");
export const VOID = primitiveType("void");
