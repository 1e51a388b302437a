import type { Syntax } from "./syntax.ts";

/** The text between a string literal's quotes, escapes left as they are. */
export function stringValue(literal: string): string {
  return literal.slice(1, -1);
}

/** What a member goes by whose name is the value of a constant: the constant's own name tells it from others. */
export function computedName(constant: string): string {
  return `[${constant}]`;
}

/** The name that a member's key gives: an identifier's or a string's text, `[NAME]` for a constant, `[Symbol.iterator]` among them, undefined for what is computed. */
export function propertyName(syntax: Syntax, node: number): string | undefined {
  if (node === 0) return undefined;
  switch (syntax.kind(node)) {
    case "string":
      return stringValue(syntax.text(node));
    case "computed_property_name": {
      const inner = syntax.inner(node);
      if (syntax.kind(inner) === "string") return stringValue(syntax.text(inner));
      const kind = syntax.kind(inner);
      return kind === "identifier" || kind === "member_expression" ? computedName(syntax.text(inner)) : undefined;
    }
    default:
      return syntax.text(node);
  }
}
