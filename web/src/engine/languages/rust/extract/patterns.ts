import { type Offset, Op } from "../facts.ts";
import { pathOf } from "./types.ts";
import { nameOf, type Unit } from "./unit.ts";

/** Declares what a pattern takes out of a value. */
export function pattern(u: Unit, node: number, value: Offset): void {
  const { syntax } = u;
  if (node === 0) return;
  switch (syntax.kind(node)) {
    case "identifier":
    case "shorthand_field_identifier": {
      const name = nameOf(syntax.text(node));
      // By the language's habit a name in capitals is a constant or a variant, and declares nothing.
      if (!/^\p{Lu}/u.test(name)) u.variable(u.local(node), 0, value);
      else if (syntax.kind(node) === "identifier") u.use(pathOf(u, node, []), node);
      return;
    }
    case "scoped_identifier":
      u.use(pathOf(u, node, []), node);
      return;
    case "range_pattern":
      for (const child of syntax.children(node)) pattern(u, child, 0);
      return;
    case "self":
      return;
    case "ref_pattern":
    case "mut_pattern":
    case "reference_pattern":
    case "parenthesized_pattern":
    case "match_pattern":
    case "or_pattern":
    case "box_pattern":
      for (const child of syntax.children(node)) if (syntax.field(child) !== "condition") pattern(u, child, value);
      return;
    case "captured_pattern": {
      const [name = 0, ...rest] = syntax.children(node);
      pattern(u, name, value);
      for (const child of rest) pattern(u, child, value);
      return;
    }
    case "tuple_pattern":
      for (const [child, i] of numbered(u, syntax.children(node))) pattern(u, child, i < 0 ? 0 : u.emit(Op.Field, value, u.str(String(i))));
      return;
    case "tuple_struct_pattern": {
      const type = syntax.part(node, "type");
      const path = matched(u, type);
      const parts = syntax.children(node).filter((child) => child !== type);
      for (const [child, i] of numbered(u, parts)) pattern(u, child, i < 0 ? 0 : u.emit(Op.Part, value, path, u.str(String(i))));
      return;
    }
    case "struct_pattern": {
      const type = syntax.part(node, "type");
      const path = matched(u, type);
      for (const field of syntax.children(node)) {
        if (syntax.kind(field) !== "field_pattern") continue;
        const name = syntax.part(field, "name");
        const inner = syntax.part(field, "pattern") || name;
        if (name) pattern(u, inner, u.emit(Op.Part, value, path, u.str(nameOf(syntax.text(name)))));
      }
      return;
    }
    case "slice_pattern":
      for (const child of syntax.children(node)) pattern(u, child, u.emit(Op.Element, value));
      return;
    default:
  }
}

/** The path of what a pattern takes apart. */
function matched(u: Unit, type: number): Offset {
  if (!type) return 0;
  const path = pathOf(u, type, []);
  u.use(u.emit(Op.Matched, path), type);
  return path;
}

/** The parts of a pattern with their positions; -1 behind a `..`, whose length is unknown. */
function numbered(u: Unit, parts: readonly number[]): [node: number, position: number][] {
  const rest = parts.findIndex((part) => u.syntax.kind(part) === "remaining_field_pattern");
  return parts.map((part, i) => [part, rest >= 0 && i > rest ? -1 : i]);
}
