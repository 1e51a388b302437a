/**
 * The names of routes as other files complete them: full paths where others mount their router (`mount-targets.ts` says which mounts those are,
 * `mount-paths.ts` joins the paths), constants of others, and the HTTP methods that views of others answer.
 */
import type { RouteFact, SymbolFact } from "./facts.ts";
import type { GraphNode } from "./graph.ts";
import { MountPaths } from "./mount-paths.ts";
import { type Middleware, type Mounted, MountTargets } from "./mount-targets.ts";
import { DEFAULT, NAMED, WHOLE, withoutNames } from "./path-names.ts";
import type { Anchor, ParsedFile, Relation } from "./relations.ts";
import { ViewAnswers } from "./view-answers.ts";

/** Full paths of one route that are told. */
const MAX_PATHS = 4;

/** What a route's node says of it. */
export type RouteName = Pick<GraphNode, "name" | "signature">;

/** A route as other files complete it. */
export interface MountedRoute extends RouteName {
  /** What runs before it where its router is mounted. */
  before: readonly Middleware[];
}

/** What files of configuration say: their mounts, and the path of all routes of the application that a file of code is of, or "". */
export interface RouteConfiguration {
  mounts: readonly Mounted[];
  contextPath: (file: string) => string;
}

/**
 * The routes that other files complete, by file and by the route's index in its symbols. `relations` gives those that leave a file. What
 * files of configuration say changes names alone.
 */
export function mountedRoutes(files: readonly ParsedFile[], relations: (path: string) => readonly Relation[], configuration?: RouteConfiguration): Map<string, Map<number, MountedRoute>> {
  const named = new Map<string, Map<number, MountedRoute>>();
  const routes = files.filter(({ facts: { symbols } }) => symbols.at(-1)?.kind === "Route");
  if (routes.length === 0) return named;
  const names = new RouteNames(new Map(files.map((file) => [file.path, file])), routes, relations, configuration?.mounts ?? []);
  for (const { path, facts: { symbols } } of routes) {
    const own = new Map<number, MountedRoute>();
    const context = configuration?.contextPath(path) ?? "";
    symbols.forEach((symbol, i) => {
      if (!symbol.route) return;
      const { name, signature = name } = symbol;
      const route = names.of(path, symbol, symbol.route) ?? (context === "" ? undefined : { name, signature, before: [] });
      if (route) own.set(i, context === "" ? route : behind(context, route));
    });
    if (own.size > 0) named.set(path, own);
  }
  return named;
}

/** A route whose paths all begin with that of its application. */
function behind(context: string, { name, signature, before }: MountedRoute): MountedRoute {
  const [names = "", ...rest] = signature.split(" → ");
  const put = (one: string): string => one.replace(/^(?!TASK )([A-Z]+) \/(.*)$/s, (_, method: string, path: string) => `${method} ${context.replace(/\/$/, "")}${path === "" ? "" : `/${path}`}`);
  return { name: put(name), signature: [names.split(", ").map(put).join(", "), ...rest].join(" → "), before };
}

class RouteNames {
  private readonly targets: MountTargets;
  private readonly paths: MountPaths;
  private readonly views: ViewAnswers;

  constructor(private readonly files: ReadonlyMap<string, ParsedFile>, routes: readonly ParsedFile[], private readonly relations: (path: string) => readonly Relation[], configured: readonly Mounted[]) {
    this.targets = new MountTargets(files, routes, relations, configured);
    this.views = new ViewAnswers(files);
    this.paths = new MountPaths(this.targets, (file, path) => this.withConstants(file, path));
  }

  /** A route of a file as others complete it; undefined where its file says all of it. */
  of(file: string, { name, signature = name }: SymbolFact, route: RouteFact): MountedRoute | undefined {
    if (!route.router && route.path === undefined) return undefined;
    const declared = this.withConstants(file, route.path ?? name).replace(/^[a-z]+(?= )/, (method) => method.toUpperCase());
    const [method = ""] = declared.split(" ", 1);
    const declaring = route.symbol === undefined ? undefined : this.files.get(file)?.facts.symbols[route.symbol];
    // Flask-RESTX: `@users.route("/")` before a class.
    const { methods, lookup } = method !== "ANY" ? { methods: [] } : route.handler ? answered(route, this.relations(file), this.files, this.views) : declaring?.kind === "Class" ? this.views.of(file, declaring.name) : { methods: [] };
    const whole = lookup === undefined ? declared : declared.replace("{pk}", `{${lookup}}`);
    const said = withoutNames(whole);
    const [, path = ""] = /^\S+ …?(.*)$/s.exec(whole) ?? [];
    const all = route.router ? this.paths.of(file, route.router, path) : [];
    const middlewares = route.router ? this.targets.middlewaresOf(file, route.router, path) : [];
    if (all.length === 0) {
      const now = methods.length > 0 ? routeName(method, methods, [said.slice(method.length + 1)]) : { name: said, all: said };
      if (now.all === name && middlewares.length === 0) return undefined;
      const head = [now.all, ...middlewares.map(({ code }) => code.text)].join(" → ");
      return { name: now.name, signature: head + signature.slice(name.length), before: middlewares };
    }
    const now = routeName(method, methods, [...new Set(all.map((one) => withoutNames(one.path)))].slice(0, MAX_PATHS));
    // The signature has what runs before the route on the first of its paths.
    const head = [now.all, ...[...middlewares, ...all[0]!.before].map(({ code }) => code.text)].join(" → ");
    return { name: now.name, signature: signature.startsWith(name) ? head + signature.slice(name.length) : signature, before: [...middlewares, ...all.flatMap((one) => one.before)] };
  }

  /** A path of a file with the texts of the constants of other files that it names. */
  private withConstants(file: string, path: string): string {
    if (!path.includes("«")) return path;
    return path.replace(NAMED, (_, name: string, line: string, imported: string | undefined) => (
      constantOf(name, file, Number(line), this.relations(file), this.files) ?? exportedText(name, Number(imported), this.relations(file), this.files) ?? "…"
    )).replace(/\/{2,}/g, "/");
  }
}

/**
 * The name of a route by its first path, and all that it answers: each of its paths with each of its methods. `methods`: those that its view is
 * known to answer; of several the name says `method`, which is ANY.
 */
function routeName(method: string, methods: readonly string[], paths: readonly string[]): { name: string; all: string } {
  const verbs = methods.length > 0 ? methods : [method];
  return { name: `${verbs.length === 1 ? verbs[0]! : method} ${paths[0]!}`, all: paths.flatMap((path) => verbs.map((verb) => `${verb} ${path}`)).join(", ") };
}

/** HTTP's methods that another file exports functions for, which a route's file exports as a whole. */
const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;

/** Next.js: these functions, where the handler of a route is what another file exports. */
export function exportedHandlers({ handler }: RouteFact, relations: readonly Relation[], file: (path: string) => ParsedFile | undefined): { name: string; to: Anchor }[] {
  if (handler?.text !== WHOLE) return [];
  return relations.filter(({ type, line, moreLines = [] }) => type === "IMPORTS" && [line, ...moreLines].includes(handler.line)).flatMap(({ to: { path } }) => {
    const { facts, symbols = [] } = file(path) ?? {};
    return (facts?.symbols ?? []).flatMap(({ name, exported, parent }, i) => (exported && parent < 0 && METHOD.test(name) ? [{ name, to: symbols[i]! }] : []));
  });
}

/** HTTP's methods that the view answers which is the handler of a route, none where no file says them, and the parameter for an object of a set. */
function answered({ handler, actions }: RouteFact, relations: readonly Relation[], files: ReadonlyMap<string, ParsedFile>, views: ViewAnswers): { methods: readonly string[]; lookup?: string | undefined } {
  if (handler!.text === WHOLE) return { methods: exportedHandlers({ before: [], handler: handler! }, relations, (path) => files.get(path)).map(({ name }) => name) };
  for (const { type, to, line, moreLines = [] } of relations) {
    if ((type !== "REFERENCES" && type !== "CALLS") || to.symbol < 0 || ![line, ...moreLines].some((one) => one >= handler!.line && one <= handler!.endLine)) continue;
    const { name: view = "", kind, signature = "" } = files.get(to.path)?.facts.symbols[to.symbol] ?? {};
    // Of a class what `as_view` makes of it, or a set, or the class alone.
    const at = kind !== "Class" || actions || handler!.names.length === 1 ? handler!.names.indexOf(view) : handler!.names.indexOf("as_view") - 1;
    // `show = login_required(Show.as_view())`
    const made = kind === "Variable" ? /(\w+)\.as_view\(/.exec(signature)?.[1] : view;
    const known = made !== undefined && handler!.names[at] === view ? views.of(to.path, made, actions) : undefined;
    if (known && (known.methods.length > 0 || known.lookup !== undefined)) return known;
  }
  return { methods: [] };
}

/** The text that a constant of another file is given, by what the line that names it refers to. */
function constantOf(name: string, path: string, line: number, relations: readonly Relation[], files: ReadonlyMap<string, ParsedFile>): string | undefined {
  const [member = name, owner] = name.split(".").reverse();
  for (const { type, to, line: first, moreLines = [] } of relations) {
    if ((type !== "REFERENCES" && type !== "CALLS") || to.symbol < 0 || to.path === path || (first !== line && !moreLines.includes(line))) continue;
    const { symbols, texts } = files.get(to.path)?.facts ?? { symbols: [] };
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

/** The text that a file which a line imports has for a member of what it exports: `config.api.prefix` after `const config = require("./config")`. */
function exportedText(name: string, line: number, relations: readonly Relation[], files: ReadonlyMap<string, ParsedFile>): string | undefined {
  for (const { type, to, line: first, moreLines = [] } of relations) {
    if (type !== "IMPORTS" || (first !== line && !moreLines.includes(line))) continue;
    const texts = files.get(to.path)?.facts.texts;
    const text = texts?.[name] ?? texts?.[`${DEFAULT}.${name.split(".").at(-1)!}`];
    if (text !== undefined) return text;
  }
  return undefined;
}
