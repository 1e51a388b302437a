import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call, SHOP } from "../../../test/tools.ts";
import { ToolError } from "../tools.ts";

const PATH = "src/checkout/price.ts";

describe("read", () => {
  it("gives a whole file", async () => {
    expect(await call("read", { filePath: PATH })).toEqual({
      file: PATH, language: "typescript", startLine: 1, endLine: 7, totalLines: 7, content: SHOP[PATH],
    });
  });

  it("gives some of its lines, with their line ends", async () => {
    expect(await call("read", { filePath: PATH, startLine: 2, endLine: 3 })).toMatchObject({
      startLine: 2, endLine: 3, content: "  return roundUp(item.length * 1.5);\n}\n",
    });
    expect(await call("read", { filePath: PATH, startLine: 7 })).toMatchObject({ startLine: 7, endLine: 7, content: "}\n" });
    expect(await call("read", { filePath: PATH, startLine: 6, endLine: 400 })).toMatchObject({ startLine: 6, endLine: 7, totalLines: 7 });
  });

  it("takes the end of a path, a File id and a path of another system", async () => {
    for (const filePath of ["price.ts", "checkout/price.ts", "File:src/checkout/price.ts", ".\\src\\checkout\\price.ts"]) {
      expect(await call("read", { filePath, endLine: 1 })).toMatchObject({ file: PATH });
    }
  });

  it("names the language of other files by their ending", async () => {
    expect(await call("read", { filePath: "README.md", endLine: 1 })).toEqual({
      file: "README.md", language: "md", startLine: 1, endLine: 1, totalLines: 3, content: "# Shop\n",
    });
  });

  it("gives an empty file, and one without a line end", async () => {
    const codebase = await codebaseOf({ "empty.txt": "", "Makefile": "all:" });
    expect(await call("read", { filePath: "empty.txt" }, { codebase })).toEqual({ file: "empty.txt", language: "txt", startLine: 0, endLine: 0, totalLines: 0, content: "" });
    expect(await call("read", { filePath: "Makefile" }, { codebase })).toEqual({ file: "Makefile", startLine: 1, endLine: 1, totalLines: 1, content: "all:" });
    await expect(call("read", { filePath: "empty.txt", startLine: 2 }, { codebase })).rejects.toThrow("startLine 2 is beyond the end: empty.txt has 0 lines.");
  });
});

describe("several places", () => {
  interface Parts { parts: { file?: string; symbol?: string; startLine?: number; endLine?: number; content?: string; name?: string; error?: string }[] }

  it("are ranges, symbols and files, each with what is wrong with it in its place", async () => {
    const { parts } = await call("read", { filePath: "price.ts:5-7, LoggingStore.save, checkout.ts:12, tools/report.py, nope.ts:1-2" }) as unknown as Parts;
    expect(parts.map(({ file, startLine, endLine }) => [file, startLine, endLine])).toEqual([
      [PATH, 5, 7], ["src/store/store.ts", 19, 22], ["src/checkout/checkout.ts", 1, 14], ["tools/report.py", 1, 11], [undefined, undefined, undefined],
    ]);
    expect(parts[0]!.content).toBe("function roundUp(value: number): number {\n  return Math.ceil(value);\n}\n");
    expect(parts[1]!.symbol).toBe("Method:src/store/store.ts:LoggingStore.save");
    expect(parts[4]).toMatchObject({ name: "nope.ts:1-2", error: expect.stringContaining("No file is called") as string });
  });

  it("may be one symbol", async () => {
    expect(await call("read", { filePath: "roundUp" })).toMatchObject({ file: PATH, symbol: "Function:src/checkout/price.ts:roundUp", startLine: 5, endLine: 7 });
  });

  it("are told by the heads of what they declare", async () => {
    expect(await call("read", { filePath: "store.ts", outline: true })).toEqual({
      file: "src/store/store.ts",
      outline: [
        "1-4: interface Store", "  2-2: save(order: string): void", "  3-3: find(id: number): string",
        "6-16: class MemoryStore implements Store", "  9-11: save(order: string): void", "  13-15: find(id: number): string",
        "18-23: class LoggingStore extends MemoryStore", "  19-22: override save(order: string): void", "25-27: function log(text: string): void",
      ],
    });
    expect((await call("read", { filePath: "MemoryStore", outline: true })).outline).toHaveLength(3);
    expect((await call("read", { filePath: `${PATH}:2-3`, outline: true })).outline).toEqual(["1-3: function priceOf(item: string): number"]);
    expect(await call("read", { filePath: "README.md", outline: true })).toEqual({ file: "README.md", outline: [], note: "No symbol of the graph stands there: read it without outline." });
  });

  it("are told of a type with the members that stand beside it or in other files", async () => {
    const codebase = await codebaseOf({
      "go.mod": "module m\n", "a/box.go": "package a\n\ntype Box struct{ n int }\n\nfunc other() {}\n\nfunc (b *Box) Open() {}\n", "a/close.go": "package a\n\nfunc (b *Box) Close() {}\n",
    });
    expect(await call("read", { filePath: "Box", outline: true }, { codebase })).toEqual({
      file: "a/box.go", outline: ["3-3: type Box struct", "7-7: func (b *Box) Open()"], elsewhere: { "a/close.go": ["3-3: func (b *Box) Close()"] },
    });
  });
});

describe("a wrong question", () => {
  async function errorOf(args: Record<string, unknown>, options?: Parameters<typeof call>[2]): Promise<ToolError> {
    const error: unknown = await call("read", args, options).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ToolError);
    return error as ToolError;
  }

  it("says how many lines there are", async () => {
    expect((await errorOf({ filePath: PATH, startLine: 8 })).message).toBe(`startLine 8 is beyond the end: ${PATH} has 7 lines.`);
    expect((await errorOf({ filePath: PATH, startLine: 5, endLine: 2 })).message).toBe(`startLine 5 is after endLine 2. ${PATH} has 7 lines.`);
    expect((await errorOf({ filePath: PATH, startLine: 0 })).message).toBe("startLine is 0, and lines count from 1.");
  });

  it("is told of a range that ends before it begins", async () => {
    expect((await errorOf({ filePath: `${PATH}:5-2` })).message).toBe(`startLine 5 is after endLine 2. ${PATH} has 7 lines.`);
  });

  it("gets the nearest symbols where no path resembles it", async () => {
    const error = await errorOf({ filePath: "MemoryStore.svae" });
    expect(error.message).toContain("Nothing here is called \"MemoryStore.svae\". Did you mean one of the candidates?");
    expect(error.details).toEqual({ candidates: [{ id: "Method:src/store/store.ts:MemoryStore.save", line: 9 }] });
  });

  it("gets the lines of a field, though a path resembles its type", async () => {
    const codebase = await codebaseOf({ "conn_options.go": "package a\n\ntype Options struct {\n\twait int\n}\n" });
    expect((await errorOf({ filePath: "Options.wait" }, { codebase })).details).toMatchObject({ declared: ["conn_options.go:4: wait int"] });
  });

  it("gets the candidates of an ambiguous path", async () => {
    const codebase = await codebaseOf({ "a/index.ts": "", "b/index.ts": "", "b/myindex.ts": "" });
    const error = await errorOf({ filePath: "index.ts" }, { codebase });
    expect(error.message).toBe("\"index.ts\" is ambiguous: 2 files end in it. Give more of the path, as the candidates have it.");
    expect(error.details).toEqual({ name: "index.ts", candidates: ["a/index.ts", "b/index.ts"], total: 2 });
  });

  it("gets the nearest paths of one that is not there", async () => {
    const error = await errorOf({ filePath: "src/checkout/prize.ts" });
    expect(error.message).toBe("No file is called \"src/checkout/prize.ts\". Did you mean one of the candidates?");
    expect(error.details).toEqual({ candidates: ["src/checkout/price.ts"] });
    expect((await errorOf({ filePath: "nothing/like/xyzzyqwfp.rs" })).message).toContain("Use search or context");
  });

  it("is told that a path is a folder, or was skipped", async () => {
    expect((await errorOf({ filePath: "src/checkout/" })).message).toBe("src/checkout is a folder with 3 files. Name one of them.");
    const codebase = { ...await codebaseOf({ "a.ts": "" }), skipped: [{ path: "img/logo.png", reason: "binary" }] };
    expect((await errorOf({ filePath: "logo.png" }, { codebase })).message).toBe("img/logo.png is in the repository but was not read: binary.");
  });
});
