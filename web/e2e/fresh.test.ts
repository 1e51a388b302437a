/** The graph follows the folder: files change on disk, and the answers with them. */
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { Agent, until } from "./agent.ts";
import { samples } from "./built.ts";
import { appState } from "./browser.ts";
import { closePages, expect, test } from "./fixtures.ts";

let page: Page;
let agent: Agent;
let folder: string;

test.beforeAll(async ({ browser }) => {
  folder = await mkdtemp(join(tmpdir(), "gitnexus-fresh-"));
  await cp(join(samples, "typescript"), folder, { recursive: true });
  agent = await Agent.start(["--repo", folder]);
  page = await browser.newPage();
  await page.goto(agent.pairingUrl);
  await agent.ready();
});
test.afterAll(async ({ browser }) => {
  await closePages(browser);
  await agent.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Ids of all that depends on a symbol directly. There are none while its file, which is being written, is read as empty. */
async function callers(target: string): Promise<string[]> {
  const { isError, text, body } = await agent.call("impact", { target, direction: "upstream", maxDepth: 1 });
  if (isError && text.includes("is no node of the graph")) return [];
  if (isError) throw new Error(text);
  const { byDepth } = body as { byDepth: { items: { id: string }[] }[] };
  return (byDepth[0]?.items ?? []).map(({ id }) => id).sort();
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(join(folder, path), change(await readFile(join(folder, path), "utf8")));
}

test("a call that is written into a file is a caller in the next answers", async () => {
  expect(await callers("format")).toEqual(["Function:store.ts:describe"]);
  await edit("store.ts", (text) => `${text}\nexport function label(shape: Shape): string {\n  return "area " + format(shape.area());\n}\n`);
  await until(async () => (await callers("format")).includes("Function:store.ts:label"), "new caller");
  // Saved as editors do: a file beside it, renamed over it.
  await writeFile(join(folder, "store.ts.tmp"), (await readFile(join(folder, "store.ts"), "utf8")).replace("format(shape.area())", "String(shape.area())"));
  await rename(join(folder, "store.ts.tmp"), join(folder, "store.ts"));
  await until(async () => !(await callers("format")).includes("Function:store.ts:describe"), "end of the old caller");
});

test("new folders, moved and deleted files are followed, and diff tells of them", async () => {
  await mkdir(join(folder, "shop/cart"), { recursive: true });
  await writeFile(join(folder, "shop/cart/price.ts"), 'import { format } from "../../text";\n\nexport function price(n: number): string {\n  return format(n);\n}\n');
  await until(async () => (await callers("format")).includes("Function:shop/cart/price.ts:price"), "caller in a new folder");
  await rename(join(folder, "shop"), join(folder, "store"));
  await until(async () => !(await agent.call("read", { filePath: "store/cart/price.ts" })).isError, "moved file");
  await writeFile(join(folder, "store/cart/price.ts"), 'import { format } from "../../text";\n\nexport function total(n: number): string {\n  return format(n);\n}\n');
  await until(async () => (await callers("format")).includes("Function:store/cart/price.ts:total"), "change in a moved folder");
  const changes = (await agent.ask("diff")) as { total: object; files: { items: { file: string; change: string; symbols?: { added?: { items: { id: string }[] } } }[] } };
  expect(changes.total).toEqual({ added: 1, modified: 1, deleted: 0 });
  expect(changes.files.items.map(({ file, change }) => `${change} ${file}`)).toEqual(["modified store.ts", "added store/cart/price.ts"]);
  expect(changes.files.items[0]!.symbols!.added!.items.map(({ id }) => id)).toEqual(["Function:store.ts:label"]);
  await rm(join(folder, "store"), { recursive: true });
  await until(async () => !(await callers("format")).some((id) => id.startsWith("Function:store/")), "deleted folder");
  // The database follows, too.
  const { rows } = (await agent.ask("cypher", { query: "MATCH (f:Function) WHERE f.filePath = 'store.ts' RETURN f.name ORDER BY f.name" })) as { rows: string[][] };
  expect(rows.flat()).toEqual(["describe", "label"]);
});

test("a peer with the same folder takes over, and the graph goes on following", async () => {
  const peer = await Agent.start(["--repo", folder], { port: agent.port, token: agent.token });
  await until(async () => (await peer.health()).bridge.role === "peer", "peer");
  await agent.stop();
  // Written while nobody listens, or just afterwards: both come.
  await edit("text.ts", (text) => `${text}\nexport function between(): string {\n  return format(1);\n}\n`);
  agent = peer;
  await agent.ready();
  await until(async () => (await callers("format")).includes("Function:text.ts:between"), "what changed meanwhile");
  await edit("text.ts", (text) => `${text}\nexport function after(): string {\n  return format(2);\n}\n`);
  await until(async () => (await callers("format")).includes("Function:text.ts:after"), "change under the new hub");
  expect((await appState(page)).loaded).not.toBeNull();
});

test("a reloaded page opens the folder from what it has kept, and with what changed meanwhile", async () => {
  const kept = (): Promise<number> => page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    try {
      const folder = await root.getDirectoryHandle("snapshots");
      for await (const handle of folder.values()) {
        if (handle.kind !== "file" || handle.name.endsWith(".crswap")) continue;
        const { size, lastModified } = await handle.getFile();
        // While the first snapshot is written, there is an empty file in its place.
        return size > 0 ? lastModified : 0;
      }
    } catch {
      // not yet
    }
    return 0;
  });
  const before = await kept();
  await edit("store.ts", (text) => text.replace("label(", "tag("));
  await until(async () => (await kept()) > before, "kept graph");
  await page.goto("about:blank");
  await edit("text.ts", (text) => `${text}\nexport function away(): string {\n  return format(3);\n}\n`);
  await page.goto(agent.url);
  await until(async () => (await appState(page)).loaded !== null, "loaded page");
  const { loaded } = await appState(page);
  // Nothing was parsed but what had changed: there are no phases of an index.
  expect(loaded!.phases.map(({ phase }) => phase)).toEqual(["read"]);
  await agent.ready();
  expect(await callers("format")).toEqual([
    "Function:store.ts:tag", "Function:text.ts:after", "Function:text.ts:away", "Function:text.ts:between",
  ]);
});
