import { expect, it } from "vitest";
import { call } from "../../../test/tools.ts";
import type { ToolError } from "../tools.ts";

it("finds lines by path and line, with the symbol that each stands in", async () => {
  expect(await call("grep", { pattern: "save\\(" })).toEqual({
    matches: [
      { file: "src/checkout/checkout.ts", line: 6, text: "store.save(item);", in: "placeOrder" },
      { file: "src/checkout/checkout.ts", line: 12, text: "memory.save(\"first\");", in: "checkOut" },
      { file: "src/store/store.ts", line: 2, text: "save(order: string): void;" },
      { file: "src/store/store.ts", line: 9, text: "save(order: string): void {" },
      { file: "src/store/store.ts", line: 19, text: "override save(order: string): void {" },
      { file: "src/store/store.ts", line: 21, text: "super.save(order);", in: "LoggingStore.save" },
    ],
    total: 6, files: 2,
  });
});

it("minds case unless told not to", async () => {
  expect(await call("grep", { pattern: "STORE" })).toEqual({ matches: [], total: 0, files: 0, searchedFiles: 7 });
  expect((await call("grep", { pattern: "STORE", caseSensitive: false })).total).toBeGreaterThan(2);
});

it("looks at the paths of a glob only", async () => {
  expect(await call("grep", { pattern: "log\\(", path: "*.py" })).toMatchObject({ matches: [{ file: "tools/report.py", line: 10 }], total: 1, files: 1 });
  expect(await call("grep", { pattern: "nothing", path: "src/store" })).toMatchObject({ searchedFiles: 1 });
});

it("says why nothing can be found by a path that no file has, or by a pattern of several lines", async () => {
  expect(await call("grep", { pattern: "save", path: "nope/**" })).toMatchObject({ total: 0, searchedFiles: 0, hint: expect.stringContaining("No file has that path") as string });
  for (const pattern of ["save\\(.*\\n", "save[\\s\\S]*find"]) expect(await call("grep", { pattern })).toMatchObject({ total: 0, hint: expect.stringContaining("in each line alone") as string });
});

it("gives the lines around each, and none twice", async () => {
  const { matches } = await call("grep", { pattern: "save", path: "store.ts", context: 1 }) as { matches: { line: number; before?: string[]; after?: string[] }[] };
  expect(matches[0]).toMatchObject({ line: 2, before: ["export interface Store {"], after: ["  find(id: number): string;"] });
  expect(matches.slice(-2).map(({ line, before, after }) => [line, before, after])).toEqual([
    [19, ["export class LoggingStore extends MemoryStore {"], ["    log(order);"]], [21, undefined, ["  }"]],
  ]);
});

it("gives files or counts alone", async () => {
  expect(await call("grep", { pattern: "save\\(", output: "files" })).toEqual({ list: ["src/checkout/checkout.ts", "src/store/store.ts"], total: 6, files: 2 });
  expect(await call("grep", { pattern: "save\\(", output: "count", maxResults: 1 })).toEqual({ list: ["src/checkout/checkout.ts: 2"], total: 6, files: 2, more: 1, rest: "offset 1" });
});

it("gives the rest in pages", async () => {
  const lines = async (args: object): Promise<[number[], number | undefined, string | undefined]> => {
    const { matches, more, rest } = await call("grep", { pattern: "save\\(", ...args }) as { matches: { line: number }[]; more?: number; rest?: string };
    return [matches.map(({ line }) => line), more, rest];
  };
  expect(await lines({ maxResults: 4 })).toEqual([[6, 12, 2, 9], 2, "offset 4"]);
  expect(await lines({ maxResults: 4, offset: 4 })).toEqual([[19, 21], undefined, undefined]);
});

it("refuses a broken pattern with the engine's words and what to do", async () => {
  const error = await call("grep", { pattern: "save(" }).catch((e: unknown) => e) as ToolError;
  expect(error.name).toBe("ToolError");
  expect(error.message).toMatch(/^Invalid regular expression: .*Unterminated group\. To search for these characters themselves, escape them; details\.literal is the escaped pattern\.$/);
  expect(error.details).toEqual({ literal: "save\\(" });
  expect((await call("grep", { pattern: error.details!.literal })).total).toBe(6);
  await expect(call("grep", { pattern: "(?i)save" })).rejects.toThrow("JavaScript has no inline flags such as (?i): use caseSensitive.");
});
