import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { constant, mention } from "./expressions.ts";
import { visit } from "./statements.ts";
import { identifier, typeOf } from "./types.ts";

/** Reads a pattern: it declares names, and names types, constants and members of what it is matched with. */
export function pattern(u: Unit, node: number): void {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "catch_declaration":
    case "declaration_pattern":
    case "recursive_pattern": {
      const name = syntax.part(node, "name");
      const written = syntax.part(node, "type");
      const type = typeOf(u, written);
      if (written) u.useType(type, written);
      const subject = type ? u.emit(Op.Value, type) : u.subject;
      const places = syntax.child(node, "positional_pattern_clause");
      if (places) u.runs(subject, `Deconstruct:${syntax.children(places).length}`, node);
      for (const [i, place] of (places ? syntax.children(places) : []).entries()) matching(u, partOf(u, subject, i), () => visit(u, place));
      matching(u, subject, () => {
        for (const child of syntax.children(node)) if (child !== name && child !== places && syntax.field(child) !== "type") visit(u, child);
      });
      if (name) u.variable(identifier(u, name), type, type ? 0 : subject);
      return;
    }
    case "subpattern": {
      const children = syntax.children(node);
      const member = children.length > 1 ? memberMatched(u, children[0]!) : u.subject;
      matching(u, member, () => {
        for (const child of children.slice(children.length > 1 ? 1 : 0)) visit(u, child);
      });
      return;
    }
    case "list_pattern":
      matching(u, u.subject && u.emit(Op.Index, u.subject, 0), () => {
        for (const child of syntax.children(node)) visit(u, child);
      });
      return;
    case "constant_pattern":
    case "type_pattern": {
      const [inner] = syntax.children(node);
      if (inner === undefined) return;
      if (syntax.kind(inner) === "invocation_expression" && syntax.text(syntax.part(inner, "function")) !== "nameof") {
        positional(u, inner);
        return;
      }
      // `(1, 2)`
      if (syntax.kind(inner) === "tuple_expression") u.runs(u.subject, `Deconstruct:${syntax.children(inner).length}`, node);
      // A name alone may be a constant or a type.
      u.useType(typeOf(u, inner), inner);
      if (syntax.kind(node) === "constant_pattern") constant(u, inner);
      return;
    }
    default:
  }
}

/** `Point(1, var y)`, which the grammar takes for a call. */
function positional(u: Unit, node: number): void {
  const { syntax } = u;
  const written = syntax.part(node, "function");
  const type = typeOf(u, written);
  const list = syntax.part(node, "arguments");
  const places = list ? syntax.children(list) : [];
  if (type) u.useType(type, written);
  const subject = u.emit(Op.Value, type);
  if (type) u.runs(subject, `Deconstruct:${places.length}`, node);
  for (const [i, place] of places.entries()) {
    const inner = syntax.children(place).at(-1);
    if (inner === undefined) continue;
    if (syntax.kind(inner) === "invocation_expression") positional(u, inner);
    else if (syntax.kind(inner) === "declaration_expression") placed(u, inner, partOf(u, subject, i));
    else constant(u, inner);
  }
}

/** A variable that a place of a pattern declares. */
function placed(u: Unit, node: number, part: Offset): void {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  const type = typeOf(u, syntax.part(node, "type"));
  if (name) u.variable(identifier(u, name), type, type ? 0 : part);
}

/** What a value gives at a place when it is taken apart. */
function partOf(u: Unit, of: Offset, place: number): Offset {
  return of && u.select(of, `Item${place + 1}`);
}

/** Runs `inside` for what a value is matched with. */
export function matching(u: Unit, subject: Offset, inside: () => void): void {
  const before = u.subject;
  u.subject = subject;
  inside();
  u.subject = before;
}

/** The member that a pattern in braces matches, `A` or `A.B`; it is read. */
function memberMatched(u: Unit, node: number): Offset {
  const { syntax } = u;
  if (u.subject === 0 || !/^(?:identifier|member_access_expression)$/.test(syntax.kind(node))) return 0;
  let at = u.subject;
  for (const name of syntax.text(node).split(".")) {
    at = u.select(at, name.trim());
    mention(u, at, node);
  }
  return at;
}
