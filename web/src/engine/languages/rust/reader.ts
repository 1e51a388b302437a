import type { Reader } from "../../language.ts";
import { extract } from "./extract/index.ts";
import type { MacroContext, RustFacts } from "./facts.ts";
import { files } from "./files.ts";

export const reader: Reader<RustFacts> = {
  ...files,
  grammar: () => "rust",
  extract: (tree, source, path, grammar, context) => extract(tree, source, path, grammar, context as MacroContext | undefined),
};
