/** Another program that has the port before or after the hub. */
import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { Agent, until } from "./agent.ts";
import { appState, launch } from "./browser.ts";
import { freePort } from "./ports.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function squat(port: number, answer: RequestListener): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

async function leave(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

test.each([
  ["that does nothing", ""],
  ["that answers for the hub", `addEventListener("fetch", (e) => { if (e.request.mode === "navigate") e.respondWith(new Response("squatter", { headers: { "Content-Type": "text/html" } })); });`],
])("a service worker %s, left by another program, is gone", async (_, script) => {
  const port = await freePort();
  const squatter = await squat(port, (request, response) => {
    response.setHeader("Content-Type", request.url === "/sw.js" ? "text/javascript" : "text/html");
    response.end(request.url === "/sw.js" ? script : "<!doctype html><title>squatter</title>");
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
  });
  await leave(squatter);

  const agent = await Agent.start([], { port });
  const registered = (): Promise<number> => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  // The browser asks for the script again some time after a navigation, and hears that there is none.
  await page.goto(agent.url);
  // A page that it controls is loaded again, and cannot be asked meanwhile.
  await until(async () => await registered().catch(() => -1) === 0, "end of the service worker");
  await page.goto("about:blank"); // else only the fragment changes, and nothing is loaded
  await page.goto(agent.pairingUrl);
  const connected = (): Promise<boolean> => appState(page).then(({ link }) => link.state === "connected", () => false);
  await until(connected, "the app");
  await page.reload(); // with the page's own key
  await until(connected, "the app again");
  expect(await registered()).toBe(0);
  await context.close();
  await agent.stop();
});
