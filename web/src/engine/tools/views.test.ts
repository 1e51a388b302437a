/** context, overview, explore, highlight and cypher on the shop. */
import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { handmade } from "../../../test/graphs.ts";
import { call, shopCodebase, type Shown } from "../../../test/tools.ts";
import { ToolError } from "../tools.ts";
import { folderTree } from "./folder-tree.ts";
import { tools } from "./index.ts";

interface Cut<T> {
  total: number;
  items: T[];
  more?: number;
}
interface Ref {
  id: string;
  line?: number;
}

/** The name in an id. */
const nameOf = ({ id }: Ref): string => id.slice(id.lastIndexOf(":") + 1);

describe("context", () => {
  it("tells everything in short", async () => {
    const answer = await call("context", {});
    expect(Object.keys(answer)).toEqual(["repo", "indexedAt", "stats", "hotspots", "structure", "tools", "schema"]);
    expect(answer).toMatchObject({ repo: "shop", stats: { files: 7, testFiles: 1, languages: { typescript: 5, python: 1 } }, tools: Object.keys(tools) });
    expect(JSON.stringify(answer).length).toBeLessThan(3000);
  });

  it("tells the figures in full", async () => {
    const codebase = await shopCodebase();
    const { stats } = await call("context", { focus: "stats" }) as { stats: Record<string, unknown> & { kinds: Record<string, number>; edgeTypes: Record<string, number> } };
    expect(stats).toMatchObject({ nodes: codebase.graph.nodes.length, edges: codebase.graph.edgeCount, clusters: codebase.communities.length, bytes: codebase.bytes });
    expect(stats.kinds).toMatchObject({ Class: 3, Interface: 1 });
    expect(stats.symbols).toBe(Object.values(stats.kinds).reduce((a, b) => a + b, 0));
    expect(stats.edgeTypes).toMatchObject({ IMPORTS: 6, EXTENDS: 1, IMPLEMENTS: 1 });
    expect(Object.values(stats.edgeTypes).reduce((a, b) => a + b, 0)).toBe(codebase.graph.edgeCount);
  });

  it("names the files that were skipped or had errors", async () => {
    const skipped = [...Array.from({ length: 9 }, (_, i) => ({ path: `${i}.bin`, reason: "binary" })), { path: "z.ts", reason: "too large" }];
    const codebase = { ...await shopCodebase(), skipped, syntaxErrors: [{ path: "a.ts", count: 2 }] };
    expect((await call("context", {}, { codebase })).stats).toMatchObject({ skipped: 10, filesWithSyntaxErrors: 1 });
    expect((await call("context", { focus: "stats" }, { codebase })).stats).toMatchObject({
      skipped: {
        total: 10,
        reasons: [
          { reason: "too large", files: { total: 1, items: ["z.ts"] } },
          { reason: "binary", files: { total: 9, items: ["0.bin", "1.bin", "2.bin", "3.bin", "4.bin"], more: 4, rest: "offset 5" } },
        ],
      },
      filesWithSyntaxErrors: { items: [{ path: "a.ts", count: 2 }] },
    });
  });

  it("tells the best connected symbols, no tests among them", async () => {
    const { hotspots: { items: hotspots } } = await call("context", { focus: "hotspots" }) as { hotspots: { items: (Ref & { connections: number; callers: number; callees: number })[] } };
    expect(hotspots.find((spot) => nameOf(spot) === "placeOrder")).toEqual({
      id: "Function:src/checkout/checkout.ts:placeOrder", line: 4, connections: 4, callers: 2, callees: 2,
    });
    expect(hotspots.map(({ connections }) => connections)).toEqual(hotspots.map(({ connections }) => connections).sort((a, b) => b - a));
    expect(hotspots.some((spot) => nameOf(spot) === "testPlaceOrder")).toBe(false);
  });

  it("draws the folders", async () => {
    expect((await call("context", { focus: "structure" })).structure).toEqual({
      tree: "shop/ 7 files, 19 symbols\n  src/ 5 files, 15 symbols\n    checkout/ 3 files, 5 symbols\n    store/ 1 file, 9 symbols\n  tools/ 1 file, 4 symbols",
      folders: 4,
    });
  });

  it("lists the tools in one line each, and no others", async () => {
    const answer = await call("context", { focus: "tools" }) as { tools: Record<string, string> };
    expect(Object.keys(answer.tools)).toEqual(Object.keys(tools));
    for (const line of Object.values(answer.tools)) expect(line.length).toBeLessThan(100);
  });

  it("describes the schema", async () => {
    const { schema } = await call("context", { focus: "schema" }) as { schema: { nodes: Record<string, number>; types: Record<string, { count: number; between: string[] }>; properties: { symbols: Record<string, string> }; examples: { query: string }[] } };
    expect(schema.nodes).toMatchObject({ File: 7, Class: 3, Struct: 0 });
    expect(schema.types.EXTENDS).toEqual({ count: 1, between: ["Class → Class"] });
    expect(Object.keys(schema.properties.symbols)).toEqual(expect.arrayContaining(["id", "name", "filePath", "startLine", "exported"]));
    expect(schema.examples.length).toBeGreaterThanOrEqual(3);
  });

  it("refuses another focus", async () => {
    await expect(call("context", { focus: "all" })).rejects.toThrow("must be one of stats, hotspots, structure, tools, schema, not \"all\"");
  });
});

describe("the folder tree", () => {
  it("opens the largest folders as far as there is room, and says what it leaves closed", async () => {
    const repo: Record<string, string> = {};
    for (let i = 0; i < 6; i++) repo[`big/deep/part${i}/a.ts`] = `export const a${i} = 1;\nexport const b${i} = 2;\n`;
    for (let i = 0; i < 4; i++) repo[`small/part${i}/a.txt`] = "x";
    const codebase = await codebaseOf(repo, "r");
    const { tree, folders, truncated } = folderTree(codebase, 10);
    const lines = tree.split("\n");
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines[1]).toBe("  big/deep/ 6 files, 12 symbols");
    expect(lines).toContain("    part5/ 1 file, 2 symbols");
    expect(lines).toContain("  small/ 4 files, 4 folders");
    expect({ folders, truncated }).toEqual({ folders: 13, truncated: true });
  });

  it("cuts a folder that is wider than the room", async () => {
    const codebase = await codebaseOf(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`d${i}/a.txt`, "x"])), "r");
    const { tree, truncated } = folderTree(codebase, 20);
    expect(tree.split("\n").length).toBe(22);
    expect(tree).toMatch(/\n {2}… 30 more folders$/);
    expect(truncated).toBe(true);
  });
});

describe("overview", () => {
  it("tells clusters, the calls between them and processes", async () => {
    const codebase = await shopCodebase();
    const answer = await call("overview", {}) as {
      clusters: Cut<[id: string, label: string, size: number, cohesion: number, member: string]> & { columns: string[] };
      crossCluster: Cut<string>;
      processes: Cut<[id: string, label: string, steps: number, entry: string]> & { columns: string[] };
    };
    expect(answer.clusters.columns).toEqual(["id", "label", "size", "cohesion", "best connected member"]);
    expect(answer.clusters.items.map(([, label, size]) => ({ label, size }))).toEqual(codebase.communities.map(({ label, members }) => ({ label, size: members.length })));
    for (const [id, , , , member] of answer.clusters.items) expect([codebase.graph.find(id), codebase.graph.find(member)]).not.toContain(undefined);
    const labels = new Set(codebase.communities.map(({ label }) => label));
    for (const item of answer.crossCluster.items) {
      const [, from, to, calls] = /^(.+) → (.+): (\d+)$/.exec(item)!;
      expect(labels.has(from!) && labels.has(to!) && from !== to && Number(calls) > 0).toBe(true);
    }
    expect(answer.crossCluster.total).toBeGreaterThan(0);
    expect(answer.processes.columns).toEqual(["id", "label", "steps", "entry point"]);
    expect(answer.processes.items).toContainEqual([expect.stringMatching(/^Process:/), "main → roundUp", 5, "src/main.ts:4"]);
    // The place of an entry point is a name that every tool takes.
    for (const [, , , entry] of answer.processes.items) expect((await call("explore", { name: entry, type: "symbol" })).line).toBe(Number(entry.split(":")[1]));
  });

  it("takes neither what an interface may call nor tests for calls between clusters", async () => {
    // Three small parts; the first calls an interface's method that the second happens to have, a test calls the third.
    const part = (name: string): string => `package ${name}\n\ntype E struct{}\n\nfunc (e E) Error() string { return a() }\n\nfunc a() string { return b() }\n\nfunc b() string { return c() }\n\nfunc c() string { return "" }\n`;
    const codebase = await codebaseOf({
      "go.mod": "module m\n", "one/one.go": part("one"), "two/two.go": part("two"),
      "one/use.go": "package one\n\nfunc Use(err error) string { return a() + err.Error() + Text(err) }\n\nfunc Text(err error) string { return err.Error() + b() }\n",
      "one/two_test.go": "package one\n\nimport (\n\t\"m/two\"\n\t\"testing\"\n)\n\nfunc TestTwo(t *testing.T) { _ = two.E{}.Error(); Use(nil) }\n",
    });
    const { graph } = codebase;
    const method = graph.find("Method:two/two.go:E.Error")!;
    expect(graph.in(method, "CALLS").length).toBeGreaterThan(0);
    const { clusters, crossCluster } = await call("overview", {}, { codebase }) as { clusters: Cut<[string, string]>; crossCluster: Cut<unknown> };
    expect(clusters.items.map(([, label]) => label).sort()).toEqual(["one/one", "two/two"]);
    expect(crossCluster).toEqual({ total: 0, items: [] });
  });

  it("shows what is asked for, cut at the limit", async () => {
    const clusters = await call("overview", { showProcesses: false, limit: 1 });
    expect(Object.keys(clusters)).toEqual(["clusters", "crossCluster"]);
    expect(clusters.clusters).toMatchObject({ more: expect.any(Number) as number, rest: "offset 1" });
    expect((clusters.clusters as Cut<unknown>).items.length).toBe(1);
    expect(Object.keys(await call("overview", { showClusters: false }))).toEqual(["processes"]);
    await expect(call("overview", { showClusters: false, showProcesses: false })).rejects.toThrow("nothing to show");
  });
});

describe("explore", () => {
  const names = (list: unknown): string[] => (list as Cut<Ref> | undefined)?.items.map(nameOf) ?? [];

  it("tells what is around a class", async () => {
    const answer = await call("explore", { name: "MemoryStore", type: "symbol" });
    expect(answer).toMatchObject({
      id: "Class:src/store/store.ts:MemoryStore", line: 6, lines: "6-16",
      signature: "class MemoryStore implements Store", exported: true,
    });
    expect(names(answer.members)).toEqual(["MemoryStore.save", "MemoryStore.find"]);
    expect(names(answer.callers)).toEqual(["checkOut"]);
    expect(answer.tests).toEqual({ total: 1, items: ["src/checkout/checkout.test.ts: 1"] });
    expect(names(answer.implements)).toEqual(["Store"]);
    expect(names(answer.extendedBy)).toEqual(["LoggingStore"]);
    expect(answer).not.toHaveProperty("callees");
  });

  it("tells both ends of inheritance and of implementation, for types and methods", async () => {
    expect(names((await call("explore", { name: "Store", type: "symbol" })).implementedBy)).toEqual(["MemoryStore"]);
    expect(names((await call("explore", { name: "LoggingStore", type: "symbol" })).extends)).toEqual(["MemoryStore"]);
    expect(names((await call("explore", { name: "Store.save", type: "symbol" })).implementedBy)).toEqual(["MemoryStore.save", "LoggingStore.save"]);
    expect((await call("explore", { name: "Store.save", type: "symbol" })).in).toBe("Interface:src/store/store.ts:Store");
  });

  it("tells callers and callees with the line and how sure they are, and the processes", async () => {
    const answer = await call("explore", { name: "placeOrder", type: "symbol" });
    const callees = (answer.callees as Cut<Ref & { refLine: number; confidence?: number }>).items;
    expect(callees[0]).toMatchObject({ id: "Function:src/checkout/price.ts:priceOf", sites: [5] });
    expect(callees[0]).not.toHaveProperty("confidence");
    expect(callees.find((callee) => nameOf(callee) === "Store.save")).toMatchObject({ sites: [6] });
    // The possible targets of a dynamic call are no callees, and one line.
    expect(callees.map(nameOf)).toEqual(["priceOf", "Store.save"]);
    expect(answer.possibleCallees).toEqual({ total: 1, items: ["Store.save at 6: 2 possible (MemoryStore.save src/store/store.ts:9, LoggingStore.save src/store/store.ts:19)"] });
    expect(names(answer.callers)).toEqual(["checkOut"]);
    expect(answer.tests).toEqual({ total: 1, items: ["src/checkout/checkout.test.ts: 1"] });
    expect((answer.processes as Cut<object>).items).toContainEqual({ id: expect.stringMatching(/^Process:/) as string, label: "main → roundUp", step: 3 });
  });

  it("tells what a file defines, imports and is imported by", async () => {
    const answer = await call("explore", { name: "checkout/checkout.ts", type: "symbol" });
    expect(answer).toMatchObject({ id: "File:src/checkout/checkout.ts", lines: "1-14" });
    expect(names(answer.members)).toEqual(["placeOrder", "checkOut"]);
    expect(names(answer.imports).sort()).toEqual(["src/checkout/price.ts", "src/store/store.ts"]);
    expect(names(answer.importedBy)).toEqual(["src/main.ts", "src/checkout/checkout.test.ts"]);
  });

  it("tells a cluster's members, ways in and neighbours", async () => {
    const codebase = await shopCodebase();
    const cluster = codebase.communities.find(({ members }) => members.some((m) => codebase.graph.nodes[m]!.name === "placeOrder"))!;
    const answer = await call("explore", { name: cluster.label, type: "cluster" });
    expect(answer).toMatchObject({ label: cluster.label, size: cluster.members.length, members: { total: cluster.members.length } });
    expect(names(answer.entryPoints)).toContain("placeOrder");
    expect(answer.calledBy).toMatchObject({ total: 1, items: [{ calls: 1 }] });
    expect((answer.calledBy as Cut<{ cluster: string }>).items.map((c) => c.cluster)).not.toContain(cluster.label);
    // An id works whatever the type says.
    expect(await call("explore", { name: codebase.graph.nodes[cluster.node]!.id, type: "symbol" })).toEqual(answer);
  });

  it("tells a process step by step, with the place of each call", async () => {
    const answer = await call("explore", { name: "main -> roundUp", type: "process" }) as unknown as { steps: number; trace: (Ref & { step: number; calledAt?: string })[] };
    expect(answer.trace.map(({ step, calledAt, ...ref }) => [step, nameOf(ref), calledAt])).toEqual([
      [1, "main", undefined],
      [2, "checkOut", "src/main.ts:5"],
      [3, "placeOrder", "src/checkout/checkout.ts:13"],
      [4, "priceOf", "src/checkout/checkout.ts:5"],
      [5, "roundUp", "src/checkout/price.ts:2"],
    ]);
    expect(answer).toMatchObject({ id: "Process:0", crossCluster: true, steps: 5 });
  });

  it("cuts long lists", async () => {
    const callers = Array.from({ length: 40 }, (_, i) => `c${i}`);
    const codebase = handmade(["a", ...callers], callers.map((from) => ({ from, to: "a" })));
    expect((await call("explore", { name: "a", type: "symbol" }, { codebase })).callers).toMatchObject({ total: 40, more: 15, rest: "offset 25" });
    const rest = await call("explore", { name: "a", type: "symbol", offset: 25, limit: 10 }, { codebase });
    expect(rest.callers).toMatchObject({ total: 40, more: 5, rest: "offset 35" });
    expect((rest.callers as Cut<Ref>).items.length).toBe(10);
    expect((await call("deep_dive", { name: "a", offset: 40 }, { codebase }))).not.toHaveProperty("code");
  });

  it("says what there is when the name is wrong", async () => {
    await expect(call("explore", { name: "nope", type: "process" })).rejects.toThrow("No process is called \"nope\".");
    await expect(call("explore", { name: "log", type: "file" })).rejects.toThrow("must be one of symbol, cluster, process");
  });
});

describe("highlight", () => {
  it("shows nodes by any name, and tells what it did not find", async () => {
    const shown: Shown[] = [];
    const answer = await call("highlight", { nodeIds: ["placeOrder", "Function:src/main.ts:main", "log", "nothingLikeIt"], color: "Orange" }, { shown });
    expect(shown).toEqual([{ type: "highlight", nodeIds: ["Function:src/checkout/checkout.ts:placeOrder", "Function:src/main.ts:main"], color: "Orange" }]);
    expect((answer.highlighted as Ref[]).map(nameOf)).toEqual(["placeOrder", "main"]);
    const [log, nothing] = answer.notFound as { name: string; candidates: { id: string }[] }[];
    expect(nothing!.candidates).toEqual([]);
    expect(log!.name).toBe("log");
    expect(log!.candidates.map(({ id }) => id)).toEqual(["Function:src/store/store.ts:log", "Function:tools/report.py:log"]);
    expect(nothing!.name).toBe("nothingLikeIt");
  });

  it("shows the members of a cluster and the steps of a process", async () => {
    const codebase = await shopCodebase();
    const shown: Shown[] = [];
    await call("highlight", { nodeIds: ["Community:0", "Process:0"] }, { shown });
    const ids = [...codebase.communities[0]!.members, ...codebase.processes[0]!.steps].map((node) => codebase.graph.nodes[node]!.id);
    expect(shown).toEqual([{ type: "highlight", nodeIds: expect.arrayContaining(["Community:0", "Process:0", ...ids]) as string[], color: "#f59e0b" }]);
  });

  it("clears", async () => {
    const shown: Shown[] = [];
    expect(await call("highlight", { nodeIds: [] }, { shown })).toEqual({ cleared: true });
    expect(shown).toMatchObject([{ nodeIds: [] }]);
  });

  it("changes nothing when nothing is found or the colour is none", async () => {
    const shown: Shown[] = [];
    await expect(call("highlight", { nodeIds: ["nope1", "nope2"] }, { shown })).rejects.toThrow("None of the 2 ids names exactly one node");
    for (const color of ["#12", "notacolor", "rgb(1,2,3)", "#12345g"]) {
      await expect(call("highlight", { nodeIds: ["main"], color }, { shown })).rejects.toThrow(`"${color}" is no colour`);
    }
    await expect(call("highlight", { nodeIds: "main" }, { shown })).rejects.toThrow("must be a list of texts");
    expect(shown).toEqual([]);
  });
});

describe("graph_action", () => {
  const act = async (args: Record<string, unknown>): Promise<{ answer: Record<string, unknown>; shown: Shown[] }> => {
    const shown: Shown[] = [];
    return { answer: await call("graph_action", args, { shown }), shown };
  };

  it("highlights as the tool of that name does", async () => {
    const { answer, shown } = await act({ action: "highlight", nodeIds: ["placeOrder"], color: "red" });
    expect(shown).toEqual([{ type: "highlight", nodeIds: ["Function:src/checkout/checkout.ts:placeOrder"], color: "red" }]);
    expect(answer).toEqual({ action: "highlight", highlighted: [{ id: "Function:src/checkout/checkout.ts:placeOrder", line: 4 }], color: "red" });
  });

  it("focuses on nodes, and shows the code of one alone", async () => {
    const { answer, shown } = await act({ action: "focus", nodeIds: ["placeOrder", "nothingLikeIt"] });
    expect(shown).toEqual([{ type: "focus", nodes: [{ id: "Function:src/checkout/checkout.ts:placeOrder", name: "placeOrder", kind: "Function", file: "src/checkout/checkout.ts", line: 4 }] }]);
    expect(answer).toMatchObject({ focused: [{ line: 4 }], code: "shown beside the graph", notFound: [{ name: "nothingLikeIt" }] });
    const group = await act({ action: "focus", nodeIds: ["Process:0"] });
    expect((group.shown[0] as { nodes: unknown[] }).nodes.length).toBe((await shopCodebase()).processes[0]!.steps.length);
  });

  it("writes one label at nodes, for a group at what stands first in it", async () => {
    const { answer, shown } = await act({ action: "annotate", nodeIds: ["Process:0", "main", "priceOf"], label: " starts\n here " });
    expect(shown).toEqual([{ type: "annotate", nodeIds: ["Function:src/main.ts:main", "Function:src/checkout/price.ts:priceOf"], label: "starts here", color: "#f59e0b" }]);
    expect(answer).toMatchObject({ label: "starts here", annotated: [{ id: "Function:src/main.ts:main" }, { id: "Function:src/checkout/price.ts:priceOf" }] });
  });

  it("resets", async () => {
    expect((await act({ action: "reset" })).shown).toEqual([{ type: "reset" }]);
  });

  it("says what is missing, and changes nothing then", async () => {
    const shown: Shown[] = [];
    const refused = async (args: Record<string, unknown>, why: string): Promise<void> => expect(call("graph_action", args, { shown })).rejects.toThrow(why);
    await refused({ action: "focus" }, "focus needs nodeIds");
    await refused({ action: "annotate", nodeIds: ["main"] }, "annotate needs a label");
    await refused({ action: "annotate", nodeIds: ["main"], label: "x".repeat(81) }, "A label has at most 80 characters; this one has 81.");
    await refused({ action: "highlight", nodeIds: ["nope1"] }, "names exactly one node");
    await refused({ action: "zoom" }, "must be one of highlight, focus, annotate, reset");
    expect(shown).toEqual([]);
  });
});

describe("cypher", () => {
  it("asks for at most a thousand rows and says how many there are", async () => {
    let asked: unknown;
    const answer = await call("cypher", { query: "MATCH (n) RETURN n.name" }, {
      cypher: (query, maxRows) => {
        asked = { query, maxRows };
        return Promise.resolve({ columns: ["n.name"], rows: [["a"]], totalRows: 7 });
      },
    });
    expect(asked).toEqual({ query: "MATCH (n) RETURN n.name", maxRows: 1000 });
    expect(answer).toEqual({ columns: ["n.name"], rows: [["a"]], totalRows: 7, truncated: true, more: 6, rest: "SKIP and LIMIT after an ORDER BY" });
  });

  it("passes the database's error on", async () => {
    await expect(call("cypher", { query: "x" }, { cypher: () => Promise.reject(new ToolError("The query failed: no")) })).rejects.toThrow("The query failed: no");
  });
});
