import type { Language } from "../../language.ts";
import { extract } from "./extract.ts";
import type { RubyFacts } from "./facts.ts";
import { resolve } from "./resolve.ts";

/** Ruby: reopened classes, mixins, constants by nesting and ancestors, types from what is assigned, passed and returned. */
export const ruby: Language<RubyFacts> = {
  id: "ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru", ".rbw"],
  names: ["rakefile", "gemfile", "guardfile", "capfile", "vagrantfile", "podfile", "fastfile", "brewfile"],
  grammar: () => "ruby",
  extract,
  resolve,
  // Where `require` looks follows from where Ruby's own files are.
  looksAt: () => false,
};
