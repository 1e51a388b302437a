import type { Reader } from "../../language.ts";
import { extract } from "./extract/index.ts";
import type { GoFacts } from "./facts.ts";
import { files } from "./files.ts";

export const reader: Reader<GoFacts> = {
  ...files,
  grammar: () => "go",
  extract,
};
