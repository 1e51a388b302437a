import type { Language } from "../../language.ts";
import { isCpp } from "./dialect.ts";
import { extract } from "./extract.ts";
import type { CppFacts } from "./facts.ts";
import { resolve } from "./resolve.ts";

/** C and C++, one program: a C++ file includes C headers, and a header says by its content which of them it is. */
export const cpp: Language<CppFacts> = {
  id: "cpp",
  extensions: [".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".txx", ".tcc", ".inl"],
  grammar: (path, text) => (isCpp(path, text) ? "cpp" : "c"),
  extract,
  resolve,
  // An include leads to files of the language alone.
  looksAt: () => false,
};
