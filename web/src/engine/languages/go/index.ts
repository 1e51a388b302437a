import type { Language } from "../../language.ts";
import { bySurface } from "../surfaces.ts";
import type { GoFacts } from "./facts.ts";
import { files } from "./files.ts";
import { implied } from "./resolve/concerned.ts";
import { resolve } from "./resolve/index.ts";
import { surfaces } from "./resolve/surface.ts";

/** Go: packages, modules and work spaces, methods by type, embedding, structural implements. */
export const go: Language<GoFacts> = {
  ...files,
  resolve,
  ...bySurface({ ...surfaces, implied }),
  // Modules, and what is vendored.
  looksAt: (path) => /(?:^|\/)(?:go\.mod$|vendor\/)/.test(path),
};
