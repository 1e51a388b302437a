import { Depth, Memo } from "../memo.ts";
import { argumentFor, optionsFor, takes } from "./arguments.ts";
import { isCoreName } from "./core.ts";
import { type ContextFact, type Offset, Op } from "./facts.ts";
import { Hierarchy, MAIN, type Side } from "./hierarchy.ts";
import { elementOf, givenToBlock, heldBy, instanceOf, libraryResult } from "./library.ts";
import { type Given, isModule, type Method, type Module, type Program, type Source } from "./program.ts";
import { core, dropSelf, termsOf, type Type, UNKNOWN, unionOf, withSelf } from "./types.ts";

/** What an expression is. */
export interface Operand {
  type: Type;
  /** How sure the type is. */
  certainty: number;
}

export interface Target {
  method: Method;
  confidence: number;
}

/** What a call runs and gives. `made` is the class of a new object. */
export interface Resolution {
  targets: readonly Target[];
  made?: { module: Module; confidence: number };
  type: Type;
  certainty: number;
}

/** The arguments that calls give to methods, as an earlier round found them: by method, each a call in a file. */
export type Passed = Map<Method, { source: Source; call: Offset }[]>;

const MAX_DEPTH = 400;
/** What an object of a class of the code base, or `self`, runs. */
const KNOWN = 0.9;
const INFERRED = 0.7;
/** One of several things that may run. */
const POSSIBLE = 0.6;
/** By name alone. */
const GUESS = 0.4;
/** Calls of a method that are looked at to learn what its parameters are; the rest say the same. */
export const MAX_PASSED = 40;
/** Methods that may run where any below may: more say nothing. */
const MAX_BELOW = 8;
/** A name that so many methods have is not looked at any further. */
const MAX_NAMED = 40;
/** Methods of a hash that give what it has under a key. */
const ENTRY = new Set(["[]", "fetch", "dig", "delete"]);
const NOTHING: Operand = { type: UNKNOWN, certainty: 0 };
const NO_CALL: Resolution = { targets: [], type: UNKNOWN, certainty: 0 };
/** Class methods of ActiveRecord that give one object, and those that give many. */
const RECORD = new Set("find find_by find_by! find_or_create_by find_or_create_by! find_or_initialize_by create create! first last take build first_or_create".split(" "));
const RECORDS = new Set("all where order includes joins limit offset preload eager_load not distinct unscoped find_each in_batches".split(" "));

/** Answers what the records of all files stand for, lazily and once each. What cannot be known is UNKNOWN; nothing throws. */
export class Checker {
  readonly hierarchy: Hierarchy;
  private readonly operands: Memo<Source, Operand>;
  private readonly calls: Memo<Source, Resolution>;
  private readonly fields = new Map<string, Operand>();
  /** Functions by name. */
  private elsewhere: Map<string, Method[]> | undefined;
  private readonly depth = new Depth(MAX_DEPTH);

  constructor(readonly program: Program, private readonly passed: Passed, hierarchy?: Hierarchy) {
    const { sources } = program;
    this.operands = new Memo<Source, Operand>(sources, NOTHING, (source, at) => this.evaluate(source, at), this.depth);
    this.calls = new Memo<Source, Resolution>(sources, NO_CALL, (source, at) => this.resolve(source, at), this.depth);
    this.hierarchy = hierarchy ?? new Hierarchy(program, (source, at) => this.constantAt(source, at));
    if (!hierarchy) this.hierarchy.settle();
  }

  // Types

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
    if (!this.depth.enter()) return NOTHING;
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
      case Op.Constant: {
        const name = strings[code[at + 1]!]!;
        return this.constantValue(this.hierarchy.constant(source, code[at + 2]!, name), name);
      }
      case Op.Top: {
        const name = strings[code[at + 1]!]!;
        return this.constantValue(this.program.root.constants.get(name), name);
      }
      case Op.Scoped: {
        const { type } = this.operandWithoutMemo(source, code[at + 1]!);
        const name = strings[code[at + 2]!]!;
        for (const term of termsOf(type)) {
          if (term.kind !== "class") continue;
          const found = term.module.constants.get(name) ?? this.hierarchy.inherited(term.module, name);
          if (found) return this.constantValue(found, name);
        }
        return { type: { kind: "outside", name: type.kind === "outside" ? `${type.name}::${name}` : "?" }, certainty: 1 };
      }
      case Op.Self:
        return this.self(source, source.data.contexts[code[at + 1]!]!);
      case Op.Made:
        return { type: { kind: "class", module: this.program.moduleOf(source, code[at + 1]!) }, certainty: 1 };
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
        return { type: core("Symbol"), certainty: 1 };
      case Op.Call:
      case Op.Super:
        return this.resolution(source, at);
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
        return { type: unionOf(termsOf(type).map(instanceOf)), certainty: Math.min(certainty, KNOWN) };
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

  private constantValue(found: Module | Given | undefined, name: string): Operand {
    if (!found) return { type: { kind: "outside", name }, certainty: 1 };
    if (isModule(found)) return { type: { kind: "class", module: found }, certainty: 1 };
    const { type, certainty } = this.operand(found.source, found.value);
    return { type, certainty: Math.min(certainty, KNOWN) };
  }

  private self(source: Source, context: ContextFact): Operand {
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
      return instanceOf(type);
    });
    return unionOf(terms);
  }

  private field(source: Source, name: string, context: ContextFact): Operand {
    const module = this.program.moduleOf(source, context.scope);
    const key = name.startsWith("$") ? name : module === this.program.root ? `${source.index} ${name}` : name;
    const side: Side = name.startsWith("@@") || (context.singleton && module !== this.program.root) ? "singleton" : "instance";
    const memoKey = `${module.id} ${side} ${key}`;
    const known = this.fields.get(memoKey);
    if (known) return known;
    this.fields.set(memoKey, NOTHING);
    let given: readonly Given[] = [];
    if (name.startsWith("$")) given = this.program.globals.get(name) ?? [];
    else if (module === this.program.root) given = module.fields.instance.get(key) ?? [];
    else given = this.hierarchy.order(module, side).flatMap((place) => place.module.fields[side].get(key) ?? []);
    const all = given.filter(({ source: from }) => !from.test || source.test).slice(0, MAX_PASSED).map(({ source: from, value, element }) => {
      const { code } = from.data;
      // A constructor that several classes inherit puts in each what that class is made with.
      const operand = code[value] === Op.Parameter ? this.parameter(this.program.method(from, code[value + 1]!), code[value + 2]!, module) : this.operand(from, value);
      return { operand, element };
    });
    const whole = unionOf(all.filter(({ element }) => !element).map(({ operand }) => operand.type));
    const held = all.filter(({ element }) => element).map(({ operand }) => operand.type);
    const type = held.length === 0 ? whole : unionOf(termsOf(whole).map((term) => (term.kind === "core" && !term.element ? core(term.name, heldBy(term.name, held)) : term)));
    const operand: Operand = { type, certainty: lowest(INFERRED, all.map((one) => one.operand)) };
    this.fields.set(memoKey, operand);
    return operand;
  }

  /** What callers give, or its default, or what the doc comment says. `maker` is the class whose objects it is about, where that is known. */
  private parameter(method: Method, position: number, maker?: Module): Operand {
    const parameter = method.fact.parameters[position];
    if (!parameter) return NOTHING;
    if (parameter.kind === "block") return { type: core("Proc"), certainty: 1 };
    const { code } = method.source.data;
    if (parameter.value && code[parameter.value] === Op.Documented) {
      const said = this.operand(method.source, parameter.value);
      if (said.type.kind !== "unknown") return said;
    }
    const all: Operand[] = parameter.value ? [this.operand(method.source, parameter.value)] : [];
    for (const { source, call } of this.passed.get(method) ?? []) {
      const made = maker && method.fact.name === "initialize" ? this.resolution(source, call).made?.module : undefined;
      if (made && made !== maker && !this.hierarchy.allBelow(maker!).has(made)) continue;
      const argument = argumentFor(source, call, method, position);
      const options = argument ? [] : optionsFor(source, call, method, position);
      if (argument) all.push(this.operand(source, argument));
      else if (options.length > 0) all.push(this.table(source, options));
    }
    const type = unionOf(all.map((one) => one.type));
    if (parameter.kind === "rest") return { type: core("Array", type), certainty: lowest(POSSIBLE, all) };
    if (parameter.kind === "keys") return { type: type.kind === "unknown" ? core("Hash") : dropSelf(type), certainty: lowest(POSSIBLE, all) };
    // One kind of thing from every caller is more than one of several, or what only some of them tell.
    const sure = type.kind !== "union" && all.every((one) => one.type.kind !== "unknown");
    return { type: dropSelf(type), certainty: lowest(sure ? INFERRED : POSSIBLE, all) };
  }

  /** What a call gives to its block. */
  private given(source: Source, block: Offset, position: number): Operand {
    const { code, strings } = source.data;
    const call = code[block + 1]!;
    if (call === 0) return NOTHING;
    const count = code[block + 3]!;
    const resolution = this.resolution(source, call);
    const yielded: Operand[] = [];
    for (const { method, confidence } of resolution.targets) {
      if (confidence < POSSIBLE) continue;
      for (const values of method.fact.yields) {
        const value = values[position];
        if (value) yielded.push(this.operand(method.source, value));
      }
    }
    if (resolution.made) {
      for (const method of this.hierarchy.find(resolution.made.module, "instance", "initialize")) {
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

  private receiver(source: Source, call: Offset): Operand {
    const { code, contexts } = source.data;
    return code[call + 1] ? this.operand(source, code[call + 1]!) : this.self(source, contexts[code[call + 3]!]!);
  }

  // Calls

  /** What a Call, Super, Reference or Each runs. */
  resolution(source: Source, at: Offset): Resolution {
    return this.calls.get(source, at);
  }

  private resolve(source: Source, at: Offset): Resolution {
    const { code, strings, contexts } = source.data;
    switch (code[at]) {
      case Op.Call: {
        const name = strings[code[at + 2]!]!;
        const args = code.slice(at + 6, at + 6 + code[at + 5]!);
        if (code[at + 1] === 0) return this.implicit(source, at, name, contexts[code[at + 3]!]!, args);
        return this.explicit(source, at, name, this.operand(source, code[at + 1]!), args);
      }
      case Op.Reference: {
        const name = strings[code[at + 2]!]!;
        const found = code[at + 1] === 0 ? this.implicit(source, 0, name, contexts[code[at + 3]!]!, [], false) : this.explicit(source, 0, name, this.operand(source, code[at + 1]!), undefined);
        return { ...found, targets: found.targets.map((target) => ({ ...target, confidence: Math.min(target.confidence, INFERRED) })) };
      }
      case Op.Each: {
        const name = strings[code[at + 2]!]!;
        const call = code[at + 1]!;
        if (call === 0) return NO_CALL;
        return this.explicit(source, 0, name, this.eachGiven(source, call), []);
      }
      case Op.Super:
        return this.above(source, at);
      default:
        return NO_CALL;
    }
  }

  private eachGiven(source: Source, call: Offset): Operand {
    const { code, strings } = source.data;
    if (code[call] !== Op.Call) return NOTHING;
    const receiver = this.receiver(source, call);
    const name = strings[code[call + 2]!]!;
    const types = termsOf(receiver.type).map((term) => (term.kind === "core" ? (givenToBlock(term, name, 0, 1, UNKNOWN) ?? UNKNOWN) : UNKNOWN));
    return { type: unionOf(types), certainty: Math.min(receiver.certainty, INFERRED) };
  }

  /** What a block, or what stands for it, gives. */
  private blockResult(source: Source, call: Offset): Type {
    const { code } = source.data;
    const block = call ? code[call + (code[call] === Op.Super ? 2 : 4)]! : 0;
    if (code[block] === Op.Block) return this.operand(source, code[block + 2]!).type;
    return code[block] === Op.Each ? this.resolution(source, block).type : UNKNOWN;
  }

  /** `name` is called on a receiver; `args` undefined where it is only named. */
  private explicit(source: Source, call: Offset, name: string, operand: Operand, args: readonly Offset[] | undefined): Resolution {
    const terms = termsOf(operand.type);
    if (terms.length === 0) return this.guess(source, name, args);
    const most = Math.min(operand.certainty, terms.length > 1 ? POSSIBLE : 1);
    const all = terms.map((term) => this.member(source, call, term, name, most));
    const [only] = all;
    if (all.length === 1) return only!;
    return {
      targets: all.flatMap(({ targets }) => targets), type: unionOf(all.map(({ type }) => type)), certainty: lowest(INFERRED, all),
      ...(all.find(({ made }) => made)?.made ? { made: all.find(({ made }) => made)!.made! } : {}),
    };
  }

  /** A method of an object or class of one type. */
  private member(source: Source, call: Offset, type: Type, name: string, certainty: number): Resolution {
    switch (type.kind) {
      case "object":
      case "class": {
        const side: Side = type.kind === "object" ? "instance" : "singleton";
        const found = this.hierarchy.find(type.module, side, name);
        if (found.length > 0) return this.found(source, found, type, certainty, type.self === true);
        return this.inherited(source, call, type, name, certainty);
      }
      case "core": {
        for (const module of this.hierarchy.reopened(type.name)) {
          const found = this.hierarchy.find(module, "instance", name);
          if (found.length > 0) return this.found(source, found, type, certainty, false);
        }
        const entry = type.entries && this.entry(source, call, type.entries, name);
        if (entry) return { targets: [], type: entry, certainty: Math.min(certainty, INFERRED) };
        return { targets: [], type: libraryResult(type, name, this.blockResult(source, call)) ?? UNKNOWN, certainty: Math.min(certainty, INFERRED) };
      }
      case "outside":
        // What a class outside makes is nothing that a guess by name could be right about.
        return { targets: [], type: name === "new" ? instanceOf(type) : core("?"), certainty: Math.min(certainty, INFERRED) };
      default:
        return NO_CALL;
    }
  }

  /** What a hash has under the symbol that a call asks for; undefined when it asks for no symbol. */
  private entry({ data: { code, strings } }: Source, call: Offset, entries: ReadonlyMap<string, Type>, name: string): Type | undefined {
    const first = call && code[call] === Op.Call && code[call + 5]! > 0 ? code[call + 6]! : 0;
    return ENTRY.has(name) && code[first] === Op.Symbol ? (entries.get(strings[code[first + 1]!]!) ?? UNKNOWN) : undefined;
  }

  /** Methods that were found for a receiver, and what they give. */
  private found(source: Source, methods: readonly Method[], receiver: Type, certainty: number, self: boolean): Resolution {
    const chosen = this.choose(source, methods);
    const confidence = chosen.length > 1 ? Math.min(certainty, POSSIBLE) : certainty;
    const targets: Target[] = chosen.map((method) => ({ method, confidence }));
    // An abstract method is there for those below it.
    if (receiver.kind === "object" || receiver.kind === "class") {
      const side: Side = receiver.kind === "object" ? "instance" : "singleton";
      if (chosen.every(({ fact }) => fact.abstract)) targets.push(...this.belowNamed(receiver.module, side, chosen[0]!.fact.name, Math.min(certainty, POSSIBLE)));
    }
    const results = chosen.map((method) => this.result(method));
    const type = withSelf(unionOf(results.map((one) => one.type)), receiver);
    return { targets, type: self ? type : dropSelf(type), certainty: Math.min(certainty, lowest(INFERRED, results)) };
  }

  /** Of several definitions those of the same file, else those that are no tests. */
  private choose(source: Source, methods: readonly Method[]): readonly Method[] {
    if (methods.length < 2) return methods;
    const here = methods.filter((method) => method.source === source);
    if (here.length > 0) return here;
    const plain = methods.filter((method) => !method.source.test);
    return (plain.length > 0 ? plain : methods).slice(0, 4);
  }

  private result(method: Method): Operand {
    if (method.fact.documented) {
      const said = this.operand(method.source, method.fact.documented);
      if (said.type.kind !== "unknown") return said;
    }
    return this.operand(method.source, method.fact.result);
  }

  /** Methods of that name in what is below. */
  private belowNamed(module: Module, side: Side, name: string, confidence: number): Target[] {
    const found: Method[] = [];
    for (const one of this.hierarchy.allBelow(module)) {
      for (const method of one.methods[side].get(name) ?? []) if (!method.source.test && !found.includes(method)) found.push(method);
    }
    return possible(found, confidence);
  }

  /** What a class or object has that no code of its own says. */
  private inherited(source: Source, call: Offset, type: Type & { kind: "object" | "class" }, name: string, certainty: number): Resolution {
    const { module } = type;
    if (type.kind === "class") {
      if (module.kind === "module") {
        // `self.class` in a module that is mixed in: what comes with it for the classes themselves.
        const found = this.hierarchy.handedOn(module).flatMap((one) => this.hierarchy.find(one, "instance", name));
        if (found.length > 0) return this.found(source, found, type, Math.min(certainty, INFERRED), type.self === true);
      }
      if (name === "new" && module.kind === "class") {
        return this.made(source, module, certainty, type.self);
      }
      if (name === "allocate" || name === "instance" || RECORD.has(name)) {
        if (name === "allocate" || this.hierarchy.hasOutsiders(module)) return { targets: [], type: { kind: "object", module }, certainty: Math.min(certainty, INFERRED) };
      }
      if (RECORDS.has(name) && this.hierarchy.hasOutsiders(module)) return { targets: [], type: core("Array", { kind: "object", module }), certainty: Math.min(certainty, INFERRED) };
      if (name === "name" || name === "to_s") return { targets: [], type: core("String"), certainty };
      if (name === "new") return NO_CALL;
    } else if (name === "class" || name === "singleton_class") {
      return { targets: [], type: { kind: "class", module, ...(type.self ? { self: true } : {}) }, certainty };
    }
    const given = libraryResult(type, name, this.blockResult(source, call));
    if (given) return { targets: [], type: given, certainty: Math.min(certainty, INFERRED) };
    // Methods that only those below have: a module's users, an abstract class's subclasses.
    const side: Side = type.kind === "object" ? "instance" : "singleton";
    const targets = isCoreName(name) && module.kind === "class" ? [] : this.belowNamed(module, side, name, certainty);
    const shared = targets.length === 0 && module.kind === "module" && type.self ? this.ofUsers(module, side, name, certainty) : targets;
    const results = shared.map(({ method }) => this.result(method));
    return { targets: shared, type: dropSelf(unionOf(results.map((one) => one.type))), certainty: lowest(POSSIBLE, results) };
  }

  /** What making an object of a class runs. */
  made(source: Source, module: Module, certainty: number, self = false): Resolution {
    const initialize = this.hierarchy.find(module, "instance", "initialize").filter(({ fact }) => fact.symbol >= 0);
    const targets = this.choose(source, initialize).map((method) => ({ method, confidence: certainty }));
    return {
      targets, made: { module, confidence: targets.length > 0 ? 0 : certainty },
      type: { kind: "object", module, ...(self ? { self: true } : {}) }, certainty: Math.min(certainty, KNOWN),
    };
  }

  /** A method that all classes which include a module inherit from elsewhere. */
  private ofUsers(module: Module, side: Side, name: string, confidence: number): Target[] {
    const found = new Set<Method>();
    for (const user of this.hierarchy.allBelow(module)) {
      for (const method of this.hierarchy.find(user, side, name)) if (!method.source.test) found.add(method);
    }
    return possible([...found], confidence);
  }

  /** A call without a receiver: of `self`, or of a method of the file. */
  private implicit(source: Source, call: Offset, name: string, context: ContextFact, args: readonly Offset[], guessing = true): Resolution {
    const self = this.self(source, context);
    const module = this.program.moduleOf(source, context.scope);
    if (module !== this.program.root) {
      const found = this.member(source, call, self.type, name, self.certainty);
      if (found.targets.length > 0 || found.made) return found;
      // A block in a class's body may run for an object, one in a method for a class.
      if (context.loose || context.method < 0) {
        const other: Type = { kind: context.singleton ? "object" : "class", module };
        const there = this.hierarchy.find(module, context.singleton ? "instance" : "singleton", name);
        if (context.loose && there.length > 0) return this.found(source, there, other, POSSIBLE, false);
      }
      if (found.type.kind !== "unknown") return found;
    }
    const here = this.program.functions[source.index]!.get(name);
    if (here) return this.function(here, 0.9);
    if (module === this.program.root || !isCoreName(name)) {
      const elsewhere = this.functionsElsewhere(source, name);
      if (elsewhere.length === 1 && !isCoreName(name)) return this.function(elsewhere, POSSIBLE);
      const mixed = this.mixedIntoFile(source, name);
      if (mixed.length > 0) return this.found(source, mixed, MAIN, INFERRED, false);
    }
    const given = libraryResult(MAIN, name, UNKNOWN);
    if (given) return { targets: [], type: given, certainty: INFERRED };
    if (!guessing || (module !== this.program.root && this.hierarchy.hasOutsiders(module))) return NO_CALL;
    if (module === this.program.root && !context.loose) return NO_CALL;
    // A name without arguments may be anything: a method of a class outside, or one that is made at run time.
    return args.length > 0 ? this.guess(source, name, args) : NO_CALL;
  }

  private function(methods: readonly Method[], confidence: number): Resolution {
    const own = methods.filter(({ fact }) => fact.symbol >= 0);
    const results = methods.map((method) => this.result(method));
    const type = unionOf(results.map((one) => one.type));
    return { targets: own.map((method) => ({ method, confidence: own.length > 1 ? POSSIBLE : confidence })), type, certainty: lowest(INFERRED, results) };
  }

  /** Functions of that name in files that are not tests. */
  private functionsElsewhere(source: Source, name: string): readonly Method[] {
    if (!this.elsewhere) {
      this.elsewhere = new Map();
      for (const functions of this.program.functions) {
        for (const [called, methods] of functions) {
          const list = this.elsewhere.get(called) ?? [];
          list.push(...methods.filter(({ fact }) => fact.symbol >= 0));
          this.elsewhere.set(called, list);
        }
      }
    }
    return (this.elsewhere.get(name) ?? []).filter((method) => !method.source.test || source.test);
  }

  /** Methods of modules that the file, or a block in it, includes. */
  private mixedIntoFile(source: Source, name: string): readonly Method[] {
    for (const { source: from, fact } of this.program.root.mixins) {
      if (from !== source && (fact.how !== "include" || from.test !== source.test)) continue;
      const type = this.operand(from, fact.value).type;
      const found = type.kind === "class" ? this.hierarchy.find(type.module, "instance", name) : [];
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The next method of the name above. */
  private above(source: Source, at: Offset): Resolution {
    const { code, contexts } = source.data;
    const context = contexts[code[at + 1]!]!;
    const method = context.method < 0 ? undefined : this.program.method(source, context.method);
    if (!method?.owner) return NO_CALL;
    const side: Side = context.singleton ? "singleton" : "instance";
    const { owner, fact } = method;
    const next = this.hierarchy.find(owner, side, fact.name, owner).filter((one) => one.fact.symbol >= 0);
    const receiver: Type = { kind: side === "instance" ? "object" : "class", module: owner, self: true };
    if (next.length > 0) return this.found(source, next, receiver, KNOWN, true);
    // A module's method goes on in the classes that mix it in.
    const found = new Set<Method>();
    for (const user of this.hierarchy.allBelow(owner)) {
      for (const which of ["instance", "singleton"] as const) {
        if (!this.hierarchy.order(user, which).some((place) => place.module === owner)) continue;
        for (const one of this.hierarchy.find(user, which, fact.name, owner)) if (one !== method && one.fact.symbol >= 0) found.add(one);
      }
    }
    if (found.size === 0 || found.size > MAX_BELOW) {
      return fact.name === "new" && side === "singleton" ? { targets: [], type: { kind: "object", module: owner, self: true }, certainty: INFERRED } : NO_CALL;
    }
    return { targets: [...found].map((one) => ({ method: one, confidence: POSSIBLE })), type: UNKNOWN, certainty: 0 };
  }

  /** The one method that has the name, or the topmost of a family; only a guess. */
  private guess(source: Source, name: string, args: readonly Offset[] | undefined): Resolution {
    if (isCoreName(name)) return NO_CALL;
    const named = this.program.byName.get(name) ?? [];
    if (named.length > MAX_NAMED) return NO_CALL;
    const all = named.filter((method) => (source.test || !method.source.test) && (args === undefined || takes(source, method, args)));
    if (all.length === 0 || all.length > MAX_BELOW) return NO_CALL;
    const owners = [...new Set(all.map(({ owner }) => owner!))];
    const top = owners.find((owner) => owners.every((other) => other === owner || this.hierarchy.allBelow(owner).has(other)));
    if (!top) return NO_CALL;
    const chosen = all.filter(({ owner }) => owner === top);
    return { targets: this.choose(source, chosen).map((method) => ({ method, confidence: GUESS })), type: UNKNOWN, certainty: 0 };
  }
}

/** The one method that may run, or several of which any may; too many say nothing. */
function possible(methods: readonly Method[], certainty: number): Target[] {
  const confidence = Math.min(certainty, methods.length > 1 ? POSSIBLE : INFERRED);
  return methods.length > MAX_BELOW ? [] : methods.map((method) => ({ method, confidence }));
}

/** The least certainty of those that say something, `most` at most. */
function lowest(most: number, operands: readonly Operand[]): number {
  return operands.reduce((least, { type, certainty }) => (type.kind === "unknown" ? least : Math.min(least, certainty)), most);
}
