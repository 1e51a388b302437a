/** Agents' calls as pictures, what is found by a few letters, the console, the tree; and that everybody can use them. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { until } from "./agent.ts";
import { complaints } from "./axe.ts";
import { appState } from "./browser.ts";
import { emit, emulateScheme, expect, NARROW, onScreen, PHONE, reported, resize, settled, test, WIDE, type Scripted } from "./scripted.ts";

test.describe.configure({ mode: "parallel" });

const answerOf = (page: Page, name: string, args: object): Promise<string> =>
  page.evaluate(async ([tool, given]) => JSON.stringify(await (window as unknown as Scripted).scripted.answer(tool, given)), [name, args] as const);

/** An agent asks, and is answered what the engine answers. */
async function agentAsks(page: Page, id: string, name: string, args: object): Promise<string> {
  const answer = await answerOf(page, name, args);
  await emit(page, "link", { type: "call", id, name, agent: "claude-ai", arguments: args, startedAt: Date.now() });
  await emit(page, "link", { type: "settled", id, outcome: "ok", ms: 12, bytes: answer.length, answer });
  return answer;
}

async function hotspot(page: Page): Promise<string> {
  await reported(page, (s) => s.drawnNodes > 3);
  const { results } = JSON.parse(await answerOf(page, "search", { query: "handle", limit: 1, groupByProcess: false })) as { results: { id: string }[] };
  return results[0]!.id;
}

test.describe("an agent's call", () => {
  test("an impact opens as rings of exactly what the agent was told", async ({ open }) => {
    const page = await open("quiet", { nodes: 900 });
    const target = await hotspot(page);
    const answer = await agentAsks(page, "i1", "impact", { target, direction: "upstream", maxDepth: 3, includeTests: false, minConfidence: 0.7 });
    await page.click(".call-row");
    await page.click("text=Show what it was told");
    const { byDepth } = JSON.parse(answer) as { byDepth: { total: number; items: { id: string }[]; others?: Record<string, string[]>; files?: string[] }[] };
    const told = byDepth.flatMap(({ items, others = {}, files = [] }) => [...items, ...Object.values(others).flat(), ...files]).length;
    await reported(page, (s) => s.picture?.nodes.length === told + 1);
    const { nodes } = (await appState(page)).picture!;
    const centre = nodes.find(({ id }) => id === target)!;
    const radius = (id: string): number => Math.hypot(nodes.find((node) => node.id === id)!.x - centre.x, nodes.find((node) => node.id === id)!.y - centre.y);
    byDepth.slice(1).forEach((level, i) => expect(radius(level.items[0]!.id)).toBeGreaterThan(radius(byDepth[i]!.items[0]!.id)));
    expect(await page.textContent(".levels")).toContain(`1 step away${byDepth[0]!.total}`);
  });

  test("with “Follow the agent” the view goes along, and without it stays", async ({ open }) => {
    const page = await open("quiet", { nodes: 600 });
    const target = await hotspot(page);
    await agentAsks(page, "a", "impact", { target, direction: "upstream", maxDepth: 2, includeTests: false, minConfidence: 0.7 });
    expect(new URL(page.url()).hash).not.toContain("view=call");
    await page.click("text=Follow the agent");
    const waited = await page.evaluate(async ([answer, args]) => {
      const { scripted } = window as unknown as { scripted: { link: { emit(e: object): void } } };
      scripted.link.emit({ type: "call", id: "b", name: "impact", agent: "claude-ai", arguments: args, startedAt: Date.now() });
      const from = performance.now();
      scripted.link.emit({ type: "settled", id: "b", outcome: "ok", ms: 3, bytes: 10, answer });
      while (!document.querySelector(".call-view .split-side .levels")) await new Promise((frame) => requestAnimationFrame(frame));
      return performance.now() - from;
    }, [await answerOf(page, "impact", { target, direction: "upstream", maxDepth: 2, includeTests: false, minConfidence: 0.7 }), { target }] as const);
    console.log(`an impact call is a picture after ${waited.toFixed(0)} ms`);
    await agentAsks(page, "c", "explore", { name: "Process:0", type: "process" });
    await expect.poll(() => page.locator(".strip li").count()).toBeGreaterThan(2);
    expect(await page.textContent(".call-head")).toContain("claude-ai asked explore");
    // All of it is one step back.
    await page.goBack();
    await reported(page, (s) => s.picture !== null);
    expect(new URL(page.url()).hash).not.toContain("view=call");
  });

  test("an answer in another form is shown as it is", async ({ open }) => {
    const page = await open("quiet");
    await page.click("text=Follow the agent");
    await emit(page, "link", { type: "call", id: "t", name: "impact", agent: "claude-ai", arguments: {}, startedAt: Date.now() });
    await emit(page, "link", { type: "settled", id: "t", outcome: "ok", ms: 3, bytes: 10, answer: "<b>plain</b> words" });
    await expect.poll(() => page.textContent(".answer-text")).toBe("<b>plain</b> words");
  });
});

test.describe("views of a symbol", () => {
  test("impact has the counts of the engine, and goes deeper with the slider", async ({ open }) => {
    const page = await open("selected", { nodes: 900 });
    await page.click("button:text-is('Impact')");
    await page.waitForSelector(".levels");
    const target = (await appState(page)).selected!;
    const shown = async (): Promise<number[]> => (await page.locator(".levels li:not(.sum) b").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
    for (const depth of [1, 3]) {
      await page.locator("input[type=range]").fill(String(depth));
      const { byDepth } = JSON.parse(await answerOf(page, "impact", { target, direction: "upstream", maxDepth: depth, includeTests: true, minConfidence: 0.5 })) as { byDepth: { total: number }[] };
      await expect.poll(shown).toEqual(byDepth.map(({ total }) => total));
    }
  });

  test("a path is a strip of cards with the code of each call", async ({ open }) => {
    const page = await open("quiet", { nodes: 900 });
    await hotspot(page);
    const steps = (JSON.parse(await answerOf(page, "explore", { name: "Process:0", type: "process" })) as { trace: { id: string }[] }).trace.map(({ id }) => id);
    await page.evaluate((hash) => (location.hash = hash), `view=path&node=${encodeURIComponent(steps[0]!)}`);
    await page.fill("[aria-label='Where the path ends']", steps.at(-1)!);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".strip li").count()).toBeGreaterThan(1);
    expect(await page.locator(".strip pre").first().textContent()).toContain("(");
    await page.locator(".strip .symbol-card").last().click();
    await reported(page, (s) => s.selected === steps.at(-1));
  });

  test("a process is a strip of cards or a picture in layers, and either leads to the code", async ({ open }) => {
    const page = await open("quiet", { nodes: 900, at: `view=process&node=${encodeURIComponent("Process:0")}` });
    await expect.poll(() => page.locator(".strip li").count()).toBeGreaterThan(2);
    const { trace } = JSON.parse(await answerOf(page, "explore", { name: "Process:0", type: "process" })) as { trace: { id: string }[] };
    await page.click("text=Layers");
    await reported(page, (s) => s.picture?.nodes.length === new Set(trace.map(({ id }) => id)).size);
    const { nodes } = (await appState(page)).picture!;
    const x = (id: string): number => nodes.find((node) => node.id === id)!.x;
    expect(x(trace.at(-1)!.id)).toBeGreaterThan(x(trace[0]!.id));
    const at = await onScreen(page, nodes.find(({ id }) => id === trace[0]!.id)!);
    await page.mouse.click(at.x, at.y);
    await page.waitForSelector(".read h1");
    expect((await appState(page)).selected).toBe(trace[0]!.id);
  });

  test("clusters and processes stand in a list, too", async ({ open }) => {
    const page = await open("quiet", { nodes: 300 });
    await reported(page, (s) => s.drawnNodes > 3);
    await page.locator("summary", { hasText: "Clusters and processes" }).click();
    const { clusters } = JSON.parse(await answerOf(page, "overview", { limit: 100 })) as { clusters: { items: [string, string][] } };
    await expect.poll(() => page.locator("[aria-label=Clusters] .row-name").allTextContents()).toEqual(clusters.items.map(([, label]) => label));
    await page.locator("[aria-label=Clusters] .row").first().click();
    await expect.poll(() => page.textContent(".read h1")).toBe(clusters.items[0]![1]);
  });

  test("changes go along with edits", async ({ open }) => {
    const page = await open("quiet", { at: "view=changes" });
    await expect.poll(() => page.textContent(".view")).toContain("not given to the server with --repo");
    await page.evaluate(() => (window as unknown as Scripted).scripted.edit(2));
    await expect.poll(() => page.textContent(".levels")).toContain("modified1");
    const before = await page.locator(".read-list .symbol-card").count();
    await page.evaluate(() => (window as unknown as Scripted).scripted.edit(3));
    await expect.poll(() => page.locator(".read-list .symbol-card").count()).toBe(before + 1);
  });
});

test.describe("a group's page", () => {
  for (const id of ["Folder:src/auth", "Community:0"]) {
    test(`${id} has members, neighbours and entry points, and they lead on`, async ({ open }) => {
      const page = await open("quiet", { nodes: 600, at: `view=read&node=${encodeURIComponent(id)}` });
      const told = JSON.parse(await answerOf(page, "view_group", { id })) as { group: { name: string }; neighbours: { id: string }[]; entries: { id: string }[]; members: { id: string }[] };
      expect(Math.min(told.neighbours.length, told.entries.length, told.members.length)).toBeGreaterThan(1);
      await expect.poll(() => page.locator(".group-body .row").count()).toBe(told.neighbours.length);
      expect(await page.textContent(".read h1")).toBe(told.group.name);
      expect(await page.locator(".group-body .symbol-card").evaluateAll((all) => all.map((card) => (card as HTMLElement).dataset["id"]))).toEqual([...told.entries, ...told.members].map((each) => each.id));
      for (const size of [WIDE, PHONE]) {
        await resize(page, size);
        expect(await complaints(page)).toEqual([]);
      }
      await resize(page, WIDE);
      await page.locator(".group-body .row").first().click();
      await reported(page, (s) => s.selected === told.neighbours[0]!.id);
      await page.goBack();
      await page.locator(".group-body .symbol-card").first().click();
      await page.waitForSelector(".read-code");
    });
  }
});

test.describe("the trail", () => {
  test("has each step, leads back to it after a reload, and leaves as Markdown with the note", async ({ open }) => {
    const page = await open("quiet", { nodes: 600 });
    await reported(page, (s) => s.drawnNodes > 5);
    for (const row of [0, 1]) await page.click(`.rows .row >> nth=${row}`);
    await page.click("button:text-is('Read')");
    await page.waitForSelector(".read h1");
    const selected = (await appState(page)).selected!;
    await page.click(".view-bar >> text=Trail");
    expect(await page.locator(".trail .kind-tag").allTextContents()).toEqual(["Map", "Map", "Read"]);
    await page.fill(".note textarea", "Begin with the second one.");
    await page.locator(".note textarea").blur();
    await page.reload();
    await expect.poll(() => page.locator(".trail li").count()).toBe(3);
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("text=Export as Markdown")]);
    const text = await file.path().then((path) => readFileSync(path, "utf8"));
    const { nodes: [card] } = JSON.parse(await answerOf(page, "view_nodes", { ids: [selected] })) as { nodes: { file: string; line: number }[] };
    expect(text).toContain("Begin with the second one.");
    expect(text).toContain(`\`${card!.file}:${card!.line}\`, Read`);
    await page.locator(".trail .symbol-card").last().click();
    await page.waitForSelector(".read h1");
    expect((await appState(page)).selected).toBe(selected);
  });
});

test.describe("finding", () => {
  test("the palette finds symbols and commands, and opens what is chosen", async ({ open }) => {
    const page = await open("ready");
    await reported(page, (s) => s.drawnNodes > 3);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("parse");
    await expect.poll(() => page.locator(".palette .hit").first().textContent()).toMatch(/parse/i);
    // The list follows what is typed: its first entry stands once it has stayed.
    let name = "", same = 0;
    await until(async () => {
      const first = (await page.locator(".palette .hit-name").first().textContent())!;
      same = first === name ? same + 1 : 0;
      name = first;
      return same === 10;
    }, "the palette's list");
    await page.keyboard.press("Enter");
    await until(async () => (await page.locator(".read h1").count()) > 0 && (await page.textContent(".read h1")) === name, "the chosen symbol");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("query con");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#query");
    // What is typed there is text and no shortcut.
    await page.focus("#query");
    await page.keyboard.type("m?");
    await expect.poll(() => page.textContent("#query")).toContain("m?");
    expect(await page.locator("dialog").count()).toBe(0);
  });

  test("the palette keeps the focus, gives it back, and takes a press beside it", async ({ open }) => {
    const page = await open("ready");
    await reported(page, (s) => s.drawnNodes > 3);
    await page.focus(".graph");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("graph");
    await page.keyboard.press("Control+k");
    // A disc below it that a press would select.
    const { nodes } = (await appState(page)).picture!;
    for (const node of nodes.filter(({ shape }) => shape !== "open")) {
      const { x, y } = await onScreen(page, node);
      if (!(await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.className === "palette-ground", [x, y] as const))) continue;
      await page.mouse.click(x, y);
      await expect.poll(() => page.locator("dialog").count()).toBe(0);
      expect((await appState(page)).selected).toBeNull();
      await page.mouse.click(x, y);
      await reported(page, (s) => s.selected !== null);
      return;
    }
    throw new Error("no disc is beside the palette");
  });

  test("the palette opens and closes in a browser without popovers", async ({ open }) => {
    const page = await open("ready", { prepare: (page) => page.addInitScript(() => {
      Reflect.deleteProperty(HTMLElement.prototype, "showPopover");
      Reflect.deleteProperty(HTMLElement.prototype, "hidePopover");
    }) });
    await reported(page, (s) => s.drawnNodes > 3);
    for (let i = 0; i < 2; i++) {
      await page.keyboard.press("Control+k");
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest("dialog:modal") !== null)).toBe(true);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("dialog").count()).toBe(0);
    }
  });

  test("? lists every shortcut, and they work", async ({ open }) => {
    const page = await open("selected");
    await page.keyboard.press("?");
    expect(await page.locator(".shortcuts div").count()).toBeGreaterThan(15);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    for (const [key, selector] of [["r", ".read"], ["i", ".levels"], ["s", ".legend input[type=range]"], ["q", "#query"], ["m", ".legend-head"]] as const) {
      await page.locator("body").press(key);
      await page.waitForSelector(selector);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    }
  });

  test("a query is a table whose ids lead on, and is in the address", async ({ open }) => {
    const page = await open("quiet", { at: "view=query" });
    await page.fill("#query", "MATCH (n) RETURN n");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => page.locator(".result tbody tr").count()).toBe(2);
    await expect.poll(() => new URLSearchParams(new URL(page.url()).hash.slice(1)).get("query")).toBe("MATCH (n) RETURN n");
    await page.reload();
    await expect.poll(() => page.textContent("#query")).toBe("MATCH (n) RETURN n");
    // It was asked before.
    await expect.poll(() => page.locator(".split-side .row").last().textContent()).toBe("MATCH (n) RETURN n");
  });

  test("the console completes what the graph has, and draws what a query names", async ({ open }) => {
    const page = await open("quiet", { nodes: 300, at: "view=query" });
    await page.fill("#query", "");
    await page.locator("#query").pressSequentially("MATCH (f:Me");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    await expect.poll(() => page.locator(".cm-tooltip-autocomplete .cm-completionLabel").allTextContents()).toEqual(["Method"]); // the first letter has more
    // So that a key that chooses is not the next one of the text.
    await page.waitForTimeout(150);
    await page.keyboard.press("Enter");
    await page.locator("#query").pressSequentially(") RETURN f.fileP");
    await expect.poll(() => page.locator(".cm-tooltip-autocomplete .cm-completionLabel").allTextContents()).toEqual(["filePath"]);
    await page.waitForTimeout(150);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.textContent("#query")).toBe("MATCH (f:Method) RETURN f.filePath");
    const { results } = JSON.parse(await answerOf(page, "search", { query: "handle", limit: 5, groupByProcess: false })) as { results: { id: string }[] };
    await page.evaluate((ids) => ((window as unknown as { scripted: { rows: string[][] } }).scripted.rows = ids.map((id) => [id, "x"])), results.map(({ id }) => id));
    await page.keyboard.press("Control+Enter");
    await page.click("text=Picture");
    await reported(page, (s) => s.picture?.nodes.length === 5);
    await page.focus(".graph");
    const [first] = (await appState(page)).picture!.nodes;
    const at = await onScreen(page, first!);
    await page.mouse.click(at.x, at.y);
    await reported(page, (s) => s.selected === first!.id);
    expect(await page.locator(".query-picture").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".read h1");
  });

  test("the file tree reaches a symbol by arrow keys alone", async ({ open }) => {
    const page = await open("quiet");
    await reported(page, (s) => s.drawnNodes > 3);
    await page.locator("summary:has(h2:text-is('Files'))").click();
    await page.waitForSelector("[role=treeitem]");
    await page.locator("[role=treeitem]").first().focus();
    for (let level = 0; level < 4; level++) {
      const before = await page.locator("[role=treeitem]").count();
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => page.locator("[role=treeitem]").count()).toBeGreaterThan(before);
      await page.keyboard.press("ArrowDown");
      if (level === 2) break;
    }
    await page.keyboard.press("Enter");
    await reported(page, (s) => s.selected !== null && !s.selected.startsWith("Folder:"));
  });
});

test.describe("axe finds nothing", () => {
  for (const [state, at] of [
    ...["unpaired", "refused", "connecting", "waiting", "empty", "loading", "failed", "crashed", "highlight", "waiting-loaded", "reindex", "alert"].map((state) => [state, ""] as const),
    ...["", "view=read", "view=local", "view=impact", "view=path", "view=changes", "view=trail", "view=query", "view=activity"].map((at) => ["selected", at] as const),
  ]) {
    test(`${state} ${at}`, async ({ open }) => {
      const found: string[] = [];
      const page = await open(state, { nodes: 200 });
      if (at !== "") {
        await reported(page, (s) => s.selected !== null);
        await page.evaluate((view) => (location.hash = `${location.hash}&${view}`), at);
      }
      for (const [theme, size] of [["dark", WIDE], ["light", NARROW], ["light", PHONE]] as const) {
        await resize(page, size);
        await emulateScheme(page, theme);
        await settled(page);
        found.push(...(await complaints(page)).map((complaint) => `${theme} ${size.width}: ${complaint}`));
      }
      expect(found).toEqual([]);
    });
  }

  test("the steps of the first use, in the colours that the system forces", async ({ open }) => {
    const page = await open("quiet", { first: true });
    await page.waitForSelector(".welcome");
    expect(await complaints(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: "active", contrast: "more" });
    expect(await complaints(page)).toEqual([]);
  });

  test("what opens inside the views, and the colours that the system forces", async ({ open }) => {
    const page = await open("selected", { nodes: 300 });
    await reported(page, (s) => s.selected !== null);
    const go = (hash: string): Promise<void> => page.evaluate((to) => void (location.hash = to), hash);
    const found: string[] = [];
    const look = async (what: string): Promise<void> => {
      found.push(...(await complaints(page)).map((complaint) => `${what}: ${complaint}`));
    };
    await page.click("button:text-is('Read')");
    await page.waitForSelector(".read-body");
    for (const tab of await page.locator("[role=tab]").all()) {
      await tab.click();
      await look(`tab ${await tab.textContent()}`);
    }
    await page.locator("summary", { hasText: "Clusters and processes" }).click();
    await page.waitForSelector("[aria-label=Processes] .row");
    await look("the lists of clusters and processes");
    await page.locator("[aria-label=Processes] .row").first().click();
    await page.click("text=Layers");
    await page.waitForSelector(".query-picture .graph");
    await look("a process in layers");
    await go("view=query");
    await page.fill("#query", "");
    await page.locator("#query").pressSequentially("MATCH (f:Me");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    await look("completion");
    await page.keyboard.press("Escape");
    const { results } = JSON.parse(await answerOf(page, "search", { query: "handle", limit: 5, groupByProcess: false })) as { results: { id: string }[] };
    await page.evaluate((ids) => ((window as unknown as { scripted: { rows: string[][] } }).scripted.rows = ids.map((id) => [id, "x"])), results.map(({ id }) => id));
    await page.fill("#query", "MATCH (n) RETURN n");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".result");
    await look("a table");
    await page.click("text=Picture");
    await page.waitForSelector(".query-picture .graph");
    await look("a result as a picture");
    await page.evaluate(() => (window as unknown as Scripted).scripted.edit(2));
    await go("view=changes");
    await page.waitForSelector(".read-list .symbol-card");
    await look("changes");
    await page.emulateMedia({ forcedColors: "active", contrast: "more" });
    for (const view of ["map", "changes", "query", "trail", "activity"]) {
      await go(`view=${view}`);
      await look(`${view} in forced colours`);
    }
    expect(found).toEqual([]);
  });

  for (const key of ["Control+k", "?", ","]) {
    test(`the panel that ${key} opens`, async ({ open }) => {
      const page = await open("ready", { theme: "light" });
      await reported(page, (s) => s.drawnNodes > 3);
      await page.keyboard.press(key);
      await page.waitForSelector("dialog");
      expect(await complaints(page)).toEqual([]);
    });
  }

  for (const size of [WIDE, NARROW, PHONE, { width: 360, height: 640 }, { width: 720, height: 450 }, { width: 3840, height: 2160 }]) {
    test(`nothing runs over the edge at ${size.width} by ${size.height}`, async ({ open }) => {
      const page = await open("selected", { size });
      await reported(page, (s) => s.selected !== null);
      for (const view of ["map", "read", "local", "impact", "path", "query", "changes", "trail", "activity"]) {
        await page.evaluate((to) => (location.hash = location.hash.replace(/&view=\w+/u, "") + `&view=${to}`), view);
        await settled(page);
        const over = await page.evaluate(() => [document.documentElement.scrollWidth > innerWidth, [...document.querySelectorAll("header.header *, .stage, .inspector, .read-title *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 80))] as const);
        expect(over, view).toEqual([false, []]);
      }
    });
  }
});
