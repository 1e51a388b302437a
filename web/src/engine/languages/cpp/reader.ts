import type { Reader } from "../../language.ts";
import { isCpp } from "./dialect.ts";
import { extract } from "./extract.ts";
import type { CppFacts } from "./facts.ts";

export const reader: Reader<CppFacts> = {
  id: "cpp",
  extensions: [".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".txx", ".tcc", ".inl"],
  grammar: (path, text) => (isCpp(path, text) ? "cpp" : "c"),
  extract,
};
