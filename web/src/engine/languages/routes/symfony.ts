import type { Node } from "web-tree-sitter";
import { joined } from "./known-routers.ts";

const ROUTE = /@(?:\w+\\)*Route\(\s*(?:(?:path\s*=\s*)?"([^"]*)")?([^)]*)\)/g;
const METHODS = /\bmethods\s*=\s*(?:\{([^}]*)\}|"([^"]*)")/;

/** Symfony: the routes that comments above methods say, `@Route("/articles/{id}", methods={"GET"})`, behind the path of their class; by the name of the method. */
export function commentedRoutes(root: Node): { name: string; method: Node }[] {
  return root.descendantsOfType("class_declaration").flatMap((cls) => {
    const [outer] = routesOf(cls);
    return (cls.childForFieldName("body")?.namedChildren ?? []).flatMap((node) => {
      const method = node.type === "method_declaration" ? node.childForFieldName("name") : null;
      if (!method) return [];
      return routesOf(node).flatMap(({ path, methods }) => methods.map((one) => ({ name: `${one} ${joined("", joined(outer?.path ?? "", path))}`, method })));
    });
  });
}

function routesOf(node: Node): { path: string; methods: string[] }[] {
  const doc = node.previousNamedSibling;
  if (doc?.type !== "comment" || !doc.text.startsWith("/**")) return [];
  return [...doc.text.matchAll(ROUTE)].map(([, path = "", others = ""]) => {
    const [, list, one] = METHODS.exec(others) ?? [];
    return { path, methods: (list ?? one)?.match(/\w+/g)?.map((name) => name.toUpperCase()) ?? ["ANY"] };
  });
}
