import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode, RouterFact } from "../../facts.ts";
import { replaced, tokensOf, versionsOf } from "./aspnet.ts";
import { type Annotated, annotated, type Annotation, type Argument, argument, entriesOf, type Grammar } from "./calls.ts";
import type { Code, Declared, Found } from "./code.ts";
import { type Annotations, ANNOTATIONS, JAX_RS, NEST, SYMFONY } from "./frameworks.ts";
import { holderOf, inheritedMounts, inheritedRouter, overridable } from "./inherited.ts";
import { codeOf } from "./named-code.ts";
import { methodsIn } from "./methods.ts";
import { controllerRouter, inheritedControllers, ownDecorators } from "./nest.ts";
import { joined } from "./prefixes.ts";
import { languagesOf } from "./symfony.ts";
import { type Texts, withUsualValues } from "./texts.ts";

const TYPE = /class|interface|record|annotation_type/;
/** Imports of annotations that say no path of a class. */
const OF_LIBRARIES = /^import\s+(?:org\.springframework|io\.swagger|lombok|javax?|jakarta)\.[\w.]+;/gm;

/** Routes of annotations, attributes and decorators that name a method and a path: `@GetMapping("/x")`. */
export function annotatedRoutes(code: Code): Found {
  const { language, source } = code;
  const rows = (ANNOTATIONS[language] ?? []).filter(({ imports }) => imports.test(source));
  if (rows.length === 0) return {};
  const each = code.annotated.flatMap((one) => rows.map((row) => ({ one, row })));
  return {
    routes: each.flatMap(({ one, row }) => declared(one, row, code)),
    mounts: each.flatMap(({ one, row }) => (row.inherits ? inheritedPaths(one, row, code) : [])),
  };
}

/** Routes of annotations on methods, with the path of the class before theirs. */
function declared(one: Annotated, row: Annotations, code: Code): Declared[] {
  if (TYPE.test(one.node.type)) {
    const run = invoked(one, row, code.source, code.grammar);
    if (!run) return [];
    one = { ...one, name: run, outer: undefined };
  }
  const found = one.annotations.filter(({ name }) => row.methods[name] !== undefined);
  // ASP.NET: a path alone is for all methods.
  const all = found.length === 0 && row.rooted ? one.annotations.filter(({ name }) => row.paths.test(name)) : found;
  return all.flatMap((each) => routesOf(one, each, row, code));
}

/** Symfony: the name of the method that a route of a class runs, where none of its methods has a route. */
function invoked({ node }: Annotated, { methods, invoked: name }: Annotations, source: string, grammar: Grammar): Node | undefined {
  const body = node.childForFieldName("body");
  if (name === undefined || !body || annotated(body, source, grammar).some(({ annotations }) => annotations.some((one) => methods[one.name] !== undefined))) return undefined;
  return body.namedChildren.map((child) => child.childForFieldName("name")).find((one) => one?.text === name) ?? undefined;
}

/** What a class or an interface with a path puts under it: what it inherits, and what inherits from it. */
function inheritedPaths(one: Annotated, row: Annotations, { texts, grammar, language, source }: Code): MountFact[] {
  const holder = TYPE.test(one.node.type) ? one.annotations.find(({ name }) => row.paths.test(name)) : undefined;
  if (holder && row.router === NEST) return inheritedControllers(one, pathsOf(holder, row, texts), beforeIn(one.annotations, row, grammar), texts, grammar);
  if (holder && one.node.type === "annotation_type_declaration") return pathsOf(holder, row, texts).map((prefix) => ({ prefix, target: { text: one.name.text, names: [`@${one.name.text}`], line: 0, endLine: 0 }, into: { names: [], line: 0 } }));
  const body = holder && language === "java" ? one.node.childForFieldName("body") : undefined;
  // A method that says a route of its own has none of what it takes the place of.
  const anew = body ? annotated(body, source, grammar).filter(({ annotations }) => annotations.some(({ name }) => row.methods[name] !== undefined)).map(overridable) : [];
  // A class has the area of the one above it.
  const { area, ...own } = tokensOf(one, undefined);
  const paths = holder ? pathsOf(holder, row, texts).map((path) => (area === undefined ? path : replaced(path, { area }))) : [];
  return paths.flatMap((path) => inheritedMounts(one, path, replaced(path, own), row.router, anew));
}

/** The paths that an annotation says; "" where it says none. */
function pathsOf(annotation: Annotation | undefined, row: Annotations, texts: Texts): string[] {
  const args = annotation && row.spoken?.test(annotation.name) ? annotation.args.filter(({ name }) => name !== "") : annotation?.args ?? [];
  let node = argument(args, row.path);
  // NestJS: `@Controller({ path: "cats" })`
  if (node?.type === "object") node = argument(entriesOf(node), row.path);
  if (!node || (/array|initializer/.test(node.type) && node.namedChildren.length === 0)) return [""];
  const said = texts.all(node);
  return said.length > 0 ? said.map((text) => withUsualValues(text, "…").replace(/^\/{2,}/, "/")) : args.some(({ name }) => name === "" || row.path.includes(name)) ? [texts.hole(node)] : [""];
}

/** What annotations name that runs before; ASP.NET asks nobody to sign in where one of them says so. */
export function beforeIn(annotations: readonly Annotation[], row: Pick<Annotations, "before">, grammar: Grammar): NamedCode[] {
  const isOpen = annotations.some(({ name }) => name === "AllowAnonymous");
  return annotations.filter(({ name }) => row.before?.test(name) === true && !(isOpen && name === "Authorize")).flatMap(({ name, args, node }) => (
    args.length > 0 && name !== "Authorize" ? args.map((each) => codeOf(each.node, grammar)) : [{ ...codeOf(node, grammar), text: name }]
  ));
}

/** By class, so that the imports are read once for all of its routes. */
const COMPOSED = new WeakMap<Annotated, string[]>();

/** Spring: the annotations of a class that the project may have declared, with a path. */
function composedOf(cls: Annotated, source: string): string[] {
  let found = COMPOSED.get(cls);
  if (!found) {
    const all = cls.annotations.map(({ name }) => name).filter((name) => !/^(?:Rest)?Controller$/.test(name));
    const imports = all.length === 0 ? "" : source.match(OF_LIBRARIES)?.join() ?? "";
    COMPOSED.set(cls, (found = all.filter((name) => !imports.includes(`.${name};`)).map((name) => `@${name}`)));
  }
  return found;
}

function routesOf(one: Annotated, found: Annotation, row: Annotations, { texts, grammar, symbolAt, source, imports, language }: Code): Declared[] {
  const { outer } = one;
  const holders = outer?.annotations.filter(({ name }) => row.paths.test(name)) ?? [];
  const isNest = row.router === NEST;
  const type = !isNest && (row.router === JAX_RS || row.inherits) ? holderOf(one.node) : undefined;
  // JAX-RS, NestJS: a class without a path is a part of another.
  const isPart = holders.length === 0 && (isNest || (row.router === JAX_RS && type !== undefined));
  if ((holders.length === 0 && !row.plain && !outer && !isPart && found.args.length === 0) || outer?.annotations.some(({ name }) => row.clients?.test(name))) return [];
  const beside = row.methods[found.name] === undefined || (row.methods[found.name] === "" && found.args.length === 0) ? undefined : one.annotations.find(({ name }) => name !== found.name && row.paths.test(name));
  const tokens = tokensOf(outer, one);
  // NestJS answers without a slash at the end.
  const ended = (path: string): string => (isNest ? path.replace(/\/+$/, "") : path);
  const isAbstractType = type?.isAbstract === true;
  const isAbstract = row.router === SYMFONY && holderOf(one.node)?.isAbstract === true;
  const outers = (holders.length > 0 && !isAbstract ? holders.flatMap((holder) => pathsOf(holder, row, texts)) : [""]).map((path) => ended(replaced(path, tokens)));
  const own = pathsOf(found, row, texts);
  // What Rocket says of a query is no part of the path: `/users?<page>`.
  const withoutQuery = (path: string): string => (row.byName ? path.replace(/\?<.*$/, "") : path);
  const inners = (own.every((path) => path === "") ? pathsOf(beside, row, texts) : own).map((path) => ended(withoutQuery(replaced(path, tokens))));
  // NestJS: `@RequestMapping({ path: "export", method: RequestMethod.GET })`
  const args = isNest && found.args[0]?.node.type === "object" ? entriesOf(found.args[0].node) : found.args;
  const methodsSaid = (all: readonly Argument[]): string[] => all.filter(({ name }) => row.method?.test(name) === true).flatMap(({ node }) => (/\.ALL$/.test(node.text) ? ["ANY"] : methodsIn(node, texts)));
  const [said, shared] = [methodsSaid(args), methodsSaid(holders.flatMap((holder) => holder.args))];
  const spoken = row.spoken?.test(found.name) ? found.args.filter(({ name }) => name === "").flatMap(({ node }) => methodsIn(node, texts)) : [];
  const ownMethods = spoken.length > 0 ? spoken : said.length > 0 ? said : [row.methods[found.name] || "ANY"];
  // Those of a class hold for all of its routes.
  const methods = shared.length > 0 ? new Set([...shared, ...ownMethods.filter((method) => method !== "ANY")]) : ownMethods;
  const before = beforeIn([...(outer?.annotations ?? []), ...one.annotations], row, grammar);
  const symbol = symbolAt(one.name);
  // ASP.NET: without any path an action goes by its name.
  const isByName = row.rooted === true && holders.length === 0 && !beside && own.every((path) => path === "") && !/""/.test(found.node.text);
  if (symbol < 0 || isByName) return [];
  const decorators = isNest ? ownDecorators(one, imports, grammar) : [];
  const routerOf = (prefix: string): RouterFact | undefined => {
    if (isNest) return controllerRouter(one, joined("", prefix), texts);
    if (row.byName) return { names: [one.name.text], line: one.name.startPosition.row + 1 };
    if (isAbstract) return { names: [holderOf(one.node)!.name], line: 0 };
    const above = type && inheritedRouter(type, holders.length > 0 ? joined("", prefix) : undefined);
    const inherited = above && type.isAbstract && language === "java" ? { ...above, method: overridable(one) } : above;
    const composed = row.composed && outer && holders.length === 0 ? composedOf(outer, source) : [];
    const all = row.all === undefined || isAbstractType ? [] : [row.all];
    if (composed.length > 0) return { names: [...inherited?.names ?? [], ...composed, ...all], line: 0 };
    if (row.router === undefined) return inherited || all.length > 0 ? { line: 0, ...inherited, names: [...inherited?.names ?? [], ...all], ...(inherited ? { tokens } : {}) } : undefined;
    return { ...inherited, names: [...new Set([...inherited?.names ?? [], (isPart ? type?.name : undefined) ?? row.router])], line: 0 };
  };
  // Symfony: a path of each language is behind that of its class in the same.
  const languages = row.router === SYMFONY ? languagesOf(holders[0], found) : undefined;
  const innersOf = (outer: number): readonly string[] => (languages ? inners.filter((_, i) => languages[0][outer] === languages[1][i]) : inners);
  const isWhole = (path: string): boolean => path.startsWith("~/") || (row.rooted === true && path.startsWith("/"));
  const paths = outers.flatMap((prefix, i) => innersOf(i).map((inner) => (isWhole(inner) ? { path: inner.replace("~", ""), router: row.all === undefined ? undefined : { names: [row.all], line: 0 } } : { path: joined("", joined(prefix, inner)), router: routerOf(prefix) })));
  const unique = [...new Map(paths.flatMap((each) => versionsOf(each.path, outer, one, texts).map((path) => [path, { ...each, path }] as const))).values()];
  return [...methods].flatMap((method) => unique.map(({ path, router }) => ({
    name: `${method.toUpperCase()} ${isPart || isAbstract ? "…" : ""}${path}`, node: found.node, route: { before, symbol, ...(decorators.length > 0 ? { decorators } : {}), ...(router ? { router } : {}) },
  })));
}
