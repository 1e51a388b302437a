import type { Node } from "web-tree-sitter";
import { callOf, type Grammar } from "./calls.ts";
import type { Declared } from "./extract.ts";
import { codeOf } from "./known-routers.ts";

/** tRPC: `list: procedure.input(…).query(f)` in a router, by the names that lead there. */
export function proceduresOf(root: Node, source: string, grammar: Grammar): Declared[] {
  if (!/["']@trpc\/server|\b(?:public|protected)Procedure\b/.test(source)) return [];
  const found: Declared[] = [];
  for (const node of root.descendantsOfType("call_expression")) {
    const call = callOf(node, grammar);
    const handler = call?.args[0]?.node;
    if (!call || !handler || !/^(?:query|mutation|subscription)$/.test(call.name) || !/procedure/i.test(call.callee)) continue;
    const names: string[] = [];
    let top = node.parent;
    for (let at = node.parent; at; at = at.parent) {
      if (at.type === "pair") names.unshift(at.childForFieldName("key")?.text ?? "…");
      else if (at.type === "variable_declarator") top = at;
    }
    // What the application's own router has stands under no further name.
    const isRoot = /^app/i.test(top?.childForFieldName("name")?.text ?? "");
    if (names.length > 0) found.push({ name: `${call.name.toUpperCase()} ${isRoot ? "" : "…."}${names.join(".")}`, node: handler, route: { before: [], handler: codeOf(handler, grammar) } });
  }
  return found;
}
