import type { Evaluator } from "./evaluate.ts";
import { Op, type FunctionFact, type PyFacts } from "./facts.ts";
import type { Callable } from "./program.ts";
import { itemsOf, union, type Type } from "./types.ts";

/** The functions that a function defines inside and returns, as a decorator does: by their numbers in the file. */
export function closuresOf({ nodes }: PyFacts, { results }: FunctionFact): number[] {
  const found = new Set<number>();
  for (const result of results) {
    const definitions = nodes[result] === (Op.Local as number) ? nodes.slice(result + 4, result + 4 + nodes[result + 3]!) : [result];
    for (const definition of definitions) {
      const op = nodes[definition];
      if (op === (Op.Function as number) || op === (Op.Lambda as number)) found.add(nodes[definition + 1]!);
    }
  }
  return [...found];
}

/** Whether an annotation is the name `Any`: then a function's code says more of what it gives. */
export function saysAny(facts: PyFacts, annotation: number): boolean {
  const { nodes, strings } = facts;
  switch (nodes[annotation] as unknown as Op) {
    case Op.Name: case Op.Local: return strings[nodes[annotation + 1]!] === "Any";
    case Op.Attr: return strings[nodes[annotation + 2]!] === "Any";
    case Op.Quoted: return saysAny(facts, nodes[annotation + 2]!);
    default: return false;
  }
}

/** A declared result, with the functions that calling it runs where the declaration only says what that gives. */
export function withClosures({ program }: Evaluator, type: Type, { file, fact }: Callable): Type {
  const items = itemsOf(type);
  if (!items.some(({ k }) => k === "callable")) return type;
  const closures = closuresOf(file.facts, fact).map((index): Type => ({ k: "fn", fn: program.fn(file, index), self: undefined, solved: undefined }));
  if (closures.length === 0) return type;
  return union(items.map((item) => (item.k === "callable" && !item.runs ? { ...item, runs: union(closures) } : item)));
}
