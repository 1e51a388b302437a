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
