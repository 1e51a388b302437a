import { expect, it } from "vitest";
import { handmade } from "../../../test/graphs.ts";
import type { ToolContext } from "../tools.ts";
import { viewBetween } from "./between.ts";
import type { LocalAnswer } from "./local.ts";

const ask = (names: readonly string[], edges: readonly (readonly [string, string, number?])[], ids = names): LocalAnswer & { total: number } => {
  const codebase = handmade(names, edges.map(([from, to, confidence = 1]) => ({ from, to, confidence })));
  return viewBetween({ ids: ids.map((name) => `Function:f.ts:${name}`) }, { codebase } as ToolContext) as LocalAnswer & { total: number };
};
const steps = ({ nodes }: LocalAnswer): Record<string, number> => Object.fromEntries(nodes.map(({ name, step }) => [name, step]));

it("has the relations between the nodes that were named, and no others", () => {
  const told = ask(["a", "b", "c", "outside"], [["a", "b"], ["b", "c", 0.5], ["a", "outside"], ["a", "a"]], ["c", "a", "b", "gone", "a"]);
  expect(told.nodes.map(({ name }) => name)).toEqual(["c", "a", "b"]);
  expect(told.total).toBe(3);
  expect(Array.from({ length: told.edges.length / 4 }, (_, i) => told.edges.slice(4 * i, 4 * i + 4)).map(([from, to, , doubtful]) => [told.nodes[from!]!.name, told.nodes[to!]!.name, doubtful]))
    .toEqual([["a", "b", 0], ["b", "c", 1]]);
});

it("puts what leads to something at its left, and what stands alone at the right", () => {
  expect(steps(ask(["c", "lone", "b", "a"], [["a", "b"], ["b", "c"], ["a", "c"]]))).toEqual({ a: 1, b: 2, c: 3, lone: 4 });
});

it("ends in cycles, and cuts what is a cloud", () => {
  expect(Object.keys(steps(ask(["a", "b", "c"], [["a", "b"], ["b", "c"], ["c", "a"]])))).toHaveLength(3);
  const many = ask(Array.from({ length: 170 }, (_, i) => `n${i}`), []);
  expect([many.nodes.length, many.total]).toEqual([150, 170]);
});
