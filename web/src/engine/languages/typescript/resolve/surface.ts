import type { FileFacts } from "../../../facts.ts";
import { symbolNames } from "../../../relations.ts";
import { isTestPath } from "../../../test-paths.ts";
import { Outline } from "../../outline.ts";
import { ASKS, type Entry, type Surface } from "../../surfaces.ts";
import { CALL, CONSTRUCT, GLOBAL_OBJECTS, INDEX, NarrowKind, Op, ThisKind, WINDOW } from "../facts.ts";
import type { EnumMemberFact, ExportFacts, MemberFact, ModuleFacts, Offset, ShapeFact } from "../facts.ts";
import { callableMembers, importedMembers, madeFields } from "./callable.ts";
import { calledIn, EQUALS, EVERY, guesses, handedTo, madeAs, question } from "./asked.ts";
import { ambientName, lineage } from "./aspects.ts";
import { ownNames } from "./own.ts";
import { OPERANDS, QUIET } from "./records.ts";

/** Members that are asked for by all kinds of uses; what has one of them says it with its name. */
const OPEN = new Set([CALL, CONSTRUCT, INDEX]);

/**
 * What a file has to say to others: what its exports and globals lead to, in whatever it declares; its classes' members, which
 * take the place of those of their bases; its methods' names. What a body holds is no part of it where a type is declared.
 */
export function surfaceOf(facts: FileFacts<ModuleFacts>, path: string): Surface {
  return new Reader(facts).surface(path);
}

class Reader {
  private outline = new Outline();
  private readonly entries: Entry[] = [];
  private readonly data: ModuleFacts;
  private readonly symbols: readonly string[];
  private readonly bindingOfShape = new Map<number, number>();
  /** The variable that an object literal is the value of. */
  private readonly holderOfShape = new Map<number, number>();
  /** The binding that a function or a class is the value of, by its record. */
  private readonly holderOfValue = new Map<Offset, number>();
  /** What has entries of its own, by binding; none while a text has to tell all by itself. */
  private owners: ReadonlyMap<number, string>;
  /** Those entries that are to be made, by what they are called: something refers to them. */
  private readonly met = new Map<string, { kind: string; binding: number }>();

  constructor(private readonly facts: FileFacts<ModuleFacts>) {
    this.data = facts.data;
    this.symbols = symbolNames(facts);
    this.owners = ownNames(facts.data, this.symbols);
    const { bindings, code } = facts.data;
    bindings.forEach((first, binding) => {
      for (let at = first; at !== 0; at = code[at + 1]!) {
        const value = code[at] === Op.Variable ? code[at + 3]! : 0;
        if (code[at] === Op.ShapeDeclaration) this.bindingOfShape.set(code[at + 2]!, binding);
        else if (value !== 0 && code[value] === Op.Object) this.holderOfShape.set(code[value + 1]!, binding);
        else if (value !== 0 && (code[value] === Op.Function || code[value] === Op.Class)) this.holderOfValue.set(value, binding);
      }
    });
  }

  surface(path: string): Surface {
    const { exports, globals, globalMembers = [], ambient, shapes, specifiers } = this.data;
    for (const [name, binding] of exports.names) {
      this.entry([name], () => this.visit("b", binding), "export");
      this.entry([name], () => this.visit("B", binding), "export", lineage(name));
    }
    for (const [name, specifier, imported] of exports.from) {
      this.entry([name], () => this.from(name, specifier, imported), "export");
      this.entry([name], () => this.module(specifier, imported, lineage(imported)), "export", lineage(name));
    }
    if (exports.equals !== 0) this.entry([EQUALS], () => this.put(exports.equals), "export");
    for (const [name, binding, put] of globals) {
      this.entry([name], () => {
        this.outline.say(put ?? "");
        this.visit("b", binding);
      }, "all");
      this.entry([lineage(name)], () => this.visit("B", binding), "all");
    }
    for (const { global, name, value, symbol } of globalMembers) {
      this.entry([name], () => {
        this.outline.say(global);
        this.put(value);
        this.visit("y", symbol);
      }, "all");
    }
    for (const [text, namespace] of ambient) this.ambient(text, this.data.namespaces[namespace]!.exports);
    // Who takes a module as a whole may depend on which names it exports.
    this.entries.push({ text: JSON.stringify(exports.names.map(([name]) => name)), names: [EVERY], uses: new Set(), of: "export" });
    for (const shape of shapes) if (shape.kind === "class" || shape.kind === "interface") this.overriding(shape);
    this.members(path);
    // A call of an unknown object's member is guessed to be of the only one of its name.
    for (const [name, symbols] of callableMembers(this.data, this.facts.symbols)) {
      this.entries.push({ text: JSON.stringify(symbols.map((i) => this.symbols[i])), names: [name], uses: new Set(), of: "only", asked: guesses(name) });
    }
    if (!isTestPath(path)) {
      for (const [name, values] of importedMembers(this.data)) this.guessed(values, { names: [name], asked: guesses(name) });
      for (const [name, values] of madeFields(this.data)) this.guessed(values.map((value) => this.data.code[value + 1]!), { names: [], asked: guesses(madeAs(name)) });
    }
    if (!this.data.module) for (const each of exports.all) this.entries.push({ text: "handed over", names: [], uses: new Set(), asked: guesses(handedTo(specifiers[each]!.text)) });
    // It grows while it is gone through.
    for (const [own, { kind, binding }] of this.met) {
      this.outline = new Outline();
      this.outline.say(own);
      this.outline.refer(kind, binding);
      this.push(this.outline, { names: [], own });
    }
    return { frame: "", nearFrame: this.frame(), stars: exports.all.map((specifier) => specifiers[specifier]!.text), entries: this.entries };
  }

  /** What a member is guessed to be by its name. */
  private guessed(values: readonly Offset[], rest: Omit<Entry, "text" | "uses">): void {
    this.outline = new Outline();
    this.list("o", values);
    this.push(this.outline, rest);
  }

  /** What `declare module` says: each name apart, and what may have any other. */
  private ambient(text: string, { names, from, all, equals }: ExportFacts): void {
    for (const [name, binding] of names) this.entry([ambientName(text, name)], () => this.visit("b", binding), "all");
    for (const each of from) this.entry([ambientName(text, each[0])], () => this.from(...each), "all");
    this.entry([ambientName(text)], () => {
      for (const specifier of all) this.module(specifier);
      if (all.length > 0) this.outline.uses.add(ASKS);
      this.visit("o", equals);
    }, "all");
  }

  /** What makes the module itself its default export. */
  private frame(): string {
    const { exports: { equals, names }, module } = this.data;
    const isCommonJs = !module && names.length > 0;
    if (equals === 0 && !isCommonJs) return "";
    this.outline = new Outline();
    this.owners = new Map();
    this.outline.say(String(isCommonJs));
    this.visit("o", equals);
    return this.outline.text((kind, index) => this.describe(kind, index));
  }

  /** What has a name has its members apart: who reads one has asked for it. */
  private members(path: string): void {
    const { shapes, enums } = this.data;
    // Declarations of one name may be one thing.
    const wholes = new Map<string, [declaration: number, member: MemberFact | EnumMemberFact][]>();
    for (const [i, whole] of [...shapes, ...enums].entries()) {
      const name = calledIn(whole);
      if (name === undefined) continue;
      const before = wholes.get(name) ?? [];
      wholes.set(name, [...before, ...whole.members.map((member): [number, MemberFact | EnumMemberFact] => [i, member])]);
    }
    for (const [whole, members] of wholes) {
      const asked = (name: string): [string, string] => [question(path, { name: whole }, name, true), question(path, { name: whole }, name, false)];
      const declarations = [...new Set(members.map(([declaration]) => declaration))];
      const byName = new Map<string, [declaration: number, member: MemberFact | EnumMemberFact][]>();
      for (const each of members) {
        const { name } = each[1];
        const same = byName.get(name);
        if (same) same.push(each);
        else byName.set(name, [each]);
      }
      const order = members.map(([declaration, member]) => [declarations.indexOf(declaration), member.name, !isOfShape(member) || member.optional, !isOfShape(member) || member.static]);
      this.entries.push({ text: JSON.stringify([whole, order]), names: [], uses: new Set(), asked: asked(EVERY) });
      for (const [name, same] of byName) {
        const outline = new Outline();
        this.outline = outline;
        for (const [declaration, member] of same) {
          outline.say(whole, String(declarations.indexOf(declaration)));
          if (isOfShape(member)) this.member(member);
          else {
            outline.say(member.name);
            this.visit("y", member.symbol);
          }
        }
        const text = outline.text((kind, index) => this.describe(kind, index));
        this.entries.push({ text, names: [name], uses: outline.uses, asked: asked(name) });
      }
    }
  }

  /** Calls of what a class or interface derives from lead to its members, too. */
  private overriding({ symbol: own, superclass, bases, implements: promised, members }: ShapeFact): void {
    if (superclass === 0 && bases.length === 0 && promised.length === 0) return;
    const outline = new Outline();
    this.outline = outline;
    for (const at of [superclass, ...bases, ...promised]) this.above(at);
    const above = outline.text((kind, index) => this.describe(kind, index));
    for (const { name, kind, static: isStatic, symbol } of members) {
      // A field has no symbol: the class tells it from those of others.
      const text = JSON.stringify([above, name, kind, isStatic, this.symbols[symbol] ?? this.symbols[own]]);
      this.entries.push({ text, names: [name], uses: outline.uses, of: "bases" });
    }
  }

  /** What is derived from: for a class or an interface which it is, no more. */
  private above(at: Offset): void {
    const { outline, data: { code, strings } } = this;
    switch (code[at]) {
      case Op.Name:
        this.visit("B", code[at + 1]!);
        break;
      case Op.Global:
        outline.use(lineage(strings[code[at + 1]!]!));
        break;
      case Op.Member:
        this.above(code[at + 1]!);
        outline.use(lineage(strings[code[at + 2]!]!));
        break;
      case Op.TypeName:
        this.visit("B", code[at + 1]!);
        // Another name for a type may make one of its arguments.
        if (!this.shapesAlone(code[at + 1]!)) this.list("o", code.slice(at + 3, at + 3 + code[at + 2]!));
        break;
      default:
        this.visit("o", at);
    }
  }

  /** The declarations of a binding. */
  private declarations(binding: number): Offset[] {
    const { bindings, code } = this.data;
    const list: Offset[] = [];
    for (let at = bindings[binding] ?? 0; at !== 0; at = code[at + 1]!) list.push(at);
    return list;
  }

  private shapesAlone(binding: number): boolean {
    return this.declarations(binding).every((at) => this.data.code[at] === Op.ShapeDeclaration);
  }

  private entry(names: string[], write: () => void, of?: Entry["of"], as?: string): void {
    const outline = new Outline();
    this.outline = outline;
    write();
    this.push(outline, { names, ...(of ? { of } : {}), ...(as === undefined ? {} : { as }) });
  }

  private push(outline: Outline, rest: Omit<Entry, "text" | "uses">): void {
    this.entries.push({ text: outline.text((kind, index) => this.describe(kind, index)), uses: outline.uses, ...rest });
  }

  private visit(kind: string, index: number): void {
    if (index < 0 || (kind === "o" && index === 0)) this.outline.say("-");
    else if (kind === "y") this.outline.say(this.symbols[index] ?? "-");
    else if (!this.apart(kind, index)) this.outline.refer(kind, index);
  }

  /** Refers to what has an entry of its own by what that is called. */
  private apart(kind: string, index: number): boolean {
    const binding = kind === "b" || kind === "B" ? index : kind === "h" ? this.bindingOfShape.get(index) : undefined;
    const owner = binding === undefined ? undefined : this.owners.get(binding);
    if (owner === undefined) return false;
    const own = kind === "B" ? lineage(owner) : owner;
    this.outline.use(own);
    this.met.set(own, { kind: kind === "B" ? "B" : "b", binding: binding! });
    return true;
  }

  private table({ names, from, all, equals }: ExportFacts): void {
    const { outline } = this;
    for (const [name, binding] of [...names].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
      outline.say("export", name);
      this.visit("b", binding);
    }
    for (const each of from) this.from(...each);
    for (const specifier of all) this.module(specifier);
    outline.say("equals");
    this.visit("o", equals);
  }

  private from(name: string, specifier: number, imported: string): void {
    this.outline.say("from", name);
    this.module(specifier, imported, imported);
  }

  /** A module of which one name is taken, or all of it. */
  private module(specifier: number, imported = "*", name?: string): void {
    const text = this.data.specifiers[specifier]?.text ?? "";
    this.outline.use(ambientName(text));
    this.outline.use(ambientName(text, imported));
    this.outline.uses.add(EQUALS);
    if (name !== undefined) this.outline.use(name);
  }

  private list(kind: string, indexes: readonly number[]): void {
    this.outline.say(String(indexes.length));
    for (const index of indexes) this.visit(kind, index);
  }

  private describe(kind: string, index: number): void {
    const { outline, data } = this;
    switch (kind) {
      case "o":
        this.record(index);
        break;
      case "b":
        this.visit("o", data.bindings[index] ?? 0);
        this.expandos(index);
        break;
      case "B":
        for (const at of this.declarations(index)) {
          if (data.code[at] === Op.ShapeDeclaration) this.visit("H", data.code[at + 2]!);
          else if (data.code[at] === Op.Import) this.module(data.code[at + 2]!, data.strings[data.code[at + 3]!], lineage(data.strings[data.code[at + 3]!]!));
          else this.visit("o", at);
        }
        break;
      case "H": {
        const { symbol, superclass, bases, implements: promised } = data.shapes[index]!;
        this.visit("y", symbol);
        for (const at of [superclass, ...bases, ...promised]) this.above(at);
        break;
      }
      case "f":
        this.func(index);
        break;
      case "h":
        this.shape(index);
        break;
      case "a": {
        const { symbol, typeParameters, type } = data.aliases[index]!;
        this.visit("y", symbol);
        this.list("o", typeParameters);
        this.visit("o", type);
        break;
      }
      case "e": {
        const { symbol, name, members } = data.enums[index]!;
        this.visit("y", symbol);
        outline.say(name, ...(name === "" ? members.map((member) => member.name) : []));
        break;
      }
      case "n": {
        const { symbol, exports } = data.namespaces[index]!;
        this.visit("y", symbol);
        this.table(exports);
      }
    }
  }

  private record(at: Offset): void {
    const { outline, data: { code, strings } } = this;
    const op = code[at]!;
    outline.say(String(op));
    if (!QUIET.has(op)) outline.uses.add(ASKS);
    if (op === Op.Variable) {
      this.visit("o", code[at + 1]!);
      this.typed(code[at + 2]!, code[at + 3]!);
      this.visit("y", code[at + 4]!);
      outline.say(String(code[at + 5]));
      return;
    }
    let operands = OPERANDS[op] ?? "";
    if (op === Op.This) {
      const kind = code[at + 1];
      operands = kind === ThisKind.Unknown ? "i" : kind === ThisKind.Typed || kind === ThisKind.Value || kind === ThisKind.Given ? "io" : kind === ThisKind.Constructed || kind === ThisKind.Function ? "ib" : "ih";
    } else if (op === Op.Narrow) {
      const kind = code[at + 2];
      operands = `oi${kind === NarrowKind.Guard ? "oi" : kind === NarrowKind.InstanceOf ? "oi" : kind === NarrowKind.Equals ? "so" : "si"}i`;
    }
    if (op === Op.ShapeDeclaration) {
      this.visit("o", code[at + 1]!);
      outline.refer("h", code[at + 2]!);
      return;
    }
    let next = at + 1;
    for (const kind of operands) {
      const value = code[next++]!;
      switch (kind) {
        case "L":
          this.list("o", code.slice(next, next + value));
          next += value;
          break;
        case "s":
          outline.use(strings[value] ?? "");
          if (op === Op.Global && GLOBAL_OBJECTS.has(strings[value] ?? "")) outline.use(WINDOW);
          // What has a member of the name may be a module.
          outline.uses.add(EQUALS);
          break;
        case "p":
          this.module(value, op === Op.Import ? strings[code[next]!] : undefined);
          break;
        case "i":
          outline.say(String(value));
          break;
        default:
          this.visit(kind, value);
      }
    }
  }

  /** A declared type speaks for the value. */
  private typed(type: Offset, value: Offset): void {
    this.visit("o", type);
    if (type === 0) this.visit("o", value);
    else this.outline.say(value === 0 ? "-" : `of ${this.data.code[value]}`);
  }

  private func(index: number): void {
    const { outline } = this;
    const fact = this.data.functions[index]!;
    this.visit("y", fact.symbol);
    for (const { name, type, initialiser, optional, rest } of fact.parameters) {
      outline.say(name, `${optional} ${rest}`);
      this.typed(type, initialiser);
    }
    this.list("o", fact.typeParameters);
    this.visit("o", fact.returns);
    if (fact.returns === 0) {
      if (fact.async || fact.generator) outline.uses.add(ASKS);
      this.list("o", fact.results);
      this.list("o", fact.yields);
    }
    this.visit("o", fact.context);
    this.visit("o", fact.thisType);
    this.visit("o", fact.guard ?? 0);
    for (const { object, parameter, accessor, symbol } of fact.defines ?? []) {
      this.visit("o", object);
      this.visit("y", symbol);
      outline.say(`${parameter} ${accessor}`);
    }
    outline.say(`${fact.async} ${fact.generator} ${fact.body} ${fact.open}`);
  }

  private shape(index: number): void {
    const { outline } = this;
    const shape = this.data.shapes[index]!;
    outline.say(shape.kind, shape.name, String(shape.open));
    this.visit("y", shape.symbol);
    // Other declarations of the same name are a part of it.
    this.visit("b", this.bindingOfShape.get(index) ?? -1);
    this.list("o", shape.typeParameters);
    this.visit("o", shape.superclass);
    this.list("o", shape.superArguments);
    this.list("o", shape.bases);
    this.list("o", shape.implements);
    this.list("o", shape.spreads);
    if (shape.kind === "object") this.expandos(this.holderOfShape.get(index));
    const apart = calledIn(shape) !== undefined;
    for (const member of shape.members) if (!apart || OPEN.has(member.name)) this.member(member);
  }

  /** What was assigned to the properties of a binding. */
  private expandos(of: number | undefined): void {
    if (of === undefined) return;
    for (const { binding, name, prototype, own = "", value, symbol, accessor = "", replaced = [] } of this.data.expandos) {
      if (binding !== of) continue;
      this.outline.say("expando", name, `${prototype} ${own} ${accessor}`);
      this.put(value);
      this.visit("y", symbol);
      this.list("o", replaced);
    }
  }

  /** What was put on a member, and what that was assigned: `ns.Parser = function () {}; ns.Parser.prototype.parse = …`. */
  private put(value: Offset): void {
    this.visit("o", value);
    const binding = this.holderOfValue.get(value);
    if (binding !== undefined) this.visit("b", binding);
  }

  private member({ name, kind, static: isStatic, optional, assigned, functions, type, initialiser, symbol, replaced = [] }: MemberFact): void {
    this.outline.say(name, kind, `${isStatic} ${optional} ${assigned}`);
    this.list("f", functions);
    this.typed(type, initialiser);
    this.visit("y", symbol);
    this.list("o", replaced);
  }
}

function isOfShape(member: MemberFact | EnumMemberFact): member is MemberFact {
  return "kind" in member;
}
