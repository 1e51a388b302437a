import { describe, expect, it } from "vitest";
import { parseHere, repositoryOf } from "../../../test/codebase.ts";
import { call, SHOP } from "../../../test/tools.ts";
import { openWorkspace } from "../pipeline.ts";
import type { Workspace } from "../workspace.ts";

/** A repository of which somebody tells what changes. */
async function followed(files: Record<string, string>): Promise<Workspace> {
  return openWorkspace({ repository: { ...repositoryOf(files, "shop"), origin: { id: "shop", versions: {}, removed: [] } }, parse: parseHere });
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
      before: "  open(): void {}\n  shut(): void {}", after: "  open(): void { box(); }\n  lock(): void {}",
    }] });
  });

  it("tells added, modified and deleted files apart, and knows a file under its new name", async () => {
    const workspace = await followed(SHOP);
    await change(workspace, { "lib/moved.ts": SHOP[CHECKOUT]!, "README.md": "# another shop\n", "new.ts": "export function fresh(): void {}\n" }, [CHECKOUT]);
    const answer = await ask(workspace);
    expect(answer["total"]).toEqual({ added: "README.md" in SHOP ? 2 : 3, modified: "README.md" in SHOP ? 1 : 0, deleted: 1 });
    const items = (answer["files"] as { items: { file: string; change: string; renamedFrom?: string; symbols?: object }[] }).items;
    expect(items.find(({ file }) => file === "lib/moved.ts")).toEqual({ file: "lib/moved.ts", change: "added", renamedFrom: CHECKOUT });
    expect(items.find(({ file }) => file === "new.ts")).toMatchObject({ symbols: { added: { items: [{ id: "Function:new.ts:fresh" }] } } });
    expect(items.at(-1)).toMatchObject({ file: CHECKOUT, change: "deleted" });
    const deleted = await ask(workspace, { filter: "deleted" });
    expect(deleted).toMatchObject({ total: answer["total"], files: { total: 1, items: [{ file: CHECKOUT }] } });
  });

  it("says that nobody tells of changes of what was picked by hand", async () => {
    await expect(call("diff", {})).rejects.toThrow(/picked or dropped.*--repo/);
  });
});
