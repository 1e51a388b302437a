import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";
import { readable } from "./readable.ts";

const told = async (tool: string, args: Record<string, unknown>): Promise<unknown> => readable(tool, await call(tool, args));

it("read is path and numbered lines, as they stand in the file", async () => {
  expect(await told("read", { filePath: "price.ts:1-2, roundUp, nope.ts" })).toBe([
    "src/checkout/price.ts 1-2 of 7", "1: export function priceOf(item: string): number {", "2:   return roundUp(item.length * 1.5);", "",
    "src/checkout/price.ts 5-7 of 7 Function:src/checkout/price.ts:roundUp", "5: function roundUp(value: number): number {", "6:   return Math.ceil(value);", "7: }", "",
    "name: nope.ts", "error: No file is called \"nope.ts\". Use search or context with focus structure to find it.",
  ].join("\n"));
  expect(await told("read", { filePath: "main.ts", outline: true })).toBe("src/main.ts\n4-6: function main(): void");
});

it("grep is lines by file, with the symbol they stand in, and what is left", async () => {
  expect(await told("grep", { pattern: "save\\(", maxResults: 3 })).toBe([
    "src/checkout/checkout.ts", "in placeOrder", "6: store.save(item);", "in checkOut", "12: memory.save(\"first\");", "",
    "src/store/store.ts", "2: save(order: string): void;", "", "6 lines in 2 files", "3 more: offset 3",
  ].join("\n"));
  expect(await told("grep", { pattern: "save", path: "store.ts", context: 1, maxResults: 1 })).toBe([
    "src/store/store.ts", "1- export interface Store {", "2:   save(order: string): void;", "3-   find(id: number): string;", "", "4 lines in 1 file", "3 more: offset 1",
  ].join("\n"));
  expect(await told("grep", { pattern: "nothing" })).toBe("0 lines in 0 files of 7");
});

it("deep_dive, review_file and trace_flow have code without escapes, and every id, line and count of their answers", async () => {
  const dive = await told("deep_dive", { name: "checkOut" }) as string;
  expect(dive.split("\n")).toEqual(expect.arrayContaining([
    "Function:src/checkout/checkout.ts:checkOut (10)", "10: export function checkOut(item: string): number {", "12:   memory.save(\"first\");",
    "  depth 1 (1):", "    CALLS Function:src/main.ts:main (4) at 5", "callees (3):", "  Function:src/checkout/checkout.ts:placeOrder (4) at 13",
  ]));
  expect(dive).toMatch(/^risk: unknown: 1 direct dependent \(below 4\); .*exported/m);
  const review = await told("review_file", { filePath: "checkout.ts" }) as string;
  expect(review).toContain("symbols (2) name | kind | lines | complexity | callers | references | callees:\n  placeOrder | Function | 4-8 | 1 | 2 | 0 | 2");
  expect(review.endsWith("13:   return placeOrder(memory, item);\n14: }")).toBe(true);
  const trace = await told("trace_flow", { from: "main", to: "priceOf" }) as string;
  const possible = await told("trace_flow", { from: "placeOrder", to: "MemoryStore.save" }) as string;
  expect(possible).toContain("Function:src/checkout/checkout.ts:placeOrder, to the next with confidence 0.");
  expect(trace).toContain("Function:src/main.ts:main\n4: export function main(): void {\n5: log(String(checkOut(\"pen\")));");
});

it("search names hits behind the results by file, members behind their type", async () => {
  const repo = {
    "a.ts": `/** Loads a map from where it is kept. */
export function loadMap(from: string): void {}
export class MapStore {
  loadFirst(): void {}
  loadAll(): void {}
}
export class MapCache {
  loadCached(): void {}
}
`,
    "b.ts": "export const mapLoads = 1;\n",
  };
  const args = { query: "load a map", limit: 1 };
  const codebase = await codebaseOf(repo);
  const text = readable("search", await call("search", args, { codebase })) as string;
  expect(text.split("\n")).toEqual([
    "results: id (lines; connections)", "1 Function:a.ts:loadMap (2-2; 0)", "(from: string): void", "Loads a map from where it is kept.", "",
    "others, .x being of the type before it:", "a.ts: MapStore:3 .loadFirst:4 .loadAll:5 MapCache.loadCached:8", "b.ts: mapLoads:1", "", "8 in all, 7 more: offset 1",
  ]);
  expect(readable("search", await call("search", { query: "loadMap" }, { codebase }))).toBeTypeOf("object");
});

it("other answers stay objects", async () => {
  expect(await told("impact", { target: "main", direction: "upstream" })).toBeTypeOf("object");
});

it("an answer that is known to be old says so before anything else", async () => {
  const asOf = { time: "2026-11-24T05:00:00.000Z", why: "files have changed since", files: ["a.ts", "b.ts"], more: 3 };
  expect(readable("grep", { asOf, ...await call("grep", { pattern: "nothing" }) })).toBe("As of 2026-11-24T05:00:00.000Z: files have changed since (a.ts, b.ts and 3 more)\n\n0 lines in 0 files of 7");
  expect(readable("search", { asOf, total: 0 })).toEqual({ asOf, total: 0 });
});
