/**
 * Times the indexing of a folder in a real Chromium, through the real server, by phase:
 *   npx tsx bench/indexing.ts BINARY DIR [RUNS]
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { freePort } from "../e2e/ports.ts";
import { appState, launch } from "../e2e/browser.ts";
import { pairingAddress } from "./served.ts";

const [binary, dir, runs = "5"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/indexing.ts BINARY DIR [RUNS]");
const port = await freePort();
const token = randomBytes(32).toString("base64url");
const server = spawn(binary, ["serve", "--port", String(port), "--repo", dir], {
  env: { ...process.env, GITNEXUS_TOKEN: token }, stdio: ["pipe", "ignore", "ignore"],
});
const browser = await launch();

interface Run {
  phases: Record<string, number>;
  total: number;
  /** Until calls are answered: without clusters and processes. */
  answers: number;
  /** From the page's address being opened. */
  opened: number;
  nodes: number;
  edges: number;
}

/** What the server sends. */
let files = 0;
let bytes = 0;

/** One cold load, in a page of its own. */
async function load(): Promise<Run> {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.on("response", (response) => {
    if (new URL(response.url()).pathname !== "/api/repo") return;
    const headers = response.headers();
    [files, bytes] = [Number(headers["gitnexus-files"]), Number(headers["gitnexus-bytes"])];
  });
  for (;;) {
    try {
      await page.goto(pairingAddress(binary!, port, token));
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50)); // the server is starting
    }
  }
  for (;;) {
    const { loaded } = await appState(page);
    if (loaded) {
      const opened = await page.evaluate(() => performance.now());
      await context.close();
      const phases = Object.fromEntries(loaded.phases.map(({ phase, ms }) => [phase, ms]));
      return { phases, opened, answers: phases.read! + phases.parse! + phases.resolve!, total: loaded.phases.reduce((sum, { ms }) => sum + ms, 0), nodes: loaded.nodes, edges: loaded.edges };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const done: Run[] = [];
for (let i = 0; i < Number(runs); i++) done.push(await load());
done.sort((a, b) => a.total - b.total);
const median = done[Math.floor(done.length / 2)]!;
const seconds = median.total / 1000;
console.log(`indexing ${basename(dir)}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, ${median.nodes} nodes, ${median.edges} edges; median of ${done.length} cold loads`);
console.log(`  answers after ${(median.answers / 1000).toFixed(2)} s; all of it ${seconds.toFixed(2)} s = ${(files / seconds).toFixed(0)} files/s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`);
console.log(`  ${Object.entries(median.phases).map(([phase, ms]) => `${phase} ${ms.toFixed(0)} ms`).join(", ")}; ${(median.opened / 1000).toFixed(2)} s since the page was opened`);
await browser.close();
server.stdin.end();
