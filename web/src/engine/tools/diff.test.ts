import { describe, expect, it } from "vitest";
import { parseHere, repositoryOf } from "../../../test/codebase.ts";
import { call, SHOP } from "../../../test/tools.ts";
import { findClusters } from "../find-clusters.ts";
import { openWorkspace } from "../pipeline.ts";
import type { Workspace } from "../workspace.ts";

/** A repository of which somebody tells what changes. */
async function followed(files: Record<string, string>): Promise<Workspace> {
  return openWorkspace({ repository: { ...repositoryOf(files, "shop"), origin: { id: "shop", versions: {}, removed: [] } }, parse: parseHere, findClusters });
}

async function change(workspace: Workspace, files: Record<string, string>, removed: string[] = []): Promise<void> {
  await workspace.update({ files: Object.entries(files).map(([path, text]) => ({ path, text, bytes: text.length })), removed }, parseHere);
}

const ask = (workspace: Workspace, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> => call("diff", args, { codebase: workspace.codebase! });

const CHECKOUT = "src/checkout/checkout.ts";

describe("diff", () => {
  it("is empty after a load, and when everything is as it was again", async () => {
    const workspace = await followed(SHOP);
    const nothing = { total: { added: 0, modified: 0, deleted: 0 }, files: { total: 0, items: [] } };
    expect(await ask(workspace)).toMatchObject({ repo: "shop", ...nothing });
    await change(workspace, { [CHECKOUT]: "let a;", "new.ts": "let b;" });
    await change(workspace, { [CHECKOUT]: SHOP[CHECKOUT]! }, ["new.ts"]);
    expect(await ask(workspace)).toMatchObject(nothing);
  });

  it("names the symbols whose own text is different, that are new and that are gone", async () => {
    const base = await followed({ "box.ts": "export class Box {\n  open(): void {}\n  shut(): void {}\n}\n\nexport function box(): Box {\n  return new Box();\n}\n" });
    await change(base, { "box.ts": "export class Box {\n  open(): void { box(); }\n  lock(): void {}\n}\n\nexport function box(): Box {\n  return new Box();\n}\n" });
    const answer = await ask(base, { includeContent: true });
    expect(answer["files"]).toEqual({ total: 1, items: [{
      file: "box.ts", change: "modified", lines: [2, 3],
      symbols: {
        modified: { total: 1, items: [{ id: "Method:box.ts:Box.open", line: 2 }] },
        added: { total: 1, items: [{ id: "Method:box.ts:Box.lock", line: 3 }] },
        removed: { total: 1, items: ["Method Box.shut"] },
      },
      hunks: "@@ -1,6 +1,6 @@\n export class Box {\n-  open(): void {}\n-  shut(): void {}\n+  open(): void { box(); }\n+  lock(): void {}\n }\n \n export function box(): Box {",
    }] });
  });

  it("says where a symbol went that another file has now as it was, if it is the only such one", async () => {
    const [moved, twin] = ["export function moved(): number {\n  return 1;\n}\n", "export function twin(): number {\n  return 2;\n}\n"];
    const workspace = await followed({ "a.ts": `export const a = 1;\n${moved}${twin}`, "b.ts": "export const b = 1;\n", "c.ts": "export const c = 1;\n" });
    await change(workspace, { "a.ts": "export const a = 1;\n", "b.ts": `export const b = 1;\n${moved}${twin}`, "c.ts": `export const c = 1;\n${twin}` });
    const { items } = (await ask(workspace))["files"] as { items: { file: string; symbols: object }[] };
    expect(items.map(({ file, symbols }) => [file, symbols])).toEqual([
      ["a.ts", { removed: { total: 2, items: ["Function moved, now in b.ts", "Function twin"] } }],
      ["b.ts", { added: { total: 2, items: [{ id: "Function:b.ts:moved", line: 2, movedFrom: "a.ts" }, { id: "Function:b.ts:twin", line: 5 }] } }],
      ["c.ts", { added: { total: 1, items: [{ id: "Function:c.ts:twin", line: 2 }] } }],
    ]);
  });

  it("tells added, modified and deleted files apart, and knows a file under its new name", async () => {
    const workspace = await followed(SHOP);
    await change(workspace, { "lib/moved.ts": SHOP[CHECKOUT]!, "README.md": "# another shop\n", "new.ts": "export function fresh(): void {}\n" }, [CHECKOUT]);
    const answer = await ask(workspace);
    expect(answer["total"]).toEqual({ added: "README.md" in SHOP ? 1 : 2, modified: "README.md" in SHOP ? 1 : 0, deleted: 0, renamed: 1 });
    const items = (answer["files"] as { items: { file: string; change: string; renamedFrom?: string; symbols?: object }[] }).items;
    expect(items.find(({ file }) => file === "lib/moved.ts")).toEqual({ file: "lib/moved.ts", change: "renamed", renamedFrom: CHECKOUT });
    expect(items.find(({ file }) => file === "new.ts")).toMatchObject({ symbols: { added: { items: [{ id: "Function:new.ts:fresh" }] } } });
    await change(workspace, {}, ["lib/moved.ts"]);
    const deleted = await ask(workspace, { filter: "deleted" });
    expect(deleted).toMatchObject({ total: { deleted: 1 }, files: { total: 1, items: [{ file: CHECKOUT }] } });
  });

  it("pairs a file that was renamed and edited, by what most alike it is", async () => {
    const body = (name: string): string => `export function ${name}(): number {\n${Array.from({ length: 10 }, (_, i) => `  step(${i});`).join("\n")}\n  return 1;\n}\n`;
    const workspace = await followed({ "old.ts": body("same"), "other.ts": "export const nothing = 1;\n" });
    await change(workspace, { "new.ts": `${body("same")}\nexport function more(): void {}\n`, "unlike.ts": "export const much = 2;\n" }, ["old.ts", "other.ts"]);
    const { files, total } = await ask(workspace, { includeContent: true }) as { files: { items: { file: string; change: string; hunks?: string }[] }; total: object };
    expect(total).toEqual({ added: 1, modified: 0, deleted: 1, renamed: 1 });
    expect(files.items[0]).toMatchObject({ file: "new.ts", change: "renamed", renamedFrom: "old.ts", symbols: { added: { items: [{ id: "Function:new.ts:more" }] } } });
    expect(files.items[0]!.hunks).toMatch(/^@@ -11,3 \+11,5 @@\n[^-]*\n\+export function more\(\): void \{\}$/);
  });

  it("cuts hunks and files, and says how to get the rest", async () => {
    const lines = (from: number): string => Array.from({ length: 200 }, (_, i) => `line${from + i}();`).join("\n");
    const workspace = await followed({ "a.ts": `${lines(0)}\n` });
    await change(workspace, { "a.ts": `${lines(1000)}\n`, ...Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`n${i}.ts`, `export const n${i} = ${i};\n`])) });
    const { files } = await ask(workspace, { includeContent: true, limit: 4 }) as { files: { total: number; more: number; rest: string; items: { hunks: string; moreLines: number; rest: string }[] } };
    expect(files).toMatchObject({ total: 6, more: 2, rest: "offset 4" });
    expect(files.items[0]).toMatchObject({ moreLines: 341, rest: "path a.ts" });
    const { files: one } = await ask(workspace, { includeContent: true, path: "a.ts" }) as { files: { matching: number; items: { hunks: string; moreLines?: number }[] } };
    expect(one.matching).toBe(1);
    expect(one.items[0]!.moreLines).toBeUndefined();
    expect(one.items[0]!.hunks.split("\n").length).toBe(401);
    expect((await ask(workspace, { offset: 4 })).files).toMatchObject({ items: [{ file: "n3.ts" }, { file: "n4.ts" }] });
  });

  it("compares with a commit: asks by git's ids, and takes other line ends for none", async () => {
    let asked: [string, Record<string, string>] | undefined;
    const answer = await call("diff", { baseline: "main" }, {
      revision: (name, have) => {
        asked = [name, have];
        return Promise.resolve({
          commit: "0123abc", absent: ["src/main.ts"],
          files: new Map([
            ["src/checkout/price.ts", "export function priceOf(item: string): number {\n  return 1;\n}\n"],
            ["gone.py", "def gone():\n    pass\n"], ["README.md", SHOP["README.md"]!.replaceAll("\n", "\r\n")],
          ]),
          symbols: async (path, source) => {
            const parsed = await parseHere(path, source);
            return "facts" in parsed ? parsed.facts.symbols : [];
          },
        });
      },
    });
    expect(asked![0]).toBe("main");
    // printf '# Shop\n\nSells things.\n' | git hash-object --stdin
    expect(asked![1]["README.md"]).toBe("4256383906d2eb053281f9d229d35618e3fd923e");
    expect(answer).toMatchObject({ since: "commit 0123abc", total: { added: 1, modified: 1, deleted: 1 } });
    expect((answer["files"] as { items: object[] }).items).toMatchObject([
      { file: "src/checkout/price.ts", change: "modified", symbols: { modified: { items: [{ id: "Function:src/checkout/price.ts:priceOf" }] }, added: { items: [{ id: "Function:src/checkout/price.ts:roundUp" }] } } },
      { file: "src/main.ts", change: "added" },
      { file: "gone.py", change: "deleted", symbols: { removed: { items: ["Function gone"] } } },
    ]);
  });

  it("says that nobody tells of changes of what was picked by hand", async () => {
    await expect(call("diff", {})).rejects.toThrow(/picked or dropped.*--repo/);
  });
});
