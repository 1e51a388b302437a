/**
 * Times the start of an agent with a headless browser: from starting the server until the first tool answers, with an
 * empty profile and then with the kept one; and the memory of all processes once they rest (Linux):
 *   npx tsx bench/start.ts BINARY DIR [ROUNDS]
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { freePort } from "../e2e/ports.ts";
import { median, rest } from "./served.ts";

const [binary, dir, rounds = "5"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/start.ts BINARY DIR [ROUNDS]");
const cache = mkdtempSync(join(tmpdir(), "gitnexus-start-"));
// The page's storage belongs to the port.
const port = await freePort();
const env = { ...(process.env as Record<string, string>), GITNEXUS_TOKEN: randomBytes(32).toString("base64url"), XDG_CACHE_HOME: cache };

/** The proportional set size of a process and all below it, in MB. */
function memory(pid: number): number {
  const own = Number(/^Pss:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;

  const children = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" }).stdout.split("\n").map(Number).filter(Boolean);
  return children.reduce((sum, child) => sum + memory(child), own);
}

/** Starts the server; milliseconds until its first answer, and MB when it has rested. */
async function start(): Promise<{ ms: number; mb: number }> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: binary!, args: ["serve", "--port", String(port), "--repo", dir!, "--browser", "headless", "--grace", "60s"], env, stderr: "ignore",
  });
  const started = performance.now();
  await client.connect(transport);
  const result = await client.callTool({ name: "search", arguments: { query: "read", limit: 1 } });
  const ms = performance.now() - started;
  if (result.isError) throw new Error(JSON.stringify(result.content));
  await rest(10_000); // it writes down what it has, and frees what it does not need
  const mb = memory(transport.pid!);
  await client.close();
  await rest(1_000);
  return { ms, mb };
}

const first = await start();
const again = [];
for (let i = 0; i < Number(rounds); i++) again.push(await start());
console.log(`${basename(dir)}, from the start of the server until the first answer`);
console.log(`  empty profile ${first.ms.toFixed(0)} ms, ${first.mb.toFixed(0)} MB at rest`);
console.log(`  kept profile ${median(again.map((a) => a.ms)).toFixed(0)} ms, ${Math.max(...again.map((a) => a.ms)).toFixed(0)} ms at worst of ${rounds}, ${median(again.map((a) => a.mb)).toFixed(0)} MB at rest`);
rmSync(cache, { recursive: true, force: true });
