import type { Node } from "web-tree-sitter";
import type { NamedCode } from "../../facts.ts";
import { type Call, callOf, type Grammar } from "./calls.ts";
import { codeOf } from "./known-routers.ts";
import type { Added } from "./routers.ts";
import type { Texts } from "./texts.ts";

const VERB = /^(?:get|post|put|delete|patch|head|options|trace)(?:_service)?$/;
const method = (name: string): string => name.replace("_service", "").toUpperCase();

/** axum: the routes of `route("/x", get(list).post(create).layer(from_fn(track)))`; undefined for another call. */
export function axumRoutes({ args }: Call, texts: Texts, grammar: Grammar): Added[] | undefined {
  const [first, second] = args;
  const path = first && texts.one(first.node);
  if (path === undefined || !second) return undefined;
  const found: Added[] = [];
  // A layer runs before what is added earlier.
  let before: NamedCode[] = [];
  for (let at: Node | undefined = second.node; at;) {
    const call: Call | undefined = callOf(at, grammar);
    if (!call) break;
    const add = (verb: string, handler: Node | undefined): void => {
      if (handler) found.push({ method: verb, path, call: second.node.parent ?? second.node, before, handler: codeOf(handler, grammar) });
    };
    if (/^(?:route_)?layer$/.test(call.name)) before = [...call.args.map(({ node }) => codeOf(node, grammar)), ...before];
    else if (/^on(?:_service)?$/.test(call.name)) for (const verb of call.args[0]?.node.text.match(/[A-Z]{3,}/g) ?? []) add(verb, call.args[1]?.node);
    else if (VERB.test(call.name)) add(method(call.name), call.args[0]?.node);
    else if (call.name === "any") add("ANY", call.args[0]?.node);
    at = call.receiver && callOf(call.receiver, grammar) ? call.receiver : undefined;
  }
  return found;
}

/** actix: the route of `route("/x", web::get().to(list))`, or without a path on a resource; undefined for another call. */
export function actixRoute({ args, node }: Call, texts: Texts, grammar: Grammar): Added | undefined {
  const last = args.at(-1);
  const to = last && callOf(last.node, grammar);
  const handler = to?.name === "to" ? to.args[0]?.node : undefined;
  const path = args.length > 1 ? texts.one(args[0]!.node) : "";
  if (!handler || path === undefined) return undefined;
  let verb = "ANY";
  for (let at = to!.receiver && callOf(to!.receiver, grammar); at; at = at.receiver && callOf(at.receiver, grammar)) if (VERB.test(at.name)) verb = method(at.name);
  return { method: verb, path, call: node, before: [], handler: codeOf(handler, grammar) };
}
