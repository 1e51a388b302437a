import type { LanguageFiles } from "../language.ts";

/** Finds which of several a file belongs to: by its name, else by its ending (the longest that fits), else, where it has none, by its first line. */
export function among<L extends LanguageFiles>(all: readonly L[]): (path: string, text: string) => L | undefined {
  const byName = new Map(all.flatMap((l) => (l.names ?? []).map((name) => [name, l] as const)));
  const byExtension = new Map(all.flatMap((l) => l.extensions.map((ending) => [ending, l] as const)));
  const byInterpreter = new Map(all.flatMap((l) => (l.interpreters ?? []).map((program) => [program, l] as const)));
  return (path, text) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    const named = byName.get(name);
    if (named) return named;
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      const found = byExtension.get(name.slice(dot));
      if (found) return found;
    }
    return name.includes(".") ? undefined : byInterpreter.get(interpreterOf(text));
  };
}

/** The program that a text's first line has it run by, without its folder and version; "" where there is none. */
function interpreterOf(text: string): string {
  const [, program = "", rest = ""] = /^#![ \t]*(\S+)(.*)/u.exec(text) ?? [];
  // After env come options and variables.
  const run = /(^|\/)env$/u.test(program) ? rest.trim().split(/\s+/u).find((word) => !/^-|=/u.test(word)) ?? "" : program;
  return run.slice(run.lastIndexOf("/") + 1).replace(/[\d.]+$/u, "");
}
