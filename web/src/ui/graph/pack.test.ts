import { describe, expect, it } from "vitest";
import { join, pack, type Child, type Tie } from "./pack.ts";

const children = (n: number): Child[] => Array.from({ length: n }, (_, i) => ({ id: `File:src/f${(i * 7919) % 1000}.ts`, weight: 1 + ((i * 31) % 40) }));
const ties = (n: number): Tie[] => Array.from({ length: 2 * n }, (_, i) => [i % n, (i * 5 + 1) % n, 1 + (i % 3)] as const).filter(([a, b]) => a !== b);

function overlaps(discs: readonly { x: number; y: number; r: number }[], slack: number): number {
  let n = 0;
  discs.forEach((a, i) => discs.slice(i + 1).forEach((b) => (n += Math.hypot(a.x - b.x, a.y - b.y) < (a.r + b.r) * slack ? 1 : 0)));
  return n;
}

describe.each([2, 9, 60, 200])("%i discs", (n) => {
  it("stand in the ground, apart from each other, and always the same", () => {
    const discs = pack(children(n), ties(n));
    for (const { x, y, r } of discs) expect(Math.hypot(x, y) + r).toBeLessThanOrEqual(0.94);
    expect(overlaps(discs, 0.97)).toBe(0);
    expect(pack(children(n), ties(n))).toEqual(discs);
  });
});

it("places a thousand in little time and apart", () => {
  expect(overlaps(pack(children(1000), []), 0.9)).toBe(0);
});

it("what has to do with each other stands nearer", () => {
  const all = children(40);
  const pairs: Tie[] = Array.from({ length: 20 }, (_, i) => [2 * i, 2 * i + 1, 5] as const);
  const discs = pack(all, pairs);
  const distance = (a: number, b: number): number => Math.hypot(discs[a]!.x - discs[b]!.x, discs[a]!.y - discs[b]!.y);
  const tied = pairs.reduce((sum, [a, b]) => sum + distance(a, b), 0) / pairs.length;
  const any = all.reduce((sum, _, a) => sum + distance(a, (a + 13) % 40), 0) / 40;
  expect(tied).toBeLessThan(0.6 * any);
});

it("two more discs move the others little", () => {
  const before = pack(children(60), ties(60));
  const after = pack([...children(60), { id: "File:src/new.ts", weight: 4 }, { id: "File:src/other.ts", weight: 9 }], ties(60));
  const moved = before.reduce((sum, { x, y }, i) => sum + Math.hypot(after[i]!.x - x, after[i]!.y - y), 0) / before.length;
  expect(moved).toBeLessThan(0.2);
});

it("new ones find room beside what they have to do with, and the others stay", () => {
  const known = pack(children(30), ties(30));
  const all = [...children(30), { id: "Function:new", weight: 1 }];
  const joined = join(all, [...known, undefined], [[30, 4, 1]]);
  expect(joined.slice(0, 30)).toEqual(known);
  expect(overlaps(joined, 0.97)).toBe(0);
  const far = (i: number): number => Math.hypot(joined[30]!.x - known[i]!.x, joined[30]!.y - known[i]!.y);
  expect(known.filter((_, i) => far(i) < far(4)).length).toBeLessThan(6);
});
