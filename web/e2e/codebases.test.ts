/** What the page shows of code that others wrote, against what agents are told of it; and changes against a commit. */
import { execFileSync } from "node:child_process";
import { appendFile, cp, mkdtemp, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { Agent } from "./agent.ts";
import { complaints } from "./axe.ts";
import { root, samples } from "./built.ts";
import { closePages, expect, test } from "./fixtures.ts";

let agent: Agent | undefined;
let folder = "";

test.afterEach(async ({ browser }) => {
  await closePages(browser);
  await agent?.stop();
  agent = undefined;
  await rm(folder, { recursive: true, force: true });
});
test.afterAll(({ browser }) => closePages(browser));

/** A page with a copy of a folder loaded: the folder itself may be one that git ignores, or cannot be written. */
async function loaded(browser: Browser, from: string, prepare: () => Promise<void> | void = () => undefined): Promise<{ page: Page; ask: Agent["ask"] }> {
  folder = await mkdtemp(join(tmpdir(), "gitnexus-codebase-"));
  await cp(from, folder, { recursive: true, filter: (path) => !/[\\/](?:node_modules|dist|testdata)$/u.test(path) });
  execFileSync("chmod", ["-R", "u+w", folder]);
  await prepare();
  const started = await Agent.start(["--repo", folder, "--max-result", "0"]);
  agent = started;
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" })).newPage();
  await page.goto(started.pairingUrl);
  await started.ready();
  return { page, ask: (name, args) => started.ask(name, args) };
}

function goModule(name: string): string {
  return execFileSync("go", ["list", "-m", "-f", "{{.Dir}}", name], { cwd: root, encoding: "utf8" }).trim();
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function randomly(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

test.describe("ten random symbols read as the tools tell them", () => {
  for (const [name, from] of [
    ["preact", () => join(root, "web/node_modules/preact/src")],
    ["mcp-go", () => join(goModule("github.com/mark3labs/mcp-go"), "server")],
    ["gobreaker", () => goModule("github.com/sony/gobreaker/v2")],
  ] as const) {
    test(name, async ({ browser }) => {
      const { page, ask } = await loaded(browser, from());
      const { rows } = (await ask("cypher", { query: "MATCH (n)-[:CodeRelation {type: 'CALLS'}]-() WHERE label(n) IN ['Function', 'Method'] RETURN DISTINCT n.id, n.test ORDER BY n.id" })) as { rows: [string, boolean][] };
      const seed = 1 + Math.floor(Math.random() * 1e9);
      const random = randomly(seed);
      const chosen = [...rows].map((row) => ({ row, key: random() })).sort((a, b) => a.key - b.key).slice(0, 10).map(({ row }) => row);
      expect(chosen, `seed ${seed}`).toHaveLength(10);
      for (const [id, isTest] of chosen) {
        const ends = async (query: string): Promise<string[]> => ((await ask("cypher", { query: query.replace("$", JSON.stringify(id)) })).rows as [string][]).map(([end]) => end).sort();
        const callers = await ends(`MATCH (a)-[:CodeRelation {type: 'CALLS'}]->(b {id: $}) WHERE a.id <> b.id ${isTest ? "" : "AND NOT a.test"} RETURN DISTINCT a.id`);
        const callees = await ends("MATCH (a {id: $})-[:CodeRelation {type: 'CALLS'}]->(b) WHERE a.id <> b.id RETURN DISTINCT b.id");
        await page.evaluate((hash) => (location.hash = hash), `view=read&node=${encodeURIComponent(id)}`);
        const cards = (side: string): Promise<string[]> => page.locator(`.read-side.${side} .symbol-card`).evaluateAll((all) => all.map((card) => (card as HTMLElement).dataset["id"]!).sort());
        await expect.poll(() => page.locator(".read-body").count(), { message: `seed ${seed}, ${id}` }).toBe(1);
        await expect.poll(() => cards("start"), { message: `callers of ${id}, seed ${seed}` }).toEqual(callers);
        await expect.poll(() => cards("end"), { message: `callees of ${id}, seed ${seed}` }).toEqual(callees);
      }
    });
  }
});

test("changes are shown since a commit, with their lines, and a link to them shows the same", async ({ browser }) => {
  const git = (...args: string[]): string => execFileSync("git", ["-c", "user.name=e2e", "-c", "user.email=e2e@example.com", ...args], { cwd: folder, encoding: "utf8" });
  const { page } = await loaded(browser, join(samples, "typescript"), async () => {
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    await appendFile(join(folder, "text.ts"), "\nexport function shout(text: string): string {\n  return text.toUpperCase();\n}\n");
    await unlink(join(folder, "legacy.js"));
  });
  await page.evaluate(() => (location.hash = "view=changes"));
  await expect.poll(() => page.textContent(".view")).toContain("Nothing is different");
  await page.fill(".baseline input", "HEAD");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".levels li").allTextContents()).toEqual(expect.arrayContaining(["modified1", "deleted1"]));
  const other = await (await browser.newContext()).newPage();
  const { hash } = new URL(page.url());
  expect(hash).toContain("base=HEAD");
  for (const each of [page, other]) {
    if (each === other) await other.goto(`${agent!.pairingUrl}&${hash.slice(1)}`);
    await expect.poll(() => each.locator(".read-list h3").allTextContents(), { timeout: 60_000 }).toEqual(["modified text.ts", "deleted legacy.js"]);
    await each.click("text=Lines");
    expect(await each.locator(".hunks .plus").allTextContents()).toContain("+  return text.toUpperCase();\n");
    expect(await each.locator(".symbol-card").first().textContent()).toContain("shout");
    expect(await complaints(each)).toEqual([]);
  }
});

test("a commit that is not there is told in words", async ({ browser }) => {
  const { page } = await loaded(browser, join(samples, "typescript"));
  await page.evaluate(() => (location.hash = "view=changes&base=nowhere"));
  await expect.poll(() => page.textContent(".blank.tone-bad")).toContain("It cannot be compared with that");
});
