import { Depth } from "../memo.ts";
import { Answers } from "./answers.ts";
import { argumentFor, argumentsOf, missingName, optionsFor, parameterAt } from "./arguments.ts";
import { Dispatch } from "./dispatch.ts";
import { type ContextFact, type Offset, Op } from "./facts.ts";
import { Hierarchy, MAIN, type Side } from "./hierarchy.ts";
import { elementOf, givenToBlock, heldBy, instanceOf, isEmpty, isOfCore } from "./library.ts";
import { HIERARCHY, type Node, type Numbers } from "./numbers.ts";
import { INFERRED, KNOWN, lowest, NOTHING, type Operand, POSSIBLE, type Resolution, sameOperand, sameResolution } from "./operand.ts";
import { type Given, isModule, type Method, type Module, type Program, type Source } from "./program.ts";
import { Trace } from "./trace.ts";
import { core, dropSelf, orBelow, termsOf, textType, type Type, UNKNOWN, unionOf, withSelf } from "./types.ts";

/** A call in a file, which hands arguments over. */
export interface Site {
  source: Source;
  call: Offset;
  /** The number of the record, which an edit may leave as it is. */
  number: number;
}

/** The arguments that calls give to methods, as an earlier round found them: by method, in the order of files. */
export type Passed = Map<Method, Site[]>;

const MAX_DEPTH = 400;
/** Calls of a method that are looked at to learn what its parameters are; the rest say the same. */
export const MAX_PASSED = 40;
/** Answers what the records of all files stand for, lazily and once each. What cannot be known is UNKNOWN; nothing throws. */
export class Checker {
  readonly trace = new Trace();
  hierarchy: Hierarchy;
  readonly dispatch: Dispatch;
  /** How deep expressions and calls stand in each other. */
  readonly depth = new Depth(MAX_DEPTH);
  private readonly operands: Answers<Operand>;

  constructor(public program: Program, readonly numbers: Numbers, readonly passed: Passed, hierarchy?: Hierarchy) {
    this.operands = new Answers(numbers, this.trace, 0, NOTHING, (source, at) => this.evaluate(source, at), this.depth, sameOperand);
    this.dispatch = new Dispatch(this);
    this.hierarchy = hierarchy ?? new Hierarchy(program, (source, at) => this.meaning(source, at));
    if (!hierarchy) this.hierarchy.settle();
  }

  // Types

  /** What a record of a constant means, to decide where methods are looked for. */
  meaning(source: Source, at: Offset): Type {
    return this.trace.within(HIERARCHY, () => this.constantAt(source, at));
  }

  /** What a record of a constant means; UNKNOWN for any other record. */
  private constantAt(source: Source, at: Offset): Type {
    switch (source.data.code[at]) {
      case Op.Constant:
      case Op.Top:
      case Op.Scoped:
      case Op.Made:
      case Op.Self:
        return this.operandWithoutMemo(source, at).type;
      default:
        return UNKNOWN;
    }
  }

  private operandWithoutMemo(source: Source, at: Offset): Operand {
    if (!this.depth.enter()) {
      this.trace.cut = true;
      return NOTHING;
    }
    const operand = this.evaluate(source, at);
    this.depth.leave();
    return operand;
  }

  operand(source: Source, at: Offset): Operand {
    return this.operands.get(source, at);
  }

  private list(source: Source, at: Offset): number[] {
    const { code } = source.data;
    return code.slice(at + 2, at + 2 + code[at + 1]!);
  }

  private evaluate(source: Source, at: Offset): Operand {
    const { code, strings } = source.data;
    switch (code[at]) {
      case Op.Constant:
      case Op.Top:
        return this.constantValue(this.constant(source, at), strings[code[at + 1]!]!);
      case Op.Scoped: {
        const { type } = this.operandWithoutMemo(source, code[at + 1]!);
        const name = strings[code[at + 2]!]!;
        const found = this.constantIn(type, name);
        return found ? this.constantValue(found, name) : { type: { kind: "outside", name: type.kind === "outside" ? `${type.name}::${name}` : "?" }, certainty: 1 };
      }
      case Op.Self:
        return this.self(source, source.data.contexts[code[at + 1]!]!);
      case Op.Made:
        return { type: { kind: "class", module: this.program.moduleOf(source, code[at + 1]!) }, certainty: 1 };
      case Op.Below:
        return { type: unionOf([...this.hierarchy.allBelow(this.program.moduleOf(source, code[at + 1]!))].map((module): Type => ({ kind: "class", module }))), certainty: POSSIBLE };
      case Op.Core:
        return { type: core(strings[code[at + 1]!]!), certainty: 1 };
      case Op.List: {
        const all = this.list(source, at).map((one) => this.operand(source, code[one] === Op.Splat ? code[one + 1]! : one));
        const element = unionOf(all.map(({ type }, i) => (code[this.list(source, at)[i]!] === Op.Splat ? elementOf(type) : type)));
        return { type: core("Array", element), certainty: lowest(INFERRED, all) };
      }
      case Op.Table:
        return this.table(source, this.list(source, at));
      case Op.Symbol:
        return { type: textType("Symbol", strings[code[at + 1]!]!), certainty: 1 };
      case Op.Text:
        return { type: textType("String", strings[code[at + 1]!]!), certainty: 1 };
      case Op.Call:
      case Op.Super:
        return this.dispatch.resolution(source, at);
      case Op.Either: {
        const all = this.list(source, at).map((one) => this.operand(source, one)).filter(({ type }) => type.kind !== "unknown");
        const type = unionOf(all.map((one) => one.type));
        return { type, certainty: lowest(type.kind === "union" ? INFERRED : 1, all) };
      }
      case Op.Field:
        return this.field(source, strings[code[at + 1]!]!, source.data.contexts[code[at + 2]!]!);
      case Op.Parameter:
        return this.parameter(this.program.method(source, code[at + 1]!), code[at + 2]!);
      case Op.Given:
        return this.given(source, code[at + 1]!, code[at + 2]!);
      case Op.Instance: {
        const { type, certainty } = this.operand(source, code[at + 1]!);
        // What is rescued so is often of a class here that stands below.
        if (type.kind === "outside" && type.name === "StandardError") return NOTHING;
        const instance = unionOf(termsOf(type).map((term) => orBelow(instanceOf(term))));
        const known = code[at + 2] ? this.operand(source, code[at + 2]!) : NOTHING;
        const same = instance.kind === "core" ? termsOf(known.type).filter((term) => isOfCore(term, instance.name)) : [];
        return same.length > 0 ? { type: unionOf(same), certainty: known.certainty } : { type: instance, certainty: Math.min(certainty, KNOWN) };
      }
      case Op.Element: {
        const { type, certainty } = this.operand(source, code[at + 1]!);
        return { type: unionOf(termsOf(type).map(elementOf)), certainty: Math.min(certainty, INFERRED) };
      }
      case Op.Documented:
        return { type: this.documented(source, code[at + 2]!, strings[code[at + 1]!]!), certainty: INFERRED };
      case Op.Keyword:
        return this.operand(source, code[at + 2]!);
      case Op.Closure:
      case Op.Reference:
        return { type: core("Proc"), certainty: 1 };
      default:
        return NOTHING;
    }
  }

  /** A hash of values, some of them with a name. */
  private table(source: Source, values: readonly Offset[]): Operand {
    const { code, strings } = source.data;
    const all = values.map((one) => this.operand(source, one));
    const entries = new Map<string, Type>();
    for (const [i, one] of values.entries()) if (code[one] === Op.Keyword) entries.set(strings[code[one + 1]!]!, all[i]!.type);
    return { type: core("Hash", unionOf(all.map(({ type }) => type)), entries), certainty: lowest(INFERRED, all) };
  }

  /** What a record of a constant names. */
  constant(source: Source, at: Offset): Module | Given | undefined {
    const { code, strings } = source.data;
    switch (code[at]) {
      case Op.Constant:
        return this.hierarchy.constant(source, code[at + 2]!, strings[code[at + 1]!]!);
      case Op.Top:
        return this.program.root.constants.get(strings[code[at + 1]!]!);
      default:
        return this.constantIn(this.operandWithoutMemo(source, code[at + 1]!).type, strings[code[at + 2]!]!);
    }
  }

  private constantIn(type: Type, name: string): Module | Given | undefined {
    for (const term of termsOf(type)) {
      const found = term.kind === "class" ? term.module.constants.get(name) ?? this.hierarchy.inherited(term.module, name) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  private constantValue(found: Module | Given | undefined, name: string): Operand {
    if (!found) return { type: { kind: "outside", name }, certainty: 1 };
    if (isModule(found)) return { type: { kind: "class", module: found }, certainty: 1 };
    const { type, certainty } = this.operand(found.source, found.value);
    return { type, certainty: Math.min(certainty, KNOWN), ...(found.constant === undefined ? {} : { constant: found.constant }) };
  }

  self(source: Source, context: ContextFact): Operand {
    const module = this.program.moduleOf(source, context.scope);
    if (module === this.program.root) return { type: MAIN, certainty: context.loose ? 0 : KNOWN };
    return { type: { kind: context.singleton ? "class" : "object", module, self: true }, certainty: context.loose ? INFERRED : KNOWN };
  }

  /** What a doc comment's words name: `Foo, nil`, `Array<Foo>`, `Hash{Symbol => Foo}`. */
  private documented(source: Source, scope: number, text: string): Type {
    const terms = text.split(/\s*[,|]\s*(?![^<{(]*[>})])/).map((term): Type => {
      const held = /^(Array|Set|Enumerator|Enumerable|Hash)\s*[<{(]\s*(?:.*(?:=>|,)\s*)?([\w:]+)\s*[>})]$/.exec(term);
      if (held) return core(held[1] === "Enumerable" ? "Array" : held[1]!, this.documented(source, scope, held[2]!));
      if (/^(?:nil|void|undefined|Object|Boolean|true|false)$/.test(term) || !/^(?:::)?[A-Z][\w:]*$/.test(term)) return UNKNOWN;
      const [first = "", ...rest] = term.replace(/^::/, "").split("::");
      let { type } = this.constantValue(this.hierarchy.constant(source, term.startsWith("::") ? 0 : scope, first), first);
      for (const name of rest) {
        const found = type.kind === "class" ? type.module.constants.get(name) : undefined;
        type = this.constantValue(found, name).type;
      }
      return orBelow(instanceOf(type));
    });
    return unionOf(terms);
  }

  private field(source: Source, name: string, context: ContextFact): Operand {
    const module = this.program.moduleOf(source, context.scope);
    const key = name.startsWith("$") ? name : module === this.program.root ? `${source.id} ${name}` : name;
    const side: Side = name.startsWith("@@") || (context.singleton && module !== this.program.root) ? "singleton" : "instance";
    return this.operands.ask(this.numbers.field(`${module.id} ${side} ${key}`), () => this.givenTo(source, module, side, key));
  }

  /** What a variable of a module's objects, or of its own, is given anywhere. */
  private givenTo(source: Source, module: Module, side: Side, key: string): Operand {
    let given: readonly Given[] = [];
    if (key.startsWith("$")) given = this.program.globals.get(key) ?? [];
    else if (module === this.program.root) given = module.fields.instance.get(key) ?? [];
    else given = this.hierarchy.order(module, side).flatMap((place) => place.module.fields[side].get(key) ?? []);
    if (given.some(({ source: from }) => from.test)) this.trace.dependsOnFirst();
    const all = given.filter(({ source: from }) => !from.test || source.test).slice(0, MAX_PASSED).map(({ source: from, value, element }) => {
      const { code } = from.data;
      // A constructor that several classes inherit puts in each what that class is made with.
      const operand = code[value] === Op.Parameter ? this.parameter(this.program.method(from, code[value + 1]!), code[value + 2]!, module) : this.operand(from, value);
      return { operand, element };
    });
    const whole = unionOf(all.filter(({ element }) => !element).map(({ operand }) => operand.type));
    const held = all.filter(({ element }) => element).map(({ operand }) => operand.type);
    const type = held.length === 0 ? whole : unionOf(termsOf(whole).map((term) => (term.kind === "core" && !term.element ? core(term.name, heldBy(term.name, held)) : this.withHeld(term, held))));
    return { type, certainty: lowest(INFERRED, all.map((one) => one.operand)) };
  }

  /** An object of a class that inherits from Array is a list, too, of what is put into it. */
  private withHeld(term: Type, held: readonly Type[]): Type {
    const name = term.kind === "object" ? this.hierarchy.listAbove(term.module) : undefined;
    return name === undefined ? term : unionOf([term, core(name, heldBy(name, held))]);
  }

  /** What callers give, or its default, or what the doc comment says. `maker` is the class whose objects it is about, where that is known. */
  private parameter(method: Method, position: number, maker?: Module): Operand {
    this.trace.told(this.numbers.passedTo(method));
    const parameter = method.fact.parameters[position];
    if (!parameter) return NOTHING;
    if (parameter.kind === "block") return { type: core("Proc"), certainty: 1 };
    const { code } = method.source.data;
    if (parameter.value && code[parameter.value] === Op.Documented) {
      const said = this.operand(method.source, parameter.value);
      if (said.type.kind !== "unknown") return said;
    }
    const all: Operand[] = parameter.value ? [this.operand(method.source, parameter.value)] : [];
    const sites = this.passed.get(method) ?? [];
    for (let i = 0; i < sites.length && i < MAX_PASSED; i++) {
      const { source, call } = sites[i]!;
      const made = maker && method.fact.name === "initialize" ? this.dispatch.resolution(source, call).made?.module : undefined;
      if (made && made !== maker && !this.hierarchy.allBelow(maker!).has(made)) continue;
      const missing = position === 0 ? missingName(source, call, method) : undefined;
      if (missing !== undefined) all.push({ type: textType("Symbol", missing), certainty: 1 });
      const argument = argumentFor(source, call, method, position);
      const options = argument ? [] : optionsFor(source, call, method, position);
      const handedOn = this.handedOn(source, call, method, position, maker);
      if (handedOn) all.push(handedOn);
      else if (argument) all.push(this.operand(source, argument));
      else if (options.length > 0) all.push(this.table(source, options));
    }
    const type = unionOf(all.map((one) => one.type));
    if (parameter.kind === "rest") return { type: core("Array", type), certainty: lowest(POSSIBLE, all) };
    if (parameter.kind === "keys") return { type: type.kind === "unknown" ? core("Hash") : dropSelf(type), certainty: lowest(POSSIBLE, all) };
    if (type.kind === "unknown" && method.fact.name !== "initialize") return this.overridden(method, position);
    // One kind of thing from every caller is more than one of several, or what only some of them tell.
    const sure = type.kind !== "union" && all.every((one) => one.type.kind !== "unknown");
    return { type: dropSelf(type), certainty: lowest(sure ? INFERRED : POSSIBLE, all) };
  }

  /** What callers give to the method that a method overrides: it may run in its place. */
  private overridden({ owner, fact }: Method, position: number): Operand {
    const side: Side = fact.side === "singleton" ? "singleton" : "instance";
    const [above] = owner ? this.hierarchy.search(owner, side, fact.name, owner) : [];
    if (above?.fact.parameters[position]?.kind !== fact.parameters[position]!.kind) return NOTHING;
    const { type, certainty } = this.operand(above.source, parameterAt(above, position));
    return { type, certainty: Math.min(certainty, POSSIBLE) };
  }

  /** What a `super` without arguments gives: what its method was given. */
  private handedOn(source: Source, call: Offset, { fact }: Method, position: number, maker?: Module): Operand | undefined {
    const { code, contexts } = source.data;
    if (code[call] !== Op.Super || code[call + 3] !== -1) return undefined;
    const own = this.program.method(source, contexts[code[call + 1]!]!.method);
    const { owner, fact: { parameters } } = own;
    const isOther = maker && owner && owner !== maker && !this.hierarchy.allBelow(maker).has(owner) && !this.hierarchy.allBelow(owner).has(maker);
    const given = parameters[position];
    const same = given?.kind === fact.parameters[position]!.kind || (given?.kind === "required" && fact.parameters[position]!.kind === "optional");
    return same && !isOther && given.kind !== "block" ? this.operand(source, parameterAt(own, position)) : NOTHING;
  }

  /** What a method gives, with what calls put into the list or table that it gives: `page.items << item`. */
  filled(method: Method, given: Operand): Operand {
    const empty = method.fact.parameters.length === 0 && termsOf(given.type).some((term) => isEmpty(term));
    if (!empty) return given;
    this.trace.told(this.numbers.passedTo(method));
    const sites = (this.passed.get(method) ?? []).slice(0, MAX_PASSED);
    if (sites.length === 0) return given;
    const held = sites.map(({ source, call }) => this.operand(source, argumentsOf(source, call).at(-1) ?? 0));
    const type = unionOf(termsOf(given.type).map((term) => (isEmpty(term) ? core(term.name, heldBy(term.name, held.map((one) => dropSelf(one.type)))) : term)));
    return { type, certainty: lowest(given.certainty, held) };
  }

  /** What a call gives to its block. */
  private given(source: Source, block: Offset, position: number): Operand {
    const { code, strings } = source.data;
    const call = code[block + 1]!;
    if (call === 0) return NOTHING;
    const count = code[block + 3]!;
    const resolution = this.dispatch.resolution(source, call);
    const yielded: Operand[] = [];
    for (const { method, confidence } of resolution.targets) {
      if (confidence < POSSIBLE) continue;
      this.trace.told(this.numbers.yieldedBy(method));
      for (const values of method.fact.yields) {
        const value = values[position];
        if (value) yielded.push(this.operand(method.source, value));
      }
    }
    if (resolution.made) {
      for (const method of this.hierarchy.find(resolution.made.module, "instance", "initialize")) {
        this.trace.told(this.numbers.yieldedBy(method));
        for (const values of method.fact.yields) if (values[position]) yielded.push(this.operand(method.source, values[position]));
      }
    }
    const own = yielded.filter(({ type }) => type.kind !== "unknown");
    if (own.length > 0) {
      const receiver = code[call] === Op.Call && code[call + 1] ? this.operand(source, code[call + 1]!).type : UNKNOWN;
      return { type: withSelf(unionOf(own.map(({ type }) => type)), resolution.made ? { kind: "object", module: resolution.made.module } : receiver), certainty: lowest(INFERRED, own) };
    }
    if (code[call] !== Op.Call || resolution.targets.some(({ confidence }) => confidence >= POSSIBLE)) return NOTHING;
    const name = strings[code[call + 2]!]!;
    const receiver = this.receiver(source, call);
    if (["tap", "then", "yield_self", "instance_eval", "class_eval"].includes(name) && position === 0) return receiver;
    const first = code[call + 5]! > 0 ? this.operand(source, code[call + 6]!).type : UNKNOWN;
    const types = termsOf(receiver.type).map((term) => (term.kind === "core" ? (givenToBlock(term, name, position, count, first) ?? UNKNOWN) : UNKNOWN));
    return { type: unionOf(types), certainty: Math.min(receiver.certainty, INFERRED) };
  }

  /** These questions have to be answered again. */
  forget(nodes: Iterable<Node>): void {
    for (const node of nodes) {
      if (node % 2 === 0) this.operands.forget(node);
      else this.dispatch.calls.forget(node);
    }
  }

  /** What a record is, as far as it is known. */
  peek(source: Source, at: Offset): Type {
    return this.operands.peek(source, at)?.type ?? UNKNOWN;
  }

  /** What is known of a question, to be compared with what `differs` finds later. */
  known(node: Node): Operand | undefined {
    return node % 2 === 0 ? this.operands.known(node) : this.dispatch.calls.known(node);
  }

  /** Whether a question is answered otherwise than by `before`. */
  differs(node: Node, before: Operand | undefined): boolean {
    const now = this.known(node);
    if (!before || !now) return before !== now;
    return node % 2 === 0 ? !sameOperand(before, now) : !sameResolution(before as Resolution, now as Resolution);
  }

  /** Asks again what a record is (even), or what it runs (odd); see Answers.again. */
  again(node: Node, source: Source, at: Offset, found: () => void): boolean {
    return node % 2 === 0 ? this.operands.again(source, at, found) : this.dispatch.calls.again(source, at, found);
  }

  receiver(source: Source, call: Offset): Operand {
    const { code, contexts } = source.data;
    return code[call + 1] ? this.operand(source, code[call + 1]!) : this.self(source, contexts[code[call + 3]!]!);
  }
}
