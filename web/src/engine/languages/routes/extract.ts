import type { Node, Tree } from "web-tree-sitter";
import type { FileFacts, MountFact, NamedCode, RouteFact } from "../../facts.ts";
import { parserCommands } from "./argparse.ts";
import { actionsByName, pageHandlers } from "./aspnet.ts";
import { type Annotated, annotated, type Annotation, argument, GRAMMARS, type Grammar, literal } from "./calls.ts";
import { Commands, hasGroups } from "./commands.ts";
import { ANNOTATIONS, type Framework, FRAMEWORKS, JAX_RS, JOBS, SYMFONY } from "./frameworks.ts";
import { actionsOfSets } from "./django.ts";
import { answersOf } from "./views.ts";
import { folderHooks, ownPrefix } from "./folders.ts";
import { goCommands } from "./go-commands.ts";
import { calledJobs, classJobs, thorCommands } from "./jobs.ts";
import { resourceMounts } from "./jax-rs.ts";
import { memberTexts } from "./members.ts";
import { nestMounts } from "./nest.ts";
import { pagesOf } from "./next.ts";
import { declared, inheritedPaths } from "./annotations.ts";
import { aliasesOf } from "./laravel-aliases.ts";
import { railsRoutes } from "./rails.ts";
import { filtersOf } from "./rails-filters.ts";
import { Routers } from "./routers.ts";
import { codeOf, DEPENDENCIES, joined } from "./known-routers.ts";
import { rocketMounts } from "./rust.ts";
import { schedules } from "./schedules.ts";
import { servletRoutes } from "./servlets.ts";
import { rackMounts } from "./sinatra.ts";
import { commentedRoutes, configuredRoutes } from "./symfony.ts";
import { NAMED } from "../../mounts.ts";
import { isTestPath } from "../../test-paths.ts";
import { Texts } from "./texts.ts";
import { proceduresOf } from "./trpc.ts";

/** More routes than this no file has that a person wrote. */
const MAX_ROUTES = 2_000;
const MAX_SIGNATURE = 200;

/** A route with where it stands. */
export interface Declared {
  name: string;
  node: Node;
  route: RouteFact;
}

/** Adds the routes, jobs and commands that a file declares to its symbols. Only a file that imports a framework is looked at. */
export function withRoutes<D>(language: string, facts: FileFacts<D>, tree: Tree, source: string, path: string): FileFacts<D> {
  const grammar = GRAMMARS[language];
  if (!grammar) return facts;
  const found: Declared[] = [];
  const mounts: MountFact[] = [];
  const frameworks = FRAMEWORKS[language] ?? [];
  const imported = frameworks.filter(({ imports, marks }) => imports.test(source) && marks?.test(source) !== false);
  const rows = imported.length > 0 || isTestPath(path) ? imported : frameworks.filter(({ handed }) => handed?.test(source));
  const annotations = (ANNOTATIONS[language] ?? []).filter(({ imports }) => imports.test(source));
  const jobs = (JOBS[language] ?? []).filter(({ imports, marks }) => imports.test(source) && marks?.test(source) !== false);
  const root = tree.rootNode;
  const texts = new Texts(root, grammar);
  const symbolAt = (name: Node): number => facts.symbols.findIndex((symbol) => symbol.line === name.startPosition.row + 1 && symbol.name === name.text);
  if (rows.length > 0) {
    const routers = new Routers(root, source, grammar, rows);
    for (const { method, path: at, node, before, handler, actions, router } of routers.find()) {
      found.push({ name: `${method} ${at}`, node, route: { before, ...(handler ? handlerOf(handler) : {}), ...(actions ? { actions } : {}), ...(router ? { router } : {}) } });
    }
    mounts.push(...routers.mounts());
    if (rows.some(({ decorators }) => decorators)) {
      for (const one of annotated(root, grammar)) for (const annotation of one.annotations) found.push(...decorated(one, annotation, rows, routers, texts, grammar, symbolAt));
    }
    if (rows.some(({ viewsets }) => viewsets)) found.push(...actionsOfSets(root, grammar, texts, symbolAt, (symbol) => facts.symbols[symbol]?.owner));
  }
  if (language === "java" && annotations.some(({ router }) => router === JAX_RS)) mounts.push(...resourceMounts(root, source, texts, grammar));
  const isGrouped = language === "python" && hasGroups(source);
  if (annotations.length + jobs.length > 0 || isGrouped) {
    const all = annotated(root, grammar);
    let commands = isGrouped ? new Commands(root, source, grammar, all) : undefined;
    mounts.push(...commands?.mounts() ?? []);
    for (const one of all) {
      for (const row of annotations) {
        found.push(...declared(one, row, texts, grammar, symbolAt));
        if (row.inherits) mounts.push(...inheritedPaths(one, row, texts));
      }
      const job = jobs.find(({ callee }) => one.annotations.some((each) => callee.test(each.callee)));
      const annotation = job && one.annotations.find((each) => job.callee.test(each.callee));
      const run = job?.runs ? methodOf(one, job.runs) : one.name;
      const symbol = annotation && run ? symbolAt(run) : -1;
      if (!annotation || symbol < 0) continue;
      if (language === "python" && job.kind === "COMMAND") {
        const { words, router } = (commands ??= new Commands(root, source, grammar, all)).command(one.name, annotation.args, annotation.receiver);
        found.push({ name: `${job.kind} ${words}`, node: one.node, route: { before: [], symbol, router } });
        continue;
      }
      const name = (job.names && literal(argument(annotation.args, job.names), grammar)) ?? one.name.text;
      found.push({ name: `${job.kind} ${name}`, node: one.node, route: { before: [], symbol } });
    }
  }
  if (language === "java" && /@Web(?:Servlet|Filter)\b/.test(source)) for (const one of annotated(root, grammar)) found.push(...servletRoutes(one, texts, symbolAt));
  if (language === "typescript") {
    const procedures = proceduresOf(root, source, grammar);
    found.push(...procedures.routes);
    mounts.push(...procedures.mounts);
    mounts.push(...nestMounts(root, source, texts, grammar));
    for (const { name, ...handled } of pagesOf(facts.symbols, path, source)) {
      const line = handled.handler?.line;
      found.push({ name, node: (line !== undefined && root.descendantForPosition({ row: line - 1, column: 0 })) || root, route: { before: [], ...handled } });
    }
  }
  if (language === "php" && /Symfony\\Component\\Routing|SensioBundle/.test(source) && source.includes("Route(")) {
    for (const { name, method } of commentedRoutes(root)) {
      const symbol = symbolAt(method);
      if (symbol >= 0) found.push({ name, node: method.parent ?? method, route: { before: [], symbol, router: { names: [SYMFONY], line: 0 } } });
    }
  }
  if (language === "php") {
    const configured = configuredRoutes(root, source, texts);
    found.push(...configured.routes);
    mounts.push(...configured.mounts);
  }
  if (language === "csharp") {
    const actions = /Controller\b/.test(source) ? actionsByName(root, grammar) : path.endsWith(".cshtml.cs") ? pageHandlers(root, path) : [];
    for (const { name, method, before, router } of actions) {
      const symbol = symbolAt(method);
      if (symbol >= 0) found.push({ name, node: method.parent ?? method, route: { before, symbol, ...(router ? { router } : {}) } });
    }
  }
  if (language === "rust" && /\brocket\b/.test(source)) mounts.push(...rocketMounts(root, texts, grammar));
  // A class that an attribute makes a command is one already.
  const known = new Set(found.map(({ route }) => route.symbol));
  found.push(...classJobs(language, root, source, path, symbolAt).filter(({ route }) => !known.has(route.symbol)), ...calledJobs(language, root, source, facts.symbols));
  if (language === "go") {
    const commands = goCommands(root, source);
    found.push(...commands.routes);
    mounts.push(...commands.mounts);
  }
  if (language === "python") found.push(...parserCommands(root, source), ...schedules(root, source));
  if (language === "ruby" && /<\s*Thor\b/.test(source)) found.push(...thorCommands(root, symbolAt));
  if (language === "ruby" && (/\.ru$/.test(path) || /\bRack::(?:Builder|URLMap)\b/.test(source))) mounts.push(...rackMounts(root, grammar, texts));
  const isDrawn = /(?:^|\/)config\/routes\/.+\.rb$/.test(path);
  if (language === "ruby" && (isDrawn || /\.routes\.draw\b/.test(source))) {
    const drawn = railsRoutes(root, grammar, isDrawn);
    found.push(...drawn.routes);
    mounts.push(...drawn.mounts);
  }
  const filters = language === "ruby" && /_action\b/.test(source) ? filtersOf(root, grammar, texts, symbolAt) : [];
  const aliases = language === "php" && /[mM]iddleware/.test(source) && /[aA]lias|[gG]roup|routeMiddleware/.test(source) ? aliasesOf(root, grammar) : [];
  const members = memberTexts(language, root, source);
  const own = language === "typescript" ? ownPrefix(source) : undefined;
  const hooks = language === "typescript" ? folderHooks(root, source, path, grammar) : undefined;
  const answers = language === "python" ? answersOf(root, source, texts, grammar) : undefined;
  const joinable = {
    ...facts, ...(members ? { texts: members } : {}), ...(own === undefined ? {} : { ownPrefix: own }), ...(hooks ? { folderHooks: hooks } : {}), ...(answers ? { answers } : {}), ...(mounts.length > 0 ? { mounts: mounts.slice(0, MAX_ROUTES) } : {}), ...(filters.length > 0 ? { filters: filters.slice(0, MAX_ROUTES) } : {}),
    ...(aliases.length > 0 ? { aliases: aliases.slice(0, MAX_ROUTES) } : {}),
  };
  if (found.length === 0) return joinable;
  found.sort((a, b) => a.node.startIndex - b.node.startIndex);
  const symbols = [...facts.symbols];
  for (const { name: path, node, route } of found.slice(0, MAX_ROUTES)) {
    const name = path.replace(NAMED, "…");
    const handler = route.symbol === undefined ? undefined : facts.symbols[route.symbol];
    const line = handler?.line ?? node.startPosition.row + 1;
    symbols.push({
      kind: "Route", name, parent: -1, line, startLine: Math.min(line, node.startPosition.row + 1, handler?.startLine ?? line), endLine: handler ? line : node.endPosition.row + 1,
      exported: true, signature: signatureOf(name, route, handler?.name), route: name === path ? route : { ...route, path },
    });
  }
  return { ...joinable, symbols };
}

/** The first method of a class that has one of some names. */
function methodOf({ node }: Annotated, names: readonly string[]): Node | undefined {
  const own = (node.childForFieldName("body")?.namedChildren ?? []).map((child) => child.childForFieldName("name"));
  return names.map((name) => own.find((one) => one?.text === name)).find((one) => one) ?? undefined;
}

function signatureOf(name: string, { before, handler, named, task }: RouteFact, declaredName: string | undefined): string {
  const last = declaredName ?? handler?.text ?? (named ? `${named.owner}.${named.name}` : task ?? "");
  return [name, ...before.map(({ text }) => text), ...(last === "" ? [] : [last])].join(" → ").slice(0, MAX_SIGNATURE);
}

/** A handler that is named by texts (`[Articles::class, "index"]`, `"Articles@index"`, Slim's `Articles::class . ":index"`), or by code. */
function handlerOf(handler: NamedCode): Pick<RouteFact, "handler" | "named"> {
  const [, owner, name = "__invoke"] = /^\[\s*\\?(?:\w+\\)*(\w+)::class\s*,\s*["'](\w+)["']\s*\]$/.exec(handler.text) ?? /^\\?(?:\w+\\)*(\w+)[@:](\w+)$/.exec(handler.text) ?? /^\\?(?:\w+\\)*(\w+)::class\s*\.\s*["']:(\w+)["']$/.exec(handler.text) ?? /^\\?(?:\w+\\)*(\w+)::class$/.exec(handler.text) ?? [];
  return owner !== undefined ? { named: { owner, name } } : { handler };
}

/** Routes of decorators on a router: `@app.get("/x")`, `@app.route("/x", methods=["GET"])`. */
function decorated(one: Annotated, { name, receiver, args, node }: Annotation, rows: readonly Framework[], routers: Routers, texts: Texts, grammar: Grammar, symbolAt: (name: Node) => number): Declared[] {
  const row = rows.find(({ decorators, verbs }) => decorators && verbs[name] !== undefined);
  const path = texts.one(args[0]?.node);
  if (!row || !receiver || path === undefined) return [];
  const symbol = symbolAt(one.name);
  if (symbol < 0) return [];
  const said = args.find((each) => each.name === "methods")?.node;
  // The methods of a class are those of its routes.
  const methods = said ? texts.all(said).map((text) => text.toUpperCase()) : [one.node.type === "class_definition" ? "ANY" : row.verbs[name]!];
  const before = [...routers.before(receiver, node, path), ...args.filter((each) => each.name === DEPENDENCIES).map((each) => codeOf(each.node, grammar))];
  return routers.prefixes(receiver).flatMap((prefix) => methods.map((method) => ({
    name: `${method} ${joined(prefix.path, path)}`, node, route: { before, symbol, ...(prefix.router ? { router: prefix.router } : {}) },
  })));
}
