/** Which routers a mount refers to: of one file, of the files of a folder, of those that import it, or of all files. */
import type { FolderFact, MountFact, NamedCode, RouterFact, SymbolFact } from "./facts.ts";
import { sharedFolders } from "./folders.ts";
import type { ParsedFile, Relation } from "./relations.ts";
import { isTestPath } from "./test-paths.ts";

/** A mount with the path of its file. */
export interface Mounted {
  path: string;
  mount: MountFact;
}

/** A mount of a router, with the path that the router's folder stands for within a folder that is mounted, and the hooks of that folder. */
export interface RouterMount extends Mounted {
  folders: string;
  hooks: readonly Middleware[];
}

/** Code that runs before a route, with the path of the file that says so. */
export interface Middleware {
  path: string;
  code: NamedCode;
}

/** The routers of one file that a mount refers to: those of these names, or all. */
interface Target {
  path: string;
  names?: readonly string[];
  /** The path that the file's folder stands for, where a folder is mounted. */
  folders?: string;
  /** What the files of hooks of the folder run before the file's routes. */
  hooks?: readonly Middleware[];
  /** Only routers that the file does not make. */
  given?: true;
  /** The function that makes the router, or is given it: its routes stand in it. */
  within?: SymbolFact;
}

/** The mounts of all files, by the routers that they refer to. */
export class MountTargets {
  /** Mounts of routers that their target names, by the path of the routers' file. */
  private readonly byFile = new Map<string, { mounted: Mounted; target: Target }[]>();
  /** Mounts of routers of all files: applications that say something of all their routes, and modules. */
  private readonly ofAllFiles: readonly Mounted[];
  /** What runs before routes of all files, and mounts nothing. */
  private readonly middlewares: readonly Mounted[];

  /** `routes`: the files with routes. `relations` gives those that leave a file. `configured`: the mounts of files of configuration. */
  constructor(files: ReadonlyMap<string, ParsedFile>, routes: readonly ParsedFile[], relations: (path: string) => readonly Relation[], configured: readonly Mounted[]) {
    const all = [...[...files.values()].flatMap(({ path, facts }) => (facts.mounts ?? []).map((mount): Mounted => ({ path, mount }))), ...configured];
    this.middlewares = all.filter(({ mount }) => mount.runs);
    this.ofAllFiles = all.filter(({ mount }) => mount.target.line === 0 && !mount.runs);
    for (const mounted of all.filter(({ mount }) => mount.target.line > 0)) {
      for (const target of targetsOf(mounted, files, relations, routes)) {
        if (counts(mounted.path, target.path)) this.byFile.set(target.path, [...(this.byFile.get(target.path) ?? []), { mounted, target }]);
      }
    }
  }

  /** The mounts of a router of a file, but for those of `within`: a router that is mounted in itself has no other path for it. */
  of(path: string, router: RouterFact, within: readonly MountFact[]): RouterMount[] {
    const named = new Map<Mounted, RouterMount>();
    for (const { mounted, target } of this.byFile.get(path) ?? []) {
      if (!within.includes(mounted.mount) && refersTo(target, router) && !mounted.mount.hidden?.includes(router.method ?? "")) named.set(mounted, { ...mounted, folders: target.folders ?? "", hooks: target.hooks ?? [] });
    }
    const isInherited = named.size > 0 && router.own !== undefined && [...named.values()].every(({ mount }) => mount.beside);
    if (named.size > 0 && !isInherited) return [...named.values()];
    const all = this.ofAllFiles.filter((one) => !within.includes(one.mount) && refersTo(one.mount.target, router) && counts(one.path, path) && (!one.mount.below || path.startsWith(folderOf(one.path))));
    const modules = all.filter(({ mount }) => mount.into !== undefined);
    // What a class has, it has also where no module names it, beside those that inherit it.
    return [...[...withPrefix(nearestApplications(path, all)), ...modules].map((one) => ({ ...one, folders: "", hooks: [] })), ...named.values()];
  }

  /** What the application of a router's file runs before a route of the router, by the route's path there. */
  middlewaresOf(path: string, router: RouterFact, routePath: string): Middleware[] {
    const own = this.middlewares.filter(({ path: at, mount }) => !(mount.runs!.elsewhere && at === path && router.names.includes(mount.target.text)) && refersTo(mount.target, router) && runsBefore(mount, routePath) && isInModule(at, path) && counts(at, path));
    if (own.length === 0) return [];
    const all = this.ofAllFiles.filter(({ mount }) => refersTo(mount.target, router));
    const applicationOf = (file: string): string | undefined => withPrefix(nearestApplications(file, all))[0]?.path;
    const application = applicationOf(path);
    const ordered = [...own.filter(({ mount }) => !mount.runs!.last), ...own.filter(({ mount }) => mount.runs!.last)];
    return ordered.filter((one) => applicationOf(one.path) === application).flatMap(({ path: at, mount }) => mount.before!.map((code) => ({ path: at, code })));
  }
}

/** Whether what a file says of all routes may hold for those of another: in Java of its module, in C# below its folder. */
function isInModule(at: string, path: string): boolean {
  const moduleOf = (file: string): string => file.slice(0, Math.max(0, file.indexOf("src/main/")));
  return path.endsWith(".java") ? moduleOf(at) === moduleOf(path) : !path.endsWith(".cs") || path.startsWith(folderOf(at));
}

/** Whether a mount counts for a file: what a test mounts is mounted in tests alone. */
function counts(mountedIn: string, path: string): boolean {
  return !isTestPath(mountedIn) || isTestPath(path);
}

function refersTo({ names, within, given }: Omit<Target, "path">, router: RouterFact): boolean {
  if (given && !router.given) return false;
  if (within) return router.line >= within.startLine && router.line <= within.endLine;
  return !names || names.some((name) => router.names.includes(name));
}

/** Of mounts of routers of all files, those by the applications in the folder nearest to a file. */
function nearestApplications(path: string, all: readonly Mounted[]): Mounted[] {
  return nearest(path, all.filter(({ mount }) => mount.into === undefined));
}

/** Of the mounts of one application, those that say a prefix, if any do; one without may say the versions for them. */
function withPrefix(applications: readonly Mounted[]): readonly Mounted[] {
  const prefixed = applications.filter(({ mount }) => mount.prefix !== "");
  if (prefixed.length === 0) return applications;
  const version = applications.find(({ mount }) => mount.prefix === "" && mount.version)?.mount.version;
  return prefixed.map((one) => (version && !one.mount.version ? { ...one, mount: { ...one.mount, version } } : one));
}

/** Those that have the most folders in common with a file. */
function nearest<T extends { path: string }>(path: string, all: readonly T[]): T[] {
  const most = Math.max(...all.map((one) => sharedFolders(path, one.path)));
  return all.filter((one) => sharedFolders(path, one.path) === most);
}

function runsBefore({ runs, except }: MountFact, routePath: string): boolean {
  const isUnder = (pattern: string): boolean => covers(pattern, routePath) || (!runs!.exact && routePath.startsWith(`/${pattern.replace(/^\/+/, "")}/`));
  return runs!.under?.some(isUnder) !== false && except?.some((one) => covers(one, routePath)) !== true;
}

/** Whether a pattern matches a path: `health`, `docs/(.*)`, `users/:id`. */
export function covers(pattern: string, path: string): boolean {
  const parts = pattern.replace(/^\/|\/$/g, "").split(/(\{?\/?\(\.\*\)\}?|\{?\/?\*\w*\}?|:\w+)/);
  return new RegExp(`^/?${parts.map((part, i) => (i % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : part.startsWith(":") ? "[^/]+" : ".*")).join("")}/?$`).test(path);
}

function targetsOf(mounted: Mounted, files: ReadonlyMap<string, ParsedFile>, relations: (path: string) => readonly Relation[], routes: readonly ParsedFile[]): Target[] {
  const { path, mount: { shared, folder, file } } = mounted;
  if (shared) return importersOf(mounted, files, relations, routes);
  if (folder) return filesIn(folder, path, files);
  // What a template says of the file of its page is for that one alone.
  if (file?.startsWith(path)) return files.has(file) ? [{ path: file }] : [];
  if (file !== undefined) {
    // Django: other lists of the file than `urlpatterns` are included by their names.
    const names = file.endsWith(".py") ? { names: ["urlpatterns"] } : {};
    return nearest(path, [...files.keys()].filter((one) => one === file || one.endsWith(`/${file}`)).map((one): Target => ({ path: one, ...names })));
  }
  const referred = referredTo(mounted, files, relations(path));
  return referred.length > 0 ? referred : importedBy(mounted, files, relations(path));
}

/** The routers of other files that are the mount's own one, which those files import. */
function importersOf({ path, mount: { target } }: Mounted, files: ReadonlyMap<string, ParsedFile>, relations: (path: string) => readonly Relation[], routes: readonly ParsedFile[]): Target[] {
  const symbol = files.get(path)?.facts.symbols.findIndex(({ name, line }) => line === target.line && name === target.text) ?? -1;
  if (symbol < 0) return [];
  const importers = routes.filter((one) => one.path !== path && relations(one.path).some(({ to }) => to.path === path && to.symbol === symbol));
  return importers.map((one) => ({ path: one.path, names: target.names, given: true }));
}

/** The files of a folder, with the paths that their folders within it stand for. */
function filesIn({ path: folder, names, hooks }: FolderFact, from: string, files: ReadonlyMap<string, ParsedFile>): Target[] {
  const parts: string[] = from.split("/").slice(0, -1);
  for (const part of folder.split("/")) if (part === "..") parts.pop();
  else parts.push(part);
  const own = `${parts.join("/")}/`;
  const all = [...files.keys()];
  const inside = all.filter((path) => path.startsWith(own));
  const other = `/${folder.replace(/^(?:\.\.\/)+/, "")}/`;
  const rests = inside.length > 0 ? inside.map((path) => ({ path, rest: path.slice(own.length) })) : all.filter((path) => `/${path}`.includes(other)).map((path) => ({ path, rest: `/${path}`.slice(`/${path}`.indexOf(other) + other.length) }));
  const withHooks = hooks ? rests.filter(({ path }) => files.get(path)!.facts.folderHooks) : [];
  return rests.map(({ path, rest }) => {
    const folders = names === undefined ? [] : rest.split("/").slice(0, -1).map((part) => (names === "parameters" ? part.replace(/^_/, ":") : part));
    const before = withHooks.filter((one) => (hooks === "below" ? `/${rest}`.startsWith(folderOf(`/${one.rest}`)) : folderOf(rest) === folderOf(one.rest)))
      .sort((a, b) => a.rest.split("/").length - b.rest.split("/").length)
      .flatMap((one) => files.get(one.path)!.facts.folderHooks!.map((code): Middleware => ({ path: one.path, code })));
    return { path, folders: files.get(path)!.facts.ownPrefix ?? folders.join("/"), hooks: before };
  });
}

/** With the slash at its end; "" for none. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** The routers that the names in the mount's target refer to: variables, functions that make or are given a router, classes. */
function referredTo({ path, mount: { target, into } }: Mounted, files: ReadonlyMap<string, ParsedFile>, relations: readonly Relation[]): Target[] {
  const found: Target[] = [];
  for (const relation of relations) {
    const { type, to } = relation;
    if (!/^(?:CALLS|REFERENCES|EXTENDS|IMPLEMENTS)$/.test(type) || to.symbol < 0 || !isWithin(relation, target)) continue;
    const symbol = files.get(to.path)?.facts.symbols[to.symbol];
    if (!symbol || !target.names.includes(symbol.name)) continue;
    if (symbol.kind === "Function" || symbol.kind === "Method") found.push({ path: to.path, within: symbol });
    else if (symbol.kind === "Class" || symbol.kind === "Interface" || (symbol.kind === "Module" && to.path.endsWith(".rb"))) found.push({ path: to.path, names: [ofClass(symbol.name, target.names.at(-1)!, files.get(to.path)!)] });
    else if (to.path !== path || (into?.word !== undefined && symbol.name === target.names[0])) found.push({ path: to.path, names: [symbol.name] });
  }
  return found;
}

/** The name of the routers that a class stands for: what is made of its name ("actions of Users"), its name, or that of a member. */
function ofClass(name: string, last: string, file: ParsedFile): string {
  return !last.endsWith(` ${name}`) && routersOf(file).some(({ names }) => names.includes(name)) ? name : last;
}

/** The routers of the files that the mount's target imports, or that the import of its first name does. */
function importedBy({ path, mount: { target, imported } }: Mounted, files: ReadonlyMap<string, ParsedFile>, relations: readonly Relation[]): Target[] {
  const found: Target[] = [];
  const member = /[.:]/.test(target.text.replace(/\(.*/s, "")) ? target.names.at(-1) : undefined;
  for (const relation of relations) {
    const { type, to } = relation;
    if (type !== "IMPORTS" || to.path === path) continue;
    if (!isWithin(relation, target) && !(imported && isWithin(relation, imported))) continue;
    // A member that no router of that file is called by is this file's name for what that file exports.
    const known = new Set(routersOf(files.get(to.path)!).flatMap(({ names }) => names));
    const name = imported && [member, imported.as].find((one) => one !== undefined && known.has(one));
    const names = name === undefined ? exportedAs(to.path, target, files, relations, known) : [name];
    found.push({ path: to.path, ...(names.length > 0 ? { names } : {}) });
  }
  // Of several modules that one line imports, the one that has the name.
  const called = found.filter((one) => new RegExp(`(?:^|/)${target.names[0]?.replace(/\$/g, "\\$")}(?:\\.\\w+|/(?:__init__|index)\\.\\w+)$`).test(one.path));
  return called.length > 0 ? called : found;
}

/** The routers of a file that the mount's target refers to under a name of its own file: `users` for the `router` that the other exports as a whole. */
function exportedAs(path: string, target: NamedCode, files: ReadonlyMap<string, ParsedFile>, relations: readonly Relation[], known: ReadonlySet<string>): string[] {
  return relations.filter((one) => one.type === "REFERENCES" && one.to.path === path && one.to.symbol >= 0 && isWithin(one, target))
    .map((one) => files.get(path)!.facts.symbols[one.to.symbol]?.name ?? "").filter((name) => known.has(name));
}

function isWithin({ line, moreLines = [] }: Relation, lines: { line: number; endLine: number }): boolean {
  return [line, ...moreLines].some((one) => one >= lines.line && one <= lines.endLine);
}

function routersOf({ facts: { symbols, mounts = [] } }: ParsedFile): RouterFact[] {
  return [...symbols.flatMap(({ route }) => route?.router ?? []), ...mounts.flatMap(({ into }) => into ?? [])];
}
