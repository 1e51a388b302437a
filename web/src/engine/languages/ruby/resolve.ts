import { attend, spend } from "../../effort.ts";
import { type Emit, FEW, ONE_OF_MANY, type ProjectFile, STORED, type Stores, type SymbolRef } from "../../language.ts";
import { emitPassed } from "../passed.ts";
import { isNamedByValue } from "./arguments.ts";
import { Checker, type Passed, type Site } from "./checker.ts";
import { Op, type RubyFacts } from "./facts.ts";
import type { Above } from "./hierarchy.ts";
import { Loader } from "./imports.ts";
import { Numbers } from "./numbers.ts";
import { GUESS, type Resolution } from "./operand.ts";
import { type Given, givenFor, isModule, type Method, type Module, partFor, Program, type Source } from "./program.ts";
import { Stored } from "./stored.ts";

/** Arguments tell what parameters are, which tells what further arguments are: so often this is gone through. */
const ROUNDS = 3;
/** Methods that put their last argument into a list or table. */
const FILLS = new Set(["<<", "[]=", "add", "append", "prepend", "push", "unshift"]);
/** A guess must not say what a parameter is. */
const SURE = 0.6;
const NOBODY: Emit = () => undefined;

/** Joins all files, or some again; see Language.resolve. */
export class Resolver {
  program: Program;
  readonly numbers: Numbers;
  /** One for each round. */
  readonly checkers: Checker[] = [];
  /** How much was asked to find out where methods are looked for. */
  private settled = 0;
  private loader: Loader;

  constructor(files: readonly ProjectFile<RubyFacts>[]) {
    this.program = new Program(files);
    this.numbers = new Numbers(this.program.sources);
    this.loader = new Loader(this.program);
  }

  /** Works all out, and emits it. */
  all(emit: Emit, stores?: Stores): void {
    const { program, numbers, checkers } = this;
    const { sources } = program;
    for (let round = 0; round < ROUNDS; round++) {
      const passed: Passed = new Map();
      if (round > 0) for (const source of sources) passedBy(source, checkers[round - 1]!, passed);
      checkers.push(new Checker(program, numbers, passed, checkers[0]?.hierarchy));
      if (round === 0) this.settled = checkers[0]!.trace.size;
    }
    this.emit(sources, emit, stores);
  }

  /** Takes another program, where `asked` has found out where methods are looked for. Returns whether what that rests on is answered as it was. */
  take(program: Program, asked: Checker): boolean {
    const [first] = this.checkers;
    const before = first!.trace.askedFirst(this.settled);
    const now = asked.trace.askedFirst(asked.trace.size);
    if (asked.trace.cut || before.size !== now.size || [...now].some((node) => !before.has(node) || first!.differs(node, asked.known(node)))) return false;
    const { hierarchy } = asked;
    hierarchy.typeAt = (source, at) => first!.meaning(source, at);
    this.program = program;
    this.loader = new Loader(program);
    for (const checker of this.checkers) Object.assign(checker, { program, hierarchy });
    return true;
  }

  /** Asks all that the code of a file asks in a round. */
  ask(round: number, source: Source): void {
    if (round === ROUNDS - 1) this.emitUses(source, NOBODY);
    else passedBy(source, this.checkers[round]!, new Map());
  }

  /** Emits the relations that leave these files, and what is above all classes. */
  emit(sources: readonly Source[], emit: Emit, stores?: Stores): void {
    for (const source of sources) this.loader.emit(source, emit);
    attend();
    this.emitAbove(emit);
    for (const source of sources) {
      this.emitUses(source, emit);
      if (stores) new Stored(this.checkers[ROUNDS - 1]!, source, stores).say();
    }
  }

  /** Emits what files load. */
  emitLoaded(source: Source, emit: Emit): void {
    this.loader.emit(source, emit);
  }

  /** Emits what is above all classes. */
  emitAbove(emit: Emit): void {
    for (const module of this.program.modules) {
      for (const one of this.checkers[0]!.hierarchy.above(module)) {
        const to = one.said && symbolOf(one.module, one.said.source);
        const from = to && sayer(module, one.said!);
        if (from) emit("EXTENDS", from, to, 1, one.said!.fact.line);
      }
    }
  }

  /** Whether code of a file leads to one of these methods or modules, as far as it is known. */
  leadsTo(source: Source, methods: ReadonlySet<Method>, modules: ReadonlySet<Module>): boolean {
    const { numbers, checkers } = this;
    const checker = checkers[ROUNDS - 1]!;
    return numbers.usesOf(source).some((node) => {
      const known = checker.known(node);
      if (!known) return false;
      if (node % 2 === 0) return known.type.kind === "class" && modules.has(known.type.module);
      const { targets, made } = known as Resolution;
      return targets.some(({ method }) => methods.has(method)) || (made !== undefined && [made.module, ...made.others ?? []].some((one) => modules.has(one)));
    });
  }

  /** The files whose classes a file gives something above, beside its own. */
  *extendedBy(source: Source): Generator<Source> {
    for (const module of this.program.modules) {
      for (const { said } of this.checkers[0]!.hierarchy.above(module)) {
        const from = said?.source === source && sayer(module, said);
        if (from) yield this.program.sources[from.file]!;
      }
    }
  }

  /** Emits which class is named in `Problem.new` where what makes the object is inherited, or from outside. */
  private emitNamed(source: Source, at: number, { targets, made }: Resolution, from: SymbolRef, line: number, emit: Emit): void {
    const named = this.checkers[ROUNDS - 1]!.constant(source, source.data.code[at + 1]!);
    if (!named || !isModule(named) || targets.some(({ method }) => method.owner === named)) return;
    const to = (made?.module === named && made.confidence > 0) ? undefined : symbolOf(named, source);
    if (to) emit("REFERENCES", from, to, 1, line);
  }

  private emitUses(source: Source, emit: Emit): void {
    attend(source.index);
    const { code, strings, uses } = source.data;
    const checker = this.checkers[ROUNDS - 1]!;
    checker.trace.time = source.index + 1;
    const told = toldOtherwise(source);
    for (let i = 0; i < uses.length; i += 3) {
      const at = uses[i]!;
      const line = uses[i + 2]!;
      const from: SymbolRef = { file: source.index, symbol: uses[i + 1]! };
      if (isConstant(code[at]!)) {
        const { type } = checker.operand(source, at);
        const loaded = type.kind === "class" ? this.loader.isAutoloaded(type.module, source) : undefined;
        if (loaded && loaded.file !== source.index) emit("IMPORTS", { file: source.index, symbol: -1 }, { file: loaded.file, symbol: -1 }, 0.9, line);
        const named = checker.constant(source, at);
        const to = named && (isModule(named) ? (told.has(at) ? undefined : symbolOf(named, source)) : constantOf(givenFor(named, source)));
        if (to && to.symbol >= 0) emit("REFERENCES", from, to, 1, line);
        continue;
      }
      const resolution = checker.dispatch.resolution(source, at);
      if (isNew(source, at)) this.emitNamed(source, at, resolution, from, line, emit);
      if (code[at] === Op.Reference || code[at] === Op.Each) {
        for (const { method, confidence } of resolution.targets) {
          const to = refOf(method);
          if (to) emitPassed(emit, from, to, confidence, line);
        }
        emitResolution({ ...resolution, targets: [] }, source, from, line, emit);
      } else {
        emitResolution(resolution, source, from, line, emit);
      }
      // `raise Problem` makes one.
      if (code[at] === Op.Call && code[at + 1] === 0 && code[at + 5]! > 0 && /^(?:raise|fail)$/.test(strings[code[at + 2]!]!)) {
        emitResolution(checker.dispatch.raised(source, at), source, from, line, emit);
      }
    }
    this.emitGlobals(source, emit);
  }

  /** Leads uses of global variables to where these are declared: in their own file, and in others that may be loaded with it. */
  private emitGlobals(source: Source, emit: Emit): void {
    const { globals, strings } = source.data;
    const known = new Map<number, readonly [to: SymbolRef, confidence: number][]>();
    for (let i = 0; i < globals.length; i += 3) {
      const name = globals[i]!;
      let declared = known.get(name);
      if (!declared) known.set(name, (declared = this.declared(source, strings[name]!)));
      for (const [to, confidence] of declared) emit("REFERENCES", { file: source.index, symbol: globals[i + 1]! }, to, confidence, globals[i + 2]!);
    }
  }

  /** Where a global variable that a file uses is declared. Of many files that declare it, each most likely has its own. */
  private declared(source: Source, name: string): [to: SymbolRef, confidence: number][] {
    const all = (this.program.globals.get(name) ?? []).filter(({ symbol, source: home }) => symbol !== undefined && (home === source || !home.test));
    spend(all.length);
    const isOwn = all.some(({ source: home }) => home === source);
    return (all.length > FEW ? all.filter((one) => one.source === source) : all).map(({ source: home, symbol }) => (
      [{ file: home.index, symbol: symbol! }, home === source || all.length === 1 ? 1 : isOwn ? ONE_OF_MANY : STORED]
    ));
  }
}

/** Constants whose classes other relations tell of: what is above the class around them, and what `new` is called on. */
function toldOtherwise(source: Source): Set<number> {
  const { code, uses, scopes, mixins } = source.data;
  const told = new Set<number>();
  // A class without a name has no relation to what it inherits.
  for (const { superclass, symbol } of scopes) if (symbol >= 0) told.add(superclass);
  for (const { hooked, scope, target, value } of mixins) if (!hooked && scope > 0 && target === 0) told.add(value);
  for (let i = 0; i < uses.length; i += 3) if (isNew(source, uses[i]!)) told.add(code[uses[i]! + 1]!);
  return told;
}

/** Whether code makes an object of a class that it names. */
function isNew({ data: { code, strings } }: Source, at: number): boolean {
  return code[at] === Op.Call && strings[code[at + 2]!] === "new" && isConstant(code[code[at + 1]!]!);
}

function isConstant(op: number): boolean {
  return op === Op.Constant || op === Op.Top || op === Op.Scoped;
}

/** Adds what the calls of a file pass to methods. */
export function passedBy(source: Source, checker: Checker, passed: Passed): void {
  attend(source.index);
  const { code, uses } = source.data;
  checker.trace.time = source.index + 1;
  for (let i = 0; i < uses.length; i += 3) {
    const call = uses[i]!;
    if (code[call] !== Op.Call && code[call] !== Op.Super) continue;
    const resolution = checker.dispatch.resolution(source, call);
    addPassed(source, call, resolution, checker.numbers, passed);
    const list = filledBy(source, call, resolution);
    if (list) addFilled(source, call, checker.dispatch.resolution(source, list), checker.numbers, passed);
  }
}

/** The same as far as it is known, without asking anything. */
export function knownPassedBy(source: Source, checker: Checker): Passed {
  const { code, uses } = source.data;
  const passed: Passed = new Map();
  for (let i = 0; i < uses.length; i += 3) {
    const call = uses[i]!;
    const known = code[call] === Op.Call || code[call] === Op.Super ? checker.dispatch.calls.peek(source, call) : undefined;
    if (!known) continue;
    addPassed(source, call, known, checker.numbers, passed);
    const list = filledBy(source, call, known);
    const given = list ? checker.dispatch.calls.peek(source, list) : undefined;
    if (given) addFilled(source, call, given, checker.numbers, passed);
  }
  return passed;
}

function addPassed(source: Source, call: number, { targets }: Resolution, numbers: Numbers, passed: Map<Method, Site[]>): void {
  for (const { method, confidence } of targets) {
    // What tests hand over are often doubles.
    if ((confidence < SURE && !(confidence !== GUESS && isNamedByValue(source, call))) || method.fact.parameters.length === 0 || (source.test && !method.source.test)) continue;
    add(passed, method, { source, call, number: numbers.of(source, call) });
  }
}

/** The call without arguments that gives the list or table which another one puts something into, or 0. */
function filledBy({ data: { code, strings } }: Source, call: number, { targets }: Resolution): number {
  const receiver = code[call] === Op.Call ? code[call + 1]! : 0;
  return receiver > 0 && code[receiver] === Op.Call && code[receiver + 5] === 0 && targets.length === 0 && code[call + 5]! > 0 && FILLS.has(strings[code[call + 2]!]!) ? receiver : 0;
}

/** Adds what is put into what methods give: what these are given, as they have no parameters. */
function addFilled(source: Source, call: number, { targets }: Resolution, numbers: Numbers, passed: Map<Method, Site[]>): void {
  for (const { method, confidence } of targets) {
    if (confidence < SURE || method.fact.parameters.length > 0 || (source.test && !method.source.test)) continue;
    add(passed, method, { source, call, number: numbers.of(source, call) });
  }
}

function add(passed: Map<Method, Site[]>, method: Method, site: Site): void {
  const list = passed.get(method);
  if (list) list.push(site);
  else passed.set(method, [site]);
}

/** Where it is said what is above a module: the symbol that says so, else the module's own. */
function sayer(module: Module, { source, fact }: NonNullable<Above["said"]>): SymbolRef | undefined {
  const symbol = "symbol" in fact ? fact.symbol : fact.target === 0 ? (source.data.scopes[fact.scope]?.symbol ?? -1) : -1;
  return symbol >= 0 ? { file: source.index, symbol } : symbolOf(module, source);
}

function emitResolution({ targets, made }: Resolution, source: Source, from: SymbolRef, line: number, emit: Emit): void {
  for (const { method, confidence } of targets) {
    const to = refOf(method);
    if (to) emit("CALLS", from, to, confidence, line);
  }
  if (!made || made.confidence <= 0) return;
  for (const module of [made.module, ...made.others ?? []]) {
    const to = symbolOf(module, source);
    if (to) emit("CALLS", from, to, made.confidence, line);
  }
}

function refOf({ fact, source }: Method): SymbolRef | undefined {
  return fact.symbol < 0 ? undefined : { file: source.index, symbol: fact.symbol };
}

/** The symbol of a module, as a file names it. */
function symbolOf(module: Module, by: Source): SymbolRef | undefined {
  const part = partFor(module, by);
  return part && { file: part.source.index, symbol: part.fact.symbol };
}

function constantOf({ source, symbol = -1 }: Given): SymbolRef {
  return { file: source.index, symbol };
}
