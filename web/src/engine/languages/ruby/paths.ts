/** The path that a constant's name stands for: `HTTPServer::Log` is http_server/log. */
export function underscored(name: string): string {
  return name.replace(/^::/, "").replaceAll("::", "/").replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2").replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
}

/** The constant that a path stands for: http_server/log is `HttpServer::Log`. */
export function camelized(path: string): string {
  return path.replaceAll("/", "::").replace(/(^|::|_)([a-z\d])/g, (_, before: string, letter: string) => (before === "_" ? "" : before) + letter.toUpperCase());
}

/** Whether a file is in the folder that Rails has code in. */
export function isInApp(path: string): boolean {
  return /(?:^|\/)app\//.test(path);
}

/** Files of text with Ruby in tags: `show.html.erb`, `list.rhtml`. */
const TEMPLATE = /\.(?:erb|rhtml)$/i;

export function isTemplate(path: string): boolean {
  return TEMPLATE.test(path);
}

/** What the class is called here whose objects run the templates of Rails. */
export const VIEW = "view";

/** A template by the name that `render` has for it, and the folder with all of them: `app/views/` and `posts/_form`. */
export function viewAt(path: string): { folder: string; name: string } | undefined {
  const [, folder = "", name] = /^((?:.*?\/)?views\/)((?:[^/]+\/)*[^/.]+)[^/]*$/.exec(path) ?? [];
  return name === undefined || !isTemplate(path) ? undefined : { folder, name };
}
