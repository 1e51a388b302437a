import type { LanguageFiles } from "../../language.ts";

export const files: LanguageFiles = {
  id: "typescript",
  extensions: [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"],
  interpreters: ["node", "nodejs", "deno", "bun", "tsx", "ts-node"],
};

/** Whether a path is that of a component of Vue or Svelte, which has markup beside its scripts. */
export function isComponent(path: string): boolean {
  return /\.(?:vue|svelte)$/i.test(path);
}
