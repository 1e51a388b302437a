import type { Project } from "../../../language.ts";

/** A package: a folder with a Cargo.toml that has a `[package]`. */
export interface Package {
  folder: string;
  /** As code names it: dashes are underscores. */
  name: string;
  /** The root of its library, by path; undefined for none. */
  library: string | undefined;
  libraryName: string;
  /** The roots of its programs, tests, examples and benchmarks, by path. */
  roots: string[];
  /** What code of the package calls its dependencies, and the packages they are. */
  dependencies: Map<string, { name: string; folder?: string }>;
}

type Table = Record<string, string>;

/** Targets by their table, with the folder whose files are such without being named, and what `[package]` says against that. */
const TARGETS: Readonly<Record<string, { folder: string; unless: string }>> = {
  bin: { folder: "src/bin", unless: "autobins" }, example: { folder: "examples", unless: "autoexamples" },
  test: { folder: "tests", unless: "autotests" }, bench: { folder: "benches", unless: "autobenches" },
};
const DEPENDENCIES = /(?:^|\.)(?:dev-|build-)?dependencies(?:\.(.+))?$/;

/** The packages of a repository, as its Cargo.toml files tell. */
export function packagesOf(project: Project<unknown>): Package[] {
  const { paths } = project;
  const manifests = [...paths].filter((path) => /(?:^|\/)Cargo\.toml$/.test(path)).sort();
  const parsed = manifests.map((path) => ({ folder: path.slice(0, -"Cargo.toml".length).replace(/\/$/, ""), tables: parseToml(project.read(path) ?? "") }));
  // What members may say `workspace = true` of.
  const shared = new Map<string, { name: string; folder?: string }>();
  for (const { folder, tables } of parsed) {
    for (const [name, dependency] of dependenciesOf(tables, folder, (key) => key.startsWith("workspace."))) shared.set(name, dependency);
  }
  return parsed.flatMap(({ folder, tables }) => {
    const name = tables.find(({ header }) => header === "package")?.values["name"];
    return name === undefined ? [] : [packageOf(folder, tables, name, paths, shared)];
  });
}

function packageOf(folder: string, tables: readonly Section[], name: string, paths: ReadonlySet<string>, shared: ReadonlyMap<string, { name: string; folder?: string }>): Package {
  const at = (path: string): string => join(folder, path);
  const lib = tables.find(({ header }) => header === "lib")?.values ?? {};
  const library = [lib["path"] ?? "src/lib.rs"].map(at).find((path) => paths.has(path));
  const roots = new Set<string>();
  for (const { header, values } of tables) {
    if (Object.hasOwn(TARGETS, header) && values["path"] !== undefined) roots.add(at(values["path"]));
    else if (Object.hasOwn(TARGETS, header) && values["name"] !== undefined) roots.add(at(`${TARGETS[header]!.folder}/${values["name"]}.rs`));
  }
  const own = tables.find(({ header }) => header === "package")?.values ?? {};
  for (const path of ["src/main.rs", own["build"] ?? "build.rs"]) roots.add(at(path));
  const prefixes = Object.values(TARGETS).flatMap(({ folder: one, unless }) => (own[unless] === "false" ? [] : [`${at(one)}/`]));
  for (const path of paths) {
    const prefix = prefixes.find((one) => path.startsWith(one));
    if (prefix !== undefined && /^[^/]+(?:\.rs|\/main\.rs)$/.test(path.slice(prefix.length))) roots.add(path);
  }
  const dependencies = dependenciesOf(tables, folder, (key) => !key.startsWith("workspace."), shared);
  return {
    folder, name: code(name), library, libraryName: code(lib["name"] ?? name),
    roots: [...roots].filter((path) => paths.has(path) && path !== library).sort(), dependencies,
  };
}

function dependenciesOf(
  tables: readonly Section[], folder: string, wanted: (header: string) => boolean, shared: ReadonlyMap<string, { name: string; folder?: string }> = new Map(),
): Map<string, { name: string; folder?: string }> {
  const found = new Map<string, { name: string; folder?: string }>();
  const add = (key: string, { package: renamed, path, workspace }: Table): void => {
    const known = workspace === "true" ? shared.get(code(key)) : undefined;
    found.set(code(key), known ?? { name: code(renamed ?? key), ...(path === undefined ? {} : { folder: join(folder, path) }) });
  };
  for (const { header, values } of tables) {
    const match = DEPENDENCIES.exec(header);
    if (!match || !wanted(header)) continue;
    if (match[1] !== undefined) {
      add(match[1].replace(/^["']|["']$/g, ""), values);
      continue;
    }
    for (const [key, value] of Object.entries(values)) {
      const [, name = key, field] = /^"?([^."]+)"?\.(\w+)$/.exec(key) ?? [];
      if (field !== undefined) add(name, { [field]: value });
      else add(key, value.startsWith("{") ? inlineTable(value) : {});
    }
  }
  return found;
}

/** As code names a package. */
function code(name: string): string {
  return name.replaceAll("-", "_");
}

/** The package whose folder holds a path; the innermost. */
export function around(packages: readonly Package[], path: string): Package | undefined {
  return packages.filter(({ folder }) => folder === "" || path.startsWith(`${folder}/`)).sort((a, b) => b.folder.length - a.folder.length)[0];
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A path from a folder, with `..` followed. */
export function join(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

interface Section {
  header: string;
  values: Table;
}

/** As much of TOML as manifests use: tables, keys, texts, and inline tables as they are written. */
function parseToml(text: string): Section[] {
  let values: Table = Object.create(null) as Table;
  const sections: Section[] = [{ header: "", values }];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const header = /^\[\[?\s*([^\]]+?)\s*\]\]?/.exec(line)?.[1];
    if (header !== undefined) {
      values = Object.create(null) as Table;
      sections.push({ header: header.replace(/\s*\.\s*/g, "."), values });
      continue;
    }
    const [, key, value] = /^("[^"]*"|[\w.-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) values[key.replace(/^"|"$/g, "")] = plain(value);
  }
  return sections;
}

/** A text without its quotes; anything else without a comment behind it. */
function plain(value: string): string {
  return /^"((?:\\.|[^"\\])*)"/.exec(value)?.[1] ?? /^'([^']*)'/.exec(value)?.[1] ?? (value.startsWith("{") ? value : value.replace(/\s*#.*$/, ""));
}

function inlineTable(text: string): Table {
  const values: Table = Object.create(null) as Table;
  for (const [, key, value] of text.matchAll(/([\w-]+)\s*=\s*("(?:\\.|[^"\\])*"|'[^']*'|[\w.-]+)/g)) values[key!] = plain(value!);
  return values;
}
