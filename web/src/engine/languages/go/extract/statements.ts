import { type Offset, Op } from "../facts.ts";
import { localTypes } from "./declarations.ts";
import { expression, looped, read, value } from "./expressions.ts";
import { isType, type Parameter, typeOf } from "./types.ts";
import type { Unit } from "./unit.ts";

/** Declares what a function's head names. */
export function declareParameters(u: Unit, parameters: readonly Parameter[], results: readonly Parameter[]): Offset[] {
  const declared = [...parameters, ...results].map(({ name, type }) => {
    const variable = name ? u.variable(type, 0) : 0;
    if (name) u.declare(name, variable);
    return variable;
  });
  return declared.slice(0, parameters.length);
}

/** The statements of a block, in the current scope. */
export function block(u: Unit, node: number): void {
  if (node) visitAll(u, node);
}

function visitAll(u: Unit, node: number): void {
  const end = u.syntax.next(node);
  for (let child = node + 1; child < end; child = u.syntax.next(child)) visit(u, child);
}

/** Walks through a statement, or an expression whose type nobody asks for. */
export function visit(u: Unit, node: number): void {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "identifier":
      read(u, node);
      return;
    case "field_identifier":
    case "type_identifier":
      return;
    case "selector_expression":
    case "call_expression":
    case "composite_literal":
    case "func_literal":
    case "type_conversion_expression":
    case "type_assertion_expression":
    case "qualified_type":
    case "unary_expression":
      expression(u, node);
      return;
    case "block":
    case "if_statement":
    case "for_statement":
    case "expression_switch_statement":
    case "select_statement":
    case "expression_case":
    case "default_case":
    case "communication_case":
      u.scoped(() => visitAll(u, node));
      return;
    case "type_switch_statement":
      u.scoped(() => typeSwitch(u, node));
      return;
    case "range_clause":
      rangeClause(u, node);
      return;
    case "short_var_declaration":
    case "receive_statement":
      shortVariables(u, node);
      return;
    case "var_spec":
      variables(u, node);
      return;
    case "const_declaration":
      constants(u, node, (name, record) => u.declare(syntax.text(name), record));
      return;
    case "type_declaration":
      localTypes(u, node);
      return;
    case "assignment_statement":
      assignment(u, node);
      return;
    case "send_statement": {
      const [channel = 0, , sent = 0] = syntax.children(node).map((child) => (syntax.kind(child) === "<-" ? 0 : value(u, child)));
      u.store(channel, sent);
      return;
    }
    case "return_statement":
      for (const child of syntax.children(node)) valuesOf(u, child).forEach((returned, place) => u.returned(returned, place));
      return;
    default:
      visitAll(u, node);
  }
}

/** Every value of an expression list, or the one of a lone expression. */
function valuesOf(u: Unit, node: number): Offset[] {
  if (u.syntax.kind(node) !== "expression_list") return [value(u, node)];
  return u.syntax.children(node).map((child) => value(u, child));
}

/** What each of `count` variables starts as, given the records on the right. */
function initialisers(u: Unit, count: number, records: Offset[]): Offset[] {
  const [only] = records;
  if (only === undefined) return new Array<Offset>(count).fill(0);
  if (records.length > 1 || count === 1) return Array.from({ length: count }, (_, i) => records[i] ?? 0);
  if (u.code[only] === Op.Call) return Array.from({ length: count }, (_, i) => u.emit(Op.Result, only, i));
  // v, ok := of a map, a channel or an assertion.
  return [only, u.untyped("Bool")];
}

function shortVariables(u: Unit, node: number): void {
  const { syntax } = u;
  const parts = syntax.children(node).filter((child) => syntax.kind(child) !== ":=");
  const right = parts.at(-1);
  if (right === undefined) return;
  if (parts.length < 2 || (syntax.kind(node) === "receive_statement" && !syntax.childOf(node, ":="))) {
    for (const part of parts) visit(u, part);
    return;
  }
  const names = syntax.kind(parts[0]!) === "expression_list" ? syntax.children(parts[0]!) : [parts[0]!];
  const given = initialisers(u, names.length, valuesOf(u, right));
  names.forEach((name, i) => {
    if (syntax.kind(name) !== "identifier") visit(u, name);
    else if (!u.declaredHere(syntax.text(name))) u.declare(syntax.text(name), u.variable(0, given[i] ?? 0));
  });
}

/** One line of `var`: names, type, values. */
export function variables(u: Unit, spec: number): { name: number; record: Offset }[] {
  const { syntax } = u;
  const names: number[] = [];
  let type = 0;
  let records: Offset[] = [];
  for (const child of syntax.children(spec)) {
    const kind = syntax.kind(child);
    if (kind === "expression_list") records = valuesOf(u, child);
    else if (kind === "identifier") names.push(child);
    else if (isType(kind)) type = typeOf(u, child);
  }
  const given = initialisers(u, names.length, records);
  return names.map((name, i) => {
    const record = u.variable(type, given[i] ?? 0);
    u.declare(syntax.text(name), record);
    return { name, record };
  });
}

/** The lines of `const`; one without type and value repeats the line before. `begin` is called before each line is read. */
export function constants(
  u: Unit, declaration: number, declare: (name: number, record: Offset) => void, begin?: (names: readonly number[], spec: number) => void,
): void {
  const { syntax } = u;
  let type = 0;
  let records: Offset[] = [];
  for (const spec of syntax.children(declaration)) {
    if (syntax.kind(spec) !== "const_spec") {
      visit(u, spec);
      continue;
    }
    const names = syntax.children(spec).filter((child) => syntax.kind(child) === "identifier");
    begin?.(names, spec);
    let ownType = 0;
    let own: Offset[] | undefined;
    for (const child of syntax.children(spec)) {
      const kind = syntax.kind(child);
      if (kind === "expression_list") own = syntax.children(child).map((e) => expression(u, e));
      else if (isType(kind)) ownType = typeOf(u, child);
    }
    if (own) {
      type = ownType;
      records = own;
    }
    names.forEach((name, i) => declare(name, u.variable(type, records[i] ?? 0)));
  }
}

function assignment(u: Unit, node: number): void {
  const { syntax } = u;
  const [left, ...right] = syntax.children(node);
  const targets = left && syntax.kind(left) === "expression_list" ? syntax.children(left).map((target) => expression(u, target)) : [];
  if (left && targets.length === 0) visit(u, left);
  for (const part of right) {
    if (syntax.kind(part) === "") continue;
    const given = valuesOf(u, part);
    if (given.length === targets.length) targets.forEach((target, i) => u.store(target, given[i]!));
  }
}

function rangeClause(u: Unit, node: number): void {
  const { syntax } = u;
  const parts = syntax.children(node).filter((child) => syntax.kind(child) !== ":=" && syntax.kind(child) !== "range");
  const over = parts.at(-1);
  if (over === undefined) return;
  const record = expression(u, over);
  looped(u, record, over);
  if (parts.length < 2) return;
  if (!syntax.childOf(node, ":=")) {
    visit(u, parts[0]!);
    return;
  }
  const names = syntax.kind(parts[0]!) === "expression_list" ? syntax.children(parts[0]!) : [parts[0]!];
  names.forEach((name, i) => {
    if (syntax.kind(name) === "identifier") u.declare(syntax.text(name), u.variable(0, record ? u.emit(i === 0 ? Op.Key : Op.Element, record) : 0));
  });
}

/** `switch x := v.(type)`: x has the type of its case, or v's where a case names several or none. */
function typeSwitch(u: Unit, node: number): void {
  const { syntax } = u;
  let alias = "";
  let subject = 0;
  let pending = 0;
  for (const child of syntax.children(node)) {
    switch (syntax.kind(child)) {
      case ":=":
        // The name that it declares came just before.
        alias = pending ? syntax.text(syntax.lastName(pending)) : "";
        break;
      case "expression_list":
        pending = child;
        break;
      case "type_case": {
        const types = syntax.children(child).filter((type) => isType(syntax.kind(type)));
        const [only] = types;
        const records = types.map((type) => typeOf(u, type));
        const nothing = only !== undefined && syntax.kind(only) === "type_identifier" && syntax.text(only) === "nil";
        const single = types.length === 1 && !nothing;
        u.scoped(() => {
          if (alias) u.declare(alias, single ? u.variable(records[0]!, 0) : u.variable(0, subject));
          for (const statement of syntax.children(child)) if (!isType(syntax.kind(statement))) visit(u, statement);
        });
        break;
      }
      case "default_case":
        u.scoped(() => {
          if (alias) u.declare(alias, u.variable(0, subject));
          visitAll(u, child);
        });
        break;
      case "short_var_declaration":
      case "assignment_statement":
        visit(u, child);
        break;
      default:
        subject = expression(u, child);
    }
  }
}
