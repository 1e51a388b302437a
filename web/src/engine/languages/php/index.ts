import type { Language } from "../../language.ts";
import type { ClassFacts } from "../classes/facts.ts";
import { resolveClasses } from "../classes/resolve.ts";
import { extract } from "./extract.ts";
import { rules } from "./library.ts";

/** PHP: namespaces and uses, traits, enums, promoted properties, types from signatures, doc comments and assignments. */
export const php: Language<ClassFacts> = {
  id: "php",
  extensions: [".php", ".phtml", ".inc"],
  grammar: () => "php",
  extract,
  resolve: (project, emit) => resolveClasses(project, rules, emit),
};
