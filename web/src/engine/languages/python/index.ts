import type { Language } from "../../language.ts";
import { extract } from "./extract.ts";
import type { PyFacts } from "./facts.ts";
import { resolve } from "./resolve.ts";

/** Python: modules and stubs. */
export const python: Language<PyFacts> = {
  id: "python",
  extensions: [".py", ".pyi", ".pyw"],
  grammar: () => "python",
  extract,
  resolve,
  looksAt: (path) => /(?:^|\/)(?:pyproject\.toml|setup\.cfg)$/.test(path),
};
