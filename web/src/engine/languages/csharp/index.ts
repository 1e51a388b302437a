import type { Language } from "../../language.ts";
import type { ClassFacts } from "../classes/facts.ts";
import { resolveClasses } from "../classes/resolve.ts";
import { extract } from "./extract.ts";
import { rules } from "./library.ts";

/** C#: namespaces and usings, partial classes, properties, extension methods, delegates, generics, LINQ's lambdas. */
export const csharp: Language<ClassFacts> = {
  id: "csharp",
  extensions: [".cs"],
  grammar: () => "c-sharp",
  extract,
  resolve: (project, emit) => resolveClasses(project, rules, emit),
};
