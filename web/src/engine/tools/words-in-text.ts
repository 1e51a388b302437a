import type { FileStore } from "../codebase.ts";

export interface WordLine {
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

const PART_OF_WORD = /[\p{L}\p{N}_$]/u;

/** An identifier, in Ruby also one of a method such as `empty?` and `save!`, in JavaScript one of a private member. */
const IDENTIFIER = /^#?[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u;

/** The first `max` lines that have an identifier as a whole word and are wanted, each once; none for what is no identifier. */
export function linesWithWord(files: FileStore, word: string, max: number, isWanted: (path: string, line: number, text: string) => boolean): WordLine[] {
  if (!IDENTIFIER.test(word)) return [];
  const found: WordLine[] = [];
  for (const path of files.paths) {
    const text = files.text(path)!;
    let line = 1;
    let counted = 0;
    let last = 0;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      if (PART_OF_WORD.test(text[at - 1] ?? " ") || PART_OF_WORD.test(text[at + word.length] ?? " ")) continue;
      for (let next = text.indexOf("\n", counted); next >= 0 && next < at; next = text.indexOf("\n", counted)) {
        line++;
        counted = next + 1;
      }
      if (line === last) continue;
      last = line;
      const end = text.indexOf("\n", at);
      const whole = text.slice(counted, end < 0 ? undefined : end).trim();
      if (!isWanted(path, line, whole)) continue;
      found.push({ path, line, text: whole });
      if (found.length === max) return found;
    }
  }
  return found;
}
