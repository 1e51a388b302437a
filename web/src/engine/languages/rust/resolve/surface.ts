import type { FileFacts } from "../../../facts.ts";
import { symbolNames } from "../../../relations.ts";
import { Outline } from "../../outline.ts";
import { ASKS, type Entry, type Surface, type Surfaces } from "../../surfaces.ts";
import { type FieldFact, type FunctionFact, type ImplFact, type Offset, Op, type RustFacts, type TypeFact, type ValueFact } from "../facts.ts";
import { fieldOf, inImpl, macro, memberOf, nameIn, placesOf, starsOf } from "./asks.ts";
import { moved } from "./moved.ts";

/** The operands of the records that types are made of, as facts.ts describes them: s a string, c a scope, the others as an outline has them. */
const OPERANDS: Readonly<Record<number, string>> = {
  [Op.Path]: "oscL", [Op.As]: "oo", [Op.Parameter]: "so", [Op.Bounds]: "L", [Op.Built]: "sL", [Op.Function]: "oL", [Op.Reference]: "io", [Op.Binding]: "so",
};

/** What a file has to say to others; bodies of functions are no part of it. */
export const surfaces: Surfaces<RustFacts> = {
  surfaceOf: (facts, path) => new Reader(facts, path).surface(),
  // Whoever gets to anything has asked for it.
  mentions: () => [],
  moved,
};

class Reader {
  private readonly symbols: readonly string[];
  private readonly entries: Entry[] = [];
  private readonly homes: readonly string[];
  private readonly seen = new Map<string, number>();
  private outline = new Outline();

  constructor(private readonly facts: FileFacts<RustFacts>, path: string) {
    this.symbols = symbolNames(facts);
    this.homes = placesOf(path, facts.data).homes;
  }

  surface(): Surface {
    const { scopes, functions, types, impls, values, macros } = this.facts.data;
    for (const [id, { name, parent, uses }] of scopes.entries()) {
      if (parent >= 0 && name !== undefined) this.entry("module", parent, name, nameIn(this.homes[parent]!, name), () => undefined);
      for (const { path, alias, exported } of uses) {
        if (alias === "*") continue;
        this.entry("use", id, alias, nameIn(this.homes[id]!, alias), () => {
          this.path(path);
          this.outline.say(String(exported));
        });
      }
      this.stars(id);
    }
    for (const { fact, scope } of functions) this.func(fact, scope, nameIn(this.homes[scope]!, fact.name), () => undefined);
    for (const { fact, scope } of values) this.value(fact, scope, nameIn(this.homes[scope]!, fact.name), () => undefined);
    for (const { name, symbol, scope, exported } of macros) this.entry("macro", scope, name, macro(name), () => this.outline.say(this.homes[scope]!, this.symbol(symbol), String(exported)));
    for (const fact of types) this.type(fact);
    for (const fact of impls) this.impl(fact);
    return { frame: "", entries: this.entries };
  }

  /** From where a module takes all names. */
  private stars(scope: number): void {
    const all = this.facts.data.scopes[scope]!.uses.filter(({ alias }) => alias === "*");
    if (all.length === 0) return;
    const [own, other] = starsOf(this.homes[scope]!);
    this.entry("all of", scope, own, own, () => {
      for (const { path } of all) this.path(path);
    }, other);
  }

  private path(path: readonly string[]): void {
    this.outline.say(String(path.length));
    for (const name of path) this.outline.use(name);
  }

  private type(fact: TypeFact): void {
    const { kind, name, scope, typeParameters, fields, variants, functions, types, constants } = fact;
    const key = nameIn(this.homes[scope]!, name);
    const head = (): void => this.outline.offsets(typeParameters);
    this.entry(kind, scope, name, key, () => {
      head();
      this.outline.say(this.symbol(fact.symbol), String(fields.length > 0));
      this.outline.offset(fact.type);
      // What is made of a tuple says what its type's parameters are.
      if (fields[0]?.name === "0") this.fields(fields);
    });
    for (const field of fields) {
      this.entry("field", scope, field.name, fieldOf(key, field.name), () => {
        head();
        this.fields([field]);
      });
    }
    for (const variant of variants) {
      this.entry("variant", scope, variant.name, memberOf(key, variant.name), () => {
        head();
        this.outline.say(this.symbol(variant.symbol));
        this.fields(variant.fields);
      });
    }
    for (const one of functions) this.func(one, scope, memberOf(key, one.name), head);
    for (const one of [...types, ...constants]) this.value(one, scope, memberOf(key, one.name), head);
  }

  private impl(fact: ImplFact): void {
    const { scope } = fact;
    const key = inImpl(this.homes[scope]!, this.facts.data, fact);
    const head = (): void => {
      this.outline.offset(fact.trait);
      this.outline.offset(fact.self);
      this.outline.offsets(fact.typeParameters);
    };
    for (const one of fact.functions) this.func(one, scope, memberOf(key, one.name), head);
    for (const one of [...fact.types, ...fact.constants]) this.value(one, scope, memberOf(key, one.name), head);
  }

  private func(fact: FunctionFact, scope: number, word: string, head: () => void): void {
    this.entry("fn", scope, fact.name, word, () => {
      head();
      this.outline.say(this.symbol(fact.symbol), String(fact.method), String(fact.abstract), String(fact.waits));
      this.outline.offsets(fact.typeParameters);
      this.outline.offsets(fact.parameters);
      this.outline.offset(fact.result);
    });
  }

  private value({ name, symbol, type }: ValueFact, scope: number, word: string, head: () => void): void {
    this.entry("value", scope, name, word, () => {
      head();
      this.outline.say(this.symbol(symbol));
      this.outline.offset(type);
    });
  }

  private fields(fields: readonly FieldFact[]): void {
    for (const { name, type } of fields) {
      this.outline.say(name);
      this.outline.offset(type);
    }
  }

  /** What is asked for by a word; of several by one word each has its place. */
  private entry(kind: string, scope: number, name: string, word: string, write: () => void, other = ""): void {
    const before = this.seen.get(word) ?? 0;
    this.seen.set(word, before + 1);
    const outline = new Outline();
    this.outline = outline;
    outline.say(kind, String(before));
    write();
    const text = outline.text((_, at) => this.describe(at));
    const { uses } = outline;
    if (uses.size > 0) {
      uses.add(ASKS);
      const { scopes } = this.facts.data;
      for (let at = scope; at >= 0; at = scopes[at]!.name === undefined ? scopes[at]!.parent : -1) uses.add(starsOf(this.homes[at]!)[0]);
    }
    this.entries.push({ text, names: [name], asked: [word, other], uses });
  }

  /** What tells a symbol apart, and whether `use …::*` brings it along. */
  private symbol(index: number): string {
    return `${this.symbols[index] ?? "-"}${this.facts.symbols[index]?.exported ? " pub" : ""}`;
  }

  private describe(at: Offset): void {
    const { outline, facts: { data: { code, strings } } } = this;
    outline.record(code, at, OPERANDS, (letter, value) => (letter === "s" ? outline.use(strings[value]!) : outline.say(this.homes[value] ?? "")));
  }
}
