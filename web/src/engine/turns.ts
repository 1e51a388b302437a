/** Milliseconds. */
const TURN = 10;

/** Long work in pieces, with a turn for the thread's other work after every 10 ms. */
export class Turns {
  private until = performance.now() + TURN;

  /** `still`: whether the work is still wanted, now that others have had their turn. */
  constructor(private readonly still: () => boolean = () => true) {}

  /** After a piece. Rejects when the work is not wanted any more. */
  async next(): Promise<void> {
    if (performance.now() >= this.until) {
      await new Promise((resolve) => setTimeout(resolve));
      this.until = performance.now() + TURN;
    }
    if (!this.still()) throw new Error("not wanted any more");
  }
}
