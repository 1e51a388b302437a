/**
 * Compares the map's drawing with sigma, which draws with WebGL, on the same picture and the same moves of the camera:
 *   npx tsx bench/map.ts [NODES...]
 * Sigma is installed into a temporary folder. Without a GPU both are rendered by the processor.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { build } from "vite";
import { launch } from "../e2e/browser.ts";
import { median } from "./served.ts";

const sizes = process.argv.slice(2).map(Number);
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "gitnexus-map-"));
const FRAMES = 90;

/** Draws the same discs and relations with sigma; the camera is the same as ours. */
const SIGMA = `
import Graph from "graphology";
import Sigma from "sigma";
window.sigma = (container, scene, nodes, edges) => {
  const started = performance.now();
  const graph = new Graph({ multi: true });
  for (const i of nodes) {
    const { id, name, x, y, r, colour } = scene.nodes[i];
    graph.addNode(i, { label: name, x, y: -y, size: r, color: colour });
  }
  for (const { from, to, weight } of edges) graph.addEdge(from, to, { size: Math.min(5, 0.8 + 0.55 * Math.log2(weight)), color: "#444d58", type: "arrow" });
  const sigma = new Sigma(graph, container, { itemSizesReference: "positions", autoRescale: false, labelDensity: 1, zIndex: false });
  const first = performance.now() - started;
  sigma.setCustomBBox({ x: [-1000, 1000], y: [-1000, 1000] });
  const place = ({ x, y, span }) => {
    sigma.getCamera().setState({ x: x / 2000 + 0.5, y: -y / 2000 + 0.5, ratio: span / 2000 });
    sigma.refresh({ skipIndexation: true, schedule: false });
  };
  return { first, place, dispose: () => sigma.kill() };
};`;

async function bundle(entry: string, name: string): Promise<string> {
  await build({
    root, configFile: false, logLevel: "error", resolve: { preserveSymlinks: true },
    build: { outDir: join(folder, name), emptyOutDir: true, lib: { entry, formats: ["es"], fileName: "page" }, minify: true },
  });
  const script = readdirSync(join(folder, name)).find((file) => file.endsWith(".js"))!;
  return readFileSync(join(folder, name, script), "utf8");
}

/** Memory of the browser's processes in MB: what nobody else has. */
function memory(): number {
  const ps = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n");
  const pids = ps.filter((line) => /--type=(renderer|gpu-process)/u.test(line) && line.includes(profile)).map((line) => Number.parseInt(line, 10));
  return pids.reduce((sum, pid) => sum + Number(/^RssAnon:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024, 0);
}

let profile = "";

async function run(page: Page, kind: "canvas" | "sigma" | "sigma, all edges", nodes: number): Promise<string> {
  const result = await page.evaluate(async ({ kind, nodes, frames }) => {
    const { bench, sigma } = window as unknown as {
      bench: { picture: (n: number) => Promise<{ scene: { nodes: { shape: string }[]; edges: unknown[] }; arranged: number }>; canvas: (c: HTMLElement, s: unknown) => Made; move: (r: Made, n: number) => Promise<number[]> };
      sigma: (c: HTMLElement, s: unknown, n: number[], e: unknown[]) => Made;
    };
    interface Made { first: number; dispose: () => void }
    const { scene, arranged } = await bench.picture(nodes);
    const container = document.getElementById("stage")!;
    const made = kind === "canvas" ? bench.canvas(container, scene) : sigma(container, scene, [...scene.nodes.keys()], kind === "sigma" ? scene.edges.slice(0, 900) : scene.edges);
    await bench.move(made, 10);
    const times = await bench.move(made, frames);
    return { times, first: made.first, arranged, drawn: scene.nodes.length, edges: scene.edges.length };
  }, { kind, nodes, frames: FRAMES });
  const sorted = result.times.toSorted((a, b) => a - b);
  return `${String(result.drawn).padStart(6)} nodes, ${String(result.edges).padStart(6)} edges  ${kind.padEnd(17)} a frame ${median(sorted).toFixed(0)} ms, p95 ${sorted[Math.floor(0.95 * sorted.length)]!.toFixed(0)} ms; `
    + `set up in ${result.first.toFixed(0)} ms; ${memory().toFixed(0)} MB; arranged in ${result.arranged.toFixed(0)} ms`;
}

try {
  execFileSync("npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "sigma@3.0.3", "graphology@0.26.0"], { stdio: "ignore" });
  writeFileSync(join(folder, "sigma.js"), SIGMA);
  const ours = await bundle(join(root, "bench/map-page.ts"), "ours");
  const theirs = await bundle(join(folder, "sigma.js"), "theirs");
  const drawing = await bundle(join(root, "src/ui/graph/drawing.ts"), "drawing");
  console.log(`compressed: our drawing ${(gzipSync(drawing).length / 1024).toFixed(0)} KB, sigma with graphology ${(gzipSync(theirs).length / 1024).toFixed(0)} KB`);
  for (const nodes of sizes.length > 0 ? sizes : [5_000, 20_000, 50_000]) {
    for (const kind of ["canvas", "sigma", "sigma, all edges"] as const) {
      const browser = await launch();
      try {
        profile = execFileSync("ps", ["-eo", "ppid,args"], { encoding: "utf8" }).split("\n").filter((line) => Number.parseInt(line, 10) === process.pid).flatMap((line) => /--user-data-dir=(\S+)/u.exec(line)?.[1] ?? [])[0] ?? "";
        const page = await browser.newPage({ viewport: { width: 1136, height: 814 } });
        await page.setContent(`<!doctype html><html data-theme="dark"><body style="margin:0"><div style="position:relative"><div id="stage" style="position:relative;width:1136px;height:814px"></div></div></body></html>`);
        await page.addScriptTag({ type: "module", content: ours });
        await page.addScriptTag({ type: "module", content: theirs });
        await page.waitForFunction(() => "bench" in window && "sigma" in window);
        console.log(await run(page, kind, nodes));
        if (process.env["SHOTS"]) await page.screenshot({ path: join(process.env["SHOTS"], `map-${kind.replace(/\W+/gu, "-")}-${nodes}.png`) });
      } finally {
        await browser.close();
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
