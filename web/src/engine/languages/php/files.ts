import type { LanguageFiles } from "../../language.ts";

export const files: LanguageFiles = {
  id: "php",
  extensions: [".php", ".phtml", ".inc"],
  interpreters: ["php"],
};
