import { expect, it } from "vitest";
import { call } from "../../../test/tools.ts";
import type { ToolError } from "../tools.ts";

it("finds lines by path and line", async () => {
  expect(await call("grep", { pattern: "save\\(" })).toEqual({
    matches: [
      { file: "src/checkout/checkout.ts", line: 6, text: "store.save(item);", match: "save(" },
      { file: "src/checkout/checkout.ts", line: 12, text: "memory.save(\"first\");", match: "save(" },
      { file: "src/store/store.ts", line: 2, text: "save(order: string): void;", match: "save(" },
      { file: "src/store/store.ts", line: 9, text: "save(order: string): void {", match: "save(" },
      { file: "src/store/store.ts", line: 19, text: "override save(order: string): void {", match: "save(" },
      { file: "src/store/store.ts", line: 21, text: "super.save(order);", match: "save(" },
    ],
    total: 6, files: 2,
  });
});

it("cuts at maxResults and says how many there are", async () => {
  const answer = await call("grep", { pattern: "STORE", maxResults: 2 });
  expect((answer.matches as unknown[]).length).toBe(2);
  expect(answer.truncated).toBe(true);
  expect(answer.total).toBeGreaterThan(2);
});

it("says how many files it looked at when nothing matches", async () => {
  expect(await call("grep", { pattern: "STORE", caseSensitive: true })).toEqual({ matches: [], total: 0, files: 0, searchedFiles: 7 });
});

it("refuses a broken pattern with the engine's words and what to do", async () => {
  const error = await call("grep", { pattern: "save(" }).catch((e: unknown) => e) as ToolError;
  expect(error.name).toBe("ToolError");
  expect(error.message).toMatch(/^Invalid regular expression: .*Unterminated group\. To search for these characters themselves, escape them; details\.literal is the escaped pattern\.$/);
  expect(error.details).toEqual({ literal: "save\\(" });
  expect((await call("grep", { pattern: error.details!.literal })).total).toBe(6);
  await expect(call("grep", { pattern: "(?i)save" })).rejects.toThrow("JavaScript has no inline flags such as (?i): use caseSensitive.");
});
