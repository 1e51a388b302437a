import type { Reader } from "../../language.ts";
import { extract } from "./extract.ts";
import type { RubyFacts } from "./facts.ts";

export const reader: Reader<RubyFacts> = {
  id: "ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru", ".rbw"],
  interpreters: ["ruby", "jruby"],
  names: ["rakefile", "gemfile", "guardfile", "capfile", "vagrantfile", "podfile", "fastfile", "brewfile"],
  grammar: () => "ruby",
  extract,
};
