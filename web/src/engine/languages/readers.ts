import type { Reader } from "../language.ts";
import { reader as cpp } from "./cpp/reader.ts";
import { reader as csharp } from "./csharp/reader.ts";
import { among } from "./files.ts";
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
