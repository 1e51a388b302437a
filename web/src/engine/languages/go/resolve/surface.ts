import type { FileFacts } from "../../../facts.ts";
import type { ProjectFile } from "../../../language.ts";
import { symbolNames } from "../../../relations.ts";
import { Outline } from "../../outline.ts";
import { aspect, type Entry, type Surface, type Surfaces } from "../../surfaces.ts";
import { type FunctionFact, type GoFacts, type Offset, Op, type TypeFact } from "../facts.ts";
import { constraintOf, isUsual } from "./constraints.ts";
import { dirOf } from "./packages.ts";
import { standardMethods } from "./standard.ts";

/**
 * The operands of each record, as facts.ts describes them: o an offset, L a counted list of offsets, s a string, t a
 * type of the file, i a plain number. Structs and interfaces are apart.
 */
const OPERANDS: Readonly<Record<number, string>> = {
  [Op.Name]: "s", [Op.Select]: "os", [Op.Index]: "oL", [Op.Star]: "o", [Op.Call]: "oL", [Op.Value]: "o", [Op.Untyped]: "i", [Op.Slice]: "o",
  [Op.Address]: "o", [Op.Receive]: "o", [Op.Binary]: "oo", [Op.Result]: "oi", [Op.Key]: "o", [Op.Element]: "o", [Op.Spread]: "o",
  [Op.Array]: "o", [Op.SliceOf]: "o", [Op.Map]: "oo", [Op.Chan]: "o", [Op.Func]: "iLL", [Op.Union]: "L", [Op.Tilde]: "o",
  [Op.Variable]: "oo", [Op.TypeParameter]: "so", [Op.LocalType]: "t",
};

/**
 * Methods decide which types implement an interface, and so where a call of one of its methods leads, without anybody
 * naming either.
 */
const Aspect = {
  /** The methods of a type, those that it gets by embedding included. */
  methods: (type: string) => aspect(type, "methods"),
  /** Whether a name is a type that can have methods. */
  owner: (type: string) => aspect(type, "owner"),
  /** What an interface asks for. */
  demands: (type: string) => aspect(type, "demands"),
  /** Some interface that asks for this method is different: which types have all that it asks for? */
  asked: (method: string) => aspect(method, "asked"),
  /** Some interface that embeds this one is different, and asks for all that this one does. */
  above: (type: string) => aspect(type, "above"),
  /** Interfaces that embed each other: a type that has the methods of one may have those of all. */
  group: (type: string) => aspect(type, "group"),
};

/** What a file has to say to others; bodies of functions are no part of it. */
export const surfaces: Surfaces<GoFacts> = {
  surfaceOf: (facts) => new Reader(facts).surface(),
  // The relations of a type to the interfaces that it implements leave the file that declares it.
  words: ({ data }) => data.types.map(({ name }) => Aspect.methods(name)),
  joins,
};

/**
 * Whether a file is one more of a package that is there without it, in a directory with no other package that an import could mean,
 * and is not the one that an import stands for that uses nothing of the package.
 */
function joins({ path, facts }: ProjectFile<GoFacts>, others: readonly ProjectFile<GoFacts>[]): boolean {
  const { data } = facts;
  if (new Reader(facts).surface().frame !== JSON.stringify([data.package, "", false])) return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "doc.go" || name === `${data.package}.go`) return false;
  const dir = dirOf(path);
  let before = false;
  for (const other of others) {
    if (other.facts.data.imports.some((each) => each.name === ".")) return false;
    if (dirOf(other.path) !== dir) continue;
    const own = other.facts.data.package;
    const isTest = other.path.endsWith("_test.go");
    if (own !== data.package && !(isTest && own.endsWith("_test"))) return false;
    // Of the usual build: what stands under a constraint may be a program of its own.
    if (own === data.package && other.path < path && isTest === path.endsWith("_test.go") && isUsual(constraintOf(other.path, other.facts.data.constraint))) before = true;
  }
  return before;
}

class Reader {
  private readonly symbols: readonly string[];
  private readonly entries: Entry[] = [];
  private outline = new Outline();
  /** Whether what is described has a selector in it, and so maybe the name of a package. */
  private selects = false;
  private readonly interfaces = new Set<Offset>();
  private readonly embedding: string[] = [];

  constructor(private readonly facts: FileFacts<GoFacts>) {
    this.symbols = symbolNames(facts);
  }

  surface(): Surface {
    const { package: name, constraint, functions, types, values } = this.facts.data;
    for (const f of functions) this.func(f);
    types.forEach((t, i) => {
      // Local types are described where something leads to them.
      if (t.symbol >= 0) this.type(t, i);
    });
    for (const v of values) {
      this.entry("value", [v.name], () => {
        this.symbol(v.symbol);
        this.offset(v.at);
      });
    }
    for (const at of this.interfaces) this.calls(types.find((t) => t.symbol >= 0 && t.type === at)?.name, at);
    const hasInit = functions.some((f) => f.name === "init" && f.owner === "");
    return { frame: JSON.stringify([name, constraint, hasInit, ...this.embedding]), entries: this.entries };
  }

  private func(f: FunctionFact): void {
    const isMethod = f.owner !== "";
    this.entry("func", isMethod ? [f.name, Aspect.methods(f.owner)] : [f.name], () => {
      this.outline.say(f.owner, f.name);
      // A receiver's type parameters have the constraints that its type gives them.
      if (f.receiverParameters.length > 0) this.outline.use(f.owner);
      this.symbol(f.symbol);
      this.offset(f.type);
      f.receiverParameters.forEach((at) => this.offset(at));
      this.outline.say("of");
      f.typeParameters.forEach((at) => this.offset(at));
    });
    if (!isMethod) return;
    // Calls of an interface's method of this name lead here as long as the type implements it.
    this.entries.push({ text: "of", names: [f.name], uses: new Set([Aspect.owner(f.owner)]) });
    this.entries.push({ text: "answers", names: [Aspect.methods(f.owner)], uses: new Set([Aspect.asked(f.name)]) });
  }

  private type(t: TypeFact, index: number): void {
    const { code, strings } = this.facts.data;
    const op = code[t.type];
    const embedded = this.embedded(t.type);
    if (op === Op.Struct && !t.alias) {
      // A field is found by its name, and hides a method that would be found deeper.
      for (const field of this.fields(t.type, 0)) {
        const name = strings[code[field]!]!;
        this.entry("field", [name, Aspect.methods(t.name)], () => {
          this.outline.say(t.name, name);
          t.typeParameters.forEach((at) => this.offset(at));
          this.offset(code[field + 1]!);
        });
      }
      this.entry("struct", [t.name], () => {
        this.outline.say(t.name);
        this.symbol(t.symbol);
        t.typeParameters.forEach((at) => this.offset(at));
        this.outline.say("embeds");
        for (const field of this.fields(t.type, 1)) this.offset(code[field + 1]!);
      });
    } else {
      this.entry("type", [t.name], () => this.outline.refer("t", index));
    }
    const { text, uses } = this.entries.at(-1)!;
    const made = isName(op) ? embedded.map(Aspect.owner) : [];
    this.entries.push({ text: `owner ${op === Op.Interface} ${t.alias} ${t.typeParameters.length > 0} ${isName(op) ? text : ""}`, names: [Aspect.owner(t.name)], uses: new Set(made) });
    // What a struct gets by embedding has names that do not stand here.
    if (op === Op.Struct && embedded.length > 0) this.embedding.push(text);
    this.entries.push({ text: `methods ${text}`, names: [Aspect.methods(t.name)], uses: new Set(embedded.map(Aspect.methods)) });
    // An interface, or what may be another name for one.
    if (op !== Op.Interface && !isName(op)) return;
    const methods = this.methods(t.type);
    const asked = [...methods.map(Aspect.asked), ...embedded.map(Aspect.above)];
    // A struct that embeds it has its methods.
    this.entries.push({ text: "answers", names: [Aspect.methods(t.name)], uses: new Set(methods.map(Aspect.asked)) });
    this.entries.push({ text: "above", names: asked, uses: new Set([Aspect.above(t.name)]) });
    this.entries.push({
      text: `asks ${text}`, names: [Aspect.demands(t.name), Aspect.group(t.name), ...asked],
      uses: new Set([...uses, ...embedded.map(Aspect.demands)]), leads: [t.name, ...methods],
    });
    if (op !== Op.Interface) this.calls(t.name, t.type);
  }

  /** Where calls of an interface's methods lead: to whatever has all of them. */
  private calls(name: string | undefined, at: Offset): void {
    const methods = this.methods(at);
    const own = name === undefined ? [] : [name];
    const group = [...own, ...this.embedded(at)].map(Aspect.group);
    this.entries.push({ text: "calls", names: group, uses: new Set([...methods, ...methods.map(Aspect.asked), ...group]), leads: [...own, ...methods] });
  }

  /** What an interface asks for: what stands in it, and what it gets from the standard library, whose names stand nowhere. */
  private methods(at: Offset): string[] {
    const { code, strings } = this.facts.data;
    if (code[at] === Op.Select) return this.fromLibrary(at);
    if (code[at] !== Op.Interface) return [];
    const count = code[at + 1]!;
    const list = at + 2 + 3 * count;
    return [
      ...Array.from({ length: count }, (_, i) => strings[code[at + 2 + 3 * i]!]!),
      ...code.slice(list + 1, list + 1 + code[list]!).flatMap((each) => (code[each] === Op.Select ? this.fromLibrary(each) : [])),
    ];
  }

  /** The methods of a type `name.Type` of an imported package of the standard library. */
  private fromLibrary(at: Offset): string[] {
    const { code, strings, imports } = this.facts.data;
    const of = code[at + 1]!;
    if (code[of] !== Op.Name) return [];
    const name = strings[code[of + 1]!]!;
    return imports
      .filter((each) => (each.name === "" ? each.path.slice(each.path.lastIndexOf("/") + 1) : each.name) === name)
      .flatMap(({ path }) => standardMethods(`${path}.${strings[code[at + 2]!]!}`));
  }

  /** A struct's fields: those that have a name of their own, or the embedded ones. */
  private fields(at: Offset, embedded: 0 | 1): Offset[] {
    const { code } = this.facts.data;
    return Array.from({ length: code[at + 1]! }, (_, i) => at + 2 + 3 * i).filter((field) => code[field + 2] === embedded);
  }

  /** Names in what a struct or interface embeds, or in the type that another one is made of. */
  private embedded(at: Offset): string[] {
    const { code } = this.facts.data;
    if (code[at] !== Op.Struct && code[at] !== Op.Interface && !isName(code[at])) return [];
    const list = at + 2 + 3 * code[at + 1]!;
    this.outline = new Outline();
    const from = code[at] === Op.Struct ? this.fields(at, 1).map((field) => code[field + 1]!)
      : code[at] === Op.Interface ? code.slice(list + 1, list + 1 + code[list]!) : [at];
    for (const each of from) this.offset(each);
    this.outline.text((what, index) => this.describe(what, index));
    return [...this.outline.uses];
  }

  private entry(kind: string, names: string[], write: () => void): void {
    const outline = new Outline();
    this.outline = outline;
    this.selects = false;
    outline.say(kind);
    write();
    const text = outline.text((what, index) => this.describe(what, index));
    // What may be the name of a package is that of an import by this name, or of any that leaves its name to the package.
    const imports = this.facts.data.imports.filter(({ name }) => name === "." || (this.selects && (name === "" || outline.uses.has(name))));
    this.entries.push({ text: text + JSON.stringify(imports.map(({ path, name }) => [path, name])), names, uses: outline.uses });
  }

  private symbol(index: number): void {
    this.outline.say(this.symbols[index] ?? "-");
  }

  private offset(at: Offset): void {
    if (at === 0) this.outline.say("-");
    else this.outline.refer("o", at);
  }

  private list(from: number): number {
    const { code } = this.facts.data;
    const count = code[from]!;
    this.outline.say(String(count));
    for (let i = 1; i <= count; i++) this.offset(code[from + i]!);
    return from + 1 + count;
  }

  private describe(kind: string, index: number): void {
    const { outline, facts: { data: { types, code, strings } } } = this;
    if (kind === "t") {
      const t = types[index]!;
      outline.say(t.name, String(t.alias));
      this.symbol(t.symbol);
      t.typeParameters.forEach((at) => this.offset(at));
      outline.say("is");
      this.offset(t.type);
      return;
    }
    const op = code[index]!;
    outline.say(String(op));
    if (op === Op.Struct || op === Op.Interface) {
      const count = code[index + 1]!;
      for (let field = index + 2; field < index + 2 + 3 * count; field += 3) {
        outline.say(strings[code[field]!]!);
        this.offset(code[field + 1]!);
        if (op === Op.Struct) outline.say(String(code[field + 2]));
        else this.symbol(code[field + 2]!);
      }
      if (op === Op.Interface) {
        this.interfaces.add(index);
        this.list(index + 2 + 3 * count);
      }
      return;
    }
    if (op === Op.Select) this.selects = true;
    let next = index + 1;
    for (const operand of OPERANDS[op] ?? "") {
      if (operand === "L") {
        next = this.list(next);
        continue;
      }
      const value = code[next++]!;
      if (operand === "o") this.offset(value);
      else if (operand === "t") outline.refer("t", value);
      else if (operand === "s") outline.use(strings[value]!);
      else outline.say(String(value));
    }
  }
}

/** A type's name, with its package and its arguments. */
function isName(op: number | undefined): boolean {
  return op === Op.Name || op === Op.Select || op === Op.Index;
}
