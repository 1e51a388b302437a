import { expect, test } from "vitest";
import { codebaseOf, parseHere, repositoryOf } from "../../test/codebase.ts";
import { loadGrammar } from "../../test/languages.ts";
import type { Codebase, Phase } from "./codebase.ts";
import { findClusters } from "./find-clusters.ts";
import type { EdgeType } from "./graph.ts";
import { FileParser } from "./parser.ts";
import { buildCodebase, type Parse, type Progress } from "./pipeline.ts";
import { SourceError, type SourceEntry } from "./source.ts";

const SHOP = {
  "README.md": "# shop\n",
  "src/main.ts": `import { Cart } from "./cart";

export function main(): void {
  checkout(new Cart());
}

function checkout(cart: Cart): void {
  cart.pay();
}
`,
  "src/cart.ts": `export interface Payable { pay(): void }

export class Cart implements Payable {
  pay(): void {
    charge();
  }
}

export function charge(): void {
  function inner(): void {}
  inner();
}
`,
  "src/cart.test.ts": `import { charge } from "./cart";

export function tryIt(): void {
  charge();
}
`,
};

function edges(codebase: Codebase, type: EdgeType): string[] {
  const { graph } = codebase;
  const found: string[] = [];
  for (let e = 0; e < graph.edgeCount; e++) {
    const edge = graph.edge(e);
    if (edge.type === type) found.push(`${graph.nodes[edge.from]!.id} > ${graph.nodes[edge.to]!.id}`);
  }
  return found.sort();
}

test("structure: folders contain files, files define symbols, symbols what stands in them", async () => {
  const codebase = await codebaseOf(SHOP, "shop");
  expect(codebase.graph.nodes.slice(0, 2).map(({ id, name }) => [id, name])).toEqual([["Folder:", "shop"], ["Folder:src", "src"]]);
  expect(edges(codebase, "CONTAINS")).toEqual([
    "Folder: > File:README.md", "Folder: > Folder:src", "Folder:src > File:src/cart.test.ts", "Folder:src > File:src/cart.ts", "Folder:src > File:src/main.ts",
  ]);
  expect(edges(codebase, "DEFINES")).toEqual(expect.arrayContaining([
    "Class:src/cart.ts:Cart > Method:src/cart.ts:Cart.pay", "File:src/cart.ts > Class:src/cart.ts:Cart", "File:src/cart.ts > Interface:src/cart.ts:Payable",
    "File:src/main.ts > Function:src/main.ts:checkout", "Function:src/cart.ts:charge > Function:src/cart.ts:inner",
  ]));
  const readme = codebase.graph.nodes[codebase.graph.find("File:README.md")!]!;
  expect(readme).toMatchObject({ language: "", line: 0, startLine: 1, endLine: 1, file: "README.md", name: "README.md" });
  expect(codebase.bytes).toBe(Object.values(SHOP).join("").length);
});

test("relations: calls, imports and implementations join the files", async () => {
  const codebase = await codebaseOf(SHOP);
  expect(edges(codebase, "IMPORTS")).toEqual(["File:src/cart.test.ts > File:src/cart.ts", "File:src/main.ts > File:src/cart.ts"]);
  expect(edges(codebase, "IMPLEMENTS")).toEqual(["Class:src/cart.ts:Cart > Interface:src/cart.ts:Payable"]);
  expect(edges(codebase, "CALLS")).toEqual(expect.arrayContaining([
    "Function:src/main.ts:main > Function:src/main.ts:checkout", "Function:src/main.ts:checkout > Method:src/cart.ts:Cart.pay",
    "Method:src/cart.ts:Cart.pay > Function:src/cart.ts:charge",
  ]));
});

test("tests are marked: by their file, and all that stands in it", async () => {
  const { graph } = await codebaseOf(SHOP);
  expect(graph.nodes.filter(({ test }) => test).map(({ id }) => id)).toEqual(["File:src/cart.test.ts", "Function:src/cart.test.ts:tryIt"]);
});

test("derived: a community with its members, and the process from main", async () => {
  const { graph, communities, processes } = await codebaseOf(SHOP);
  expect(communities.length).toBeGreaterThan(0);
  for (const community of communities) {
    expect(graph.nodes[community.node]).toMatchObject({ kind: "Community", name: community.label, file: "", line: 0 });
    expect(graph.in(community.node, "MEMBER_OF").map((e) => graph.from[e]).sort()).toEqual([...community.members].sort());
    for (const member of community.members) expect(graph.community[member]).toBe(community.node);
  }
  const flow = processes.find(({ label }) => label.startsWith("main →"))!;
  expect(flow.label).toMatch(/^main → (charge|inner)$/);
  const steps = graph.in(flow.node, "STEP_IN_PROCESS").map((e) => graph.edge(e)).sort((a, b) => a.line - b.line);
  expect(steps.map(({ from }) => from)).toEqual([...flow.steps]);
  expect(steps.map(({ line }) => line)).toEqual(flow.steps.map((_, i) => i + 1));
});

test("the same files in another order give the same graph", async () => {
  const first = await codebaseOf(SHOP);
  const second = await codebaseOf(Object.fromEntries(Object.entries(SHOP).reverse()));
  expect(second.graph.nodes).toEqual(first.graph.nodes);
  expect(second.graph.to).toEqual(first.graph.to);
  expect(second.processes).toEqual(first.processes);
});

test("a method that stands apart from its type is defined by both its file and the type", async () => {
  const parse: Parse = (path) => Promise.resolve({
    facts: {
      syntaxErrors: 0, data: { imports: [] },
      symbols: [path === "a.md" ? null : 0].map(() => path.endsWith("type.py")
        ? { kind: "Class" as const, name: "Server", parent: -1, line: 1, startLine: 1, endLine: 2, exported: true }
        : { kind: "Method" as const, name: "run", owner: "Server", parent: -1, line: 3, startLine: 3, endLine: 4, exported: true }),
    },
  });
  const codebase = await buildCodebase({ repository: repositoryOf({ "p/type.py": "", "p/run.py": "", "q/run.py": "" }), parse, findClusters });
  expect(edges(codebase, "DEFINES")).toEqual([
    "Class:p/type.py:Server > Method:p/run.py:Server.run", "File:p/run.py > Method:p/run.py:Server.run",
    "File:p/type.py > Class:p/type.py:Server", "File:q/run.py > Method:q/run.py:Server.run",
  ]);
});

test("what cannot be used is skipped by name, and stops nothing", async () => {
  const parse: Parse = (path, text) => (path === "slow.ts" ? Promise.resolve({ reason: "parsing it takes longer than 5 s" }) : parseHere(path, text));
  const codebase = await buildCodebase({
    repository: repositoryOf({
      "ok.ts": "export const a = 1;", "slow.ts": "let b;", "image.png": Uint8Array.of(0x89, 0x50, 0, 1), "latin1.py": Uint8Array.of(0x78, 0xe9, 0x0a),
      "huge.js": "x".repeat(10 << 20), "late-nul.txt": `${"a".repeat(9_000)}\0`, "bom.ts": "\uFEFFlet c;",
    }),
    parse, findClusters,
  });
  expect(codebase.skipped).toEqual([
    { path: "huge.js", reason: "larger than 1 MB" }, { path: "image.png", reason: "binary" }, { path: "latin1.py", reason: "not UTF-8" },
    { path: "slow.ts", reason: "parsing it takes longer than 5 s" },
  ]);
  // A file that is not parsed can still be read and searched.
  expect(codebase.files.paths).toEqual(["bom.ts", "late-nul.txt", "ok.ts", "slow.ts"]);
  expect(codebase.files.text("bom.ts")).toBe("let c;");
  expect(codebase.graph.find("File:slow.ts")).toBeDefined();
});

test("a file that is one long line is read or left out in words, and the next one is read", async () => {
  await loadGrammar("tsx");
  const line = Array.from({ length: 900 }, (_, i) => `function f${i}(a){return[${"a,".repeat(490)}a]}`).join("");
  expect(line.length).toBeGreaterThan(900_000);
  const repo = { "over.js": line.repeat(11), "under.js": line, "zz.ts": "export function next() {}" };
  const indexed = async (limit: number): Promise<Codebase> => {
    const parser = new FileParser(loadGrammar, limit);
    const parse: Parse = async (path, text) => {
      const report = await parser.parse({ id: 0, path, text });
      if (report.type === "parsed") return { facts: report.facts };
      return { reason: report.type === "skipped" ? report.reason : report.type };
    };
    return buildCodebase({ repository: repositoryOf(repo), parse, findClusters });
  };

  const whole = await indexed(60_000);
  expect(whole.skipped).toEqual([{ path: "over.js", reason: "larger than 1 MB" }]);
  expect(whole.graph.nodes[whole.graph.find("Function:under.js:f899")!]).toMatchObject({ startLine: 1, endLine: 1 });
  expect(whole.graph.find("Function:zz.ts:next")).toBeDefined();

  const stopped = await indexed(1);
  expect(stopped.skipped).toEqual([{ path: "over.js", reason: "larger than 1 MB" }, { path: "under.js", reason: "parsing it takes longer than 0.003 s" }]);
  expect(stopped.graph.find("Function:zz.ts:next")).toBeDefined();
}, 60_000);

test("a second file of the same name is named, and the first one counts", async () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const entries = async function* (): AsyncGenerator<SourceEntry> {
    await Promise.resolve();
    yield { path: "a.md", bytes: bytes("one") };
    yield { path: "a.md", bytes: bytes("two") };
  };
  const codebase = await buildCodebase({ repository: { name: "r", expected: 0, entries: entries() }, parse: parseHere, findClusters });
  expect(codebase.files.text("a.md")).toBe("one");
  expect(codebase.skipped).toEqual([{ path: "a.md", reason: "a second file of the same name" }]);
});

test("an empty repository, and one in none of our languages, are codebases", async () => {
  const empty = await codebaseOf({}, "nothing");
  expect(empty.graph.nodes.map(({ id }) => id)).toEqual(["Folder:"]);
  expect(empty).toMatchObject({ name: "nothing", communities: [], processes: [], skipped: [], bytes: 0 });
  const other = await codebaseOf({ "a.pas": "begin end.", "b/c.lisp": "(car x)" });
  expect(other.graph.nodes.map(({ kind }) => kind)).toEqual(["Folder", "Folder", "File", "File"]);
});

test("50,000 small files are one codebase, and each call in them is joined", async () => {
  const text = 'import { f } from "../lib/f";\nexport function g() { f(); }\n';
  const parsed = await parseHere("a.ts", text);
  const small = Array.from({ length: 50_000 }, (_, i) => [`folder${i % 500}/file${i}.ts`, text]);
  const codebase = await buildCodebase({
    repository: repositoryOf({ "lib/f.ts": "export function f() {}\n", ...Object.fromEntries(small) as Record<string, string> }),
    parse: (path, source) => (source === text ? Promise.resolve(parsed) : parseHere(path, source)), findClusters,
  });
  const { graph } = codebase;
  expect(codebase.skipped).toEqual([]);
  expect(graph.nodes.filter(({ kind }) => kind === "File")).toHaveLength(50_001);
  expect(graph.in(graph.find("Function:lib/f.ts:f")!, "CALLS")).toHaveLength(50_000);
}, 120_000);

test("a source that breaks off fails the load with its own words", async () => {
  const entries = async function* (): AsyncGenerator<SourceEntry> {
    await Promise.resolve();
    yield { path: "a.ts", bytes: new Uint8Array() };
    throw new SourceError("cut off");
  };
  await expect(buildCodebase({ repository: { name: "r", expected: 0, entries: entries() }, parse: parseHere, findClusters })).rejects.toThrow("cut off");
});

test("when nothing can be parsed at all, the load fails", async () => {
  await expect(buildCodebase({ repository: repositoryOf(SHOP), parse: () => Promise.reject(new Error("The parsers cannot be started: 404")), findClusters })).rejects.toThrow("404");
});

test("phases follow each other, counts only grow, and the times add up", async () => {
  const told: Progress[] = [];
  const repo = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}.ts`, `export function f${i}() { return ${i}; }\n`.repeat(20)]));
  const started = performance.now();
  const codebase = await buildCodebase({ repository: repositoryOf(repo), parse: parseHere, findClusters, onProgress: (p) => told.push(p) });
  const order: Phase[] = ["read", "parse", "resolve", "cluster"];
  expect(codebase.phases.map(({ phase }) => phase)).toEqual(order);
  expect(codebase.phases.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(performance.now() - started);
  for (const [i, now] of told.entries()) {
    const before = told[i - 1];
    if (!before) continue;
    expect(now.elapsedMs).toBeGreaterThanOrEqual(before.elapsedMs);
    if (now.phase === before.phase) expect(now.done).toBeGreaterThanOrEqual(before.done);
    else expect(order.indexOf(now.phase)).toBeGreaterThan(order.indexOf(before.phase));
  }
  expect(told.findLast(({ phase }) => phase === "parse")).toMatchObject({ done: 300, total: 300 });
});

test("an aborted load rejects with the reason, even while a file is being parsed", async () => {
  const controller = new AbortController();
  const building = buildCodebase({ repository: repositoryOf(SHOP), parse: () => new Promise(() => undefined), findClusters, signal: controller.signal });
  setTimeout(() => controller.abort(new Error("another one")), 20);
  await expect(building).rejects.toThrow("another one");
});

test("20,000 small files and deep nesting end well", async () => {
  const repo: Record<string, string> = { "deep.ts": `${"f(".repeat(20_000)}${")".repeat(20_000)}`, "blocks.py": Array.from({ length: 90 }, (_, i) => `${" ".repeat(i)}if x:\n`).join("") };
  for (let i = 0; i < 20_000; i++) repo[`${"d/".repeat(i % 12)}m${i}.txt`] = String(i);
  const codebase = await codebaseOf(repo);
  expect(codebase.files.paths).toHaveLength(20_002);
  expect(codebase.graph.nodes.filter(({ kind }) => kind === "File")).toHaveLength(20_002);
}, 60_000);

test("more source than a tab's memory can hold the graph of is refused in words; other text is not source", async () => {
  const bytes = new Uint8Array(1 << 20).fill(0x20); // one for all
  const load = (name: string): Promise<unknown> => buildCodebase({
    repository: { name: "large", expected: 251, entries: (async function* () {
      for (let i = 0; i < 251; i++) {
        await Promise.resolve();
        yield { path: `${i}${name}`, bytes };
      }
    })() },
    parse: () => Promise.resolve({ reason: "not parsed here" }), findClusters,
  });
  await expect(load(".ts")).rejects.toThrow(/more than 250 MB of source.*Load a part/);
  await expect(load(".txt")).resolves.toMatchObject({ bytes: 251 << 20 });
});
