import type { Project } from "../../language.ts";
import type { ImportFact, PyFacts } from "./facts.ts";
import { STANDARD_MODULES } from "./names.ts";

/** What a dotted name stands for: a file, or a folder without `__init__` (a namespace package). */
export type Module = { file: number } | { folder: string };

/** Folders beside which packages are usually kept. */
const SOURCE_FOLDERS = ["src", "lib", "python"];

const join = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Whether a file may say where modules are. */
export function isBuildFile(path: string): boolean {
  return /(?:^|\/)(?:pyproject\.toml|setup\.cfg|setup\.py)$/.test(path);
}

/** Finds the files that imports speak of, from the layout of the repository and its build files. */
export class Modules {
  private readonly files = new Map<string, number>();
  private readonly folders = new Set<string>();
  private readonly packages = new Set<string>();
  /** Folders that hold top-level packages, wherever they are. */
  private readonly roots: string[];
  private readonly configured = new Map<string, string[]>();
  private readonly searchPaths = new Map<string, string[]>();
  private readonly found = new Map<string, Module | undefined>();
  private readonly project: Project<PyFacts>;

  constructor(project: Project<PyFacts>) {
    this.project = project;
    project.files.forEach(({ path }, index) => {
      const stem = path.replace(/\.pyi?w?$/, "");
      // A stub beside its module says less than the module.
      if (!this.files.has(stem) || !path.endsWith(".pyi")) this.files.set(stem, index);
      for (let folder = parentOf(path); folder !== "" && !this.folders.has(folder); folder = parentOf(folder)) this.folders.add(folder);
      if (stem.endsWith("/__init__") || stem === "__init__") this.packages.add(parentOf(path));
    });
    const roots = new Set<string>();
    for (const folder of this.packages) {
      let top = folder;
      while (top !== "" && this.packages.has(parentOf(top)) && parentOf(top) !== "") top = parentOf(top);
      roots.add(parentOf(top));
    }
    this.roots = [...roots].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    for (const path of project.paths) {
      if (!isBuildFile(path)) continue;
      const text = project.read(path);
      if (text === undefined) continue;
      const folder = parentOf(path);
      const list = this.configured.get(folder) ?? [];
      for (const root of configuredRoots(text)) list.push(join(folder, root));
      this.configured.set(folder, list);
    }
  }

  /** The module that an import names, before its `from` names are looked at. */
  resolve(from: number, fact: ImportFact): Module | undefined {
    const { path } = this.project.files[from]!;
    if (fact.level === 0) return this.absolute(fact.module, path);
    let folder = parentOf(path);
    for (let up = 1; up < fact.level; up++) {
      if (folder === "") return undefined;
      folder = parentOf(folder);
    }
    return fact.module === "" ? this.at(folder) : this.at(join(folder, fact.module.replaceAll(".", "/")));
  }

  /** A module inside a package, or undefined. */
  submodule(module: Module, name: string): Module | undefined {
    const folder = "folder" in module ? module.folder : this.packageOf(module.file);
    return folder === undefined ? undefined : this.at(join(folder, name));
  }

  /** The folder of a package whose `__init__` this file is, else undefined. */
  packageOf(file: number): string | undefined {
    const { path } = this.project.files[file]!;
    return /(^|\/)__init__\.pyi?$/.test(path) ? parentOf(path) : undefined;
  }

  /** A dotted name as an absolute import in the file at `path`. */
  absolute(name: string, path: string): Module | undefined {
    const folder = parentOf(path);
    const key = `${folder}:${name}`;
    if (this.found.has(key)) return this.found.get(key);
    const module = this.search(name, folder);
    this.found.set(key, module);
    return module;
  }

  private search(name: string, folder: string): Module | undefined {
    const path = name.replaceAll(".", "/");
    const standard = STANDARD_MODULES.has(name.split(".", 1)[0]!);
    let namespace: Module | undefined;
    for (const root of this.searchPath(folder)) {
      // Beside a script, or at the very root, a module may hide one of the standard library; elsewhere it doesn't.
      if (standard && root !== folder && root !== "") continue;
      const module = this.at(join(root, path));
      if (!module) continue;
      if ("file" in module) return module;
      if (!standard) namespace ??= module;
    }
    return namespace;
  }

  /** Where an absolute import looks: the folders around the file that are no packages, nearest first, with their source folders; then all other roots. */
  private searchPath(folder: string): string[] {
    let path = this.searchPaths.get(folder);
    if (path) return path;
    const ordered = new Set<string>();
    for (let at = folder; ; at = parentOf(at)) {
      if (!this.packages.has(at) || at === "") {
        for (const root of this.configured.get(at) ?? []) ordered.add(root);
        for (const source of SOURCE_FOLDERS) {
          const root = join(at, source);
          if (this.folders.has(root) && !this.packages.has(root)) ordered.add(root);
        }
        ordered.add(at);
      }
      if (at === "") break;
    }
    for (const root of this.roots) ordered.add(root);
    this.searchPaths.set(folder, (path = [...ordered]));
    return path;
  }

  private at(stem: string): Module | undefined {
    const file = this.files.get(join(stem, "__init__")) ?? (stem === "" ? undefined : this.files.get(stem));
    if (file !== undefined) return { file };
    return stem === "" || this.folders.has(stem) ? { folder: stem } : undefined;
  }
}

/** Source folders that a build file names, relative to it. */
function configuredRoots(text: string): string[] {
  const roots: string[] = [];
  const add = (folder: string | undefined): void => {
    const clean = folder?.replace(/^\.\//, "").replace(/\/$/, "");
    if (clean && clean !== "." && !clean.startsWith("..") && !clean.includes("*")) roots.push(clean);
  };
  // setuptools: package-dir, package_dir, find(where=...); poetry: {include, from}; pytest and pyright: paths.
  for (const m of text.matchAll(/package[-_]dir\s*=\s*\{?\s*(?:["']{2}\s*[=:]\s*|=\s*)["']?([\w./-]+)/g)) add(m[1]);
  for (const m of text.matchAll(/package-dir\]\s*["']{2}\s*=\s*["']([\w./-]+)/g)) add(m[1]);
  for (const m of text.matchAll(/\bfrom\s*=\s*["']([\w./-]+)["']/g)) add(m[1]);
  for (const m of text.matchAll(/\b(?:where|pythonpath|extraPaths|source-roots|mypy_path)\s*=\s*\[?([^\]\n]+)/g)) {
    for (const part of m[1]!.matchAll(/[\w./-]+/g)) add(part[0]);
  }
  return [...new Set(roots)];
}
