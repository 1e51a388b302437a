import { Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { exportWhole } from "./assignments.ts";
import { declaration } from "./declarations.ts";
import { expression, iterates } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { bind, ownerOfResult } from "./functions.ts";
import { labelled } from "./markup-names.ts";
import { moduleStatement } from "./modules.ts";
import { discriminant, guards, narrowBy, withNarrowing } from "./narrowing.ts";
import { Scope } from "./scope.ts";
import { typeOf } from "./types.ts";

/** Reads the statements of a block (or file) in the present scope. */
export function statements(x: Extraction, block: number): void {
  const mark = x.narrowings.length;
  for (const child of x.syntax.children(block)) statement(x, child);
  x.narrowings.length = mark;
}

function block(x: Extraction, node: number): void {
  inScope(x, () => statements(x, node));
}

function inScope(x: Extraction, read: () => void): void {
  const outer = x.scope;
  x.scope = new Scope(outer, false);
  read();
  x.scope = outer;
}

/** Reads a statement; what is none of its own kind is searched for expressions. */
export function statement(x: Extraction, node: number): void {
  const { syntax } = x;
  if (declaration(x, node, x.ambient) || moduleStatement(x, node)) return;
  switch (syntax.kind(node)) {
    case "expression_statement": {
      const inner = syntax.inner(node);
      expression(x, inner);
      if (syntax.kind(inner) === "call_expression") assertion(x, inner);
      break;
    }
    case "statement_block":
      block(x, node);
      break;
    case "if_statement":
      x.inBranch(() => conditional(x, node));
      break;
    case "try_statement":
      x.inBranch(() => descend(x, node));
      break;
    case "while_statement": {
      const condition = syntax.child(node, "condition");
      expression(x, condition);
      withNarrowing(x, condition, true, () => statement(x, syntax.child(node, "body")));
      break;
    }
    case "for_statement":
      inScope(x, () => {
        const condition = syntax.child(node, "condition");
        statement(x, syntax.child(node, "initializer"));
        const inner = syntax.kind(condition) === "expression_statement" ? syntax.inner(condition) : condition;
        expression(x, inner);
        expression(x, syntax.child(node, "increment"));
        withNarrowing(x, inner, true, () => statement(x, syntax.child(node, "body")));
      });
      break;
    case "for_in_statement":
      inScope(x, () => loop(x, node));
      break;
    case "switch_statement":
      x.inBranch(() => inScope(x, () => cases(x, node)));
      break;
    case "return_statement": {
      if (x.factory && x.function < 0 && syntax.inner(node) !== 0) {
        exportWhole(x, node, syntax.inner(node));
        break;
      }
      const outer = x.objectOwner;
      x.objectOwner = ownerOfResult(x, x.function);
      const value = expression(x, syntax.inner(node), x.function < 0 ? 0 : x.emit(Op.ContextReturn, x.function));
      x.objectOwner = outer;
      if (value !== 0) x.facts.functions[x.function]?.results.push(value);
      break;
    }
    case "catch_clause":
      inScope(x, () => {
        const parameter = syntax.child(node, "parameter");
        if (parameter !== 0) bind(x, parameter, typeOf(x, syntax.child(node, "type")), 0, x.scope);
        statements(x, syntax.child(node, "body"));
      });
      break;
    case "labeled_statement":
      if (x.isComponent) labelled(x, node);
      else descend(x, node);
      break;
    case "comment":
    case "statement_identifier":
      break;
    default:
      descend(x, node);
  }
}

/** Kinds that `expression` hands back as statements: only their children are of use. */
function descend(x: Extraction, node: number): void {
  for (const child of x.syntax.children(node)) expression(x, child);
}

function conditional(x: Extraction, node: number): void {
  const { syntax } = x;
  const condition = syntax.child(node, "condition");
  const then = syntax.child(node, "consequence");
  const otherwise = syntax.child(node, "alternative");
  expression(x, condition);
  withNarrowing(x, condition, true, () => statement(x, then));
  if (otherwise !== 0) withNarrowing(x, condition, false, () => descend(x, otherwise));
  // Past `if (!known) return;` the condition is known to be false.
  if (leaves(x, then)) narrowBy(x, condition, false);
  else if (otherwise !== 0 && leaves(x, syntax.inner(otherwise))) narrowBy(x, condition, true);
}

/** Whether control never runs past this statement. */
function leaves(x: Extraction, node: number): boolean {
  const { syntax } = x;
  switch (syntax.kind(node)) {
    case "return_statement":
    case "throw_statement":
    case "continue_statement":
    case "break_statement":
      return true;
    case "statement_block": {
      const last = syntax.children(node).filter((c) => syntax.kind(c) !== "comment").at(-1);
      return last !== undefined && leaves(x, last);
    }
    case "if_statement": {
      const otherwise = syntax.child(node, "alternative");
      return otherwise !== 0 && leaves(x, syntax.child(node, "consequence")) && leaves(x, syntax.inner(otherwise));
    }
    default:
      return false;
  }
}

function loop(x: Extraction, node: number): void {
  const { syntax } = x;
  const left = syntax.child(node, "left");
  const right = expression(x, syntax.child(node, "right"));
  const isAsync = syntax.has(node, "await");
  if (syntax.has(node, "of")) iterates(x, right, syntax.child(node, "right"), isAsync);
  const each: Offset = syntax.has(node, "of")
    ? x.emit(Op.Element, right, isAsync ? 1 : 0)
    : x.emit(Op.Key, right);
  const kind = syntax.child(node, "kind");
  if (kind !== 0) bind(x, left, 0, each, syntax.kind(kind) === "var" ? hoisted(x) : x.scope, { constant: syntax.kind(kind) === "const" });
  else expression(x, left);
  statement(x, syntax.child(node, "body"));
}

/** The scope that `var` declares into. */
export function hoisted(x: Extraction): Scope {
  let scope = x.scope;
  while (!scope.hoists && scope.parent) scope = scope.parent;
  return scope;
}

function cases(x: Extraction, node: number): void {
  const { syntax } = x;
  const subject = syntax.child(node, "value");
  expression(x, subject);
  const whole = syntax.kind(syntax.inner(subject)) === "true";
  // Labels without a body of their own fall through to the next one's.
  let open: [path: string, at: Offset][] = [];
  for (const part of syntax.children(syntax.child(node, "body"))) {
    const mark = x.narrowings.length;
    const value = syntax.child(part, "value");
    const bodies = syntax.children(part).filter((c) => syntax.field(c) === "body");
    if (syntax.kind(part) === "switch_case" && value !== 0) {
      const at = expression(x, value);
      const known = discriminant(x, subject, at, true);
      open = open.length === 0 ? known
        : known.flatMap(([path, e]): [string, Offset][] => open.filter(([p]) => p === path).map(([, o]) => [path, x.emit(Op.Or, 2, o, e)]));
      if (bodies.length > 0) {
        for (const [path, e] of open) x.narrowings.push({ path, scope: x.scope, expression: e });
        if (whole) narrowBy(x, value, true);
        open = [];
      }
    } else {
      open = [];
    }
    for (const body of bodies) statement(x, body);
    x.narrowings.length = mark;
  }
}

/** `assertIsFoo(x);` speaks of x from there on, if its signature says so. */
function assertion(x: Extraction, node: number): void {
  const { syntax } = x;
  const callee = syntax.text(syntax.child(node, "function"));
  if (!/(^|\.)(_?assert|invariant|ensure|expect|check)/i.test(callee)) return;
  for (const [path, at] of guards(x, node, true)) x.narrowings.push({ path, scope: x.scope, expression: at });
}

