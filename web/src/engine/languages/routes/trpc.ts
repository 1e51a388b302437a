import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode, RouterFact } from "../../facts.ts";
import { functionAround } from "./around.ts";
import { callOf, entriesOf, givenTo, type Grammar } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { Imports } from "./imports.ts";
import { codeOf } from "./named-code.ts";

const IMPORTS = /@trpc\/server(?<=["']@trpc\/server)|Procedure\b(?<=[a-z]Procedure)|\bcreateTRPCRouter\b|\/trpc["'](?<=["'][^"'\n]*\/trpc["'])/;
/** `t.router({…})`, `createTRPCRouter({…})`, `t.mergeRouters(a, b)` */
const ROUTER = /router$/i;
const MERGE = /^mergeRouters$/;
/** What stands for a router of another place: its name, or a call that gives it, `lazy(() => import("./admin"))`. */
const PART = /^(?:identifier|member_expression|shorthand_property_identifier|call_expression)$/;
/** Routers in routers in routers, and names for names. */
const MAX_DEPTH = 10;
/** More names than these lead to no router that a person wrote. */
const MAX_WAYS = 20;

/** What has a name of its own, or is what a function gives or a file exports: a router, an object of procedures, or one procedure. */
interface Router {
  name: string;
  line: number;
  /** It is one procedure, which has a name only where it is taken in. */
  isAlone?: true;
  /** What it has, and what it takes in under a name or, merged or spread, under none. */
  procedures: { kind: string; path: readonly string[]; handler: Node; chain: Node; before: NamedCode[] }[];
  parts: { path: readonly string[]; node: Node }[];
}

/** The names that lead to a router, those of the application's own first; with the router at the beginning where another file may take it in. */
interface Way {
  path: readonly string[];
  from?: RouterFact;
}

/** tRPC: `list: procedure.input(…).query(f)` in routers, by the names that lead there, and the routers of other files that these take in. */
export function procedures({ root, source, grammar }: Code): Found {
  if (!IMPORTS.test(source)) return { routes: [], mounts: [] };
  const routers = new Reader(root, source, grammar).all();
  const named = new Set(routers.map(({ name }) => name));
  const takenIn = new Map<string, { by: Router; path: readonly string[] }[]>();
  for (const by of routers) for (const { path, node } of by.parts) takenIn.set(nameOf(node, grammar), [...takenIn.get(nameOf(node, grammar)) ?? [], { by, path }].slice(0, MAX_WAYS));
  const known = new Map<Router, readonly Way[]>();
  const ways = (router: Router, depth = 0): readonly Way[] => {
    let all = known.get(router);
    if (all || depth > MAX_DEPTH) return all ?? [];
    known.set(router, []); // one that takes itself in does not lead to itself
    all = (takenIn.get(router.name) ?? []).flatMap(({ by, path }) => ways(by, depth + 1).map((way) => ({ ...way, path: [...way.path, ...path] }))).slice(0, MAX_WAYS);
    if (all.length === 0) all = [wayTo(router)];
    known.set(router, all);
    return all;
  };
  const routes = routers.flatMap((router) => ways(router).flatMap(({ path, from }) => router.procedures.map((one): Declared => ({
    name: `${one.kind} ${from ? "…." : ""}${[...path, ...one.path].join(".")}`, node: one.handler, route: { before: one.before, handler: codeOf(one.handler, grammar), ...(from ? { router: from } : {}) },
  }))));
  const imports = new Imports(root);
  const mounts = routers.flatMap((router) => router.parts.filter(({ node }) => !named.has(nameOf(node, grammar))).flatMap(({ path, node }) => ways(router).map((way): MountFact => ({
    prefix: `${way.from ? "…." : ""}${[...way.path, ...path].join(".")}`, ...imports.target(codeOf(node, grammar)), overrides: true, ...(way.from ? { into: way.from } : {}),
  }))));
  return { routes, mounts };
}

/** The way to what nothing in the file takes in. What the application's own router has stands under no further name; a procedure goes by its variable's until another file gives it one. */
function wayTo({ name, line, isAlone }: Router): Way {
  if (isAlone) return { path: [name], from: { names: [name], line, own: `.${name}` } };
  return /^app/i.test(name) ? { path: [] } : { path: [], from: { names: name === "" ? [] : [name], line } };
}

/** What a part of a router goes by in its file: a name, or the function that is called. */
function nameOf(node: Node, grammar: Grammar): string {
  const call = callOf(node, grammar);
  return call ? call.callee : node.text;
}

/** Reads the routers of a file. */
class Reader {
  /** What variables of the file are given, by their names. */
  private readonly variables = new Map<string, Node>();
  private readonly declarators: readonly Node[];

  constructor(private readonly root: Node, private readonly source: string, private readonly grammar: Grammar) {
    this.declarators = root.descendantsOfType("variable_declarator");
    for (const one of this.declarators) {
      const [name, value] = [one.childForFieldName("name")?.text, one.childForFieldName("value")];
      if (name !== undefined && value && !this.variables.has(name)) this.variables.set(name, value);
    }
  }

  all(): Router[] {
    const declared = this.declarators.flatMap((one) => this.declared(one) ?? []);
    // `return router({…})`, `() => router({…})`, `export default router({…})`
    const given = this.root.descendantsOfType(["return_statement", "arrow_function", "export_statement"]).flatMap((node) => {
      const value = node.type === "return_statement" ? node.namedChildren[0] : node.childForFieldName(node.type === "arrow_function" ? "body" : "value");
      if (!value || !callOf(value, this.grammar)) return [];
      const around = node.type === "arrow_function" ? node : functionAround(node);
      const router: Router = { name: (around && (around.childForFieldName("name")?.text ?? givenTo(around, this.source))) ?? "", line: value.startPosition.row + 1, procedures: [], parts: [] };
      return this.add(router, value, []) ? [router] : [];
    });
    return [...declared, ...given];
  }

  /** The router that a variable is given, an object of procedures, or a procedure. */
  private declared(declarator: Node): Router | undefined {
    const [name, value] = [declarator.childForFieldName("name"), declarator.childForFieldName("value")];
    if (name?.type !== "identifier" || !value) return undefined;
    const router: Router = { name: name.text, line: name.startPosition.row + 1, procedures: [], parts: [] };
    if (this.add(router, value, [])) return router;
    const object = unwrapped(value);
    if (object.type === "object") this.addEntries(router, object, []);
    else if (this.addProcedure(router, value, [])) router.isAlone = true;
    return router.procedures.length > 0 && router.procedures.every((one) => this.isProcedure(one.chain)) ? router : undefined;
  }

  /** Whether an expression is a router; adds what it has. */
  private add(router: Router, value: Node, path: readonly string[]): boolean {
    const call = callOf(value, this.grammar);
    if (call && MERGE.test(call.name)) {
      for (const { node } of call.args) if (!this.add(router, node, path)) router.parts.push({ path, node });
      return true;
    }
    const object = call?.args[0] && unwrapped(call.args[0].node);
    if (!call || !ROUTER.test(call.name) || object?.type !== "object") return false;
    this.addEntries(router, object, path);
    return true;
  }

  /** What a router's object has: procedures, routers, and objects of such. */
  private addEntries(router: Router, object: Node, path: readonly string[]): void {
    for (const { name, node } of entriesOf(object)) {
      const spread = node.type === "spread_element" ? node.namedChildren[0] : undefined;
      if (spread?.type === "identifier") router.parts.push({ path, node: spread });
      if (node.type === "spread_element") continue;
      const inner = [...path, name];
      if (this.add(router, node, inner)) continue;
      if (node.type === "object") this.addEntries(router, node, inner);
      else if (!this.addProcedure(router, node, inner) && PART.test(node.type)) router.parts.push({ path: inner, node });
    }
  }

  /** Whether an expression is a procedure; adds it. */
  private addProcedure(router: Router, node: Node, path: readonly string[]): boolean {
    const procedure = callOf(node, this.grammar);
    const handler = procedure?.args[0]?.node;
    if (!procedure?.receiver || !handler || !/^(?:query|mutation|subscription)$/.test(procedure.name)) return false;
    router.procedures.push({ kind: procedure.name.toUpperCase(), path, handler, chain: procedure.receiver, before: this.usedBefore(procedure.receiver) });
    return true;
  }

  /** Whether a chain of calls begins with a procedure, by its name. */
  private isProcedure(chain: Node, depth = 0): boolean {
    let root = chain;
    for (let call = callOf(root, this.grammar); call?.receiver; call = callOf(root, this.grammar)) root = call.receiver;
    if (/procedure$/i.test(root.text)) return true;
    const declared = root.type === "identifier" && depth < MAX_DEPTH ? this.variables.get(root.text) : undefined;
    return declared !== undefined && this.isProcedure(declared, depth + 1);
  }

  /** What a chain of calls runs first, `procedure.use(isAuthed)`, also where a variable of the file holds its beginning. */
  private usedBefore(chain: Node, depth = 0): NamedCode[] {
    const call = callOf(chain, this.grammar);
    if (call) return [...(call.receiver ? this.usedBefore(call.receiver, depth) : []), ...(call.name === "use" ? call.args.map(({ node }) => codeOf(node, this.grammar)) : [])];
    if (chain.type !== "identifier" || depth > MAX_DEPTH) return [];
    const declared = this.variables.get(chain.text);
    // What another file makes of it is said by its name.
    if (!declared && !/^(?:t|(?:public|base)?[pP]rocedure)$/.test(chain.text)) return [codeOf(chain, this.grammar)];
    return declared ? this.usedBefore(declared, depth + 1) : [];
  }
}

/** An expression without what says its type. */
function unwrapped(node: Node): Node {
  return /^(?:as|satisfies)_expression$/.test(node.type) && node.namedChildren[0] ? unwrapped(node.namedChildren[0]) : node;
}
