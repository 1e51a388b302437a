import type { FileFacts } from "../../facts.ts";
import { symbolNames } from "../../relations.ts";
import { ANY } from "../patterns.ts";
import { Outline } from "../outline.ts";
import { aspect, type Entry, type Surface, type Surfaces } from "../surfaces.ts";
import { type ClassFacts, type ImportFact, INDEXER, type MemberFact, type Offset, Op, type TypeFact, type Within } from "./facts.ts";
import { ITERATOR, LOOPED } from "./hierarchy.ts";
import { lookupsFor, lookupsOf } from "./lookups.ts";
import { withoutArity } from "./program.ts";
import { isWildcard, turned } from "./wildcards.ts";

/** What sets one language apart. */
export interface SurfaceRules {
  readonly standIns?: (name: string) => readonly string[];
  /** Names are the same in either case (PHP). */
  ignoreCase: boolean;
}

/**
 * The operands of each record, as facts.ts describes them: n the name of a type or a member, t the name of a type, m that of a member, p
 * that of a type parameter, w a Within, l a local type, f a function, the others as an outline has them.
 */
const OPERANDS: Readonly<Record<number, string>> = {
  [Op.Named]: "twL", [Op.Parameter]: "po", [Op.Array]: "o", [Op.Union]: "L", [Op.OneOf]: "L", [Op.Local]: "l", [Op.Inner]: "ot", [Op.Said]: "oo", [Op.Of]: "o", [Op.Made]: "o", [Op.Taken]: "oi",
  [Op.Name]: "nw", [Op.Select]: "on", [Op.Call]: "oL", [Op.New]: "oL", [Op.Self]: "w", [Op.Super]: "w", [Op.Static]: "o", [Op.Value]: "o",
  [Op.Element]: "o", [Op.Either]: "L", [Op.Reference]: "om", [Op.Lambda]: "oioL", [Op.Index]: "oL", [Op.Several]: "L", [Op.Generic]: "oL",
  [Op.Spread]: "o", [Op.Quoted]: "o", [Op.Constant]: "o", [Op.Text]: "p", [Op.Entry]: "op", [Op.Keyed]: "po", [Op.Variable]: "oo", [Op.Argument]: "oi", [Op.Function]: "f",
  [Op.Code]: "i", [Op.Operator]: "mL", [Op.Runs]: "op", [Op.Ranged]: "oo",
};

const Aspect = {
  /** A member of that name, of whatever type. */
  member: (name: string) => aspect(name, "member"),
  /** What inherits from a type, directly or not. */
  heirs: (type: string) => aspect(type, "heirs"),
  /** What a lambda is given where the type is asked for. */
  lambda: (type: string) => aspect(type, "lambda"),
  /** What `new` runs. */
  made: (type: string) => aspect(type, "made"),
};

/** Types in types in which functions are looked for. */
export const MAX_DEPTH = 4;

/** Members that are reached without their name: through a loop, an index, a call of a value. */
const UNNAMED = new Set([...LOOPED, INDEXER, "__invoke", "Invoke", "__call", "__callStatic", "__get", "__set", "__isset", "__unset", ...ITERATOR].map((name) => name.toLowerCase()));

/** What a file has to say to others: its types and what they inherit, its members as they are declared. */
export function surfacesOf(rules: SurfaceRules): Surfaces<ClassFacts> {
  const fold = rules.ignoreCase ? (name: string): string => name.toLowerCase() : (name: string): string => name;
  return {
    surfaceOf: (facts, path) => new Reader(facts, fold).surface(path),
    free: true,
    common: ({ data }) => namespacesOf(data, fold),
    turned: (before, after, changed) => turned(before, after, changed, fold),
    mentions: ({ data }) => wordsOf(data, fold, rules.standIns),
    lookups: lookupsOf,
  };
}

/** All names in a file, one by one; of the files that it includes, those without their folders. */
function* wordsOf({ strings, scopes, types, functions, includes }: ClassFacts, fold: (name: string) => string, standIns?: SurfaceRules["standIns"]): Iterable<string> {
  for (const text of strings) {
    yield* segments(fold(text));
    if (standIns && /^\w+$/.test(text)) for (const other of standIns(text)) yield fold(other);
    if (text.includes(ANY)) yield ANY;
  }
  for (const { imports } of scopes) {
    for (const { path, alias } of imports) {
      yield* segments(fold(path));
      yield fold(alias);
    }
  }
  for (const { name, members, aliases } of types) {
    yield fold(name);
    for (const member of members) yield fold(member.name);
    for (const alias of aliases ?? []) yield fold(alias.of);
  }
  for (const { member } of functions) yield fold(member.name);
  for (const { path } of includes) yield path.slice(path.lastIndexOf("/") + 1);
}

/** The namespaces of a file, and those around them. */
function* namespacesOf({ scopes }: ClassFacts, fold: (name: string) => string): Iterable<string> {
  for (const { namespace } of scopes) {
    for (let end = namespace.length; end > 0; end = namespace.lastIndexOf(".", end - 1)) yield fold(namespace.slice(0, end));
  }
}

/** The names in a dotted one. */
function segments(name: string): string[] {
  // C#'s types have the number of their type arguments: "Map`2.Entry". Methods that a loop or a tuple runs without naming them are written "GetEnumerator MoveNext" and "Deconstruct:2" (with two parts); PHP's constants begin with `::`.
  return /[.: `]/.test(name) ? name.split(/[. ]|`\d+|(?<!:):(?!:)/).filter((part) => part !== "") : [name];
}

class Reader {
  private readonly symbols: readonly string[];
  private readonly entries: Entry[] = [];
  private outline = new Outline();
  /** By type, the names of those in it. */
  private readonly nested: ReadonlyMap<number, string[]>;

  constructor(private readonly facts: FileFacts<ClassFacts>, private readonly fold: (name: string) => string) {
    this.symbols = symbolNames(facts);
    this.nested = new Map([...grouped(facts.data.types, ({ outer }) => outer)].map(([outer, inside]) => [outer, inside.map(({ name }) => fold(name))]));
  }

  surface(path: string): Surface {
    const { scopes, types, functions } = this.facts.data;
    types.forEach((type, i) => this.type(type, i));
    for (const [name, all] of grouped(functions.filter(({ scope }) => scope >= 0), ({ member }) => this.fold(member.name))) {
      this.entry("functions", -1 - all[0]!.scope, [Aspect.member(name)], [name], () => {
        for (const { member, scope } of all) {
          this.outline.say(scopes[scope]!.namespace);
          this.member(member, -1 - scope);
        }
      });
    }
    this.entries.push({ text: `file ${path}`, names: [], uses: new Set(), leads: [path.slice(path.lastIndexOf("/") + 1)] });
    const globals = scopes.flatMap(({ imports }) => imports.filter((fact) => fact.global).map((fact) => [fact.kind, fact.path, fact.alias]));
    return { frame: globals.length > 0 ? JSON.stringify(globals) : "", entries: this.entries };
  }

  private type(type: TypeFact, index: number): void {
    const own = this.fold(type.name);
    const names = own === "" ? [] : [own];
    const above = this.superNames(type);
    // Calls through a type of a library lead to the methods of what inherits from it.
    const leads = above.length > 0 ? [...new Set(type.members.filter(({ kind }) => kind === "method").map(({ name }) => this.fold(name)))] : [];
    this.entry("type", type.outer, [...names, ...above.map(Aspect.heirs)], leads, () => {
      this.outline.say(this.place(type), type.name, type.kind, String(type.local), String(type.alias ?? false), String(type.struct ?? false), String(type.partial ?? false), JSON.stringify(type.aliases ?? []));
      this.symbol(type.symbol);
      this.outline.offsets(type.typeParameters);
      for (const { type: at, how } of type.supers) {
        this.outline.say(how);
        this.outline.offset(at);
      }
    });

    const abstract = type.members.filter((member) => member.abstract);
    // Calls of a method without a body, or of one that may be overridden, lead to what is below; a trait's code, to what has it; and below it its nested types have their names.
    this.link("heirs", [Aspect.heirs(own)], [...above.map(Aspect.heirs), ...(this.nested.get(index) ?? [])], type.kind === "trait" ? names : []);
    for (const { name } of type.members.filter((member) => member.abstract || member.virtual)) this.link("heirs", [Aspect.heirs(own)], [], [this.fold(name)]);
    this.entry("lambda", type.outer, [Aspect.lambda(own)], names, () => {
      for (const name of above) this.outline.use(Aspect.lambda(name));
      const [first, ...others] = abstract;
      if (first) this.member(first, index);
      // Only an interface of one method stands for a function.
      this.outline.say(others.length > 0 ? "several" : "");
    });

    const constructors = type.members.filter(({ kind }) => kind === "constructor");
    // A record is taken apart into what it is made of.
    const apart = constructors.some(({ symbol, parameters }) => symbol < 0 && parameters.length > 0) ? [this.fold("Deconstruct")] : [];
    this.entry("constructors", type.outer, [Aspect.made(own)], [...names, ...apart], () => {
      this.outline.say(this.place(type), type.name);
      for (const member of constructors) this.member(member, index);
      // A record's arguments go into its fields.
      if (constructors.some(({ symbol }) => symbol < 0)) this.outline.say(...type.members.filter(({ kind }) => kind === "field").map(({ name }) => name));
      for (const name of above) this.outline.use(Aspect.made(name));
    });
    for (const [name, all] of grouped(type.members.filter(({ kind }) => kind !== "constructor"), (member) => this.fold(member.name))) {
      // So are conversions, wherever a value of the type is put.
      const unnamed = UNNAMED.has(name.toLowerCase()) || / operator /.test(name) ? names : [];
      this.entry("members", index, unnamed, [], () => {
        // Types of one name at the top of files are one; a local one is a type of its own.
        this.outline.say(this.place(type), type.name, String(type.local), String(type.typeParameters.length));
        for (const member of all) this.member(member, index);
      }, { name: Aspect.member(name), lead: name, ...lookupsFor(name, own, all.some(({ extension }) => extension)) });
    }
    for (const { name, of } of type.aliases ?? []) if (name !== of) this.link("alias", [Aspect.member(this.fold(of))], [Aspect.member(this.fold(name))], [this.fold(name)]);
  }

  /** An entry that says nothing of its own: where one of `uses` is different, so are `names` and `leads`. */
  private link(text: string, uses: string[], names: string[], leads: string[]): void {
    this.entries.push({ text, names, uses: new Set(uses), leads });
  }

  private superNames({ supers, outer }: TypeFact): string[] {
    return supers.flatMap(({ type: at }) => this.simpleName(at, outer));
  }

  /** The names that the declaration of a type may have which a record stands for: that of the record, and what is imported by it. */
  private simpleName(at: Offset, within: Within): string[] {
    const { code, strings, types } = this.facts.data;
    if (code[at] === Op.Local) return [this.fold(types[code[at + 1]!]!.name)];
    if (code[at] === Op.Inner) return [this.fold(strings[code[at + 2]!]!)];
    if (code[at] !== Op.Named) return [];
    const name = this.fold(strings[code[at + 1]!]!);
    const imported = this.importsAt(within).filter(({ alias }) => this.fold(alias) === name).map(({ path }) => this.fold(path));
    return [name, ...imported].map((one) => withoutArity(one.slice(one.lastIndexOf(".") + 1)));
  }

  private importsAt(within: Within): ImportFact[] {
    const { types, scopes } = this.facts.data;
    let at = within;
    while (at >= 0) at = types[at]!.outer;
    const found: ImportFact[] = [];
    for (let scope = -1 - at; scope >= 0; scope = scopes[scope]!.parent) found.push(...scopes[scope]!.imports);
    return found;
  }

  /** The namespace and the types around a type. */
  private place({ outer }: TypeFact): string {
    const { types, scopes } = this.facts.data;
    const names: string[] = [];
    let at = outer;
    for (; at >= 0; at = types[at]!.outer) names.push(`${types[at]!.name}<${types[at]!.typeParameters.length}>`);
    return [...names, scopes[-1 - at]?.namespace ?? ""].reverse().join(" ");
  }

  private entry(kind: string, within: Within, names: string[], leads: string[], write: () => void, member?: Entry["member"]): void {
    const outline = new Outline();
    this.outline = outline;
    outline.say(kind);
    write();
    const text = outline.text((what, index) => this.describe(what, index));
    // What names mean depends on their imports. Of other wildcards `turned` tells.
    const { uses } = outline;
    const imports: string[] = [];
    for (const fact of this.importsAt(within)) {
      if (isWildcard(fact)) continue;
      const { path, alias, kind } = fact;
      if (alias !== "" && !uses.has(this.fold(alias)) && !uses.has(Aspect.member(this.fold(alias)))) continue;
      imports.push(kind, path, alias);
      if (alias === "") continue;
      const parts = segments(this.fold(path));
      for (const part of parts) uses.add(part);
      uses.add(Aspect.member(parts.at(-1) ?? ""));
    }
    this.entries.push({ text: text + JSON.stringify(imports), names, uses, leads, ...(member ? { member } : {}) });
  }

  private member(member: MemberFact, within: Within): void {
    const { outline } = this;
    outline.say(member.name, member.kind, `${member.abstract} ${member.virtual ?? false} ${member.overrides ?? false} ${member.required} ${member.variadic} ${member.hidden ?? false} ${member.extension ?? false} ${member.static ?? false} ${member.private ?? false} ${member.said ?? false} ${member.modes ?? ""} ${member.partial ?? false}`);
    this.symbol(member.symbol);
    this.outline.offsets(member.typeParameters);
    this.outline.offsets(member.parameters);
    this.outline.say(...member.names ?? []);
    for (const at of member.parameters) this.lambda(at, within);
    this.outline.offset(member.type);
    this.lambda(member.type, within);
    if (member.type === 0) this.outline.offset(member.initialiser);
  }

  /** What a lambda is given for a parameter, and what is a function, is decided by the type. */
  private lambda(at: Offset, within: Within, depth = 0): void {
    const { code } = this.facts.data;
    if (depth > MAX_DEPTH) return;
    const inside = code[at] === Op.Array ? [code[at + 1]!] : code[at] === Op.Said ? [code[at + 1]!, code[at + 2]!] : code[at] === Op.Parameter ? [code[at + 2]!]
      : code[at] === Op.Union ? code.slice(at + 2, at + 2 + code[at + 1]!) : code[at] === Op.Named ? code.slice(at + 4, at + 4 + code[at + 3]!) : [];
    for (const one of inside) this.lambda(one, within, depth + 1);
    for (const name of this.simpleName(at, within)) this.outline.use(Aspect.lambda(name));
  }

  private symbol(index: number): void {
    this.outline.say(this.symbols[index] ?? "-");
  }

  private describe(kind: string, index: number): void {
    const { outline, facts: { data: { code, strings, types, functions } } } = this;
    if (kind === "l") {
      const type = types[index]!;
      outline.say(type.name, type.kind);
      this.outline.offsets(type.supers.map(({ type: at }) => at));
      return;
    }
    outline.record(code, index, OPERANDS, (letter, value, op) => {
      switch (letter) {
        case "t":
        case "n":
        case "m":
          this.name(strings[value]!, letter);
          break;
        case "p":
          outline.say(strings[value]!);
          break;
        case "w":
          if (op === Op.Self || op === Op.Super) this.name(types[value]?.name ?? "", "t");
          break;
        case "l":
          outline.refer("l", value);
          break;
        case "f":
          this.member(functions[value]!.member, -1);
          break;
      }
    });
  }

  private name(name: string, kind: "t" | "n" | "m"): void {
    const { outline } = this;
    outline.say(name);
    const parts = segments(this.fold(name));
    for (const part of kind === "m" ? [] : parts) outline.use(part);
    if (kind !== "t") outline.use(Aspect.member(parts.at(-1) ?? ""));
  }
}

function grouped<T, K>(list: readonly T[], key: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const group = groups.get(key(one));
    if (group) group.push(one);
    else groups.set(key(one), [one]);
  }
  return groups;
}
