import type { Reader } from "../../language.ts";
import type { ClassFacts } from "../classes/facts.ts";
import { extract } from "./extract.ts";

export const reader: Reader<ClassFacts> = {
  id: "csharp",
  extensions: [".cs"],
  grammar: () => "c-sharp",
  extract,
};
