/**
 * When to dial again: exponential backoff with full jitter, the same schedule as in Go's package reconnect.
 * reconnect/testdata/backoff.json holds both to it.
 */
export interface Backoff {
  /** The ceiling of the first wait, in milliseconds. Default 500. */
  base?: number;
  /** The ceiling of every wait, in milliseconds. Default 60,000. */
  cap?: number;
  /** How a wait differs from its ceiling. Default "full". */
  jitter?: Jitter;
  /** A number in [0, 1). Default Math.random. */
  random?: () => number;
}

/**
 * `full`: anywhere between 0 and the ceiling. `15%`: the ceiling plus or minus 15 %, at most the cap: predictable, for
 * debugging; many pages that lost the same hub then come back at the same time. `none`: the ceiling.
 */
export const JITTERS = ["full", "15%", "none"] as const;
export type Jitter = (typeof JITTERS)[number];

/** The wait before the given try, counted from 0, in milliseconds. */
export function delay(attempt: number, { base = 500, cap = 60_000, jitter = "full", random = Math.random }: Backoff = {}): number {
  // A large attempt makes 2^attempt infinite, and the cap holds.
  const ceiling = Math.min(cap, base * 2 ** Math.max(attempt, 0));
  switch (jitter) {
    case "none":
      return ceiling;
    case "15%":
      return Math.min(cap, ceiling * (0.85 + 0.3 * random()));
    case "full":
      return ceiling * random();
  }
}
