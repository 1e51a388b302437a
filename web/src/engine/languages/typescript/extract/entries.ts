import type { EntryKind } from "../../../facts.ts";
import { Op } from "../facts.ts";
import type { Extraction } from "./extraction.ts";

const TEST_FILE = /(\.(test|spec)\.[cm]?[jt]sx?$)|((^|\/)__tests__\/)/;
const INDEX_FILE = /^(packages\/[^/]+\/|apps\/[^/]+\/)?(src\/|lib\/)?index\.[cm]?[jt]sx?$/;
const NEXT_PAGE = /(^|\/)((pages\/.*)|(app\/(.*\/)?(page|layout|route|loading|error|template|default)))\.[jt]sx?$/;
const NEXT_ROUTE = /(^|\/)app\/(.*\/)?route\.[jt]sx?$/;
const HTTP_METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;
/** `app.get("/path", handler)` of Express and its many kin. */
const ROUTER_METHOD = /^(get|head|post|put|patch|delete|options|all|use)$/;
const ROUTE_DECORATOR = /@(Get|Head|Post|Put|Patch|Delete|Options|All|MessagePattern|EventPattern|Query|Mutation|Subscription)\s*\(/;

/** Marks the symbols where control may come in from outside, and spreads `exported` to members. */
export function markEntries(x: Extraction): void {
  const { symbols, facts, path } = x;
  const exportedAs = new Map<number, string>();
  for (const [name, binding] of facts.exports.names) {
    for (const declaration of x.declarations(binding)) {
      const symbol = symbolOf(x, declaration);
      if (symbol >= 0) exportedAs.set(symbol, name);
    }
  }
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
  symbols.forEach((symbol, i) => {
    const callable = symbol.kind === "Function";
    if (isTest) {
      if (callable && symbol.parent < 0) mark(i, "test");
      return;
    }
    const exported = exportedAs.get(i);
    if (exported === "default" && NEXT_PAGE.test(path)) mark(i, "route");
    if (exported !== undefined && NEXT_ROUTE.test(path) && HTTP_METHOD.test(exported)) mark(i, "route");
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

/** Functions of this file that are given to a router. */
function handlers(x: Extraction): number[] {
  const { code, strings, calls } = x.facts;
  const found: number[] = [];
  for (let i = 0; i < calls.length; i += 3) {
    const call = calls[i]!;
    const callee = code[call + 1]!;
    if (code[call] !== Op.Call || code[callee] !== Op.Member || !ROUTER_METHOD.test(strings[code[callee + 2]!]!)) continue;
    const list = call + 3 + code[call + 2]!;
    const [first, ...rest] = code.slice(list + 1, list + 1 + code[list]!);
    if (first === undefined || code[first] !== Op.String || !strings[code[first + 1]!]!.startsWith("/")) continue;
    for (const value of rest) {
      if (code[value] !== Op.Name) continue;
      for (const declaration of x.declarations(code[value + 1]!)) found.push(symbolOf(x, declaration));
    }
  }
  return found;
}
