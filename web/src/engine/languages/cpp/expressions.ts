import { declared, isConstant, qualified, signatureOf, templateArguments, typeOf } from "./declarators.ts";
import { Flag, type Offset, Op } from "./facts.ts";
import { localDeclaration } from "./extract.ts";
import { isObjectType, mayConvert, mayGive, mayName, uncast } from "./functions.ts";
import { mayBeObject } from "./operators.ts";
import { macroBefore } from "./macros.ts";
import type { Unit } from "./unit.ts";

const CASTS = /^(?:static_cast|dynamic_cast|const_cast|reinterpret_cast)$/;
const INVOKES = /\binvokeMethod$/;
const NUMBER = /^(?:number_literal|sizeof_expression|char_literal|alignof_expression|offsetof_expression)$/;

/** What a character is by what stands before it. */
const CHARACTERS: Readonly<Record<string, string>> = { L: "wchar_t", u: "char16_t", U: "char32_t" };

/** Goes through statements, and expressions of which nobody asks what they are. */
export function visit(u: Unit, node: number): void {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "compound_statement":
    case "if_statement":
    case "while_statement":
    case "for_statement":
    case "switch_statement":
    case "do_statement":
    case "try_statement":
      u.scoped(() => each(u, node));
      return;
    case "for_range_loop":
      u.scoped(() => rangeLoop(u, node));
      return;
    case "catch_clause":
      u.scoped(() => {
        const list = syntax.part(node, "parameters");
        for (const parameter of list ? syntax.children(list) : []) {
          const declarator = syntax.part(parameter, "declarator");
          const what = declarator ? declared(u, declarator) : undefined;
          if (what) u.local(what.name, typeOf(u, syntax.part(parameter, "type"), what.flags), 0);
        }
        each(u, node);
      });
      return;
    case "declaration":
    case "type_definition":
    case "alias_declaration":
    case "using_declaration":
    case "namespace_alias_definition":
    case "struct_specifier":
    case "class_specifier":
    case "union_specifier":
    case "enum_specifier":
    case "function_definition":
    case "preproc_def":
    case "preproc_function_def":
      localDeclaration(u, node);
      return;
    case "call_expression":
    case "field_expression":
    case "assignment_expression":
    case "new_expression":
    case "delete_expression":
    case "lambda_expression":
    case "compound_literal_expression":
    case "cast_expression":
    case "conditional_expression":
    case "subscript_expression":
    case "pointer_expression":
    case "binary_expression":
    case "unary_expression":
    case "update_expression":
    case "identifier":
    case "qualified_identifier":
      expression(u, node);
      return;
    case "return_statement":
      for (const child of syntax.children(node)) returned(u, child, node);
      return;
    case "macro_type_specifier":
      macroBefore(u, node);
      return;
    case "expression_statement":
      if (!typedByMacro(u, node)) each(u, node);
      return;
    case "parameter_list":
    case "type_descriptor":
    case "preproc_include":
      return;
    case "sizeof_expression":
      each(u, node);
      return;
    case "preproc_if":
    case "preproc_elif":
      if (isNever(u, node)) {
        const alternative = syntax.part(node, "alternative");
        if (alternative) visit(u, alternative);
      } else {
        condition(u, node);
        for (const child of syntax.children(node)) if (syntax.field(child) !== "condition") visit(u, child);
      }
      return;
    case "preproc_ifdef":
    case "preproc_elifdef":
      condition(u, node);
      for (const child of syntax.children(node)) if (syntax.field(child) !== "name") visit(u, child);
      return;
    case "field_initializer_list":
      return;
    default:
      each(u, node);
  }
}

/** `#if 0` */
export function isNever(u: Unit, node: number): boolean {
  const condition = u.syntax.part(node, "condition");
  return condition > 0 && u.syntax.text(condition) === "0";
}

/** Reads the macros that decide whether code is there; what `#ifndef` asks for to define it is none. */
export function condition(u: Unit, node: number): void {
  const { syntax } = u;
  const ask = (at: number): void => u.use(u.emit(Op.Asked, u.emit(Op.Name, u.str(syntax.text(at)), u.scope, 0)), at);
  const asked = syntax.part(node, "condition");
  for (let at = asked; asked > 0 && at < syntax.next(asked); at++) if (syntax.kind(at) === "identifier") ask(at);
  const name = syntax.part(node, "name");
  if (!name) return;
  const text = syntax.text(name);
  const defined = syntax.children(node).some((child) => /^preproc_(?:def|function_def)$/.test(syntax.kind(child)) && syntax.text(syntax.part(child, "name")) === text);
  if (!defined) ask(name);
}

/** Reads the body of a function that gives values of a type. */
export function returning(u: Unit, type: Offset, inside: () => void): void {
  const { returns, returned: before } = u;
  u.returns = mayName(u, type);
  u.returned = u.cpp && isObjectType(u, type) ? type : 0;
  inside();
  u.returns = returns;
  u.returned = before;
}

/** Reads what a `return` gives. */
function returned(u: Unit, child: number, node: number): void {
  const type = u.returned;
  if (!u.returns || u.syntax.kind(child) === "initializer_list") {
    if (u.returns && type) u.make(type, braceValues(u, child), node);
    else visit(u, child);
    return;
  }
  const at = handed(u, child);
  if (mayGive(u, at)) u.use(u.emit(Op.Return, at), node);
  if (type && mayConvert(u, type, at)) u.use(u.emit(Op.Converted, type, at, u.code[at] === Op.Variable ? 1 : 0), node);
}

/** `TABLE(item) *all = make();` declares a variable: nothing is assigned to a product, and nobody multiplies for nothing. */
function typedByMacro(u: Unit, node: number): boolean {
  const { syntax } = u;
  const [whole = 0] = syntax.children(node);
  const isAssigned = whole > 0 && syntax.kind(whole) === "assignment_expression";
  const product = isAssigned ? syntax.part(whole, "left") : whole;
  if (!product || syntax.kind(product) !== "binary_expression") return false;
  const [left, right] = [syntax.part(product, "left"), syntax.part(product, "right")];
  if (syntax.kind(left) !== "call_expression" || between(u, left, right) !== "*") return false;
  // To the grammar the assignment may also stand within the product.
  const assigned = isAssigned ? whole : syntax.kind(right) === "assignment_expression" ? right : 0;
  const name = assigned === right ? syntax.part(right, "left") : right;
  if (syntax.kind(name) !== "identifier") return false;
  expression(u, left);
  u.local(syntax.text(name), 0, assigned ? expression(u, syntax.part(assigned, "right")) : 0);
  return true;
}

function each(u: Unit, node: number): void {
  for (const child of u.syntax.children(node)) visit(u, child);
}

/** Records an expression, and all calls in it; 0 for what says nothing about its type. */
export function expression(u: Unit, node: number): Offset {
  const { syntax } = u;
  if (!node) return 0;
  const kind = syntax.kind(node);
  switch (kind) {
    case "identifier":
    case "type_identifier":
      return read(u, u.name(syntax.text(node)), node);
    case "qualified_identifier":
    case "template_function": {
      const { name, args } = qualified(u, node);
      return read(u, u.name(name, templateArguments(u, args)), node);
    }
    case "this":
      return u.emit(Op.This, u.scope);
    case "parenthesized_expression":
    case "init_declarator": {
      const inner = syntax.children(node).at(-1);
      return inner === undefined ? 0 : expression(u, inner);
    }
    case "call_expression":
      return call(u, node);
    case "field_expression": {
      const operand = expression(u, syntax.part(node, "argument"));
      const field = syntax.part(node, "field");
      const arrow = syntax.child(node, "->") ? 1 : 0;
      if (!field) return 0;
      if (arrow) operator(u, node, "->", [operand]);
      const { name } = qualified(u, field);
      return u.emit(Op.Select, operand, u.str(name), arrow);
    }
    case "subscript_expression": {
      const operand = expression(u, syntax.part(node, "argument"));
      const indices = syntax.part(node, "indices");
      const index = syntax.children(indices || node).filter((child) => syntax.field(child) !== "argument").map((child) => expression(u, child));
      operator(u, node, "[]", [operand, ...index]);
      return u.emit(Op.Index, operand);
    }
    case "pointer_expression": {
      const operand = expression(u, syntax.part(node, "argument"));
      if (!operand) return 0;
      if (!syntax.child(node, "*")) return u.cpp ? u.emit(Op.Address, operand) : operand;
      operator(u, node, "*", [operand]);
      return u.emit(Op.Deref, operand);
    }
    case "cast_expression": {
      const value = syntax.part(node, "value");
      const inner = expression(u, value);
      const type = typeOf(u, syntax.part(node, "type"));
      return type ? cast(u, type, inner) : inner;
    }
    case "compound_literal_expression": {
      const type = typeOf(u, syntax.part(node, "type"));
      const value = syntax.part(node, "value");
      if (value && u.cpp && type) return u.make(type, inBraces(u, braces(u, type, value, true)), node);
      if (value) braces(u, type, value, true);
      return type ? u.emit(Op.Value, type) : 0;
    }
    case "assignment_expression": {
      const left = expression(u, syntax.part(node, "left"));
      const value = syntax.part(node, "right");
      const right = expression(u, value);
      if (left && (u.code[uncast(u.code, right)] === Op.Name || (mayGive(u, left) && mayGive(u, right)))) u.use(u.emit(Op.Assign, left, right), node);
      const sign = between(u, syntax.part(node, "left"), value);
      operator(u, node, sign, [left, right]);
      return left;
    }
    case "conditional_expression": {
      visitPart(u, node, "condition");
      const first = expression(u, syntax.part(node, "consequence"));
      const second = expression(u, syntax.part(node, "alternative"));
      return first && second ? u.emit(Op.Either, first, second) : first || second;
    }
    case "comma_expression": {
      visitPart(u, node, "left");
      return expression(u, syntax.part(node, "right"));
    }
    case "new_expression": {
      const list = syntax.part(node, "arguments");
      const args = list ? values(u, list) : [];
      const type = typeOf(u, syntax.part(node, "type"), Flag.Pointer);
      visitPart(u, node, "declarator");
      return type ? u.make(type, args, node) : 0;
    }
    case "delete_expression": {
      const operand = syntax.children(node).at(-1);
      const at = operand === undefined ? 0 : expression(u, operand);
      if (at) u.use(u.emit(Op.Delete, at), node);
      return 0;
    }
    case "lambda_expression": {
      const only = lambda(u, node);
      return u.owner >= 0 ? u.emit(Op.Code, u.owner, only) : 0;
    }
    case "parameter_pack_expansion":
      each(u, node);
      return u.emit(Op.Pack);
    case "concatenated_string":
      each(u, node);
      return u.emit(Op.Value, u.named("char", Flag.Pointer));
    case "string_literal":
    case "raw_string_literal":
      return u.emit(Op.Value, u.named(characterOf(u, node, "\""), Flag.Pointer));
    case "true":
    case "false":
      return u.value("bool");
    case "unary_expression":
    case "update_expression": {
      const argument = syntax.part(node, "argument");
      const operand = expression(u, argument);
      const before = syntax.source.slice(syntax.start(node), syntax.start(argument)).trim();
      return (before !== "" ? operator(u, node, before, [operand]) : operator(u, node, syntax.source.slice(syntax.end(argument), syntax.end(node)).trim(), [operand, 0])) || operand;
    }
    case "binary_expression": {
      const left = expression(u, syntax.part(node, "left"));
      const right = expression(u, syntax.part(node, "right"));
      const sign = between(u, syntax.part(node, "left"), syntax.part(node, "right"));
      // Arithmetic is of the type of its left side; a comparison is not asked for its type.
      return operator(u, node, sign, [left, right]) || (/[<>=!&|]/.test(sign) ? u.value("bool") : left || right);
    }
    case "initializer_list":
      return braces(u, 0, node, true);
    default:
      if (NUMBER.test(kind)) {
        each(u, node);
        return u.value(kind === "char_literal" && u.cpp ? characterOf(u, node, "'") : "int");
      }
      visit(u, node);
      return 0;
  }
}

/** Records an operator that a class of its operands may declare; 0 for any other. */
function operator(u: Unit, node: number, sign: string, operands: readonly Offset[]): Offset {
  if (!u.cpp || !/^(?!&&|\|\|)[^\w\s]{1,3}$/.test(sign) || !operands.some((at) => mayBeObject(u, at))) return 0;
  const at = u.emit(Op.Operator, u.str(`operator${sign}`), operands.length, ...operands);
  u.use(at, node);
  return at;
}

/** The sign between two operands. */
function between({ syntax }: Unit, left: number, right: number): string {
  return syntax.source.slice(syntax.end(left), syntax.start(right)).trim();
}

/** What the characters of a literal are. */
function characterOf({ syntax }: Unit, node: number, quote: string): string {
  return CHARACTERS[syntax.text(node).slice(0, 3).split(quote, 1)[0]!.replace("R", "")] ?? "char";
}

/** A name that is not local may be a variable's. */
function read(u: Unit, at: Offset, node: number): Offset {
  if (u.code[at] === Op.Name) u.use(at, node);
  return at;
}

function visitPart(u: Unit, node: number, field: string): void {
  const part = u.syntax.part(node, field);
  if (part) visit(u, part);
}

/** The arguments of a call; a name among them is handed on. */
export function values(u: Unit, list: number): Offset[] {
  const { syntax } = u;
  const args: Offset[] = [];
  const isInvoked = u.cpp && INVOKES.test(syntax.source.slice(syntax.start(list) - 12, syntax.start(list)));
  for (const child of syntax.children(list)) {
    if (/^preproc|^ERROR$/.test(syntax.kind(child))) {
      visit(u, child);
      continue;
    }
    const name = u.cpp ? memberNamed(u, child, isInvoked) : undefined;
    const at = name === undefined ? expression(u, child) : member(u, name, args.at(-1) ?? 0, child);
    pass(u, at, child);
    args.push(at);
  }
  return args;
}

/** Qt: the name that `SIGNAL(changed(int))`, `SLOT(show())` or a text in `invokeMethod(object, "show")` says of the object before it. */
function memberNamed({ syntax }: Unit, node: number, isInvoked: boolean): string | undefined {
  const kind = syntax.kind(node);
  if (isInvoked && kind === "string_literal") return /^"(\w+)"$/.exec(syntax.text(node))?.[1];
  return kind === "call_expression" && /^(?:SIGNAL|SLOT)$/.test(syntax.text(syntax.part(node, "function"))) ? /\(\s*(\w+)/.exec(syntax.text(node))?.[1] : undefined;
}

/** A member of the object that stands before its name, of `this` where another name does: `connect(model, SIGNAL(changed()), SLOT(show()))`. */
function member(u: Unit, name: string, before: Offset, node: number): Offset {
  const object = u.members.has(before) ? u.emit(Op.This, u.scope) : before;
  if (!object) return 0;
  const at = u.emit(Op.Select, object, u.str(name), 1);
  u.members.add(at);
  u.use(u.emit(Op.Passed, at), node);
  return at;
}

function call(u: Unit, node: number): Offset {
  const { syntax } = u;
  const callee = syntax.part(node, "function");
  const list = syntax.part(node, "arguments");
  if (callee && syntax.kind(callee) === "template_function") {
    const { name, args } = qualified(u, callee);
    if (CASTS.test(name)) {
      const [inner = 0] = list ? values(u, list) : [];
      const [type = 0] = templateArguments(u, args);
      return type ? cast(u, type, inner) : 0;
    }
  }
  if (callee && syntax.kind(callee) === "primitive_type") {
    if (list) values(u, list);
    return u.value(syntax.text(callee));
  }
  const at = expression(u, callee);
  const args = list ? (syntax.kind(list) === "initializer_list" ? braceValues(u, list) : values(u, list)) : [];
  return at ? u.call(at, args, callee && syntax.kind(callee) === "field_expression" ? syntax.part(callee, "field") || node : callee) : 0;
}

/** Reads a lambda; gives the call that is all it does, or 0. */
function lambda(u: Unit, node: number): Offset {
  const { syntax } = u;
  let only = 0;
  u.scoped(() => {
    const captures = syntax.part(node, "captures");
    if (captures) for (const child of syntax.children(captures)) if (/initializer$/.test(syntax.kind(child))) visit(u, child);
    const declarator = syntax.part(node, "declarator");
    if (declarator) for (const { name, type } of signatureOf(u, declarator).names) u.local(name, type, 0);
    const body = syntax.part(node, "body");
    // What a lambda returns is not what the function around it does.
    const { returns, returned: before } = u;
    u.returns = false;
    u.returned = 0;
    const call = body ? onlyCall(u, body) : 0;
    if (call) only = expression(u, call);
    else if (body) visit(u, body);
    u.returns = returns;
    u.returned = before;
  });
  return u.code[only] === Op.Call ? only : 0;
}

/** The call that is all that a body does, `{ f(x); }` or `{ return f(x); }`, or 0. */
function onlyCall(u: Unit, body: number): number {
  const { syntax } = u;
  const [statement, ...others] = syntax.children(body).filter((child) => syntax.kind(child) !== "comment");
  if (statement === undefined || others.length > 0 || !/^(?:expression|return)_statement$/.test(syntax.kind(statement))) return 0;
  const [inner] = syntax.children(statement);
  return inner !== undefined && syntax.kind(inner) === "call_expression" ? inner : 0;
}

/** A value of a type, made of what may be a function. */
function cast(u: Unit, type: Offset, inner: Offset): Offset {
  return mayGive(u, inner) && mayName(u, type) ? u.emit(Op.Cast, type, inner) : u.emit(Op.Value, type);
}

function rangeLoop(u: Unit, node: number): void {
  const { syntax } = u;
  const right = expression(u, syntax.part(node, "right"));
  const declarator = syntax.part(node, "declarator");
  const what = declarator ? declared(u, declarator) : undefined;
  if (what) {
    const type = typeOf(u, syntax.part(node, "type"), what.flags, isConstant(u, node));
    const loops = u.cpp && mayBeObject(u, right) ? u.emit(Op.Element, right) : 0;
    if (loops) u.use(loops, node);
    const element = type ? 0 : loops || (right && u.emit(Op.Element, right));
    if (what.names) for (const [i, name] of what.names.entries()) u.local(name, 0, element ? u.emit(Op.Select, element, u.str(i === 0 ? "first" : "second"), 0) : 0);
    else u.local(what.name, type, element);
    if (u.cpp && right && isObjectType(u, type)) u.use(u.emit(Op.Converted, type, loops || u.emit(Op.Element, right), 0), node);
  }
  const body = syntax.part(node, "body");
  if (body) visit(u, body);
}

function braceValues(u: Unit, list: number): Offset[] {
  return u.syntax.children(list).map((child) => expression(u, child));
}

/** The values that a Braces has. */
export function inBraces({ code }: Unit, at: Offset): Offset[] {
  return Array.from({ length: code[at + 1]! }, (_, i) => code[at + 3 + 2 * i]!);
}

/** Records `{ .a = f, g }`, with what type it makes when that is known; returns the Braces. */
export function braces(u: Unit, type: Offset, node: number, whole: boolean): Offset {
  const { syntax } = u;
  const entries: number[] = [];
  for (const child of syntax.children(node)) {
    const kind = syntax.kind(child);
    if (kind === "initializer_pair") {
      const value = syntax.part(child, "value");
      const designators = syntax.children(child).filter((part) => syntax.field(part) === "designator");
      for (const part of designators) if (syntax.kind(part) === "subscript_designator") each(u, part);
      const fields = designators.filter((part) => syntax.kind(part) === "field_designator");
      const [first = -1, ...inner] = fields.map((field) => u.str(syntax.text(syntax.children(field)[0] ?? field)));
      // `[3] = f` is one of a list; `.a.b = f` is `.a = { .b = f }`.
      entries.push(first, inner.reduceRight((at, name) => u.emit(Op.Braces, 1, name, at), entry(u, value)));
    } else if (kind !== "ERROR" && !kind.startsWith("preproc")) {
      entries.push(-1, entry(u, child));
    } else {
      visit(u, child);
    }
  }
  const at = u.emit(Op.Braces, entries.length / 2, ...entries);
  if (whole && type && entries.some((operand, i) => i % 2 === 1 && mayGive(u, operand))) u.use(u.emit(Op.Init, type, at), node);
  return at;
}

function entry(u: Unit, node: number): Offset {
  if (!node) return 0;
  if (u.syntax.kind(node) === "initializer_list") return braces(u, 0, node, false);
  return handed(u, node);
}

/** Records an expression that is handed to something. */
export function handed(u: Unit, node: number): Offset {
  const at = expression(u, node);
  pass(u, at, node);
  return at;
}

/** Records the names that a value may be as handed on. */
function pass(u: Unit, at: Offset, node: number): void {
  const value = uncast(u.code, at);
  if (u.code[value] === Op.Name) {
    u.use(u.emit(Op.Passed, value), node);
  } else if (u.code[value] === Op.Either) {
    pass(u, u.code[value + 1]!, node);
    pass(u, u.code[value + 2]!, node);
  }
}
