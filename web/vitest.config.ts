import { defineConfig } from "vitest/config";

const common = { environment: "node" as const, testTimeout: 30_000, hookTimeout: 60_000 };
const hostile = ["src/engine/hostile.test.ts", "src/engine/hostile-compiled.test.ts"];
/** The first two replace a module or the encryption for good. The others take longest: so both workers have one of them. */
const alone = ["engine", "parser", "workspace", "workspace-chains"].map((name) => `src/engine/${name}.test.ts`);

export default defineConfig({
  test: {
    // By default one core is left free, which on two cores is half of them.
    maxWorkers: "100%",
    projects: [
      // What takes more memory than this ends the process, and fails.
      { test: { ...common, name: "little memory", include: hostile, execArgv: ["--max-old-space-size=320"] } },
      // Some of them resolve a code base again for each of many edits, which takes over 30 s beside other work.
      { test: { ...common, name: "alone", include: alone, testTimeout: 120_000 } },
      // Files share modules, so that each is loaded once.
      { test: { ...common, name: "all", isolate: false, include: ["src/**/*.test.ts", "src/**/*.test.tsx"], exclude: [...hostile, ...alone] } },
    ],
  },
});
