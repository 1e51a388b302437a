import { type Offset, Op } from "../facts.ts";
import { isHandler } from "./entries.ts";
import { block, declareParameters, visit } from "./statements.ts";
import type { Kind } from "./syntax.ts";
import { indexRecord, isType, signature, typeChild, typeOf } from "./types.ts";
import type { Unit } from "./unit.ts";

const COMPARISONS: readonly Kind[] = ["==", "!=", "<", "<=", ">", ">=", "&&", "||"];

/** Records an expression, and the calls and literals inside it; 0 for what has no type of its own. */
export function expression(u: Unit, node: number): Offset {
  const { syntax } = u;
  const kind = syntax.kind(node);
  switch (kind) {
    case "identifier":
      return read(u, node);
    case "selector_expression": {
      const record = selector(u, node);
      return u.isQualified(record) ? used(u, record, node) : record;
    }
    case "call_expression":
      return call(u, node);
    case "type_conversion_expression": {
      // f[A, B](x) reads like a conversion: what f is decides.
      const type = typeChild(u, node);
      const operand = syntax.children(node).find((child) => child !== type) ?? 0;
      const callee = typeOf(u, type);
      const argument = operand ? value(u, operand) : 0;
      if (syntax.kind(type) !== "generic_type") return u.emit(Op.Value, callee);
      return used(u, u.emit(Op.Call, callee, 1, argument), type);
    }
    case "type_instantiation_expression": {
      const [generic, ...given] = syntax.children(node).filter((child) => isType(syntax.kind(child)));
      if (!generic) return 0;
      // f[A, B] may be a function that is handed on.
      return used(u, u.emit(...indexRecord(typeOf(u, generic), given.map((argument) => typeOf(u, argument)))), generic);
    }
    case "index_expression": {
      const [operand, ...indices] = syntax.children(node);
      return operand ? u.emit(...indexRecord(expression(u, operand), indices.map((index) => expression(u, index)))) : 0;
    }
    case "slice_expression": {
      const [operand, ...bounds] = syntax.children(node);
      for (const bound of bounds) visit(u, bound);
      return operand ? u.emit(Op.Slice, expression(u, operand)) : 0;
    }
    case "type_assertion_expression": {
      const [operand] = syntax.children(node);
      if (operand) visit(u, operand);
      return u.emit(Op.Value, typeOf(u, typeChild(u, node)));
    }
    case "unary_expression":
      return unary(u, node);
    case "binary_expression":
      return binary(u, node);
    case "parenthesized_expression":
    case "literal_element": {
      const [inner] = syntax.children(node);
      return inner ? expression(u, inner) : 0;
    }
    case "variadic_argument": {
      const [inner] = syntax.children(node);
      return inner ? u.emit(Op.Spread, expression(u, inner)) : 0;
    }
    case "composite_literal":
      return composite(u, node);
    case "func_literal":
      return literal(u, node, u.owner);
    case "int_literal":
    case "iota":
      return u.untyped("Int");
    case "float_literal":
      return u.untyped("Float");
    case "imaginary_literal":
      return u.untyped("Complex");
    case "rune_literal":
      return u.untyped("Rune");
    case "interpreted_string_literal":
    case "raw_string_literal":
      return u.untyped("String");
    case "true":
    case "false":
      return u.untyped("Bool");
    case "nil":
      return u.untyped("Nil");
    default:
      if (isType(kind)) return typeOf(u, node);
      visit(u, node);
      return 0;
  }
}

/** A name that is read or written: a use of what the package declares by that name. */
export function read(u: Unit, node: number): Offset {
  const name = u.syntax.text(node);
  const record = u.name(name);
  return u.code[record] === Op.Name && !u.isImport(name) ? used(u, record, node) : record;
}

function selector(u: Unit, node: number): Offset {
  const [operand, field] = u.syntax.children(node);
  if (!operand) return 0;
  const record = expression(u, operand);
  return field && record ? u.select(record, u.syntax.text(field)) : 0;
}

/** What a call calls: naming it is no use beside the call. */
function callee(u: Unit, node: number): Offset {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "identifier":
      return u.name(syntax.text(node));
    case "selector_expression":
      return selector(u, node);
    case "parenthesized_expression": {
      const [inner] = syntax.children(node);
      return inner ? callee(u, inner) : 0;
    }
    case "index_expression": {
      const [operand, ...indices] = syntax.children(node);
      return operand ? u.emit(...indexRecord(callee(u, operand), indices.map((index) => expression(u, index)))) : 0;
    }
    default:
      return expression(u, node);
  }
}

/** An expression whose value is handed on: if it names a method, that is a use of the method. */
export function value(u: Unit, node: number): Offset {
  const { syntax } = u;
  let inner = node;
  while (syntax.kind(inner) === "parenthesized_expression" || syntax.kind(inner) === "literal_element") {
    inner = inner + 1 < syntax.next(inner) ? inner + 1 : 0;
    if (inner === 0) return 0;
  }
  const record = expression(u, inner);
  return syntax.kind(inner) === "selector_expression" && record && !u.isQualified(record) ? used(u, record, inner) : record;
}

/** Notes a use where the last name of a node stands. */
function used(u: Unit, record: Offset, place: number): Offset {
  const name = u.syntax.lastName(place);
  u.use(record, name ? u.syntax.line(name) : 0);
  return record;
}

function call(u: Unit, node: number): Offset {
  const { syntax } = u;
  const [named, ...rest] = syntax.children(node);
  if (!named) return 0;
  let target = callee(u, named);
  const args: Offset[] = [];
  for (const child of rest) {
    if (syntax.kind(child) === "type_arguments") {
      target = u.emit(...indexRecord(target, syntax.children(child).map((argument) => typeOf(u, argument))));
    } else if (syntax.kind(child) === "argument_list") {
      for (const argument of syntax.children(child)) args.push(value(u, argument));
    }
  }
  if (target === 0) return 0;
  const record = u.emit(Op.Call, target, args.length, ...args);
  u.lastCall = { node, record };
  // `copy(all, handlers)`
  const [into = 0, from = 0] = args;
  if (args.length === 2 && u.isNamed(target, "copy")) u.store(into, from);
  // What is bound in the function is a variable or a local type: its calls lead to no declaration, unless others decide what it holds.
  const op = u.code[target];
  return op === Op.Variable && !isTaken(u, target) || op === Op.LocalType || op === Op.Value ? record : used(u, record, named);
}

/** Whether a variable begins as what a field, another variable, an element of these or a channel holds, or a call gives, or is given elsewhere, as a parameter. */
function isTaken({ code }: Unit, variable: Offset): boolean {
  const initialiser = code[variable + 2]!;
  const op = code[initialiser];
  return initialiser === 0 || op === Op.Name || op === Op.Select || op === Op.Index || op === Op.Element || op === Op.Key || op === Op.Receive
    || op === Op.Call || op === Op.Result;
}

/** Notes what a loop goes through, where that may be a function, which the loop runs. */
export function looped(u: Unit, record: Offset, node: number): void {
  const { code } = u;
  switch (code[record]) {
    case Op.Variable: {
      const type = code[code[record + 1]!]!;
      if (!isTaken(u, record) || type >= Op.Array && type <= Op.Chan) return;
      break;
    }
    case Op.Name:
    case Op.Select:
    case Op.Index:
    case Op.Call:
      break;
    default:
      return;
  }
  used(u, u.emit(Op.Key, record), node);
}

function unary(u: Unit, node: number): Offset {
  const { syntax } = u;
  const operand = syntax.children(node).at(-1);
  if (operand === undefined) return 0;
  const first = syntax.kind(node + 1);
  const record = expression(u, operand);
  switch (first) {
    case "*":
      return u.emit(Op.Star, record);
    case "&":
      return u.emit(Op.Address, record);
    case "<-":
      return u.emit(Op.Receive, record);
    case "!":
      return u.untyped("Bool");
    default:
      return record;
  }
}

function binary(u: Unit, node: number): Offset {
  const { syntax } = u;
  let comparison = false;
  let shift = false;
  const operands: number[] = [];
  for (const child of syntax.children(node)) {
    const kind = syntax.kind(child);
    if (COMPARISONS.includes(kind)) comparison = true;
    else if (kind === "<<" || kind === ">>") shift = true;
    else if (kind !== "*" && kind !== "&") operands.push(child);
  }
  const [left, right] = operands;
  if (comparison) {
    for (const operand of operands) visit(u, operand);
    return u.untyped("Bool");
  }
  if (!left || !right) return left ? expression(u, left) : 0;
  if (shift) {
    visit(u, right);
    return expression(u, left);
  }
  const a = expression(u, left);
  const b = expression(u, right);
  return a === b ? a : u.emit(Op.Binary, a, b);
}

function composite(u: Unit, node: number): Offset {
  const { syntax } = u;
  const body = syntax.childOf(node, "literal_value");
  const [typeNode] = syntax.children(node);
  const type = typeNode && typeNode !== body ? typeOf(u, typeNode) : 0;
  const kind = typeNode ? syntax.kind(typeNode) : "";
  const list: Offset[] = [];
  const own = u.code[type] === Op.Name || u.code[type] === Op.LocalType;
  if (body) elements(u, body, once(() => type && u.emit(Op.Value, type)), list, own, kind === "map_type" || kind === "array_type" || kind === "slice_type" || kind === "implicit_length_array_type");
  const record = u.emit(Op.Value, type);
  for (const value of u.isPlain(type) ? [] : list) {
    if (u.holder === 0) u.fill(record, value);
    else u.store(u.holder, value);
  }
  const op = u.code[type];
  if (typeNode && (op === Op.Name || op === Op.Select || op === Op.Index)) used(u, record, typeNode);
  return record;
}

/**
 * `object` gives a record of what they are elements of, 0 where no type is written. `list` takes those of lists and tables. `constantKeys`: a
 * plain name as a key is a constant, and no field; `own`: a type of the package decides that. What has no key may be an element, or the field
 * in its place.
 */
function elements(u: Unit, body: number, object: () => Offset, list: Offset[], own = false, constantKeys = false): void {
  const { syntax } = u;
  const put = (field: string, held: Offset): void => {
    if (u.mayBeFunction(held) && object()) u.store(u.select(object(), field), held);
  };
  // Only an element of a list or a table has no type written.
  const element = once(() => object() && u.emit(Op.Element, object()));
  for (const [place, child] of syntax.children(body).entries()) {
    if (syntax.kind(child) === "keyed_element") {
      const [key, given] = syntax.children(child);
      const plain = key && !constantKeys && syntax.kind(key) === "literal_element" && syntax.kind(key + 1) === "identifier";
      if (key && !plain) elementValue(u, key, () => 0, list);
      const { holder } = u;
      // What a field's list has is the field's.
      if (plain) u.holder = 0;
      const held = given ? elementValue(u, given, element, list) : 0;
      u.holder = holder;
      if (!plain || own) list.push(held);
      if (plain) put(syntax.text(key + 1), held);
    } else {
      const held = elementValue(u, child, element, list);
      list.push(held);
      if (!constantKeys) put(String(place), held);
    }
  }
}

/** Makes a record when it is first needed. */
function once(make: () => Offset): () => Offset {
  let made: Offset | undefined;
  return () => (made ??= make());
}

function elementValue(u: Unit, element: number, object: () => Offset, list: Offset[]): Offset {
  const inner = u.syntax.kind(element) === "literal_element" && element + 1 < u.syntax.next(element) ? element + 1 : element;
  if (u.syntax.kind(inner) !== "literal_value") return value(u, inner);
  elements(u, inner, object, list);
  return 0;
}

/** The call that is all that a block does; 0 where it is none. */
function onlyCall({ syntax }: Unit, body: number): number {
  let at = body;
  while (at !== 0 && /^(?:block|statement_list|expression_statement|return_statement|expression_list)$/.test(syntax.kind(at))) {
    const [only = 0, ...others] = syntax.children(at);
    at = others.length === 0 ? only : 0;
  }
  return at !== 0 && syntax.kind(at) === "call_expression" ? at : 0;
}

/** A function literal; what it does belongs to `owner`. */
export function literal(u: Unit, node: number, owner: number): Offset {
  let type = 0;
  let call = 0;
  const before = u.owner;
  const { inLiteral } = u;
  u.owner = owner;
  u.inLiteral = true;
  u.scoped(() => {
    const { type: declared, parameters, results } = signature(u, node);
    type = declared;
    // Where a handler is written, as in `&cobra.Command{RunE: func…}`, control enters what it is written in.
    const symbol = u.symbols[owner];
    if (symbol && symbol.kind !== "Variable" && isHandler(u, parameters)) symbol.entry ??= "handler";
    declareParameters(u, parameters, results);
    const body = u.syntax.childOf(node, "block");
    block(u, body);
    const only = onlyCall(u, body);
    if (only !== 0 && only === u.lastCall.node) call = u.lastCall.record;
  });
  const at = u.literal(type, call);
  u.owner = before;
  u.inLiteral = inLiteral;
  return at;
}
