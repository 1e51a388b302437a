import type { Language } from "../language.ts";
import { cpp } from "./cpp/index.ts";
import { csharp } from "./csharp/index.ts";
import { go } from "./go/index.ts";
import { java } from "./java/index.ts";
import { php } from "./php/index.ts";
import { python } from "./python/index.ts";
import { byPath } from "./readers.ts";
import { ruby } from "./ruby/index.ts";
import { rust } from "./rust/index.ts";
import { typescript } from "./typescript/index.ts";

/** Every language the engine knows. */
export const languages: readonly Language[] = [typescript, go, python, java, csharp, php, ruby, rust, cpp];

/** The language of a path, or undefined. */
export const languageOf = byPath(languages);
