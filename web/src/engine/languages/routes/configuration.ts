/** What files of configuration say of the paths of routes: where Symfony's YAML mounts controllers, where Spring's servlets are, what uses Next.js, and what templates of Razor say of their pages. */
import type { Mounted } from "../../mount-targets.ts";
import { pageMount } from "./aspnet.ts";
import { SYMFONY } from "./frameworks.ts";
import { CONFIG as NEXT_CONFIG, NEXT } from "./next.ts";
import { withUsualValues } from "./texts.ts";

/** Text of a file of the repository; undefined where there is none. */
type Read = (path: string) => string | undefined;

const SYMFONY_ROUTES = /(?:^|\/)config\/routes(?:\/[^/]+)?\.ya?ml$/;
const PAGE = /(?:^|\/)(?:pages\/|app\/(?:.*\/)?page\.[jt]sx?$)/;
const SPRING_SOURCES = /^(.*?)src\/main\/(?:java|kotlin)\//;

/** What files of configuration put under paths, for a language whose routes they may concern. */
export function configuredMounts(language: string, files: readonly { path: string }[], paths: Iterable<string>, read: Read): Mounted[] {
  if (language === "php") return symfonyMounts(paths, read);
  if (language === "csharp") return files.filter(({ path }) => path.endsWith(".cshtml.cs")).flatMap(({ path }) => templateMount(path.slice(0, -".cs".length), read));
  return language === "typescript" && files.some(({ path }) => PAGE.test(path)) ? nextMounts(paths, read) : [];
}

/** What the template of a page of Razor says of the paths of its handlers. */
function templateMount(path: string, read: Read): Mounted[] {
  const mount = pageMount(path, read(path) ?? "");
  return mount ? [{ path, mount }] : [];
}

/** The folders and files of controllers that Symfony's `config/routes.yaml` imports under a prefix. */
function symfonyMounts(paths: Iterable<string>, read: Read): Mounted[] {
  const found: Mounted[] = [];
  for (const path of paths) {
    const text = SYMFONY_ROUTES.test(path) ? read(path) : undefined;
    if (text === undefined || !/\bprefix\s*:/.test(text)) continue;
    const values = yamlValues(text);
    for (const [key, prefix] of values) {
      const [, name] = /^([^.]+)\.prefix$/.exec(key) ?? [];
      const resource = name === undefined ? undefined : values.get(`${name}.resource`) ?? values.get(`${name}.resource.path`);
      // Bundles are elsewhere, and patterns are more than one folder.
      if (resource === undefined || /^@|[*{]|\.ya?ml$/.test(resource)) continue;
      const at = resource.replace(/^\.\/|\/$/g, "");
      const target = { text: at, names: [], line: 1, endLine: 1 };
      found.push({ path, mount: { prefix, target, into: { names: [SYMFONY], line: 0 }, ...(at.endsWith(".php") ? { file: at.replace(/^(?:\.\.\/)+/, "") } : { folder: { path: at } }) } });
    }
  }
  return found;
}

/** Which folders have applications of Next.js, by what their `package.json` depends on; where one further down depends on another framework, nobody knows the paths of its pages. */
function nextMounts(paths: Iterable<string>, read: Read): Mounted[] {
  const [packages, configs] = [[] as string[], new Set<string>()];
  for (const path of paths) {
    if (/(?:^|\/)package\.json$/.test(path)) packages.push(path);
    else if (NEXT_CONFIG.test(path)) configs.add(folderOf(path));
  }
  const [own, others] = [packages.filter((path) => dependsOnNext(read(path))), packages.filter((path) => !configs.has(folderOf(path)) && !dependsOnNext(read(path)))];
  const below = others.filter((path) => own.some((one) => path.startsWith(folderOf(one))));
  const mount = (prefix: string) => (path: string): Mounted => ({ path, mount: { prefix, target: { text: NEXT, names: [NEXT], line: 0, endLine: 0 }, below: true } });
  return [...own.map(mount("")), ...below.map(mount("…"))];
}

function dependsOnNext(text: string | undefined): boolean {
  if (text?.includes('"next"') !== true) return false;
  try {
    const { dependencies, devDependencies, peerDependencies } = JSON.parse(text) as Record<string, object | undefined>;
    return [dependencies, devDependencies, peerDependencies].some((all) => all !== undefined && Object.hasOwn(all, "next"));
  } catch {
    return false;
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** The path of all routes of a module of Spring, `server.servlet.context-path`, by a file of its code; "" for none. */
export function contextPath(path: string, read: Read): string {
  const [, module] = SPRING_SOURCES.exec(path) ?? [];
  if (module === undefined) return "";
  const text = read(`${module}src/main/resources/application.properties`);
  const said = /^[ \t]*server\.(?:servlet\.)?context-?[pP]ath\s*[=:]\s*(.*)$/m.exec(text ?? "")?.[1]
    ?? ["yml", "yaml"].map((end) => yamlValues(read(`${module}src/main/resources/application.${end}`) ?? "").get("server.servlet.context-path")).find((one) => one !== undefined);
  const value = withUsualValues((said ?? "").trim(), "/…");
  return value === "/" ? "" : value;
}

/** The texts of a file of YAML by the names of the maps around them, `server.servlet.context-path`, of its first document. */
function yamlValues(text: string): Map<string, string> {
  const values = new Map<string, string>();
  const around: { indent: number; key: string }[] = [];
  for (const line of text.replace(/^---[^\n]*\n/, "").split(/^---/m)[0]!.split("\n")) {
    const [, blank = "", name, value = ""] = /^( *)["']?([\w.@-]+)["']?\s*:(?:\s+(.*))?$/.exec(line.trimEnd()) ?? [];
    if (name === undefined) continue;
    while (around.length > 0 && around.at(-1)!.indent >= blank.length) around.pop();
    const key = [...around.map((one) => one.key), name].join(".");
    around.push({ indent: blank.length, key: name });
    const [, quoted, plain = ""] = /^(?:(?:"([^"]*)"|'[^']*')\s*(?:#.*)?|(.*?)(?:\s+#.*)?)$/.exec(value) ?? [];
    const said = quoted ?? (plain || value.replace(/^'([^']*)'.*$/, "$1"));
    if (said !== "" && !values.has(key)) values.set(key, said);
  }
  return values;
}
