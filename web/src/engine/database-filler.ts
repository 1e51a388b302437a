import type { Codebase } from "./codebase.ts";
import { messageOf } from "./pipeline.ts";

/**
 * When nothing has changed and the user has asked nothing for this long, in milliseconds, the database is filled: it wants memory that
 * the browser has taken back by then, and a core for itself. A query asks for it earlier.
 */
const DATABASE_AFTER = 25_000;

/** Hears how a filling goes: `done` is 0 and at its end 1, `failure` what went wrong, or nothing. */
export type HearFilling = (done: number, elapsedMs: number, failure: string) => void;

/** Has the database for queries hold the present codebase: when a query wants it, or else when nothing happens. */
export class DatabaseFiller {
  /** The codebase that the database has, or is being filled with. */
  private held: Codebase | undefined;
  private filling: Promise<void> | undefined;
  private first: HearFilling | undefined;
  /** Runs while the database is to be filled later. */
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly load: (codebase: Codebase) => Promise<void>, private readonly present: () => Codebase | undefined) {}

  /** Ends when it is filled; undefined while it is not being filled. Never rejects: a query says what went wrong. */
  get underWay(): Promise<void> | undefined {
    return this.filling;
  }

  /** Something has changed: not now. */
  later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.refill();
    }, DATABASE_AFTER);
  }

  /** The user has asked for something: if it is to be filled, later. */
  defer(): void {
    if (this.timer !== undefined) this.later();
  }

  /** Not before `later` or `refill` is called. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Tells `hear` how the next filling goes, and no other. */
  tellFirst(hear: HearFilling): void {
    this.first = hear;
  }

  /**
   * Begins to fill the database with the present codebase, unless it has that; queries wait for it. One that is being
   * filled is not given up: who edits faster than it fills would never get an answer.
   */
  async refill(): Promise<void> {
    while (this.filling && this.held !== this.present()) await this.filling;
    const codebase = this.present();
    if (codebase && this.held !== codebase) this.fill(codebase);
  }

  private fill(codebase: Codebase): void {
    const tell = this.first;
    this.first = undefined;
    const began = performance.now();
    tell?.(0, 0, "");
    this.held = codebase;
    // An error is no failed load: the other tools answer, and a query says it, too.
    const filling = this.load(codebase).then(() => "", messageOf).then((failure) => {
      if (this.filling === filling) this.filling = undefined;
      tell?.(1, performance.now() - began, failure);
    });
    this.filling = filling;
  }
}
