/** A file is edited while its code is read: what is read stays at its pixel. */
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { Agent } from "./agent.ts";
import { appState } from "./browser.ts";
import { closePages, expect, test } from "./fixtures.ts";
import { SCROLLER, WIDE } from "./scripted.ts";

/** Functions of 35 lines each, of which every one calls helpers. */
const STEPS = 30;
const step = (i: number): string[] => [
  `/** Step ${i}. */`, `export function step${i}(n: number): number {`,
  ...Array.from({ length: 30 }, (_, k) => (k % 10 === 5 ? `  n += help${(i + k) % 20}(n); // call ${i}-${k}` : `  n = n + ${k}; // line ${i}-${k}`)),
  "  return n;", "}", "",
];
const helpers = Array.from({ length: 20 }, (_, i) => `export function help${i}(n: number): number {\n  return n + ${i};\n}\n`).join("\n");
const steps = [`import { ${Array.from({ length: 20 }, (_, i) => `help${i}`).join(", ")} } from "./help";`, "", ...Array.from({ length: STEPS }, (_, i) => step(i)).flat()];
/** The symbol that is read, and the index of its first line. */
const READ = "Function:steps.ts:step12";
const declared = steps.indexOf("export function step12(n: number): number {");

let page: Page;
let agent: Agent;
let folder: string;
/** Each edit adds one more function somewhere: by the number of nodes one sees that the app has it. */
let added = 0;
/** What steps.ts has been given. */
let written = "";

test.beforeAll(async ({ browser }) => {
  folder = await mkdtemp(join(tmpdir(), "gitnexus-edits-"));
  await write(steps);
  await writeFile(join(folder, "help.ts"), helpers);
  await writeFile(join(folder, "main.ts"), 'import { step12 } from "./steps";\n\nexport function main(): number {\n  return step12(1);\n}\n');
  agent = await Agent.start(["--repo", folder]);
  page = await browser.newPage({ viewport: WIDE });
  await page.goto(agent.pairingUrl);
  await agent.ready();
  await page.getByRole("button", { name: "Skip" }).click();
});
test.afterAll(async ({ browser }) => {
  await closePages(browser);
  await agent.stop();
  await rm(folder, { recursive: true, force: true });
});

const extras = (): string => Array.from({ length: added }, (_, i) => `export function extra${i}(): void {}\n`).join("");

/** In one step: who looks while a file is written in place may find it empty. */
async function write(lines: readonly string[]): Promise<void> {
  const whole = `${folder}.whole`;
  written = `${lines.join("\n")}\n${extras()}`;
  await writeFile(whole, written);
  await rename(whole, join(folder, "steps.ts"));
}

/** All of the text whose code is shown, most of which is not in the document: the editor's own. */
async function shown(): Promise<string> {
  return page.evaluate(() => {
    const content = document.querySelector(".code")?.shadowRoot?.querySelector(".cm-content") as unknown as { cmTile: { view: { state: { doc: { toString(): string } } } } } | null;
    return content?.cmTile.view.state.doc.toString() ?? "";
  });
}

/** Runs an edit until the view shows it, and returns how far what is looked at was from its first pixel, in any frame; the line, whenever lines had changed. */
async function moved(edit: () => Promise<void>, at: string): Promise<{ line: number; cards: number }> {
  const nodes = async (): Promise<number> => (await appState(page)).loaded!.nodes;
  const before = await nodes();
  await page.evaluate((text) => {
    const root = document.querySelector(".code")!.shadowRoot!;
    const look = (): { line: number; cards: number[] } => ({
      line: [...root.querySelectorAll(".cm-line")].find((line) => line.textContent.includes(text))?.getBoundingClientRect().top ?? NaN,
      cards: [...document.querySelectorAll(".callee")].map((card) => card.getBoundingClientRect().top),
    });
    const first = look();
    // A card of a call above the code in view moves with its line, which nobody sees.
    const upper = document.querySelector(".code")!.getBoundingClientRect().top;
    const far = { line: 0, cards: 0, frame: 0 };
    // The frame's painting follows, with whatever the callbacks of observers have done by then: that is seen in the next one.
    const watch = (): void => {
      const { line, cards } = look();
      far.line = Math.max(far.line, Math.abs(line - first.line));
      first.cards.forEach((top, i) => {
        if (top >= upper) far.cards = Math.max(far.cards, Math.abs((cards[i] ?? NaN) - top));
      });
      far.frame = requestAnimationFrame(watch);
    };
    watch();
    new MutationObserver(() => (far.line = Math.max(far.line, Math.abs(look().line - first.line)))).observe(root.querySelector(".cm-content")!, { childList: true });
    Object.assign(window, { far });
  }, at);
  added++;
  await edit();
  await expect.poll(nodes).not.toBe(before);
  // The code and the cards follow, which takes long on a busy machine.
  await expect.poll(async () => (await shown()) === written).toBe(true);
  await page.waitForTimeout(500);
  return page.evaluate(() => {
    const { far } = window as unknown as { far: { line: number; cards: number; frame: number } };
    cancelAnimationFrame(far.frame);
    return { line: far.line, cards: far.cards };
  });
}

const comments = (count: number): string[] => Array.from({ length: count }, (_, i) => `// inserted ${i}`);
const inserted = comments(40);
const withInserted = (at: number, lines = inserted): string[] => [...steps.slice(0, at), ...lines, ...steps.slice(at)];

/** Opens the reading view of it anew. */
async function read(): Promise<void> {
  await page.evaluate(() => (location.hash = "view=map"));
  await page.waitForSelector(".graph");
  await page.evaluate((id) => (location.hash = `view=read&node=${encodeURIComponent(id)}`), READ);
  await page.waitForSelector(".callee");
  await expect.poll(() => page.locator(".cm-line.at").count()).toBe(1);
}

/** Edits that leave the line that is looked at as it is. */
const EDITS: [what: string, lines: string[]][] = [
  ["40 lines at the start of the file", withInserted(0)],
  ["40 lines in another function above", withInserted(100)],
  ["400 lines above", withInserted(100, comments(400))],
  ["20 lines less above", [...steps.slice(0, 60), ...steps.slice(80)]],
  ["40 lines below", withInserted(700)],
  ["40 lines right above the symbol", withInserted(declared - 1)],
  ["edits all over the file", steps.flatMap((line, i) => (i % 50 === 3 ? [line, "// one more"] : [line.replace(/(line 1?[13579]-)3$/u, "$13, edited")]))],
];

test("edits leave the code that is read, and the cards beside it, at their pixel", async () => {
  for (const [what, from] of [["first lines", 0], ["the middle", 230]] as const) {
    await write(steps);
    await read();
    await page.locator(SCROLLER).evaluate((element, by) => (element.scrollTop += by), from);
    await page.waitForTimeout(300);
    const edits: [string, () => Promise<void>][] = EDITS.flatMap(([edit, lines]) => [[edit, () => write(lines)], [`${edit}, undone`, () => write(steps)]]);
    edits.push(["another file", () => writeFile(join(folder, "help.ts"), `${helpers}\n${extras()}\n`)]);
    for (const [edit, act] of edits) {
      const { line, cards } = await moved(act, "// line 12-16");
      expect(line, `${what}: ${edit}`).toBeLessThanOrEqual(1);
      expect(cards, `${what}: ${edit}`).toBeLessThanOrEqual(1);
    }
  }
});

test("an edit of the line at the top leaves those below at their pixel", async () => {
  const top = steps.findIndex((line) => line.includes("// line 12-12"));
  await read();
  for (const [edit, lines] of [
    ["edited", steps.with(top, "  n = n + 1000; // another")],
    ["gone", steps.toSpliced(top, 1)],
    ["40 above, and edited", [...steps.slice(0, top), ...inserted, "another();", ...steps.slice(top + 1)]],
  ] as const) {
    await moved(() => write(steps), "");
    await page.locator(SCROLLER).evaluate((element, line) => (element.scrollTop = line * Number.parseFloat(getComputedStyle(element).lineHeight)), top);
    await page.waitForTimeout(300);
    const { line, cards } = await moved(() => write(lines), "// line 12-16");
    expect(line, edit).toBeLessThanOrEqual(1);
    expect(cards, edit).toBeLessThanOrEqual(1);
  }
});

test("selected text and folded lines stay selected and folded", async () => {
  await write(steps);
  await read();
  const gutter = (await page.locator(".cm-foldGutter").boundingBox())!;
  await page.mouse.click(gutter.x + 5, (await page.locator(".cm-line.at").boundingBox())!.y + 8);
  await expect.poll(() => page.locator(".cm-foldPlaceholder").count()).toBe(1);
  await page.locator(".cm-line", { hasText: "/** Step 12. */" }).locator(".t-comment").dblclick({ position: { x: 40, y: 6 } });
  const selected = (): Promise<string> => page.evaluate(() => (document.querySelector(".code")!.shadowRoot as unknown as { getSelection(): Selection }).getSelection().toString());
  const text = await selected();
  expect(text).not.toBe("");
  for (const [edit, lines] of [["above", withInserted(100)], ["all over", EDITS.at(-1)![1]], ["as before", steps]] as const) {
    const { line } = await moved(() => write(lines), "/** Step 12. */");
    expect(line, edit).toBeLessThanOrEqual(1);
    expect(await selected(), edit).toBe(text);
    expect(await page.locator(".cm-foldPlaceholder").count(), edit).toBe(1);
  }
});

test("beside the map, callers that come and go above the code leave it at its pixel", async () => {
  await write(steps);
  await page.evaluate((id) => (location.hash = `node=${encodeURIComponent(id)}`), READ);
  await page.waitForSelector(".inspector .row");
  await expect.poll(() => page.locator(".cm-line.at").count()).toBe(1);
  await page.waitForTimeout(300);
  const rows = await page.locator(".inspector .row").count();
  const { line } = await moved(async () => {
    await writeFile(join(folder, "main.ts"), 'import { step12 } from "./steps";\n\nexport function main(): number {\n  return step12(1);\n}\nexport function other(): number {\n  return step12(2);\n}\n');
    await write(withInserted(100));
  }, "// line 12-16");
  await expect.poll(() => page.locator(".inspector .row").count()).toBe(rows + 1);
  expect(line).toBeLessThanOrEqual(1);
});
