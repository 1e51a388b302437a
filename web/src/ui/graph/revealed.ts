/** Which nodes the map has to open groups for. */

/** A map as it is shown: what stands in it, and the groups that were open when it was asked for (null for the default) and that are open in it. */
export interface Shown {
  drawn: ReadonlySet<string>;
  asked: readonly string[] | null;
  opened: readonly string[];
}

export class Revealed {
  private readonly known = new Set<string>();

  /** Those of `wanted` that are not revealed yet. `open`: the groups that are to be open now. */
  left(wanted: readonly string[], shown: Shown | undefined, open: readonly string[] | null): string[] {
    for (const id of this.known) if (!wanted.includes(id)) this.known.delete(id);
    // What is drawn is there to be seen: a whole map for it would say nothing new. Where groups were opened or folded since, the next map has others.
    const isCurrent = shown !== undefined && (sameGroups(shown.asked, open) || sameGroups(shown.opened, open));
    if (isCurrent) for (const id of wanted) if (shown.drawn.has(id)) this.known.add(id);
    return wanted.filter((id) => !this.known.has(id));
  }

  /** These are revealed by a map whose groups are open now. */
  add(ids: readonly string[]): void {
    for (const id of ids) this.known.add(id);
  }
}

export function sameGroups(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return a === b || (a !== null && b !== null && a.length === b.length && a.every((id, i) => id === b[i]));
}
