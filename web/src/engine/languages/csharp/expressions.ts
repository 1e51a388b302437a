import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { creation } from "./creation.ts";
import { noteRoutes } from "./entries.ts";
import { parameters } from "./extract.ts";
import { binary, compound, interpolated, isProduct, product, unary } from "./implied.ts";
import { COMPUTES, FILLS, TAKES } from "./functions.ts";
import { matching } from "./patterns.ts";
import { query } from "./queries.ts";
import { visit, visitAll } from "./statements.ts";
import { argumentsOf as typeArguments, identifier, nameOf, tuple, typeOf } from "./types.ts";

/** Records an expression that is read: a property that it names may run code, a method that it names is handed on. */
export function expression(u: Unit, node: number): Offset {
  const at = record(u, node);
  const kind = u.syntax.kind(node);
  if (kind === "identifier" || kind === "member_access_expression" || kind === "element_access_expression" || kind === "conditional_access_expression") mention(u, at, node);
  return at;
}

/** Records what a value is compared with in a pattern: no property, that would be no constant. */
export function constant(u: Unit, node: number): void {
  const at = record(u, node);
  if (u.code[at] === Op.Name || u.code[at] === Op.Select) u.use(u.emit(Op.Constant, at), node);
}

/** A member that is read runs what stands behind it, or is handed on. */
export function mention(u: Unit, at: Offset, node: number): void {
  const op = u.code[at];
  if (at && (op === Op.Name || op === Op.Select || op === Op.Index || op === Op.Function)) u.use(at, node);
}

/** Records an expression, and the calls inside it; 0 for what has no type of its own. */
function record(u: Unit, node: number): Offset {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "identifier":
      return u.name(identifier(u, node));
    case "this":
      return u.emit(Op.Self, u.within);
    case "base":
      return u.emit(Op.Super, u.within);
    case "alias_qualified_name":
      return u.emit(Op.Name, u.str(nameOf(u, node)), u.within);
    case "predefined_type":
    case "generic_name":
    case "qualified_name":
      return u.emit(Op.Static, typeOf(u, node));
    case "member_access_expression": {
      const of = syntax.part(node, "expression");
      const name = syntax.part(node, "name");
      const operand = of ? typeParameter(u, of) || expression(u, of) : 0;
      return name ? u.select(operand, nameOf(u, name)) : 0;
    }
    case "conditional_access_expression": {
      const condition = syntax.part(node, "condition");
      const operand = condition ? expression(u, condition) : 0;
      const member = syntax.child(node, "member_binding_expression");
      if (member) return u.select(operand, nameOf(u, syntax.part(member, "name")));
      const element = syntax.child(node, "element_binding_expression");
      return element ? indexed(u, operand, element) : 0;
    }
    case "element_access_expression": {
      const of = syntax.part(node, "expression");
      const operand = of ? expression(u, of) : u.emit(Op.Self, u.within);
      const subscript = syntax.part(node, "subscript");
      return indexed(u, operand, subscript);
    }
    case "invocation_expression":
      return invocation(u, node);
    case "object_creation_expression":
    case "implicit_object_creation_expression":
      return creation(u, node, 0);
    case "tuple_expression": {
      return grouped(u, syntax.children(node).map((part) => ({ name: syntax.part(part, "name"), value: part })));
    }
    case "anonymous_object_creation_expression": {
      const children = syntax.children(node);
      const isSign = (i: number): boolean => children[i] !== undefined && syntax.kind(children[i]) === "=";
      return grouped(u, children.flatMap((value, i) => (isSign(i) || isSign(i + 1) ? [] : [{ name: isSign(i - 1) ? children[i - 2]! : 0, value }])));
    }
    case "parenthesized_expression":
    case "checked_expression":
    case "ref_expression":
    case "argument": {
      const inner = syntax.children(node).filter((child) => syntax.field(child) !== "name" && syntax.kind(child) !== "modifier").at(-1);
      if (inner === undefined) return 0;
      return isProduct(u, node, inner) ? product(u, inner) : expression(u, inner);
    }
    case "postfix_unary_expression":
    case "prefix_unary_expression":
      return unary(u, node);
    case "cast_expression": {
      const value = syntax.part(node, "value");
      const type = syntax.part(node, "type");
      const at = u.emit(Op.Value, typeOf(u, type));
      const given = value ? expression(u, value) : 0;
      u.store(at, given);
      u.operator("explicit operator", [given, at], node);
      return at;
    }
    case "as_expression": {
      const left = syntax.part(node, "left");
      const given = left ? expression(u, left) : 0;
      const at = u.emit(Op.Value, typeOf(u, syntax.part(node, "right")));
      u.store(at, given);
      return at;
    }
    case "is_expression": {
      const left = syntax.part(node, "left");
      const right = syntax.part(node, "right");
      if (left) expression(u, left);
      if (right) u.useType(typeOf(u, right), right);
      return u.value("bool");
    }
    case "is_pattern_expression": {
      const of = syntax.part(node, "expression");
      const pattern = syntax.part(node, "pattern");
      const given = of ? expression(u, of) : 0;
      if (pattern) matching(u, given, () => visit(u, pattern));
      return u.value("bool");
    }
    case "assignment_expression": {
      const left = syntax.part(node, "left");
      const right = syntax.part(node, "right");
      const target = left ? expression(u, left) : 0;
      const given = right ? expression(u, right) : 0;
      u.giveToWhat(given, target);
      const sign = compound(u, node, target, given);
      if (sign !== "-=") u.store(target, given);
      if (left && syntax.kind(left) === "tuple_expression") {
        if (right && syntax.kind(right) !== "tuple_expression") u.runs(given, `Deconstruct:${syntax.children(left).length}`, node);
      } else if (sign === "=") u.conversion(given, target, node);
      return target;
    }
    case "conditional_expression": {
      const condition = syntax.part(node, "condition");
      if (condition) expression(u, condition);
      const sides = [syntax.part(node, "consequence"), syntax.part(node, "alternative")].map((side) => (side ? expression(u, side) : 0));
      return u.emit(Op.Either, 2, ...sides);
    }
    case "binary_expression":
      return binary(u, node);
    case "switch_expression": {
      const [value, ...arms] = syntax.children(node);
      const given = value === undefined ? 0 : expression(u, value);
      const results = arms.filter((arm) => syntax.kind(arm) === "switch_expression_arm").map((arm) => {
        let result = 0;
        u.scoped(() => {
          const parts = syntax.children(arm);
          matching(u, given, () => {
            for (const part of parts.slice(0, -1)) visit(u, part);
          });
          const last = parts.at(-1);
          result = last === undefined ? 0 : expression(u, last);
        });
        return result;
      });
      return u.emit(Op.Either, results.length, ...results);
    }
    case "await_expression": {
      const inner = syntax.children(node).at(-1);
      const awaited = inner === undefined ? 0 : expression(u, inner);
      u.runs(awaited, "GetAwaiter .IsCompleted GetResult", node);
      return awaited && u.emit(Op.Element, awaited);
    }
    case "lambda_expression":
    case "anonymous_method_expression":
      return lambda(u, node);
    case "declaration_expression": {
      const name = syntax.part(node, "name");
      if (name) u.variable(identifier(u, name), typeOf(u, syntax.part(node, "type")), 0);
      return name ? u.lookup(identifier(u, name)) : 0;
    }
    case "typeof_expression": {
      const type = syntax.part(node, "type");
      if (type) u.useType(typeOf(u, type), type);
      // Whatever the code base calls Type.
      return u.value(".System.Type");
    }
    case "default_expression":
      return u.emit(Op.Value, typeOf(u, syntax.part(node, "type")));
    case "with_expression": {
      const [of, ...rest] = syntax.children(node);
      for (const child of rest) visit(u, child);
      return of === undefined ? 0 : expression(u, of);
    }
    case "sizeof_expression":
      return u.value("int");
    case "array_creation_expression":
    case "stackalloc_expression": {
      const of = syntax.part(node, "type");
      sizes(u, of);
      const elements = syntax.children(node).map((child) => (syntax.kind(child) === "initializer_expression" ? expression(u, child) : (child !== of && visit(u, child), 0))).find((at) => at > 0) ?? 0;
      const type = typeOf(u, of);
      const at = u.emit(Op.Value, type);
      u.giveTo(elements, type);
      u.store(at, elements);
      return at;
    }
    case "initializer_expression":
    case "element_binding_expression":
      return u.listed(syntax.children(node).map((child) => expression(u, child)));
    case "implicit_array_creation_expression":
      return expression(u, syntax.child(node, "initializer_expression"));
    case "query_expression":
      return query(u, node);
    case "string_literal":
    case "verbatim_string_literal":
    case "raw_string_literal":
      return u.value("string");
    case "interpolated_string_expression":
      return interpolated(u, node);
    case "character_literal":
      return u.value("char");
    case "integer_literal":
      return u.value(/[lL]$/.test(syntax.text(node)) ? "long" : "int");
    case "real_literal":
      return u.value(/[fF]$/.test(syntax.text(node)) ? "float" : /[mM]$/.test(syntax.text(node)) ? "decimal" : "double");
    case "boolean_literal":
      return u.value("bool");
    case "null_literal":
      return u.value("null");
    default:
      if (syntax.kind(node).endsWith("_expression")) visitAll(u, node);
      else visit(u, node);
      return 0;
  }
}

/** A type parameter of which a member is taken, `T.Parse(text)`; 0 for anything else. */
function typeParameter(u: Unit, node: number): Offset {
  const name = u.syntax.kind(node) === "identifier" ? identifier(u, node) : "";
  const type = name === "" || u.lookup(name) ? 0 : u.lookup(`type ${name}`);
  return u.code[type] === Op.Parameter ? u.emit(Op.Static, type) : 0;
}

/** A tuple, or an object of a class without a name: each part goes by the name that is given to it, or that its value has. */
function grouped(u: Unit, parts: readonly { name: number; value: number }[]): Offset {
  const { syntax } = u;
  const values = parts.map(({ value }) => expression(u, value));
  const at = u.emit(Op.Value, tuple(u, parts.map(({ name, value }, i) => {
    const said = syntax.kind(value) === "argument" ? syntax.children(value).at(-1) ?? 0 : value;
    const named = name || (syntax.kind(said) === "identifier" ? said : syntax.kind(said) === "member_access_expression" ? syntax.part(said, "name") : 0);
    return { name: named ? identifier(u, named) : "", type: values[i] ? u.emit(Op.Of, values[i]) : 0 };
  })));
  for (const value of values) u.store(at, value);
  return at;
}

/** An element by its index, or by several; of a range, what the operand is. */
function indexed(u: Unit, operand: Offset, subscript: number): Offset {
  const { syntax } = u;
  const given = subscript ? argumentsOf(u, subscript) : [];
  const only = subscript ? syntax.child(subscript, "argument") : 0;
  if (only && given.length === 1 && syntax.kind(syntax.children(only).at(-1) ?? 0) === "range_expression") return operand;
  return u.emit(Op.Index, operand, given.length, ...given);
}

/** What stands in the brackets of an array's type. */
function sizes(u: Unit, type: number): void {
  const { syntax } = u;
  for (const child of syntax.children(type)) {
    if (syntax.kind(child) === "array_type") sizes(u, child);
    else if (syntax.kind(child) === "array_rank_specifier") visitAll(u, child);
  }
}

/** The arguments of a list, with the calls inside them. */
export function argumentsOf(u: Unit, list: number): Offset[] {
  const { syntax } = u;
  return syntax.children(list).filter((child) => syntax.kind(child) === "argument").map((argument) => expression(u, argument));
}

/** `handler: Show`, `ref count` */
export function noteArguments(u: Unit, list: number, call: Offset): void {
  const { syntax } = u;
  syntax.children(list).filter((child) => syntax.kind(child) === "argument").forEach((argument, i) => {
    const name = syntax.part(argument, "name");
    if (name) u.nameArgument(call, i, identifier(u, name));
    const value = syntax.children(argument).at(-1) ?? 0;
    const from = name ? syntax.end(name) : syntax.start(argument);
    const mode = syntax.start(value) > from ? /\b(?:ref|out|in)\b/.exec(syntax.source.slice(from, syntax.start(value)))?.[0][0] : undefined;
    if (mode) u.passArgument(call, i, mode);
  });
}

function invocation(u: Unit, node: number): Offset {
  const { syntax } = u;
  const callee = syntax.part(node, "function");
  const list = syntax.part(node, "arguments");
  if (callee && syntax.kind(callee) === "identifier" && syntax.text(callee) === "nameof") {
    for (const argument of list ? syntax.children(list) : []) quoted(u, argument);
    return u.value("string");
  }
  const at = callee ? calleeOf(u, callee) : 0;
  if (callee && list) noteRoutes(u, callee, list);
  const args = list ? argumentsOf(u, list) : [];
  if (u.code[at] === Op.Select) {
    const name = u.stringAt(u.code[at + 2]!);
    const operand = u.code[at + 1]!;
    if (FILLS.test(name)) {
      for (const argument of args) {
        if (u.code[argument] === Op.New && u.code[argument + 1] === 0) u.giveToWhat(argument, u.emit(Op.Index, operand, 0));
        u.store(operand, COMPUTES.test(name) && u.code[argument] === Op.Lambda ? u.resultOf(argument) : argument);
      }
    }
    if (name.startsWith("Try")) for (const argument of args) if (u.code[argument] === Op.Variable) takenOut(u, argument, name, operand);
  }
  const call = u.call(Op.Call, at, args, nameNode(u, callee) || node);
  if (list) noteArguments(u, list, call);
  return call;
}

/** A variable gets what is in a table or a list: `TryGetValue(key, out var value)`, `TryDequeue(out var value)`. */
function takenOut(u: Unit, variable: Offset, name: string, operand: Offset): void {
  if (u.code[variable + 2] === 0 && TAKES.test(name)) u.code[variable + 2] = name === "TryGetValue" ? u.emit(Op.Index, operand, 0) : u.emit(Op.Element, operand);
  else u.store(variable, operand);
}

/** What `nameof` names: a member, which it neither runs nor hands on, or a type. */
function quoted(u: Unit, argument: number): void {
  const { syntax } = u;
  const node = syntax.children(argument).at(-1) ?? 0;
  const at = node ? record(u, node) : 0;
  const op = u.code[at];
  if (at !== 0 && (op === Op.Name || op === Op.Select)) u.use(u.emit(Op.Quoted, at), node);
  if (node && /^(?:identifier|generic_name|member_access_expression)$/.test(syntax.kind(node))) u.useType(u.named(syntax.text(node)), node);
}

function calleeOf(u: Unit, node: number): Offset {
  const { syntax } = u;
  const name = syntax.kind(node) === "conditional_access_expression"
    ? syntax.part(syntax.child(node, "member_binding_expression"), "name") : syntax.part(node, "name") || node;
  const given = name ? typeArguments(u, name) : [];
  const at = syntax.kind(node) === "generic_name" ? u.name(nameOf(u, node)) : record(u, node);
  return given.length > 0 ? u.emit(Op.Generic, at, given.length, ...given.map((argument) => u.useType(typeOf(u, argument), argument))) : at;
}

function nameNode(u: Unit, node: number): number {
  return node ? u.syntax.part(node, "name") || u.syntax.child(node, "member_binding_expression") : 0;
}

function lambda(u: Unit, node: number): Offset {
  const { syntax } = u;
  const list = syntax.part(node, "parameters");
  const body = syntax.part(node, "body") || syntax.child(node, "block");
  const given = !list ? [] : syntax.kind(list) === "parameter_list" ? parameters(u, list).names : [{ name: syntax.text(list), type: 0 }];
  return u.lambda(given, (at) => {
    if (!body) return 0;
    if (syntax.kind(body) !== "block") return expression(u, body);
    const [only, ...rest] = syntax.children(body);
    const [call] = only !== undefined && rest.length === 0 && syntax.kind(only) === "expression_statement" ? syntax.children(only) : [];
    if (call === undefined) visit(u, body);
    else u.forward(at, expression(u, call));
    if (only !== undefined && rest.length === 0 && syntax.kind(only) === "return_statement") u.forward(at, u.resultOnly());
    if (u.gives) return u.allReturned();
    // Nothing is given; but a block whose end is not reached may stand for a function that gives something, and an async one gives a task.
    const isOpen = /^async\b/.test(syntax.text(node)) || /^(?:throw|while|for|do|goto)_statement$/.test(syntax.kind(rest.at(-1) ?? only ?? 0));
    return isOpen ? 0 : u.value("void");
  });
}
