/** What files of configuration say of the paths of routes: where Symfony's YAML mounts controllers, and where Spring's servlets are. */
import type { Mounted } from "../../mount-targets.ts";
import { SYMFONY } from "./frameworks.ts";
import { withUsualValues } from "./texts.ts";

/** Text of a file of the repository; undefined where there is none. */
type Read = (path: string) => string | undefined;

const SYMFONY_ROUTES = /(?:^|\/)config\/routes(?:\/[^/]+)?\.ya?ml$/;
const SPRING_SOURCES = /^(.*?)src\/main\/(?:java|kotlin)\//;

/** The folders and files of controllers that Symfony's `config/routes.yaml` imports under a prefix. */
export function configuredMounts(paths: Iterable<string>, read: Read): Mounted[] {
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

/** The path of all routes of a module of Spring, `server.servlet.context-path`, by a file of its code; "" for none. */
export function contextPath(path: string, read: Read): string {
  const [, module] = SPRING_SOURCES.exec(path) ?? [];
  if (module === undefined) return "";
  const text = read(`${module}src/main/resources/application.properties`);
  const said = /^\s*server\.(?:servlet\.)?context-?[pP]ath\s*[=:]\s*(.*)$/m.exec(text ?? "")?.[1]
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
