/** The app as the server serves it can be installed, and then has its own window. */
import { Agent } from "./agent.ts";
import { expect, test } from "./fixtures.ts";

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
