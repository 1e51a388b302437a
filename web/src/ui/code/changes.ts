/** What an edit has changed in a text that is shown, so that a selection, folds and the place in view can be mapped to the new text. */
import { diffLines } from "diff";

export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** Lines that come or go, beyond which two texts count as different all the way. No time, so that a busy machine finds as much. */
const MOST = 1_000;

/** The changes that turn one text into another, in order. Found by lines; within lines that were replaced, only what differs is a change. */
export function changesBetween(before: string, after: string): TextChange[] {
  const parts = diffLines(before, after, { maxEditLength: MOST }) ?? [{ value: before, removed: true, added: false }, { value: after, removed: false, added: true }];
  const changes: TextChange[] = [];
  let at = 0;
  for (let i = 0; i < parts.length; i++) {
    const { value, added, removed } = parts[i]!;
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    // What replaces removed lines follows them.
    const insert = added ? value : parts[i + 1]?.added ? parts[++i]!.value : "";
    const old = removed ? value : "";
    changes.push(trimmed(at, old, insert));
    at += old.length;
  }
  return changes;
}

function trimmed(at: number, old: string, insert: string): TextChange {
  const shorter = Math.min(old.length, insert.length);
  let start = 0;
  while (start < shorter && old[start] === insert[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === insert[insert.length - 1 - end]) end++;
  return { from: at + start, to: at + old.length - end, insert: insert.slice(start, insert.length - end) };
}
