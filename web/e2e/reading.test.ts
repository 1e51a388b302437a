/** Reading code in the view: callers, callees, links, surroundings. */
import { appState } from "./browser.ts";
import { expect, NARROW, reported, resize, test, type Scripted } from "./scripted.ts";

test.describe.configure({ mode: "parallel" });

test.describe("reading", () => {
  test("ten symbols have the callers and callees of the graph, and the cards stand at the height of the calls", async ({ open }) => {
    const page = await open("quiet", { nodes: 600 });
    await reported(page, (s) => s.drawnNodes > 5);
    type Symbols = { results: { id: string }[] };
    const { results } = (await page.evaluate(() => (window as unknown as Scripted).scripted.answer("search", { query: "parse", limit: 10, groupByProcess: false }))) as Symbols;
    expect(results).toHaveLength(10);
    let callees = 0;
    for (const { id } of results) {
      await page.evaluate((fragment) => (location.hash = fragment), `view=read&node=${encodeURIComponent(id)}`);
      const name = id.slice(id.lastIndexOf(":") + 1).replace(/^.*\./, "").replace(/#\d+$/, "");
      await expect.poll(() => page.textContent(".read h1")).toContain(name);
      const told = (await page.evaluate((of) => (window as unknown as Scripted).scripted.answer("neighbours", { of }), id)) as { callers: string[]; callees: { id: string; line: number }[] };
      const cards = (side: string): Promise<string[]> => page.locator(`.read-side.${side} .symbol-card`).evaluateAll((all) => all.map((card) => (card as HTMLElement).dataset["id"]!).sort());
      await expect.poll(() => cards("start")).toEqual(told.callers.sort());
      await expect.poll(() => cards("end")).toEqual(told.callees.map((callee) => callee.id).sort());
      callees += told.callees.length;
      if (id === results[0]!.id) {
        await page.waitForSelector(".cm-line.at");
        const first = page.locator(".callee").first();
        const line = Number(await first.getAttribute("data-line"));
        const top = await page.locator(".cm-lineNumbers .cm-gutterElement").filter({ hasText: new RegExp(`^${line}$`) }).last().evaluate((element) => element.getBoundingClientRect().top);
        await expect.poll(async () => Math.abs((await first.boundingBox())!.y - top), { message: `card of line ${line}` }).toBeLessThan(3);
      }
    }
    expect(callees).toBeGreaterThan(5);
  });

  test("a click on a name in the code walks on, a card does, too, and back returns", async ({ open }) => {
    const page = await open("selected");
    await page.click("button:text-is('Read')");
    await page.waitForSelector(".cm-line .link");
    const first = await page.textContent(".read h1");
    const link = page.locator(".cm-line.marked .link").first();
    const name = await link.textContent();
    await link.click();
    await expect.poll(() => page.textContent(".read h1")).toContain(name!);
    await page.locator(".read-side.start .symbol-card").first().click();
    await expect.poll(() => page.textContent(".read h1")).not.toContain(name!);
    await page.goBack();
    await expect.poll(() => page.textContent(".read h1")).toContain(name!);
    await page.goBack();
    await expect.poll(() => page.textContent(".read h1")).toBe(first);
  });

  test("a caller's caller is reached by the keyboard alone", async ({ open }) => {
    const page = await open("selected");
    const ids: (string | null)[] = [(await appState(page)).selected];
    await page.getByRole("button", { name: "Read", exact: true }).first().focus();
    await page.keyboard.press("Enter");
    for (let step = 0; step < 2; step++) {
      await page.waitForSelector(".read-side.start .symbol-card");
      for (let tabs = 0; tabs < 40; tabs++) {
        if (await page.evaluate(() => document.activeElement?.closest(".read-side.start") !== null && document.activeElement?.classList.contains("symbol-card"))) break;
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Enter");
      await reported(page, (s) => s.selected !== ids.at(-1));
      ids.push((await appState(page)).selected);
    }
    expect(new Set(ids).size).toBe(3);
  });

  test("code is found in, folded, selected as a whole, and cannot be changed", async ({ open }) => {
    const page = await open("selected");
    await page.click("button:text-is('Read')");
    await page.waitForSelector(".cm-line.at");
    const content = page.locator(".cm-content");
    await content.focus();
    await page.keyboard.type("x");
    await page.keyboard.press("Control+f");
    await page.waitForSelector(".cm-panel.cm-search");
    await page.keyboard.press("Escape");
    const lines = await page.locator(".cm-line").count();
    await page.locator(".cm-foldGutter .cm-gutterElement", { hasText: "▾" }).first().click();
    await expect.poll(() => page.locator(".cm-line").count()).toBeLessThan(lines);
  });

  test("the surroundings grow with the steps, callers left and callees right", async ({ open }) => {
    const page = await open("selected");
    await page.click("button:text-is('Surroundings')");
    await reported(page, (s) => s.picture !== null && s.picture.nodes.some(({ id }) => id === s.selected));
    await page.locator("input[type=range]").fill("1");
    await reported(page, (s) => new URL(page.url()).hash.includes("depth=1") && s.drawnNodes > 1);
    const near = await appState(page);
    await page.locator("input[type=range]").fill("3");
    await reported(page, (s) => s.drawnNodes > near.drawnNodes);
    // On a narrow page, too, nearly all have their names.
    await page.locator("input[type=range]").fill("2");
    await resize(page, NARROW);
    await expect.poll(async () => {
      const { picture } = await appState(page);
      const stage = (await page.locator(".graph").boundingBox())!;
      const scale = Math.min(stage.width, stage.height) / picture!.seen.span;
      const inSight = picture!.nodes.filter(({ x, y }) => Math.abs(x - picture!.seen.x) * scale < stage.width / 2 && Math.abs(y - picture!.seen.y) * scale < stage.height / 2 - 110);
      return inSight.length > 10 && picture!.labels.length >= 0.7 * inSight.length;
    }).toBe(true);
    const told = (await page.evaluate((of) => (window as unknown as Scripted).scripted.answer("neighbours", { of }), near.selected)) as { callers: string[]; callees: { id: string }[] };
    const x = new Map(near.picture!.nodes.map((node) => [node.id, node.x]));
    const callees = new Set(told.callees.map(({ id }) => id));
    for (const id of callees) expect(x.get(id)).toBeGreaterThan(0);
    for (const id of told.callers.filter((caller) => !callees.has(caller)).slice(0, 20)) expect(x.get(id) ?? -1).toBeLessThan(0);
  });
});
