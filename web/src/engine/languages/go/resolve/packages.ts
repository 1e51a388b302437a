import type { Project, ProjectFile } from "../../../language.ts";
import { type GoFacts, guessName, type ImportFact } from "../facts.ts";
import { wordOf } from "../../words.ts";
import { called, givenBy, homeOf, placeOf } from "./asks.ts";
import { buildTogether, type Constraint, constraintOf, isUsual } from "./constraints.ts";
import { modulesOf, type Modules } from "./modules.ts";

/** A file with what the resolver works out once. */
export interface Source {
  index: number;
  path: string;
  dir: string;
  test: boolean;
  facts: ProjectFile<GoFacts>["facts"];
  data: GoFacts;
  constraint: Constraint;
  package: Package;
}

/** Where a name is declared: `index` counts in the file's functions, types or values. */
export interface Declaration {
  kind: "function" | "type" | "value";
  source: Source;
  index: number;
}

/** What a package declares. */
interface Declared {
  /** Package-level names. Several declarations of one name are build variants, those of the usual build first. */
  scope: Map<string, Declaration[]>;
  /** Methods by `Owner.name`; `index` counts in the file's functions. */
  methods: Map<string, Declaration[]>;
  /** Names of the methods of each type. */
  methodNames: Map<string, string[]>;
}

/** The files of one directory with the same package clause: `p`, `p_test`, and programs that `go:build ignore` sets apart are packages of their own. */
export class Package {
  readonly sources: Source[] = [];
  /** What its names are asked for by (`asks.ts`). */
  readonly place: number;
  private found: Declared | undefined;

  constructor(readonly dir: string, readonly name: string) {
    this.place = placeOf(homeOf(dir, name));
  }

  /** Most changes ask few packages for anything. */
  get declared(): Declared {
    return (this.found ??= declarationsOf(this.sources));
  }
}

export interface Packages {
  sources: Source[];
  all: Package[];
  /** The package that an import means, if the repository has it. */
  imported(source: Source, path: string): Package | undefined;
  /** What has to be asked to tell (`asks.ts`). */
  asked(source: Source, path: string): readonly number[];
  /** The name that an import has in its file: its own, or its package's. */
  nameOf(source: Source, fact: ImportFact): string;
}

export function dirOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** The last element of a path. */
export function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function packagesOf(project: Project<GoFacts>): Packages {
  const { sources, all } = gathered(project.files);
  return { sources, all, ...importer(all, modulesOf(project)) };
}

/** Files by their packages. */
function gathered(files: Project<GoFacts>["files"]): Pick<Packages, "sources" | "all"> {
  const byKey = new Map<string, Package>();
  const sources = files.map((file, index): Source => {
    const dir = dirOf(file.path);
    const { data } = file.facts;
    const key = homeOf(dir, data.package);
    let own = byKey.get(key);
    if (!own) {
      own = new Package(dir, data.package);
      byKey.set(key, own);
    }
    const source: Source = {
      index, path: file.path, dir, test: file.path.endsWith("_test.go"), facts: file.facts, data,
      constraint: constraintOf(file.path, data.constraint), package: own,
    };
    own.sources.push(source);
    return source;
  });
  return { sources, all: [...byKey.values()] };
}

/** By directory the package that it gives to importers: not its tests, and a program only when there is nothing else. */
export function givenPackages(files: Project<GoFacts>["files"]): ReadonlyMap<string, Package> {
  return givenOf(gathered(files).all);
}

function givenOf(all: readonly Package[]): ReadonlyMap<string, Package> {
  const given = new Map<string, Package>();
  const rank = (p: Package): number => {
    const files = p.sources.filter((s) => !s.test);
    return (files.some((s) => isUsual(s.constraint)) ? 1e6 : 0) + (p.name === "main" ? 0 : 1e5) + files.length;
  };
  for (const candidate of all) {
    if (candidate.sources.every((s) => s.test) && candidate.name.endsWith("_test")) continue;
    const known = given.get(candidate.dir);
    if (!known || rank(known) < rank(candidate)) given.set(candidate.dir, candidate);
  }
  return given;
}

function declarationsOf(sources: readonly Source[]): Declared {
  const own: Declared = { scope: new Map(), methods: new Map(), methodNames: new Map() };
  const add = (map: Map<string, Declaration[]>, name: string, declaration: Declaration): void => {
    const list = map.get(name);
    if (list) list.push(declaration);
    else map.set(name, [declaration]);
  };
  const usual = (source: Source): boolean => isUsual(source.constraint);
  for (const source of [...sources.filter(usual), ...sources.filter((s) => !usual(s))]) {
    const { functions, types, values } = source.data;
    functions.forEach((f, index) => {
      const declaration: Declaration = { kind: "function", source, index };
      if (f.owner === "") {
        // Any number of functions may be called init, and none of them can be named.
        if (f.name !== "init") add(own.scope, f.name, declaration);
        return;
      }
      const key = `${f.owner}.${f.name}`;
      if (!own.methods.has(key)) {
        const names = own.methodNames.get(f.owner);
        if (names) names.push(f.name);
        else own.methodNames.set(f.owner, [f.name]);
      }
      add(own.methods, key, declaration);
    });
    types.forEach((t, index) => {
      // Local types are bound where they are used.
      if (t.symbol >= 0) add(own.scope, t.name, { kind: "type", source, index });
    });
    values.forEach((v, index) => add(own.scope, v.name, { kind: "value", source, index }));
  }
  return own;
}

/** Of several declarations those that can be meant in a file: its own, else those that are built together with it. */
export function visibleFrom(source: Source, declarations: readonly Declaration[]): readonly Declaration[] {
  if (declarations.length === 1) return declarations;
  const own = declarations.filter((d) => d.source === source);
  if (own.length > 0) return own;
  const together = declarations.filter((d) => buildTogether(source.constraint, d.source.constraint));
  return together.length > 0 ? together : declarations;
}

/** Whether a file has something that is run when its package is imported. */
export function hasInit({ data }: Pick<Source, "data">): boolean {
  return data.functions.some((f) => f.name === "init" && f.owner === "");
}

function importer(all: readonly Package[], modules: Modules): Pick<Packages, "imported" | "asked" | "nameOf"> {
  const given = givenOf(all);
  const cache = new Map<string, { package: Package | undefined; asked: readonly number[] }>();
  const found = (source: Source, path: string): { package: Package | undefined; asked: readonly number[] } => {
    const key = `${source.dir}\n${path}`;
    let known = cache.get(key);
    if (!known) {
      const dirs = modules.candidates(source.dir, path);
      const asked = dirs.map((dir) => wordOf(givenBy(dir)));
      if (modules.byEnds(source.dir)) asked.push(wordOf(called(lastOf(path))));
      cache.set(key, (known = { package: dirs.map((dir) => given.get(dir)).find((p) => p !== undefined), asked }));
    }
    return known;
  };
  const imported = (source: Source, path: string): Package | undefined => found(source, path).package;
  return {
    imported,
    asked: (source, path) => found(source, path).asked,
    nameOf(source, fact) {
      if (fact.name) return fact.name;
      return imported(source, fact.path)?.name ?? guessName(fact.path);
    },
  };
}
