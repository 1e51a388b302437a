import type { Language } from "../../language.ts";
import { bySurface } from "../surfaces.ts";
import type { RustFacts } from "./facts.ts";
import { files } from "./files.ts";
import { contextOf, contexts } from "./resolve/contexts.ts";
import { resolve } from "./resolve/index.ts";
import { surfaces } from "./resolve/surface.ts";

/** Rust: crates and modules, uses and re-exports, impls and traits, types from declarations and what can be inferred. */
export const rust: Language<RustFacts> = {
  ...files,
  resolve,
  ...bySurface(surfaces),
  contexts,
  contextOf,
  // Manifests say what a crate is. Other files of the language are parsed, and so known.
  looksAt: (path) => /(?:^|\/)Cargo\.toml$/.test(path),
};
