import { defineConfig } from "@playwright/test";
import { chromiumFlags, chromiumPath } from "./e2e/browser.ts";

/** Files that take over a minute and would come last, so that one worker would be alone with them. */
const LONG = ["**/tools.test.ts", "**/view.test.ts"];

/** End to end: the real server, a real MCP client, a real Chromium. Three files at a time, on two cores: a fifth of their time is waiting. */
export default defineConfig({
  testDir: "e2e",
  projects: [{ name: "long", testMatch: LONG }, { name: "all", testMatch: "**/*.test.ts", testIgnore: LONG }],
  globalSetup: "./e2e/setup.ts",
  outputDir: "build/e2e",
  snapshotPathTemplate: "{testDir}/looks/{arg}{ext}",
  workers: 3,
  forbidOnly: true,
  // Longer than PATIENCE of e2e/agent.ts.
  timeout: 300_000,
  // As patient as until() of e2e/agent.ts: how long a step takes is the machine's.
  expect: { timeout: 30_000 },
  reporter: [["list", { printSteps: false }]],
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    launchOptions: { executablePath: chromiumPath(), args: chromiumFlags },
    // Without pictures of every frame, which take more time than the tests.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
  },
});
