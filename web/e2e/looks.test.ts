/**
 * How the page looks in each state, compared with what is kept in e2e/looks: where everything visible stands, at three sizes, and in
 * which colours, dark and light. Pictures would differ with each Chromium and its fonts; boxes and computed colours follow from the styles
 * alone, since all text is in a font of equal boxes here. After a wanted change: `npm run e2e -- e2e/looks.test.ts --update-snapshots`, and read the diff.
 */
import type { Page } from "@playwright/test";
import { boxFont } from "../test/box-font.ts";
import { appState } from "./browser.ts";
import { emulateScheme, expect, NARROW, PHONE, resize, test, WIDE, type Scripted } from "./scripted.ts";

test.describe.configure({ mode: "parallel" });

/** A state of test/view.ts, its address, and what is pressed in it. */
const STATES: readonly { name: string; state: string; at?: string; keys?: readonly string[]; first?: boolean }[] = [
  { name: "unpaired", state: "unpaired" },
  { name: "empty", state: "empty" },
  { name: "disconnected", state: "waiting" },
  { name: "failed", state: "failed" },
  { name: "crashed", state: "crashed" },
  { name: "first", state: "quiet", first: true },
  { name: "map", state: "busy" },
  { name: "settings", state: "quiet", keys: [","] },
  { name: "shortcuts", state: "quiet", keys: ["?"] },
  { name: "palette", state: "quiet", keys: ["Control+k"] },
  { name: "alerts", state: "alert" },
  { name: "impact", state: "selected", keys: ["i"] },
  { name: "changes", state: "quiet", at: "view=changes" },
  { name: "query", state: "quiet", at: "view=query" },
];

const FONT = boxFont();

interface Looks {
  boxes: string[];
  colours: string[];
  /** Texts that end where nobody can see the rest. */
  cut: string[];
  /** Controls that lie over each other. */
  covered: string[];
}

/** What is visible. */
function looks(page: Page): Promise<Looks> {
  return page.evaluate(() => {
    const CONTROLS = "button, input, select, textarea, a, summary, [role=treeitem], [role=option]";
    const AREAS = "header, nav, main, aside, section, dialog, canvas, .cm-editor, .banner, .card, .legend, .popover";
    const root = [...document.querySelectorAll("dialog[open], dialog:popover-open")].at(-1) ?? document.body;
    const name = (element: Element): string => `${element.tagName.toLowerCase()}${[...element.classList].map((each) => `.${each}`).join("")}`;
    const own = (element: Element): string => [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join("").trim().replace(/\s+/gu, " ");
    const ground = (element: Element): string => {
      for (let at: Element | null = element; at; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if (backgroundColor !== "rgba(0, 0, 0, 0)") return backgroundColor;
      }
      return "none";
    };
    /** What is left of an element's box inside those that clip it. */
    const seen = (element: Element): DOMRect | undefined => {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let at = element.parentElement; at; at = at.parentElement) {
        if (getComputedStyle(at).overflow === "visible") continue;
        const clip = at.getBoundingClientRect();
        [left, top, right, bottom] = [Math.max(left, clip.left), Math.max(top, clip.top), Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
      }
      [left, top, right, bottom] = [Math.max(left, 0), Math.max(top, 0), Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
      return right - left < 1 || bottom - top < 1 ? undefined : new DOMRect(left, top, right - left, bottom - top);
    };
    const result: Looks = { boxes: [], colours: [], cut: [], covered: [] };
    const controls: { element: Element; box: DOMRect }[] = [];
    for (const element of root.querySelectorAll("*")) {
      if (element.closest(".visually-hidden, .skip, svg") || (element.closest(".cm-editor") && !element.matches(".cm-editor")) || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const text = own(element);
      const control = element.matches(CONTROLS);
      if (text === "" && !control && !element.matches(AREAS)) continue;
      const box = seen(element);
      if (!box) continue;
      const style = getComputedStyle(element);
      const { x, y, width, height } = element.getBoundingClientRect();
      result.boxes.push(`${[x, y, width, height].map(Math.round).join(" ").padEnd(20)} ${name(element)}${text === "" ? "" : ` “${(element.matches(".stage-note") ? text.replace(/^\d+/u, "#") : text).slice(0, 40)}”`}`); // how many are drawn is the zoom's
      result.colours.push(`${style.color} on ${ground(element)}  ${name(element)}`);
      if (text !== "" && style.overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1 && style.textOverflow !== "ellipsis") result.cut.push(`${name(element)} “${text}”`);
      if (control) controls.push({ element, box });
    }
    for (const [i, { element, box }] of controls.entries()) {
      for (const other of controls.slice(i + 1)) {
        if (element.contains(other.element) || other.element.contains(element)) continue;
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across <= 2 || down <= 2) continue;
        const [cx, cy] = [Math.max(box.left, other.box.left) + across / 2, Math.max(box.top, other.box.top) + down / 2];
        const on = document.elementFromPoint(cx, cy);
        // What floats over the page on purpose lies over what is below.
        if (on && (element.contains(on) || other.element.contains(on)) && !on.closest("[data-floats], .floats, .popover, .inspector, .welcome")) result.covered.push(`${name(element)} and ${name(other.element)} at ${Math.round(cx)}, ${Math.round(cy)}`);
      }
    }
    result.colours = [...new Set(result.colours)].sort();
    return result;
  });
}

/** Until nothing is on its way, and what was last asked for is drawn. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.load("12px box");
    await document.fonts.ready;
    const { scripted } = window as unknown as Scripted;
    // Until it is painted, the picture has the size that it had.
    const painted = (): boolean => [...document.querySelectorAll(".graph > canvas")].every((canvas) => canvas.clientWidth === canvas.parentElement!.clientWidth && canvas.clientHeight === canvas.parentElement!.clientHeight);
    // What is drawn may ask on.
    for (let idle = 0; idle < 3; idle = scripted.unanswered() === 0 && painted() ? idle + 1 : 0) await new Promise(requestAnimationFrame);
  });
  await expect(page.locator(".stage-note .spinner, .skeleton")).toHaveCount(0);
}

for (const { name, state, at = "", keys = [], first = false } of STATES) {
  test(name, async ({ open }) => {
    const page = await open(state, { at, first, prepare: async (made) => {
      await made.clock.setFixedTime(new Date("2026-11-24T12:00:00Z"));
      await made.addInitScript((font) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`@font-face { font-family: box; src: url(data:font/ttf;base64,${font}); } :root { --sans: box !important; --mono: box !important; }`);
        document.adoptedStyleSheets = [sheet];
      }, FONT);
    } });
    if ((await page.locator(".graph").count()) > 0) await expect.poll(async () => (await appState(page)).drawnNodes).toBeGreaterThan(0);
    // The groups around it open first.
    if (state === "selected") await expect.poll(async () => { const { selected, picture } = await appState(page); return picture?.nodes.some(({ id }) => id === selected); }).toBe(true);
    for (const key of keys) await page.keyboard.press(key);
    const parts: string[] = [];
    for (const size of [WIDE, NARROW, PHONE]) {
      await resize(page, size);
      await settled(page);
      const { boxes, cut, covered } = await looks(page);
      expect.soft({ cut, covered }).toEqual({ cut: [], covered: [] });
      parts.push(`== ${size.width} by ${size.height}`, ...boxes);
    }
    await resize(page, WIDE);
    for (const colorScheme of ["dark", "light"] as const) {
      await emulateScheme(page, colorScheme);
      await settled(page);
      parts.push(`== ${colorScheme}`, ...(await looks(page)).colours);
    }
    expect(`${parts.join("\n")}\n`).toMatchSnapshot(`${name}.txt`);
  });
}
