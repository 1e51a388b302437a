import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode, RouterFact } from "../../facts.ts";
import { annotated, type Call, callOf, entriesOf, givenTo, type Grammar, GRAMMARS, literal } from "./calls.ts";
import { Chains } from "./chains.ts";
import { actionsOf, Lists, URLS, VIEWSET } from "./django.ts";
import type { Framework } from "./frameworks.ts";
import { KnownRouters, typeIn } from "./known-routers.ts";
import { codeOf } from "./named-code.ts";
import { endpoint, filtersBehind } from "./aspnet.ts";
import { Elsewhere, rootOf } from "./elsewhere.ts";
import { HOOK, hooksOf } from "./folders.ts";
import { Helpers } from "./helpers.ts";
import { Loops, type Round } from "./loops.ts";
import { fileIn, middlewareBehind, requiredFiles, resources, routedFiles, withoutMiddleware } from "./laravel.ts";
import { asItIs, distinct, joined, type Prefix } from "./prefixes.ts";
import { beforeOf, controllerOf, MAX_BEFORE, methodsAbove, type Router } from "./router.ts";
import { actixRoute, axumRoutes } from "./rust.ts";
import { patternOf, wrapRouters } from "./go.ts";
import { isGiven, isGivenWhole, parameters } from "./scopes.ts";
import { Mounting } from "./mounting.ts";
import { behindNoPath, composed, isAround, isForErrors, methodsBehind, methodsOf, nestedIn, nestedPart, NESTS, respondersOf, routeBefore, unnamed } from "./methods.ts";
import { isAsked, isNamespaced, Namespaces, plainCall } from "./sinatra.ts";
import { Texts } from "./texts.ts";
import { ownMethods } from "./views.ts";

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

/** Expressions that may stand for a function. */
const PARTS: readonly string[] = ["identifier", "selector_expression", "member_expression", "attribute", "subscript_expression", "subscript", "variable_name"];
/** What is used and is a router of another file. */
const ROUTER = /rout(?:er|es?)s?\b|^require\(/i;

/** What asks for a path and answers none, by its name. */
const CLIENT = /(?:^|\.)(?:\$?https?|got|ky|needle|request|agent|superagent|supertest|cy|page|nock|cache|storage|redis|\w*(?:[cC]lient|[sS]ession|[aA]xios|[fF]etch(?:er)?|[mM]ock))$/;

/** A route that a call adds to a router. */
export interface Added {
  method: string;
  path: string;
  call: Node;
  before: NamedCode[];
  handler: NamedCode | undefined;
  actions?: readonly string[];
}

/** Routes that a file registers by calls on routers: prefixes, groups and mounts joined as far as the file says them. */
export class Routers {
  /** With where each stands, if that is not its call. */
  private readonly routes: (Added & { router: Router | undefined; at?: Node })[] = [];

  /** What the routes of Django and of Laravel are added to. */
  private readonly file: Router;

  /** All calls of the file, in its order. */
  private readonly calls: readonly Call[];
  private readonly nests: readonly Call[];
  /** All assignments of a file of Python, found when they are first asked for. */
  private assignments: readonly Node[] | undefined;

  private readonly texts: Texts;
  private readonly known: KnownRouters;
  private readonly elsewhere: Elsewhere;
  private readonly lists: Lists;
  private readonly namespaces: Namespaces;
  private readonly loops: Loops;
  private readonly helpers: Helpers;
  private readonly chains: Chains;
  private readonly mounting: Mounting;

  constructor(private readonly root: Node, private readonly source: string, private readonly grammar: Grammar, private readonly rows: readonly Framework[]) {
    const isExtended = grammar === GRAMMARS["ruby"] && source.includes("self.registered");
    this.calls = root.descendantsOfType([...grammar.calls]).flatMap((node) => (isExtended ? plainCall(node, grammar) : callOf(node, grammar)) ?? []).flatMap((call) => composed(call, grammar));
    this.nests = grammar === GRAMMARS["java"] ? this.calls.filter(({ name }) => NESTS.test(name)) : [];
    this.texts = new Texts(root, grammar);
    this.known = new KnownRouters(root, source, grammar, rows, this.texts, this.calls);
    this.elsewhere = new Elsewhere(grammar, this.known, this.texts);
    this.loops = new Loops(root, source, grammar, this.texts, this.calls);
    this.mounting = new Mounting(source, grammar, rows, this.texts, this.known, this.elsewhere, () => this.routes.flatMap((one) => one.router ?? []));
    this.helpers = new Helpers(source, grammar, this.texts, this.calls);
    this.chains = new Chains(this.texts, grammar);
    this.namespaces = new Namespaces(root, grammar, this.texts, this.calls);
    this.file = { prefix: "", mounts: [], whole: true, before: [], made: grammar === GRAMMARS["python"] ? URLS : "routes", line: 1 };
    this.lists = new Lists(source, this.file, (node) => this.known.of(node), (list) => this.elsewhere.mount(this.lists.of(list), "", list));
  }

  /** All routes of calls, in the order of the file. */
  find(): Found[] {
    for (const call of this.calls) {
      const rounds = this.roundsOf(call);
      if (rounds.length === 0) this.call(call);
      const first = this.routes.length;
      for (const round of rounds) this.callIn(round, call);
      // What is the same in all rounds is one route, and stands where the call does.
      const all = this.routes.splice(first);
      for (const one of all) {
        const same = all.filter(({ method, path, handler }) => method === one.method && path === one.path && handler?.line === one.handler?.line);
        if (same[0] === one) this.routes.push(same.length > 1 ? { ...one, at: call.node } : one);
      }
    }
    if (this.grammar === GRAMMARS["go"]) for (const { base, made } of wrapRouters(this.root, this.source, this.calls, this.known)) this.mounting.late(base, "", made);
    if (this.grammar === GRAMMARS["php"]) for (const { file, node } of requiredFiles(this.root, this.source)) this.elsewhere.mount(this.known.lookup("Route", node.startIndex) ?? this.file, "", node, { file });
    this.mounting.run();
    if (this.rows.some(({ hooks }) => hooks)) this.addHooks();
    if (this.rows.some(({ viewsets, includes }) => viewsets ?? includes)) this.lists.addUrls(this.root);
    return this.routes.flatMap(({ router, method, path, call, before, handler, actions, at = call }) => {
      // In a chain each call begins where the first does.
      const own = router ? beforeOf(router, this.known.order.of(call.childForFieldName("arguments") ?? call), path) : [];
      const whole = this.known.paths(router, at === call ? undefined : at.id).map((prefix): Prefix => ({ ...prefix, path: joined(prefix.path, prefix.filled(path)), filled: asItIs, call: 0 }));
      return distinct(whole).map((prefix) => ({
        method, path: prefix.path, node: at, before: this.grammar === GRAMMARS["php"] ? [...withoutMiddleware([...own, ...before], call, this.grammar)] : [...own, ...before], ...(handler ? { handler } : {}), ...(actions ? { actions } : {}), ...(prefix.router ? { router: prefix.router } : {}),
      }));
    });
  }

  /** The rounds of the loops around a call, or those of the function around it that is given the path. */
  private roundsOf(call: Call): readonly Round[] {
    const rounds = this.loops.around(call.node);
    const isVerb = this.rows.some(({ verbs, mounts }) => verbs[call.name] !== undefined || mounts?.test(call.name)) || call.node.childForFieldName("function")?.type === "subscript_expression";
    return rounds.length > 0 || !isVerb ? rounds : this.helpers.around(call);
  }

  /** Functions that decorators make run before all routes of a router. */
  private addHooks(): void {
    for (const { name, annotations } of annotated(this.root, this.source, this.grammar)) {
      for (const annotation of annotations) {
        const router = annotation.receiver && this.known.of(annotation.receiver);
        if (router?.row?.hooks?.test(annotation.name)) router.before[router.row.outermost ? "unshift" : "push"]({ code: { ...codeOf(name, this.grammar), declared: true }, from: 0 });
      }
    }
  }

  /** The routers of other files that this one puts under a path; after `find`. */
  mounts(): MountFact[] {
    return this.elsewhere.facts();
  }

  /** The router that routes are added to by a call on something, and the path before it. */
  prefixes(receiver: Node | undefined): Prefix[] {
    return this.known.paths(receiver && (this.known.of(receiver) ?? this.known.unknown(receiver)));
  }

  /** What runs before a route that is added to a router under a path where a node stands. */
  before(receiver: Node, node: Node, path: string): NamedCode[] {
    const router = this.known.of(receiver);
    return router ? beforeOf(router, this.known.order.of(node), path) : [];
  }

  /** A call in a loop, as it is in one of its rounds: its routes stand where the element does. */
  private callIn(round: Round, call: Call): void {
    const first = this.routes.length;
    this.texts.round = round;
    this.known.addRound(call.node, round.element);
    const valueOf = ({ text }: Node): Node | undefined => round.values.get(text.replace(/\s+/g, ""));
    const isLast = this.rows.find(({ verbs }) => verbs[call.name] !== undefined)?.handler !== 1;
    const args = call.args.flatMap((one) => {
      const value = valueOf(one.node) ?? this.routerIn(one.node, valueOf);
      if (value && valueOf(one.node) === undefined) this.mounting.members.set(value.id, one.node.text.split(".").at(-1)!);
      if (value) return [{ ...one, node: value }];
      // What is wrapped runs behind the wrapper.
      const inner = callOf(one.node, this.grammar)?.args.map(({ node }) => valueOf(node)).find((node) => node !== undefined && (PARTS.includes(node.type) || this.grammar.functions.test(node.type)));
      const wrapped = inner && { ...one, node: inner };
      return !wrapped ? [one] : isLast ? [one, wrapped] : [wrapped, one];
    });
    const chosen = call.node.childForFieldName("function");
    const name = chosen?.type === "subscript_expression" ? this.texts.one(chosen.childForFieldName("index") ?? undefined)?.toLowerCase() : undefined;
    const receiver = (call.receiver && valueOf(call.receiver)) ?? call.receiver;
    this.call({ ...call, args, receiver, ...(name === undefined ? {} : { name, callee: `${call.receiver?.text ?? ""}.${name}` }) });
    for (const route of this.routes.slice(first)) route.at = round.element;
    this.texts.round = undefined;
  }

  /** The module that a part of a row is, of whose router the code speaks: `module.router`. */
  private routerIn(node: Node, valueOf: (node: Node) => Node | undefined): Node | undefined {
    const [, property] = /\.(\w*[rR]outer|routes)$/.exec(node.text) ?? [];
    const object = property === undefined ? null : (node.childForFieldName("object") ?? node.childForFieldName("operand"));
    return object ? valueOf(object) : undefined;
  }

  private call(call: Call): void {
    const { node, callee, name, receiver, args } = call;
    if (name === "extend" && this.registers(call)) return;
    for (const { file, prefix, node: target, before } of routedFiles(call, this.texts, this.grammar)) this.elsewhere.mount(undefined, prefix, target, { file, before });
    const router = this.known.of(node);
    // What a chain of calls gives is that of its last.
    const isChained = /^(?:member|selector|field|attribute|member_access)/.test(node.parent?.type ?? "");
    const given = router && !isChained ? givenTo(node, this.source) : undefined;
    if (router && !isChained) this.known.bindField(node, router);
    if (given !== undefined) this.known.bind(node.parent?.type === "public_field_definition" || node.parent?.type === "field_definition" ? `this.${given}` : given, router!, node, this.grammar === GRAMMARS["rust"] ? node.endIndex : undefined);
    const on = receiver && this.known.on(receiver);
    const own = on?.row ?? (on ? undefined : this.rows.find((row) => receiver !== undefined && row.receiver?.test(receiver.text) === true));
    for (const row of own ? [own] : this.rows) {
      if (row.prefix === name && on) {
        // Koa: `router.prefix("/api")` takes the place of what the router was made with.
        on.prefix = this.texts.one(args[0]?.node) ?? "…";
        return;
      }
      if (row.mounts?.test(name) && args.length > 0 && this.mounting.mount(row, call, on)) return;
      const used = on ?? (own === row ? this.fileOf(row) : undefined) ?? (receiver && row.use?.test(name) && parameters(receiver).includes(receiver.text) ? this.known.unknown(receiver) : undefined);
      if (row.use?.test(name) && used && !(this.grammar === GRAMMARS["php"] && receiver && row.verbs[callOf(receiver, this.grammar)?.name ?? ""] !== undefined)) {
        this.use(row, call, used);
        return;
      }
      if (row.hooks?.test(name) && args.length > 0 && node.parent?.type !== "decorator") {
        const isNamed = HOOK.test(literal(args[0]!.node, this.grammar) ?? "");
        const hooked = on ?? (isNamed && receiver ? this.known.unknown(receiver) : undefined);
        if (args.length === 1 || isNamed) hooked?.before.push({ code: codeOf(args.at(-1)!.node, this.grammar), from: 0 });
        if (hooked) return;
      }
      if (row.groups?.test(name) && this.group(row, call, router)) return;
      if (row.decorators && node.parent?.type === "decorator") return;
      if (row.verbs[name] !== undefined && (row.bare ? !receiver && callee === name && !(this.grammar === GRAMMARS["ruby"] && isAsked(row, node, this.source)) : receiver ?? row.app?.test(callee)) && this.route(row, { ...call, args: [...args, ...typeIn(node)] }, on)) return;
    }
    if (this.grammar === GRAMMARS["typescript"] && !on) this.mounting.given(call);
    this.mounting.handOn(call);
  }

  /** Laravel: the router of a file's routes, which another file may put under a path. */
  private fileOf(row: Framework): Router | undefined {
    return row.imports.test("Illuminate\\") ? this.file : undefined;
  }

  /** Functions that run before the routes of a router from there on, or those under a path. */
  private use(row: Framework, call: Call, on: Router): void {
    const { node, args } = call;
    const said = this.known.prefixesIn(row, args).map((path) => path.replace(/\/?\*?$/, ""));
    const given = row.outermost ? args.slice(0, 1) : args;
    for (const { node: one } of args.length === 0 ? typeIn(node) : given) {
      if (this.texts.one(one) !== undefined || ROUTER.test(one.text.replace(/(?<!require)\(.*/s, "")) || (said.length > 0 && one.id === args[0]!.node.id)) continue;
      if (row.errors && isForErrors(one, this.grammar)) continue;
      const code = codeOf(one, this.grammar);
      if (on.before.some(({ code: { text, line } }) => text === code.text && line === code.line)) continue;
      if (row.outermost) on.before.unshift({ code, from: 0 });
      else for (const under of said.length > 0 ? said : [""]) on.before.push({ code, from: this.placeOf(row, call, one), ...(under === "" ? {} : { under: joined("", under) }) });
    }
  }

  /** Where what is used begins to run. */
  private placeOf(row: Framework, call: Call, used: Node): number {
    const at = this.known.order.of(used);
    if (!row.always) return at;
    if (row.always === true) return 0;
    return row.always === "last first" || isAround(row, call, this.grammar) ? -1 - at : at - this.source.length - 1;
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
      // PHP's routes are on a class, whatever the function is given; Slim's closures are a group's.
      if (this.grammar.declarations.test("class_declaration") && receiver) for (const name of [rootOf(receiver), "$this"]) this.known.bindWithin(name, router, inside);
    }
    const last = args.at(-1)?.node;
    const part = this.grammar === GRAMMARS["java"] ? nestedPart(last) : undefined;
    if (part) this.mounting.late(router, "", part);
    // Laravel: `group(base_path("routes/v1.php"))`
    const file = inside ? undefined : fileIn(last);
    if (file !== undefined) this.elsewhere.mount(router, "", last!, { file });
    if (!inside && last && (args.length > 1 || prefix === undefined) && /^(?:identifier|selector_expression|member_expression)$/.test(last.type)) this.mounting.late(router, "", last);
    return prefix === undefined;
  }

  private route(row: Framework, call: Call, known: Router | undefined): boolean {
    const { node, name, receiver, args } = call;
    if (/^(?:(?:apiR|r)esources?|(?:apiS|s)ingleton|fallback)$/.test(name) && row.imports.test("Illuminate\\")) return this.add(known ?? this.file, ...resources(call, this.texts, this.grammar));
    if (!known && row.app?.test(call.callee)) known = this.known.of(node);
    if (/^Map(?:Fallback|HealthChecks|ControllerRoute)/.test(name)) return this.add(known ?? this.known.unknown(receiver!), endpoint(call, this.texts, this.grammar));
    if (row.wraps) return this.added(call, known);
    if (row.viewsets) return this.viewset(call, known);
    if (row.scoped) {
      // actix: `web::resource("/x").to(all)`
      const answers = name === "to" && args[0] ? { method: "ANY", path: "", call: node, before: [], handler: codeOf(args[0].node, this.grammar) } : undefined;
      const router = known ?? (answers ? undefined : this.known.of(node) ?? this.known.unknown(receiver!));
      return router !== undefined && this.add(router, answers ?? actixRoute(call, this.texts, this.grammar));
    }
    if (row.verbs[name] === "" && row.imports.test("axum::")) {
      const router = known ?? this.known.of(node) ?? this.givenBelow(receiver);
      // `get(list).fallback(f)` is a part of a route.
      return (router !== undefined || name !== "fallback") && this.add(router, ...axumRoutes(call, this.texts, this.grammar) ?? [undefined]);
    }
    const spoken = methodsOf(row, call, this.texts, this.grammar);
    if (!spoken) return false;
    const chained = row.methods && routeBefore(row, call, this.texts, this.grammar);
    if (chained) return this.add(this.known.of(chained.on) ?? this.known.unknown(chained.on), ...chained.routes);
    let methods: readonly string[] = spoken.methods;
    const [first, ...rest] = unnamed(row, spoken.args, this.texts);
    let paths = spoken.path !== undefined ? [spoken.path] : first ? this.texts.all(first.node) : [];
    // Django's regular expressions begin and end with signs of their own.
    if (row.includes && name !== "path") paths = paths.map((path) => path.replace(/^\^|\$$/g, ""));
    if (this.grammar === GRAMMARS["java"]) paths = paths.map((path) => nestedIn(node, this.nests, this.texts, this.grammar) + path);
    const pattern = row.patterns && paths[0] !== undefined ? patternOf(paths[0]) : undefined;
    if (pattern) {
      methods = pattern.method === undefined ? methods : [pattern.method];
      paths = [pattern.path];
    }
    const isSure = known !== undefined || row.bare === true || (receiver !== undefined && row.receiver?.test(receiver.text) === true);
    // `app.route("/x").get(list)`: the path is the router's.
    const on = receiver && paths.length === 0 ? this.chains.start(receiver, row) : undefined;
    // Hono: `app.get("/x", list).post(add)`
    if (paths.length === 0 && first && receiver && row.imports.test('"hono"')) {
      rest.unshift(first);
      paths = this.chains.path(receiver, row);
    }
    const isOfRoute = paths.length === 0 && known !== undefined && on !== undefined && row.groups?.test(on.name) === true;
    if (isOfRoute) {
      rest.unshift(...(first ? [first] : []));
      paths = [""];
      // Express: what `app.route("/x").all(signIn).get(list)` runs for all methods runs before the rest of the chain.
      if (name === "all" && known!.before.length < MAX_BEFORE) {
        known!.before.push(...rest.map(({ node: one }) => ({ code: codeOf(one, this.grammar), from: this.known.order.of(one) })));
        const next = node.parent?.parent && callOf(node.parent.parent, this.grammar);
        if (next && next.receiver?.id === node.id && row.verbs[next.name] !== undefined) return true;
      }
    }
    // Javalin: `get(Users::all)` has the path around it.
    if (paths.length === 0 && row.bare && first && rest.length === 0 && this.grammar === GRAMMARS["java"]) {
      rest.push(first);
      paths = [""];
    }
    // Sinatra: `get do … end` has the path of the namespace around it.
    if (paths.length === 0 && rest.length === 0 && first && this.grammar === GRAMMARS["ruby"] && isNamespaced(node, first.node, this.grammar)) {
      rest.push(first);
      paths = [""];
    }
    const alone = paths.length === 0 && known !== undefined ? behindNoPath(row, spoken.args, this.grammar) : undefined;
    if (alone) {
      rest.splice(0, rest.length, ...alone);
      paths = [""];
    }
    // ASP.NET: nothing else is called `MapGet`, and its paths need no slash; nor is something else called `openapi` with a route of another file.
    const isEndpoint = (this.grammar === GRAMMARS["csharp"] && name !== "Map") || spoken.path !== undefined;
    const isGivenPath = paths.length === 0 && first !== undefined && (isEndpoint ? parameters(receiver).includes(first.node.text) : isGivenWhole(receiver, first.node));
    if (paths.length === 0) {
      if ((known === undefined && !row.includes && !isGivenPath) || !first || rest.length === 0) return false;
      paths = [this.texts.hole(first.node)];
    }
    if (rest.length === 0 || (!isSure && !isEndpoint && !isGivenPath && (CLIENT.test(receiver?.text ?? "") || !paths.every((path) => /^(?:$|[/*])/.test(path) || (/^«[^»]*»\//.test(path) && isGiven(receiver, path)))))) return false;
    if (row.methods) methods = methodsBehind(node, row, this.texts, this.grammar) ?? methodsAbove(known) ?? methods;
    const positional = rest.filter((one) => one.name === "");
    const named = rest.find((one) => /^(?:view_func|endpoint|view)$/.test(one.name) && !this.grammar.strings.test(one.node.type));
    const last = row.handler < 0 ? positional.length - 1 : Math.min(row.handler, positional.length) - 1;
    const given = (named ?? positional[last] ?? rest.at(-1)!).node;
    // Fastify: `{ preHandler: [signIn], handler: list }`
    const option = given.type === "object" ? entriesOf(given).find((one) => one.name === "handler")?.node : undefined;
    const behindName = option ?? this.handlerBehind(row, given);
    const handler = (row.responders && behindName.childForFieldName("function")) || behindName;
    if (this.includes(row, paths[0]!, handler, node) || this.mounting.served(known, handler)) return true;
    const isHandler = !/^(?:string|template_string|object|number|integer|true|false|none|null)/i.test(handler.type) || this.grammar === GRAMMARS["php"];
    if (!isHandler) return false;
    const router = known ?? (row.bare ? (row.includes ? this.lists.of(node) : this.namespaces.of(node, row.served?.test(this.source))) : isSure && (!row.absolute || receiver?.text === "http") ? this.fileOf(row) : this.known.unknown(receiver!, row.absolute));
    // Routes of PHP say behind them what runs before them.
    const before = this.grammar === GRAMMARS["php"] ? [] : positional.filter(({ node: one }) => (option !== undefined || one.id !== given.id) && !this.grammar.strings.test(one.type) && one.type !== "none").flatMap(({ node: one }) => (
      row.hooks && this.grammar === GRAMMARS["typescript"] ? hooksOf(one, this.texts, this.grammar) : /^(?:object|dictionary)$/.test(one.type) ? [] : [codeOf(one, this.grammar)]
    ));
    if (row.bare && !row.includes) before.unshift(...this.namespaces.before(node, paths[0]!));
    const behind = row.imports.test("Illuminate\\") ? [...this.known.optionsOf([{ name: "", node: given }]), ...middlewareBehind(node, this.grammar).map((code) => ({ code }))].map(({ code }) => code) : [];
    if (this.grammar === GRAMMARS["csharp"]) behind.push(...filtersBehind(node, this.grammar));
    const code = codeOf(handler, this.grammar);
    const original = handler.type === "identifier" ? this.known.imports.original(handler.text) : undefined;
    if (original !== undefined) code.names.push(original);
    // The methods of the class are those of its routes.
    if (row.views?.test(code.text) && !args.some((one) => one.name === "methods")) methods = ["ANY"];
    const view = row.views && callOf(handler, this.grammar);
    const responders = row.responders && { actions: respondersOf(call, this.texts) };
    const own = view && row.includes && !view.args.some((one) => one.name === "http_method_names") ? ownMethods(view.callee, this.known.imports) : [];
    if (own.length > 0) methods = own;
    const actions = view ? actionsOf(view, this.grammar) : [];
    for (const { method, action } of actions) for (const path of paths) this.routes.push({ router, method, path, call: node, before, handler: code, actions: [action] });
    if (actions.length > 0) return true;
    const controller = this.grammar.strings.test(handler.type) ? controllerOf(router) : undefined;
    if (controller !== undefined) code.text = `[${controller}, "${code.text}"]`;
    for (const method of methods) for (const path of paths) this.routes.push({ router, method, path, call: node, before: [...before, ...behind], handler: code, ...responders });
    return true;
  }

  /** The router that a chain of calls is on, where a function is given it: `router.route("/a", get(a)).route("/b", get(b))`. */
  private givenBelow(receiver: Node | undefined): Router | undefined {
    let root = receiver;
    for (let call = root && callOf(root, this.grammar); call; call = root && callOf(root, this.grammar)) root = call.receiver;
    return root?.type === "identifier" && parameters(root).includes(root.text) ? this.known.unknown(root) : undefined;
  }

  /** Adds routes to a router; false where there are none. */
  private add(router: Router | undefined, ...added: readonly (Added | undefined)[]): boolean {
    for (const one of added) if (one) this.routes.push({ router, ...one });
    return added[0] !== undefined || added.length === 0;
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
    const own = said && this.texts.one(said.node);
    if (!router || own === undefined || !cls) return false;
    // In a set above, whose path is that of one of its objects.
    const path = args.some(({ name }) => name === "parents_query_lookups") ? `…/${own}` : own;
    for (const [behind, actions] of VIEWSET) this.routes.push({ router, method: "ANY", path: router.slashless ? `${path}/${behind}`.replace(/\/$/, "") : `${path}/${behind}`, call: node, before: [], handler: codeOf(cls.node, this.grammar), actions });
    // Where the set has actions of its own, they go by its name.
    this.elsewhere.mount(router, path, cls.node, router.slashless ? { slashless: true } : {});
    return true;
  }

  /** Django REST framework: `router.registry.extend(others.registry)`; false for another call. */
  private registers({ receiver, args }: Call): boolean {
    const [base, given] = [receiver, args[0]?.node].map((one) => (one?.type === "attribute" && one.childForFieldName("attribute")?.text === "registry" ? one.childForFieldName("object") : null));
    const router = base && this.known.of(base);
    if (!router || !given) return false;
    const other = this.known.of(given);
    if (other) other.mounts.push({ base: router, prefix: "", overrides: false, at: 0 });
    else this.elsewhere.mount(router, "", given);
    return true;
  }

  /** Flask and Django: `view = Users.as_view("users")` behind the name that a route is given. Laravel: `["uses" => "Users@index"]`. */
  private handlerBehind(row: Framework, handler: Node): Node {
    if (handler.type === "array_creation_expression") return this.known.entry(handler, "uses") ?? handler;
    if (!row.views || handler.type !== "identifier") return handler;
    this.assignments ??= this.root.descendantsOfType("assignment");
    const made = this.assignments.findLast((one) => one.startIndex < handler.startIndex && one.childForFieldName("left")?.text === handler.text)?.childForFieldName("right");
    return made && row.views.test(made.text) ? made : handler;
  }

  /** Django: the routes of another file, or of a list of this one, under a path. */
  private includes(row: Framework, prefix: string, handler: Node, node: Node): boolean {
    const included = row.includes ? callOf(handler, this.grammar) : undefined;
    if (!included || (included.name !== "include" && this.known.imports.original(included.name) !== "include")) return false;
    // `include("shop.urls")`, `include(router.urls)`, `include((router.urls, "shop"))`
    const given = included.args[0]?.node;
    const target = (given?.type === "tuple" ? given.namedChildren[0] : given) ?? handler;
    const [, module] = /^["']([\w.]+)["']$/.exec(target.text) ?? [];
    if (!this.lists.include(prefix, included, node)) this.elsewhere.mount(this.lists.of(node), prefix, target, { file: module && `${module.replaceAll(".", "/")}.py` });
    return true;
  }
}
