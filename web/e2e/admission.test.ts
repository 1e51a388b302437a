/** Who gets in, asked by a real browser and by raw sockets. */
import { request } from "node:http";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { Agent, until } from "./agent.ts";
import { appState } from "./browser.ts";
import { closePages, expect, test } from "./fixtures.ts";

/** A page of some other origin on this machine. */
async function foreignSite(): Promise<{ server: Server; origin: string }> {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>elsewhere</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Status of a plain request with these headers. */
async function status(port: number, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const r = request({ host: "127.0.0.1", port, path, headers, setHost: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    r.on("upgrade", (_, socket) => {
      socket.destroy();
      resolve(101);
    });
    r.on("error", reject);
    r.end();
  });
}

/** Makes a page of another origin one of the older app, which answers `search`. */
async function beOlderApp(page: Page, port: number): Promise<void> {
  await page.evaluate((to) => {
    const socket = new WebSocket(`ws://localhost:${to}`);
    socket.onopen = () => {
      socket.send(JSON.stringify({
        id: "msg_1", type: "context",
        params: {
          projectName: "older", stats: { fileCount: 1, functionCount: 2, classCount: 0, interfaceCount: 0, methodCount: 0 },
          hotspots: [{ name: "main", type: "Function", filePath: "main.ts", connections: 3 }], folderTree: "main.ts",
        },
      }));
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data as string) as { id: string; method?: string; params: Record<string, unknown>; agentName: string };
      if (message.method === "search") socket.send(JSON.stringify({ id: message.id, result: { asked: message.params, by: message.agentName } }));
      else if (message.method) socket.send(JSON.stringify({ id: message.id, error: { message: "not in this version" } }));
    };
  }, port);
}

test.describe("admission", () => {
  let agent: Agent;
  let site: Awaited<ReturnType<typeof foreignSite>>;
  let allowed: Awaited<ReturnType<typeof foreignSite>>;

  test.beforeAll(async () => {
    site = await foreignSite();
    allowed = await foreignSite();
    agent = await Agent.start(["--allow-origin", allowed.origin, "--grace", "300ms"]);
  });
  test.afterAll(async ({ browser }) => {
    await closePages(browser);
    await agent.stop();
    site.server.close();
    allowed.server.close();
  });

  test("a page without a key says what to do", async ({ browser }) => {
    const page = await browser.newPage();
    await page.goto(agent.url);
    await until(async () => (await appState(page)).link.state === "unpaired", "word of the missing key");
    expect(await page.locator("body").innerText()).toContain("gitnexus-mcp open");
    await page.close();
  });

  test("a wrong ticket is refused, in words", async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${agent.url}#ticket=0123456789abcdef.${"x".repeat(43)}`);
    await until(async () => (await appState(page)).link.state === "refused", "word of the wrong ticket");
    expect(await page.locator("body").innerText()).toContain("gitnexus-mcp open");
    expect(page.url()).not.toContain("ticket");
    await context.close();
  });

  test("a ticket in the address pairs the page once, and leaves the address", async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(agent.pairingUrl);
    await until(async () => (await appState(page)).link.state === "connected", "connection");
    expect(page.url()).toBe(agent.url);
    await page.reload();
    await until(async () => (await appState(page)).link.state === "connected", "connection without the fragment");
    await context.close();
  });

  test("a foreign origin gets nothing, token or not", async ({ browser }) => {
    const page = await browser.newPage();
    await page.goto(site.origin);
    const outcome = await page.evaluate(
      async ({ port, token }) => {
        const open = (protocols: string[]): Promise<string> =>
          new Promise((resolve) => {
            const socket = new WebSocket(`ws://127.0.0.1:${port}/`, protocols);
            socket.onopen = () => resolve("open");
            socket.onclose = () => resolve("closed");
          });
        const read = await fetch(`http://127.0.0.1:${port}/api/challenge?version=3&role=page&id=0123456789abcdef&nonce=0123456789abcdef`).then((r) => String(r.status), () => "blocked");
        return [await open(["gitnexus.v2", `gitnexus.token.${token}`]), await open([]), read];
      },
      { port: agent.port, token: agent.token },
    );
    expect(outcome).toEqual(["closed", "closed", "blocked"]);
    await page.close();
  });

  test("a foreign host is refused before the upgrade, and everywhere", async () => {
    const upgrade = {
      Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const proven = async (): Promise<Record<string, string>> => ({ ...upgrade, "Sec-WebSocket-Protocol": `gitnexus.v2, ${await agent.proof()}` });
    const own = `127.0.0.1:${agent.port}`;
    const bearer = { Authorization: `Bearer ${agent.token}` };
    expect(await status(agent.port, "/", { Host: own, ...await proven() })).toBe(101);
    expect(await status(agent.port, "/", { Host: own })).toBe(200);
    // What was good once is good no more, and neither is the token.
    const once = await proven();
    expect(await status(agent.port, "/", { Host: own, ...once })).toBe(101);
    expect(await status(agent.port, "/", { Host: own, ...once })).toBe(403);
    expect(await status(agent.port, "/", { Host: own, ...upgrade, "Sec-WebSocket-Protocol": `gitnexus.v2, gitnexus.token.${agent.token}` })).toBe(403);
    expect(await status(agent.port, "/api/repo", { Host: own, ...bearer })).toBe(403);
    for (const host of [`evil.example:${agent.port}`, "127.0.0.1:1", "localhost"]) {
      expect(await status(agent.port, "/", { Host: host, ...await proven() })).toBe(403);
      expect(await status(agent.port, "/", { Host: host })).toBe(403);
      expect(await status(agent.port, "/api/challenge?nonce=0123456789abcdef", { Host: host })).toBe(403);
    }
  });

  test("a v1 page from an allowed origin answers calls", async ({ browser }) => {
    const page = await browser.newPage();
    await page.goto(allowed.origin);
    await beOlderApp(page, agent.port);
    await until(async () => (await agent.health()).status === "ready", "the v1 page");
    expect(await agent.ask("search", { query: "main" })).toEqual({
      asked: { query: "main", limit: 10, groupByProcess: true }, by: "e2e-agent",
    });
    expect((await agent.call("grep", { pattern: "x" })).body).toMatchObject({ code: "TOOL_ERROR" });
    await page.close();
  });

  test("the app says how many v1 pages are there, and list_repos which", async ({ browser }) => {
    const context = await browser.newContext();
    const app = await context.newPage();
    await app.goto(agent.pairingUrl);
    await until(async () => (await appState(app)).link.state === "connected", "connection");
    const warning = app.getByText("without a proof");
    await expect(warning).toHaveCount(0);
    const first = await browser.newPage();
    await first.goto(allowed.origin);
    await beOlderApp(first, agent.port);
    await expect(warning).toHaveText(/^\s*A page of an older app is connected without a proof of its own/);
    const second = await browser.newPage();
    await second.goto(allowed.origin);
    await beOlderApp(second, agent.port);
    await expect(warning).toHaveText(/^\s*2 pages of an older app are connected without a proof of their own/);
    await until(async () => (await agent.health()).graphs.length === 2, "both graphs");
    expect((await agent.health()).graphs).toMatchObject([{ repo: "older", unproven: true }, { repo: "older", unproven: true }]);
    expect((await agent.ask("list_repos")).repos).toMatchObject([{ repo: "older", pages: 2, unproven: true }]);
    await second.close();
    await expect(warning).toHaveText(/^\s*A page of an older app is connected/);
    await first.close();
    await expect(warning).toHaveCount(0);
    await context.close();
  });
});
