import type { Reader } from "../../language.ts";
import type { ClassFacts } from "../classes/facts.ts";
import { extract } from "./extract.ts";
import { files } from "./files.ts";

export const reader: Reader<ClassFacts> = {
  ...files,
  grammar: () => "java",
  extract,
};
