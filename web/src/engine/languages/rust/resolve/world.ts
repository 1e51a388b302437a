import type { Project, ProjectFile } from "../../../language.ts";
import type { RustFacts } from "../facts.ts";
import { BLANKET, foreignKey, nameIn } from "./asks.ts";
import { Checker } from "./checker.ts";
import { isForFunctions } from "./impls.ts";
import { type Declaration, type Impl, Program, type Source } from "./program.ts";
import { builds, keyOf, type Type } from "./types.ts";

/** What an impl is for. */
export interface Head {
  /** What its type is asked for members by (`asks.ts`): of `dyn A + B` both, of what is nothing in particular none. */
  keys: readonly string[];
  /** What its trait is asked by, if the repository has it, or the trait's name. */
  trait: string | undefined;
  foreign: string | undefined;
  /** The file that declares its type: IMPLEMENTS leaves that one. */
  from: string | undefined;
  /** All of it. */
  text: string;
}

export interface Supers {
  key: string;
  keys: readonly string[];
  text: string;
}

/** What files mean together of which one alone does not tell: where each stands, and what impls and supertraits are for. */
export interface Standing {
  /** The module that declares it, or the package whose root it is; and that module's file. */
  place: string;
  above: string | undefined;
  /** What `mod` leads to, by the words for it: the module's name, and files. */
  modules: ReadonlyMap<string, { name: string; files: string }>;
  /** In the order of its facts' impls. */
  heads: readonly Head[];
  supers: readonly Supers[];
  macros: readonly string[];
}

export interface World {
  /** What packages' names lead to. */
  libraries: string;
  files: ReadonlyMap<string, Standing>;
  /** What traits have functions of, by the words for them. */
  traits: ReadonlyMap<string, ReadonlySet<string>>;
}

type Files = readonly ProjectFile<RustFacts>[];

const worlds = new WeakMap<Files, World>();
/** By the project itself: the files may be the same when a manifest is another. */
const begun = new WeakMap<Project<RustFacts>, Checker>();

/** What a project's files mean together. It is kept with the project; `next`: and what it took for the resolution that follows. */
export function worldOf(project: Project<RustFacts>, next: boolean): World {
  let world = worlds.get(project.files);
  if (!world) {
    const program = new Program(project);
    const checker = new Checker(program);
    worlds.set(project.files, (world = read(program, checker)));
    if (next) begun.set(project, checker);
  }
  return world;
}

/** A checker that has resolved nothing yet. */
export function checkerOf(project: Project<RustFacts>): Checker {
  const checker = begun.get(project) ?? new Checker(new Program(project));
  begun.delete(project);
  return checker;
}

function read(program: Program, checker: Checker): World {
  const files = new Map<string, Standing>();
  const modules = new Map<Source, Map<string, { name: string; files: string }>>();
  for (const { from, to, home, name } of program.files) {
    let own = modules.get(from);
    if (!own) modules.set(from, (own = new Map<string, { name: string; files: string }>()));
    const word = nameIn(home, name);
    own.set(word, { name, files: `${own.get(word)?.files ?? ""}\n${to.path}` });
  }
  const supers = new Map<Source, Supers[]>();
  const traits = new Map<string, Set<string>>();
  for (const declaration of program.declarations) {
    const { source, key, fact } = declaration;
    if (fact.kind !== "trait") continue;
    const functions = traits.get(key) ?? new Set<string>();
    for (const { name } of fact.functions) functions.add(name);
    traits.set(key, functions);
    const types = checker.types.impls.supersOf(declaration);
    if (types.length === 0) continue;
    const own = { key, keys: types.flatMap((type) => keysOf(type)), text: new Words().all(types) };
    const list = supers.get(source);
    if (list) list.push(own);
    else supers.set(source, [own]);
  }
  for (const source of program.sources) {
    const { parent, crate } = source.modules[0]!;
    files.set(source.path, {
      place: parent?.home ?? `${crate.package?.folder ?? "-"} ${source.path}`,
      above: parent?.source.path,
      modules: modules.get(source) ?? NONE,
      heads: source.impls.map((impl) => headOf(checker, impl)),
      supers: supers.get(source) ?? [],
      macros: source.data.macros.map(({ name }) => name),
    });
  }
  const libraries = [program.libraries, program.byFolder].map((by) => [...by].map(([name, { root }]) => [name, root.source.path]));
  return { libraries: JSON.stringify(libraries), files, traits };
}

const NONE: Standing["modules"] = new Map();

function headOf({ types }: Checker, impl: Impl): Head {
  const self = types.type(impl.source, impl.fact.self);
  const trait = types.impls.traitOf(impl);
  return {
    keys: self.kind === "bounds" ? self.traits.filter(({ kind }) => kind === "own").flatMap((one) => keysOf(one)) : keysOf(self),
    trait: trait?.kind === "own" ? trait.declaration.key : undefined,
    foreign: trait?.kind === "foreign" ? trait.name : undefined,
    from: self.kind === "own" ? self.declaration.source.path : undefined,
    text: `${new Words().all(trait ? [self, trait] : [self])}${isForFunctions(impl) ? " for functions" : ""}`,
  };
}

function keysOf(type: Type): string[] {
  if (type.kind === "own") return builds(type).map(({ declaration }) => declaration.key);
  return type.kind === "foreign" ? [foreignKey(type.name)] : type.kind === "parameter" ? [BLANKET] : [];
}

/** Types in words that are the same as long as the types are, whatever the numbers of files and records. */
class Words {
  private readonly parameters = new Map<string, number>();

  all(types: readonly Type[]): string {
    return types.map((type) => this.of(type)).join(", ");
  }

  private of(type: Type): string {
    switch (type.kind) {
      case "own":
        return builds(type).map((one) => this.named(nameOf(one.declaration), one)).join(" or ");
      case "foreign":
        return this.named(foreignKey(type.name), type);
      case "parameter": {
        const key = keyOf(type.source, type.at);
        const number = this.parameters.get(key) ?? this.parameters.size;
        this.parameters.set(key, number);
        return `'${number}`;
      }
      case "associated":
        return `<${this.all(type.trait ? [type.of, type.trait] : [type.of])}>::${type.name}`;
      case "bounds":
        return `(${this.all(type.traits)})`;
      case "function":
        return `(${this.all(type.parameters)}) -> ${this.of(type.result)}`;
      case "unknown":
        return "?";
    }
  }

  private named(name: string, { args, bindings }: Type & { kind: "own" | "foreign" }): string {
    const bound = [...bindings ?? []].map(([key, type]) => `${key} = ${this.of(type)}`);
    return args.length + bound.length === 0 ? name : `${name}<${[this.all(args), ...bound].join(", ")}>`;
  }
}

function nameOf({ key, fact }: Declaration): string {
  return fact.kind === "trait" ? `trait ${key}` : key;
}
