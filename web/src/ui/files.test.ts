import { describe, expect, it } from "vitest";
import { fromDropped, fromPicked } from "./files.ts";

const file = (path: string): File => Object.assign(new File(["x"], path.split("/").at(-1)!), { webkitRelativePath: path });

/** A tree as a drop gives it: text is a file, an object a folder. Folders are read two entries at a time. */
function entry(name: string, content: unknown): FileSystemEntry {
  if (content === null) return { name, isFile: true, file: (_: unknown, fail: (why: Error) => void) => fail(new Error("NotReadableError")) } as unknown as FileSystemEntry;
  if (typeof content === "string") return { name, isFile: true, file: (give: (file: File) => void) => give(new File([content], name)) } as unknown as FileSystemEntry;
  const createReader = (): unknown => {
    const rest = Object.entries(content as object).map(([child, inner]) => entry(child, inner));
    return { readEntries: (give: (entries: FileSystemEntry[]) => void) => give(rest.splice(0, 2)) };
  };
  return { name, isFile: false, createReader } as unknown as FileSystemEntry;
}

const paths = (source: Awaited<ReturnType<typeof fromDropped>>): string[] => (source.kind === "files" ? source.files.map(({ path }) => path) : []);

describe("a picked folder", () => {
  it("is named after its root, and leaves out what is nobody's own", () => {
    const source = fromPicked([file("shop/a.ts"), file("shop/node_modules/x/i.js"), file("shop/src/.git/HEAD"), file("shop/src/b.ts"), file("shop/node_modules")]);
    expect(source).toMatchObject({ kind: "files", name: "shop" });
    expect(paths(source)).toEqual(["a.ts", "src/b.ts", "node_modules"]);
  });

  it("must have files", () => {
    expect(() => fromPicked([file("shop/node_modules/x.js")])).toThrow("no files");
  });
});

describe("a drop", () => {
  it("walks a folder to its depth, however the browser portions it", async () => {
    const tree = entry("shop", { "b.ts": "", "a.ts": "", src: { "e.ts": "", "d.ts": "", deep: { "f.ts": "" } }, node_modules: { "x.js": "" }, "z.ts": "" });
    const source = await fromDropped([tree], () => undefined);
    expect(source).toMatchObject({ kind: "files", name: "shop" });
    expect(paths(source)).toEqual(["a.ts", "b.ts", "src/d.ts", "src/deep/f.ts", "src/e.ts", "z.ts"]);
  });

  it("takes several folders with their names", async () => {
    expect(paths(await fromDropped([entry("one", { "a.ts": "" }), entry("two", { "a.ts": "" })], () => undefined))).toEqual(["one/a.ts", "two/a.ts"]);
  });

  it("counts as it goes", async () => {
    const counts: number[] = [];
    await fromDropped([entry("many", Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`f${i}`, ""])))], (n) => counts.push(n));
    expect(counts).toEqual([100, 200]);
  });

  it("goes on past a file that cannot be read", async () => {
    expect(paths(await fromDropped([entry("shop", { "a.ts": null, "b.ts": "" })], () => undefined))).toEqual(["b.ts"]);
  });

  it("knows a zip, and says what it cannot take", async () => {
    expect(await fromDropped([entry("Shop.ZIP", "PK")], () => undefined)).toMatchObject({ kind: "zip", file: { name: "Shop.ZIP" } });
    await expect(fromDropped([entry("notes.txt", "x")], () => undefined)).rejects.toThrow("notes.txt is a single file. Drop a folder or a .zip file.");
    await expect(fromDropped([], () => undefined)).rejects.toThrow("Drop a folder or a .zip");
    await expect(fromDropped([entry("empty", {})], () => undefined)).rejects.toThrow("no files");
  });
});
