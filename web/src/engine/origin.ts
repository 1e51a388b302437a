/** Why a file is not the code base's own writing: "" when it is. */
export type Origin = "" | "generated" | "vendored" | "declarations";

const VENDORED = new Set(["vendor", "vendored", "_vendor", "third_party", "third-party", "thirdparty", "node_modules", "bower_components"]);

/** Where Cargo writes what a build makes, and Maven what it generates. */
const BUILT = /(?:^|\/)target\/(?:(?:[^/]+\/)?(?:debug|release)|generated-[^/]+)\//;

/**
 * Copies of foreign code are known by their folder, what a tool made by its folder, its header or its form (`generated`, which
 * the language's extractor tells), and declarations of code that stands elsewhere by the ending .d.ts.
 */
export function originOf(path: string, generated: boolean): Origin {
  if (path.split("/").slice(0, -1).some((folder) => VENDORED.has(folder.toLowerCase()))) return "vendored";
  if (generated || BUILT.test(path)) return "generated";
  return /\.d\.[cm]?ts$/.test(path) ? "declarations" : "";
}
