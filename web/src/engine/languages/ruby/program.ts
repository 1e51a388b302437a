import type { ProjectFile } from "../../language.ts";
import { isTestPath } from "../../test-paths.ts";
import type { MethodFact, MixinFact, Offset, RubyFacts, ScopeFact } from "./facts.ts";
import { underscored } from "./paths.ts";

/** A module that has a method more often is told by the first of them: people open a class again some ten times. */
const MAX_DEFINITIONS = 1_000;

export interface Source {
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
}

export interface Part {
  source: Source;
  fact: ScopeFact;
}

/** A class or module, with all that reopens it. */
export interface Module {
  /** Its own number. */
  id: number;
  /** The whole name; "" for one without. */
  name: string;
  kind: "class" | "module";
  outer: Module | undefined;
  parts: Part[];
  constants: Map<string, Module | Given>;
  methods: Record<"instance" | "singleton", Map<string, Method[]>>;
  /** Variables by their names with sigils: those of objects, of the class itself. */
  fields: Record<"instance" | "singleton", Map<string, Given[]>>;
  mixins: { source: Source; fact: MixinFact }[];
}

export function isModule(constant: Module | Given | undefined): constant is Module {
  return constant !== undefined && "methods" in constant;
}

/** All modules and methods, and what they are called. */
export class Program {
  readonly sources: Source[];
  private made = 0;
  readonly modules: Module[] = [];
  /** Has the constants of the top level; its methods are those of `class Object`, if there is one. */
  readonly root: Module = this.newModule("", "class", undefined);
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

  constructor(files: readonly ProjectFile<RubyFacts>[]) {
    this.sources = files.map(({ path, facts }, index) => ({ index, path, test: isTestPath(path), data: facts.data }));
    this.byScope = this.sources.map(() => []);
    this.functions = this.sources.map(() => new Map<string, Method[]>());
    this.addModules();
    for (const source of this.sources) this.addConstants(source);
    this.methods = this.sources.map((source) => source.data.methods.map((fact, index) => this.addMethod(source, fact, index)));
    for (const source of this.sources) this.addFields(source);
  }

  /** The class or module that a scope is a part of; the root for a file. */
  moduleOf(source: Source, scope: number): Module {
    return this.byScope[source.index]![scope] ?? this.root;
  }

  method(source: Source, index: number): Method {
    return this.methods[source.index]![index]!;
  }

  private addModules(): void {
    let waiting: { source: Source; scope: number }[] = [];
    for (const source of this.sources) {
      for (const [scope, { kind }] of source.data.scopes.entries()) {
        if (kind === "file") this.byScope[source.index]![scope] = this.root;
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
      const named = found ?? this.make(this.root, names, fact);
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
      module = this.newModule(outer.name && last ? `${outer.name}::${last}` : last, fact.kind === "module" ? "module" : "class", outer === this.root ? undefined : outer);
      this.modules.push(module);
      if (last !== "") outer.constants.set(last, module);
    }
    module.parts.push({ source, fact });
    this.byScope[source.index]![scope] = module;
    return true;
  }

  private newModule(name: string, kind: Module["kind"], outer: Module | undefined): Module {
    return {
      id: ++this.made, name, kind, outer, parts: [], constants: new Map(), mixins: [],
      methods: { instance: new Map(), singleton: new Map() }, fields: { instance: new Map(), singleton: new Map() },
    };
  }

  private make(from: Module, names: readonly string[], { kind }: ScopeFact): Module {
    let at = from;
    for (const name of names) {
      const known = at.constants.get(name);
      if (isModule(known)) {
        at = known;
        continue;
      }
      const module = this.newModule(at.name ? `${at.name}::${name}` : name, kind === "class" ? "class" : "module", at === this.root ? undefined : at);
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

  private addConstants(source: Source): void {
    for (const { scope, name, value } of source.data.constants) {
      const names = name.split("::");
      const last = names.pop()!;
      const outer = names.length === 0 ? this.moduleOf(source, scope) : this.lexical(source, scope, names.filter((one) => one !== ""));
      if (outer && !outer.constants.has(last)) outer.constants.set(last, { source, value });
    }
    for (const fact of source.data.mixins) {
      if (fact.target === 0) this.moduleOf(source, fact.scope).mixins.push({ source, fact });
    }
  }

  private addMethod(source: Source, fact: MethodFact, index: number): Method {
    const method: Method = { fact, source, index, owner: undefined };
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
    if (fact.symbol >= 0) add(this.byName, fact.name, method);
  }

  private addFields(source: Source): void {
    for (const { name, context, value, element } of source.data.fields) {
      const given: Given = element ? { source, value, element } : { source, value };
      if (name.startsWith("$")) {
        add(this.globals, name, given);
        continue;
      }
      const { scope, singleton } = source.data.contexts[context]!;
      const module = this.moduleOf(source, scope);
      // What tests of one file keep in variables is that file's.
      if (module === this.root) add(module.fields.instance, `${source.index} ${name}`, given);
      else add(module.fields[name.startsWith("@@") ? "singleton" : singleton ? "singleton" : "instance"], name, given);
    }
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

const mainParts = new WeakMap<Module, { part: Part | undefined }>();

/** The part that a module is known by: where its name says that it stands, else the one with the superclass, else the first. */
export function mainPart(module: Module): Part | undefined {
  let main = mainParts.get(module);
  if (!main) mainParts.set(module, (main = { part: chosenPart(module) }));
  return main.part;
}

function chosenPart(module: Module): Part | undefined {
  const path = `${underscored(module.name)}.rb`;
  let best: Part | undefined;
  let score = -1;
  for (const part of module.parts) {
    if (part.fact.symbol < 0) continue;
    const here = (part.source.test ? 0 : 4) + (`/${part.source.path}`.endsWith(`/${path}`) ? 2 : 0) + (part.fact.superclass ? 1 : 0);
    if (here > score) [best, score] = [part, here];
  }
  return best;
}
