import type { Node } from "web-tree-sitter";
import type { RouterFact } from "../../facts.ts";
import type { Found } from "./code.ts";

/** Nobody exports one router by more names than these. */
const MAX_NAMES = 8;

/** A name by which a file exports something to others: `export { handler as GET }`, with its own name for it. `from`: it is of another file. */
export interface Exported {
  name: string;
  other: string;
  line: number;
  from: boolean;
}

/** `export { handler as GET, POST }` of a file of JavaScript. */
export function exportedNames(source: string): Exported[] {
  let [line, counted] = [1, 0];
  const lineOf = (index: number): number => {
    for (; counted < index; counted++) if (source[counted] === "\n") line++;
    return line;
  };
  return [...source.matchAll(/^export\s*\{([^}]*)\}(\s*from\b)?/gm)].flatMap(({ index, 0: { length }, 1: list = "", 2: from }) => {
    const start = index + source.slice(index, index + length).indexOf("{") + 1;
    return [...list.matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?/g)].map(({ index: at, 1: name = "", 2: other = name }) => ({
      name, other, line: lineOf(start + at), from: from !== undefined,
    }));
  });
}

/** Gives routers of a file of JavaScript the names, too, by which it exports them; `default` is one. */
export function nameByExports({ routes = [], mounts = [] }: Found, root: Node, source: string): void {
  if (routes.length === 0 && mounts.length === 0) return;
  const others = new Map<string, string[]>();
  const add = (name: string, other: string): void => {
    others.set(name, [...others.get(name) ?? [], other].slice(0, MAX_NAMES));
  };
  for (const { name, other, from } of exportedNames(source)) if (!from && name !== other) add(name, other);
  const given = root.namedChildren.find((node) => node.type === "export_statement" && node.children.some(({ type }) => type === "default"))?.childForFieldName("value");
  if (given?.type === "identifier") add(given.text, "default");
  const line = given && given.type !== "identifier" ? given.startPosition.row + 1 : -1;
  const named = (router: RouterFact): RouterFact => {
    const also = router.line === line && router.names.length === 0 ? ["default"] : router.names.flatMap((name) => others.get(name) ?? []);
    return also.length > 0 ? { ...router, names: [...router.names, ...also] } : router;
  };
  for (const { route } of routes) if (route.router) route.router = named(route.router);
  for (const mount of mounts) if (mount.into) mount.into = named(mount.into);
}
