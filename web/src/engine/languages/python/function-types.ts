/** Types of functions: what their parameters and results are, and what decorators make of them. */
import { annotated } from "./annotations.ts";
import { callValue, expectedParameter } from "./calls.ts";
import { functionsOf, inherits, opOf } from "./classes.ts";
import { saysAny, withClosures } from "./closures.ts";
import { type Evaluator, SURE } from "./evaluate.ts";
import { FunctionFlag, Op, ParamKind } from "./facts.ts";
import { fixturesFor, fixtureValue } from "./injected.ts";
import type { Callable } from "./program.ts";
import type { Type } from "./types.ts";
import { ext, isOpen, NONE, STR, substitute, union, UNKNOWN, withoutNone } from "./types.ts";

/** Methods that are looked at above one. */
const MAX_OVERRIDDEN = 5;

/** A method's `self` or `cls`. */
export function selfOf(method: Callable, meta: boolean): Type {
  return { k: "var", key: "self", bound: { k: "inst", cls: method.owner!, args: [] }, meta };
}

/** What the first parameter of a method is; null where it is no object or class of its own. */
export function selfIn(fn: Callable): Type | null {
  if (fn.self !== undefined) return fn.self;
  const { flags, params } = fn.fact;
  if (!fn.owner || (flags & FunctionFlag.Static) !== 0 || params[0]!.kind === ParamKind.Args) return (fn.self = null);
  return (fn.self = selfOf(fn, (flags & FunctionFlag.ClassMethod) !== 0 || /^(__new__|__init_subclass__|__class_getitem__)$/.test(fn.name)));
}

/** The type of a parameter, by its declaration, what it overrides, its default or what calls pass. */
export function parameter(e: Evaluator, fn: Callable, index: number): Type {
  const { fact, file } = fn;
  const param = fact.params[index]!;
  if (param.type >= 0) {
    e.weaken(SURE.declared);
    const declared = annotated(e, file, param.type);
    const given = isSignature(e, declared) ? injected(e, fn, index) : UNKNOWN;
    return isRun(given) ? given : collected(param.kind, declared);
  }
  const given = injected(e, fn, index);
  if (given.k !== "unknown") return given;
  const passed = fact.passedTo === undefined ? UNKNOWN : expectedParameter(e, fn, fact.passedTo, index);
  if (passed.k !== "unknown") return passed;
  const inherited = inheritedParameter(e, fn, index);
  if (inherited) return collected(param.kind, inherited);
  if (param.kind === ParamKind.Args) return { k: "tuple", items: [], rest: UNKNOWN };
  if (param.kind === ParamKind.Keywords) return ext("dict", STR, UNKNOWN);
  let bound = UNKNOWN;
  if (param.value >= 0) {
    e.weaken(SURE.weak);
    const value = e.value(file, param.value);
    if (value.k !== "none") bound = value;
  }
  if (bound.k === "unknown") {
    e.informs();
    const sites = e.program.informed ? [fn, ...overriddenBy(e, fn)].flatMap((one) => e.program.passed(one, index)) : [];
    const passed = union(sites.map((site) => closed(withoutNone(e.value(site.file, site.id)))));
    if (passed.k !== "none") bound = passed;
    if (bound.k !== "unknown") e.weaken(SURE.weak);
  }
  return { k: "var", key: `${file.index}.${fn.index}.${index}`, bound, meta: false };
}

/** What pytest passes to a parameter. */
function injected(e: Evaluator, fn: Callable, index: number): Type {
  return union(fixturesFor(e, fn, index).map((fixture) => fixtureValue(e, fixture)));
}

/** Whether a declared type only says how a value is called. */
function isSignature(e: Evaluator, type: Type): boolean {
  return type.k === "callable" || (type.k === "inst" && inherits(e, type.cls, "Protocol"));
}

/** The methods that one overrides, nearest first: what they are passed, it may be passed. */
function overriddenBy(e: Evaluator, fn: Callable): Callable[] {
  const found: Callable[] = [];
  for (let at: Callable | undefined = fn; at?.owner && !/^__(init|new)__$/.test(fn.name) && found.length < MAX_OVERRIDDEN; ) {
    const member = e.member({ k: "super", cls: at.owner, self: UNKNOWN }, fn.name);
    at = member && "definitions" in member ? functionsOf(e, member)[0] : undefined;
    if (at) found.push(at);
  }
  return found;
}

/** What the overridden method says about a parameter of the same name. */
function inheritedParameter(e: Evaluator, fn: Callable, index: number): Type | undefined {
  if (!fn.owner || /^__(init|new)__$/.test(fn.name)) return undefined;
  const name = fn.file.facts.strings[fn.fact.params[index]!.name]!;
  const member = e.member({ k: "super", cls: fn.owner, self: UNKNOWN }, fn.name);
  if (!member || !("definitions" in member)) return undefined;
  const { file } = member.cls;
  for (const definition of member.definitions) {
    if (opOf(file, definition) !== Op.Function) continue;
    const base = e.program.fn(file, file.facts.nodes[definition + 1]!);
    const param = base.fact.params.findIndex((p) => file.facts.strings[p.name] === name);
    if (param <= 0 || base.fact.params[param]!.type < 0) continue;
    e.weaken(SURE.declared);
    return annotated(e, file, base.fact.params[param]!.type);
  }
  return undefined;
}

/** A function with what its decorators make of it. */
export function functionValue(e: Evaluator, fn: Callable): Type {
  let type: Type = { k: "fn", fn, self: undefined, solved: undefined };
  for (const decorator of [...fn.fact.decorators].reverse()) {
    type = decorated(e, type, e.value(fn.file, decorator));
  }
  return type;
}

function decorated(e: Evaluator, fn: Type, decorator: Type): Type {
  if (decorator.k === "extobj") {
    const name = decorator.name;
    if (/contextmanager$/.test(name) && fn.k === "fn") {
      return { k: "callable", result: ext("ContextManager", e.item(resultOf(e, fn), name.includes("async"))) };
    }
    return fn;
  }
  // A decorator of the repository changes the result only where it says so.
  if (decorator.k !== "fn" && decorator.k !== "callable" && decorator.k !== "union") return fn;
  const result = callValue(e, decorator, { types: [fn] });
  switch (result.k) {
    case "callable": return result.result.k === "unknown" ? fn : result;
    case "inst": return result;
    case "fn": return result.fn.fact.returns >= 0 || (fn.k === "fn" && givesNothing(fn.fn)) ? result : fn;
    default: return fn;
  }
}

/** A function that only what stands in its place gives something for. */
function givesNothing({ fact: { flags, results, returns } }: Callable): boolean {
  return results.length === 0 && returns < 0 && (flags & (FunctionFlag.Generator | FunctionFlag.Property)) === 0;
}

/** What a plain call of a function gives, without looking at arguments. */
export function resultOf(e: Evaluator, type: Type & { k: "fn" }): Type {
  const { fn } = type;
  const { fact, file } = fn;
  let result: Type;
  if (fact.returns >= 0 && !saysAny(file.facts, fact.returns)) {
    e.weaken(SURE.declared);
    result = withClosures(e, annotated(e, file, fact.returns), fn);
    if ((fact.flags & FunctionFlag.Async) !== 0 && (fact.flags & FunctionFlag.Generator) === 0) result = ext("Coroutine", result);
  } else {
    e.weaken(SURE.inferred);
    result = inferredResult(e, fn);
  }
  if (!isOpen(result)) return result;
  const solved = new Map(type.solved);
  if (type.self) solved.set("self", type.self);
  return substitute(result, solved);
}

function inferredResult(e: Evaluator, fn: Callable): Type {
  const { fact, file } = fn;
  if ((fact.flags & FunctionFlag.Generator) !== 0) {
    const item = union(fact.yields.map((y) => e.value(file, y)));
    return ext((fact.flags & FunctionFlag.Async) !== 0 ? "AsyncGenerator" : "Generator", item);
  }
  if ((fact.flags & FunctionFlag.Abstract) !== 0) return UNKNOWN;
  // What says that it gives anything may do nothing here for others to override.
  let result = fact.results.length === 0 ? NONE : union(fact.results.map((r) => e.value(file, r)));
  if (fact.returns >= 0 && result.k === "none") result = UNKNOWN;
  return (fact.flags & FunctionFlag.Async) !== 0 ? ext("Coroutine", result) : result;
}

function collected(kind: ParamKind, type: Type): Type {
  if (kind === ParamKind.Args) return { k: "tuple", items: [], rest: type };
  return kind === ParamKind.Keywords ? ext("dict", STR, type) : type;
}

/** What a value is at least, without type variables on the outside. */
function closed(type: Type): Type {
  if (type.k === "union") return union(type.items.map(closed));
  return type.k === "var" && !type.meta ? closed(type.bound) : type;
}

/** Whether it is known what calling a value runs. */
function isRun(type: Type): boolean {
  return type.k === "fn" || type.k === "class" || (type.k === "callable" && type.runs !== undefined);
}
