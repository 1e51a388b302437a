import type { SymbolFact } from "../../../facts.ts";
import { Op } from "../facts.ts";
import type { ExpandoFact, ExportFacts, FunctionFact, ModuleFacts, Offset, ParameterFact, ShapeFact } from "../facts.ts";
import { Asked, type Questions, questionsAbout, type Whole } from "./asked.ts";
import type { PartialCall, ResolvedCall } from "./calls.ts";
import { type Place, placesIn } from "./places.ts";
import { Env, type Found, type Type } from "./types.ts";

/** What is declared more often than this is told by its first declarations: people merge some ten, and copy nothing a hundred times. */
const MAX_DECLARATIONS = 100;

/** A file while it is being resolved: its facts, and what has been worked out of them so far. */
export class Unit {
  /** Index in the project's files, -1 for the built-in declarations. */
  readonly index: number;
  readonly path: string;
  readonly facts: ModuleFacts;
  readonly symbols: readonly SymbolFact[];
  /** Its code declares no types: what calls its functions tells what they are given. */
  readonly isUntyped: boolean;
  /** Results by offset of an expression or a type; undefined is absent, null is being worked out. */
  readonly expressions = new Map<Offset, Type | null>();
  readonly types = new Map<Offset, Type | null>();
  readonly bindingValues = new Map<number, Type | null>();
  readonly returnTypes = new Map<FunctionFact, Type | null>();
  readonly parameterTypes = new Map<ParameterFact, Type | null>();
  readonly superTypes = new Map<ShapeFact, Type[] | null>();
  readonly calls = new Map<Offset, ResolvedCall | null>();
  readonly partialCalls = new Map<Offset, PartialCall | null>();
  /** By offset, what Members and Indexes of the file are found to be, until its edges are told. */
  readonly found = new Map<Offset, readonly Found[]>();
  readonly targets: (Unit | undefined | null)[];
  readonly asked = new Asked();
  /** An environment that puts nothing. */
  readonly nothing = new Env([], []);
  private readonly questions = new Map<Whole | undefined, Questions>();
  private readonly exportMaps = new Map<ExportFacts, Map<string, number>>();
  private readonly parameters = new Map<Offset, Type>();
  private readonly thisTypes = new Map<ShapeFact, Type>();
  private readonly memberMaps = new Map<ShapeFact, { own: Map<string, number>; statics: Map<string, number> }>();
  private holders: Map<ShapeFact | FunctionFact, number> | undefined;
  private merged: Map<ShapeFact, readonly ShapeFact[]> | undefined;
  private homes: Map<number, ExpandoFact[]> | undefined;
  private callContexts: Map<Offset, Offset> | undefined;
  private functions: Map<number, FunctionFact> | undefined;
  private places: ReadonlyMap<FunctionFact | ShapeFact, Place> | undefined;

  constructor(index: number, path: string, facts: ModuleFacts, symbols: readonly SymbolFact[]) {
    this.index = index;
    this.path = path;
    this.facts = facts;
    this.symbols = symbols;
    this.isUntyped = facts.untyped ?? /\.[cm]?jsx?$/.test(path);
    this.targets = facts.specifiers.map(() => null);
  }

  /** What may be asked of a thing with members; without one, of what the file exports. */
  questionsAbout(whole?: Whole): Questions {
    let questions = this.questions.get(whole);
    if (!questions) this.questions.set(whole, (questions = questionsAbout(this.path, whole)));
    return questions;
  }

  /** An operand of a record. */
  at(offset: Offset, operand: number): number {
    return this.facts.code[offset + operand]!;
  }

  op(offset: Offset): number {
    return this.facts.code[offset]!;
  }

  text(offset: Offset, operand: number): string {
    return this.facts.strings[this.facts.code[offset + operand]!]!;
  }

  /** A counted list of operands that starts at one of a record's operands. */
  list(offset: Offset, operand: number): Offset[] {
    const start = offset + operand;
    return this.facts.code.slice(start + 1, start + 1 + this.facts.code[start]!);
  }

  declarations(binding: number): Offset[] {
    const { bindings, code } = this.facts;
    const list: Offset[] = [];
    for (let at = bindings[binding] ?? 0; at !== 0 && list.length < MAX_DECLARATIONS; at = code[at + 1]!) list.push(at);
    return list;
  }

  /** The context that declares what a call gives, 0 where none does. */
  callContext(call: Offset): Offset {
    if (!this.callContexts) {
      const { callContexts: pairs = [] } = this.facts;
      this.callContexts = new Map();
      for (let i = 0; i < pairs.length; i += 2) this.callContexts.set(pairs[i]!, pairs[i + 1]!);
    }
    return this.callContexts.get(call) ?? 0;
  }

  /** The binding that a module or namespace exports under a name. */
  exported(table: ExportFacts, name: string): number | undefined {
    let map = this.exportMaps.get(table);
    if (!map) {
      map = new Map(table.names);
      this.exportMaps.set(table, map);
    }
    return map.get(name);
  }

  /** The one type object that stands for a type parameter. */
  parameter(at: Offset): Type {
    let type = this.parameters.get(at);
    if (!type) this.parameters.set(at, (type = { k: "parameter", unit: this, at }));
    return type;
  }

  /** The one type object that stands for `this` in a class or interface. */
  thisType(shape: ShapeFact): Type {
    let type = this.thisTypes.get(shape);
    if (!type) this.thisTypes.set(shape, (type = { k: "this", unit: this, shape }));
    return type;
  }

  /** Index of a member in its shape; the last one declared wins. */
  member(shape: ShapeFact, name: string, isStatic: boolean): number | undefined {
    let maps = this.memberMaps.get(shape);
    if (!maps) {
      maps = { own: new Map(), statics: new Map() };
      for (let i = 0; i < shape.members.length; i++) {
        const m = shape.members[i]!;
        const into = m.static ? maps.statics : maps.own;
        const known = into.get(m.name);
        // A setter says less than the getter beside it.
        if (known === undefined || m.kind !== "setter") into.set(m.name, i);
      }
      this.memberMaps.set(shape, maps);
    }
    return (isStatic ? maps.statics : maps.own).get(name);
  }

  /** All declarations that make up one interface or class, itself first. */
  declarationsOf(shape: ShapeFact): readonly ShapeFact[] {
    if (!this.merged) {
      this.merged = new Map<ShapeFact, readonly ShapeFact[]>();
      for (let binding = 0; binding < this.facts.bindings.length; binding++) {
        const first = this.facts.bindings[binding]!;
        if (first === 0 || this.at(first, 1) === 0) continue;
        const shapes = this.declarations(binding).filter((d) => this.op(d) === Op.ShapeDeclaration).map((d) => this.facts.shapes[this.at(d, 2)]!);
        if (shapes.length > 1) for (const s of shapes) this.merged.set(s, [s, ...shapes.filter((o) => o !== s)]);
      }
    }
    let all = this.merged.get(shape);
    if (!all) this.merged.set(shape, (all = [shape]));
    return all;
  }

  /** The function that a symbol is, its implementation among overloads. */
  functionOf(symbol: number): FunctionFact | undefined {
    if (!this.functions) {
      this.functions = new Map();
      for (const fact of this.facts.functions) if (fact.symbol >= 0 && (fact.body || !this.functions.has(fact.symbol))) this.functions.set(fact.symbol, fact);
    }
    return this.functions.get(symbol);
  }

  /** Where a type without a name stands. */
  placeOf(type: FunctionFact | ShapeFact): Place | undefined {
    return (this.places ??= placesIn(this.facts)).get(type);
  }

  /** The variable that an object literal, or a function without a name, is the value of, or the name of a class, where it was assigned properties. */
  holder(value: ShapeFact | FunctionFact): number | undefined {
    if (!this.holders) {
      this.holders = new Map();
      for (const binding of new Set(this.facts.expandos.map((e) => e.binding))) {
        const [only, ...others] = this.declarations(binding);
        if (only === undefined || others.length > 0) continue;
        if (this.op(only) === Op.ShapeDeclaration) this.holders.set(this.facts.shapes[this.at(only, 2)]!, binding);
        if (this.op(only) !== Op.Variable) continue;
        const value = this.at(only, 3);
        if (value !== 0 && (this.op(value) === Op.Object || this.op(value) === Op.Class)) this.holders.set(this.facts.shapes[this.at(value, 1)]!, binding);
        if (value !== 0 && this.op(value) === Op.Function) this.holders.set(this.facts.functions[this.at(value, 1)]!, binding);
      }
    }
    return this.holders.get(value);
  }

  /** What was assigned to the properties of a function or an object, or to a function's prototype. */
  expandos(binding: number): readonly ExpandoFact[] {
    if (!this.homes) {
      this.homes = new Map();
      for (const e of this.facts.expandos) {
        const list = this.homes.get(e.binding);
        if (list) list.push(e);
        else this.homes.set(e.binding, [e]);
      }
    }
    return this.homes.get(binding) ?? [];
  }
}
