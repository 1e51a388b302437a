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
/** Routers in routers in routers, and names for names. */
const MAX_DEPTH = 10;
/** More names than these lead to no router that a person wrote. */
const MAX_WAYS = 20;

/** A router with a name of its own: its procedures, and what it takes in under a name or, merged, under none. */
interface Router {
  name: string;
  line: number;
  procedures: { kind: string; path: readonly string[]; handler: Node; before: NamedCode[] }[];
  parts: { path: readonly string[]; node: Node }[];
}

/** The names that lead to a router, those of the application's own first; with the router at the beginning where another file may take it in. */
interface Way {
  path: readonly string[];
  from?: RouterFact;
}

/** What variables of the file are given, by their names. */
type Variables = ReadonlyMap<string, Node>;

/** tRPC: `list: procedure.input(…).query(f)` in routers, by the names that lead there, and the routers of other files that these take in. */
export function procedures({ root, source, grammar }: Code): Found {
  if (!IMPORTS.test(source)) return { routes: [], mounts: [] };
  const declarators = root.descendantsOfType("variable_declarator");
  const variables = new Map<string, Node>();
  for (const one of declarators) {
    const [name, value] = [one.childForFieldName("name")?.text, one.childForFieldName("value")];
    if (name !== undefined && value && !variables.has(name)) variables.set(name, value);
  }
  const routers = declarators.flatMap((declarator) => read(declarator, grammar, variables) ?? []);
  const named = new Map(routers.map((router) => [router.name, router]));
  const takenIn = new Map<string, { by: Router; path: readonly string[] }[]>();
  for (const by of routers) for (const { path, node: { text } } of by.parts) takenIn.set(text, [...takenIn.get(text) ?? [], { by, path }].slice(0, MAX_WAYS));
  const known = new Map<Router, readonly Way[]>();
  const ways = (router: Router, depth = 0): readonly Way[] => {
    let all = known.get(router);
    if (all || depth > MAX_DEPTH) return all ?? [];
    known.set(router, []); // one that takes itself in does not lead to itself
    all = (takenIn.get(router.name) ?? []).flatMap(({ by, path }) => ways(by, depth + 1).map((way) => ({ ...way, path: [...way.path, ...path] }))).slice(0, MAX_WAYS);
    // What the application's own router has stands under no further name.
    if (all.length === 0) all = [/^app/i.test(router.name) ? { path: [] } : { path: [], from: { names: [router.name], line: router.line } }];
    known.set(router, all);
    return all;
  };
  const routes = routers.flatMap((router) => ways(router).flatMap(({ path, from }) => router.procedures.map((one): Declared => ({
    name: `${one.kind} ${from ? "…." : ""}${[...path, ...one.path].join(".")}`, node: one.handler, route: { before: one.before, handler: codeOf(one.handler, grammar), ...(from ? { router: from } : {}) },
  }))));
  const imports = new Imports(root);
  const mounts = routers.flatMap((router) => router.parts.filter(({ node }) => !named.has(node.text)).flatMap(({ path, node }) => ways(router).map((way): MountFact => ({
    prefix: `${way.from ? "…." : ""}${[...way.path, ...path].join(".")}`, ...imports.target(codeOf(node, grammar)), ...(way.from ? { into: way.from } : {}),
  }))));
  return { routes, mounts };
}

/** The router that a variable is given. */
function read(declarator: Node, grammar: Grammar, variables: Variables): Router | undefined {
  const [name, value] = [declarator.childForFieldName("name"), declarator.childForFieldName("value")];
  if (!name || !value) return undefined;
  const router: Router = { name: name.text, line: name.startPosition.row + 1, procedures: [], parts: [] };
  return add(router, value, [], grammar, variables) ? router : undefined;
}

/** Whether an expression is a router; adds what it has. */
function add(router: Router, value: Node, path: readonly string[], grammar: Grammar, variables: Variables): boolean {
  const call = callOf(value, grammar);
  if (call && MERGE.test(call.name)) {
    for (const { node } of call.args) if (!add(router, node, path, grammar, variables)) router.parts.push({ path, node });
    return true;
  }
  const object = call?.args[0]?.node;
  if (!call || !ROUTER.test(call.name) || object?.type !== "object") return false;
  addEntries(router, object, path, grammar, variables);
  return true;
}

/** What a router's object has: procedures, routers, and objects of such. */
function addEntries(router: Router, object: Node, path: readonly string[], grammar: Grammar, variables: Variables): void {
  for (const { name, node } of entriesOf(object)) {
    const inner = [...path, name];
    const procedure = callOf(node, grammar);
    const handler = procedure?.args[0]?.node;
    if (add(router, node, inner, grammar, variables)) continue;
    if (node.type === "object") addEntries(router, node, inner, grammar, variables);
    else if (procedure?.receiver && handler && /^(?:query|mutation|subscription)$/.test(procedure.name)) {
      router.procedures.push({ kind: procedure.name.toUpperCase(), path: inner, handler, before: usedBefore(procedure.receiver, grammar, variables) });
    } else if (/^(?:identifier|member_expression|shorthand_property_identifier)$/.test(node.type)) {
      router.parts.push({ path: inner, node });
    }
  }
}

/** What a chain of calls runs first, `procedure.use(isAuthed)`, also where a variable of the file holds its beginning. */
function usedBefore(chain: Node, grammar: Grammar, variables: Variables, depth = 0): NamedCode[] {
  const call = callOf(chain, grammar);
  if (call) return [...(call.receiver ? usedBefore(call.receiver, grammar, variables, depth) : []), ...(call.name === "use" ? call.args.map(({ node }) => codeOf(node, grammar)) : [])];
  if (chain.type !== "identifier" || depth > MAX_DEPTH) return [];
  const declared = variables.get(chain.text);
  // What another file makes of it is said by its name.
  if (!declared && !/^(?:t|(?:public|base)?[pP]rocedure)$/.test(chain.text)) return [codeOf(chain, grammar)];
  return declared ? usedBefore(declared, grammar, variables, depth + 1) : [];
}
