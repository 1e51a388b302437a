import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { anonymous, parameters, typeDeclaration } from "./extract.ts";
import { COMPUTES, FILLS } from "./functions.ts";
import { arrayOf, partName, typeOf } from "./types.ts";

/** What a `switch` of more cases gives is not looked at. */
const MAX_RESULTS = 1000;
const COMPARISONS = /^(?:==|!=|<=?|>=?|&&|\|\|)$/;

/** Notes what may name a constant of a type. */
function mention(u: Unit, at: Offset, node: number): Offset {
  const op = u.code[at];
  if (op === Op.Name || op === Op.Select) u.use(at, node);
  return at;
}

/** Records an expression, and the calls inside it; 0 for what has no type of its own. */
export function expression(u: Unit, node: number): Offset {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "identifier":
      return mention(u, u.name(syntax.text(node)), node);
    case "this":
      return u.emit(Op.Self, u.within);
    case "super":
      return u.emit(Op.Super, u.within);
    case "method_invocation":
      return invocation(u, node);
    case "explicit_constructor_invocation": {
      const which = syntax.part(node, "constructor");
      const callee = u.emit(which && syntax.kind(which) === "super" ? Op.Super : Op.Self, u.within);
      return u.call(Op.Call, callee, argumentsOf(u, node), node);
    }
    case "object_creation_expression":
      return creation(u, node);
    case "field_access": {
      const object = syntax.part(node, "object");
      const field = syntax.part(node, "field");
      // `Outer.this`
      if (field && syntax.kind(field) === "this") return u.emit(Op.Value, typeOf(u, object));
      const operand = object ? expression(u, object) : 0;
      return field ? mention(u, u.select(operand, syntax.text(field)), field) : 0;
    }
    case "array_access": {
      const array = syntax.part(node, "array");
      const index = syntax.part(node, "index");
      if (index) expression(u, index);
      return u.emit(Op.Index, array ? expression(u, array) : 0, 0);
    }
    case "parenthesized_expression": {
      const [inner] = syntax.children(node);
      return inner === undefined ? 0 : expression(u, inner);
    }
    case "cast_expression": {
      const value = syntax.part(node, "value");
      const record = u.emit(Op.Value, typeOf(u, syntax.part(node, "type")));
      if (value) u.store(record, expression(u, value));
      return record;
    }
    case "assignment_expression": {
      const left = syntax.part(node, "left");
      const right = syntax.part(node, "right");
      const record = left ? expression(u, left) : 0;
      const given = right ? expression(u, right) : 0;
      u.giveToWhat(given, record);
      u.store(record, given);
      return record;
    }
    case "ternary_expression": {
      const condition = syntax.part(node, "condition");
      if (condition) expression(u, condition);
      const sides = [syntax.part(node, "consequence"), syntax.part(node, "alternative")].map((side) => (side ? expression(u, side) : 0));
      return u.emit(Op.Either, 2, ...sides);
    }
    case "switch_expression":
      return switched(u, node);
    case "instanceof_expression": {
      const left = syntax.part(node, "left");
      if (left) expression(u, left);
      const name = syntax.part(node, "name");
      const pattern = syntax.part(node, "pattern");
      const type = tested(u, syntax.part(node, "right"));
      if (name) u.variable(syntax.text(name), type, 0);
      if (pattern) visit(u, pattern);
      return u.value("boolean");
    }
    case "binary_expression": {
      const operands = syntax.children(node).map((child) => expression(u, child));
      const sign = operatorOf(u, node);
      if (COMPARISONS.test(sign)) return u.value("boolean");
      const at = arithmetic(u, sign, operands);
      if (isText(u, at)) for (const operand of operands) if (operand !== at) u.runs(operand, "toString", node);
      return at;
    }
    case "unary_expression":
    case "update_expression": {
      const records = syntax.children(node).map((child) => expression(u, child));
      return records[0] ?? 0;
    }
    case "lambda_expression":
      return lambda(u, node);
    case "method_reference":
      return reference(u, node);
    case "class_literal": {
      const [type] = syntax.children(node);
      const named = type === undefined ? 0 : typeOf(u, type);
      return u.emit(Op.Value, u.named("Class", [u.useType(named, node)]));
    }
    case "array_creation_expression": {
      const sizes = syntax.children(node).filter((child) => syntax.kind(child) === "dimensions_expr");
      const initializer = syntax.child(node, "array_initializer");
      for (const size of sizes.flatMap((one) => syntax.children(one))) expression(u, size);
      const elements = initializer ? expression(u, initializer) : 0;
      let type = typeOf(u, syntax.part(node, "type"));
      const text = syntax.text(node);
      const dimensions = (text.slice(0, text.indexOf("{") < 0 ? text.length : text.indexOf("{")).match(/\[/g) ?? []).length;
      for (let i = 0; i < dimensions; i++) type = u.emit(Op.Array, type);
      const made = u.emit(Op.Value, type);
      u.store(made, elements);
      return made;
    }
    case "array_initializer":
      return u.listed(syntax.children(node).map((child) => expression(u, child)));
    case "string_literal":
      return u.value("String");
    case "character_literal":
      return u.value("char");
    case "decimal_integer_literal":
    case "hex_integer_literal":
    case "octal_integer_literal":
    case "binary_integer_literal":
      return u.value(/[lL]$/.test(syntax.text(node)) ? "long" : "int");
    case "decimal_floating_point_literal":
    case "hex_floating_point_literal":
      return u.value(/[fF]$/.test(syntax.text(node)) ? "float" : "double");
    case "true":
    case "false":
      return u.value("boolean");
    case "null_literal":
      return u.value("null");
    default:
      if (isExpression(syntax.kind(node))) visitAll(u, node);
      else visit(u, node);
      return 0;
  }
}

/** A type that values are asked for when the code runs: `instanceof`, patterns, `catch`. */
function tested(u: Unit, node: number): Offset {
  const type = typeOf(u, node);
  if (type) u.useType(type, node);
  return type;
}

/** `Line(var name, Money(long cents))`: gets the parts of a record by its accessors, and gives them names. */
function recordPattern(u: Unit, node: number): void {
  const { syntax } = u;
  const [named = 0, body = 0] = syntax.children(node);
  const type = tested(u, named);
  const record = type ? u.emit(Op.Value, type) : 0;
  syntax.children(body).forEach((part, i) => {
    // Nothing is got for a part that is left out.
    if (syntax.kind(part) === "underscore_pattern" || syntax.child(part, "underscore_pattern")) return;
    u.runs(record, partName(i), part);
    if (syntax.kind(part) !== "record_pattern_component") {
      visit(u, part);
      return;
    }
    const [declared, name] = syntax.children(part).filter((child) => !/modifiers|annotation/.test(syntax.kind(child)));
    const known = declared === undefined ? 0 : typeOf(u, declared);
    const value = record ? u.emit(Op.Call, u.select(record, partName(i)), 0) : 0;
    if (name !== undefined && syntax.kind(name) === "identifier") u.store(u.variable(syntax.text(name), known, known ? 0 : value), known ? value : 0);
  });
}

/** `switch`: a bare name after `case` is a constant of what is switched on, if that is an enum, else one that is seen there. */
function switched(u: Unit, node: number): Offset {
  const { syntax } = u;
  const [condition, body] = [syntax.part(node, "condition"), syntax.part(node, "body")];
  const on = condition ? expression(u, condition) : 0;
  const results: Offset[] = [];
  u.scoped(() => {
    for (const group of body ? syntax.children(body) : []) {
      u.scoped(() => {
        for (const part of syntax.children(group)) {
          for (const inner of syntax.kind(part) === "switch_label" ? syntax.children(part) : [part]) {
            if (syntax.kind(part) === "switch_label" && syntax.kind(inner) === "identifier") {
              if (on !== 0) mention(u, u.select(on, syntax.text(inner)), inner);
              mention(u, u.name(syntax.text(inner)), inner);
            }
            // `case A -> x;`
            if (syntax.kind(group) === "switch_rule" && syntax.kind(inner) === "expression_statement") results.push(...syntax.children(inner).map((one) => expression(u, one)));
            else visit(u, inner);
          }
        }
      });
    }
  });
  return results.length > 0 && results.length <= MAX_RESULTS ? u.emit(Op.Either, results.length, ...results) : 0;
}

function isExpression(kind: string): boolean {
  return /_(?:expression|invocation|access|reference)$/.test(kind) && kind !== "switch_expression";
}

function operatorOf(u: Unit, node: number): string {
  const { syntax } = u;
  const [left, right] = syntax.children(node);
  return left === undefined || right === undefined ? "" : syntax.source.slice(syntax.end(left), syntax.start(right)).trim();
}

/** Text when one side is text, which is known where it is a literal or a variable; what is shifted stays what it is. */
function arithmetic(u: Unit, sign: string, operands: readonly Offset[]): Offset {
  return operands.find((operand) => isText(u, operand)) ?? (/^[<>]/.test(sign) ? operands[0] ?? 0 : u.calculated(operands));
}

function isText(u: Unit, at: Offset): boolean {
  const type = u.code[at] === Op.Value || u.code[at] === Op.Variable ? u.code[at + 1]! : 0;
  return u.code[type] === Op.Named && u.stringAt(u.code[type + 1]!) === "String";
}

function argumentsOf(u: Unit, node: number): Offset[] {
  const list = u.syntax.part(node, "arguments") || u.syntax.child(node, "argument_list");
  return list ? u.syntax.children(list).map((argument) => expression(u, argument)) : [];
}

/** What calls another constructor behind other statements; see repair.ts. */
const CONSTRUCTOR = /^(?:super|this)$/;

/** Whether the body of a constructor calls another one. */
export function isChained({ syntax }: Unit, body: number): boolean {
  return syntax.children(body).some((node) => {
    const [call] = syntax.kind(node) === "expression_statement" ? syntax.children(node) : [];
    return syntax.kind(node) === "explicit_constructor_invocation" || (call !== undefined && syntax.kind(call) === "method_invocation" && CONSTRUCTOR.test(syntax.text(syntax.part(call, "name"))));
  });
}

function invocation(u: Unit, node: number): Offset {
  const { syntax } = u;
  const object = syntax.part(node, "object");
  const name = syntax.part(node, "name");
  if (!name) {
    visitAll(u, node);
    return 0;
  }
  const text = syntax.text(name);
  if (!object && CONSTRUCTOR.test(text)) return u.call(Op.Call, u.emit(text === "super" ? Op.Super : Op.Self, u.within), argumentsOf(u, node), node);
  let operand: Offset = 0;
  let callee: Offset;
  // `Outer.super.method()`: an interface's default method or the class above an outer class.
  if (object && syntax.children(node).some((child) => child !== object && syntax.kind(child) === "super")) callee = u.select(u.emit(Op.Static, typeOf(u, object)), text);
  // What is called by its bare name is a method, whatever variable has that name.
  else if (object) callee = u.select((operand = expression(u, object)), text);
  else callee = u.emit(Op.Name, u.str(text), u.within);
  const args = argumentsOf(u, node);
  if (FILLS.test(text)) for (const argument of args) u.store(operand, argument);
  if (COMPUTES.test(text)) for (const argument of args) u.store(operand, u.resultOf(argument));
  const call = u.call(Op.Call, callee, args, name);
  for (const argument of args) handOver(u, argument, call);
  return call;
}

/** Calls that make a collector or a comparator: what these give functions are the elements of what they are given to. */
const COLLECTS = /^(?:Collectors|Comparator)$/;
const COLLECTING = /^(?:collectingAndThen|comparing\w*|filtering|flatMapping|groupingBy\w*|mapping|partitioningBy|to\w*Map)$/;

/** `stream.collect(Collectors.groupingBy(item -> item.name()))`: the lambda is given what the stream holds. */
function handOver(u: Unit, argument: Offset, call: Offset): void {
  const { code } = u;
  let root = argument;
  const found: Offset[] = [];
  while (code[root] === Op.Call && code[code[root + 1]!] === Op.Select) {
    found.push(root);
    root = code[code[root + 1]! + 1]!;
  }
  // Imported by its name: `groupingBy(item -> item.name())`
  const isImported = code[root] === Op.Call && code[code[root + 1]!] === Op.Name && COLLECTING.test(u.stringAt(code[code[root + 1]! + 1]!))
    && u.scopes[0]!.imports.some(({ kind, path }) => kind === "static" && /\.(?:Collectors|Comparator)(?:\.|$)/.test(path));
  if (isImported) found.push(root);
  else if (code[root] !== Op.Name || !COLLECTS.test(u.stringAt(code[root + 1]!))) return;
  for (const one of found) {
    for (const inner of code.slice(one + 3, one + 3 + code[one + 2]!)) {
      if (code[inner] === Op.Lambda) code[inner + 1] = call;
      else handOver(u, inner, call);
    }
  }
}

function creation(u: Unit, node: number): Offset {
  const { syntax } = u;
  const typeNode = syntax.part(node, "type");
  const outer = syntax.children(node).find((child) => child < typeNode && syntax.kind(child) !== "new" && !/annotation/.test(syntax.kind(child)));
  let type = typeOf(u, typeNode);
  if (outer !== undefined) {
    // `outer.new Inner()` names Inner in the type of outer.
    const operand = expression(u, outer);
    if (u.code[type] === Op.Named) type = u.emit(Op.Inner, operand, u.code[type + 1]!);
  }
  const args = argumentsOf(u, node);
  const at = u.call(Op.New, type, args, typeNode || node);
  const body = syntax.child(node, "class_body");
  if (!body) return at;
  const { members: [method, ...others] } = anonymous(u, type, body);
  if (method?.kind !== "method" || others.length > 0) return at;
  // An object with one method is a function.
  const run = u.emit(Op.Lambda, 0, 0, 0, 0);
  u.store(run, u.emit(Op.Code, method.symbol));
  u.store(at, run);
  return at;
}

function lambda(u: Unit, node: number): Offset {
  const { syntax } = u;
  const list = syntax.part(node, "parameters");
  const body = syntax.part(node, "body");
  const given = !list ? [] : syntax.kind(list) === "identifier" ? [{ name: syntax.text(list), type: 0 }]
    : syntax.kind(list) === "inferred_parameters" ? syntax.children(list).map((child) => ({ name: syntax.text(child), type: 0 }))
    : parameters(u, list).names;
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

function reference(u: Unit, node: number): Offset {
  const { syntax } = u;
  const [of, ...rest] = syntax.children(node);
  // `A::<String>named`
  const name = rest.at(-1);
  if (of === undefined) return 0;
  // `A::new`, `a[]::new`
  if (name === undefined || syntax.kind(name) === "new") {
    const made = u.emit(Op.Static, typeOf(u, of));
    u.use(made, of);
    return made;
  }
  const isType = /type/.test(syntax.kind(of)) && syntax.kind(of) !== "class_literal";
  const operand = isType ? u.emit(Op.Static, typeOf(u, of)) : expression(u, of);
  const at = u.emit(Op.Reference, operand, u.str(syntax.text(name)));
  u.use(at, name);
  return at;
}

/** Statements, and whatever else may hold declarations and expressions. */
export function visit(u: Unit, node: number): void {
  const { syntax } = u;
  const kind = syntax.kind(node);
  switch (kind) {
    case "type_arguments":
      return;
    case "modifiers":
      annotations(u, node);
      return;
    case "annotation":
    case "marker_annotation": {
      const name = syntax.part(node, "name");
      if (name) u.useType(typeOf(u, name), name);
      const list = syntax.part(node, "arguments");
      for (const argument of list ? syntax.children(list) : []) {
        const value = syntax.part(argument, "value") || argument;
        if (FACTORY.test(name ? syntax.text(name) : "") || syntax.text(syntax.part(argument, "key")) === "dataProvider") factories(u, value);
        annotationValue(u, value);
      }
      return;
    }
    case "local_variable_declaration":
      locals(u, node);
      return;
    case "class_declaration":
    case "record_declaration":
    case "enum_declaration":
    case "interface_declaration":
      typeDeclaration(u, node, true);
      return;
    case "switch_expression":
      switched(u, node);
      return;
    case "block":
    case "constructor_body":
    case "switch_block":
    case "switch_block_statement_group":
    case "switch_rule":
    case "for_statement":
    case "try_statement":
      u.scoped(() => visitAll(u, node));
      return;
    case "enhanced_for_statement":
      u.scoped(() => {
        const name = syntax.part(node, "name");
        const value = syntax.part(node, "value");
        const body = syntax.part(node, "body");
        const over = value ? expression(u, value) : 0;
        u.runs(over, "iterator hasNext next", value || node);
        const type = typeOf(u, syntax.part(node, "type"));
        const each = u.emit(Op.Element, over);
        if (name) u.store(u.variable(syntax.text(name), type, type ? 0 : each), type ? each : 0);
        if (body) visit(u, body);
      });
      return;
    case "try_with_resources_statement":
      u.scoped(() => visitAll(u, node));
      return;
    case "resource": {
      const name = syntax.part(node, "name");
      const value = syntax.part(node, "value");
      const given = value ? expression(u, value) : 0;
      const children = name ? [] : syntax.children(node);
      const opened = name ? [u.variable(syntax.text(name), typeOf(u, syntax.part(node, "type")), given)] : children.map((child) => expression(u, child));
      for (const at of opened) u.runs(at, "close", node);
      return;
    }
    case "catch_clause":
      u.scoped(() => {
        const parameter = syntax.child(node, "catch_formal_parameter");
        const name = parameter ? syntax.part(parameter, "name") : 0;
        const types = parameter ? syntax.child(parameter, "catch_type") : 0;
        for (const type of types ? syntax.children(types) : []) tested(u, type);
        if (name) u.variable(syntax.text(name), typeOf(u, types), 0);
        const body = syntax.part(node, "body");
        if (body) visit(u, body);
      });
      return;
    case "record_pattern":
      recordPattern(u, node);
      return;
    case "type_pattern": {
      const [type, name] = syntax.children(node).filter((child) => !/modifiers|annotation/.test(syntax.kind(child)));
      if (type !== undefined && name !== undefined && syntax.kind(name) === "identifier") u.variable(syntax.text(name), tested(u, type), 0);
      else visitAll(u, node);
      return;
    }
    case "return_statement":
      for (const child of syntax.children(node)) u.returned(expression(u, child));
      return;
    case "break_statement":
    case "continue_statement":
      return;
    case "labeled_statement":
      for (const child of syntax.children(node).slice(1)) visit(u, child);
      return;
    default:
      if (isExpression(kind)) expression(u, node);
      else visitAll(u, node);
  }
}

/** Annotations among modifiers: their types are named, and their arguments are code. */
/** What an annotation is given: an expression, an annotation, or several. */
function annotationValue(u: Unit, node: number): void {
  const kind = u.syntax.kind(node);
  if (kind === "element_value_array_initializer") for (const child of u.syntax.children(node)) annotationValue(u, child);
  else if (/annotation$/.test(kind)) visit(u, node);
  else expression(u, node);
}

/** Annotations that name methods and fields of the class that give a test its arguments. */
const FACTORY = /(?:^|\.)(?:MethodSource|FieldSource)$/;

/** The methods that texts in an annotation name: `@MethodSource({ "amounts", "names" })`. */
function factories(u: Unit, node: number): void {
  const { syntax } = u;
  const name = syntax.kind(node) === "string_literal" ? /^"(\w+)(?:\(\))?"$/.exec(syntax.text(node))?.[1] : undefined;
  if (name !== undefined) u.use(u.emit(Op.Reference, u.emit(Op.Self, u.within), u.str(name)), node);
  else for (const child of syntax.children(node)) factories(u, child);
}

export function annotations(u: Unit, modifiers: number): void {
  for (const child of modifiers ? u.syntax.children(modifiers) : []) if (/annotation$/.test(u.syntax.kind(child))) visit(u, child);
}

function visitAll(u: Unit, node: number): void {
  for (const child of u.syntax.children(node)) visit(u, child);
}

function locals(u: Unit, node: number): void {
  const { syntax } = u;
  annotations(u, syntax.child(node, "modifiers"));
  const declared = typeOf(u, syntax.part(node, "type"));
  for (const declarator of syntax.children(node)) {
    if (syntax.kind(declarator) !== "variable_declarator") continue;
    const name = syntax.part(declarator, "name");
    const value = syntax.part(declarator, "value");
    const type = declared ? arrayOf(u, declared, syntax.part(declarator, "dimensions")) : 0;
    const given = value ? expression(u, value) : 0;
    u.giveTo(given, type);
    if (name) u.store(u.variable(syntax.text(name), type, type ? 0 : given), type ? given : 0);
  }
}
