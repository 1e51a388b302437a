import type { FileFacts } from "../../../facts.ts";
import { symbolNames } from "../../../relations.ts";
import { Outline } from "../../outline.ts";
import { ASKS, type Entry, type Surface, type Surfaces } from "../../surfaces.ts";
import { type FunctionFact, type GoFacts, type Offset, Op, type TypeFact } from "../facts.ts";
import { EMBEDDED, EVERY, homeOf, memberOf, nameIn, PLACES } from "./asks.ts";
import { moved } from "./moved.ts";
import { dirOf } from "./packages.ts";

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

/** What a file has to say to others; bodies of functions are no part of it. */
export const surfaces: Surfaces<GoFacts> = {
  surfaceOf: (facts, path) => new Reader(facts, path).surface(),
  // Whoever gets to anything has asked for it.
  mentions: () => [],
  moved,
};

type Asked = Required<Pick<Entry, "names" | "asked">>;

class Reader {
  private readonly symbols: readonly string[];
  private readonly entries: Entry[] = [];
  private readonly home: string;
  private outline = new Outline();
  /** Whether what is described has a selector in it, and so maybe the name of a package. */
  private selects = false;

  constructor(private readonly facts: FileFacts<GoFacts>, path: string) {
    this.symbols = symbolNames(facts);
    this.home = homeOf(dirOf(path), facts.data.package);
  }

  surface(): Surface {
    const { functions, types, values } = this.facts.data;
    for (const f of functions) this.func(f);
    types.forEach((t, i) => {
      // Local types are described where something leads to them.
      if (t.symbol >= 0) this.type(t, i);
    });
    for (const v of values) {
      this.entry("value", this.named(v.name), () => {
        this.symbol(v.symbol);
        this.offset(v.at);
      });
    }
    return { frame: "", entries: this.entries };
  }

  private func(f: FunctionFact): void {
    this.entry("func", f.owner === "" ? this.named(f.name) : this.member(f.owner, f.name), () => {
      this.outline.say(f.owner, f.name);
      // A receiver's type parameters have the constraints that its type gives them.
      if (f.receiverParameters.length > 0) this.outline.use(f.owner);
      this.symbol(f.symbol);
      this.offset(f.type);
      f.receiverParameters.forEach((at) => this.offset(at));
      this.outline.say("of");
      f.typeParameters.forEach((at) => this.offset(at));
    });
  }

  private type(t: TypeFact, index: number): void {
    const { code, strings } = this.facts.data;
    const op = code[t.type];
    if (t.alias || (op !== Op.Struct && op !== Op.Interface)) {
      this.entry("type", this.named(t.name), () => this.outline.refer("t", index));
      return;
    }
    this.members(t);
    this.entry("declared", this.named(t.name), () => {
      this.outline.say(String(op));
      this.symbol(t.symbol);
      t.typeParameters.forEach((at) => this.offset(at));
      if (op === Op.Interface) this.list(t.type + 2 + 3 * code[t.type + 1]!);
    });
    if (op !== Op.Struct) return;
    const places = memberOf(this.home, t.name, PLACES);
    this.entry("places", { names: [], asked: [places, places] }, () => {
      for (let field = t.type + 2; field < t.type + 2 + 3 * code[t.type + 1]!; field += 3) this.outline.say(strings[code[field]!]!);
    });
    const embedded = memberOf(this.home, t.name, EMBEDDED);
    this.entry("embeds", { names: [], asked: [embedded, embedded] }, () => {
      this.symbol(t.symbol);
      t.typeParameters.forEach((at) => this.offset(at));
      for (let field = t.type + 2; field < t.type + 2 + 3 * code[t.type + 1]!; field += 3) if (code[field + 2] === 1) this.offset(code[field + 1]!);
    });
  }

  /** The fields of a struct, or the methods that stand in an interface. */
  private members(t: TypeFact): void {
    const { code, strings } = this.facts.data;
    const seen = new Map<string, number>();
    for (let at = t.type + 2; at < t.type + 2 + 3 * code[t.type + 1]!; at += 3) {
      const name = strings[code[at]!]!;
      // Of several in broken code one counts.
      const before = seen.get(name) ?? 0;
      seen.set(name, before + 1);
      this.entry("member", this.member(t.name, name), () => {
        this.symbol(t.symbol);
        this.outline.say(String(before));
        t.typeParameters.forEach((parameter) => this.offset(parameter));
        if (code[t.type] === Op.Interface) this.symbol(code[at + 2]!);
        else this.outline.say(String(code[at + 2]));
        this.offset(code[at + 1]!);
      });
    }
  }

  private named(name: string): Asked {
    return { names: [name], asked: [nameIn(this.home, name), ""] };
  }

  private member(type: string, name: string): Asked {
    return { names: [name], asked: [memberOf(this.home, type, name), memberOf(this.home, type, EVERY)] };
  }

  private entry(kind: string, { names, asked }: Asked, write: () => void): void {
    const outline = new Outline();
    this.outline = outline;
    this.selects = false;
    outline.say(kind);
    write();
    const text = outline.text((what, index) => this.describe(what, index));
    const { constraint, imports: all } = this.facts.data;
    // What may be the name of a package is that of an import by this name, or of any that leaves its name to the package.
    const imports = all.filter(({ name }) => name === "." || (this.selects && (name === "" || outline.uses.has(name))));
    // An expression asks types for what they embed, and calls of generic functions for methods.
    if (kind === "value") outline.uses.add(ASKS);
    this.entries.push({ text: text + JSON.stringify([constraint, imports.map(({ path, name }) => [path, name])]), names, asked, uses: outline.uses });
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
      if (op === Op.Interface) this.list(index + 2 + 3 * count);
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
