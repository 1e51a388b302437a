/** The whole app under its own policy, with Trusted Types and cross-origin isolation. */
import type { Page } from "@playwright/test";
import { join } from "node:path";
import { Agent } from "./agent.ts";
import { samples } from "./built.ts";
import { closePages, expect, test } from "./fixtures.ts";

const sample = join(samples, "typescript");
let agent: Agent;
let page: Page;
const complaints: string[] = [];

test.beforeAll(async ({ browser }) => {
  agent = await Agent.start(["--repo", sample]);
  page = await browser.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(agent.pairingUrl);
  await agent.ready();
});

test.afterAll(async ({ browser }) => {
  await closePages(browser);
  await agent.stop();
});

test("the app, its parsers, its database and its search run under it", async () => {
  expect(await page.evaluate(() => [isSecureContext, crossOriginIsolated])).toEqual([true, true]);
  expect(await agent.call("cypher", { query: "MATCH (f:Function) RETURN count(f) > 0 AS some" })).toMatchObject({ body: { rows: [[true]] } });
  expect((await agent.call("grep", { pattern: "Square" })).text).toContain("Square");
  expect(complaints).toEqual([]);
});

// Whatever is fetched earlier is compiled before the first frame.
test("the frame of the app is on the screen before the rest of its code is fetched", async ({ browser }) => {
  const visit = await browser.newPage();
  await visit.addInitScript(() => {
    document.addEventListener("readystatechange", () => document.readyState === "interactive" && requestAnimationFrame(() => performance.mark("frame")));
  });
  await visit.goto(agent.url);
  const startOf = (file: RegExp): Promise<number | undefined> => visit.evaluate(
    (source) => performance.getEntriesByType("resource").find(({ name }) => new RegExp(source, "u").test(name))?.startTime, file.source,
  );
  await expect.poll(() => startOf(/engine\.worker-/u)).toBeGreaterThan(0);
  const [code, threads, frame, interactive] = await Promise.all([startOf(/\/(?:app|start)-/u), startOf(/engine\.worker-/u), visit.evaluate(() => performance.getEntriesByName("frame")[0]?.startTime ?? Infinity),
    visit.evaluate(() => (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).domInteractive)]);
  // A machine that is busy gets no frame for so long.
  const latest = interactive + 100;
  expect(code).toBeGreaterThan(Math.min(frame, latest));
  expect(threads).toBeGreaterThan(Math.min(frame, latest));
  await visit.close();
});

test("text does not become elements or scripts", async () => {
  const refused = await page.evaluate(() => {
    const { trustedTypes } = globalThis as unknown as { trustedTypes: { createPolicy: (name: string, rules: object) => void } };
    const tries: (() => unknown)[] = [
      () => (document.body.innerHTML = "<img src=x>"),
      () => new Worker("/api/repo"),
      () => new Worker("https://example.com/assets/x.js"),
      () => { trustedTypes.createPolicy("mine", {}); },
    ];
    return tries.map((attempt) => {
      try {
        attempt();
        return "done";
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(refused).toEqual(["TypeError", "TypeError", "TypeError", "TypeError"]);
});
