// The picture of an answer in the Inspector's chat page host: the Inspector starts the server, connects and opens the app, in a
// real Chromium. Part of make clients. CHAT_SHOTS=FOLDER keeps screenshots to be looked at.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const { chromium } = createRequire(join(root, "web", "package.json"))("@playwright/test");
const browserPath = execFileSync("sh", ["-c", "command -v chromium || command -v chromium-browser || command -v google-chrome"], { encoding: "utf8" }).trim();

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Removes the folder once the server and its browser, which end after the Inspector, no longer write there. */
async function removed(folder) {
  for (const end = Date.now() + 20_000; ; await setTimeout(200)) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

test("the Inspector's host shows what depends on a symbol, light and dark", { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "gitnexus-chat-"));
  const binary = join(folder, "gitnexus-mcp");
  execFileSync("go", ["build", "-buildvcs=false", "-o", binary, "./cmd/gitnexus-mcp"], { cwd: root });
  const repository = join(folder, "repository");
  mkdirSync(repository);
  writeFileSync(join(repository, "main.go"), "package main\n\nfunc main() { first() }\n\nfunc first() { hello() }\n\nfunc hello() {}\n");
  const [port, client, sandbox] = [await freePort(), await freePort(), await freePort()];
  const inspector = spawn(process.execPath, [
    join(here, "node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js"), "--web",
    "-e", `GITNEXUS_PORT=${port}`, "-e", "GITNEXUS_EVENTS=off", binary, "serve", "--repo", repository, "--browser", "headless",
  ], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HOME: folder, CLIENT_PORT: client, SERVER_PORT: sandbox, MCP_AUTO_OPEN_ENABLED: "false", DANGEROUSLY_OMIT_AUTH: "true" },
  });
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    let said = "";
    inspector.stdout.on("data", (data) => { said += data; });
    while (!said.includes("up and running")) await setTimeout(100);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`http://127.0.0.1:${client}/`);
    await page.locator("[role=switch], input[type=checkbox]").first().click({ force: true });
    await page.getByText("Apps", { exact: true }).first().click();
    await page.getByText("What depends on it").first().click();
    await page.getByLabel(/^target/u).first().fill("hello");
    await page.getByLabel(/^direction/u).first().click();
    await page.getByRole("option", { name: "upstream" }).first().click();
    await page.getByRole("button", { name: "Open App" }).click();
    const app = page.frameLocator("iframe").first().frameLocator("iframe").first();
    await app.getByRole("heading", { name: "What depends on hello" }).waitFor({ timeout: 90_000 });
    await app.getByText("2 symbols in 1 file").waitFor();
    assert.ok(await app.locator("canvas").isVisible());
    // The host gives the page the height that it asks for.
    const { height } = await app.locator("canvas").boundingBox();
    let frame = 0;
    for (const end = Date.now() + 20_000; Date.now() < end && frame < height; await setTimeout(100)) {
      ({ height: frame } = await page.locator("iframe").first().boundingBox());
    }
    assert.ok(frame >= height, `${frame} of ${height}`);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await setTimeout(1000);
      if (process.env.CHAT_SHOTS) await page.screenshot({ path: join(process.env.CHAT_SHOTS, `inspector-${colorScheme}.png`) });
    }
  } finally {
    await browser.close();
    const ended = new Promise((resolve) => inspector.once("exit", resolve));
    inspector.kill("SIGTERM");
    await ended;
    await removed(folder);
  }
});
