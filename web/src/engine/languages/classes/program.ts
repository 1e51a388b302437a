import type { ProjectFile, SymbolRef } from "../../language.ts";
import { nextTo } from "./copies.ts";
import type { Type } from "./types.ts";
import type { ClassFacts, ImportFact, MemberFact, Offset, ScopeFact, TypeFact, Within } from "./facts.ts";

export interface Source {
  index: number;
  path: string;
  data: ClassFacts;
}

/** A method, constructor or field where it is declared. */
export interface Member {
  fact: MemberFact;
  source: Source;
  /** Absent for a free function. */
  owner?: Declaration;
}

/** A class in more files than this is not written in parts but copied: what each call in one copy may mean is not looked for in all. */
const MAX_PARTS = 50;

/** A class, interface or the like; one of several parts has them all (C#'s partial classes, a file kept twice). */
export interface Declaration {
  /** Its place among all. */
  id: number;
  name: string;
  kind: TypeFact["kind"];
  parts: { source: Source; fact: TypeFact }[];
  outer: Declaration | undefined;
  nested: Map<string, Declaration[]>;
  methods: Map<string, Member[]>;
  fields: Map<string, Member[]>;
  constructors: Member[];
  /** Members that are only said, methods by their folded names. */
  said?: Map<string, Member[]>;
  /** What names of methods mean of the traits that the type uses. */
  aliases: Map<string, Alias>;
}

export interface Alias {
  of: string;
  /** The name of the only trait whose method it is. */
  in?: string;
  /** The names of traits whose method it is not. */
  not: string[];
}

/** What sets one language's names apart from another's. */
export interface NameRules {
  /** Names of types, namespaces and methods are the same in either case (PHP). */
  ignoreCase: boolean;
  /** A name is looked for in the namespaces around its own, too (C#). */
  outerNamespaces: boolean;
  /** `List<int>` never means a type with two type parameters, nor `List` one with any (C#). */
  arityCounts: boolean;
  /** A name before a dot may be that of a type, which holds others; else it is a namespace (PHP). */
  nestedTypes: boolean;
}

/** All declarations, and what names stand for. */
export class Program {
  readonly sources: Source[];
  readonly declarations: Declaration[] = [];
  /** Whether any member is only said. */
  hasSaid = false;
  /** What was imported from where: by source, the files and the line of the import. */
  readonly imported: Map<number, number>[];
  private readonly top = new Map<string, Declaration[]>();
  private readonly namespaces = new Set<string>();
  private readonly functions = new Map<string, Member[]>();
  private readonly byPart: Declaration[][];
  private readonly known: Map<string, Declaration | undefined>[];
  private readonly globals: ImportFact[];
  /** The names of methods that a type declares in one part without a body (C#). */
  private readonly partial = new Map<Declaration, Set<string>>();
  /** By source and record, for the type parameters of `partial` types, which each part declares again: the source and record of the one that is taken for all. */
  private readonly parameters: Map<Offset, readonly [Source, Offset]>[];

  constructor(files: readonly ProjectFile<ClassFacts>[], private readonly rules: NameRules) {
    this.sources = files.map(({ path, facts }, index) => ({ index, path, data: facts.data }));
    this.imported = this.sources.map(() => new Map<number, number>());
    this.known = this.sources.map(() => new Map<string, Declaration | undefined>());
    this.parameters = this.sources.map(() => new Map<Offset, readonly [Source, Offset]>());
    this.byPart = this.sources.map((source) => this.addTypes(source));
    for (const source of this.sources) this.addFunctions(source);
    for (const [declaration, names] of this.partial) for (const name of names) joinMethods(declaration, name);
    this.globals = this.sources.flatMap(({ data }) => data.scopes.flatMap(({ imports }) => imports.filter((fact) => fact.global)));
  }

  fold(name: string): string {
    return this.rules.ignoreCase ? name.toLowerCase() : name;
  }

  /** The declaration that a type in a file is a part of. */
  declaration(source: Source, type: number): Declaration {
    return this.byPart[source.index]![type]!;
  }

  private addTypes(source: Source): Declaration[] {
    const { types, scopes } = source.data;
    const own: Declaration[] = [];
    for (const { namespace } of scopes) {
      for (let end = namespace.length; end > 0; end = namespace.lastIndexOf(".", end - 1)) {
        const name = this.fold(namespace.slice(0, end));
        if (this.namespaces.has(name)) break; // and so are those around it
        this.namespaces.add(name);
      }
    }
    for (const fact of types) {
      const outer = fact.outer >= 0 ? own[fact.outer] : undefined;
      const declaration = this.partOf(fact, outer, scopes);
      declaration.parts.push({ source, fact });
      if (declaration.parts.length > 1) this.joinParameters(declaration);
      own.push(declaration);
      for (const { name, of, in: only, not = [] } of fact.aliases ?? []) {
        const others = declaration.aliases.get(this.fold(name))?.not ?? [];
        declaration.aliases.set(this.fold(name), { of: this.fold(of), not: [...others, ...not.map((trait) => this.fold(trait))], ...(only === undefined ? {} : { in: this.fold(only) }) });
      }
      for (const member of fact.members) {
        const entry: Member = { fact: member, source, owner: declaration };
        if (member.said) {
          this.hasSaid = true;
          add(declaration.said ??= new Map<string, Member[]>(), saidKey(member.kind, member.kind === "method" ? this.fold(member.name) : member.name), entry);
        } else if (member.kind === "constructor") declaration.constructors.push(entry);
        // Variables are told apart by case where methods are not.
        else if (member.kind === "method") add(declaration.methods, this.fold(member.name), entry);
        else add(declaration.fields, member.name, entry);
        if (member.partial) this.partial.set(declaration, (this.partial.get(declaration) ?? new Set()).add(this.fold(member.name)));
      }
    }
    return own;
  }

  /** Each part declares the type's parameters once more: one of these stands for all, if there is one that says what the parameter is at least. */
  private joinParameters({ parts }: Declaration): void {
    for (const [i] of parts[0]!.fact.typeParameters.entries()) {
      const all = parts.map(({ source, fact }): [Source, Offset] => [source, fact.typeParameters[i]!]);
      const one = all.find(([source, at]) => source.data.code[at + 2] !== 0) ?? all[0]!;
      for (const [source, at] of all) this.parameters[source.index]!.set(at, one);
    }
  }

  /** The record of a type parameter that stands for those of all parts of its type. */
  parameterFor(source: Source, at: Offset): readonly [Source, Offset] {
    return this.parameters[source.index]!.get(at) ?? [source, at];
  }

  private partOf(fact: TypeFact, outer: Declaration | undefined, scopes: readonly ScopeFact[]): Declaration {
    const name = this.fold(fact.name);
    const made = (): Declaration => {
      const declaration: Declaration = {
        id: this.declarations.length, name: fact.name, kind: fact.kind, parts: [], outer, nested: new Map(), methods: new Map(), fields: new Map(), constructors: [], aliases: new Map(),
      };
      this.declarations.push(declaration);
      return declaration;
    };
    if (fact.local) return made();
    const all = outer ? outer.nested : this.top;
    const key = outer ? name : join(this.fold(scopes[-1 - fact.outer]?.namespace ?? ""), name);
    const same = all.get(key)?.findLast((one) => arityOf(one) === fact.typeParameters.length);
    if (same && same.parts.length < MAX_PARTS) return same;
    const declaration = made();
    add(all, key, declaration);
    return declaration;
  }

  private addFunctions(source: Source): void {
    for (const { member, scope } of source.data.functions) {
      if (scope < 0) continue;
      add(this.functions, this.fold(join(source.data.scopes[scope]!.namespace, member.name)), { fact: member, source });
    }
  }

  // Names

  isNamespace(name: string): boolean {
    return this.namespaces.has(this.fold(name));
  }

  /** The declaration that a dotted name means there; undefined for one of another code base. `arity` counts type arguments. */
  typeNamed(source: Source, name: string, within: Within, arity: number, inherited: (declaration: Declaration) => readonly Declaration[]): Declaration | undefined {
    const memo = this.known[source.index]!;
    const key = `${within} ${arity} ${name}`;
    if (memo.has(key)) return memo.get(key);
    const found = this.search(source, name, within, arity, inherited);
    memo.set(key, found);
    return found;
  }

  private search(
    source: Source, name: string, within: Within, arity: number, inherited: (declaration: Declaration) => readonly Declaration[],
  ): Declaration | undefined {
    if (name.startsWith(".")) return this.absolute(name.slice(1), arity);
    const [start = "", ...rest] = name.split(".");
    const first = withoutArity(start);
    const folded = this.fold(first);
    const firstArity = rest.length > 0 ? this.outerArity(start) : arity;
    const { types, scopes } = source.data;
    let at = within;
    for (; at >= 0; at = types[at]!.outer) {
      if (!this.rules.nestedTypes) continue;
      const declaration = this.declaration(source, at);
      if (this.fold(declaration.name) === folded && (firstArity < 0 || arityOf(declaration) === firstArity)) return this.inside(declaration, rest, arity, inherited);
      const nested = this.nested(declaration, first, firstArity, inherited);
      if (nested) return this.inside(nested, rest, arity, inherited);
    }
    for (let scope = -1 - at; scope >= 0; scope = scopes[scope]!.parent) {
      const { namespace, imports, parent } = scopes[scope]!;
      for (const fact of imports) {
        if (fact.kind === "function" || fact.alias === "" || this.fold(fact.alias) !== folded) continue;
        const isNamespace = rest.length > 0 && !this.rules.nestedTypes;
        // An alias in a namespace may name what is imported outside of it.
        const target = isNamespace ? undefined : this.importedName(fact, namespace, firstArity)
          ?? (this.rules.outerNamespaces && parent >= 0 ? this.search(source, fact.path, -1 - parent, arityIn(fact.path) ?? 0, inherited) : undefined);
        if (target) this.note(source, target, fact);
        // A static import may be of a method; anything else of that name is foreign.
        if (target) return this.inside(target, rest, arity, inherited);
        if (fact.kind === "type") return this.importedName({ ...fact, path: [fact.path, ...rest].join(".") }, namespace, arity);
      }
      const end = parent >= 0 ? scopes[parent]!.namespace : "";
      // What is imported in a namespace comes behind what is declared in it, and before what is in those around it.
      const [nearest = namespace, ...outer] = this.prefixes(namespace, end);
      const declared = this.absolute(join(nearest, name), arity);
      if (declared) return declared;
      const wildcards = parent < 0 ? [...imports, ...this.globals] : imports;
      for (const fact of wildcards) {
        if (fact.alias !== "") continue;
        const found = this.importedName({ ...fact, path: `${fact.path}.${name}` }, namespace, arity);
        if (!found) continue;
        this.note(source, found, fact);
        return found;
      }
      for (const prefix of outer) {
        const found = this.absolute(join(prefix, name), arity);
        if (found) return found;
      }
    }
    return this.absolute(name, arity);
  }

  /** What a type of another code base is called there, without its namespace, whatever an import calls it here: Request, of `use Psr\Request as PsrRequest`. */
  foreignNamed({ data: { types, scopes } }: Source, name: string, within: Within): string {
    let at = within;
    while (at >= 0) at = types[at]!.outer;
    let whole = name;
    for (let scope = -1 - at; scope >= 0; scope = scopes[scope]!.parent) {
      const fact = scopes[scope]!.imports.find(({ kind, alias }) => kind === "type" && alias !== "" && this.fold(alias) === this.fold(name));
      if (fact) whole = fact.path;
    }
    return withoutArity(whole.slice(whole.lastIndexOf(".") + 1));
  }

  /** A namespace and, where the language looks there, those around it down to `end`, exclusively. */
  private prefixes(namespace: string, end: string): string[] {
    if (!this.rules.outerNamespaces) return [namespace];
    const list: string[] = [];
    for (let prefix = namespace; prefix !== end; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(".")))) {
      list.push(prefix);
      if (prefix === "") break;
    }
    return list;
  }

  /** What an import means: its path from the root, else (C#) from the namespaces around it. */
  importedName(fact: ImportFact, namespace: string, arity: number): Declaration | undefined {
    const found = this.absolute(fact.path, arity);
    if (found || !this.rules.outerNamespaces) return found;
    for (const prefix of this.prefixes(namespace, "")) {
      const inside = this.absolute(join(prefix, fact.path), arity);
      if (inside) return inside;
    }
    return undefined;
  }

  note(source: Source, { parts }: Declaration, { line, global }: ImportFact): void {
    const next = parts.some(({ fact }) => fact.partial) ? parts : [nextTo(parts, (part) => part.source, source)!];
    for (const part of next) if (part.source !== source) this.noteFile(source, part.source, global ? 0 : line);
  }

  /** Of several imports from one file the first counts, whichever is looked up first. */
  noteFile(source: Source, home: Source, line: number): void {
    const lines = this.imported[source.index]!;
    const known = lines.get(home.index) ?? 0;
    lines.set(home.index, known > 0 && line > 0 ? Math.min(known, line) : known + line);
  }

  /** A dotted name from the root; -1 as arity takes any. */
  absolute(name: string, arity: number): Declaration | undefined {
    const folded = this.fold(name);
    for (let end = folded.length; end > 0; end = folded.lastIndexOf(".", end - 1)) {
      const outer = folded.slice(0, end);
      const all = this.top.get(withoutArity(outer));
      if (!all) continue;
      const rest = end === folded.length ? [] : folded.slice(end + 1).split(".");
      const declaration = this.ofArity(all, rest.length > 0 ? this.outerArity(outer) : (arityIn(outer) ?? arity));
      return declaration && this.inside(declaration, rest, arity);
    }
    return undefined;
  }

  /** With how many type arguments a name is written that others follow; -1 where that says nothing. */
  private outerArity(name: string): number {
    return arityIn(name) ?? (this.rules.arityCounts ? 0 : -1);
  }

  /** -1 as arity takes any. */
  private ofArity(all: readonly Declaration[], arity: number): Declaration | undefined {
    const found = all.find((declaration) => arityOf(declaration) === arity);
    return found ?? (arity < 0 || !this.rules.arityCounts ? all[0] : undefined);
  }

  private inside(
    declaration: Declaration, names: readonly string[], arity: number, inherited?: (declaration: Declaration) => readonly Declaration[],
  ): Declaration | undefined {
    let at: Declaration | undefined = declaration;
    for (const [i, name] of names.entries()) {
      at = at && this.nested(at, withoutArity(name), i < names.length - 1 ? this.outerArity(name) : (arityIn(name) ?? arity), inherited);
    }
    return at;
  }

  /** A type declared in another or in what that inherits from. */
  nested(declaration: Declaration, name: string, arity: number, inherited?: (declaration: Declaration) => readonly Declaration[]): Declaration | undefined {
    const folded = this.fold(name);
    const of = ({ nested }: Declaration): Declaration | undefined => {
      const all = nested.get(folded);
      return all && this.ofArity(all, arity);
    };
    const own = of(declaration);
    if (own) return own;
    for (const ancestor of inherited?.(declaration) ?? []) {
      const found = of(ancestor);
      if (found) return found;
    }
    return undefined;
  }

  /** A free function: one of the file's imports, of the namespace, or of none. */
  functionNamed(source: Source, name: string, within: Within): Member[] {
    const { types, scopes } = source.data;
    const folded = this.fold(name);
    if (folded.startsWith(".")) return this.functions.get(folded.slice(1)) ?? [];
    let at = within;
    while (at >= 0) at = types[at]!.outer;
    const scope = scopes[-1 - at]!;
    const dot = folded.indexOf(".");
    if (dot >= 0) {
      const prefix = scope.imports.find(({ kind, alias }) => kind === "type" && this.fold(alias) === folded.slice(0, dot));
      const path = prefix ? this.fold(prefix.path) + folded.slice(dot) : join(this.fold(scope.namespace), folded);
      return this.functions.get(path) ?? [];
    }
    // PHP's constants outside of classes are found in the same way, by a name that begins with `::`.
    const isConstant = folded.startsWith("::");
    const fact = scope.imports.find(({ kind, alias }) => (isConstant ? kind === "static" && `::${this.fold(alias)}` === folded : kind === "function" && this.fold(alias) === folded));
    if (fact) return this.functions.get(this.fold(isConstant ? fact.path.replace(/[^.]*$/, "::$&") : fact.path)) ?? [];
    return this.functions.get(this.fold(join(scope.namespace, name))) ?? this.functions.get(folded) ?? [];
  }

  /** The free functions of a dotted name. */
  functionsAt(name: string): readonly Member[] {
    return this.functions.get(this.fold(name)) ?? [];
  }

  /** The imports that hold in a type or scope, nearest first, with the namespace that they stand in. */
  *importsAt(source: Source, within: Within): Iterable<{ fact: ImportFact; namespace: string }> {
    const { types, scopes } = source.data;
    let at = within;
    while (at >= 0) at = types[at]!.outer;
    for (let scope = -1 - at; scope >= 0; scope = scopes[scope]!.parent) {
      const { imports, namespace } = scopes[scope]!;
      for (const fact of imports) yield { fact, namespace };
    }
    for (const fact of this.globals) yield { fact, namespace: "" };
  }

  /** Whether a file is in a namespace, or below it, or imports all of it. */
  seesNamespace({ data: { scopes } }: Source, name: string): boolean {
    if (name === "") return true;
    return scopes.some(({ namespace, imports }) =>
      namespace === name || namespace.startsWith(`${name}.`) || imports.some(({ alias, path }) => alias === "" && `.${name}`.endsWith(`.${path}`))) ||
      this.globals.some(({ path }) => path === name);
  }

  /** The namespace of a type or scope. */
  namespaceAt(source: Source, within: Within): string {
    const { types, scopes } = source.data;
    let at = within;
    while (at >= 0) at = types[at]!.outer;
    return scopes[-1 - at]?.namespace ?? "";
  }
}

/** Of a partial method the part with a body is called, where there is one. */
function joinMethods({ methods }: Declaration, name: string): void {
  const all = methods.get(name) ?? [];
  const bodies = new Set(all.flatMap(({ fact }) => (fact.partial ? [] : [fact.parameters.length])));
  if (bodies.size > 0) methods.set(name, all.filter(({ fact }) => !fact.partial || !bodies.has(fact.parameters.length)));
}

/** A type that may be optional: `Money?` of such one is another type. */
export function isStruct(type: Type): boolean {
  return type.kind === "class" && type.declaration.parts.some(({ fact }) => fact.struct);
}

/** The number of a declaration's type parameters. */
export function arityOf(declaration: Declaration): number {
  return declaration.parts[0]!.fact.typeParameters.length;
}

/** A name with as many type arguments as stand behind it is written so: "List`1". */
export function arityIn(name: string): number | undefined {
  const at = name.lastIndexOf("`");
  return at < 0 || at < name.lastIndexOf(".") ? undefined : Number(name.slice(at + 1));
}

/** The name without them. */
export function withoutArity(name: string): string {
  return arityIn(name) === undefined ? name : name.slice(0, name.lastIndexOf("`"));
}

/** The key of a member that is only said. */
export function saidKey(kind: MemberFact["kind"], name: string): string {
  return `${kind} ${name}`;
}

export function join(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}.${name}`;
}

export function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** The function whose code a method of a class without a name stands in. */
export function codeOf({ fact, source }: Member): SymbolRef | undefined {
  return fact.around === undefined ? undefined : { file: source.index, symbol: fact.around };
}

export function refOf({ fact, source }: Member): SymbolRef | undefined {
  return fact.symbol >= 0 ? { file: source.index, symbol: fact.symbol } : undefined;
}
