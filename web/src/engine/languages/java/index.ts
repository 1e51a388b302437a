import type { ClassFacts } from "../classes/facts.ts";
import { resolveClasses } from "../classes/resolve.ts";
import type { Language } from "../../language.ts";
import { extract } from "./extract.ts";
import { rules } from "./library.ts";

/** Java: packages, imports, nested and anonymous classes, overloads, generics, lambdas and method references. */
export const java: Language<ClassFacts> = {
  id: "java",
  extensions: [".java"],
  grammar: () => "java",
  extract,
  resolve: (project, emit) => resolveClasses(project, rules, emit),
};
