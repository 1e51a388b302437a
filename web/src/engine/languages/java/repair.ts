import type { Language as Grammar } from "web-tree-sitter";
import { parseAgain } from "../../parse.ts";
import { type Reading, Syntax } from "../classes/syntax.ts";

/** What may be a record that is taken apart, up to its parts: `case Event.Placed(`. The grammar knows such records by simple names alone. */
const PATTERN = /\b(?:case|instanceof)\s+(?:final\s+)?[\w$]+(?:\.[\w$]+)*\s*\(/g;
/** Such a name, there and among the parts. */
const DOTTED = /\.(?=[\w$.]{1,200}\s*\()/g;
/** A call of another constructor, which may have statements before it. The grammar knows it as the first alone. */
const CHAINED = /\b(?:super|this)(?<=[;{}]\s{0,200}(?:super|this))(?=\s{0,99}\()/g;

/** Reads a text once more that did not parse cleanly, with other signs for such dots, and such calls put as calls of methods; the better of both. */
export function repaired(first: Syntax, source: string, grammar: Grammar, reading: Reading): Syntax {
  const text = first.errors === 0 ? source : withSimpleNames(source).replace(CHAINED, (word) => `${word.slice(0, -1)}$`);
  if (text === source) return first;
  const second = parseAgain(grammar, text, (tree) => new Syntax(tree, source, grammar, reading));
  return second && second.errors < first.errors ? second : first;
}

/** A text of the same length whose patterns have no dotted names. */
function withSimpleNames(source: string): string {
  let text = "";
  let done = 0;
  for (const { index, 0: { length } } of source.matchAll(PATTERN)) {
    if (index < done) continue;
    let end = index + length;
    for (let open = 1; open > 0 && end < source.length && source[end] !== ";"; end++) open += source[end] === "(" ? 1 : source[end] === ")" ? -1 : 0;
    text += source.slice(done, index) + source.slice(index, end).replace(DOTTED, "$");
    done = end;
  }
  return text + source.slice(done);
}
