import type { LanguageFiles } from "../../language.ts";

export const files: LanguageFiles = {
  id: "python",
  extensions: [".py", ".pyi", ".pyw"],
  interpreters: ["python", "pypy"],
};
