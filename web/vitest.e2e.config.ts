import { defineConfig } from "vitest/config";

/** End to end: the real server, a real MCP client, a real Chromium. One file at a time, on two cores. */
export default defineConfig({
  test: {
    include: ["e2e/**/*.test.ts"],
    environment: "node",
    globalSetup: "e2e/setup.ts",
    fileParallelism: false,
    testTimeout: 120_000,
    // As patient as until() of e2e/agent.ts: how long a step takes is the machine's.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
  },
});
