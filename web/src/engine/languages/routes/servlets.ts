import { type Annotated, argument } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { joined } from "./prefixes.ts";

const METHODS: Readonly<Record<string, string>> = { doGet: "GET", doPost: "POST", doPut: "PUT", doDelete: "DELETE", doPatch: "PATCH", doHead: "HEAD", doOptions: "OPTIONS", service: "ANY" };

/** The routes of `@WebServlet("/orders")`, one for each of HTTP's methods that its class answers, and what `@WebFilter("/orders/*")` runs before others. */
export function servletRoutes(code: Code): Found {
  return /@Web(?:Servlet|Filter)\b/.test(code.source) ? { routes: code.annotated.flatMap((one) => routesOf(code, one)) } : {};
}

function routesOf({ texts, symbolAt }: Code, { node, annotations }: Annotated): Declared[] {
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
