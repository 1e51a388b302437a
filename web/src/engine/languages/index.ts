import type { Language } from "../language.ts";
import { cpp } from "./cpp/index.ts";
import { csharp } from "./csharp/index.ts";
import { among } from "./files.ts";
import { go } from "./go/index.ts";
import { java } from "./java/index.ts";
import { php } from "./php/index.ts";
import { python } from "./python/index.ts";
import { ruby } from "./ruby/index.ts";
import { rust } from "./rust/index.ts";
import { typescript } from "./typescript/index.ts";

/** Every language the engine knows. */
export const languages: readonly Language[] = [typescript, go, python, java, csharp, php, ruby, rust, cpp];

/** The language of a file, or undefined. */
export const languageOf = among(languages);
