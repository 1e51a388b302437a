import { READS } from "./containers.ts";
import { Op, type FunctionFact, type PyFacts } from "./facts.ts";

/** Expressions that are looked at. */
const MAX_EXPRESSIONS = 100;

/** The parameters that a function may return, alone, as what is in them, or as what a call or a list is given, by their places. */
export function handsBack({ nodes, phis, strings }: PyFacts, fn: number, { results }: FunctionFact): number[] {
  const found = new Set<number>();
  const seen = new Set<number>();
  const all = (list: readonly number[]): void => {
    for (const id of list) visit(id);
  };
  const visit = (id: number): void => {
    if (id < 0 || seen.has(id) || seen.size >= MAX_EXPRESSIONS) return;
    seen.add(id);
    const [a, b] = [nodes[id + 1]!, nodes[id + 2]!];
    switch (nodes[id] as unknown as Op) {
      case Op.Param:
        if (a === fn) found.add(b);
        return;
      case Op.Local: all(nodes.slice(id + 4, id + 4 + nodes[id + 3]!)); return;
      case Op.Phi: all(phis[a]!); return;
      case Op.Either: all([a, b]); return;
      case Op.Declared: visit(b); return;
      case Op.Narrow: case Op.Star: case Op.Sub: case Op.Slice: case Op.Await: visit(a); return;
      case Op.List: case Op.Tuple: case Op.Set: all(nodes.slice(id + 2, id + 2 + a)); return;
      case Op.Call:
        if (isRead(nodes, strings, a)) visit(nodes[a + 1]!);
        all(nodes.slice(id + 3, id + 3 + b));
        return;
      default:
    }
  };
  all(results);
  return [...found].sort((x, y) => x - y);
}

/** Whether what is called gives what is in a list or table: `table.get`. */
function isRead(nodes: PyFacts["nodes"], strings: PyFacts["strings"], callee: number): boolean {
  return nodes[callee] === (Op.Attr as number) && READS.has(strings[nodes[callee + 2]!]!);
}
