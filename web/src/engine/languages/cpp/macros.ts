import { type GivenFact, Op, type PartFact } from "./facts.ts";
import type { Unit } from "./unit.ts";
import { withoutNoise } from "./repair.ts";

/** Words that no macro's text calls or names. */
export const KEYWORDS = new Set([
  "if", "while", "for", "switch", "return", "sizeof", "defined", "do", "else", "case", "void", "int", "char", "long", "short", "unsigned", "signed", "float", "double", "bool", "catch", "alignof", "typeof",
  "__attribute__", "__typeof__", "__declspec", "static_assert", "_Static_assert", "decltype", "noexcept", "operator", "new", "delete", "throw", "static_cast", "reinterpret_cast", "const_cast",
]);

/** By habit a macro that is a constant is written in capitals; what begins with a number or a text is one in any case. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;
const NUMBER_OR_TEXT = /^[\s\\(~-]*\d/;

/** A name, with what stands before it and whether it is called. */
const WORDS = /(?:(\.|->|#|\b(?:struct|class|enum|union|new)\s)\s*)?(?<![\w:])((?:::)?(?:\w+::)*[A-Za-z_]\w*)(\s*\()?/g;

/** A name or several that are pasted together, with what stands behind it in parentheses; none of a member, and no text. */
const GIVEN = /(?<![\w.#>]\s*)([A-Za-z_]\w*(?:\s*##\s*\w+)*)(?:\s*\(([^()]{0,300})\))?/g;
const NAME = /^\s*[A-Za-z_]\w*\s*$/;
/** Of a longer text the rest is not read for this. */
const MAX_GIVEN = 100;

/** The head of a function that has a body: its name, which may be pasted together, and its parameters. */
const DEFINED = /(?<![\w#]\s{0,20}##\s{0,20})(?<!\w)([A-Za-z_]\w*(?:\s*##\s*\w+)*)\s*\((?:[^(){};]|\([^(){};]{0,100}\)){0,400}\)[\s\\]*\{/g;

const MAX_RECEIVER = 200;
const MAX_HEAD = 300;
/** What a member is called on, where that is a name. */
const RECEIVER = /(?<![\w:.>]\s*)((?:\w+::)*[A-Za-z_]\w*)\s*$/;

/** A macro: one with parameters is called like a function. What its text calls and names, it does. */
export function macro(u: Unit, node: number): void {
  const { syntax } = u;
  const at = syntax.part(node, "name");
  if (!at) return;
  const name = syntax.text(at);
  const value = syntax.part(node, "value");
  const text = value ? withoutNoise(syntax.text(value)) : "";
  const isPlain = syntax.kind(node) === "preproc_def";
  const isConstant = isPlain && text.trim() !== "" && (CONSTANT.test(name) || NUMBER_OR_TEXT.test(text));
  let symbol = -1;
  if (isConstant || !isPlain) {
    symbol = u.symbol({ kind: isPlain ? "Variable" : "Function", name, at, whole: node, body: isPlain ? 0 : value, exported: true });
    // The directive ends where the next line begins.
    const fact = u.symbols[symbol]!;
    fact.endLine = Math.max(fact.startLine, value ? syntax.endLine(value) : 0);
  }
  const alias = isPlain ? /^\s*([A-Za-z_]\w*(?:(?:::|\.)\w+)*)\s*$/.exec(text)?.[1] ?? "" : "";
  const list = syntax.part(node, "parameters");
  const names = list ? syntax.children(list).map((child) => syntax.text(child)) : [];
  const pasted = names[0] === undefined ? undefined : pastedName(text, names[0]);
  const given = names.length > 0 ? givenIn(text, names) : [];
  const writes = names.length > 0 ? writtenIn(text, names) : [];
  u.macros.push({
    name, symbol: isPlain ? -1 : symbol, constant: isPlain ? symbol : -1, alias, ...(pasted === undefined ? {} : { pasted }),
    ...(given.length > 0 ? { given } : {}), ...(writes.length > 0 ? { writes } : {}),
  });
  const parameters = new Set(names);
  const { owner } = u;
  u.owner = symbol;
  let line = value ? syntax.line(value) : 0;
  let read = 0;
  for (const { 0: all, 1: before = "", 2: word = "", 3: call = "", index } of text.matchAll(WORDS)) {
    const isMember = before === "." || before === "->";
    if ((before !== "" && !(isMember && call !== "")) || (!isMember && parameters.has(word)) || KEYWORDS.has(word)) continue;
    for (const start = index + all.length - call.length - word.length; read < start; read++) if (text[read] === "\n") line++;
    if (isMember) {
      const [, of = ""] = RECEIVER.exec(text.slice(Math.max(0, index - MAX_RECEIVER), index)) ?? [];
      const receiver = of === "" || parameters.has(of) || KEYWORDS.has(of) ? 0 : u.emit(Op.Name, u.str(of), u.scope, 0);
      u.useAt(u.emit(Op.Call, u.emit(Op.Select, receiver, u.str(word), before === "->" ? 1 : 0), -1), line);
      continue;
    }
    const named = u.emit(Op.Name, u.str(word), u.scope, 0);
    if (call !== "") u.useAt(u.emit(Op.Call, named, -1), line);
    else if (word !== name) {
      u.useAt(named, line);
      u.useAt(u.emit(Op.Passed, named), line);
    }
  }
  u.owner = owner;
}

/** The name of the function that a macro's text begins, `int command_##name(…)`, with `%` for the parameter. */
function pastedName(text: string, parameter: string): string | undefined {
  const head = text.slice(0, MAX_HEAD).replace(/\\\r?\n/g, " ");
  const at = head.indexOf("##");
  // A type stands before the name.
  const [, before = ""] = at < 0 ? [] : /^\s*\w[\w\s*]*[\s*](\w*)\s*$/.exec(head.slice(0, at)) ?? [];
  const [, next = "", last = ""] = at < 0 ? [] : /^\s*(\w+)\s*(?:##\s*(\w+)\s*)?\(/.exec(head.slice(at + 2)) ?? [];
  if (next === parameter && before !== "") return `${before}%${last}`;
  return before === parameter && next !== "" && last === "" ? `%${next}` : undefined;
}

/** The functions that a macro's text defines under names that its parameters are part of. */
function writtenIn(text: string, parameters: readonly string[]): PartFact[][] {
  const written: PartFact[][] = [];
  for (const [, word = ""] of text.matchAll(DEFINED)) {
    const name = word.split("##").map((part) => partOf(part.trim(), parameters));
    if (written.length < MAX_GIVEN && name.some((part) => typeof part === "number")) written.push(name);
  }
  return written;
}

function partOf(word: string, parameters: readonly string[]): PartFact {
  const place = parameters.indexOf(word);
  return place < 0 ? word : place;
}

/** What a macro's text makes of its parameters: names that it pastes together, calls of parameters, and macros that it hands them to. */
function givenIn(text: string, parameters: readonly string[]): GivenFact[] {
  const given: GivenFact[] = [];
  const part = (word: string): PartFact => partOf(word, parameters);
  const isParameter = (one: PartFact): boolean => typeof one === "number" && one >= 0;
  for (const { 0: all, 1: word = "", 2: list, index } of text.matchAll(GIVEN)) {
    if (given.length === MAX_GIVEN) break;
    const name = word.split("##").map((one) => part(one.trim()));
    const called = list !== undefined || /^\s*\(/.test(text.slice(index + all.length, index + all.length + 20));
    const args = list?.split(",").map((arg) => (NAME.test(arg) ? part(arg.trim()) : -1));
    const takes = args?.some((arg) => arg !== -1) ?? false;
    if (name.length > 1 ? name.some(isParameter) : called && (isParameter(name[0]!) || (takes && args!.some(isParameter) && !KEYWORDS.has(word)))) {
      given.push({ name, called, ...(takes && name.length === 1 ? { args: args! } : {}) });
    }
  }
  return given;
}

/** `REGISTER(driver)`, which the grammar of C takes for the type of what follows. */
export function macroBefore(u: Unit, node: number): void {
  const { syntax } = u;
  const name = syntax.part(node, "name");
  const given = syntax.part(node, "type");
  if (name) callOf(u, syntax.text(name), given ? [syntax.text(given)] : [], syntax.line(node));
}

/** A call of a macro, which uses what it is given. */
export function callOf(u: Unit, name: string, given: readonly string[], line: number): void {
  const args = given.map((arg) => (/^\s*[A-Za-z_]\w*\s*$/.test(arg) ? u.name(arg.trim()) : 0));
  for (const arg of args) {
    if (u.code[arg] !== Op.Name) continue;
    u.useAt(arg, line);
    u.useAt(u.emit(Op.Passed, arg), line);
  }
  u.useAt(u.emit(Op.Call, u.name(name), args.length, ...args), line);
}
