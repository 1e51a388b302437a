import { sharedFolders } from "../../folders.ts";
import type { Emit } from "../../language.ts";
import { type Module, type Part, partFor, type Program, type Source } from "./program.ts";
import { underscored, viewAt } from "./paths.ts";

/** Of a template by the name of what is rendered. */
const LIKELY = 0.7;

/** Finds the files that `require` and its like load. */
export class Loader {
  private readonly files: ReadonlyMap<string, number>;
  /** Folders that `require` looks in, with a slash at the end; "" is the root. */
  private readonly folders: readonly string[];
  /** Templates by name, then by the folder with all of them. */
  private readonly views = new Map<string, Map<string, number[]>>();

  constructor(private readonly program: Program) {
    this.files = new Map(program.sources.map(({ path, index }) => [path, index]));
    const folders = new Set<string>();
    for (const { path, index } of program.sources) {
      const view = viewAt(path);
      if (view) {
        const named = this.views.get(view.name) ?? new Map<string, number[]>();
        named.set(view.folder, [...named.get(view.folder) ?? [], index]);
        this.views.set(view.name, named);
      }
      const parts = path.split("/");
      for (const [i, part] of parts.slice(0, -1).entries()) {
        if (part === "lib" || part === "test" || part === "spec" || part === "ext") folders.add(`${parts.slice(0, i + 1).join("/")}/`);
      }
    }
    this.folders = [...folders, ""];
  }

  emit({ index, path, data }: Source, emit: Emit): void {
    for (const { kind, path: wanted, line, or } of data.imports) {
      if (kind === "view" || kind === "object") {
        for (const file of this.view(path, wanted) ?? this.view(path, or ?? "") ?? []) {
          if (file.index !== index) emit("IMPORTS", { file: index, symbol: -1 }, { file: file.index, symbol: -1 }, kind === "view" ? file.confidence : LIKELY, line);
        }
        continue;
      }
      const file = wanted.startsWith(".") || kind === "relative" ? this.relative(path, wanted) : this.required(path, wanted);
      if (file !== undefined && file.index !== index) emit("IMPORTS", { file: index, symbol: -1 }, { file: file.index, symbol: -1 }, file.confidence, line);
    }
  }

  /** The templates of a name, of all formats, in the folder that is nearest. */
  private view(from: string, name: string): { index: number; confidence: number }[] | undefined {
    const folders = this.views.get(name);
    if (!folders) return undefined;
    const [[, nearest]] = [...folders].sort(([a], [b]) => sharedFolders(b, from) - sharedFolders(a, from) || (a < b ? -1 : 1)) as [[string, number[]]];
    return nearest.map((index) => ({ index, confidence: folders.size > 1 ? 0.8 : 0.9 }));
  }

  private relative(from: string, path: string): { index: number; confidence: number } | undefined {
    const parts: string[] = [];
    for (const part of `${from.slice(0, from.lastIndexOf("/") + 1)}${path}`.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    const index = this.file(parts.join("/"));
    return index === undefined ? undefined : { index, confidence: 1 };
  }

  /** The package's own folders first, then those of the others beside it. */
  private required(from: string, path: string): { index: number; confidence: number } | undefined {
    const found = this.folders.flatMap((folder) => {
      const index = this.file(`${folder}${path}`);
      return index === undefined ? [] : [{ index, near: sharedFolders(folder, from) }];
    });
    const [best] = found.sort((a, b) => b.near - a.near);
    return best && { index: best.index, confidence: found.length > 1 ? 0.8 : 0.9 };
  }

  private file(path: string): number | undefined {
    return this.files.get(`${path}.rb`) ?? this.files.get(path);
  }

  /**
   * What a constant loads that is found by its name: in Rails' folders under app, and in a gem that Zeitwerk loads. There
   * the mention of a constant is the import.
   */
  isAutoloaded(module: Module, by: Source): { file: number } | undefined {
    const part = partFor(module, by);
    if (!part) return undefined;
    let loaded = this.autoloaded.get(part);
    if (loaded === undefined) this.autoloaded.set(part, (loaded = this.autoload(module, part) ?? false));
    return loaded || undefined;
  }
  private readonly autoloaded = new Map<Part, { file: number } | false>();

  private autoload(module: Module, part: Part): { file: number } | undefined {
    const { path, index } = part.source;
    if (!`/${path}`.endsWith(`/${underscored(module.name)}.rb`)) return undefined;
    const folder = path.slice(0, path.length - underscored(module.name).length - 3);
    return /(?:^|\/)app\/[\w-]+\/(?:concerns\/)?$/.test(folder) || this.zeitwerk.has(folder) ? { file: index } : undefined;
  }

  /** The folders that loaders of gems are set up in. */
  private get zeitwerk(): ReadonlySet<string> {
    return (this.loaded ??= new Set(this.program.sources.filter(({ data }) => data.autoloads).map(({ path }) => path.slice(0, path.lastIndexOf("/") + 1))));
  }
  private loaded: ReadonlySet<string> | undefined;
}
