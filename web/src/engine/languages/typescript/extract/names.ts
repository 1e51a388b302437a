import type { Syntax } from "./syntax.ts";

/** The text between a string literal's quotes, escapes left as they are. */
export function stringValue(literal: string): string {
  return literal.slice(1, -1);
}

/**
 * The name that a member's key gives: an identifier's or a string's text, `@@iterator` for
 * `[Symbol.iterator]`, undefined for what is computed.
 */
export function propertyName(syntax: Syntax, node: number): string | undefined {
  if (node === 0) return undefined;
  switch (syntax.kind(node)) {
    case "string":
      return stringValue(syntax.text(node));
    case "computed_property_name": {
      const inner = syntax.inner(node);
      if (syntax.kind(inner) === "string") return stringValue(syntax.text(inner));
      const text = syntax.text(inner);
      return text.startsWith("Symbol.") ? `@@${text.slice("Symbol.".length)}` : undefined;
    }
    default:
      return syntax.text(node);
  }
}
