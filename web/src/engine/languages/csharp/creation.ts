import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { argumentsOf, expression, mention, noteArguments } from "./expressions.ts";
import { identifier, typeOf } from "./types.ts";

/** So many ways to call `Add` are told apart in one table. */
const MAX_ADDED = 20;

/** `new T(...)`; `declared` is the type of what `new()` is given to. */
export function creation(u: Unit, node: number, declared: Offset): Offset {
  const { syntax } = u;
  const type = syntax.part(node, "type");
  const list = syntax.part(node, "arguments") || syntax.child(node, "argument_list");
  const at = u.call(Op.New, type ? typeOf(u, type) : declared, list ? argumentsOf(u, list) : [], type || node);
  if (list) noteArguments(u, list, at);
  const initializer = syntax.part(node, "initializer") || syntax.child(node, "initializer_expression");
  if (initializer) objectInitializer(u, initializer, at);
  return at;
}

/** `{ A = x, B = { C = y } }`: what is assigned are members of the new object. */
function objectInitializer(u: Unit, node: number, of: Offset): void {
  const { syntax } = u;
  // By the kinds of their arguments the ways in which `Add` is called: a table of thousands calls it in one or two.
  const added = new Set<string>();
  for (const child of syntax.children(node)) {
    const left = syntax.kind(child) === "assignment_expression" ? syntax.part(child, "left") : 0;
    const right = left ? syntax.part(child, "right") : 0;
    if (!left || syntax.kind(left) !== "identifier") {
      // `{ ["key"] = value }`
      if (left) expression(u, left);
      const element = elementOf(u, of);
      // `{ { "key", value } }`
      const parts = !left && syntax.kind(child) === "initializer_expression" ? syntax.children(child).map((part) => givenTo(u, part, element)) : undefined;
      const value = parts ? u.listed(parts) : givenTo(u, right || child, element);
      const given = parts ?? [value];
      const way = given.map((one) => u.kindOf(one)).join();
      if (!left && !added.has(way) && added.size < MAX_ADDED) {
        added.add(way);
        u.call(Op.Call, u.select(of, "Add"), given, child);
      }
      if (u.code[value] === Op.Several) for (const one of u.code.slice(value + 2, value + 2 + u.code[value + 1]!)) u.giveTo(one, element);
      u.giveTo(value, element);
      u.store(of, value);
      continue;
    }
    const member = u.select(of, identifier(u, left));
    mention(u, member, left);
    if (right && syntax.kind(right) === "initializer_expression") objectInitializer(u, right, member);
    else if (right) {
      const value = expression(u, right);
      u.giveToWhat(value, member);
      u.store(member, value);
      u.conversion(value, member, child);
    }
  }
}

/** The type of the values in a new list or table, as it is written: the last of its type's arguments. */
function elementOf(u: Unit, made: Offset): Offset {
  return u.code[made] === Op.New ? u.lastOf(u.code[made + 1]!) : 0;
}

/** A value where one of a type is expected, which `new()` makes one of. */
export function givenTo(u: Unit, value: number, declared: Offset): Offset {
  return u.syntax.kind(value) === "implicit_object_creation_expression" ? creation(u, value, declared) : expression(u, value);
}
