import type { GrammarName, Reader } from "../../language.ts";
import { extract } from "./extract.ts";
import type { ModuleFacts } from "./facts.ts";
import { files, isComponent } from "./files.ts";
import { codeOf, scriptLanguage } from "./markup.ts";

export const reader: Reader<ModuleFacts> = {
  ...files,
  grammar: (path, text): GrammarName => (/\.[cm]?ts$/i.test(path) || (isComponent(path) && scriptLanguage(text) === "ts") ? "typescript" : "tsx"),
  code: (path, text) => (isComponent(path) ? codeOf(path, text) : text),
  extract,
};
