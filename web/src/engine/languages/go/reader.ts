import type { Reader } from "../../language.ts";
import { extract } from "./extract/index.ts";
import type { GoFacts } from "./facts.ts";

export const reader: Reader<GoFacts> = {
  id: "go",
  extensions: [".go"],
  grammar: () => "go",
  extract,
};
