import { docAbove, type Doc } from "./docs.ts";
import { entryOf } from "./entries.ts";
import { block, parametersOf } from "./calls.ts";
import { constant, expression, statements } from "./expressions.ts";
import { type Hook, isHook, type MethodFact, type Offset, Op, type ScopeFact } from "./facts.ts";
import { OPEN } from "./names.ts";
import { view } from "./templates.ts";
import type { Unit } from "./unit.ts";

/** Files whose methods render templates of their names, as actions of controllers do. */
const MAILS = /(?:^|\/)app\/mailers\//;

const CONSTANT = /^(?:constant|scope_resolution)$/;

/** `class Name < Base` or `module Name`. */
export function openClass(u: Unit, node: number): Offset {
  const { syntax } = u;
  const nameNode = syntax.part(node, "name");
  const body = syntax.part(node, "body");
  const kind = syntax.kind(node) === "module" ? "module" : "class";
  if (!nameNode || !CONSTANT.test(syntax.kind(nameNode))) return body ? statements(u, body) : 0;
  const name = syntax.text(nameNode).replace(/\s+/g, "");
  const above = syntax.part(node, "superclass");
  const [base] = above ? syntax.children(above) : [];
  // `class Point < Struct.new(:x)`: what the struct has is the class's own.
  const made = base === undefined ? undefined : (madeBy(u, base) ?? madeByStruct(u, base));
  const superclass = base === undefined || made ? (made?.superclass ?? 0) : expression(u, base);
  const symbol = u.symbol({ kind: "Class", name: name.slice(name.lastIndexOf(":") + 1), at: lastName(u, nameNode), whole: node, body: above ? 0 : body });
  trimSignature(u, symbol, node, above || nameNode);
  return openScope(u, { kind, name, superclass, symbol, line: syntax.line(base ?? node) }, () => {
    if (made) fillMade(u, made);
    else if (base !== undefined) runHook(u, superclass, "inherited", base);
    return body ? statements(u, body) : 0;
  });
}

/** The head ends with the superclass, or the name. */
function trimSignature(u: Unit, symbol: number, node: number, last: number): void {
  u.symbols[symbol]!.signature = u.syntax.source.slice(u.syntax.start(node), u.syntax.end(last)).replace(/\s+/g, " ").slice(0, 200);
}

function lastName(u: Unit, node: number): number {
  return u.syntax.kind(node) === "scope_resolution" ? u.syntax.part(node, "name") || node : node;
}

type NewScope = Pick<ScopeFact, "kind" | "name" | "superclass" | "symbol" | "line">;

/** Adds a scope and runs `inside` as its body. */
export function openScope(u: Unit, scope: NewScope, inside: () => Offset): Offset {
  const index = u.scopes.push({ ...scope, parent: u.scope }) - 1;
  const { meta } = u;
  u.meta = false;
  u.apart(() => u.within(u.addContext({ scope: index, singleton: true, method: -1, loose: false }), scope.symbol, inside));
  u.meta = meta;
  return u.emit(Op.Made, index);
}

/** `class << self`. */
export function openSingleton(u: Unit, node: number): void {
  const { syntax } = u;
  const value = syntax.part(node, "value");
  const body = syntax.part(node, "body");
  if (!body) return;
  if (value && CONSTANT.test(syntax.kind(value))) {
    reopen(u, value, () => meta(u, () => statements(u, body)));
    return;
  }
  u.apart(() => u.within(u.addContext({ singleton: true, method: -1 }), -1, () => meta(u, () => statements(u, body))));
}

function meta(u: Unit, inside: () => Offset): Offset {
  const before = u.meta;
  u.meta = true;
  const result = inside();
  u.meta = before;
  return result;
}

/** Runs `inside` as the body of a class that is named, not declared: `Name.class_eval do`. */
export function reopen(u: Unit, name: number, inside: () => Offset): Offset {
  const text = u.syntax.text(name).replace(/\s+/g, "");
  return openScope(u, { kind: "reopened", name: text, superclass: 0, symbol: -1, line: u.syntax.line(name) }, inside);
}

export interface Made {
  kind: "class" | "module";
  superclass: Offset;
  /** The node that names it. */
  base?: number | undefined;
  /** The nodes that name a struct's members. */
  members?: number[];
  block: number;
}

/** What `Class.new`, `Module.new`, `Struct.new` and `Data.define` make; undefined for any other expression. */
export function madeBy(u: Unit, node: number): Made | undefined {
  const { syntax } = u;
  if (syntax.kind(node) !== "call") return undefined;
  const receiver = syntax.part(node, "receiver");
  const method = syntax.part(node, "method");
  if (!receiver || !method) return undefined;
  const what = `${syntax.text(receiver).replace(/^::/, "")}.${syntax.text(method)}`;
  const list = syntax.part(node, "arguments");
  const args = list ? syntax.children(list) : [];
  const given = syntax.part(node, "block");
  switch (what) {
    case "Class.new": {
      const [base] = args;
      return { kind: "class", superclass: base === undefined ? 0 : expression(u, base), base, block: given };
    }
    case "Module.new":
      return { kind: "module", superclass: 0, block: given };
    case "Struct.new":
    case "Data.define":
      return { kind: "class", superclass: 0, members: args.filter((arg) => syntax.kind(arg) === "simple_symbol"), block: given };
    default:
      return undefined;
  }
}

/** `class Point < Shape.new(:x)`: as a superclass has to be a class, Shape inherits from Struct, and what it makes inherits from Shape. */
function madeByStruct(u: Unit, node: number): Made | undefined {
  const { syntax } = u;
  const receiver = syntax.kind(node) === "call" ? syntax.part(node, "receiver") : 0;
  if (!receiver || !CONSTANT.test(syntax.kind(receiver)) || syntax.text(syntax.part(node, "method")) !== "new") return undefined;
  const list = syntax.part(node, "arguments");
  const members = (list ? syntax.children(list) : []).filter((arg) => syntax.kind(arg) === "simple_symbol");
  return { kind: "class", superclass: expression(u, receiver), base: receiver, members, block: syntax.part(node, "block") };
}

/** Ruby calls a method of a class or module that something comes to stand below; `node` says so. */
export function runHook(u: Unit, above: Offset, hook: Hook, node: number): void {
  if (CONSTANT.test(u.syntax.kind(node))) u.use(u.emit(Op.Call, above, u.str(hook), u.context, 0, 0), node);
}

/** A class or module that an expression makes; `name` is "" for one that gets none. */
export function openMade(u: Unit, made: Made, name: string, symbol: number, line: number): Offset {
  return openScope(u, { kind: made.kind, name, superclass: made.superclass, symbol, line }, () => fillMade(u, made));
}

/** What a class has that an expression makes. */
function fillMade(u: Unit, made: Made): Offset {
  if (made.base !== undefined) runHook(u, made.superclass, "inherited", made.base);
  if (made.members) structMembers(u, made.members);
  const body = made.block ? u.syntax.part(made.block, "body") : 0;
  return body ? statements(u, body) : 0;
}

function structMembers(u: Unit, members: readonly number[]): void {
  const names = members.map((node) => u.syntax.text(node).slice(1));
  const index = u.methods.length;
  u.methods.push({ ...newMethod("initialize", -1, u.scope), parameters: names.map((name) => ({ name, kind: "required", value: 0 })) });
  const context = u.addContext({ singleton: false });
  for (const [position, node] of members.entries()) {
    attribute(u, node, true, true);
    u.fields.push({ name: `@${names[position]!}`, context, value: u.emit(Op.Parameter, index, position), element: false });
  }
}

/** `NAME = value`, which may make a class. */
export function declareConstant(u: Unit, node: number, left: number, right: number): Offset {
  const { syntax } = u;
  const name = syntax.text(left).replace(/\s+/g, "");
  const made = madeBy(u, right);
  const last = lastName(u, left);
  const symbol = u.symbol({ kind: made ? "Class" : "Variable", name: name.slice(name.lastIndexOf(":") + 1), at: last, whole: node, body: 0, exported: u.visibility !== "private" || !made });
  if (made) return openMade(u, made, name, symbol, syntax.line(right));
  const index = u.constants.push({ scope: u.scope, name, value: 0, symbol }) - 1;
  const value = expression(u, right);
  u.constants[index]!.value = value;
  return value;
}

// Methods

export function newMethod(name: string, symbol: number, scope: number, side: MethodFact["side"] = "instance"): MethodFact {
  return { name, symbol, scope, side, parameters: [], result: 0, documented: 0, yields: [], abstract: false };
}

/** The side that a method of this place is on. */
function sideHere(u: Unit): MethodFact["side"] {
  return u.meta ? "singleton" : u.visibility === "module_function" ? "both" : "instance";
}

function symbolOf(u: Unit, name: string, at: number, whole: number, body: number, singleton: boolean): number {
  const scope = u.scopes[u.scope]!;
  // A class without a name has no methods that one could ask for.
  if ((scope.kind !== "file" && scope.name === "") || name.includes(OPEN)) return -1;
  const exported = singleton || u.visibility !== "private";
  const entry = entryOf(u.path, scope.name, name, exported && !singleton);
  if (entry === "route" || (entry === "handler" && MAILS.test(u.path))) view(u, name, at);
  return u.symbol({ kind: scope.kind === "file" && !singleton ? "Function" : "Method", name, at, whole, body, exported, entry });
}

export function declareMethod(u: Unit, node: number, nameNode: number, singleton: boolean, of: Offset = 0, owner = ""): void {
  const { syntax } = u;
  if (!nameNode) return;
  const name = syntax.text(nameNode).replace(/\s+/g, "");
  const body = syntax.part(node, "body");
  const parameters = syntax.part(node, "parameters");
  const symbol = symbolOf(u, name, nameNode, node, body, singleton || u.meta);
  const last = parameters || nameNode;
  if (symbol >= 0) trimSignature(u, symbol, node, last);
  if (symbol >= 0 && owner !== "") u.symbols[symbol]!.owner = owner;
  const fact = newMethod(name, symbol, u.scope, singleton ? "singleton" : sideHere(u));
  if (of) fact.of = of;
  const text = body ? syntax.text(body) : "";
  fact.abstract = text === "" || /^(?:nil|raise\b.*\b(?:NotImplementedError|AbstractMethodError|NoMethodError)\b)/.test(text);
  runMethod(u, fact, docAbove(syntax.source, syntax.start(node)), () => {
    fact.parameters = parametersOf(u, parameters, u.methods.length - 1, documented(u, docAbove(syntax.source, syntax.start(node))));
    const [first] = fact.parameters;
    if (first?.value === 0 && !of && fact.side === "singleton" && isHook(name)) first.value = u.emit(Op.Below, u.scope);
    return body ? expression(u, body) : 0;
  });
}

function documented(u: Unit, doc: Doc): Map<string, Offset> {
  return new Map([...doc.parameters].map(([name, type]) => [name, u.emit(Op.Documented, u.str(type), u.scope)]));
}

/** Adds a method and runs its code. */
export function runMethod(u: Unit, fact: MethodFact, doc: Doc, inside: () => Offset, closure = false): void {
  const index = u.methods.push(fact) - 1;
  if (doc.returns) fact.documented = u.emit(Op.Documented, u.str(doc.returns), u.scope);
  const { returns } = u;
  u.returns = [];
  const run = (): Offset => u.within(u.addContext({ singleton: fact.side === "singleton", method: index, loose: false }), fact.symbol, inside);
  const { meta: around } = u;
  u.meta = false;
  const last = closure ? run() : u.apart(run);
  u.meta = around;
  fact.result = u.either([last, ...u.returns]);
  u.returns = returns;
}

/** `def self.name`, `def Name.name`, `def object.name`. */
export function singletonMethod(u: Unit, node: number): void {
  const { syntax } = u;
  const object = syntax.part(node, "object");
  const name = syntax.part(node, "name");
  if (object && CONSTANT.test(syntax.kind(object)) && syntax.text(object) !== (u.scopes[u.scope]?.name ?? "")) {
    declareMethod(u, node, name, true, constant(u, object), syntax.text(lastName(u, object)));
  } else if (object && syntax.kind(object) !== "self" && !CONSTANT.test(syntax.kind(object))) {
    const value = expression(u, object);
    declareMethod(u, node, name, true, value || u.emit(Op.Unknown));
  } else {
    declareMethod(u, node, name, true);
  }
}

/** A method whose body is a block: `define_method(:name) do`. */
export function blockMethod(u: Unit, node: number, nameNode: number, name: string, body: number, singleton: boolean, hidden = false, list = body ? u.syntax.part(body, "parameters") : 0): void {
  const { syntax } = u;
  const symbol = hidden ? -1 : symbolOf(u, name, nameNode, node, body, singleton || u.meta);
  const fact = newMethod(name, symbol, u.scope, singleton ? "singleton" : sideHere(u));
  runMethod(u, fact, { returns: "", parameters: new Map() }, () => {
    const names = list ? syntax.children(list).filter((one) => syntax.kind(one) === "identifier") : [];
    fact.parameters = names.map((one) => ({ name: syntax.text(one), kind: "required", value: 0 }));
    const at = body ? block(u, body, list) : 0;
    return at ? u.code[at + 2]! : 0;
  }, true);
}

/** attr_reader and its like; a Field is what it gives. */
export function attribute(u: Unit, node: number, reads: boolean, writes: boolean, predicate = false): void {
  const { syntax } = u;
  const name = syntax.text(node).replace(/^:?["']?|["']$/g, "");
  if (!/^[\p{L}_]\w*[?!]?$/u.test(name)) return;
  const side = u.meta ? "singleton" : sideHere(u);
  const context = u.addContext({ singleton: side === "singleton", method: -1, loose: false });
  const doc = docAbove(syntax.source, syntax.start(node));
  const declare = (called: string): MethodFact => {
    const fact = newMethod(called, symbolOf(u, called, node, node, 0, u.meta), u.scope, side);
    if (fact.symbol >= 0) {
      const line = syntax.source.slice(syntax.source.lastIndexOf("\n", syntax.start(node)) + 1, syntax.end(node)).trim();
      u.symbols[fact.symbol]!.signature = line.length > 200 ? `${line.slice(0, 199)}…` : line;
    }
    u.methods.push(fact);
    return fact;
  };
  const field = `@${name.replace(/[?!]$/, "")}`;
  if (reads) {
    const fact = declare(name);
    fact.result = u.emit(Op.Field, u.str(field), context);
    if (doc.returns) fact.documented = u.emit(Op.Documented, u.str(doc.returns), u.scope);
  }
  if (predicate) declare(`${name}?`);
  if (writes) {
    const fact = declare(`${name}=`);
    fact.parameters = [{ name: "value", kind: "required", value: 0 }];
    u.fields.push({ name: field, context, value: u.emit(Op.Parameter, u.methods.length - 1, 0), element: false });
  }
}

/** `alias new old` or `alias_method :new, :old`: the new name is a method that runs the old one. */
export function otherName(u: Unit, node: number, nameNode: number, name: string, of: string): void {
  const clean = (text: string): string => text.replace(/^:?["']?|["']$/g, "");
  if (name.startsWith("$") || clean(name) === "" || clean(of) === "") return;
  const fact = newMethod(clean(name), symbolOf(u, clean(name), nameNode, node, 0, u.meta), u.scope, sideHere(u));
  fact.alias = clean(of);
  runMethod(u, fact, { returns: "", parameters: new Map() }, () => {
    const at = u.emit(Op.Call, 0, u.str(clean(of)), u.context, 0, 0);
    // One that is not a symbol has no calls of its own.
    if (fact.symbol >= 0) u.use(at, node);
    return at;
  });
}

/** A method that hands its call on to an object: `delegate :name, to: :object`. */
export function delegated(u: Unit, node: number, name: string, to: string, of: string): void {
  const fact = newMethod(name, symbolOf(u, name, node, node, 0, u.meta), u.scope, sideHere(u));
  if (fact.symbol >= 0) u.symbols[fact.symbol]!.signature = `delegate :${of} to ${to}`.slice(0, 200);
  runMethod(u, fact, { returns: "", parameters: new Map() }, () => {
    const object = to.startsWith("@") ? u.emit(Op.Field, u.str(to), u.context)
      : /^[A-Z]/.test(to) ? u.emit(Op.Constant, u.str(to), u.scope)
      : to === "self.class" || to === "class" ? u.emit(Op.Call, u.self(), u.str("class"), u.context, 0, 0)
      : u.emit(Op.Call, 0, u.str(to), u.context, 0, 0);
    const at = u.emit(Op.Call, object, u.str(of), u.context, 0, 0);
    // What gives the object is called, too.
    if (fact.symbol >= 0 && u.code[object] === Op.Call) u.use(object, node);
    if (fact.symbol >= 0) u.use(at, node);
    return at;
  });
}

