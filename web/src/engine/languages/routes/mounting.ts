import type { Node } from "web-tree-sitter";
import { type Call, callOf, type Grammar, GRAMMARS } from "./calls.ts";
import { type Elsewhere, rootOf } from "./elsewhere.ts";
import { loadedFolder } from "./folders.ts";
import type { Framework } from "./frameworks.ts";
import { type GivenMount, GivenMounts } from "./given-mounts.ts";
import { isForeign, unwrapped } from "./go.ts";
import { DEPENDENCIES, type KnownRouters } from "./known-routers.ts";
import { codeOf } from "./named-code.ts";
import { isWithin, rootmost, type Router } from "./router.ts";
import { valueOf } from "./rust.ts";
import { isGivenRouter, isVisible, madeIn } from "./scopes.ts";
import type { Texts } from "./texts.ts";

/** A function that a person wrote makes no more routers. */
const MAX_MADE = 100;

/** Puts the routers of a file into others, and says which routers of other files are put there. */
export class Mounting {
  /** What is done when all of the file is read: routers that are named are put into others before those that functions make. */
  private readonly work: Readonly<Record<"direct" | "late", (() => void)[]>> = { direct: [], late: [] };

  /** The routers that functions make or are given, by the functions' names, once all are known. */
  private readonly makers = new Map<string, Router[]>();

  /** What of modules in a list is a router, by the node that names each. */
  readonly members = new Map<number, string>();

  private readonly givenMounts: GivenMounts;

  /** `routers`: those that have routes. */
  constructor(private readonly source: string, private readonly grammar: Grammar, private readonly rows: readonly Framework[], private readonly texts: Texts, private readonly known: KnownRouters, private readonly elsewhere: Elsewhere, private readonly routers: () => readonly Router[]) {
    this.givenMounts = new GivenMounts(grammar, texts, known);
  }

  /** What functions make is put where the function is called, parts of it where the function puts them: these are known first. */
  run(): void {
    for (const work of [...this.work.direct, ...this.work.late]) work();
  }

  /** A router of this file or another under the path that a call gives a function of another file with it. */
  given(call: Call): void {
    this.mountGiven(this.givenMounts.into(call));
  }

  /** A router of this file or another under the path that a call gives both with, in `base` or what the call names. */
  private mountGiven(given: GivenMount | undefined, base = given?.base): boolean {
    if (!given || !base) return false;
    const router = this.known.of(given.target);
    if (!router) this.elsewhere.mount(base, given.path, given.target);
    else if (router !== base) router.mounts.push({ base, prefix: given.path, overrides: false, at: this.known.order.of(given.target), named: true });
    return true;
  }

  /** A router that is given to a function, which adds routes to it. */
  handOn(call: Call): void {
    const { node, args, name, receiver } = call;
    const callee = node.childForFieldName("function");
    // In a chain only the last call is given the router.
    const target = callee?.text.includes("(") ? ["field", "property", "attribute", "name"].map((field) => callee.childForFieldName(field)).find((one) => one !== null) ?? callee : callee;
    if (!target || this.rows.some(({ app, router }) => app?.test(name) === true || router?.test(name) === true)) return;
    if (this.known.of(node)) return;
    // What is a router may be only handed on: `func Register(api *gin.RouterGroup) { users(api); items(api) }`.
    const given = args.map(({ node: one }) => this.known.of(one) ?? (isGivenRouter(one) ? this.known.unknown(one) : undefined)).find((router) => router !== undefined);
    // A method that C# adds to routers is given what it is called on.
    const extended = given || !receiver || this.grammar !== GRAMMARS["csharp"] ? undefined : this.known.of(receiver);
    if (given) this.late(given, "", target, call);
    else if (extended) this.late(extended, "", target, { ...call, args: [{ name: "", node: receiver! }, ...args] });
  }

  /** Routers that the function of this file which an expression names or calls makes, or is given, but for those that are parts of others of these. */
  private madeIn(target: Node): Router[] {
    const name = madeIn(target);
    const isElsewhere = name === "" || (this.grammar === GRAMMARS["go"] ? isForeign(target, this.source) : /^\w+\./.test(target.text) && this.known.imports.has(rootOf(target).replace(/\..*/s, "")));
    return isElsewhere ? [] : this.madeBy(name);
  }

  private madeBy(name: string): Router[] {
    const known = this.makers.get(name);
    if (known) return known;
    const parts = [...this.known.all(), ...this.routers()];
    // What has neither a name nor a route of its own is known by what is put into it: `Router::new().merge(users)`.
    const all = [...new Set([...parts, ...parts.flatMap(({ mounts }) => mounts.map(({ base }) => base))])].filter((one) => one.made === name).slice(0, MAX_MADE);
    const made = all.filter((one) => !isWithin(one, all) && !one.mounts.some(({ base, named }) => named === true && all.includes(base)));
    this.makers.set(name, made);
    return made;
  }

  /** What a function of this file or another adds to the router that it makes or is given. */
  late(base: Router, prefix: string, target: Node, call = callOf(target, this.grammar)): void {
    this.work.late.push(() => {
      const known = this.grammar === GRAMMARS["java"] && target.type === "identifier" ? this.known.of(target) : undefined;
      const made = (known ? [known] : this.madeIn(target)).filter((one) => one !== base);
      for (const one of made) one.mounts.push({ base, prefix, overrides: false, at: this.known.order.of(target), call });
      if (made.length === 0) this.elsewhere.mount(base, prefix, target, { call });
    });
  }

  /** Puts what a call is given under the paths that it says: a router of this file, what a function makes, or one of another file. False where it may be something else. */
  mount(row: Framework, call: Call, on: Router | undefined): boolean {
    const { name, args, receiver } = call;
    const loaded = row.hooks && receiver ? loadedFolder(call, this.texts) : undefined;
    if (loaded) {
      this.elsewhere.mount(on ?? this.known.unknown(receiver!), loaded.prefix, args[0]!.node, { folder: loaded.folder });
      return true;
    }
    const said = this.known.prefixesIn(row, args);
    const paths = said.length > 0 ? said : [""];
    const overrides = row.overrides === true && said.length > 0;
    const targets = args.slice(said.length === 0 || row.prefix !== undefined ? 0 : 1).filter(({ name: key }) => /^(?:|router|blueprint|app)$/.test(key)).flatMap(({ node: one }) => (one.type === "array" ? one.namedChildren : [one]))
      .filter((one) => !this.grammar.strings.test(one.type) && !/^(?:object|dictionary)$/.test(one.type) && callOf(one, this.grammar)?.name !== "allowedMethods");
    let target = targets.findLast((one) => this.known.of(one) !== undefined) ?? targets.at(-1);
    if (on && target && said.length === 0 && this.grammar === GRAMMARS["typescript"] && this.mountGiven(this.givenMounts.around(target), on)) return true;
    // `const admin = createAdmin()`
    const value = target?.type === "identifier" && !this.known.of(target) ? (this.grammar === GRAMMARS["rust"] ? valueOf(target) : this.texts.constant(target.text)) : undefined;
    if (value && target && callOf(value, this.grammar) && !/^require\b/.test(value.text) && isVisible(value, target)) target = value;
    // `const users = new UserController()` behind `app.use("/users", users.router)`
    const [object, property] = target && /^(?:member_expression|attribute)$/.test(target.type) ? [target.childForFieldName("object"), (target.childForFieldName("property") ?? target.childForFieldName("attribute"))?.text] : [];
    const made = object?.type === "identifier" ? this.texts.constant(object.text) : undefined;
    let member = target && this.members.get(target.id);
    if (made && target && !this.known.of(target) && callOf(made, this.grammar) && !/^(?:require|import)\b/.test(made.text) && isVisible(made, target)) [target, member] = [made, property];
    // chi: `r.Mount("/users", signedIn(users))`
    const inner = target && this.grammar === GRAMMARS["go"] ? unwrapped(target, this.known) : undefined;
    if (inner && target && inner.isWrapped) {
      this.known.of(inner.target)?.before.unshift({ code: codeOf(target, this.grammar), from: 0 });
      target = inner.target;
    }
    // Koa: what `users.routes()` gives is the router of another file; axum: that of `users::router().layer(auth)` is behind a layer.
    const layers: Node[] = [];
    for (let routes = target && !this.known.of(target) ? callOf(target, this.grammar) : undefined; routes?.receiver && row.same?.test(routes.name); routes = callOf(target, this.grammar)) {
      if (routes.args.length > 0 && !/^(?:(?:route_)?layer|with_state)$/.test(routes.name)) break;
      if (/layer$/.test(routes.name)) layers.push(...routes.args.map((one) => one.node));
      target = routes.receiver;
    }
    if (target && this.grammar === GRAMMARS["rust"] && target.type === "closure_expression" && on) {
      // actix: `.configure(|config| { config.service(…); })`
      const parameter = target.childForFieldName("parameters")?.namedChildren[0];
      if (parameter) this.known.bindWithin((parameter.childForFieldName("pattern") ?? parameter).text, on, target);
      return true;
    }
    if (!target || this.grammar.functions.test(target.type)) return false;
    const isUse = row.use?.test(name) === true;
    const router = this.known.of(target);
    const known = on;
    if (!on) {
      let root = receiver;
      for (let call = root && callOf(root, this.grammar); call?.receiver && row.same?.test(call.name); call = callOf(root, this.grammar)) root = call.receiver;
      if (!root || !/^[\w.$]+$/.test(root.text) || (isUse && said.length === 0)) return false;
      on = this.known.unknown(root);
    }
    const isRouter = router !== undefined || (!isUse && madeIn(target) !== "");
    const base = on;
    const apart = name === "mount";
    const isUsed = isUse && known !== undefined && router === undefined;
    const before = [...targets.slice(0, targets.indexOf(target)), ...args.filter((one) => one.name === DEPENDENCIES).map((one) => one.node), ...layers].map((one) => codeOf(one, this.grammar));
    (router ? this.work.direct : this.work.late).push(() => {
      const all = router ? [router] : this.madeIn(target);
      for (const one of isRouter ? all : []) {
        if (one === base) continue;
        for (const prefix of paths) one.mounts.push({ base, prefix, overrides, at: this.known.order.of(target), named: router !== undefined, call: router ? undefined : callOf(target, this.grammar), apart });
        one.before.unshift(...before.map((code) => ({ code, from: 0 })));
      }
      // What makes a router is no middleware.
      if (isUsed && target.type !== "identifier" && this.madeIn(target).length > 0) base.before = base.before.filter(({ code }) => code.line !== target.startPosition.row + 1 || code.text !== codeOf(target, this.grammar).text);
      if (router === undefined && (!isRouter || all.length === 0)) for (const path of paths) this.elsewhere.mount(base, path, target, { overrides, apart, before: isUsed ? [] : before, member, call: callOf(target, this.grammar) });
    });
    return isRouter && (!isUse || router !== undefined);
  }

  /** Go: a router as the handler of a path, behind what is put around it, and the prefix that is taken off its paths. */
  served(known: Router | undefined, handler: Node): boolean {
    if (this.grammar !== GRAMMARS["go"]) return false;
    const { target, prefix, isWrapped } = unwrapped(handler, this.known);
    const router = this.known.of(target);
    // A router of another framework has whole paths of its own.
    if (!known) return handler.type === "identifier" && router !== undefined;
    if (router === known) return false;
    const under = prefix ? this.texts.one(prefix) ?? "…" : "";
    const base = known.row?.absolute ? known : rootmost(known);
    if (!router) {
      // What a function of this file or another makes may be one.
      if ((prefix || known.row?.absolute) && callOf(target, this.grammar) && !/^http\./.test(target.text)) this.late(base, under, target);
      return false;
    }
    if (!prefix && !isWrapped) return false;
    router.mounts.push({ base, prefix: under, overrides: false, at: this.known.order.of(handler) });
    if (isWrapped) router.before.unshift({ code: codeOf(handler, this.grammar), from: 0 });
    return true;
  }
}
