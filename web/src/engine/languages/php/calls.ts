import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { aliased, classNames } from "./class-names.ts";
import { narrowings } from "./conditions.ts";
import { putInto } from "./elements.ts";
import { closure, expression, mention, property, subscript } from "./expressions.ts";
import { anonymous, freeConstant } from "./extract.ts";
import { hooked } from "./frameworks.ts";
import { FILLS, Use } from "./functions.ts";
import { givenTo, touched } from "./implicit.ts";
import { visitAll } from "./statements.ts";
import { CALLING, CALLING_CLASS, heldText, named, namedConstant, textsOf } from "./texts.ts";
import { classNamed, nameOf, typeOf } from "./types.ts";

/** Functions that give what their argument holds, and those that give an array of the same. */
const ELEMENT = new Set(["reset", "end", "current", "next", "prev", "array_pop", "array_shift", "max", "min"]);
const SAME = new Set(["array_filter", "array_values", "array_reverse", "array_diff_key", "array_intersect_key", "array_slice", "array_unique", "array_diff", "array_intersect", "array_splice", "iterator_to_array"]);
/** Functions that give what all of their arguments hold. */
const MERGED = /^array_(?:merge|replace)(?:_recursive)?$/;
/** Functions that take a function, with the position of the array that it goes over; array_reduce gives its element second. */
const OVER = new Map(Object.entries({ array_map: 1, array_filter: 0, array_walk: 0, usort: 0, uasort: 0, array_reduce: 0, array_find: 0, array_any: 0, array_all: 0 }));

/** What looks as a function does, and asks whether its arguments are there. */
const ASKS = /^(?:isset|empty)$/;

export function argumentsOf(u: Unit, list: number): Offset[] {
  const { syntax } = u;
  return (list ? syntax.children(list) : []).filter((child) => syntax.kind(child) !== "comment").map((argument) => {
    const inner = syntax.children(argument).filter((child) => syntax.field(child) !== "name" && syntax.kind(child) !== "comment").at(-1);
    if (inner === undefined) return 0;
    if (syntax.kind(inner) === "variadic_unpacking") {
      const [all] = syntax.children(inner);
      return u.emit(Op.Spread, all === undefined ? 0 : expression(u, all));
    }
    return expression(u, inner);
  });
}

export function call(u: Unit, node: number, operand: Offset): Offset {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  const list = syntax.part(node, "arguments");
  if (!name || syntax.kind(name) !== "name") {
    const names = name ? textsOf(u, expression(u, name)) : [];
    const args = argumentsOf(u, list);
    // `$method = $isNew ? 'create' : 'update'; $this->$method()`
    const calls = names.map((text) => u.call(Op.Call, u.select(operand, text), args, name));
    return calls.length > 1 ? u.emit(Op.Either, calls.length, ...calls) : calls[0] ?? 0;
  }
  if (isCallable(u, list)) return mention(u, u.emit(Op.Reference, operand, u.str(syntax.text(name))), name);
  const text = syntax.text(name);
  const args = argumentsOf(u, list);
  const at = u.call(Op.Call, u.select(operand, text), args, name);
  nameArguments(u, list, at);
  if (FILLS.test(text)) for (const argument of args) u.store(operand, argument);
  if (text === "fromCallable" && list) for (const argument of syntax.children(list)) named(u, argument);
  return at;
}

/** `f(callback: $x)` */
function nameArguments(u: Unit, list: number, call: Offset): void {
  const { syntax } = u;
  for (const [i, argument] of (list ? syntax.children(list) : []).filter((child) => syntax.kind(child) !== "comment").entries()) {
    const name = syntax.part(argument, "name");
    if (name) u.nameArgument(call, i, syntax.text(name));
  }
}

/** `f(...)` is a closure of the function, and no call. */
function isCallable(u: Unit, list: number): boolean {
  return list > 0 && u.syntax.child(list, "variadic_placeholder") > 0;
}

export function functionCall(u: Unit, node: number): Offset {
  const { syntax } = u;
  const callee = syntax.part(node, "function");
  const list = syntax.part(node, "arguments");
  if (!callee) {
    visitAll(u, node);
    return 0;
  }
  if (!/name$/.test(syntax.kind(callee)) || syntax.kind(callee) === "variable_name") {
    const value = expression(u, callee);
    if (isCallable(u, list)) return value;
    // `($this->handler)(…)` calls what the property holds, and never a method of its name.
    const called = u.code[value] === Op.Select ? u.emit(Op.Either, 1, value) : value;
    const at = u.call(Op.Call, called, argumentsOf(u, list), callee);
    nameArguments(u, list, at);
    heldText(u, value, callee);
    return at;
  }
  const written = nameOf(u, callee);
  if (isCallable(u, list)) return mention(u, u.emit(Op.Name, u.str(written), u.within), callee);
  const plain = written.replace(/^\./, "").toLowerCase();
  if (ASKS.test(plain) && list) {
    for (const argument of syntax.children(list)) asked(u, syntax.children(argument)[0] ?? 0, "offsetExists", Use.Asked);
    return u.value(".bool");
  }
  const over = OVER.get(plain);
  const args = over === undefined || !list ? argumentsOf(u, list) : overArguments(u, list, over, plain === "array_reduce");
  const at = u.call(Op.Call, u.emit(Op.Name, u.str(written), u.within), args, callee);
  nameArguments(u, list, at);
  givenTo(u, plain, args, node);
  hooked(u, plain, list, args, callee);
  if (/^array_(?:push|unshift)$/.test(plain)) {
    const [array] = list ? syntax.children(list) : [];
    for (const argument of args.slice(1)) {
      u.store(args[0]!, argument);
      putInto(u, (array === undefined ? undefined : syntax.children(array).at(-1)) ?? 0, argument);
    }
  }
  if (plain === "define" && list) defined(u, node, list);
  if (/^(?:constant|defined)$/.test(plain) && list) namedConstant(u, list);
  if (plain === "class_alias" && list) aliased(u, list);
  if (list && CALLING.test(plain)) {
    for (const argument of syntax.children(list)) named(u, argument);
    for (const argument of args) if (u.code[argument] === Op.Variable) heldText(u, argument, list);
  }
  if (plain === "assert" && list) {
    for (const [name, type] of narrowings(u, list)) u.narrow(name, type);
  }
  const [first = 0] = args;
  if (MERGED.test(plain) && args.length > 0) return u.emit(Op.Either, args.length, ...args.map((argument) => (u.code[argument] === Op.Spread ? u.emit(Op.Element, u.code[argument + 1]!) : argument)));
  const mapped = plain === "array_map" ? u.resultOf(first) : 0;
  if (mapped) return u.emit(Op.Either, 2, at, u.emit(Op.Several, 1, mapped));
  if (ELEMENT.has(plain)) return u.emit(Op.Element, first);
  return SAME.has(plain) ? first : at;
}

/** What `isset` and `unset` are given is not read: an index runs `method` of its object, and a property may be answered for. */
export function asked(u: Unit, node: number, method: string, how: string): void {
  if (u.syntax.kind(node) === "subscript_expression") subscript(u, node, method);
  else if (/^(?:nullsafe_)?member_access_expression$/.test(u.syntax.kind(node))) touched(u, property(u, node), how, node);
  else if (node) expression(u, node);
}

/** `define('NAME', value)` */
function defined(u: Unit, node: number, list: number): void {
  const { syntax } = u;
  const [first] = syntax.children(list);
  const text = first === undefined ? undefined : syntax.children(first)[0];
  const name = text === undefined ? undefined : /^['"](\w+)['"]$/.exec(syntax.text(text))?.[1];
  if (name !== undefined) freeConstant(u, node, text!, name, 0);
}

/** The arguments of `array_map` and the like: the function takes what the array holds. */
function overArguments(u: Unit, list: number, position: number, second: boolean): Offset[] {
  const { syntax } = u;
  const nodes = syntax.children(list).filter((child) => syntax.kind(child) === "argument").map((argument) => syntax.children(argument).at(-1) ?? 0);
  const array = nodes[position];
  const held = array ? expression(u, array) : 0;
  const element = held ? u.emit(Op.Element, held) : 0;
  return nodes.map((node, i) => {
    if (i === position) return held;
    if (!node) return 0;
    return /^(?:anonymous_function|anonymous_function_creation_expression|arrow_function)$/.test(syntax.kind(node))
      ? closure(u, node, second ? [0, element] : [element, element]) : expression(u, node);
  });
}

export function creation(u: Unit, node: number): Offset {
  const { syntax } = u;
  const nested = syntax.child(node, "anonymous_class");
  // Older grammars have the parts of a class without a name in the expression itself.
  const body = nested || (syntax.child(node, "declaration_list") ? node : 0);
  if (body) {
    const args = argumentsOf(u, syntax.child(body, "arguments"));
    const base = syntax.child(body, "base_clause");
    const [above] = base ? syntax.children(base) : [];
    if (above !== undefined) u.call(Op.New, typeOf(u, above), args, above);
    const index = u.types.length;
    anonymous(u, body);
    return u.types.length > index ? u.emit(Op.Value, u.emit(Op.Local, index)) : 0;
  }
  const [type] = syntax.children(node);
  const list = syntax.child(node, "arguments");
  const args = argumentsOf(u, list);
  if (type === undefined) return 0;
  if (!/^(?:name|qualified_name|relative_name|relative_scope|static)$/.test(syntax.kind(type))) {
    const value = expression(u, type);
    const named = classNames(u, value) || (value && u.emit(Op.Made, value));
    return named && u.call(Op.New, named, args, type);
  }
  const name = nameOf(u, type);
  const at = u.call(Op.New, classNamed(u, name), args, type);
  nameArguments(u, list, at);
  // The first argument is what templates call it.
  for (const argument of list && CALLING_CLASS.test(name) ? syntax.children(list).slice(1) : []) named(u, argument);
  return at;
}
