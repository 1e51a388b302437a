import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode, RouterFact } from "../../facts.ts";
import { annotated, type Argument, type Call, callOf, entriesOf, givenTo, type Grammar, GRAMMARS, literal } from "./calls.ts";
import { actionsOf, Lists, VIEWSET } from "./django.ts";
import type { Framework } from "./frameworks.ts";
import { beforeOf, codeOf, DEPENDENCIES, joined, KnownRouters, type Prefix, type Router } from "./known-routers.ts";
import { resourceRoutes } from "./laravel.ts";
import { Texts } from "./texts.ts";

/** A route as it is found, in one file. */
export interface Found {
  method: string;
  path: string;
  node: Node;
  before: NamedCode[];
  handler?: NamedCode;
  actions?: readonly string[];
  router?: RouterFact;
}

const IMPORTS = ["import_statement", "import_from_statement", "lexical_declaration", "variable_declaration"];

/** What asks for a path and answers none, by its name. */
const CLIENT = /(?:^|\.)(?:\$?https?|got|ky|needle|request|agent|superagent|supertest|cy|page|nock|cache|storage|redis|\w*(?:[cC]lient|[aA]xios|[fF]etch(?:er)?|[mM]ock))$/;

/** Routes that a file registers by calls on routers: prefixes, groups and mounts joined as far as the file says them. */
export class Routers {
  private readonly late: (() => void)[] = [];
  private readonly elsewhere: (() => MountFact[])[] = [];
  private readonly routes: { router: Router | undefined; method: string; path: string; call: Node; before: NamedCode[]; handler: NamedCode | undefined; actions?: readonly string[] }[] = [];

  /** What Django's routes are added to. */
  private readonly file: Router = { prefix: "", mounts: [], whole: true, before: [], made: "urlpatterns", line: 1 };

  /** The names in each import, found when they are first asked for. */
  private imports: { names: ReadonlySet<string>; line: number; endLine: number }[] | undefined;

  private readonly texts: Texts;
  private readonly known: KnownRouters;
  private readonly lists: Lists;

  constructor(private readonly root: Node, private readonly source: string, private readonly grammar: Grammar, private readonly rows: readonly Framework[]) {
    this.texts = new Texts(root, grammar);
    this.known = new KnownRouters(root, source, grammar, rows, this.texts);
    this.lists = new Lists(source, this.file, (node) => this.known.of(node));
  }

  /** All routes of calls, in the order of the file. */
  find(): Found[] {
    for (const node of this.root.descendantsOfType([...this.grammar.calls])) {
      const call = callOf(node, this.grammar);
      if (call) this.call(call);
    }
    for (const work of this.late) work();
    if (this.rows.some(({ hooks }) => hooks)) this.addHooks();
    if (this.rows.some(({ viewsets }) => viewsets)) this.lists.addUrls(this.root);
    return this.routes.flatMap(({ router, method, path, call, before, handler, actions }) => {
      const own = router ? beforeOf(router, call.startIndex) : [];
      return this.known.paths(router).map((prefix) => ({
        method, path: joined(prefix.path, path), node: call, before: [...own, ...before], ...(handler ? { handler } : {}), ...(actions ? { actions } : {}), ...(prefix.router ? { router: prefix.router } : {}),
      }));
    });
  }

  /** Functions that decorators make run before all routes of a router. */
  private addHooks(): void {
    for (const { name, annotations } of annotated(this.root, this.grammar)) {
      for (const annotation of annotations) {
        const router = annotation.receiver && this.known.of(annotation.receiver);
        if (router?.row?.hooks?.test(annotation.name)) router.before.push({ code: { ...codeOf(name, this.grammar), declared: true }, from: 0 });
      }
    }
  }

  /** The routers of other files that this one puts under a path; after `find`. */
  mounts(): MountFact[] {
    return this.elsewhere.flatMap((facts) => facts());
  }

  /** The router that routes are added to by a call on something, and the path before it. */
  prefixes(receiver: Node | undefined): Prefix[] {
    return this.known.paths(receiver && this.known.of(receiver));
  }

  /** What runs before a route that is added to a router where a node stands. */
  before(receiver: Node, { startIndex }: Node): NamedCode[] {
    const router = this.known.of(receiver);
    return router ? beforeOf(router, startIndex) : [];
  }

  private call(call: Call): void {
    const { node, callee, name, receiver, args } = call;
    const router = this.known.of(node);
    // What a chain of calls gives is that of its last.
    const isChained = /^(?:member|selector|field|attribute|member_access)/.test(node.parent?.type ?? "");
    const given = router && !isChained ? givenTo(node, this.source) : undefined;
    if (given !== undefined) this.known.bind(node.parent?.type === "public_field_definition" || node.parent?.type === "field_definition" ? `this.${given}` : given, router!, node);
    const on = receiver && this.known.of(receiver);
    const own = on?.row ?? (on ? undefined : this.rows.find((row) => receiver !== undefined && row.receiver?.test(receiver.text) === true));
    for (const row of own ? [own] : this.rows) {
      if (row.prefix === name && on) {
        // Koa: `router.prefix("/api")`
        on.prefix = joined(this.texts.one(args[0]?.node) ?? "…", on.prefix);
        return;
      }
      if (row.mounts?.test(name) && args.length > 0 && this.mount(row, call, on)) return;
      if (row.use?.test(name) && on) {
        // Under a path of its own it is not before the others.
        if (/^\/?[^/*]/.test(literal(args[0]?.node, this.grammar) ?? "")) return;
        for (const { node: one } of args) if (!this.grammar.strings.test(one.type)) on.before.push({ code: codeOf(one, this.grammar), from: one.startIndex });
        return;
      }
      if (row.groups?.test(name) && this.group(row, call, router)) return;
      if (row.decorators && node.parent?.type === "decorator") return;
      if (row.verbs[name] !== undefined && (row.bare ? !receiver && callee === name : receiver) && this.route(row, call, on)) return;
    }
    this.handOn(call);
  }

  /** A router that is given to a function, which adds routes to it. */
  private handOn({ node, args, name, receiver }: Call): void {
    const callee = node.childForFieldName("function");
    // In a chain only the last call is given the router.
    const target = callee?.text.includes("(") ? ["field", "property", "attribute", "name"].map((field) => callee.childForFieldName(field)).find((one) => one !== null) ?? callee : callee;
    if (!target || this.rows.some(({ app, router }) => app?.test(name) === true || router?.test(name) === true)) return;
    if (this.known.of(node)) return;
    // A method that C# adds to routers is given what it is called on.
    const given = args.map(({ node: one }) => this.known.of(one)).find((router) => router !== undefined)
      ?? (receiver && this.grammar === GRAMMARS["csharp"] ? this.known.of(receiver) : undefined);
    if (given) this.mountLate(given, "", target);
  }

  /** Routers that a function of this file makes, or is given. */
  private madeBy(name: string): Router[] {
    return name === "" ? [] : [...new Set([...this.known.all(), ...this.routes.flatMap((one) => one.router ?? [])])].filter((one) => one.made === name);
  }

  /** What is put into may itself be put somewhere further down in the file: the path is known at the end. */
  private mountElsewhere(into: Router | undefined, prefix: string, target: Node, { module, overrides = false, before = [] }: { module?: string | undefined; overrides?: boolean; before?: readonly NamedCode[] } = {}): void {
    const root = rootOf(target).split(/[.\\]/)[0] ?? "";
    const imported = root === "" ? undefined : this.importOf(root);
    this.elsewhere.push(() => {
      const all = [...(into ? beforeOf(into, target.startIndex) : []), ...before];
      return this.known.paths(into).map((outer) => {
        const isOurs = outer.router?.names.every((name) => !this.importOf(name)) === true;
        return {
          prefix: joined(isOurs ? outer.path : outer.path.replace(/^…/, ""), prefix), target: codeOf(target, this.grammar),
          ...(isOurs ? { into: outer.router! } : {}), ...(imported ? { imported } : {}), ...(module === undefined ? {} : { module }), ...(overrides ? { overrides } : {}),
          ...(all.length > 0 ? { before: all } : {}),
        };
      });
    });
  }

  /** The lines of the import that brings a name. */
  private importOf(name: string): { line: number; endLine: number } | undefined {
    this.imports ??= this.root.descendantsOfType(IMPORTS).flatMap((node) => {
      const { text } = node;
      if (/declarat(?:ion|or)$/.test(node.type) && !/\brequire\(|\bimport\(/.test(text)) return [];
      return [{ names: new Set(text.match(/[\w$]+/g)), line: node.startPosition.row + 1, endLine: node.endPosition.row + 1 }];
    });
    const found = this.imports.find(({ names }) => names.has(name));
    return found && { line: found.line, endLine: found.endLine };
  }

  /** A function that is handed a router: its parameter is one. */
  private group({ prefix }: Framework, { args, receiver }: Call, router: Router | undefined): boolean {
    const inside = args.map(({ node }) => node).find(({ type }) => this.grammar.functions.test(type));
    if (!router) return false;
    if (inside) {
      const list = inside.childForFieldName("parameters") ?? inside.childForFieldName("parameter");
      const first = list?.namedChildren[0] ?? list;
      const name = first?.childForFieldName("name")?.text ?? first?.childForFieldName("pattern")?.text ?? first?.text.replace(/[:\s].*/s, "") ?? rootOf(receiver);
      this.known.bindWithin(name.replace(/^&?mut /, ""), router, inside);
      // PHP's routes are on a class, whatever the function is given.
      if (this.grammar.declarations.test("class_declaration") && receiver) this.known.bindWithin(rootOf(receiver), router, inside);
    }
    const last = args.at(-1)?.node;
    if (!inside && last && args.length > 1 && /^(?:identifier|selector_expression|member_expression)$/.test(last.type)) this.mountLate(router, "", last);
    return prefix === undefined;
  }

  /** What a function of this file or another adds to the router that it makes or is given. */
  private mountLate(base: Router, prefix: string, target: Node): void {
    this.late.push(() => {
      const made = this.madeBy(madeIn(target)).filter((one) => one !== base);
      for (const one of made) one.mounts.push({ base, prefix, overrides: false, at: target.startIndex });
      if (made.length === 0) this.mountElsewhere(base, prefix, target);
    });
  }

  private mount(row: Framework, { name, args, receiver }: Call, on: Router | undefined): boolean {
    const said = this.known.prefixIn(row, args);
    const path = said ?? "";
    const overrides = row.overrides === true && said !== undefined;
    const targets = args.filter(({ name: key }) => /^(?:|router|blueprint)$/.test(key)).map(({ node: one }) => one).filter(({ type }) => !this.grammar.strings.test(type) && !/^(?:object|dictionary)$/.test(type));
    const target = targets.findLast((one) => this.known.of(one) !== undefined) ?? targets.at(-1);
    if (!target || this.grammar.functions.test(target.type)) return false;
    const isUse = row.use?.test(name) === true;
    const router = this.known.of(target);
    if (!on) {
      let root = receiver;
      for (let call = root && callOf(root, this.grammar); call?.receiver && row.same?.test(call.name); call = callOf(root, this.grammar)) root = call.receiver;
      if (!root || !/^[\w.$]+$/.test(root.text) || (isUse && path === "")) return false;
      on = this.known.unknown(root);
    }
    const made = madeIn(target);
    const isRouter = router !== undefined || (!isUse && made !== "");
    const base = on;
    const before = [...targets.slice(0, targets.indexOf(target)), ...args.filter((one) => one.name === DEPENDENCIES).map((one) => one.node)].map((one) => codeOf(one, this.grammar));
    this.late.push(() => {
      const all = router ? [router] : this.madeBy(made);
      for (const one of isRouter ? all : []) {
        if (one === base) continue;
        one.mounts.push({ base, prefix: path, overrides, at: target.startIndex });
        one.before.unshift(...before.map((code) => ({ code, from: 0 })));
      }
      if (router === undefined && (!isRouter || all.length === 0)) this.mountElsewhere(base, path, target, { overrides, before });
    });
    return isRouter && (!isUse || router !== undefined);
  }

  private route(row: Framework, call: Call, known: Router | undefined): boolean {
    const { node, name, receiver, args } = call;
    if (/^(?:apiR|r)esource$/.test(name) && row.imports.test("Illuminate\\")) return this.resource(call, known);
    if (row.wraps) return this.added(call, known);
    if (row.viewsets) return this.viewset(call, known);
    if (row.scoped && name === "to") return known !== undefined && this.answered(call, known);
    if (row.scoped) return this.guarded(call, known ?? this.known.of(node) ?? this.known.unknown(receiver!));
    if (row.verbs[name] === "" && row.imports.test("axum::")) return this.chained(call, known ?? this.known.of(node));
    const spoken = this.methodsOf(row, call);
    if (!spoken) return false;
    if (row.methods && this.routeBefore(row, call)) return true;
    let { methods } = spoken;
    const [first, ...rest] = this.unnamed(row, spoken.args);
    let paths = first ? this.texts.all(first.node) : [];
    // Django's regular expressions begin and end with signs of their own.
    if (row.includes && name !== "path") paths = paths.map((path) => path.replace(/^\^|\$$/g, ""));
    const isSure = known !== undefined || row.bare === true || (receiver !== undefined && row.receiver?.test(receiver.text) === true);
    // `app.route("/x").get(list)`: the path is the router's.
    let on = receiver && callOf(receiver, this.grammar);
    while (paths.length === 0 && on?.receiver && row.verbs[on.name] !== undefined) on = callOf(on.receiver, this.grammar);
    const isOfRoute = paths.length === 0 && known !== undefined && on !== undefined && row.groups?.test(on.name) === true;
    if (isOfRoute) {
      rest.unshift(...(first ? [first] : []));
      paths = [""];
    }
    if (paths.length === 0) {
      if (known === undefined || !first || rest.length === 0) return false;
      paths = ["…"];
    }
    if (rest.length === 0 || (!isSure && (CLIENT.test(receiver?.text ?? "") || !paths.every((path) => /^(?:$|[/*]|[A-Z]+ \/)/.test(path))))) return false;
    const [, verb, plain] = (row.receiver && /^([A-Z]+)\s+(.*)$/s.exec(paths[0]!)) ?? [];
    if (verb !== undefined) {
      methods = [verb];
      paths = [plain!.replace(/^[^/]+/, "")];
    }
    if (row.methods) methods = this.methodsBehind(node, row) ?? methods;
    const positional = rest.filter((one) => one.name === "");
    const named = rest.find((one) => /^(?:view_func|endpoint|view)$/.test(one.name) && !this.grammar.strings.test(one.node.type));
    const last = row.handler < 0 ? positional.length - 1 : Math.min(row.handler, positional.length) - 1;
    const given = (named ?? positional[last] ?? rest.at(-1)!).node;
    const handler = this.handlerBehind(row, given);
    if (this.includes(row, paths[0]!, handler, node) || this.stripped(known, handler)) return true;
    const isHandler = !/^(?:string|template_string|object|number|integer|true|false|none|null)/i.test(handler.type) || row.imports.test("Illuminate\\");
    if (!isHandler) return false;
    const router = known ?? (row.bare ? (row.includes ? this.lists.of(node) : this.namespaceOf(node)) : isSure ? undefined : this.known.unknown(receiver!, row.absolute));
    const before = positional.filter(({ node: one }) => one.id !== given.id && !this.grammar.strings.test(one.type)).flatMap(({ node: one }) => (
      /^(?:object|dictionary)$/.test(one.type) ? this.hooksIn(entriesOf(one)) : [codeOf(one, this.grammar)]
    ));
    const behind = row.imports.test("Illuminate\\") ? this.middlewareBehind(node) : [];
    const code = codeOf(handler, this.grammar);
    // The methods of the class are those of its routes.
    if (row.views?.test(code.text) && !args.some((one) => one.name === "methods")) methods = ["ANY"];
    const view = row.views && callOf(handler, this.grammar);
    const actions = view ? actionsOf(view, this.grammar) : [];
    for (const { method, action } of actions) for (const path of paths) this.routes.push({ router, method, path, call: node, before, handler: code, actions: [action] });
    if (actions.length > 0) return true;
    const controller = this.grammar.strings.test(handler.type) ? controllerOf(router) : undefined;
    if (controller !== undefined) code.text = `[${controller}, "${code.text}"]`;
    for (const method of methods) for (const path of paths) this.routes.push({ router, method, path, call: node, before: [...before, ...behind], handler: code });
    return true;
  }

  /** Flask-RESTful: `api.add_resource(Todo, "/todos/<id>", "/todo/<id>")`. */
  private added({ node, args }: Call, router: Router | undefined): boolean {
    const [cls, ...rest] = args.filter(({ name }) => name === "");
    const paths = rest.flatMap((one) => this.texts.all(one.node));
    if (!cls || !router) return false;
    for (const path of paths) this.routes.push({ router, method: "ANY", path, call: node, before: [], handler: codeOf(cls.node, this.grammar) });
    return paths.length > 0;
  }

  /** Django REST framework: `router.register("users", UserViewSet)`. */
  private viewset({ node, args }: Call, router: Router | undefined): boolean {
    const [said, cls] = args.filter(({ name }) => name === "" || name === "prefix" || name === "viewset");
    const path = said && this.texts.one(said.node);
    if (!router || path === undefined || !cls) return false;
    for (const [behind, actions] of VIEWSET) this.routes.push({ router, method: "ANY", path: `${path}/${behind}`, call: node, before: [], handler: codeOf(cls.node, this.grammar), actions });
    // Where the set has actions of its own, they go by its name.
    this.mountElsewhere(router, path, cls.node);
    return true;
  }

  /** Flask and Django: `view = Users.as_view("users")` behind the name that a route is given. Laravel: `["uses" => "Users@index"]`. */
  private handlerBehind(row: Framework, handler: Node): Node {
    if (handler.type === "array_creation_expression") return this.known.entry(handler, "uses") ?? handler;
    if (!row.views || handler.type !== "identifier") return handler;
    const made = this.root.descendantsOfType("assignment").findLast((one) => one.startIndex < handler.startIndex && one.childForFieldName("left")?.text === handler.text)?.childForFieldName("right");
    return made && row.views.test(made.text) ? made : handler;
  }

  /** Laravel: `Route::resource("photos", PhotoController::class)` is seven routes, or those that `only` and `except` leave. */
  private resource({ node, name, args }: Call, router: Router | undefined): boolean {
    const [said, controller] = args.map((one) => one.node);
    const resource = this.texts.one(said);
    if (resource === undefined || !controller || !/::class$/.test(controller.text)) return false;
    const chosen = (key: string): string[] | undefined => this.behind(node).find((one) => one.name === key)?.args.flatMap((one) => this.texts.all(one.node));
    for (const { action, method, path } of resourceRoutes(resource, name === "apiResource", chosen("only"), chosen("except"))) {
      const handler = { ...codeOf(controller, this.grammar), text: `[${controller.text}, "${action}"]` };
      this.routes.push({ router, method, path, call: node, before: this.middlewareBehind(node), handler });
    }
    return true;
  }

  /** Koa: a route may have a name before its path. */
  private unnamed(row: Framework, args: readonly Argument[]): readonly Argument[] {
    const [name, path] = args.map(({ node }) => this.texts.one(node));
    return row.names && name !== undefined && path?.startsWith("/") === true ? args.slice(1) : args;
  }

  /** The methods that a call says, and its other arguments: the path, what runs before, the handler. Undefined where it is no route. */
  private methodsOf(row: Framework, { name, args }: Call): { methods: string[]; args: Argument[] } | undefined {
    const method = row.verbs[name]!;
    const said = args.find((one) => one.name === "methods");
    if (method !== "") return { methods: said ? this.upper(said.node) : [method], args: args.filter((one) => one !== said) };
    if (args.length === 1 && args[0]!.node.type === "object") {
      const entries = entriesOf(args[0]!.node);
      const [verbs, path, handler] = [/^method$/, /^(?:url|path)$/, /^handler$/].map((key) => entries.find((entry) => key.test(entry.name)));
      return verbs && path && handler && { methods: this.upper(verbs.node), args: [path, args[0]!, handler].map(({ node }) => ({ name: "", node })) };
    }
    // ASP.NET has the path first.
    const at = name === "MapMethods" ? 1 : 0;
    return args[at] && { methods: this.upper(args[at].node), args: args.filter((_, i) => i !== at) };
  }

  /** Methods as texts, or as a constant is called: `http.MethodGet`. */
  private upper(node: Node): string[] {
    const said = this.texts.all(node);
    return (said.length > 0 ? said : [/\.?(?:Method)?(\w+)$/.exec(node.text)?.[1] ?? "…"]).map((text) => text.toUpperCase());
  }

  /** Fastify: what options say that runs before. */
  private hooksIn(entries: readonly Argument[]): NamedCode[] {
    return ["onRequest", "preParsing", "preValidation", "preHandler"].flatMap((hook) => entries.filter(({ name }) => name === hook))
      .flatMap(({ node }) => (node.type === "array" ? node.namedChildren : [node])).map((one) => codeOf(one, this.grammar));
  }

  /** Django: the routes of another file, or of a list of this one, under a path. */
  private includes(row: Framework, prefix: string, handler: Node, node: Node): boolean {
    const included = row.includes ? callOf(handler, this.grammar) : undefined;
    if (included?.name !== "include") return false;
    const [, module] = /["']([\w.]+)["']/.exec(handler.text) ?? [];
    if (!this.lists.include(prefix, included, node)) this.mountElsewhere(this.lists.of(node), prefix, handler, { module });
    return true;
  }

  /** Sinatra: the `namespace "/api" do` around a route. */
  private namespaceOf(node: Node): Router | undefined {
    for (let at = node.parent; at; at = at.parent) {
      const call = callOf(at, this.grammar);
      const prefix = call?.name === "namespace" ? this.texts.one(call.args[0]?.node) : undefined;
      if (prefix === undefined) continue;
      const base = this.namespaceOf(at);
      return { ...(base ? { base } : {}), prefix, mounts: [], whole: true, before: [], made: "", line: at.startPosition.row + 1 };
    }
    return undefined;
  }

  /** net/http: a router whose paths begin behind a prefix. */
  private stripped(known: Router | undefined, handler: Node): boolean {
    const strip = callOf(handler, this.grammar);
    const [prefix, target] = strip?.callee === "http.StripPrefix" ? strip.args : [];
    const router = target && this.known.of(target.node);
    if (!known || !router || router === known) return false;
    router.mounts.push({ base: known, prefix: this.texts.one(prefix!.node) ?? "…", overrides: false, at: handler.startIndex });
    return true;
  }

  /** axum: `route("/x", get(list).post(create))`. */
  private chained({ args }: Call, router: Router | undefined): boolean {
    const [first, second] = args;
    const path = first && this.texts.one(first.node);
    if (path === undefined || !second) return false;
    for (let at: Node | undefined = second.node; at;) {
      const call: Call | undefined = callOf(at, this.grammar);
      if (!call) break;
      const by = /^on(?:_service)?$/.test(call.name) ? call.args[0]?.node.text.match(/[A-Z]{3,}/g) : undefined;
      const handler = call.args[by ? 1 : 0]?.node;
      for (const method of by ?? []) {
        if (handler) this.routes.push({ router, method, path, call: second.node.parent ?? second.node, before: [], handler: codeOf(handler, this.grammar) });
      }
      if (handler && /^(?:get|post|put|delete|patch|head|options|any|get_service|post_service)$/.test(call.name)) {
        const method = call.name === "any" ? "ANY" : call.name.replace("_service", "").toUpperCase();
        this.routes.push({ router, method, path, call: second.node.parent ?? second.node, before: [], handler: codeOf(handler, this.grammar) });
      }
      at = call.receiver && callOf(call.receiver, this.grammar) ? call.receiver : undefined;
    }
    return true;
  }

  /** actix: `route("/x", web::get().to(list))`, or without a path on a resource. */
  private guarded({ args, node }: Call, router: Router): boolean {
    const last = args.at(-1);
    const to = last && callOf(last.node, this.grammar);
    const handler = to?.name === "to" ? to.args[0]?.node : undefined;
    const path = args.length > 1 ? this.texts.one(args[0]!.node) : "";
    if (!handler || path === undefined) return false;
    let method = "ANY";
    for (let at = to!.receiver && callOf(to!.receiver, this.grammar); at; at = at.receiver && callOf(at.receiver, this.grammar)) {
      if (/^(?:get|post|put|delete|patch|head|trace)$/.test(at.name)) method = at.name.toUpperCase();
    }
    this.routes.push({ router, method, path, call: node, before: [], handler: codeOf(handler, this.grammar) });
    return true;
  }

  /** actix: `web::resource("/x").to(all)` */
  private answered({ args, node }: Call, router: Router): boolean {
    const [handler] = args;
    if (handler) this.routes.push({ router, method: "ANY", path: "", call: node, before: [], handler: codeOf(handler.node, this.grammar) });
    return true;
  }

  /** gorilla: `r.Path("/x").Methods("GET").HandlerFunc(f)`. */
  private routeBefore(row: Framework, { node, args, receiver }: Call): boolean {
    const chain: Call[] = [];
    for (let at = receiver && callOf(receiver, this.grammar); at; at = at.receiver && callOf(at.receiver, this.grammar)) chain.push(at);
    const path = chain.find(({ name }) => name === "Path");
    const said = path && this.texts.one(path.args[0]?.node);
    if (said === undefined || args.length !== 1) return false;
    const named = chain.find(({ name }) => row.methods!.test(name));
    const router = this.known.of(chain.at(-1)!.receiver!) ?? this.known.unknown(chain.at(-1)!.receiver!);
    for (const method of named ? named.args.flatMap((one) => this.upper(one.node)) : ["ANY"]) this.routes.push({ router, method, path: said, call: node, before: [], handler: codeOf(args[0]!.node, this.grammar) });
    return true;
  }

  /** `.Methods("GET", "POST")` on what a call gives. */
  private methodsBehind(node: Node, row: Framework): string[] | undefined {
    for (let at: Node | null = node.parent; at && /^(?:selector_expression|call_expression)$/.test(at.type); at = at.parent) {
      const call = callOf(at, this.grammar);
      if (!call || !row.methods!.test(call.name)) continue;
      return call.args.map(({ node: one }) => literal(one, this.grammar) ?? /Method(\w+)$/.exec(one.text)?.[1]?.toUpperCase() ?? "…");
    }
    return undefined;
  }

  private middlewareBehind(node: Node): NamedCode[] {
    return this.behind(node).filter(({ name }) => name === "middleware").flatMap(({ args }) => args.map(({ node: one }) => codeOf(one, this.grammar)));
  }

  /** PHP: the calls on what a call gives, `Route::get(…)->middleware(…)`. */
  private behind(node: Node): Call[] {
    const calls: Call[] = [];
    for (let at: Node | null = node.parent; at?.type === "member_call_expression"; at = at.parent) {
      const call = callOf(at, this.grammar);
      if (call) calls.push(call);
    }
    return calls;
  }
}

function controllerOf(router: Router | undefined): string | undefined {
  for (let at = router; at; at = at.base) if (at.controller !== undefined) return at.controller;
  return undefined;
}

/** The function that an expression names or calls; "" for none. */
function madeIn(target: Node): string {
  return /^(?:[\w.]*\.)?(\w+)(?:\(.*\))?$/s.exec(target.text)?.[1] ?? "";
}

function rootOf(receiver: Node | undefined): string {
  return /^[\w.$\\]+/.exec(receiver?.text.replace(/\s+/g, "") ?? "")?.[0] ?? "";
}
