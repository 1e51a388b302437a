import type { Reader } from "../language.ts";
import { reader as cpp } from "./cpp/reader.ts";
import { reader as csharp } from "./csharp/reader.ts";
import { reader as go } from "./go/reader.ts";
import { reader as java } from "./java/reader.ts";
import { reader as php } from "./php/reader.ts";
import { reader as python } from "./python/reader.ts";
import { reader as ruby } from "./ruby/reader.ts";
import { reader as rust } from "./rust/reader.ts";
import { reader as typescript } from "./typescript/reader.ts";

/** The reader of every language. */
export const readers: readonly Reader[] = [typescript, go, python, java, csharp, php, ruby, rust, cpp];

/** The reader of a file, or undefined. */
export const readerOf = among(readers);

/** Finds which of several a file belongs to: by its name, else by its ending (the longest that fits), else, where it has none, by its first line. */
export function among<R extends Reader>(all: readonly R[]): (path: string, text: string) => R | undefined {
  const byName = new Map(all.flatMap((r) => (r.names ?? []).map((n) => [n, r] as const)));
  const byExtension = new Map(all.flatMap((r) => r.extensions.map((e) => [e, r] as const)));
  const byInterpreter = new Map(all.flatMap((r) => (r.interpreters ?? []).map((i) => [i, r] as const)));
  return (path, text) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    const named = byName.get(name);
    if (named) return named;
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      const reader = byExtension.get(name.slice(dot));
      if (reader) return reader;
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
