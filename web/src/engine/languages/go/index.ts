import type { Language } from "../../language.ts";
import type { GoFacts } from "./facts.ts";
import { reader } from "./reader.ts";
import { resolve } from "./resolve/index.ts";
import { bySurfaces } from "./resolve/affected.ts";

/** Go: packages, modules and work spaces, methods by type, embedding, structural implements. */
export const go: Language<GoFacts> = {
  ...reader,
  resolve,
  ...bySurfaces,
  // Modules, and what is vendored.
  looksAt: (path) => /(?:^|\/)(?:go\.mod$|vendor\/)/.test(path),
};
