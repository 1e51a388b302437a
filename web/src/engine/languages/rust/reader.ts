import type { Reader } from "../../language.ts";
import { extract } from "./extract/index.ts";
import type { RustFacts } from "./facts.ts";
import { files } from "./files.ts";

export const reader: Reader<RustFacts> = {
  ...files,
  grammar: () => "rust",
  extract,
};
