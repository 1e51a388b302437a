/** Another program that has the port before or after the hub. */
import { fork, spawn, type ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { zipSync } from "fflate";
import type { Page } from "@playwright/test";
import { Agent, environment, until } from "./agent.ts";
import { appState } from "./browser.ts";
import { binary, samples } from "./built.ts";
import { closePages, expect, test } from "./fixtures.ts";
import { freePort } from "./ports.ts";

test.afterAll(({ browser }) => closePages(browser));

async function squat(port: number, answer: RequestListener): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

async function leave(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

for (const [what, script] of [
  ["that does nothing", ""],
  ["that answers for the hub", `addEventListener("fetch", (e) => { if (e.request.mode === "navigate") e.respondWith(new Response("squatter", { headers: { "Content-Type": "text/html" } })); });`],
] as const) {
  test(`a service worker ${what}, left by another program, is gone`, async ({ browser }) => {
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
    // The app is loaded again while a service worker controls it, cannot be asked meanwhile, and nothing else may be loaded before that.
    const settled = (): Promise<boolean> => page.evaluate(() => document.title === "squatter" || navigator.serviceWorker.controller === null);
    await until(async () => await registered().catch(() => -1) === 0 && await settled().catch(() => false), "end of the service worker");
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
}

test("a page that another program told the browser to keep is not what `open` leads to, and goes", async ({ browser }) => {
  const port = await freePort();
  const squatter = await squat(port, (_, response) => {
    response.writeHead(200, { "Content-Type": "text/html", "Cache-Control": "public, max-age=31536000, immutable" });
    response.end("<!doctype html><title>squatter</title>");
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await leave(squatter);
  const agent = await Agent.start([], { port });
  await page.goto("about:blank");
  await page.goto(agent.url);
  expect(await page.title()).toBe("squatter");
  await page.goto(agent.pairingUrl);
  const connected = (): Promise<boolean> => appState(page).then(({ link }) => link.state === "connected", () => false);
  await until(connected, "the app");
  await page.goto("about:blank");
  await page.goto(agent.url);
  expect(await page.title()).toBe("gitnexus");
  await until(connected, "the app again");
  await context.close();
  await agent.stop();
});

/** How often the hub dies; scripts/attack.sh has it die a hundred times. */
const ROUNDS = Number(process.env.GITNEXUS_SQUATS ?? 3);

/** What a squatter was sent, whole. */
interface Knock {
  path: string;
  text: string;
}

/** What a squatter process (squatter.mjs) says. */
type Said = { tries: number } | { taken: number; gap: number } | { knock: Knock };

/** Has a program run before all others, also on a machine that is busy. */
const CHRT = "/usr/bin/chrt";

/** A process that waits for the port, and answers all that comes there. */
class Squatter {
  readonly knocks: Knock[] = [];
  /** Resolves with the time at which it got the port, and with how long before it was last refused. */
  readonly taken: Promise<{ taken: number; gap: number }>;

  private constructor(private readonly child: ChildProcess, asks: () => void) {
    this.taken = new Promise((resolve, reject) => {
      child.once("exit", () => reject(new Error("the squatter ended")));
      child.on("message", (said: Said) => {
        if ("knock" in said) this.knocks.push(said.knock);
        else if ("taken" in said) resolve(said);
        else asks();
      });
    });
    this.taken.catch(() => undefined); // it is ended while it waits
  }

  /** Resolves once it asks for the port. `challenges`: what it answers to a page that asks for a proof. */
  static async wait(port: number, challenges: readonly string[]): Promise<Squatter> {
    const first = process.getuid?.() === 0 && existsSync(CHRT) ? { execPath: CHRT, execArgv: ["-f", "1", process.execPath] } : {};
    const child = fork(resolve(import.meta.dirname, "squatter.mjs"), [String(port), JSON.stringify(challenges)], first);
    let squatter: Squatter | undefined;
    await new Promise<void>((asks) => { squatter = new Squatter(child, asks); });
    return squatter!;
  }

  async leave(): Promise<void> {
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }
}

/** A hub alone, that no agent waits for. */
function startHub(agent: Agent, repo: string): ChildProcess {
  const hub = spawn(binary(), ["serve", "--port", String(agent.port), "--repo", repo], { env: environment(agent.token), stdio: ["pipe", "ignore", "ignore"] });
  hub.stdin.on("error", () => undefined);
  return hub;
}

/** The page tries at once, as when the network comes back. */
async function tryNow(page: Page): Promise<string> {
  return page.evaluate(() => {
    window.dispatchEvent(new Event("online"));
    return (window as unknown as { gitnexus: { state(): { link: { state: string } } } }).gitnexus.state().link.state;
  });
}

test(`whoever takes the port in the moment of a crash learns that a page knocked, and no more (${ROUNDS} times)`, async ({ browser }) => {
  test.setTimeout(60_000 + ROUNDS * 20_000);
  const repo = mkdtempSync(join(tmpdir(), "gitnexus-squatted-"));
  cpSync(join(samples, "typescript"), repo, { recursive: true });
  const agent = await Agent.start(["--repo", repo]);
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  // What a hub once answered helps nobody later.
  let replayed = "";
  page.on("response", (response) => {
    if (response.url().includes("/api/challenge")) void response.text().then((text) => (replayed = text), () => undefined);
  });
  await page.goto(agent.pairingUrl);
  await agent.ready();
  await until(() => replayed !== "", "the hub's proof");
  await page.evaluate(() => {
    new BroadcastChannel("squatter").onmessage = () => { (window as unknown as { squatted: boolean }).squatted = true; };
  });

  const keys = join(dirname(binary()), "config/gitnexus-mcp/pages");
  const id = (JSON.parse(agent.run("pair", "list", "--json")) as { id: string }[])[0]!.id;
  const file = readdirSync(keys, { recursive: true }).map(String).find((name) => name.endsWith(`page-${id}`))!;
  const pageKey = Buffer.from((JSON.parse(readFileSync(join(keys, file), "utf8")) as { secret: string }).secret, "base64");
  const storageKey = createHmac("sha256", agent.token).update("gitnexus-mcp storage").digest();
  const names = readdirSync(repo, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => entry.name);
  const secrets = [agent.token, ...[pageKey, storageKey].flatMap((key) => (["hex", "base64", "base64url", "latin1"] as const).map((form) => key.toString(form))), ...names];
  const forged = JSON.stringify({ ...(JSON.parse(replayed) as object), proof: "0".repeat(64) });

  let hub: ChildProcess | undefined;
  /** In milliseconds: from the signal to the port, and from the last time that the system refused it. */
  const [after, gaps]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    asked.length = 0;
    // The page asks for what has changed, and finds somebody else.
    if (round % 2 === 1) writeFileSync(join(repo, `added${round}.ts`), `export const n${round} = ${round};\n`);
    const squatter = await Squatter.wait(agent.port, [replayed, forged, `{"files":0}`]);
    const died = performance.timeOrigin + performance.now();
    process.kill(hub?.pid ?? agent.pid, "SIGKILL");
    const { taken, gap } = await squatter.taken;
    after.push(taken - died);
    gaps.push(gap);
    await until(async () => await tryNow(page) !== "connected" && squatter.knocks.some(({ path }) => path === "/api/challenge"), "knock");
    if (round === ROUNDS - 1) await useEverything(page);

    const sent = squatter.knocks.map(({ text }) => text).join("\n");
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
    expect(sent).not.toMatch(/^cookie$/im);
    // The key that opens the folder is of a connection that has ended.
    expect(new Set(squatter.knocks.map(({ path }) => path))).toEqual(new Set(squatter.knocks.map(({ path }) => path).filter((path) => ["/api/challenge", "/api/unpaired", "/api/repo"].includes(path))));
    for (const { text } of squatter.knocks.filter(({ path }) => path === "/api/challenge")) {
      expect([...new URL(text.split("\n")[1]!, "http://x").searchParams.keys()]).toEqual(["version", "role", "id", "nonce"]);
    }
    expect(asked.filter((path) => /\.(js|gzip|css)$/.test(path))).toEqual([]);
    expect(await page.evaluate(() => "squatted" in window)).toBe(false);
    await squatter.leave();

    if (hub === undefined) await agent.client.close();
    hub = startHub(agent, repo);
    await until(async () => await tryNow(page) === "connected", "the next hub");
  }
  console.log(`${ROUNDS} crashes; the squatter had the port ${spread(gaps)} ms after it was last refused, ${spread(after)} ms after the signal`);
  hub?.kill("SIGKILL");
  await page.close();
  rmSync(repo, { recursive: true });
});

/** Median, 95th percentile and greatest. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.5, 0.95, 1].map((part) => sorted[Math.ceil(part * sorted.length) - 1]!.toFixed(2)).join(" / ");
}

/** Has the page run code that it had no use for before: the console, the database, the editor, another engine and a new grammar. */
async function useEverything(page: Page): Promise<void> {
  await page.evaluate(() => { location.hash = "view=query"; });
  await page.fill("#query", "MATCH (f:Function) RETURN count(f) AS functions");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".result tbody tr");
  await page.locator("#pick-zip").setInputFiles({
    name: "ruby.zip", mimeType: "application/zip",
    buffer: Buffer.from(zipSync({ "ruby-main/a.rb": Buffer.from("class Basket\n  def total = 1\nend\n"), "ruby-main/b.py": Buffer.from("def total():\n    return 1\n") })),
  });
  await until(async () => {
    const { loaded } = await appState(page);
    return loaded?.repo === "ruby-main" && loaded.nodes >= 5;
  }, "the zip's graph");
}
