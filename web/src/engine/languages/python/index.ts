import type { Language } from "../../language.ts";

export const python: Language = {
  id: "python",
  extensions: [],
  grammar: () => "python",
  extract: () => ({ symbols: [], data: null, syntaxErrors: 0 }),
  resolve: () => undefined,
};
