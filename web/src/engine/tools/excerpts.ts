/** Code as it stands in answers: few lines, each with its number. */
import type { Codebase } from "../codebase.ts";
import { shorten } from "./answers.ts";

/** A line longer than this is cut: a call is seen at its beginning. */
const MAX_LINE = 160;

/** The lines of a file; none of one that is not stored. */
export function linesIn(codebase: Codebase, file: string): readonly string[] {
  return codebase.files.text(file)?.split("\n") ?? [];
}

/** `12: code` for each line, numbers from 1; what is not there is left out. */
export function excerpt(lines: readonly string[], numbers: readonly number[]): string {
  return numbers.flatMap((n) => {
    const line = lines[n - 1];
    if (line === undefined) return [];
    return [`${n}: ${shorten(line.trim(), MAX_LINE)}`];
  }).join("\n");
}

export interface Block {
  code: string;
  /** The last line that `code` has, when there are more. */
  shownTo?: number;
}

/** Whole lines from `start` to `end`, at most `maxLines` of them and `maxChars` characters, but always one. */
export function block(lines: readonly string[], start: number, end: number, maxLines: number, maxChars: number): Block {
  let last = start;
  let size = lines[start - 1]?.length ?? 0;
  while (last < Math.min(end, lines.length) && last - start + 1 < maxLines && size + lines[last]!.length + 1 <= maxChars) size += lines[last++]!.length + 1;
  const code = lines.slice(start - 1, last).join("\n").slice(0, maxChars);
  return last < Math.min(end, lines.length) ? { code, shownTo: last } : { code };
}
