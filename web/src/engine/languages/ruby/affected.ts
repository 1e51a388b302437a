import type { Emit, Project, ProjectFile, Stores } from "../../language.ts";
import { MAX_PASSED, type Checker, type Passed, type Site } from "./checker.ts";
import { MISSING } from "./arguments.ts";
import { calledOtherwise, restingOn, stringsAmong, textsAt } from "./called.ts";
import { callsFor, concernedBy, isGivenByNew } from "./concerned.ts";
import { type Offset, Op, type RubyFacts } from "./facts.ts";
import type { Node } from "./numbers.ts";
import type { Method, Module, Source } from "./program.ts";
import { type PassedBy, Redo } from "./redo.ts";
import { Renewal } from "./renewed.ts";
import { knownPassedBy, Resolver } from "./resolve.ts";
import { differenceOf, recordsOf, type Difference } from "./surface.ts";

type Ruby = Project<RubyFacts>;

/** The work on the files of a project, by the first of them. What it has answered stays true of the same files. */
const works = new WeakMap<object, { resolver: Resolver; files: Ruby["files"]; asked: number }>();

/** The work on the very files of a project; it is not kept any more. */
function taken({ files }: Ruby): { resolver: Resolver; asked: number } | undefined {
  const kept = files.length > 0 ? works.get(files[0]!) : undefined;
  if (!kept || kept.files.length !== files.length || !files.every((file, i) => kept.files[i] === file)) return undefined;
  works.delete(files[0]!);
  return kept;
}

function keep({ files }: Ruby, resolver: Resolver, asked: number): void {
  if (files.length > 0) works.set(files[0]!, { resolver, files, asked });
}

function sizeOf({ checkers }: Resolver): number {
  return checkers.reduce((sum, { trace }) => sum + trace.size, 0);
}

/** Joins the facts of all Ruby files, or of some: emits calls, imports and what is above classes. */
export function resolve(project: Ruby, emit: Emit, only?: ReadonlySet<number>, stores?: Stores): void {
  const known = taken(project);
  if (known && only) {
    known.resolver.emit(known.resolver.program.sources.filter(({ index }) => only.has(index)), emit, stores);
    keep(project, known.resolver, known.asked);
    return;
  }
  const resolver = new Resolver(project.files);
  resolver.all(emit, stores);
  keep(project, resolver, sizeOf(resolver));
}

/**
 * The files whose relations may be others after a change. All that was asked when files were resolved is kept with its answers; what rests on
 * something else now is asked again, in the order in which an index from the start asks it.
 */
export function affected(before: Ruby, after: Ruby, changed: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const known = taken(before);
  if (!known || after.files.length === 0) return undefined;
  const { resolver, asked } = known;
  // Who asked what is never forgotten.
  if (sizeOf(resolver) > 2 * asked + 10_000) return undefined;
  const were = new Map(before.files.map(({ facts }, i) => [resolver.program.sources[i]!.path, { source: resolver.program.sources[i]!, facts }]));
  const edits: Edit[] = [];
  let come = 0;
  for (const file of after.files) {
    const old = were.get(file.path);
    if (!old) {
      if (file.facts.data.autoloads) return undefined;
      come++;
    } else if (changed.has(file.path)) {
      if (old.facts.data.autoloads !== file.facts.data.autoloads) return undefined;
      edits.push({ source: old.source, file, difference: differenceOf(old.facts, file.facts) });
    }
  }
  try {
    const renewal = edits.every(({ difference: { framed } }) => framed) && come === 0 && before.files.length === after.files.length ? undefined
      : new Renewal(resolver, before.files, after.files, new Map(edits.map(({ source, difference }) => [source, difference])));
    if (renewal?.gone.some(({ data }) => data.autoloads)) return undefined;
    const paths = new Update(resolver, edits, renewal).run();
    if (!paths || resolver.checkers[0]!.hierarchy.circular) return undefined;
    keep(after, resolver, asked);
    return paths;
  } catch {
    // The file at which this fails is found where all are resolved.
    return undefined;
  }
}

interface Edit {
  source: Source;
  file: ProjectFile<RubyFacts>;
  difference: Difference;
}

/** Brings what was answered up to date. */
class Update {
  /** Methods of these names are others now. */
  private readonly names = new Set<string>();
  /** What has gone, and what may be answered otherwise, in every round. */
  private readonly stale = new Set<Node>();
  /** Methods whose parameters get other arguments than before, in calls that are the same. */
  private readonly takers = new Set<Method>();
  /** Files with other facts, and those that have come. */
  private readonly changed: Set<Source>;

  /** `renewal` is there where files, modules or constants are others. */
  constructor(private readonly resolver: Resolver, private readonly edits: readonly Edit[], private readonly renewal: Renewal | undefined) {
    this.changed = new Set(edits.map(({ source }) => source));
  }

  /** The files whose relations may be others; undefined where that may be all. */
  run(): Set<string> | undefined {
    const { resolver, resolver: { checkers }, renewal } = this;
    // What these files have passed is told by what they, and the methods that they call, were.
    const told = [...this.changed, ...renewal?.gone ?? [], ...this.passers()];
    const before = checkers.map((checker): PassedBy => new Map(told.map((source) => [source, knownPassedBy(source, checker)])));
    this.addDifferences();
    // Whatever has no method of a name rests on this one.
    if (this.names.has(MISSING)) return undefined;
    const facts = new Map(this.edits.map(({ source }) => [source, source.data]));
    if (renewal ? !this.renew(renewal) : !this.replace()) return undefined;
    this.addCalled(facts);
    this.addFields();
    const touched = new Set<Source>();
    let passed: readonly Node[] = [];
    for (const [round, checker] of checkers.entries()) {
      const redo = new Redo(resolver, round, this.changed, before[round]!);
      if (!redo.run([...this.stale, ...passed])) return undefined;
      const next = checkers[round + 1];
      if (next) passed = this.pass(checker, next.passed, before[round]!);
      else for (const source of redo.touched) touched.add(source);
    }
    this.addMoved(touched);
    this.addUsersOfGlobals(touched);
    if (!renewal) for (const source of this.changed) for (const other of resolver.extendedBy(source)) touched.add(other);
    return new Set([...[...touched].map(({ path }) => path), ...renewal?.touched ?? []]);
  }

  /** The files that call methods of which some took nothing and take something now, or the other way round. */
  private passers(): Source[] {
    const names = new Set(this.edits.flatMap(({ difference: { takers } }) => [...takers]));
    return names.size === 0 ? [] : [...new Set([...this.callsOf(names)].map(([source]) => source))];
  }

  /** Names of methods that are others, and what rests on methods that were. */
  private addDifferences(): void {
    const { program, numbers } = this.resolver;
    for (const { source, difference: { names, parameters, reordered, yields } } of this.edits) {
      for (const name of names) this.names.add(name);
      for (const method of parameters) this.stale.add(numbers.passedTo(program.method(source, method)));
      for (const method of reordered) this.takers.add(program.method(source, method));
      for (const method of yields) this.stale.add(numbers.yieldedBy(program.method(source, method)));
    }
  }

  /** Puts in the facts that files have now. */
  private replace(): boolean {
    const { program, numbers, checkers } = this.resolver;
    for (const { source, file, difference: { records, methods, names } } of this.edits) {
      program.replace(source, file.facts.data, methods, names);
      for (const node of numbers.replace(source, records)) this.stale.add(node);
    }
    checkers[0]!.hierarchy.forget(this.names);
    this.addCallers();
    this.addOverriding(this.names);
    return true;
  }

  /** Puts in files, modules and constants as they are now. Returns whether that could be done. */
  private renew(renewal: Renewal): boolean {
    const otherwise = renewal.run();
    if (!otherwise) return false;
    for (const source of renewal.come) this.changed.add(source);
    for (const { data: { methods } } of [...renewal.come, ...renewal.gone]) for (const { name } of methods) this.names.add(name);
    for (const name of this.names) otherwise.methods.add(name);
    if (otherwise.methods.has(MISSING)) return false;
    for (const node of renewal.stale) this.stale.add(node);
    for (const node of concernedBy(otherwise, this.resolver)) this.stale.add(node);
    this.addOverriding(otherwise.methods, otherwise.inherited);
    return true;
  }

  /** What parameters get rests on the methods of these names that theirs override. */
  private addOverriding(names: ReadonlySet<string>, modules: Iterable<Module> = []): void {
    const { program, numbers } = this.resolver;
    const methods = [...names].flatMap((name) => program.byName.get(name) ?? []);
    for (const { methods: { instance, singleton } } of modules) for (const named of [...instance.values(), ...singleton.values()]) methods.push(...named);
    for (const method of methods) {
      const node = numbers.knownPassedTo(method);
      if (node !== undefined) this.stale.add(node);
    }
  }

  /** Whatever calls, names or overrides methods that are others now. */
  private addCallers(): void {
    const { numbers } = this.resolver;
    for (const [source, at] of this.callsOf(this.names)) {
      this.add(numbers.known(source, at));
    }
  }

  /** All that was asked about a record is asked again. */
  private add(number: number): void {
    if (number > 0) for (const node of this.resolver.numbers.nodesOf(number)) this.stale.add(node);
  }

  /** The records that call, name or override methods of these names. */
  private *callsOf(names: ReadonlySet<string>): Generator<[source: Source, at: Offset]> {
    if (names.size === 0) return;
    const wanted = callsFor(names);
    for (const source of this.resolver.program.sources) {
      const { code, contexts, methods, strings } = source.data;
      const named = stringsAmong(source.data, wanted);
      for (const at of restingOn(source, named, wanted, (one) => textsAt(this.resolver.checkers, source, one))) yield [source, at];
      if (named.size === 0 && !methods.some(({ name }) => wanted.has(name))) continue;
      for (const at of recordsOf(code)) {
        const op = code[at];
        const over = op === Op.Super ? methods[contexts[code[at + 1]!]!.method]?.name : undefined;
        const calls = op === Op.Call || op === Op.Reference || op === Op.Each;
        if (calls ? named.has(code[at + 2]!) : over !== undefined && wanted.has(over)) yield [source, at];
        else if (names.has("initialize") && isGivenByNew(code, strings, at)) yield [source, at];
      }
    }
  }

  /** The calls on values on which the changed files call other methods now. */
  private addCalled(before: ReadonlyMap<Source, RubyFacts>): void {
    const { numbers } = this.resolver;
    for (const { source, file, difference: { records } } of this.edits) {
      const { data } = file.facts;
      const receivers = calledOtherwise(before.get(source)!, data, records);
      if (receivers.size === 0) continue;
      for (const at of recordsOf(data.code)) {
        if (data.code[at] === Op.Call && receivers.has(data.code[at + 1]!)) this.add(numbers.known(source, at));
      }
    }
  }

  /** The names of variables that are given something else. */
  private fields(): Set<string> {
    const { come = [], gone = [] } = this.renewal ?? {};
    return new Set([...this.edits.flatMap(({ difference: { fields } }) => [...fields]), ...[...come, ...gone].flatMap(({ data }) => data.fields.map(({ name }) => name))]);
  }

  /** What rests on variables that are given something else. */
  private addFields(): void {
    const names = this.fields();
    if (names.size === 0) return;
    for (const [key, node] of this.resolver.numbers.fields) if (names.has(key.slice(key.lastIndexOf(" ") + 1))) this.stale.add(node);
  }

  /** The files that use global variables which may be declared elsewhere now. */
  private addUsersOfGlobals(touched: Set<Source>): void {
    const names = new Set([...this.fields()].filter((name) => name.startsWith("$")));
    if (names.size === 0) return;
    for (const source of this.resolver.program.sources) {
      const { globals, strings } = source.data;
      if (globals.some((name, i) => i % 3 === 0 && names.has(strings[name]!))) touched.add(source);
    }
  }

  /** The files that lead to what is known by another symbol now, or puts arguments into other parameters. */
  private addMoved(touched: Set<Source>): void {
    const { program } = this.resolver;
    const methods = new Set([...this.takers, ...this.edits.flatMap(({ source, difference: { moved } }) => moved.map((index) => program.method(source, index)))]);
    const modules = this.renewal?.moved ?? new Set();
    if (methods.size + modules.size === 0) return;
    for (const source of program.sources) if (!touched.has(source) && this.resolver.leadsTo(source, methods, modules)) touched.add(source);
  }

  /** Takes into `passed` what the calls of these files pass now. Returns what parameters of methods that get something else rest on. */
  private pass(checker: Checker, passed: Passed, before: PassedBy): Node[] {
    const now = [...before.keys()].sort((a, b) => a.index - b.index).map((source) => knownPassedBy(source, checker));
    const methods = new Set<Method>([...before.values(), ...now].flatMap((one) => [...one.keys()]));
    const others: Node[] = [];
    for (const method of methods) {
      const old = passed.get(method) ?? [];
      const sites = [...old.filter(({ source }) => !before.has(source)), ...now.flatMap((one) => one.get(method) ?? [])].sort((a, b) => a.source.index - b.source.index);
      if (sites.length > 0) passed.set(method, sites);
      else passed.delete(method);
      if (!sameSites(old, sites)) others.push(this.resolver.numbers.passedTo(method));
    }
    return others;
  }
}

function sameSites(old: readonly Site[], now: readonly Site[]): boolean {
  const [a, b] = [old.slice(0, MAX_PASSED), now.slice(0, MAX_PASSED)];
  return a.length === b.length && a.every(({ number }, i) => number === b[i]!.number);
}
