import { Op } from "./facts.ts";
import type { Unit } from "./unit.ts";
import { withoutNoise } from "./repair.ts";

const KEYWORDS = new Set([
  "if", "while", "for", "switch", "return", "sizeof", "defined", "do", "else", "case", "void", "int", "char", "long", "short", "unsigned", "signed", "float", "double", "bool", "catch", "alignof", "typeof",
  "__attribute__", "__typeof__", "__declspec", "static_assert", "_Static_assert", "decltype", "noexcept", "operator", "new", "delete", "throw", "static_cast", "reinterpret_cast", "const_cast",
]);

/** By habit a macro that is a constant is written in capitals. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** A macro: one with parameters is called like a function, and calls what its text does. */
export function macro(u: Unit, node: number): void {
  const { syntax } = u;
  const at = syntax.part(node, "name");
  if (!at) return;
  const name = syntax.text(at);
  const value = syntax.part(node, "value");
  const text = value ? withoutNoise(syntax.text(value)) : "";
  if (syntax.kind(node) === "preproc_def") {
    const alias = /^\s*([A-Za-z_]\w*(?:::\w+)*)\s*$/.exec(text)?.[1] ?? "";
    const isConstant = text.trim() !== "" && CONSTANT.test(name);
    const constant = isConstant ? u.symbol({ kind: "Variable", name, at, whole: node, body: 0, exported: true }) : -1;
    if (constant >= 0) u.symbols[constant]!.endLine = Math.max(u.symbols[constant]!.startLine, value ? syntax.endLine(value) : 0);
    u.macros.push({ name, symbol: -1, constant, alias });
    return;
  }
  const list = syntax.part(node, "parameters");
  const parameters = new Set(list ? syntax.children(list).map((child) => syntax.text(child)) : []);
  const symbol = u.symbol({ kind: "Function", name, at, whole: node, body: value, exported: true });
  // The directive ends where the next line begins.
  const fact = u.symbols[symbol]!;
  fact.endLine = Math.max(fact.startLine, value ? syntax.endLine(value) : fact.startLine);
  u.macros.push({ name, symbol, constant: -1, alias: "" });
  const first = value ? syntax.line(value) : 0;
  const { owner } = u;
  u.owner = symbol;
  for (const { 1: before = "", 2: callee = "", index } of text.matchAll(/(\.|->|#|\b(?:struct|class|enum|union|new)\s)?\s*(?<![\w:])((?:\w+::)*[A-Za-z_]\w*)\s*(?=\()/g)) {
    if (before !== "" || parameters.has(callee) || KEYWORDS.has(callee)) continue;
    u.useAt(u.emit(Op.Call, u.emit(Op.Name, u.str(callee), u.scope, 0), -1), first + count(text, index));
  }
  u.owner = owner;
}

/** `REGISTER(driver)` among declarations is called, though the text was read without it. */
export function macrosTakenOut(u: Unit, text: string): void {
  const { source } = u.syntax;
  let line = 1;
  let at = 0;
  for (const { 0: whole, 1: name = "", 2: list = "", index } of withoutNoise(source).matchAll(/^[ \t]*([A-Za-z_]\w*)[ \t]*\(([^()]*)\)[ \t]*$/gm)) {
    if (text.slice(index, index + whole.length).trim() !== "") continue;
    line += count(source.slice(at, index), Infinity);
    at = index;
    callOf(u, name, list.split(","), line);
  }
}

/** `REGISTER(driver)`, which the grammar of C takes for the type of what follows. */
export function macroBefore(u: Unit, node: number): void {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  const given = syntax.part(node, "type");
  if (name) callOf(u, syntax.text(name), given ? [syntax.text(given)] : [], syntax.line(node));
}

/** A call of a macro, which uses what it is given. */
function callOf(u: Unit, name: string, given: readonly string[], line: number): void {
  const args = given.map((arg) => (/^\s*[A-Za-z_]\w*\s*$/.test(arg) ? u.name(arg.trim()) : 0));
  for (const arg of args) {
    if (u.code[arg] !== Op.Name) continue;
    u.useAt(arg, line);
    u.useAt(u.emit(Op.Passed, arg), line);
  }
  u.useAt(u.emit(Op.Call, u.name(name), args.length, ...args), line);
}

function count(text: string, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
