import type { EntryKind } from "../../../facts.ts";
import { type Offset, Op } from "../facts.ts";
import type { Extraction } from "./extraction.ts";
import { Space } from "./scope.ts";

const TEST_FILE = /(\.(test|spec)\.[cm]?[jt]sx?$)|((^|\/)__tests__\/)/;
const INDEX_FILE = /^(packages\/[^/]+\/|apps\/[^/]+\/)?(src\/|lib\/)?index\.[cm]?[jt]sx?$/;
const NEXT_PAGE = /(^|\/)((pages\/.*)|(app\/(.*\/)?(page|layout|route|loading|error|template|default)))\.[jt]sx?$/;
const NEXT_ROUTE = /(^|\/)app\/(.*\/)?route\.[jt]sx?$/;
const HTTP_METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;
/** What Next, Remix and SvelteKit call besides the page itself, in the files of routes. */
const PAGE_FUNCTION = /^(getServerSideProps|getStaticProps|getStaticPaths|getInitialProps|generateStaticParams|generateMetadata|loader|action|load|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;
const ROUTE_FILE = /(^|\/)(pages|app|routes)\/.*\.[jt]sx?$/;
const MIDDLEWARE_FILE = /^(src\/)?middleware\.[jt]s$/;
/** `app.get("/path", handler)` of Express and its many kin. */
const ROUTER_METHOD = /^(get|head|post|put|patch|delete|del|options|all|use)$/;
/** `program.command("x").action(run)`, `app.setErrorHandler(fail)`. */
const TAKES_HANDLER = /^(action|setErrorHandler|setNotFoundHandler)$/;
/** `server.on("request", handle)`, `addEventListener("message", receive)`. */
const TAKES_LISTENER = /^(on|once|addListener|addEventListener)$/;
const ROUTERS = ["app", "api", "router", "server", "fastify"];
const ROUTE_DECORATOR = /@(Get|Head|Post|Put|Patch|Delete|Options|All|MessagePattern|EventPattern|Query|Mutation|Subscription)\s*\(/;

/** Marks the symbols where control may come in from outside, and spreads `exported` to members. */
export function markEntries(x: Extraction): void {
  const { symbols, path } = x;
  const exportedAs = exportedSymbols(x);
  symbols.forEach((symbol, i) => {
    if (exportedAs.has(i)) symbol.exported = true;
    const parent = symbols[symbol.parent];
    if (parent && symbol.kind === "Method") symbol.exported &&= parent.exported;
  });
  const mark = (index: number, entry: EntryKind): void => {
    const symbol = symbols[index];
    if (symbol) symbol.entry ??= entry;
  };
  const isTest = TEST_FILE.test(path);
  const isAction = /^\s*["']use server["']/.test(x.syntax.source.slice(0, 200));
  symbols.forEach((symbol, i) => {
    const callable = symbol.kind === "Function";
    if (isTest) {
      if (callable && symbol.parent < 0) mark(i, "test");
      return;
    }
    const exported = exportedAs.get(i);
    if (exported === "default" && NEXT_PAGE.test(path)) mark(i, "route");
    if (exported !== undefined && NEXT_ROUTE.test(path) && HTTP_METHOD.test(exported)) mark(i, "route");
    if (exported !== undefined && ROUTE_FILE.test(path) && PAGE_FUNCTION.test(exported)) mark(i, "route");
    if (exported !== undefined && callable && isAction) mark(i, "route");
    if (exported === "handler" || (exported === "middleware" && MIDDLEWARE_FILE.test(path))) mark(i, "handler");
    if (callable && symbol.name === "main" && symbol.parent < 0) mark(i, "main");
    if (symbol.kind === "Method" && ROUTE_DECORATOR.test(decoratorsOf(x, symbol.startLine))) mark(i, "route");
    if (exported !== undefined && callable && INDEX_FILE.test(path)) mark(i, "export");
  });
  if (!isTest) for (const symbol of handlers(x)) mark(symbol, "handler");
}

function symbolOf(x: Extraction, declaration: number): number {
  const { code, functions, shapes, aliases, enums } = x.facts;
  switch (code[declaration]) {
    case Op.Variable:
      return code[declaration + 4]!;
    case Op.FunctionDeclaration:
      return functions[code[declaration + 2]!]!.symbol;
    case Op.ShapeDeclaration:
      return shapes[code[declaration + 2]!]!.symbol;
    case Op.Alias:
      return aliases[code[declaration + 2]!]!.symbol;
    case Op.Enum:
      return enums[code[declaration + 2]!]!.symbol;
    default:
      return -1;
  }
}

/** The symbols that the file gives to others, and the names it gives them. */
function exportedSymbols(x: Extraction): Map<number, string> {
  const { code, functions, shapes, exports, expandos } = x.facts;
  const found = new Map<number, string>();
  const bindings = new Set<number>();
  const values = new Set<Offset>();
  const mark = (symbol: number, name: string): void => {
    if (symbol >= 0 && !found.has(symbol)) found.set(symbol, name);
  };
  const markBinding = (binding: number, name: string): void => {
    if (bindings.has(binding)) return;
    bindings.add(binding);
    for (const declaration of x.declarations(binding)) {
      mark(symbolOf(x, declaration), name);
      if (code[declaration] === Op.Variable && x.javascript) markValue(code[declaration + 3]!, name);
    }
  };
  /** What CommonJS exports is a value: a name, or a table of them. */
  const markValue = (value: Offset, name: string): void => {
    if (value === 0 || values.has(value)) return;
    values.add(value);
    const operand = code[value + 1]!;
    if (code[value] === Op.Name) markBinding(operand, name);
    else if (code[value] === Op.New) markValue(operand, name);
    else if (code[value] === Op.Function) mark(functions[operand]!.symbol, name);
    else if (code[value] === Op.Class) mark(shapes[operand]!.symbol, name);
    else if (code[value] === Op.Object) {
      for (const member of shapes[operand]!.members) {
        mark(member.symbol, member.name);
        for (const f of member.functions) mark(functions[f]!.symbol, member.name);
        markValue(member.initialiser, member.name);
      }
    }
  };
  for (const [name, binding] of exports.names) markBinding(binding, name);
  markValue(exports.equals, "default");
  // `var app = module.exports = {}; app.use = function`: what is hung on something exported.
  for (const { binding, name, symbol } of expandos) {
    const isExported = bindings.has(binding) || x.declarations(binding).some((d) => code[d] === Op.Variable && values.has(code[d + 3]!));
    if (isExported) mark(symbol, name);
  }
  return found;
}

/** The lines above a declaration that hold its decorators. */
function decoratorsOf(x: Extraction, startLine: number): string {
  const { source } = x.syntax;
  let end = x.syntax.offsetOfLine(startLine);
  const from = Math.max(0, end - 400);
  const before = source.slice(from, end).trimEnd();
  end = before.lastIndexOf("\n\n");
  const near = before.slice(end + 1);
  return /@\w+\s*\([^@]*\)$/.test(near) ? near : "";
}

/** Whether a value is `router.route("/path")`, maybe with methods called on it. */
function isRouteOf(x: Extraction, value: Offset): boolean {
  const { code, strings } = x.facts;
  for (let at = value; code[at] === Op.Call;) {
    const callee = code[at + 1]!;
    if (code[callee] !== Op.Member) return false;
    if (strings[code[callee + 2]!] === "route") return true;
    at = code[callee + 1]!;
  }
  return false;
}

/** Functions of this file that are given to a router, a command or an emitter of events. */
function handlers(x: Extraction): number[] {
  const { code, strings, calls } = x.facts;
  const found: number[] = [];
  const routers = new Set(ROUTERS.map((name) => x.scope.find(name, Space.Value)));
  for (let i = 0; i < calls.length; i += 3) {
    const call = calls[i]!;
    const callee = code[call + 1]!;
    if (code[call] !== Op.Call || (code[callee] !== Op.Member && code[callee] !== Op.Global)) continue;
    const method = strings[code[callee] === Op.Member ? code[callee + 2]! : code[callee + 1]!]!;
    if (![ROUTER_METHOD, TAKES_LISTENER, TAKES_HANDLER].some((methods) => methods.test(method))) continue;
    const list = call + 3 + code[call + 2]!;
    const given = code.slice(list + 1, list + 1 + code[list]!);
    const text = given[0] !== undefined && code[given[0]] === Op.String ? strings[code[given[0] + 1]!]! : undefined;
    const isRoute = ROUTER_METHOD.test(method) && (text?.startsWith("/") || isRouteOf(x, code[callee + 1]!));
    const isListener = TAKES_LISTENER.test(method) && text !== undefined;
    const object = code[callee + 1]!;
    const isMiddleware = method === "use" && code[callee] === Op.Member && code[object] === Op.Name && routers.has(code[object + 1]);
    if (!isRoute && !isListener && !isMiddleware && !TAKES_HANDLER.test(method)) continue;
    for (const value of given) {
      if (code[value] !== Op.Name) continue;
      for (const declaration of x.declarations(code[value + 1]!)) {
        const symbol = symbolOf(x, declaration);
        // A listener within a function is that function's own business.
        if (!isListener || x.symbols[symbol]?.parent === -1) found.push(symbol);
      }
    }
  }
  return found;
}
