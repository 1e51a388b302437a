import type { LanguageFiles } from "../../language.ts";

export const files: LanguageFiles = {
  id: "cpp",
  extensions: [".c", ".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".txx", ".tcc", ".inl"],
};
