import type { Node } from "web-tree-sitter";
import type { MountFact } from "../../facts.ts";
import { type Annotated, type Argument, type Call, entriesOf, givenTo, type Grammar, literal } from "./calls.ts";
import type { Declared } from "./code.ts";
import type { Router } from "./router.ts";
import type { Texts } from "./texts.ts";
import { lookupOf } from "./views.ts";
import { FOR_ALL, FOR_ONE } from "../../view-answers.ts";

/** Django REST framework: what a set of views does, by the path behind its own, which is for all of its objects or for one. */
export const VIEWSET: readonly (readonly [path: string, actions: readonly string[]])[] = [
  ["", FOR_ALL], ["{pk}/", FOR_ONE],
];

/** Django REST framework: the actions that a view of a set has for HTTP's methods, `Users.as_view({"get": "list"})`. */
export function actionsOf({ args }: Call, grammar: Grammar): { method: string; action: string }[] {
  const [first] = args;
  if (first?.node.type !== "dictionary") return [];
  return entriesOf(first.node).flatMap(({ name, node }) => {
    const action = literal(node, grammar);
    return action === undefined ? [] : [{ method: name.toUpperCase(), action }];
  });
}

/**
 * Django REST framework: the routes of actions beside those of all sets, `@action(detail=True, methods=["post"], url_path="set-password")`, and
 * of methods that answer there, too, `@set_password.mapping.delete`. `ownerOf`: the class of a method.
 */
export function actionsOfSets(all: readonly Annotated[], texts: Texts, symbolAt: (name: Node) => number, ownerOf: (symbol: number) => string | undefined): Declared[] {
  return all.flatMap((one) => {
    const symbol = symbolAt(one.name);
    const set = ownerOf(symbol);
    return set === undefined ? [] : one.annotations.flatMap(({ name, args, callee }) => {
      const [, other, method] = /^(\w+)\.mapping\.(\w+)$/.exec(callee) ?? [];
      const action = name === "action" ? one : all.find((each) => each.name.text === other && ownerOf(symbolAt(each.name)) === set);
      const said = name === "action" ? args : action?.annotations.find((each) => each.name === "action")?.args;
      return !said ? [] : pathsOf(action!, said, texts, method).map((path): Declared => ({ name: path, node: one.node, route: { before: [], symbol, router: { names: [set], line: 0 } } }));
    });
  });
}

/** Django REST framework: sets have the actions of the classes above them. */
export function inheritedSets(root: Node): MountFact[] {
  return root.descendantsOfType("class_definition").flatMap((cls) => {
    const name = cls.childForFieldName("name")?.text ?? "";
    const bases = /Set$/i.test(name) ? cls.childForFieldName("superclasses")?.namedChildren ?? [] : [];
    return bases.filter(({ type }) => /^(?:identifier|attribute)$/.test(type)).map((base): MountFact => {
      const [word, line] = [base.text.split(".").at(-1)!, base.startPosition.row + 1];
      return { prefix: "", target: { text: word, names: [word], line, endLine: line }, into: { names: [name], line: 0 } };
    });
  });
}

/** The routes of an action by what its decorator says; `only`: for one method. */
function pathsOf({ name, node }: Annotated, args: readonly Argument[], texts: Texts, only: string | undefined): string[] {
  const said = (key: string): Node | undefined => args.find((one) => one.name === key)?.node;
  const path = texts.one(said("url_path")) ?? name.text;
  let cls: Node | null = node.parent;
  while (cls && cls.type !== "class_definition") cls = cls.parent;
  const object = `{${cls ? lookupOf(cls) : "pk"}}/`;
  const methods = only !== undefined ? [only] : said("methods") ? texts.all(said("methods")!) : ["GET"];
  return methods.map((method) => `${method.toUpperCase()} …/${said("detail")?.text === "True" ? object : ""}${path}/`);
}

/** Calls of Django that make a route, whose arguments are no lists of routes beside the one that these stand in. */
const ROUTE = /^(?:path|re_path|url|include)$/;
/** The call whose routes are behind a part of the path that stands for the language. */
const BY_LANGUAGE = /(?:^|\.)i18n_patterns$/;
/** The list of a file's routes. */
export const URLS = "urlpatterns";

/** Django: the lists of routes of a file. All but `urlpatterns` are put under the paths that include them. */
export class Lists {
  private readonly inPlace = new Map<number, Router>();
  private readonly byName = new Map<string, Router>();

  /** `file` has the routes of `urlpatterns`; `routerOf` gives the router that an expression stands for; `mount` puts the lists of another file beside it. */
  constructor(private readonly source: string, private readonly file: Router, private readonly routerOf: (node: Node) => Router | undefined, private readonly mount: (list: Node) => void) {}

  /** The list that a route stands in. */
  of(route: Node): Router {
    for (let at = route.parent; at; at = at.parent) {
      if (at.type === "call" && this.isByLanguage(at)) return this.behindLanguage(at);
      if (at.type === "class_definition") return this.ofClass(at);
      if (at.type !== "list") continue;
      // With the name of the application: `api_patterns = ([…], "api")`.
      const known = this.inPlace.get(at.id) ?? this.named(givenTo(at.parent?.type === "tuple" ? at.parent : at, this.source));
      if (known) return known;
    }
    return this.file;
  }

  /** Takes over `path("api/", include([…]))` and `include(api_patterns)`; false where what is included is another file's. */
  include(prefix: string, { args }: Call, route: Node): boolean {
    let list = args[0]?.node;
    if (list?.type === "tuple") list = list.namedChildren[0];
    const base = this.of(route);
    const router = list?.type === "list" ? made() : list?.type === "identifier" ? this.named(list.text) : list && this.urlsOf(list);
    if (!list || !router) return false;
    router.mounts.push({ base, prefix, overrides: false, at: 0 });
    if (list.type === "list") this.inPlace.set(list.id, router);
    return true;
  }

  /** Takes over `urlpatterns = router.urls + pages`, with lists beside them. */
  addUrls(root: Node): void {
    for (const node of root.descendantsOfType(["assignment", "augmented_assignment"])) {
      const value = node.childForFieldName("left")?.text === URLS ? node.childForFieldName("right") : null;
      for (const one of value ? [value, ...value.descendantsOfType(["attribute", "identifier"])] : []) {
        if (isGiven(one, node)) continue;
        const router = one.type === "identifier" ? this.named(one.text) : this.urlsOf(one);
        router?.mounts.push({ base: this.of(one), prefix: "", overrides: false, at: 0 });
        if (one.type === "attribute" && one.childForFieldName("attribute")?.text === URLS) this.mount(one);
      }
    }
  }

  private isByLanguage(call: Node): boolean {
    return BY_LANGUAGE.test(call.childForFieldName("function")?.text ?? "") && !/\bprefix_default_language\s*=\s*False\b/.test(call.childForFieldName("arguments")!.namedChildren.at(-1)?.text ?? "");
  }

  /** The router of the paths that a class's method returns, `get_urls` of an admin site: other code puts them under a prefix. */
  private ofClass(cls: Node): Router {
    let router = this.inPlace.get(cls.id);
    if (!router) this.inPlace.set(cls.id, (router = { ...made(), whole: false }));
    return router;
  }

  /** The routes of `i18n_patterns(path("contact/", contact))`: `/en/contact/`. */
  private behindLanguage(call: Node): Router {
    let router = this.inPlace.get(call.id);
    if (!router) {
      this.inPlace.set(call.id, (router = made()));
      router.mounts.push({ base: this.file, prefix: "…", overrides: false, at: 0 });
    }
    return router;
  }

  /** The router of `router.urls`. */
  private urlsOf(node: Node): Router | undefined {
    return node.type === "attribute" && node.childForFieldName("attribute")?.text === "urls" ? this.routerOf(node.childForFieldName("object")!) : undefined;
  }

  private named(name: string | undefined): Router | undefined {
    if (name === undefined || name === URLS || !new RegExp(`^${name}\\s*(?::[^=\\n]*)?=\\s*\\(?\\s*\\[`, "m").test(this.source)) return undefined;
    let router = this.byName.get(name);
    if (!router) this.byName.set(name, (router = made(name)));
    return router;
  }
}

/** Whether a node stands among the arguments of a route in a statement; what other calls are given, `format_suffix_patterns(pages)`, they hand on. */
function isGiven(node: Node, statement: Node): boolean {
  for (let at = node.parent; at && at.id !== statement.id; at = at.parent) if (at.type === "call" && ROUTE.test(at.childForFieldName("function")?.text ?? "")) return true;
  return false;
}

/** `name`: what other files may include it by. */
function made(name = ""): Router {
  return { prefix: "", mounts: [], whole: name === "", before: [], made: name, line: 1 };
}
