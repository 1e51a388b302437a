import { Op } from "../facts.ts";
import type { Unit } from "./unit.ts";

const KEYWORDS = /^(?:if|while|for|match|return|fn|in|let|else|loop|move|as|where|impl|dyn|mut|ref|pub|crate|self|super|Self|unsafe|async|await|box|yield)$/;
/** A path before an argument list, of a function or, with `!`, of a macro: not a method, a fragment (`$name`), or a declaration. */
const CALL = /(?<![\w.$:])(?<!\bfn\s+)((?:\$crate::)?(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)(?:::<[^<>;]*>)?(?:(!)\s*[([{]|\s*\()/g;
/** A call of a method, of whatever the macro is given. */
const METHOD = /\.\s*([a-z_]\w*)\s*(?:::<[^<>;]*>)?\(/g;
/** In percent: what a macro calls may mean something else where that is invoked. */
const LIKELY = 80;

/** Takes down what the rules of a `macro_rules!` call, as the macro's own. */
export function macroBodies(u: Unit, node: number, symbol: number): void {
  const { syntax, sure } = u;
  u.sure = LIKELY;
  u.inSymbol(symbol, () => {
    for (const rule of syntax.children(node)) {
      if (syntax.kind(rule) !== "macro_rule") continue;
      const whole = plain(syntax.text(rule));
      const begin = endOfMatcher(whole);
      const text = whole.slice(begin);
      const first = syntax.line(rule) + count(whole, 0, begin);
      for (const [{ 1: path = "", 2: bang }, line] of withLines(text, CALL, first)) {
        const names = path.split("::");
        if (names.length === 1 && KEYWORDS.test(path)) continue;
        const at = names.reduce((prefix, name) => u.path(prefix, name), 0);
        u.useAt(bang ? u.emit(Op.Macro, at) : u.emit(Op.Call, at, 0), line);
      }
      for (const [{ 1: name = "" }, line] of withLines(text, METHOD, first)) u.useAt(u.emit(Op.Method, 0, u.str(name), 0, 0), line);
    }
  });
  u.sure = sure;
}

/** The text without comments and strings, as long as it was. */
function plain(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\\n])'/g, (found) => found.replace(/[^\n]/g, " "));
}

/** Where the pattern that a rule begins with ends. */
function endOfMatcher(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if ("([{".includes(text[at]!)) depth++;
    else if (")]}".includes(text[at]!) && --depth === 0) return at + 1;
  }
  return text.length;
}

/** What a pattern finds in a text, with the line of each, where the text begins in line `first`. */
function* withLines(text: string, pattern: RegExp, first: number): Iterable<[RegExpExecArray, line: number]> {
  let line = first;
  let read = 0;
  for (const found of text.matchAll(pattern)) {
    line += count(text, read, found.index);
    read = found.index;
    yield [found, line];
  }
}

/** The lines that end in a part of a text. */
function count(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
