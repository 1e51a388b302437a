/** The view alone, in a real browser with scripted Workers: what the user sees and does in each state. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createServer, type ViteDevServer } from "vite";
import { appState, colours, launch } from "./browser.ts";

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 900, height: 700 };

let server: ViteDevServer;
let browser: Browser;
let errors: string[] = [];

interface View {
  size?: { width: number; height: number };
  theme?: "dark" | "light";
  nodes?: number;
}

async function open(state: string, { size = WIDE, theme = "dark", nodes = 300 }: View = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: size, colorScheme: theme, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error.stack)));
  await page.goto(`${server.resolvedUrls!.local[0]!}test/view.html?state=${state}&nodes=${nodes}`);
  await page.waitForFunction(() => "scripted" in window);
  return page;
}

/** Waits for a condition on what the page reports. */
async function reported(page: Page, what: (state: Awaited<ReturnType<typeof appState>> & { selected: string | null }) => boolean): Promise<void> {
  await expect.poll(async () => what((await appState(page)) as never), { timeout: 15_000 }).toBe(true);
}

/** What the view said to a Worker of one type of command. */
function said(page: Page, thread: "engine" | "link", type: string): Promise<Record<string, unknown>[]> {
  return page.evaluate(([t, k]) => {
    const { scripted } = window as unknown as { scripted: Record<string, { said: { type: string }[] }> };
    // Files and ports don't cross into this process; their names do.
    return JSON.parse(JSON.stringify(scripted[t]!.said.filter((command) => command.type === k), (_, v: unknown) => (v instanceof File ? v.name : v))) as Record<string, unknown>[];
  }, [thread, type] as const);
}

function emit(page: Page, thread: "engine" | "link", event: object): Promise<void> {
  return page.evaluate(([t, e]) => (window as unknown as { scripted: Record<string, { emit(e: object): void }> }).scripted[t]!.emit(e), [thread, event] as const);
}

beforeAll(async () => {
  server = await createServer({ configFile: resolve(import.meta.dirname, "../vite.config.ts"), root: resolve(import.meta.dirname, ".."), logLevel: "error", server: { port: 0, hmr: false } });
  await server.listen();
  browser = await launch();
  // The first load lets the server find and bundle the packages, and reloads the page when it has.
  const page = await open("ready");
  await page.waitForTimeout(3000);
  await page.context().close();
  errors = [];
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  expect(errors.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe("without a graph", () => {
  test.each([
    ["unpaired", "Pair this page with gitnexus-mcp", "gitnexus-mcp open"],
    ["refused", "gitnexus-mcp refuses this page", "The token is not the one that this server uses."],
    ["connecting", "Connecting to gitnexus-mcp", "Pick a folder"],
    ["waiting", "gitnexus-mcp is not answering", "Try now"],
    ["empty", "Load a repository", "gitnexus-mcp --repo"],
    ["loading", "Indexing shop", "741 of 1,203"],
    ["failed", "The repository could not be loaded", "ended after 812 of 1,203 files"],
    ["crashed", "Part of this page has stopped", "memory access out of bounds"],
  ])("%s says what is and what to do", async (state, title, detail) => {
    const page = await open(state);
    await expect.poll(() => page.textContent("main h1")).toBe(title);
    expect(await page.textContent("main")).toContain(detail);
  });

  test("the countdown runs, and the button tries at once", async () => {
    const page = await open("waiting");
    const seconds = async (): Promise<number> => Number.parseInt((await page.textContent("main .countdown"))!.replace(/\D+/, ""), 10);
    const first = await seconds();
    expect(first).toBeGreaterThan(4);
    await expect.poll(seconds, { timeout: 5000 }).toBeLessThan(first);
    await page.click("text=Try now");
    expect(await said(page, "link", "retry")).toHaveLength(1);
    await reported(page, (s) => s.link.state === "connected");
  });

  test("a picked folder and a picked zip are handed to the engine", async () => {
    const folder = mkdtempSync(join(tmpdir(), "view-"));
    try {
      mkdirSync(join(folder, "src"));
      writeFileSync(join(folder, "src", "a.ts"), "export {};\n");
      writeFileSync(join(folder, "b.zip"), "PK");
      const page = await open("empty");
      await page.setInputFiles("#pick-folder", folder);
      await expect.poll(() => said(page, "engine", "load")).toHaveLength(1);
      const [load] = await said(page, "engine", "load");
      expect(load).toMatchObject({ source: { kind: "files", files: [{ path: "b.zip", file: "b.zip" }, { path: "src/a.ts", file: "a.ts" }] } });
      await page.setInputFiles("#pick-zip", join(folder, "b.zip"));
      await expect.poll(async () => (await said(page, "engine", "load"))[1]).toMatchObject({ source: { kind: "zip", file: "b.zip" } });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("a dropped file that is no repository is refused in words", async () => {
    const page = await open("empty");
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["x"], "notes.txt"));
      return data;
    });
    await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
    expect(await page.textContent(".drop")).toContain("Drop a folder or a .zip");
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
    await expect.poll(() => page.textContent("[role=alert]")).toContain("Drop a folder or a .zip file.");
    expect(await page.locator(".drop").count()).toBe(0);
  });
});

describe("with a graph", () => {
  test("it is drawn: all its nodes, in many colours", async () => {
    const page = await open("quiet", { nodes: 600 });
    await reported(page, (s) => s.loaded !== null && s.drawnNodes === s.loaded.nodes);
    await page.waitForFunction(() => document.querySelector(".stage-note .spinner") === null, undefined, { timeout: 40_000 });
    // Nodes alone, without what is drawn in 2D or floats over them.
    await page.addStyleTag({ content: ".graph canvas:not(.sigma-nodes), .corner, .floats { visibility: hidden !important; }" });
    expect(await colours(browser, await page.locator(".graph").screenshot())).toBeGreaterThan(100);
  });

  test.each(["filling", "filling-edited"])("%s: it is arranged when nobody waits for what the engine does behind it", async (state) => {
    const page = await open(state);
    await reported(page, (s) => s.loaded !== null && s.drawnNodes === s.loaded.nodes);
    const started: string[] = [];
    page.on("worker", (worker) => started.push(worker.url()));
    expect(await page.textContent(".stage-note")).toContain("Filling the graph database");
    await page.waitForTimeout(1_000);
    expect([...page.workers().map((worker) => worker.url()), ...started]).toEqual([]);
    await emit(page, "engine", { type: "progress", phase: "database", done: 1, total: 1, elapsedMs: 900, detail: "" });
    await expect.poll(() => started.some((url) => url.includes("layout.worker"))).toBe(true);
    await page.waitForFunction(() => document.querySelector(".stage-note .spinner") === null, undefined, { timeout: 40_000 });
  });

  test("search, code, neighbours and back by keyboard alone", async () => {
    const page = await open("ready");
    await page.keyboard.press("/");
    await page.keyboard.type("invoice");
    await page.waitForSelector("[role=option]");
    await page.keyboard.press("ArrowDown");
    const wanted = await page.textContent("[role=option][aria-selected=true] .hit-name");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent(".inspector h2")).toBe(wanted);
    await page.waitForSelector(".code-line.at .t-keyword");
    expect(await said(page, "engine", "ask")).toMatchObject([{ name: "search" }, { name: "read" }, { name: "explore", arguments: { type: "symbol" } }]);

    const neighbour = page.locator(".around .row:not(.more)").first();
    const name = await neighbour.locator(".row-name").textContent();
    await neighbour.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent(".inspector h2")).toBe(name);
    await page.click("[aria-label='Back to the node before']");
    await expect.poll(() => page.textContent(".inspector h2")).toBe(wanted);
    await page.keyboard.press("Escape");
    await reported(page, (s) => s.selected === null);
    expect(await page.locator(".inspector").count()).toBe(0);
  });

  test("arrow keys walk through the calls, and a call opens", async () => {
    const page = await open("ready");
    await page.locator(".call-row").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.textContent(".call-detail pre")).toContain("TODO");
    expect(await page.locator(".call.running").count()).toBe(2);
    const time = (): Promise<string | null> => page.textContent(".call.running .time");
    const before = await time();
    await expect.poll(time).not.toBe(before);
    await emit(page, "link", { type: "settled", id: "8", outcome: "ok", ms: 1234, bytes: 10 });
    await expect.poll(() => page.locator(".call.running").count()).toBe(1);
    expect(await page.locator(".call").first().textContent()).toContain("1.2 s");
  });

  test("what an agent points at stands out, until it is cleared", async () => {
    const page = await open("highlight");
    await reported(page, (s) => s.highlighted.length === 10);
    await expect.poll(() => page.textContent(".banner.highlight")).toContain("claude-ai points at 10 nodes");
    expect(await page.textContent(".banner.highlight")).toContain("1 not among the drawn ones");
    await page.keyboard.press("Escape");
    await reported(page, (s) => s.highlighted.length === 0);
  });

  test("filters take kinds off the drawing and bring them back", async () => {
    const page = await open("ready");
    const { loaded } = await appState(page);
    await page.click("text=Kinds");
    const files = page.locator(".toggle", { hasText: "File" });
    const count = Number(await files.locator(".toggle-count").textContent());
    await files.click();
    await reported(page, (s) => s.drawnNodes === loaded!.nodes - count);
    await files.click();
    await reported(page, (s) => s.drawnNodes === loaded!.nodes);
  });

  test("the graph is exported as a file", async () => {
    const page = await open("ready");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("[aria-label='Export the graph as JSON']")]);
    expect(download.suggestedFilename()).toBe("shop.code-graph.json");
  });

  test("a lost link leaves the graph usable and says so", async () => {
    const page = await open("waiting-loaded");
    await expect.poll(() => page.textContent(".banner.tone-warn")).toContain("Disconnected.");
    await page.keyboard.press("/");
    await page.keyboard.type("invoice");
    await page.waitForSelector("[role=option]");
  });

  test("text from elsewhere stays text", async () => {
    const page = await open("ready");
    const hostile = "<img src=x onerror=\"document.title='run'\"><b>bold</b>";
    await emit(page, "link", { type: "call", id: "x", name: hostile, agent: hostile, arguments: { query: hostile }, startedAt: 0 });
    await emit(page, "link", { type: "settled", id: "x", outcome: "error", ms: 1, bytes: 0, message: hostile });
    await expect.poll(() => page.textContent(".call-message")).toBe(hostile);
    expect(await page.locator(".call img, .call b").count()).toBe(0);
    expect(await page.title()).not.toBe("run");
  });
});

describe("at 900 by 700", () => {
  test("the sidebar is a drawer, and nothing runs over the edge", async () => {
    const page = await open("ready", { size: NARROW, theme: "light" });
    expect(await page.locator("#sidebar").isVisible()).toBe(false);
    await page.click("[aria-controls=sidebar]");
    expect(await page.locator("#sidebar").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("#sidebar").isVisible()).toBe(false);
    const beyond = await page.evaluate(() => [...document.querySelectorAll("header *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length);
    expect(beyond).toBe(0);
  });
});

describe("for everybody", () => {
  test.each(["unpaired", "empty", "ready", "selected", "highlight", "waiting-loaded"])("%s: every control has a name", async (state) => {
    const page = await open(state);
    await page.waitForTimeout(500);
    const nameless = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>("button, a, input:not([hidden]), [role=application], [role=region]")]
      .filter((e) => !(e.getAttribute("aria-label") ?? e.textContent).trim() && !(e as HTMLInputElement).labels?.length)
      .map((e) => e.outerHTML.slice(0, 120)));
    expect(nameless).toEqual([]);
    const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((e) => e.id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("the first Tab reaches the skip link, and it skips", async () => {
    const page = await open("ready");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the graph");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("stage");
  });

  test("the theme follows the system, and the user's word over it", async () => {
    const page = await open("ready", { theme: "light" });
    const theme = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset["theme"]);
    expect(await theme()).toBe("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(theme).toBe("dark");
    await page.click("[aria-label^='Theme']");
    await page.click("[aria-label^='Theme']");
    await expect.poll(theme).toBe("light");
    await page.reload();
    await expect.poll(theme).toBe("light");
  });

  test("a change of the link is announced once, without its countdown", async () => {
    const page = await open("ready");
    await emit(page, "link", { type: "state", link: { state: "waiting", attempt: 1, retryAt: Date.now() + 60_000, reason: "the server stops" } });
    await expect.poll(() => page.textContent("#link-status")).toBe("Disconnected. The server stops.");
    expect(await page.getAttribute("#link-status", "aria-live")).toBe("polite");
  });
});
