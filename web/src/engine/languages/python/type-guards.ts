/** Tests that say of which class something is: `isinstance(x, C)`, `type(x) is C`. */
import { pathOf, quietly } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { Op } from "./facts.ts";
import { isValue, K } from "./tree.ts";

/** Applies what a test says about the types of names and attributes to the flow. `holds`: the test is true. */
export function narrow(x: Extraction, test: number, holds: boolean): void {
  if (!x.enter()) return;
  narrowBy(x, test, holds);
  x.leave();
}

function narrowBy(x: Extraction, test: number, holds: boolean): void {
  const { tree } = x;
  const parts = tree.children(test);
  switch (tree.kind[test]) {
    case K.Parenthesized: case K.Named:
      // `(y := x)` is true when y is; nothing about types.
      if (tree.kind[test] === K.Parenthesized && parts[0] !== undefined) narrow(x, parts[0], holds);
      return;
    case K.Not:
      if (parts[0] !== undefined) narrow(x, parts[0], !holds);
      return;
    case K.Boolean: {
      const or = parts.some((c) => tree.kind[c] === K.Or);
      const operands = parts.filter((c) => isValue(tree.kind[c]!));
      if (or !== holds) for (const operand of operands) narrow(x, operand, holds);
      else if (holds) eitherClass(x, operands);
      return;
    }
    case K.Call: {
      const [callee, args] = parts;
      if (callee === undefined || args === undefined || tree.kind[callee] !== K.Identifier) return;
      const mode = tree.text(callee) === "isinstance" ? (holds ? 1 : 0) : tree.text(callee) === "issubclass" && holds ? 2 : -1;
      const [subject, classes] = tree.children(args);
      if (mode >= 0 && subject !== undefined && classes !== undefined) narrowTo(x, subject, quietly(x, classes), mode);
      return;
    }
    case K.Compare: {
      // type(y) is C
      const [left, operator, right] = parts;
      if (!holds || left === undefined || operator === undefined || right === undefined || tree.kind[left] !== K.Call) return;
      if (tree.kind[operator] !== K.Is && tree.kind[operator] !== K.Equals) return;
      const [callee, args] = tree.children(left);
      if (callee === undefined || args === undefined || tree.text(callee) !== "type") return;
      const subject = tree.children(args)[0];
      if (subject !== undefined) narrowTo(x, subject, quietly(x, right), 1);
      return;
    }
    default:
  }
}

/** `isinstance(x, A) or isinstance(x, B)` on one path: x is either. */
function eitherClass(x: Extraction, operands: readonly number[]): void {
  const { flow } = x.place;
  const states = operands.map((operand) => {
    const before = flow.save();
    narrow(x, operand, true);
    const after = flow.save();
    flow.restore(before);
    return after;
  });
  flow.join(states);
}

/** From here on the subject, a path, is narrowed by a class expression. */
export function narrowTo(x: Extraction, subject: number, classes: number, mode: number): void {
  const { tree } = x;
  if (tree.kind[subject] === K.Parenthesized) subject++;
  if (tree.kind[subject] === K.Named) subject = tree.children(subject)[0]!;
  const path = pathOf(x, subject);
  if (path === undefined) return;
  const before = quietly(x, subject);
  const plain = tree.kind[subject] === K.Attribute ? before : undefined;
  x.place.flow.set(path, [x.node(Op.Narrow, before, classes, mode)], plain);
}
