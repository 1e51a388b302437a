import { operatorOf } from "./calls.ts";
import { children, constant, expression, statements } from "./expressions.ts";
import { type Offset, Op } from "./facts.ts";
import type { Unit } from "./unit.ts";

export function conditional(u: Unit, node: number): Offset {
  const { syntax } = u;
  const condition = syntax.part(node, "condition");
  const not = syntax.kind(node) === "unless";
  if (condition) expression(u, condition);
  const then = syntax.part(node, "consequence");
  const other = syntax.part(node, "alternative");
  const value = then ? u.branch(() => expression(u, then), condition ? narrowings(u, condition, not) : []) : 0;
  const otherwise = other ? u.branch(() => expression(u, other), condition ? narrowings(u, condition, !not) : []) : 0;
  if (condition && then && !other && leaves(u, then)) for (const [name, at] of narrowings(u, condition, !not)) u.bind(name, at);
  return u.either([value, otherwise]);
}

export function modifier(u: Unit, node: number): Offset {
  const { syntax } = u;
  const condition = syntax.part(node, "condition");
  const body = syntax.part(node, "body");
  const not = syntax.kind(node) === "unless_modifier";
  if (condition) expression(u, condition);
  const value = body ? u.branch(() => expression(u, body), condition ? narrowings(u, condition, not) : []) : 0;
  if (condition && body && leaves(u, body)) for (const [name, at] of narrowings(u, condition, !not)) u.bind(name, at);
  return value;
}

/** Whether code ends by leaving what is around it. */
function leaves(u: Unit, node: number): boolean {
  const { syntax } = u;
  const kind = syntax.kind(node);
  if (kind === "then") {
    const last = syntax.children(node).at(-1);
    return last !== undefined && leaves(u, last);
  }
  return kind === "return" || kind === "next" || kind === "break" || (kind === "call" && /^(?:raise|throw|fail)\b/.test(syntax.text(node)));
}

type Narrowed = [name: string, value: Offset];

/** What locals are where a condition holds, or where it does not. */
export function narrowings(u: Unit, node: number, not: boolean): Narrowed[] {
  const { syntax } = u;
  const kind = syntax.kind(node);
  if (kind === "parenthesized_statements") {
    const [only, more] = syntax.children(node);
    return only !== undefined && more === undefined ? narrowings(u, only, not) : [];
  }
  const operator = kind === "binary" || kind === "unary" ? operatorOf(u, node) : "";
  if (kind === "unary" && (operator === "!" || operator === "not")) return narrowings(u, syntax.part(node, "operand"), !not);
  if (kind === "binary" && (operator === "&&" || operator === "and")) {
    return not ? [] : [...narrowings(u, syntax.part(node, "left"), false), ...narrowings(u, syntax.part(node, "right"), false)];
  }
  if (not) return [];
  if (kind === "binary" && operator === "===") return narrowed(u, syntax.part(node, "right"), [syntax.part(node, "left")]);
  if (kind !== "call" || !/^(?:is_a\?|kind_of\?|instance_of\?)$/.test(syntax.text(syntax.part(node, "method")))) return [];
  const list = syntax.part(node, "arguments");
  return list ? narrowed(u, syntax.part(node, "receiver"), syntax.children(list).slice(0, 1)) : [];
}

/** A variable that is an object of one of several classes. */
function narrowed(u: Unit, variable: number, classes: readonly number[]): Narrowed[] {
  const { syntax } = u;
  if (!variable || !/^(?:identifier|instance_variable)$/.test(syntax.kind(variable))) return [];
  const name = syntax.text(variable);
  if (syntax.kind(variable) === "identifier" && u.lookup(name) === undefined) return [];
  if (classes.length === 0 || !classes.every((one) => /^(?:constant|scope_resolution)$/.test(syntax.kind(one)))) return [];
  const before = u.lookup(name) ?? expression(u, variable);
  return [[name, u.either(classes.map((one) => u.emit(Op.Instance, constant(u, one), before)))]];
}

export function caseOf(u: Unit, node: number): Offset {
  const { syntax } = u;
  const subject = syntax.part(node, "value");
  if (subject) expression(u, subject);
  const values: Offset[] = [];
  for (const child of syntax.children(node)) {
    if (syntax.kind(child) === "else") values.push(u.branch(() => statements(u, child)));
    if (syntax.kind(child) !== "when") continue;
    const patterns = syntax.children(child).filter((one) => syntax.kind(one) === "pattern").flatMap((one) => syntax.children(one));
    for (const one of patterns) expression(u, one);
    const body = syntax.part(child, "body");
    if (body) values.push(u.branch(() => statements(u, body), subject ? narrowed(u, subject, patterns) : []));
  }
  return u.either(values);
}

export function caseMatch(u: Unit, node: number): Offset {
  const { syntax } = u;
  const subject = syntax.part(node, "value");
  const value = subject ? expression(u, subject) : 0;
  const values: Offset[] = [];
  for (const child of syntax.children(node)) {
    if (syntax.kind(child) === "else") values.push(u.branch(() => statements(u, child)));
    if (syntax.kind(child) !== "in_clause") continue;
    const body = syntax.part(child, "body");
    const given = syntax.part(child, "pattern");
    values.push(u.branch(() => {
      if (given) pattern(u, given, value);
      const guard = syntax.part(child, "guard");
      if (guard) children(u, guard);
      return body ? statements(u, body) : 0;
    }, subject && given ? narrowed(u, subject, [given]) : []));
  }
  return u.either(values);
}

/** Binds the names of a pattern. */
export function pattern(u: Unit, node: number, value: Offset): void {
  if (!node) return;
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "identifier":
      u.bind(syntax.text(node), value);
      return;
    case "as_pattern": {
      const type = syntax.part(node, "value");
      const name = syntax.part(node, "name");
      const known = type && /^(?:constant|scope_resolution)$/.test(syntax.kind(type)) ? u.emit(Op.Instance, constant(u, type), value) : value;
      if (type) pattern(u, type, value);
      if (name) u.bind(syntax.text(name), known);
      return;
    }
    case "keyword_pattern": {
      const inside = syntax.part(node, "value");
      const key = syntax.part(node, "key");
      if (inside) pattern(u, inside, 0);
      else if (key) u.bind(syntax.text(key), 0);
      return;
    }
    case "splat_parameter":
    case "hash_splat_parameter": {
      const name = syntax.part(node, "name");
      if (name) u.bind(syntax.text(name), 0);
      return;
    }
    case "constant":
    case "scope_resolution":
      u.use(constant(u, node), node);
      return;
    case "array_pattern":
    case "find_pattern":
    case "hash_pattern":
    case "alternative_pattern":
    case "parenthesized_pattern":
      for (const child of syntax.children(node)) pattern(u, child, syntax.kind(node) === "array_pattern" ? value && u.emit(Op.Element, value) : 0);
      return;
    default:
      children(u, node);
  }
}
