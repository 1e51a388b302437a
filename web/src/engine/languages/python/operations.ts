import { descriptorsOf, metaMember } from "./attributes.ts";
import type { Target } from "./callees.ts";
import type { Member } from "./classes.ts";
import { boundInBody, CONTAINER_METHODS, findMember, isProtocol, opOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { SURE } from "./evaluate.ts";
import { accessorOf, Const, Op, Operation } from "./facts.ts";
import { isSpecial } from "./names.ts";
import type { Callable, SourceFile } from "./program.ts";
import { isContainer } from "./externals.ts";
import { iteratorOf } from "./protocols.ts";
import type { Type } from "./types.ts";
import { classBehind, classOf, isMadeProperty, itemsOf, UNKNOWN } from "./types.ts";

/** Methods of which the first one is run that a class has. */
type Choice = readonly string[];

/** What operations run, by their number. */
const METHODS: readonly (readonly Choice[])[] = (() => {
  const methods: (readonly Choice[])[] = [];
  const of = (operation: Operation, ...choices: Choice[]): void => void (methods[operation] = choices);
  of(Operation.Enter, ["__enter__"], ["__exit__"]);
  of(Operation.EnterAsync, ["__aenter__"], ["__aexit__"]);
  of(Operation.Iterate, ["__iter__", "__getitem__"]);
  of(Operation.IterateAsync, ["__aiter__"]);
  of(Operation.Next, ["__next__"]);
  of(Operation.Reverse, ["__reversed__", "__getitem__"]);
  of(Operation.Splat, ["keys", "__iter__"], ["__getitem__"]);
  of(Operation.GetItem, ["__getitem__"]);
  of(Operation.SetItem, ["__setitem__"]);
  of(Operation.DeleteItem, ["__delitem__"]);
  of(Operation.Contains, ["__contains__", "__iter__", "__getitem__"]);
  of(Operation.Test, ["__bool__", "__len__"]);
  of(Operation.Length, ["__len__"]);
  of(Operation.Await, ["__await__"]);
  of(Operation.Text, ["__str__", "__repr__"]);
  of(Operation.Format, ["__format__", "__str__", "__repr__"]);
  of(Operation.Represent, ["__repr__"]);
  of(Operation.Hash, ["__hash__"]);
  of(Operation.Integer, ["__int__", "__index__"]);
  of(Operation.Float, ["__float__", "__index__"]);
  of(Operation.Bytes, ["__bytes__", "__iter__"]);
  of(Operation.Absolute, ["__abs__"]);
  of(Operation.Least, ["__lt__", "__gt__"]);
  of(Operation.Greatest, ["__gt__", "__lt__"]);
  of(Operation.Negative, ["__neg__"]);
  of(Operation.Positive, ["__pos__"]);
  of(Operation.Invert, ["__invert__"]);
  return methods;
})();

/** What operators run on their left operand, and on the right one where the left one has none of it. */
const OPERATORS: ReadonlyMap<string, { left: Choice; right: Choice }> = new Map<string, { left: Choice; right: Choice }>([
  ...Object.entries({
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
  }).map(([operator, name]) => [operator, { left: [`__${name}__`], right: [`__r${name}__`] }] as const),
  ["==", { left: ["__eq__"], right: ["__eq__"] }],
  ["!=", { left: ["__ne__", "__eq__"], right: ["__ne__", "__eq__"] }],
  ["<", { left: ["__lt__"], right: ["__gt__"] }],
  [">", { left: ["__gt__"], right: ["__lt__"] }],
  ["<=", { left: ["__le__"], right: ["__ge__"] }],
  [">=", { left: ["__ge__"], right: ["__le__"] }],
]);

/** What builtins do with their first argument, or with all of them. */
const BUILTINS: ReadonlyMap<string, readonly [operation: Operation, all?: true]> = new Map<string, readonly [operation: Operation, all?: true]>([
  ["str", [Operation.Text]], ["print", [Operation.Text, true]], ["format", [Operation.Format]], ["repr", [Operation.Represent]],
  ["len", [Operation.Length]], ["bool", [Operation.Test]], ["hash", [Operation.Hash]], ["abs", [Operation.Absolute]],
  ["int", [Operation.Integer]], ["float", [Operation.Float]], ["bytes", [Operation.Bytes]],
  ["next", [Operation.Next]], ["reversed", [Operation.Reverse]], ["dict", [Operation.Splat]], ["zip", [Operation.Iterate, true]],
  ...["iter", "list", "tuple", "set", "frozenset", "sorted", "sum", "any", "all", "enumerate"].map((name) => [name, [Operation.Iterate]] as const),
]);

/** Those that ask for the length first, for the memory that they need. */
const COUNTED: ReadonlySet<string> = new Set(["list", "tuple", "sorted"]);

/** Those that compare what is in their only argument, unless they are told by what. */
const ORDERS: ReadonlyMap<string, Operation> = new Map([["sorted", Operation.Least], ["min", Operation.Least], ["max", Operation.Greatest]]);

/** Expressions on which operations run nothing of the code base. */
const PLAIN: ReadonlySet<Op> = new Set([
  Op.Unknown, Op.Const, Op.Str, Op.Quoted, Op.List, Op.Tuple, Op.Set, Op.Dict, Op.ListComp, Op.SetComp, Op.DictComp, Op.GenComp, Op.Lambda,
]);

/** Those that hold what operators compare. */
const LISTS: ReadonlySet<Op> = new Set([Op.List, Op.Tuple, Op.Set, Op.Dict, Op.ListComp, Op.SetComp, Op.DictComp]);

const EQUAL = ["__eq__"] as const;

const ITEMS: ReadonlySet<Operation> = new Set([Operation.GetItem, Operation.SetItem, Operation.DeleteItem]);

/** Finds the special methods that operations run without naming them, as `with`, a loop or an operator does. */
export class Operations {
  private file!: SourceFile;
  private readonly methods = new Map<string, boolean>();
  private found: Target[] = [];
  /** Of some object that was asked for last nothing is known. */
  isOpen = false;

  /** `isMethod`: whether any class has a method of a name, for code of a file. */
  constructor(private readonly e: Evaluator, private readonly isMethod: (file: SourceFile, name: string) => boolean) {}

  /** From here on it is asked of operations of this file. */
  enter(file: SourceFile): void {
    this.file = file;
    this.methods.clear();
  }

  /** What a call of a builtin does with its arguments: pairs of an operation and an expression. */
  builtin(call: number): [operation: Operation, id: number][] {
    const { file, e } = this;
    const { nodes, strings } = file.facts;
    const [callee, count] = [nodes[call + 1]!, nodes[call + 2]!];
    if (opOf(file, callee) === Op.Attr && count === 0 && strings[nodes[callee + 2]!] === "sort") return this.isOrdered(call, Operation.Least) ? [[Operation.Least, nodes[callee + 1]!]] : [];
    if (opOf(file, callee) !== Op.Name || count === 0) return [];
    const name = strings[nodes[callee + 1]!]!;
    const known = BUILTINS.get(name);
    const order = count === 1 ? ORDERS.get(name) : undefined;
    const done: [operation: Operation, id: number][] = [];
    if (known && this.mayRun(METHODS[known[0]]!.flat())) for (const id of nodes.slice(call + 3, call + 3 + (known[1] ? count : 1))) done.push([known[0], id]);
    if (COUNTED.has(name) && this.mayRun(METHODS[Operation.Length]!.flat())) done.push([Operation.Length, nodes[call + 3]!]);
    if (order !== undefined && this.isOrdered(call, order)) done.push([order, nodes[call + 3]!]);
    return done.length > 0 && e.value(file, callee).k === "extobj" ? done : [];
  }

  /** Whether a call may compare what is ordered, and not what a key gives for that. */
  private isOrdered(call: number, order: Operation): boolean {
    const { nodes, strings } = this.file.facts;
    const keywords = call + 3 + nodes[call + 2]!;
    for (let at = keywords + 1; at < keywords + 1 + 2 * nodes[keywords]!; at += 2) if (strings[nodes[at]!] === "key") return false;
    return this.mayRun(METHODS[order]![0]!);
  }

  /** What an operation runs. For two operands it is asked of their expression. */
  of(operation: Operation, id: number): readonly Target[] {
    this.found = [];
    this.isOpen = false;
    if (operation === Operation.Binary || operation === Operation.Assign) this.operator(operation, id);
    else this.plain(operation, id);
    return this.found;
  }

  /**
   * What an operation may run of an object of which nothing is known: the object, and names of methods. What lists do is not among it:
   * what is in one is taken to be in what holds that (`Contents`). A list has no item by a text.
   */
  open(operation: Operation, id: number): { id: number; names: readonly string[] }[] {
    const { nodes, strings } = this.file.facts;
    const found: { id: number; names: readonly string[] }[] = [];
    const isOfText = ITEMS.has(operation) && opOf(this.file, id) === Op.Sub && this.isText(nodes[id + 2]!);
    const add = (of: number, names: readonly string[]): void => {
      if (PLAIN.has(opOf(this.file, of))) return;
      const items = itemsOf(this.e.value(this.file, of));
      const isOfAny = items.some(isOfProtocol);
      const run = names.filter((name) => (isOfText || isOfAny || !CONTAINER_METHODS.has(name)) && this.mayRun([name]));
      if (run.length > 0 && (isOfAny || isUnknown(items))) found.push({ id: of, names: run });
    };
    if (operation === Operation.Binary || operation === Operation.Assign) {
      const choice = OPERATORS.get(strings[nodes[id + 1]!]!);
      if (choice) add(nodes[id + 2]!, choice.left);
      if (choice) add(nodes[id + 3]!, choice.right);
    } else if (operation !== Operation.SetAttribute && operation !== Operation.DeleteAttribute) add(this.objectOf(operation, id), [...METHODS[operation]!.flat(), ...operation === Operation.Contains ? EQUAL : []]);
    return found;
  }

  private mayRun(names: readonly string[]): boolean {
    return names.some((name) => {
      let known = this.methods.get(name);
      if (known === undefined) this.methods.set(name, (known = this.isMethod(this.file, name)));
      return known;
    });
  }

  /** The object with which an operation with one operand is done. */
  private objectOf(operation: Operation, id: number): number {
    return ITEMS.has(operation) ? this.file.facts.nodes[id + 1]! : id;
  }

  private plain(operation: Operation, expression: number): void {
    const id = this.objectOf(operation, expression);
    const choices = METHODS[operation]!;
    const isLoop = operation === Operation.Iterate || operation === Operation.IterateAsync;
    const isSearch = operation === Operation.Contains && this.mayRun(EQUAL);
    const isOrder = operation === Operation.Least || operation === Operation.Greatest;
    if ((!isOrder && this.isPlain(id, isSearch)) || !(isSearch || choices.some((names) => this.mayRun(names)))) return;
    const { items, sure } = this.valueOf(id);
    if (isOrder) {
      for (const item of items.flatMap((whole) => itemsOf(this.e.item(whole)))) this.run(item, choices[0]!, Math.min(sure, SURE.weak));
      return;
    }
    for (const item of items) {
      if (isSearch) this.elements(item, sure);
      if (operation === Operation.GetItem && item.k === "class") this.run(item, ["__class_getitem__"], sure);
      for (const names of choices) this.run(item, names, sure);
      if (isLoop) this.next(item, operation === Operation.IterateAsync, sure);
    }
  }

  /** `compares`: what is in it, too. */
  private isPlain(id: number, compares: boolean): boolean {
    const op = opOf(this.file, id);
    return PLAIN.has(op) && !(compares && LISTS.has(op));
  }

  /** Comparing lists, or looking for something in one, compares what is in it. */
  private elements(list: Type, sure: number): void {
    const parts = list.k === "tuple" ? [...list.items, ...list.rest ? [list.rest] : []] : list.k === "ext" && isContainer(list) ? list.args : [];
    for (const part of parts) for (const item of itemsOf(part)) this.run(item, EQUAL, Math.min(sure, SURE.weak));
  }

  /** The iterator that a loop asks for the next item. */
  private next(type: Type, isAsync: boolean, sure: number): void {
    if (type.k !== "inst" && type.k !== "var") return;
    const name = isAsync ? "__anext__" : "__next__";
    if (!this.mayRun([name])) return;
    this.e.sure = sure;
    for (const iterator of itemsOf(iteratorOf(this.e, type, isAsync))) this.run(iterator, [name], this.e.sure);
  }

  private operator(operation: Operation, id: number): void {
    const { strings, nodes } = this.file.facts;
    const operator = strings[nodes[id + 1]!]!;
    const [left, right] = [nodes[id + 2]!, nodes[id + 3]!];
    if (operator === "%" && this.isText(left)) this.formatted(right);
    const choice = OPERATORS.get(operator);
    if (!choice) return;
    const assigning = operation === Operation.Assign ? choice.left.map((name) => name.replace("__", "__i")) : [];
    const first = [...assigning, ...choice.left];
    if (!this.mayRun([...first, ...choice.right])) return;
    let atMost: number = SURE.declared;
    const compares = choice.left.includes("__eq__");
    if (!this.isPlain(left, compares)) {
      const { items, sure } = this.valueOf(left);
      if (compares) for (const item of items) this.elements(item, sure);
      const others = items.filter((item) => !this.run(item, first, sure));
      if (others.length === 0) return;
      if (others.some(isOpaque)) atMost = SURE.possible;
    }
    if (this.isPlain(right, compares) || !this.mayRun(choice.right)) return;
    const { items, sure } = this.valueOf(right);
    for (const item of items) {
      if (compares) this.elements(item, sure);
      this.run(item, choice.right, Math.min(sure, atMost));
    }
  }

  /** What reading an attribute runs, other than a property: `__getattribute__`, `__getattr__` where there is no such attribute, `__get__` of the attribute. */
  read(attribute: number, isProperty: boolean): readonly Target[] {
    this.found = [];
    this.isOpen = false;
    if (isProperty || this.mayRun(["__getattribute__", "__getattr__", "__get__"])) this.attribute(attribute, ["__get__"], 0, (item, member, sure) => {
      this.run(item, ["__getattribute__"], sure);
      if (!member) this.run(item, ["__getattr__"], sure);
    });
    return this.found;
  }

  /** What giving an attribute a value, or deleting it, runs. `isProperty`: its name is one that properties have. */
  write(operation: Operation, attribute: number, isProperty: boolean): readonly Target[] {
    this.found = [];
    this.isOpen = false;
    const [own, descriptor, accessor] = operation === Operation.DeleteAttribute ? ["__delattr__", "__delete__", "deleter"] : ["__setattr__", "__set__", "setter"];
    const name = this.file.facts.strings[this.file.facts.nodes[attribute + 2]!]!;
    if (isProperty || this.mayRun([own, descriptor])) this.attribute(attribute, [descriptor], operation === Operation.DeleteAttribute ? 2 : 1, (item, _, sure) => {
      this.run(item, [own], sure);
      if (isProperty) this.run(item, [accessorOf(name, accessor)], sure);
    });
    return this.found;
  }

  /** Visits what an attribute may be, by the objects that it is of. What is bound in their class may be a descriptor, or made by `property`, of which `part` is run. */
  private attribute(attribute: number, descriptor: Choice, part: number, visit: (object: Type, member: Member | Type | undefined, sure: number) => void): void {
    const { nodes, strings } = this.file.facts;
    const name = strings[nodes[attribute + 2]!]!;
    if (isSpecial(name) && part === 0) return;
    const { items, sure } = this.valueOf(nodes[attribute + 1]!);
    for (const item of items) {
      if (item.k !== "inst" && (item.k !== "var" || item.meta || item.bound.k !== "inst")) continue;
      const member = this.e.member(item, name);
      visit(item, member, sure);
      const bound = boundInBody(this.e, member, name);
      if (!bound) continue;
      const { file, definitions } = bound;
      for (const definition of definitions) {
        if (opOf(file, definition) === Op.Function) {
          for (const made of descriptorsOf(this.e, this.e.program.fn(file, file.facts.nodes[definition + 1]!))) this.run(made, descriptor, sure);
          continue;
        }
        const isMade = opOf(file, definition) === Op.Call;
        if (!isMade && !this.mayRun(descriptor)) continue;
        for (const value of itemsOf(this.e.value(file, definition))) {
          if (value.k === "inst" && this.mayRun(descriptor)) this.run(value, descriptor, sure);
          const run = isMade && isMadeProperty(value) ? itemsOf(value.args[1 + part] ?? UNKNOWN) : [];
          for (const one of run) if (one.k === "fn") this.found.push({ fn: one.fn, sure: Math.min(sure, SURE.declared), open: false });
        }
      }
    }
  }

  private isText(id: number): boolean {
    const { file } = this;
    switch (opOf(file, id)) {
      case Op.Str: case Op.Quoted: return true;
      case Op.Const: {
        const kind = file.facts.nodes[id + 1] as unknown as Const;
        return kind === Const.Str || kind === Const.Bytes;
      }
      default: return false;
    }
  }

  /** `"%s" % value` */
  private formatted(id: number): void {
    const { nodes } = this.file.facts;
    const parts = opOf(this.file, id) === Op.Tuple ? nodes.slice(id + 2, id + 2 + nodes[id + 1]!) : [id];
    for (const part of parts) this.plain(Operation.Text, part);
  }

  private valueOf(id: number): { items: readonly Type[]; sure: number } {
    this.e.sure = 1;
    const own = itemsOf(this.e.value(this.file, id));
    const items = own.some(isOfSeveral) ? own.flatMap((item) => (isOfSeveral(item) ? item.bound.items : item)) : own;
    if (isUnknown(items) || items.some(isOfProtocol)) this.isOpen = true;
    return { items, sure: this.e.sure };
  }

  /** Takes the first of some methods that the class of an object has. False where it has none. */
  private run(type: Type, names: Choice, sure: number): boolean {
    for (const name of names) {
      const member = this.special(type, name);
      if (!member) continue;
      if ("k" in member) return type.k !== "var";
      const { file } = member.cls;
      for (const definition of member.definitions) {
        // A variable of the class may be given something else.
        const atMost = opOf(file, definition) === Op.Function ? SURE.declared : SURE.weak;
        for (const fn of this.functionsOf(file, definition)) {
          const receiver = classBehind(type);
          const known = this.found.find((target) => target.fn === fn);
          if (!known) this.found.push({ fn, sure: Math.min(sure, atMost), open: type.k !== "super", receiver });
          else if (known.receiver !== receiver) known.receiver = undefined;
        }
      }
      return true;
    }
    return false;
  }

  /** A method, the one that another name stands for, as in `__repr__ = __str__`, or what a call gives: `__add__ = operator("+")`. */
  private functionsOf(file: SourceFile, definition: number): Callable[] {
    switch (opOf(file, definition)) {
      case Op.Function: return [this.e.program.fn(file, file.facts.nodes[definition + 1]!)];
      case Op.Local: case Op.Call: return itemsOf(this.e.value(file, definition)).flatMap((value) => (value.k === "fn" ? value.fn : []));
      default: return [];
    }
  }

  /** Python looks for special methods in the class of an object, and not in the object. */
  private special(type: Type, name: string): Member | Type | undefined {
    switch (type.k) {
      case "inst": return findMember(this.e, type.cls, name);
      case "class": return name === "__class_getitem__" ? findMember(this.e, type.cls, name) : metaMember(this.e, type.cls, name);
      case "super": return this.e.member(type, name);
      case "var": return this.special(type.meta ? classOf(type.bound) : type.bound, name);
      default: return undefined;
    }
  }
}

/** Nothing is known of some of them, or of all but that it is None at first; of what is declared to be awaited the class is not. */
function isUnknown(items: readonly Type[]): boolean {
  return items.some((type) => isOpaque(type) || (type.k === "ext" && type.name === "Awaitable")) || items.every(({ k }) => k === "none");
}

/** Any object that has the members of a Protocol. */
function isOfProtocol(type: Type): boolean {
  return type.k === "inst" && isProtocol(type.cls);
}

/** Something of one of several types. */
function isOfSeveral(type: Type): type is Type & { k: "var"; bound: Type & { k: "union" } } {
  return type.k === "var" && !type.meta && type.bound.k === "union";
}

/** Nothing is known of it. */
function isOpaque(type: Type): boolean {
  return type.k === "unknown" || (type.k === "var" && !type.meta && type.bound.k === "unknown");
}
