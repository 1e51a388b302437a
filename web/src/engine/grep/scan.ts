/** Regular expressions over texts, line by line. */

/** A file's path and text. */
export type TextFile = readonly [path: string, text: string];

export interface GrepMatch {
  file: string;
  line: number;
  /** The line, without blanks around it; a long one cut around the match. */
  text: string;
  /** What matched first in it. */
  match: string;
}

export interface ScanResult {
  /** At most as many as there was room for. */
  matches: GrepMatch[];
  /** Lines that match, those without room included. */
  total: number;
  /** Files with such lines, each with how many. */
  files: (readonly [path: string, lines: number])[];
}

/** Characters of a line that are told. */
const MAX_LINE = 300;
const MAX_MATCH = 120;

/** Throws the engine's SyntaxError. */
export function compile(pattern: string, caseSensitive: boolean): RegExp {
  // Only with the flag are \p{…} and \u{…} what they look like; without it more patterns are valid.
  const unicode = /\\[pP]\{|\\u\{/.test(pattern) ? "u" : "";
  return new RegExp(pattern, `gm${caseSensitive ? "" : "i"}${unicode}`);
}

/**
 * Finds the lines that match, each once, in the order of the files. A text is searched as a whole where no match can
 * tell the difference, which is several times faster than line by line.
 */
export function scan(files: readonly TextFile[], regex: RegExp, room: number): ScanResult {
  const stays = staysInLine(regex.source);
  const result: ScanResult = { matches: [], total: 0, files: [] };
  for (const [file, text] of files) {
    const before = result.total;
    // Anchors match around a carriage return, too.
    const whole = stays && !text.includes("\r");
    for (const { start, end, from, to, line } of whole ? linesByText(text, regex) : linesByLine(text, regex)) {
      result.total++;
      if (result.matches.length < room) {
        const at = line();
        result.matches.push({ file, line: at, text: around(text.slice(start, end), from - start, to - start), match: shorten(text.slice(from, to)) });
      }
    }
    if (result.total > before) result.files.push([file, result.total - before]);
  }
  return result;
}

interface MatchedLine {
  /** Of the line, without its end. */
  start: number;
  end: number;
  /** Of the match. */
  from: number;
  to: number;
  /** Its number; counted only where it is wanted. */
  line: () => number;
}

/**
 * Whether no match of the pattern can hold or look at a line end: it has no class that may contain one, no
 * look-around, and no escape for a control character. When in doubt, no.
 */
export function staysInLine(source: string): boolean {
  return !/\[\^|\[[^\]]*\\b|\(\?(?!:)|\\[sSWDPpcnrtvfxu0-9k]|\p{Cc}/u.test(source);
}

function* linesByText(text: string, regex: RegExp): Generator<MatchedLine> {
  let counted = 0;
  let number = 1;
  for (let at = 0; at <= text.length;) {
    regex.lastIndex = at;
    const match = regex.exec(text);
    if (!match) return;
    const start = match.index === 0 ? 0 : text.lastIndexOf("\n", match.index - 1) + 1;
    // A text that ends with a line end has no further, empty line.
    if (start === text.length) return;
    let end = text.indexOf("\n", match.index);
    if (end < 0) end = text.length;
    const line = (): number => {
      for (let next = text.indexOf("\n", counted); next >= 0 && next < start; next = text.indexOf("\n", counted)) {
        number++;
        counted = next + 1;
      }
      return number;
    };
    yield { start, end, from: match.index, to: match.index + match[0].length, line };
    at = end + 1;
  }
}

function* linesByLine(text: string, regex: RegExp): Generator<MatchedLine> {
  let number = 0;
  for (let start = 0; start < text.length;) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    number++;
    const current = number;
    const content = text.slice(start, text[end - 1] === "\r" && end > start ? end - 1 : end);
    regex.lastIndex = 0;
    const match = regex.exec(content);
    if (match) {
      const from = start + match.index;
      yield { start, end: start + content.length, from, to: from + match[0].length, line: () => current };
    }
    start = end + 1;
  }
}

/** The line, cut to MAX_LINE characters around the match, with … where something is missing. */
function around(line: string, from: number, to: number): string {
  if (line.length <= MAX_LINE) return line.trim();
  const length = Math.min(to - from, MAX_LINE);
  const start = Math.max(0, Math.min(from - Math.floor((MAX_LINE - length) / 2), line.length - MAX_LINE));
  const end = Math.min(line.length, start + MAX_LINE);
  return `${start > 0 ? "…" : ""}${line.slice(start, end).trim()}${end < line.length ? "…" : ""}`;
}

function shorten(match: string): string {
  return match.length <= MAX_MATCH ? match : `${match.slice(0, MAX_MATCH)}…`;
}
