import type { GrammarName, Reader } from "../../language.ts";
import { extract } from "./extract.ts";
import type { ModuleFacts } from "./facts.ts";
import { files } from "./files.ts";

export const reader: Reader<ModuleFacts> = {
  ...files,
  grammar: (path): GrammarName => (/\.[cm]?ts$/i.test(path) ? "typescript" : "tsx"),
  extract,
};
