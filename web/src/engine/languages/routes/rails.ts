import type { Node } from "web-tree-sitter";
import { type Argument, type Call, callOf, type Grammar, literal } from "./calls.ts";
import type { Declared } from "./extract.ts";
import { joined } from "./known-routers.ts";
import { Texts } from "./texts.ts";

const ACTIONS: readonly [action: string, method: string, path: string][] = [
  ["index", "GET", ""], ["new", "GET", "new"], ["create", "POST", ""], ["show", "GET", ":id"], ["edit", "GET", ":id/edit"], ["update", "PATCH", ":id"], ["update", "PUT", ":id"], ["destroy", "DELETE", ":id"],
];

/** Arguments of a route that are no path. */
const OPTIONS = /^(?:to|via|as|on|action|controller|module|path|constraints|defaults|format|param)$/;

/** Where in the nesting of a routes file a line stands. */
interface Place {
  path: string;
  /** Folders of controllers. */
  within: string;
  /** The controller of the resource around. */
  controller: string;
  /** What a member of that is under. */
  member: string;
}

/** Rails: what `routes.draw` says, or all of a file that it draws. */
export function railsRoutes(root: Node, grammar: Grammar, isDrawn = false): Declared[] {
  const found: Declared[] = [];
  const texts = new Texts(root, grammar);
  const concerns = new Map<string, Call>();
  const text = (args: readonly Argument[], name: string): string | undefined => {
    const node = args.find((one) => one.name === name)?.node;
    return node && literal(node, grammar);
  };
  const add = (node: Node, method: string, path: string, within: string, controller: string, action: string): void => {
    const folders = `${within}${controller}`.split("/");
    const owner = `${camel(folders.at(-1)!)}Controller`;
    found.push({ name: `${method} ${path}`, node, route: { before: [], named: { owner, name: action, ...(folders.length > 1 ? { within: folders.slice(0, -1).join("/") } : {}) } } });
  };
  const block = (call: Call, place: Place): void => {
    const body = call.args.find(({ node }) => grammar.functions.test(node.type))?.node;
    for (const child of body?.childForFieldName("body")?.namedChildren ?? []) statement(child, place);
  };
  const statement = (node: Node, place: Place): void => {
    const call = callOf(node, grammar);
    if (!call) return;
    const { name, args } = call;
    const plain = args.filter((one) => one.name === "").map((one) => one.node).filter(({ type }) => grammar.strings.test(type));
    const first = plain[0] && literal(plain[0], grammar);
    switch (name) {
      case "draw":
        block(call, place);
        return;
      case "namespace":
        block(call, { ...place, path: joined(place.path, text(args, "path") ?? first ?? ""), within: `${place.within}${text(args, "module") ?? first ?? ""}/` });
        return;
      case "scope": {
        const module = text(args, "module");
        block(call, { ...place, path: joined(place.path, text(args, "path") ?? first ?? ""), within: module === undefined ? place.within : `${place.within}${module}/`, controller: text(args, "controller") ?? place.controller });
        return;
      }
      case "resources":
      case "resource": {
        const chosen = (key: string): string[] | undefined => {
          const node = args.find((one) => one.name === key)?.node;
          return node && (texts.all(node).length > 0 ? texts.all(node) : node.text.match(/\w+/g) ?? []);
        };
        const [only, except] = [chosen("only"), chosen("except")];
        for (const one of plain) {
          const called = literal(one, grammar)!;
          const single = name === "resource";
          const controller = text(args, "controller") ?? (single ? `${called}s` : called);
          const path = joined(place.path, text(args, "path") ?? called);
          for (const [action, method, end] of ACTIONS) {
            if ((only && !only.includes(action)) || except?.includes(action) || (single && action === "index")) continue;
            add(node, method, joined(path, single ? end.replace(/^:id\/?/, "") : end), place.within, controller, action);
          }
          const member = joined(path, single ? "" : ":id");
          const inside = { ...place, path: single ? path : joined(path, `:${called.replace(/ies$/, "y").replace(/s$/, "")}_id`), controller, member };
          block(call, inside);
          for (const concern of chosen("concerns") ?? []) if (concerns.has(concern)) block(concerns.get(concern)!, inside);
        }
        return;
      }
      case "concern":
        if (first !== undefined) concerns.set(first, call);
        return;
      case "member":
      case "collection":
        block(call, { ...place, path: name === "member" ? place.member : place.member.replace(/\/:id$/, "") });
        return;
      case "root": {
        const [controller, action] = (text(args, "to") ?? first ?? "").split("#");
        if (controller && action) add(node, "GET", joined(place.path, ""), place.within, controller, action);
        return;
      }
      case "get":
      case "post":
      case "put":
      case "patch":
      case "delete":
      case "match": {
        // `get "ping" => "health#ping"`
        const arrow = args.find((one) => /^["':]?[\w/:#*-]+$/.test(one.name) && !OPTIONS.test(one.name) && literal(one.node, grammar)?.includes("#") === true);
        const path = first ?? arrow?.name.replace(/["']/g, "");
        if (path === undefined) return;
        const on = text(args, "on");
        const to = text(args, "to") ?? (arrow ? literal(arrow.node, grammar) : undefined) ?? (path.includes("/") && place.controller === "" && text(args, "controller") === undefined ? path.replace(/\/(?=[^/]*$)/, "#") : undefined);
        const [controller = "", action = ""] = to?.includes("#") === true ? to.split("#") : [text(args, "controller") ?? place.controller, text(args, "action") ?? path];
        const base = on === "member" ? place.member : on === "collection" ? place.member.replace(/\/:id$/, "") : place.path;
        const via = name === "match" ? args.find((one) => one.name === "via")?.node.text.match(/[a-z]+/gu) ?? ["any"] : [name];
        if (controller !== "") for (const method of via) add(node, method === "all" ? "ANY" : method.toUpperCase(), joined(base, path), place.within, controller.replace(/^\//, ""), action);
        return;
      }
      default:
        block(call, place);
    }
  };
  const begin: Place = { path: "", within: "", controller: "", member: "" };
  if (isDrawn) for (const node of root.namedChildren) statement(node, begin);
  else for (const node of root.descendantsOfType("call")) {
    if (callOf(node, grammar)?.name === "draw") statement(node, begin);
  }
  return found;
}

/** `line_items` is LineItems. */
function camel(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
