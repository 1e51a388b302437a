import { DECLARES, entryPaths, mainPaths, Packages } from "./packages.ts";
import { foldersUp, folderOf, inFolder, join } from "./paths.ts";
import { TsConfigs } from "./tsconfig.ts";

/** Endings tried on a specifier without one: as the compiler does, but a body before a mere declaration of it. */
const ENDINGS = [".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts", ".vue", ".svelte"];

/** A specifier says what the compiler will write; the source may have another ending. */
const SOURCE_ENDINGS: Record<string, string[]> = {
  ".js": [".ts", ".tsx", ".js", ".jsx", ".d.ts"],
  ".jsx": [".tsx", ".ts", ".jsx", ".js", ".d.ts"],
  ".mjs": [".mts", ".mjs", ".d.mts"],
  ".cjs": [".cts", ".cjs", ".d.cts"],
  ".d.ts": [".ts", ".tsx", ".js", ".jsx", ".d.ts"],
  ".d.mts": [".mts", ".mjs", ".d.mts"],
  ".d.cts": [".cts", ".cjs", ".d.cts"],
};

interface Source {
  paths: ReadonlySet<string>;
  read(path: string): string | undefined;
}

/** Finds the file of the repository that a module specifier means. */
export class ModuleResolver {
  private readonly files: ReadonlySet<string>;
  private readonly packages: Packages;
  private readonly configs: TsConfigs;
  private readonly known = new Map<string, string | undefined>();

  /** `files` are the paths that may be found. */
  constructor(files: ReadonlySet<string>, source: Source) {
    this.files = files;
    this.packages = new Packages(source.paths, (path) => source.read(path));
    this.configs = new TsConfigs({
      paths: source.paths,
      read: (path) => source.read(path),
      packageFolder: (name) => this.packages.named(name)?.folder,
    });
  }

  /** The path of the module that `from` imports as `specifier`, or asks an AMD loader for; undefined for one outside the repository. */
  resolve(specifier: string, from: string, amd = false): string | undefined {
    const folder = folderOf(from);
    const key = `${folder}\n${specifier}${amd ? "\n" : ""}`;
    if (this.known.has(key)) return this.known.get(key);
    const found = this.find(specifier, folder) ?? (amd ? this.byLoader(specifier, folder) : undefined);
    this.known.set(key, found);
    return found;
  }

  private find(specifier: string, folder: string): string | undefined {
    // Bundlers add their own instructions behind a question mark.
    const plain = specifier.replace(/[?].*$/, "");
    if (plain === "." || plain === ".." || plain.startsWith("./") || plain.startsWith("../")) return this.relative(join(folder, plain));
    if (plain.startsWith("/")) return this.file(plain.slice(1));
    return this.byPaths(plain, folder) ?? this.byPackage(plain, folder) ?? this.byBaseUrl(plain, folder) ?? this.byHabit(plain, folder);
  }

  /** Of a folder with a package.json its `main` goes before an index; its `exports` are for those who name the package. */
  private relative(path: string | undefined): string | undefined {
    const own = path === undefined ? undefined : this.packages.at(path);
    return (own && this.first(mainPaths(own, ["main"]))) ?? this.file(path);
  }

  private byPaths(specifier: string, folder: string): string | undefined {
    const { paths } = this.configs.rulesFor(folder);
    let best: { targets: string[]; star: string; length: number } | undefined;
    for (const { pattern, targets } of paths) {
      const at = pattern.indexOf("*");
      if (at < 0) {
        if (pattern === specifier) return this.first(targets);
        continue;
      }
      const after = pattern.slice(at + 1);
      if (!specifier.startsWith(pattern.slice(0, at)) || !specifier.endsWith(after) || specifier.length < pattern.length - 1) continue;
      if (!best || at > best.length) best = { targets, star: specifier.slice(at, specifier.length - after.length), length: at };
    }
    if (!best) return undefined;
    const { star } = best;
    return this.first(best.targets.map((t) => t.replace("*", star)));
  }

  private byBaseUrl(specifier: string, folder: string): string | undefined {
    const { baseUrl } = this.configs.rulesFor(folder);
    return baseUrl === undefined ? undefined : this.file(join(baseUrl, specifier));
  }

  private byPackage(specifier: string, folder: string): string | undefined {
    if (specifier.startsWith("#")) {
      const own = this.packages.around(folder);
      return own && this.first(entryPaths(own, specifier));
    }
    const parts = specifier.split("/");
    const name = parts.splice(0, specifier.startsWith("@") ? 2 : 1).join("/");
    const found = this.packages.named(name);
    if (!found) return undefined;
    const entry = this.first(entryPaths(found, parts.length === 0 ? "." : `./${parts.join("/")}`));
    // What runs goes before what only declares it.
    const isDeclared = parts.length === 0 && entry !== undefined && DECLARES.test(entry);
    return (isDeclared ? this.first(mainPaths(found, ["module", "main"])) : undefined) ?? entry;
  }

  /** What SvelteKit, Nuxt, and templates of Vue have names for in configurations that are made or are no JSON: `$lib/x`, `@/x`, `~/x`. */
  private byHabit(specifier: string, folder: string): string | undefined {
    const [, sign, rest] = /^(\$lib(?=\/|$)|[@~]{1,2}(?=\/))\/?(.*)$/.exec(specifier) ?? [];
    if (sign === undefined) return undefined;
    const home = this.packages.around(folder)?.folder ?? "";
    return this.first((sign === "$lib" ? ["src/lib"] : ["src", "", "app"]).map((above) => inFolder(home, inFolder(above, rest!))));
  }

  /** In which folder the paths of AMD modules start says the loader's configuration, which is not read: the nearest folder above that has the file. */
  private byLoader(specifier: string, folder: string): string | undefined {
    for (const above of foldersUp(folder)) {
      const found = this.file(inFolder(above, specifier));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private first(candidates: Iterable<string>): string | undefined {
    for (const candidate of candidates) {
      const found = this.file(join("", candidate));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The file at a path without its ending, with another ending, or the index of the folder. */
  private file(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    const ending = /\.([cm]?jsx?|d\.[cm]?ts)$/.exec(path)?.[0] ?? "";
    const stem = path.slice(0, path.length - ending.length);
    for (const other of SOURCE_ENDINGS[ending] ?? []) if (this.files.has(stem + other)) return stem + other;
    if (this.files.has(path)) return path;
    for (const e of ENDINGS) if (this.files.has(path + e)) return path + e;
    for (const e of ENDINGS) {
      const index = inFolder(path, `index${e}`);
      if (this.files.has(index)) return index;
    }
    return undefined;
  }
}
