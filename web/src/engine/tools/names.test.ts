import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { shopCodebase } from "../../../test/tools.ts";
import { ToolError } from "../tools.ts";
import { resolveCommunity, resolveNode, resolveProcess } from "./names.ts";

async function idOf(name: string): Promise<string> {
  const codebase = await shopCodebase();
  return codebase.graph.nodes[resolveNode(codebase, name)]!.id;
}

async function errorOf(name: string): Promise<ToolError> {
  const codebase = await shopCodebase();
  try {
    resolveNode(codebase, name);
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
    return error as ToolError;
  }
  throw new Error(`${name} was found`);
}

describe("a symbol's name", () => {
  it.each([
    ["placeOrder", "Function:src/checkout/checkout.ts:placeOrder"],
    ["placeOrder()", "Function:src/checkout/checkout.ts:placeOrder"],
    ["LoggingStore.save", "Method:src/store/store.ts:LoggingStore.save"],
    ["LoggingStore#save", "Method:src/store/store.ts:LoggingStore.save"],
    ["LoggingStore::save", "Method:src/store/store.ts:LoggingStore.save"],
    ["store.LoggingStore.save", "Method:src/store/store.ts:LoggingStore.save"],
    ["report.py:log", "Function:tools/report.py:log"],
    ["tools/report.py:log", "Function:tools/report.py:log"],
    ["store/store.ts:log", "Function:src/store/store.ts:log"],
    ["store.ts:Store.find", "Method:src/store/store.ts:Store.find"],
    ["Function:tools/report.py:log", "Function:tools/report.py:log"],
    ["  roundUp ", "Function:src/checkout/price.ts:roundUp"],
  ])("%s is %s", async (name, id) => {
    expect(await idOf(name)).toBe(id);
  });

  it("may be a line: the innermost symbol around it", async () => {
    expect(await idOf("store.ts:10")).toBe("Method:src/store/store.ts:MemoryStore.save");
    expect(await idOf("store.ts:7")).toBe("Class:src/store/store.ts:MemoryStore");
  });

  it("may be a file, by its path or the end of it, written in any way", async () => {
    for (const path of ["src/checkout/price.ts", "checkout/price.ts", "price.ts", "./src/checkout/price.ts", "/src/checkout/price.ts", "src\\checkout\\price.ts", "Price.ts"]) {
      expect(await idOf(path)).toBe("File:src/checkout/price.ts");
    }
  });

  it("does not match in the middle of a path element", async () => {
    const { message } = await errorOf("rice.ts");
    expect(message).toContain("Nothing here is called \"rice.ts\"");
  });

  it("is answered with the candidates when it is ambiguous", async () => {
    const error = await errorOf("log");
    expect(error.message).toBe(
      "\"log\" is ambiguous: 2 match. Call again with the id of one: "
      + "Function log in src/store/store.ts:25 (Function:src/store/store.ts:log); Function log in tools/report.py:10 (Function:tools/report.py:log).",
    );
    expect(error.details).toEqual({
      candidates: [
        { id: "Function:src/store/store.ts:log", name: "log", kind: "Function", file: "src/store/store.ts", line: 25 },
        { id: "Function:tools/report.py:log", name: "log", kind: "Function", file: "tools/report.py", line: 10 },
      ],
      total: 2,
    });
  });

  it("is answered with few words when very many match", async () => {
    const repo = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}.ts`, "export function same(): void {}\n"]));
    const codebase = await codebaseOf(repo);
    expect(() => resolveNode(codebase, "same")).toThrow(/30 match.*; and 25 more\.$/);
    try {
      resolveNode(codebase, "same");
    } catch (error) {
      expect((error as ToolError).details).toMatchObject({ total: 30 });
      expect(((error as ToolError).details?.candidates as unknown[]).length).toBe(20);
    }
  });

  it("is answered with the nearest when nothing has it", async () => {
    const error = await errorOf("plceOrder");
    expect(error.message).toBe("Nothing here is called \"plceOrder\". Did you mean Function placeOrder in src/checkout/checkout.ts:4 (Function:src/checkout/checkout.ts:placeOrder)?");
    expect((await errorOf("MemoryStore.sav")).details?.candidates).toContainEqual(expect.objectContaining({ id: "Method:src/store/store.ts:MemoryStore.save" }));
    // Case is no reason to guess.
    expect((await errorOf("PLACEORDER")).details?.candidates).toContainEqual(expect.objectContaining({ name: "placeOrder" }));
  });

  it("is answered with advice when nothing is near", async () => {
    const error = await errorOf("xyzzyqwfp");
    expect(error.message).toBe("Nothing here is called \"xyzzyqwfp\". Use search to find it by topic, or grep to find text.");
    expect(error.details).toEqual({ candidates: [] });
  });
});

describe("a cluster's or a process's name", () => {
  it("is its id, its label, its label in another case, or the only part of one", async () => {
    const codebase = await shopCodebase();
    const [first] = codebase.communities;
    expect(resolveCommunity(codebase, "Community:0")).toBe(first);
    expect(resolveCommunity(codebase, first!.label)).toBe(first);
    expect(resolveCommunity(codebase, first!.label.toUpperCase())).toBe(first);
    const report = codebase.communities.find(({ label }) => label.includes("report"))!;
    expect(resolveCommunity(codebase, "report")).toBe(report);
    const flow = codebase.processes[0]!;
    expect(resolveProcess(codebase, flow.label.replace("→", "->"))).toBe(flow);
  });

  it("is answered with candidates when it is ambiguous", async () => {
    const codebase = await shopCodebase();
    expect(codebase.processes.length).toBeGreaterThan(1);
    expect(() => resolveProcess(codebase, "main")).toThrow(/"main" is ambiguous: \d+ processes match\. Call again with an id: .*\(Process:0\)/);
  });

  it("is answered with what there is when nothing has it", async () => {
    const codebase = await shopCodebase();
    expect(() => resolveCommunity(codebase, "billing")).toThrow(/^No cluster is called "billing"\. The first are .*\(Community:0\).*overview lists them\.$/);
    const empty = await codebaseOf({ "a.md": "text" });
    expect(() => resolveCommunity(empty, "x")).toThrow("This repository has no clusters.");
  });
});
