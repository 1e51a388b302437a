import type { Language } from "../../language.ts";
import type { ClassFacts } from "../classes/facts.ts";
import { resolveClasses } from "../classes/resolve.ts";
import { surfacesOf } from "../classes/surface.ts";
import { bySurface } from "../surfaces.ts";
import { files } from "./files.ts";
import { rules } from "./library.ts";

/** C#: namespaces and usings, partial classes, properties, extension methods, delegates, generics, LINQ's lambdas. */
export const csharp: Language<ClassFacts> = {
  ...files,
  resolve: (project, emit, only, _ask, stores) => resolveClasses(project, rules, emit, only, stores),
  ...bySurface(surfacesOf(rules)),
  looksAt: () => false,
};
