/** Arranges what stands in one group of the map. */
import { layered } from "./layers.ts";
import { join, pack, type Disc, type Tie } from "./pack.ts";
import type { Task } from "./places.ts";

/** When less of a group's children is known than this, they are all placed anew. */
const KNOWN = 0.5;

/** The same task has the same places. */
export function arrange({ arrangement, children, ties: flat, kept }: Task): Disc[] {
  const ties = Array.from({ length: flat.length / 3 }, (_, i): Tie => [flat[3 * i]!, flat[3 * i + 1]!, flat[3 * i + 2]!]);
  const n = kept.filter((disc) => disc !== undefined).length;
  if (n > 0 && n >= KNOWN * children.length) return join(children, kept, ties);
  return arrangement === "layers" ? layered(children, ties) : pack(children, ties);
}
