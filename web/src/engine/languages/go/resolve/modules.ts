import type { Project } from "../../../language.ts";

interface Module {
  dir: string;
  path: string;
  /** `replace` of a module path by a directory of the repository. */
  replacements: [path: string, dir: string][];
}

export interface Modules {
  /** The directories that an import path may mean in a file of `dir`, the likeliest first. */
  candidates(dir: string, path: string): string[];
  /** Whether imports of `dir` may mean any directory by how its path ends: there is no module around it. */
  byEnds(dir: string): boolean;
}

/** The modules of a repository: every go.mod, wherever it lies. */
export function modulesOf(project: Project<unknown>): Modules {
  const modules: Module[] = [];
  const vendors = new Set<string>();
  for (const path of project.paths) {
    if (path === "go.mod" || path.endsWith("/go.mod")) {
      const text = project.read(path);
      const parsed = text === undefined ? undefined : parseModule(path.slice(0, Math.max(0, path.length - "/go.mod".length)), text);
      if (parsed) modules.push(parsed);
    }
    const vendor = /^(?:(.*)\/)?vendor\//.exec(path);
    if (vendor) vendors.add(vendor[1] ?? "");
  }
  // Deepest first, so that the first hit is the nearest module and the longest module path.
  const byDepth = [...modules].sort((a, b) => b.dir.length - a.dir.length);
  const byPath = [...modules].sort((a, b) => b.path.length - a.path.length);
  const dirs = byDirectoryEnd(project);
  const around = (dir: string): Module | undefined => byDepth.find((m) => within(dir, m.dir));

  return {
    byEnds: (dir) => around(dir) === undefined,
    candidates(dir, path) {
      if (path === "C" || path === "") return [];
      if (path.startsWith("./") || path.startsWith("../")) return [joined(dir, path)];
      const found: string[] = [];
      const own = around(dir);
      if (own) {
        for (const [from, to] of own.replacements) if (within(path, from)) found.push(joined(to, path.slice(from.length + 1)));
        if (within(path, own.path)) found.push(joined(own.dir, path.slice(own.path.length + 1)));
      }
      for (const module of byPath) {
        if (module !== own && within(path, module.path)) found.push(joined(module.dir, path.slice(module.path.length + 1)));
      }
      for (const root of vendors) if (within(dir, root)) found.push(joined(root, `vendor/${path}`));
      if (!own) found.push(...dirs(path));
      return found;
    },
  };
}

/** True for `a/b` in `a`, in `a/b`, and in the root "". */
function within(path: string, root: string): boolean {
  return root === "" || path === root || (path.startsWith(root) && path[root.length] === "/");
}

function joined(dir: string, path: string): string {
  const parts: string[] = dir === "" ? [] : dir.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function parseModule(dir: string, text: string): Module | undefined {
  const lines = text.split("\n").map((line) => line.replace(/\/\/.*/, "").trim());
  let path: string | undefined;
  let block = "";
  const replacements: [string, string][] = [];
  for (const line of lines) {
    if (line === ")") {
      block = "";
      continue;
    }
    const opened = /^(\w+)\s*\($/.exec(line);
    if (opened) {
      block = opened[1]!;
      continue;
    }
    const words = (block ? `${block} ${line}` : line).split(/\s+/).map((word) => word.replace(/^["`]|["`]$/g, ""));
    if (words[0] === "module") path ??= words[1];
    if (words[0] !== "replace") continue;
    const target = words[words.indexOf("=>") + 1] ?? "";
    if (words[1] && /^\.\.?(?:\/|$)/.test(target)) replacements.push([words[1], joined(dir, target)]);
  }
  return path ? { dir, path, replacements } : undefined;
}

/** Without a module (GOPATH): the directory whose path the import path ends with, or that ends with it. */
function byDirectoryEnd(project: Project<unknown>): (path: string) => string[] {
  let byLast: Map<string, string[]> | undefined;
  return (path) => {
    if (!byLast) {
      byLast = new Map();
      const seen = new Set<string>();
      for (const { path: file } of project.files) {
        const dir = file.slice(0, Math.max(0, file.lastIndexOf("/")));
        if (dir === "" || seen.has(dir)) continue;
        seen.add(dir);
        const last = dir.slice(dir.lastIndexOf("/") + 1);
        byLast.set(last, [...(byLast.get(last) ?? []), dir]);
      }
    }
    // A first element without a dot is the standard library's.
    if (!path.includes(".") && !path.includes("/")) return [];
    const options = byLast.get(path.slice(path.lastIndexOf("/") + 1)) ?? [];
    return options
      .filter((dir) => path.endsWith(`/${dir}`) || dir.endsWith(`/${path}`))
      .sort((a, b) => b.length - a.length);
  };
}
