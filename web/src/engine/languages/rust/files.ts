import type { LanguageFiles } from "../../language.ts";

export const files: LanguageFiles = {
  id: "rust",
  extensions: [".rs"],
};
