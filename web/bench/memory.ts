/**
 * Reads the memory of the tab while a folder is indexed, in a Chromium that nothing is attached to (a debugger keeps copies of what
 * the page fetches), through the real server and a real agent. Linux only:
 *   npx tsx bench/memory.ts BINARY DIR
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { chromiumFlags, chromiumPath } from "../e2e/browser.ts";
import { freePort } from "../e2e/ports.ts";

const [binary, dir] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/memory.ts BINARY DIR");

/** What the kernel says of the largest tab now, in MB. */
interface Memory {
  /** All that is in memory, the browser's program included. */
  resident: number;
  /** What nobody else has, as the browser's own task manager tells it. */
  footprint: number;
}

/** The tabs' processes, largest first. */
function tabs(): Memory[] {
  const all: Memory[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/u.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      // The profile's folder stands in no command but the browser's own; a tab is known by the browser that started it.
      if (!command.includes("--type=renderer") || !isOurs(pid)) continue;
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const of = (key: string): number => Number(new RegExp(`^${key}:\\s*(\\d+)`, "mu").exec(status)?.[1] ?? 0) / 1024;
      all.push({ resident: of("VmRSS"), footprint: of("RssAnon") + of("VmSwap") });
    } catch {
      // it has just ended
    }
  }
  return all.sort((a, b) => b.resident - a.resident);
}

/** Whether the browser is the parent of the process, or its parent's, and so on. */
function isOurs(pid: string): boolean {
  for (let at = pid; Number(at) > 1;) {
    if (Number(at) === browser.pid) return true;
    at = /^PPid:\s*(\d+)/mu.exec(readFileSync(`/proc/${at}/status`, "utf8"))?.[1] ?? "0";
  }
  return false;
}

const port = await freePort();
const token = randomBytes(32).toString("base64url");
const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport({
  command: binary, args: ["serve", "--port", String(port), "--repo", dir], env: { ...(process.env as Record<string, string>), GITNEXUS_TOKEN: token }, stderr: "ignore",
}));
const profile = mkdtempSync(join(tmpdir(), "gitnexus-bench-"));
const browser = spawn(chromiumPath(), ["--headless=new", ...chromiumFlags, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/#token=${token}`], { stdio: "ignore" });

const peak: Memory = { resident: 0, footprint: 0 };
const sampling = setInterval(() => {
  const [tab] = tabs();
  peak.resident = Math.max(peak.resident, tab?.resident ?? 0);
  peak.footprint = Math.max(peak.footprint, tab?.footprint ?? 0);
}, 50);

/** Asks until there is an answer. */
async function answered(name: string, args: Record<string, unknown>): Promise<void> {
  for (;;) {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError !== true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const tell = (when: string): void => console.log(`  ${when}: at most ${peak.footprint.toFixed(0)} MB, ${peak.resident.toFixed(0)} MB with the browser's program`);
console.log(`memory of the tab, ${basename(dir)}`);
await answered("overview", {});
tell("until the graph answers");
await new Promise((resolve) => setTimeout(resolve, 15_000)); // the database is filled, and the graph kept for the next visit
tell("15 s later");
await answered("cypher", { query: "MATCH (a)-[r:CodeRelation {type: 'CALLS'}]->(b:Function) RETURN b.name, count(a) AS callers ORDER BY callers DESC LIMIT 5" });
tell("after a query");
await new Promise((resolve) => setTimeout(resolve, 5_000));
const [rest] = tabs();
console.log(`  at rest: ${rest?.footprint.toFixed(0)} MB, ${rest?.resident.toFixed(0)} MB with the browser's program`);
clearInterval(sampling);
browser.kill();
await new Promise((resolve) => browser.once("exit", resolve));
await client.close();
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
