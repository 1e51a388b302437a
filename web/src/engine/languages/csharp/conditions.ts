import type { Language as Grammar } from "web-tree-sitter";
import { parseAgain } from "../../parse.ts";
import { type Reading, Syntax } from "../classes/syntax.ts";
import { conditions } from "../cut-conditions.ts";
import { respelled } from "./spellings.ts";

const DIRECTIVE = /^[ \t]*#[ \t]*(if|elif|else|endif)\b([^\r\n]*)/;

/** Comments, and texts of all sorts. */
const NOISE = /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"""[\s\S]*?(?:"""|$)|(?:\$@|@\$?)"(?:[^"]|"")*"?|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'/g;

/**
 * Reads a text that did not parse cleanly once more, with what the grammar does not know put otherwise, and, since a condition may cut through
 * a declaration, where the grammar knows of none: without such conditions, and without what `#if` leaves out when no symbol is defined. The best
 * of all, the one that has more of the text first.
 */
export function readAgain(first: Syntax, grammar: Grammar, reading: Reading): Syntax {
  const { source } = first;
  if (first.errors === 0) return first;
  const known = respelled(source);
  const isCut = /^[ \t]*#[ \t]*if\b/m.test(source);
  let best = first;
  for (const text of [...(known === source ? [] : [known]), ...(isCut ? [conditions(known, known.replace(NOISE, (noise) => noise.replace(/[^\n]/g, noise.startsWith("/") ? " " : "0"))), usual(known)] : [])]) {
    const syntax = parseAgain(grammar, text, (tree) => new Syntax(tree, source, grammar, reading));
    if (syntax && syntax.errors < best.errors) best = syntax;
    if (best.errors === 0) break;
  }
  return best;
}

/** The text of the usual build: all else, and the conditions themselves, are blanks. Every offset stays true. */
function usual(source: string): string {
  // For each open condition: whether code around it counts, whether a branch was taken, whether this one is.
  const open: { outside: boolean; taken: boolean; on: boolean }[] = [];
  return source.replace(/[^\n]+/g, (line) => {
    const directive = DIRECTIVE.exec(line);
    const top = open.at(-1);
    if (!directive) return top && !top.on ? " ".repeat(line.length) : line;
    const [, kind, condition = ""] = directive;
    if (kind === "if") {
      const outside = top?.on ?? true;
      const on = outside && holds(condition);
      open.push({ outside, taken: on, on });
    } else if (kind === "endif") {
      open.pop();
    } else if (top) {
      top.on = top.outside && !top.taken && (kind === "else" || holds(condition));
      top.taken ||= top.on;
    }
    return " ".repeat(line.length);
  });
}

/** Whether a condition holds when no symbol is defined. */
export function holds(condition: string): boolean {
  const tokens = condition.replace(/\/\/.*/, "").match(/&&|\|\||[!=]=|[!()]|\w+/g) ?? [];
  let at = 0;
  const primary = (): boolean => {
    const token = tokens[at++];
    if (token === "!") return !primary();
    if (token !== "(") return token === "true";
    const inner = or();
    at++;
    return inner;
  };
  const equal = (): boolean => {
    let left = primary();
    while (tokens[at] === "==" || tokens[at] === "!=") left = (tokens[at++] === "==") === (left === primary());
    return left;
  };
  const and = (): boolean => {
    let left = equal();
    while (tokens[at] === "&&") {
      at++;
      left = equal() && left;
    }
    return left;
  };
  const or = (): boolean => {
    let left = and();
    while (tokens[at] === "||") {
      at++;
      left = and() || left;
    }
    return left;
  };
  return or();
}
