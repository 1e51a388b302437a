/** Arranges what stands in one group of the map. */
import { layered } from "./layers.ts";
import { join, pack, type Disc } from "./pack.ts";
import type { Task } from "./places.ts";

/** When less of a group's children is known than this, they are all placed anew. */
const KNOWN = 0.5;

/** The same task has the same places. */
export function arrange({ arrangement, children, ties, kept }: Task): Disc[] {
  const n = kept.filter((disc) => disc !== undefined).length;
  if (n > 0 && n >= KNOWN * children.length) return join(children, kept, ties);
  return arrangement === "layers" ? layered(children, ties) : pack(children, ties);
}
