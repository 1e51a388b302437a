import type { FileFacts } from "../../facts.ts";
import { symbolNames } from "../../relations.ts";
import { Outline } from "../outline.ts";
import { aspect, type Entry, type Surface, type Surfaces } from "../surfaces.ts";
import { turned } from "./affected.ts";
import { type CppFacts, Flag, type FunctionFact, type Offset, Op, type ScopeId, type TypeFact, type VariableFact } from "./facts.ts";

/** The operands of each record, as facts.ts describes them: s a string, c a scope, the others as an outline has them. Braces are apart. */
const OPERANDS: Readonly<Record<number, string>> = {
  [Op.Named]: "sciL", [Op.Name]: "scL", [Op.Select]: "osi", [Op.Call]: "oL", [Op.New]: "oL", [Op.This]: "c", [Op.Value]: "o", [Op.Index]: "o", [Op.Address]: "o", [Op.Deref]: "o",
  [Op.Element]: "o", [Op.Either]: "oo", [Op.Variable]: "oo", [Op.Cast]: "oo", [Op.Code]: "io", [Op.Operator]: "sL",
};

/** Functions that are called by no name of theirs. */
const NAMELESS = /^(?:operator\b|operator\W|~|begin$|end$)/;

/** What is defined of a type outside of it, perhaps in another folder. */
const outside = (type: string): string => aspect(type, "outside");

/** In which order a type's fields stand: what initialisers put where, and what constructors make. */
const order = (type: string): string => aspect(type, "order");

/** What a function takes: where one of that name is read as C++, that decides which of several is called. */
const taken = (name: string): string => aspect(name, "taken");

/** What a file has to say to others. Of functions' bodies that is nothing: what they put into fields and variables, each file says for itself. */
export const surfaces: Surfaces<CppFacts> = {
  surfaceOf,
  words: ({ data }) => [
    ...data.strings.concat(data.scopes.map(({ name }) => name)).filter((text) => text.includes("::")).flatMap(parts),
    ...data.types.map(({ name }) => outside(name)),
    ...filled(data),
    ...constructed(data),
    ...(data.cpp ? data.functions.map(({ name }) => taken(name)) : []),
  ],
  free: true,
  turned: (before, after, changed) => turned(before.files, after.files, changed, ({ facts }) => surfaceOf(facts).entries),
};

const known = new WeakMap<object, Surface>();

function surfaceOf(facts: FileFacts<CppFacts>): Surface {
  let surface = known.get(facts);
  if (!surface) known.set(facts, (surface = new Reader(facts).surface()));
  return surface;
}

class Reader {
  private readonly symbols: readonly string[];
  private readonly entries: Entry[] = [];
  private readonly paths: string[] = [];
  private outline = new Outline();

  constructor(private readonly facts: FileFacts<CppFacts>) {
    this.symbols = symbolNames(facts);
    for (const [id, { kind, name, parent }] of facts.data.scopes.entries()) {
      // One without a name is told by its place among the file's scopes.
      this.paths.push(parent < 0 ? "" : `${this.paths[parent]!}/${kind} ${name === "" ? `#${id}` : name}`);
    }
  }

  surface(): Surface {
    const { scopes, types, aliases, functions, variables, macros } = this.facts.data;
    const fields = new Map<ScopeId, VariableFact[]>();
    for (const variable of variables.filter(({ shared }) => !shared)) {
      const list = fields.get(variable.scope);
      if (list) list.push(variable);
      else fields.set(variable.scope, [variable]);
    }
    for (const [id, { kind, name }] of scopes.entries()) if (kind === "namespace") this.entries.push({ text: this.paths[id]!, names: [name], uses: new Set() });
    for (const type of types) this.type(type, (type.inner > 0 ? fields.get(type.inner) : undefined) ?? []);
    for (const { name, symbol, scope, type } of aliases) {
      this.entry("alias", [name], () => {
        this.outline.say(this.paths[scope]!, this.symbol(symbol));
        this.outline.offset(type);
      });
      const target = typeName(this.facts.data, type);
      if (target === "") continue;
      this.entries.push({ text: outside(name), names: [outside(target)], uses: new Set([outside(name)]) });
      this.entries.push({ text: `order ${target}`, names: [order(name)], uses: new Set([order(target)]) });
    }
    for (const fact of functions) this.func(fact);
    for (const fact of variables) {
      this.entry("variable", this.namesOf(fact), () => {
        this.outline.say(fact.qualifier, this.paths[fact.scope]!, this.symbol(fact.symbol), String(fact.local), String(fact.declared), String(fact.shared));
        this.qualifier(fact.qualifier);
        this.outline.offset(fact.type);
        if (fact.type === 0) this.outline.offset(fact.initialiser);
      });
    }
    for (const { name, symbol, constant, alias, pasted, given = [], writes = [] } of macros) {
      const others = given.flatMap((one) => [...one.name, ...(one.args ?? [])]).filter((part) => typeof part === "string");
      this.entries.push({ text: `macro ${this.symbol(symbol)} ${this.symbol(constant)} ${alias} ${pasted ?? ""} ${given.length + writes.length > 0 ? JSON.stringify([given, writes]) : ""}`, names: [name], uses: new Set([...alias.split(".").flatMap(parts), ...others]) });
    }
    const structure = this.structure();
    return { frame: structure.length > 0 ? JSON.stringify(structure) : "", entries: this.entries };
  }

  /** What leads somewhere without a name: what namespaces see of others, operators that are no type's. */
  private structure(): string[] {
    const { scopes, functions } = this.facts.data;
    const all: string[] = [];
    for (const [id, { kind }] of scopes.entries()) {
      // What the file sees of namespaces is said with each of its entries; a header's is seen by those that include it.
      const sees = kind === "member" || kind === "file" && !this.facts.data.header ? "" : this.seen(id);
      if (sees !== "") all.push(sees);
    }
    if (this.facts.data.hidden) all.push("hidden");
    for (const fact of functions) if (NAMELESS.test(fact.name) && this.ownerOf(fact) === "") all.push(this.textOf(() => this.signature(fact)));
    return all;
  }

  /** What a scope sees of namespaces, and by which names; "" for nothing. */
  private seen(id: ScopeId): string {
    const { spaces, names } = this.facts.data.scopes[id]!;
    if (spaces.length + names.length === 0) return "";
    return JSON.stringify([this.paths[id], spaces.map((path) => (path.startsWith("#") ? this.paths[Number(path.slice(1))] : path)), names]);
  }

  /** The simple name of the class that a function belongs to; "" for none. */
  private ownerOf({ qualifier, scope }: FunctionFact): string {
    const { kind, name } = this.facts.data.scopes[scope]!;
    return parts(qualifier).at(-1) ?? (kind === "class" ? name : "");
  }

  private type({ name, symbol, scope, inner, parameters, bases, union, deleted }: TypeFact, fields: readonly VariableFact[]): void {
    const head = [this.paths[scope], name];
    this.entries.push({ text: JSON.stringify(["type", ...head, this.symbol(symbol), inner > 0, parameters, union, deleted]), names: [name], uses: new Set() });
    this.entry("order", [order(name === "" ? `#${inner}` : name)], () => {
      this.outline.say(...head.map(String));
      for (const field of fields) {
        this.outline.say(field.name, String(field.initialiser > 0));
        this.outline.offset(field.type);
        // No braces reach through a pointer.
        if ((this.flags(field.type) & Flag.Pointer) === 0) this.outline.uses.add(order(typeName(this.facts.data, field.type)));
      }
    });
    if (bases.length === 0) return;
    const methods = this.facts.data.functions.filter((fact) => inner > 0 && fact.scope === inner).map((fact) => fact.name);
    this.entry("bases", [name], () => {
      this.outline.say(...head.map(String));
      for (const base of bases) this.outline.offset(base.type);
    }, methods);
  }

  private func(fact: FunctionFact): void {
    const { cpp } = this.facts.data;
    this.entry("function", this.namesOf(fact), () => this.signature(fact));
    if (cpp) this.entries.push({ text: `taken ${fact.name}`, names: [fact.name], uses: new Set([taken(fact.name)]) });
    else this.entry("taken", [taken(fact.name)], () => this.parameters(fact));
    if (NAMELESS.test(fact.name) && this.ownerOf(fact) !== "") this.entry("nameless", [this.ownerOf(fact)], () => this.signature(fact));
    // A class that only its members tell of.
    if (fact.qualifier !== "") this.entries.push({ text: `outside ${this.paths[fact.scope]!} ${fact.qualifier}`, names: parts(fact.qualifier).slice(-1), uses: new Set(parts(fact.qualifier)) });
  }

  private namesOf({ name, qualifier }: FunctionFact | VariableFact): string[] {
    return [name, ...parts(qualifier).slice(-1).map(outside)];
  }

  private signature(fact: FunctionFact): void {
    const { outline } = this;
    outline.say(fact.name, fact.qualifier, this.paths[fact.scope]!, this.symbol(fact.symbol), JSON.stringify([fact.local, fact.virtual, fact.pure, fact.const, fact.explicit, fact.templates]));
    this.qualifier(fact.qualifier);
    this.outline.offset(fact.returns);
    if (this.facts.data.cpp) this.parameters(fact);
  }

  private parameters(fact: FunctionFact): void {
    this.outline.say(fact.name, fact.key, JSON.stringify([fact.required, fact.variadic]));
    for (const parameter of fact.parameters) this.outline.offset(parameter);
  }

  private flags(type: Offset): number {
    const { code } = this.facts.data;
    return code[type] === Op.Named ? code[type + 3]! : 0;
  }

  private entry(kind: string, names: string[], write: () => void, leads?: readonly string[]): void {
    const text = `${kind} ${String(this.facts.data.cpp)} ${this.seen(0)}${this.textOf(write)}`;
    this.entries.push({ text, names, uses: this.outline.uses, ...(leads ? { leads } : {}) });
  }

  private textOf(write: () => void): string {
    this.outline = new Outline();
    write();
    return this.outline.text((_, at) => this.describe(at));
  }

  private symbol(index: number): string {
    return this.symbols[index] ?? "-";
  }

  private qualifier(path: string): void {
    for (const part of parts(path)) this.outline.uses.add(part);
  }

  private name(index: number): void {
    const text = this.facts.data.strings[index]!;
    this.outline.say(text);
    this.qualifier(text);
  }

  private describe(at: Offset): void {
    const { outline, facts: { data: { code } } } = this;
    if (code[at] !== Op.Braces) {
      outline.record(code, at, OPERANDS, (letter, value) => (letter === "s" ? this.name(value) : outline.say(this.paths[value] ?? "")));
      return;
    }
    outline.say(String(Op.Braces));
    for (let i = 0; i < code[at + 1]!; i++) {
      const field = code[at + 2 + 2 * i]!;
      if (field >= 0) this.name(field);
      else outline.say("-");
      outline.offset(code[at + 3 + 2 * i]!);
    }
  }
}

/** The names in a path with `::`. */
function parts(path: string): string[] {
  return path.split("::").filter((part) => part !== "");
}

/** The simple name of a type; "" for none. */
function typeName({ code, strings }: CppFacts, at: Offset): string {
  return code[at] === Op.Named ? parts(strings[code[at + 1]!]!).at(-1) ?? "" : "";
}

/** The fields of the classes of which a file has a constructor or destructor. */
function* constructed({ functions, cpp }: CppFacts): Iterable<string> {
  for (const { name, qualifier } of functions) {
    const owner = qualifier === "" || !cpp ? undefined : parts(qualifier).at(-1);
    if (owner !== undefined && name.endsWith(owner)) yield order(owner);
  }
}

/** The order of the fields of the types that a file fills by place. */
function* filled(data: CppFacts): Iterable<string> {
  const { code, uses } = data;
  for (let i = 0; i < uses.length; i += 3) {
    const at = uses[i]!;
    if (code[at] === Op.Init && hasPlaces(code, code[at + 2]!)) yield order(typeName(data, code[at + 1]!));
  }
}

/** Whether braces have a value for a field that is known by its place alone. */
function hasPlaces(code: readonly number[], braces: Offset, depth = 0): boolean {
  for (let i = 0; i < code[braces + 1]!; i++) {
    const value = code[braces + 3 + 2 * i]!;
    if (code[braces + 2 + 2 * i]! < 0) return true;
    if (code[value] === Op.Braces && depth < 20 && hasPlaces(code, value, depth + 1)) return true;
  }
  return false;
}
