/** Every list that is cut says how to get the rest, and what that gives is the rest. */
import { beforeAll, describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";
import type { Codebase } from "../codebase.ts";

const MANY = 150;

/** Many functions in many files call one, are tested, and are built alike. */
function wide(): Record<string, string> {
  const repo: Record<string, string> = { "hub.ts": "export function hub(n: number): number { return n; }\n" };
  for (let i = 0; i < MANY; i++) {
    repo[`src/part${i % 10}/use${i}.ts`] = `import { hub } from "../../hub.ts";\nexport function useHub${i}(n: number): number { return hub(n) + ${i}; }\n`;
    repo[`src/part${i % 10}/use${i}.test.ts`] = `import { useHub${i} } from "./use${i}.ts";\nimport { test } from "vitest";\ntest("${i}", () => { useHub${i}(1); });\n`;
  }
  return repo;
}

interface Cut { total: number; matching?: number; items: unknown[]; more?: number; rest?: string }

/** Follows `rest` until nothing is left. */
async function all(codebase: Codebase, tool: string, args: Record<string, unknown>, list: (answer: Record<string, unknown>) => Cut | undefined): Promise<{ items: string[]; first: Cut }> {
  const items: string[] = [];
  let first: Cut | undefined;
  for (let offset = 0, calls = 0; ; calls++) {
    expect(calls).toBeLessThan(40);
    const cut = list(await call(tool, { ...args, ...(offset > 0 ? { offset } : {}) }, { codebase }));
    if (!cut) break;
    first ??= cut;
    items.push(...cut.items.map((item) => JSON.stringify(item)));
    if (cut.more === undefined) break;
    expect(cut.rest).toBe(`offset ${offset + cut.items.length}`);
    offset += cut.items.length;
  }
  return { items, first: first! };
}

describe("pages", () => {
  let codebase: Codebase;
  beforeAll(async () => { codebase = await codebaseOf(wide()); });

  it.each<[string, Record<string, unknown>, (answer: Record<string, unknown>) => Cut | undefined, number]>([
    ["explore", { name: "hub", type: "symbol" }, (a) => a.callers as Cut, MANY],
    ["deep_dive", { name: "src/part0/use0.ts:useHub0" }, (a) => a.callees as Cut, 1],
    ["review_file", { filePath: "hub.ts" }, (a) => a.importedBy as Cut, MANY],
    ["overview", { showProcesses: false, limit: 7 }, (a) => a.clusters as Cut, -1],
    ["test_impact", { changedFiles: ["hub.ts"] }, (a) => (a.affected as Cut[])[0], MANY],
    ["test_impact", { changedFiles: ["hub.ts"] }, (a) => {
      const tests = a.tests as { total: number; more?: number; rest?: string; groups: { items: string[] }[] };
      return { ...tests, items: tests.groups.flatMap(({ items }) => items) };
    }, MANY],
    ["context", { focus: "hotspots" }, (a) => a.hotspots as Cut, -1],
    ["search", { query: "hub", limit: 30 }, (a) => ({ ...(a as unknown as Cut), items: a.results as unknown[] }), -1],
    ["find_similar", { name: "src/part0/use0.ts:useHub0", limit: 20 }, (a) => ({ total: -1, ...a, items: a.similar as unknown[] }), MANY - 1],
    ["grep", { pattern: "hub\\(", output: "files", maxResults: 40 }, (a) => ({ ...(a as unknown as Cut), items: a.list as unknown[] }), -1],
  ])("of %s %j are the whole list, each item once", async (tool, args, list, total) => {
    const { items, first } = await all(codebase, tool, args, list);
    expect(new Set(items).size).toBe(items.length);
    if (total >= 0) expect(items.length).toBe(total);
    else if (tool !== "search" && tool !== "grep") expect(items.length).toBe(first.total);
    else expect(items.length).toBeGreaterThan(40);
  });

  it("of some files alone say how many match", async () => {
    const { callers } = await call("explore", { name: "hub", type: "symbol", path: "src/part3/**" }, { codebase }) as { callers: Cut };
    expect(callers).toMatchObject({ total: MANY, matching: MANY / 10 });
    const { affected } = await call("test_impact", { changedFiles: ["hub.ts"], path: "src/part3" }, { codebase }) as { affected: Cut[] };
    expect(affected[0]).toMatchObject({ matching: MANY / 10 });
    const { similar } = await call("find_similar", { name: "src/part0/use0.ts:useHub0", limit: 20, path: "src/part3" }, { codebase }) as { similar: { id: string }[] };
    expect(similar.length).toBe(MANY / 10);
    expect(similar.every(({ id }) => id.startsWith("Function:src/part3/"))).toBe(true);
    const { structure } = await call("context", { focus: "structure", path: "src/part3" }, { codebase }) as { structure: { tree: string } };
    expect(structure.tree).not.toContain("part4");
  });

  it("of an impact name every dependent, with the lines where a file alone is asked for", async () => {
    const busy = await codebaseOf({ "a.ts": `function a(): void {}\nfunction b(): void {\n${"  a();\n".repeat(20)}}\n`, "c.ts": "export {};\n" });
    const sites = async (args: object): Promise<number> => ((await call("impact", { target: "a", direction: "upstream", ...args }, { codebase: busy })).byDepth as { items: { sites: number[] }[] }[])[0]!.items[0]!.sites.length;
    expect([await sites({}), await sites({ path: "a.ts" })]).toEqual([6, 20]);
    const names = new Set<string>();
    for (let offset = 0; offset < MANY;) {
      const { byDepth } = await call("impact", { target: "hub", direction: "upstream", maxDepth: 1, limit: 60, offset }, { codebase }) as { byDepth: { others: Record<string, string[]>; rest?: string }[] };
      for (const [file, some] of Object.entries(byDepth[0]!.others)) for (const name of some) names.add(`${file} ${name}`);
      offset = byDepth[0]!.rest === undefined ? MANY : Number(byDepth[0]!.rest.split(" ")[1]);
    }
    expect(names.size).toBe(MANY);
  });
});
