import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";

/** The most that Java has. */
const MAX_DIMENSIONS = 255;

/** Before the place of a record's part, in the other name that its accessor has: patterns call it by that. */
export const PART = "#";

export function partName(place: number): string {
  return `${PART}${place}`;
}

/** Records a type; 0 for what is none, `var` among it. */
export function typeOf(u: Unit, node: number): Offset {
  const { syntax } = u;
  if (node === 0) return 0;
  switch (syntax.kind(node)) {
    case "type_identifier": {
      const name = syntax.text(node);
      return name === "var" ? 0 : u.named(name);
    }
    case "identifier":
    case "scoped_identifier":
    case "scoped_type_identifier":
    case "integral_type":
    case "floating_point_type":
    case "boolean_type":
    case "void_type":
      return u.named(nameOf(u, node));
    case "generic_type": {
      const [base] = syntax.children(node);
      const list = syntax.child(node, "type_arguments");
      const args = list ? syntax.children(list).map((argument) => typeOf(u, argument)) : [];
      return base === undefined ? 0 : u.named(nameOf(u, base), args);
    }
    case "array_type":
      return arrayOf(u, typeOf(u, syntax.part(node, "element")), syntax.part(node, "dimensions"));
    case "annotated_type":
      return typeOf(u, syntax.children(node).at(-1) ?? 0);
    case "wildcard": {
      // `? extends T` gives T; `? super T` takes it, which for a lambda's parameter is the same.
      const bound = syntax.children(node).at(-1);
      return bound === undefined ? 0 : typeOf(u, bound);
    }
    case "catch_type": {
      const terms = syntax.children(node).map((term) => typeOf(u, term));
      return terms.length === 1 ? terms[0]! : u.emit(Op.Union, terms.length, ...terms);
    }
    default:
      return 0;
  }
}

/** An array of a type, of as many dimensions as a node has brackets; the type itself where there is none. */
export function arrayOf(u: Unit, type: Offset, dimensions: number): Offset {
  const count = dimensions ? u.syntax.text(dimensions).match(/\[/g)?.length ?? 0 : 0;
  let at = type;
  for (let i = 0; i < Math.min(count, MAX_DIMENSIONS); i++) at = u.emit(Op.Array, at);
  return at;
}

/** A type's dotted name, without annotations and type arguments. */
function nameOf(u: Unit, node: number): string {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "scoped_type_identifier":
      return syntax.children(node).filter((child) => !/annotation$/.test(syntax.kind(child))).map((child) => nameOf(u, child)).join(".");
    case "generic_type":
      return nameOf(u, syntax.children(node)[0] ?? node);
    default:
      return syntax.text(node).replace(/\s+/g, "");
  }
}
