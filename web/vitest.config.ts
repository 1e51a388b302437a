import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx"], environment: "node", testTimeout: 30_000, hookTimeout: 60_000 },
});
