import { Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { expression } from "./expressions.ts";
import { argumentsOf as typeArguments, nameOf, typeOf } from "./types.ts";

/** The attributes of a declaration: their classes are named, and their arguments are code. */
export function attributesOf(u: Unit, node: number): void {
  for (const child of u.syntax.children(node)) if (u.syntax.kind(child) === "attribute_list") attributes(u, child);
}

/** Attributes whose text is the name of a member that gives a test its arguments. */
const MEMBERS = /(?:^|\.)(?:MemberData|TestCaseSource|ValueSource|DynamicData)$/;

/** The attributes of one list. */
export function attributes(u: Unit, list: number): void {
  const { syntax } = u;
  for (const attribute of syntax.children(list)) {
    const name = syntax.part(attribute, "name");
    const written = name ? nameOf(u, name) : "";
    if (written === "") continue;
    const given = typeArguments(u, name).map((argument) => typeOf(u, argument));
    // `[Cached]` is the class Cached, where that is an attribute, or CachedAttribute.
    if (written.endsWith("Attribute")) u.useType(u.named(written, given), name);
    else {
      u.use(u.emit(Op.Quoted, u.named(written, given)), name);
      u.useType(u.named(`${written}Attribute`, given), name);
    }
    const list = syntax.child(attribute, "attribute_argument_list");
    for (const argument of list ? syntax.children(list) : []) {
      const value = syntax.children(argument).at(-1);
      if (value === undefined) continue;
      const member = MEMBERS.test(written) ? /^"(\w+)"$/.exec(syntax.text(value))?.[1] : undefined;
      if (member !== undefined) u.use(u.emit(Op.Quoted, u.emit(Op.Name, u.str(member), u.within)), value);
      expression(u, value);
    }
  }
}
