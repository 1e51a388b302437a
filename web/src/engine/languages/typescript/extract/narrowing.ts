import { NarrowKind, Op } from "../facts.ts";
import type { Offset } from "../facts.ts";
import { expression } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { stringValue } from "./names.ts";

/** `a`, `a.b`, `this.b` as text, for what conditions can speak of; undefined for anything else. */
export function pathOf(x: Extraction, node: number): string | undefined {
  const { syntax } = x;
  switch (syntax.kind(node)) {
    case "identifier":
    case "shorthand_property_identifier":
    case "this":
      return syntax.text(node);
    case "non_null_expression":
    case "parenthesized_expression":
      return pathOf(x, syntax.inner(node));
    case "member_expression": {
      const object = pathOf(x, syntax.child(node, "object"));
      return object === undefined ? undefined : `${object}.${syntax.text(syntax.child(node, "property"))}`;
    }
    case "subscript_expression": {
      const object = pathOf(x, syntax.child(node, "object"));
      const index = syntax.child(node, "index");
      return object === undefined || syntax.kind(index) !== "identifier" && syntax.kind(index) !== "number" ? undefined : `${object}[${syntax.text(index)}]`;
    }
    default:
      return undefined;
  }
}

/** What an earlier condition made of this expression, or 0. */
export function narrowed(x: Extraction, node: number): Offset {
  if (x.narrowings.length === 0) return 0;
  const path = pathOf(x, node);
  if (path === undefined) return 0;
  for (let i = x.narrowings.length - 1; i >= 0; i--) {
    const narrowing = x.narrowings[i]!;
    if (narrowing.path !== path) continue;
    // A name declared since then is another variable.
    const root = /^[\w$]+/.exec(path)?.[0] ?? "";
    for (let scope: typeof x.scope | undefined = x.scope; scope && scope !== narrowing.scope; scope = scope.parent) {
      if (scope.own(root) !== undefined) return 0;
    }
    return narrowing.expression;
  }
  return 0;
}

/** Runs `read` with what a condition says while it holds (or does not). The condition was read before. */
export function withNarrowing<T>(x: Extraction, condition: number, holds: boolean, read: () => T): T {
  const mark = x.narrowings.length;
  narrowBy(x, condition, holds);
  const result = read();
  x.narrowings.length = mark;
  return result;
}

/** Adds what a condition says, until the caller cuts `narrowings` back. */
export function narrowBy(x: Extraction, condition: number, holds: boolean): void {
  for (const [path, at] of conditions(x, condition, holds)) x.narrowings.push({ path, scope: x.scope, expression: at });
}

type Known = [path: string, expression: Offset];

/** What a condition says of the paths in it, when it holds or does not. It was read before. */
export function conditions(x: Extraction, node: number, holds: boolean): Known[] {
  const { syntax } = x;
  switch (syntax.kind(node)) {
    case "parenthesized_expression":
      return conditions(x, syntax.inner(node), holds);
    case "unary_expression":
      return syntax.has(node, "!") ? conditions(x, syntax.child(node, "argument"), !holds) : [];
    case "call_expression":
      return guards(x, node, holds);
    case "binary_expression":
      return binary(x, node, holds);
    default:
      return [];
  }
}

function binary(x: Extraction, node: number, holds: boolean): Known[] {
  const { syntax } = x;
  const left = syntax.child(node, "left");
  const right = syntax.child(node, "right");
  const operator = syntax.text(syntax.child(node, "operator") || node);
  switch (operator) {
    case "&&":
    case "||": {
      const first = conditions(x, left, holds);
      if ((operator === "&&") === holds) {
        const mark = x.narrowings.length;
        // What the right side says starts from what the left side said.
        for (const [path, at] of first) x.narrowings.push({ path, scope: x.scope, expression: at });
        const second = conditions(x, right, holds);
        x.narrowings.length = mark;
        return [...first, ...second];
      }
      const second = new Map(conditions(x, right, holds));
      return first.flatMap(([path, at]): Known[] => {
        const other = second.get(path);
        return other === undefined ? [] : [[path, x.emit(Op.Or, 2, at, other)]];
      });
    }
    case "instanceof": {
      const path = pathOf(x, left);
      const type = x.built.get(node);
      if (path === undefined || type === undefined) return [];
      return [[path, record(x, left, NarrowKind.InstanceOf, type, 0, holds)]];
    }
    case "in": {
      const path = pathOf(x, right);
      if (path === undefined || syntax.kind(left) !== "string") return [];
      return [[path, record(x, right, NarrowKind.In, x.str(stringValue(syntax.text(left))), 0, holds)]];
    }
    case "===":
    case "==":
      return equals(x, left, right, holds);
    case "!==":
    case "!=":
      return equals(x, left, right, !holds);
    default:
      return [];
  }
}

function equals(x: Extraction, left: number, right: number, holds: boolean): Known[] {
  const { syntax } = x;
  if (syntax.kind(left) === "unary_expression" && syntax.has(left, "typeof") && syntax.kind(right) === "string") {
    const subject = syntax.child(left, "argument");
    const path = pathOf(x, subject);
    return path === undefined ? [] : [[path, record(x, subject, NarrowKind.TypeOf, x.str(stringValue(syntax.text(right))), 0, holds)]];
  }
  return discriminant(x, left, x.built.get(right) ?? 0, holds);
}

/** `x.kind === value`, or one case of `switch (x.kind)`. */
export function discriminant(x: Extraction, left: number, value: Offset, holds: boolean): Known[] {
  const { syntax } = x;
  const kind = syntax.kind(left);
  if (kind === "parenthesized_expression") return discriminant(x, syntax.inner(left), value, holds);
  if (kind !== "member_expression" || value === 0) return [];
  const object = syntax.child(left, "object");
  const path = pathOf(x, object);
  if (path === undefined) return [];
  const property = x.str(syntax.text(syntax.child(left, "property")));
  return [[path, record(x, object, NarrowKind.Equals, property, value, holds)]];
}

/** `isFoo(x)`, `this.isFoo(x)`: whether it is a type guard, the resolver will know. */
export function guards(x: Extraction, node: number, holds: boolean): Known[] {
  const { syntax } = x;
  const call = x.built.get(node);
  const list = syntax.child(node, "arguments");
  if (call === undefined || list === 0) return [];
  const known: Known[] = [];
  let position = 0;
  for (const child of syntax.children(list)) {
    if (syntax.kind(child) === "comment") continue;
    const path = pathOf(x, child);
    if (path !== undefined) known.push([path, record(x, child, NarrowKind.Guard, call, position, holds)]);
    position++;
  }
  const callee = syntax.child(node, "function");
  if (syntax.kind(callee) === "member_expression") {
    const object = syntax.child(callee, "object");
    const path = pathOf(x, object);
    if (path !== undefined && position === 0) known.push([path, record(x, object, NarrowKind.Guard, call, -1, holds)]);
  }
  return known;
}

function record(x: Extraction, node: number, kind: number, a: number, b: number, holds: boolean): Offset {
  return x.emit(Op.Narrow, expression(x, node), kind, a, b, holds ? 1 : 0);
}
