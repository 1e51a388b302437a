import type { Language } from "../../language.ts";
import type { ClassFacts } from "../classes/facts.ts";
import { resolveClasses } from "../classes/resolve.ts";
import { surfacesOf } from "../classes/surface.ts";
import { bySurface } from "../surfaces.ts";
import { rules } from "./library.ts";
import { reader } from "./reader.ts";

/** PHP: namespaces and uses, traits, enums, promoted properties, types from signatures, doc comments and assignments. */
export const php: Language<ClassFacts> = {
  ...reader,
  resolve: (project, emit, only, _ask, stores) => resolveClasses(project, rules, emit, only, stores),
  ...bySurface(surfacesOf(rules)),
  looksAt: () => false,
};
