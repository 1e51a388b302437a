import type { Reader } from "../../language.ts";
import type { ClassFacts } from "../classes/facts.ts";
import { extract } from "./extract.ts";

export const reader: Reader<ClassFacts> = {
  id: "java",
  extensions: [".java"],
  grammar: () => "java",
  extract,
};
