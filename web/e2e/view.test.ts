/** The view alone, in a real browser with scripted Workers: what the user sees and does in each state. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appState, colours, type AppState } from "./browser.ts";
import { emit, expect, NARROW, onScreen, reported, said, SCROLLER, settled, test, WIDE, type Scripted } from "./scripted.ts";

test.describe.configure({ mode: "parallel" });

test.describe("without a graph", () => {
  for (const [state, title, detail] of [
    ["unpaired", "Pair this page with gitnexus-mcp", "gitnexus-mcp open"],
    ["refused", "gitnexus-mcp refuses this page", "The token is not the one that this server uses."],
    ["connecting", "Connecting to gitnexus-mcp", "Pick a folder"],
    ["waiting", "gitnexus-mcp is not answering", "Try now"],
    ["empty", "Load a repository", "gitnexus-mcp --repo"],
    ["loading", "Indexing shop", "741 of 1,203"],
    ["failed", "The repository could not be loaded", "ended after 812 of 1,203 files"],
    ["crashed", "Part of this page has stopped", "memory access out of bounds"],
  ] as const) {
    test(`${state} says what is and what to do`, async ({ open }) => {
      const page = await open(state);
      await expect.poll(() => page.textContent("main h1")).toBe(title);
      expect(await page.textContent("main")).toContain(detail);
    });
  }

  test("the countdown runs, and the button tries at once", async ({ open }) => {
    const page = await open("waiting");
    const seconds = async (): Promise<number> => Number.parseInt((await page.textContent("main .countdown"))!.replace(/\D+/, ""), 10);
    const first = await seconds();
    expect(first).toBeGreaterThan(4);
    await expect.poll(seconds, { timeout: 5000 }).toBeLessThan(first);
    await page.click("text=Try now");
    expect(await said(page, "link", "retry")).toHaveLength(1);
    await reported(page, (s) => s.link.state === "connected");
  });

  test("a picked folder and a picked zip are handed to the engine", async ({ open }) => {
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

  test("a dropped file that is no repository is refused in words", async ({ open }) => {
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

test.describe("with a graph", () => {
  test("the map begins with few groups, in many colours, and no label covers another", async ({ open, browser }) => {
    const page = await open("quiet", { nodes: 8_000 });
    await reported(page, (s) => s.loaded !== null && s.drawnNodes > 10);
    expect((await appState(page)).drawnNodes).toBeLessThan(120);
    expect(await colours(browser, await page.locator(".graph").screenshot())).toBeGreaterThan(60);
    const { labels } = (await appState(page)).picture!;
    expect(labels.length).toBeGreaterThan(8);
    const legend = (await page.locator(".legend").boundingBox())!;
    const stage = (await page.locator(".graph").boundingBox())!;
    const boxes = [...labels, { ...legend, x: legend.x - stage.x, y: legend.y - stage.y }];
    const meeting = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height));
    expect(meeting).toEqual([]);
  });

  test("50,000 nodes open as a map of few groups, which moves and opens", async ({ open }) => {
    // Some of them have one name.
    const page = await open("quiet", { nodes: 60_000 });
    await reported(page, (s) => (s.loaded?.nodes ?? 0) >= 50_000 && s.drawnNodes > 10);
    const before = await appState(page);
    expect(before.drawnNodes).toBeLessThan(200);
    await page.focus(".graph");
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowRight");
    await reported(page, (s) => s.picture!.seen.span < before.picture!.seen.span && s.picture!.seen.x > before.picture!.seen.x);
    await page.keyboard.press("0");
    await reported(page, (s) => Math.abs(s.picture!.seen.x - before.picture!.seen.x) < 1 && Math.abs(s.picture!.seen.span - before.picture!.seen.span) < 1);
    const [group] = before.picture!.nodes.filter(({ shape }) => shape === "group").sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y)) as [NonNullable<AppState["picture"]>["nodes"][number]];
    const at = await onScreen(page, group);
    await page.mouse.dblclick(at.x, at.y);
    await reported(page, (s) => s.picture!.nodes.find(({ id }) => id === group.id)?.shape === "open" && s.drawnNodes > before.drawnNodes);
  });

  test("a group opens by a double click and as one comes near, folds again, and nothing else moves", async ({ open }) => {
    const page = await open("quiet", { nodes: 2_000 });
    await reported(page, (s) => s.drawnNodes > 5);
    const before = (await appState(page)).picture!.nodes;
    // The panel that the first click opens comes to lie over it: the second click is meant for it all the same.
    const [group] = before.filter(({ shape }) => shape === "group").sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y)) as [(typeof before)[number]];
    const at = await onScreen(page, group);
    await page.mouse.dblclick(at.x, at.y);
    await reported(page, (s) => s.picture!.nodes.find(({ id }) => id === group.id)?.shape === "open");
    const opened = new Map((await appState(page)).picture!.nodes.map((node) => [node.id, node]));
    for (const node of before) expect(opened.get(node.id), node.id).toMatchObject({ x: node.x, y: node.y, r: node.r });
    expect(opened.size).toBeGreaterThan(before.length);
    // Its heading is where it can be taken hold of.
    const heading = await onScreen(page, { ...group, y: group.y - group.r });
    await page.mouse.dblclick(heading.x, heading.y);
    await reported(page, (s) => s.picture!.nodes.find(({ id }) => id === group.id)?.shape === "group");
    const there = await onScreen(page, group);
    await page.mouse.move(there.x, there.y);
    for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -120);
    await reported(page, (s) => s.picture!.nodes.find(({ id }) => id === group.id)?.shape === "open");
  });

  test("an edit leaves camera, selection, scroll and all places to the pixel, and what is new stands beside its neighbours", async ({ open }) => {
    const page = await open("quiet", { nodes: 600 });
    await reported(page, (s) => s.drawnNodes > 5);
    const first = (await page.evaluate(() => (window as unknown as Scripted).scripted.answer("search", { query: "handle", limit: 1, groupByProcess: false }))) as { results: { id: string }[] };
    await page.keyboard.press("/");
    await page.keyboard.type("handle");
    await page.waitForSelector("[role=option]");
    await page.keyboard.press("Enter");
    await reported(page, (s) => s.selected !== null);
    expect(first.results.length).toBe(1);
    // The file that will be edited is open and in view.
    const edited = await page.evaluate(() => (window as unknown as Scripted).scripted.edited());
    await page.evaluate((file) => (window as unknown as Scripted).scripted.reveal(file), edited);
    await reported(page, (s) => s.picture!.nodes.some(({ id, shape }) => id === edited && shape === "open"));
    await page.mouse.move(600, 500);
    for (let i = 0; i < 3; i++) await page.mouse.wheel(0, -120);
    await page.waitForTimeout(600);
    await page.locator(SCROLLER).evaluate((element) => (element.scrollTop = 333));
    const canvas = await page.locator(".graph canvas").first().elementHandle();
    const before = await appState(page);
    const scrolled = await page.locator(SCROLLER).evaluate((element) => element.scrollTop);
    expect(scrolled).toBeGreaterThan(100);

    await page.evaluate(() => (window as unknown as Scripted).scripted.edit(3));
    await reported(page, (s) => s.picture!.nodes.some(({ id }) => id.endsWith("addedLater2")));
    await page.waitForTimeout(500);
    const after = await appState(page);
    expect(after.picture!.camera).toEqual(before.picture!.camera);
    expect(after.selected).toBe(before.selected);
    expect(await page.locator(SCROLLER).evaluate((element) => element.scrollTop)).toBe(scrolled);
    expect(await page.evaluate((element) => element === document.querySelector(".graph canvas"), canvas)).toBe(true);
    const places = new Map(after.picture!.nodes.map((node) => [node.id, node]));
    for (const node of before.picture!.nodes) expect(places.get(node.id), node.id).toEqual(node);
    const file = places.get(edited)!;
    for (const node of after.picture!.nodes.filter(({ id }) => id.includes("addedLater"))) {
      expect(Math.hypot(node.x - file.x, node.y - file.y)).toBeLessThan(file.r);
      for (const other of after.picture!.nodes.filter(({ id, shape }) => shape !== "open" && id !== node.id)) {
        expect(Math.hypot(node.x - other.x, node.y - other.y)).toBeGreaterThan(node.r + other.r);
      }
    }
  });

  test("the same graph looks the same in another browser, and a dragged node stays where it was put", async ({ open }) => {
    const both = await Promise.all([open("quiet", { nodes: 600 }), open("quiet", { nodes: 600 })]);
    for (const page of both) await reported(page, (s) => s.drawnNodes > 5);
    const [a, b] = await Promise.all(both.map(async (page) => (await appState(page)).picture!.nodes));
    expect(a).toEqual(b);
    const page = both[0];
    const group = a!.find(({ shape }) => shape === "group")!;
    const at = await onScreen(page, group);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 40, at.y + 30, { steps: 4 });
    await page.mouse.up();
    const moved = (await appState(page)).picture!.nodes.find(({ id }) => id === group.id)!;
    expect(moved.x).toBeGreaterThan(group.x);
    await page.evaluate(() => (window as unknown as Scripted).scripted.edit(1));
    await page.waitForTimeout(500);
    expect((await appState(page)).picture!.nodes.find(({ id }) => id === group.id)).toEqual(moved);
  });

  test("back, forward, reload and a shared link show the same picture", async ({ open, browser }) => {
    const page = await open("quiet", { nodes: 600 });
    await reported(page, (s) => s.drawnNodes > 5);
    await page.click(".rows .row >> nth=0");
    await reported(page, (s) => s.selected !== null && s.picture!.nodes.some(({ id }) => id === s.selected));
    const first = (await appState(page)).selected;
    await page.click(".rows .row >> nth=1");
    await reported(page, (s) => s.selected !== first && s.picture!.nodes.some(({ id }) => id === s.selected));
    await page.click("text=Relations");
    await page.locator(".toggle", { hasText: "imports" }).click();
    await page.waitForTimeout(700);
    // A busy machine takes longer to put the picture together: the one that stays is compared.
    await expect.poll(async () => {
      const before = (await appState(page)).picture;
      await page.waitForTimeout(500);
      return JSON.stringify((await appState(page)).picture) === JSON.stringify(before);
    }, { timeout: 15_000 }).toBe(true);
    const there = await appState(page);
    const url = page.url();
    const other = await (await browser.newContext({ viewport: WIDE, reducedMotion: "reduce" })).newPage();
    await other.goto(url);
    for (const again of [other, page]) {
      if (again === page) await page.reload();
      await reported(again, (s) => s.selected === there.selected && s.picture?.nodes.length === there.picture!.nodes.length);
      const state = await appState(again);
      expect(state.picture!.camera).toEqual(there.picture!.camera);
      expect(state.picture!.nodes).toEqual(there.picture!.nodes);
      await again.click("text=Relations");
      expect(await again.locator(".toggle", { hasText: "imports" }).locator("input").isChecked()).toBe(false);
    }
    await page.goBack();
    await reported(page, (s) => s.selected === first);
    await page.goForward();
    await reported(page, (s) => s.selected === there.selected);
  });

  test("search, code, neighbours and back by keyboard alone", async ({ open }) => {
    const page = await open("ready");
    await page.keyboard.press("/");
    await page.keyboard.type("invoice");
    // Typed slowly, its first letters are searched for, too, and the choice begins anew with the whole.
    await page.locator("[role=option] mark", { hasText: /^invoice$/i }).first().waitFor();
    await page.keyboard.press("ArrowDown");
    const wanted = await page.textContent("[role=option][aria-selected=true] .hit-name");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent(".inspector h2")).toBe(wanted);
    await page.waitForSelector(".code-line.at .t-keyword");

    const neighbour = page.locator(".around .row:not(.more)").first();
    const name = await neighbour.locator(".row-name").textContent();
    await neighbour.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent(".inspector h2")).toBe(name);
    await page.click("[aria-label='Back to what was before']");
    await expect.poll(() => page.textContent(".inspector h2")).toBe(wanted);
    await page.keyboard.press("Escape");
    await reported(page, (s) => s.selected === null);
    expect(await page.locator(".inspector").count()).toBe(0);
  });

  test("arrow keys walk through the calls, and a call opens", async ({ open }) => {
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

  test("what an agent points at stands out, until it is cleared", async ({ open }) => {
    const page = await open("highlight");
    await reported(page, (s) => s.highlighted.length === 10);
    await expect.poll(() => page.textContent(".banner.highlight")).toContain("claude-ai points at 10 nodes");
    await page.keyboard.press("Escape");
    await reported(page, (s) => s.highlighted.length === 0);
  });

  test("filters take kinds off the drawing and bring them back", async ({ open }) => {
    const page = await open("ready", { nodes: 40 });
    await reported(page, (s) => s.drawnNodes > 5);
    await page.click("text=Node kinds");
    const functions = page.locator(".toggle", { hasText: "Function" });
    const drawn = (await appState(page)).picture!.nodes.filter(({ id }) => id.startsWith("Function:")).length;
    const { drawnNodes } = await appState(page);
    expect(drawn).toBeGreaterThan(0);
    await functions.click();
    await reported(page, (s) => s.drawnNodes === drawnNodes - drawn);
    await functions.click();
    await reported(page, (s) => s.drawnNodes === drawnNodes);
  });

  test("what is seen is saved as PNG and as SVG", async ({ open }) => {
    const page = await open("ready");
    await reported(page, (s) => s.drawnNodes > 5);
    const [svg] = await Promise.all([page.waitForEvent("download"), page.click("button:text-is('SVG')")]);
    expect(await svg.path().then((path) => readFileSync(path, "utf8"))).toMatch(/^<svg [^>]*>.*<circle .*<text [^>]*>src<\/text>.*<\/svg>$/s);
    const [png] = await Promise.all([page.waitForEvent("download"), page.click("button:text-is('PNG')")]);
    const bytes = readFileSync(await png.path());
    expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16)]).toEqual(["PNG", 3 * (await page.locator(".graph").boundingBox())!.width]);
  });

  test("the graph is exported as a file", async ({ open }) => {
    const page = await open("ready");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("[aria-label='Export the graph as JSON']")]);
    expect(download.suggestedFilename()).toBe("shop.code-graph.json");
  });

  test("a lost link leaves the graph usable and says so", async ({ open }) => {
    const page = await open("waiting-loaded");
    await expect.poll(() => page.textContent(".banner.tone-warn")).toContain("Disconnected.");
    await page.keyboard.press("/");
    await page.keyboard.type("invoice");
    await page.waitForSelector("[role=option]");
  });

  test("text from elsewhere stays text", async ({ open }) => {
    const page = await open("ready");
    const hostile = "<img src=x onerror=\"document.title='run'\"><b>bold</b>";
    await emit(page, "link", { type: "call", id: "x", name: hostile, agent: hostile, arguments: { query: hostile }, startedAt: 0 });
    await emit(page, "link", { type: "settled", id: "x", outcome: "error", ms: 1, bytes: 0, message: hostile });
    await expect.poll(() => page.textContent(".call-message")).toBe(hostile);
    expect(await page.locator(".call img, .call b").count()).toBe(0);
    expect(await page.title()).not.toBe("run");
  });
});

test.describe("several repositories", () => {
  test("stand in tabs, each with its own place, and back leads from one to the other", async ({ open }) => {
    const page = await open("selected");
    const selected = (await appState(page)).selected;
    await page.locator("body").press("o");
    await expect.poll(() => page.textContent("main h1")).toBe("Load a repository");
    const folder = mkdtempSync(join(tmpdir(), "view-"));
    try {
      writeFileSync(join(folder, "a.ts"), "export {};\n");
      await page.setInputFiles("#pick-folder", folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
    await reported(page, (s) => s.loaded?.repo === "tools" && s.drawnNodes > 3);
    expect(await page.locator(".repo-tab").allTextContents()).toEqual(["shop2 calls running", "tools"]);
    expect(await page.locator(".repo-tabs li.on").textContent()).toBe("tools");
    await page.click(".repo-tab >> text=shop");
    await reported(page, (s) => s.loaded?.repo === "shop" && s.selected === selected && s.drawnNodes > 3);
    await page.goBack();
    await reported(page, (s) => s.loaded?.repo === "tools" && s.selected === null);
    await page.click("[aria-label='Close tools']");
    await reported(page, (s) => s.loaded?.repo === "shop" && s.selected === selected);
    expect(await page.locator(".repo-tabs").count()).toBe(0);
  });
});

test.describe("at 900 by 700", () => {
  test("the sidebar is a drawer, and nothing runs over the edge", async ({ open }) => {
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

test.describe("for everybody", () => {
  for (const state of ["unpaired", "empty", "ready", "selected", "highlight", "waiting-loaded"]) {
    test(`${state}: every control has a name`, async ({ open }) => {
      const page = await open(state);
      await settled(page);
      const nameless = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>("button, a, input:not([hidden]), [role=application], [role=region]")]
        .filter((e) => !(e.getAttribute("aria-label") ?? e.textContent).trim() && !(e as HTMLInputElement).labels?.length)
        .map((e) => e.outerHTML.slice(0, 120)));
      expect(nameless).toEqual([]);
      const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((e) => e.id));
      expect(new Set(ids).size).toBe(ids.length);
    });
  }

  test("the first Tab reaches the skip link, and it skips", async ({ open }) => {
    const page = await open("ready");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the graph");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("stage");
  });

  test("the theme follows the system, and the user's word over it", async ({ open }) => {
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

  test("a change of the link is announced once, without its countdown", async ({ open }) => {
    const page = await open("ready");
    await emit(page, "link", { type: "state", link: { state: "waiting", attempt: 1, retryAt: Date.now() + 60_000, reason: "the server stops" } });
    await expect.poll(() => page.textContent("#link-status")).toBe("Disconnected. The server stops.");
    expect(await page.getAttribute("#link-status", "aria-live")).toBe("polite");
  });
});
