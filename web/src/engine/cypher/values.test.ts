import { expect, it } from "vitest";
import { plain } from "./values.ts";

it.each([
  [5n, 5], [2n ** 60n, "1152921504606846976"], [Object(7), 7], [Object("a"), "a"], [Infinity, "Infinity"], [NaN, "NaN"],
  [null, null], [undefined, null], [true, true], ["a", "a"],
  [new Date("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05.000Z"], [new Date(NaN), null], [new Uint8Array([1, 255]), "01ff"],
  [[1n, [2n]], [1, [2]]], [new Map([["a", 1n]]), { a: 1 }], [{ a: { b: 1n } }, { a: { b: 1 } }],
  [{ offset: 3n, table: 1n }, "1:3"],
])("%o is made plain", (value, expected) => {
  expect(plain(value)).toEqual(expected);
  expect(JSON.parse(JSON.stringify(plain(value)))).toEqual(expected);
});

it("takes internal ids and NULL out of nodes, relations and paths", () => {
  const id = { offset: 3n, table: 1n };
  const node = { _id: id, _label: "Function", name: "f", owner: null, line: Object(4) as unknown };
  const relation = { _id: id, _src: id, _dst: id, _label: "CodeRelation", type: "CALLS", step: null };
  expect(plain([node, relation])).toEqual([{ label: "Function", name: "f", line: 4 }, { label: "CodeRelation", type: "CALLS" }]);
  expect(plain({ _nodes: [node], _rels: [relation] })).toEqual({
    nodes: [{ label: "Function", name: "f", line: 4 }], relations: [{ label: "CodeRelation", type: "CALLS" }],
  });
});
