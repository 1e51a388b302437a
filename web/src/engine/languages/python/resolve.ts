import type { Emit, Project, SymbolRef } from "../../language.ts";
import { isProperty } from "./attributes.ts";
import type { Target } from "./callees.ts";
import { Callees } from "./callees.ts";
import { findMember, mroOf, opOf, ownMember } from "./classes.ts";
import { Evaluator, SURE } from "./evaluate.ts";
import type { PyFacts } from "./facts.ts";
import { FunctionFlag, Op } from "./facts.ts";
import { notePassed } from "./calls.ts";
import { resolveImports } from "./dependencies.ts";
import type { Callable, Cls, SourceFile } from "./program.ts";
import { Program } from "./program.ts";

/** How sure an edge is to a method that overrides the one that a call names. */
const OVERRIDE = 0.6;
/** How sure an edge is that only the name of a method speaks for. */
const GUESS = 0.4;
/** With more overriding methods than this, naming them all says nothing. */
const MAX_OVERRIDES = 24;
/** Names that builtin classes have too: a guess by them is worth nothing. */
const COMMON = new Set((
  "get set add pop remove discard clear copy update keys values items append extend insert index count sort reverse join split strip format " +
  "encode decode replace find startswith endswith lower upper read write close open flush seek tell readline readlines send recv connect " +
  "start run stop wait put result cancel done acquire release match search group groups sub compile load loads dump dumps next throw " +
  "info debug warning error exception log critical exists mkdir name path title partition rstrip lstrip isoformat total_seconds setdefault"
).split(" "));

/** A call, by its place in its file's list. */
interface Call {
  file: SourceFile;
  at: number;
}

/** Joins the facts of all Python files: emits calls, imports and base classes. */
export function resolve(project: Project<PyFacts>, emit: Emit): void {
  new Resolver(project, emit).run();
}

class Resolver {
  private readonly program: Program;
  private readonly evaluator: Evaluator;
  private readonly callees: Callees;
  private readonly emit: Emit;
  /** Methods by name, for guesses and for properties. */
  private readonly methods = new Map<string, Callable[]>();
  private readonly properties = new Set<string>();
  /** What overrides each method that was asked for. */
  private readonly overriding = new Map<Callable, readonly Callable[]>();
  /** Calls of attributes of which nothing is known yet. */
  private readonly open: Call[] = [];

  constructor(project: Project<PyFacts>, emit: Emit) {
    this.emit = emit;
    this.program = new Program(project);
    this.evaluator = new Evaluator(this.program);
    this.callees = new Callees(this.evaluator);
  }

  run(): void {
    for (const file of this.program.files) resolveImports(this.program, file, this.emit);
    for (const file of this.program.files) this.index(file);
    for (const file of this.program.files) file.facts.classes.forEach((_, i) => this.heritage(this.program.cls(file, i)));
    for (const file of this.program.files) {
      this.calls(file);
      this.decorations(file);
      this.reads(file);
    }
    this.openCalls();
  }

  private index(file: SourceFile): void {
    file.facts.functions.forEach((fact, i) => {
      if (fact.owner < 0 || fact.symbol < 0) return;
      const fn = this.program.fn(file, i);
      const same = this.methods.get(fn.name);
      if (same) same.push(fn);
      else this.methods.set(fn.name, [fn]);
      if ((fact.flags & (FunctionFlag.Property | FunctionFlag.Decorated)) !== 0 && isProperty(this.evaluator, fn)) this.properties.add(fn.name);
    });
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
    for (const ancestor of mroOf(this.evaluator, cls).slice(1)) {
      if (ancestor.cls && ancestor.cls.subclasses.at(-1) !== cls) ancestor.cls.subclasses.push(cls);
    }
  }

  private lineOf(cls: Cls): number {
    return cls.file.lines[cls.fact.symbol] ?? 0;
  }

  private calls(file: SourceFile): void {
    const { calls, nodes } = file.facts;
    for (let i = 0; i < calls.length; i += 3) {
      const from = ref(file, calls[i + 1]!);
      const line = calls[i + 2]!;
      const callee = nodes[calls[i]! + 1]!;
      const { targets, known } = this.callees.of(file, callee);
      for (const target of targets) {
        this.target(from, target, line);
        this.notePassed(target, file, calls[i]!);
      }
      const op = opOf(file, callee);
      if (!known && (op === Op.Attr || op === Op.FlowAttr)) this.open.push({ file, at: i });
    }
  }

  private notePassed({ fn, cls }: Target, file: SourceFile, call: number): void {
    const run = cls ? constructorsOf(this.evaluator, cls)[0] : fn;
    if (!run) return;
    const callee = opOf(file, file.facts.nodes[call + 1]!);
    notePassed(run, cls !== undefined || callee === Op.Attr || callee === Op.FlowAttr, file, call);
  }

  /** Calls of which nothing is known: once more with what is passed to parameters, then by name. */
  private openCalls(): void {
    if (this.open.length === 0) return;
    this.evaluator.trustPassed();
    for (const { file, at } of this.open) {
      const { calls, nodes, strings } = file.facts;
      const from = ref(file, calls[at + 1]!);
      const line = calls[at + 2]!;
      const callee = nodes[calls[at]! + 1]!;
      const { targets, known } = this.callees.of(file, callee);
      for (const target of targets) this.target(from, { ...target, sure: Math.min(target.sure, SURE.weak) }, line);
      if (!known) this.guess(from, strings[nodes[callee + 2]!]!, line);
    }
  }

  private decorations(file: SourceFile): void {
    const { decorations } = file.facts;
    for (let i = 0; i < decorations.length; i += 3) {
      const { targets } = this.callees.of(file, decorations[i]!);
      for (const target of targets) this.target(ref(file, decorations[i + 1]!), target, decorations[i + 2]!);
    }
  }

  /** Reading a property runs it. */
  private reads(file: SourceFile): void {
    const { reads, nodes, strings } = file.facts;
    for (let i = 0; i < reads.length; i += 3) {
      const attribute = reads[i]!;
      if (!this.properties.has(strings[nodes[attribute + 2]!]!)) continue;
      for (const target of this.callees.of(file, attribute).targets) {
        if (target.fn && isProperty(this.evaluator, target.fn)) this.target(ref(file, reads[i + 1]!), target, reads[i + 2]!);
      }
    }
  }

  private target(from: SymbolRef, target: Target, line: number): void {
    const { fn, cls, sure } = target;
    if (cls) {
      this.emit("CALLS", from, ref(cls.file, cls.fact.symbol), sure, line);
      for (const run of constructorsOf(this.evaluator, cls)) this.emit("CALLS", from, ref(run.file, run.fact.symbol), sure, line);
    }
    if (!fn || fn.fact.symbol < 0) return;
    this.emit("CALLS", from, ref(fn.file, fn.fact.symbol), sure, line);
    if (target.open && fn.owner) this.overrides(from, fn, line);
  }

  private overrides(from: SymbolRef, fn: Callable, line: number): void {
    if (!fn.owner || fn.name.startsWith("__")) return;
    let targets = this.overriding.get(fn);
    if (!targets) this.overriding.set(fn, (targets = this.overridesOf(fn.owner, fn.name)));
    for (const target of targets) this.emit("CALLS", from, ref(target.file, target.fact.symbol), OVERRIDE, line);
  }

  /** Methods of that name in the classes that derive from one; none where they are too many. */
  private overridesOf(owner: Cls, name: string): Callable[] {
    const targets: Callable[] = [];
    if (this.methods.get(name)?.length === 1) return targets;
    for (const sub of owner.subclasses) {
      for (const definition of ownMember(sub, name) ?? []) {
        if (opOf(sub.file, definition) === Op.Function) targets.push(this.program.fn(sub.file, sub.file.facts.nodes[definition + 1]!));
      }
      if (targets.length > MAX_OVERRIDES) return [];
    }
    return targets;
  }

  /** Nothing is known of the receiver, but only one class has such a method. */
  private guess(from: SymbolRef, name: string, line: number): void {
    if (COMMON.has(name) || name.startsWith("__")) return;
    const candidates = this.methods.get(name);
    if (candidates?.length !== 1) return;
    const fn = candidates[0]!;
    this.emit("CALLS", from, ref(fn.file, fn.fact.symbol), GUESS, line);
  }
}

function ref(file: SourceFile, symbol: number): SymbolRef {
  return { file: file.index, symbol };
}

/** What making an instance runs, wherever it is inherited from; the several variants where there are any. */
function constructorsOf(e: Evaluator, cls: Cls): Callable[] {
  for (const name of ["__init__", "__new__"]) {
    const member = findMember(e, cls, name);
    if (!member || "k" in member) continue;
    const { file } = member.cls;
    return member.definitions.filter((d) => opOf(file, d) === Op.Function).map((d) => e.program.fn(file, file.facts.nodes[d + 1]!));
  }
  return [];
}
