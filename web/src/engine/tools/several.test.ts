import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";
import { readable } from "./readable.ts";
import { splitNames } from "./several.ts";

interface Several {
  ambiguous?: string;
  others?: { id: string }[];
  answers: { id?: string; target?: { id: string }; risk?: object; code?: string; name?: string; error?: string; candidates?: object[] }[];
}

describe("several names", () => {
  it.each([["impact", { target: "priceOf, roundUp", direction: "upstream" }], ["deep_dive", { name: "priceOf,roundUp" }], ["explore", { name: "priceOf, roundUp", type: "symbol" }]])("are answered by %s at once", async (tool, args) => {
    const { answers } = await call(tool, args) as unknown as Several;
    expect(answers.map(({ id, target }) => (id ?? target?.id)!.split(":").at(-1))).toEqual(["priceOf", "roundUp"]);
  });

  it("have what is wrong with one of them in its place", async () => {
    const { answers } = await call("deep_dive", { name: "priceOf, roundUpp" }) as unknown as Several;
    expect(answers[0]!.code).toContain("export function priceOf");
    expect(answers[1]).toEqual({ name: "roundUpp", error: expect.stringContaining("Nothing here is called \"roundUpp\"") as string, candidates: [{ id: "Function:src/checkout/price.ts:roundUp", line: 5 }] });
    await expect(call("deep_dive", { name: Array.from({ length: 11 }, (_, i) => `n${i}`).join() })).rejects.toThrow("11 names are too many");
  });

  it("may have commas in brackets", async () => {
    expect(await call("deep_dive", { name: "placeOrder(store, item)" })).toMatchObject({ id: "Function:src/checkout/checkout.ts:placeOrder" });
    expect(splitNames("<Worker<T, R> as Future>::poll, operator<, a -> b, f(x, y)")).toEqual(["<Worker<T, R> as Future>::poll", "operator<", "a -> b", "f(x, y)"]);
  });
});

describe("an ambiguous name", () => {
  it("is read with the heads of the first three, and what is built alike is told of each", async () => {
    const body = (name: string, lines: number): string => `export function ${name}(): number {\n${"  tick();\n".repeat(lines)}  return 1;\n}\n`;
    const codebase = await codebaseOf({ "a.ts": body("same", 30), "b.ts": body("same", 1), "c.ts": body("other", 3) });
    const read = await call("read", { filePath: "same" }, { codebase }) as { answers: { content: string; symbolEnds?: number }[] };
    expect(read).toMatchObject({ ambiguous: expect.stringContaining("\"same\" means 2 things") as string, answers: [{ symbol: "Function:a.ts:same", startLine: 1, endLine: 20, symbolEnds: 33 }, { symbol: "Function:b.ts:same", endLine: 4 }] });
    expect(readable("read", read)).toContain("ask again with an id for all of one.\n\na.ts 1-20 of 33 Function:a.ts:same, which ends at 33\n1: export function same(): number {\n");
    expect(readable("read", read)).toContain("20:   tick();\n\nb.ts (4 lines) Function:b.ts:same\n1: export");
    // Each of several places, too; and heads alone where these are asked for.
    expect(await call("read", { filePath: "same, c.ts" }, { codebase })).toMatchObject({ parts: [{ ambiguous: expect.anything() as string }, { file: "c.ts" }] });
    expect(await call("read", { filePath: "same", outline: true }, { codebase })).toMatchObject({ answers: [{ outline: ["1-33: function same(): number"] }, {}] });
    expect(await call("find_similar", { name: "same" }, { codebase })).toMatchObject({ answers: [{ id: "Function:a.ts:same", similar: [{ id: "Function:b.ts:same" }] }, { id: "Function:b.ts:same" }] });
  });

  it("is answered with the heads of the first three, code before tests, and the ids of the others", async () => {
    const body = (i: number): string => `export function same(): number {\n${"  // line\n".repeat(60)}  return ${i};\n}\n`;
    const codebase = await codebaseOf({ "a.test.ts": body(0), ...Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`b${i}.ts`, body(i)])) });
    const { ambiguous, answers, others } = await call("deep_dive", { name: "same" }, { codebase }) as unknown as Several;
    expect(ambiguous).toContain("\"same\" means 5 things");
    expect(answers.map(({ id }) => id)).toEqual(["Function:b0.ts:same", "Function:b1.ts:same", "Function:b2.ts:same"]);
    expect(answers[0]!.code!.split("\n").length).toBe(40);
    expect(answers[0]!.risk).toBeDefined();
    expect(others).toEqual([{ id: "Function:b3.ts:same", line: 1 }, { id: "Function:a.test.ts:same", line: 1 }]);
    const impact = await call("impact", { target: "same", direction: "upstream" }, { codebase }) as unknown as Several;
    expect(impact.answers.length).toBe(3);
  });
});
