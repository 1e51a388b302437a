import { spend } from "../../../effort.ts";
import type { FileFacts } from "../../../facts.ts";
import type { Project, SymbolRef } from "../../../language.ts";
import { Depth } from "../../memo.ts";
import { wordAfter, wordOf } from "../../words.ts";
import type { FunctionFact, ImplFact, RustFacts, ScopeFact, TypeFact, UseFact, ValueFact } from "../facts.ts";
import { Asks, macro, placeOf, type Places, placesOf } from "./asks.ts";
import { addType, declaredAs, isDeclaration, isSeen, joined, MAX_ALTERNATIVES } from "./alternatives.ts";
import { around, baseOf, folderOf, join, type Package, packagesOf } from "./cargo.ts";

export interface Source {
  index: number;
  path: string;
  data: RustFacts;
  symbols: FileFacts["symbols"];
  /** One module for each scope; the first is the file's own. */
  modules: Module[];
  impls: Impl[];
  places: Places;
}

/** A module, or a block that holds declarations. */
export interface Module {
  source: Source;
  fact: ScopeFact;
  /** What it is asked for names by (`asks.ts`), the number that all words for them begin with, and those for all names that it takes from others. */
  home: string;
  place: number;
  stars: readonly [own: number, other: number];
  crate: Crate;
  /** The module or block around it; for a file the module that declares it. */
  parent: Module | undefined;
  /** Looked for by name in the namespaces of types, values and macros. */
  types: Map<string, Module | Declaration>;
  values: Map<string, Value[]>;
  macros: Map<string, SymbolRef>;
  /** Further types and modules of a name, each under its own condition; and uses by name. Undefined where there are none. */
  more: Map<string, (Module | Declaration)[]> | undefined;
  uses: ReadonlyMap<string, readonly UseFact[]> | undefined;
  /** Where the names of a folder's modules are looked for: a file's own, plus the names of the modules in it. */
  folder: string;
}

export interface Crate {
  root: Module;
  package: Package | undefined;
}

/** A struct, enum, trait or alias. */
export interface Declaration {
  fact: TypeFact;
  source: Source;
  module: Module;
  /** What it is asked for members by (`asks.ts`), and the number that all words for them begin with. */
  key: string;
  place: number;
}

export interface Impl {
  fact: ImplFact;
  source: Source;
  module: Module;
  /** The number that all words for what stands in it begin with. */
  place: number;
}

/** What a name means in a module, and what had to be asked to tell (`asks.ts`). */
interface Lookup {
  found: Named | undefined;
  word: number;
  more: readonly number[];
  /** Whether the module does not say the name itself. */
  beyond: boolean;
  /** The file that asked last, and whether without a path. */
  asker: Source | undefined;
  around: boolean;
}

const NO_WORDS: number[] = [];

/** A function where it is declared; `owner` says in which trait or impl. */
export interface Func {
  fact: FunctionFact;
  source: Source;
  trait?: Declaration;
  impl?: Impl;
}

export type Value =
  | { kind: "function"; func: Func }
  | { kind: "constant"; fact: ValueFact; source: Source };

/** What a path's first segments lead to, and what else in other builds. */
export type Named = { others?: readonly Named[] } & (
  | { kind: "module"; module: Module }
  | { kind: "type"; declaration: Declaration }
  | { kind: "variant"; declaration: Declaration; name: string }
  | { kind: "values"; values: readonly Value[] }
  | { kind: "macro"; ref: SymbolRef }
  /** From outside the repository, by the last name. */
  | { kind: "foreign"; name: string }
);

export type Space = "types" | "values" | "macros";

/** Imports that import each other are followed no further. */
const MAX_DEPTH = 60;
/** Imports of all names lead through no more modules than these. */
const MAX_STARRED = 1_000;
/** Imports of all names that need others of them to be found: so far. */
const MAX_ROUNDS = 8;

/** All declarations, and what names stand for. */
export class Program {
  readonly sources: Source[];
  readonly asks = new Asks();
  readonly declarations: Declaration[] = [];
  readonly impls: Impl[] = [];
  /** Where a module is declared: files that one names with `mod`, how and in which module, and the line. */
  readonly files: { from: Source; to: Source; home: string; name: string; line: number }[] = [];
  /** By package and by the folder of its manifest. */
  readonly libraries = new Map<string, Crate>();
  readonly byFolder = new Map<string, Crate>();
  private readonly byPath = new Map<string, Source>();
  private readonly macros = new Map<Crate, Map<string, SymbolRef>>();
  private readonly known = new Map<Module, Map<string, Lookup>>();
  /** What `use …::*` leads to, by its place among the uses of a module. */
  private readonly stars = new Map<Module, (readonly (Module | Declaration)[] | undefined)[]>();
  private readonly starred = new Map<Module, readonly (Module | Declaration)[]>();
  private readonly direct = new Map<Module, readonly Module[]>();
  private readonly depth = new Depth(MAX_DEPTH);

  constructor(project: Project<RustFacts>) {
    // Until its crate is known; every file is placed in one.
    const nowhere = { root: undefined as unknown as Module, package: undefined };
    this.sources = project.files.map(({ path, facts }, index) => {
      const places = placesOf(path, facts.data);
      const source: Source = { index, path, data: facts.data, symbols: facts.symbols, modules: [], impls: [], places };
      this.byPath.set(path, source);
      for (const [id, fact] of facts.data.scopes.entries()) {
        const parent = source.modules[fact.parent];
        source.modules.push({
          source, fact, home: places.homes[id]!, place: places.modules[id]!, stars: places.stars[id]!,
          crate: nowhere, parent, types: new Map(), values: new Map(), macros: new Map(), more: undefined, uses: usesOf(fact), folder: "",
        });
        if (parent && fact.name !== undefined) addType(parent, fact.name, source.modules.at(-1)!);
      }
      return source;
    });
    this.placeFiles(packagesOf(project));
    for (const source of this.sources) this.declare(source);
    this.openStars();
  }

  // Crates and their modules

  private placeFiles(packages: readonly Package[]): void {
    const placed = new Set<Source>();
    // Libraries first: a file that several crates hold is the library's.
    for (const one of packages) {
      const crate = this.crate(one.library, one, placed);
      if (!crate) continue;
      if (!this.libraries.has(one.name)) this.libraries.set(one.name, crate);
      this.byFolder.set(one.folder, crate);
    }
    // To Cargo each file of `tests` is a crate. One that another declares with `mod` is first a module of that one, which its paths are written for.
    for (const one of packages) {
      const declared = new Set(one.roots.flatMap((root) => this.besides(root)));
      for (const root of one.roots) if (!declared.has(root)) this.crate(root, one, placed);
      for (const root of one.roots) this.crate(root, one, placed);
    }
    // Without a manifest: what looks like a root, then what no module has declared.
    const rest = this.sources.filter((source) => !placed.has(source)).sort((a, b) => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1));
    for (const { path } of rest) this.crate(path, around(packages, path), placed);
  }

  private crate(path: string | undefined, of: Package | undefined, placed: Set<Source>): Crate | undefined {
    const source = path === undefined ? undefined : this.byPath.get(path);
    if (!source || placed.has(source)) return undefined;
    const crate: Crate = { root: source.modules[0]!, package: of };
    const open: { source: Source; folder: string }[] = [{ source, folder: folderOf(source.path) }];
    placed.add(source);
    for (let next = open.pop(); next; next = open.pop()) {
      const { source: file, folder } = next;
      for (const module of file.modules) {
        module.crate = crate;
        module.folder = !module.parent || module.parent.source !== file ? folder : module.fact.name === undefined ? module.parent.folder : join(module.parent.folder, module.fact.name);
        for (const declared of module.fact.files) {
          const target = this.fileOf(module, declared);
          if (!target || target === file) continue;
          this.files.push({ from: file, to: target, home: module.home, name: declared.name, line: declared.line });
          addType(module, declared.name, target.modules[0]!);
          if (placed.has(target)) continue;
          placed.add(target);
          target.modules[0]!.parent = module;
          const name = baseOf(target.path);
          open.push({ source: target, folder: name === "mod.rs" || declared.path !== undefined ? folderOf(target.path) : join(folderOf(target.path), name.slice(0, -".rs".length)) });
        }
      }
    }
    return crate;
  }

  /** The files beside a crate's root that may be its modules. */
  private besides(root: string): string[] {
    const { data } = this.byPath.get(root) ?? {};
    return (data?.scopes[0]?.files ?? []).map(({ name, path }) => join(folderOf(root), path ?? `${name}.rs`)).filter((path) => path !== root);
  }

  private fileOf(module: Module, { name, path }: ScopeFact["files"][number]): Source | undefined {
    if (path !== undefined) {
      // Beside the file, or in the folder of the inline module that it stands in.
      return this.byPath.get(join(module.fact.name === "" ? folderOf(module.source.path) : module.folder, path));
    }
    return this.byPath.get(join(module.folder, `${name}.rs`)) ?? this.byPath.get(join(module.folder, `${name}/mod.rs`));
  }

  private declare(source: Source): void {
    const { data, modules, index, places } = source;
    for (const [i, fact] of data.types.entries()) {
      const module = modules[fact.scope]!;
      const declaration: Declaration = { fact, source, module, key: places.keys[i]!, place: places.types[i]! };
      this.declarations.push(declaration);
      addType(module, fact.name, declaration);
    }
    for (const { fact, scope } of data.functions) push(modules[scope]!.values, fact.name, { kind: "function", func: { fact, source } });
    for (const { fact, scope } of data.values) push(modules[scope]!.values, fact.name, { kind: "constant", fact, source });
    for (const [i, fact] of data.impls.entries()) source.impls.push({ fact, source, module: modules[fact.scope]!, place: places.impls[i]! });
    for (const impl of source.impls) this.impls.push(impl);
    for (const { name, symbol, scope, exported } of data.macros) {
      const module = modules[scope]!;
      const ref = { file: index, symbol };
      module.macros.set(name, ref);
      if (exported) module.crate.root.macros.set(name, ref);
      let all = this.macros.get(module.crate);
      if (!all) this.macros.set(module.crate, (all = new Map<string, SymbolRef>()));
      if (!all.has(name)) all.set(name, ref);
    }
  }

  /**
   * Finds what `use …::*` leads to. Those that need no other one come first, then what these bring in may be used: so it does not
   * depend on which is asked for first.
   */
  private openStars(): void {
    let open = this.sources.flatMap(({ modules }) => modules.flatMap((module) => module.fact.uses.flatMap((fact, i) => (fact.alias === "*" ? [{ module, fact, i }] : []))));
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found = open.map(({ module, fact }) => this.starTargets(module, fact));
      if (found.every((targets) => targets === undefined)) return;
      for (const [at, { module, i }] of open.entries()) {
        let targets = this.stars.get(module);
        if (!targets) this.stars.set(module, (targets = []));
        targets[i] = found[at];
      }
      open = open.filter((_, at) => found[at] === undefined);
      this.known.clear();
      this.starred.clear();
      this.direct.clear();
    }
  }

  private starTargets(module: Module, { path }: UseFact): readonly (Module | Declaration)[] | undefined {
    const to = this.walk(module, path, "types", true);
    const targets = (to ? [to, ...to.others ?? []] : []).flatMap((one): (Module | Declaration)[] => (one.kind === "module" && one.module !== module ? [one.module] : one.kind === "type" ? [one.declaration] : []));
    return targets.length > 0 ? targets : undefined;
  }

  /** All that `use …::*` leads to from a module, through others of them; what comes first goes before. */
  private starredFrom(start: Module): readonly (Module | Declaration)[] {
    let all = this.starred.get(start);
    if (!all) {
      const met = new Set<Module | Declaration>([start]);
      const follow = this.starsOf(start);
      for (let next = follow.pop(); next && met.size <= MAX_STARRED; next = follow.pop()) {
        if (met.has(next)) continue;
        spend();
        met.add(next);
        if (!isDeclaration(next)) follow.push(...this.starsOf(next));
      }
      met.delete(start);
      this.starred.set(start, (all = [...met]));
    }
    return all;
  }

  /** What the uses of a module lead to, the last one first. */
  private starsOf(module: Module): (Module | Declaration)[] {
    return (this.stars.get(module) ?? []).flatMap((targets) => targets ?? []).reverse();
  }

  /** The modules that the first uses of a module lead to. */
  private starredBy(module: Module): readonly Module[] {
    let all = this.direct.get(module);
    if (!all) this.direct.set(module, (all = this.starsOf(module).reverse().filter((from): from is Module => !isDeclaration(from)).slice(0, MAX_ALTERNATIVES)));
    return all;
  }

  // Names

  /** What the first name of a path means in a module: declared or imported there or around it, a crate, else foreign. */
  first(module: Module, name: string, space: Space): Named | undefined {
    if (name === "crate" || name === "$crate") return { kind: "module", module: module.crate.root };
    if (name === "self") return { kind: "module", module: ownModule(module) };
    if (name === "super") return { kind: "module", module: above(ownModule(module)) };
    for (let at: Module | undefined = module; at; at = at.fact.name === undefined ? at.parent : undefined) {
      const found = this.inside(at, name, space, module.source, true);
      if (found) return found;
    }
    if (space === "macros") return this.textual(module, name);
    if (space === "values") return undefined;
    return this.crateNamed(module, name);
  }

  /** `macro_rules!` are seen by what follows in the text, modules below among it: the nearest module around has it. */
  private textual(module: Module, name: string): Named | undefined {
    for (let at: Module | undefined = module; at; at = at.parent) {
      const ref = at.macros.get(name);
      if (ref) return { kind: "macro", ref };
    }
    const ref = this.macros.get(module.crate)?.get(name);
    return ref ? { kind: "macro", ref } : undefined;
  }

  /** A crate by the name that a package's code has for it. */
  crateNamed({ crate: { package: of } }: Module, name: string): Named | undefined {
    const dependency = of?.dependencies.get(name);
    const wanted = dependency?.name ?? (of && of.libraryName === name ? of.name : undefined);
    if (wanted === undefined) return undefined;
    const folder = dependency ? dependency.folder : of!.folder;
    const found = folder !== undefined ? this.byFolder.get(folder) : this.libraries.get(wanted);
    return found && { kind: "module", module: found.root };
  }

  /** A name declared in a module or brought into it by `use`, as a file asks for it. `around`: it stands in the module itself, without a path. */
  private inside(module: Module, name: string, space: Space, asker: Source, around = false): Named | undefined {
    const lookup = this.lookUp(module, name, space);
    if (lookup.asker === asker && lookup.around === around) return lookup.found;
    lookup.asker = asker;
    lookup.around = around;
    this.asks.by(asker, lookup.word);
    for (const word of lookup.more) this.asks.by(asker, word);
    if (lookup.beyond) this.asks.by(asker, module.stars[around ? 0 : 1]);
    return lookup.found;
  }

  private lookUp(module: Module, name: string, space: Space): Lookup {
    let memo = this.known.get(module);
    if (!memo) this.known.set(module, (memo = new Map<string, Lookup>()));
    const key = `${space} ${name}`;
    const known = memo.get(key);
    if (known) return known;
    const lookup: Lookup = { found: undefined, word: wordAfter(module.place, name), more: NO_WORDS, beyond: false, asker: undefined, around: false };
    if (!this.depth.enter()) return lookup;
    memo.set(key, lookup); // while it is worked out: a cycle ends here
    const own = this.ownName(module, name, space);
    const more = own && space !== "macros" ? NO_WORDS : [];
    if (space === "macros") more.push(wordOf(macro(name)));
    const found = own ?? this.starredName(module, name, space, more);
    this.depth.leave();
    const worked: Lookup = { found, word: lookup.word, more, beyond: own === undefined, asker: undefined, around: false };
    memo.set(key, worked);
    return worked;
  }

  /** A name that a module says itself. */
  private ownName(module: Module, name: string, space: Space): Named | undefined {
    const declared = this.declaredIn(module, name, space);
    const uses = module.uses?.get(name);
    if (!declared && uses?.length === 1) return this.imported(module, uses[0]!, space);
    return uses && !(declared && space === "macros") ? joined([declared, ...uses.slice(0, MAX_ALTERNATIVES).map((fact) => this.imported(module, fact, space))]) : declared;
  }

  private starredName(module: Module, name: string, space: Space, words: number[]): Named | undefined {
    for (const from of this.starredFrom(module)) {
      spend();
      words.push(wordAfter(from.place, name));
      if (isDeclaration(from)) {
        if (from.fact.variants.some((variant) => variant.name === name)) return { kind: "variant", declaration: from, name };
        continue;
      }
      const found = this.ownName(from, name, space);
      if (found) return space === "macros" || this.starredBy(module).length < 2 ? found : joined([found, ...this.alsoStarred(module, from, name, space, words)]);
      words.push(from.stars[1]);
    }
    return undefined;
  }

  /** What others of a module's `use …::*` lead to than the one that a name was found by. */
  private alsoStarred(module: Module, by: Module, name: string, space: Space, words: number[]): Named[] {
    return this.starredBy(module).flatMap((from) => {
      if (from === by) return [];
      words.push(wordAfter(from.place, name));
      const found = this.ownName(from, name, space);
      return found && isSeen(from, name, module) ? [found] : [];
    });
  }

  private declaredIn(module: Module, name: string, space: Space): Named | undefined {
    if (space === "macros") {
      const ref = module.macros.get(name);
      return ref && { kind: "macro", ref };
    }
    const values = space === "values" ? module.values.get(name) : undefined;
    if (values) return { kind: "values", values };
    const type = module.types.get(name);
    const first = type && declaredAs(type, space);
    const more = module.more?.get(name);
    return more ? joined([first, ...more.map((one) => declaredAs(one, space))]) : first;
  }

  /** What a `use` imports in one of the namespaces; foreign when its path leads out of the repository. */
  imported(module: Module, fact: UseFact, space: Space): Named | undefined {
    return this.walk(module, fact.path, space, true);
  }

  /** The modules that a `use` names, or takes something from: one for each build. */
  importedModules(module: Module, { path }: UseFact): readonly Module[] {
    for (let end = path.length; end > 0; end--) {
      const found = this.walk(module, path.slice(0, end), "types", true);
      if (found?.kind === "module") return [found, ...found.others ?? []].flatMap((one) => (one.kind === "module" ? [one.module] : []));
    }
    return [];
  }

  private walk(module: Module, path: readonly string[], space: Space, isUse: boolean): Named | undefined {
    spend();
    const [head = "", ...rest] = path;
    let at: Named | undefined;
    if (head === "") {
      at = rest.length > 0 ? this.crateNamed(module, rest[0]!) ?? (isUse ? this.inside(module.crate.root, rest[0]!, rest.length === 1 ? space : "types", module.source) : undefined) : undefined;
      rest.shift();
      if (!at) return { kind: "foreign", name: path.at(-1)! };
    } else {
      at = this.start(module, head, rest.length === 0 ? space : "types", isUse);
    }
    if (!at) return rest.length === 0 && space !== "types" ? undefined : { kind: "foreign", name: path.at(-1)! };
    for (const [i, name] of rest.entries()) {
      at = this.step(at, name, i === rest.length - 1 ? space : "types", module.source);
      if (!at) return undefined;
    }
    return at;
  }

  private start(module: Module, name: string, space: Space, isUse: boolean): Named | undefined {
    const found = this.first(module, name, space);
    if (found && !(found.kind === "foreign" && isUse)) return found;
    // The 2015 edition's uses begin at the crate's root.
    return found ?? (isUse && module !== module.crate.root ? this.inside(module.crate.root, name, space, module.source) : undefined);
  }

  /** The name behind a `::`, as a file asks for it; undefined when what is before has no such name of its own. */
  step(at: Named, name: string, space: Space, asker: Source): Named | undefined {
    if (at.others && at.others.length > 0) return joined([{ ...at, others: [] }, ...at.others].map((one) => this.step(one, name, space, asker)));
    if (at.kind === "foreign") return { kind: "foreign", name };
    if (at.kind === "module") {
      if (name === "self") return at;
      if (name === "super") {
        this.asks.by(asker, wordOf(placeOf(at.module.source.path)));
        return { kind: "module", module: above(ownModule(at.module)) };
      }
      return this.inside(at.module, name, space, asker);
    }
    if (at.kind !== "type") return undefined;
    this.asks.by(asker, wordAfter(at.declaration.place, name));
    return at.declaration.fact.variants.some((variant) => variant.name === name) ? { kind: "variant", declaration: at.declaration, name } : undefined;
  }
}

function usesOf({ uses }: ScopeFact): Module["uses"] {
  if (uses.length === 0) return undefined;
  const byName = new Map<string, UseFact[]>();
  for (const fact of uses) push(byName, fact.alias, fact);
  return byName;
}

/** The module that a block stands in. */
function ownModule(module: Module): Module {
  let at = module;
  while (at.fact.name === undefined && at.parent) at = at.parent;
  return at;
}

function above(module: Module): Module {
  return module.parent ? ownModule(module.parent) : module;
}

function rank(path: string): number {
  const at = ["lib.rs", "main.rs", "mod.rs"].indexOf(baseOf(path));
  return at < 0 ? 3 : at;
}

export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
