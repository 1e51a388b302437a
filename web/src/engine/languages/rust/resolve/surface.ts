import type { FileFacts } from "../../../facts.ts";
import { symbolNames } from "../../../relations.ts";
import { Outline } from "../../outline.ts";
import { aspect, type Entry, type Surface, type Surfaces } from "../../surfaces.ts";
import { type FieldFact, type FunctionFact, type ImplFact, type Offset, Op, type RustFacts, type TypeFact, type ValueFact } from "../facts.ts";

/** The operands of the records that types are made of, as facts.ts describes them: s a string, c a scope, the others as an outline has them. */
const OPERANDS: Readonly<Record<number, string>> = {
  [Op.Path]: "oscL", [Op.As]: "oo", [Op.Parameter]: "so", [Op.Bounds]: "L", [Op.Built]: "sL", [Op.Function]: "oL", [Op.Reference]: "io", [Op.Binding]: "so",
};

/** Traits of the library that say what an expression is without being named in it. */
const UNNAMED = new Set(["Deref", "DerefMut", "Iterator", "IntoIterator", "Future", "Index", "IndexMut"]);

const Aspect = {
  /** Which types implement a trait, and so have what it provides. */
  implemented: (trait: string) => aspect(trait, "implemented"),
  /** Which traits a type implements: these relations leave the file that declares it. */
  implementing: (type: string) => aspect(type, "implements"),
};

/** What a file has to say to others; bodies of functions are no part of it. */
export const surfaces: Surfaces<RustFacts> = {
  surfaceOf: (facts) => new Reader(facts).surface(),
  words: ({ data }) => data.types.map(({ name }) => Aspect.implementing(name)),
};

class Reader {
  private readonly symbols: readonly string[];
  private readonly entries: Entry[] = [];
  private readonly frame: unknown[] = [];
  private readonly paths: string[] = [];
  private outline = new Outline();

  constructor(private readonly facts: FileFacts<RustFacts>) {
    this.symbols = symbolNames(facts);
    for (const { name, parent } of facts.data.scopes) this.paths.push(`${this.paths[parent] ?? ""}/${name ?? "{}"}`);
  }

  surface(): Surface {
    const { scopes, functions, types, impls, values, macros } = this.facts.data;
    for (const [id, { name, uses, files }] of scopes.entries()) {
      const path = this.paths[id]!;
      if (name) this.entries.push({ text: `module ${path}`, names: [name], uses: new Set() });
      for (const { name: module, path: file } of files) this.frame.push(["file", path, module, file]);
      for (const { path: from, alias } of uses) this.use(path, from, alias);
    }
    for (const { fact, scope } of functions) this.func(fact, () => this.outline.say(this.paths[scope]!));
    for (const { fact, scope } of values) this.value(fact, () => this.outline.say(this.paths[scope]!));
    for (const { name, symbol, scope, exported } of macros) {
      this.entries.push({ text: JSON.stringify(["macro", this.paths[scope], this.symbol(symbol), exported]), names: [name], uses: new Set() });
    }
    for (const fact of types) this.type(fact);
    for (const fact of impls) this.impl(fact);
    return { frame: JSON.stringify(this.frame), entries: this.entries };
  }

  private use(scope: string, path: readonly string[], alias: string): void {
    if (alias === "*") {
      this.frame.push(["all of", scope, path]);
      return;
    }
    this.entries.push({ text: JSON.stringify(["use", scope, path]), names: [alias], uses: new Set(path) });
    this.also(alias, path.at(-1) ?? "");
  }

  /** A name that stands for another one: what is done to it is done to that. */
  private also(name: string, other: string): void {
    if (name === other || other === "") return;
    for (const of of [Aspect.implemented, Aspect.implementing]) this.entries.push({ text: `stands for ${other}`, names: [of(other)], uses: new Set([of(name)]) });
  }

  private type(fact: TypeFact): void {
    const { kind, name, scope, typeParameters, fields, variants, supers, functions, types, constants } = fact;
    const head = (): void => this.outline.say(this.paths[scope]!, name);
    this.entry(kind, [name], () => {
      head();
      this.outline.say(this.symbol(fact.symbol), JSON.stringify([fields.map((field) => field.name), variants.map((variant) => variant.name)]));
      this.outline.offsets(typeParameters);
      this.outline.offset(fact.type);
      // What a value is made of says what its type's parameters are.
      if (typeParameters.length > 0) this.fields(fields);
    });
    for (const field of fields) {
      this.entry("field", [field.name], () => {
        head();
        this.outline.offsets(typeParameters);
        this.fields([field]);
      });
    }
    for (const variant of variants) {
      this.entry("variant", [variant.name], () => {
        head();
        this.outline.offsets(typeParameters);
        this.fields(variant.fields);
      });
    }
    if (kind === "alias") this.also(name, this.nameOf(fact.type));
    if (kind !== "trait") return;
    for (const one of functions) this.func(one, head);
    for (const one of [...types, ...constants]) this.value(one, head);
    if (supers.length > 0) this.frame.push([this.paths[scope], name, supers.map(({ type }) => this.textOf(() => this.outline.offset(type)))]);
    this.entries.push({ text: `provides ${name}`, names: functions.map((one) => one.name), uses: new Set([Aspect.implemented(name)]) });
  }

  private impl(fact: ImplFact): void {
    const { code } = this.facts.data;
    const trait = this.nameOf(fact.trait);
    const head = (): void => {
      this.outline.say(this.paths[fact.scope]!);
      this.outline.offset(fact.trait);
      this.outline.offset(fact.self);
      this.outline.offsets(fact.typeParameters);
    };
    for (const one of fact.functions) this.func(one, head);
    for (const one of [...fact.types, ...fact.constants]) this.value(one, head);
    if (fact.trait === 0) return;
    this.entry("impl", [Aspect.implemented(trait), Aspect.implementing(this.nameOf(fact.self))], head);
    if (code[fact.self] !== Op.Parameter && !UNNAMED.has(trait)) return;
    this.frame.push(this.textOf(() => {
      head();
      for (const { name, type } of fact.types) {
        this.outline.say(name);
        this.outline.offset(type);
      }
      this.outline.say(...fact.functions.map(({ name }) => name));
    }));
  }

  private func(fact: FunctionFact, head: () => void): void {
    this.entry("fn", [fact.name], () => {
      head();
      this.outline.say(this.symbol(fact.symbol), String(fact.method), String(fact.abstract));
      this.outline.offsets(fact.typeParameters);
      this.outline.offsets(fact.parameters);
      this.outline.offset(fact.result);
    });
  }

  private value({ name, type }: ValueFact, head: () => void): void {
    this.entry("value", [name], () => {
      head();
      this.outline.offset(type);
    });
  }

  private fields(fields: readonly FieldFact[]): void {
    for (const { name, type } of fields) {
      this.outline.say(name);
      this.outline.offset(type);
    }
  }

  /** The last name of a type; "" for none. */
  private nameOf(at: Offset): string {
    const { code, strings } = this.facts.data;
    if (code[at] === Op.Reference) return this.nameOf(code[at + 2]!);
    return code[at] === Op.Path ? strings[code[at + 2]!]! : "";
  }

  private entry(kind: string, names: string[], write: () => void): void {
    const text = kind + this.textOf(write);
    this.entries.push({ text, names, uses: this.outline.uses });
  }

  private textOf(write: () => void): string {
    this.outline = new Outline();
    write();
    return this.outline.text((_, at) => this.describe(at));
  }

  private symbol(index: number): string {
    return this.symbols[index] ?? "-";
  }

  private describe(at: Offset): void {
    const { outline, facts: { data: { code, strings } } } = this;
    outline.record(code, at, OPERANDS, (letter, value) => (letter === "s" ? outline.use(strings[value]!) : outline.say(this.paths[value] ?? "")));
  }
}
