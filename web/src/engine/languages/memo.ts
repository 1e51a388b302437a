import { spend } from "../effort.ts";

/** Bounds how deep one working-out stands in another, so that no input runs the resolver out of stack. Several memos may share one. */
export class Depth {
  private now = 0;

  constructor(private readonly most: number) {}

  /** Whether one more may begin; then `leave` ends it. */
  enter(): boolean {
    if (this.now >= this.most) return false;
    this.now++;
    return true;
  }

  leave(): void {
    this.now--;
  }
}

/** A file by its index among the project's. */
interface Indexed {
  readonly index: number;
}

/**
 * What the records of all files stand for: each is worked out once, when it is first asked for. `nothing` is what record 0 stands
 * for, what a record does while it is being worked out (a cycle ends there), and one that stands too deep, which may be asked again.
 */
export class Memo<S extends Indexed, V extends object> {
  private readonly known: readonly Map<number, V>[];

  constructor(sources: readonly S[], private readonly nothing: V, private readonly work: (source: S, at: number) => V, private readonly depth?: Depth) {
    this.known = sources.map(() => new Map<number, V>());
  }

  get(source: S, at: number): V {
    if (at === 0) return this.nothing;
    spend();
    const known = this.known[source.index]!;
    const before = known.get(at);
    if (before) return before;
    if (this.depth && !this.depth.enter()) return this.nothing;
    known.set(at, this.nothing);
    const value = this.work(source, at);
    this.depth?.leave();
    known.set(at, value);
    return value;
  }

  /** Tells what is known of a record already while it is being worked out. */
  set(source: S, at: number, value: V): void {
    this.known[source.index]!.set(at, value);
  }
}
