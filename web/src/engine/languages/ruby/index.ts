import type { Language } from "../../language.ts";
import type { RubyFacts } from "./facts.ts";
import { affected, resolve } from "./affected.ts";
import { files } from "./files.ts";

/** Ruby: reopened classes, mixins, constants by nesting and ancestors, types from what is assigned, passed and returned. */
export const ruby: Language<RubyFacts> = {
  ...files,
  resolve: (project, emit, only, _ask, stores) => resolve(project, emit, only, stores),
  affected,
  remembers: true,
  // Where `require` looks follows from where Ruby's own files are.
  looksAt: () => false,
};
