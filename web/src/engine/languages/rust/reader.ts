import type { Reader } from "../../language.ts";
import { extract } from "./extract/index.ts";
import type { RustFacts } from "./facts.ts";

export const reader: Reader<RustFacts> = {
  id: "rust",
  extensions: [".rs"],
  grammar: () => "rust",
  extract,
};
