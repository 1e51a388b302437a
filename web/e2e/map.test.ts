/** The map's arrangements, filters and minimap, in a real browser with scripted Workers. */
import { appState, type AppState } from "./browser.ts";
import { expect, onScreen, reported, said, settled, test, type Scripted } from "./scripted.ts";

test.describe.configure({ mode: "parallel" });

const pictureOf = async (page: Parameters<typeof appState>[0]): Promise<NonNullable<AppState["picture"]>> => (await appState(page)).picture!;

test("layers and tree are other pictures of the same nodes, kept in the address", async ({ open }) => {
  const page = await open("quiet", { nodes: 600 });
  await reported(page, (s) => s.drawnNodes > 5);
  const near = await pictureOf(page);
  await page.click("text=Layers");
  await reported(page, (s) => s.picture!.nodes.some(({ id, x }) => near.nodes.some((before) => before.id === id && before.x !== x)));
  const layers = await pictureOf(page);
  expect(layers.nodes.map(({ id }) => id)).toEqual(near.nodes.map(({ id }) => id));
  await expect.poll(() => page.url()).toContain("arrange=layers");
  await page.reload();
  await reported(page, (s) => s.drawnNodes > 5);
  expect((await pictureOf(page)).nodes).toEqual(layers.nodes);
  await page.click("text=Tree");
  await reported(page, (s) => s.picture!.nodes.some(({ id }) => id === "Folder:"));
  await page.click("text=Near");
  await reported(page, (s) => JSON.stringify(s.picture!.nodes) === JSON.stringify(near.nodes));
});

test("only a folder, only what has changed, and everything open", async ({ open }) => {
  const page = await open("quiet", { nodes: 600, at: "within=src%2Fbilling&open=*" });
  await reported(page, (s) => s.drawnNodes > 5);
  const part = await pictureOf(page);
  expect(part.nodes.filter(({ id }) => !/^Folder:src$|:src\/billing/u.test(id))).toEqual([]);
  await page.locator(".part-form >> text=All").click();
  await reported(page, (s) => s.drawnNodes > 400);
  const all = new Map((await pictureOf(page)).nodes.map((node) => [node.id, node]));
  for (const node of part.nodes) expect(all.get(node.id)).toEqual(node);
  await page.evaluate(() => (window as unknown as Scripted).scripted.edit(2));
  await page.locator(".toggle", { hasText: "changed" }).click();
  await reported(page, (s) => s.drawnNodes < 40 && s.picture!.nodes.filter(({ id }) => id.includes("addedLater")).length === 2);
  await expect.poll(() => page.url()).toContain("changed=yes");
});

test("what is drawn is selected without asking for the map again, and as its group once that is folded", async ({ open }) => {
  const page = await open("quiet", { nodes: 600, at: "open=*" });
  await reported(page, (s) => s.drawnNodes > 400);
  await settled(page);
  const maps = async (): Promise<number> => (await said(page, "engine", "ask")).filter(({ name }) => name === "view_map").length;
  const before = await maps();
  const { nodes } = await pictureOf(page);
  const group = nodes.find(({ id }) => id === "Folder:src/router")!;
  const file = nodes.find(({ id, shape }) => id.startsWith("File:src/router/") && shape === "open")!;
  const at = await onScreen(page, nodes.filter(({ shape, x, y }) => shape === "dot" && Math.hypot(x - file.x, y - file.y) < file.r).toSorted((a, b) => b.r - a.r)[0]!);
  await page.mouse.click(at.x, at.y);
  await reported(page, (s) => s.selected !== null);
  await settled(page);
  const { selected } = await appState(page);
  expect(nodes.map(({ id }) => id)).toContain(selected);
  expect(await maps()).toBe(before);
  const rim = await onScreen(page, { ...group, y: group.y - group.r });
  await page.mouse.dblclick(rim.x, rim.y);
  await reported(page, (s) => s.picture!.nodes.find(({ id }) => id === group.id)?.shape === "group");
  await settled(page);
  const folded = await pictureOf(page);
  expect(folded.nodes.find(({ id }) => id === group.id)!.shape).toBe("group");
  expect(folded.nodes.map(({ id }) => id)).not.toContain(selected);
});

test("from near a minimap shows where one is, and leads elsewhere", async ({ open }) => {
  const page = await open("quiet", { nodes: 600 });
  await reported(page, (s) => s.drawnNodes > 5);
  const map = page.locator(".minimap");
  expect(await map.isVisible()).toBe(false);
  await page.locator(".graph").focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press("+");
  await expect.poll(() => map.isVisible()).toBe(true);
  // It is painted in a Worker, like the map itself: the page's thread has nothing to paint on.
  for (const canvas of await page.locator(".graph canvas").all()) {
    expect(await canvas.evaluate((element: HTMLCanvasElement) => {
      try {
        return element.getContext("2d") !== null;
      } catch {
        return false;
      }
    })).toBe(false);
  }
  await expect.poll(() => page.locator(".minimap canvas").evaluate((element: HTMLCanvasElement) => element.toDataURL().length)).toBeGreaterThan(3_000);
  const before = (await pictureOf(page)).seen;
  const box = (await map.boundingBox())!;
  await page.mouse.click(box.x + 10, box.y + 10);
  await expect.poll(async () => (await pictureOf(page)).seen.x).toBeLessThan(before.x - 100);
  // A camera at rest is rounded, as it stands in the address.
  expect((await pictureOf(page)).seen.span).toBeCloseTo(before.span, 2);
});
