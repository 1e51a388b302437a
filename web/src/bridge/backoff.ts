/**
 * When to dial again: exponential backoff with full jitter, the same schedule as in Go's package reconnect.
 * reconnect/testdata/backoff.json holds both to it.
 */
export interface Backoff {
  /** The ceiling of the first wait, in milliseconds. Default 500. */
  base?: number;
  /** The ceiling of every wait, in milliseconds. Default 60,000. */
  cap?: number;
  /**
   * When above 0 and up to 1, waits are the ceiling plus or minus this share of it (0.15 is ±15 %): predictable, for
   * debugging. Many pages that lost the same hub then come back at the same moment. Default 0: full jitter.
   */
  proportional?: number;
  /** A number in [0, 1). Default Math.random. */
  random?: () => number;
}

/** The wait before the given try, counted from 0, in milliseconds. */
export function delay(attempt: number, { base = 500, cap = 60_000, proportional = 0, random = Math.random }: Backoff = {}): number {
  // A large attempt makes 2^attempt infinite, and the cap holds.
  const ceiling = Math.min(cap, base * 2 ** Math.max(attempt, 0));
  if (proportional <= 0) return ceiling * random();
  return Math.min(cap, ceiling * (1 - proportional + 2 * proportional * random()));
}
