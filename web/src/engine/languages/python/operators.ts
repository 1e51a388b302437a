/** Operators, and what is asked whether it is true. */
import { expression } from "./expressions.ts";
import type { Extraction } from "./extraction.ts";
import { Op, Operation } from "./facts.ts";
import { isValue, K } from "./tree.ts";
import { narrow } from "./type-guards.ts";

export function binary(x: Extraction, n: number): number {
  const { tree } = x;
  // A long sum leans to the left: walk down its spine instead of recursing.
  const spine: number[] = [];
  let at = n;
  while (tree.kind[at] === K.Binary || tree.kind[at] === K.UnionType) {
    spine.push(at);
    const left = tree.children(at)[0];
    if (left === undefined) break;
    at = left;
  }
  let id = expression(x, at);
  for (const node of spine.reverse()) {
    const right = tree.children(node).at(-1)!;
    id = x.node(Op.Binary, x.string(operatorBefore(x, right)), id, right === node + 1 ? 0 : expression(x, right));
    x.operation(Operation.Binary, id, tree.line(right));
  }
  return id;
}

export const UNARY: ReadonlyMap<string, Operation> = new Map([["-", Operation.Negative], ["+", Operation.Positive], ["~", Operation.Invert]]);

/** The operator of a comparison in front of an operand. */
const COMPARES = /(==|!=|<>|<=|>=|<|>|\bin)[\s\\]*$/;

/** `a < b < c` compares each with the next one. */
export function comparison(x: Extraction, n: number): void {
  const { tree } = x;
  const operands = tree.children(n).filter((c) => isValue(tree.kind[c]!));
  const ids = operands.map((c) => expression(x, c));
  for (let i = 1; i < ids.length; i++) {
    const start = tree.start[operands[i]!]!;
    const operator = COMPARES.exec(tree.source.slice(Math.max(0, start - 20), start))?.[1];
    const line = tree.line(operands[i]!);
    if (operator === "in") x.operation(Operation.Contains, ids[i]!, line);
    else if (operator && isCompared(x, operator, ids[i - 1]!, ids[i]!)) x.operation(Operation.Binary, x.node(Op.Binary, x.string(operator), ids[i - 1]!, ids[i]!), line);
  }
}

/** Whether comparing two values may run something: numbers are compared with what objects are equal to, and hardly ever with what they are less than. */
function isCompared({ facts: { nodes } }: Extraction, operator: string, left: number, right: number): boolean {
  const constants = [left, right].filter((id) => nodes[id] === (Op.Const as number)).length;
  return constants === 0 || (constants === 1 && /^[=!]=$/.test(operator));
}

/** An expression of which it is asked whether it is true. */
export function tested(x: Extraction, n: number): number {
  const { nodes } = x.facts;
  const id = expression(x, n);
  // Of `a and b` the first one was asked already.
  let last = id;
  while (nodes[last] === (Op.Either as number)) last = nodes[last + 2]!;
  // Most functions whose result is tested give a truth value.
  if (nodes[last] !== (Op.Call as number)) x.operation(Operation.Test, last, x.tree.line(n));
  return id;
}

/** The operator in front of an operand, without the `=` of an augmented assignment. */
export function operatorBefore(x: Extraction, operand: number): string {
  const { source, start } = x.tree;
  let end = start[operand]!;
  while (end > 0 && " \t\r\n(\\=".includes(source[end - 1]!)) end--;
  let from = end;
  while (from > 0 && "+-*/%@&|^<>".includes(source[from - 1]!)) from--;
  return source.slice(from, end);
}

export function booleanOperator(x: Extraction, n: number): number {
  const { tree } = x;
  const parts = tree.children(n);
  const left = parts[0];
  const right = parts.at(-1);
  if (left === undefined || right === undefined || left === right) return x.node(Op.Unknown);
  const first = tested(x, left);
  const { flow } = x.place;
  const before = flow.save();
  narrow(x, left, !parts.some((c) => tree.kind[c] === K.Or));
  const second = expression(x, right);
  flow.restore(before);
  return x.node(Op.Either, first, second);
}

export function conditional(x: Extraction, n: number): number {
  const [yes, test, no] = x.tree.children(n);
  if (yes === undefined || test === undefined || no === undefined) return x.node(Op.Unknown);
  const { flow } = x.place;
  tested(x, test);
  const before = flow.save();
  narrow(x, test, true);
  const first = expression(x, yes);
  flow.restore(before);
  narrow(x, test, false);
  const second = expression(x, no);
  flow.restore(before);
  return x.node(Op.Either, first, second);
}
