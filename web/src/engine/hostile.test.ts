import { expect, test } from "vitest";
import { codebaseOf } from "../../test/codebase.ts";
import { each, files, LANGUAGES, SCRIPTS, testHostile } from "../../test/hostile.ts";

testHostile(SCRIPTS);

test("many files of as many relations as a file may have: some of them cost their own, and no other file anything", async () => {
  // Each function has one name and calls all of it.
  const dense = each(() => "def same(a):\n  same(a)", 320);
  const { graph, skipped } = await codebaseOf({ ...LANGUAGES["Python"]!.honest, ...files(60, (i) => [`zz/f${i}.py`, dense]) });
  expect(graph.edgeCount).toBeLessThan(2_000_000);
  expect(skipped.length).toBeGreaterThan(0);
  expect([...graph.type.keys()].map((e) => graph.edge(e)).some(({ from, to }) => graph.nodes[from]!.name === "caller" && graph.nodes[to]!.name === "helper")).toBe(true);
}, 120_000);

test("a name that a thousand files put on the global object is each file's own, and costs no more than that", async () => {
  const { graph, skipped } = await codebaseOf(files(1000, (i) => [`p${i}.js`, `window.App = window.App || {};\nApp.f${i} = function () { return App.size + window.App.size; };\n`]));
  const references = [...graph.type.keys()].map((e) => graph.edge(e)).filter(({ type }) => type === "REFERENCES");
  expect(references.filter(({ from, to }) => graph.nodes[from]!.name.startsWith("f") && graph.nodes[to]!.file === graph.nodes[from]!.file)).toHaveLength(1000);
  expect(skipped).toEqual([]);
});

test.each([
  // A word without end has no end of its own to begin with: inline source maps are such.
  ["a.js", `var shop = {};\nshop.Store = function () {};\nfunction make() { return new shop.Store(); }\n// ${"a".repeat(1_000_000)}\n`],
  ["a.rb", `def make\n  store\nend\n${"\n".repeat(400_000)}def store\nend\n`],
])("%s: a run of one character is gone through once", async (path, text) => {
  const { graph, skipped } = await codebaseOf({ [path]: text });
  expect(skipped).toEqual([]);
  expect([...graph.type.keys()].map((e) => graph.edge(e)).some(({ from, to, type }) => type === "CALLS" && graph.nodes[from]!.name === "make" && graph.nodes[to]!.name.toLowerCase() === "store")).toBe(true);
});
