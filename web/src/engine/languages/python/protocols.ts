import { annotated } from "./annotations.ts";
import { attributeOf, memberOf } from "./attributes.ts";
import { callValue } from "./calls.ts";
import { inherits, isEnum, opOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { isMapping, itemOfExternal, MADE } from "./externals.ts";
import { Op } from "./facts.ts";
import type { SourceFile } from "./program.ts";
import { FIELDS } from "./questions.ts";
import type { Type } from "./types.ts";
import { EXTERNAL, UNKNOWN, ext, instanceOf, union } from "./types.ts";

/** What `await` gives. */
export function awaitedOf(e: Evaluator, type: Type): Type {
  switch (type.k) {
    case "union": return union(type.items.map((t) => awaitedOf(e, t)));
    case "ext": return type.name === MADE ? type : type.args[0] ?? EXTERNAL;
    case "inst": return itemOf(e, e.call(attributeOf(e, type, "__await__")));
    case "var": return awaitedOf(e, type.bound);
    default: return UNKNOWN;
  }
}

/** What iterating gives. */
export function itemOf(e: Evaluator, type: Type, isAsync = false): Type {
  switch (type.k) {
    case "union": return union(type.items.filter((t) => t.k !== "none").map((t) => itemOf(e, t, isAsync)));
    case "tuple": return type.rest ?? union(type.items);
    case "ext": return itemOfExternal(type);
    case "var": return e.bounded(type, (t) => itemOf(e, t, isAsync));
    case "class": return isEnum(e, type.cls) ? instanceOf(type) : UNKNOWN;
    case "inst": return e.once("item", type.cls, () => iterated(e, type, isAsync));
    default: return UNKNOWN;
  }
}

/** What a loop asks for the next item. */
export function iteratorOf(e: Evaluator, type: Type, isAsync: boolean): Type {
  return e.call(attributeOf(e, type, isAsync ? "__aiter__" : "__iter__"));
}

function iterated(e: Evaluator, type: Type & { k: "inst" }, isAsync: boolean): Type {
  const iterator = iteratorOf(e, type, isAsync);
  if (iterator.k === "inst" || iterator.k === "var") {
    const next = e.call(attributeOf(e, iterator, isAsync ? "__anext__" : "__next__"));
    return isAsync ? awaitedOf(e, next) : next;
  }
  if (iterator.k !== "unknown" && !(iterator.k === "ext" && iterator.args.length === 0)) return itemOf(e, iterator, isAsync);
  const element = e.call(attributeOf(e, type, "__getitem__"));
  if (element.k !== "unknown" && element.k !== "ext") return element;
  const container = externalBase(e, type);
  return container ? itemOfExternal(container) : element;
}

/** An external container among the bases, as in `class Rows(list[Row])`. */
function externalBase(e: Evaluator, type: Type & { k: "inst" }): (Type & { k: "ext" }) | undefined {
  const found = memberOf(e, type, "__class_getitem__");
  return found && "k" in found && found.k === "ext" ? found : undefined;
}

/** What `with ... as` binds. */
export function enteredOf(e: Evaluator, type: Type, isAsync = false): Type {
  switch (type.k) {
    case "union": return union(type.items.map((t) => enteredOf(e, t, isAsync)));
    case "ext": return type.name === MADE ? type : type.args[0] ?? type;
    case "inst": case "var": {
      const result = e.call(attributeOf(e, type, isAsync ? "__aenter__" : "__enter__"));
      if (result.k === "ext" && result.name === "?") return type;
      return isAsync ? awaitedOf(e, result) : result;
    }
    default: return UNKNOWN;
  }
}

/** What `except ... as` binds. */
export function caughtOf(type: Type): Type {
  switch (type.k) {
    case "tuple": return union([...type.items.map((t) => instanceOf(t)), ...(type.rest ? [instanceOf(type.rest)] : [])]);
    case "union": return union(type.items.map((t) => caughtOf(t)));
    default: return instanceOf(type);
  }
}

/** One item of an unpacking; a negative index counts from the end. */
export function unpackedOf(e: Evaluator, type: Type, index: number): Type {
  switch (type.k) {
    case "union": return union(type.items.map((t) => unpackedOf(e, t, index)));
    case "tuple": return type.items.length > 0 ? (type.items.at(index) ?? UNKNOWN) : (type.rest ?? UNKNOWN);
    case "inst": {
      const fields = tupleFields(e, type);
      return fields ? (fields.at(index) ?? UNKNOWN) : itemOf(e, type);
    }
    default: return itemOf(e, type);
  }
}

/** Field types of a class-style NamedTuple. */
function tupleFields(e: Evaluator, type: Type & { k: "inst" }): Type[] | undefined {
  if (!inherits(e, type.cls, "NamedTuple")) return undefined;
  e.ask(type.cls, FIELDS);
  const { file, fact } = type.cls;
  return Object.values(file.facts.scopes[fact.scope]!.names)
    .map((definitions) => definitions[0]!)
    .filter((d) => opOf(file, d) === Op.Declared)
    .sort((a, b) => a - b)
    .map((d) => annotated(e, file, file.facts.nodes[d + 1]!));
}

/** What `object[index]` gives; the index is an expression of the file. */
export function subscriptOf(e: Evaluator, type: Type, file: SourceFile, index: number): Type {
  switch (type.k) {
    case "union": return union(type.items.map((t) => subscriptOf(e, t, file, index)));
    // The value of a literal index is not kept: any item may be meant.
    case "tuple": return type.rest ?? union(type.items);
    case "ext": return isMapping(type) ? (type.args[1] ?? UNKNOWN) : itemOfExternal(type);
    case "var": return e.bounded(type, (t) => subscriptOf(e, t, file, index));
    case "inst": {
      const key = opOf(file, index) === Op.Str || opOf(file, index) === Op.Quoted ? file.facts.strings[file.facts.nodes[index + 1]!]! : undefined;
      if (key !== undefined && inherits(e, type.cls, "TypedDict")) return attributeOf(e, type, key);
      const fields = tupleFields(e, type);
      if (fields) return union(fields);
      const method = attributeOf(e, type, "__getitem__");
      if (method.k === "fn" || method.k === "union" || method.k === "callable") {
        return callValue(e, method, { types: [e.value(file, index)] });
      }
      const external = externalBase(e, type);
      return external ? subscriptOf(e, external, file, index) : UNKNOWN;
    }
    // `Alias[int]` and `Class[int]` as values.
    case "class": {
      const item = itemOf(e, type);
      if (item.k !== "unknown") return item;
      return type;
    }
    case "extobj": return isOwnModule(type, file, index) ? { k: "module", file: file.index } : type;
    default: return UNKNOWN;
  }
}

/** `sys.modules[__name__]` */
function isOwnModule({ name }: Type & { k: "extobj" }, { facts: { nodes, strings } }: SourceFile, index: number): boolean {
  return name === "sys.modules" && nodes[index] === (Op.Name as number) && strings[nodes[index + 1]!] === "__name__";
}

export function sliceOf(e: Evaluator, type: Type): Type {
  switch (type.k) {
    case "union": return union(type.items.map((t) => sliceOf(e, t)));
    case "tuple": return { k: "tuple", items: [], rest: type.rest ?? union(type.items) };
    case "ext": return type;
    case "var": return e.bounded(type, (t) => sliceOf(e, t));
    case "inst": {
      const result = callValue(e, attributeOf(e, type, "__getitem__"), { types: [ext("slice")] });
      return result.k === "unknown" || result === EXTERNAL ? type : result;
    }
    default: return UNKNOWN;
  }
}

export function binaryOf(e: Evaluator, operator: string, left: Type, right: Type): Type {
  if (left.k === "union") return union(left.items.map((t) => binaryOf(e, operator, t, right)));
  const dunder = OPERATORS[operator];
  if (dunder === undefined) return UNKNOWN;
  if (left.k === "inst" || left.k === "var") {
    const method = attributeOf(e, left, `__${dunder}__`);
    if (method.k === "fn" || method.k === "union") return callValue(e, method, { types: [right] });
  }
  if (right.k === "inst") {
    const method = attributeOf(e, right, `__r${dunder}__`);
    if (method.k === "fn") return callValue(e, method, { types: [left] });
  }
  if (left.k === "ext" && left.name === "list" && right.k === "ext" && right.name === "list") return ext("list", union([...left.args, ...right.args]));
  if (left.k === "tuple") return { k: "tuple", items: [], rest: union([left.rest ?? union(left.items), right.k === "tuple" ? (right.rest ?? union(right.items)) : UNKNOWN]) };
  return left.k === "ext" ? left : UNKNOWN;
}

const OPERATORS: Record<string, string> = {
  "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
  "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
};
