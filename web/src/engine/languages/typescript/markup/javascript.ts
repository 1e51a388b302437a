/** Scans JavaScript within other text: finds the end of an expression and the separators in it, without parsing it. */

const SPACE = /\s/;
const OPENING = "([{";
const CLOSING = ")]}";
/** The last character of an operand: a slash after it divides. */
const OPERAND_END = /[\p{L}\p{N}_$)\]}"'`]/u;
/** Ends in a keyword: a slash after it begins a regular expression. */
const KEYWORD_BEFORE_REGEX = /(?:^|[^\p{L}\p{N}_$.])(?:return|typeof|in|of|case|void|delete|new)\s*$/u;

/** Offsets in the scanned text. Commas, semicolons and blanks are those outside of brackets, strings, templates and regular expressions. */
export interface Scan {
  /** The offset of the first closing bracket that has no opening one, or the text's length. */
  end: number;
  commas: number[];
  semicolons: number;
  blanks: number[];
  /** Whether the text ends in a line comment, which would comment out code written after it. */
  endsInComment: boolean;
}

/** Scans up to a closing bracket that has no opening one; undefined where a bracket, a comment, a string or the like does not end. */
export function scan(text: string, from = 0): Scan | undefined {
  const found: Scan = { end: text.length, commas: [], semicolons: 0, blanks: [], endsInComment: false };
  /** The brackets that close the open ones; a backtick for the `${` of a template. */
  const closers: string[] = [];
  /** The last character of the previous token. */
  let previous = -1;
  for (let at = from; at < text.length; at++) {
    const c = text[at]!;
    if (SPACE.test(c)) {
      if (closers.length === 0) found.blanks.push(at);
      continue;
    }
    if (c === "/" && text[at + 1] === "/") {
      at = text.indexOf("\n", at + 2);
      if (at >= 0) continue;
      found.endsInComment = true;
      break;
    }
    if (c === "/" && text[at + 1] === "*") {
      const end = text.indexOf("*/", at + 2);
      if (end < 0) return undefined;
      at = end + 1;
      continue;
    }
    if (c === '"' || c === "'") {
      at = endOfString(text, at, c);
      if (at >= text.length) return undefined;
    } else if (c === "`" || (c === "}" && closers.at(-1) === "`")) {
      if (c === "}") closers.pop();
      at = endOfTemplatePart(text, at);
      if (at >= text.length) return undefined;
      if (text[at] === "{") closers.push("`");
    } else if (c === "/" && (previous < 0 || !OPERAND_END.test(text[previous]!) || KEYWORD_BEFORE_REGEX.test(text.slice(Math.max(from, previous - 9), previous + 1)))) {
      at = endOfRegex(text, at);
      if (at >= text.length) return undefined;
    } else if (OPENING.includes(c)) {
      closers.push(CLOSING[OPENING.indexOf(c)]!);
    } else if (CLOSING.includes(c)) {
      if (closers.length === 0) {
        found.end = at;
        return found;
      }
      if (closers.pop() !== c) return undefined;
    } else if (closers.length === 0 && c === ",") {
      found.commas.push(at);
    } else if (closers.length === 0 && c === ";") {
      found.semicolons++;
    }
    previous = at;
  }
  return closers.length === 0 ? found : undefined;
}

/** The offset of the quote that closes the one at `from`; the text's length or more where none does. */
function endOfString(text: string, from: number, quote: string): number {
  let at = from + 1;
  for (; at < text.length && text[at] !== quote; at++) if (text[at] === "\\") at++;
  return at;
}

/** The offset of the backtick or of the brace of `${` that ends a part of a template; the text's length or more where none does. */
function endOfTemplatePart(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length && text[at] !== "`"; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "$" && text[at + 1] === "{") return at + 1;
  }
  return at;
}

/** The offset of the slash that closes a regular expression; the text's length or more where none on its line does. */
function endOfRegex(text: string, from: number): number {
  let inClass = false;
  let at = from + 1;
  for (; at < text.length && (inClass || text[at] !== "/"); at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "[") inClass = true;
    else if (text[at] === "]") inClass = false;
    else if (text[at] === "\n") return text.length;
  }
  return at;
}

/** Scans a text of which nothing is left open, not even a line comment; undefined for any other text. */
export function scanWhole(text: string): Scan | undefined {
  const found = scan(text);
  return found?.end === text.length && !found.endsInComment ? found : undefined;
}

/** Whether a text is one expression, as far as brackets and semicolons tell. */
export function isExpression(text: string): boolean {
  return scanWhole(text)?.semicolons === 0 && text.trim() !== "";
}

/** The trimmed parts of a text between its commas. */
export function splitAtCommas(text: string): string[] {
  const commas = scan(text)?.commas ?? [];
  return [...commas, text.length].map((comma, i) => text.slice(i === 0 ? 0 : commas[i - 1]! + 1, comma).trim());
}

/** Whether a text names a variable or a member, as `form.submit` does. */
export function isPath(text: string): boolean {
  return /^\s*[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*\s*$/u.test(text);
}

/** A declaration of the names in a pattern, without a semicolon; no space stands before brackets, as room is scarce. */
export function declarationOf(pattern: string): string {
  return /^\s*[{[]/.test(pattern) ? `let${pattern}` : `let ${pattern}`;
}
