import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { handmade } from "../../../test/graphs.ts";
import { call } from "../../../test/tools.ts";
import type { Unknowns } from "./unknowns.ts";

interface Entry {
  id: string;
  edge: string;
  confidence?: number;
  sites?: number[];
  moreSites?: string;
  via?: string;
}
interface Impact {
  target: { id: string; parts?: number };
  risk: { level: string; reasons: string[] };
  leftOut?: Unknowns["leftOut"];
  total: number;
  files: number;
  byDepth: { depth: number; total: number; items: Entry[]; others?: Record<string, string[]>; files?: string[]; more?: number; rest?: string }[];
  processes: { total: number; items: { id: string; label: string; steps: number }[] };
  clusters: { total: number; items: { id: string; symbols: number }[] };
  note?: string;
}

async function impact(args: Record<string, unknown>, options?: Parameters<typeof call>[2]): Promise<Impact> {
  return await call("impact", { direction: "upstream", ...args }, options) as unknown as Impact;
}

/** `id EDGE` of every symbol and `path:lines` of every file, by depth. */
function ids({ byDepth }: Impact): string[][] {
  return byDepth.map(({ items, files = [] }) => [...files, ...items.map(({ id, edge }) => `${id} ${edge}`)].sort());
}

describe("upstream", () => {
  it("goes from a function to its callers, their callers and the file that runs them", async () => {
    const answer = await impact({ target: "priceOf", maxDepth: 5 });
    expect(ids(answer)).toEqual([
      ["Function:src/checkout/checkout.ts:placeOrder CALLS"],
      ["Function:src/checkout/checkout.ts:checkOut CALLS"],
      ["Function:src/main.ts:main CALLS"],
      ["src/main.ts:8"],
    ]);
    expect(answer.byDepth[0]!.items[0]).toEqual({
      id: "Function:src/checkout/checkout.ts:placeOrder", line: 4, edge: "CALLS", sites: [5],
    });
    expect(answer.byDepth[1]!.items[0]).toMatchObject({ sites: [13], via: "placeOrder" });
    expect(answer).toMatchObject({ total: 4, files: 2 });
    expect(answer.note).toBe("1 in tests left out: set includeTests to see more.");
  });

  it("goes on from a file to the variable that gets its value where the file names the target, and to what uses that", async () => {
    const codebase = await codebaseOf({
      "kit.py": "class App:\n    def __init__(self, handler):\n        self.handler = handler\n",
      "app.py": "from kit import App\n\n\ndef handler():\n    pass\n\n\napp = App(\n    handler,\n)\nother = 1\n\n\ndef use():\n    return app\n\n\ndef off():\n    return other\n",
    });
    expect(ids(await impact({ target: "handler", maxDepth: 5, minConfidence: 0.5 }, { codebase }))).toEqual([
      ["app.py:9"],
      ["Variable:app.py:app REFERENCES"],
      ["Function:app.py:use REFERENCES"],
    ]);
  });

  it("counts as possible who hands on a class, for the methods of it that no code is sure to call", async () => {
    const codebase = await codebaseOf({
      "kit.py": "def save():\n    pass\n\n\nclass Base:\n    def get(self): ...\n\n    def dispatch(self):\n        self.get()\n",
      "view.py": "from kit import Base, save\n\n\nclass View(Base):\n    def get(self):\n        save()\n\n    def run(self):\n        self.other()\n\n    def other(self):\n        pass\n",
      "main.py": "from view import View\nimport somewhere\n\n\ndef start():\n    somewhere.serve(View)\n",
    });
    const get = ["Method:view.py:View.get CALLS"];
    expect(ids(await impact({ target: "save", maxDepth: 3, minConfidence: 0.5 }, { codebase }))).toEqual([get, ["Function:main.py:start REFERENCES", "Method:kit.py:Base.dispatch CALLS"]]);
    expect(ids(await impact({ target: "save", maxDepth: 3, minConfidence: 0.6 }, { codebase }))).toEqual([get, ["Method:kit.py:Base.dispatch CALLS"]]);
    expect(ids(await impact({ target: "View.other", maxDepth: 1, minConfidence: 0.5 }, { codebase }))).toEqual([["Method:view.py:View.run CALLS"]]);
  });

  it("tells how many dependents there are behind the last depth", async () => {
    const codebase = handmade(["a", "b", "c", "d", "t"], [{ from: "b", to: "a" }, { from: "c", to: "b" }, { from: "d", to: "b", confidence: 0.6 }, { from: "t", to: "b" }]);
    Object.assign(codebase.graph.nodes.find(({ name }) => name === "t")!, { test: true });
    expect(await impact({ target: "a", maxDepth: 1 }, { codebase })).toMatchObject({ total: 1, beyond: 1 });
    expect(await impact({ target: "a", maxDepth: 1, includeTests: true, minConfidence: 0.5 }, { codebase })).toMatchObject({ total: 1, beyond: 3 });
    expect(await impact({ target: "a", maxDepth: 2 }, { codebase })).not.toHaveProperty("beyond");
  });

  it("tells every call of a symbol, and of all parts of a type", async () => {
    const codebase = await codebaseOf({
      "box.ts": "export class Box {\n  open(): void {}\n  close(): void {}\n}\n",
      "use.ts": "import { Box } from \"./box.ts\";\n\nexport function use(box: Box): void {\n  box.open();\n  box.close();\n  box.open();\n}\n",
    });
    const [ofMethod] = (await impact({ target: "Box.open" }, { codebase })).byDepth;
    expect(ofMethod!.items).toEqual([{ id: "Function:use.ts:use", line: 3, edge: "CALLS", sites: [4, 6] }]);
    const [ofType] = (await impact({ target: "Box", relationTypes: ["CALLS"] }, { codebase })).byDepth;
    expect(ofType!.items).toEqual([{ id: "Function:use.ts:use", line: 3, edge: "CALLS", sites: [4, 5, 6], via: expect.stringContaining("Box.") as string }]);
  });

  it("says how many calls there are when it does not tell all", async () => {
    const codebase = await codebaseOf({ "a.ts": `function a(): void {}\nexport function b(): void {\n${"  a();\n".repeat(20)}}\n` });
    expect((await impact({ target: "a" }, { codebase })).byDepth[0]!.items[0]).toMatchObject({ sites: [3, 4, 5, 6, 7, 8], moreSites: "14: path a.ts" });
  });

  it("stops at the depth", async () => {
    expect(ids(await impact({ target: "priceOf", maxDepth: 1 }))).toEqual([["Function:src/checkout/checkout.ts:placeOrder CALLS"]]);
  });

  it("counts tests when asked to", async () => {
    const answer = await impact({ target: "placeOrder", maxDepth: 1, includeTests: true });
    expect(ids(answer)).toEqual([["Function:src/checkout/checkout.test.ts:testPlaceOrder CALLS", "Function:src/checkout/checkout.ts:checkOut CALLS"]]);
    expect(answer.note).toBeUndefined();
  });

  it("takes a class with its members: who makes it, calls its methods, extends it", async () => {
    const answer = await impact({ target: "MemoryStore", maxDepth: 1 });
    expect(answer.target).toMatchObject({ id: "Class:src/store/store.ts:MemoryStore", parts: 2 });
    expect(ids(answer)).toEqual([[
      "Class:src/store/store.ts:LoggingStore EXTENDS",
      "Function:src/checkout/checkout.ts:checkOut CALLS",
      "Method:src/store/store.ts:LoggingStore.save CALLS",
    ]]);
    expect(answer.byDepth[0]!.items.find(({ id }) => id.endsWith("LoggingStore.save"))).toMatchObject({ via: "MemoryStore.save" });
  });

  it("takes a method of an interface with those that implement it, and their callers at the next depth", async () => {
    const answer = await impact({ target: "Store.save", maxDepth: 2 });
    expect(ids(answer)).toEqual([
      [
        "Function:src/checkout/checkout.ts:placeOrder CALLS",
        "Method:src/store/store.ts:LoggingStore.save IMPLEMENTS",
        "Method:src/store/store.ts:MemoryStore.save IMPLEMENTS",
      ],
      ["Function:src/checkout/checkout.ts:checkOut CALLS"],
    ]);
    expect(ids(await impact({ target: "Store.save", maxDepth: 2, relationTypes: ["CALLS"] }))[0]).toEqual(["Function:src/checkout/checkout.ts:placeOrder CALLS"]);
  });

  it("takes a file: who imports it and who calls what it defines", async () => {
    const answer = await impact({ target: "price.ts", maxDepth: 1 });
    expect(answer.target).toMatchObject({ id: "File:src/checkout/price.ts", parts: 2 });
    expect(ids(answer)).toEqual([["Function:src/checkout/checkout.ts:placeOrder CALLS", "src/checkout/checkout.ts:2"]]);
  });

  it("names the processes and clusters that are touched", async () => {
    const answer = await impact({ target: "placeOrder" });
    expect(answer.processes.items.map(({ label }) => label)).toEqual(expect.arrayContaining(["main → roundUp"]));
    expect(answer.processes.total).toBe(answer.processes.items.length);
    expect(answer.clusters.items.reduce((sum, { symbols }) => sum + symbols, 0)).toBe(2);
  });

  it("says it when nothing depends on it", async () => {
    const answer = await impact({ target: "report.py:log" });
    expect(answer).toMatchObject({ total: 0, byDepth: [], risk: { level: "unknown", reasons: ["no sure dependent outside of tests", expect.stringContaining("exported") as string, expect.stringContaining("its name stands in") as string] } });
  });
});

describe("downstream", () => {
  it("goes along the calls, and not to overriding methods", async () => {
    const answer = await impact({ target: "checkOut", direction: "downstream", maxDepth: 1 });
    expect(ids(answer)).toEqual([[
      "Class:src/store/store.ts:MemoryStore CALLS", "Function:src/checkout/checkout.ts:placeOrder CALLS", "Method:src/store/store.ts:MemoryStore.save CALLS",
    ]]);
    expect((await impact({ target: "MemoryStore.save", direction: "downstream" })).total).toBe(0);
  });

  it("shows possible targets of dynamic calls below the usual confidence, and counts them before", async () => {
    const sure = await impact({ target: "placeOrder", direction: "downstream", maxDepth: 1, relationTypes: ["CALLS"] });
    expect(ids(sure)).toEqual([["Function:src/checkout/price.ts:priceOf CALLS", "Method:src/store/store.ts:Store.save CALLS"]]);
    expect(sure.note).toContain("2 below confidence 0.7 left out");
    const all = await impact({ target: "placeOrder", direction: "downstream", maxDepth: 1, relationTypes: ["CALLS"], minConfidence: 0.5 });
    expect(all.byDepth[0]!.total).toBe(4);
    expect(all.note).toBeUndefined();
  });
});

describe("a Go package", () => {
  const REPO = {
    "go.mod": "module example.com/shop\n\ngo 1.26\n",
    "store/store.go": "package store\n\ntype Saver interface {\n\tSave(order string)\n}\n\ntype Memory struct {\n\torders []string\n}\n",
    "store/memory.go": "package store\n\nfunc (m *Memory) Save(order string) {\n\tm.orders = append(m.orders, order)\n}\n",
    "main.go": "package main\n\nimport \"example.com/shop/store\"\n\nfunc place(s store.Saver) {\n\ts.Save(\"pen\")\n}\n\nfunc main() {\n\tm := &store.Memory{}\n\tm.Save(\"first\")\n\tplace(m)\n}\n",
  };

  it("joins a type with its methods in other files, and an interface's method with those that implement it", async () => {
    const codebase = await codebaseOf(REPO);
    const ofType = await impact({ target: "Memory", maxDepth: 1 }, { codebase });
    expect(ofType.byDepth[0]!.items.find(({ id }) => id === "Function:main.go:main")).toMatchObject({ edge: "CALLS" });
    expect(ids(await impact({ target: "Saver.Save", maxDepth: 1 }, { codebase }))).toEqual([["Function:main.go:place CALLS", "Method:store/memory.go:Memory.Save IMPLEMENTS"]]);
  });
});

describe("on a graph made by hand", () => {
  it("takes the surest of several edges, and an edge of just the confidence asked for", async () => {
    const codebase = handmade(["a", "b", "c"], [
      { from: "b", to: "a", type: "CALLS", confidence: 0.7, line: 3 },
      { from: "c", to: "a", type: "IMPORTS", confidence: 0.75, line: 1 },
      { from: "c", to: "a", type: "CALLS", confidence: 0.9, line: 8 },
    ]);
    const answer = await impact({ target: "a" }, { codebase });
    expect(answer.byDepth[0]!.items.map(({ id, edge, confidence, sites }) => [id, edge, confidence, sites])).toEqual([
      ["Function:f.ts:c", "CALLS", undefined, [1, 8]], ["Function:f.ts:b", "CALLS", 0.7, [3]],
    ]);
  });

  it("ends on a circle, and does not list the target", async () => {
    const codebase = handmade(["a", "b"], [{ from: "a", to: "b" }, { from: "b", to: "a" }, { from: "a", to: "a" }]);
    expect(ids(await impact({ target: "a", maxDepth: 10 }, { codebase }))).toEqual([["Function:f.ts:b CALLS"]]);
  });

  it("cuts long lists with their total, and says what makes it critical", async () => {
    const callers = Array.from({ length: 130 }, (_, i) => `caller${i}`);
    const codebase = handmade(["a", ...callers], callers.map((from) => ({ from, to: "a" })));
    const answer = await impact({ target: "a" }, { codebase });
    expect(answer.byDepth[0]).toMatchObject({ depth: 1, total: 130, more: 30, rest: "offset 100" });
    expect(answer.byDepth[0]!.items.length).toBe(10);
    expect(answer.byDepth[0]!.others).toEqual({ "f.ts": expect.arrayContaining(["caller90:92", "caller15:17"]) as string[] });
    expect(answer.byDepth[0]!.others!["f.ts"]!.length).toBe(90);
    expect(answer.risk).toEqual({ level: "CRITICAL", reasons: ["130 direct dependents (30 or more)", "130 dependents within the depth (120 or more)"] });
  });

  it("gives what was cut in pages, and each dependent once", async () => {
    const callers = Array.from({ length: 130 }, (_, i) => `caller${i}`);
    const codebase = handmade(["a", ...callers, "d"], [...callers.map((from) => ({ from, to: "a" })), { from: "d", to: "caller3" }]);
    const first = await impact({ target: "a" }, { codebase });
    const told = [...first.byDepth[0]!.items.map(({ id }) => id.split(":").at(-1)!), ...first.byDepth[0]!.others!["f.ts"]!.map((name) => name.split(":")[0]!)];
    const second = await impact({ target: "a", offset: 100, limit: 20 }, { codebase });
    expect(second.byDepth[0]).toMatchObject({ depth: 1, total: 130, more: 10, rest: "offset 120" });
    told.push(...second.byDepth[0]!.others!["f.ts"]!.map((name) => name.split(":")[0]!));
    const third = await impact({ target: "a", offset: 120 }, { codebase });
    expect(third.byDepth[0]).not.toHaveProperty("more");
    told.push(...third.byDepth[0]!.others!["f.ts"]!.map((name) => name.split(":")[0]!));
    expect(told.length).toBe(130);
    expect(new Set(told)).toEqual(new Set(callers));
    expect(third.byDepth[1]).toMatchObject({ depth: 2, total: 1, others: { "f.ts": ["d:132"] } });
  });

  it("tells of some paths only, with the risk of all", async () => {
    const codebase = await codebaseOf({
      "a.ts": "export function a(): void {}\n", "in/b.ts": "import { a } from \"../a.ts\";\nexport function b(): void { a(); }\n",
      "in/c.ts": "import { a } from \"../a.ts\";\nexport function c(): void { a(); }\n", "out/d.ts": "import { a } from \"../a.ts\";\nexport function d(): void { a(); }\n",
    });
    const all = await impact({ target: "a" }, { codebase });
    const some = await impact({ target: "a", path: "in/" }, { codebase });
    expect(some.byDepth[0]).toMatchObject({ total: 3, matching: 2 });
    expect(ids(some)[0]).toEqual(["Function:in/b.ts:b CALLS", "Function:in/c.ts:c CALLS"]);
    expect([some.risk, some.total]).toEqual([all.risk, all.total]);
  });

  it("names what is not told in full by file, and leaves nothing out while there is room", async () => {
    const callers = Array.from({ length: 50 }, (_, i) => `caller${i}`);
    const codebase = await codebaseOf({ "f.ts": `export function a(): void {}\n${callers.map((name) => `function ${name}(): void { a(); }\n`).join("")}` });
    const { byDepth: [direct] } = await impact({ target: "a" }, { codebase });
    expect(direct).not.toHaveProperty("more");
    const others = direct!.others!["f.ts"]!.map((named) => named.split(":")[0]);
    const told = direct!.items.map(({ id }) => id.split(":").at(-1));
    expect(new Set([...told, ...others])).toEqual(new Set(callers));
    // The form is a name that every tool takes.
    const named = `f.ts:${others[0]!}`;
    expect((await impact({ target: named }, { codebase })).target.id).toBe(`Function:${named}`);
  });

  it("counts the flows of one entry point as one, so that a function is no risk for being their entry", async () => {
    const ends = Array.from({ length: 8 }, (_, i) => `end${i}`);
    const codebase = await codebaseOf({
      "a.ts": `export function handle(): void { ${ends.map((end) => `${end}Step();`).join(" ")} }\n`
        + ends.map((end) => `function ${end}Step(): void { ${end}(); }\nfunction ${end}(): void {}\n`).join(""),
    });
    const answer = await impact({ target: "handle" }, { codebase });
    expect(answer.processes.total).toBe(8);
    expect(answer.risk).toEqual({ level: "unknown", reasons: ["no sure dependent outside of tests", "exported: uses outside of this repository are not seen"] });
  });

  it.each([[1, "LOW", "1 direct dependent (below 4)"], [4, "MEDIUM", "4 direct dependents (4 or more)"], [12, "HIGH", "12 direct dependents (12 or more)"]])(
    "%d direct dependents are %s", async (n, level, reason) => {
      const callers = Array.from({ length: n }, (_, i) => `caller${i}`);
      const codebase = handmade(["a", ...callers], callers.map((from) => ({ from, to: "a" })));
      const { risk } = await impact({ target: "a" }, { codebase });
      expect(risk.level).toBe(level);
      expect(risk.reasons[0]).toBe(reason);
    });

  it("stops when the call is cancelled", async () => {
    const names = Array.from({ length: 12_000 }, (_, i) => `n${i}`);
    const codebase = handmade(names, names.slice(1).map((from) => ({ from, to: "n0" })));
    await expect(impact({ target: "n0" }, { codebase, signal: AbortSignal.abort(new Error("cancelled")) })).rejects.toThrow("cancelled");
  });
});

it("of a test has tests, asked for or not", async () => {
  const codebase = await codebaseOf({ "test/help.ts": "export function help(): void { inner(); }\nexport function inner(): void {}\n", "a.test.ts": "import { help } from \"./test/help.ts\";\nexport function check(): void { help(); }\n" });
  const target = "test/help.ts:help";
  for (const [direction, others] of [["upstream", ["a.test.ts"]], ["downstream", ["test/help.ts"]]] as const) {
    const { byDepth, leftOut } = await call("impact", { target, direction, maxDepth: 1 }, { codebase }) as unknown as { byDepth: { items: { id: string }[] }[]; leftOut?: object };
    expect(byDepth[0]!.items.map(({ id }) => id.split(":")[1])).toEqual(others);
    expect(leftOut).toBeUndefined();
  }
  expect(await call("deep_dive", { name: target }, { codebase })).toMatchObject({ dependents: [{ depth: 1, items: [{ id: "Function:a.test.ts:check" }] }] });
});

describe("a wrong question", () => {
  it("names what there is", async () => {
    await expect(impact({ target: "src/checkout" })).rejects.toThrow("src/checkout is a folder with 3 files. Name one of them, or a symbol.");
    await expect(impact({ target: "Folder:src/checkout" })).rejects.toThrow("Folder:src/checkout is no symbol or file. Name one of its members");
    await expect(impact({ target: "Community:0" })).rejects.toThrow("is no symbol or file");
        await expect(impact({ target: "main", relationTypes: ["CALL"] })).rejects.toThrow("\"CALL\" is no relation type. There are CALLS, REFERENCES, HANDLES, IMPORTS,");
    await expect(impact({ target: "main", direction: "up" })).rejects.toThrow("must be one of upstream, downstream, not \"up\"");
  });
});
