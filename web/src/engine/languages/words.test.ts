import { expect, test } from "vitest";
import { dice } from "../../../test/edits.ts";
import { hasAny, meet, wanted } from "./words.ts";

test("what is among the words is found, however many are looked for in however many", () => {
  const roll = dice(1);
  for (const [many, few] of [[0, 3], [3, 0], [1, 1], [500, 2], [2, 500], [300, 300]] as const) {
    for (let round = 0; round < 20; round++) {
      const words = wanted(Array.from({ length: many }, () => roll(1000) * 4_000_000));
      const some = wanted(Array.from({ length: few }, () => roll(1000) * 4_000_000));
      const known = new Set(words);
      const found: number[] = [];
      meet(words, some, (at) => found.push(some[at]!) < 0);
      expect(found).toEqual([...some].filter((word) => known.has(word)));
      expect(hasAny(words, some)).toBe(found.length > 0);
      // Two questions may be asked by one word: each place is told.
      const twice = Uint32Array.from([...some, ...some]).sort();
      const places: number[] = [];
      meet(words, twice, (at) => places.push(at) < 0);
      expect(places).toEqual([...twice.keys()].filter((at) => known.has(twice[at]!)));
    }
  }
});
