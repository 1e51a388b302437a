import { type Annotated, argument } from "./calls.ts";
import type { Declared } from "./extract.ts";
import { joined } from "./known-routers.ts";
import type { Texts } from "./texts.ts";
import type { Node } from "web-tree-sitter";

const METHODS: Readonly<Record<string, string>> = { doGet: "GET", doPost: "POST", doPut: "PUT", doDelete: "DELETE", doPatch: "PATCH", doHead: "HEAD", doOptions: "OPTIONS", service: "ANY" };

/** The routes of `@WebServlet("/orders")`, one for each of HTTP's methods that its class answers, and what `@WebFilter("/orders/*")` runs before others. */
export function servletRoutes({ node, annotations }: Annotated, texts: Texts, symbolAt: (name: Node) => number): Declared[] {
  return annotations.filter(({ name }) => name === "WebServlet" || name === "WebFilter").flatMap((annotation) => {
    const said = argument(annotation.args, ["value", "urlPatterns"]);
    const paths = said ? texts.all(said) : [];
    return (node.childForFieldName("body")?.namedChildren ?? []).flatMap((child) => {
      const name = child.type === "method_declaration" ? child.childForFieldName("name") : null;
      const method = annotation.name === "WebFilter" ? (name?.text === "doFilter" ? "MIDDLEWARE" : undefined) : METHODS[name?.text ?? ""];
      const symbol = name && method !== undefined ? symbolAt(name) : -1;
      return symbol < 0 ? [] : paths.map((path) => ({ name: `${method} ${joined("", path)}`, node: child, route: { before: [], symbol } }));
    });
  });
}
