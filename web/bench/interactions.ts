/**
 * Measures what the user waits for in the app, in a real Chromium with the real server: the first paint, the time from each interaction
 * to the next paint (the Event Timing API, which web-vitals reads for INP, too) and to the next picture of the graph, which a Worker paints,
 * the longest task on the main thread, pictures while the map moves, and how soon the picture of an agent's call is there; each as it is and with a processor four times as slow. Beside it stands an empty page with one button, measured in the same way:
 *   npx tsx bench/interactions.ts BINARY DIR [ROUNDS] [SLOWDOWNS, such as 1,4]
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import type { BrowserContext, Locator, Page } from "@playwright/test";
import { appState, launch, type AppState } from "../e2e/browser.ts";
import { loaded, median, rest, serve } from "./served.ts";

const [binary, dir, rounds = "3", slowdowns = "1,4"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/interactions.ts BINARY DIR [ROUNDS] [SLOWDOWNS]");
/** Of more nodes only opening and moving are measured. */
const LARGE = 30_000;
const FRAMES = 120;
const VIEWPORT = { width: 1440, height: 900 };

interface Timings {
  /** Milliseconds to the next paint by interaction, of those that took 16 or more; the API rounds to 8. */
  paints: Map<number, number>;
  /** When the last interaction began, by `performance.now()`. */
  last: number;
  /** Of tasks of 50 ms and more. */
  tasks: number[];
}

/** Begins to observe; runs in the page before its scripts do. */
function observe(): void {
  const timings: Timings = { paints: new Map(), last: 0, tasks: [] };
  Object.assign(window, { timings });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, startTime } of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
      if (interactionId === 0) continue;
      timings.paints.set(interactionId, Math.max(duration, timings.paints.get(interactionId) ?? 0));
      timings.last = startTime;
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) timings.tasks.push(duration);
  }).observe({ type: "longtask", buffered: true });
}

/** What was observed since the last time. `picture`: from the last interaction to the first picture that was begun after it; 0 for none. */
async function taken(page: Page): Promise<{ paints: number[]; picture: number; task: number }> {
  return page.evaluate(() => {
    const { timings, gitnexus } = window as unknown as { timings: Timings; gitnexus?: { state: () => AppState } };
    const frame = gitnexus?.state().picture?.frames.find(({ begun }) => timings.last > 0 && begun >= timings.last);
    const got = { paints: [...timings.paints.values()], picture: frame ? frame.painted - timings.last : 0, task: Math.max(0, ...timings.tasks) };
    timings.paints.clear();
    timings.last = 0;
    timings.tasks.length = 0;
    return got;
  });
}

async function newPage(context: BrowserContext, slow: number): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(observe);
  const session = await context.newCDPSession(page);
  // What lies below the window's edge is never painted: a click there would count until something above it changes.
  const { windowId } = await session.send("Browser.getWindowForTarget");
  await session.send("Browser.setWindowBounds", { windowId, bounds: { width: VIEWPORT.width, height: VIEWPORT.height + 200 } });
  if (slow > 1) await session.send("Emulation.setCPUThrottlingRate", { rate: slow });
  return page;
}

/** Milliseconds from the navigation to the first text or picture on the screen. */
async function firstPaint(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]!.startTime);
}

/** Until the map has discs. */
async function drawn(page: Page): Promise<void> {
  while ((await appState(page)).drawnNodes === 0) await rest(20);
}

/** Interactions by what they do, in the order of a walk. Each returns how many there were. */
const WALK: readonly (readonly [what: string, act: (page: Page) => Promise<unknown>])[] = [
  ["open the palette", (page) => page.keyboard.press("Control+k")],
  ...["c", "a", "l", "l", "t"].map((key) => ["type in the palette", (page: Page) => page.keyboard.press(key)] as const),
  ["open what was found", (page) => page.keyboard.press("Enter")],
  ["walk on by a card", (page) => press(page, page.locator(".symbol-card:visible").first())],
  ["step back", (page) => page.keyboard.press("[")],
  ["switch to the local graph", (page) => page.keyboard.press("s")],
  ["change the depth", (page) => page.locator(".legend input[type=range]").press("ArrowRight")],
  ["change the depth", (page) => page.locator(".legend input[type=range]").press("ArrowRight")],
  ["switch to the impact", (page) => press(page, page.getByRole("button", { name: "Impact" }))],
  ["change the depth", (page) => page.locator("input[type=range]").press("ArrowRight")],
  ["switch to the map", (page) => press(page, page.getByRole("button", { name: "Map", exact: true }))],
  ["close the panel", (page) => page.keyboard.press("Escape")],
  ["select a node", (page) => clickDisc(page)],
  ["close the panel", (page) => page.keyboard.press("Escape")],
  ["open a group", (page) => clickDisc(page, 2)],
  ["filter", (page) => press(page, page.getByText("Relations", { exact: true }))],
  ["filter", (page) => press(page, page.getByLabel(/^imports/u))],
  ["filter", (page) => press(page, page.getByLabel(/^imports/u))],
  ["group by clusters", (page) => press(page, page.getByText("Clusters", { exact: true }))],
  ["group by folders", (page) => press(page, page.getByText("Folders", { exact: true }))],
  ["open the file tree", (page) => press(page, page.locator(".sidebar").getByText("Files", { exact: true }))],
  ["open a folder in the tree", (page) => press(page, page.locator(".tree [role=treeitem] .twist").first())],
  ["everything open", (page) => press(page, page.getByText("Part", { exact: true }))],
  ["everything open", (page) => press(page, page.getByLabel("everything open"))],
  ["select a node, everything open", (page) => clickDisc(page)],
  ["filter, everything open", (page) => press(page, page.getByLabel(/^imports/u))],
  ["zoom, everything open", (page) => press(page, page.getByRole("button", { name: "Zoom in" }))],
];

/** Milliseconds between a hand's arriving at something and its press, at least; the discs were looked for before that. */
const AIM = 500;

/** Clicks the largest disc in the middle of the picture that nothing lies over, once the map has all that it was asked for. */
async function clickDisc(page: Page, clickCount = 1): Promise<void> {
  await page.locator(".stage-note .spinner").waitFor({ state: "detached" });
  const at = await page.evaluate(() => {
    const { nodes, seen } = (window as unknown as { gitnexus: { state: () => AppState } }).gitnexus.state().picture!;
    const box = document.querySelector(".graph")!.getBoundingClientRect();
    const scale = Math.min(box.width, box.height) / seen.span;
    for (const node of nodes.filter(({ shape }) => shape !== "open").sort((a, b) => b.r - a.r)) {
      const [x, y] = [box.x + box.width / 2 + (node.x - seen.x) * scale, box.y + box.height / 2 + (node.y - seen.y) * scale];
      if (document.elementFromPoint(x, y)?.tagName === "CANVAS") return { x, y };
    }
    throw new Error("no disc is in view");
  });
  await pressAt(page, at, clickCount);
}

/** Clicks an element where it is, as a hand does: what the test's tool does in the page to see whether it can be clicked is no part of it. */
async function press(page: Page, element: Locator): Promise<void> {
  await element.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await element.boundingBox())!;
  await pressAt(page, { x: x + width / 2, y: y + height / 2 });
}

async function pressAt(page: Page, { x, y }: { x: number; y: number }, clickCount = 1): Promise<void> {
  await page.mouse.move(x, y);
  await rest(AIM);
  await page.mouse.click(x, y, { clickCount });
}

interface Moved {
  /** Milliseconds between frames of the page. */
  frames: number[];
  /** Milliseconds between pictures. */
  pictures: number[];
}

/** The wheel zooms in and out again. */
async function moving(page: Page): Promise<Moved> {
  return page.evaluate(async (frames) => {
    const canvas = document.querySelector(".graph canvas")!;
    const { x, y, width, height } = canvas.getBoundingClientRect();
    const times: number[] = [];
    const begun = performance.now();
    let before = await new Promise<number>(requestAnimationFrame);
    for (let i = 0; i < frames; i++) {
      const deltaY = i < frames / 2 ? -30 : 30;
      canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: x + width * 0.45, clientY: y + height * 0.45, bubbles: true, cancelable: true }));
      const now = await new Promise<number>(requestAnimationFrame);
      times.push(now - before);
      before = now;
    }
    const painted = (window as unknown as { gitnexus: { state: () => AppState } }).gitnexus.state().picture!.frames.filter((frame) => frame.begun > begun).map((frame) => frame.painted);
    return { frames: times, pictures: painted.slice(1).map((time, i) => time - painted[i]!) };
  }, FRAMES);
}

const ms = (n: number): string => `${n.toFixed(0)} ms`;
const p95 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(0.95 * times.length)]!;
/** Shorter ones the API does not tell. */
const paint = (n: number): string => (n === 0 ? "under 16 ms" : ms(n));

const EMPTY = `<!doctype html><title>empty</title><button onclick="this.textContent = 'pressed ' + performance.now()">press</button>`;
const empty = createServer((_, response) => response.setHeader("content-type", "text/html").end(EMPTY));
await new Promise<void>((resolve) => empty.listen(0, "127.0.0.1", resolve));
const emptyAddress = `http://127.0.0.1:${(empty.address() as AddressInfo).port}/`;
const { client, address, pairing } = await serve(binary, dir);
const browser = await launch();
/** Milliseconds from when the agent has the answer to an impact call until the picture of it is painted in the page that follows it. */
async function pictured(page: Page, target: string): Promise<number> {
  // Known before the call is made: a page that is busy might take its view for the one before.
  const before = await page.evaluateHandle(() => document.querySelector(".call-view"));
  const shown = page.evaluate(async (before) => {
    for (;;) {
      await new Promise(requestAnimationFrame);
      const now = document.querySelector(".call-view");
      if (now && now !== before && now.querySelector(".graph canvas")) break;
    }
    const app = (window as unknown as { gitnexus: { state: () => AppState } }).gitnexus;
    for (;;) {
      const [first] = app.state().picture?.frames ?? [];
      if (first) return performance.timeOrigin + first.painted;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }, before);
  const { isError, content } = await client.callTool({ name: "impact", arguments: { target, direction: "upstream" } });
  if (isError) throw new Error(JSON.stringify(content));
  const answered = Date.now();
  return (await shown) - answered;
}

/** First paints, and the walk. */
async function interactions(context: BrowserContext, slow: number): Promise<void> {
  const firsts: Record<string, number[]> = { "empty page": [], "the app, first visit": [], "the app again": [], "the map of the app again": [] };
  for (let i = 0; i < Number(rounds); i++) {
    const blank = await newPage(context, slow);
    firsts["empty page"]!.push(await firstPaint(blank, emptyAddress));
    await blank.close();
    const stranger = await browser.newContext({ viewport: VIEWPORT });
    firsts["the app, first visit"]!.push(await firstPaint(await newPage(stranger, slow), address));
    await stranger.close();
    const again = await newPage(context, slow);
    firsts["the app again"]!.push(await firstPaint(again, address));
    await drawn(again);
    firsts["the map of the app again"]!.push(await again.evaluate(() => performance.now()));
    await again.close();
  }
  for (const [what, times] of Object.entries(firsts)) console.log(`  first paint, ${what}: ${ms(median(times))}, ${ms(Math.max(...times))}`);

  const pictures: number[] = [];
  const found = new Map<string, { paints: number[]; pictures: number[]; tasks: number[] }>();
  const record = async (page: Page, what: string): Promise<void> => {
    await rest(400 * slow);
    const { paints, picture, task } = await taken(page);
    const all = found.get(what) ?? { paints: [], pictures: [], tasks: [] };
    all.paints.push(Math.max(0, ...paints));
    if (picture > 0) all.pictures.push(picture);
    all.tasks.push(task);
    found.set(what, all);
  };
  for (let i = 0; i < Number(rounds); i++) {
    const blank = await newPage(context, slow);
    await blank.goto(emptyAddress);
    for (let k = 0; k < 5; k++) {
      await press(blank, blank.getByRole("button"));
      await record(blank, "empty page: press its button");
    }
    await blank.close();
    const page = await newPage(context, slow);
    await page.goto(address);
    await loaded(page);
    await drawn(page);
    await rest(3_000);
    await taken(page);
    for (const [what, act] of WALK) {
      await act(page).catch((why: unknown) => { throw new Error(`${what}: ${String(why)}`); });
      await record(page, what);
    }
    await page.keyboard.press("m");
    await page.keyboard.press("f");
    const [answer] = (await client.callTool({ name: "search", arguments: { query: "call", limit: 5, groupByProcess: false } })).content as { text: string }[];
    const { results } = JSON.parse(answer!.text) as { results: { id: string }[] };
    for (const { id } of results) {
      pictures.push(await pictured(page, id));
      await rest(500 * slow);
    }
    await page.close();
  }
  console.log(`  an agent’s impact as a picture, after its answer: ${ms(median(pictures))}, ${ms(Math.max(...pictures))}`);
  const all: number[] = [];
  for (const [what, { paints, pictures, tasks }] of found) {
    if (!what.startsWith("empty")) all.push(...paints);
    console.log(`  ${what}: ${paint(median(paints))}, ${paint(Math.max(...paints))}${pictures.length === 0 ? "" : `; the picture after ${ms(median(pictures))}, ${ms(Math.max(...pictures))}`}; longest task ${ms(Math.max(...tasks))}`);
  }
  console.log(`  all of the app: 98 in 100 under ${paint(all.toSorted((a, b) => a - b)[Math.floor(0.98 * all.length)]!)}, worst ${paint(Math.max(...all))}`);
}

try {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const first = await newPage(context, 1);
  await first.goto(pairing);
  await loaded(first);
  const { nodes, edges } = (await appState(first)).loaded!;
  console.log(`${basename(dir)}: ${nodes} nodes, ${edges} edges; median and worst of ${rounds} rounds`);
  // It is kept for the next visit.
  await rest(20_000);
  await first.getByRole("button", { name: "Skip" }).click().catch(() => undefined);
  await first.close();
  for (const slow of slowdowns.split(",").map(Number)) {
    console.log(slow === 1 ? "processor as it is" : `processor ${slow} times as slow`);
    if (nodes <= LARGE) await interactions(context, slow);
    for (const [what, at] of [["as it opens", ""], ["everything open", "#open=*"]] as const) {
      const page = await newPage(context, slow);
      await page.goto(address + at);
      await drawn(page);
      const there = await page.evaluate(() => performance.now());
      await rest(2_000 * slow);
      const { frames, pictures } = await moving(page);
      const spread = (times: readonly number[]): string => `${ms(median(times))}, p95 ${ms(p95(times))}, worst ${ms(Math.max(...times))}`;
      console.log(`  the map ${what}: ${(await appState(page)).drawnNodes} discs, there after ${ms(there)}; moving, between frames ${spread(frames)}; between pictures ${spread(pictures)}`);
      await page.close();
    }
  }
} finally {
  await browser.close();
  await client.close();
  empty.close();
}
