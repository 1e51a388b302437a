import type { SymbolRef } from "../../language.ts";
import { attributeOf, isProperty, madeWith, mixedIn } from "./attributes.ts";
import type { Member } from "./classes.ts";
import { findMember, functionsOf, opOf } from "./classes.ts";
import { RUNS_RUN, RUNS_TASK } from "./containers.ts";
import type { Evaluator } from "./evaluate.ts";
import { SURE } from "./evaluate.ts";
import { FunctionFlag, Op } from "./facts.ts";
import type { Callable, Cls, Meaning, SourceFile } from "./program.ts";
import { managersOf } from "./records.ts";
import type { Type } from "./types.ts";
import { classBehind, classOf, itemsOf } from "./types.ts";

/** What a call may run: a function, or a class that it makes an instance of; or a variable of a module that is named there. */
export interface Target {
  fn?: Callable;
  cls?: Cls;
  variable?: SymbolRef;
  sure: number;
  /** Reached through an instance: a subclass may have its own. */
  open: boolean;
  /** The class of that instance, below the one that has the method; undefined where it may be of several. */
  receiver?: Cls | undefined;
  /** The class whose `super()` found it: in the order of a class that inherits from that, another method may come first. */
  behind?: Cls;
  /** A class that its own methods make objects of, as by `cls()` or `type(self)()`: an heir may be meant. */
  isOwn?: true;
  /** Run with arguments of which the call may give only some, as by a `functools.partial`. */
  isWrapped?: true;
}

/** Longer chains of values that stand for values are circles. */
const MAX_VALUES = 8;

/** Finds what the callee of a call names. */
export class Callees {
  private readonly e: Evaluator;
  private found: Target[] = [];
  private values = 0;
  private plain = false;
  private readonly phis = new Set<number>();

  constructor(evaluator: Evaluator) {
    this.e = evaluator;
  }

  /** The targets of calling an expression; `known` is false when nothing is known of what is called. */
  of(file: SourceFile, callee: number): { targets: Target[]; known: boolean } {
    this.found = [];
    this.values = 0;
    if (this.phis.size > 0) this.phis.clear();
    const known = this.expression(file, callee);
    return { targets: this.found, known };
  }

  /** The functions and classes that an expression names, without asking what else it may hold. */
  named(file: SourceFile, id: number): Target[] {
    this.plain = true;
    const { targets } = this.of(file, id);
    this.plain = false;
    return targets;
  }

  private expression(file: SourceFile, id: number): boolean {
    const { nodes, strings } = file.facts;
    switch (opOf(file, id)) {
      case Op.Name: {
        const meaning = this.e.program.lookup(file, nodes[id + 1]!, nodes[id + 2]!);
        return this.meaning(meaning, 1);
      }
      case Op.Local: {
        const { names, globals } = file.facts.scopes[nodes[id + 2]!]!;
        const name = nodes[id + 1]!;
        this.variable(file, (globals?.includes(name) ? file.facts.scopes[0]!.names : names)[name] ?? []);
        const definitions = nodes.slice(id + 4, id + 4 + nodes[id + 3]!);
        return this.definitions(file, definitions);
      }
      case Op.FlowAttr: {
        const before = this.found.length;
        for (let i = id + 4; i < id + 4 + nodes[id + 3]!; i++) this.byType(() => this.e.value(file, nodes[i]!));
        if (this.found.length > before) return true;
        return this.attribute(file, nodes[id + 1]!, strings[nodes[id + 2]!]!);
      }
      case Op.Attr: return this.attribute(file, nodes[id + 1]!, strings[nodes[id + 2]!]!);
      case Op.Import: {
        let known = false;
        for (const meaning of this.e.program.follow(file, nodes[id + 1]!)) if (this.meaning(meaning, 1)) known = true;
        return known;
      }
      default: return this.exactly(file, id, () => this.byType(() => this.e.value(file, id)));
    }
  }

  private meaning(meaning: Meaning, atMost: number): boolean {
    if (meaning?.k === "definitions") {
      const { file, definitions } = meaning.binding;
      this.variable(file, definitions);
      return this.definitions(file, definitions, atMost);
    }
    return meaning !== undefined;
  }

  private variable(file: SourceFile, definitions: readonly number[], sure = 1): void {
    const symbol = file.variables.get(definitions);
    if (symbol !== undefined) this.found.push({ variable: { file: file.index, symbol }, sure, open: false });
  }

  private definitions(file: SourceFile, definitions: readonly number[], atMost = 1): boolean {
    // One of several: which one is for the run to decide.
    const sure = definitions.length > 1 ? Math.min(SURE.declared, atMost) : atMost;
    let known = false;
    for (const definition of definitions) {
      const operand = file.facts.nodes[definition + 1]!;
      switch (opOf(file, definition)) {
        case Op.Function:
          this.add({ fn: this.e.program.fn(file, operand), sure, open: false });
          known = true;
          break;
        case Op.Class:
          this.add({ cls: this.e.program.cls(file, operand), sure, open: false });
          known = true;
          break;
        case Op.Import:
          for (const meaning of this.e.program.follow(file, operand)) if (this.meaning(meaning, sure)) known = true;
          break;
        case Op.Phi:
          if (this.phis.has(operand)) break;
          this.phis.add(operand);
          if (this.definitions(file, file.facts.phis[operand]!, sure)) known = true;
          break;
        default:
          if (this.byType(() => this.e.value(file, definition))) known = true;
      }
    }
    if (!known && definitions.length > 0) {
      const declared = this.e.declaration(file, definitions);
      if (declared) return this.byType(() => declared);
    }
    return known;
  }

  private attribute(file: SourceFile, object: number, name: string): boolean {
    return this.exactly(file, object, () => this.attributeOf(file, object, name));
  }

  /** What finds targets of an object; one that is made there is of no class below. */
  private exactly(file: SourceFile, object: number, find: () => boolean): boolean {
    const before = this.found.length;
    const known = find();
    if (this.isNew(file, object)) for (const target of this.found.slice(before)) target.open = false;
    return known;
  }

  /** Whether an expression makes an object of a class by its name. */
  private isNew(file: SourceFile, id: number): boolean {
    if (opOf(file, id) !== Op.Call) return false;
    const callee = file.facts.nodes[id + 1]!;
    const type = opOf(file, callee) === Op.Local || opOf(file, callee) === Op.Name ? this.e.value(file, callee) : undefined;
    if (type?.k !== "class" || type.cls.name !== file.facts.strings[file.facts.nodes[callee + 1]!]) return false;
    // What makes objects by code of its own may choose their class.
    const maker = this.e.member(type, "__new__");
    return !maker || "k" in maker;
  }

  private attributeOf(file: SourceFile, object: number, name: string): boolean {
    if (name === "__class__") return this.byType(() => attributeOf(this.e, this.e.value(file, object), name));
    this.e.sure = 1;
    const type = this.e.value(file, object);
    const { sure } = this.e;
    let known = false;
    for (const item of itemsOf(type)) {
      if (item.k === "none") continue;
      if (item.k === "module" || item.k === "folder") {
        const meaning = this.e.program.member(item.k === "module" ? { file: item.file } : { folder: item.folder }, name);
        if (this.meaning(meaning, 1)) known = true;
        continue;
      }
      if (item.k === "inst" || item.k === "class" || item.k === "var" || item.k === "super") {
        if (item.k === "var" && item.bound.k !== "inst") {
          if (item.bound.k === "union") for (const bound of item.bound.items) if (this.member(bound, name, sure)) known = true;
          if (item.bound.k !== "unknown" && item.bound.k !== "union") known = true;
          continue;
        }
        if (this.member(item, name, sure, item.k === "class" && !this.names(file, object, item.cls))) known = true;
        continue;
      }
      if (item.k === "ext") {
        for (const own of managersOf(item)) this.member(own, name, sure);
        const made = madeWith(this.e, item, name);
        if (made) this.member(made, name, Math.min(sure, SURE.possible));
      }
      if (item.k === "fn" && RUNS_TASK.has(name) && (item.fn.fact.flags & FunctionFlag.Decorated) !== 0) this.add({ fn: item.fn, sure: SURE.possible, open: false, isWrapped: true });
      if (item.k !== "unknown") known = true;
    }
    return known;
  }

  /** Whether an expression says which class it is; a variable that holds one may hold what derives from that. */
  private names(file: SourceFile, id: number, { name }: Cls): boolean {
    const { nodes, strings } = file.facts;
    const isOne = (at: SourceFile, definitions: readonly number[]): boolean => definitions.every((d) => opOf(at, d) === Op.Class || opOf(at, d) === Op.Import);
    switch (opOf(file, id)) {
      case Op.Local: return isOne(file, nodes.slice(id + 4, id + 4 + nodes[id + 3]!));
      case Op.Name: {
        const meaning = this.e.program.lookup(file, nodes[id + 1]!, nodes[id + 2]!);
        return meaning?.k !== "definitions" || isOne(meaning.binding.file, meaning.binding.definitions);
      }
      case Op.Attr: return strings[nodes[id + 2]!] === name;
      default: return false;
    }
  }

  /** `mayBeBelow`: a variable holds the class, which may be one that derives from it. */
  private member(object: Type, name: string, sure: number, mayBeBelow = false): boolean {
    const member = this.e.member(object, name);
    if (!member) {
      const heirs = mixedIn(this.e, object, name);
      for (const heir of heirs) this.member(heir, name, Math.min(sure, SURE.possible));
      if (heirs.length > 0) return true;
      const before = this.found.length;
      this.dynamic(object, name, sure);
      if (object.k !== "super") this.byType(() => attributeOf(this.e, object, name), sure);
      if (this.found.length > before) return true;
      return object.k === "super" || object.k === "inst" ? this.e.program.informed : object.k !== "unknown" && object.k !== "var";
    }
    if ("k" in member) {
      if (RUNS_RUN.has(name) && object.k === "inst") this.queued(object);
      return true;
    }
    const { file } = member.cls;
    this.variable(file, file.facts.scopes[member.cls.fact.scope]!.names[file.strings.get(name)!] ?? [], sure);
    const instance = object.k === "inst" || (object.k === "var" && !object.meta);
    // In the place of a method an object may have been given something else.
    const isReplaced = member.cls.fact.attrs[file.strings.get(name)!] !== undefined;
    let plain = 0;
    for (const definition of member.definitions) {
      const operand = file.facts.nodes[definition + 1]!;
      const op = opOf(file, definition);
      if (op === Op.Function) {
        const fn = this.e.program.fn(file, operand);
        const isOpen = instance || mayBeBelow || (object.k === "var" && object.meta);
        this.add({ fn, sure: Math.min(sure, isReplaced && !isProperty(this.e, fn) ? SURE.inferred : object.k === "class" ? 1 : SURE.declared), open: isOpen, receiver: classBehind(object), ...object.k === "super" ? { behind: object.cls } : {} });
      } else if (op === Op.Class) this.add({ cls: this.e.program.cls(file, operand), sure: Math.min(sure, SURE.declared), open: false });
      else plain++;
    }
    if (plain > 0) this.byType(() => attributeOf(this.e, object, name), sure);
    return true;
  }

  /** What runs when an object of a task's class is queued. */
  private queued(task: Type): void {
    const before = this.found.length;
    this.member(task, "run", SURE.possible);
    for (const target of this.found.slice(before)) target.isWrapped = true;
  }

  /** What gives an object the attributes that its class does not have. */
  private dynamic(object: Type, name: string, sure: number): void {
    if (this.plain || name.startsWith("__") || (object.k !== "inst" && (object.k !== "var" || object.meta))) return;
    const member = this.e.member(object, "__getattr__");
    if (!member || "k" in member) return;
    const before = this.found.length;
    this.functions(member, Math.min(sure, SURE.declared));
    for (const target of this.found.slice(before)) target.isWrapped = true;
  }

  /** Targets of calling a value of a type: at best as sure as inference is. */
  private byType(evaluate: () => Type, atMost = 1): boolean {
    if (this.plain) return true;
    this.e.sure = 1;
    const type = evaluate();
    if (this.values++ > MAX_VALUES) return true;
    const items = itemsOf(type);
    const sure = Math.min(this.e.sure, items.length > 2 ? SURE.possible : SURE.weak, atMost);
    let known = false;
    for (const item of items) if (this.value(item, sure)) known = true;
    return known;
  }

  private value(type: Type, sure: number): boolean {
    switch (type.k) {
      case "unknown": return false;
      case "fn":
        this.add({ fn: type.fn, sure, open: false });
        return true;
      case "class":
        this.add({ cls: type.cls, sure, open: true });
        return true;
      case "inst": {
        const call = findMember(this.e, type.cls, "__call__");
        if (call && "definitions" in call) this.functions(call, sure, type.cls);
        return true;
      }
      case "callable": {
        const before = this.found.length;
        if (type.runs) for (const item of itemsOf(type.runs)) this.value(item, sure);
        for (const target of this.found.slice(before)) target.isWrapped = true;
        return true;
      }
      case "var":
        if (type.bound.k === "unknown") return false;
        if (type.meta && type.bound.k === "inst") {
          this.add({ cls: type.bound.cls, sure, open: true, isOwn: true });
          return true;
        }
        return type.bound.k === "union" ? true : this.value(type.meta ? classOf(type.bound) : type.bound, sure);
      default: return true;
    }
  }

  private functions(member: Member, sure: number, receiver?: Cls): void {
    for (const fn of functionsOf(this.e, member)) this.add({ fn, sure, open: true, receiver });
  }

  private add(target: Target): void {
    const known = this.found.find((t) => t.fn === target.fn && t.cls === target.cls && !t.variable);
    if (!known) {
      this.found.push(target);
      return;
    }
    if (known.sure < target.sure) known.sure = target.sure;
    if (known.receiver !== target.receiver) known.receiver = undefined;
  }
}
