import { symbolNames } from "../../relations.ts";
import { annotated, definitionAsType } from "./annotations.ts";
import { isProperty } from "./attributes.ts";
import { givenBack } from "./calls.ts";
import { CONTAINER_METHODS, mroOf, opOf, typeVarsOf } from "./classes.ts";
import type { Evaluator, Measured } from "./evaluate.ts";
import { LEVELS } from "./evaluate.ts";
import { Op } from "./facts.ts";
import { resultOf } from "./function-types.ts";
import type { Ancestor, Binding, Callable, Cls, Meaning, SourceFile } from "./program.ts";
import { fieldsOf, functionNames, Printer } from "./surface.ts";
import type { Type } from "./types.ts";

/** Longer meanings are not compared. */
const MAX_PARTS = 4_000;

/** What a class is by what is above it. */
export interface Standing {
  order: string;
  vars: string;
  meta: string;
  fields: string;
}

/**
 * What others get of names, members and classes, in words: those of two projects are the same where no one else can tell them apart.
 * What lies on a circle depends on where one comes from, and is not told at all.
 */
export class Meanings {
  /** By the levels that are left. */
  private readonly functions: Map<Callable, Measured<string>>[] = Array.from({ length: LEVELS + 1 }, () => new Map<Callable, Measured<string>>());
  /** Functions that are being told, by how many others are; and the outermost that was met again. */
  private readonly telling = new Map<Callable, number>();
  private outermost = Infinity;
  private readonly running = new Set<unknown>();
  private readonly names = new Map<SourceFile, { functions: string[]; symbols: string[] }>();
  private parts = 0;
  private level = LEVELS;
  private endless = false;

  /** `numbers`: the same for both projects; `changed`: files in which numbers do not say what something is. */
  constructor(private readonly evaluator: Evaluator, private readonly changed: ReadonlySet<string>, private readonly numbers: Map<string, number>) {}

  /** What a name of the module or a member of a class means. `throughSelf`: what the class's methods assign to it. */
  ofBinding(file: SourceFile, definitions: readonly number[], throughSelf: readonly number[]): string | undefined {
    return this.tell(() => `${this.variable({ file, definitions })} ${this.binding(file, [...definitions, ...throughSelf])}`);
  }

  /** What a value is. */
  ofValue(file: SourceFile, id: number): string | undefined {
    return this.tell(() => this.value(file, id));
  }

  /** What a class is by what is above it. */
  ofClass(cls: Cls): Standing | undefined {
    const { evaluator: e } = this;
    const order = this.tell(() => mroOf(e, cls).map((ancestor) => this.ancestor(ancestor)).join(";"));
    const vars = this.tell(() => typeVarsOf(e, cls).map((type) => this.type(type)).join(";"));
    const meta = this.tell(() => {
      const owner = mroOf(e, cls).find((ancestor) => ancestor.cls && ancestor.cls.fact.metaclass >= 0)?.cls;
      return owner ? `${this.cls(owner)} ${this.value(owner.file, owner.fact.metaclass)}` : "";
    });
    const fields = this.tell(() => {
      const { file, fact } = cls;
      return fieldsOf(file.facts, fact).map(([name, d]) => `${name} ${opOf(file, d) === Op.Declared ? this.type(annotated(e, file, file.facts.nodes[d + 1]!)) : ""}`).join(";");
    });
    if (order === undefined || vars === undefined || meta === undefined || fields === undefined) return undefined;
    return { order, vars, meta, fields };
  }

  /** By name, where what is above a class has it. */
  trails(cls: Cls): Map<string, string> {
    const trails = new Map<string, string>();
    for (const ancestor of mroOf(this.evaluator, cls)) {
      const at = this.ancestor(ancestor);
      for (const name of ancestor.cls ? membersOf(ancestor.cls) : CONTAINER_METHODS) trails.set(name, `${trails.get(name) ?? ""};${at}`);
    }
    return trails;
  }

  /** What tells a class apart from the others of all files. */
  cls(cls: Cls): string {
    return `${cls.file.path}#${this.changed.has(cls.file.path) ? this.namesOf(cls.file).symbols[cls.fact.symbol] : cls.index}`;
  }

  /** The same of a function. */
  fn(fn: Callable): string {
    return `${fn.file.path}#${this.changed.has(fn.file.path) ? this.namesOf(fn.file).functions[fn.index] : fn.index}`;
  }

  private namesOf(file: SourceFile): { functions: string[]; symbols: string[] } {
    let names = this.names.get(file);
    if (!names) {
      const source = this.evaluator.program.project.files[file.index]!;
      this.names.set(file, (names = { functions: functionNames(source), symbols: symbolNames(source.facts) }));
    }
    return names;
  }

  /** With every number of levels with which it is another one. */
  private tell(tell: () => string): string | undefined {
    const texts: string[] = [];
    for (let level = LEVELS; level >= 0;) {
      this.begin(level);
      const { found, rise, isLow, nests, isFull, isInformed } = this.evaluator.measured(tell, level);
      if (this.endless || isFull) return undefined;
      texts.push(`${nests} ${isInformed} ${found}`);
      level = isLow ? level - 1 : rise - 1;
    }
    return texts.join("\n");
  }

  private begin(level = LEVELS): void {
    this.level = level;
    this.parts = 0;
    this.endless = false;
  }

  /** What stands above a class. */
  ofAncestor(ancestor: Ancestor): string {
    this.begin();
    return this.ancestor(ancestor);
  }

  private ancestor(ancestor: Ancestor): string {
    return ancestor.cls ? `${this.cls(ancestor.cls)}[${this.types(ancestor.args)}]` : this.type(ancestor.type);
  }

  private binding(file: SourceFile, definitions: readonly number[]): string {
    if (this.running.has(definitions)) return "~";
    this.running.add(definitions);
    const { evaluator: e } = this;
    const declared = e.declaration(file, definitions);
    const text = [declared ? this.type(declared) : "", ...definitions.map((d) => this.definition(file, d))].join("|");
    this.running.delete(definitions);
    return text;
  }

  private definition(file: SourceFile, definition: number): string {
    const { evaluator: e } = this;
    const operand = file.facts.nodes[definition + 1]!;
    const op = opOf(file, definition);
    switch (op) {
      case Op.Class: return `${op} ${this.cls(e.program.cls(file, operand))}`;
      case Op.Function: return `${op} ${this.callable(e.program.fn(file, operand))} ${this.value(file, definition)}`;
      case Op.Import: return `${op} ${e.program.follow(file, operand).map((meaning) => this.meaning(meaning)).join("|")} ${this.value(file, definition)}`;
      case Op.Phi: return `${op} ${this.binding(file, file.facts.phis[operand]!)} ${this.value(file, definition)}`;
      default: return `${op} ${this.value(file, definition)} ${this.type(definitionAsType(e, file, definition))}`;
    }
  }

  private meaning(meaning: Meaning): string {
    if (!meaning) return "-";
    switch (meaning.k) {
      case "external": return meaning.name;
      case "module": return this.module(meaning.module);
      case "definitions": return `${this.variable(meaning.binding)} ${this.binding(meaning.binding.file, meaning.binding.definitions)}`;
    }
  }

  /** What tells a variable of a module, to which its uses lead, apart from others of the same type; "" for what is none. */
  private variable({ file, definitions }: Binding): string {
    const symbol = file.variables.get(definitions);
    return symbol === undefined ? "" : `${file.path}#${this.changed.has(file.path) ? this.namesOf(file).symbols[symbol] : symbol}`;
  }

  private module(module: { file: number } | { folder: string }): string {
    return "file" in module ? this.evaluator.program.files[module.file]!.path : `${module.folder}/`;
  }

  private value(file: SourceFile, id: number): string {
    const { evaluator } = this;
    evaluator.sure = 1;
    const type = evaluator.value(file, id);
    const { sure } = evaluator;
    return `${sure}${this.type(type)}`;
  }

  /** What calls and what overrides a function may learn of it. */
  private callable(fn: Callable): string {
    const { evaluator: e } = this;
    const known = this.functions[this.level]!.get(fn);
    if (known) {
      e.uses(known);
      return known.found;
    }
    const at = this.telling.get(fn);
    if (at !== undefined) {
      this.outermost = Math.min(this.outermost, at);
      return `~${this.fn(fn)}`;
    }
    const { outermost } = this;
    this.outermost = Infinity;
    this.telling.set(fn, this.telling.size);
    const told = e.measured(() => {
      const text = this.parted(fn);
      if (!this.numbers.has(text)) this.numbers.set(text, this.numbers.size);
      return String(this.numbers.get(text));
    });
    this.telling.delete(fn);
    // What meets a function again that is being told further out means something only there.
    if (this.outermost >= this.telling.size) {
      if (!this.endless) this.functions[this.level]!.set(fn, told);
      this.outermost = outermost;
    } else this.outermost = Math.min(outermost, this.outermost);
    return told.found;
  }

  private parted(fn: Callable): string {
    const { evaluator: e } = this;
    const { fact, file } = fn;
    const { strings } = file.facts;
    const params = fact.params.map(({ name, kind, type, value }) => (
      `${strings[name]!} ${kind} ${type < 0 ? "" : this.type(annotated(e, file, type))} ${value < 0 ? "" : this.value(file, value)}`
    ));
    e.sure = 1;
    const result = resultOf(e, { k: "fn", fn, self: undefined, solved: undefined });
    const sure = `${fact.returns < 0 ? "" : "declared"} ${e.sure}`;
    const decorators = fact.decorators.map((d) => this.value(file, d));
    const overloads = (fact.overloads ?? []).map((overload) => this.callable(e.program.fn(file, overload)));
    return [
      this.fn(fn), fact.flags, fact.fixture === undefined ? "" : strings[fact.fixture], (fact.handsBack ?? []).join(), fn.owner ? this.cls(fn.owner) : "", params.join(","), sure, this.type(result), decorators.join(","), isProperty(e, fn), overloads.join(","),
      fn.owner ? "" : givenBack(fn).map(({ name, isObject }) => (isObject ? "." : name ?? "")).join(","),
    ].join("/");
  }

  private types(types: readonly Type[]): string {
    return types.map((type) => this.type(type)).join(",");
  }

  private type(type: Type): string {
    if (this.endless || this.parts++ > MAX_PARTS) {
      this.endless = true;
      return "~";
    }
    switch (type.k) {
      case "unknown": case "none": return type.k;
      case "inst": case "class": return `${type.k} ${this.cls(type.cls)}[${this.types(type.args)}]`;
      case "ext": return `ext ${type.name}[${this.types(type.args)}]`;
      case "extobj": return `extobj ${type.name}`;
      case "extmethod": return `${this.type(type.of)}.${type.name}`;
      case "tuple": return `(${this.types(type.items)};${type.rest ? this.type(type.rest) : ""})`;
      case "fn": {
        const solved = [...type.solved ?? []].map(([key, of]) => `${this.key(key)}=${this.type(of)}`);
        return `fn ${this.callable(type.fn)} ${type.self ? this.type(type.self) : ""}{${solved.join(",")}}`;
      }
      case "callable": return `callable(${type.params ? this.types(type.params) : "..."})${this.type(type.result)}${type.runs ? ` runs ${this.type(type.runs)}` : ""}`;
      case "module": return this.module({ file: type.file });
      case "folder": return this.module({ folder: type.folder });
      case "union": return `<${this.types(type.items)}>`;
      case "var": return `var ${this.key(type.key)} ${type.meta} ${this.type(type.bound)}`;
      case "super": return `super ${this.cls(type.cls)} ${this.type(type.self)}`;
    }
  }

  /** A type variable by what it is in its file: a parameter, or an expression. */
  private key(key: string): string {
    const [, file, kind, at, param] = /^(\d+)([.:])(\d+)(?:\.(\d+))?$/.exec(key) ?? [];
    if (file === undefined) return key;
    const source = this.evaluator.program.files[Number(file)]!;
    if (kind === ".") return `${this.fn(this.evaluator.program.fn(source, Number(at)))}.${param}`;
    if (!this.changed.has(source.path)) return `${source.path}:${at}`;
    const print = new Printer(source.facts);
    print.node(Number(at));
    return `${source.path}:${print.text}`;
  }
}

/** The names that a class itself binds. */
export function membersOf({ file, fact }: Cls): Set<string> {
  const { scopes, strings } = file.facts;
  return new Set([...Object.keys(scopes[fact.scope]!.names), ...Object.keys(fact.attrs)].map((name) => strings[Number(name)]!));
}

