/** What the comment at a declaration says, in any of the languages: the lines above it, or the string below its head. */

/** Lines of a comment that are taken, from its beginning; and those looked at below a declaration's head. */
const MAX_LINES = 15;
/** The longest comment whose beginning is looked for. */
const LONGEST = 500;
/** Of what a comment says the beginning tells what it is about. */
const MAX_CHARS = 300;

const LINE_COMMENT = /^(?:\/\/[/!]?|#(?!\[|!|(?:include|define|if|ifdef|ifndef|else|endif|pragma|region|endregion)\b)|--)\s?/;
/** Attributes and decorators may stand between a comment and what it is about. */
const ATTRIBUTE = /^(?:@\w|#\[|\[\w)/;
const LICENCE = /copyright|licen[cs]e|SPDX/i;
/** What only says how a thing is typed: `@param {string} name`, `{@link X}`, XML. */
const MARKUP = /<\/?\w+[^>]*>|\{@\w+|[{}]/g;

/** The comment's text at the declaration that begins in a line, from 1; "" if there is none. `language` is a node's. */
export function docOf(lines: readonly string[], startLine: number, language: string): string {
  const doc = language === "python" ? docString(lines, startLine) : "";
  return doc === "" ? above(lines, startLine - 2) : doc;
}

/** The comment at the top of a file, unless it is a licence. */
export function docOfFile(lines: readonly string[], language: string): string {
  const first = lines[0]?.startsWith("#!") ? 1 : 0;
  if (language === "python" && /^[rRuU]?("""|''')/.test(lines[first]?.trim() ?? "")) return quoted(lines, first);
  const top = lines[first]?.trimStart() ?? "";
  const isBlock = top.startsWith("/*");
  if (!isBlock && !LINE_COMMENT.test(top)) return "";
  let last = first;
  while (last < first + MAX_LINES && last < lines.length && (isBlock ? !lines[last]!.includes("*/") : LINE_COMMENT.test(lines[last + 1]?.trimStart() ?? ""))) last++;
  return LICENCE.test(lines.slice(first, last + 1).join(" ")) ? "" : above(lines, last);
}

/** The comment that ends in a line, counted from 0, or above attributes that end there. */
function above(lines: readonly string[], from: number): string {
  let at = from;
  while (at >= 0 && from - at < 4 && ATTRIBUTE.test(lines[at]!.trimStart())) at--;
  const found: string[] = [];
  if (/\*\/\s*$/.test(lines[at] ?? "")) {
    for (let n = at; n >= 0 && at - n < LONGEST; n--) {
      if (!lines[n]!.includes("/*")) continue;
      found.push(...lines.slice(n, Math.min(at + 1, n + MAX_LINES)));
      return plain(found.join("\n").replace(/^[^]*?\/\*+!?/, "").replace(/\*\/[^]*$/, "").replace(/^\s*\*+/gm, ""));
    }
    return "";
  }
  let first = at + 1;
  while (first > 0 && at - first < LONGEST && LINE_COMMENT.test(lines[first - 1]!.trimStart())) first--;
  for (let n = first; n <= at && n < first + MAX_LINES; n++) found.push(lines[n]!.trimStart().replace(LINE_COMMENT, ""));
  return plain(found.join("\n"));
}

/** The string that follows the head of a Python class or function. */
function docString(lines: readonly string[], startLine: number): string {
  for (let at = startLine - 1; at < startLine + MAX_LINES && at < lines.length; at++) {
    if (!/:\s*(?:#.*)?$/.test(lines[at]!)) continue;
    return /^\s*[rRuU]?("""|''')/.test(lines[at + 1] ?? "") ? quoted(lines, at + 1) : "";
  }
  return "";
}

function quoted(lines: readonly string[], from: number): string {
  return plain(lines.slice(from, from + MAX_LINES).join("\n").replace(/^\s*[rRuU]?("""|''')(?:\\\n)?([^]*?)(?:\1[^]*)?$/, "$2"));
}

/** Up to the first tag, without markup. */
function plain(text: string): string {
  return text.slice(0, 2 * MAX_CHARS).replace(/\n\s*@(?:param|returns?|throws?|see|deprecated|template|type|example)\b[^]*$/, "").replace(MARKUP, " ").slice(0, MAX_CHARS).trim();
}
