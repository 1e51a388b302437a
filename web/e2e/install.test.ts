/** What the browser makes of the page itself, as the server serves it: its first paint, and that it can be installed and then has its own window. */
import { Agent } from "./agent.ts";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { resize } from "./scripted.ts";

test("the frame of the app is painted before its code is there", async ({ page }) => {
  const agent = await Agent.start([]);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => { release = resolve; });
  try {
    for (const late of ["**/engine.worker-*", "**/start-*.css"]) {
      await page.route(late, async (route) => {
        await held;
        await route.continue();
      });
    }
    await page.goto(agent.url, { waitUntil: "commit" });
    await expect(page.locator(".shell .brand")).toBeVisible();
    await expect.poll(() => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length)).toBe(1);
    const frame = await looks(page);
    release();
    await expect(page.locator(".card h1")).toHaveText("Pair this page with gitnexus-mcp");
    await expect(page.locator(".shell")).toHaveCount(0);
    expect(await looks(page)).toEqual(frame);
  } finally {
    release();
    await agent.stop();
  }
});

/** Place, size and ground of the parts that the frame has. */
function looks(page: Page): Promise<unknown> {
  return page.evaluate(() => [".header", ".sidebar", ".stage", ".brand svg"].map((part) => {
    const element = document.querySelector(part)!;
    const { x, y, width, height } = element.getBoundingClientRect();
    return [part, x, y, width, height, getComputedStyle(element).backgroundColor];
  }));
}

test("the frame of a narrow window has no empty drawer over it", async ({ page }) => {
  const agent = await Agent.start([]);
  try {
    await resize(page, { width: 390, height: 844 });
    await page.route("**/engine.worker-*", () => undefined);
    await page.goto(agent.url, { waitUntil: "commit" });
    await expect(page.locator(".shell .header")).toBeVisible();
    await expect(page.locator(".shell .sidebar")).toBeHidden();
  } finally {
    await agent.stop();
  }
});

test("styles that are not what they should be end with words, and not with a page that nothing styles", async ({ page }) => {
  const agent = await Agent.start([]);
  try {
    await page.route("**/start-*.css", (route) => route.fulfill({ contentType: "text/css", body: "body { background: url(https://example.com/) }" }));
    await page.goto(agent.url);
    await expect(page.locator("#app")).toHaveText(/^The app could not be loaded: .*start-.*\.css is not there or not what it should be\. Reload the page\.$/u);
  } finally {
    await agent.stop();
  }
});

test("the browser finds nothing that keeps the app from being installed", async ({ page }) => {
  const agent = await Agent.start([]);
  try {
    await page.goto(agent.url);
    const devtools = await page.context().newCDPSession(page);
    const { errors, manifest } = await devtools.send("Page.getAppManifest") as { errors: unknown[]; manifest?: { display?: string } };
    expect(errors).toEqual([]);
    expect(manifest?.display).toBe("kStandalone");
    // A context without a profile is never installable; nothing else may be amiss.
    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  } finally {
    await agent.stop();
  }
});
