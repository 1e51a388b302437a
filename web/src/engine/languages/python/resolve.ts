import { attend } from "../../effort.ts";
import type { Emit, Project, Stores, SymbolRef } from "../../language.ts";
import { isProperty, metaMember } from "./attributes.ts";
import type { Target } from "./callees.ts";
import { Callees } from "./callees.ts";
import { callsOf, findMember, functionsOf, isProtocol, type Member, mroOf, opOf, ownMember } from "./classes.ts";
import { constructorsOf, runsOf } from "./constructors.ts";
import { Evaluator, SURE } from "./evaluate.ts";
import type { PyFacts } from "./facts.ts";
import { FunctionFlag, Op, Operation } from "./facts.ts";
import { passedBy } from "./calls.ts";
import { FORGETFUL, WRITES } from "./containers.ts";
import { decoratorsAt } from "./decorators.ts";
import { resolveImports } from "./dependencies.ts";
import { HeldBack } from "./held-back.ts";
import { Heirs } from "./heirs.ts";
import { eachFixture } from "./injected.ts";
import { methodsOf, type Method } from "./methods.ts";
import { COMMON } from "./names.ts";
import type { Callable, Cls, SourceFile } from "./program.ts";
import { Program } from "./program.ts";
import { Operations } from "./operations.ts";
import { Overrides } from "./overrides.ts";
import { only } from "./questions.ts";
import { Sites } from "./sites.ts";
import { CALL } from "./slots.ts";
import { Stored, type Passing, type Run } from "./stored.ts";
import { argumentsOf, besideType } from "./syntax.ts";
import { isMadeProperty, itemsOf, type Type } from "./types.ts";
import { emitPassed, MAY_CALL } from "../passed.ts";

/** How sure an edge is to a method that overrides the one that a call names. */
const OVERRIDE = 0.6;
/** How sure an edge is that only the name of a method speaks for. */
const GUESS = 0.4;
/** Expressions that may be an object with a class of its own. */
const NAMED: ReadonlySet<Op> = new Set([Op.Name, Op.Local, Op.Call, Op.Attr, Op.FlowAttr, Op.Param]);

/** What is kept of the work on a project, for a change of it. By file, in the project's order. */
export interface Work {
  /** What its calls pass for parameters that declare no type, in their order: quadruples of file, function, parameter, expression. */
  notes: readonly Int32Array[];
  /** The same by what it is passed to. */
  sites: Sites;
  /** What is above its classes: triples of a class, and the file and class of what is above it. */
  above: readonly Int32Array[];
  /** The names of its properties. */
  properties: readonly (readonly string[])[];
  /** All methods by name. */
  methods: ReadonlyMap<string, readonly Method[]>;
}

/** Joins the facts of all Python files, or of some: emits calls, imports and base classes. */
export class Resolver implements Work {
  readonly program: Program;
  readonly notes: Int32Array[];
  readonly above: Int32Array[];
  readonly properties: (readonly string[])[];
  readonly methods: Work["methods"];
  private readonly prepared = new HeldBack();
  private readonly isPrepared = new Set<SourceFile>();
  private emit: Emit = this.prepared.take;
  readonly evaluator: Evaluator;
  private readonly callees: Callees;
  private readonly operations: Operations;
  private derived: Heirs | undefined;
  private overriding: Overrides | undefined;
  /** The names of all properties. */
  private propertyNames: ReadonlySet<string> | undefined;
  /** The methods of each name that was asked for, and the question for them. */
  private readonly namesakes = new Map<string, { question: number; methods: readonly Method[] }>();
  /** By file: calls of attributes of which nothing is known yet; reads of attributes; and operations, as quadruples with expression, symbol and line. */
  private readonly open: number[][];
  private readonly openReads: number[][];
  private readonly openOperations: number[][];
  /** By file: calls of which it is known what they run; what is called that may run something else, too, as quadruples of expression, symbol, line and call; and what is done with objects of which nothing is known. */
  private readonly passing: Passing[][];
  private readonly unsure: number[][];
  private readonly runs: Run[][];
  private passed: Sites | undefined;
  private readonly sitesBefore: Sites | undefined;

  /** `before`: the work of which a part is redone. `evaluator`: what may have found something of the project already. */
  constructor(project: Project<PyFacts>, before?: Work, evaluator = new Evaluator(new Program(project))) {
    this.evaluator = evaluator;
    this.program = evaluator.program;
    this.callees = new Callees(this.evaluator);
    const { files } = this.program;
    const each = <T>(kept: readonly T[] | undefined, none: () => T): T[] => (kept ? [...kept] : files.map(none));
    this.notes = each(before?.notes, () => new Int32Array(0));
    this.above = each(before?.above, () => new Int32Array(0));
    this.properties = each<readonly string[]>(before?.properties, () => []);
    this.open = files.map(() => []);
    this.openReads = files.map(() => []);
    this.openOperations = files.map(() => []);
    this.operations = new Operations(this.evaluator, (file, name) => this.methodsFor(file, name).length > 0);
    this.passing = files.map(() => []);
    this.unsure = files.map(() => []);
    this.runs = files.map(() => []);
    this.sitesBefore = before?.sites;
    this.methods = before?.methods ?? methodsOf(project.files);
    if (!before) this.survey(files);
  }

  /** Finds what is above the classes of these files, and which of their methods are properties. */
  survey(files: readonly SourceFile[]): void {
    for (const file of files) this.properties[file.index] = this.propertiesOf(file);
    for (const file of files) {
      this.at(file);
      this.above[file.index] = Int32Array.from(file.facts.classes.flatMap((_, i) => this.aboveOf(this.program.cls(file, i))));
    }
    this.at();
    this.derived = this.overriding = this.propertyNames = undefined;
  }

  get sites(): Sites {
    return (this.passed ??= new Sites(this.program.files.map(({ facts }) => facts), this.notes, this.sitesBefore));
  }

  /** What derives from classes. */
  get heirs(): Heirs {
    return (this.derived ??= new Heirs(this.program, this.above));
  }

  private get overrides(): Overrides {
    return (this.overriding ??= new Overrides(this.evaluator, this.heirs, this.methods));
  }

  /** The files of methods that override those of a name in a file. */
  filesOverriding(path: string, name: string): string[] {
    const owners = (this.methods.get(name) ?? []).filter((method) => method.path === path).flatMap(({ fn }) => this.program.fn(this.program.at(path)!, fn).owner ?? []);
    return owners.flatMap((owner) => this.heirs.of(owner)).filter((heir) => ownMember(heir, name)).map(({ file }) => file.path);
  }

  /** Whether properties have a name. */
  private isPropertyName(name: string): boolean {
    return (this.propertyNames ??= new Set(this.properties.flat())).has(name);
  }

  /** Emits the relations that leave these files, and tells what they store. */
  run(files: readonly SourceFile[], emit: Emit, stores?: Stores): void {
    this.emit = emit;
    for (const file of files) {
      this.at(file);
      resolveImports(this.program, file, this.emit);
      file.facts.classes.forEach((_, i) => this.heritage(this.program.cls(file, i)));
    }
    this.prepared.give(this.emit);
    this.targets(files.filter((file) => !this.isPrepared.has(file)));
    this.link();
    const stored = new Stored(this.evaluator, this.callees, (cls) => constructorsOf(this.evaluator, cls), (file, name) => this.methodsFor(file, name).length > 0, (cls) => this.heirs.of(cls), (name) => this.isPropertyName(name), (fn, receiver) => this.overrides.of(fn, receiver));
    for (const file of files) {
      this.at(file);
      this.evaluator.informedly(() => {
        this.openCalls(file);
        this.openRuns(file);
      });
      if (stores) stored.tell(file, this.passing[file.index]!, this.unsure[file.index]!, this.runs[file.index]!, stores, emit);
      this.passing[file.index] = this.unsure[file.index] = this.runs[file.index] = [];
    }
  }

  /** Finds what can be said of these files without what calls pass, for `run` to emit; and what they pass. */
  prepare(files: readonly SourceFile[]): void {
    this.emit = this.prepared.take;
    for (const file of files) this.isPrepared.add(file);
    this.targets(files);
  }

  private targets(files: readonly SourceFile[]): void {
    for (const file of files) {
      this.at(file);
      this.open[file.index] = [];
      this.openReads[file.index] = [];
      this.openOperations[file.index] = [];
      this.passing[file.index] = [];
      this.unsure[file.index] = [];
      this.runs[file.index] = [];
      this.notes[file.index] = Int32Array.from(this.calls(file));
      this.decorations(file);
      this.operate(file);
      this.reads(file);
      this.references(file);
      this.injections(file);
      this.dependencies(file);
    }
    this.at();
  }

  /** Tells functions what is passed to them, and classes what derives from them. */
  link(): void {
    this.program.link(this.sites, this.heirs);
  }

  /** From here on it is this file's code that is resolved; without one, nobody's. */
  private at(file?: SourceFile): void {
    attend(file?.index);
    this.program.reader = file;
  }

  private propertiesOf(file: SourceFile): string[] {
    this.at(file);
    const names = new Set<string>();
    file.facts.functions.forEach(({ owner, symbol, flags }, i) => {
      if (owner < 0 || symbol < 0 || (flags & (FunctionFlag.Property | FunctionFlag.Decorated)) === 0) return;
      const fn = this.program.fn(file, i);
      if (isProperty(this.evaluator, fn)) names.add(fn.name);
    });
    const { classes, scopes, strings } = file.facts;
    for (const { scope } of classes) {
      for (const [name, definitions] of Object.entries(scopes[scope]!.names)) {
        if (definitions.some((definition) => opOf(file, definition) === Op.Call && itemsOf(this.evaluator.value(file, definition)).some(isMadeProperty))) names.add(strings[Number(name)]!);
      }
    }
    return [...names];
  }

  private heritage(cls: Cls): void {
    const from = ref(cls.file, cls.fact.symbol);
    for (const base of cls.fact.bases) {
      const plain = opOf(cls.file, base);
      for (const type of this.evaluator.bases(cls.file, base)) {
        if (type.k !== "inst" || type.cls === cls) continue;
        const sure = plain === Op.Name || plain === Op.Local || plain === Op.Attr || plain === Op.Sub ? 1 : SURE.inferred;
        this.emit("EXTENDS", from, ref(type.cls.file, type.cls.fact.symbol), sure, this.lineOf(cls));
      }
    }
    for (const run of this.madeBy(cls)) this.emit("CALLS", from, ref(run.file, run.fact.symbol), SURE.declared, this.lineOf(cls));
  }

  /** What making a class runs: of its metaclass, of a class above it, and of the objects in its body. */
  private madeBy(cls: Cls): Callable[] {
    const { evaluator: e } = this;
    const { file, fact } = cls;
    const run: Callable[] = [];
    const take = (name: string, find: () => (Member | Type | undefined)[]): void => {
      if (this.methodsFor(file, name).length === 0) return;
      for (const member of find()) if (member && "definitions" in member) run.push(...functionsOf(e, member));
    };
    for (const name of ["__new__", "__init__"]) take(name, () => [metaMember(e, cls, name)]);
    take("__init_subclass__", () => [findMember(e, cls, "__init_subclass__", cls)]);
    take("__set_name__", () => Object.values(file.facts.scopes[fact.scope]!.names).flat()
      .filter((definition) => opOf(file, definition) === Op.Call)
      .flatMap((definition) => itemsOf(e.value(file, definition)).map((item) => (item.k === "inst" ? findMember(e, item.cls, "__set_name__") : undefined))));
    return run.filter(({ fact: { symbol } }) => symbol >= 0);
  }

  private aboveOf(cls: Cls): number[] {
    const above: number[] = [];
    const seen = new Set([cls]);
    for (const ancestor of mroOf(this.evaluator, cls)) {
      if (!ancestor.cls || seen.has(ancestor.cls)) continue;
      seen.add(ancestor.cls);
      above.push(cls.index, ancestor.cls.file.index, ancestor.cls.index);
    }
    return above;
  }

  private lineOf(cls: Cls): number {
    return cls.file.symbols[cls.fact.symbol]?.line ?? 0;
  }

  /** Says what they pass. */
  private calls(file: SourceFile): number[] {
    const { calls, nodes } = file.facts;
    const notes: number[] = [];
    for (let i = 0; i < calls.length; i += 3) {
      const from = ref(file, calls[i + 1]!);
      const line = calls[i + 2]!;
      const callee = nodes[calls[i]! + 1]!;
      const { targets, known } = this.callees.of(file, callee);
      for (const target of targets) {
        this.target(from, target, line);
        this.notePassed(notes, target, file, calls[i]!);
      }
      this.noteStored(file, i, targets, false);
      this.handedOver(from, file, calls[i]!, targets, line);
      const op = opOf(file, callee);
      if (op !== Op.Attr && op !== Op.FlowAttr) continue;
      if (!known) this.open[file.index]!.push(i);
      else if (targets.length === 0) this.ofHeirs(from, file, callee, line);
    }
    return notes;
  }

  /** A method that a class has from a base class from elsewhere may be one that an heir declares in its place. */
  private ofHeirs(from: SymbolRef, file: SourceFile, callee: number, line: number): void {
    const { nodes, strings } = file.facts;
    const name = strings[nodes[callee + 2]!]!;
    for (const item of itemsOf(this.evaluator.value(file, nodes[callee + 1]!))) {
      const object = item.k === "var" && !item.meta ? item.bound : item;
      const member = object.k === "inst" ? this.evaluator.member(object, name) : undefined;
      if (object.k !== "inst" || !member || !("k" in member)) continue;
      for (const heir of this.overrides.named(name, object.cls)) this.emit("CALLS", from, ref(heir.file, heir.fact.symbol), OVERRIDE, line);
    }
  }

  /** An object with `__call__` may be called by the code that it is given to, where that is from elsewhere or unknown. */
  private handedOver(from: SymbolRef, file: SourceFile, call: number, targets: readonly Target[], line: number): void {
    if (this.methodsFor(file, "__call__").length === 0 || targets.some(({ fn, cls, isWrapped }) => (fn ?? cls) && !isWrapped)) return;
    const runs: Callable[] = [];
    for (const argument of argumentsOf(file, call)) {
      if (!NAMED.has(opOf(file, argument))) continue;
      for (const item of itemsOf(this.evaluator.value(file, argument))) if (item.k === "inst") runs.push(...callsOf(this.evaluator, item.cls));
    }
    if (runs.length === 0 || this.isKept(file, file.facts.nodes[call + 1]!)) return;
    for (const run of runs) this.emit("CALLS", from, ref(run.file, run.fact.symbol), MAY_CALL, line);
  }

  /** Whether calling an expression only puts the arguments somewhere, or only looks at them. */
  private isKept(file: SourceFile, callee: number): boolean {
    const { nodes, strings } = file.facts;
    if (opOf(file, callee) === Op.Attr && WRITES.has(strings[nodes[callee + 2]!]!)) return true;
    return itemsOf(this.evaluator.value(file, callee)).some((type) => type.k === "extobj" && (FORGETFUL.test(type.name) || /\bcast$/.test(type.name)));
  }

  /** Takes down what `Stored` is to look at. */
  private noteStored(file: SourceFile, at: number, targets: readonly Target[], informed: boolean): void {
    const runs = targets.filter(({ fn, cls }) => fn ?? cls);
    for (const target of runs) if (!target.isWrapped) this.passing[file.index]!.push({ call: file.facts.calls[at]!, target, informed });
    const { calls, nodes } = file.facts;
    if (!informed && (!isSure(runs) || runs.some((target) => decoratorsAt(this.evaluator, target).length > 0))) this.unsure[file.index]!.push(nodes[calls[at]! + 1]!, calls[at + 1]!, calls[at + 2]!, calls[at]!);
  }

  private notePassed(notes: number[], { fn, cls, isWrapped }: Target, file: SourceFile, call: number): void {
    const run = cls ? constructorsOf(this.evaluator, cls)[0] : fn;
    if (!run || isWrapped) return;
    const callee = opOf(file, file.facts.nodes[call + 1]!);
    passedBy(run, cls !== undefined || callee === Op.Attr || callee === Op.FlowAttr || run.name === CALL, file, call, (param, argument) => {
      notes.push(run.file.index, run.index, param, argument);
    });
  }

  /** Calls of which nothing is known: once more with what is passed to parameters, then by name. */
  private openCalls(file: SourceFile): void {
    for (const at of this.open[file.index]!) {
      const { calls, nodes, strings } = file.facts;
      const from = ref(file, calls[at + 1]!);
      const line = calls[at + 2]!;
      const callee = nodes[calls[at]! + 1]!;
      const { targets, known } = this.callees.of(file, callee);
      for (const target of targets) this.target(from, { ...target, sure: Math.min(target.sure, SURE.weak) }, line);
      this.noteStored(file, at, targets, true);
      if (!known) this.guess(from, strings[nodes[callee + 2]!]!, line);
    }
  }

  /** Whether a function of the code base gives what a decorator is. */
  private isMade(file: SourceFile, decorator: number): boolean {
    return opOf(file, decorator) === Op.Call && this.callees.of(file, file.facts.nodes[decorator + 1]!).targets.some(({ fn }) => fn);
  }

  /** Operations run special methods that they do not name. */
  private operate(file: SourceFile): void {
    const { calls, operations } = file.facts;
    this.operations.enter(file);
    for (let i = 0; i < operations.length; i += 4) this.operation(file, operations[i] as unknown as Operation, operations[i + 1]!, operations[i + 2]!, operations[i + 3]!);
    for (let i = 0; i < calls.length; i += 3) {
      for (const [operation, id] of this.operations.builtin(calls[i]!)) this.operation(file, operation, id, calls[i + 1]!, calls[i + 2]!);
    }
  }

  private operation(file: SourceFile, operation: Operation, id: number, symbol: number, line: number, atMost = 1): void {
    const { nodes, strings } = file.facts;
    const isWrite = operation === Operation.SetAttribute || operation === Operation.DeleteAttribute;
    const targets = isWrite ? this.operations.write(operation, id, this.isPropertyName(strings[nodes[id + 2]!]!)) : this.operations.of(operation, id);
    if (this.operations.isOpen) this.openOperations[file.index]!.push(operation, id, symbol, line);
    for (const target of targets) this.target(ref(file, symbol), { ...target, sure: Math.min(target.sure, atMost) }, line);
  }

  /** Operations and reads of objects of which nothing is known: once more with what is passed to parameters. */
  private openRuns(file: SourceFile): void {
    const [operations, reads] = [this.openOperations[file.index]!, this.openReads[file.index]!];
    this.openOperations[file.index] = this.openReads[file.index] = [];
    this.operations.enter(file);
    for (let i = 0; i < operations.length; i += 4) {
      const operation = operations[i] as unknown as Operation;
      const [id, symbol, line] = [operations[i + 1]!, operations[i + 2]!, operations[i + 3]!];
      this.operation(file, operation, id, symbol, line, SURE.weak);
      if (this.operations.isOpen) for (const one of this.operations.open(operation, id)) this.runs[file.index]!.push({ ...one, symbol, line });
    }
    const { values, nodes, strings } = file.facts;
    for (const at of reads) {
      this.read(file, at, SURE.weak);
      const attribute = values[at]!;
      const name = strings[nodes[attribute + 2]!]!;
      if (this.isPropertyName(name)) this.runs[file.index]!.push({ id: nodes[attribute + 1]!, names: [name], symbol: values[at + 1]!, line: values[at + 2]! });
    }
    this.openOperations[file.index] = this.openReads[file.index] = [];
  }

  private decorations(file: SourceFile): void {
    const { decorations } = file.facts;
    for (let i = 0; i < decorations.length; i += 3) {
      const { targets } = this.callees.of(file, decorations[i]!);
      for (const target of targets) this.target(ref(file, decorations[i + 1]!), target, decorations[i + 2]!);
      if (!isSure(targets) && this.isMade(file, decorations[i]!)) this.unsure[file.index]!.push(decorations[i]!, decorations[i + 1]!, decorations[i + 2]!, -1);
    }
  }

  /** Reading a property runs it. */
  private reads(file: SourceFile): void {
    const { values } = file.facts;
    for (let i = 0; i < values.length; i += 3) if (opOf(file, values[i]!) === Op.Attr) this.read(file, i, 1);
  }

  private read(file: SourceFile, at: number, atMost: number): void {
    const { values, nodes, strings } = file.facts;
    const [attribute, symbol, line] = [values[at]!, values[at + 1]!, values[at + 2]!];
    const run = (target: Target): void => {
      this.target(ref(file, symbol), { ...target, sure: Math.min(target.sure, atMost) }, line);
    };
    const mayBeProperty = this.isPropertyName(strings[nodes[attribute + 2]!]!);
    this.operations.read(attribute, mayBeProperty).forEach(run);
    let { isOpen } = this.operations;
    if (mayBeProperty) {
      const { targets, known } = this.callees.of(file, attribute);
      if (!known) isOpen = true;
      for (const target of targets) if (target.fn && isProperty(this.evaluator, target.fn)) run(target);
    }
    if (isOpen) this.openReads[file.index]!.push(at);
  }

  /** Functions and classes that are used as values; a decorator is called, and named. */
  private references(file: SourceFile): void {
    const { values, decorations, annotated, texts } = file.facts;
    for (let i = 0; i < annotated.length; i += 3) {
      for (const { variable, sure } of this.callees.named(file, annotated[i]!)) if (variable) this.emit("REFERENCES", ref(file, annotated[i + 1]!), variable, sure, annotated[i + 2]!);
    }
    const passed = argumentsIn(file);
    for (const list of [values, decorations]) {
      for (let i = 0; i < list.length; i += 3) {
        for (const target of this.callees.named(file, list[i]!)) this.refer(ref(file, list[i + 1]!), target, list[i + 2]!, list === values && passed.has(list[i]!));
      }
    }
    for (let i = 0; i < texts.length; i += 3) {
      for (const target of this.callees.named(file, texts[i]!)) this.refer(ref(file, texts[i + 1]!), { ...target, sure: Math.min(target.sure, SURE.weak) }, texts[i + 2]!);
    }
  }

  /** Fixtures, which pytest runs. */
  private injections(file: SourceFile): void {
    eachFixture(this.evaluator, file, (fn, fixture, isNamed) => {
      const [from, to, { line }] = [ref(file, fn.fact.symbol), ref(fixture.file, fixture.fact.symbol), file.symbols[fn.fact.symbol]!];
      if (isNamed) this.emit("REFERENCES", from, to, SURE.declared, line);
      this.emit("CALLS", from, to, SURE.declared, line);
    });
  }

  /** Calls the functions that a parameter names for a library to run: `a=Depends(f)`, `a: Annotated[T, Depends(f)]`. */
  private dependencies(file: SourceFile): void {
    for (const { symbol, params } of file.facts.functions) {
      if (symbol < 0) continue;
      for (const call of params.flatMap(({ value, type }) => [value, ...besideType(file, type)])) {
        if (call < 0 || opOf(file, call) !== Op.Call || this.callees.of(file, file.facts.nodes[call + 1]!).targets.length > 0) continue;
        for (const argument of argumentsOf(file, call)) {
          for (const { fn, cls } of this.callees.named(file, argument)) this.target(ref(file, symbol), { ...fn ? { fn } : {}, ...cls ? { cls } : {}, sure: MAY_CALL, open: false }, file.symbols[symbol]!.line);
        }
      }
    }
  }

  /** `isPassed`: to a call, which may call it. */
  private refer(from: SymbolRef, target: Target, line: number, isPassed = false): void {
    const { fn, cls, variable, sure } = target;
    if (fn && isProperty(this.evaluator, fn)) return;
    const to = variable ?? (cls ? ref(cls.file, cls.fact.symbol) : fn && ref(fn.file, fn.fact.symbol));
    if (!to || to.symbol < 0) return;
    if (isPassed && fn) emitPassed(this.emit, from, to, sure, line);
    else this.emit("REFERENCES", from, to, sure, line);
    for (const { file, fact } of this.inPlaceOf(target)) this.emit(isPassed ? "CALLS" : "REFERENCES", from, ref(file, fact.symbol), OVERRIDE, line);
  }

  /** What may run in the place of a method that is called or used as a value. */
  private inPlaceOf({ fn, open, receiver, behind }: Target): readonly Callable[] {
    return fn ? [...open ? this.overrides.of(fn, receiver) : [], ...behind ? this.overrides.between(fn, behind) : []] : [];
  }

  private target(from: SymbolRef, target: Target, line: number): void {
    const { fn, cls, variable, sure } = target;
    if (variable) this.emit("REFERENCES", from, variable, sure, line);
    if (cls) {
      this.emit("CALLS", from, ref(cls.file, cls.fact.symbol), sure, line);
      for (const run of runsOf(this.evaluator, cls)) this.emit("CALLS", from, ref(run.file, run.fact.symbol), sure, line);
      if (target.isOwn) this.madeOfHeirs(from, cls, line);
    }
    if (!fn || fn.fact.symbol < 0) return;
    this.emit("CALLS", from, ref(fn.file, fn.fact.symbol), sure, line);
    for (const { file, fact } of this.inPlaceOf(target)) this.emit("CALLS", from, ref(file, fact.symbol), OVERRIDE, line);
  }

  /** The heirs of a class that have a constructor of their own. */
  private madeOfHeirs(from: SymbolRef, cls: Cls, line: number): void {
    for (const name of ["__init__", "__new__"]) {
      for (const { file, fact, owner } of this.overrides.named(name, cls)) {
        this.emit("CALLS", from, ref(owner!.file, owner!.fact.symbol), OVERRIDE, line);
        this.emit("CALLS", from, ref(file, fact.symbol), OVERRIDE, line);
      }
    }
  }

  /** All methods of a name. Whoever asks is resolved again when their number becomes, or ceases to be, none or one. */
  private methodsFor(file: SourceFile, name: string): readonly Method[] {
    let known = this.namesakes.get(name);
    if (!known) this.namesakes.set(name, (known = { question: only(name), methods: this.methods.get(name) ?? [] }));
    file.asked.add(known.question);
    return known.methods;
  }

  /** Nothing is known of the receiver, but only one class has such a method. */
  private guess(from: SymbolRef, name: string, line: number): void {
    if (COMMON.has(name) || name.startsWith("__")) return;
    const candidates = this.methodsFor(this.program.files[from.file]!, name);
    if (candidates.length !== 1) return;
    const { path, fn } = candidates[0]!;
    const file = this.program.at(path)!;
    this.emit("CALLS", from, ref(file, file.facts.functions[fn]!.symbol), GUESS, line);
  }
}

function isSure(targets: readonly Target[]): boolean {
  return targets.some(({ fn, cls, sure }) => (fn ?? cls) && sure >= SURE.declared) && !targets.some(({ fn }) => fn?.owner && isProtocol(fn.owner));
}

function ref(file: SourceFile, symbol: number): SymbolRef {
  return { file: file.index, symbol };
}

/** The expressions that a file's calls pass. */
function argumentsIn({ facts: { calls, nodes } }: SourceFile): ReadonlySet<number> {
  const found = new Set<number>();
  for (let i = 0; i < calls.length; i += 3) {
    const call = calls[i]!;
    const keywords = call + 3 + nodes[call + 2]!;
    for (let at = call + 3; at < keywords; at++) found.add(nodes[at]!);
    for (let at = keywords + 2; at <= keywords + 2 * nodes[keywords]!; at += 2) found.add(nodes[at]!);
  }
  return found;
}
