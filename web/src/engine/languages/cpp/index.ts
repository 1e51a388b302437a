import type { Language } from "../../language.ts";
import { bySurface } from "../surfaces.ts";
import type { CppFacts } from "./facts.ts";
import { isCPath, isCppPath } from "./dialect.ts";
import { files } from "./files.ts";
import { resolve } from "./resolve.ts";
import { surfaces } from "./surface.ts";

/** C and C++, one program: a C++ file includes C headers, and a header says by its content which of them it is. */
export const cpp: Language<CppFacts> = {
  ...files,
  resolve,
  ...bySurface(surfaces),
  dialect: (path, facts, paths) => (!isCppPath(path) && facts?.data.cpp !== true && (isCPath(path) || !hasCpp(paths)) ? "c" : "cpp"),
  // An include leads to files of the language alone.
  looksAt: () => false,
};

const withCpp = new WeakMap<readonly string[], boolean>();

/** Whether there is a file of C++ among these, which a header without a sign of either may be meant for. */
function hasCpp(paths: readonly string[]): boolean {
  let has = withCpp.get(paths);
  if (has === undefined) withCpp.set(paths, (has = paths.some(isCppPath)));
  return has;
}
