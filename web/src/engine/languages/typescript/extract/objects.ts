import { Op, ThisKind } from "../facts.ts";
import type { MemberFact, Offset } from "../facts.ts";
import { describe, describeNamed, isOne, thisDescribed } from "./descriptors.ts";
import { computedKey, expression } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { functionOf } from "./functions.ts";
import { propertyName } from "./names.ts";
import { newShape } from "./types.ts";

/** Reads an object literal; returns its shape. Its functions with a name are symbols: of `objectOwner`, else of what encloses the literal. */
export function objectLiteral(x: Extraction, node: number, context: Offset): number {
  const { syntax } = x;
  const shape = newShape(x, "object", -1, x.objectOwner ?? "");
  const { described } = x;
  x.described = undefined;
  const self = isOne(described) ? thisDescribed(x, described) : { thisKind: ThisKind.Object, thisOperand: shape };
  const fact = x.facts.shapes[shape]!;
  const add = (name: string, kind: MemberFact["kind"], functions: number[], initialiser: Offset, symbol: number): void => {
    fact.members.push({ name, kind, functions, type: 0, initialiser, symbol });
  };
  for (const part of syntax.children(node)) {
    switch (syntax.kind(part)) {
      case "shorthand_property_identifier": {
        const value = expression(x, part);
        // Only what is given to a call is handed on; an object may also be kept or returned.
        if (context !== 0 && x.facts.code[context] === Op.ContextArgument) x.reference(value, part);
        add(syntax.text(part), "field", [], value, -1);
        if (isOne(described)) describeNamed(x, described, syntax.text(part), part, value);
        if (context !== 0) x.store(x.emit(Op.ContextProperty, context, x.str(syntax.text(part))), value);
        break;
      }
      case "spread_element":
        fact.spreads.push(expression(x, syntax.inner(part)));
        break;
      case "pair": {
        const at = syntax.child(part, "key");
        const name = propertyName(syntax, at);
        const value = syntax.child(part, "value");
        const key = computedKey(x, at);
        if (name === undefined) {
          expression(x, value);
          break;
        }
        const expected = context === 0 ? 0 : x.emit(Op.ContextProperty, context, x.str(name));
        if (isFunction(x, value)) {
          const symbol = methodSymbol(x, name, at, part, value);
          const f = functionOf(x, unwrap(x, value), { symbol, context: expected, ...self });
          add(name, "method", [f], 0, symbol);
          if (isOne(described)) describe(x, described, name, f, symbol);
          if (symbol >= 0) literalFunction(x, f, expected, at);
        } else {
          if (described && "binding" in described && described.name === undefined && syntax.kind(value) === "object") x.described = { ...described, name };
          const read = expression(x, value, expected);
          x.described = undefined;
          if (syntax.kind(value) === "identifier" && !x.handedOut.has(value)) x.reference(read, value);
          add(name, "field", [], read, -1);
          if (isOne(described)) describeNamed(x, described, name, value, read);
          x.store(expected, read);
          // `x[symbol]` reads it from any object.
          if (key !== 0 && name.startsWith("[")) x.store(x.emit(Op.Index, 0, key, x.str(name)), read);
        }
        break;
      }
      case "method_definition": {
        const at = syntax.child(part, "name");
        const name = propertyName(syntax, at);
        computedKey(x, at);
        const symbol = name === undefined ? -1 : methodSymbol(x, name, at, part, part);
        const expected = context === 0 || name === undefined ? 0 : x.emit(Op.ContextProperty, context, x.str(name));
        const f = functionOf(x, part, { symbol, context: expected, ...self });
        if (name === undefined) break;
        if (isOne(described)) describe(x, described, name, f, symbol);
        const kind = syntax.has(part, "get") ? "getter" : syntax.has(part, "set") ? "setter" : "method";
        add(name, kind, [f], 0, symbol);
        if (kind === "method" && symbol >= 0) literalFunction(x, f, expected, at);
        break;
      }
    }
  }
  return shape;
}

function methodSymbol(x: Extraction, name: string, at: number, node: number, value: number): number {
  return x.addSymbol({
    kind: "Method", name, owner: x.objectOwner ?? x.symbols[x.place]?.name, at, node, body: x.syntax.child(unwrap(x, value), "body"), exported: false,
  });
}

/** Notes where a function of an object literal is put, and who hands it on: what takes the literal may call it. */
function literalFunction(x: Extraction, f: number, context: Offset, at: number): void {
  const value = x.emit(Op.Function, f);
  x.store(context, value);
  const given = isArgument(x, context);
  if (given) x.reference(value, at);
  // A variable's own literal is reached through the variable.
  if (given || x.objectOwner === undefined) x.member(value, at, at);
}

/** Whether a context is that of an argument, or of a part of one. */
function isArgument(x: Extraction, context: Offset): boolean {
  const { code } = x.facts;
  let at = context;
  while (code[at] === Op.ContextProperty || code[at] === Op.ContextElement) at = code[at + 1]!;
  return at !== 0 && code[at] === Op.ContextArgument;
}

/** The expression within parentheses, casts and `!`. */
export function unwrap(x: Extraction, node: number): number {
  for (;;) {
    switch (x.syntax.kind(node)) {
      case "parenthesized_expression":
      case "non_null_expression":
      case "as_expression":
      case "satisfies_expression":
        node = x.syntax.inner(node);
        break;
      default:
        return node;
    }
  }
}

export function isFunction(x: Extraction, node: number): boolean {
  if (node === 0) return false;
  const kind = x.syntax.kind(unwrap(x, node));
  return kind === "arrow_function" || kind === "function_expression" || kind === "generator_function";
}

export function isFunctionOrClass(x: Extraction, node: number): boolean {
  return isFunction(x, node) || x.syntax.kind(unwrap(x, node)) === "class";
}
