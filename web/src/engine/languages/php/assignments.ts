import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { putInto } from "./elements.ts";
import { expression, property, subscript } from "./expressions.ts";
import { makeGlobal, writeGlobal } from "./globals.ts";
import { Use } from "./functions.ts";
import { touched } from "./implicit.ts";
import { assigned } from "./members.ts";

export function assignment(u: Unit, node: number): Offset {
  const { syntax } = u;
  const left = syntax.part(node, "left");
  const right = syntax.part(node, "right");
  const value = right ? expression(u, right) : 0;
  if (left) assign(u, left, value);
  if (left && right && value === 0 && syntax.kind(right) === "array_creation_expression") u.arrays.add(u.lookup(syntax.text(left)));
  if (left && u.code[value] === Op.New && syntax.kind(left) === "variable_name") makeGlobal(u, left, node, value);
  return value;
}

export function assign(u: Unit, target: number, value: Offset): void {
  const { syntax } = u;
  switch (syntax.kind(target)) {
    case "variable_name": {
      const before = u.lookup(syntax.text(target));
      u.variable(syntax.text(target), u.said.get(syntax.text(target)) ?? 0, value);
      writeGlobal(u, target, before, value);
      break;
    }
    case "member_access_expression": {
      const of = syntax.part(target, "object");
      const name = syntax.part(target, "name");
      const own = of && name && syntax.text(of) === "$this" && syntax.kind(name) === "name";
      if (own) touched(u, u.select(u.emit(Op.Self, u.within), syntax.text(name)), Use.Write, target);
      if (own) assigned(u, syntax.text(name), value);
      if (!own) {
        const at = property(u, target);
        u.store(at, value);
        touched(u, at, Use.Write, target);
      }
      else if (u.isStored(value)) u.store(u.select(u.emit(Op.Self, u.within), syntax.text(name)), value);
      break;
    }
    case "scoped_property_access_expression": {
      const of = syntax.part(target, "scope");
      const name = syntax.part(target, "name");
      const plain = name ? syntax.text(name).replace(/^\$/, "") : "";
      const at = expression(u, target);
      if (of && name && /^(?:self|static)$/i.test(syntax.text(of))) assigned(u, plain, value);
      if (of && name && u.isStored(value)) u.store(at, value);
      break;
    }
    case "subscript_expression": {
      let of = subscript(u, target, "offsetSet");
      for (; u.code[of] === Op.Index || u.code[of] === Op.Entry; of = u.code[of + 1]!) {
        if (u.code[of] === Op.Entry) u.store(u.emit(Op.Keyed, u.code[of + 2]!, 0), value);
      }
      u.store(of, value);
      putInto(u, syntax.children(target)[0] ?? 0, value);
      break;
    }
    case "list_literal":
    case "array_creation_expression":
      // What a list is taken apart into hides what had the names before.
      for (const part of syntax.children(target)) {
        const names = syntax.kind(part) === "array_element_initializer" ? syntax.children(part).slice(-1) : [part];
        for (const name of names) if (syntax.kind(name) !== "string") assign(u, name, value ? u.emit(Op.Spread, value) : 0);
      }
      break;
    default:
      expression(u, target);
  }
}
