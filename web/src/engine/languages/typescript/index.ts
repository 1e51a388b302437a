import type { Language } from "../../language.ts";

export const typescript: Language = {
  id: "typescript",
  extensions: [],
  grammar: () => "typescript",
  extract: () => ({ symbols: [], data: null, syntaxErrors: 0 }),
  resolve: () => undefined,
};
