import type { GrammarName, Language } from "../../language.ts";
import { extract } from "./extract.ts";
import type { ModuleFacts } from "./facts.ts";
import { affectedBySurface } from "../surfaces.ts";
import { resolve } from "./resolve.ts";
import { surfaces } from "./resolve/surface.ts";

/** TypeScript and JavaScript, with JSX: one syntax, one resolver. */
export const typescript: Language<ModuleFacts> = {
  id: "typescript",
  extensions: [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"],
  grammar: (path): GrammarName => (/\.[cm]?ts$/i.test(path) ? "typescript" : "tsx"),
  extract,
  resolve,
  affected: affectedBySurface(surfaces),
  // Manifests and configurations say what an import means; one may extend another of any name.
  looksAt: (path) => path.endsWith(".json"),
};
