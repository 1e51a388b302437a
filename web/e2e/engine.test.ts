/** The engine's thread dies under a call: the agent is told, and the next call is answered. */
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { Agent, until } from "./agent.ts";
import { samples } from "./built.ts";
import { type AppState } from "./browser.ts";
import { closePages, expect, test } from "./fixtures.ts";

let page: Page;
let agent: Agent;

test.beforeAll(async ({ browser }) => {
  // Without tries of the server's own, which would hide it.
  agent = await Agent.start(["--repo", join(samples, "typescript"), "--retry-attempts", "0"]);
  page = await browser.newPage();
  await page.addInitScript(() => {
    const engines: Worker[] = [];
    Object.assign(window, { engines });
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (options?.name === "engine") engines.push(this);
      }
    };
  });
  await page.goto(agent.pairingUrl);
  await agent.ready();
});
test.afterAll(async ({ browser }) => {
  await closePages(browser);
  await agent.stop();
});

/** Ends the newest engine, of which nothing tells the page, as soon as a call to this tool runs. Without a tool at once. */
const kill = (tool?: string): Promise<void> => page.evaluate(async (name) => {
  const { engines, gitnexus } = window as unknown as { engines: Worker[]; gitnexus: { state(): AppState } };
  const running = (): boolean => gitnexus.state().calls.some((call) => call.name === name && call.outcome === "running");
  while (name !== undefined && !running()) await new Promise((resolve) => setTimeout(resolve));
  engines.at(-1)!.terminate();
}, tool);
const answers = (): Promise<void> => until(async () => !(await agent.call("search", { query: "format" })).isError, "answer", 60_000);

test("what it was at is answered in words, and another engine answers the next call", async () => {
  for (let times = 1; times <= 3; times++) {
    const killed = kill("cypher");
    // Which has the database filled first: time enough.
    const { isError, body } = await agent.call("cypher", { query: "RETURN 1" });
    await killed;
    expect(isError).toBe(true);
    expect(body).toMatchObject({ code: "TOOL_ERROR", retryable: true });
    expect(body.message).toContain("The engine has stopped: its thread ended while it worked on this.");
    await answers();
    expect(await page.evaluate(() => (window as unknown as { engines: Worker[] }).engines.length)).toBe(1 + times);
  }
});

test("one that does not stay is given up, and every call says what to do", async () => {
  await kill();
  await until(async () => (await agent.call("search", { query: "format" })).body.retryable === false, "word that there is no engine");
  expect((await agent.call("overview")).body.message).toContain("Ask the user to reload the graph app's page.");
  await page.reload();
  await answers();
});
