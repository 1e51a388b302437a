import type { Node } from "web-tree-sitter";
import type { MountFact, RouterFact } from "../../facts.ts";
import { type Annotated, type Call, callOf, entriesOf, type Grammar } from "./calls.ts";
import type { Code } from "./code.ts";
import { NEST } from "./frameworks.ts";
import { codeOf } from "./known-routers.ts";
import type { Texts } from "./texts.ts";

/** What a file says that makes an application, or has a module of controllers. */
const MARKS = /\bNestFactory\.create\b|\.setGlobalPrefix\(|\.enableVersioning\(|@Module\(|\.forRoutes\(/;
/** Where the options of versions say that paths tell them. */
const IN_PATHS = /^(?:0|(?:\w+\.)?URI)$/;
/** What modules provide that runs before all routes. */
const PROVIDED = /^APP_(?:GUARD|INTERCEPTOR|PIPE)$/;
const GLOBALS = /^useGlobal(?:Guards|Interceptors|Pipes|Filters)$/;
/** Modules in modules in modules … */
const MAX_DEPTH = 10;

const ALL: RouterFact = { names: [NEST], line: 0 };

/** The router of a controller's routes: its module may be under a path, all of the application's are. `method`: one of its methods. */
export function controllerRouter(method: Annotated, texts: Texts): RouterFact {
  const { outer } = method;
  const [first] = outer?.annotations.find(({ name }) => name === "Controller")?.args ?? [];
  const said = method.annotations.find(({ name }) => name === "Version")?.args[0]?.node ?? (first?.node.type === "object" ? valueOf(first.node, "version") : undefined);
  return { names: [...(outer ? [outer.name.text] : []), NEST], line: 0, ...(said ? { versions: versionsIn(said, texts) } : {}) };
}

/** NestJS: the path of all routes of an application, and where modules put their controllers, `RouterModule.register([{ path: "admin", module: AdminModule }])`. */
export function nestMounts(code: Code): MountFact[] {
  const { root, source, texts, grammar } = code;
  if (!source.includes("@nestjs/") || !MARKS.test(source)) return [];
  const calls = root.descendantsOfType([...grammar.calls]).flatMap((node) => callOf(node, grammar) ?? []);
  const named = (name: string): Node | undefined => calls.find((call) => call.name === name)?.args[0]?.node;
  const mounts: MountFact[] = [];
  if (calls.some(({ callee, name }) => /^NestFactory\.create$/.test(callee) || /^(?:setGlobalPrefix|enableVersioning)$/.test(name))) {
    const prefix = named("setGlobalPrefix");
    const options = calls.find(({ name }) => name === "setGlobalPrefix")?.args[1]?.node;
    const excluded = options ? valueOf(options, "exclude")?.namedChildren : undefined;
    const except = excluded && pathsIn(excluded, texts);
    const version = calls.some(({ name }) => name === "enableVersioning") ? versionOf(named("enableVersioning"), texts) : undefined;
    const before = calls.filter(({ name }) => GLOBALS.test(name)).flatMap(({ args }) => args.map(({ node }) => codeOf(node, grammar)));
    mounts.push({
      prefix: prefix ? texts.one(prefix) ?? texts.hole(prefix) : "", target: { text: NEST, names: [NEST], line: 0, endLine: 0 },
      ...(except && except.length > 0 ? { except } : {}), ...(version ? { version } : {}), ...(before.length > 0 ? { before } : {}),
    });
  }
  // `{ provide: APP_GUARD, useClass: AuthGuard }`
  for (const object of source.includes("APP_") ? root.descendantsOfType("object") : []) {
    const run = PROVIDED.test(valueOf(object, "provide")?.text ?? "") ? valueOf(object, "useClass") : undefined;
    if (run) mounts.push({ prefix: "", target: { text: NEST, names: [NEST], line: 0, endLine: 0 }, before: [codeOf(run, grammar)], runs: {} });
  }
  for (const call of calls) mounts.push(...middlewares(call, texts, grammar));
  const put = (prefix: string, node: Node, into: RouterFact): void => {
    mounts.push({ prefix, target: codeOf(node, grammar), into });
  };
  for (const { name, annotations } of code.annotated) {
    const [first] = annotations.find((one) => one.name === "Module")?.args ?? [];
    const controllers = first?.node.type === "object" ? valueOf(first.node, "controllers") : undefined;
    for (const node of controllers?.namedChildren ?? []) if (node.type === "identifier") put("", node, { names: [name.text, NEST], line: name.startPosition.row + 1 });
  }
  const register = (list: Node | undefined, outer: string, depth: number): void => {
    for (const one of depth > MAX_DEPTH ? [] : list?.namedChildren ?? []) {
      if (one.type === "identifier") put(outer, one, ALL);
      if (one.type !== "object") continue;
      const [said, module] = [valueOf(one, "path"), valueOf(one, "module")];
      const path = `${outer}/${(said && texts.one(said)) ?? "…"}`.replace(/\/{2,}/g, "/");
      if (module) put(path, module, ALL);
      register(valueOf(one, "children"), path, depth + 1);
    }
  };
  for (const { callee, args } of calls) {
    const [given] = args;
    if (callee === "RouterModule.register" && given) register(given.node.type === "identifier" ? texts.constant(given.node.text) : given.node, "", 0);
  }
  return mounts;
}

/** `consumer.apply(Logger).exclude("health").forRoutes(CatsController, "dogs")` */
function middlewares({ name, receiver, args }: Call, texts: Texts, grammar: Grammar): MountFact[] {
  if (name !== "forRoutes") return [];
  const chain: Call[] = [];
  for (let at = receiver && callOf(receiver, grammar); at; at = at.receiver && callOf(at.receiver, grammar)) chain.push(at);
  const before = chain.find((call) => call.name === "apply")?.args.map(({ node }) => codeOf(node, grammar)) ?? [];
  const except = chain.filter((call) => call.name === "exclude").flatMap((call) => pathsIn(call.args.map(({ node }) => node), texts));
  const all = args.flatMap(({ node }) => (node.type === "array" ? node.namedChildren : [node]));
  const paths = pathsIn(all, texts);
  const classes = all.filter(({ type }) => type === "identifier").map(({ text }) => text);
  const runs = (names: string[], under?: string[]): MountFact => (
    { prefix: "", target: { text: names.join(", "), names, line: 0, endLine: 0 }, before, runs: under ? { under } : {}, ...(except.length > 0 ? { except } : {}) }
  );
  if (before.length === 0) return [];
  if (paths.some((path) => /^\/?(?:\(\.\*\)|\{?\*\w*\}?)$/.test(path))) return [runs([NEST])];
  return [...(paths.length > 0 ? [runs([NEST], paths)] : []), ...(classes.length > 0 ? [runs(classes)] : [])];
}

/** The paths that texts, and objects with a path, say. */
function pathsIn(nodes: readonly Node[], texts: Texts): string[] {
  return nodes.flatMap((one) => texts.one(one.type === "object" ? valueOf(one, "path") : one) ?? []);
}

/** `{ type: VersioningType.URI, defaultVersion: "1" }` */
function versionOf(options: Node | undefined, texts: Texts): MountFact["version"] {
  const [type, prefix, usual] = ["type", "prefix", "defaultVersion"].map((name) => (options?.type === "object" ? valueOf(options, name) : undefined));
  if (type && !IN_PATHS.test(type.text)) return undefined;
  return { prefix: prefix?.text === "false" ? "" : texts.one(prefix) ?? "v", usual: usual ? versionsIn(usual, texts) : [""] };
}

/** The versions that an expression says; "" for `VERSION_NEUTRAL`, which no path tells. */
function versionsIn(node: Node, texts: Texts): string[] {
  const all = node.type === "array" ? node.namedChildren : [node];
  return all.map((one) => (one.text === "VERSION_NEUTRAL" ? "" : texts.one(one) ?? "…"));
}

function valueOf(object: Node, name: string): Node | undefined {
  return entriesOf(object).find((one) => one.name === name)?.node;
}
