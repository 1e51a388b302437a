import { parseJson, record, strings } from "./json.ts";
import { folderOf, foldersUp, inFolder, join } from "./paths.ts";

/** The part of a tsconfig that says where modules are. */
export interface PathRules {
  /** Folder that bare specifiers are looked up in, undefined for none. */
  baseUrl: string | undefined;
  /** Pattern, at most one `*`, and the paths to try; from the repository's root. */
  paths: { pattern: string; targets: string[] }[];
}

const NONE: PathRules = { baseUrl: undefined, paths: [] };

/** Enough for any chain of `extends` that is no circle. */
const MAX_EXTENDS = 10;

interface Source {
  paths: ReadonlySet<string>;
  read(path: string): string | undefined;
  /** The folder of a workspace package, for `extends` of one. */
  packageFolder(name: string): string | undefined;
}

/** Reads tsconfig.json and jsconfig.json files, each once. */
export class TsConfigs {
  private readonly source: Source;
  private readonly byFolder = new Map<string, PathRules>();
  private readonly byFile = new Map<string, PathRules>();

  constructor(source: Source) {
    this.source = source;
  }

  /** The rules for files of a folder: those of the nearest configuration. */
  rulesFor(folder: string): PathRules {
    const known = this.byFolder.get(folder);
    if (known) return known;
    let rules = NONE;
    for (const up of foldersUp(folder)) {
      const file = ["tsconfig.json", "jsconfig.json"].map((name) => inFolder(up, name)).find((path) => this.source.paths.has(path));
      if (file === undefined) continue;
      rules = this.read(file, 0);
      break;
    }
    this.byFolder.set(folder, rules);
    return rules;
  }

  private read(file: string, depth: number): PathRules {
    const known = this.byFile.get(file);
    if (known) return known;
    const text = this.source.read(file);
    const config = text === undefined || depth > MAX_EXTENDS ? undefined : record(parseJson(text));
    if (!config) return NONE;
    const folder = folderOf(file);
    const rules: PathRules = { baseUrl: undefined, paths: [] };
    const bases = typeof config["extends"] === "string" ? [config["extends"]] : strings(config["extends"]);
    for (const base of bases) {
      const target = this.extended(folder, base);
      if (target === undefined) continue;
      const inherited = this.read(target, depth + 1);
      if (inherited.baseUrl !== undefined) rules.baseUrl = inherited.baseUrl;
      if (inherited.paths.length > 0) rules.paths = inherited.paths;
    }
    const options = record(config["compilerOptions"]) ?? {};
    if (typeof options["baseUrl"] === "string") rules.baseUrl = join(folder, options["baseUrl"]);
    const paths = record(options["paths"]);
    if (paths) {
      const from = rules.baseUrl ?? folder;
      rules.paths = Object.entries(paths).map(([pattern, targets]) => ({
        pattern, targets: strings(targets).flatMap((t) => join(from, t) ?? []),
      }));
    }
    // A solution file only lists projects; the rules are theirs.
    if (rules.paths.length === 0 && rules.baseUrl === undefined && Array.isArray(config["references"])) {
      for (const reference of config["references"]) {
        const path = record(reference)?.["path"];
        const target = typeof path === "string" ? this.file(join(folder, path)) : undefined;
        const other = target === undefined || folderOf(target) !== folder ? NONE : this.read(target, depth + 1);
        if (other.paths.length > 0 || other.baseUrl !== undefined) {
          this.byFile.set(file, other);
          return other;
        }
      }
    }
    this.byFile.set(file, rules);
    return rules;
  }

  private extended(folder: string, base: string): string | undefined {
    if (base.startsWith(".")) return this.file(join(folder, base));
    const parts = base.split("/");
    const name = parts.splice(0, base.startsWith("@") ? 2 : 1).join("/");
    const home = this.source.packageFolder(name);
    return home === undefined ? undefined : this.file(join(home, parts.join("/") || "tsconfig.json"));
  }

  private file(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    return [path, `${path}.json`, inFolder(path, "tsconfig.json")].find((p) => this.source.paths.has(p));
  }
}
