/** Routes whose router another file puts under a path, or whose path it says a part of: their whole paths, by what the relations of that file say. */
import type { FolderFact, MountFact, NamedCode, RouteFact, RouterFact, SymbolFact } from "./facts.ts";
import type { GraphNode } from "./graph.ts";
import type { ParsedFile, Relation } from "./relations.ts";
import { isTestPath } from "./test-paths.ts";

/** Routers that are put into routers that are put into routers … */
const MAX_DEPTH = 10;
/** Paths of one route that are told. */
const MAX_PATHS = 4;

interface Mounted {
  path: string;
  mount: MountFact;
}

/** A name in a path that another file gives a text, with what it is a member of, and the line that it stands in. */
export const NAMED = /«([\w$.]+):(\d+)»/g;

export function namedElsewhere(name: string, line: number): string {
  return `«${name}:${line}»`;
}

/** What a route's node says of it. */
export type RouteName = Pick<GraphNode, "name" | "signature">;

/** A route as mounts have it. */
export interface MountedRoute extends RouteName {
  /** What runs before it where its router is put, and the file that says so. */
  before: readonly { path: string; code: NamedCode }[];
}

/**
 * The names of the routes that files put under paths, by file and by the route's index in its symbols. `relations` gives those that leave a
 * file.
 */
export function mountedRoutes(files: readonly ParsedFile[], relations: (path: string) => readonly Relation[]): Map<string, Map<number, MountedRoute>> {
  const named = new Map<string, Map<number, MountedRoute>>();
  const byPath = new Map(files.map((file) => [file.path, file]));
  const routes = files.filter(({ facts: { symbols } }) => symbols.at(-1)?.kind === "Route");
  if (routes.length === 0) return named;
  const mounts = files.flatMap(({ path, facts }) => (facts.mounts ?? []).map((mount) => ({ path, mount })));
  /** By the path of the file whose routers are put there. */
  const targets = new Map<string, { mounted: Mounted; target: Target }[]>();
  const [everywhere, inFiles] = [mounts.filter(({ mount }) => mount.target.line === 0 && !mount.runs), mounts.filter(({ mount }) => mount.target.line > 0)];
  const running = mounts.filter(({ mount }) => mount.runs);
  for (const mounted of inFiles) {
    for (const target of targetsOf(mounted, byPath, relations, routes)) if (isOf(mounted.path, target.path)) targets.set(target.path, [...(targets.get(target.path) ?? []), { mounted, target }]);
  }
  /** A path of a file with what constants of others stand for. */
  const filled = (path: string, text: string): string => (
    !text.includes("«") ? text : text.replace(NAMED, (_, name: string, line: string) => constantOf(name, path, Number(line), relations(path), byPath) ?? "…").replace(/\/{2,}/g, "/")
  );

  /** The whole paths of a router's route whose path in its file is `rest`: one for each way to it. */
  const whole = (path: string, router: RouterFact, rest: string, within: readonly MountFact[]): { path: string; before: MountedRoute["before"] }[] => {
    if (within.length > MAX_DEPTH) return [];
    // What is put into itself has no other path for it.
    const here = (targets.get(path) ?? []).filter(({ mounted, target }) => !within.includes(mounted.mount) && isMeant(target, router)).map(({ mounted, target }): [Mounted, string] => [mounted, target.prefix ?? ""]);
    const all = here.length > 0 ? here : nearest(path, everywhere.filter((one) => !within.includes(one.mount) && isMeant(one.mount.target, router) && isOf(one.path, path))).map((one): [Mounted, string] => [one, ""]);
    return [...new Map(all)].flatMap(([{ path: at, mount }, folders]) => {
      if (router.word !== undefined) {
        // Words of commands are joined by blanks.
        const words = [mount.prefix, mount.word ?? router.word, rest].filter((one) => one !== "").join(" ");
        const outer = mount.into ? whole(at, mount.into, words, [...within, mount]) : [];
        return outer.length > 0 ? outer : [{ path: words, before: [] }];
      }
      const end = mount.overrides && router.own !== undefined && rest.startsWith(router.own) ? rest.slice(router.own.length) : rest;
      const said = mount.except?.some((one) => covers(one, end)) ? "" : filled(at, mount.prefix).replace(/\[(\w+)\]/g, (whole, name: string) => router.tokens?.[name] ?? whole);
      const prefix = folders === "" ? said : joined(said, folders);
      const versions = mount.version ? (router.versions ?? mount.version.usual).map((one) => (one === "" ? "" : mount.version!.prefix + one)) : [""];
      const into = mount.into && router.versions ? { ...mount.into, versions: router.versions } : mount.into;
      const outer = into ? whole(at, into, joined(prefix.replace(/^…/, ""), end), [...within, mount]) : [];
      return (outer.length > 0 ? outer : versions.map((one) => ({ path: joined(one === "" ? prefix : joined(prefix, one), end), before: [] })))
        .map((one) => ({ path: one.path, before: [...one.before, ...(mount.before ?? []).map((code) => ({ path: at, code }))] }));
    });
  };

  for (const { path, facts: { symbols } } of routes) {
    const own = new Map<number, MountedRoute>();
    symbols.forEach(({ route, name, signature = name }, i) => {
      if (!route?.router && route?.path === undefined) return;
      const said = filled(path, route.path ?? name);
      const [, method = "", rest = ""] = /^(\S+) …?(.*)$/s.exec(said) ?? [];
      const found = route.router ? whole(path, route.router, rest, []) : [];
      const methods = method === "ANY" && route.handler ? methodsAnswered(route, relations(path), byPath) : [];
      const spoken = (at: string): string[] => (methods.length > 0 ? methods : [method]).map((one) => `${one} ${at}`);
      const paths = [...new Set(found.map((one) => one.path))].slice(0, MAX_PATHS);
      const names = paths.flatMap(spoken);
      // Of several methods the name says ANY, and the signature each.
      const called = (at: string): string => `${methods.length === 1 ? methods[0]! : method} ${at}`;
      if (names.length === 0) {
        const alone = methods.length > 0 ? spoken(said.slice(method.length + 1)) : [said];
        if (alone[0] !== name) own.set(i, { name: methods.length > 0 ? called(said.slice(method.length + 1)) : said, signature: alone.join(", ") + signature.slice(name.length), before: [] });
        return;
      }
      // Of several applications each has its own.
      const applications = running.length === 0 ? [] : everywhere.filter(({ mount }) => !mount.into && isMeant(mount.target, route.router!));
      const application = (of: string): string | undefined => nearest(of, applications)[0]?.path;
      const first = running.filter((one) => isMeant(one.mount.target, route.router!) && runsBefore(one.mount, rest) && application(one.path) === application(path)).flatMap(({ path: at, mount }) => mount.before!.map((code) => ({ path: at, code })));
      // What runs before it on the first of the ways.
      const head = [names.join(", "), ...[...first, ...found[0]!.before].map(({ code }) => code.text)].join(" → ");
      own.set(i, { name: called(paths[0]!), signature: signature.startsWith(name) ? head + signature.slice(name.length) : signature, before: [...first, ...found.flatMap((one) => one.before)] });
    });
    if (own.size > 0) named.set(path, own);
  }
  return named;
}

/** What a test puts somewhere is so in tests alone. */
function isOf(by: string, path: string): boolean {
  return !isTestPath(by) || isTestPath(path);
}

/** HTTP's method for each action of a set of views. */
const ACTION: Readonly<Record<string, string>> = { list: "GET", create: "POST", retrieve: "GET", update: "PUT", partial_update: "PATCH", destroy: "DELETE" };

/** HTTP's methods that the view answers which is the handler of a route; none where no file says them. */
function methodsAnswered({ handler, actions }: RouteFact, relations: readonly Relation[], byPath: ReadonlyMap<string, ParsedFile>): string[] {
  for (const { type, to, line, moreLines = [] } of relations) {
    if ((type !== "REFERENCES" && type !== "CALLS") || to.symbol < 0 || ![line, ...moreLines].some((one) => one >= handler!.line && one <= handler!.endLine)) continue;
    const { symbols, answers } = byPath.get(to.path)?.facts ?? { symbols: [] };
    const { name: view = "", kind } = symbols[to.symbol] ?? {};
    // Of a class what `as_view` makes of it, or a set.
    const at = kind !== "Class" || actions ? handler!.names.indexOf(view) : handler!.names.indexOf("as_view") - 1;
    const all = handler!.names[at] === view ? answers?.[view] : undefined;
    if (all) return actions ? actions.filter((one) => all.includes(one)).flatMap((one) => ACTION[one] ?? []) : all.filter((one) => /^[A-Z]+$/.test(one));
  }
  return [];
}

/** What a mount may mean in one file: routers of these names, or all. */
interface Target {
  path: string;
  names?: readonly string[];
  /** The path of the file in the folder that is put there. */
  prefix?: string;
  /** Only routers that the file does not make. */
  given?: true;
  /** The function that makes the router, or is given it: its routes stand in it. */
  within?: SymbolFact;
}

/** Of what puts routers of all files somewhere, the applications in the folder nearest to a file, and all that is put into these. */
function nearest(path: string, all: readonly Mounted[]): readonly Mounted[] {
  const applications = all.filter(({ mount }) => mount.into === undefined);
  const most = Math.max(...applications.map((one) => sharedFolders(path, one.path)));
  const near = applications.filter((one) => sharedFolders(path, one.path) === most);
  const prefixed = near.filter(({ mount }) => mount.prefix !== "");
  // What says the versions may be another file.
  const version = near.find(({ mount }) => mount.prefix === "" && mount.version)?.mount.version;
  const whole = prefixed.map((one) => (version && !one.mount.version ? { ...one, mount: { ...one.mount, version } } : one));
  return [...(whole.length > 0 ? whole : near), ...all.filter(({ mount }) => mount.into !== undefined)];
}

/** How many folders two files have in common, from the repository's on. */
function sharedFolders(path: string, other: string): number {
  const [a, b] = [path.split("/").slice(0, -1), other.split("/").slice(0, -1)];
  const end = b.findIndex((part, i) => part !== a[i]);
  return end < 0 ? b.length : end;
}

function runsBefore({ runs, except }: MountFact, path: string): boolean {
  const isUnder = (pattern: string): boolean => covers(pattern, path) || path.startsWith(`${joined("", pattern)}/`);
  return runs!.under?.some(isUnder) !== false && except?.some((one) => covers(one, path)) !== true;
}

/** Whether a pattern stands for a path: `health`, `docs/(.*)`, `users/:id`. */
function covers(pattern: string, path: string): boolean {
  const parts = pattern.replace(/^\/|\/$/g, "").split(/(\{?\/?\(\.\*\)\}?|\{?\/?\*\w*\}?|:\w+)/);
  return new RegExp(`^/?${parts.map((part, i) => (i % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : part.startsWith(":") ? "[^/]+" : ".*")).join("")}/?$`).test(path);
}

function isMeant({ names, within, given }: Omit<Target, "path">, router: RouterFact): boolean {
  if (given && !router.given) return false;
  if (within) return router.line >= within.startLine && router.line <= within.endLine;
  return !names || names.some((name) => router.names.includes(name));
}

function targetsOf({ path, mount }: Mounted, byPath: ReadonlyMap<string, ParsedFile>, relations: (path: string) => readonly Relation[], routes: readonly ParsedFile[]): Target[] {
  const { target, imported, file, folder } = mount;
  if (mount.shared) {
    const symbol = byPath.get(path)?.facts.symbols.findIndex(({ name, line }) => line === target.line && name === target.text) ?? -1;
    if (symbol < 0) return [];
    return routes.filter((one) => one.path !== path && relations(one.path).some(({ to }) => to.path === path && to.symbol === symbol)).map((one) => ({ path: one.path, names: target.names, given: true }));
  }
  if (folder) return filesIn(folder, path, byPath);
  if (file !== undefined) {
    const named = [...byPath.keys()].filter((one) => one === file || one.endsWith(`/${file}`));
    const most = Math.max(...named.map((one) => sharedFolders(path, one)));
    return named.filter((one) => sharedFolders(path, one) === most).map((one) => ({ path: one }));
  }
  const isAt = ({ line, moreLines = [] }: Relation, from: number, to: number): boolean => [line, ...moreLines].some((one) => one >= from && one <= to);
  const own = relations(path);
  const found: Target[] = [];
  for (const relation of own) {
    const { type, to } = relation;
    if (!/^(?:CALLS|REFERENCES|EXTENDS|IMPLEMENTS)$/.test(type) || to.symbol < 0 || !isAt(relation, target.line, target.endLine)) continue;
    const symbol = byPath.get(to.path)?.facts.symbols[to.symbol];
    if (!symbol || !target.names.includes(symbol.name)) continue;
    if (symbol.kind === "Function" || symbol.kind === "Method") found.push({ path: to.path, within: symbol });
    else if (symbol.kind === "Class" || symbol.kind === "Interface") found.push({ path: to.path, names: [routersOf(byPath.get(to.path)!).some(({ names }) => names.includes(symbol.name)) ? symbol.name : target.names.at(-1)!] });
    else if (to.path !== path || (mount.into?.word !== undefined && symbol.name === target.names[0])) found.push({ path: to.path, names: [symbol.name] });
  }
  if (found.length > 0) return found;
  const last = /[.:]/.test(target.text.replace(/\(.*/s, "")) ? target.names.at(-1) : undefined;
  for (const relation of own) {
    const { type, to } = relation;
    if (type !== "IMPORTS" || to.path === path) continue;
    if (!isAt(relation, target.line, target.endLine) && !(imported && isAt(relation, imported.line, imported.endLine))) continue;
    // A name that no router of that file has is what this file calls what is exported there.
    const isNamed = last !== undefined && imported !== undefined && routersOf(byPath.get(to.path)!).some(({ names }) => names.includes(last));
    found.push({ path: to.path, ...(isNamed ? { names: [last] } : {}) });
  }
  // Of the modules that one line imports, the one of that name.
  const called = found.filter((one) => new RegExp(`(?:^|/)${target.names[0]?.replace(/\$/g, "\\$")}(?:\\.\\w+|/(?:__init__|index)\\.\\w+)$`).test(one.path));
  return called.length > 0 ? called : found;
}

/** The files of a folder, with the paths that their folders within it stand for. */
function filesIn({ path: folder, names }: FolderFact, from: string, byPath: ReadonlyMap<string, ParsedFile>): Target[] {
  const parts: string[] = from.split("/").slice(0, -1);
  for (const part of folder.split("/")) if (part === "..") parts.pop();
  else parts.push(part);
  const own = `${parts.join("/")}/`;
  const all = [...byPath.keys()];
  const inside = all.filter((path) => path.startsWith(own));
  const other = `/${folder.replace(/^(?:\.\.\/)+/, "")}/`;
  const rests = inside.length > 0 ? inside.map((path) => ({ path, rest: path.slice(own.length) })) : all.filter((path) => `/${path}`.includes(other)).map((path) => ({ path, rest: `/${path}`.slice(`/${path}`.indexOf(other) + other.length) }));
  return rests.map(({ path, rest }) => {
    const folders = names === undefined ? [] : rest.split("/").slice(0, -1).map((part) => (names === "parameters" ? part.replace(/^_/, ":") : part));
    return { path, prefix: byPath.get(path)!.facts.ownPrefix ?? folders.join("/") };
  });
}

/** The text that a constant of another file is given, by what the line that names it refers to. */
function constantOf(name: string, path: string, line: number, relations: readonly Relation[], byPath: ReadonlyMap<string, ParsedFile>): string | undefined {
  const [member = name, owner] = name.split(".").reverse();
  for (const { type, to, line: first, moreLines = [] } of relations) {
    if ((type !== "REFERENCES" && type !== "CALLS") || to.symbol < 0 || to.path === path || (first !== line && !moreLines.includes(line))) continue;
    const { symbols, texts } = byPath.get(to.path)?.facts ?? { symbols: [] };
    const symbol = symbols[to.symbol];
    // Of an object, an enum or a class, or of what is made of a class: `settings = Settings()`.
    const made = /=\s*(?:new\s+)?(\w+)\(/.exec(symbol?.signature ?? "")?.[1];
    const holder = symbol?.owner ?? symbols[symbol?.parent ?? -1]?.name;
    const own = symbol?.name === owner ? texts?.[name] ?? texts?.[`${made}.${member}`] : symbol?.name === member ? texts?.[`${holder}.${member}`] : undefined;
    if (own !== undefined) return own;
    const text = symbol?.kind === "Variable" && symbol.name === member ? /(?:=|\()\s*["'`]([^"'`]*)["'`](?:\s+as\s+const)?\)?$/.exec(symbol.signature?.replace(/^(?:let|var) .*/s, "") ?? "")?.[1] : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

function routersOf({ facts: { symbols, mounts = [] } }: ParsedFile): RouterFact[] {
  return [...symbols.flatMap(({ route }) => route?.router ?? []), ...mounts.flatMap(({ into }) => into ?? [])];
}

/** Two parts of a path, with one slash between them; of tRPC's names, `a.b` and `.c.d`. */
function joined(prefix: string, path: string): string {
  if (path.startsWith(".")) return prefix === "" ? path.slice(1) : prefix + path;
  const [a, b] = [prefix.replace(/\/+$/, ""), path.replace(/^\/+/, "")];
  const outer = a === "" || a.startsWith("/") || a.startsWith("…") ? a : `/${a}`;
  return b === "" ? outer || "/" : `${outer}/${b}`;
}
