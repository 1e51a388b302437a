import type { Reader } from "../../language.ts";
import { isCpp } from "./dialect.ts";
import { extract } from "./extract.ts";
import type { CppFacts } from "./facts.ts";
import { files } from "./files.ts";

export const reader: Reader<CppFacts> = {
  ...files,
  grammar: (path, text) => (isCpp(path, text) ? "cpp" : "c"),
  extract,
};
