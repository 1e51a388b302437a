/**
 * The graph database and the search Worker in a real Chromium, built as the app is and under its policy, without eval. Figures go
 * to the console.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Lab } from "../test/workers/main.ts";
import { launch } from "./browser.ts";

const web = resolve(import.meta.dirname, "..");
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

let out: string;
let server: Server;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), "gitnexus-workers-"));
  execFileSync(process.execPath, [join(web, "scripts/extract-kuzu.mjs")]);
  const output = { entryFileNames: "assets/[name]-[hash].js", chunkFileNames: "assets/[name]-[hash].js", assetFileNames: "assets/[name]-[hash][extname]" };
  await build({
    configFile: false, root: join(web, "test/workers"), base: "./", logLevel: "warn",
    build: { outDir: out, emptyOutDir: true, target: "es2023", assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 2000 },
    worker: { format: "es", rolldownOptions: { output, checks: { eval: false } } },
  });
  server = createServer((request, response) => {
    const file = join(out, request.url === "/" ? "index.html" : new URL(request.url!, "http://x").pathname);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Security-Policy": POLICY });
    response.end(readFileSync(file));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  browser = await launch();
  page = await browser.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("favicon") && !message.location().url.includes("favicon")) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => "lab" in window);
});

afterAll(async () => {
  await browser.close();
  server.close();
  rmSync(out, { recursive: true, force: true });
});

type Outcome = Awaited<ReturnType<Lab["call"]>>;

function call(name: string, args: Record<string, unknown>, limitMs = 60_000): Promise<Outcome> {
  return page.evaluate(([n, a, ms]) => (window as unknown as { lab: Lab }).lab.call(n, a, ms), [name, args, limitMs] as const);
}

function cypher(query: string, limitMs?: number): Promise<Outcome> {
  return call("cypher", { query }, limitMs);
}

it("builds the database of 10,000 nodes and 30,000 edges while the engine's thread stays free", async () => {
  const { ms, longestWait } = await page.evaluate(() => (window as unknown as { lab: Lab }).lab.load(10_000, 30_000));
  console.log(`load ${ms.toFixed(0)} ms, longest wait of the thread ${longestWait.toFixed(0)} ms`);
  expect(longestWait).toBeLessThan(ms / 2);
  expect((await cypher("MATCH (n) RETURN count(n)")).answer).toEqual({ columns: ["COUNT(n._ID)"], rows: [[10_000]], totalRows: 1 });
  expect((await cypher("MATCH ()-[r:CodeRelation]->() RETURN count(r) AS n")).answer).toEqual({ columns: ["n"], rows: [[30_000]], totalRows: 1 });
});

it("answers usual queries in milliseconds", async () => {
  for (const query of [
    "MATCH (a)-[:CodeRelation {type: 'CALLS'}]->(b {id: 'Function:f.ts:n42'}) RETURN a.name",
    "MATCH (a:Function {name: 'n5'})-[:CodeRelation*1..3]->(b) RETURN DISTINCT b.name LIMIT 20",
    "MATCH (a)-[:CodeRelation]->(b:Function) RETURN b.name, count(a) AS n ORDER BY n DESC LIMIT 5",
    "MATCH (n:Function) RETURN n.id, n.name, n.filePath",
  ]) {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { ms, error } = await cypher(query);
      expect(error).toBeUndefined();
      times.push(ms);
    }
    console.log(`${times.sort((a, b) => a - b)[2]!.toFixed(1)} ms  ${query}`);
  }
  expect((await cypher("MATCH (n:Function) RETURN n.id")).answer).toMatchObject({ totalRows: 10_000, truncated: true });
});

it.each([
  "UNWIND range(1, 1000000000) AS x RETURN count(x)",
  "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN sum(x * y)",
  "MATCH p = (a:Function)-[:CodeRelation*1..30]->(b:Function) RETURN count(p)",
])("survives %s", async (query) => {
  const { error, ms } = await cypher(query, 4_000);
  console.log(`${ms.toFixed(0)} ms  ${error}`);
  expect(error).toMatch(/^ToolError: The query (ran longer than|broke the graph database|failed: Buffer manager exception)/);
  expect(ms).toBeLessThan(4_500);
  const next = await cypher("RETURN 1 AS one");
  console.log(`next query ${next.ms.toFixed(0)} ms`);
  expect(next.answer).toEqual({ columns: ["one"], rows: [[1]], totalRows: 1 });
});

it("refuses to write", async () => {
  expect((await cypher("CREATE (:Function {id: 'x'})")).error).toMatch(/read-only/);
});

it("stops a regular expression that explodes, and searches on", async () => {
  const { error, ms } = await call("grep", { pattern: "(a+)+$" }, 2_000);
  expect(error).toMatch(/^ToolError: The pattern was stopped after 1\.\d s/);
  expect(ms).toBeLessThan(2_500);
  expect((await call("grep", { pattern: "needle" })).answer).toMatchObject({ matches: [{ file: "f.txt", line: 2, text: "needle in hay" }], total: 1 });
});

it("collects a thread's garbage when it is told to", async () => {
  const forgets = (collecting: boolean): Promise<boolean> => page.evaluate((c) => (window as unknown as { lab: Lab }).lab.forgets(c), collecting);
  expect(await forgets(false)).toBe(false);
  expect(await forgets(true)).toBe(true);
});

it("kept to the policy", () => {
  expect(complaints).toEqual([]);
});
