import type { Emit, ProjectFile } from "../../language.ts";
import { symbolNames } from "../../relations.ts";
import { Checker } from "./checker.ts";
import { type Offset, Op, type RubyFacts } from "./facts.ts";
import type { Hierarchy } from "./hierarchy.ts";
import type { Node } from "./numbers.ts";
import { type Earlier, type Given, isModule, mainPart, type Method, type Module, Program, type Source } from "./program.ts";
import type { Resolver } from "./resolve.ts";
import { familyOf, readsVariables } from "./stored.ts";
import type { Difference } from "./surface.ts";
import { apart, Otherwise, type Views, viewsOf } from "./views.ts";

type Files = readonly ProjectFile<RubyFacts>[];

/** A program as it was: where its files stood, and which of their scopes and methods are those of now. */
class Former implements Earlier {
  private readonly sources: ReadonlyMap<string, Source>;
  private readonly places: ReadonlyMap<Source, number>;

  constructor(readonly program: Program, private readonly views: Views, kept: readonly Source[], private readonly differences: ReadonlyMap<Source, Difference>) {
    this.sources = new Map(kept.map((source) => [source.path, source]));
    this.places = new Map(kept.map((source) => [source, source.index]));
  }

  source(path: string): Source | undefined {
    return this.sources.get(path);
  }

  module(outer: Module, name: string, source: Source, scope: number): Module | undefined {
    if (name === "") return this.moduleOf(source, scope);
    const known = this.views.get(outer)?.constants.get(name);
    return isModule(known) ? known : undefined;
  }

  /** What a scope was of; undefined for one that has come. */
  moduleOf(source: Source, scope: number): Module | undefined {
    const place = this.places.get(source);
    return place === undefined ? undefined : this.program.at(place).modules[this.differences.get(source)?.scopes[scope] ?? scope];
  }

  method(source: Source, index: number): Method | undefined {
    const place = this.places.get(source);
    return place === undefined ? undefined : this.program.at(place).methods[this.differences.get(source)?.methods[index] ?? index];
  }
}

/** Puts other files, modules and constants in the place of those that were, where all others are the same objects still. */
export class Renewal {
  /** Files that have come, and those that have gone. */
  come: readonly Source[] = [];
  readonly gone: readonly Source[];
  /** What was asked about records that have gone. */
  readonly stale: Node[] = [];
  /** Modules that stand elsewhere. */
  moved: ReadonlySet<Module> = new Set();
  /** Files that give something else above a class, load something else, or have classes that share their variables with others. */
  readonly touched = new Set<string>();

  constructor(
    private readonly resolver: Resolver, private readonly before: Files, private readonly after: Files,
    private readonly differences: ReadonlyMap<Source, Difference>,
  ) {
    const paths = new Set(after.map(({ path }) => path));
    this.gone = resolver.program.sources.filter(({ path }) => !paths.has(path));
  }

  /** What is found otherwise now; undefined where that may be anything. */
  run(): Otherwise | undefined {
    const { resolver, before, after, differences, gone } = this;
    const { program: was, numbers, checkers } = resolver;
    const { hierarchy } = checkers[0]!;
    const nameWas = this.namesIn(before);
    const old = viewsOf(was, hierarchy, nameWas);
    // What was found rests on what was looked for first.
    if (hierarchy.circular) return undefined;
    const emittedBefore = this.emitted(nameWas);
    const mixedBefore = this.mixedIn(was, hierarchy, (source, at) => this.placeOf(source, at));

    const kept = was.sources.filter((source) => !gone.includes(source));
    const places = kept.map(({ index }) => index);
    const former = new Former(was, old, kept, differences);
    const program = new Program(after, former);
    const known = new Set(kept);
    this.come = program.sources.filter((source) => !known.has(source));
    if (!kept.every((source) => source.data.scopes.every((_, scope) => {
      const module = former.moduleOf(source, scope) ?? (source.data.scopes[scope]!.kind === "variables" ? program.root : undefined);
      return module === undefined || module === program.moduleOf(source, scope);
    }))) return undefined;

    for (const source of gone) this.stale.push(...numbers.remove(source));
    for (const [source, { records }] of differences) this.stale.push(...numbers.replace(source, records));
    for (const source of this.come) numbers.add(source);
    const asked = new Checker(program, numbers, new Map());
    const nameNow = this.namesIn(after);
    const now = viewsOf(program, asked.hierarchy, nameNow);
    if (!resolver.take(program, asked)) return undefined;
    if (gone.length + this.come.length > 0) {
      const times = was.sources.map(() => 0);
      kept.forEach(({ index }, i) => {
        times[places[i]! + 1] = index + 1;
      });
      for (const { trace } of checkers) trace.move(times);
    }

    const same = (a: Given, b: Given): boolean => a.source === b.source && a.constant === b.constant && this.placeOf(a.source, a.value) === b.value;
    const otherwise = new Otherwise(old, now, program.root, same);
    this.moved = otherwise.moved;
    this.compareEmitted(emittedBefore, this.emitted(nameNow));
    return !otherwise.turned && this.compareMixed(mixedBefore, this.mixedIn(program, asked.hierarchy, (_, at) => at), otherwise) ? otherwise : undefined;
  }

  /** Where a record of a file stands now; -1 for one that has gone. */
  private placeOf(source: Source, old: Offset): Offset {
    const records = this.differences.get(source)?.records;
    return records && old > 0 ? records[old]! || -1 : old;
  }

  /** Tells the symbols of files apart, however often these are parsed. */
  private namesIn(files: Files): (source: Source, symbol: number) => string {
    const facts = new Map(files.map((file) => [file.path, file.facts]));
    const changed = new Set([...this.differences.keys()].map(({ path }) => path));
    const names = new Map<string, string[]>();
    return ({ path }, symbol) => {
      if (symbol < 0 || !changed.has(path)) return `${path} ${symbol}`;
      let known = names.get(path);
      if (!known) names.set(path, (known = symbolNames(facts.get(path)!)));
      return `${path} ${known[symbol]!}`;
    };
  }

  /** By path what files give above classes, what they load, and whose variables their classes have. */
  private emitted(nameOf: (source: Source, symbol: number) => string): Map<string, string> {
    const { resolver, resolver: { program: { sources, modules } } } = this;
    const all = new Map<string, string>();
    const emit: Emit = (type, from, to, confidence, line) => {
      const { path } = sources[from.file]!;
      const words = `${type} ${nameOf(sources[from.file]!, from.symbol)} ${nameOf(sources[to.file]!, to.symbol)} ${confidence} ${line}`;
      all.set(path, `${all.get(path) ?? ""}\n${words}`);
    };
    for (const source of sources) resolver.emitLoaded(source, emit);
    resolver.emitAbove(emit);
    // In which classes the variables of a class may be put, its code asks (`stored.ts`).
    const { hierarchy } = resolver.checkers[0]!;
    for (const module of modules) {
      const readers = module.parts.filter(({ source: { data }, fact }) => readsVariables(data, fact));
      if (readers.length === 0) continue;
      const family = (["instance", "singleton"] as const).map((side) => familyOf(hierarchy, module, side).map((one) => {
        const part = mainPart(one);
        return part ? nameOf(part.source, part.fact.symbol) : "";
      }).join());
      for (const { source: { path } } of readers) all.set(path, `${all.get(path) ?? ""}\n${family.join(" | ")}`);
    }
    return all;
  }

  private compareEmitted(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): void {
    for (const path of new Set([...before.keys(), ...now.keys()])) if (before.get(path) !== now.get(path)) this.touched.add(path);
  }

  /** The modules that files include themselves, by what says so. */
  private mixedIn({ root }: Program, hierarchy: Hierarchy, placeOf: (source: Source, at: Offset) => Offset): Map<string, Module | undefined | "unknown"> {
    return new Map(root.mixins.map(({ source, fact: { how, value } }, i) => {
      const place = placeOf(source, value);
      return [`${source.id} ${how} ${place < 0 ? `gone ${i}` : place}`, named(source, value, hierarchy)];
    }));
  }

  /** What files include themselves is found wherever no class is around. Returns whether it is known what that is. */
  private compareMixed(before: ReturnType<Renewal["mixedIn"]>, now: ReturnType<Renewal["mixedIn"]>, otherwise: Otherwise): boolean {
    const [less, more] = apart([...before.keys()], [...now.keys()]);
    const modules = [...less.map((mixin) => before.get(mixin)), ...more.map((mixin) => now.get(mixin))];
    for (const module of modules) if (module && module !== "unknown") otherwise.addOrder(module);
    return !modules.includes("unknown");
  }
}

/** The module that is named; undefined for one of another code base. */
function named(source: Source, at: Offset, hierarchy: Hierarchy): Module | undefined | "unknown" {
  const { code, strings } = source.data;
  const meant = (constant: Module | Given | undefined): Module | undefined | "unknown" => (constant === undefined || isModule(constant) ? constant : "unknown");
  switch (code[at]) {
    case Op.Constant:
      return meant(hierarchy.constant(source, code[at + 2]!, strings[code[at + 1]!]!));
    case Op.Top:
      return meant(hierarchy.top(strings[code[at + 1]!]!));
    case Op.Scoped: {
      const outer = named(source, code[at + 1]!, hierarchy);
      return outer === undefined || outer === "unknown" ? outer : meant(hierarchy.inherited(outer, strings[code[at + 2]!]!));
    }
    default:
      return "unknown";
  }
}
