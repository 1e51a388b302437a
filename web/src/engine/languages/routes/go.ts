import type { Node } from "web-tree-sitter";
import { functionAround } from "./around.ts";
import { type Call, callOf, GRAMMARS } from "./calls.ts";
import type { KnownRouters } from "./known-routers.ts";
import { codeOf } from "./named-code.ts";
import type { Router } from "./router.ts";

const GO = GRAMMARS["go"]!;

/**
 * What is put around a router, where it is served or before, runs before all of its routes: `http.ListenAndServe(":80", logged(mux))`,
 * `handler = logged(handler)`. `calls`: all of the file. Gives the calls that make what is served elsewhere, with what that is put into.
 */
export function wrapRouters(root: Node, source: string, calls: readonly Call[], known: KnownRouters): { base: Router; made: Node }[] {
  if (!source.includes("net/http")) return [];
  // `var handler http.Handler = mux`
  for (const node of root.descendantsOfType("var_spec")) {
    const [name, value] = [node.childForFieldName("name"), node.childForFieldName("value")?.namedChildren[0]];
    const router = name && value && node.childForFieldName("type")?.text === "http.Handler" ? known.of(value) : undefined;
    if (router) known.bind(name!.text, router, name!);
  }
  for (const node of root.descendantsOfType("assignment_statement")) {
    const [name, value] = [node.childForFieldName("left")?.namedChildren[0], node.childForFieldName("right")?.namedChildren[0]];
    const given = value?.childForFieldName("arguments")?.namedChildren ?? [];
    if (name && given.some(({ text }) => text === name.text)) runFirst(known.of(name), value!);
  }
  return servedIn(root, source, calls).flatMap((handler) => {
    const value = handler.type === "identifier" ? declaredAs(handler) : handler;
    if (!value || !callOf(value, GO) || known.of(value) !== undefined) return [];
    const router = within(value, known);
    runFirst(router, value);
    return router ? [] : madeFor(value);
  });
}

/** What may make the router that is served, `routes()` or, with what runs before it, the `routes()` of `logged(routes())`. */
function madeFor(value: Node): { base: Router; made: Node }[] {
  const made = callOf(value, GO)!.args.find(({ node }) => callOf(node, GO))?.node;
  const base = { prefix: "", mounts: [], whole: true, before: [], made: "", line: 1 };
  if (!made) return [{ base, made: value }];
  const [outer, inner] = [codeOf(value, GO), codeOf(made, GO)];
  const wrapper = { ...outer, names: outer.names.filter((name) => !inner.names.includes(name)) };
  return [{ base: { ...base, before: [{ code: wrapper, from: 0 }] }, made }, { base, made: value }];
}

function runFirst(router: Router | undefined, wrapper: Node): void {
  router?.before.unshift({ code: codeOf(wrapper, GO), from: 0 });
}

/** A handler without what is put around it: `api` of `logged(http.StripPrefix("/api", api))`, with the prefix that is taken off the paths that come there. */
export function unwrapped(handler: Node, known: KnownRouters): { target: Node; prefix?: Node; isWrapped: boolean } {
  let [target, isWrapped]: [Node, boolean] = [handler, false];
  let prefix: Node | undefined;
  for (let call = callOf(target, GO); call && !known.of(target); call = callOf(target, GO)) {
    const isStrip = call.callee === "http.StripPrefix";
    const inner = isStrip ? call.args[1]?.node : call.args.find(({ node }) => known.of(node) ?? within(node, known))?.node;
    if (!inner) break;
    if (isStrip) prefix = call.args[0]!.node;
    else isWrapped = true;
    target = inner;
  }
  return { target, isWrapped, ...(prefix ? { prefix } : {}) };
}

/** A pattern of net/http without the method and the host before its path: `GET example.com/items/{id}`. */
export function patternOf(pattern: string): { method?: string; path: string } {
  const [, method, rest = pattern] = /^([A-Z]+|…|«[^»]*»)[ \t]+(.*)$/s.exec(pattern) ?? [];
  return { ...(method === undefined ? {} : { method }), path: rest.replace(/^[^/«…{]+(?=\/)/, "") };
}

/** The router that a call is given, or a call among its arguments. */
function within(node: Node, known: KnownRouters): Router | undefined {
  for (const { node: one } of callOf(node, GO)?.args ?? []) {
    const router = known.of(one) ?? within(one, known);
    if (router) return router;
  }
  return undefined;
}

/** The value that a variable is declared with, in the same function. */
function declaredAs(name: Node): Node | undefined {
  const declarations = functionAround(name)?.descendantsOfType("short_var_declaration") ?? [];
  return declarations.find((one) => one.childForFieldName("left")?.text === name.text)?.childForFieldName("right")?.namedChildren[0];
}

/** The handlers that a file serves, `http.ListenAndServe(":80", handler)` and `&http.Server{Handler: handler}`, and what its functions give as an `http.Handler`. */
function servedIn(root: Node, source: string, calls: readonly Call[]): Node[] {
  const listened = calls.filter(({ callee }) => /^http\.(?:ListenAndServe(?:TLS)?|Serve(?:TLS)?)$/.test(callee)).flatMap(({ name, args }) => args[name === "ListenAndServeTLS" ? 3 : 1]?.node ?? []);
  const given = root.descendantsOfType("return_statement").flatMap((node) => (functionAround(node)?.childForFieldName("result")?.text === "http.Handler" ? node.namedChildren[0]?.namedChildren[0] ?? [] : []));
  const servers = source.includes("http.Server{") ? root.descendantsOfType("composite_literal").filter((node) => node.childForFieldName("type")?.text === "http.Server") : [];
  const fields = servers.flatMap((server) => server.childForFieldName("body")?.namedChildren ?? []);
  return [...listened, ...given, ...fields.flatMap((field) => (field.namedChildren[0]?.text === "Handler" ? field.namedChildren[1]?.namedChildren[0] ?? [] : []))];
}

/** Whether what an expression names or calls is a function of a package, or a method of a type, that the file does not declare: `users.Register`, `(&Users{}).Register`. */
export function isForeign(target: Node, source: string): boolean {
  const callee = target.childForFieldName("function") ?? target;
  const selector = callee.type === "selector_expression" ? callee : callee.parent?.type === "selector_expression" ? callee.parent : undefined;
  const [operand, name] = [selector?.childForFieldName("operand"), selector?.childForFieldName("field")?.text];
  if (!operand || name === undefined) return false;
  if (operand.type === "identifier" && new RegExp(`^(?:import)?\\s+(?:${operand.text}\\s+"|"(?:[^"\\n]*/)?${operand.text}(?:/v\\d+)?"$)`, "m").test(source)) return true;
  const type = typeOf(operand) ?? typeOf(declaredAs(operand));
  return type !== undefined && !new RegExp(`^func \\(\\w*\\s*\\*?${type}\\b[^)]*\\) ${name}\\(`, "m").test(source);
}

/** The type that a literal is of, or a pointer to one. */
function typeOf(value: Node | undefined): string | undefined {
  let at = value;
  while (at && /^(?:unary|parenthesized)_expression$/.test(at.type)) at = at.namedChildren[0];
  const type = at?.type === "composite_literal" ? at.childForFieldName("type") : undefined;
  return type?.type === "type_identifier" ? type.text : undefined;
}
