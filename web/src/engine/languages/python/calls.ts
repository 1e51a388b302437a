import { annotated, definitionAsType } from "./annotations.ts";
import { attributeOf } from "./attributes.ts";
import { findMember, inherits, opOf, typeVarsOf } from "./classes.ts";
import { withClosures } from "./closures.ts";
import type { Evaluator } from "./evaluate.ts";
import { SURE } from "./evaluate.ts";
import type { Arguments } from "./externals.ts";
import { callExternal, callExternalMethod } from "./externals.ts";
import { FunctionFlag, Op, ParamKind } from "./facts.ts";
import { resultOf } from "./function-types.ts";
import type { Callable, SourceFile } from "./program.ts";
import { META } from "./questions.ts";
import { relation } from "./records.ts";
import { CALL } from "./slots.ts";
import { textsOf } from "./texts.ts";
import type { Type } from "./types.ts";
import { BOOL, EXTERNAL, NONE, UNKNOWN, classOf, instanceOf, isOpen, itemsOf, shortName, substitute, union } from "./types.ts";

/** The arguments of a call: a call expression, or plain types. */
export type Given = { file: SourceFile; id: number } | { types: readonly Type[] };

/** The type of a call's result. */
export function callValue(e: Evaluator, callee: Type, given: Given): Type {
  switch (callee.k) {
    case "union": return union(callee.items.filter((t) => t.k !== "none").map((t) => callValue(e, t, given)));
    case "fn": return callFunction(e, callee, given);
    case "class": return construct(e, callee, given);
    case "callable": return callee.result;
    case "inst": {
      const method = attributeOf(e, callee, "__call__");
      return method.k === "unknown" ? UNKNOWN : e.once("call", callee.cls, () => callValue(e, method, given));
    }
    case "var": {
      if (callee.meta) return { ...callee, meta: false };
      return callee.bound.k === "unknown" ? UNKNOWN : callValue(e, callee.bound, given);
    }
    case "extobj": return special(e, callee.name, given) ?? callExternal(callee.name, new CallArguments(e, given));
    case "extmethod": return callExternalMethod(callee.of, callee.name, new CallArguments(e, given));
    case "ext": return EXTERNAL;
    default: return UNKNOWN;
  }
}

/** Calls that need their arguments' expressions, not only their types. */
function special(e: Evaluator, name: string, given: Given): Type | undefined {
  if (!("file" in given)) return undefined;
  const { file, id } = given;
  const { nodes } = file.facts;
  const count = nodes[id + 2]!;
  const first = count > 0 ? nodes[id + 3]! : -1;
  const second = count > 1 ? nodes[id + 4]! : -1;
  switch (name) {
    case "typing.cast": case "typing_extensions.cast": case "t.cast":
      e.weaken(SURE.declared);
      return first < 0 ? UNKNOWN : annotated(e, file, first);
    case "typing.TypeVar": case "typing_extensions.TypeVar": {
      const bound = keywordOf(file, id, "bound");
      const constraints = nodes.slice(id + 4, id + 3 + count).map((c) => annotated(e, file, c));
      return {
        k: "var", key: `${file.index}:${id}`, meta: false,
        bound: bound !== undefined ? annotated(e, file, bound) : constraints.length > 0 ? union(constraints) : UNKNOWN,
      };
    }
    case "typing.NewType": case "typing_extensions.NewType":
      return second < 0 ? UNKNOWN : classOf(annotated(e, file, second));
    case "super": {
      const cls = first < 0 ? UNKNOWN : e.value(file, first);
      const self = second < 0 ? UNKNOWN : e.value(file, second);
      const start = cls.k === "class" ? cls.cls : cls.k === "var" && cls.bound.k === "inst" ? cls.bound.cls : undefined;
      return start ? { k: "super", cls: start, self } : EXTERNAL;
    }
    case "getattr": {
      const names = second < 0 ? [] : textsOf(e, file, second);
      if (names.length === 0 || names.some(({ isWhole }) => !isWhole)) return UNKNOWN;
      const third = count > 2 ? [e.value(file, nodes[id + 5]!)] : [];
      if (opOf(file, second) !== Op.Str && opOf(file, second) !== Op.Quoted) e.weaken(SURE.weak);
      const object = e.value(file, first);
      return union([...names.map(({ text }) => attributeOf(e, object, text)), ...third]);
    }
    case "isinstance": return BOOL;
    case "type": return madeClass(e, given);
    default: return first < 0 ? undefined : relation(name, () => modelNamed(e, file, first), (record) => attributeOf(e, classOf(record), "objects"));
  }
}

/** `type("Made", (Base,), {})`, with a metaclass in the place of type, too: of a class with nothing of its own all is its bases'. */
function madeClass(e: Evaluator, given: Given): Type | undefined {
  if (!("file" in given)) return undefined;
  const { file, id } = given;
  const { nodes } = file.facts;
  const [bases, body] = [nodes[id + 4]!, nodes[id + 5]!];
  if (nodes[id + 2] !== 3 || opOf(file, bases) !== Op.Tuple || opOf(file, body) !== Op.Dict || nodes[body + 1] !== 0) return undefined;
  const made = e.value(file, bases);
  return made.k === "tuple" && made.items.length > 0 && made.items.every((item) => item.k === "class") ? union(made.items) : undefined;
}

/** The records of a model that is named by an expression, or by a text: `"Author"`, `"books.Author"`, which another file may have. */
function modelNamed(e: Evaluator, file: SourceFile, id: number): Type {
  const op = opOf(file, id);
  if (op !== Op.Str && op !== Op.Quoted) return annotated(e, file, id);
  const text = file.facts.strings[file.facts.nodes[id + 1]!]!;
  const index = file.strings.get(shortName(text));
  const definitions = index === undefined ? undefined : file.facts.scopes[0]!.names[index];
  if (definitions) return union(definitions.map((definition) => definitionAsType(e, file, definition)));
  const cls = e.program.model(text);
  return cls ? { k: "inst", cls, args: [] } : UNKNOWN;
}

function keywordOf(file: SourceFile, id: number, name: string): number | undefined {
  const { nodes, strings } = file.facts;
  const at = id + 3 + nodes[id + 2]!;
  for (let i = 0; i < nodes[at]!; i++) if (strings[nodes[at + 1 + 2 * i]!] === name) return nodes[at + 2 + 2 * i]!;
  return undefined;
}

/** The arguments of a call, as the table of external functions asks for them. */
class CallArguments implements Arguments {
  readonly count: number;
  private readonly e: Evaluator;
  private readonly given: Given;

  constructor(e: Evaluator, given: Given) {
    this.e = e;
    this.given = given;
    this.count = "types" in given ? given.types.length : given.file.facts.nodes[given.id + 2]!;
  }

  at(index: number): Type {
    if (index >= this.count) return UNKNOWN;
    const { given } = this;
    return "types" in given ? given.types[index]! : this.e.value(given.file, given.file.facts.nodes[given.id + 3 + index]!);
  }

  keyword(name: string): Type | undefined {
    if ("types" in this.given) return undefined;
    const value = keywordOf(this.given.file, this.given.id, name);
    return value === undefined ? undefined : this.e.value(this.given.file, value);
  }

  call(callee: Type): Type {
    return this.e.call(callee);
  }

  item(iterable: Type, isAsync?: boolean): Type {
    return this.e.item(iterable, isAsync);
  }

  awaited(type: Type): Type {
    return this.e.awaited(type);
  }

  entered(manager: Type): Type {
    return this.e.entered(manager);
  }

  instance(type: Type): Type {
    return instanceOf(type);
  }

  classOf(type: Type): Type {
    return classOf(type);
  }
}

function construct(e: Evaluator, callee: Type & { k: "class" }, given: Given): Type {
  const vars = typeVarsOf(e, callee.cls);
  if (inherits(e, callee.cls, "type")) {
    e.ask(callee.cls, META);
    const made = madeClass(e, given);
    if (made) return made;
    return callee.cls.fact.metaclass < 0 ? { k: "inst", cls: callee.cls, args: [] } : UNKNOWN;
  }
  if (vars.length === 0 || callee.args.length > 0) return { k: "inst", cls: callee.cls, args: callee.args };
  const init = findMember(e, callee.cls, "__init__");
  const solved = new Map<string, Type>();
  if (init && "definitions" in init) {
    for (const definition of init.definitions) {
      if (opOf(init.cls.file, definition) !== Op.Function) continue;
      const fn = e.program.fn(init.cls.file, init.cls.file.facts.nodes[definition + 1]!);
      solve(e, fn, true, given, solved);
      // The base's variables, as this class fills them.
      typeVarsOf(e, init.cls).forEach((v, i) => {
        const mine = init.args[i];
        const type = solved.get(v.key);
        if (type && mine?.k === "var" && !solved.has(mine.key)) solved.set(mine.key, type);
      });
    }
  }
  return { k: "inst", cls: callee.cls, args: vars.map((v) => solved.get(v.key) ?? UNKNOWN) };
}

function callFunction(e: Evaluator, callee: Type & { k: "fn" }, given: Given): Type {
  const { fn } = callee;
  const chosen = overload(e, fn, callee.self !== undefined, given);
  const target = chosen === fn ? callee : { ...callee, fn: chosen };
  if (callee.self && isInPlace(fn)) return ofReceiver(e, fn, callee.self);
  const result = withClosures(e, resultOf(e, target), fn);
  if (!isOpen(result)) return result;
  const solved = new Map<string, Type>();
  solve(e, chosen, callee.self !== undefined, given, solved);
  if (callee.self) solveSelf(e, chosen, callee.self, solved);
  return substitute(result, solved);
}

/** Whether a function that a method has in its place declares no result. */
function isInPlace({ fact, owner }: Callable): boolean {
  return !owner && fact.returns < 0 && (fact.flags & (FunctionFlag.Generator | FunctionFlag.Async)) === 0;
}

/** What a function gives back of its first parameter, by its results: that itself, what a method of that gives (`name`), or something else. */
export function givenBack({ file, index, fact: { results } }: Callable): { id: number; name?: string; isObject?: true }[] {
  const { nodes, strings } = file.facts;
  const definitionOf = (id: number): number => {
    let at = id;
    while (opOf(file, at) === Op.Local && nodes[at + 3] === 1) at = nodes[at + 4]!;
    return at;
  };
  const isObject = (id: number): boolean => opOf(file, id) === Op.Param && nodes[id + 1] === index && nodes[id + 2] === 0;
  return results.map((result) => {
    const id = definitionOf(result);
    if (isObject(id)) return { id, isObject: true };
    const callee = opOf(file, id) === Op.Call ? nodes[id + 1]! : -1;
    return callee >= 0 && opOf(file, callee) === Op.Attr && isObject(definitionOf(nodes[callee + 1]!)) ? { id, name: strings[nodes[callee + 2]!]! } : { id };
  });
}

/** What a function gives that stands in the place of a method of an object, its first parameter. */
function ofReceiver(e: Evaluator, fn: Callable, object: Type): Type {
  const { file } = fn;
  e.weaken(SURE.inferred);
  const given = givenBack(fn).map(({ id, name, isObject }) => {
    if (isObject) return object;
    return name === undefined ? e.value(file, id) : callValue(e, attributeOf(e, object, name), { file, id });
  });
  return given.length === 0 ? NONE : union(given);
}

/** `def f(self: T) -> T` */
function solveSelf(e: Evaluator, fn: Callable, self: Type, solved: Map<string, Type>): void {
  const param = fn.fact.params[0];
  if (!param || param.type < 0) return;
  const meta = (fn.fact.flags & FunctionFlag.ClassMethod) !== 0;
  unify(e, annotated(e, fn.file, param.type), meta ? classOf(self) : self, solved);
}

/** Pairs parameters with the arguments of a call: visits each parameter that is given, with the argument's position or expression. */
export function match(fn: Callable, bound: boolean, given: Given, visit: (param: number, argument: number) => void): void {
  const { params, flags } = fn.fact;
  let at = bound && fn.owner && (flags & FunctionFlag.Static) === 0 ? 1 : 0;
  const nodes = "types" in given ? undefined : given.file.facts.nodes;
  const count = "types" in given ? given.types.length : nodes![given.id + 2]!;
  for (let i = 0; i < count; i++) {
    const param = params[at];
    if (!param || param.kind === ParamKind.KeywordOnly || param.kind === ParamKind.Keywords) break;
    const argument = "types" in given ? i : nodes![given.id + 3 + i]!;
    // After *args in the call nobody knows which parameter is meant.
    if ("file" in given && opOf(given.file, argument) === Op.Star && param.kind !== ParamKind.Args) break;
    visit(at, argument);
    if (param.kind !== ParamKind.Args) at++;
  }
  if ("types" in given) return;
  const { strings } = given.file.facts;
  const keywords = given.id + 3 + count;
  for (let i = 0; i < nodes![keywords]!; i++) {
    const name = strings[nodes![keywords + 1 + 2 * i]!]!;
    const param = params.findIndex((p) => fn.file.facts.strings[p.name] === name && p.kind !== ParamKind.Args && p.kind !== ParamKind.Keywords);
    if (param >= 0) visit(param, nodes![keywords + 2 + 2 * i]!);
  }
}

function pairs(e: Evaluator, fn: Callable, bound: boolean, given: Given, visit: (param: number, type: () => Type) => void): void {
  match(fn, bound, given, (param, argument) => visit(param, () => ("types" in given ? given.types[argument]! : e.value(given.file, argument))));
}

/** Visits which expressions a call passes for parameters that say nothing of their type. */
export function passedBy(fn: Callable, bound: boolean, file: SourceFile, call: number, visit: (param: number, argument: number) => void): void {
  if (!fn.fact.params.some((p) => p.type < 0)) return;
  match(fn, bound, { file, id: call }, (param, argument) => {
    const { kind, type } = fn.fact.params[param]!;
    if (type < 0 && kind !== ParamKind.Args && kind !== ParamKind.Keywords) visit(param, argument);
  });
}

/** Finds what a call's arguments say about a function's type variables. */
function solve(e: Evaluator, fn: Callable, bound: boolean, given: Given, solved: Map<string, Type>): void {
  pairs(e, fn, bound, given, (index, type) => {
    const param = fn.fact.params[index]!;
    if (param.type < 0) {
      if (param.kind !== ParamKind.Args) keep(solved, `${fn.file.index}.${fn.index}.${index}`, type());
      return;
    }
    const pattern = annotated(e, fn.file, param.type);
    if (isOpen(pattern)) unify(e, pattern, type(), solved);
  });
  // What wasn't passed has its default.
  fn.fact.params.forEach((param, index) => {
    const key = `${fn.file.index}.${fn.index}.${index}`;
    if (param.type < 0 && param.value >= 0 && !solved.has(key)) keep(solved, key, e.value(fn.file, param.value));
  });
}

function keep(solved: Map<string, Type>, key: string, type: Type): void {
  if (type.k === "unknown") return;
  const known = solved.get(key);
  solved.set(key, known ? union([known, type]) : type);
}

/** Matches a declared type with an argument's type, and keeps what the variables must be. */
function unify(e: Evaluator, pattern: Type, actual: Type, solved: Map<string, Type>): void {
  switch (pattern.k) {
    case "var":
      keep(solved, pattern.key, pattern.meta ? union(itemsOf(actual).map(instanceOf)) : actual);
      return;
    case "union": {
      const rest = itemsOf(actual).filter((t) => t.k !== "none" && !pattern.items.some((p) => !isOpen(p) && similar(p, t)));
      if (rest.length > 0) for (const item of pattern.items) if (isOpen(item)) unify(e, item, union(rest), solved);
      return;
    }
    case "callable": {
      for (const item of itemsOf(actual)) unify(e, pattern.result, e.call(item), solved);
      return;
    }
    case "tuple":
      if (actual.k !== "tuple") return;
      if (pattern.rest) unify(e, pattern.rest, actual.rest ?? union(actual.items), solved);
      else pattern.items.forEach((item, i) => unify(e, item, actual.items[i] ?? actual.rest ?? UNKNOWN, solved));
      return;
    case "ext":
      for (const item of itemsOf(actual)) {
        if (item.k === "ext" && (item.name === pattern.name || item.args.length === pattern.args.length)) {
          pattern.args.forEach((arg, i) => unify(e, arg, item.args[i] ?? UNKNOWN, solved));
        } else if (pattern.args.length === 1) {
          const arg = /^(Awaitable|Coroutine|Future|Task)$/.test(pattern.name) ? e.awaited(item) : e.item(item);
          unify(e, pattern.args[0]!, arg, solved);
        }
      }
      return;
    case "inst":
      for (const item of itemsOf(actual)) {
        if (item.k === "inst" && item.cls === pattern.cls) pattern.args.forEach((arg, i) => unify(e, arg, item.args[i] ?? UNKNOWN, solved));
      }
      return;
    case "class":
      return;
    default:
  }
}

function similar(a: Type, b: Type): boolean {
  return (a.k === "ext" && b.k === "ext" && a.name === b.name) || (a.k === "inst" && b.k === "inst" && a.cls === b.cls);
}

/** The overload that the arguments fit; the function itself when it has none. */
function overload(e: Evaluator, fn: Callable, bound: boolean, given: Given): Callable {
  const overloads = fn.fact.overloads;
  if (!overloads) return fn;
  const candidates = overloads.map((index) => e.program.fn(fn.file, index));
  if ((fn.fact.flags & FunctionFlag.Overload) !== 0) candidates.push(fn);
  for (const candidate of candidates) if (accepts(e, candidate, bound, given)) return candidate;
  return candidates[0] ?? fn;
}

function accepts(e: Evaluator, fn: Callable, bound: boolean, given: Given): boolean {
  const { params, flags } = fn.fact;
  const seen = new Set<number>();
  const misfits: number[] = [];
  pairs(e, fn, bound, given, (index, type) => {
    seen.add(index);
    const param = params[index]!;
    if (param.type >= 0 && !compatible(e, annotated(e, fn.file, param.type), type())) misfits.push(index);
  });
  if (misfits.length > 0) return false;
  const start = bound && fn.owner && (flags & FunctionFlag.Static) === 0 ? 1 : 0;
  const passed = "types" in given ? given.types.length : given.file.facts.nodes[given.id + 2]!;
  const room = params.filter((p, i) => i >= start && p.kind <= ParamKind.Args && p.kind !== ParamKind.KeywordOnly).length;
  if (passed > room && !params.some((p) => p.kind === ParamKind.Args)) return false;
  return params.every((p, i) => i < start || seen.has(i) || p.value >= 0 || p.kind === ParamKind.Args || p.kind === ParamKind.Keywords);
}

/** False only where a value of the type can't be passed. */
function compatible(e: Evaluator, wanted: Type, type: Type): boolean {
  if (wanted.k === "union") return wanted.items.some((w) => compatible(e, w, type));
  if (type.k === "union") return type.items.every((t) => compatible(e, wanted, t));
  if (wanted.k === "unknown" || wanted.k === "var" || type.k === "unknown" || type.k === "var") return true;
  if (type.k === "none" || wanted.k === "none") return type.k === wanted.k || (wanted.k === "ext" && /^(object|Hashable|\?)$/.test(wanted.name));
  if (wanted.k === "inst") return type.k === "inst" ? inherits(e, type.cls, wanted.cls) || inherits(e, wanted.cls, "Protocol") : inherits(e, wanted.cls, "Protocol");
  if (wanted.k === "ext" && type.k === "ext") {
    return wanted.name === type.name || wanted.name === "object" || wanted.name === "?" || type.name === "?" || !PLAIN.has(wanted.name) || !PLAIN.has(type.name)
      || (wanted.name === "float" && type.name === "int") || (wanted.name === "int" && type.name === "bool");
  }
  if (wanted.k === "ext" && PLAIN.has(wanted.name)) return type.k === "inst" ? inherits(e, type.cls, wanted.name) : false;
  if (wanted.k === "class") return type.k === "class" || type.k === "extobj";
  if (wanted.k === "callable") return type.k !== "ext" && type.k !== "tuple";
  return true;
}

const PLAIN = new Set(["str", "int", "float", "bool", "bytes", "list", "dict", "set", "slice", "tuple", "frozenset"]);

/** What a lambda's parameter is, from the call that the lambda is passed to. */
export function expectedParameter(e: Evaluator, lambda: Callable, call: number, index: number): Type {
  const { file } = lambda;
  const { nodes, strings } = file.facts;
  const count = nodes[call + 2]!;
  const isLambda = (id: number): boolean => opOf(file, id) === Op.Lambda && nodes[id + 1] === lambda.index;
  const position = nodes.slice(call + 3, call + 3 + count).findIndex(isLambda);
  const callee = e.value(file, nodes[call + 1]!);
  const argument = (i: number): Type => (i < count ? e.value(file, nodes[call + 3 + i]!) : UNKNOWN);
  switch (callee.k) {
    case "extobj":
      switch (callee.name) {
        case "sorted": case "min": case "max": case "itertools.groupby": return e.item(argument(0));
        case "map": return e.item(argument(index + 1));
        case "filter": case "itertools.takewhile": case "itertools.dropwhile": return e.item(argument(1));
        default: return UNKNOWN;
      }
    case "extmethod": return callee.name === "sort" ? e.item(callee.of) : UNKNOWN;
    case "fn": case "class": {
      const fn = callee.k === "fn" ? callee.fn : constructorOf(e, callee);
      if (!fn) return UNKNOWN;
      const keywords = call + 3 + count;
      let name: string | undefined;
      for (let i = 0; i < nodes[keywords]!; i++) if (isLambda(nodes[keywords + 2 + 2 * i]!)) name = strings[nodes[keywords + 1 + 2 * i]!];
      const first = fn.owner && (callee.k === "class" || callee.self !== undefined) && (fn.fact.flags & FunctionFlag.Static) === 0 ? 1 : 0;
      const param = fn.fact.params.find((p, i) => (position >= 0 ? i === position + first : fn.file.facts.strings[p.name] === name));
      if (!param || param.type < 0) return UNKNOWN;
      const wanted = itemsOf(annotated(e, fn.file, param.type)).find((t) => t.k === "callable");
      const type = wanted?.params?.[index] ?? UNKNOWN;
      const self = callee.k === "fn" ? callee.self : undefined;
      const solved = new Map(callee.k === "fn" ? callee.solved : undefined);
      if (self) solved.set("self", self);
      return substitute(type, solved);
    }
    default: return UNKNOWN;
  }
}

function constructorOf(e: Evaluator, type: Type & { k: "class" }): Callable | undefined {
  const init = findMember(e, type.cls, "__init__");
  if (!init || "k" in init) return undefined;
  const { file } = init.cls;
  const definition = init.definitions.find((d) => opOf(file, d) === Op.Function);
  return definition === undefined ? undefined : e.program.fn(file, file.facts.nodes[definition + 1]!);
}

/** Whether a call of a method gives it its object. `informed`: as what calls pass tells. */
export function isBound(e: Evaluator, file: SourceFile, callee: number, { owner, fact, name }: Callable, informed: boolean): boolean {
  if (!owner) return false;
  const op = opOf(file, callee);
  if (op === Op.Attr || op === Op.FlowAttr) {
    const object = file.facts.nodes[callee + 1]!;
    const type = informed ? e.informedly(() => e.value(file, object)) : e.value(file, object);
    return type.k !== "class" || (fact.flags & FunctionFlag.ClassMethod) !== 0;
  }
  return itemsOf(e.value(file, callee)).some((type) => (type.k === "fn" ? type.self !== undefined : type.k === "inst" && name === CALL));
}
