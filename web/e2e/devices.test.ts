/** What the settings, the device and the first use change. */
import type { Page } from "@playwright/test";
import { appState } from "./browser.ts";
import { emit, expect, onScreen, PHONE, reported, test } from "./scripted.ts";

test.describe.configure({ mode: "parallel" });

test("the first use is explained in three steps, once", async ({ open }) => {
  const page = await open("quiet", { first: true });
  await page.waitForSelector(".welcome");
  for (const button of ["Next", "Next", "Start"]) await page.click(`.welcome >> text=${button}`);
  expect(await page.locator(".welcome").count()).toBe(0);
  await page.reload();
  await reported(page, (s) => s.drawnNodes > 3);
  expect(await page.locator(".welcome").count()).toBe(0);
});

test("colours and density are kept, and the drawing has them", async ({ open }) => {
  const page = await open("quiet");
  await reported(page, (s) => s.drawnNodes > 3);
  const picture = (): Promise<string> => page.evaluate(() => document.querySelector<HTMLCanvasElement>(".graph canvas")!.toDataURL());
  const before = await picture();
  await page.keyboard.press(",");
  await page.click("text=Safe for colour-blind eyes");
  await page.click("text=Dense");
  await page.click("text=Done");
  await expect.poll(picture).not.toBe(before);
  await page.reload();
  await reported(page, (s) => s.drawnNodes > 3);
  expect(await page.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset)))).toMatchObject({ colours: "safe", density: "dense" });
});

test("a file opens in the editor at the line, once the settings say which and where", async ({ open }) => {
  const page = await open("selected");
  await page.keyboard.press("r");
  await page.getByRole("button", { name: "Open in editor…" }).click();
  await page.getByLabel("Open files in").selectOption({ label: "VS Code" });
  await page.getByLabel("Folder of shop on this machine").fill("/home/me/my shop");
  await page.getByRole("button", { name: "Done" }).click();
  const place = (await page.locator(".read-place .mono").textContent())!;
  await expect(page.getByRole("link", { name: "Open in VS Code" })).toHaveAttribute("href", `vscode://file/home/me/my%20shop/${place}`);
  expect(place).toMatch(/:[1-9]\d*$/u);
});

test("a tab that may run out of memory says so, and what to leave out", async ({ open }) => {
  const page = await open("quiet", { prepare: (made) => made.addInitScript(() => Object.defineProperty(navigator, "deviceMemory", { value: 0.002 })) });
  await reported(page, (s) => s.drawnNodes > 3);
  const stats = { files: 3500, symbols: 0, functions: 0, classes: 0, interfaces: 0, methods: 0, nodes: 313, edges: 0, communities: 0, processes: 0 };
  await emit(page, "engine", { type: "updated", context: { repo: "shop", state: "ready", stats, languages: [], hotspots: [], indexedAt: 0 }, skipped: [], syntaxErrors: 0 });
  const told = page.getByRole("alert");
  await expect(told).toContainText(/^This tab may run out of memory\. shop takes about [\d.]+ MB of the 1\.0 MB that it can have\. Leave out what you do not ask about: src\/\w+\/ \([\d.]+ KB of source\), .*\. A line in \.gitignore or \.git\/info\/exclude does it, or --repo with a part\.$/u);
  await told.getByRole("button", { name: "Dismiss" }).click();
  await expect(told).toHaveCount(0);
});

test("the keys after the one that opens the settings go to them", async ({ open }) => {
  const page = await open("quiet");
  await reported(page, (s) => s.drawnNodes > 3);
  // Before the next paint, as a key is that follows at once.
  const focused = await page.evaluate(async () => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ",", bubbles: true }));
    for (let i = 0; i < 5; i++) await Promise.resolve();
    return document.activeElement?.closest("dialog")?.getAttribute("aria-labelledby");
  });
  expect(focused).toBe("settings-title");
});

test("a hidden tab tells by a notification what an agent points at", async ({ open }) => {
  const page = await open("quiet");
  await page.evaluate(() => {
    const shown: string[] = [];
    // A headless browser has no notifications to show.
    const Shown = Object.assign(function (title: string) { shown.push(title); }, { permission: "granted", requestPermission: () => Promise.resolve("granted") });
    Object.assign(window, { Notification: Shown, shown });
    Object.defineProperty(document, "hidden", { get: () => true });
  });
  await page.keyboard.press(",");
  await page.click("text=Notify me while this tab is hidden");
  await page.click("text=Done");
  await emit(page, "engine", { type: "highlight", nodeIds: ["a", "b"], color: "red", agent: "claude-ai" });
  expect(await page.evaluate(() => (window as unknown as { shown: string[] }).shown)).toEqual(["claude-ai points at 2 nodes"]);
});

test.describe("by touch", () => {
  for (const view of ["", "view=read", "view=impact", "view=path", "view=query", "view=changes", "view=trail", "view=activity"]) {
    test(`every control is as large as a finger (${view})`, async ({ open }) => {
      const page = await open("selected", { size: PHONE, touch: true });
      await reported(page, (s) => s.selected !== null);
      if (view !== "") await page.evaluate((to) => (location.hash = `${location.hash}&${to}`), view);
      await page.waitForTimeout(600);
      expect(await tooSmall(page)).toEqual([]);
      await page.click("[aria-controls=sidebar]");
      expect(await tooSmall(page)).toEqual([]);
    });
  }

  test("the bar of views scrolls to the one that is shown, and a node's panel has the whole width", async ({ open }) => {
    const page = await open("selected", { size: PHONE, touch: true });
    await expect(page.locator(".inspector")).toBeInViewport();
    expect(await page.locator(".inspector").boundingBox()).toMatchObject({ x: 0, width: PHONE.width });
    await page.keyboard.press("a");
    await expect(page.locator(".view-bar .on")).toHaveText("Activity");
    await expect(page.locator(".view-bar .on")).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("m");
    await expect(page.locator(".view-bar .on")).toHaveText("Map");
    await expect(page.locator(".view-bar .on")).toBeInViewport({ ratio: 1 });
  });

  test("one finger moves the picture, two zoom it, and a tap beside a disc meets it", async ({ open }) => {
    const page = await open("quiet", { size: PHONE, touch: true });
    await reported(page, (s) => s.drawnNodes > 3);
    const touch = await page.context().newCDPSession(page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", ...points: { x: number; y: number }[]) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
    const seen = async () => (await appState(page)).picture!.seen;
    const first = await seen();
    await send("touchStart", { x: 200, y: 300 });
    for (const x of [220, 240, 260]) await send("touchMove", { x, y: 300 });
    await send("touchEnd");
    const moved = await seen();
    expect(moved.x).toBeLessThan(first.x);
    expect(moved.span).toBeCloseTo(first.span);
    await send("touchStart", { x: 150, y: 400 }, { x: 250, y: 400 });
    for (const by of [10, 30, 50]) await send("touchMove", { x: 150 - by, y: 400 }, { x: 250 + by, y: 400 });
    await send("touchEnd");
    expect((await seen()).span).toBeCloseTo(first.span / 2, -2);
    const group = (await appState(page)).picture!.nodes.filter(({ shape }) => shape === "group").sort((a, b) => Math.hypot(a.x - moved.x, a.y - moved.y) - Math.hypot(b.x - moved.x, b.y - moved.y))[0]!;
    const at = await onScreen(page, { x: group.x, y: group.y });
    await send("touchStart", at);
    await send("touchEnd");
    await reported(page, (s) => s.selected === group.id);
  });
});

/** Controls in view that are narrower or lower than 44 pixels, other than links inside code. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() => [...document.querySelectorAll<HTMLElement>("button, summary, select, [role=treeitem], [role=tab], .toggle, .segments label, input[type=text]")]
    .filter((e) => e.offsetParent !== null && !e.closest(".cm-editor, .search-box"))
    .filter((e) => {
      const { width, height } = e.getBoundingClientRect();
      return width > 0 && (Math.round(width) < 44 || Math.round(height) < 44);
    }).map((e) => `${Math.round(e.getBoundingClientRect().width)}x${Math.round(e.getBoundingClientRect().height)} ${e.outerHTML.slice(0, 90)}`));
}
