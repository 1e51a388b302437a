import type { Node } from "web-tree-sitter";
import type { AliasFact, MountFact, NamedCode, RouterFact } from "../../facts.ts";
import { functionAround } from "./around.ts";
import { type Annotated, type Call, callOf, entriesOf, givenTo, type Grammar } from "./calls.ts";
import type { Code } from "./code.ts";
import { NEST } from "./frameworks.ts";
import type { Imports } from "./imports.ts";
import { codeOf } from "./named-code.ts";
import type { Texts } from "./texts.ts";

/** What a file says that makes an application, has a module of controllers, or puts modules under paths. */
const MARKS = /\bNestFactory\.create\b|\.setGlobalPrefix\(|\.enableVersioning\(|@Module\(|\.forRoutes\(|\bDynamicModule\b|\bRoutes\b/;
const CLASS = /^(?:abstract_)?class(?:_declaration)?$/;
/** Where the options of versions say that paths tell them. */
const IN_PATHS = /^(?:0|(?:\w+\.)?URI)$/;
/** What modules provide that runs before all routes. */
const PROVIDED = /^APP_(?:GUARD|INTERCEPTOR|PIPE)$/;
const USED = /^Use(?:Guards|Interceptors|Pipes|Filters)$/;
const GLOBALS = /^useGlobal(?:Guards|Interceptors|Pipes|Filters)$/;
/** Modules in modules in modules … */
const MAX_DEPTH = 10;

const ALL: RouterFact = { names: [NEST], line: 0 };

/**
 * The router of a controller's routes: its module may be under a path, all of the application's are. A class that is none has routes for
 * those that inherit from it. `method`: one of its methods. `own`: the path of the controller.
 */
export function controllerRouter(method: Annotated, own: string, texts: Texts): RouterFact {
  const { name, outer, node, annotations } = method;
  let cls: Node | null = node;
  while (cls && !CLASS.test(cls.type)) cls = cls.parent;
  const of = cls?.childForFieldName("name")?.text;
  const isController = outer?.annotations.some((one) => one.name === "Controller") === true;
  const said = annotations.find((one) => one.name === "Version")?.args[0]?.node ?? versionIn(outer);
  return {
    names: [...(of === undefined ? [] : [of]), ...(isController ? [NEST] : [])], line: name.startPosition.row + 1, method: name.text,
    ...(isController ? { own } : {}), ...(said ? { versions: versionsIn(said, texts) } : {}),
  };
}

/** The decorators on a method and its class that the file has from the project, and not from NestJS. */
export function ownDecorators({ outer, annotations }: Annotated, imports: Imports, grammar: Grammar): NamedCode[] {
  return [...(outer?.annotations ?? []), ...annotations].filter(({ name, args }) => !imports.isOf(name, "@nestjs/") && args.every(({ node }) => node.type !== "object")).map(({ name, node }) => ({ ...codeOf(node, grammar), names: [name] }));
}

/** Decorators that functions of a file make of those that say what runs before a route: `return applyDecorators(UseGuards(JwtGuard), Roles("admin"))`. */
export function composedDecorators({ root, source, grammar }: Code): AliasFact[] {
  if (!source.includes("applyDecorators(")) return [];
  const calls = root.descendantsOfType([...grammar.calls]).flatMap((node) => callOf(node, grammar) ?? []).filter(({ name }) => name === "applyDecorators");
  return calls.flatMap(({ node, args }): AliasFact[] => {
    const around = functionAround(node);
    const name = around && (around.childForFieldName("name")?.text ?? givenTo(around, source));
    const used = args.flatMap((one) => callOf(one.node, grammar) ?? []).filter((one) => USED.test(one.name)).flatMap((one) => one.args);
    return name === undefined ? [] : used.map((one) => ({ name, code: codeOf(one.node, grammar), composed: true }));
  });
}

/** The version that a controller says for its routes. */
function versionIn(cls: Annotated | undefined): Node | undefined {
  const [first] = cls?.annotations.find(({ name }) => name === "Controller")?.args ?? [];
  return first?.node.type === "object" ? valueOf(first.node, "version") : undefined;
}

/** The routes that a controller inherits, under its path: those of the methods that it does not have itself. `before`: what it runs before all of them. */
export function inheritedControllers(cls: Annotated, paths: readonly string[], before: NamedCode[], texts: Texts, grammar: Grammar): MountFact[] {
  const heritage = cls.node.namedChildren.find(({ type }) => type === "class_heritage");
  const base = heritage?.namedChildren.find(({ type }) => type === "extends_clause")?.childForFieldName("value");
  if (!base) return [];
  const said = versionIn(cls);
  const own = (cls.node.childForFieldName("body")?.namedChildren ?? []).filter(({ type }) => type === "method_definition").map((one) => one.childForFieldName("name")?.text ?? "");
  const into: RouterFact = { names: [cls.name.text, NEST], line: 0, ...(said ? { versions: versionsIn(said, texts) } : {}) };
  return paths.map((prefix) => ({ prefix, target: codeOf(base, grammar), overrides: true, hidden: own, beside: true, into, ...(before.length > 0 ? { before } : {}) }));
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
    if (run) mounts.push({ prefix: "", target: { text: NEST, names: [NEST], line: 0, endLine: 0 }, before: [codeOf(run, grammar)], runs: { last: true } });
  }
  for (const call of calls) mounts.push(...middlewares(call, texts, grammar));
  const put = (prefix: string, node: Node, into: RouterFact): void => {
    mounts.push({ prefix, target: codeOf(node, grammar), into });
  };
  const has = (module: Node, said: Node | undefined): void => {
    for (const node of elementsOf(said, texts)) if (node.type === "identifier") put("", node, { names: [module.text, NEST], line: module.startPosition.row + 1 });
  };
  for (const { name, annotations } of code.annotated) {
    const [first] = annotations.find((one) => one.name === "Module")?.args ?? [];
    if (first?.node.type === "object") has(name, valueOf(first.node, "controllers"));
  }
  // `static forRoot(): DynamicModule { return { module: AdminModule, controllers: [AdminController] }; }`
  for (const object of source.includes("DynamicModule") ? root.descendantsOfType("object") : []) {
    const module = valueOf(object, "module");
    if (module?.type === "identifier") has(module, valueOf(object, "controllers"));
  }
  const register = (list: Node | undefined, outer: string, depth: number): void => {
    for (const one of depth > MAX_DEPTH ? [] : elementsOf(list, texts)) {
      if (one.type === "identifier") put(outer, one, ALL);
      if (one.type !== "object") continue;
      const [said, module] = [valueOf(one, "path"), valueOf(one, "module")];
      const path = `${outer}/${(said && texts.one(said)) ?? "…"}`.replace(/\/{2,}/g, "/");
      if (module) put(path, module, ALL);
      register(valueOf(one, "children"), path, depth + 1);
    }
  };
  const lists = calls.flatMap(({ callee, args }) => (callee === "RouterModule.register" ? args.slice(0, 1) : [])).map(({ node }) => (node.type === "identifier" ? texts.constant(node.text) : node));
  for (const list of new Map([...lists, ...typedLists(root, source)].map((one) => [one?.id, one])).values()) register(list, "", 0);
  return mounts;
}

/** The lists of modules under paths that the file gives a name, for others to register: `export const routes: Routes = [{ path: "admin", module: AdminModule }]`. */
function typedLists(root: Node, source: string): Node[] {
  if (!/\bRoutes\b/.test(source)) return [];
  return root.descendantsOfType("variable_declarator").flatMap((one) => {
    const value = one.childForFieldName("value");
    return value?.type === "array" && one.childForFieldName("type")?.text.replace(/\s+/g, "") === ":Routes" ? [value] : [];
  });
}

/** What an array has, also one that a name of the file stands for, or that is spread there. */
function elementsOf(list: Node | undefined, texts: Texts, depth = 0): Node[] {
  if (!list || depth > MAX_DEPTH) return [];
  if (list.type !== "array") return /identifier$/.test(list.type) ? elementsOf(texts.constant(list.text), texts, depth + 1) : [];
  return list.namedChildren.flatMap((one) => (one.type === "spread_element" ? elementsOf(one.namedChildren[0], texts, depth + 1) : [one]));
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
