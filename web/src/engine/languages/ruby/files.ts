import type { LanguageFiles } from "../../language.ts";

export const files: LanguageFiles = {
  id: "ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru", ".rbw", ".erb", ".rhtml"],
  interpreters: ["ruby", "jruby"],
  names: ["rakefile", "gemfile", "guardfile", "capfile", "vagrantfile", "podfile", "fastfile", "brewfile"],
};
