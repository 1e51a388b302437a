import type { Reader } from "../../language.ts";
import { extract } from "./extract.ts";
import type { PyFacts } from "./facts.ts";

export const reader: Reader<PyFacts> = {
  id: "python",
  extensions: [".py", ".pyi", ".pyw"],
  interpreters: ["python", "pypy"],
  grammar: () => "python",
  extract,
};
