import type { Language } from "../../language.ts";
import { silentRoutes } from "../../view-answers.ts";
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
  // Sets of views whose class is in another file.
  contexts: ({ files: all }) => silentRoutes(all),
  contextOf: ({ sets }) => (sets && sets.silent.length > 0 ? sets.silent : undefined),
  prepare: (facts) => void wordNumbers(facts),
  looksAt: isBuildFile,
};
