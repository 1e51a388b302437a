import type { Language } from "../../language.ts";
import type { PyFacts } from "./facts.ts";
import { reader } from "./reader.ts";
import { resolve } from "./resolve.ts";

/** Python: modules and stubs. */
export const python: Language<PyFacts> = {
  ...reader,
  resolve,
  looksAt: (path) => /(?:^|\/)(?:pyproject\.toml|setup\.cfg)$/.test(path),
};
