import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { expression } from "./expressions.ts";
import { identifier, typeOf } from "./types.ts";

/** `from x in xs where … select y` */
export function query(u: Unit, node: number): Offset {
  const { syntax } = u;
  u.scoped(() => {
    for (const clause of syntax.children(node)) {
      const name = syntax.part(clause, "name");
      const parts = syntax.children(clause).filter((child) => child !== name && syntax.field(child) !== "type");
      if (/^(?:from|join|let)_clause$/.test(syntax.kind(clause)) && name) {
        const [first, ...rest] = parts;
        const over = first === undefined ? 0 : expression(u, first);
        u.variable(identifier(u, name), typeOf(u, syntax.part(clause, "type")), syntax.kind(clause) === "let_clause" ? over : u.emit(Op.Element, over));
        for (const part of rest) expression(u, part);
      } else {
        for (const part of parts) expression(u, part);
      }
    }
  });
  return 0;
}
