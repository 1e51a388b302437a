import type { Language } from "../../language.ts";
import { bySurface } from "../surfaces.ts";
import type { ModuleFacts } from "./facts.ts";
import { files } from "./files.ts";
import { resolve } from "./resolve.ts";
import { surfaces } from "./resolve/surfaces.ts";

/** TypeScript and JavaScript, with JSX: one syntax, one resolver. */
export const typescript: Language<ModuleFacts> = {
  ...files,
  resolve,
  ...bySurface(surfaces),
  // Manifests and configurations say what an import means; one may extend another of any name.
  looksAt: (path) => path.endsWith(".json"),
};
