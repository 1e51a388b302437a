/**
 * What a resolution may take, whatever it is given. Resolvers `spend` steps where they go through what files say, and tell whose code they
 * are at; with many more steps than honest code takes, the resolution ends. Steps bound memory, too, since none makes more than a little; and
 * they are the same on every machine, however busy it is. One resolution is at work at a time.
 */

/** Steps that a new relation stands for, since it is kept. */
export const RELATION = 10;
/** What a file may take: most honest ones take some hundred, the largest that we know 2.2 million (mitmproxy's app in one file), of those that people wrote 800,000 (sympy, where most lies on circles). */
const FILE_STEPS = 4_000_000;
/** What a language may take, and for each file so much more: honest code takes some hundred a file, and 17,000 at most (sympy). */
const LANGUAGE_STEPS = 4_000_000;
const STEPS_FOR_EACH = 60_000;
/** For what takes long in few steps, in milliseconds: for a file; for a language, and for each file so much more. */
const FILE_LIMIT = 15_000;
const LANGUAGE_LIMIT = 30_000;
const LIMIT_FOR_EACH = 30;
/** It is looked at after so many steps. */
const BETWEEN = 1_000;

/** What a resolution had taken when it was ended: steps, unless it was ended for its time. */
export type Taken = { steps: number } | { milliseconds: number };

/** A resolution was ended: by what these of the project's files take, or, without any, by all. */
export class TooLong extends Error {
  constructor(readonly files: readonly number[], readonly taken: Taken) {
    super(`it takes more than any honest code does (${"steps" in taken ? `${taken.steps} steps` : `${Math.round(taken.milliseconds)} ms`})`);
  }
}

/** Steps that are left until it is looked at; while nothing is at work, never. */
let left = Infinity;
let file: number | undefined;
let steps = 0;
let fileBegan = 0;
/** What files have taken that have taken more than their share. */
let heavy = new Map<number, number>();
/** Of the whole resolution. */
let all = 0;
let most = 0;
let began = 0;
let limit = 0;
let share = 0;

/** Takes steps: one for each thing that is looked at. Throws TooLong when they have become too many. */
export function spend(count = 1): void {
  left -= count;
  if (left < 0) look();
}

/** What is worked out from here on is for a file of the project; without one, for all. */
export function attend(to?: number): void {
  if (file !== undefined && steps > STEPS_FOR_EACH) heavy.set(file, steps + (heavy.get(file) ?? 0));
  file = to;
  steps = 0;
  fileBegan = performance.now();
}

/** Runs a resolution of so many files. Where all of them together take too much, those are named that took this share of it. */
export function within<T>(files: number, work: () => T, named = 1 / 2): T {
  left = BETWEEN;
  share = named;
  limit = LANGUAGE_LIMIT + LIMIT_FOR_EACH * files;
  most = LANGUAGE_STEPS + STEPS_FOR_EACH * files;
  all = 0;
  file = undefined;
  heavy = new Map();
  attend();
  began = fileBegan;
  try {
    return work();
  } finally {
    left = Infinity;
  }
}

function look(): void {
  const taken = BETWEEN - left;
  left = BETWEEN;
  steps += taken;
  all += taken;
  const now = performance.now();
  if (file !== undefined && steps > FILE_STEPS) throw new TooLong([file], { steps: all });
  if (all > most) throw new TooLong(heaviest(), { steps: all });
  const milliseconds = now - began;
  if (file !== undefined && now - fileBegan > FILE_LIMIT) throw new TooLong([file], { milliseconds });
  if (milliseconds > limit) throw new TooLong([], { milliseconds });
}

/** The fewest files that have taken this share of all steps, or all that have taken more than their own. */
function heaviest(): number[] {
  attend();
  let rest = all * share;
  return [...heavy].sort(([, a], [, b]) => b - a).filter(([, own]) => {
    const wanted = rest > 0;
    rest -= own;
    return wanted;
  }).map(([one]) => one);
}
