import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode, RouterFact } from "../../facts.ts";
import { callOf, entriesOf, type Grammar } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { Imports } from "./imports.ts";
import { codeOf } from "./known-routers.ts";

const IMPORTS = /@trpc\/server(?<=["']@trpc\/server)|Procedure\b(?<=\b(?:public|protected)Procedure)|\bcreateTRPCRouter\b|\/trpc["'](?<=["'][^"'\n]*\/trpc["'])/;
/** `t.router({…})`, `createTRPCRouter({…})`, `t.mergeRouters(a, b)` */
const ROUTER = /router$/i;
const MERGE = /^mergeRouters$/;
/** Routers in routers in routers … */
const MAX_DEPTH = 10;

/** A router with a name of its own: its procedures, and what it takes in under a name or, merged, under none. */
interface Router {
  name: string;
  line: number;
  procedures: { kind: string; path: readonly string[]; handler: Node; before: NamedCode[] }[];
  parts: { path: readonly string[]; node: Node }[];
}

/** tRPC: `list: procedure.input(…).query(f)` in routers, by the names that lead there, and the routers of other files that these take in. */
export function procedures({ root, source, grammar }: Code): Found {
  if (!IMPORTS.test(source)) return { routes: [], mounts: [] };
  const routers = root.descendantsOfType("variable_declarator").flatMap((declarator) => read(declarator, grammar) ?? []);
  const named = new Map(routers.map((router) => [router.name, router]));
  /** The names that lead to a router, those of the application's own first; with the router at the beginning where another file may take it in. */
  const ways = (router: Router, depth: number): { path: readonly string[]; from?: RouterFact }[] => {
    const outer = depth > MAX_DEPTH ? [] : routers.flatMap((other) => other.parts.filter(({ node }) => node.text === router.name).flatMap(({ path }) => (
      ways(other, depth + 1).map((way) => ({ ...way, path: [...way.path, ...path] }))
    )));
    // What the application's own router has stands under no further name.
    return outer.length > 0 ? outer : [/^app/i.test(router.name) ? { path: [] } : { path: [], from: { names: [router.name], line: router.line } }];
  };
  const routes = routers.flatMap((router) => ways(router, 0).flatMap(({ path, from }) => router.procedures.map((one): Declared => ({
    name: `${one.kind} ${from ? "…." : ""}${[...path, ...one.path].join(".")}`, node: one.handler, route: { before: one.before, handler: codeOf(one.handler, grammar), ...(from ? { router: from } : {}) },
  }))));
  const imports = new Imports(root);
  const mounts = routers.flatMap((router) => router.parts.filter(({ node }) => !named.has(node.text)).flatMap(({ path, node }) => ways(router, 0).map((way): MountFact => ({
    prefix: `${way.from ? "…." : ""}${[...way.path, ...path].join(".")}`, ...imports.target(codeOf(node, grammar)), ...(way.from ? { into: way.from } : {}),
  }))));
  return { routes, mounts };
}

/** The router that a variable is given. */
function read(declarator: Node, grammar: Grammar): Router | undefined {
  const [name, value] = [declarator.childForFieldName("name"), declarator.childForFieldName("value")];
  if (!name || !value) return undefined;
  const router: Router = { name: name.text, line: name.startPosition.row + 1, procedures: [], parts: [] };
  return add(router, value, [], grammar) ? router : undefined;
}

/** Whether an expression is a router; adds what it has. */
function add(router: Router, value: Node, path: readonly string[], grammar: Grammar): boolean {
  const call = callOf(value, grammar);
  if (call && MERGE.test(call.name)) {
    for (const { node } of call.args) if (!add(router, node, path, grammar)) router.parts.push({ path, node });
    return true;
  }
  const object = call?.args[0]?.node;
  if (!call || !ROUTER.test(call.name) || object?.type !== "object") return false;
  addEntries(router, object, path, grammar);
  return true;
}

/** What a router's object has: procedures, routers, and objects of such. */
function addEntries(router: Router, object: Node, path: readonly string[], grammar: Grammar): void {
  for (const { name, node } of entriesOf(object)) {
    const inner = [...path, name];
    const procedure = callOf(node, grammar);
    const handler = procedure?.args[0]?.node;
    if (add(router, node, inner, grammar)) continue;
    if (node.type === "object") addEntries(router, node, inner, grammar);
    else if (procedure?.receiver && handler && /^(?:query|mutation|subscription)$/.test(procedure.name)) {
      router.procedures.push({ kind: procedure.name.toUpperCase(), path: inner, handler, before: usedBefore(procedure.receiver, grammar) });
    } else if (/^(?:identifier|member_expression|shorthand_property_identifier)$/.test(node.type)) {
      router.parts.push({ path: inner, node });
    }
  }
}

/** What a chain of calls runs first, `procedure.use(isAuthed)`, also where a variable of the file holds its beginning. */
function usedBefore(chain: Node, grammar: Grammar, depth = 0): NamedCode[] {
  const call = callOf(chain, grammar);
  if (call) return [...(call.receiver ? usedBefore(call.receiver, grammar, depth) : []), ...(call.name === "use" ? call.args.map(({ node }) => codeOf(node, grammar)) : [])];
  if (chain.type !== "identifier" || depth > MAX_DEPTH) return [];
  const declared = chain.tree.rootNode.descendantsOfType("variable_declarator").find((one) => one.childForFieldName("name")?.text === chain.text)?.childForFieldName("value");
  // What another file makes of it is said by its name.
  if (!declared && !/^(?:t|(?:public|base)?[pP]rocedure)$/.test(chain.text)) return [codeOf(chain, grammar)];
  return declared ? usedBefore(declared, grammar, depth + 1) : [];
}
