import type { Language } from "../../language.ts";
import { extract } from "./extract/index.ts";
import type { GoFacts } from "./facts.ts";
import { affectedBySurface } from "../surfaces.ts";
import { resolve } from "./resolve/index.ts";
import { surfaces } from "./resolve/surface.ts";

/** Go: packages, modules and work spaces, methods by type, embedding, structural implements. */
export const go: Language<GoFacts> = {
  id: "go",
  extensions: [".go"],
  grammar: () => "go",
  extract,
  resolve,
  affected: affectedBySurface(surfaces),
  // Modules, and what is vendored.
  looksAt: (path) => /(?:^|\/)(?:go\.mod$|vendor\/)/.test(path),
};
