/** The link, with everything real: what an agent hears while tabs and servers come and go. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, Page } from "@playwright/test";
import { join } from "node:path";
import { Agent, until } from "./agent.ts";
import { binary, samples } from "./built.ts";
import { appState } from "./browser.ts";
import { closePages, expect, test } from "./fixtures.ts";

const sample = join(samples, "typescript");

test.describe("the link", () => {
  const agents: Agent[] = [];

  const start = async (flags: string[] = [], options: { port?: number; token?: string } = {}): Promise<Agent> => {
    const agent = await Agent.start(["--repo", sample, ...flags], options);
    agents.push(agent);
    return agent;
  };
  const open = async (browser: Browser, agent: Agent): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(agent.pairingUrl);
    await agent.ready();
    return page;
  };

  test.afterEach(async ({ browser }) => {
    await Promise.all(agents.splice(0).map((agent) => agent.stop()));
    await closePages(browser);
  });

  test("the page goes away and comes back", async ({ browser }) => {
    const agent = await start(["--grace", "300ms"]);
    const page = await open(browser, agent);
    expect((await agent.call("search", { query: "Square" })).isError).toBe(false);

    await page.close();
    await until(async () => (await agent.health()).bridge.pages.length === 0, "notice of the closed page");
    const began = Date.now();
    const lost = await agent.call("search", { query: "Square" });
    expect(Date.now() - began).toBeLessThan(2000);
    expect(lost.isError).toBe(true);
    expect(lost.body).toMatchObject({ error: true, code: "CONNECTION_LOST", retryable: true });
    expect(lost.body.suggestion).toContain("gitnexus-mcp open");
    expect(lost.body.suggestion).toContain(agent.url);
    expect(JSON.parse(lost.text)).toEqual(lost.body);

    await open(browser, agent);
    expect((await agent.call("search", { query: "Square" })).isError).toBe(false);
  });

  test("the server is killed and started again: the page reconnects by itself", async ({ browser }) => {
    const agent = await start();
    const page = await open(browser, agent);
    process.kill(agent.pid, "SIGKILL");
    await until(async () => (await appState(page)).link.state !== "connected", "notice of the dead server");
    expect(await page.locator("header").innerText()).toMatch(/Disconnected|Reconnecting/);

    const next = await start([], { port: agent.port, token: agent.token });
    await until(async () => (await appState(page)).link.state === "connected", "reconnection");
    await next.ready();
    expect((await next.call("search", { query: "Square" })).isError).toBe(false);
  });

  test("a second agent shares the page, and takes over when the first goes", async ({ browser }) => {
    const first = await start();
    const page = await open(browser, first);
    const second = await start([], { port: first.port, token: first.token });
    await until(async () => (await second.health()).bridge.role === "peer", "peer");
    await second.ready();
    expect((await second.call("search", { query: "Square" })).isError).toBe(false);
    await until(async () => (await appState(page)).agents.length === 2, "both agents on the page");

    await new Promise((resolve) => setTimeout(resolve, 1000));
    process.kill(first.pid, "SIGKILL");
    const began = Date.now();
    expect((await second.call("search", { query: "Square" })).isError).toBe(false);
    console.log(`the second agent had its answer ${Date.now() - began} ms after the hub was killed`);
    expect((await second.health()).bridge.role).toBe("hub");
  });

  test("a hidden tab answers", async ({ browser }) => {
    const agent = await start();
    const page = await open(browser, agent);
    const session = await page.context().newCDPSession(page);
    // Another tab in front of it, and the page told that it is hidden and its main thread held up.
    const other = await page.context().newPage();
    await other.bringToFront();
    await session.send("Emulation.setFocusEmulationEnabled", { enabled: false });
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const busy = page.evaluate(() => {
      const end = Date.now() + 4000;
      while (Date.now() < end) {
        // The main thread is of no use meanwhile.
      }
    });
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const began = Date.now();
      expect((await agent.call("search", { query: "Square" })).isError).toBe(false);
      times.push(Date.now() - began);
    }
    expect(Math.max(...times)).toBeLessThan(3000);
    await busy;
  });

  test("two pages with two graphs: a call goes to the one it names", async ({ browser }) => {
    const agent = await start(["--share"]);
    await open(browser, agent);
    const other = await open(browser, agent);
    await other.locator("#pick-folder").setInputFiles(join(samples, "python"));
    await until(async () => (await agent.health()).graphs.map(({ repo }) => repo).sort().join() === "python,typescript", "both graphs");

    const first = async (query: string, repo: string): Promise<unknown> =>
      ((await agent.ask("search", { query, repo })) as { results: { id: string }[] }).results[0]?.id.split(":").at(-1);
    expect(await first("Square", "typescript")).toBe("Square");
    expect(await first("round_down", "python")).toBe("round_down");
    expect(await first("Square", "python")).not.toBe("Square");

    const unknown = await agent.call("search", { query: "Square", repo: "no-such-graph" });
    expect(unknown.body).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(unknown.text).toContain("typescript");
    expect(unknown.text).toContain("python");
  });

  test("when the tab in the foreground is closed, another graph answers", async ({ browser }) => {
    const agent = await Agent.start([]);
    agents.push(agent);
    const pick = async (language: string): Promise<Page> => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(agent.pairingUrl);
      await page.locator("#pick-folder").setInputFiles(join(samples, language));
      return page;
    };
    await pick("python");
    const front = async (): Promise<string> => {
      const { repos } = (await agent.ask("list_repos", {})) as { repos: { repo: string; front?: boolean; state: string }[] };
      return repos.find((repo) => repo.front && repo.state === "ready")?.repo ?? "";
    };
    await until(async () => (await front()) === "python", "the first graph");
    const page = await pick("typescript");
    await until(async () => (await front()) === "typescript", "the graph in the foreground");

    // The tab's Worker outlives it for some milliseconds, in which either of the two graphs may answer.
    await page.close();
    expect((await agent.call("search", { query: "round_down" })).isError).toBe(false);
    await until(async () => (await agent.health()).bridge.pages.length === 1, "the end of the tab's link");
    const answer = await agent.call("search", { query: "round_down" });
    expect(answer.isError).toBe(false);
    expect(answer.text).toContain("round_down");
    expect(await front()).toBe("python");
  });

  test("two agents with two repositories share a tab, and each is answered from its own", async ({ browser }) => {
    const python = join(samples, "python");
    const patient = ["--grace", "30s"]; // how long the page takes to reload is the machine's
    const first = await start(patient);
    const page = await open(browser, first);
    const second = await Agent.start(["--repo", python, ...patient], { port: first.port, token: first.token });
    agents.push(second);
    await until(async () => (await second.health()).bridge.role === "peer", "peer");

    const names = async (agent: Agent, query: string): Promise<unknown[]> =>
      ((await agent.ask("search", { query })) as { results: { id: string }[] }).results.map(({ id }) => id.split(":").at(-1));
    const eachHasItsOwn = async (): Promise<void> => {
      // At once, whichever of the two the page has come to.
      const [ofFirst, ofSecond] = await Promise.all([names(first, "Square"), names(second, "round_down")]);
      expect(ofFirst[0]).toBe("Square");
      expect(ofSecond[0]).toBe("round_down");
      expect(await names(first, "round_down")).not.toContain("round_down");
      expect(await names(second, "Square")).not.toContain("Square");
    };
    await eachHasItsOwn();
    await expect.poll(() => page.locator(".repo-tab").allInnerTexts()).toEqual(["typescript", "python"]); // the view hears of it after the agent
    expect((await first.health()).graphs.map(({ repo }) => repo)).toEqual(["typescript"]);
    expect((await second.ask("list_repos", {})).repos).toMatchObject([{ repo: "python" }]);
    expect((await second.call("search", { query: "Square", repo: "typescript" })).body).toMatchObject({ code: "PERMISSION_DENIED", retryable: false });

    await page.reload();
    await eachHasItsOwn();

    // A command asks about a folder that nobody has opened yet.
    const { stdout } = await promisify(execFile)(binary(), ["search", "parse", "--repo", join(samples, "go"), "--port", String(first.port), "--json"], { env: { ...process.env, GITNEXUS_TOKEN: first.token } });
    expect(JSON.parse(stdout)).toHaveProperty("results");

    // The hub dies, and the page keeps what it has opened for the other agent.
    process.kill(first.pid, "SIGKILL");
    expect((await names(second, "round_down"))[0]).toBe("round_down");
    await until(async () => (await second.health()).bridge.role === "hub", "the next hub");
    expect(await names(second, "Square")).not.toContain("Square");
  });

  test("calls run side by side in one page", async ({ browser }) => {
    const agent = await start();
    await open(browser, agent);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 ? agent.call("grep", { pattern: `area|${i}` }) : agent.call("cypher", { query: "MATCH (n) RETURN count(n) AS n" }))),
    );
    expect(answers.filter((a) => a.isError).map((a) => a.text)).toEqual([]);
  });
});
