/** Routes whose router another file puts under a path: their whole paths, by what the relations of that file say. */
import type { MountFact, NamedCode, RouterFact, SymbolFact } from "./facts.ts";
import type { GraphNode } from "./graph.ts";
import type { ParsedFile, Relation } from "./relations.ts";

/** Routers that are put into routers that are put into routers … */
const MAX_DEPTH = 10;
/** Paths of one route that are told. */
const MAX_PATHS = 4;

interface Mounted {
  path: string;
  mount: MountFact;
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
  const mounts = files.flatMap(({ path, facts }) => (facts.mounts ?? []).map((mount) => ({ path, mount })));
  if (mounts.length === 0) return named;
  const byPath = new Map(files.map((file) => [file.path, file]));
  const routes = files.filter(({ facts: { symbols } }) => symbols.at(-1)?.kind === "Route");
  const targets = new Map<Mounted, Target[]>(mounts.map((mounted) => [mounted, targetsOf(mounted, byPath, relations, routes)]));

  /** The whole paths of a router's route whose path in its file is `rest`: one for each way to it. */
  const whole = (path: string, router: RouterFact, rest: string, within: readonly MountFact[]): { path: string; before: MountedRoute["before"] }[] => {
    if (within.length > MAX_DEPTH) return [];
    // What is put into itself has no other path for it.
    return mounts.filter((mounted) => !within.includes(mounted.mount) && targets.get(mounted)!.some((target) => target.path === path && isMeant(target, router))).flatMap(({ path: at, mount }) => {
      const end = mount.overrides && router.own !== undefined && rest.startsWith(router.own) ? rest.slice(router.own.length) : rest;
      const outer = mount.into ? whole(at, mount.into, mount.prefix.replace(/^…/, ""), [...within, mount]) : [];
      return (outer.length > 0 ? outer : [{ path: mount.prefix, before: [] }]).map((one) => ({ path: joined(one.path, end), before: [...one.before, ...(mount.before ?? []).map((code) => ({ path: at, code }))] }));
    });
  };

  for (const { path, facts: { symbols } } of routes) {
    const own = new Map<number, MountedRoute>();
    symbols.forEach(({ route, name, signature = name }, i) => {
      if (!route?.router) return;
      const [, method = "", rest = ""] = /^(\S+) …?(.*)$/s.exec(name) ?? [];
      const found = whole(path, route.router, rest, []);
      const names = [...new Set(found.map((one) => `${method} ${one.path}`))].slice(0, MAX_PATHS);
      if (names.length === 0) return;
      // What runs before it on the first of the ways.
      const head = [names.join(", "), ...found[0]!.before.map(({ code }) => code.text)].join(" → ");
      own.set(i, { name: names[0]!, signature: signature.startsWith(name) ? head + signature.slice(name.length) : signature, before: found.flatMap((one) => one.before) });
    });
    if (own.size > 0) named.set(path, own);
  }
  return named;
}

/** What a mount may mean in one file: routers of these names, or all. */
interface Target {
  path: string;
  names?: readonly string[];
  /** Only routers that the file does not make. */
  given?: true;
  /** The function that makes the router, or is given it: its routes stand in it. */
  within?: SymbolFact;
}

function isMeant({ names, within, given }: Target, router: RouterFact): boolean {
  if (given && !router.given) return false;
  if (within) return router.line >= within.startLine && router.line <= within.endLine;
  return !names || names.some((name) => router.names.includes(name));
}

function targetsOf({ path, mount }: Mounted, byPath: ReadonlyMap<string, ParsedFile>, relations: (path: string) => readonly Relation[], routes: readonly ParsedFile[]): Target[] {
  const { target, imported, file } = mount;
  // Of all files, by a name that no code can have.
  if (target.line === 0) return routes.map((one) => ({ path: one.path, names: target.names }));
  if (mount.shared) {
    const symbol = byPath.get(path)?.facts.symbols.findIndex(({ name, line }) => line === target.line && name === target.text) ?? -1;
    if (symbol < 0) return [];
    return routes.filter((one) => one.path !== path && relations(one.path).some(({ to }) => to.path === path && to.symbol === symbol)).map((one) => ({ path: one.path, names: target.names, given: true }));
  }
  if (file !== undefined) {
    return [...byPath.keys()].filter((one) => one === file || one.endsWith(`/${file}`)).map((one) => ({ path: one }));
  }
  const isAt = ({ line, moreLines = [] }: Relation, from: number, to: number): boolean => [line, ...moreLines].some((one) => one >= from && one <= to);
  const own = relations(path);
  const found: Target[] = [];
  for (const relation of own) {
    const { type, to } = relation;
    if ((type !== "CALLS" && type !== "REFERENCES") || to.symbol < 0 || !isAt(relation, target.line, target.endLine)) continue;
    const symbol = byPath.get(to.path)?.facts.symbols[to.symbol];
    if (!symbol || !target.names.includes(symbol.name)) continue;
    if (symbol.kind === "Function" || symbol.kind === "Method") found.push({ path: to.path, within: symbol });
    else if (symbol.kind === "Class") found.push({ path: to.path, names: [routersOf(byPath.get(to.path)!).some(({ names }) => names.includes(symbol.name)) ? symbol.name : target.names.at(-1)!] });
    else if (to.path !== path) found.push({ path: to.path, names: [symbol.name] });
  }
  if (found.length > 0) return found;
  const last = /[.:]/.test(target.text.replace(/\(.*/s, "")) ? target.names.at(-1) : undefined;
  for (const relation of own) {
    const { type, to } = relation;
    if (type !== "IMPORTS" || to.path === path) continue;
    if (!isAt(relation, target.line, target.endLine) && !(imported && isAt(relation, imported.line, imported.endLine))) continue;
    found.push({ path: to.path, ...(last !== undefined && imported ? { names: [last] } : {}) });
  }
  // Of the modules that one line imports, the one of that name.
  const called = found.filter((one) => new RegExp(`(?:^|/)${target.names[0]?.replace(/\$/g, "\\$")}(?:\\.\\w+|/(?:__init__|index)\\.\\w+)$`).test(one.path));
  return called.length > 0 ? called : found;
}

function routersOf({ facts: { symbols } }: ParsedFile): RouterFact[] {
  return symbols.flatMap(({ route }) => route?.router ?? []);
}

/** Two parts of a path, with one slash between them; of tRPC's names, `a.b` and `.c.d`. */
function joined(prefix: string, path: string): string {
  if (path.startsWith(".")) return prefix === "" ? path.slice(1) : prefix + path;
  const [a, b] = [prefix.replace(/\/+$/, ""), path.replace(/^\/+/, "")];
  return b === "" ? a || "/" : `${a === "…" || a === "" || a.startsWith("/") || a.startsWith("…") ? a : `/${a}`}/${b}`;
}
