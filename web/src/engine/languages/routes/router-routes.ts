import type { Node } from "web-tree-sitter";
import type { NamedCode, RouteFact } from "../../facts.ts";
import { isTestPath } from "../../test-paths.ts";
import type { Annotated, Annotation, Grammar } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { actionsOfSets, inheritedSets } from "./django.ts";
import { type Framework, FRAMEWORKS } from "./frameworks.ts";
import { DEPENDENCIES } from "./known-routers.ts";
import { codeOf } from "./named-code.ts";
import { saidBy } from "./methods.ts";
import { joined } from "./prefixes.ts";
import { isGivenWhole } from "./scopes.ts";
import { Routers } from "./routers.ts";

/** No function that a person wrote has more decorators. */
const MAX_DECORATORS = 50;

/** Routes of calls on routers (`app.get("/x", f)`) and of decorators that are such calls, in a file that imports a framework or is handed its router. */
export function routerRoutes(code: Code): Found {
  const { language, root, source, grammar, path, symbols } = code;
  const frameworks = FRAMEWORKS[language] ?? [];
  const imported = frameworks.filter(({ imports, marks }) => imports.test(source) && marks?.test(source) !== false);
  const rows = imported.length > 0 || isTestPath(path) ? imported : frameworks.filter(({ handed }) => handed?.test(source));
  if (rows.length === 0) return {};
  const routers = new Routers(root, source, grammar, rows);
  const called = routers.find().map(({ method, path: at, node, before, handler, actions, router }): Declared => (
    { name: `${method} ${at}`, node, route: { before, ...(handler ? handlerOf(handler) : {}), ...(actions ? { actions } : {}), ...(router ? { router } : {}) } }
  ));
  const isDecorated = rows.some(({ decorators }) => decorators);
  const above = isDecorated ? code.annotated.flatMap((one) => one.annotations.flatMap((annotation) => decorated(code, one, annotation, rows, routers))) : [];
  const sets = rows.some(({ viewsets }) => viewsets) ? actionsOfSets(code.annotated, code.texts, code.symbolAt, (symbol) => symbols[symbol]?.owner) : [];
  const inherited = rows.some(({ viewsets }) => viewsets) ? inheritedSets(root) : [];
  return { routes: [...called, ...above, ...sets], mounts: [...routers.mounts(), ...inherited] };
}

/** A handler that is named by texts (`[Articles::class, "index"]`, `"Articles@index"`, Slim's `Articles::class . ":index"`), or by code. */
function handlerOf(handler: NamedCode): Pick<RouteFact, "handler" | "named"> {
  const [, owner, name = "__invoke"] = /^\[\s*\\?(?:\w+\\)*(\w+)::class\s*,\s*["'](\w+)["']\s*\]$/.exec(handler.text) ?? /^\\?(?:\w+\\{1,2})*(\w+)[@:](\w+)$/.exec(handler.text) ?? /^\\?(?:\w+\\)*(\w+)::class\s*\.\s*["']:(\w+)["']$/.exec(handler.text) ?? /^\\?(?:\w+\\)*(\w+)::class$/.exec(handler.text) ?? [];
  return owner !== undefined ? { named: { owner, name } } : { handler };
}

/** The decorators below that of a route, which are around the function that it is given: `@app.get("/x")`, `@login_required`. */
function wrappersIn({ annotations }: Annotated, route: Node, rows: readonly Framework[], grammar: Grammar): NamedCode[] {
  if (annotations.length === 1 || annotations.length > MAX_DECORATORS) return [];
  const below = annotations.slice(annotations.findIndex(({ node }) => node.id === route.id) + 1);
  return below.filter(({ name, receiver }) => !receiver || !rows.some(({ verbs }) => verbs[name] !== undefined)).flatMap(({ node }) => codeOf(node.namedChildren[0]!, grammar));
}

/** Routes of decorators on a router: `@app.get("/x")`, `@app.route("/x", methods=["GET"])`. */
function decorated({ texts, grammar, symbolAt }: Code, one: Annotated, { name, receiver, args, node }: Annotation, rows: readonly Framework[], routers: Routers): Declared[] {
  const row = rows.find(({ decorators, verbs }) => decorators && verbs[name] !== undefined);
  // aiohttp: `@routes.route("GET", "/x")`
  const [spoken, place] = row?.verbs[name] === "" ? args : [undefined, args[0]];
  const path = texts.one(place?.node) ?? (receiver && place && isGivenWhole(receiver, place.node) ? texts.hole(place.node) : undefined);
  if (!row || !receiver || path === undefined) return [];
  const symbol = symbolAt(one.name);
  if (symbol < 0) return [];
  const said = args.find((each) => each.name === "methods")?.node;
  // The methods of a class are those of its routes.
  const methods = said ? texts.all(said).map((text) => text.toUpperCase()) : spoken ? saidBy(spoken.node, texts) : [one.node.type === "class_definition" ? "ANY" : row.verbs[name]!];
  const dependencies = args.filter((each) => each.name === DEPENDENCIES).map((each) => codeOf(each.node, grammar));
  const before = [...routers.before(receiver, node, path), ...dependencies, ...wrappersIn(one, node, rows, grammar)];
  return routers.prefixes(receiver).flatMap((prefix) => methods.map((method) => ({
    name: `${method} ${joined(prefix.path, prefix.filled(path))}`, node, route: { before, symbol, ...(prefix.router ? { router: prefix.router } : {}) },
  })));
}
