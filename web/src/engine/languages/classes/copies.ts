/** Of what files that are kept twice declare, what each file means. */
import type { Member, Source } from "./program.ts";

/** What stands in the files next to one, by the beginning of their paths. */
export function nearestOf<T>(all: readonly T[], sourceOf: (one: T) => Source, { path }: Source): readonly T[] {
  if (all.length < 2) return all;
  const near = all.map((one) => commonPrefix(sourceOf(one).path, path));
  const most = Math.max(...near);
  return all.filter((_, i) => near[i] === most);
}

/** The first of these. */
export function nextTo<T>(all: readonly T[], sourceOf: (one: T) => Source, by: Source): T | undefined {
  return nearestOf(all, sourceOf, by)[0];
}

/** Members without those that another copy of their file has nearer to a file. */
export function withoutCopies(members: readonly Member[], by: Source): readonly Member[] {
  if (!members.some(({ owner }) => owner && owner.parts.length > 1)) return members;
  return members.filter((member) => !member.owner || nextTo(members.filter(({ owner }) => owner === member.owner), ({ source }) => source, by) === member);
}

function commonPrefix(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}
