import { spend } from "../../effort.ts";
import { sharedFolders } from "../../folders.ts";
import type { ProjectFile } from "../../language.ts";
import { dropFunctions } from "./declared-by-types.ts";
import type { AliasFact, CppFacts, FunctionFact, MacroFact, ScopeFact, ScopeId, TypeFact, VariableFact } from "./facts.ts";
import { type Included, includedBy, Seen } from "./includes.ts";

export interface Source {
  index: number;
  path: string;
  data: CppFacts;
  /** What its scopes are; those of out-of-class code are found when they are first asked for. */
  spaces: (Space | undefined)[];
}

export interface Of<F> { source: Source; fact: F }
export type Function = Of<FunctionFact> & { space: Space };
export type Variable = Of<VariableFact>;

/** A namespace, or a class: what names are declared in. */
export interface Space {
  name: string;
  parent: Space | undefined;
  /** Absent for a namespace, and for a class that only its members tell of. */
  type: Of<TypeFact> | undefined;
  isClass: boolean;
  spaces: Map<string, Space[]>;
  functions: Map<string, Function[]>;
  variables: Map<string, Variable[]>;
  aliases: Map<string, Of<AliasFact>[]>;
  /** `using` in it, with where it is said. */
  uses: Of<ScopeFact>[];
  /** A class's own fields, in order. */
  fields: Variable[];
}

/** All that a name means in one place. */
export interface Found {
  functions: Function[];
  spaces: Space[];
  variables: Variable[];
  aliases: Of<AliasFact>[];
}

/** Names that stand for names that stand for names. */
const MAX_DEPTH = 40;
const MAX_ANCESTORS = 200;
/** Namespaces used before another in which that one is looked for. */
const MAX_USED = 20;
/** Macros of one name in a file that stand for something, each in a branch of a condition. */
const MAX_BUILDS = 4;

/** What is chosen of fewer is not kept: to choose again costs less. */
const KEPT_FROM = 8;

/** All declarations, what names stand for, and what a file sees. */
export class Program {
  readonly sources: Source[];
  readonly root = newSpace("", undefined, false);
  readonly classes: Space[] = [];
  /** By file: the files that it includes, with the line and how sure that is. */
  readonly included: (readonly Included[])[];
  private readonly macros = new Map<string, Of<MacroFact>[]>();
  /** Names of functions that have a body somewhere, and of macros that stand for a name. */
  private readonly runnable = new Set<string>();
  /** Whether some macro's text defines functions under names that it is given. */
  writes = false;
  private readonly seen: Seen;
  private readonly known: Map<string, Found | undefined>[];
  private readonly bases = new Map<Space, Space[]>();
  private readonly above = new Map<Space, Set<Space>>();
  /** Whether all declarations are known; what is chosen of several is kept from then on. */
  private settled = false;
  private readonly macroOf: Map<string, Of<MacroFact> | undefined>[];
  private readonly buildsOf = new Map<Of<MacroFact>, readonly Of<MacroFact>[]>();
  private readonly firsts = new Map<readonly object[], Map<number, object | undefined>>();
  /** Headers that use namespaces for all who include them; and by file those that it sees. */
  private readonly using: Of<ScopeFact>[] = [];
  private readonly usedBy: (readonly Of<ScopeFact>[] | undefined)[] = [];
  private readonly namespaces: Space[] = [];
  private readonly namespaceOf: Map<string, Space | undefined>[];
  private readonly classesOf = new Map<readonly Space[], readonly Space[]>();

  constructor(files: readonly ProjectFile<CppFacts>[]) {
    this.sources = files.map(({ path, facts }, index) => ({ index, path, data: facts.data, spaces: [] }));
    this.included = includedBy(files);
    this.seen = new Seen(this.included);
    this.known = this.sources.map(() => new Map<string, Found | undefined>());
    this.namespaceOf = this.sources.map(() => new Map<string, Space | undefined>());
    this.macroOf = this.sources.map(() => new Map<string, Of<MacroFact> | undefined>());
    for (const source of this.sources) this.addSpaces(source);
    for (const source of this.sources) this.addMembers(source);
    for (const source of this.sources) this.addInner(source);
    // What is defined out of its class is added when all classes are known.
    for (const source of this.sources) this.addOutside(source);
    for (const source of this.sources) this.addPasted(source);
    for (const space of [this.root, ...this.namespaces]) dropFunctions(space);
    for (const memo of this.known) memo.clear();
    this.settled = true;
  }

  private addSpaces(source: Source): void {
    const { scopes, types } = source.data;
    const byInner = new Map(types.filter(({ inner }) => inner > 0).map((fact) => [fact.inner, fact]));
    for (const [id, scope] of scopes.entries()) {
      const parent = scope.parent < 0 ? undefined : source.spaces[scope.parent];
      let space: Space | undefined;
      if (scope.kind === "file") space = this.root;
      else if (scope.kind === "member") space = undefined;
      else if (scope.kind === "namespace") space = !parent ? undefined : scope.name === "" ? parent : this.namespace(parent, scope.name);
      else {
        space = newSpace(scope.name, parent, true);
        const fact = byInner.get(id);
        if (fact) space.type = { source, fact };
        if (scope.name !== "" && parent) add(parent.spaces, scope.name, space);
        this.classes.push(space);
      }
      source.spaces.push(space);
      if (scope.kind === "file" && (scope.spaces.length > 0 || scope.names.length > 0) && source.data.header) this.using.push({ source, fact: scope });
      if (space && scope.kind !== "file" && (scope.spaces.length > 0 || scope.names.length > 0)) space.uses.push({ source, fact: scope });
    }
    for (const fact of types) {
      const parent = source.spaces[fact.scope];
      if (fact.inner > 0 || !parent || fact.name === "") continue;
      const space = newSpace(fact.name, parent, true);
      space.type = { source, fact };
      add(parent.spaces, fact.name, space);
      this.classes.push(space);
    }
  }

  private namespace(parent: Space, name: string): Space {
    const known = parent.spaces.get(name)?.find(({ isClass }) => !isClass);
    if (known) return known;
    const space = newSpace(name, parent, false);
    add(parent.spaces, name, space);
    this.namespaces.push(space);
    return space;
  }

  private addMembers(source: Source): void {
    const { functions, variables, aliases, macros } = source.data;
    for (const fact of functions) {
      if (fact.symbol >= 0) this.runnable.add(fact.name);
      const space = source.spaces[fact.scope];
      if (fact.qualifier === "" && space) add(space.functions, fact.name, { source, fact, space });
    }
    for (const fact of variables) {
      const space = source.spaces[fact.scope];
      if (fact.qualifier !== "" || !space) continue;
      add(space.variables, fact.name, { source, fact });
      if (space.isClass && !fact.shared) space.fields.push({ source, fact });
    }
    for (const fact of aliases) {
      const space = source.spaces[fact.scope];
      if (space) add(space.aliases, fact.name, { source, fact });
    }
    for (const fact of macros) {
      add(this.macros, fact.name, { source, fact });
      if (fact.alias !== "") this.runnable.add(fact.name);
      if (fact.writes) this.writes = true;
    }
  }

  /** Puts classes into those that they are declared in from outside: `class Outer::Inner { … }`. */
  private addInner(source: Source): void {
    for (const [id, { kind, name, parent }] of source.data.scopes.entries()) {
      const space = source.spaces[id];
      if (kind !== "class" || !space || space.parent || parent < 0) continue;
      const outer = this.spaceAt(source, parent);
      if (!outer) continue;
      space.parent = outer;
      add(outer.spaces, name, space);
    }
  }

  private addOutside(source: Source): void {
    const { functions, variables } = source.data;
    for (const fact of functions) {
      if (fact.qualifier === "") continue;
      const space = this.spaceNamed(source, fact.scope, fact.qualifier) ?? this.phantom(source, fact.scope, fact.qualifier);
      if (space) add(space.functions, fact.name, { source, fact, space });
    }
    for (const fact of variables) {
      const space = fact.qualifier === "" ? this.aroundMember(source, fact.scope) : this.spaceNamed(source, fact.scope, fact.qualifier);
      if (space) add(space.variables, fact.name, { source, fact });
    }
  }

  /** Where enumerators belong that the body of an out-of-class definition declares: where it stands itself. */
  private aroundMember(source: Source, scope: ScopeId): Space | undefined {
    const { scopes } = source.data;
    let at = scope;
    while (scopes[at]?.kind === "member") at = scopes[at]!.parent;
    return at === scope ? undefined : source.spaces[at];
  }

  /** Gives functions the names that macros put together, in their own file: elsewhere nothing would tell that these are concerned. */
  private addPasted(source: Source): void {
    for (const fact of source.data.functions) {
      const pasted = fact.by === undefined ? undefined : this.macro(source, fact.by)?.fact.pasted;
      const space = source.spaces[fact.scope];
      if (pasted === undefined || !space) continue;
      const name = pasted.replace("%", () => fact.name);
      this.runnable.add(name);
      add(space.functions, name, { source, fact: { ...fact, name, local: true }, space });
    }
  }

  /** A class that is declared nowhere that we could read. */
  private phantom(source: Source, scope: ScopeId, qualifier: string): Space | undefined {
    const parent = this.spaceAt(source, scope);
    const name = qualifier.slice(qualifier.lastIndexOf(":") + 1);
    if (!parent || name === "") return undefined;
    const space = newSpace(name, parent, true);
    add(parent.spaces, name, space);
    this.known[source.index]!.clear();
    return space;
  }

  /** Whether a name may stand for a function with a body, in whatever place. */
  mayRun(path: string): boolean {
    return this.runnable.has(path.slice(path.lastIndexOf(":") + 1));
  }

  // What a file sees

  /** Whether a file includes another, itself or by what it includes. */
  sees(source: Source, file: number): boolean {
    return source.index === file || this.seen.has(source.index, file);
  }

  /** Those of several declarations that a file means: its own, else those it includes, else the nearest. */
  nearest<T extends { source: Source }>(source: Source, all: readonly T[]): T[] {
    if (all.length < 2) return [...all];
    spend(all.length);
    const own = all.filter((one) => one.source === source);
    if (own.length > 0) return own;
    const seen = all.filter((one) => this.sees(source, one.source.index));
    if (seen.length > 0) return seen;
    const ranks = all.map((one) => sharedFolders(source.path, one.source.path));
    const best = Math.max(...ranks);
    return all.filter((_, i) => ranks[i] === best);
  }

  /** The one of several declarations that a file means; `all` is a list that is kept. */
  first<T extends { source: Source }>(source: Source, all: readonly T[]): T | undefined {
    return all.length < 2 ? all[0] : this.once(source, all, () => this.nearest(source, all)[0]);
  }

  /** What a file means of a list that is kept, worked out once. */
  once<T extends object>(source: Source, all: readonly object[], work: () => T | undefined): T | undefined {
    if (!this.settled || all.length < KEPT_FROM) return work();
    let bySource = this.firsts.get(all);
    if (!bySource) this.firsts.set(all, (bySource = new Map<number, object | undefined>()));
    if (bySource.has(source.index)) return bySource.get(source.index) as T | undefined;
    const found = work();
    bySource.set(source.index, found);
    return found;
  }

  /** The macro that a name is in a file; in one that is included, those of the files around it, too. */
  macro(source: Source, name: string): Of<MacroFact> | undefined {
    const all = this.macros.get(name);
    if (!all) return undefined;
    if (all.length < KEPT_FROM) return this.macroAmong(source, all);
    const memo = this.macroOf[source.index]!;
    if (!memo.has(name)) memo.set(name, this.macroAmong(source, all));
    return memo.get(name);
  }

  /** A macro, and those of its name in its file: one for each build. Many are one after the other, of which the first is taken. */
  builds(macro: Of<MacroFact>): readonly Of<MacroFact>[] {
    let builds = this.buildsOf.get(macro);
    if (!builds) {
      const all = this.macros.get(macro.fact.name)!.filter(({ source, fact }) => source === macro.source && (fact.symbol >= 0 || fact.constant >= 0));
      this.buildsOf.set(macro, (builds = all.length > MAX_BUILDS ? [macro] : all));
    }
    return builds;
  }

  private macroAmong(source: Source, all: readonly Of<MacroFact>[]): Of<MacroFact> | undefined {
    const own = all.filter((one) => one.source === source);
    let seen = own.length > 0 ? own : all.filter((one) => this.sees(source, one.source.index));
    if (seen.length === 0) seen = all.filter((one) => this.sees(one.source, source.index));
    return seen.find(({ fact }) => fact.symbol >= 0) ?? seen[0];
  }

  // Names

  spaceAt(source: Source, scope: ScopeId): Space | undefined {
    const known = source.spaces[scope];
    if (known) return known;
    const fact = source.data.scopes[scope];
    if (fact?.kind !== "member") return undefined;
    const space = this.spaceNamed(source, fact.parent, fact.name);
    if (space) source.spaces[scope] = space;
    return space;
  }

  spaceNamed(source: Source, scope: ScopeId, path: string): Space | undefined {
    const found = this.lookup(source, scope, path, true);
    return found && this.spaceOf(source, found);
  }

  private spaceOf(source: Source, { spaces, aliases }: Found, depth = 0): Space | undefined {
    if (spaces.length > 0) return this.oneSpace(source, spaces);
    const [alias] = aliases;
    if (!alias || depth > MAX_DEPTH) return undefined;
    const { code, strings } = alias.source.data;
    const { type } = alias.fact;
    if (type === 0) return undefined;
    const next = this.lookup(alias.source, code[type + 2]!, strings[code[type + 1]!]!, true);
    return next && next.aliases[0] !== alias ? this.spaceOf(alias.source, next, depth + 1) : undefined;
  }

  oneSpace(source: Source, spaces: readonly Space[]): Space | undefined {
    if (spaces.length < 2) return spaces[0];
    return this.once(source, spaces, () => {
      const typed = spaces.flatMap((space) => (space.type ? [{ source: space.type.source, space }] : []));
      const near = this.nearest(source, typed);
      // One without members may be there for the documentation alone.
      return (near.find(({ space }) => space.fields.length + space.functions.size > 0) ?? near[0])?.space ?? spaces[0];
    });
  }

  /** The class that a file means by a name. */
  oneClass(source: Source, spaces: readonly Space[]): Space | undefined {
    let classes = this.classesOf.get(spaces);
    if (!classes) this.classesOf.set(spaces, (classes = spaces.filter(({ isClass }) => isClass)));
    return this.oneSpace(source, classes);
  }

  /** What a name means where it stands, as a type only if `types`; undefined when it means nothing that we know. */
  lookup(source: Source, scope: ScopeId, path: string, types = false): Found | undefined {
    const memo = this.known[source.index]!;
    const key = `${scope}${types ? "t" : " "}${path}`;
    if (memo.has(key)) return memo.get(key);
    memo.set(key, undefined); // while it is looked for: a cycle ends here
    const found = this.search(source, scope, path, types);
    memo.set(key, found);
    return found;
  }

  private search(source: Source, scope: ScopeId, path: string, types: boolean): Found | undefined {
    const parts = path.split("::");
    const rooted = parts[0] === "" && parts.length > 1;
    const names = rooted ? parts.slice(1) : parts;
    let found = this.walk(source, scope, names, rooted, types);
    // Of a namespace that a macro opens nobody sees where it is, so what is in it is found without it. A class is what it is.
    for (let from = 1; !found && from < names.length && names[0] !== "std"; from++) {
      const outer = this.lookup(source, scope, parts.slice(0, parts.length - names.length + from).join("::"), true);
      if (outer?.spaces.some(({ isClass }) => isClass)) break;
      found = this.walk(source, outsideOfClasses(source, scope), names.slice(from), false, types);
    }
    return found ?? (source.data.hidden ? this.hidden(source, names, types) : undefined);
  }

  /** What the only namespace that has a name means by it, for code of which nobody sees in which one it is. */
  private hidden(source: Source, [first = "", ...rest]: readonly string[], types: boolean): Found | undefined {
    const having = this.namespaces.flatMap((space) => {
      spend();
      const found = this.inSpace(source, space, first, types || rest.length > 0);
      return found && this.isSeen(source, found) ? [found] : [];
    });
    const [only] = having;
    if (having.length !== 1 || rest.length === 0) return having.length === 1 ? only : undefined;
    return this.within(source, only!, rest, types);
  }

  /** What a path of names leads to. `rooted`: from outside of all namespaces, else from where it stands. */
  private walk(source: Source, scope: ScopeId, [first = "", ...rest]: readonly string[], rooted: boolean, types: boolean): Found | undefined {
    const found = rooted ? this.inSpace(source, this.root, first, types || rest.length > 0) : this.upwards(source, scope, first, types || rest.length > 0);
    return found && this.within(source, found, rest, types);
  }

  /** What a path of names leads to from what is found. */
  private within(source: Source, from: Found, names: readonly string[], types: boolean): Found | undefined {
    let found = from;
    for (const [i, name] of names.entries()) {
      const space = this.spaceOf(source, found);
      const next = space && this.inSpace(source, space, name, types || i < names.length - 1);
      if (!next) return undefined;
      found = next;
    }
    return found;
  }

  private upwards(source: Source, scope: ScopeId, name: string, types: boolean): Found | undefined {
    let unseen: Found | undefined;
    for (let at = scope; at >= 0; at = source.data.scopes[at]!.parent) {
      const fact = source.data.scopes[at]!;
      const space = this.spaceAt(source, at);
      if (space) {
        // The namespaces of a class that code stands outside of.
        for (let up: Space | undefined = space; up; up = fact.kind === "member" ? up.parent : undefined) {
          const found = this.inSpace(source, up, name, types);
          if (found && (at > 0 || this.usesOf(source, fact).length === 0 || this.isSeen(source, found))) return found;
          unseen ??= found;
        }
      }
      if (at > 0) continue;
      for (const use of this.usesOf(source, fact)) {
        const used = this.used(source, use, name, types, new Set([this.root]));
        if (used) return used;
      }
    }
    return unseen;
  }

  /** Whether a file sees some of what a name means outside of namespaces. */
  private isSeen(source: Source, { functions, spaces, variables, aliases }: Found): boolean {
    const sees = (of: Source | undefined): boolean => of !== undefined && this.sees(source, of.index);
    return [...functions, ...variables, ...aliases].some((one) => sees(one.source)) || spaces.some(({ isClass, type }) => !isClass || sees(type?.source));
  }

  /** What a file uses, and the headers that it sees. */
  private usesOf(source: Source, fact: ScopeFact): readonly Of<ScopeFact>[] {
    const own = fact.spaces.length + fact.names.length > 0 ? [{ source, fact }] : [];
    return (this.usedBy[source.index] ??= [...own, ...this.using.filter((use) => use.source !== source && this.sees(source, use.source.index))]);
  }

  /** What a name means in a namespace or class, its bases and what they use; as a type only if `types`. */
  inSpace(source: Source, space: Space, name: string, types = false, met?: Set<Space>): Found | undefined {
    const own = this.ownOrUsed(source, space, name, types, met);
    if (own || !space.isClass) return own;
    for (const base of this.ancestors(space)) {
      const found = this.ownOrUsed(source, base, name, types, met);
      if (found) return found;
    }
    return undefined;
  }

  private ownOrUsed(source: Source, space: Space, name: string, types: boolean, met?: Set<Space>): Found | undefined {
    spend();
    // Within a class its name is the class, not its constructors.
    if (space.isClass && space.name === name && name !== "") return { functions: [], spaces: [space], variables: [], aliases: [] };
    const functions = types ? undefined : space.functions.get(name);
    const spaces = space.spaces.get(name);
    const variables = types ? undefined : space.variables.get(name);
    const aliases = space.aliases.get(name);
    if (functions || spaces || variables || aliases) {
      return { functions: functions ?? [], spaces: spaces ?? [], variables: variables ?? [], aliases: aliases ?? [] };
    }
    if (space.uses.length === 0 || met?.has(space)) return undefined;
    const seen = (met ?? new Set<Space>()).add(space);
    for (const use of space.uses) {
      const found = this.used(source, use, name, types, seen);
      if (found) return found;
    }
    return undefined;
  }

  private used(source: Source, { source: home, fact }: Of<ScopeFact>, name: string, types: boolean, met: Set<Space>): Found | undefined {
    const scope = home.data.scopes.indexOf(fact);
    for (const [own, path] of fact.names) {
      const found = own === name && path !== name ? this.lookup(home, scope, path, types) : undefined;
      if (found) return found;
    }
    for (const path of fact.spaces) {
      const inner = path.startsWith("#") ? home.spaces[Number(path.slice(1))] : this.namespaceNamed(home, scope, path);
      const found = inner && !met.has(inner) ? this.inSpace(source, inner, name, types, met) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** The namespace that `using namespace` names, which may stand in one that is used before it. */
  private namespaceNamed(source: Source, scope: ScopeId, path: string): Space | undefined {
    const memo = this.namespaceOf[source.index]!;
    const key = `${scope} ${path}`;
    if (!memo.has(key)) memo.set(key, this.searchNamespace(source, scope, path));
    return memo.get(key);
  }

  private searchNamespace(source: Source, scope: ScopeId, path: string): Space | undefined {
    const parts = path.split("::").filter((part) => part !== "");
    const inside = (from: Space | undefined): Space | undefined => parts.reduce<Space | undefined>((space, part) => space?.spaces.get(part)?.find(({ isClass }) => !isClass), from);
    for (let at = scope; at >= 0; at = source.data.scopes[at]!.parent) {
      const found = inside(this.spaceAt(source, at));
      if (found) return found;
      const { spaces } = source.data.scopes[at]!;
      for (const before of spaces.slice(0, Math.min(MAX_USED, Math.max(0, spaces.indexOf(path))))) {
        const used = before.startsWith("#") ? undefined : inside(this.namespaceNamed(source, at, before));
        if (used) return used;
      }
    }
    return undefined;
  }

  /** A class's bases, theirs, and so on, the nearest first. */
  ancestors(space: Space): ReadonlySet<Space> {
    let all = this.above.get(space);
    if (all) return all;
    all = new Set(this.basesOf(space));
    // It grows while it is gone through.
    for (const base of all) for (const next of this.basesOf(base)) if (next !== space && all.size < MAX_ANCESTORS) all.add(next);
    this.above.set(space, all);
    return all;
  }

  /** The classes that a class derives from, of those that we know. */
  basesOf(space: Space): readonly Space[] {
    let bases = this.bases.get(space);
    if (bases) return bases;
    this.bases.set(space, (bases = [])); // while they are looked for: a cycle ends here
    if (!space.type) return bases;
    const { source, fact } = space.type;
    const { code, strings } = source.data;
    for (const { type } of fact.bases) {
      const base = this.spaceNamed(source, fact.scope, strings[code[type + 1]!]!);
      if (base?.isClass && base !== space) bases.push(base);
    }
    return bases;
  }
}

/** The namespace, or the file, that a scope stands in. */
function outsideOfClasses({ data: { scopes } }: Source, scope: ScopeId): ScopeId {
  let at = scope;
  while (at > 0 && scopes[at]!.kind !== "namespace") at = scopes[at]!.parent;
  return at;
}

function newSpace(name: string, parent: Space | undefined, isClass: boolean): Space {
  return {
    name, parent, type: undefined, isClass, spaces: new Map(), functions: new Map(), variables: new Map(), aliases: new Map(), uses: [], fields: [],
  };
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
