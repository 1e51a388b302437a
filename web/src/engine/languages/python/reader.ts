import type { Reader } from "../../language.ts";
import { extract } from "./extract.ts";
import type { PyFacts } from "./facts.ts";
import { files } from "./files.ts";

export const reader: Reader<PyFacts> = {
  ...files,
  grammar: () => "python",
  extract,
};
