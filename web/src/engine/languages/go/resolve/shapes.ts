import { spend } from "../../../effort.ts";
import type { ProjectFile, SymbolRef } from "../../../language.ts";
import { type GoFacts, guessName, type ImportFact, type Offset, Op } from "../facts.ts";
import { homeOf } from "./asks.ts";
import { dirOf } from "./packages.ts";
import { standardMethods } from "./standard.ts";

/** What a type's declaration says by itself, before any name in it is resolved. */
export interface Shape {
  file: number;
  /** Among the file's types. */
  index: number;
  home: string;
  name: string;
  /** An interface, or what may be another name for one. `interface{}` asks for nothing, and nothing is said to implement it. */
  asksFor: "surely" | "maybe" | "never";
  /** The names of the methods that stand in it, when it is an interface. */
  methods: readonly string[];
  bases: readonly Base[];
}

/** What a type embeds, or is made of. */
interface Base {
  name: string;
  /** The package that has it; undefined when that is another one, or may be. */
  home: string | undefined;
  /** The names of its methods, when it may be the standard library's, or `error`; undefined when it is neither. */
  standard: readonly string[] | undefined;
}

/** A method, by its receiver's type. */
interface Declared extends SymbolRef {
  home: string;
  owner: string;
}

/**
 * Which types may have which methods, by names alone: what embeds something called `Base` may have the methods of whatever is called
 * so. Worked out from the facts of all files, as far as it is asked for: one change asks little, and this has to be known of all.
 */
export class Shapes {
  readonly all: readonly Shape[];
  private readonly byHome = new Map<string, Map<string, Shape[]>>();
  private readonly byName = new Map<string, Shape[]>();
  private readonly made = new Map<string, { heir: Shape; home: string | undefined }[]>();
  private readonly known = new Map<string, ReadonlySet<Shape>>();
  private readonly asking = new Map<Shape, boolean>();
  private readonly certainly = new Map<Shape, readonly string[]>();
  private byMethod: Map<string, Declared[]> | undefined;
  private byDemand: Map<string, Shape[]> | undefined;

  constructor(private readonly files: readonly ProjectFile<GoFacts>[]) {
    this.all = files.flatMap(({ path, facts: { data } }, file) => {
      const home = homeOf(dirOf(path), data.package);
      return data.types.map((_, index) => shapeOf(data, file, index, home));
    });
    for (const shape of this.all) {
      let own = this.byHome.get(shape.home);
      if (!own) this.byHome.set(shape.home, (own = new Map<string, Shape[]>()));
      add(own, shape.name, shape);
      add(this.byName, shape.name, shape);
      for (const { name, home } of shape.bases) add(this.made, name, { heir: shape, home });
    }
  }

  /** Whether an interface may be meant by what a shape is made of. */
  mayAsk(shape: Shape): boolean {
    if (shape.asksFor !== "maybe") return shape.asksFor === "surely";
    let may = this.asking.get(shape);
    if (may === undefined) this.asking.set(shape, (may = this.standsForInterface(shape)));
    return may;
  }

  private standsForInterface(shape: Shape): boolean {
    const reached = new Set([shape]);
    // It grows while it is gone through.
    for (const { asksFor, bases } of reached) {
      spend();
      if (asksFor === "surely") return true;
      if (asksFor === "never") continue;
      for (const base of bases) {
        if (base.standard !== undefined) return true;
        for (const meant of this.meant(base)) reached.add(meant);
      }
    }
    return false;
  }

  /** The types that may be meant. */
  private meant({ name, home }: Base): readonly Shape[] {
    return home === undefined ? this.byName.get(name) ?? [] : this.named(home, name);
  }

  /** The types of a name in a package: several in broken code, in build variants, and where functions have types of their own. */
  named(home: string, name: string): readonly Shape[] {
    return this.byHome.get(home)?.get(name) ?? [];
  }

  /** What may get a type's members by embedding it, or by being made of it. */
  heirs({ name, home: own }: Shape): Shape[] {
    const all = this.made.get(name) ?? [];
    spend(1 + all.length);
    return all.filter(({ home }) => home === undefined || home === own).map(({ heir }) => heir);
  }

  /** The names of all types of which any of these may get members. */
  above(shapes: Iterable<Shape>): Set<string> {
    const names = new Set<string>();
    const reached = new Set(shapes);
    // It grows while it is gone through.
    for (const { bases } of reached) {
      for (const base of bases) {
        spend();
        names.add(base.name);
        for (const meant of this.meant(base)) reached.add(meant);
      }
    }
    return names;
  }

  /** What may embed a type of that name from outside the repository, itself or with another, in the order in which they are declared. */
  heirsOf(name: string): Shape[] {
    const reached = new Set((this.made.get(name) ?? []).filter(({ home }) => home === undefined).map(({ heir }) => heir));
    // It grows while it is gone through.
    for (const shape of reached) for (const heir of this.heirs(shape)) reached.add(heir);
    return inOrder(reached);
  }

  /** All types that may have a method of this name, interfaces that may ask for it included, in the order in which they are declared. */
  having(method: string): ReadonlySet<Shape> {
    let found = this.known.get(method);
    if (!found) {
      const reached = new Set([...this.declaring(method).flatMap(({ home, owner }) => this.named(home, owner)), ...this.demanding(method)]);
      // It grows while it is gone through.
      for (const shape of reached) for (const heir of this.heirs(shape)) reached.add(heir);
      found = new Set(inOrder(reached));
      this.known.set(method, found);
    }
    return found;
  }

  /** The method of that name when the repository has exactly one: for receivers of which nothing is known. */
  only(method: string): SymbolRef | undefined {
    const [first, second] = this.declaring(method);
    return first && !second ? { file: first.file, symbol: first.symbol } : undefined;
  }

  /** Names of methods that an interface asks for in any case. */
  certain(shape: Shape): readonly string[] {
    if (shape.bases.length === 0) return shape.methods;
    let names = this.certainly.get(shape);
    if (!names) this.certainly.set(shape, (names = [...this.certainOf(shape, new Set())]));
    return names;
  }

  private certainOf(shape: Shape, seen: Set<Shape>): ReadonlySet<string> {
    const names = new Set(shape.methods);
    if (seen.has(shape)) return names;
    seen.add(shape);
    for (const base of shape.bases) {
      const options = this.meant(base);
      // What is not the only one of its name may be another one; what is no type of the repository is not known, and nothing has its methods.
      if (base.standard === undefined && options.length === 1) for (const each of this.certainOf(options[0]!, seen)) names.add(each);
    }
    return names;
  }

  private declaring(method: string): readonly Declared[] {
    if (!this.byMethod) {
      this.byMethod = new Map();
      for (const [file, { path, facts: { data } }] of this.files.entries()) {
        const home = homeOf(dirOf(path), data.package);
        for (const { name, owner, symbol } of data.functions) if (owner !== "") add(this.byMethod, name, { home, owner, file, symbol });
      }
    }
    return this.byMethod.get(method) ?? [];
  }

  private demanding(method: string): readonly Shape[] {
    if (!this.byDemand) {
      this.byDemand = new Map();
      for (const shape of this.all) for (const name of [...shape.methods, ...shape.bases.flatMap(({ standard = NONE }) => standard)]) add(this.byDemand, name, shape);
    }
    return this.byDemand.get(method) ?? [];
  }
}

function inOrder(shapes: Iterable<Shape>): Shape[] {
  return [...shapes].sort((a, b) => a.file - b.file || a.index - b.index);
}

const kept = new WeakMap<readonly ProjectFile<GoFacts>[], Shapes>();

/** The shapes of these files, made once: what is after one change is before the next. */
export function shapesOf(files: readonly ProjectFile<GoFacts>[]): Shapes {
  let shapes = kept.get(files);
  if (!shapes) kept.set(files, (shapes = new Shapes(files)));
  return shapes;
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const NONE: readonly never[] = [];

function shapeOf(data: GoFacts, file: number, index: number, home: string): Shape {
  const { code } = data;
  const { name, type } = data.types[index]!;
  const op = code[type];
  const asksFor = op === Op.Interface ? "surely" : isName(op) ? "maybe" : "never";
  if (op !== Op.Struct && op !== Op.Star && asksFor === "never") return { file, index, home, name, asksFor, methods: NONE, bases: NONE };
  const methods: string[] = [];
  const bases: Base[] = [];
  gather(data, type, home, methods, bases);
  return { file, index, home, name, asksFor: methods.length + bases.length > 0 ? asksFor : "never", methods, bases };
}

/** What stands in a struct or an interface, or in the type that another one is made of. */
function gather(data: GoFacts, at: Offset, home: string, methods: string[], bases: Base[]): void {
  const { code, strings } = data;
  const operand = code[at + 1]!;
  switch (code[at]) {
    case Op.Name:
      bases.push({ name: strings[operand]!, home: data.imports.some(isDot) ? undefined : home, standard: fromNowhere(data, strings[operand]!) });
      return;
    case Op.Select:
      bases.push({ name: strings[code[at + 2]!]!, home: undefined, standard: selected(data, at) });
      return;
    case Op.LocalType:
      bases.push({ name: data.types[operand]!.name, home, standard: undefined });
      return;
    case Op.Star:
    case Op.Index:
      gather(data, operand, home, methods, bases);
      return;
    case Op.Struct:
      for (let field = at + 2; field < at + 2 + 3 * operand; field += 3) if (code[field + 2] === 1) gather(data, code[field + 1]!, home, methods, bases);
      return;
    case Op.Interface: {
      const list = at + 2 + 3 * operand;
      for (let method = at + 2; method < list; method += 3) methods.push(strings[code[method]!]!);
      for (const each of code.slice(list + 1, list + 1 + code[list]!)) gather(data, each, home, methods, bases);
      return;
    }
    default:
  }
}

function isDot({ name }: ImportFact): boolean {
  return name === ".";
}

/** The methods of what needs no package's name. */
function fromNowhere({ imports }: GoFacts, name: string): readonly string[] | undefined {
  return name === "error" ? ["Error"] : fromLibrary(imports.filter(isDot), name);
}

/** The methods of a type `name.Type` of an imported package of the standard library. */
function selected({ code, strings, imports }: GoFacts, at: Offset): readonly string[] | undefined {
  const of = code[at + 1]!;
  if (code[of] !== Op.Name) return undefined;
  const name = strings[code[of + 1]!]!;
  return fromLibrary(imports.filter((each) => (each.name === "" ? guessName(each.path) : each.name) === name), strings[code[at + 2]!]!);
}

function fromLibrary(imports: readonly ImportFact[], type: string): readonly string[] | undefined {
  const known = imports.map(({ path }) => standardMethods(`${path}.${type}`)).filter((names) => names !== undefined);
  return known.length > 0 ? known.flat() : undefined;
}

/** A type's name, with its package and its arguments. */
function isName(op: number | undefined): boolean {
  return op === Op.Name || op === Op.Select || op === Op.Index || op === Op.LocalType;
}
