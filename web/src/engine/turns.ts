/** Milliseconds. */
const TURN = 10;

/** Lets the thread handle its other events. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Long work in pieces, with a turn for the thread's other work after every 10 ms. */
export class Turns {
  private until = performance.now() + TURN;

  /** `still`: whether the work is still wanted, now that others have had their turn. */
  constructor(private readonly still: () => boolean = () => true) {}

  /** After a piece. Rejects when the work is not wanted any more. */
  async next(): Promise<void> {
    if (performance.now() >= this.until) {
      await turn();
      this.until = performance.now() + TURN;
    }
    if (!this.still()) throw new Error("not wanted any more");
  }
}

/** Something that is made in pieces, while others have their turns, or at once for whoever needs it now. */
export class Pieces<T> {
  private made: { value: T } | undefined;

  /** `work` yields between its pieces. */
  constructor(private readonly work: Iterator<unknown, T>) {}

  static of<T>(value: T): Pieces<T> {
    const pieces = new Pieces<T>({ next: () => ({ done: true, value }) });
    pieces.step();
    return pieces;
  }

  /** Makes what is left of it. */
  get now(): T {
    while (!this.made) this.step();
    return this.made.value;
  }

  /** Undefined while it is not whole. */
  get whole(): T | undefined {
    return this.made?.value;
  }

  /** Makes it with turns for others. Rejects as `turns` does; what was made by then stays. */
  async prepare(turns: Pick<Turns, "next">): Promise<void> {
    while (!this.made) {
      this.step();
      await turns.next();
    }
  }

  private step(): void {
    const { done, value } = this.work.next();
    if (done === true) this.made = { value };
  }
}
