import { ANY, likeOf, OR } from "../patterns.ts";
import { operatorOf } from "./calls.ts";
import { expression } from "./expressions.ts";
import { symbolsOf } from "./symbols.ts";
import type { Unit } from "./unit.ts";

/*
 * The names that expressions say: whole ones, patterns of those that are put together where the code runs, and one of several.
 */

/** Stands, in a text that is read as code, for what only the run tells: a letter, so that the rest of a name is read as it stands. */
export const OPEN = "\u01c3";

/** What a symbol or a plain text says. */
export function nameIn(u: Unit, node: number): string | undefined {
  const { syntax } = u;
  const text = syntax.text(node);
  if (text.includes(OPEN)) return undefined;
  switch (syntax.kind(node)) {
    case "simple_symbol":
      return text.slice(1);
    case "string":
    case "delimited_symbol":
      return syntax.children(node).some((child) => syntax.kind(child) === "interpolation") ? undefined : text.replace(/^:?["']|["']$/g, "");
    default:
      return undefined;
  }
}

/** The names that an expression stands for: what it says, or, in a loop over a list that is written out, what it is for each element (`"mark_#{state}!"`). */
export function namesIn(u: Unit, node: number): string[] {
  const { syntax } = u;
  const named = nameIn(u, node);
  if (named !== undefined) return [named];
  if (syntax.kind(node) === "identifier") return wholeSymbolsOf(u, node);
  const [, before = "", after = ""] = /^:?"(\w*)#\{\w+\}(\w*[?!=]?)"$/.exec(syntax.text(node)) ?? [];
  const part = syntax.child(node, "interpolation");
  const [value] = part ? syntax.children(part) : [];
  return value !== undefined && `${before}${after}` !== "" ? wholeSymbolsOf(u, value).map((one) => `${before}${one}${after}`) : [];
}

/** The symbols of which an expression is one; none where one of them is a pattern. */
export function wholeSymbolsOf(u: Unit, node: number): string[] {
  const symbols = symbolsOf(u, expression(u, node));
  return symbols.some((one) => likeOf(one)) ? [] : symbols;
}

/** The name, or the pattern of the names, that a value may be: `send(HANDLERS[kind])`. */
export function oneOf(u: Unit, node: number): string | undefined {
  if (!CHOICE.test(u.syntax.kind(node))) return undefined;
  const names = symbolsOf(u, expression(u, node));
  return names.length > 0 ? names.join(OR) : undefined;
}

/** Expressions that may be one of several symbols. */
const CHOICE = /^(?:identifier|element_reference|conditional|call|parenthesized_statements)$/;

/** The pattern that a name in a text is, which is read as code; undefined where nothing of it is known. */
export function openName(text: string): string | undefined {
  const pattern = text.replace(OPEN, ANY);
  return likeOf(pattern) && !pattern.includes(OPEN) ? pattern : undefined;
}

/** The pattern of a name that is put together where the code runs: `"do_#{word}"`, `"do_" + word`. */
export function patternIn(u: Unit, node: number): string | undefined {
  const { syntax } = u;
  switch (syntax.kind(node)) {
    case "simple_symbol":
      return syntax.text(node).includes(OPEN) ? openName(syntax.text(node).slice(1)) : undefined;
    case "string":
    case "delimited_symbol": {
      const [, beginning, ending = ""] = /^:?"(\w*)#\{.*\}(\w*[?!=]?)"$/s.exec(syntax.text(node)) ?? [];
      return beginning === undefined || (beginning === "" && !/^\w{3}/.test(ending)) ? undefined : `${beginning}${ANY}${ending}`;
    }
    case "binary": {
      const left = syntax.part(node, "left");
      const beginning = left && operatorOf(u, node) === "+" ? nameIn(u, left) : undefined;
      return beginning !== undefined && /^\w+$/.test(beginning) ? `${beginning}${ANY}` : undefined;
    }
    default:
      return undefined;
  }
}
