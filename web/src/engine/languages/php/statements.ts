import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { assign } from "./assignments.ts";
import { argumentsOf, asked } from "./calls.ts";
import { narrowings, tested } from "./conditions.ts";
import { expression } from "./expressions.ts";
import { freeConstant, namespaceScope, statements } from "./extract.ts";
import { Use } from "./functions.ts";
import { takeGlobal } from "./globals.ts";
import { asText, looped } from "./implicit.ts";
import { nameOf, typeOf } from "./types.ts";

/** Statements, and whatever else may hold declarations and expressions. */
export function visit(u: Unit, node: number): void {
  const { syntax } = u;
  const kind = syntax.kind(node);
  switch (kind) {
    case "comment":
      return;
    case "attribute_list":
      attributes(u, node);
      return;
    case "compound_statement":
    case "colon_block":
    case "program":
      statements(u, node);
      return;
    case "class_declaration":
    case "interface_declaration":
    case "trait_declaration":
    case "enum_declaration":
    case "function_definition":
    case "ERROR":
      statements(u, node);
      return;
    case "if_statement":
      branches(u, node);
      return;
    case "while_statement":
    case "for_statement":
    case "switch_statement":
    case "do_statement":
    case "try_statement":
      visitParts(u, node);
      return;
    case "case_statement":
    case "default_statement":
    case "finally_clause":
      u.branch(() => visitAll(u, node));
      return;
    case "catch_clause":
      u.branch(() => {
        const name = syntax.part(node, "name");
        const body = syntax.part(node, "body");
        const type = syntax.part(node, "type");
        if (type) tested(u, type);
        if (name) u.variable(syntax.text(name), typeOf(u, type), 0);
        if (body) visit(u, body);
      });
      return;
    case "foreach_statement": {
      const body = syntax.part(node, "body");
      const [over, into] = syntax.children(node).filter((child) => child !== body && syntax.kind(child) !== "comment");
      const all = over === undefined ? 0 : expression(u, over);
      if (over !== undefined) looped(u, all, over);
      u.branch(() => {
        if (into !== undefined) loopVariable(u, into, u.emit(Op.Element, all));
        if (body) visit(u, body);
      });
      return;
    }
    case "global_declaration":
      for (const child of syntax.children(node)) if (syntax.kind(child) === "variable_name") takeGlobal(u, child);
      return;
    case "static_variable_declaration": {
      const name = syntax.part(node, "name");
      const value = syntax.part(node, "value");
      if (name) u.variable(syntax.text(name), 0, value ? expression(u, value) : 0);
      return;
    }
    case "const_element": {
      const [name, value] = syntax.children(node);
      if (name !== undefined) freeConstant(u, node, name, syntax.text(name), namespaceScope(u));
      if (value !== undefined) expression(u, value);
      return;
    }
    case "echo_statement":
      for (const child of syntax.children(node)) {
        for (const printed of syntax.kind(child) === "sequence_expression" ? syntax.children(child) : [child]) asText(u, expression(u, printed), printed);
      }
      return;
    case "unset_statement":
      for (const child of syntax.children(node)) asked(u, child, "offsetUnset", Use.Unset);
      return;
    case "goto_statement":
      return;
    case "return_statement":
      for (const child of syntax.children(node)) if (syntax.kind(child) !== "comment" && !isEmptyArray(u, child)) u.returned(expression(u, child));
      return;
    case "named_label_statement":
      for (const child of syntax.children(node).slice(1)) visit(u, child);
      return;
    case "expression_statement":
      visitAll(u, node);
      return;
    case "name":
    case "qualified_name":
    case "relative_name":
      expression(u, node);
      return;
    default:
      if (/_(?:expression|function|string|literal)$/.test(kind) || kind === "variable_name" || kind === "heredoc") expression(u, node);
      else visitAll(u, node);
  }
}

/** `[]`, which says nothing of what a function gives beside it. */
function isEmptyArray({ syntax }: Unit, node: number): boolean {
  return syntax.kind(node) === "array_creation_expression" && syntax.children(node).length === 0;
}

/** Attributes: their classes are named, and their arguments are code. */
export function attributes(u: Unit, list: number): void {
  const { syntax } = u;
  for (const group of list ? syntax.children(list) : []) {
    for (const attribute of syntax.children(group)) {
      const [name] = syntax.children(attribute);
      if (name !== undefined && /name$/.test(syntax.kind(name))) u.useType(u.named(nameOf(u, name)), name);
      argumentsOf(u, syntax.part(attribute, "parameters"));
    }
  }
}

export function visitAll(u: Unit, node: number): void {
  for (const child of u.syntax.children(node)) {
    // `/** @var Foo $x */` inside of an expression is rare; in a statement it stands above and is read there.
    if (u.syntax.kind(child) !== "comment") visit(u, child);
  }
}

function loopVariable(u: Unit, node: number, element: Offset): void {
  const { syntax } = u;
  const parts = syntax.kind(node) === "pair" ? syntax.children(node) : [node];
  const value = parts.pop();
  for (const key of parts) assign(u, key, 0);
  if (value === undefined) return;
  const [inner] = syntax.kind(value) === "by_ref" ? syntax.children(value) : [value];
  if (inner !== undefined) assign(u, inner, element);
}

/** A statement's condition first, then its body, which may happen or not. */
function visitParts(u: Unit, node: number): void {
  const { syntax } = u;
  for (const child of syntax.children(node)) {
    const condition = syntax.part(node, "condition");
    if (syntax.field(child) === "body" && syntax.kind(node) !== "try_statement") u.branch(() => visit(u, child), condition ? narrowings(u, condition) : []);
    else visit(u, child);
  }
}

function branches(u: Unit, node: number): void {
  const { syntax } = u;
  const condition = syntax.part(node, "condition");
  if (condition) expression(u, condition);
  const body = syntax.part(node, "body");
  if (body) u.branch(() => visit(u, body), condition ? narrowings(u, condition) : [], leaves(u, body, RETURNS));
  let alternatives = false;
  for (const child of syntax.children(node)) {
    if (syntax.field(child) !== "alternative") continue;
    alternatives = true;
    if (syntax.kind(child) === "else_if_clause") branches(u, child);
    else u.branch(() => visitAll(u, child), condition ? narrowings(u, condition, true) : [], leaves(u, syntax.part(child, "body") || child, RETURNS));
  }
  // `if (!$x instanceof Foo) { return; }`: below it is one.
  if (condition && body && !alternatives && leaves(u, body, /^(?:return|continue|break|exit)_statement$/)) {
    for (const [name, at] of narrowings(u, condition, true)) u.narrow(name, at);
  }
}

const RETURNS = /^(?:return|exit)_statement$/;

/** Whether a block ends by leaving what is around it: by a statement of such a kind, or by throwing. */
function leaves(u: Unit, body: number, kinds: RegExp): boolean {
  const { syntax } = u;
  const last = syntax.kind(body) === "compound_statement" ? syntax.children(body).at(-1) : body;
  return last !== undefined && (kinds.test(syntax.kind(last)) || /^throw\b/.test(syntax.text(last)));
}
