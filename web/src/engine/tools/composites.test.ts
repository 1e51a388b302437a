/** deep_dive, review_file, trace_flow, find_similar and test_impact on the shop. */
import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { handmade } from "../../../test/graphs.ts";
import { call, SHOP } from "../../../test/tools.ts";
import type { Codebase } from "../codebase.ts";
import { ToolError } from "../tools.ts";

interface List<T> {
  total: number;
  items: T[];
  more?: number;
  rest?: string;
}
interface Ref {
  id: string;
  line?: number;
  sites?: number[];
}

const bytes = (answer: object): number => JSON.stringify(answer).length;

describe("deep_dive", () => {
  interface Dive {
    code: string;
    lines: string;
    shownTo?: number;
    risk: { level: string; reasons: string[] };
    dependents?: { depth: number; items: Ref[] }[];
    callees?: List<Ref>;
    members?: List<Ref>;
    implementedBy?: List<Ref>;
    tests?: List<string>;
    note?: string;
  }
  const dive = async (name: string, options?: Parameters<typeof call>[2]): Promise<Dive> => await call("deep_dive", { name }, options) as unknown as Dive;

  it("has the code, who depends on it at which lines, what it calls, and its tests", async () => {
    const answer = await dive("placeOrder");
    expect(answer).toMatchObject({
      id: "Function:src/checkout/checkout.ts:placeOrder", line: 4, lines: "4-8", exported: true, risk: { level: "unknown" },
      dependents: [
        { depth: 1, items: [{ id: "Function:src/checkout/checkout.ts:checkOut", sites: [13] }] },
        { depth: 2, items: [{ id: "Function:src/main.ts:main", sites: [5] }] },
      ],
      tests: { total: 1, items: ["src/checkout/checkout.test.ts: 1"] },
    });
    expect(answer.code.split("\n")[0]).toBe("export function placeOrder(store: Store, item: string): number {");
    expect(answer.code.endsWith("}")).toBe(true);
    expect(answer.callees!.items.map(({ id, sites }) => [id, sites])).toContainEqual(["Function:src/checkout/price.ts:priceOf", [5]]);
    expect(answer).not.toHaveProperty("shownTo");
  });

  it("says of a route what handles it", async () => {
    const codebase = await codebaseOf({ "app.js": 'const app = require("express")();\napp.get("/items", list);\nfunction list(req, res) {}\n' });
    expect(await dive("GET /items", { codebase })).toMatchObject({ handledBy: { total: 1, items: [{ id: "Function:app.js:list" }] } });
  });

  it("is smaller than the answers it replaces", async () => {
    const single = [
      await call("explore", { name: "placeOrder", type: "symbol" }),
      await call("impact", { target: "placeOrder", direction: "upstream" }),
      await call("read", { filePath: "src/checkout/checkout.ts", startLine: 4, endLine: 8 }),
    ];
    expect(bytes(await dive("placeOrder"))).toBeLessThan(0.8 * single.reduce((sum, answer) => sum + bytes(answer), 0));
  });

  it("lists members only where the code does not show them", async () => {
    expect(await dive("MemoryStore")).not.toHaveProperty("members");
    const codebase = await codebaseOf({
      "go.mod": "module m\n", "a/type.go": "package a\n\ntype Box struct {\n\tn int\n}\n", "a/open.go": "package a\n\nfunc (b *Box) Open() int { return b.n }\n",
    });
    expect((await dive("Box", { codebase })).members!.items).toEqual([{ id: "Method:a/open.go:Box.Open", line: 3 }]);
  });

  it("names the methods behind an interface's, and what inherits, once", async () => {
    const answer = await dive("Store.save");
    expect(answer.dependents![0]!.items.map(({ id }) => id)).toEqual(expect.arrayContaining([
      "Method:src/store/store.ts:MemoryStore.save", "Method:src/store/store.ts:LoggingStore.save",
    ]));
    expect(answer).not.toHaveProperty("implementedBy");
    expect(await dive("MemoryStore")).not.toHaveProperty("extendedBy");
    // Where the dependents are cut, as of several names, the list stands.
    const { answers } = await call("deep_dive", { name: "Store.save, main" }) as unknown as { answers: Dive[] };
    expect(answers[0]!.implementedBy!.items).toHaveLength(2);
    // Below the confidence it is no dependent.
    const codebase = handmade(["a", "b"], [{ from: "b", to: "a", type: "EXTENDS", confidence: 0.5 }]);
    expect(await dive("a", { codebase })).toMatchObject({ extendedBy: { total: 1 } });
  });

  it("says how to get the dependents that it has no room for", async () => {
    const codebase = await codebaseOf({ "a.ts": `export function hub(): void {}\n${Array.from({ length: 105 }, (_, i) => `export function use${i}(): void { hub(); }\n`).join("")}` });
    const { dependents } = await dive("hub", { codebase }) as unknown as { dependents: List<Ref>[] };
    expect(dependents[0]).toMatchObject({ more: 5, rest: "impact upstream with maxDepth 2 and offset 100" });
    const { byDepth } = await call("impact", { target: "hub", direction: "upstream", maxDepth: 2, offset: 100 }, { codebase }) as unknown as { byDepth: { others: Record<string, string[]> }[] };
    expect(byDepth[0]!.others["a.ts"]).toHaveLength(5);
  });

  it("cuts long code and says where", async () => {
    const codebase = await codebaseOf({ "a.ts": `export function long(): void {\n${"  void 0;\n".repeat(300)}}\n` });
    const answer = await dive("long", { codebase });
    expect(answer).toMatchObject({ lines: "1-302", shownTo: 120 });
    expect(answer.code.split("\n").length).toBe(120);
  });

  it("says what to do where nothing depends on it, and with what is no symbol or several", async () => {
    expect((await dive("LoggingStore")).risk.reasons).toEqual(expect.arrayContaining([
      "no sure dependent outside of tests", "exported: uses outside of this repository are not seen", "what has the type without naming it is no edge",
    ]));
    await expect(dive("src/main.ts")).rejects.toThrow("File:src/main.ts is no symbol. Use review_file for it");
    await expect(dive("placeOder")).rejects.toThrow("Did you mean one of the candidates?");
  });
});

describe("review_file", () => {
  interface Review {
    complexity: number;
    symbols: List<[name: string, kind: string, lines: string, complexity: number, callers: number, references: number, callees: number]> & { columns: string[] };
    importedBy: List<string>;
    tests: List<string>;
    imports: List<string>;
    content: string;
    shownTo?: number;
    rest?: string;
  }
  const review = async (filePath: string, options?: Parameters<typeof call>[2]): Promise<Review> => await call("review_file", { filePath }, options) as unknown as Review;

  it("has symbols, neighbours both ways, tests and text", async () => {
    const answer = await review("checkout.ts");
    expect(answer).toMatchObject({
      file: "src/checkout/checkout.ts", language: "typescript", lines: 14, content: SHOP["src/checkout/checkout.ts"]!.trimEnd(),
      importedBy: { total: 1, items: ["src/main.ts: 1 call"] },
      tests: { total: 1, items: ["src/checkout/checkout.test.ts: 1 call"] },
    });
    expect(answer.imports.items).toEqual(["src/store/store.ts: 3 calls", "src/checkout/price.ts: 1 call"]);
    expect(answer.symbols.columns).toEqual(["name", "kind", "lines", "complexity", "callers", "references", "callees"]);
    expect(answer.symbols.items.map(([name, , lines]) => [name, lines])).toEqual([["placeOrder", "4-8"], ["checkOut", "10-14"]]);
    // Each name is one that other tools take, with the file before it.
    for (const [name] of answer.symbols.items) expect((await call("explore", { name: `checkout/checkout.ts:${name}`, type: "symbol" })).id).toBe(`Function:src/checkout/checkout.ts:${name}`);
  });

  it("puts the hot ones first, and counts what is inside of a function there alone", async () => {
    const codebase = await codebaseOf({
      "a.ts": "export function cold(): void {}\n\nexport function hot(n: number): number {\n  if (n > 1 && n < 9) return 1;\n  function inner(m: number): number {\n    for (;;) if (m) return m;\n  }\n  return inner(n);\n}\n",
      "b.ts": "import { cold } from \"./a.ts\";\ncold();\n",
    });
    const { symbols, complexity } = await review("a.ts", { codebase });
    const of = Object.fromEntries(symbols.items.map(([name, , , n]) => [name, n]));
    expect(of).toEqual({ hot: 3, inner: 3, cold: 1 });
    expect(symbols.items.at(-1)![0]).toBe("cold");
    expect(complexity).toBe(7);
  });

  it("knows who uses a Go file without importing it", async () => {
    const codebase = await codebaseOf({ "go.mod": "module m\n", "a.go": "package m\n\nfunc A() {\n\tb()\n\tb()\n}\n", "b.go": "package m\n\nfunc b() {}\n" });
    const answer = await review("b.go", { codebase });
    expect(answer).toMatchObject({ usedBy: { items: ["a.go: 2 calls"] } });
    expect(answer).not.toHaveProperty("importedBy");
    const other = await review("a.go", { codebase });
    expect(other).toMatchObject({ uses: { items: ["b.go: 2 calls"] } });
    expect(other).not.toHaveProperty("imports");
  });

  it("bounds the text, and reads what no language of ours is", async () => {
    const codebase = await codebaseOf({ "notes.txt": `${"x".repeat(99)}\n`.repeat(1_000), "empty.go": "" });
    const answer = await review("notes.txt", { codebase });
    expect(answer.content.length).toBeLessThanOrEqual(14_000);
    expect(answer).toMatchObject({ lines: 1_000, shownTo: 140, rest: "read from startLine 141" });
    expect(answer).not.toHaveProperty("symbols");
    expect((await review("empty.go", { codebase })).content).toBe("");
    await expect(review("nope.ts")).rejects.toThrow("No file is called \"nope.ts\".");
  });
});

describe("trace_flow", () => {
  interface Trace {
    steps?: number;
    path?: { id: string; code?: string; confidence?: number; handsOn?: boolean }[];
    found?: false;
    note?: string;
    processes?: number;
    traced?: { id: string; label: string; asBefore?: number; trace: { id: string; code?: string }[] }[];
    others?: List<{ label: string }>;
  }
  const trace = async (args: Record<string, unknown>, codebase?: Codebase): Promise<Trace> => await call("trace_flow", args, codebase && { codebase });

  it("tells the way from one to another by the lines of the calls", async () => {
    const answer = await trace({ from: "main", to: "roundUp" });
    expect(answer.steps).toBe(4);
    expect(answer.path!.map(({ id, code }) => [id.slice(id.lastIndexOf(":") + 1), code])).toEqual([
      ["main", "4: export function main(): void {\n5: log(String(checkOut(\"pen\")));"],
      ["checkOut", "10: export function checkOut(item: string): number {\n13: return placeOrder(memory, item);"],
      ["placeOrder", "4: export function placeOrder(store: Store, item: string): number {\n5: const price = priceOf(item);"],
      ["priceOf", "1: export function priceOf(item: string): number {\n2: return roundUp(item.length * 1.5);"],
      ["roundUp", "5: function roundUp(value: number): number {\n6: return Math.ceil(value);\n7: }"],
    ]);
  });

  it("takes a file or a type for all in it", async () => {
    expect((await trace({ from: "src/main.ts", to: "price.ts" })).path!.map(({ id }) => id.slice(id.lastIndexOf(":") + 1))).toEqual(["main", "checkOut", "placeOrder", "priceOf"]);
    expect((await trace({ from: "checkOut", to: "MemoryStore" })).steps).toBe(1);
  });

  it("goes along functions that are handed on where no calls lead there, and says so", async () => {
    const codebase = await codebaseOf({ "app.ts": "export function listen() { serve(callback()); }\nfunction callback() {\n  const handle = () => { respond(); };\n  return handle;\n}\nfunction respond() {}\ndeclare function serve(handle: () => void): void;\nfunction other() { const table = [respond]; return table.length; }\nfunction both() { [1].forEach(respond); }\n" });
    const { path, steps, note } = await trace({ from: "listen", to: "respond" }, codebase);
    expect(steps).toBe(3);
    expect(path!.map(({ id, handsOn }) => [id.slice(id.lastIndexOf(":") + 1), handsOn])).toEqual([["listen", undefined], ["callback", true], ["handle", undefined], ["respond", undefined]]);
    expect(note).toContain("A step with handsOn names the next function without calling it");
    expect((await trace({ from: "other", to: "respond" }, codebase)).path![0]).toMatchObject({ handsOn: true });
    // What is passed may be called by that: a call is told where there is one.
    expect((await trace({ from: "both", to: "respond" }, codebase)).path![0]).toMatchObject({ confidence: 0.6 });
    expect((await trace({ from: "both", to: "respond" }, codebase)).note).toBeUndefined();
  });

  it("says what there is instead of a path", async () => {
    expect(await trace({ from: "main", to: "roundUp", maxSteps: 2 })).toMatchObject({ found: false, note: "No calls lead from main to roundUp in 2 steps. There is a path of 4: set maxSteps to that." });
    expect((await trace({ from: "roundUp", to: "main" })).note).toContain("There is one of 4 steps the other way round");
    expect((await trace({ from: "roundUp", to: "sum_up" })).note).toContain("Nor the other way round.");
    expect(await trace({ from: "main", to: "a" }, handmade(["main", "x", "a", "b"], [{ from: "main", to: "x", line: 3 }, { from: "b", to: "a", line: 4, confidence: 0.6 }]))).toMatchObject({
      found: false, fromCalls: { items: ["f.ts:3 x"] }, callersOfTo: { items: ["f.ts:4 b 0.6"] }, note: expect.stringContaining("no proof") as string,
    });
    const kept = await codebaseOf({ "a.ts": "function check(): void {}\nconst TABLE = { check };\nfunction run(name: string): unknown { return name; }\nrun(String(TABLE));\n" });
    expect(await trace({ from: "run", to: "check" }, kept)).toMatchObject({ found: false, toNamedBy: { items: ["a.ts:2 TABLE"] } });
    const parts = await codebaseOf({ "a.py": "class Box:\n    def one(self): ...\n    def two(self): ...\n\ndef both(box: Box): box.one(), box.two()\n\ndef alone(): ...\n" });
    expect(await trace({ from: "alone", to: "Box" }, parts)).toMatchObject({ found: false, callersOfTo: { items: ["a.py:5 both"], total: 1 } });
    const guessed = handmade(["a", "b"], [{ from: "a", to: "b", confidence: 0.3, line: 1 }]);
    expect(await trace({ from: "a", to: "b" }, guessed)).toMatchObject({ steps: 1, path: [{ confidence: 0.3 }, {}], note: expect.stringContaining("guesses (confidence under 0.5)") as string });
  });

  it("goes around tests unless one is asked for", async () => {
    const codebase = await codebaseOf({
      "a.ts": "export function a(): void { b(); }\nfunction b(): void { c(); }\nexport function c(): void {}\n",
      "a.test.ts": "import { a, c } from \"./a.ts\";\nexport function check(): void { a(); c(); }\n",
    });
    expect((await trace({ from: "a", to: "c" }, codebase)).steps).toBe(2);
    expect((await trace({ from: "check", to: "c" }, codebase)).steps).toBe(1);
  });

  it("without an end tells the processes through it, and what they share once", async () => {
    const answer = await trace({ from: "checkOut" });
    expect(answer.processes).toBeGreaterThan(0);
    const [first, second] = answer.traced!;
    expect(first!.trace[0]).toMatchObject({ id: "Function:src/main.ts:main", code: expect.stringContaining("5: log(String(checkOut") as string });
    if (second?.asBefore !== undefined) expect(second.trace[0]!.id).toBe(first!.trace[second.asBefore]!.id);
    expect(answer.traced!.length + (answer.others?.total ?? 0)).toBe(answer.processes);
  });

  it("tells the way from an entry point to what is in no process", async () => {
    const codebase = handmade(["main", "b", "c", "lone"], [{ from: "main", to: "b" }, { from: "b", to: "c" }]);
    const marked: Codebase = { ...codebase, graph: Object.assign(codebase.graph, { nodes: codebase.graph.nodes.map((node) => (node.name === "main" ? { ...node, entry: "main" } : node)) }) };
    expect(await trace({ from: "c" }, marked)).toMatchObject({ processes: 0, steps: 2, note: expect.stringContaining("shortest way there from an entry point") as string });
    expect((await trace({ from: "lone" }, marked)).note).toContain("No entry point leads there in 10 steps");
    expect((await trace({ from: "main" }, marked)).note).toContain("It is an entry point");
  });

  it("refuses what is no pair of symbols", async () => {
    await expect(trace({ from: "main", to: "main" })).rejects.toThrow("from and to are both Function:src/main.ts:main");
    await expect(trace({ from: "Community:0" })).rejects.toThrow("Community:0 calls nothing by itself");
    // Of an ambiguous end any is as good.
    expect(await trace({ from: "main", to: "log" })).toMatchObject({ steps: 1, to: { anyOf: { total: 2 } } });
  });
});

describe("find_similar", () => {
  interface Similar {
    similar: { id: string; similarity: number; why: string }[];
    more?: number;
    note?: string;
  }
  const similar = async (args: Record<string, unknown>, codebase?: Codebase): Promise<Similar> => await call("find_similar", args, codebase && { codebase }) as unknown as Similar;

  const REPO = {
    "a.ts": `import { open, parse, store, log } from "./lib.ts";
export function importInvoices(path: string, limit: number): void { const file = open(path); store(parse(file, limit)); }
export function importOrders(path: string, limit: number): void { const file = open(path); store(parse(file, limit)); }
export function importNothing(): void { log("nothing"); }
export function paint(): void { log("paint"); }
`,
    "lib.ts": "export function open(path: string): string { return path; }\nexport function parse(file: string, limit: number): string { return file + limit; }\nexport function store(x: string): void { log(x); }\nexport function log(x: string): void {}\n",
    "a.test.ts": "import { open, parse, store } from \"./lib.ts\";\nexport function importTwin(path: string, limit: number): void { store(parse(open(path), limit)); }\n",
  };

  it("finds what calls the same and is named and shaped like it, and says so", async () => {
    const codebase = await codebaseOf(REPO);
    const { similar: [first, ...others] } = await similar({ name: "importInvoices" }, codebase);
    expect(first).toMatchObject({ id: "Function:a.ts:importOrders", why: expect.stringMatching(/both call .*(open|parse|store)/) as string });
    expect(first!.similarity).toBeGreaterThan(0.6);
    expect(others.every(({ similarity }) => similarity < first!.similarity)).toBe(true);
    // Tests are like what they test; that is no find.
    expect(JSON.stringify(others)).not.toContain("importTwin");
  });

  it("compares types by members and bases, and only types with types", async () => {
    const { similar: found } = await similar({ name: "MemoryStore" });
    expect(found[0]).toMatchObject({ id: "Interface:src/store/store.ts:Store", why: expect.stringContaining("both have") as string });
    expect(found.every(({ id }) => /^(Class|Interface|Struct|TypeAlias):/.test(id))).toBe(true);
  });

  it("says how many more there are, and when there are none", async () => {
    const codebase = await codebaseOf({ "a.ts": "function dig(): void {}\n" + ["a", "b", "c", "d"].map((x) => `export function ${x}(n: number): void { dig(); }\n`).join("") });
    const { similar: found, more } = await similar({ name: "a.ts:a", limit: 2 }, codebase);
    expect([found.length, more]).toEqual([2, 1]);
    expect((await similar({ name: "sum_up" })).note).toContain("none is built like it");
    expect((await similar({ name: "a.ts:a", path: "other/**" }, codebase)).note).toBe("Of 5 symbols of its sort none with that path is built like it. Leave path out to look everywhere.");
    await expect(similar({ name: "File:src/main.ts" })).rejects.toThrow("is no symbol");
  });
});

describe("test_impact", () => {
  interface Change {
    risk: { score: number; level: string; reasons: string[] };
    changed: string[];
    unknown?: { path: string; why?: string; candidates?: string[] }[];
    affected: { depth: number; total: number; items: string[] }[];
    tests?: { total: number; more?: number; rest?: string; groups: { why: string; items: string[] }[] };
    untested?: string[];
    note?: string;
  }
  const change = async (args: Record<string, unknown>, codebase?: Codebase): Promise<Change> => await call("test_impact", args, codebase && { codebase }) as unknown as Change;

  it("suggests tests of what declares something of a file's types, where no edge leads to any, and names it", async () => {
    const codebase = await codebaseOf({
      "go.mod": "module m\n",
      "p/types.go": "package p\n\ntype Order struct{ id int }\n",
      "p/use.go": "package p\n\nfunc total(o []Order) int { return o[0].id }\n\nfunc Sum(o []Order) int { return total(o) }\n",
      "p/use_test.go": "package p\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) { Sum(nil) }\n\nfunc TestOther(t *testing.T) {}\n",
      "q/q.go": "package q\n\nimport \"m/p\"\n\nvar last p.Order\n",
      "r/r.go": "package r\n\nimport \"other/p\"\n\nvar last p.Order\n",
    });
    expect(await change({ changedFiles: ["p/types.go"] }, codebase)).toMatchObject({
      affected: [{ depth: 1, total: 1, items: ["q/q.go"] }],
      leftOut: { mentions: { total: 2, items: ["p/use.go:3 total", "p/use.go:5 Sum"] } },
      tests: { groups: [{ why: "may reach types.go in 2 steps", items: ["p/use_test.go: TestSum"] }] },
    });
    expect(await call("impact", { target: "Order", direction: "upstream" }, { codebase })).toMatchObject({ leftOut: { mentions: { total: 3, items: expect.arrayContaining(["q/q.go:5 last"]) as string[] } } });
  });

  it("tells the files by distance, the tests with why, and a score with its parts", async () => {
    const answer = await change({ changedFiles: ["src/checkout/checkout.ts"] });
    expect(answer.changed).toEqual(["src/checkout/checkout.ts"]);
    expect(answer.affected).toEqual([{ depth: 1, total: 1, items: ["src/main.ts: 1"] }]);
    expect(answer.tests).toEqual({ total: 1, groups: [{ why: "named after checkout.ts", items: ["src/checkout/checkout.test.ts: testPlaceOrder"] }] });
    expect(answer).not.toHaveProperty("untested");
    expect(answer.risk.level).toBe("unknown");
    expect(answer.risk.reasons.at(-1)).toBe("2 symbols of it exported: uses outside of this repository are not seen");
    const points = answer.risk.reasons.slice(0, -1).map((reason) => Number(/^\+(\d+) /.exec(reason)![1]));
    expect(points.reduce((a, b) => a + b, 0)).toBe(answer.risk.score);
    expect(points).toEqual([...points].sort((a, b) => b - a));
  });

  it("finds tests through what lies between, and says what has none", async () => {
    const { tests, affected } = await change({ changedFiles: ["price.ts"] });
    expect(affected[0]!.items).toEqual(["src/checkout/checkout.ts: 1"]);
    expect(tests!.groups).toEqual([{ why: "reaches price.ts in 2 steps", items: ["src/checkout/checkout.test.ts: testPlaceOrder"] }]);
    const report = await change({ changedFiles: ["report.py"] });
    expect([report.untested, report.risk.reasons]).toEqual([["tools/report.py"], expect.arrayContaining(["+10 no test is known to reach it"])]);
    expect(await change({ changedFiles: ["price.ts"], suggestTests: false })).not.toHaveProperty("tests");
  });

  it("finds the nearest tests beyond the depth, and those that only may reach it", async () => {
    const far = await change({ changedFiles: ["price.ts"], maxDepth: 1 });
    expect(far.affected).toHaveLength(1);
    expect(far.tests!.groups).toEqual([{ why: "reaches price.ts in 2 steps", items: ["src/checkout/checkout.test.ts: testPlaceOrder"] }]);
    expect(far).not.toHaveProperty("untested");
    const codebase = await codebaseOf({
      "go.mod": "module m\n", "store.go": "package m\n\ntype Store interface{ Save() }\n\nfunc Put(s Store) { s.Save() }\n",
      "disk.go": "package m\n\ntype Disk struct{}\n\nfunc (d Disk) Save() {}\n", "store_test.go": "package m\n\nimport \"testing\"\n\nfunc TestPut(t *testing.T) { Put(nil) }\n",
    });
    const possible = await change({ changedFiles: ["disk.go"] }, codebase);
    expect(possible.tests!.groups).toEqual([{ why: "may reach disk.go in 2 steps", items: ["store_test.go: TestPut"] }]);
    expect(possible).not.toHaveProperty("untested");
    // Each file's own: that a test reaches one of them says nothing of the others.
    const both = await change({ changedFiles: ["disk.go", "store.go"] }, codebase);
    expect([both.tests!.total, both.untested]).toEqual([1, undefined]);
  });

  it("looks for tests farther away of some files, and says of how many it did not", async () => {
    const codebase = await codebaseOf(Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`f${i}.ts`, `export const x${i} = 1;\n`])));
    const answer = await change({ changedFiles: Array.from({ length: 32 }, (_, i) => `f${i}.ts`) }, codebase);
    expect(answer.untested).toHaveLength(30);
    expect(answer.note).toBe("Of 2 more changed files no test in 2 steps is known, and none farther away was looked for: ask for fewer files.");
  });

  it("does not say that nothing depends on what only tests use, nor on what is in no language", async () => {
    const codebase = await codebaseOf({ "test/helper.ts": "function help(): void {}\nexport { help };\n", "a.test.ts": "import { help } from \"./test/helper.ts\";\nhelp();\n", "Makefile": "all:\n" });
    expect((await change({ changedFiles: ["test/helper.ts"] }, codebase)).risk).toEqual({ score: 0, level: "LOW", reasons: ["only tests depend on it (1 file)"] });
    expect((await change({ changedFiles: ["Makefile"] }, codebase)).risk).toEqual({ score: 0, level: "unknown", reasons: ["no sure dependent outside of tests", "1 changed file in no language of the graph"] });
  });

  it("knows tests of JavaScript in a folder of tests by their calls", async () => {
    const codebase = await codebaseOf({
      "lib/task/task.js": "module.exports = { run() {} };\n", "test/unit/task.js": "suite('task', function () {\n  test('runs', function () {});\n});\n",
      "test/unit/helpers.js": "module.exports = { test(name) { return name; } };\n",
    });
    expect((await change({ changedFiles: ["lib/task/task.js"] }, codebase)).tests!.groups).toEqual([{ why: "named after task.js", items: ["test/unit/task.js"] }]);
    expect((await change({ changedFiles: ["test/unit/helpers.js"] }, codebase)).tests).toEqual({ total: 0, groups: [] });
  });

  it("takes no test of another package of Go for one of the file's", async () => {
    const test = "import \"testing\"\n\nfunc TestRun(t *testing.T) {}\n";
    const codebase = await codebaseOf({ "go.mod": "module m\n", "task_test.go": `package m\n\n${test}`, "inner/task.go": "package inner\n\nfunc Run() {}\n", "inner/task_test.go": `package inner\n\n${test}` });
    expect((await change({ changedFiles: ["inner/task.go"] }, codebase)).tests!.groups).toEqual([{ why: "named after task.go", items: ["inner/task_test.go"] }]);
  });

  it("says which paths it does not know, and what no graph knows", async () => {
    expect((await change({ changedFiles: ["main.ts", "checkout/prize.ts"] })).unknown).toEqual([{ path: "checkout/prize.ts", candidates: ["src/checkout/price.ts"] }]);
    const answer = await change({ changedFiles: ["README.md", "main.ts", "gone.ts"] });
    expect(answer.unknown).toEqual([{ path: "gone.ts", why: expect.stringContaining("No file is called \"gone.ts\"") as string }]);
    expect(answer.note).toBe("README.md is in no language of the graph, so what depends on it is unknown: grep for the name.");
    await expect(change({ changedFiles: ["gone.ts"] })).rejects.toThrow(ToolError);
    await expect(change({ changedFiles: ["gone.ts", "gone.go"] })).rejects.toThrow("None of the 2 paths names a file of this repository.");
  });

  it("knows a language's tests by their names", async () => {
    const codebase = await codebaseOf({
      "go.mod": "module m\n", "pkg/price.go": "package pkg\n\nfunc Price() int { return 1 }\n", "pkg/price_test.go": "package pkg\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) {}\n",
      "other/price_test.go": "package other\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {}\n",
      "shop/cart.py": "def total():\n    return 1\n", "tests/shop/test_cart.py": "def test_nothing():\n    pass\n",
      "src/a.ts": "export const a = 1;\n", "src/__tests__/a.spec.ts": "export {};\n",
    });
    const { tests } = await change({ changedFiles: ["pkg/price.go", "shop/cart.py", "src/a.ts"] }, codebase);
    expect(tests!.groups.flatMap(({ items }) => items).sort()).toEqual(["pkg/price_test.go", "src/__tests__/a.spec.ts", "tests/shop/test_cart.py"]);
  });

  it("runs a changed test itself, and what uses a changed helper of tests", async () => {
    const codebase = await codebaseOf({
      "test/helper.ts": "export function help(): void {}\n", "a.test.ts": "import { help } from \"./test/helper.ts\";\nexport function check(): void { help(); }\n",
    });
    expect((await change({ changedFiles: ["a.test.ts"] }, codebase)).tests).toEqual({ total: 1, groups: [{ why: "changed", items: ["a.test.ts"] }] });
    expect((await change({ changedFiles: ["test/helper.ts"] }, codebase)).tests).toEqual({ total: 1, groups: [{ why: "uses helper.ts", items: ["a.test.ts: check"] }] });
  });

  it("tells a reason once, the nearest tests, and how many there are", async () => {
    const codebase = await codebaseOf({
      "hub.ts": "export function hub(): void {}\n", "mid.ts": "import { hub } from \"./hub.ts\";\nexport function mid(): void { hub(); }\n",
      ...Object.fromEntries(Array.from({ length: 70 }, (_, i) => {
        const used = i < 35 ? "hub" : "mid";
        return [`t${i}.test.ts`, `import { ${used} } from "./${used}.ts";\nexport function check${i}(): void { ${used}(); }\n`];
      })),
    });
    const { tests } = await change({ changedFiles: ["hub.ts"] }, codebase);
    expect(tests).toMatchObject({ total: 70, more: 40, rest: "offset 30", groups: [{ why: "uses hub.ts" }] });
    const { tests: others } = await change({ changedFiles: ["hub.ts"], offset: 30, limit: 40 }, codebase);
    expect(others!.groups.map(({ why, items }) => [why, items.length])).toEqual([["uses hub.ts", 5], ["reaches hub.ts in 2 steps", 35]]);
    expect(others!.more).toBeUndefined();
  });

  it("scores from 0 to 100, higher the more depends on it", async () => {
    const hub = (n: number): Record<string, string> => ({
      "hub.ts": "export function hub(): void {}\n",
      ...Object.fromEntries(Array.from({ length: n }, (_, i) => [`u${i}.ts`, `import { hub } from "./hub.ts";\nexport function use${i}(): void { hub(); }\n`])),
    });
    const scores = [];
    for (const n of [0, 2, 8, 60]) scores.push((await change({ changedFiles: ["hub.ts"] }, await codebaseOf(hub(n)))).risk.score);
    expect(scores).toEqual([...new Set(scores)].sort((a, b) => a - b));
    expect(scores[0]).toBe(10);
    expect(scores.at(-1)).toBeLessThanOrEqual(100);
  });
});
