import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";

/** Types of the library of which `T?` is another type. */
const VALUES = /^(?:s?byte|u?short|u?int|u?long|float|double|decimal|bool|char|DateTime|DateTimeOffset|TimeSpan|Guid)$/;

/** What tuples are of. */
export const TUPLE = "ValueTuple";

/** Records a type; 0 for what is none, `var` among it. */
export function typeOf(u: Unit, node: number): Offset {
  const { syntax } = u;
  if (node === 0) return 0;
  switch (syntax.kind(node)) {
    case "identifier":
    case "predefined_type":
    case "generic_name":
    case "qualified_name":
    case "alias_qualified_name":
    case "member_access_expression": {
      const args = argumentsOf(u, node).map((argument) => typeOf(u, argument));
      return u.named(nameOf(u, node), args);
    }
    case "array_type": {
      const rank = syntax.part(node, "rank");
      const element = typeOf(u, syntax.part(node, "type"));
      return rank ? u.emit(Op.Array, element) : element;
    }
    case "tuple_type":
      return u.named(TUPLE, syntax.children(node).map((element) => typeOf(u, syntax.part(element, "type"))));
    case "nullable_type": {
      const inner = syntax.part(node, "type");
      const value = inner > 0 && VALUES.test(syntax.text(inner));
      return value ? u.named("Nullable", [typeOf(u, inner)]) : typeOf(u, inner);
    }
    case "ref_type":
    case "scoped_type":
    case "pointer_type":
    case "primary_constructor_base_type":
    case "type_pattern":
      return typeOf(u, syntax.part(node, "type"));
    default:
      return 0;
  }
}

/** The type arguments of a name: those of its last part. */
export function argumentsOf(u: Unit, node: number): number[] {
  const { syntax } = u;
  const last = syntax.part(node, "name") || node;
  const list = syntax.kind(last) === "generic_name" ? syntax.child(last, "type_argument_list") : 0;
  return list ? syntax.children(list) : [];
}

/** A dotted name without type arguments; `global::A` begins with a dot. */
export function nameOf(u: Unit, node: number): string {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "generic_name": {
      const name = syntax.child(node, "identifier");
      return name ? identifier(u, name) : "";
    }
    case "qualified_name":
      return `${nameOf(u, syntax.part(node, "qualifier"))}.${nameOf(u, syntax.part(node, "name"))}`;
    case "member_access_expression":
      return `${nameOf(u, syntax.part(node, "expression"))}.${nameOf(u, syntax.part(node, "name"))}`;
    case "alias_qualified_name": {
      const alias = syntax.part(node, "alias");
      const global = alias > 0 && syntax.text(alias) === "global";
      return `${global || !alias ? "" : syntax.text(alias)}.${nameOf(u, syntax.part(node, "name"))}`;
    }
    case "identifier":
    case "predefined_type":
      return identifier(u, node);
    default:
      return "";
  }
}

/** An identifier without the `@` that lets a keyword be one. */
export function identifier(u: Unit, node: number): string {
  return u.syntax.text(node).replace(/^@/, "");
}
