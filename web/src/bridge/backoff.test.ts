import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { delay, JITTERS, type Jitter } from "./backoff.ts";

interface Fixture {
  baseMs: number;
  capMs: number;
  cases: { mode: Jitter; baseMs?: number; capMs?: number; attempt: number; random: number; delayMs: number }[];
}
const fixture = JSON.parse(
  readFileSync(new URL("../../../reconnect/testdata/backoff.json", import.meta.url), "utf8"),
) as Fixture;

test("the fixture has cases of all modes", () => {
  expect(new Set(fixture.cases.map((c) => c.mode))).toEqual(new Set(JITTERS));
});

test.each(fixture.cases)("$mode, base $baseMs, attempt $attempt, random $random: $delayMs ms", ({ mode, baseMs, capMs, attempt, random, delayMs }) => {
  const got = delay(attempt, {
    base: baseMs ?? fixture.baseMs,
    cap: capMs ?? fixture.capMs,
    jitter: mode,
    random: () => random,
  });
  expect(Math.abs(got - delayMs)).toBeLessThanOrEqual(1);
});

test("the defaults are the standard schedule", () => {
  const highest = (attempt: number): number => delay(attempt, { random: () => 1 });
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map(highest)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  expect(delay(-1, { random: () => 1 })).toBe(500);
  for (let i = 0; i < 100; i++) {
    const ms = delay(3);
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThan(4000);
  }
});
