import type { Node, Tree } from "web-tree-sitter";
import type { FileFacts, MountFact, NamedCode, RouteFact } from "../../facts.ts";
import { parserCommands } from "./argparse.ts";
import { actionsByName } from "./aspnet.ts";
import { type Annotated, annotated, type Annotation, type Argument, entriesOf, GRAMMARS, type Grammar, literal } from "./calls.ts";
import { Commands, hasGroups } from "./commands.ts";
import { ANNOTATIONS, type Annotations, type Framework, FRAMEWORKS, JAX_RS, JOBS, NEST } from "./frameworks.ts";
import { actionsOfSets } from "./django.ts";
import { calledJobs, classJobs, thorCommands } from "./jobs.ts";
import { resourceMounts } from "./jax-rs.ts";
import { memberTexts } from "./members.ts";
import { methodsIn } from "./methods.ts";
import { controllerRouter, nestMounts } from "./nest.ts";
import { pagesOf } from "./next.ts";
import { aliasesOf } from "./laravel-aliases.ts";
import { railsRoutes } from "./rails.ts";
import { filtersOf } from "./rails-filters.ts";
import { Routers } from "./routers.ts";
import { codeOf, DEPENDENCIES, joined } from "./known-routers.ts";
import { rackMounts } from "./sinatra.ts";
import { commentedRoutes } from "./symfony.ts";
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
  const rows = (FRAMEWORKS[language] ?? []).filter(({ imports, marks, handed }) => (imports.test(source) && marks?.test(source) !== false) || (handed?.test(source) === true && !isTestPath(path)));
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
      for (const row of annotations) found.push(...declared(one, row, texts, grammar, symbolAt));
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
  if (language === "typescript") {
    const procedures = proceduresOf(root, source, grammar);
    found.push(...procedures.routes);
    mounts.push(...procedures.mounts);
    mounts.push(...nestMounts(root, source, texts, grammar));
    for (const { name, symbol } of pagesOf(facts.symbols, path, source)) found.push({ name, node: root, route: { before: [], symbol } });
  }
  if (language === "php" && /Symfony\\Component\\Routing|SensioBundle/.test(source) && source.includes("Route(")) {
    for (const { name, method } of commentedRoutes(root)) {
      const symbol = symbolAt(method);
      if (symbol >= 0) found.push({ name, node: method.parent ?? method, route: { before: [], symbol } });
    }
  }
  if (language === "csharp" && /Controller\b/.test(source)) {
    for (const { name, method, before } of actionsByName(root, grammar)) {
      const symbol = symbolAt(method);
      if (symbol >= 0) found.push({ name, node: method.parent ?? method, route: { before, symbol } });
    }
  }
  // A class that an attribute makes a command is one already.
  const known = new Set(found.map(({ route }) => route.symbol));
  found.push(...classJobs(language, root, source, path, symbolAt).filter(({ route }) => !known.has(route.symbol)), ...calledJobs(language, root, source, facts.symbols));
  if (language === "python") found.push(...parserCommands(root, source));
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
  const joinable = {
    ...facts, ...(members ? { texts: members } : {}), ...(mounts.length > 0 ? { mounts: mounts.slice(0, MAX_ROUTES) } : {}), ...(filters.length > 0 ? { filters: filters.slice(0, MAX_ROUTES) } : {}),
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

function signatureOf(name: string, { before, handler, named }: RouteFact, declaredName: string | undefined): string {
  const last = declaredName ?? handler?.text ?? (named ? `${named.owner}.${named.name}` : "");
  return [name, ...before.map(({ text }) => text), ...(last === "" ? [] : [last])].join(" → ").slice(0, MAX_SIGNATURE);
}

/** A handler that is named by texts (`[Articles::class, "index"]`, `"Articles@index"`), or by code. */
function handlerOf(handler: NamedCode): Pick<RouteFact, "handler" | "named"> {
  const [, owner, name = "__invoke"] = /^\[\s*\\?(?:\w+\\)*(\w+)::class\s*,\s*["'](\w+)["']\s*\]$/.exec(handler.text) ?? /^\\?(?:\w+\\)*(\w+)@(\w+)$/.exec(handler.text) ?? /^\\?(?:\w+\\)*(\w+)::class$/.exec(handler.text) ?? [];
  return owner !== undefined ? { named: { owner, name } } : { handler };
}

function argument(args: readonly Argument[], names: readonly string[]): Node | undefined {
  return args.find(({ name }) => names.includes(name))?.node ?? args.find(({ name }) => name === "")?.node;
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

/** Routes of annotations on methods, with the path of the class before theirs. */
function declared(one: Annotated, row: Annotations, texts: Texts, grammar: Grammar, symbolAt: (name: Node) => number): Declared[] {
  if (/class|interface|record/.test(one.node.type)) {
    const run = invoked(one, row, grammar);
    if (!run) return [];
    one = { ...one, name: run, outer: undefined };
  }
  return one.annotations.filter(({ name }) => row.methods[name] !== undefined).flatMap((found) => routesOf(one, found, row, texts, grammar, symbolAt));
}

/** Symfony: the name of the method that a route of a class runs, where none of its methods has a route. */
function invoked({ node }: Annotated, { methods, invoked: name }: Annotations, grammar: Grammar): Node | undefined {
  const body = node.childForFieldName("body");
  if (name === undefined || !body || annotated(body, grammar).some(({ annotations }) => annotations.some((one) => methods[one.name] !== undefined))) return undefined;
  return body.namedChildren.map((child) => child.childForFieldName("name")).find((one) => one?.text === name) ?? undefined;
}

function routesOf(one: Annotated, found: Annotation, row: Annotations, texts: Texts, grammar: Grammar, symbolAt: (name: Node) => number): Declared[] {
  const { outer } = one;
  const holder = outer?.annotations.find(({ name }) => row.paths.test(name));
  // JAX-RS: a class without a path is a part of another.
  const part = row.router === JAX_RS && !holder ? classAround(one.node) : undefined;
  if ((!holder && !row.plain && !outer && !part && found.args.length === 0) || outer?.annotations.some(({ name }) => row.clients?.test(name))) return [];
  const pathsOf = (annotation: Annotation | undefined): string[] => {
    const args = annotation && row.spoken?.test(annotation.name) ? annotation.args.filter(({ name }) => name !== "") : annotation?.args ?? [];
    let node = argument(args, row.path);
    // NestJS: `@Controller({ path: "cats" })`
    if (node?.type === "object") node = argument(entriesOf(node), row.path);
    if (!node || (/array|initializer/.test(node.type) && node.namedChildren.length === 0)) return [""];
    const said = texts.all(node);
    return said.length > 0 ? said : args.some(({ name }) => name === "" || row.path.includes(name)) ? [texts.hole(node)] : [""];
  };
  const beside = row.methods[found.name] !== "" || found.args.length > 0 ? one.annotations.find(({ name }) => name !== found.name && row.paths.test(name)) : undefined;
  const className = outer?.name.text.replace(/Controller$/, "") ?? "";
  const outers = pathsOf(holder).map((path) => path.replace("[controller]", className).replace("[action]", one.name.text));
  const own = pathsOf(found);
  const inners = (own.every((path) => path === "") ? pathsOf(beside) : own).map((path) => path.replace("[action]", one.name.text));
  const said = found.args.filter(({ name }) => row.method?.test(name) === true).flatMap(({ node }) => methodsIn(node, texts));
  const spoken = row.spoken?.test(found.name) ? found.args.filter(({ name }) => name === "").flatMap(({ node }) => texts.all(node)) : [];
  const methods = spoken.length > 0 ? spoken : said.length > 0 ? said : [row.methods[found.name]! || "ANY"];
  const before = [...(outer?.annotations ?? []), ...one.annotations].filter(({ name }) => row.before?.test(name) === true).flatMap(({ name, args, node }) => (
    args.length > 0 ? args.map((each) => codeOf(each.node, grammar)) : [{ ...codeOf(node, grammar), text: name }]
  ));
  const symbol = symbolAt(one.name);
  if (symbol < 0) return [];
  const line = one.name.startPosition.row + 1;
  const router = part !== undefined ? { names: [part], line: 0 } : row.router === NEST ? controllerRouter(one, texts) : row.router !== undefined ? { names: [row.router], line: 0 } : row.byName ? { names: [one.name.text], line } : undefined;
  const paths = outers.flatMap((prefix) => inners.map((inner) => (/^~\//.test(inner) || (row.rooted && inner.startsWith("/")) ? inner.replace("~", "") : joined("", joined(prefix, inner)))));
  return methods.flatMap((method) => [...new Set(paths)].map((path) => ({ name: `${method.toUpperCase()} ${part === undefined ? "" : "…"}${path}`, node: found.node, route: { before, symbol, ...(router ? { router } : {}) } })));
}

function classAround({ parent }: Node): string | undefined {
  for (let at = parent; at; at = at.parent) if (/^(?:class|interface|record)_declaration$/.test(at.type)) return at.childForFieldName("name")?.text;
  return undefined;
}
