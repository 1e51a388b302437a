import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { noteRoutes } from "./entries.ts";
import { announce, localFunction, parameters } from "./extract.ts";
import { binary, compound, disposed, interpolated, isProduct, product, unary } from "./implied.ts";
import { COMPUTES, FILLS, TAKES } from "./functions.ts";
import { matching, pattern } from "./patterns.ts";
import { argumentsOf as typeArguments, identifier, nameOf, TUPLE, typeOf } from "./types.ts";


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
      const operand = of ? expression(u, of) : 0;
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
      const parts = syntax.children(node).map((part) => expression(u, part));
      const at = u.emit(Op.Value, u.named(TUPLE, parts.map((part) => (part ? u.emit(Op.Of, part) : 0))));
      for (const part of parts) u.store(at, part);
      return at;
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
      if (sign === "=") u.conversion(given, target, node);
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

/** An element by its index, or by several. */
function indexed(u: Unit, operand: Offset, subscript: number): Offset {
  const given = subscript ? argumentsOf(u, subscript) : [];
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

/** `handler: Show` */
function nameArguments(u: Unit, list: number, call: Offset): void {
  const { syntax } = u;
  syntax.children(list).filter((child) => syntax.kind(child) === "argument").forEach((argument, i) => {
    const name = syntax.part(argument, "name");
    if (name) u.nameArgument(call, i, identifier(u, name));
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
  if (list) nameArguments(u, list, call);
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

/** `new T(...)`; `declared` is the type of what `new()` is given to. */
function creation(u: Unit, node: number, declared: Offset): Offset {
  const { syntax } = u;
  const type = syntax.part(node, "type");
  const list = syntax.part(node, "arguments") || syntax.child(node, "argument_list");
  const at = u.call(Op.New, type ? typeOf(u, type) : declared, list ? argumentsOf(u, list) : [], type || node);
  if (list) nameArguments(u, list, at);
  const initializer = syntax.part(node, "initializer") || syntax.child(node, "initializer_expression");
  if (initializer) objectInitializer(u, initializer, at);
  return at;
}

/** `{ A = x, B = { C = y } }`: what is assigned are members of the new object. */
function objectInitializer(u: Unit, node: number, of: Offset): void {
  const { syntax } = u;
  // The numbers of arguments for which `Add` is led to: a table of thousands calls it in one way.
  const added = new Set<number>();
  for (const child of syntax.children(node)) {
    const left = syntax.kind(child) === "assignment_expression" ? syntax.part(child, "left") : 0;
    const right = left ? syntax.part(child, "right") : 0;
    if (!left || syntax.kind(left) !== "identifier") {
      // `{ ["key"] = value }`
      if (left) expression(u, left);
      const element = elementOf(u, of);
      // `{ { "key", value } }`
      const parts = !left && syntax.kind(child) === "initializer_expression" ? syntax.children(child).map((part) => givenTo(u, part, element)) : undefined;
      const value = parts ? u.listed(parts) : givenTo(u, right || child, element);
      const given = parts ?? [value];
      if (!left && !added.has(given.length)) {
        added.add(given.length);
        u.call(Op.Call, u.select(of, "Add"), given, child);
      }
      if (u.code[value] === Op.Several) for (const one of u.code.slice(value + 2, value + 2 + u.code[value + 1]!)) u.giveTo(one, element);
      u.giveTo(value, element);
      u.store(of, value);
      continue;
    }
    const member = u.select(of, identifier(u, left));
    mention(u, member, left);
    if (right && syntax.kind(right) === "initializer_expression") objectInitializer(u, right, member);
    else if (right) {
      const value = expression(u, right);
      u.giveToWhat(value, member);
      u.store(member, value);
      u.conversion(value, member, child);
    }
  }
}

/** The type of the values in a new list or table, as it is written: the last of its type's arguments. */
function elementOf(u: Unit, made: Offset): Offset {
  return u.code[made] === Op.New ? u.lastOf(u.code[made + 1]!) : 0;
}

/** The value of a declarator, if it has one. */
export function valueFor(u: Unit, declarator: number, declared: Offset): Offset {
  const { syntax } = u;
  const value = syntax.children(declarator).filter((child) => syntax.field(child) !== "name" && !/^(?:=|tuple_pattern|bracketed_argument_list)$/.test(syntax.kind(child))).at(-1);
  if (value === undefined) return 0;
  const at = givenTo(u, value, declared);
  u.giveTo(at, declared);
  return at;
}

/** A value where one of a type is expected, which `new()` makes one of. */
export function givenTo(u: Unit, value: number, declared: Offset): Offset {
  return u.syntax.kind(value) === "implicit_object_creation_expression" ? creation(u, value, declared) : expression(u, value);
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
    const [call] = only !== undefined && rest.length === 0 && /^(?:expression|return)_statement$/.test(syntax.kind(only)) ? syntax.children(only) : [];
    if (call === undefined) visit(u, body);
    else u.forward(at, expression(u, call));
    return 0;
  });
}

/** `from x in xs where … select y` */
function query(u: Unit, node: number): Offset {
  const { syntax } = u;
  u.scoped(() => {
    for (const clause of syntax.children(node)) {
      const name = syntax.part(clause, "name");
      const parts = syntax.children(clause).filter((child) => child !== name && syntax.field(child) !== "type");
      if (/^(?:from|join|let)_clause$/.test(syntax.kind(clause)) && name) {
        const [first, ...rest] = parts;
        const over = first === undefined ? 0 : expression(u, first);
        u.variable(identifier(u, name), typeOf(u, syntax.part(clause, "type")), syntax.kind(clause) === "let_clause" ? over : u.emit(Op.Element, over));
        for (const part of rest) expression(u, part);
      } else {
        for (const part of parts) expression(u, part);
      }
    }
  });
  return 0;
}

/** Statements, and whatever else may hold declarations and expressions. */
export function visit(u: Unit, node: number): void {
  const { syntax } = u;
  const kind = syntax.kind(node);
  switch (kind) {
    case "attribute_list":
    case "global_attribute":
      attributes(u, node);
      return;
    case "type_argument_list":
    case "type_parameter_list":
    case "goto_statement":
    case "modifier":
      return;
    case "block":
    case "switch_body":
    case "switch_section":
    case "for_statement":
    case "try_statement":
    case "using_statement":
    case "fixed_statement":
      u.scoped(() => {
        for (const child of syntax.children(node)) if (syntax.kind(child) === "local_function_statement") announce(u, child);
        for (const child of syntax.children(node)) {
          if (kind === "using_statement" && syntax.kind(child) !== "block") disposed(u, node, child);
          else visit(u, child);
        }
      });
      return;
    case "local_declaration_statement":
      if (/^(?:await\s+)?using\b/.test(syntax.source.slice(syntax.start(node), syntax.start(node) + 20))) for (const child of syntax.children(node)) disposed(u, node, child);
      else visitAll(u, node);
      return;
    case "arrow_expression_clause":
      u.scoped(() => {
        for (const child of syntax.children(node)) returned(u, child);
      });
      return;
    case "local_function_statement": {
      const name = syntax.part(node, "name");
      const known = name ? u.lookup(identifier(u, name)) : 0;
      if (name) localFunction(u, node, u.code[known] === Op.Function ? known : announce(u, node));
      return;
    }
    case "variable_declaration":
      variables(u, node);
      return;
    case "foreach_statement":
      u.scoped(() => {
        const right = syntax.part(node, "right");
        const left = syntax.part(node, "left");
        const body = syntax.part(node, "body");
        const over = right ? expression(u, right) : 0;
        u.runs(over, syntax.child(node, "await") ? "GetAsyncEnumerator MoveNextAsync .Current" : "GetEnumerator MoveNext .Current", right || node);
        const type = typeOf(u, syntax.part(node, "type"));
        const each = u.emit(Op.Element, over);
        if (left && /^tuple/.test(syntax.kind(left))) takenApart(u, left, each);
        if (left && syntax.kind(left) === "identifier") u.store(u.variable(identifier(u, left), type, type ? 0 : each), type ? each : 0);
        if (body) visit(u, body);
      });
      return;
    case "catch_clause":
      u.scoped(() => visitAll(u, node));
      return;
    case "return_statement":
      for (const child of syntax.children(node)) returned(u, child);
      return;
    case "switch_statement": {
      const value = syntax.part(node, "value");
      const body = syntax.part(node, "body");
      const given = value ? expression(u, value) : 0;
      if (body) matching(u, given, () => visit(u, body));
      return;
    }
    case "catch_declaration":
    case "declaration_pattern":
    case "recursive_pattern":
    case "subpattern":
    case "constant_pattern":
    case "type_pattern":
      pattern(u, node);
      return;
    case "labeled_statement":
      for (const child of syntax.children(node).slice(1)) visit(u, child);
      return;
    case "identifier":
      expression(u, node);
      return;
    default:
      if (kind.endsWith("_expression") || kind === "argument") expression(u, node);
      else visitAll(u, node);
  }
}

/** The function around gives a value. */
function returned(u: Unit, node: number): void {
  const value = givenTo(u, node, u.result);
  u.returned(value);
  if (u.result) u.conversion(value, u.emit(Op.Value, u.result), node);
}

/** The attributes of a declaration: their classes are named, and their arguments are code. */
export function attributesOf(u: Unit, node: number): void {
  for (const child of u.syntax.children(node)) if (u.syntax.kind(child) === "attribute_list") attributes(u, child);
}

/** Attributes whose text is the name of a member that gives a test its arguments. */
const MEMBERS = /(?:^|\.)(?:MemberData|TestCaseSource|ValueSource|DynamicData)$/;

function attributes(u: Unit, list: number): void {
  const { syntax } = u;
  for (const attribute of syntax.children(list)) {
    const name = syntax.part(attribute, "name");
    const written = name ? nameOf(u, name) : "";
    if (written === "") continue;
    const given = typeArguments(u, name).map((argument) => typeOf(u, argument));
    // `[Cached]` is the class Cached, where that is an attribute, or CachedAttribute.
    if (written.endsWith("Attribute")) u.useType(u.named(written, given), name);
    else {
      u.use(u.emit(Op.Quoted, u.named(written, given)), name);
      u.useType(u.named(`${written}Attribute`, given), name);
    }
    const list = syntax.child(attribute, "attribute_argument_list");
    for (const argument of list ? syntax.children(list) : []) {
      const value = syntax.children(argument).at(-1);
      if (value === undefined) continue;
      const member = MEMBERS.test(written) ? /^"(\w+)"$/.exec(syntax.text(value))?.[1] : undefined;
      if (member !== undefined) u.use(u.emit(Op.Quoted, u.emit(Op.Name, u.str(member), u.within)), value);
      expression(u, value);
    }
  }
}

export function visitAll(u: Unit, node: number): void {
  for (const child of u.syntax.children(node)) visit(u, child);
}

function variables(u: Unit, node: number): void {
  const { syntax } = u;
  const declared = typeOf(u, syntax.part(node, "type"));
  for (const declarator of syntax.children(node)) {
    if (syntax.kind(declarator) !== "variable_declarator") continue;
    const name = syntax.part(declarator, "name");
    const given = valueFor(u, declarator, declared);
    if (name) {
      const at = u.variable(identifier(u, name), declared, declared ? 0 : given);
      u.store(at, declared ? given : 0);
      if (declared) u.conversion(given, at, declarator);
    }
    const tuple = syntax.child(declarator, "tuple_pattern");
    if (tuple) takenApart(u, tuple, given);
  }
}

/** The variables that a tuple is taken apart into, `var (name, run)` or `(string name, var run)`: they hide what had the names before. */
function takenApart(u: Unit, pattern: number, of: Offset): void {
  const { syntax } = u;
  u.runs(of, `Deconstruct:${syntax.children(pattern).length}`, pattern);
  for (const [i, part] of syntax.children(pattern).entries()) {
    const declared = syntax.kind(part) === "argument" ? syntax.child(part, "declaration_expression") : 0;
    const name = declared ? syntax.part(declared, "name") : syntax.field(part) === "name" ? part : 0;
    const type = declared ? typeOf(u, syntax.part(declared, "type")) : 0;
    if (name) u.store(u.variable(identifier(u, name), type, type || !of ? 0 : u.select(of, `Item${i + 1}`)), type && of ? u.select(of, `Item${i + 1}`) : 0);
  }
}
