/** Laravel's routes of a resource, in its order; `{}` is the one that is meant. */
const RESOURCE: readonly [action: string, method: string, path: string][] = [
  ["index", "GET", ""], ["create", "GET", "/create"], ["store", "POST", ""], ["show", "GET", "/{}"], ["edit", "GET", "/{}/edit"], ["update", "PUT", "/{}"], ["update", "PATCH", "/{}"], ["destroy", "DELETE", "/{}"],
];
/** Of forms, which an API has none of. */
const FORMS = /^(?:create|edit)$/;

/** The routes of `Route::resource("photos.comments", …)`, of `apiResource` without forms. `only` and `except` are actions. */
export function resourceRoutes(name: string, isApi: boolean, only: readonly string[] | undefined, except: readonly string[] = []): { action: string; method: string; path: string }[] {
  const parts = name.split(".");
  const base = parts.map((part, i) => (i < parts.length - 1 ? `${part}/${parameter(part)}` : part)).join("/");
  return RESOURCE.filter(([action]) => !(isApi && FORMS.test(action)) && (only?.includes(action) ?? true) && !except.includes(action))
    .map(([action, method, path]) => ({ action, method, path: `${base}${path.replace("{}", parameter(parts.at(-1)!))}` }));
}

/** `{line_item}` of `shop/line-items`. */
function parameter(resource: string): string {
  return `{${resource.split("/").at(-1)!.replace(/ies$/, "y").replace(/s$/, "").replaceAll("-", "_")}}`;
}
