import type { Language } from "../language.ts";
import { cpp } from "./cpp/index.ts";
import { csharp } from "./csharp/index.ts";
import { go } from "./go/index.ts";
import { java } from "./java/index.ts";
import { php } from "./php/index.ts";
import { python } from "./python/index.ts";
import { ruby } from "./ruby/index.ts";
import { rust } from "./rust/index.ts";
import { typescript } from "./typescript/index.ts";

/** Every language the engine knows. */
export const languages: readonly Language[] = [typescript, go, python, java, csharp, php, ruby, rust, cpp];

const byName = new Map(languages.flatMap((l) => (l.names ?? []).map((n) => [n, l] as const)));
const byExtension = new Map(languages.flatMap((l) => l.extensions.map((e) => [e, l] as const)));

/** The language of a path by its name, else its ending (the longest that fits), or undefined. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const named = byName.get(name);
  if (named) return named;
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const language = byExtension.get(name.slice(dot));
    if (language) return language;
  }
  return undefined;
}
