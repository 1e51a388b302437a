/** A repository that the user hands to the page: a folder, or a zip. */
import { readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { zipSync } from "fflate";
import type { Page } from "@playwright/test";
import { Agent, until } from "./agent.ts";
import { samples } from "./built.ts";
import { appState } from "./browser.ts";
import { closePages, expect, test } from "./fixtures.ts";

const sample = join(samples, "python");

/** Whether what was picked in each of two tabs is in the browser's storage, written to its end. */
const areKept = (page: Page): Promise<boolean> => page.evaluate(async () => {
  const { picked } = JSON.parse(sessionStorage.getItem("gitnexus.tabs") ?? '{"picked":[]}') as { picked: string[] };
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("snapshots", { create: true });
  const sizes = await Promise.all(picked.map((id) => folder.getFileHandle(id).then((handle) => handle.getFile()).then(({ size }) => size, () => 0)));
  return sizes.length === 2 && sizes.every((size) => size > 0);
});

test.describe("without --repo", () => {
  let agent: Agent;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    agent = await Agent.start([]);
    page = await browser.newPage();
    await page.goto(agent.pairingUrl);
    await until(async () => (await appState(page)).link.state === "connected", "connection");
  });
  test.afterAll(async ({ browser }) => {
    await closePages(browser);
    await agent.stop();
  });

  const finds = async (): Promise<void> => {
    const { results } = (await agent.ask("search", { query: "round_down" })) as { results: { id: string }[] };
    expect(results[0]!.id).toBe("Function:shop/pricing.py:round_down");
  };

  test("an agent hears that nothing is loaded", async () => {
    const { body } = await agent.call("search", { query: "x" });
    expect(body).toMatchObject({ error: true, code: "TOOL_ERROR" });
    expect(String(body.message)).toMatch(/load/i);
  });

  test("a picked folder", async () => {
    await page.locator("#pick-folder").setInputFiles(sample);
    await agent.ready();
    await finds();
    await until(async () => (await appState(page)).loaded !== null, "the view's graph");
    expect((await appState(page)).loaded).toMatchObject({ repo: "python" });
  });

  test("a picked zip takes its place", async () => {
    const entries: Record<string, Uint8Array> = {};
    for (const entry of await readdir(sample, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      entries[`project-main/${relative(sample, path).replaceAll("\\", "/")}`] = await readFile(path);
    }
    await page.locator("#pick-zip").setInputFiles({ name: "project.zip", mimeType: "application/zip", buffer: Buffer.from(zipSync(entries)) });
    await until(async () => (await agent.health()).graphs[0]?.repo === "project-main", "the zip's graph");
    await finds();
  });

  test("another repository in a tab of the same page: agents ask either", async () => {
    await page.click("[aria-label=Load]");
    await page.click("text=Another repository, in a tab");
    await page.locator("#pick-folder").setInputFiles(join(samples, "typescript"));
    const names = async (): Promise<string[]> => (await agent.health()).graphs.map(({ repo }) => repo).sort();
    await until(async () => (await names()).join() === "project-main,typescript", "the second graph");
    await page.waitForSelector(".repo-tabs li.on >> text=typescript");
    const { results } = (await agent.ask("search", { query: "Square", repo: "typescript" })) as { results: { id: string }[] };
    expect(results.length).toBeGreaterThan(0);
    const other = (await agent.ask("search", { query: "round_down", repo: "project-main" })) as { results: { id: string }[] };
    expect(other.results[0]!.id).toBe("Function:shop/pricing.py:round_down");
    await page.click("[aria-label='Close project-main']");
    await until(async () => (await names()).join() === "typescript", "the end of the first graph");
    expect(await page.locator(".repo-tabs").count()).toBe(0);
    await until(async () => (await appState(page)).loaded?.repo === "typescript", "the view's graph"); // it hears of it after the agent
  });

  test("what was picked is there again after a reload, in its tab, and answers", async () => {
    await page.keyboard.press("o");
    await page.locator("#pick-folder").setInputFiles(sample);
    await page.waitForSelector(".repo-tabs li.on >> text=python");
    await until(() => areKept(page), "both are kept", 30_000);
    await page.reload();
    await page.waitForSelector(".repo-tabs li.on >> text=python");
    await page.waitForSelector(".repo-tabs li:not(.on) >> text=typescript");
    await finds();
    const { results } = (await agent.ask("search", { query: "Square", repo: "typescript" })) as { results: { id: string }[] };
    expect(results.length).toBeGreaterThan(0);
    await expect(page.locator(".figures")).toContainText("files");
  });

  test("what is not kept any more says so, with a button to pick it again", async () => {
    await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry("snapshots", { recursive: true }));
    await page.reload();
    await expect(page.locator(".card")).toContainText("not in this browser’s storage any more");
    await expect(page.locator(".card button")).toHaveText(["Pick a folder", "Pick a .zip"]);
    await page.locator("#pick-folder").setInputFiles(sample);
    await until(async () => (await appState(page)).loaded?.repo === "python", "the view's graph");
    await finds();
  });
});
