import type { Node } from "web-tree-sitter";
import type { MountFact, RouterFact } from "../../facts.ts";
import { type Argument, type Call, callOf, entriesOf, type Grammar, literal } from "./calls.ts";
import type { Declared } from "./code.ts";
import { Loops } from "./loops.ts";
import { codeOf } from "./named-code.ts";
import { joined } from "./prefixes.ts";
import { Texts } from "./texts.ts";

const ACTIONS: readonly [action: string, method: string, path: string][] = [
  ["index", "GET", ""], ["new", "GET", "new"], ["create", "POST", ""], ["show", "GET", ":id"], ["edit", "GET", ":id/edit"], ["update", "PATCH", ":id"], ["update", "PUT", ":id"], ["destroy", "DELETE", ":id"],
];

/** Statements in which others stand. */
const CONDITIONS = /^(?:if|unless|elsif|else|then|case|when|begin|if_modifier|unless_modifier)$/;
/** Arguments of a route that are no path. */
const OPTIONS = /^(?:to|via|as|on|action|controller|module|path|constraints|defaults|format|param)$/;

/** Where in the nesting of a routes file a line stands. */
interface Place {
  path: string;
  /** Folders of controllers. */
  within: string;
  /** The controller of the resource around. */
  controller: string;
  /** What a member of that is under, what is for all of them, and for a new one. */
  member: string;
  collection: string;
  blank: string;
  /** The path of the scopes around, without those of resources. */
  scope: string;
  /** Members of what resources around have within stand under no path of these. */
  isShallow: boolean;
  /** What is said for all that stands there. */
  options: readonly Argument[];
  /** What routes are added to that another file may put under a path. */
  router?: RouterFact;
}

/** The routes of the files that `draw` names. */
const DRAWN: RouterFact = { names: ["config/routes"], line: 0 };
const OUTERMOST: Place = { path: "", within: "", controller: "", member: "", collection: "", blank: "", scope: "", isShallow: false, options: [] };

/** Rails: what `routes.draw` says, or all of a file that it draws, and the applications that are put under its paths. */
export function railsRoutes(root: Node, source: string, grammar: Grammar, isDrawn = false): { routes: Declared[]; mounts: MountFact[] } {
  const found: Declared[] = [];
  const mounts: MountFact[] = [];
  const texts = new Texts(root, grammar);
  const loops = new Loops(root, source, grammar, texts, root.descendantsOfType("call").flatMap((node) => callOf(node, grammar) ?? []));
  const concerns = new Map<string, Call>();
  const text = (args: readonly Argument[], name: string): string | undefined => {
    const node = args.find((one) => one.name === name)?.node;
    return node && texts.one(node);
  };
  const add = (node: Node, method: string, path: string, { within, router }: Place, controller: string, action: string): void => {
    const folders = `${within}${controller}`.split("/");
    const owner = `${camel(folders.at(-1)!)}Controller`;
    found.push({
      name: `${method} ${router && router !== DRAWN ? "…" : ""}${path}`, node,
      route: { before: [], named: { owner, name: action, ...(folders.length > 1 ? { within: folders.slice(0, -1).join("/") } : {}) }, ...(router ? { router } : {}) },
    });
  };
  const put = (prefix: string, target: string, { router }: Place, file?: string): void => {
    // A file that is drawn at the root has the paths that it says.
    if (file !== undefined && prefix === "" && !router) return;
    mounts.push({ prefix, target: { text: target, names: [target], line: file === undefined ? 0 : 1, endLine: 1 }, ...(router ? { into: router } : {}), ...(file === undefined ? {} : { file }) });
  };
  /** `:index`, `[:index, :show]`, `%i[index show]` */
  const words = (args: readonly Argument[]): string[] => args.flatMap(({ node }) => (texts.all(node).length > 0 ? texts.all(node) : node.text.match(/\w+/g) ?? []));
  const block = (call: Call, place: Place): void => {
    const body = call.args.find(({ node }) => grammar.functions.test(node.type))?.node;
    for (const child of body?.childForFieldName("body")?.namedChildren ?? []) statement(child, place);
  };
  const statement = (node: Node, place: Place): void => {
    const call = callOf(node, grammar);
    if (!call && CONDITIONS.test(node.type)) for (const child of node.namedChildren) if (child.id !== node.childForFieldName("condition")?.id) statement(child, place);
    if (!call) return;
    const rounds = texts.round ? [] : loops.around(node);
    for (const round of rounds) {
      texts.round = round;
      statement(node, place);
      texts.round = undefined;
    }
    if (rounds.length > 0) return;
    const { name } = call;
    const args = [...call.args, ...place.options];
    const plain = args.filter((one) => one.name === "").map((one) => one.node).filter(({ type }) => grammar.strings.test(type));
    const first = texts.one(plain[0]);
    switch (name) {
      case "draw": {
        // `Blog::Engine.routes.draw do`
        const engine = /^([\w:]+::Engine)\.routes$/.exec(call.receiver?.text.replace(/^::/, "") ?? "")?.[1];
        if (first !== undefined) put(place.path, first, place, `config/routes/${first}.rb`);
        else block(call, engine === undefined ? place : { ...place, within: `${underscored(engine.replace(/::Engine$/, ""))}/`, router: { names: [engine], line: 0 } });
        return;
      }
      case "mount": {
        // `mount Blog::Engine, at: "/blog"`, `mount Blog::Engine => "/blog"`
        const arrow = args.find((one) => /^[A-Z:][\w:]*(?:\.new)?$/.test(one.name));
        const app = arrow?.name ?? args[0]?.node.text ?? "";
        const at = arrow ? literal(arrow.node, grammar) : text(args, "at");
        if (at !== undefined) put(joined(place.path, at), app.replace(/^::|\.new$/g, ""), place);
        return;
      }
      case "with_options":
        block(call, { ...place, options: [...call.args.filter((one) => one.name !== ""), ...place.options] });
        return;
      case "shallow":
        block(call, { ...place, isShallow: true });
        return;
      case "controller":
        block(call, { ...place, controller: first ?? place.controller });
        return;
      case "concerns":
        for (const concern of words(args.filter((one) => one.name === "" && !grammar.functions.test(one.node.type)))) {
          const body = concerns.get(concern);
          // `concern :imageable do |options|`
          const takes = body?.args.some(({ node: one }) => one.childForFieldName("parameters") !== null);
          if (body) block(body, takes ? { ...place, options: call.args.filter((one) => one.name !== "") } : place);
        }
        return;
      case "namespace":
      case "scope": {
        const path = joined(place.path, text(args, "path") ?? first ?? "");
        const module = text(args, "module") ?? (name === "namespace" ? first : undefined);
        const chosen = call.args.filter((one) => /^(?:only|except)$/.test(one.name));
        block(call, {
          ...place, path, scope: joined(place.scope, text(args, "path") ?? first ?? ""), within: module === undefined ? place.within : `${place.within}${module}/`,
          controller: text(args, "controller") ?? place.controller, isShallow: place.isShallow || isSaid(args, "shallow"), options: [...chosen, ...place.options],
        });
        return;
      }
      case "resources":
      case "resource": {
        const chosen = (key: string): string[] | undefined => {
          const one = args.find((each) => each.name === key);
          return one && words([one]);
        };
        const [only, except] = [chosen("only"), chosen("except")];
        const id = text(args, "param") ?? "id";
        const pathNames = args.find((each) => each.name === "path_names")?.node;
        const named = (end: string): string => end.replace(/\w+$/, (word) => (pathNames && /^(?:new|edit)$/.test(word) ? text(entriesOf(pathNames), word) : undefined) ?? word);
        const looped = args.filter(({ node: one }) => texts.round?.values.has(one.text)).map((each) => each.node);
        for (const one of [...plain, ...looped]) {
          const called = texts.one(one)!;
          const single = name === "resource";
          const controller = text(args, "controller") ?? (single ? plural(called) : called);
          const own = text(args, "path") ?? called;
          const path = joined(place.path, own);
          const isShallow = place.isShallow || isSaid(args, "shallow");
          // The path of one of them, without those that it is nested in where that is shallow.
          const alone = isShallow && place.controller !== "" ? joined(place.scope, own) : path;
          for (const [action, method, end] of ACTIONS) {
            if ((only && !only.includes(action)) || except?.includes(action) || (single && action === "index")) continue;
            add(node, method, single ? joined(path, end.replace(/^:id\/?/, "")) : end.startsWith(":id") ? joined(alone, named(end).replace("id", id)) : joined(path, named(end)), place, controller, action);
          }
          const inside = {
            ...place, path: single ? path : joined(alone, `:${singular(called)}_${id}`), controller, member: single ? path : joined(alone, `:${id}`), collection: path, blank: joined(path, named("new")), isShallow,
            within: text(args, "module") === undefined ? place.within : `${place.within}${text(args, "module")}/`, options: [],
          };
          block(call, inside);
          for (const concern of chosen("concerns") ?? []) if (concerns.has(concern)) block(concerns.get(concern)!, inside);
        }
        return;
      }
      case "concern":
        if (first !== undefined) concerns.set(first, call);
        return;
      case "new":
        block(call, { ...place, path: place.blank });
        return;
      case "member":
      case "collection":
        block(call, { ...place, path: name === "member" ? place.member : place.collection });
        return;
      case "root": {
        const [controller, action] = (text(args, "to") ?? first ?? "").split("#");
        if (controller && action) add(node, "GET", joined(place.path, ""), place, controller, action);
        return;
      }
      case "get":
      case "post":
      case "put":
      case "patch":
      case "delete":
      case "match": {
        // `get "ping" => "health#ping"`
        const arrow = args.find((one) => /^["':]?[\w/:#*-]+$/.test(one.name) && !OPTIONS.test(one.name) && (literal(one.node, grammar)?.includes("#") === true || (place.controller !== "" && one.node.type === "simple_symbol")));
        const said = plain.length > 1 ? plain.map((one) => texts.one(one)) : [first ?? arrow?.name.replace(/["']/g, "")];
        // `get :preview, :print, on: :member` are several.
        for (const path of said) {
          if (path === undefined) continue;
          const on = text(args, "on");
          const arrowed = arrow && literal(arrow.node, grammar);
          const to = text(args, "to") ?? (arrowed?.includes("#") === true ? arrowed : undefined) ?? (path.includes("/") && place.controller === "" && text(args, "controller") === undefined ? path.replace(/\/(?=[^/]*$)/, "#") : undefined);
          const [controller = "", action = ""] = to?.includes("#") === true ? to.split("#") : [text(args, "controller") ?? place.controller, text(args, "action") ?? to ?? arrowed ?? path];
          const base = on === "member" ? place.member : on === "collection" ? place.collection : place.path;
          const via = name === "match" ? args.find((one) => one.name === "via")?.node.text.match(/[a-z]+/gu) ?? ["any"] : [name];
          const verbs = via.map((verb) => (verb === "all" ? "ANY" : verb.toUpperCase()));
          // `get "old", to: redirect("/new")`
          const app = args.find((one) => one.name === "to" && !grammar.strings.test(one.node.type) && texts.one(one.node) === undefined)?.node;
          if (app) for (const verb of verbs) found.push({ name: `${verb} ${place.router && place.router !== DRAWN ? "…" : ""}${joined(base, path)}`, node, route: { before: [], handler: codeOf(app, grammar), ...(place.router ? { router: place.router } : {}) } });
          else if (controller !== "") for (const verb of verbs) add(node, verb, joined(base, path), place, controller.replace(/^\//, ""), action);
        }
        return;
      }
      default:
        block(call, place);
    }
  };
  if (isDrawn) for (const node of root.namedChildren) statement(node, { ...OUTERMOST, router: DRAWN });
  else for (const node of root.descendantsOfType("call")) {
    if (/\.routes\.draw$/.test(callOf(node, grammar)?.callee ?? "")) statement(node, OUTERMOST);
  }
  return { routes: found, mounts };
}

function isSaid(args: readonly Argument[], name: string): boolean {
  return args.some((one) => one.name === name && one.node.text === "true");
}

/** `BlogAdmin::Posts` is in blog_admin/posts. */
function underscored(name: string): string {
  return name.replace(/::/g, "/").replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
}

/** `statuses` are of one `status`. */
function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/(ss|sh|ch|x|status)es$/, "$1").replace(/(?<!s|statu|viru|bonu|campu)s$/, "");
}

function plural(name: string): string {
  if (/(?:ss|sh|ch|x|status)$/.test(name)) return `${name}es`;
  return /s$/.test(name) ? name : `${name.replace(/(?<![aeiou])y$/, "ie")}s`;
}

/** `line_items` is LineItems. */
function camel(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
