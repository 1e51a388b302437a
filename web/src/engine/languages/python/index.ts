import type { Language } from "../../language.ts";
import type { PyFacts } from "./facts.ts";
import { affected, resolve } from "./affected.ts";
import { files } from "./files.ts";
import { isBuildFile } from "./modules.ts";
import { wordNumbers } from "./reach.ts";

/** Python: modules and stubs. */
export const python: Language<PyFacts> = {
  ...files,
  resolve,
  affected,
  remembers: true,
  prepare: (facts) => void wordNumbers(facts),
  looksAt: isBuildFile,
};
