/**
 * Reads the memory of the tab while a folder is indexed and its database filled, in a Chromium that nothing is attached to (a debugger
 * keeps copies of what the page fetches), through the real server and a real agent: once with a query as soon as the graph
 * answers, which has the database filled at once, and once with a query after it was filled in the background. Linux only:
 *   npx tsx bench/memory.ts BINARY DIR [ROUNDS]
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { chromiumFlags, chromiumPath } from "../e2e/browser.ts";
import { median, rest, serve } from "./served.ts";

const [binary, dir, rounds = "1"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/memory.ts BINARY DIR [ROUNDS]");

/** What the kernel says of the largest tab now, in MB. */
interface Memory {
  /** What nobody else has, as the browser's own task manager tells it. */
  footprint: number;
  /** All that is in memory, the browser's program included. */
  resident: number;
}

/** The largest tab of a browser. */
function tabOf(browser: ChildProcess): Memory {
  let largest: Memory = { footprint: 0, resident: 0 };
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/u.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      // The profile's folder stands in no command but the browser's own; a tab is known by the browser that started it.
      if (!command.includes("--type=renderer") || !isOf(browser, pid)) continue;
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const of = (key: string): number => Number(new RegExp(`^${key}:\\s*(\\d+)`, "mu").exec(status)?.[1] ?? 0) / 1024;
      const memory = { footprint: of("RssAnon") + of("VmSwap"), resident: of("VmRSS") };
      if (memory.resident > largest.resident) largest = memory;
    } catch {
      // it has just ended
    }
  }
  return largest;
}

/** Whether the browser is the parent of the process, or its parent's, and so on. */
function isOf(browser: ChildProcess, pid: string): boolean {
  for (let at = pid; Number(at) > 1;) {
    if (Number(at) === browser.pid) return true;
    at = /^PPid:\s*(\d+)/mu.exec(readFileSync(`/proc/${at}/status`, "utf8"))?.[1] ?? "0";
  }
  return false;
}

const QUERY = "MATCH (a)-[r:CodeRelation {type: 'CALLS'}]->(b:Function) RETURN b.name, count(a) AS callers ORDER BY callers DESC LIMIT 5";
/** By then the database is filled, and the graph kept for the next visit. */
const BACKGROUND = 35_000;

interface Run {
  /** Peaks from the start on. */
  graph: Memory;
  query: Memory;
  /** Some seconds after the query. */
  after: Memory;
  /** Of the query, in milliseconds. */
  waited: number;
}

/** One cold load; the first query comes so many milliseconds after the first answer. */
async function run(wait: number): Promise<Run> {
  const { client, pairing } = await serve(binary!, dir!);
  const profile = mkdtempSync(join(tmpdir(), "gitnexus-bench-"));
  const browser = spawn(chromiumPath(), ["--headless=new", ...chromiumFlags, `--user-data-dir=${profile}`, pairing], { stdio: "ignore" });
  const peak: Memory = { footprint: 0, resident: 0 };
  const sampling = setInterval(() => {
    const { footprint, resident } = tabOf(browser);
    peak.footprint = Math.max(peak.footprint, footprint);
    peak.resident = Math.max(peak.resident, resident);
  }, 50);
  /** Asks until there is an answer. */
  const answered = async (name: string, args: Record<string, unknown>): Promise<void> => {
    while ((await client.callTool({ name, arguments: args })).isError === true) await rest(100);
  };
  try {
    await answered("overview", {});
    const graph = { ...peak };
    await rest(wait);
    const asked = performance.now();
    await answered("cypher", { query: QUERY });
    const waited = performance.now() - asked;
    const query = { ...peak };
    await rest(5_000);
    return { graph, query, after: tabOf(browser), waited };
  } finally {
    clearInterval(sampling);
    browser.kill();
    await new Promise((resolve) => browser.once("exit", resolve));
    await client.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

console.log(`memory of the tab, ${basename(dir)}; median and worst of ${rounds} loads, in brackets with the browser's program`);
for (const [when, wait] of [["a query at once", 0], ["a query when the database has been filled", BACKGROUND]] as const) {
  const runs: Run[] = [];
  for (let i = 0; i < Number(rounds); i++) runs.push(await run(wait));
  const tell = (of: "graph" | "query" | "after"): string => (["footprint", "resident"] as const).map((measure, i) => {
    const all = runs.map((one) => one[of][measure]);
    const text = `${median(all).toFixed(0)} MB, ${Math.max(...all).toFixed(0)} MB`;
    return i === 0 ? text : `(${text})`;
  }).join(" ");
  console.log(`  ${when}, answered in ${median(runs.map(({ waited }) => waited)).toFixed(0)} ms:`);
  console.log(`    peak until the graph answers ${tell("graph")}, until the query is answered ${tell("query")}; 5 s later ${tell("after")}`);
}
