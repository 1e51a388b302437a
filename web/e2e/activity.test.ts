/** What happened, as the app shows it: the event log of the server and the alerts, with everything real. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { Agent, until } from "./agent.ts";
import { samples } from "./built.ts";
import { closePages, expect, test } from "./fixtures.ts";

test.describe("the activity view", () => {
  const dir = mkdtempSync(join(tmpdir(), "gitnexus-activity-"));
  let agent: Agent;
  let page: Page;

  const text = (): Promise<string> => page.locator(".activity").innerText();

  test.beforeAll(async ({ browser }) => {
    agent = await Agent.start(["--repo", join(samples, "typescript"), "--events", join(dir, "events.sqlite"), "--alert-after", "3", "--alert-window", "15s"]);
    page = await browser.newPage();
    await page.goto(agent.pairingUrl);
    await agent.ready();
  });
  test.afterAll(async ({ browser }) => {
    await closePages(browser);
    await agent.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test("shows the log of all processes as it grows, and what failed alone", async () => {
    await agent.ask("search", { query: "Square" });
    await page.keyboard.press("a");
    await expect.poll(text).toContain("search answered");
    expect(await text()).toContain("A tab with this app connected");
    expect(await text()).toContain("Indexed");

    // An agent of another process, through this hub.
    const other = await Agent.start(["--events", join(dir, "events.sqlite"), "--agent", "the other agent"], { port: agent.port, token: agent.token });
    await until(async () => (await other.health()).status === "ready", "the page");
    const wrong = await other.call("read", { filePath: "no/such/file.ts", token: "hunter2" });
    expect(wrong.isError).toBe(true);
    await other.call("read", { filePath: "no/such/file.ts" });
    await expect.poll(text).toContain("read TOOL_ERROR");
    expect(await text()).toContain("the other agent");
    await page.locator(".event", { hasText: "read TOOL_ERROR" }).first().locator("summary").click();
    expect(await page.locator(".event[open]").innerText()).toMatch(/"filePath": "no\/such\/file\.ts"/);
    await other.stop();

    await page.selectOption(".activity-filter select", "What failed");
    await expect.poll(text).toContain("read TOOL_ERROR");
    expect(await text()).not.toContain("search answered");
    expect(await page.content()).not.toContain("hunter2");
    await page.selectOption(".activity-filter select", "Hooks");
    await expect.poll(text).toContain("Nothing of this kind was logged.");
  });

  test("is in the address, and needs no graph", async ({ browser }) => {
    expect(page.url()).toContain("view=activity");
    const bare = await (await browser.newContext()).newPage();
    await bare.goto(`${agent.url}#view=activity`);
    await expect.poll(() => bare.locator(".activity").innerText()).toContain("Unknown while the link is down.");
    await bare.context().close();
  });

  test("a banner says that calls keep failing and what to do, until it is over", async () => {
    await page.keyboard.press("m");
    for (let i = 0; i < 3; i++) expect((await agent.call("read", { filePath: "no/such/file.ts" })).isError).toBe(true);
    const banner = page.locator(".banner.tone-bad");
    await expect.poll(() => banner.innerText()).toMatch(/^Calls of typescript failed \d times with TOOL_ERROR within 15s\. gitnexus-mcp events --code TOOL_ERROR shows the calls/);
    await banner.locator("text=Show what failed").click();
    expect(await banner.count()).toBe(0); // the view says it
    expect(await page.locator(".alert-words").innerText()).toContain("TOOL_ERROR");
    await page.keyboard.press("m");
    await banner.waitFor();
    await expect.poll(() => banner.count()).toBe(0); // nothing failed for the length of the window
    await page.keyboard.press("a");
    await expect.poll(text).toContain("The alert is over");
  });
});
