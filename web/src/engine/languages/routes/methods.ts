import type { Node } from "web-tree-sitter";
import { functionAround, functionNamed } from "./around.ts";
import { type Argument, type Call, callOf, entriesOf, type Grammar } from "./calls.ts";
import type { Framework } from "./frameworks.ts";
import { codeOf } from "./named-code.ts";
import { joined } from "./prefixes.ts";
import type { Added } from "./routers.ts";
import type { Texts } from "./texts.ts";

/** Constants that are called as methods are: `http.MethodGet`, `RequestMethod.POST`, `Request::METHOD_PUT`. */
const METHOD = /(?<![a-z])(?:Method_?)?(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|CONNECT|TRACE)(?![a-z])/gi;

/** Methods as texts, or as constants are called; none where the code says neither. */
export function methodsIn(node: Node, texts: Texts): string[] {
  const said = texts.all(node);
  return (said.length > 0 ? said : [...node.text.matchAll(METHOD)].map(([, name = ""]) => name)).map((name) => name.toUpperCase());
}

/** The methods that a call says, and its other arguments: the path, or what has it in another file, what runs before, the handler. Undefined where it is no route. */
export function methodsOf(row: Framework, { name, args }: Call, texts: Texts, grammar: Grammar): { methods: string[]; args: Argument[]; path?: string } | undefined {
  const method = row.verbs[name]!;
  const said = args.find((one) => one.name === "methods");
  if (method !== "") return { methods: said ? saidBy(said.node, texts) : [method], args: args.filter((one) => one !== said) };
  if (args.length === 1 && args[0]!.node.type === "object") {
    const entries = entriesOf(args[0]!.node);
    const [verbs, path, handler] = [/^method$/, /^(?:url|path)$/, /^handler$/].map((key) => entries.find((entry) => key.test(entry.name)));
    return verbs && path && handler && { methods: saidBy(verbs.node, texts), args: [path, args[0]!, handler].map(({ node }) => ({ name: "", node })) };
  }
  // Hono: `openapi(createRoute({ method: "get", path: "/x" }), list)`
  if (name === "openapi") {
    const made = args[0] && callOf(texts.constant(args[0].node.text) ?? args[0].node, grammar);
    const entries = made?.args[0]?.node.type === "object" ? entriesOf(made.args[0].node) : [];
    const [verbs, path] = ["method", "path"].map((key) => entries.find((entry) => entry.name === key));
    if (verbs && path) return { methods: saidBy(verbs.node, texts), args: [{ name: "", node: path.node }, ...args.slice(1, 2)] };
    // Another file makes it.
    return args.length > 1 && !made ? { methods: [texts.hole(args[0]!.node, "method")], path: texts.hole(args[0]!.node, "path"), args: args.slice(0, 2) } : undefined;
  }
  const predicates = args[0] && row.groups?.test("path") === true ? predicatesIn(args[0].node, grammar) : [];
  const [verb, path, methods] = [(one: Call) => (row.verbs[one.name] ?? "") !== "", (one: Call) => one.name === "path", (one: Call) => one.name === "method"].map((is) => predicates.find(is));
  if (verb) return { methods: [row.verbs[verb.name]!], args: [...verb.args, ...args.slice(1)] };
  const asked = methods?.args[0] ? saidBy(methods.args[0].node, texts) : ["ANY"];
  if (path) return { methods: asked, args: [...path.args, ...args.slice(1)] };
  // The path is that of the `nest` around it.
  if (methods) return { methods: asked, args, path: "" };
  // ASP.NET and Koa have the path first.
  const at = name === "MapMethods" || name === "register" ? 1 : 0;
  return args[at] && { methods: saidBy(args[at].node, texts), args: args.filter((_, i) => i !== at) };
}

/** Koa: a call for each of what is used as one: `app.use(compose([errors, users.routes()]))`; another call itself. */
export function composed(call: Call, grammar: Grammar): readonly Call[] {
  const made = call.name === "use" && call.args.length === 1 ? callOf(call.args[0]!.node, grammar) : undefined;
  if (made?.callee !== "compose") return [call];
  return made.args.flatMap(({ node }) => (node.type === "array" ? node.namedChildren : [node])).map((node) => ({ ...call, args: [{ name: "", node }] }));
}

/** Express: whether what is used runs after errors alone, as functions of four parameters do, here or, by its name, elsewhere. */
export function isForErrors(used: Node, grammar: Grammar): boolean {
  const made = grammar.functions.test(used.type) ? used : used.type === "identifier" ? functionNamed(used) : undefined;
  return made ? made.childForFieldName("parameters")?.namedChildren.length === 4 : /^(?:[\w$]+\.)*\w*[eE]rror\w*$/.test(used.text.replace(/\(.*/s, ""));
}

/** Falcon: the methods of an object that answer a route, `add_route("/users/{id}", users, suffix="one")`. */
export function respondersOf({ args }: Call, texts: Texts): string[] {
  const suffix = args.find(({ name }) => name === "suffix");
  return ["get", "post", "put", "delete", "patch", "head", "options", "websocket"].map((method) => `on_${method}${suffix ? `_${texts.one(suffix.node) ?? "…"}` : ""}`);
}

/** Spring: `GET("/x").and(accept(JSON))`, `method(PUT).and(path("/x"))` */
function predicatesIn(node: Node, grammar: Grammar): Call[] {
  const found: Call[] = [];
  let inner = callOf(node, grammar);
  for (; inner?.name === "and" && inner.receiver; inner = callOf(inner.receiver, grammar)) found.push(...inner.args.flatMap((one) => callOf(one.node, grammar) ?? []));
  return inner ? [inner, ...found] : found;
}

/** Koa: a route may have a name before its path. */
export function unnamed(row: Framework, args: readonly Argument[], texts: Texts): readonly Argument[] {
  const [name, path] = args.map(({ node }) => texts.one(node));
  return row.names && name !== undefined && path?.startsWith("/") === true ? args.slice(1) : args;
}

/** Spring: whether a filter is put around what is routed so far, `route(GET("/x"), f).filter(…)`; those that `route()` collects run in their order. */
export function isAround({ app, verbs }: Framework, { receiver }: Call, grammar: Grammar): boolean {
  let made = receiver && callOf(receiver, grammar);
  while (made?.receiver && verbs["andRoute"] !== undefined && !app?.test(made.callee)) made = callOf(made.receiver, grammar);
  return verbs["andRoute"] !== undefined && made !== undefined && made.args.length > 0;
}

/** Spring: what puts a path before the routes that it is given, `nest(path("/x"), route(…))`. */
export const NESTS = /^(?:nest|andNest)$/;

/** Spring: the path that is put before a route. `nests`: all that do so in the file. */
export function nestedIn(node: Node, nests: readonly Call[], texts: Texts, grammar: Grammar): string {
  const outer = nests.filter(({ args: [, inner] }) => inner && inner.node.startIndex <= node.startIndex && inner.node.endIndex >= node.endIndex);
  const around = outer.length > 0 ? functionAround(node)?.id : undefined;
  return outer.filter((nest) => functionAround(nest.node)?.id === around).reduce((path, { args: [of] }) => joined(path, texts.one(callOf(of!.node, grammar)?.args[0]?.node) ?? "…"), "");
}

/** Spring: the variable or the function with the routes of `nest(path("/x"), users)`, `path("/x", () -> users(handler))`, `path("/x", this::users)`. */
export function nestedPart(given: Node | undefined): Node | undefined {
  const part = given?.type === "lambda_expression" ? given.childForFieldName("body") : given?.type === "method_reference" ? given.namedChildren.at(-1) : given;
  return part?.type === "identifier" || (part?.type === "method_invocation" && !part.childForFieldName("object")) ? part : undefined;
}

/** Spring: what is behind the path of a route that says none, `.GET(list)` and `.GET(accept(JSON), list)`; undefined where it may say one. */
export function behindNoPath(row: Framework, args: readonly Argument[], grammar: Grammar): Argument[] | undefined {
  if (row.verbs["andRoute"] === undefined || args.length === 0 || (args.length > 1 && !callOf(args[0]!.node, grammar))) return undefined;
  return args.slice(-1);
}

/** `.Methods("GET", "POST")` on what a call gives. */
export function methodsBehind(node: Node, row: Framework, texts: Texts, grammar: Grammar): string[] | undefined {
  for (let at: Node | null = node.parent; at && /^(?:selector_expression|call_expression)$/.test(at.type); at = at.parent) {
    const call = callOf(at, grammar);
    if (call && row.methods!.test(call.name)) return call.args.flatMap(({ node: one }) => saidBy(one, texts));
  }
  return undefined;
}

/** gorilla: the routes of `r.Path("/x").Methods("GET").HandlerFunc(f)`, and what they are added to; undefined for another call. */
export function routeBefore(row: Framework, { node, args, receiver }: Call, texts: Texts, grammar: Grammar): { on: Node; routes: Added[] } | undefined {
  const chain: Call[] = [];
  for (let at = receiver && callOf(receiver, grammar); at; at = at.receiver && callOf(at.receiver, grammar)) chain.push(at);
  const path = texts.one(chain.find(({ name }) => name === "Path")?.args[0]?.node);
  const on = chain.at(-1)?.receiver;
  if (path === undefined || !on || args.length !== 1) return undefined;
  const named = chain.find(({ name }) => row.methods!.test(name));
  const methods = named ? named.args.flatMap((one) => saidBy(one.node, texts)) : methodsBehind(node, row, texts, grammar) ?? ["ANY"];
  return { on, routes: methods.map((method) => ({ method, path, call: node, before: [], handler: codeOf(args[0]!.node, grammar) })) };
}

export function saidBy(node: Node, texts: Texts): string[] {
  const methods = methodsIn(node, texts).map((method) => (method === "*" ? "ANY" : method));
  return methods.length > 0 ? methods : ["…"];
}
