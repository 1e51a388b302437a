import { sharedFolders } from "../../folders.ts";
import type { ProjectFile } from "../../language.ts";
import { isTestPath } from "../../test-paths.ts";
import type { FieldFact, MethodFact, MixinFact, Offset, RubyFacts, ScopeFact } from "./facts.ts";
import { underscored, VIEW } from "./paths.ts";

/** A module that has a method more often is told by the first of them: people open a class again some ten times. */
const MAX_DEFINITIONS = 1_000;

export interface Source {
  /** Its own number, as long as there is a file of this path. */
  id: number;
  /** Its place among all files. */
  index: number;
  path: string;
  test: boolean;
  data: RubyFacts;
}

export interface Method {
  fact: MethodFact;
  source: Source;
  index: number;
  /** Undefined for a method of no class: one of a file, or of an object. */
  owner: Module | undefined;
}

/** A value that a name, a variable or an element is given somewhere. */
export interface Given {
  source: Source;
  value: Offset;
  element?: boolean;
  /** Of a constant, or of a global variable that is declared by it: the symbol. Of a constant, what tells it apart from all others. */
  symbol?: number;
  constant?: string;
  /** Of a constant, what other files give a constant of the same name. */
  again?: Map<Source, Given>;
}

export interface Part {
  source: Source;
  fact: ScopeFact;
}

/** A class or module, with all that reopens it. */
export interface Module extends Tables {
  /** Its own number. */
  readonly id: number;
  /** The whole name; "" for one without. */
  readonly name: string;
  readonly outer: Module | undefined;
}

/** What the code says of a module. */
export interface Tables {
  kind: "class" | "module";
  parts: Part[];
  constants: Map<string, Module | Given>;
  methods: Record<"instance" | "singleton", Map<string, Method[]>>;
  /** Variables by their names with sigils: those of objects, of the class itself. */
  fields: Record<"instance" | "singleton", Map<string, Given[]>>;
  mixins: Mixin[];
}

export interface Mixin {
  source: Source;
  fact: MixinFact;
}

export function isModule(constant: Module | Given | undefined): constant is Module {
  return constant !== undefined && "methods" in constant;
}

/** A program that another one takes files, modules and methods over from, so that these are the same objects where they are the same. */
export interface Earlier {
  readonly program: Program;
  /** A file that was there before; with what it says now it is kept. */
  source(path: string): Source | undefined;
  /** What a class or module was that is called so, or that a scope of a file, which has no name, makes. */
  module(outer: Module, name: string, source: Source, scope: number): Module | undefined;
  method(source: Source, index: number): Method | undefined;
}

/** All modules and methods, and what they are called. */
export class Program {
  readonly sources: Source[];
  /** How many files and modules there have been. */
  private files = 0;
  private made = 0;
  readonly modules: Module[] = [];
  /** Has the constants of the top level; its methods are those of `class Object`, if there is one. */
  readonly root: Module;
  /** Methods of no class, by file. */
  readonly functions: Map<string, Method[]>[];
  readonly globals = new Map<string, Given[]>();
  /** Methods that are symbols, by name. */
  readonly byName = new Map<string, Method[]>();
  /** What methods of modules are called, of any module: true where one of them is no test's. */
  readonly methodNames = new Map<string, boolean>();
  /** Methods of an object or class that is named (`def Name.method`); whose, the constants tell. */
  readonly methodsOfOthers: Method[] = [];
  private readonly byScope: Module[][];
  private readonly methods: Method[][];
  /** By file what its constants are. */
  private readonly given: (Given | undefined)[][];
  private elsewhere: Map<string, Method[]> | undefined;

  constructor(files: readonly ProjectFile<RubyFacts>[], private earlier?: Earlier) {
    if (earlier) ({ files: this.files, made: this.made } = earlier.program);
    this.root = this.newModule("", "class", undefined, earlier?.program.root);
    this.sources = files.map(({ path, facts: { data } }, index) => {
      const known = earlier?.source(path);
      return known ? Object.assign(known, { index, data }) : { id: this.files++, index, path, test: isTestPath(path), data };
    });
    this.byScope = this.sources.map(() => []);
    this.functions = this.sources.map(() => new Map<string, Method[]>());
    this.addModules();
    this.given = this.sources.map((source) => this.addConstants(source));
    this.methods = this.sources.map((source) => source.data.methods.map((fact, index) => this.addMethod(source, fact, index)));
    for (const source of this.sources) this.addFields(source);
    this.earlier = undefined;
  }

  /** The class or module that a scope is a part of; the root for a file. */
  moduleOf(source: Source, scope: number): Module {
    return this.byScope[source.index]![scope] ?? this.root;
  }

  method(source: Source, index: number): Method {
    return this.methods[source.index]![index]!;
  }

  /** What a file in this place has, by the numbers of its scopes and methods. */
  at(index: number): { modules: readonly Module[]; methods: readonly Method[] } {
    return { modules: this.byScope[index]!, methods: this.methods[index]! };
  }

  private addModules(): void {
    const borrowed: { source: Source; scope: number }[] = [];
    let waiting: { source: Source; scope: number }[] = [];
    for (const source of this.sources) {
      for (const [scope, { kind }] of source.data.scopes.entries()) {
        if (kind === "file") this.byScope[source.index]![scope] = this.root;
        else if (kind === "variables") borrowed.push({ source, scope });
        else if (!this.addModule(source, scope, false)) waiting.push({ source, scope });
      }
    }
    // `class A::B` has a place when A has one.
    for (let progress = true; progress && waiting.length > 0;) {
      const left = waiting.filter(({ source, scope }) => !this.addModule(source, scope, false));
      progress = left.length < waiting.length;
      waiting = left;
    }
    for (const { source, scope } of waiting) this.addModule(source, scope, true);
    // There is one where a class is declared, and none is made.
    for (const { source, scope } of borrowed) {
      const module = this.path(this.root, source.data.scopes[scope]!.name.split("::"));
      if (module) this.byScope[source.index]![scope] = module;
    }
  }

  /** Gives a scope its module; `force` makes the modules that are named and declared nowhere. */
  private addModule(source: Source, scope: number, force: boolean): boolean {
    const fact = source.data.scopes[scope]!;
    const around = this.byScope[source.index]![fact.parent];
    if (!around && !force) return false;
    const parts = fact.name.split("::");
    const absolute = fact.name.startsWith("::");
    if (absolute) parts.shift();
    const last = parts.pop()!;
    let outer = absolute ? this.root : (around ?? this.root);
    if (parts.length > 0 || fact.kind === "reopened") {
      const names = fact.kind === "reopened" ? [...parts, last] : parts;
      const found = absolute ? this.path(this.root, names) : this.lexical(source, fact.parent, names);
      if (!found && !force) return false;
      const named = found ?? this.make(this.root, names, source, scope);
      if (fact.kind === "reopened") {
        this.byScope[source.index]![scope] = named;
        named.parts.push({ source, fact });
        return true;
      }
      outer = named;
    }
    const known = last === "" ? undefined : outer.constants.get(last);
    let module = isModule(known) ? known : undefined;
    if (!module) {
      const before = this.earlier?.module(outer, last, source, scope);
      module = this.newModule(outer.name && last ? `${outer.name}::${last}` : last, fact.kind === "module" ? "module" : "class", outer === this.root ? undefined : outer, before);
      this.modules.push(module);
      if (last !== "") outer.constants.set(last, module);
    }
    module.parts.push({ source, fact });
    this.byScope[source.index]![scope] = module;
    return true;
  }

  private newModule(name: string, kind: Module["kind"], outer: Module | undefined, before: Module | undefined): Module {
    const tables: Tables = {
      kind, parts: [], constants: new Map(), mixins: [], methods: { instance: new Map(), singleton: new Map() }, fields: { instance: new Map(), singleton: new Map() },
    };
    if (!before) return { id: ++this.made, name, outer, ...tables };
    chosenParts.delete(before);
    return Object.assign(before, tables);
  }

  private make(from: Module, names: readonly string[], source: Source, scope: number): Module {
    const { kind } = source.data.scopes[scope]!;
    let at = from;
    for (const name of names) {
      const known = at.constants.get(name);
      if (isModule(known)) {
        at = known;
        continue;
      }
      const before = this.earlier?.module(at, name, source, scope);
      const module = this.newModule(at.name ? `${at.name}::${name}` : name, kind === "class" ? "class" : "module", at === this.root ? undefined : at, before);
      this.modules.push(module);
      at.constants.set(name, module);
      at = module;
    }
    return at;
  }

  private path(from: Module | undefined, names: readonly string[]): Module | undefined {
    let at = from;
    for (const name of names) {
      const next = at?.constants.get(name);
      if (!isModule(next)) return undefined;
      at = next;
    }
    return at;
  }

  private lexical(source: Source, scope: number, names: readonly string[]): Module | undefined {
    for (let at = scope; at >= 0; at = source.data.scopes[at]!.parent) {
      const module = this.byScope[source.index]![at];
      if (module && isModule(module.constants.get(names[0]!))) return this.path(module, names);
    }
    return undefined;
  }

  private addConstants(source: Source): (Given | undefined)[] {
    const added = source.data.constants.map(({ scope, name, value, symbol }) => {
      const names = name.split("::");
      const last = names.pop()!;
      const outer = names.length === 0 ? this.moduleOf(source, scope) : this.lexical(source, scope, names.filter((one) => one !== ""));
      const first = outer?.constants.get(last);
      if (!outer || isModule(first)) return undefined;
      const given: Given = { source, value, symbol, constant: `${source.path} ${outer.name}::${last}` };
      if (first) declareAgain(first, given);
      else outer.constants.set(last, given);
      return given;
    });
    for (const fact of source.data.mixins) {
      if (fact.target === 0) this.moduleOf(source, fact.scope).mixins.push({ source, fact });
    }
    return added;
  }

  /** Functions of that name, in whatever file. */
  functionsNamed(name: string): readonly Method[] {
    if (!this.elsewhere) {
      this.elsewhere = new Map();
      for (const functions of this.functions) {
        for (const [called, methods] of functions) {
          const list = this.elsewhere.get(called) ?? [];
          list.push(...methods.filter(({ fact }) => fact.symbol >= 0));
          this.elsewhere.set(called, list);
        }
      }
    }
    return this.elsewhere.get(name) ?? [];
  }

  private addMethod(source: Source, fact: MethodFact, index: number): Method {
    const before = this.earlier?.method(source, index);
    const method: Method = before ? Object.assign(before, { fact, index, owner: undefined }) : { fact, source, index, owner: undefined };
    if (fact.of !== undefined) this.methodsOfOthers.push(method);
    else if (source.data.scopes[fact.scope]!.kind === "file") add(this.functions[source.index]!, fact.name, method);
    else this.own(method, this.moduleOf(source, fact.scope));
    return method;
  }

  /** Gives a method to a module. */
  own(method: Method, owner: Module): void {
    const { fact } = method;
    method.owner = owner;
    if (!method.source.test || !this.methodNames.has(fact.name)) this.methodNames.set(fact.name, !method.source.test);
    if (fact.side !== "singleton") addFirst(owner.methods.instance, fact.name, method);
    if (fact.side !== "instance") addFirst(owner.methods.singleton, fact.name, method);
    if (fact.symbol >= 0 && owner.name !== VIEW) add(this.byName, fact.name, method);
  }

  private addFields(source: Source): void {
    for (const fact of source.data.fields) {
      const { value, element, symbol } = fact;
      const { fields, key } = this.placeOf(source, fact);
      add(fields, key, { source, value, ...(element ? { element } : {}), ...(symbol === undefined ? {} : { symbol }) });
    }
  }

  /** Where it stands what a variable is given. */
  private placeOf(source: Source, { name, context }: FieldFact): { fields: Map<string, Given[]>; key: string } {
    if (name.startsWith("$")) return { fields: this.globals, key: name };
    const { scope, singleton } = source.data.contexts[context]!;
    const module = this.moduleOf(source, scope);
    // What tests of one file keep in variables is that file's.
    if (module === this.root) return { fields: module.fields.instance, key: `${source.id} ${name}` };
    return { fields: module.fields[name.startsWith("@@") || singleton ? "singleton" : "instance"], key: name };
  }

  /**
   * Takes other facts of a file that has the same classes, mixins and constants. `methods` are by the number of each now the one that
   * it had, if any; `names` are those of methods that are others now.
   */
  replace(source: Source, data: RubyFacts, methods: readonly number[], names: ReadonlySet<string>): void {
    const before = source.data;
    const scopes = new Map(before.scopes.map((fact, i) => [fact, data.scopes[i]!]));
    const mixed = new Map(before.mixins.map((fact, i) => [fact, data.mixins[i]!]));
    for (const { parts, mixins } of [this.root, ...this.modules]) {
      for (const part of parts) part.fact = scopes.get(part.fact) ?? part.fact;
      for (const mixin of mixins) mixin.fact = mixed.get(mixin.fact) ?? mixin.fact;
    }
    data.constants.forEach(({ value, symbol }, i) => {
      const given = this.given[source.index]![i];
      if (given) Object.assign(given, { value, symbol });
    });

    const places = before.fields.map((fact) => this.placeOf(source, fact));
    for (const { fields, key } of places) {
      const left = fields.get(key)?.filter((given) => given.source !== source) ?? [];
      if (left.length > 0) fields.set(key, left);
      else fields.delete(key);
    }
    const had = this.methods[source.index]!;
    source.data = data;
    this.addFields(source);
    for (const fact of data.fields) {
      const { fields, key } = this.placeOf(source, fact);
      fields.get(key)!.sort((a, b) => a.source.index - b.source.index);
    }

    this.methods[source.index] = data.methods.map((fact, index) => {
      const method = had[methods[index]!];
      return method ? Object.assign(method, { fact, index }) : { fact, source, index, owner: undefined };
    });
    this.functions[source.index]!.clear();
    for (const method of this.methods[source.index]!) {
      if (method.fact.of === undefined && data.scopes[method.fact.scope]!.kind === "file") add(this.functions[source.index]!, method.fact.name, method);
    }
    if (names.size > 0) this.rename(names);
  }

  /** Finds the methods of these names anew. */
  private rename(names: ReadonlySet<string>): void {
    this.elsewhere = undefined;
    for (const { methods } of [this.root, ...this.modules]) {
      for (const name of names) {
        methods.instance.delete(name);
        methods.singleton.delete(name);
      }
    }
    for (const name of names) {
      this.byName.delete(name);
      this.methodNames.delete(name);
    }
    const others: Method[] = [];
    for (const [file, methods] of this.methods.entries()) {
      const { data } = this.sources[file]!;
      for (const method of methods) {
        const { fact } = method;
        if (!names.has(fact.name)) continue;
        if (fact.of !== undefined) others.push(method);
        else if (data.scopes[fact.scope]!.kind !== "file") this.own(method, this.moduleOf(method.source, fact.scope));
      }
    }
    for (const method of others) if (method.owner) this.own(method, method.owner);
  }
}

/** Adds one of the first that have a name. */
function addFirst<T>(map: Map<string, T[]>, key: string, value: T): void {
  if ((map.get(key)?.length ?? 0) < MAX_DEFINITIONS) add(map, key, value);
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const chosenParts = new WeakMap<Module, readonly Part[]>();

/** The part that a module is known by: where its name says that it stands, else the one with the superclass, else the first. */
export function mainPart(module: Module): Part | undefined {
  return mainParts(module)[0];
}

/** The same for a file that names the module: where several files declare the same class, the one in the folders nearest to that file. */
export function partFor(module: Module, by: Source): Part | undefined {
  return nearest(mainParts(module), by);
}

/** The first part that a module may be known by, and behind it those that declare the same again, as a copy of its file does. */
export function mainParts(module: Module): readonly Part[] {
  let parts = chosenParts.get(module);
  if (!parts) chosenParts.set(module, (parts = choose(module)));
  return parts;
}

function choose(module: Module): readonly Part[] {
  const path = `${underscored(module.name)}.rb`;
  let best: Part[] = [];
  let score = -1;
  for (const part of module.parts) {
    if (part.fact.symbol < 0) continue;
    const here = (part.source.test ? 0 : 4) + (`/${part.source.path}`.endsWith(`/${path}`) ? 2 : 0) + (part.fact.superclass ? 1 : 0);
    if (here > score) [best, score] = [[part], here];
    else if (here === score) best.push(part);
  }
  const [main, ...others] = best;
  return main ? [main, ...others.filter((one) => isAgain(main, one))] : [];
}

/** Whether a part of a module declares it again, and does not only add to it: both say what is above, or are in files of one name. */
function isAgain({ source, fact }: Part, other: Part): boolean {
  return (fact.superclass > 0 && other.fact.superclass > 0) || nameOf(source.path) === nameOf(other.source.path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A file that is kept more often is the first one everywhere but in itself. */
const MAX_COPIES = 100;

/** Of what several files declare, that of the file itself, or of the one that has the most folders in common with it. */
function nearest<T extends { source: Source }>(all: readonly T[], by: Source): T | undefined {
  const own = all.length > 1 ? all.find(({ source }) => source === by) : undefined;
  let [next] = all;
  if (own || all.length < 2 || all.length > MAX_COPIES) return own ?? next;
  let most = -1;
  for (const one of all) {
    const shared = sharedFolders(one.source.path, by.path);
    if (shared > most) [next, most] = [one, shared];
  }
  return next;
}

function declareAgain(first: Given, given: Given): void {
  if (given.source === first.source || first.again?.has(given.source)) return;
  (first.again ??= new Map<Source, Given>()).set(given.source, given);
  first.constant = `${first.constant!} ${given.source.path}`;
}

/** What a constant is given that several files declare, as one of them has it. */
export function givenFor(given: Given, by: Source): Given {
  if (!given.again) return given;
  return given.again.get(by) ?? nearest([given, ...[...given.again.values()].filter(({ source }) => !source.test || by.test)], by)!;
}
