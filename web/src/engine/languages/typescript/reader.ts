import type { GrammarName, Reader } from "../../language.ts";
import { extract } from "./extract.ts";
import type { ModuleFacts } from "./facts.ts";

export const reader: Reader<ModuleFacts> = {
  id: "typescript",
  extensions: [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"],
  interpreters: ["node", "nodejs", "deno", "bun", "tsx", "ts-node"],
  grammar: (path): GrammarName => (/\.[cm]?ts$/i.test(path) ? "typescript" : "tsx"),
  extract,
};
