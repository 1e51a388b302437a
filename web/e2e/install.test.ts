/** What the browser makes of the page itself, as the server serves it: its first paint, and that it can be installed and then has its own window. */
import { Agent } from "./agent.ts";
import { expect, test } from "./fixtures.ts";

test("the frame of the app is painted before its code is there", async ({ page }) => {
  const agent = await Agent.start([]);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => { release = resolve; });
  try {
    await page.route("**/engine.worker-*", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(agent.url, { waitUntil: "commit" });
    await expect(page.locator(".shell .brand")).toBeVisible();
    await expect.poll(() => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length)).toBe(1);
    release();
    await expect(page.locator(".card h1")).toHaveText("Pair this page with gitnexus-mcp");
    await expect(page.locator(".shell")).toHaveCount(0);
  } finally {
    release();
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
