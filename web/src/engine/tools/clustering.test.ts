import { expect, test } from "vitest";
import { call, shopCodebase } from "../../../test/tools.ts";
import type { Codebase } from "../codebase.ts";

const clustered = await shopCodebase();
/** The shop in the moments before its clusters and processes are found. */
const codebase: Codebase = { ...clustered, communities: [], processes: [], clustering: true };

test.each([
  ["search", { query: "order" }],
  ["impact", { target: "placeOrder", direction: "upstream" }],
  ["explore", { name: "placeOrder", type: "symbol" }],
  ["deep_dive", { name: "placeOrder" }],
  ["review_file", { filePath: "src/checkout/checkout.ts" }],
  ["test_impact", { changedFiles: ["src/checkout/checkout.ts"] }],
])("%s answers before clusters are found, and says that it tells of none", async (name, args) => {
  expect((await call(name, args, { codebase })).note).toMatch(/^Clusters and processes are still being found/u);
  expect(JSON.stringify(await call(name, args))).not.toContain("still being found");
});

test("context says so instead of counting none", async () => {
  const stats = async (of: Codebase): Promise<object> => (await call("context", { focus: "stats" }, { codebase: of })).stats as object;
  expect(await stats(codebase)).toMatchObject({ note: expect.stringContaining("still being found") as string });
  expect(await stats(codebase)).not.toHaveProperty("clusters");
  expect(await stats(clustered)).toMatchObject({ clusters: clustered.communities.length, processes: clustered.processes.length });
});

test.each([
  ["overview", {}],
  ["explore", { name: clustered.communities[0]!.label, type: "cluster" }],
  ["explore", { name: clustered.processes[0]!.label, type: "process" }],
  ["trace_flow", { from: "checkOut" }],
])("%s waits for them", async (name, args) => {
  expect(await call(name, args, { codebase, clustered })).toEqual(await call(name, args));
});
