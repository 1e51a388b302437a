/**
 * What a resolution may take, whatever it is given. Resolvers `spend` steps where they go through what files say, and tell whose code they
 * are at; with more steps than honest code takes, and more time, the resolution ends. One is at work at a time.
 */

/**
 * What a file may take, in milliseconds, when it also takes more steps than any honest file does. Ordinary ones take 1 to 10 ms, the largest
 * some hundred, and 40,000 steps.
 */
const FILE_LIMIT = 5_000;
const HONEST_STEPS = 2_000_000;
/** What takes fewer steps has so many times the limit: what is slow is the machine, busy with something else. */
const PATIENCE = 3;
/** What a language may take: so much, and for each file so much more. */
const LANGUAGE_LIMIT = 30_000;
const LIMIT_FOR_EACH = 30;
/** The clock is looked at after so many steps. */
const BETWEEN = 1_000;

/** A resolution was ended: by what one of the project's files takes, or, without one, by all. */
export class TooLong extends Error {
  constructor(readonly file: number | undefined, readonly milliseconds: number) {
    super(`it takes longer than ${Math.round(milliseconds / 1000)} s`);
  }
}

/** Steps that are left until the clock is looked at; while nothing is at work, never. */
let left = Infinity;
let file: number | undefined;
let steps = 0;
let fileBegan = 0;
let deadline = 0;
let limit = 0;

/** Takes steps: one for each thing that is looked at. Throws TooLong when they have become too many. */
export function spend(count = 1): void {
  left -= count;
  if (left < 0) look();
}

/** What is worked out from here on is for a file of the project; without one, for all. */
export function attend(to?: number): void {
  file = to;
  steps = 0;
  fileBegan = performance.now();
}

/** Runs a resolution of so many files. */
export function within<T>(files: number, work: () => T): T {
  left = BETWEEN;
  limit = LANGUAGE_LIMIT + LIMIT_FOR_EACH * files;
  attend();
  deadline = fileBegan + limit;
  try {
    return work();
  } finally {
    left = Infinity;
  }
}

function look(): void {
  steps += BETWEEN - left;
  left = BETWEEN;
  const now = performance.now();
  const own = steps > HONEST_STEPS ? FILE_LIMIT : FILE_LIMIT * PATIENCE;
  if (file !== undefined && now - fileBegan > own) throw new TooLong(file, own);
  if (now > deadline) throw new TooLong(undefined, limit);
}
