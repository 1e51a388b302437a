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
      matching(u, type ? u.emit(Op.Value, type) : u.subject, () => {
        for (const child of syntax.children(node)) if (child !== name && syntax.field(child) !== "type") visit(u, child);
      });
      if (name) u.variable(identifier(u, name), type, 0);
      return;
    }
    case "subpattern": {
      const children = syntax.children(node);
      const member = children.length > 1 ? memberMatched(u, children[0]!) : 0;
      matching(u, member, () => {
        for (const child of children.slice(children.length > 1 ? 1 : 0)) visit(u, child);
      });
      return;
    }
    case "constant_pattern":
    case "type_pattern": {
      const [inner] = syntax.children(node);
      if (inner === undefined) return;
      // A name alone may be a constant or a type.
      u.useType(typeOf(u, inner), inner);
      if (syntax.kind(node) === "constant_pattern") constant(u, inner);
      return;
    }
    default:
  }
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
