import { classDefinition, functionDefinition } from "./declarations.ts";
import { annotation, expression, pathOf, quietly, subscript } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { Const, Op, Operation } from "./facts.ts";
import type { FlowState } from "./flow.ts";
import { importFromStatement, importStatement } from "./imports.ts";
import { operatorBefore, tested } from "./operators.ts";
import { commented, literal } from "./strings.ts";
import { bindTarget } from "./targets.ts";
import { K } from "./tree.ts";
import { narrow, narrowTo } from "./type-guards.ts";
import { commentOfVariable } from "./typetext.ts";

/** Extracts the statements of a block (or of a module, or of what the parser could not make sense of). */
export function block(x: Extraction, n: number): void {
  for (const c of x.tree.children(n)) statement(x, c);
}

function statement(x: Extraction, n: number): void {
  if (!x.enter()) return;
  visit(x, n);
  x.leave();
}

function visit(x: Extraction, n: number): void {
  const { tree } = x;
  const { flow } = x.place;
  switch (tree.kind[n]) {
    case K.ExpressionStatement:
      for (const c of tree.children(n)) {
        if (tree.kind[c] === K.Assignment) assignment(x, c);
        else if (tree.kind[c] === K.AugmentedAssignment) augmented(x, c);
        else {
          expression(x, c);
          if (tree.kind[c] === K.Call) extendAll(x, c);
        }
      }
      return;
    case K.Assignment: assignment(x, n); return;
    case K.AugmentedAssignment: augmented(x, n); return;
    case K.Function: functionDefinition(x, n, [], block); return;
    case K.Class: classDefinition(x, n, [], block); return;
    case K.Decorated: {
      const parts = tree.children(n);
      const decorators = parts.filter((c) => tree.kind[c] === K.Decorator);
      const definition = parts.find((c) => tree.kind[c] === K.Function || tree.kind[c] === K.Class);
      if (definition === undefined) return;
      if (tree.kind[definition] === K.Function) functionDefinition(x, definition, decorators, block);
      else classDefinition(x, definition, decorators, block);
      return;
    }
    case K.Import: importStatement(x, n); return;
    case K.ImportFrom: importFromStatement(x, n); return;
    case K.FutureImport: return;
    case K.Return: {
      const value = tree.children(n)[0];
      const fn = x.facts.functions[x.place.fn];
      const id = value === undefined ? x.node(Op.Const, Const.None) : expression(x, value);
      fn?.results.push(id);
      flow.end();
      return;
    }
    case K.Raise:
      for (const c of tree.children(n)) expression(x, c);
      flow.end();
      return;
    case K.Break: flow.leaveBy("break"); return;
    case K.Continue: flow.leaveBy("continue"); return;
    case K.Delete:
      for (const c of tree.children(n)) deleted(x, c);
      return;
    case K.Global: case K.Nonlocal: {
      const names = tree.children(n).map((c) => x.string(tree.text(c)));
      const scope = x.facts.scopes[x.place.scope]!;
      if (tree.kind[n] === K.Global) (scope.globals ??= []).push(...names);
      else (scope.nonlocals ??= []).push(...names);
      return;
    }
    case K.Assert: {
      const [test, ...rest] = tree.children(n);
      if (test !== undefined) tested(x, test);
      for (const c of rest) expression(x, c);
      if (test !== undefined) narrow(x, test, true);
      return;
    }
    case K.If: ifStatement(x, n); return;
    case K.While: whileStatement(x, n); return;
    case K.For: forStatement(x, n); return;
    case K.Try: tryStatement(x, n); return;
    case K.With: withStatement(x, n); return;
    case K.Match: matchStatement(x, n); return;
    case K.TypeAlias: typeAlias(x, n); return;
    case K.Block: case K.Error: case K.Else: case K.Finally: case K.Other: case K.Module:
      block(x, n);
      return;
    default:
      if (tree.kind[n]! < K.Async) expression(x, n);
  }
}

function deleted(x: Extraction, n: number): void {
  if (x.tree.kind[n] === K.Subscript) subscript(x, n, Operation.DeleteItem);
  else if (x.tree.kind[n] === K.ExpressionList || x.tree.kind[n] === K.Tuple || x.tree.kind[n] === K.Parenthesized) for (const c of x.tree.children(n)) deleted(x, c);
  else if (x.tree.kind[n] === K.Attribute) x.operation(Operation.DeleteAttribute, quietly(x, n), x.tree.line(n));
  else expression(x, n);
}

/** Binds the targets of an assignment, from the right; gives the definition that they share. */
function assignment(x: Extraction, n: number): number {
  const { tree } = x;
  const parts = tree.children(n);
  const left = parts[0];
  if (left === undefined) return 0;
  const typeNode = parts.find((c) => tree.kind[c] === K.Type);
  const equals = parts.findIndex((c) => tree.kind[c] === K.AssignOp);
  const right = equals < 0 ? undefined : parts[equals + 1];
  const comment = typeNode === undefined ? commentOfVariable(tree.source, tree.end[n]!) : undefined;
  const type = typeNode !== undefined ? annotation(x, typeNode) : comment === undefined ? -1 : commented(x, comment, n);
  const value = right === undefined ? -1 : tree.kind[right] === K.Assignment ? assignment(x, right) : expression(x, right);
  let definition = value < 0 ? 0 : value;
  if (type >= 0) definition = x.node(Op.Declared, type, value);
  x.assignment = n;
  bindTarget(x, left, definition);
  x.assignment = 0;
  if (tree.kind[left] === K.Identifier && tree.text(left) === "__all__" && right !== undefined) publicNames(x, right, false);
  return definition;
}

function augmented(x: Extraction, n: number): void {
  const { tree } = x;
  const [left, ...rest] = tree.children(n);
  const right = rest.findLast((c) => tree.kind[c]! < K.Async);
  if (left === undefined || right === undefined) return;
  const before = expression(x, left);
  const more = expression(x, right);
  const id = x.node(Op.Binary, x.string(operatorBefore(x, right)), before, more);
  x.operation(Operation.Assign, id, tree.line(left));
  if (tree.kind[left] === K.Attribute) x.operation(Operation.SetAttribute, before, tree.line(left));
  if (tree.kind[left] === K.Subscript) x.operation(Operation.SetItem, before, tree.line(left));
  x.store(before, more);
  const path = pathOf(x, left);
  // What is known stays; `a += b` declares nothing new.
  if (path !== undefined) x.place.flow.set(path, [id], tree.kind[left] === K.Attribute ? before : undefined);
  if (path === "__all__") publicNames(x, right, true);
}

/** Reads a list for `__all__`; anything but plain strings leaves the module's names open. */
function publicNames(x: Extraction, n: number, more: boolean): void {
  const { tree, facts } = x;
  if (x.place.scope !== 0) return;
  const names = tree.kind[n] === K.List || tree.kind[n] === K.Tuple
    ? tree.children(n).map((c) => (tree.kind[c] === K.String ? literal(x, c) : undefined))
    : [undefined];
  if (names.includes(undefined)) x.openNames = true;
  if (!more || !facts.all) facts.all = [];
  for (const name of names) if (name !== undefined) facts.all.push(name);
}

/** `__all__.append("x")`, `__all__.extend([...])` */
function extendAll(x: Extraction, n: number): void {
  const { tree } = x;
  const [callee, args] = tree.children(n);
  if (callee === undefined || args === undefined || tree.kind[callee] !== K.Attribute || !tree.source.startsWith("__all__.", tree.start[callee])) return;
  const value = tree.children(args)[0];
  if (value === undefined) return;
  if (tree.kind[value] === K.String) {
    const name = literal(x, value);
    if (name !== undefined) (x.facts.all ??= []).push(name);
  } else publicNames(x, value, true);
}

const isTrue = (x: Extraction, n: number): boolean => x.tree.kind[n] === K.True || (x.tree.kind[n] === K.Integer && x.tree.text(n) !== "0");

function ifStatement(x: Extraction, n: number): void {
  const { tree } = x;
  const { flow } = x.place;
  const ends: FlowState[] = [];
  const branch = (node: number): boolean => {
    const [test, body, ...rest] = tree.children(node);
    if (test === undefined) return false;
    tested(x, test);
    const before = flow.save();
    narrow(x, test, true);
    const main = node === n && x.place.scope === 0 && /^\(?(__name__\s*==\s*["']__main__["']|["']__main__["']\s*==\s*__name__)/.test(tree.source.slice(tree.start[test], tree.start[test]! + 60));
    if (main) x.inMain = true;
    if (body !== undefined) statement(x, body);
    if (main) x.inMain = false;
    ends.push(flow.save());
    flow.restore(before);
    narrow(x, test, false);
    for (const clause of rest) {
      if (tree.kind[clause] === K.Elif) branch(clause);
      else statement(x, clause);
    }
    return true;
  };
  if (!branch(n)) return;
  ends.push(flow.save());
  flow.join(ends);
}

function whileStatement(x: Extraction, n: number): void {
  const { tree } = x;
  const { flow } = x.place;
  const [test, body, ...rest] = tree.children(n);
  if (test === undefined) return;
  const before = flow.save();
  flow.enterLoop();
  tested(x, test);
  narrow(x, test, true);
  if (body !== undefined) statement(x, body);
  const last = flow.save();
  const breaks = flow.leaveLoop();
  if (isTrue(x, test)) {
    if (breaks.length > 0) flow.join(breaks);
    else flow.end();
    return;
  }
  flow.join([before, last]);
  narrow(x, test, false);
  for (const clause of rest) statement(x, clause);
  if (breaks.length > 0) flow.join([flow.save(), ...breaks]);
}

function forStatement(x: Extraction, n: number): void {
  const { tree } = x;
  const { flow } = x.place;
  const parts = tree.children(n);
  const at = parts.findIndex((c) => tree.kind[c] === K.In);
  const target = parts.slice(0, at).findLast((c) => tree.kind[c]! < K.Async);
  const iterable = parts[at + 1];
  if (at < 0 || target === undefined || iterable === undefined) return;
  const source = expression(x, iterable);
  const isAsync = parts.some((c) => tree.kind[c] === K.Async);
  x.operation(isAsync ? Operation.IterateAsync : Operation.Iterate, source, tree.line(iterable));
  const before = flow.save();
  flow.enterLoop();
  bindTarget(x, target, x.node(Op.Item, source, isAsync ? 1 : 0));
  const rest = parts.slice(at + 2);
  for (const c of rest) if (tree.kind[c] === K.Block) statement(x, c);
  const last = flow.save();
  const breaks = flow.leaveLoop();
  flow.join([before, last]);
  for (const c of rest) if (tree.kind[c] === K.Else) statement(x, c);
  if (breaks.length > 0) flow.join([flow.save(), ...breaks]);
}

function tryStatement(x: Extraction, n: number): void {
  const { tree } = x;
  const { flow } = x.place;
  const before = flow.save();
  const ends: FlowState[] = [];
  let handlers: FlowState | undefined;
  let last: number | undefined;
  for (const c of tree.children(n)) {
    switch (tree.kind[c]) {
      case K.Block:
        statement(x, c);
        break;
      case K.Except: {
        if (!handlers) {
          const after = flow.save();
          ends.push(after);
          flow.join([before, { env: after.env, dead: before.dead }]);
          handlers = flow.save();
        }
        flow.restore(handlers);
        exceptClause(x, c);
        ends.push(flow.save());
        break;
      }
      case K.Else:
        // Runs after the body, before the handlers' ends matter.
        if (ends[0]) flow.restore(ends[0]);
        statement(x, c);
        ends[0] = flow.save();
        break;
      case K.Finally:
        last = c;
        break;
      default:
    }
  }
  if (ends.length > 0) flow.join(ends);
  if (last === undefined) return;
  // `finally` runs on every way out, also where none of them goes on.
  statement(x, last);
}

function exceptClause(x: Extraction, n: number): void {
  const { tree } = x;
  for (const c of tree.children(n)) {
    if (tree.kind[c] === K.Block) statement(x, c);
    else if (tree.kind[c] === K.AsPattern) {
      const [type] = tree.children(c);
      const target = tree.child(c, K.AsPatternTarget);
      if (type === undefined) continue;
      const caught = x.node(Op.Caught, expression(x, type));
      if (target >= 0) bindTarget(x, target, caught);
    } else if (tree.kind[c]! < K.Async) expression(x, c);
  }
}

function withStatement(x: Extraction, n: number): void {
  const { tree } = x;
  const parts = tree.children(n);
  const isAsync = parts.some((c) => tree.kind[c] === K.Async);
  const manages = (c: number): number => {
    const manager = expression(x, c);
    x.operation(isAsync ? Operation.EnterAsync : Operation.Enter, manager, tree.line(c));
    return manager;
  };
  const item = (c: number): void => {
    if (tree.kind[c] === K.AsPattern) {
      const [manager] = tree.children(c);
      const target = tree.child(c, K.AsPatternTarget);
      if (manager === undefined) return;
      const entered = x.node(Op.Enter, manages(manager), isAsync ? 1 : 0);
      if (target >= 0) bindTarget(x, target, entered);
    } else if (tree.kind[c] === K.Tuple || tree.kind[c] === K.Parenthesized) {
      // `with (a as b, c):` in brackets
      for (const inner of tree.children(c)) item(inner);
    } else manages(c);
  };
  for (const c of parts) {
    if (tree.kind[c] === K.Block) statement(x, c);
    else if (tree.kind[c] === K.WithClause) for (const i of tree.children(c)) for (const inner of tree.children(i)) item(inner);
  }
}

function matchStatement(x: Extraction, n: number): void {
  const { tree } = x;
  const { flow } = x.place;
  const parts = tree.children(n);
  const subjects = parts.filter((c) => tree.kind[c] !== K.Block && tree.kind[c]! < K.Async);
  const values = subjects.map((c) => expression(x, c));
  const subject = subjects.length === 1 ? subjects[0]! : -1;
  const before = flow.save();
  const ends: FlowState[] = [before];
  for (const body of parts) {
    if (tree.kind[body] !== K.Block) continue;
    for (const clause of tree.children(body)) {
      flow.restore(before);
      for (const c of tree.children(clause)) {
        if (tree.kind[c] === K.CasePattern) pattern(x, c, subject, values[0] ?? 0);
        else if (tree.kind[c] === K.IfClause) for (const test of tree.children(c)) {
          tested(x, test);
          narrow(x, test, true);
        }
        else if (tree.kind[c] === K.Block) statement(x, c);
      }
      ends.push(flow.save());
    }
  }
  flow.join(ends);
}

/** Binds the names of a pattern; `subject` is the syntax node of what is matched, -1 inside a pattern. */
function pattern(x: Extraction, n: number, subject: number, value: number): void {
  const { tree } = x;
  const parts = tree.children(n);
  switch (tree.kind[n]) {
    case K.CasePattern:
      for (const c of parts) pattern(x, c, subject, value);
      return;
    case K.DottedName:
      if (parts.length === 1) x.bind(tree.text(parts[0]!), value);
      else expression(x, n);
      return;
    case K.AsPattern: {
      const [inner, ...rest] = parts;
      if (inner === undefined) return;
      pattern(x, inner, subject, value);
      const name = rest.findLast((c) => tree.kind[c] === K.Identifier);
      if (name !== undefined) x.bind(tree.text(name), classOf(x, inner, value));
      return;
    }
    case K.ClassPattern: {
      const [cls, ...rest] = parts;
      if (cls === undefined) return;
      const type = expression(x, cls);
      if (subject >= 0) narrowTo(x, subject, type, 1);
      const matched = x.node(Op.Narrow, value, type, 1);
      for (const c of rest) {
        const keyword = tree.child(c, K.KeywordPattern);
        if (keyword >= 0) {
          const [name, , inner] = tree.children(keyword);
          if (name !== undefined && inner !== undefined) pattern(x, inner, -1, x.node(Op.Attr, matched, x.string(tree.text(name))));
        } else pattern(x, c, -1, 0);
      }
      return;
    }
    case K.ListPattern: case K.TuplePattern:
      parts.forEach((c, i) => pattern(x, c, -1, x.node(Op.Unpack, value, i)));
      return;
    case K.SplatPattern: {
      const name = tree.child(n, K.Identifier);
      if (name >= 0) x.bind(tree.text(name), 0);
      return;
    }
    case K.KeywordPattern: case K.DictPattern: case K.UnionPattern: case K.Other:
      for (const c of parts) pattern(x, c, -1, 0);
      return;
    default:
  }
}

/** The value of a pattern that names a class: narrowed to it. */
function classOf(x: Extraction, n: number, value: number): number {
  const { tree } = x;
  while (tree.kind[n] === K.CasePattern && n + 1 < tree.after[n]!) n++;
  if (tree.kind[n] === K.ClassPattern) return x.node(Op.Narrow, value, quietly(x, n + 1), 1);
  return value;
}

/** `type X[T] = ...` */
function typeAlias(x: Extraction, n: number): void {
  const { tree } = x;
  const types = tree.children(n).filter((c) => tree.kind[c] === K.Type);
  const [left, right] = types;
  if (left === undefined || right === undefined) return;
  let name = left;
  while (name + 1 < tree.after[left]! && tree.kind[name] !== K.Identifier) name++;
  x.bind(tree.text(name), x.node(Op.TypeAlias, annotation(x, right)));
}
