import type { Node } from "web-tree-sitter";
import type { MountFact, RouterFact } from "../../facts.ts";
import { callOf, GRAMMARS, literal } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { SYMFONY } from "./frameworks.ts";
import { codeOf, joined } from "./known-routers.ts";
import { behind } from "./laravel.ts";
import { methodsIn } from "./methods.ts";

const GRAMMAR = GRAMMARS["php"]!;
/** The router of all routes. */
const ROUTER: RouterFact = { names: [SYMFONY], line: 0 };

const ROUTE = /@(?:\w+\\)*Route\(\s*(?:(?:path\s*=\s*)?"([^"]*)")?([^)]*)\)/g;
const METHODS = /\bmethods\s*=\s*(?:\{([^}]*)\}|"([^"]*)")/;

/** Symfony: the routes that comments above methods say, `@Route("/articles/{id}", methods={"GET"})`, behind the path of their class. */
export function commentedRoutes({ root, source, symbolAt }: Code): Found {
  if (!/Symfony\\Component\\Routing|SensioBundle/.test(source) || !source.includes("Route(")) return {};
  return { routes: root.descendantsOfType("class_declaration").flatMap((cls) => {
    const [outer] = routesOf(cls);
    return (cls.childForFieldName("body")?.namedChildren ?? []).flatMap((node): Declared[] => {
      const name = node.type === "method_declaration" ? node.childForFieldName("name") : null;
      const symbol = name ? symbolAt(name) : -1;
      if (symbol < 0) return [];
      return routesOf(node).flatMap(({ path, methods }) => methods.map((one) => (
        { name: `${one} ${joined("", joined(outer?.path ?? "", path))}`, node, route: { before: [], symbol, router: ROUTER } }
      )));
    });
  }) };
}

function routesOf(node: Node): { path: string; methods: string[] }[] {
  const doc = node.previousNamedSibling;
  if (doc?.type !== "comment" || !doc.text.startsWith("/**")) return [];
  return [...doc.text.matchAll(ROUTE)].map(([, path = "", others = ""]) => {
    const [, list, one] = METHODS.exec(others) ?? [];
    return { path, methods: (list ?? one)?.match(/\w+/g)?.map((name) => name.toUpperCase()) ?? ["ANY"] };
  });
}

/** Symfony: the routes that a file of configuration adds, `$routes->add("blog", "/blog")->controller([BlogController::class, "list"])`, and the folders and files that it imports under a prefix. */
export function configuredRoutes({ root, source, texts }: Code): Found {
  const routes: Declared[] = [];
  const mounts: MountFact[] = [];
  for (const node of source.includes("RoutingConfigurator") ? root.descendantsOfType("member_call_expression") : []) {
    const call = callOf(node, GRAMMAR)!;
    const rest = behind(node, GRAMMAR);
    const said = (name: string): Node | undefined => rest.find((one) => one.name === name)?.args[0]?.node;
    const prefix = texts.one(said("prefix"));
    if (call.name === "add") {
      const [path, controller] = [texts.one(call.args[1]?.node), said("controller")];
      if (path === undefined || !controller) continue;
      const methods = said("methods");
      for (const method of methods ? methodsIn(methods, texts) : ["ANY"]) {
        routes.push({ name: `${method} ${joined("", joined(prefix ?? "", path))}`, node, route: { before: [], named: controllerIn(controller), router: ROUTER } });
      }
    } else if (call.name === "import") {
      const [first] = call.args;
      const given = first?.node.type === "array_creation_expression" ? first.node.namedChildren.find((one) => literal(one.namedChildren[0], GRAMMAR) === "path")?.namedChildren[1] : first?.node;
      const path = texts.one(given)?.replace(/^\.\/|\/?\*?$/g, "");
      if (path === undefined || prefix === undefined) continue;
      const at = /\.php$/.test(path) ? { file: path.replace(/^(?:\.\.\/)+/, "") } : { folder: { path } };
      mounts.push({ prefix, target: codeOf(given!, GRAMMAR), into: ROUTER, ...at });
    }
  }
  return { routes, mounts };
}

/** `[BlogController::class, "list"]`, `BlogController::class`, `"App\\Controller\\BlogController::show"` */
function controllerIn({ text }: Node): { owner: string; name: string } {
  const [, owner = "", name = "__invoke"] = /(\w+)::class\s*,\s*["'](\w+)/.exec(text) ?? /(\w+)::(?!class\b)(\w+)/.exec(text) ?? /(\w+)::class/.exec(text) ?? [];
  return { owner, name };
}
