import type { Node } from "web-tree-sitter";
import type { MountFact, NamedCode, RouteFact, RouterFact, SymbolFact } from "../../facts.ts";
import { WHOLE } from "../../path-names.ts";
import { isTestPath } from "../../test-paths.ts";
import { callOf } from "./calls.ts";
import type { Code, Declared } from "./code.ts";
import { exportedNames } from "./exports.ts";
import { codeOf } from "./named-code.ts";

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;
/** What a page's file has beside the page, which runs before it. */
const DATA = /^(?:getServerSideProps|getStaticProps|getStaticPaths|getInitialProps|generateStaticParams|generateMetadata)$/;
/** A name of a file that is no page's: `login.stories.tsx`, `types.d.ts`. */
const NO_PAGE = /\.(?:stories|d|module|styles?)$/;
const FILES: Readonly<Record<string, string>> = { sitemap: "sitemap.xml", robots: "robots.txt", manifest: "manifest.webmanifest" };
export const CONFIG = /(?:^|\/)next\.config\.[cm]?[jt]s$/;

/** Next.js demands one of each application with a folder `app`. */
const ROOT_LAYOUT = /(?:^|\/)app\/layout\.[jt]sx?$/;

/** The router of all routes of an application: its configuration may say a path for them. */
export const NEXT = "next.config";
const ALL: RouterFact = { names: [NEXT], line: 0 };

type Handled = Pick<RouteFact, "symbol" | "handler"> & { before?: NamedCode[]; node?: Node };

/** Next.js: the routes that a file is by its path. */
export function pagesOf(code: Code): Declared[] {
  const { symbols, path, source, root } = code;
  const of = (name: string, { node, before = [], ...handled }: Handled, isWhole = false): Declared => ({ name, node: node ?? root, route: { before, ...handled, ...(isWhole ? {} : { router: ALL }) } });
  const [, app, kind] = /(?:^|\/)app\/(?:(.*)\/)?(route|page|sitemap|robots|manifest)\.[jt]sx?$/.exec(path) ?? [];
  // What a folder with an underscore has is for other files alone.
  if (/(?:^|\/)_/.test(app ?? "")) return [];
  if (kind === "route") {
    const own = handlersOf(code).map(({ method, ...handled }) => of(`${method} ${pathOf(app ?? "")}`, handled));
    // Which methods another file answers, that file says.
    return own.length > 0 ? own : wholeExports(code).map((handled) => of(`ANY ${pathOf(app ?? "")}`, handled));
  }
  if (kind === "page") {
    const isNext = /(?:^|\/)[[(@]/.test(app ?? "") || saysNext(code);
    return page(code).map((handled) => of(`PAGE ${isNext ? "" : "…"}${pathOf(app ?? "")}`, handled));
  }
  if (kind !== undefined) return source.includes("MetadataRoute") ? byDefault(code).map((handled) => of(`GET ${pathOf(`${app ?? ""}/${FILES[kind]}`)}`, handled)) : [];
  if (/(?:^|\/)(?:middleware|proxy)\.[jt]s$/.test(path) && /["']next[-\w]*\//.test(source)) {
    const [, matcher = ""] = /\bmatcher\s*:\s*(\[[^\]]*\]|["'`][^"'`]*["'`])/.exec(source) ?? [];
    const paths = [...matcher.matchAll(/["'`](\/[^"'`]*)["'`]/g)].map(([, one = ""]) => one);
    const named = symbols.flatMap(({ name, parent }, symbol) => (parent < 0 && /^(?:middleware|proxy)$/.test(name) ? [{ symbol }] : []));
    return (named.length > 0 ? named : byDefault(code)).map((handled) => of(`MIDDLEWARE ${paths.length > 0 ? paths.join(", ") : "/*"}`, handled, true));
  }
  const [, inside, ending] = /(?:^|\/)pages\/(.*?)(?:\.page)?\.([jt]sx?)$/.exec(path) ?? [];
  if (inside === undefined || inside.startsWith("_") || NO_PAGE.test(inside)) return [];
  const at = pathOf(inside.replace(/(?:^|\/)index$/, ""));
  if (inside.startsWith("api/")) return byDefault(code).map((handled) => of(`ANY ${at}`, handled));
  // Other frameworks have components there, by names of types, and tests have their own pages. What says nothing of Next.js is sure below its configuration alone.
  const isNext = saysNext(code);
  const mayBe = isNext || (ending !== "ts" && !isTestPath(path) && !/(?:^|\/)[A-Z]/.test(inside));
  return mayBe ? page(code).map((handled) => of(`PAGE ${isNext ? "" : "…"}${at}`, handled)) : [];
}

/** Whether a file itself tells that it is of Next.js. */
function saysNext({ source, symbols }: Code): boolean {
  return /["']next(?:[-\w]*\/|["'])/.test(source) || symbols.some(({ name }) => DATA.test(name));
}

/** Next.js: the path of all routes of the application whose configuration a file is, or whose outermost layout. */
export function nextMounts({ path, source, root, texts }: Code): MountFact[] {
  if (ROOT_LAYOUT.test(path)) return [{ prefix: "", target: { text: NEXT, names: ALL.names, line: 0, endLine: 0 }, into: ALL, below: true }];
  if (!CONFIG.test(path)) return [];
  const said = source.includes("basePath") ? root.descendantsOfType("pair").find((pair) => pair.childForFieldName("key")?.text === "basePath")?.childForFieldName("value") : undefined;
  return [{ prefix: said ? texts.one(said) ?? texts.hole(said) : "", target: { text: NEXT, names: ALL.names, line: 0, endLine: 0 }, below: true }];
}

/** What a page's file gives as its page, after what it says besides. */
function page(code: Code): Handled[] {
  const before = code.symbols.flatMap(({ name, parent, entry, line }): NamedCode[] => (parent < 0 && entry === "route" && DATA.test(name) ? [{ text: name, names: [name], line, endLine: line, declared: true }] : []));
  return byDefault(code, false).map((handled) => ({ ...handled, before: [...before, ...handled.before ?? []] }));
}

/** What a file gives by default: a symbol, or the code of it, behind the functions that wrap it. `tells`: what these are is said. */
function byDefault({ symbols, root, source, grammar }: Code, tells = true): Handled[] {
  const given = root.namedChildren.find((node) => node.type === "export_statement" && node.children.some(({ type }) => type === "default"));
  const declared = (name: string | undefined): number => symbols.findIndex((one) => one.parent < 0 && one.name === name);
  if (!given) {
    const marked = symbols.findIndex(({ parent, entry, name }) => parent < 0 && entry === "route" && !DATA.test(name));
    const [named] = exportedNames(source).filter(({ other }) => other === "default");
    if (named && !named.from && declared(named.name) >= 0) return [{ symbol: declared(named.name) }];
    return marked >= 0 ? [{ symbol: marked }] : named ? [{ handler: { text: named.name, names: [named.name], line: named.line, endLine: named.line }, node: nodeAt(root, named.line) }] : [];
  }
  const declaration = given.childForFieldName("declaration");
  let value = given.childForFieldName("value") ?? undefined;
  const before: NamedCode[] = [];
  while (value) {
    const call = callOf(value, grammar);
    const inner = call?.args.find(({ node }) => grammar.functions.test(node.type) || node.type === "identifier" || node.type === "call_expression")?.node;
    if (!call || !inner) break;
    if (tells) before.push(codeOf(call.node.childForFieldName("function") ?? call.node, grammar));
    value = inner;
  }
  const symbol = value && value.type !== "identifier" ? before.length > 0 ? -1 : declared("default") : declared(value?.text ?? declaration?.childForFieldName("name")?.text ?? "default");
  if (symbol >= 0) return [{ symbol, before }];
  return value ? [{ handler: codeOf(value, grammar), before, node: given }] : [];
}

/** The functions that answer HTTP's methods, of this file or of another: `export { list as GET } from "./list"`. */
function handlersOf({ symbols, source, root, grammar }: Code): (Handled & { method: string })[] {
  const all = exportedNames(source);
  const others = all.filter(({ name, other, from }) => !from && name !== other);
  const own = new Set(symbols.flatMap(({ name, parent }) => (parent < 0 ? [name] : [])));
  // `export const { GET, POST } = handlers`
  const taken = root.namedChildren.flatMap((node) => node.childForFieldName("declaration")?.namedChildren ?? []).filter((one) => one.childForFieldName("name")?.type === "object_pattern");
  const givenBy = (name: string): Handled => {
    const value = taken.find((one) => one.childForFieldName("name")!.namedChildren.some(({ text }) => text === name))?.childForFieldName("value");
    return value ? { handler: codeOf(value, grammar) } : {};
  };
  const elsewhere = all.filter(({ name, other, from }) => METHOD.test(other) && (from || !own.has(name))).map(({ name, other, line }) => (
    { method: other, handler: { text: name, names: [name], line, endLine: line }, node: nodeAt(root, line) }
  ));
  return [...elsewhere, ...symbols.flatMap(({ name, exported, parent }: SymbolFact, symbol) => (
    parent >= 0 ? [] : [...(exported ? [name] : []), ...others.flatMap((one) => (one.name === name ? [one.other] : []))].filter((one) => METHOD.test(one)).map((method) => ({ method, symbol, ...givenBy(name) }))
  ))];
}

/** `export * from "./handlers"` */
function wholeExports({ root }: Code): Handled[] {
  return root.namedChildren.filter((node) => node.type === "export_statement" && node.children.some(({ text }) => text === "*") && node.childForFieldName("source")).map((node) => {
    const line = node.startPosition.row + 1;
    return { handler: { text: WHOLE, names: [], line, endLine: line }, node };
  });
}

function nodeAt(root: Node, line: number): Node {
  return root.descendantForPosition({ row: line - 1, column: 0 }) ?? root;
}

/** Groups in brackets and slots are no part of a path; `[id]` is a parameter, and `(.)` stands before what is shown in place of a page. */
function pathOf(folder: string): string {
  const parts = folder.split("/").filter((part) => part !== "" && !/^\([^)]*\)$/.test(part) && !part.startsWith("@")).reduce<string[]>((above, part) => {
    const [, dots = "", name = part] = /^((?:\(\.{1,3}\))+)(.*)$/.exec(part) ?? [];
    const up = dots.includes("(...)") ? above.length : dots.split("(..)").length - 1;
    return [...above.slice(0, above.length - up), name];
  }, []);
  return `/${parts.map((part) => part.replace(/^%5F/i, "_").replace(/^\[\[?(?:\.\.\.)?(\w+)\]?\]$/, (whole, name: string) => (whole.includes("...") ? `*${name}` : `:${name}`))).join("/")}`;
}
