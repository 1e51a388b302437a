import type { Node } from "web-tree-sitter";
import { givenElsewhere } from "../../path-names.ts";
import { classAround, functionAround } from "./around.ts";
import { type Argument, type Call, callOf, entriesOf, givenTo, type Grammar, GRAMMARS, literal } from "./calls.ts";
import type { Framework } from "./frameworks.ts";
import { Imports } from "./imports.ts";
import { below } from "./inherited.ts";
import { fileIn } from "./laravel.ts";
import { methodsIn } from "./methods.ts";
import { codeOf, codesOf } from "./named-code.ts";
import { Order } from "./order.ts";
import { argumentFor, Parameters } from "./parameters.ts";
import { asItIs, distinct, joined, type Prefix } from "./prefixes.ts";
import type { Router } from "./router.ts";
import type { Texts } from "./texts.ts";

/** Routers that are given to routers that are given to routers … */
const MAX_DEPTH = 20;
/** More of them are not asked for the paths of one: what functions of one name make may be put into each other in countless ways. */
const MAX_STEPS = 200;
/** The name of a path that another file says. */
export const PATH_NAME = /^[\w.$:]*(?:\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*|\b[A-Z]\w*(?<=(?:Path|Route|Endpoint|Prefix)(?:e?s)?)\.\w+|\b(?:Paths?|Routes?|Endpoints?)\.\w+|[pP]ath|[pP]refix|[bB]ase|[uU]rl|[vV]ersion|P(?:ATH|REFIX)|BASE|URL|API|VERSION|\.v\d+)$/;

/** Calls that give the router they are on, and whose arguments run before nothing. */
const PLAIN = /^(?:clone|set|enable|disable|add|and|build|after|onError|routes?|start|nest|merge|(?:route|nest|fallback)_service|fallback|with_state|service|configure|app_data|default_service|to|name|guard|wrap_fn|namespace|where|as|domain|without\w+|scopeBindings|withTypeProvider|set\w+Compiler)$/;

const CONSTRUCTOR = /^(?:constructor|__init__|__construct|initialize)$/;

/** FastAPI: the argument with what runs before the routes of an application or a router, or before one. */
export const DEPENDENCIES = "dependencies";

interface Bound {
  name: string;
  router: Router;
  from: number;
  to: number;
}

/** The routers that a file makes, or is given, by the names that they have there, and their paths. */
export class KnownRouters {
  private readonly bound: Bound[] = [];
  private readonly known = new Map<number, Router | undefined>();

  /** The names of the functions that the file declares, found when they are first asked for. */
  private functions: ReadonlySet<string> | undefined;

  /** Routers that were asked for the paths of the one that is looked at. */
  private steps = 0;

  /** What calls give functions as parts of paths, by the id of the argument. */
  private readonly given = new Map<number, string>();

  /** The order in which the file's code runs. */
  readonly order: Order;

  readonly imports: Imports;

  constructor(private readonly root: Node, private readonly source: string, private readonly grammar: Grammar, private readonly rows: readonly Framework[], private readonly texts: Texts, calls: readonly Call[]) {
    this.order = new Order(calls);
    this.imports = new Imports(root);
  }

  /** The router that an expression gives, as far as the file says it. */
  of(node: Node, depth = 0): Router | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (/^(?:parenthesized_expression|await_expression|expression_statement|variable)$/.test(node.type) && node.namedChildren.length === 1) return this.of(node.namedChildren[0]!, depth + 1);
    if (/^(?:as|satisfies|non_null)_expression$/.test(node.type)) return this.of(node.namedChildren[0]!, depth + 1);
    // gin: `&engine.RouterGroup`
    if (node.type === "unary_expression" && this.grammar === GRAMMARS["go"]) return this.of(node.childForFieldName("operand")!, depth + 1);
    if (node.type === "selector_expression" && node.text.endsWith(".RouterGroup")) return this.of(node.childForFieldName("operand")!, depth + 1);
    const call = callOf(node, this.grammar);
    if (!call) return this.lookup(node.text.replace(/\s+/g, ""), node.startIndex);
    // What a chain of calls begins with comes first: one may be as long as an application has routes.
    const chain: Call[] = [];
    for (let at: Call | undefined = call; at && !this.known.has(at.node.id); at = at.receiver && callOf(at.receiver, this.grammar)) chain.push(at);
    for (const one of chain.reverse()) {
      this.known.set(one.node.id, undefined);
      this.known.set(one.node.id, this.made(one, depth));
    }
    return this.known.get(node.id);
  }

  /** The router that a call is on. Spring's `path("/x", inner -> …)` and `nest(…)` give the router around, whose path is not theirs. */
  on(receiver: Node, depth = 0): Router | undefined {
    const router = this.of(receiver, depth);
    const call = this.grammar === GRAMMARS["java"] && router?.base ? callOf(receiver, this.grammar) : undefined;
    return call && call.args.length > 1 && router?.row?.groups?.test(call.name) ? router.base : router;
  }

  /** Notes under which path a group is in one round of the loop that makes it: `for _, v := range []string{"v1", "v2"} { api := r.Group("/" + v) … }`. */
  addRound(node: Node, element: Node): void {
    const router = this.of(node);
    const call = callOf(node, this.grammar);
    const again = router?.base && call && this.rows.some(({ groups }) => groups?.test(call.name)) ? this.made(call, 0) : undefined;
    if (again) (router!.rounds ??= []).push({ element: element.id, prefix: again.prefix });
  }

  private made(call: Call, depth: number): Router | undefined {
    const { node, callee, name, receiver, args } = call;
    const made = this.nameAround(node);
    const depends = args.filter((one) => one.name === DEPENDENCIES).map((one) => ({ code: codeOf(one.node, this.grammar), from: 0, depends: true as const }));
    const line = node.startPosition.row + 1;
    for (const row of this.rows) {
      if (row.wraps && row.app!.test(callee)) return this.wrapped(row, args, made, line, depth);
      // Where routers are something else, nobody puts an application under a path.
      if (row.app?.test(callee)) return { row, prefix: "", mounts: [], whole: row.alone === true || row.router !== undefined || !this.isReturned(node), before: depends, made, parameters: Parameters.around(node), line };
      if (row.router?.test(callee)) return { row, ...(row.viewsets ? { prefix: this.setAbove(callee, args, depth) } : this.ownPrefix(row, args)), ...(args.some((one) => one.name === "trailing_slash" && one.node.text === "False") ? { slashless: true as const } : {}), mounts: [], whole: false, before: depends, made, parameters: Parameters.around(node), line };
    }
    if (!receiver) return this.nested(call, made, line);
    let on = this.on(receiver, depth + 1);
    if (!on && name === "openapi" && args.length > 1) {
      // Hono: `createRouter().openapi(list, f).openapi(add, g)`, of another file.
      on = this.unknown(receiver);
      this.known.set(receiver.id, on);
    }
    for (const row of on?.row ? [on.row] : this.rows) {
      const isRoute = row.verbs[callOf(receiver, this.grammar)?.name ?? ""] !== undefined;
      const methods = row.methods?.test(name) && !isRoute ? args.flatMap(({ node: one }) => methodsIn(one, this.texts)) : [];
      const open = on ?? (row.receiver?.test(receiver.text) ? { row, prefix: "", mounts: [], whole: true, before: [], made: row.imports.test("Illuminate\\") ? "routes" : "", line } : (row.groups?.test(name) === true || methods.length > 0 || (name === "With" && row.same?.test(name) === true)) && args.length > 0 ? this.unknown(receiver) : undefined);
      if (!open) continue;
      const before = (from: number): Router["before"] => (args.length === 0 ? typeIn(node) : args.slice(from)).filter(({ node: one }) => !this.grammar.functions.test(one.type) && !/^(?:object|dictionary|true|false|nil|null|none)/i.test(one.type) && (name === "middleware" || !this.grammar.strings.test(one.type))).flatMap(({ node: one }) => codesOf(one, this.grammar).map((code) => ({ code, from: 0 })));
      if (row.groups?.test(name)) {
        // Laravel: `group(__DIR__ . "/v1.php")`
        const isFile = name === "group" && fileIn(args[0]?.node) !== undefined;
        const path = isFile ? "" : this.optionIn(args, "prefix") ?? this.prefixIn(row, args) ?? this.predicateIn(args) ?? (args[0] && !this.isFunction(args[0].node) && row.prefix === undefined ? this.texts.hole(args[0].node) : "");
        // What `Route` and `register` are given adds routes; what `Group` is given runs before them.
        return { ...(open.row ? { row: open.row } : {}), prefix: path, base: open, mounts: [], whole: true, before: /^(?:Route|register|path|nest)$/.test(name) ? [] : [...before(1), ...this.optionsOf(args)], made, line };
      }
      // What is wrapped around a router runs before all of its routes.
      if (row.same?.test(name) && /^(?:layer|route_layer|wrap)$/.test(name)) {
        // A layer of axum runs before the routes that are added earlier, and before the layers; so do those of actix.
        const until = name === "wrap" ? undefined : args[0] && this.order.of(args[0].node);
        open.before.unshift(...before(0).map((one) => (until === undefined ? one : { ...one, until })));
        return open;
      }
      if (row.same?.test(name)) return PLAIN.test(name) || (name === "middleware" && args.length === 0) ? open : { ...(open.row ? { row: open.row } : {}), prefix: "", base: open, mounts: [], whole: true, made, line, ...(name === "controller" ? { before: [], controller: args[0]?.node.text ?? "" } : { before: before(0) }) };
      if (methods.length > 0) return { ...(open.row ? { row: open.row } : {}), prefix: "", base: open, mounts: [], whole: true, before: [], made, line, methods };
      if (on && (row.verbs[name] !== undefined || name === "param" || [row.methods, row.use, row.mounts].some((names) => names?.test(name)))) return on;
    }
    return undefined;
  }

  /** The path that a router is made with; actix's `web::resource(["/a", "/b"])` has several. */
  private ownPrefix(row: Framework, args: readonly Argument[]): Pick<Router, "prefix" | "rounds"> {
    const prefix = row.prefix === undefined && !row.scoped ? undefined : this.prefixIn(row, args);
    const given = row.scoped && prefix === undefined ? args[0]?.node : undefined;
    const several = given ? this.texts.all(given) : [];
    return { prefix: prefix ?? (given ? this.texts.hole(given) : ""), ...(several.length > 0 ? { rounds: several.map((one) => ({ element: -1, prefix: one })) } : {}) };
  }

  /** Django REST framework with routers in routers: the path of one object of the set above, `NestedSimpleRouter(router, "orders", lookup="order")`. */
  private setAbove(callee: string, args: readonly Argument[], depth: number): string {
    const [router, set] = /Nested\w*$/.test(callee) ? args.filter(({ name }) => /^(?:|parent_router|parent_prefix)$/.test(name)) : [];
    if (!router || !set) return "";
    const lookup = args.find(({ name }) => name === "lookup");
    const above = this.of(router.node, depth + 1)?.prefix ?? "…";
    return `${above}/${this.texts.one(set.node) ?? this.texts.hole(set.node)}/{${lookup ? this.texts.one(lookup.node) ?? "…" : "nested"}_pk}`;
  }

  /** Spring: `nest(path("/x"), users)`, which is called on nothing. */
  private nested({ name, args }: Call, made: string, line: number): Router | undefined {
    const row = this.grammar === GRAMMARS["java"] && args.length > 1 ? this.rows.find(({ groups }) => groups?.test(name)) : undefined;
    if (!row) return undefined;
    const base: Router = { row, prefix: "", mounts: [], whole: true, before: [], made, line };
    return { ...base, prefix: this.predicateIn(args) ?? "…", base };
  }

  /** A function without a name, or one that the file declares. */
  isFunction(node: Node): boolean {
    if (this.grammar.functions.test(node.type)) return true;
    const name = /^(?:\w+\.)?(\w+)$/.exec(node.text)?.[1];
    this.functions ??= new Set(this.root.descendantsOfType(["function_declaration", "method_declaration", "method_definition", "function_definition"]).map((one) => one.childForFieldName("name")?.text ?? ""));
    return name !== undefined && this.functions.has(name);
  }

  /** Flask-RESTful: `Api(app, prefix="/v1")`; of nothing, it is given its application later. */
  private wrapped(row: Framework, args: readonly Argument[], made: string, line: number, depth: number): Router {
    const prefix = args.find(({ name }) => name === "prefix")?.node;
    const base = args[0]?.name === "" ? this.of(args[0].node, depth + 1) : undefined;
    return { row, prefix: prefix ? this.texts.one(prefix) ?? this.texts.hole(prefix) : "", ...(base ? { base } : {}), mounts: [], whole: true, before: [], made, line };
  }

  /** Laravel: what the options of a group say, `["prefix" => "admin", "middleware" => "auth"]`. */
  private optionIn([first]: readonly Argument[], name: string): string | undefined {
    if (first?.node.type !== "array_creation_expression") return undefined;
    return this.texts.one(this.entry(first.node, name)) ?? "";
  }

  /** Spring: the path of `nest(path("/x"), …)`; "" where what a request is asked for is something else. */
  private predicateIn([first]: readonly Argument[]): string | undefined {
    const call = first && this.grammar === GRAMMARS["java"] ? callOf(first.node, this.grammar) : undefined;
    return call && (call.name === "path" ? this.texts.one(call.args[0]?.node) : "");
  }

  /** Laravel: what an array names that runs before, `["uses" => "Users@index", "middleware" => "auth"]`. */
  optionsOf([first]: readonly Argument[]): Router["before"] {
    const said = first?.node.type === "array_creation_expression" ? this.entry(first.node, "middleware") : undefined;
    return said ? codesOf(said, this.grammar).map((code) => ({ code, from: 0 })) : [];
  }

  /** PHP: what an array has by a name. */
  entry(array: Node, name: string): Node | undefined {
    return array.namedChildren.find((child) => child.namedChildren.length === 2 && literal(child.namedChildren[0], this.grammar) === name)?.namedChildren[1] ?? undefined;
  }

  /** The router that a name stands for at a place of the file. */
  lookup(name: string, at: number): Router | undefined {
    let best: Bound | undefined;
    for (const one of this.bound) if (one.name === name && one.from <= at && at < one.to && (!best || one.to - one.from <= best.to - best.from)) best = one;
    if (best) return best.router;
    // A field, of whatever name its object has here, or in its own class.
    const field = /\.\w+$/.exec(name)?.[0];
    const all = field === undefined ? [] : this.bound.filter((one) => one.name === field || (one.name.endsWith(field) && /^(?:this|self)\.\w+$/.test(one.name)));
    return new Set(all.map(({ router }) => router)).size === 1 ? all[0]!.router : undefined;
  }

  /** In the function around a node, or in all of the file, a name stands for a router; `from`: only behind there, where another value may have had the name. */
  bind(name: string, router: Router, node: Node, from?: number): void {
    const around = name.includes(".") ? this.root : (functionAround(node) ?? this.root);
    this.bound.push({ name, router, from: from ?? around.startIndex, to: around.endIndex + 1 });
  }

  /** Go: `&App{Router: chi.NewRouter()}` */
  bindField(value: Node, router: Router): void {
    const keyed = value.parent?.parent;
    if (keyed?.type === "keyed_element") this.bound.push({ name: `.${keyed.namedChildren[0]!.text}`, router, from: 0, to: Infinity });
  }

  /** A router that comes from elsewhere: a parameter, an import. */
  unknown(receiver: Node, whole = false): Router {
    const name = receiver.text.replace(/\s+/g, "");
    const isName = /^[\w.$@]+$/.test(name);
    const known = isName ? this.lookup(name, receiver.startIndex) : undefined;
    if (known) return known;
    const given = this.giverOf(name);
    if (given?.router) {
      this.bind(name, given.router, receiver);
      return given.router;
    }
    const router: Router = this.madeBy(name) ?? this.inherited(receiver) ?? { prefix: "", mounts: [], whole, before: [], made: given?.name ?? this.nameAround(receiver), parameters: given ? undefined : Parameters.around(receiver), line: (given?.node ?? receiver).startPosition.row + 1 };
    if (isName) this.bind(name, router, receiver);
    return router;
  }

  /** The router of a variable that a function of the file makes: `const app = createApp()`. */
  private madeBy(name: string): Router | undefined {
    const value = this.texts.constant(name);
    const call = value && callOf(value, this.grammar);
    const made = call && !call.receiver ? new Set(this.bound.filter(({ router }) => router.row && !router.base && router.made === call.name).map(({ router }) => router)) : undefined;
    return made?.size === 1 ? [...made][0] : undefined;
  }

  /** The router that an object is by its class: `class Items(APIRouter)`. */
  private inherited(receiver: Node): Router | undefined {
    if (!/^(?:self|this)$/.test(receiver.text)) return undefined;
    let cls: Node | null = receiver;
    while (cls && !/^class_(?:definition|declaration)$/.test(cls.type)) cls = cls.parent;
    const bases = cls?.childForFieldName("superclasses")?.namedChildren ?? cls?.namedChildren.find(({ type }) => type === "class_heritage")?.descendantsOfType("identifier") ?? [];
    const row = bases.length === 0 ? undefined : this.rows.find((one) => bases.some(({ text }) => one.router?.test(text) === true));
    if (!row) return undefined;
    const above = cls!.descendantsOfType([...this.grammar.calls]).flatMap((node) => callOf(node, this.grammar) ?? []).find(({ callee }) => /^super(?:$|\(\)\.__init__$)/.test(callee));
    return { row, prefix: (row.prefix === undefined ? undefined : this.prefixIn(row, above?.args ?? [])) ?? "", mounts: [], whole: false, before: [], made: cls!.childForFieldName("name")?.text ?? "", line: cls!.startPosition.row + 1 };
  }

  /** What is given the router that a field keeps: the function that puts its parameter there, or the class; with the router, where the file has it. */
  private giverOf(name: string): { name: string; node: Node; router?: Router | undefined } | undefined {
    const [, on, field] = /^([\w$]+)(?:\.|->)(\w+)$/.exec(name) ?? [];
    if (field === undefined) return undefined;
    if (/^(?:this|self|\$this)$/.test(on!)) {
      const cls = this.root.descendantsOfType(["class_declaration", "class_definition", "class"]).find((one) => new RegExp(`\\b${field}\\b`).test(one.text));
      const named = cls?.childForFieldName("name");
      return named ? { name: named.text, node: named } : undefined;
    }
    const at = new RegExp(`(?:\\b${field}:|\\.${field}\\s*=)\\s*(\\w+)\\s*[,}\\n]`).exec(this.source);
    const node = at && this.root.descendantForIndex(at.index);
    const made = node && this.nameAround(node);
    return made ? { name: made, node, router: this.lookup(at[1]!, at.index) } : undefined;
  }

  private nameAround(node: Node): string {
    const around = functionAround(node);
    if (!around || CONSTRUCTOR.test(around.childForFieldName("name")?.text ?? "")) {
      const name = classAround(around ?? node)?.childForFieldName("name");
      if (name) return name.text;
    }
    return around?.childForFieldName("name")?.text ?? (around && givenTo(around, this.source)) ?? "";
  }

  /** Whether the function around hands out what is made here: then somebody else may put it anywhere. */
  private isReturned(node: Node): boolean {
    const name = givenTo(node, this.source);
    const around = functionAround(node);
    if (!around) return false;
    return name === undefined ? /return\s*$/.test(this.source.slice(0, node.startIndex)) : new RegExp(`\\breturn\\s+${name.replace(/[.$]/g, "\\$&")}\\b(?!\\s*\\.)`).test(around.text);
  }

  /** The paths that the routes of a router begin with: one for each place where it is put. `element`: in the round of a loop with that element. */
  paths(router: Router | undefined, element?: number): Prefix[] {
    this.steps = 0;
    const all = this.pathsWithin(router, [], element);
    return all.length > 0 ? all : [{ path: "…", filled: asItIs }];
  }

  /** `within`: the routers that ask for the paths. */
  private pathsWithin(router: Router | undefined, within: readonly Router[], element: number | undefined): Prefix[] {
    if (!router) return [{ path: "", filled: asItIs }];
    // What is put into itself begins no other way than where it is put first.
    if (within.includes(router) || ++this.steps > MAX_STEPS) return [];
    if (within.length > MAX_DEPTH) return [{ path: "…", filled: asItIs }];
    const inside = [...within, router];
    if (router.mounts.length > 0) {
      // What it is a part of says where its own paths begin.
      const inner = router.base ? this.pathsWithin(router.base, inside, element).map(({ path }) => joined(path, router.prefix)) : router.rounds?.map(({ prefix }) => prefix) ?? [router.prefix];
      const inRound = router.mounts.filter(({ call }) => call && call.node.id === element);
      const all = (inRound.length > 0 ? inRound : router.mounts).flatMap(({ base, prefix, overrides, call }) => this.pathsWithin(base, inside, element).flatMap((outer) => {
        const filled = (path: string): string => outer.filled((call && router.parameters?.fill(path, (i, name) => this.givenFor(call, i, name))) ?? path);
        return (overrides ? [""] : inner).map((own) => ({ ...outer, path: joined(joined(outer.path, outer.filled(prefix)), filled(own)), filled, ...(call && router.parameters ? { call: call.node.id } : {}) }));
      }));
      return distinct(all);
    }
    if (router.base) {
      const rounds = router.rounds?.filter((one) => one.element === element) ?? [];
      const prefixes = rounds.length > 0 ? rounds : router.rounds ?? [router];
      // What has no name of its own, others know by that of its part: `export const books = new Hono().basePath("/books")`.
      return this.pathsWithin(router.base, inside, element).flatMap((outer) => prefixes.map(({ prefix }) => ({ ...this.named(router), ...outer, path: joined(outer.path, outer.filled(prefix)) })));
    }
    const filled = (path: string): string => router.parameters?.fill(path, givenElsewhere) ?? path;
    return (router.rounds ?? [router]).map(({ prefix }) => ({ path: joined(router.whole ? "" : "…", filled(prefix)), ...this.named(router), filled }));
  }

  /** What a call gives a function for a parameter, as a part of a path. */
  private givenFor({ args }: Call, index: number, name: string): string {
    const given = argumentFor(args, index, name);
    if (!given) return "…";
    const text = this.given.get(given.id) ?? this.texts.one(given) ?? this.texts.hole(given);
    this.given.set(given.id, text);
    return text;
  }

  /** What other files may put a router somewhere by. */
  private named(router: Router): Pick<Prefix, "router"> {
    const names = this.namesOf(router);
    return names.length > 0 ? { router: { names, line: router.line, ...(router.row ? {} : { given: true as const }), ...(router.row?.overrides ? { own: router.prefix } : {}) } } : {};
  }

  private namesOf(router: Router): string[] {
    // A property goes by its class.
    const names = this.bound.filter((one) => one.router === router && !(one.name.includes(".") && router.made !== "")).map(({ name }) => name.split(".").at(-1)!);
    const originals = router.row ? [] : names.flatMap((name) => this.imports.original(name) ?? []);
    return [...new Set([...names, ...originals, router.made, ...(router.above === undefined ? [] : [below(router.above)])])].filter((name) => name !== "");
  }

  /** Those that the file makes at its top, under a name that others may import. */
  *shared(): Generator<{ router: Router; name: string }> {
    for (const { name, router, from, to } of this.bound) if (router.row && router.made === "" && !name.includes(".") && from === this.root.startIndex && to > this.root.endIndex) yield { router, name };
  }

  /** All that have a name. */
  all(): Router[] {
    return this.bound.map(({ router }) => router);
  }

  /** Within a part of the file a name stands for a router. */
  bindWithin(name: string, router: Router, { startIndex, endIndex }: Node): void {
    this.bound.push({ name, router, from: startIndex, to: endIndex });
  }

  /** The paths that a call puts a router under; none where it says none. */
  prefixesIn(row: Framework, args: readonly Argument[]): string[] {
    const [first] = args;
    // Express: `app.use(["/a", "/b"], router)`
    if (row.prefix === undefined && first?.node.type === "array") return this.texts.all(first.node);
    const prefix = this.prefixIn(row, args);
    return prefix === undefined ? [] : [prefix];
  }

  /** The path that a call gives a router, or puts it under. */
  prefixIn({ prefix }: Framework, args: readonly Argument[]): string | undefined {
    if (prefix !== undefined) {
      const own = args.find(({ name }) => name === prefix)?.node
        ?? args.flatMap(({ node }) => (/^(?:object|dictionary)$/.test(node.type) ? entriesOf(node) : [])).find(({ name }) => name === prefix)?.node;
      if (own) return this.texts.one(own) ?? this.texts.hole(own);
      const [first] = args;
      return first?.name === "" && args.length > 1 && this.grammar.strings.test(first.node.type) && first.node.text.includes("/") ? this.texts.one(first.node) : undefined;
    }
    const [first] = args;
    return first && (this.texts.one(first.node) ?? (args.length > 1 && PATH_NAME.test(first.node.text) ? this.texts.hole(first.node) : undefined));
  }
}

/** C#: the type that a call names and is given nothing, `UseMiddleware<Audit>()`. */
export function typeIn(node: Node): Argument[] {
  const types = /^\w[\w.]*<(\w+)>$/.test(node.childForFieldName("function")?.childForFieldName("name")?.text ?? "") ? node.childForFieldName("function")!.childForFieldName("name")! : undefined;
  const type = types?.descendantsOfType("identifier").at(-1);
  return type ? [{ name: "", node: type }] : [];
}
