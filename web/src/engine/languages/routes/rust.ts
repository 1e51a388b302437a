import type { Node, Tree } from "web-tree-sitter";
import type { MountFact, NamedCode } from "../../facts.ts";
import { functionAround } from "./around.ts";
import { type Call, callOf, type Grammar } from "./calls.ts";
import { codeOf } from "./named-code.ts";
import { joined } from "./prefixes.ts";
import type { Added } from "./routers.ts";
import type { Texts } from "./texts.ts";

const VERB = /^(?:get|post|put|delete|patch|head|options|trace)(?:_service)?$/;
const method = (name: string): string => name.replace("_service", "").toUpperCase();

/** axum: the routes of `route("/x", get(list).post(create).layer(from_fn(track)))`, also where a function or a variable of the file has the methods, and a fallback; undefined for another call. */
export function axumRoutes({ node, name, args }: Call, texts: Texts, grammar: Grammar): Added[] | undefined {
  const [first, second] = name === "fallback" ? [undefined, args[0]] : args;
  const path = name === "fallback" ? "*" : first && texts.one(first.node);
  if (path === undefined || !second) return undefined;
  const whole = (): Added => ({ method: "ANY", path, call: second.node.parent ?? second.node, before: [], handler: codeOf(second.node, grammar) });
  if (name !== "route") return [whole()];
  const found = methodsOf(second.node, path, grammar);
  if (found.length > 0) return found;
  const made = callOf(second.node, grammar);
  const value = made && !made.receiver ? functionNamed(node.tree.rootNode, made.name)?.childForFieldName("body")?.namedChildren.at(-1) : valueOf(second.node);
  const inner = value ? methodsOf(value, path, grammar) : [];
  return inner.length > 0 ? inner : [whole()];
}

function functionNamed(root: Node, name: string): Node | undefined {
  return root.descendantsOfType("function_item").find((one) => one.childForFieldName("name")?.text === name);
}

/** By tree and function: the variables, by their names. */
const VARIABLES = new WeakMap<Tree, Map<number, ReadonlyMap<string, readonly Node[]>>>();

/** The value of a variable of the same function. */
export function valueOf({ type, text, startIndex, parent }: Node): Node | undefined {
  let around = parent;
  while (around && around.type !== "function_item") around = around.parent;
  const declared = type !== "identifier" || !around ? [] : variablesOf(around).get(text) ?? [];
  return declared.findLast((one) => one.startIndex < startIndex)?.childForFieldName("value") ?? undefined;
}

function variablesOf(around: Node): ReadonlyMap<string, readonly Node[]> {
  const byFunction = VARIABLES.get(around.tree) ?? new Map<number, ReadonlyMap<string, readonly Node[]>>();
  VARIABLES.set(around.tree, byFunction);
  const known = byFunction.get(around.id);
  if (known) return known;
  const variables = new Map<string, Node[]>();
  for (const one of around.descendantsOfType("let_declaration")) {
    const name = one.childForFieldName("pattern")?.text ?? "";
    const same = variables.get(name);
    if (same) same.push(one);
    else variables.set(name, [one]);
  }
  byFunction.set(around.id, variables);
  return variables;
}

/** The routes of `get(list).post(create).layer(from_fn(track))`. */
function methodsOf(methods: Node, path: string, grammar: Grammar): Added[] {
  const found: Added[] = [];
  // A layer runs before what is added earlier, and before the layers that are.
  let before: NamedCode[] = [];
  for (let at: Node | undefined = methods; at;) {
    const call: Call | undefined = callOf(at, grammar);
    if (!call) break;
    const add = (verb: string, handler: Node | undefined): void => {
      if (handler) found.push({ method: verb, path, call: methods.parent ?? methods, before, handler: codeOf(handler, grammar) });
    };
    if (/^(?:route_)?layer$/.test(call.name)) before = [...before, ...call.args.map(({ node }) => codeOf(node, grammar))];
    else if (/^on(?:_service)?$/.test(call.name)) for (const verb of call.args[0]?.node.text.match(/[A-Z]{3,}/g) ?? []) add(verb, call.args[1]?.node);
    else if (VERB.test(call.name)) add(method(call.name), call.args[0]?.node);
    else if (call.name === "merge" && call.args[0]) found.push(...methodsOf(call.args[0].node, path, grammar));
    else if (call.name === "any") add("ANY", call.args[0]?.node);
    at = call.receiver && callOf(call.receiver, grammar) ? call.receiver : undefined;
  }
  return found;
}

/** actix: the route of `route("/x", web::get().to(list))`, without a path on a resource, or for all that no other answers; undefined for another call. */
export function actixRoute({ name, args, node }: Call, texts: Texts, grammar: Grammar): Added | undefined {
  const last = args.at(-1);
  const to = last && callOf(last.node, grammar);
  const handler = to?.name === "to" ? to.args[0]?.node : undefined;
  const path = args.length > 1 ? texts.one(args[0]!.node) : name === "default_service" ? "*" : "";
  if (!handler || path === undefined) return undefined;
  let verb = "ANY";
  for (let at = to!.receiver && callOf(to!.receiver, grammar); at; at = at.receiver && callOf(at.receiver, grammar)) {
    if (VERB.test(at.name)) verb = method(at.name);
    else if (at.name === "method") verb = /[A-Z]{3,}/.exec(at.args[0]?.node.text ?? "")?.[0] ?? "…";
  }
  return { method: verb, path, call: node, before: [], handler: codeOf(handler, grammar) };
}

/** Rocket: functions under a path, `mount("/api", routes![users::list])`, in a function that gives them, and what such functions give, `mount("/admin", admin::routes())`. */
export function rocketMounts(root: Node, texts: Texts, grammar: Grammar): MountFact[] {
  const mounts: MountFact[] = [];
  for (const call of root.descendantsOfType([...grammar.calls]).flatMap((node) => callOf(node, grammar) ?? [])) {
    const [path, target] = call.name === "mount" ? call.args : [];
    if (!path || !target || target.node.type === "macro_invocation") continue;
    mounts.push({ prefix: joined("", texts.one(path.node) ?? "…"), target: codeOf(target.node, grammar) });
  }
  for (const macro of root.descendantsOfType("macro_invocation")) {
    if (!/(?:^|::)routes$/.test(macro.childForFieldName("macro")?.text ?? "")) continue;
    const list = macro.parent;
    const call = list?.parent && callOf(list.parent, grammar);
    const made = functionAround(macro)?.childForFieldName("name");
    const put = call?.name === "mount" ? { prefix: joined("", (call.args[0] && texts.one(call.args[0].node)) ?? "…") } : made ? { prefix: "", into: { names: [made.text], line: made.startPosition.row + 1 } } : undefined;
    const names = (macro.namedChildren.find(({ type }) => type === "token_tree")?.namedChildren ?? []).filter(({ type, nextSibling }) => type === "identifier" && nextSibling?.text !== "::");
    for (const { text, startPosition: { row } } of put ? names : []) mounts.push({ ...put!, target: { text, names: [text], line: row + 1, endLine: row + 1 } });
  }
  return mounts;
}
