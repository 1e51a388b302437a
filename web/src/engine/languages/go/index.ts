import type { Language } from "../../language.ts";
import { extract } from "./extract/index.ts";
import type { GoFacts } from "./facts.ts";
import { resolve } from "./resolve/index.ts";

/** Go: packages, modules and work spaces, methods by type, embedding, structural implements. */
export const go: Language<GoFacts> = {
  id: "go",
  extensions: [".go"],
  grammar: () => "go",
  extract,
  resolve,
};
