import type { Node } from "web-tree-sitter";
import { functionAround } from "./calls.ts";
import { rootOf } from "./elsewhere.ts";

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

/** The function that an expression names or calls; "" for none. */
export function madeIn(target: Node): string {
  return /^(?:[\w.]*\.)?(\w+)(?:\(.*\))?$/s.exec(target.text)?.[1] ?? "";
}
