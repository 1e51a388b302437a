import type { Node } from "web-tree-sitter";
import { functionAround } from "./around.ts";
import { rootOf } from "./elsewhere.ts";
import { parametersOf } from "./parameters.ts";

/** Whether code at a node can use what is declared at another. */
export function isVisible(declared: Node, from: Node): boolean {
  const around = functionAround(declared);
  return !around || (around.startIndex <= from.startIndex && from.endIndex <= around.endIndex);
}

/** The words of the parameters of the function around a node. */
export function parameters(node: Node | undefined): readonly string[] {
  return (node && functionAround(node)?.childForFieldName("parameters")?.text.match(/[\w$]+/g)) ?? [];
}

/** Whether a path begins with a parameter of the function that is given its router, too: `function admin(app, base) { app.get(base + "/x", list); }`. */
export function isGiven(receiver: Node | undefined, path: string): boolean {
  const given = parameters(receiver);
  return given.includes(rootOf(receiver)) && given.includes(/^«([\w$]+):/.exec(path)?.[1] ?? "");
}

/** What a parameter is called, or of which type it is in Go, that is a router or an application. */
const ROUTER = /^(?:app|router|server|fastify|instance)$/;
const GO_ROUTER = /^\*?(?:chi|gin|echo|fiber|mux|http)\.\w*(?:Router|Engine|Group|Routes|Echo|App|Mux)\w*$/;

/** Whether a parameter is all of a route's path, and the router is a parameter, too: `function users(app, base) { app.get(base, list); }`. */
export function isGivenWhole(receiver: Node | undefined, path: Node): boolean {
  return receiver !== undefined && path.type === "identifier" && isGivenRouter(receiver) && parametersOf(functionAround(receiver)!).includes(path.text);
}

/** Whether a name is a parameter of the function around it that is a router, by its type in Go, else by its name. */
export function isGivenRouter(name: Node): boolean {
  const around = name.type === "identifier" ? functionAround(name) : undefined;
  if (!around || !parametersOf(around).includes(name.text)) return false;
  const declared = around.childForFieldName("parameters")?.namedChildren.find((one) => one.type === "parameter_declaration" && one.childrenForFieldName("name").some(({ text }) => text === name.text));
  return declared ? GO_ROUTER.test(declared.childForFieldName("type")?.text ?? "") : ROUTER.test(name.text);
}

/** The function that an expression names or calls; "" for none. */
export function madeIn(target: Node): string {
  return /^(?:[\w.]*\.)?(\w+)(?:\(.*\))?$/s.exec(target.text)?.[1] ?? "";
}
