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
      // `List<>`
      const open = args.length === 0 ? Array.from({ length: arityOf(u, node) }, () => 0) : args;
      return u.named(nameOf(u, node), open);
    }
    case "array_type": {
      const rank = syntax.part(node, "rank");
      const element = typeOf(u, syntax.part(node, "type"));
      return rank ? u.emit(Op.Array, element) : element;
    }
    case "tuple_type":
      return tuple(u, syntax.children(node).map((element) => ({ name: nameIn(u, element), type: typeOf(u, syntax.part(element, "type")) })));
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

/** A tuple's type. The names of its parts stand behind its own, as far as it has some: "ValueTuple:first,,third". */
export function tuple(u: Unit, parts: readonly { name: string; type: Offset }[]): Offset {
  const names = parts.map(({ name }) => name).join();
  return u.named(/[^,]/.test(names) ? `${TUPLE}:${names}` : TUPLE, parts.map(({ type }) => type));
}

/** The name of a part of a tuple, where it has one. */
function nameIn(u: Unit, part: number): string {
  const name = u.syntax.part(part, "name");
  return name ? identifier(u, name) : "";
}

/** What an async function gives, by the type that it is declared with. */
export function resultOf(u: Unit, type: Offset, isAsync: boolean): Offset {
  return isAsync && u.code[type] === Op.Named && /Task$/.test(u.stringAt(u.code[type + 1]!)) ? u.lastOf(type) : type;
}

/** The type arguments of a name: those of its last part. */
export function argumentsOf(u: Unit, node: number): number[] {
  const list = listOf(u, node);
  return list ? u.syntax.children(list) : [];
}

function listOf({ syntax }: Unit, node: number): number {
  const last = syntax.part(node, "name") || node;
  return syntax.kind(last) === "generic_name" ? syntax.child(last, "type_argument_list") : 0;
}

/** How many type arguments the last part of a name has; those of `Map<,>` are not written. */
function arityOf(u: Unit, node: number): number {
  const list = listOf(u, node);
  return list ? u.syntax.children(list).length || u.syntax.text(list).split(",").length : 0;
}

/** A dotted name with the number of type arguments behind each part that has some: "Map`2.Entry". */
export function pathOf(u: Unit, node: number): string {
  const arity = arityOf(u, node);
  return nameOf(u, node) + (arity > 0 ? `\`${arity}` : "");
}

/** That name without those of its last part; `global::A` begins with a dot. */
export function nameOf(u: Unit, node: number): string {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "generic_name": {
      const name = syntax.child(node, "identifier");
      return name ? identifier(u, name) : "";
    }
    case "qualified_name":
      return `${pathOf(u, syntax.part(node, "qualifier"))}.${nameOf(u, syntax.part(node, "name"))}`;
    case "member_access_expression":
      return `${pathOf(u, syntax.part(node, "expression"))}.${nameOf(u, syntax.part(node, "name"))}`;
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
