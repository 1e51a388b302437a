/**
 * Times the opening of a kept repository, in a real Chromium, through the real server and a real agent: from opening the
 * app's address until the first tool answers, the call being there from the start, and until the view has the graph:
 *   npx tsx bench/reopen.ts BINARY DIR [ROUNDS]
 */
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { appState, launch } from "../e2e/browser.ts";
import { freePort } from "../e2e/ports.ts";

const [binary, dir, rounds = "7"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/reopen.ts BINARY DIR [ROUNDS]");
const port = await freePort();
const token = randomBytes(32).toString("base64url");
const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport({
  command: binary, args: ["serve", "--port", String(port), "--repo", dir], env: { ...(process.env as Record<string, string>), GITNEXUS_TOKEN: token }, stderr: "ignore",
}));
const browser = await launch();
const page = await browser.newPage();
const address = `http://127.0.0.1:${port}/`;

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function loaded(): Promise<void> {
  while (!(await appState(page)).loaded) await rest(10);
}

/** Bytes of the graph as it is kept; 0 while it is not. */
const kept = (): Promise<number> => page.evaluate(async () => {
  const root = await navigator.storage.getDirectory();
  try {
    const folder = await root.getDirectoryHandle("repositories");
    // What is being written has a name of its own.
    for await (const handle of folder.values()) if (handle.kind === "file" && !handle.name.endsWith(".crswap")) return (await handle.getFile()).size;
  } catch {
    // not yet
  }
  return 0;
});

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

await page.goto(`${address}#token=${token}`);
await loaded();
while ((await kept()) === 0) await rest(100);
const size = await kept();
const answered: number[] = [];
const opened: number[] = [];
for (let i = 0; i < Number(rounds); i++) {
  await page.goto("about:blank");
  await rest(1_000);
  const started = performance.now();
  const going = page.goto(address).then(loaded).then(() => opened.push(performance.now() - started));
  const result = await client.callTool({ name: "search", arguments: { query: "read", limit: 1 } });
  answered.push(performance.now() - started);
  if (result.isError) throw new Error(JSON.stringify(result.structuredContent));
  await going;
  await rest(2_500); // what is read behind the answers
}
console.log(`${basename(dir)} opened again, ${(size / 1e6).toFixed(1)} MB kept; median and worst of ${rounds}`);
console.log(`  until the first answer ${median(answered).toFixed(0)} ms, ${Math.max(...answered).toFixed(0)} ms`);
console.log(`  until the view has the graph ${median(opened).toFixed(0)} ms, ${Math.max(...opened).toFixed(0)} ms`);
await browser.close();
await client.close();
