import { defineConfig } from "vite";

/** The page for chats as one script and one style sheet, which scripts/build.mjs puts into its HTML. */
export default defineConfig({
  root: import.meta.dirname,
  envDir: false,
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    write: false,
    target: "es2023",
    cssTarget: ["chrome111", "firefox114", "safari16.4"],
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: "src/chat/main.tsx", output: { codeSplitting: false }, checks: { bundlerTimings: false } },
  },
});
