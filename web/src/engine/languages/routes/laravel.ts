import type { Node } from "web-tree-sitter";
import type { NamedCode } from "../../facts.ts";
import { type Call, callOf, type Grammar } from "./calls.ts";
import { codeOf } from "./known-routers.ts";
import type { Added } from "./routers.ts";
import type { Texts } from "./texts.ts";

/** Laravel's routes of a resource, in its order; `{}` is the one that is meant. */
const RESOURCE: readonly [action: string, method: string, path: string][] = [
  ["index", "GET", ""], ["create", "GET", "/create"], ["store", "POST", ""], ["show", "GET", "/{}"], ["edit", "GET", "/{}/edit"], ["update", "PUT", "/{}"], ["update", "PATCH", "/{}"], ["destroy", "DELETE", "/{}"],
];
/** Of forms, which an API has none of. */
const FORMS = /^(?:create|edit)$/;

/** The routes of `Route::resource("photos.comments", …)`, of `apiResource` without forms. `only` and `except` are actions. */
function resourceRoutes(name: string, isApi: boolean, only: readonly string[] | undefined, except: readonly string[] = []): { action: string; method: string; path: string }[] {
  const parts = name.split(".");
  const base = parts.map((part, i) => (i < parts.length - 1 ? `${part}/${parameter(part)}` : part)).join("/");
  return RESOURCE.filter(([action]) => !(isApi && FORMS.test(action)) && (only?.includes(action) ?? true) && !except.includes(action))
    .map(([action, method, path]) => ({ action, method, path: `${base}${path.replace("{}", parameter(parts.at(-1)!))}` }));
}

/** `{line_item}` of `shop/line-items`. */
function parameter(resource: string): string {
  return `{${resource.split("/").at(-1)!.replace(/ies$/, "y").replace(/s$/, "").replaceAll("-", "_")}}`;
}

/** `Route::resource("photos", PhotoController::class)` is seven routes, or those that `only` and `except` leave; `Route::resources(["photos" => …])` those of each. */
export function resources({ node, name, args }: Call, texts: Texts, grammar: Grammar): Added[] {
  const pairs = name.endsWith("s") ? args[0]?.node.namedChildren.map((pair) => pair.namedChildren) ?? [] : [args.map((one) => one.node)];
  const chosen = (key: string): string[] | undefined => behind(node, grammar).find((one) => one.name === key)?.args.flatMap((one) => texts.all(one.node));
  return pairs.flatMap(([said, controller]) => {
    const resource = texts.one(said);
    if (resource === undefined || !controller || !/::class$/.test(controller.text)) return [];
    return resourceRoutes(resource, name.startsWith("api"), chosen("only"), chosen("except")).map(({ action, method, path }) => ({
      method, path, call: node, before: middlewareBehind(node, grammar), handler: { ...codeOf(controller, grammar), text: `[${controller.text}, "${action}"]` },
    }));
  });
}

/** The middlewares of `Route::get(…)->middleware(…)`. */
export function middlewareBehind(node: Node, grammar: Grammar): NamedCode[] {
  return behind(node, grammar).filter(({ name }) => name === "middleware").flatMap(({ args }) => args.map(({ node: one }) => codeOf(one, grammar)));
}

/** The calls on what a call gives. */
function behind(node: Node, grammar: Grammar): Call[] {
  const calls: Call[] = [];
  for (let at: Node | null = node.parent; at?.type === "member_call_expression"; at = at.parent) {
    const call = callOf(at, grammar);
    if (call) calls.push(call);
  }
  return calls;
}

/** The file that an expression names: `base_path("routes/v1.php")`. */
export function fileIn(node: Node | undefined): string | undefined {
  return /["']\/?(?:\.\.\/)*([\w./-]+\.php)["']/.exec(node?.text ?? "")?.[1];
}

/** The files of `withRouting(api: __DIR__."/../routes/api.php", apiPrefix: "api/v1")`, and what their paths begin with. */
export function routedFiles({ name: called, args }: Call, texts: Texts): { file: string; prefix: string; node: Node }[] {
  return called !== "withRouting" ? [] : args.flatMap(({ name, node }) => {
    const file = fileIn(node);
    if (file === undefined || (name !== "web" && name !== "api")) return [];
    return [{ file, prefix: name === "web" ? "" : texts.one(args.find((one) => one.name === "apiPrefix")?.node) ?? "api", node }];
  });
}
