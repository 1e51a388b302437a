import type { Node } from "web-tree-sitter";
import type { NamedCode } from "../../facts.ts";
import { type Call, callOf, type Grammar, literal } from "./calls.ts";
import { codeOf, codesOf } from "./named-code.ts";
import type { Added } from "./routers.ts";
import type { Texts } from "./texts.ts";

/** The path that Laravel gives a fallback. */
const FALLBACK = "{fallbackPlaceholder}";
/** Laravel's routes of a resource, in its order; `{}` is the one that is meant. */
const RESOURCE: readonly [action: string, method: string, path: string][] = [
  ["index", "GET", ""], ["create", "GET", "/create"], ["store", "POST", ""], ["show", "GET", "/{}"], ["edit", "GET", "/{}/edit"], ["update", "PUT", "/{}"], ["update", "PATCH", "/{}"], ["destroy", "DELETE", "/{}"],
];
/** Of a resource that there is one of. */
const SINGLETON = RESOURCE.filter(([action]) => /^(?:show|edit|update)$/.test(action)).map(([action, method, path]): (typeof RESOURCE)[number] => [action, method, path.replace("/{}", "")]);
/** Of forms, which an API has none of. */
const FORMS = /^(?:create|edit)$/;

/** The routes of `Route::resource("photos.comments", …)`, of `apiResource` without forms; of shallow ones those for one comment are under its own name. `only` and `except` are actions. */
function resourceRoutes(name: string, of: typeof RESOURCE, isApi: boolean, isShallow: boolean, only: readonly string[] | undefined, except: readonly string[] = []): { action: string; method: string; path: string }[] {
  const parts = name.split(".");
  const base = parts.map((part, i) => (i < parts.length - 1 ? `${part}/${parameter(part)}` : part)).join("/");
  return of.filter(([action]) => !(isApi && FORMS.test(action)) && (only?.includes(action) ?? true) && !except.includes(action))
    .map(([action, method, path]) => ({ action, method, path: `${isShallow && path.includes("{}") ? parts.at(-1)! : base}${path.replace("{}", parameter(parts.at(-1)!))}` }));
}

/** `{line_item}` of `shop/line-items`. */
function parameter(resource: string): string {
  return `{${resource.split("/").at(-1)!.replace(/ies$/, "y").replace(/s$/, "").replaceAll("-", "_")}}`;
}

/** `Route::resource("photos", PhotoController::class)` is seven routes, or those that `only` and `except` leave; `Route::resources(["photos" => …])` those of each. A fallback is one. */
export function resources({ node, name, args }: Call, texts: Texts, grammar: Grammar): Added[] {
  if (name === "fallback") return args[0] ? [{ method: "GET", path: FALLBACK, call: node, before: middlewareBehind(node, grammar), handler: codeOf(args[0].node, grammar) }] : [];
  const pairs = name.endsWith("s") ? args[0]?.node.namedChildren.map((pair) => pair.namedChildren) ?? [] : [args.map((one) => one.node)];
  // `Route::resource("photos", PhotoController::class, ["only" => ["index"]])`
  const options = args[name.endsWith("s") ? 1 : 2]?.node.namedChildren.map((pair) => pair.namedChildren) ?? [];
  const option = (key: string): Node | undefined => options.find(([said]) => texts.one(said) === key)?.[1];
  const chosen = (key: string): string[] | undefined => {
    const said = behind(node, grammar).find((one) => one.name === key)?.args.map((one) => one.node) ?? option(key);
    return said && [said].flat().flatMap((one) => texts.all(one));
  };
  return pairs.flatMap(([said, controller]) => {
    const resource = texts.one(said);
    const cls = controller && classIn(controller, grammar);
    if (resource === undefined || !controller || cls === undefined) return [];
    return resourceRoutes(resource, /ingleton$/.test(name) ? SINGLETON : RESOURCE, name.startsWith("api"), chosen("shallow") !== undefined, chosen("only"), chosen("except")).map(({ action, method, path }) => ({
      method, path, call: node, before: middlewareBehind(node, grammar), handler: { ...codeOf(controller, grammar), text: `[${cls}, "${action}"]` },
    }));
  });
}

/** `PhotoController::class`, also where a text says it: `"PhotoController"`, `"Admin\\PhotoController"`. */
function classIn(node: Node, grammar: Grammar): string | undefined {
  const [, name] = /^\\?(?:\w+\\{1,2})*([A-Z]\w*)$/.exec(literal(node, grammar) ?? "") ?? [];
  return name !== undefined ? `${name}::class` : /::class$/.test(node.text) ? node.text : undefined;
}

/** The middlewares of `Route::get(…)->middleware(…)`, and of Slim's `$app->get(…)->add(…)`. */
export function middlewareBehind(node: Node, grammar: Grammar): NamedCode[] {
  return behind(node, grammar).filter(({ name }) => name === "middleware" || name === "add").flatMap(({ args }) => args.flatMap(({ node: one }) => codesOf(one, grammar)));
}

/** What runs before a route, without what `->withoutMiddleware("auth")` behind it takes away. */
export function withoutMiddleware(all: readonly NamedCode[], node: Node, grammar: Grammar): readonly NamedCode[] {
  const said = behind(node, grammar).filter(({ name }) => name === "withoutMiddleware").flatMap(({ args }) => args.flatMap(({ node: one }) => codesOf(one, grammar)));
  const nameOf = ({ text }: NamedCode): string => text.replace(/^[\w\\]*\\|::class$/g, "");
  const taken = new Set(said.map(nameOf));
  return taken.size === 0 ? all : all.filter((code) => !taken.has(nameOf(code)));
}

/** What is said of a route, in one chain. */
const MAX_CALLS = 50;

/** The calls on what a call gives, before one of a name. */
export function behind(node: Node, grammar: Grammar, until?: string): Call[] {
  const calls: Call[] = [];
  for (let at: Node | null = node.parent; at?.type === "member_call_expression" && calls.length < MAX_CALLS; at = at.parent) {
    if (at.childForFieldName("name")?.text === until) break;
    const call = callOf(at, grammar);
    if (call) calls.push(call);
  }
  return calls;
}

/** The file that an expression names: `base_path("routes/v1.php")`. */
export function fileIn(node: Node | undefined): string | undefined {
  return /["']\/?(?:\.\.\/)*([\w./-]+\.php)["']/.exec(node?.text ?? "")?.[1];
}

/** The files of `withRouting(api: __DIR__."/../routes/api.php", apiPrefix: "api/v1")`, what their paths begin with, and what runs before their routes. */
export function routedFiles({ node: routing, name: called, args }: Call, texts: Texts, grammar: Grammar): { file: string; prefix: string; node: Node; before: NamedCode[] }[] {
  if (called !== "withRouting") return [];
  const prefix = texts.one(args.find((one) => one.name === "apiPrefix")?.node) ?? "api";
  const everywhere = globalMiddleware(routing, grammar);
  return args.filter(({ name }) => name === "web" || name === "api").flatMap(({ name, node }) => (
    (node.type === "array_creation_expression" ? node.namedChildren : [node]).flatMap((one) => {
      const file = fileIn(one);
      const line = one.startPosition.row + 1;
      return file === undefined ? [] : [{ file, prefix: name === "web" ? "" : prefix, node: one, before: [...everywhere, { text: name, names: [], line, endLine: line }] }];
    })
  ));
}

/** What the application runs before all routes: `->withMiddleware(function ($middleware) { $middleware->append(LogRequest::class); })`. */
function globalMiddleware(routing: Node, grammar: Grammar): NamedCode[] {
  const inside = behind(routing, grammar).find(({ name }) => name === "withMiddleware")?.args[0]?.node;
  const calls = inside?.descendantsOfType("member_call_expression").flatMap((one) => callOf(one, grammar) ?? []) ?? [];
  const added = (how: string): NamedCode[] => calls.filter(({ name }) => name === how).flatMap(({ args }) => args.flatMap(({ node }) => codesOf(node, grammar)));
  return [...added("prepend"), ...added("use"), ...added("append")];
}

const REQUIRES = ["require_expression", "require_once_expression", "include_expression", "include_once_expression"];

/** The files that a file of routes takes in where it stands: `require __DIR__."/auth.php"`. */
export function requiredFiles(root: Node, source: string): { file: string; node: Node }[] {
  if (!/\bRoute::|\$router->/.test(source) || !/\b(?:require|include)/.test(source)) return [];
  return root.descendantsOfType(REQUIRES).flatMap((node) => {
    const file = fileIn(node);
    return file === undefined ? [] : [{ file, node }];
  });
}
