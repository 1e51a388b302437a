/** Stands in a name for what only the run tells: `send("do_#{word}_now")` calls "do_*_now". A pattern begins with something that is known. */
export const ANY = "*";

/** What a pattern begins and ends with; undefined for a whole name, as `*` and `**` are. */
export function endsOf(name: string): readonly [beginning: string, ending: string] | undefined {
  const at = name.indexOf(ANY);
  return at > 0 ? [name.slice(0, at), name.slice(at + ANY.length)] : undefined;
}

export function isLike(name: string, [beginning, ending]: readonly [string, string]): boolean {
  return name.length > beginning.length + ending.length && name.startsWith(beginning) && name.endsWith(ending);
}

/** Whether a name, or one that a pattern means, is among these. */
export function isAmong(name: string, names: ReadonlySet<string>): boolean {
  if (names.has(name)) return true;
  const ends = endsOf(name);
  if (ends) for (const one of names) if (isLike(one, ends)) return true;
  return false;
}
