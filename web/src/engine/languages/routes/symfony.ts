import type { Node } from "web-tree-sitter";
import type { MountFact, RouterFact } from "../../facts.ts";
import { type Annotation, argument, callOf, GRAMMARS, literal } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { SYMFONY } from "./frameworks.ts";
import { holderOf, simple } from "./inherited.ts";
import { codeOf } from "./named-code.ts";
import { behind } from "./laravel.ts";
import { methodsIn } from "./methods.ts";
import { joined } from "./prefixes.ts";
import type { Texts } from "./texts.ts";

const GRAMMAR = GRAMMARS["php"]!;
/** The router of all routes. */
const ROUTER: RouterFact = { names: [SYMFONY], line: 0 };

const ROUTE = /@(?:\w+\\)*Route\(\s*(?:(?:path\s*=\s*)?(?:"([^"]*)"|\{((?:[^{}"]|"[^"]*")*)\}))?([^)]*)\)/g;
/** One path of several, behind its language: `"en": "/about"`. */
const LOCALIZED = /"([^"]*)"\s*[:=]\s*"([^"]*)"/g;
const METHODS = /\bmethods\s*=\s*(?:\{([^}]*)\}|"([^"]*)")/;

/** Symfony: the routes that comments above methods say, `@Route("/articles/{id}", methods={"GET"})`, behind the path of their class. */
export function commentedRoutes({ root, source, symbolAt }: Code): Found {
  if (!/Symfony\\Component\\Routing|SensioBundle/.test(source) || !source.includes("Route(")) return {};
  return { routes: root.descendantsOfType("class_declaration").flatMap((cls) => {
    const outers = routesOf(cls);
    const shared = (outers[0]?.methods ?? []).filter((one) => one !== "ANY");
    return (cls.childForFieldName("body")?.namedChildren ?? []).flatMap((node): Declared[] => {
      const name = node.type === "method_declaration" ? node.childForFieldName("name") : null;
      const symbol = name ? symbolAt(name) : -1;
      if (symbol < 0) return [];
      return routesOf(node).flatMap(({ path, language, methods }) => {
        const all = shared.length > 0 ? [...new Set([...shared, ...methods.filter((one) => one !== "ANY")])] : methods;
        // A path of each language is behind that of its class in the same.
        const above = outers.length === 0 ? [""] : outers.filter((one) => one.language === "" || language === "" || one.language === language).map((one) => one.path);
        return all.flatMap((one) => above.map((prefix) => ({ name: `${one} ${joined("", joined(prefix, path))}`, node, route: { before: [], symbol, router: ROUTER } })));
      });
    });
  }) };
}

function routesOf(node: Node): { path: string; language: string; methods: string[] }[] {
  const doc = node.previousNamedSibling;
  if (doc?.type !== "comment" || !doc.text.startsWith("/**")) return [];
  return [...doc.text.matchAll(ROUTE)].flatMap(([, path = "", localized, others = ""]) => {
    const [, list, one] = METHODS.exec(others) ?? [];
    const methods = (list ?? one)?.match(/\w+/g)?.map((name) => name.toUpperCase()) ?? ["ANY"];
    const paths = localized === undefined ? [{ language: "", path }] : [...localized.matchAll(LOCALIZED)].map(([, language = "", said = ""]) => ({ language, path: said }));
    return paths.map((said) => ({ ...said, methods }));
  });
}

/** Symfony: the routes that a file of configuration adds, `$routes->add("blog", "/blog")->controller([BlogController::class, "list"])`, and the folders and files that it imports under a prefix. */
export function configuredRoutes({ root, source, texts }: Code): Found {
  const routes: Declared[] = [];
  const mounts: MountFact[] = [];
  const collections = source.includes("->collection(") ? new Collections(texts) : undefined;
  for (const node of source.includes("RoutingConfigurator") ? root.descendantsOfType("member_call_expression") : []) {
    // Each of the others would go through the chain that it is in once more.
    if (!/^(?:add|import)$/.test(node.childForFieldName("name")?.text ?? "")) continue;
    const call = callOf(node, GRAMMAR)!;
    const rest = behind(node, GRAMMAR, "add");
    const said = (name: string): Node | undefined => rest.find((one) => one.name === name)?.args[0]?.node;
    const prefix = texts.one(said("prefix"));
    if (call.name === "add") {
      const [paths, controller] = [call.args[1] ? texts.all(call.args[1].node) : [], said("controller") ?? entryOf(said("defaults"), "_controller")];
      if (!controller) continue;
      const methods = said("methods");
      const outer = collections?.prefixOf(call.receiver) ?? "";
      for (const method of methods ? methodsIn(methods, texts) : ["ANY"]) {
        for (const path of paths) routes.push({ name: `${method} ${joined("", joined(outer, joined(prefix ?? "", path)))}`, node, route: { before: [], named: controllerIn(controller), router: ROUTER } });
      }
    } else {
      const [first] = call.args;
      const given = first?.node.type === "array_creation_expression" ? entryOf(first.node, "path") : first?.node;
      const path = texts.one(given)?.replace(/^\.\/|\/?\*?$/g, "");
      if (path === undefined || prefix === undefined) continue;
      const at = /\.php$/.test(path) ? { file: path.replace(/^(?:\.\.\/)+/, "") } : { folder: { path } };
      mounts.push({ prefix, target: codeOf(given!, GRAMMAR), into: ROUTER, ...at });
    }
  }
  return { routes, mounts };
}

/** What an array has by a name. */
function entryOf(array: Node | undefined, name: string): Node | undefined {
  return array?.namedChildren.find((one) => literal(one.namedChildren[0], GRAMMAR) === name)?.namedChildren[1] ?? undefined;
}

/** What a chain of calls says of paths. */
interface Prefixed {
  /** What the collection puts before the path of a route that is added to it. */
  prefix: string;
  /** The same for the route that the chain itself added last, which a `prefix` behind that is about; undefined where it has added none. */
  below: string | undefined;
}

/** The paths of the collections that routes are added to, `$group = $routes->collection("blog_")->prefix("/blog")`; what is said of a route before one in the chain is that one's. */
class Collections {
  private readonly known = new Map<number, Prefixed>();

  constructor(private readonly texts: Texts) {}

  /** What holds for a route that is added on this. Each call of a chain is looked at once. */
  prefixOf(receiver: Node | undefined): string {
    const passed = new Map<number, Node>();
    let at = receiver;
    for (; at && !this.known.has(at.id) && !passed.has(at.id); at = isCall(at) ? at.childForFieldName("object") ?? undefined : this.texts.constant(at.text)) passed.set(at.id, at);
    let found = (at && this.known.get(at.id)) ?? { prefix: "", below: undefined };
    for (const [id, node] of [...passed].reverse()) {
      const name = isCall(node) ? node.childForFieldName("name")?.text : undefined;
      if (name === "add") found = { prefix: found.prefix, below: found.prefix };
      else if (name === "prefix") found = { ...found, prefix: found.below ?? this.texts.one(callOf(node, GRAMMAR)!.args[0]?.node) ?? "…" };
      this.known.set(id, found);
    }
    return found.prefix;
  }
}

function isCall({ type }: Node): boolean {
  return type === "member_call_expression";
}

/**
 * The languages of the paths of a class and of a route of it, in their order: `["en" => "/about", "de" => "/ueber"]`; undefined where one of them has
 * the same path in all.
 */
export function languagesOf(outer: Annotation | undefined, route: Annotation): [readonly string[], readonly string[]] | undefined {
  const [above, own] = [outer, route].map((one) => {
    const paths = one && argument(one.args, ["path"]);
    return paths?.type === "array_creation_expression" ? paths.namedChildren.map((entry) => literal(entry.namedChildren[0], GRAMMAR) ?? "") : [];
  });
  return above!.length > 0 && own!.length > 0 ? [above!, own!] : undefined;
}

/** Symfony: the routes that a class inherits from an abstract one, behind its own path. */
export function inheritedRoutes({ root, source, annotated, texts }: Code): Found {
  if (!/#\[Route\b|Symfony\\Component\\Routing/.test(source)) return {};
  const byClass = new Map(annotated.map((one) => [one.node.id, one]));
  return { mounts: root.descendantsOfType("class_declaration").flatMap((cls): MountFact[] => {
    const { name, bases: [base], isAbstract } = holderOf(cls)!;
    if (!base) return [];
    const line = base.startPosition.row + 1;
    const target = { text: simple(base), names: [simple(base)], line, endLine: line };
    if (isAbstract) return [{ prefix: "…", target, into: { names: [name], line: 0 } }];
    const route = byClass.get(cls.id)?.annotations.find((one) => one.name === "Route");
    const path = route && argument(route.args, ["path"]);
    return (path ? texts.all(path) : [""]).map((prefix) => ({ prefix, target, into: ROUTER }));
  }) };
}

/** `[BlogController::class, "list"]`, `BlogController::class`, `"App\\Controller\\BlogController::show"` */
function controllerIn({ text }: Node): { owner: string; name: string } {
  const [, owner = "", name = "__invoke"] = /(\w+)::class\s*,\s*["'](\w+)/.exec(text) ?? /(\w+)::(?!class\b)(\w+)/.exec(text) ?? /(\w+)::class/.exec(text) ?? [];
  return { owner, name };
}
