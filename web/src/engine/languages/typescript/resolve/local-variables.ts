import { Held } from "./slots.ts";

/**
 * Computes what local variables of a file hold, once for each. Of variables that hold each other, only the one where the search began is complete
 * when the search is back there; the others are computed again when they are asked for.
 */
export class LocalVariables {
  /** By binding, what is complete. */
  private complete = new Map<number, Held>();
  /** By binding, what is not, in the order of the search. `level`: the smallest index in that order that the variable depends on, as the low-link of Tarjan's algorithm. */
  private readonly open = new Map<number, { held: Held; level: number }>();
  /** The smallest level that the search of the last open variable has met. */
  private lowest = Infinity;

  /** `gather` adds what code puts into a variable. */
  constructor(private readonly gather: (binding: number, held: Held, depth: number) => void) {}

  /** Begins with another file. */
  enter(): void {
    this.complete = new Map<number, Held>();
  }

  /** What a variable holds; within a cycle, as far as it has been found. */
  heldBy(binding: number, depth: number): Held {
    const complete = this.complete.get(binding);
    if (complete) return complete;
    const open = this.open.get(binding);
    if (open) {
      this.lowest = Math.min(this.lowest, open.level);
      return open.held;
    }
    const held = new Held();
    const [level, outer] = [this.open.size, this.lowest];
    const entry = { held, level };
    this.open.set(binding, entry);
    this.lowest = Infinity;
    this.gather(binding, held, depth);
    if (this.lowest < level) entry.level = this.lowest;
    else {
      this.complete.set(binding, held);
      for (const later of [...this.open.keys()].slice(level)) this.open.delete(later);
    }
    this.lowest = Math.min(outer, entry.level < level ? entry.level : Infinity);
    return held;
  }
}
