import type { LanguageFiles } from "../../language.ts";

export const files: LanguageFiles = {
  id: "typescript",
  extensions: [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"],
  interpreters: ["node", "nodejs", "deno", "bun", "tsx", "ts-node"],
};
