import type { Reader } from "../../language.ts";
import { extract } from "./extract.ts";
import type { RubyFacts } from "./facts.ts";
import { files } from "./files.ts";

export const reader: Reader<RubyFacts> = {
  ...files,
  grammar: () => "ruby",
  extract,
};
