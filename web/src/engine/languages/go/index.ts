import type { Language } from "../../language.ts";

export const go: Language = {
  id: "go",
  extensions: [],
  grammar: () => "go",
  extract: () => ({ symbols: [], data: null, syntaxErrors: 0 }),
  resolve: () => undefined,
};
