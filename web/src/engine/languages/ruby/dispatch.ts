import { Answers } from "./answers.ts";
import { MISSING, SENDS, takes } from "./arguments.ts";
import { calledOn } from "./called.ts";
import type { Checker } from "./checker.ts";
import { isCoreName, isObjectName } from "./core.ts";
import { type ContextFact, isHook, type Offset, Op } from "./facts.ts";
import { MAIN, MAX_BELOW, MAX_HEIRS, type Side } from "./hierarchy.ts";
import { givenToBlock, instanceOf, isCoreType, libraryResult } from "./library.ts";
import { GUESS, INFERRED, KNOWN, lowest, NO_CALL, NOTHING, type Operand, POSSIBLE, type Resolution, sameResolution, type Target } from "./operand.ts";
import { FEW, ONE_OF_MANY, STORED } from "../../language.ts";
import { type Like, likeliness, likeOf } from "../patterns.ts";
import { isModule, type Method, type Module, type Source } from "./program.ts";
import { core, dropSelf, isOpen, marksOf, type ModuleType, termsOf, textsOf, type Type, UNKNOWN, unionOf, withSelf } from "./types.ts";

/** A method that is defined more often in one file than this is told by its first definitions. */
const MAX_DEFINITIONS = 20;
/** Of definitions in more files than this each most likely is loaded without the others. */
const MAX_CHOSEN = 4;
/** A name that so many methods have is not looked at any further. */
const MAX_NAMED = 40;
/** Methods of a hash that give what it has under a key. */
const ENTRY = new Set(["[]", "fetch", "dig", "delete"]);

/** Class methods of ActiveRecord that give one object, and those that give many. */
const RECORD = new Set("find find_by find_by! find_or_create_by find_or_create_by! find_or_initialize_by create create! first last take build first_or_create".split(" "));
const RECORDS = new Set("all where order includes joins limit offset preload eager_load not distinct unscoped find_each in_batches".split(" "));

/** What ActionMailer's classes are called: their methods are called on the class. */
const MAILER = /Mailer$/;

/** Class methods of jobs (ActiveJob, Sidekiq) that run `perform`, at once or later, and those that give the class with other options. */
export const QUEUES: ReadonlySet<string> = new Set("perform_async perform_later perform_in perform_at perform_now perform_inline perform_sync".split(" "));
const OPTIONS = new Set(["set", "with"]);

/** Methods of Enumerable, Comparable and all objects, by the method of the class that they run. */
const RUNS: ReadonlyMap<string, string> = new Map([
  ...("all? any? chunk chunk_while collect collect_concat count cycle detect drop drop_while each_cons each_entry each_slice each_with_index each_with_object entries filter filter_map find find_all "
    + "find_index first flat_map grep grep_v group_by include? inject lazy map max max_by member? min min_by minmax none? one? partition reduce reject reverse_each select slice_when sort sort_by sum "
    + "take take_while tally to_a to_set uniq zip").split(" ").map((name): [string, string] => [name, "each"]),
  ...["<", "<=", ">", ">=", "==", "between?", "clamp"].map((name): [string, string] => [name, "<=>"]),
  ["respond_to?", "respond_to_missing?"], ["dup", "initialize_copy"], ["clone", "initialize_copy"],
]);
/** Methods of lists that compare what these hold. */
const SORTS = new Set(["sort", "sort!", "min", "max", "minmax"]);

/** The names of the calls that run methods of some names. */
export function callsThrough(names: ReadonlySet<string>): string[] {
  return [...[...RUNS].flatMap(([name, run]) => (names.has(run) ? name : [])), ...(names.has("<=>") ? SORTS : [])];
}

/** Answers which methods a call runs, and what it gives. */
export class Dispatch {
  readonly calls: Answers<Resolution>;

  constructor(private readonly checker: Checker) {
    this.calls = new Answers(checker.numbers, checker.trace, 1, NO_CALL, (source, at) => this.resolve(source, at), checker.depth, sameResolution);
  }

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
        if (name === "class" && this.isOfObject(source, code[at + 1]!)) {
          return { targets: [], type: { kind: "class", module: this.checker.program.moduleOf(source, contexts[code[at + 3]!]!.scope), self: true }, certainty: POSSIBLE };
        }
        const plain = code[at + 1] === 0 ? this.implicit(source, at, name, contexts[code[at + 3]!]!, args)
          : this.explicit(source, at, name, this.checker.operand(source, code[at + 1]!), args);
        return plain.targets.length === 0 && SENDS.has(name) && args.length > 0 ? this.sent(source, at, args) : plain;
      }
      case Op.Reference: {
        const name = strings[code[at + 2]!]!;
        const found = code[at + 1] === 0 ? this.implicit(source, 0, name, contexts[code[at + 3]!]!, [], false) : this.explicit(source, 0, name, this.checker.operand(source, code[at + 1]!), undefined);
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

  /** `object.send(name)`: what the names run that the value of the first argument may be. */
  private sent(source: Source, call: Offset, [name, ...args]: readonly Offset[]): Resolution {
    const { code, contexts } = source.data;
    const names = textsOf(this.checker.operand(source, name!).type);
    if (names.length === 0) return NO_CALL;
    const receiver = code[call + 1] ? this.checker.operand(source, code[call + 1]!) : undefined;
    const all = names.map((one) => (receiver ? this.explicit(source, 0, one, receiver, args) : this.implicit(source, 0, one, contexts[code[call + 3]!]!, args, false)));
    const most = names.length > FEW ? ONE_OF_MANY : names.length > 1 ? STORED : POSSIBLE;
    const targets = new Map(all.flatMap((one) => one.targets.map(({ method, confidence }) => [method, Math.min(confidence, most)] as const)));
    return { targets: [...targets].map(([method, confidence]) => ({ method, confidence })), type: unionOf(all.map(({ type }) => type)), certainty: lowest(POSSIBLE, all) };
  }

  /** Whether a record is the `self` of a block in the body of a class, which may run for an object. */
  private isOfObject({ data: { code, contexts } }: Source, at: Offset): boolean {
    const context = code[at] === Op.Self ? contexts[code[at + 1]!]! : undefined;
    return context?.loose === true && context.singleton && context.method < 0;
  }

  private eachGiven(source: Source, call: Offset): Operand {
    const { code, strings } = source.data;
    if (code[call] !== Op.Call) return NOTHING;
    const receiver = this.checker.receiver(source, call);
    const name = strings[code[call + 2]!]!;
    if (name === "tap" || name === "then") return receiver;
    const types = termsOf(receiver.type).map((term) => (term.kind === "core" ? (givenToBlock(term, name, 0, 1, UNKNOWN) ?? UNKNOWN) : UNKNOWN));
    return { type: unionOf(types), certainty: Math.min(receiver.certainty, INFERRED) };
  }

  /** What a block, or what stands for it, gives. */
  private blockResult(source: Source, call: Offset): Type {
    const { code } = source.data;
    const block = call ? code[call + (code[call] === Op.Super ? 2 : 4)]! : 0;
    if (code[block] === Op.Block) return this.checker.operand(source, code[block + 2]!).type;
    return code[block] === Op.Each ? this.resolution(source, block).type : UNKNOWN;
  }

  /** `name` is called on a receiver; `args` undefined where it is only named. */
  private explicit(source: Source, call: Offset, name: string, operand: Operand, args: readonly Offset[] | undefined): Resolution {
    const terms = termsOf(operand.type);
    const receiver = call && source.data.code[call] === Op.Call ? source.data.code[call + 1]! : 0;
    if (terms.length === 0) return this.guess(source, name, args, { receiver });
    const most = Math.min(operand.certainty, terms.length > 1 ? POSSIBLE : 1);
    const all = terms.map((term) => this.member(source, call, term, name, most));
    // Something else than what is known here has to be what has such a method.
    const guess = operand.certainty < KNOWN && all.every((one) => one.targets.length === 0 && !one.made && one.type.kind === "unknown") && terms.every((term) => this.isKnown(term)) ? this.guess(source, name, args, { receiver }) : NO_CALL;
    if (guess.targets.length > 0) return guess;
    const [only] = all;
    if (all.length === 1) return only!;
    const [made, ...others] = all.flatMap((one) => (one.made && one.made.confidence > 0 ? [one.made] : []));
    const one = made ?? all.find((each) => each.made)?.made;
    return {
      targets: all.flatMap(({ targets }) => targets), type: unionOf(all.map(({ type }) => type)), certainty: lowest(INFERRED, all),
      ...(one ? { made: others.length > 0 ? { ...one, others: others.map(({ module }) => module) } : one } : {}),
    };
  }

  /** Whether all methods of a type are known, or are Ruby's own. */
  private isKnown(type: Type): boolean {
    if (type.kind === "object" || type.kind === "class") return !this.checker.hierarchy.hasOutsiders(type.module);
    return type.kind === "core" && isCoreType(type.name);
  }

  /** A method of an object or class of one type. */
  private member(source: Source, call: Offset, type: Type, name: string, certainty: number): Resolution {
    switch (type.kind) {
      case "object":
      case "class": {
        const side: Side = type.kind === "object" ? "instance" : "singleton";
        const like = likeOf(name);
        if (like) return this.like(type.module, side, like, isOpen(type));
        const found = this.checker.hierarchy.find(type.module, side, name);
        if (found.length > 0) return this.found(source, found, type, certainty, type.self === true);
        return this.inherited(source, call, type, name, certainty);
      }
      case "core": {
        for (const module of this.checker.hierarchy.reopened(type.name)) {
          const found = this.checker.hierarchy.find(module, "instance", name);
          if (found.length > 0) return this.found(source, found, type, certainty, false);
        }
        const held = type.name === "Array" && type.element?.kind === "object" ? this.ofHeld(source, type, type.element.module, name, Math.min(certainty, INFERRED)) : undefined;
        if (held) return held;
        const entry = type.entries && this.entry(source, call, type.entries, name);
        if (entry) return { targets: [], type: entry, certainty: Math.min(certainty, INFERRED) };
        return { targets: [], type: libraryResult(type, name, this.blockResult(source, call)) ?? UNKNOWN, certainty: Math.min(certainty, INFERRED) };
      }
      case "outside":
        // What a class outside makes is nothing that a guess by name could be right about.
        return { targets: [], type: name === "new" ? this.madeOutside(source, call, type) : core("?"), certainty: Math.min(certainty, INFERRED) };
      default:
        return NO_CALL;
    }
  }

  /** An object of a class outside; `Hash.new { … }` and `Array.new(n) { … }` hold what the block gives. */
  private madeOutside(source: Source, call: Offset, type: Type): Type {
    const made = instanceOf(type);
    return made.kind === "core" && (made.name === "Hash" || made.name === "Array") ? core(made.name, this.blockResult(source, call)) : made;
  }

  /** Methods whose names a pattern means; what is `open` may be an object of what is below. */
  private like(module: Module, side: Side, like: Like, open: boolean): Resolution {
    const { hierarchy } = this.checker;
    const found = new Set<Method>();
    for (const { module: above, side: which } of hierarchy.order(module, side)) {
      for (const name of above.methods[which].keys()) if (like(name)) for (const method of hierarchy.find(module, side, name)) found.add(method);
    }
    for (const below of open ? hierarchy.allBelow(module) : []) {
      for (const which of hierarchy.sidesOf(below, module, side)) {
        for (const [name, methods] of below.methods[which]) if (like(name)) for (const method of methods) if (!method.source.test) found.add(method);
      }
    }
    const confidence = likeliness(new Set([...found].map(({ fact }) => fact.name)).size);
    return { targets: confidence === undefined ? [] : [...found].map((method) => ({ method, confidence })), type: UNKNOWN, certainty: 0 };
  }

  /** What a list has by the objects that it holds: a relation of ActiveRecord has what its class has, and sorting compares. */
  private ofHeld(source: Source, list: Type, held: Module, name: string, certainty: number): Resolution | undefined {
    const { hierarchy } = this.checker;
    const ofClass = isCoreName(name) ? [] : hierarchy.find(held, "singleton", name);
    if (ofClass.length > 0) return this.found(source, ofClass, { kind: "class", module: held }, certainty, false);
    if ((RECORDS.has(name) || RECORD.has(name)) && hierarchy.hasOutsiders(held)) return { targets: [], type: RECORDS.has(name) ? list : { kind: "object", module: held }, certainty };
    const compares = SORTS.has(name) ? hierarchy.find(held, "instance", "<=>") : [];
    return compares.length > 0 ? { ...this.found(source, compares, { kind: "object", module: held }, Math.min(certainty, POSSIBLE), false), type: libraryResult(list, name, UNKNOWN) ?? UNKNOWN } : undefined;
  }

  /** What a hash has under the symbol that a call asks for; undefined when it asks for no symbol. */
  private entry({ data: { code, strings } }: Source, call: Offset, entries: ReadonlyMap<string, Type>, name: string): Type | undefined {
    const first = call && code[call] === Op.Call && code[call + 5]! > 0 ? code[call + 6]! : 0;
    const key = ENTRY.has(name) && code[first] === Op.Symbol ? strings[code[first + 1]!]! : undefined;
    return key === undefined || likeOf(key) ? undefined : (entries.get(key) ?? UNKNOWN);
  }

  /** Methods that were found for a receiver, and what they give. */
  private found(source: Source, methods: readonly Method[], receiver: Type, certainty: number, self: boolean): Resolution {
    const chosen = this.choose(source, methods);
    const confidence = chosen.length > 1 ? Math.min(certainty, POSSIBLE) : certainty;
    const targets: Target[] = chosen.map((method) => ({ method, confidence }));
    // An abstract method is there for those below it, and self may be an object of one of those.
    if ((receiver.kind === "object" || receiver.kind === "class") && (self || receiver.below || chosen.every(({ fact }) => fact.abstract))) {
      const below = this.belowNamed(receiver.module, receiver.kind === "object" ? "instance" : "singleton", chosen[0]!.fact.name, Math.min(certainty, POSSIBLE));
      targets.push(...below.filter(({ method }) => !chosen.includes(method)));
    }
    const results = chosen.map((method) => this.result(method));
    const type = withSelf(unionOf(results.map((one) => one.type)), receiver);
    return { targets, type: self ? type : dropSelf(type), certainty: Math.min(certainty, lowest(INFERRED, results)) };
  }

  /** Of several definitions those of the same file, and a few of others: which one is loaded last is not known. Else those that are no tests. */
  private choose(source: Source, methods: readonly Method[]): readonly Method[] {
    if (methods.length < 2) return methods;
    const here: Method[] = [];
    for (const method of methods) if (method.source === source && here.push(method) === MAX_DEFINITIONS) break;
    const plain = methods.filter((method) => !method.source.test);
    if (here.length === 0) return (plain.length > 0 ? plain : methods).slice(0, MAX_CHOSEN);
    const elsewhere = source.test ? [] : plain.filter((method) => method.source !== source);
    return elsewhere.length < MAX_CHOSEN ? [...here, ...elsewhere] : here;
  }

  private result(method: Method): Operand {
    if (method.fact.documented) {
      const said = this.checker.operand(method.source, method.fact.documented);
      if (said.type.kind !== "unknown") return said;
    }
    return this.checker.filled(method, this.checker.operand(method.source, method.fact.result));
  }

  /** Methods of that name in what is below. */
  private belowNamed(module: Module, side: Side, name: string, confidence: number): Target[] {
    return possible(this.checker.hierarchy.declaredIn(module, side, name), confidence);
  }

  /** What a class or object has that no code of its own says. */
  private inherited(source: Source, call: Offset, type: Type & { kind: "object" | "class" }, name: string, certainty: number): Resolution {
    const { module } = type;
    if (type.kind === "class") {
      if (module.kind === "module") {
        // `self.class` in a module that is mixed in: what comes with it for the classes themselves.
        const found = this.checker.hierarchy.ofClasses(module).flatMap((one) => this.checker.hierarchy.find(one, "instance", name));
        if (found.length > 0) return this.found(source, found, type, Math.min(certainty, INFERRED), type.self === true);
      }
      if (name === "new" && module.kind === "class") {
        return this.made(source, module, certainty, type);
      }
      if (name === "allocate" || name === "instance" || RECORD.has(name)) {
        if (name === "allocate" || this.checker.hierarchy.hasOutsiders(module)) return { targets: [], type: { kind: "object", module }, certainty: Math.min(certainty, INFERRED) };
      }
      if (RECORDS.has(name) && this.checker.hierarchy.hasOutsiders(module)) return { targets: [], type: core("Array", { kind: "object", module }), certainty: Math.min(certainty, INFERRED) };
      // The superclass of what `self` may be, a class below, is of the same kind.
      if (name === "superclass" && isOpen(type)) return { targets: [], type, certainty: Math.min(certainty, POSSIBLE) };
      if (name === "name" || name === "to_s") return { targets: [], type: core("String"), certainty };
      if (name === "new") return NO_CALL;
      // `SendJob.perform_later(user)`, `UserMailer.welcome(user)`
      const isQueued = QUEUES.has(name) && this.checker.hierarchy.hasOutsiders(module);
      const runs = isQueued || MAILER.test(module.name) ? this.checker.hierarchy.find(module, "instance", isQueued ? "perform" : name) : [];
      if (runs.length > 0) return { ...this.found(source, runs, { kind: "object", module }, Math.min(certainty, INFERRED), false), type: UNKNOWN };
      if (OPTIONS.has(name) && this.checker.hierarchy.hasOutsiders(module)) return { targets: [], type, certainty };
      if (name === "const_get") return { targets: [], type: unionOf([...module.constants.values()].flatMap((one) => (isModule(one) ? { kind: "class", module: one } : []))), certainty: POSSIBLE };
    } else if (name === "class" || name === "singleton_class") {
      return { targets: [], type: { kind: "class", module, ...marksOf(type) }, certainty };
    }
    const runs = type.kind === "object" ? RUNS.get(name) : undefined;
    const through = runs === undefined ? [] : this.checker.hierarchy.find(module, "instance", runs);
    if (through.length > 0) {
      const made = libraryResult(runs === "each" ? core("Array") : type, name, this.blockResult(source, call)) ?? UNKNOWN;
      return { ...this.found(source, through, type, Math.min(certainty, this.checker.hierarchy.hasOutsiders(module) ? POSSIBLE : INFERRED), type.self === true), type: made };
    }
    const given = libraryResult(type, name, this.blockResult(source, call));
    if (given) return { targets: [], type: given, certainty: Math.min(certainty, INFERRED) };
    // Methods that only those below have: a module's users, an abstract class's subclasses.
    const side: Side = type.kind === "object" ? "instance" : "singleton";
    const isRubys = module.kind === "class" && (type.self && type.kind === "object" ? isObjectName(name) : isCoreName(name));
    const targets = isHook(name) || isRubys ? [] : this.belowNamed(module, side, name, certainty);
    const shared = targets.length === 0 && module.kind === "module" && isOpen(type) ? this.ofUsers(module, side, name, certainty) : targets;
    if (shared.length === 0 && type.kind === "object" && !(type.self && module.kind === "module") && name !== MISSING && !isObjectName(name) && !(isCoreName(name) && this.checker.hierarchy.hasOutsiders(module))) {
      const missing = this.checker.hierarchy.find(module, "instance", MISSING);
      if (missing.length > 0) return this.found(source, missing, type, Math.min(certainty, type.self ? POSSIBLE : INFERRED), false);
    }
    const results = shared.length > MAX_BELOW ? [] : shared.map(({ method }) => this.result(method));
    return { targets: shared, type: dropSelf(unionOf(results.map((one) => one.type))), certainty: lowest(POSSIBLE, results) };
  }

  /** What `raise Problem` runs. */
  raised(source: Source, call: Offset): Resolution {
    return this.calls.ask(this.checker.numbers.raisedBy(source, call), () => {
      const { type, certainty } = this.checker.operand(source, source.data.code[call + 6]!);
      return type.kind === "class" ? this.made(source, type.module, certainty) : NO_CALL;
    });
  }

  /** What making an object of a class runs. */
  private made(source: Source, module: Module, certainty: number, of: ModuleType = { kind: "class", module }): Resolution {
    const initialize = this.checker.hierarchy.find(module, "instance", "initialize");
    // A struct's has no symbol, and runs the next one above.
    const written = initialize.some(({ fact }) => fact.symbol >= 0) ? initialize.filter(({ fact }) => fact.symbol >= 0)
      : initialize.length === 0 ? [] : this.checker.hierarchy.search(module, "instance", "initialize", initialize[0]!.owner).filter(({ fact }) => fact.symbol >= 0);
    const chosen = this.choose(source, written);
    const own = chosen.map((method) => ({ method, confidence: chosen.length > 1 ? Math.min(certainty, POSSIBLE) : certainty }));
    // A struct's tells what its members are given.
    const hidden = initialize.some(({ fact }) => fact.symbol >= 0) ? [] : initialize.map((method) => ({ method, confidence: certainty }));
    // `new` of a class itself may make an object of one below.
    const below = isOpen(of) ? this.belowNamed(module, "instance", "initialize", Math.min(certainty, POSSIBLE)) : [];
    return {
      targets: [...own, ...hidden, ...below], made: { module, confidence: own.length > 0 ? 0 : certainty },
      type: { kind: "object", module, ...marksOf(of) }, certainty: Math.min(certainty, KNOWN),
    };
  }

  /** A method that all classes which include a module inherit from elsewhere. */
  private ofUsers(module: Module, side: Side, name: string, confidence: number): Target[] {
    return possible(this.checker.hierarchy.inheritedIn(module, side, name), confidence);
  }

  /** A call without a receiver: of `self`, or of a method of the file. */
  private implicit(source: Source, call: Offset, name: string, context: ContextFact, args: readonly Offset[], guessing = true): Resolution {
    const self = this.checker.self(source, context);
    const module = this.checker.program.moduleOf(source, context.scope);
    if (module !== this.checker.program.root) {
      const found = this.member(source, call, self.type, name, self.certainty);
      if (found.targets.length > 0 || found.made) return found;
      // A block in a class's body may run for an object, one in a method for a class.
      if (context.loose || context.method < 0) {
        const other: Type = { kind: context.singleton ? "object" : "class", module };
        const there = this.checker.hierarchy.find(module, context.singleton ? "instance" : "singleton", name);
        if (context.loose && there.length > 0) return this.found(source, there, other, POSSIBLE, false);
      }
      if (found.type.kind !== "unknown") return found;
    }
    const here = this.checker.program.functions[source.index]!.get(name);
    if (here) return this.function(here.slice(0, MAX_DEFINITIONS), 0.9);
    if (module === this.checker.program.root || !isCoreName(name)) {
      const elsewhere = this.functionsElsewhere(source, name);
      if (elsewhere.length === 1 && !isCoreName(name)) return this.function(elsewhere, POSSIBLE);
      const mixed = this.mixedIntoFile(source, name);
      if (mixed.length > 0) return this.found(source, mixed, MAIN, INFERRED, false);
    }
    const given = libraryResult(MAIN, name, UNKNOWN);
    if (given) return { targets: [], type: given, certainty: INFERRED };
    const fromOutside = module !== this.checker.program.root && this.checker.hierarchy.hasOutsiders(module);
    if (!guessing || (fromOutside && module.kind !== "module")) return NO_CALL;
    if (module === this.checker.program.root && !context.loose) return NO_CALL;
    // A name without arguments may be anything: a method of a class outside, or one that is made at run time.
    if (args.length === 0) return NO_CALL;
    // A module that includes one from a library is mixed into classes, which may include other modules of the code base, too.
    return fromOutside ? this.guess(source, name, args, { kind: "module", confidence: POSSIBLE }) : this.guess(source, name, args);
  }

  private function(methods: readonly Method[], confidence: number): Resolution {
    const own = methods.filter(({ fact }) => fact.symbol >= 0);
    const results = methods.map((method) => this.result(method));
    const type = unionOf(results.map((one) => one.type));
    return { targets: own.map((method) => ({ method, confidence: own.length > 1 ? POSSIBLE : confidence })), type, certainty: lowest(INFERRED, results) };
  }

  /** Functions of that name in files that are not tests. */
  private functionsElsewhere(source: Source, name: string): readonly Method[] {
    return this.checker.program.functionsNamed(name).filter((method) => !method.source.test || source.test);
  }

  /** Methods of modules that the file, or a block in it, includes. */
  private mixedIntoFile(source: Source, name: string): readonly Method[] {
    for (const { source: from, fact } of this.checker.program.root.mixins) {
      if (from !== source && (fact.hooked || fact.how !== "include" || from.test !== source.test)) continue;
      const type = this.checker.operand(from, fact.value).type;
      const found = type.kind === "class" ? this.checker.hierarchy.find(type.module, "instance", name) : [];
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The next method of the name above. */
  private above(source: Source, at: Offset): Resolution {
    const { code, contexts } = source.data;
    const context = contexts[code[at + 1]!]!;
    const method = context.method < 0 ? undefined : this.checker.program.method(source, context.method);
    if (!method?.owner) return NO_CALL;
    const side: Side = context.singleton ? "singleton" : "instance";
    const { owner, fact } = method;
    // What a struct makes objects with stands in the class itself.
    const hidden = fact.name === "initialize" ? (owner.methods.instance.get(fact.name) ?? []).filter((one) => one.fact.symbol < 0 && one !== method) : [];
    const next = hidden.length > 0 ? hidden : this.checker.hierarchy.search(owner, side, fact.name, owner).filter((one) => one.fact.symbol >= 0 || fact.name === "initialize");
    const receiver: Type = { kind: side === "instance" ? "object" : "class", module: owner, self: true };
    if (next.length > 0) return this.found(source, next, receiver, KNOWN, true);
    // A module's method goes on in the classes that mix it in.
    const found = new Set<Method>();
    const below = this.checker.hierarchy.allBelow(owner);
    for (const user of below) {
      if (this.checker.hierarchy.inheritsOnlyFrom(user, below)) continue;
      for (const which of ["instance", "singleton"] as const) {
        for (const one of this.checker.hierarchy.search(user, which, fact.name, owner)) if (one !== method && one.fact.symbol >= 0) found.add(one);
      }
      if (found.size > MAX_BELOW) break;
    }
    if (found.size === 0 || found.size > MAX_BELOW) {
      if (fact.name === "new" && owner.kind === "module") return { targets: this.madeByExtended(owner), type: UNKNOWN, certainty: 0 };
      return fact.name === "new" && side === "singleton" && owner.kind === "class" ? this.made(source, owner, INFERRED, { kind: "class", module: owner, self: true }) : NO_CALL;
    }
    return { targets: [...found].map((one) => ({ method: one, confidence: POSSIBLE })), type: UNKNOWN, certainty: 0 };
  }

  /** What makes objects of the classes that a module extends, whose `new` it takes the place of. */
  private madeByExtended(module: Module): Target[] {
    const { hierarchy } = this.checker;
    const extended = [...hierarchy.allBelow(module)].filter((one) => one.kind === "class" && hierarchy.isExtendedBy(one, module));
    const all = new Set(extended.flatMap((one) => hierarchy.find(one, "instance", "initialize")).filter(({ fact, source }) => fact.symbol >= 0 && !source.test));
    return all.size > MAX_HEIRS ? [] : possible([...all], POSSIBLE);
  }

  /** The one method that has the name, or the topmost of a family; only a guess. With `kind`, of the methods of classes or of modules alone. `receiver` is what it is called on. */
  private guess(source: Source, name: string, args: readonly Offset[] | undefined, { kind, confidence = GUESS, receiver = 0 }: { kind?: Module["kind"]; confidence?: number; receiver?: Offset } = {}): Resolution {
    const isCore = isCoreName(name);
    const known = isCore && (isObjectName(name) || !receiver) ? undefined : this.checker.program.byName.get(name);
    const named = kind === undefined ? known : known?.filter(({ owner }) => owner?.kind === kind);
    if (!named || named.length > MAX_NAMED) return NO_CALL;
    const others = receiver ? calledOn(source.data, receiver).filter((one) => one !== name && !isObjectName(one)) : [];
    if (isCore && others.every(isCoreName)) return NO_CALL;
    let all = named.filter((method) => (source.test || !method.source.test) && (args === undefined || takes(source, method, args)));
    const having = others.length === 0 ? [] : all.filter((method) => this.hasAll(method, others));
    if (having.length > 0) all = having;
    else if (isCore) return NO_CALL;
    if (all.length === 0) return NO_CALL;
    const owners = [...new Set(all.map(({ owner }) => owner!))];
    const top = owners.find((owner) => owners.every((other) => other === owner || this.checker.hierarchy.allBelow(owner).has(other)));
    if (!top) {
      const related = !isCore && all.length <= MAX_BELOW && this.areRelated(owners);
      return related ? { targets: all.map((method) => ({ method, confidence: ONE_OF_MANY })), type: UNKNOWN, certainty: 0 } : NO_CALL;
    }
    const chosen = this.choose(source, all.filter(({ owner }) => owner === top));
    // The object may as well be one of a class below that has the method anew.
    const over = all.filter(({ owner }) => owner !== top);
    return { targets: [...chosen.map((method) => ({ method, confidence })), ...over.map((method) => ({ method, confidence: ONE_OF_MANY }))], type: UNKNOWN, certainty: 0 };
  }

  /** Whether classes, and those that mix modules in, all inherit from one class of the code base. */
  private areRelated(owners: readonly Module[]): boolean {
    const { hierarchy } = this.checker;
    const classes = owners.flatMap((owner) => (owner.kind === "class" ? [owner] : [...hierarchy.allBelow(owner)].filter(({ kind }) => kind === "class")));
    const [first, ...others] = classes.length > MAX_HEIRS ? [] : classes;
    return first !== undefined && hierarchy.order(first, "instance").some(({ module }) => (
      module.kind === "class" && others.every((one) => one === module || hierarchy.allBelow(module).has(one))
    ));
  }

  /** Whether objects that have a method have methods of all these names. */
  private hasAll({ owner, fact }: Method, names: readonly string[]): boolean {
    const { hierarchy } = this.checker;
    const side: Side = fact.side === "singleton" ? "singleton" : "instance";
    const below = hierarchy.allBelow(owner!);
    return [owner!, ...(below.size > MAX_HEIRS ? [] : below)].some((module) => names.every((name) => hierarchy.search(module, side, name).length > 0));
  }
}

/** The one method that may run, or several of which any may; none when they were too many to say anything. */
function possible(methods: readonly Method[] | undefined, certainty: number): Target[] {
  if (!methods) return [];
  const confidence = Math.min(certainty, methods.length > MAX_BELOW ? ONE_OF_MANY : methods.length > 1 ? POSSIBLE : INFERRED);
  return methods.map((method) => ({ method, confidence }));
}
