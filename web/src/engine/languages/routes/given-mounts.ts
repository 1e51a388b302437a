import type { Node } from "web-tree-sitter";
import { type Argument, type Call, callOf, type Grammar } from "./calls.ts";
import type { KnownRouters } from "./known-routers.ts";
import type { Router } from "./router.ts";
import type { Texts } from "./texts.ts";

/** Names of what is a router of another file, or an application. */
const ROUTER = /(?:rout(?:er|es?)s?|app)$/i;
/** What loads another file of the project, or calls what that gives. */
const LOADED = /^(?:await\s+)?(?:require|import)\(\s*["'`]\.{1,2}\//;

/** A router that a call is given with the path to put it under, and, where that is an argument too, what to put it into. */
export interface GivenMount {
  path: string;
  target: Node;
  base?: Router;
}

/** JavaScript: routers that functions which are no framework's put under a path. */
export class GivenMounts {
  constructor(private readonly grammar: Grammar, private readonly texts: Texts, private readonly known: KnownRouters) {}

  /** `lazyUse(app, "/admin", () => require("./admin"))`: a function of another file is given a router, a path, and a router of a file or what loads one. */
  into({ args, node }: Call): GivenMount | undefined {
    const callee = node.childForFieldName("function");
    if (!callee || args.length < 3 || this.isDeclaredHere(callee)) return undefined;
    const base = args.find((one) => this.known.of(one.node)?.row?.mounts);
    const found = base && this.among(args.filter((one) => one !== base));
    return found && { ...found, base: this.known.of(base.node)! };
  }

  /** Koa: `app.use(mount("/v1", v1.routes()))` */
  around(target: Node): GivenMount | undefined {
    const call = callOf(target, this.grammar);
    if (call?.args.length !== 2 || LOADED.test(target.text)) return undefined;
    const isNamed = call.args.every(({ node }) => node.type !== "identifier" || this.known.of(node) !== undefined || ROUTER.test(node.text));
    return isNamed ? this.among(call.args) : undefined;
  }

  /** A path and, as the last of the others, a router. */
  private among(args: readonly Argument[]): GivenMount | undefined {
    const paths = args.filter(({ node }) => this.texts.one(node)?.startsWith("/") === true);
    const last = args.findLast((one) => !paths.includes(one));
    const target = last && paths.length === 1 ? this.routerIn(last.node) : undefined;
    return target && { path: this.texts.one(paths[0]!.node)!, target };
  }

  /** The router that an expression is, or that a function loads. */
  private routerIn(node: Node): Node | undefined {
    if (this.grammar.functions.test(node.type)) return node.descendantsOfType([...this.grammar.calls]).find(({ text }) => LOADED.test(text));
    if (this.known.of(node) || LOADED.test(node.text)) return node;
    const call = callOf(node, this.grammar);
    // Koa: what `users.routes()` gives is the router of another file.
    if (call?.receiver && call.args.length === 0 && /^(?:routes|middleware)$/.test(call.name)) return call.receiver;
    return this.known.imports.has(call && !call.receiver ? call.name : node.text) ? node : undefined;
  }

  private isDeclaredHere(callee: Node): boolean {
    return this.known.isFunction(callee) || (callee.type === "identifier" && this.grammar.functions.test(this.texts.constant(callee.text)?.type ?? ""));
  }
}
