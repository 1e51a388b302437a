import type { Reader } from "../../language.ts";
import { codeOf } from "./erb.ts";
import { extract } from "./extract.ts";
import type { RubyFacts } from "./facts.ts";
import { files } from "./files.ts";
import { isTemplate } from "./paths.ts";

export const reader: Reader<RubyFacts> = {
  ...files,
  grammar: () => "ruby",
  code: (path, text) => (isTemplate(path) ? codeOf(text) : text),
  extract,
};
