import { defineConfig } from "vitest/config";

const common = { environment: "node" as const, testTimeout: 30_000, hookTimeout: 60_000 };
const hostile = "src/engine/hostile.test.ts";

export default defineConfig({
  test: {
    // By default one core is left free, which on two cores is half of them.
    maxWorkers: "100%",
    projects: [
      { test: { ...common, name: "all", include: ["src/**/*.test.ts", "src/**/*.test.tsx"], exclude: [hostile] } },
      // What takes more memory than this ends the process, and fails.
      { test: { ...common, name: "little memory", include: [hostile], execArgv: ["--max-old-space-size=320"] } },
    ],
  },
});
