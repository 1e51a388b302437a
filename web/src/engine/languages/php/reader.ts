import type { Reader } from "../../language.ts";
import type { ClassFacts } from "../classes/facts.ts";
import { extract } from "./extract.ts";

export const reader: Reader<ClassFacts> = {
  id: "php",
  extensions: [".php", ".phtml", ".inc"],
  interpreters: ["php"],
  grammar: () => "php",
  extract,
};
