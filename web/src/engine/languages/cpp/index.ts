import type { Language } from "../../language.ts";
import { bySurface } from "../surfaces.ts";
import type { CppFacts } from "./facts.ts";
import { reader } from "./reader.ts";
import { resolve } from "./resolve.ts";
import { surfaces } from "./surface.ts";

/** C and C++, one program: a C++ file includes C headers, and a header says by its content which of them it is. */
export const cpp: Language<CppFacts> = {
  ...reader,
  resolve,
  ...bySurface(surfaces),
  // An include leads to files of the language alone.
  looksAt: () => false,
};
