import { beforeAll, expect, test, vi } from "vitest";
import type { Tree } from "web-tree-sitter";
import { loadGrammar } from "../../test/languages.ts";
import type { FileFacts } from "./facts.ts";
import type { Reader } from "./language.ts";
import { parseAgain } from "./parse.ts";
import { FileParser } from "./parser.ts";

let extract: (tree: Tree, context?: unknown) => FileFacts;
const nodes = (tree: Tree): FileFacts => ({ symbols: [], data: tree.rootNode.descendantCount, syntaxErrors: 0 });

vi.mock("./languages/readers.ts", async (original) => {
  const python: Reader = { id: "python", extensions: [".py"], grammar: () => "python", extract: (tree, _source, _path, _grammar, context) => extract(tree, context) };
  return { ...await original(), readerOf: (path: string) => (path.endsWith(".py") ? python : undefined) };
});

beforeAll(async () => {
  await loadGrammar("python");
});

const file = (text: string, path = "a.py"): { id: number; path: string; text: string } => ({ id: 7, path, text });
const BIG = "x = [1, 2, 3]\n".repeat(60_000);

test("a file's facts come with its id", async () => {
  extract = nodes;
  expect(await new FileParser(loadGrammar).parse(file("x = 1\n"))).toMatchObject({ type: "parsed", id: 7, facts: { syntaxErrors: 0 } });
});

test("what a file is to be read with gets to its language", async () => {
  extract = (_, context) => ({ symbols: [], data: context, syntaxErrors: 0 });
  expect(await new FileParser(loadGrammar).parse({ ...file("x = 1\n"), context: ["given"] })).toMatchObject({ facts: { data: ["given"] } });
});

test("a parse over the limit is stopped, and the next file is none the worse", async () => {
  extract = nodes;
  const parser = new FileParser(loadGrammar, 1);
  const started = performance.now();
  expect(await parser.parse(file(BIG))).toEqual({ type: "skipped", id: 7, reason: "parsing it takes longer than 0.003 s", broken: false });
  expect(performance.now() - started).toBeLessThan(500);
  const fresh = await new FileParser(loadGrammar).parse(file("y = 2\n"));
  expect(await parser.parse(file("y = 2\n"))).toEqual(fresh);
});

test.each([
  ["a busy machine takes 10 s for an honest file: it is parsed", BIG, 0.35, "parsed"],
  ["three times the limit is too long for any", BIG, 1, "parsing it takes longer than 15 s"],
  ["work without end is stopped at the limit", BIG.repeat(3), 0.12, "parsing it takes longer than 5 s"],
])("%s", async (_, text, msAStep, outcome) => {
  extract = nodes;
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += msAStep));
  try {
    const report = await new FileParser(loadGrammar).parse(file(text));
    expect(report.type === "skipped" ? report.reason : report.type).toBe(outcome);
    expect(now).toBeGreaterThan(5_000);
  } finally {
    clock.mockRestore();
  }
});

test.each([
  ["on a busy machine it is read", 0.35, "read"],
  ["too long it is not", 1, undefined],
])("a second reading of a text has the limits of the first: %s", async (_, msAStep, outcome) => {
  const grammar = await loadGrammar("python");
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += msAStep));
  try {
    expect(parseAgain(grammar, BIG, () => "read")).toBe(outcome);
    expect(now).toBeGreaterThan(5_000);
  } finally {
    clock.mockRestore();
  }
});

test("what extraction throws costs that file alone; a stack that ran over costs the Worker", async () => {
  const parser = new FileParser(loadGrammar);
  extract = () => { throw new TypeError("no such node"); };
  expect(await parser.parse(file(""))).toEqual({ type: "skipped", id: 7, reason: "cannot be parsed: no such node", broken: false });
  const deep = (n: number): number => deep(n + 1) + 1;
  extract = () => ({ symbols: [], data: deep(0), syntaxErrors: 0 });
  expect(await parser.parse(file(""))).toMatchObject({ type: "skipped", broken: true });
});

test("a grammar that cannot be loaded is said so, and asked for once", async () => {
  let asked = 0;
  const parser = new FileParser(() => { asked++; return Promise.reject(new Error("404")); });
  for (let i = 0; i < 3; i++) expect(await parser.parse(file(""))).toMatchObject({ type: "skipped", reason: "the grammar python cannot be loaded: 404" });
  expect(asked).toBe(1);
  expect(await parser.parse(file("", "a.txt"))).toMatchObject({ reason: "in no known language" });
});

test("nesting as deep as a file can be ends", async () => {
  extract = nodes;
  const report = await new FileParser(loadGrammar).parse(file("(".repeat(500_000)));
  expect(report).toMatchObject({ id: 7 });
}, 30_000);
