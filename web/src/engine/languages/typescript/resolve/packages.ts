import { parseJson, record } from "./json.ts";
import { folderOf, foldersUp, inFolder } from "./paths.ts";

export interface Package {
  name: string;
  folder: string;
  manifest: Record<string, unknown>;
}

/** A path of a file that has declarations alone. */
export const DECLARES = /\.d\.[cm]?ts$/;

/** The packages of the repository: every package.json outside node_modules. */
export class Packages {
  private readonly byName = new Map<string, Package>();
  private readonly byFolder = new Map<string, Package>();

  constructor(paths: ReadonlySet<string>, read: (path: string) => string | undefined) {
    for (const path of paths) {
      if (!path.endsWith("package.json") || (path !== "package.json" && !path.endsWith("/package.json")) || /(^|\/)node_modules\//.test(path)) continue;
      const manifest = record(parseJson(read(path) ?? ""));
      if (!manifest) continue;
      const found = { name: typeof manifest["name"] === "string" ? manifest["name"] : "", folder: folderOf(path), manifest };
      this.byFolder.set(found.folder, found);
      if (found.name !== "" && !this.byName.has(found.name)) this.byName.set(found.name, found);
    }
  }

  named(name: string): Package | undefined {
    return this.byName.get(name);
  }

  /** The package whose manifest stands in a folder. */
  at(folder: string): Package | undefined {
    return this.byFolder.get(folder);
  }

  /** The package that a folder belongs to. */
  around(folder: string): Package | undefined {
    for (const up of foldersUp(folder)) {
      const found = this.byFolder.get(up);
      if (found) return found;
    }
    return undefined;
  }
}

/**
 * Paths in a package that a subpath (`"."`, `"./x"`, or an import like `"#x"`) may stand for, most telling
 * first: the manifest's own entries, then the sources that builds are usually made of. From the repository's root.
 */
export function* entryPaths(of: Package, subpath: string): Generator<string> {
  const { manifest, folder } = of;
  const table = subpath.startsWith("#") ? manifest["imports"] : manifest["exports"];
  const named = targets(table, subpath);
  // What runs, before what only declares it: relative imports lead there, too.
  for (const target of named) if (!DECLARES.test(target)) yield inFolder(folder, target);
  for (const target of named) if (DECLARES.test(target)) yield inFolder(folder, target);
  // Any condition that names a source is better than a guess at what another is built of; declarations have its path more often than what a bundler makes.
  for (const target of named) yield* sourcesOf(folder, target);
  if (subpath.startsWith("#")) return;
  if (subpath === ".") {
    yield* mainPaths(of, ["source", "types", "typings", "module", "main"]);
    for (const guess of ["src/index", "index", "src/main", "src", "lib/index"]) yield inFolder(folder, guess);
    return;
  }
  const inner = subpath.slice(2);
  for (const guess of [`src/${inner}`, inner, `${inner}/src`, `src/${inner}/index`, `lib/${inner}`]) yield inFolder(folder, guess);
}

/** Paths that fields of a manifest name, and the sources that those are usually built of. */
export function* mainPaths({ manifest, folder }: Package, fields: string[]): Generator<string> {
  for (const field of fields) {
    const target = manifest[field];
    if (typeof target !== "string") continue;
    yield inFolder(folder, target);
    yield* sourcesOf(folder, target);
  }
}

/** The strings that an `exports` or `imports` table gives for a subpath, all conditions in order of use to us. */
function targets(table: unknown, subpath: string): string[] {
  if (typeof table === "string" || Array.isArray(table)) return subpath === "." ? conditions(table) : [];
  const entries = record(table);
  if (!entries) return [];
  const keys = Object.keys(entries);
  if (!keys.some((k) => k.startsWith(".") || k.startsWith("#"))) return subpath === "." ? conditions(entries) : [];
  if (subpath in entries) return conditions(entries[subpath]);
  for (const key of keys.filter((k) => k.includes("*")).sort((a, b) => b.length - a.length)) {
    const [before = "", after = ""] = key.split("*");
    if (!subpath.startsWith(before) || !subpath.endsWith(after) || subpath.length < before.length + after.length) continue;
    const star = subpath.slice(before.length, subpath.length - after.length);
    return conditions(entries[key]).map((t) => t.replaceAll("*", star));
  }
  return [];
}

const FIRST_CONDITIONS = ["source", "development", "types", "import", "module", "default", "require"];

function conditions(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(conditions);
  const entries = record(value);
  if (!entries) return [];
  const rank = (key: string): number => (FIRST_CONDITIONS.indexOf(key) + FIRST_CONDITIONS.length + 1) % (FIRST_CONDITIONS.length + 1);
  return Object.keys(entries).sort((a, b) => rank(a) - rank(b)).flatMap((key) => conditions(entries[key]));
}

/** What a target may be built of: the same path under `src`, with or without the build folder in front. */
function* sourcesOf(folder: string, target: string): Generator<string> {
  const path = target.replace(/^\.\//, "");
  const bare = path.replace(/\.d\.([cm]?)ts$/, ".$1js");
  const parts = bare.split("/");
  // dist/x.js, dist/esm/x.js, build/lib/x.js: one more folder at a time goes away.
  for (let cut = 0; cut < parts.length; cut++) {
    const rest = parts.slice(cut).join("/");
    yield inFolder(folder, `src/${rest.replace(/^src\//, "")}`);
    if (cut > 0) yield inFolder(folder, rest);
  }
}
