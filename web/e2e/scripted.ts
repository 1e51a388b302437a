/** The view in a real browser with scripted Workers, over a made-up repository on which the engine's own tools answer. */
import type { Page } from "@playwright/test";
import { appState, type AppState } from "./browser.ts";
import { pagesUrl } from "./built.ts";
import { closePages, expect, test as base } from "./fixtures.ts";

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 900, height: 700 };
export const PHONE = { width: 390, height: 844 };

export interface View {
  size?: { width: number; height: number };
  theme?: "dark" | "light";
  nodes?: number;
  /** The address's fragment, without its #. */
  at?: string;
  /** Nobody has used the page before. */
  first?: boolean;
  touch?: boolean;
  /** Runs before the page is loaded. */
  prepare?: (page: Page) => Promise<unknown>;
}

const event = (id: number, category: string, event_type: string, more: object): object =>
  ({ id, timestamp: new Date(Date.now() - (60 - id) * 71_000).toISOString(), category, event_type, session: "4711-1", weight: 1, ...more });

/** What the hub's event log has. */
const EVENTS = {
  log: { file: "/home/me/.local/state/gitnexus-mcp/observability.sqlite", written: 12, dropped: 0, queued: 0 },
  alerts: [],
  events: [
    event(1, "process", "started", { metadata: { version: "0.1.0", pid: 4711 } }),
    event(2, "link", "became_hub", {}),
    event(3, "link", "page_connected", {}),
    event(4, "index", "ready", { graph: "shop", duration_ms: 2410, metadata: { files: 1203, symbols: 9120 } }),
    event(5, "call", "outcome", { tool: "search", agent: "claude-ai", graph: "shop", call: "7QH2-1", duration_ms: 14.2, attempts: 1, weight: 10, metadata: { arguments: { query: "invoice close period" } } }),
    event(6, "hook", "refused", { graph: "shop", tool: "cypher", call: "7QH2-2", message: "no queries on Fridays", metadata: { hook: "PreToolUse", command: "check-call" } }),
    event(7, "call", "outcome", { tool: "impact", agent: "cursor-vscode", graph: "shop", call: "7QH2-3", code: "TIMEOUT", attempts: 2, duration_ms: 60_012, message: "impact did not answer within 60 s", metadata: { arguments: { target: "InvoiceStore.saveInvoice", maxDepth: 3 } } }),
    event(8, "breaker", "breaker_open", { graph: "shop", message: "it was closed" }),
    event(9, "alert", "raised", { graph: "shop", code: "TIMEOUT", message: "calls of shop failed 5 times with TIMEOUT within 10m" }),
    event(10, "link", "page_disconnected", { graph: "shop", message: "the connection was closed by the page (1001: the page is being left, and takes a very long reason with it that runs over the edge of a narrow screen)" }),
    event(11, "client", "https://example.org/mcp", { tool: "echo", attempts: 3, duration_ms: 3012, code: "OVERLOADED", message: "HTTP status 429 Too Many Requests" }),
    event(12, "call", "outcome", { tool: "grep", agent: "claude-ai", code: "CANCELLED", duration_ms: 420 }),
  ],
};

/** What test/view.ts offers to tests. */
export interface Scripted {
  scripted: {
    answer(name: string, args: object): Promise<unknown>;
    /** As after an edit that adds functions to a file. */
    edit(added: number): void;
    /** Id of the file that `edit` adds to. */
    edited(): string;
    /** Opens the groups around a node. */
    reveal(id: string): void;
    /** How many of the view's questions have no answer so far. */
    unanswered(): number;
  };
}

type Open = (state: string, view?: View) => Promise<Page>;

/** Playwright's, with pages of the view. Each has to be free of errors, and is closed after the test. */
export const test = base.extend<{ open: Open }>({
  open: async ({ browser }, use) => {
    const errors: string[] = [];
    await use(async (state, { size = WIDE, theme = "dark", nodes = 300, at = "", first = false, touch = false, prepare } = {}) => {
      const context = await browser.newContext({ viewport: size, colorScheme: theme, reducedMotion: "reduce", hasTouch: touch });
      const page = await context.newPage();
      await prepare?.(page);
      page.on("pageerror", (error) => errors.push(String(error.stack)));
      await page.route("**/api/events*", (route) => route.fulfill({ json: new URL(route.request().url()).searchParams.has("after") ? { events: [] } : EVENTS }));
      await page.goto(`${pagesUrl()}view.html?state=${state}&nodes=${nodes}${first ? "&first" : ""}${at === "" ? "" : `#${at}`}`);
      await page.waitForFunction(() => "scripted" in window);
      return page;
    });
    await closePages(browser);
    expect(errors).toEqual([]);
  },
});
export { expect };

/** Waits for a condition on what the page reports. */
export async function reported(page: Page, what: (state: AppState) => boolean): Promise<void> {
  await expect.poll(async () => what(await appState(page)), { timeout: 15_000 }).toBe(true);
}

/** Gives a page another size. When it has it, the page has heard of it, too: on a busy machine that is some frames later. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  // Media queries are told in the order in which they were made: those of the page before this one.
  const told = page.evaluate(({ width }) => new Promise<void>((resolve) => {
    const media = matchMedia(`(width: ${width}px)`);
    if (media.matches) resolve();
    else media.addEventListener("change", () => resolve(), { once: true });
  }), size);
  await page.setViewportSize(size);
  await told;
  await page.waitForFunction(({ width, height }) => innerWidth === width && innerHeight === height, size);
}

/** Gives the system another colour scheme. When it has it, the page has followed, which on a busy machine is some frames later. */
export async function emulateScheme(page: Page, colorScheme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((theme) => document.documentElement.dataset["theme"] === theme, colorScheme);
}

/** Waits until nothing has changed for 100 ms and no animation runs; half a second at most, since some states have a clock. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let changed = performance.now();
    const observer = new MutationObserver(() => (changed = performance.now()));
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const end = changed + 500;
    while (performance.now() < Math.min(changed + 100, end) || (document.getAnimations().length > 0 && performance.now() < end)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    observer.disconnect();
  });
}

/** What scrolls the code. */
export const SCROLLER = ".code .cm-scroller";

/** Where a point of the picture is on the screen. */
export async function onScreen(page: Page, { x, y }: { x: number; y: number }): Promise<{ x: number; y: number }> {
  const box = (await page.locator(".graph").boundingBox())!;
  const camera = (await appState(page)).picture!.seen;
  const scale = Math.min(box.width, box.height) / camera.span;
  return { x: box.x + box.width / 2 + (x - camera.x) * scale, y: box.y + box.height / 2 + (y - camera.y) * scale };
}

/** What the view said to a Worker of one type of command. */
export function said(page: Page, thread: "engine" | "link", type: string): Promise<Record<string, unknown>[]> {
  return page.evaluate(([t, k]) => {
    const { scripted } = window as unknown as { scripted: Record<string, { said: { type: string }[] }> };
    // Files and ports don't cross into this process; their names do.
    return JSON.parse(JSON.stringify(scripted[t]!.said.filter((command) => command.type === k), (_, v: unknown) => (v instanceof File ? v.name : v))) as Record<string, unknown>[];
  }, [thread, type] as const);
}

export function emit(page: Page, thread: "engine" | "link", event: object): Promise<void> {
  return page.evaluate(([t, e]) => (window as unknown as { scripted: Record<string, { emit(e: object): void }> }).scripted[t]!.emit(e), [thread, event] as const);
}
