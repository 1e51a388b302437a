import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { attributes } from "./attributes.ts";
import { givenTo } from "./creation.ts";
import { expression } from "./expressions.ts";
import { announce, localFunction } from "./extract.ts";
import { disposed } from "./implied.ts";
import { matching, pattern } from "./patterns.ts";
import { identifier, typeOf } from "./types.ts";

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
    case "yield_statement":
      for (const child of syntax.children(node)) u.giveTo(expression(u, child), u.lastOf(u.result));
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
    case "list_pattern":
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

export function visitAll(u: Unit, node: number): void {
  for (const child of u.syntax.children(node)) visit(u, child);
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

/** The function around gives a value. */
function returned(u: Unit, node: number): void {
  const value = givenTo(u, node, u.result);
  u.returned(value);
  if (u.result) u.conversion(value, u.emit(Op.Value, u.result), node);
}
